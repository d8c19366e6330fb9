"""The operations of the API by resource; `ALL` is the only list of them."""
