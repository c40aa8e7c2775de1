"""Games over lines that break, on a server that dies: what stays must be what was promised."""
