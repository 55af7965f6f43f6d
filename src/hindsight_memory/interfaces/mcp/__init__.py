"""The operations as MCP tools: ``server`` makes the server, ``stdio`` and ``http`` connect it."""

from hindsight_memory.interfaces.mcp.lazy import run_on_first_use

# Importing any part of the SDK imports all of it, client and high-level server included: 0.5 s
# where the part that a stdio server uses takes 0.3 s. This can go when the SDK imports its parts
# on demand (modelcontextprotocol/python-sdk, pull request 3220).
run_on_first_use("mcp")
run_on_first_use("mcp.server")
