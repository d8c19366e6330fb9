"""The query parameter `as`: through whose eyes."""

from marshmallow import fields

from service.api.fields import Matches


def eyes() -> fields.String:
    """Give the field; whether there is such a seat, the table decides."""
    return fields.String(
        data_key="as",
        load_default=None,
        validate=Matches(r"^(public|all|[0-9]{1,2})$", error="Must be public, all or a seat's number."),
        metadata={
            "description": "Through whose eyes: a seat's number, `public`, or `all`. Left out: your own seat's, else the "
            "public's. Another seat's or `all` only once the table is finished."
        },
    )
