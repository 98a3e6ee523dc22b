"""The Lua scripts of the Redis state: each does one step at once, by the server's own clock.

The first argument of each is the time in seconds; empty, as it always is outside tests, it is
asked of the server, so that machines with different clocks agree. In its first moments a
server has forgotten whom it let through: until all workers know that it was started anew
(``quiet`` seconds), nobody is let through.
"""

from specfactory.word_lists import read_text

_BEGIN = read_text("adapters/redis/lua/begin.lua")
_LIFE = read_text("adapters/redis/lua/server_life.lua")
RESERVE = _BEGIN + _LIFE + read_text("adapters/redis/lua/reserve.lua")
ENTER = _BEGIN + _LIFE + read_text("adapters/redis/lua/enter.lua")
PERMIT = _BEGIN + read_text("adapters/redis/lua/permit.lua")
FAILED = _BEGIN + read_text("adapters/redis/lua/failed.lua")
REMEMBER = _BEGIN + read_text("adapters/redis/lua/remember.lua")
RECALL = _BEGIN + read_text("adapters/redis/lua/recall.lua")
REGISTER = _BEGIN + _LIFE + read_text("adapters/redis/lua/register.lua")
