"""Use cases and ports: what the service does, whatever stores and serves it."""
