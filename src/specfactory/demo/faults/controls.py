"""Switching faults from outside: ``/faults`` on the index site, which listens on loopback only.

``POST /faults/razer/blocked?after=5`` lets a fault begin after five more pages,
``DELETE /faults/razer`` ends it, ``GET /faults`` says which are on.
"""

from aiohttp import web

from specfactory.demo.faults.switchboard import Switchboard

ROOT = "/faults"


async def control(request: web.BaseRequest, board: Switchboard) -> web.Response | None:
    """Do what is asked of the switchboard; None when the request is about something else."""
    root, *names = request.path.removeprefix("/").split("/")
    if f"/{root}" != ROOT:
        return None
    match request.method, names:
        case "GET", []:
            pass
        case "DELETE", [site]:
            board.switch(site, "", on=False)
        case "POST", [site, fault]:
            if problem := _begin(request, board, site, fault):
                return web.json_response({"error": problem}, status=400)
        case _:
            return web.json_response(
                {"error": "GET, POST or DELETE /faults/SITE/FAULT"}, status=400
            )
    return web.json_response(board.state())


def _begin(request: web.BaseRequest, board: Switchboard, site: str, fault: str) -> str:
    after = request.query.get("after", "0")
    if not after.isdecimal():
        return f"after is {after!r}; it must be a number of pages"
    try:
        board.switch(site, fault, after=int(after))
    except KeyError:
        return f"no fault is called {fault!r}; spec demo faults lists them"
    except ValueError as problem:
        return str(problem)
    return ""
