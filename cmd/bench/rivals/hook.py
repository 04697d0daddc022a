"""A hook that says once that a conversation went into a worse zone, in Python's
standard library.

    python3 hook.py <event

For UserPromptSubmit and PostToolBatch. What was announced last stands in a file
of one word. It does less than ctxguard: it reads no configuration, takes no
lock, and knows nothing of compactions or of the transcript's age.
"""

import json
import os
import re
import sys

from zone import UNKNOWN, ZONES, zone_of


def main():
    event = json.load(sys.stdin)
    name, session = event.get("hook_event_name"), event.get("session_id")
    if name not in ("UserPromptSubmit", "PostToolBatch") or event.get("agent_id"):
        return
    if not isinstance(session, str) or not re.fullmatch(r"[A-Za-z0-9_-]{1,128}", session, re.ASCII):
        return
    zone = zone_of(session)
    memory = os.path.join(os.environ["CTXGUARD_HOME"], "state", session + ".armed")
    armed = "smart"
    try:
        with open(memory, encoding="utf-8") as file:
            armed = file.read().strip()
    except FileNotFoundError:
        pass
    if zone == "smart" and armed != "smart":
        os.unlink(memory)
    if zone == UNKNOWN or ZONES.index(zone) <= ZONES.index(armed):
        return
    os.makedirs(os.path.dirname(memory), exist_ok=True)
    with open(memory + ".new", "w", encoding="utf-8") as file:
        file.write(zone + "\n")
    os.replace(memory + ".new", memory)
    print(json.dumps({
        "hookSpecificOutput": {
            "hookEventName": name,
            "additionalContext": f"The context went from {armed} to {zone}. This is a measurement, not an order to stop.",
        },
        "systemMessage": f"context: {armed} → {zone}",
    }))


try:
    main()
except (ValueError, KeyError, OSError, AttributeError):
    pass  # the session goes on without a word
