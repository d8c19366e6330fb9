"""Starledger's service: application, stores, HTTP API and command line."""
