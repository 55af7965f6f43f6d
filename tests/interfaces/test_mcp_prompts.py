"""The prompt that tells a model how to work with memory."""

import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from hindsight_memory.interfaces.mcp.prompts import GUIDANCE, NAME

pytestmark = pytest.mark.anyio


async def test_the_prompt_says_when_to_search_and_when_to_write(tools: Client) -> None:
    [prompt] = (await tools.list_prompts()).prompts
    assert prompt.name == NAME
    found = await tools.get_prompt(NAME, {"task": "导入订单"})
    [message] = found.messages
    assert message.content.type == "text"
    assert message.content.text == f"{GUIDANCE}\n\n导入订单"


async def test_a_prompt_that_does_not_exist_is_told(tools: Client) -> None:
    with pytest.raises(MCPError, match="no prompt 'other'; known: work_with_memory"):
        await tools.get_prompt("other")
