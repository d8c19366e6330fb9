"""The links of the contract: what can be asked about that which a request has made (OpenAPI 3.1, Link Object)."""

import re
from collections.abc import Iterable
from typing import Any, Final

from service.api.operation import Operation

MAKES: Final = {
    "createPlayer": "player",
    "createToken": "token_id",
    "createTable": "table",
    "importRecord": "table",
    "forkTable": "table",
    "rematchTable": "table",
    "createTournament": "tournament",
    "createWebhook": "webhook",
}
"""Which path parameter the `id` in an operation's answer is."""


def links(operations: Iterable[Operation]) -> dict[str, Any]:
    """Give the links as parts of the contract: one for each operation whose path needs such an id and no other."""
    made = set(MAKES.values())
    return {
        each.name: {"operationId": each.name, "parameters": {name: "$response.body#/id"}}
        for each in operations
        if (names := re.findall(r"{(\w+)}", each.path)) and len(names) == 1 and (name := names[0]) in made
    }


def links_of(operation: Operation, operations: Iterable[Operation]) -> dict[str, Any]:
    """Give the member `links` of an operation's good answer; nothing where it makes nothing."""
    made = MAKES.get(operation.name)
    found = {
        name: {"$ref": f"#/components/links/{name}"}
        for name, link in links(operations).items()
        if made is not None and made in link["parameters"]
    }
    return {"links": found} if found else {}
