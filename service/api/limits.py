"""Rate limits at the door: who is counted, and the headers that tell how many requests are left.

`RateLimit` and `RateLimit-Policy` are those of draft-ietf-httpapi-ratelimit-headers: a policy is named by its bucket.
"""

import functools
import ipaddress
from collections.abc import Mapping
from typing import Final

from flask import Request

from service.api.operation import Bucket, Call
from service.api.problems import Problem
from service.application.accounts import Caller
from service.application.limiting import Flow, Limiter, Standing

STANDING: Final = "starledger.standing"
"""Where a request holds its `Standing`, in its environment."""


def count(request: Request, limiter: Limiter | None, bucket: Bucket | None, caller: Caller | None) -> None:
    """Count a request against its token's bucket, or its address's without one; raises `Problem` `rate_limited`."""
    if limiter is None or bucket is None:
        return
    standing = limiter.spend(bucket, address_of(request) if caller is None else f"token:{caller.token}")
    request.environ[STANDING] = standing
    if not standing.is_allowed:
        raise Problem(
            "rate_limited",
            f"The bucket of {bucket} is empty: {standing.flow.per_second} flow in each second, {standing.flow.burst} "
            f"fit. Wait {standing.wait_s} s.",
            headers={"Retry-After": str(standing.wait_s)},
        )


def address_of(request: Request) -> str:
    """Name the address that a request came from; of IPv6 the first 64 bits, for the rest is the caller's to choose."""
    given = (request.remote_addr or "").partition("%")[0]
    try:
        address = ipaddress.ip_address(given)
    except ValueError:
        return "address:unknown"  # a socket file: the proxy before it is one caller
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return f"address:{address.ipv4_mapped}"
        return f"address:{ipaddress.ip_network((address, 64), strict=False).network_address}/64"
    return f"address:{address}"


def holder_of(call: Call) -> str:
    """Name who holds a place: a player, whatever his token, or an address."""
    return address_of(call.request) if call.player is None else f"player:{call.player}"


def headers_of(standing: Standing) -> Mapping[str, str]:
    """Give the headers of an answer to a request that was counted."""
    return {
        "RateLimit": f'"{standing.bucket}";r={standing.left};t={standing.wait_s}',
        "RateLimit-Policy": _policy(standing.bucket, standing.flow),
    }


@functools.cache
def _policy(bucket: str, flow: Flow) -> str:
    return f'"{bucket}";q={flow.burst};w={int(-(-flow.burst // flow.per_second))}'
