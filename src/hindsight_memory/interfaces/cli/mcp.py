"""``mcp``: the stdio door. Imports as little as it can: clients wait for the list of tools."""

import click

from hindsight_memory.interfaces.cli.shell import Shell, opened_by_first_use, pass_shell, shared


@click.command(params=shared("store_url", "user_id", "agent_id", "project"))
@pass_shell
def mcp(shell: Shell) -> None:
    """Serve one MCP client over stdin and stdout.

    For the configuration of an MCP client: command hindsight-memory, arguments ["mcp"].
    Ends when the client closes stdin. Logs go to stderr.
    """
    from hindsight_memory.interfaces.mcp.stdio import serve_stdio
    from hindsight_memory.settings import traces_are_wanted

    caller = shell.caller(is_person=False)
    with opened_by_first_use(shell) as engine:
        if not traces_are_wanted():
            serve_stdio(engine, caller)
            return
        from hindsight_memory.interfaces.observing import observed
        from hindsight_memory.interfaces.operations import OPERATIONS
        from hindsight_memory.interfaces.tracing import exporting

        with exporting():
            serve_stdio(engine, caller, [observed(each, None) for each in OPERATIONS])
