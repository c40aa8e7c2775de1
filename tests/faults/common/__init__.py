"""What the harness of one server and that of several share."""
