"""Server: the value is the server's own; what a client sends is kept in its op and not merged."""

NAME = "server"
