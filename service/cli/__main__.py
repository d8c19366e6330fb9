"""`python -m service.cli` is `starledger`."""

from service.cli import main

main(prog_name="starledger")
