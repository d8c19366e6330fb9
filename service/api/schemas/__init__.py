"""What requests may hold: one module for each resource."""
