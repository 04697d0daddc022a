"""A status line wrapper in Python's standard library.

    python3 shim.py COMMAND [ARG...] <payload

It keeps the session's context numbers where other programs find them, and hands
the payload to the next command. It does less than ctxguard: it takes no lock
and does not wait for a payload that comes in pieces.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time

CLIENT = ("model", "workspace", "cost", "rate_limits", "exceeds_200k_tokens", "transcript_path")


def snapshot(payload):
    """The name of the session's file and what to write into it."""
    data = json.loads(payload)
    session = data["session_id"]
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,128}", session, re.ASCII):
        raise ValueError("a session id that cannot be a file name")
    kept = {"captured_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "session_id": session}
    version = data.get("version")
    if isinstance(version, str) and version:
        kept["cli_version"] = version
    kept["context_window"] = data.get("context_window")
    kept["client"] = {key: data[key] for key in CLIENT if key in data}
    return session + ".json", json.dumps(kept) + "\n"


def replace(folder, name, content):
    os.makedirs(folder, exist_ok=True)
    handle, new = tempfile.mkstemp(dir=folder, prefix="." + name)
    try:
        with os.fdopen(handle, "w") as file:
            file.write(content)
        os.replace(new, os.path.join(folder, name))
    except OSError:
        os.unlink(new)


def main():
    payload = sys.stdin.buffer.read()
    try:
        replace(os.path.join(os.environ["CTXGUARD_HOME"], "context"), *snapshot(payload))
    except (ValueError, KeyError, TypeError, OSError):
        pass  # nothing of this may be seen on the status line
    sys.exit(subprocess.run(sys.argv[1:], input=payload, check=False).returncode)


main()
