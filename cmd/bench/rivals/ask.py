"""A gate for questions that the person could not understand or has turned down,
in Python's standard library.

    python3 ask.py <event        exit 2 with the reason on standard error: held back

Three reasons: a phrase that points off the screen; the same question, the last
time not answered with what it offered; calls in this turn, and less than 200
characters of context in the question and on the screen. It reads the transcript
from its beginning to its end, each line by json.loads, and keeps only what the
rule needs, where many keep a list of everything. It does less than ctxguard: it
reads no configuration, reads everything each time, and knows only the
structured record of an answer.
"""

import json
import re
import sys

LIMIT = 200
WORDS = "analysis|context|findings|summary"
POINTING = re.compile(
    rf"""\b( with\s+(all\s+)?(that|this)\s+(context|analysis)
    | with\s+the\s+(above|prior|earlier)\s+(context|analysis)
    | given\s+((the\s+)?above|(that|this)\s+(context|analysis))
    | (as|per)\s+(described|shown|mentioned|discussed|noted|outlined|summarized|explained|detailed)\s+(above|earlier|previously)
    | see\s+above | per\s+the\s+above | in\s+light\s+of\s+the\s+above
    | based\s+on\s+(the|my)\s+(({WORDS})\s+)?above
    | the\s+({WORDS}|details?|evidence)\s+(above|below)
    | ({WORDS}|details?|evidence)\s+i\s+(just\s+)?(provided|gave|shared|showed|outlined)
    )\b""", re.IGNORECASE | re.VERBOSE)
INJECTED = re.compile(
    r"<(system-reminder|local-command-(?:caveat|stdout|stderr))(?:\s[^>]*)?>.*?</\1>|\[Image: source:[^\]]*\]",
    re.IGNORECASE | re.DOTALL)


def text(value):
    return value if isinstance(value, str) else ""


def objects(value):
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def blocks(content):
    return [{"type": "text", "text": content}] if isinstance(content, str) else objects(content)


def questions(tool_input):
    return objects(tool_input.get("questions")) if isinstance(tool_input, dict) else []


def question_set(tool_input):
    return {" ".join(text(q.get("question")).split()).lower() for q in questions(tool_input)} - {""}


def labels(question):
    options = question.get("options")
    found = [o.get("label") if isinstance(o, dict) else o for o in options] if isinstance(options, list) else []
    return [label for label in found if isinstance(label, str)]


def is_question_tool(name):
    return isinstance(name, str) and re.fullmatch(r"(mcp__.+__)?AskUserQuestion", name) is not None


def from_person(line):
    if line.get("isMeta") is True or line.get("isCompactSummary") is True or line.get("rowSource") in ("hook", "harness"):
        return False
    for block in blocks(line["message"].get("content")):
        if block.get("type") == "image":
            return True
        own = text(block.get("text")) if block.get("type") == "text" else ""
        if not re.match(r"\s*(<task-notification>|\[Request interrupted)", own) and INJECTED.sub("", own).strip():
            return True
    return False


class Transcript:
    """What one reading from the beginning keeps: the turn so far, and every
    question with its result."""

    def __init__(self, path, own):
        self.own, self.calls, self.visible = own, 0, 0
        self.asked, self.results = [], {}
        with open(path, "rb") as file:
            for raw in file:
                try:
                    line = json.loads(raw)
                except ValueError:
                    continue
                if isinstance(line, dict) and line.get("isSidechain") is not True:
                    self.add(line)

    def add(self, line):
        if line.get("type") == "system" and line.get("subtype") == "compact_boundary":
            self.visible = 0
        if not isinstance(line.get("message"), dict):
            return
        if line.get("type") == "user":
            if from_person(line):
                self.calls, self.visible = 0, 0
            for block in blocks(line["message"].get("content")):
                if block.get("type") == "tool_result" and block.get("tool_use_id") in self.results:
                    self.results[block["tool_use_id"]] = (block, line.get("toolUseResult"))
        if line.get("type") == "assistant":
            for block in blocks(line["message"].get("content")):
                self.add_block(block)

    def add_block(self, block):
        if block.get("type") == "text":
            self.visible += len(text(block.get("text")).strip())
        if block.get("type") != "tool_use" or self.own and block.get("id") == self.own:
            return
        self.calls += 1
        if is_question_tool(block.get("name")):
            self.asked.append(block)
            self.results[block.get("id")] = None

    def outcome(self, call):
        if self.results[call.get("id")] is None:
            return "interrupted"
        block, record = self.results[call["id"]]
        words = "\n".join(text(b.get("text")) for b in blocks(block.get("content"))).strip()
        if words.startswith(f"PreToolUse:{call['name']} hook error:"):
            return "not asked"
        if "user doesn't want to proceed" in words.replace("’", "'"):
            return "dismissed"
        if words.startswith("[Request interrupted") or "did not answer the question" in words:
            return "interrupted"
        answers = record.get("answers") if isinstance(record, dict) else None
        if not isinstance(answers, dict) or not answers:
            return "answered"
        return self.from_record(call, answers, record.get("annotations") or {})

    @staticmethod
    def from_record(call, answers, annotations):
        missing = False
        for question in questions(call.get("input")):
            offered, answer = labels(question), answers.get(question.get("question"))
            if not offered:
                continue
            if answer is None:
                missing = True
                continue
            chosen = answer if isinstance(answer, list) else [answer] if answer in offered else text(answer).split(", ")
            if any(one not in offered for one in chosen) or (annotations.get(question.get("question")) or {}).get("notes"):
                return "own words"
        return "interrupted" if missing else "answered"


def reason(event):
    """Why the question is held back, or None."""
    tool_input = event.get("tool_input")
    shown = [text(q.get("question")) for q in questions(tool_input)]
    options = [o for q in questions(tool_input) for o in objects(q.get("options"))]
    described = [text(o.get("description")) for o in options]
    if any(POINTING.search(words) for words in shown + described):
        return "a phrase in it points at something that is not on the screen."
    try:
        transcript = Transcript(event.get("transcript_path") or "", event.get("tool_use_id"))
    except OSError:
        return None
    asking = question_set(tool_input)
    for call in reversed(transcript.asked):
        if not asking or question_set(call.get("input")) != asking:
            continue
        outcome = transcript.outcome(call)
        if outcome == "not asked":
            continue
        if outcome != "answered":
            return f"it was asked before, and the outcome was: {outcome}."
        break
    carried = sum(len(words.strip()) for words in shown + described + [text(o.get("preview")) for o in options])
    if carried < LIMIT and transcript.calls > 0 and transcript.visible < LIMIT:
        return (f"{transcript.calls} calls in this turn, {transcript.visible} visible characters, "
                f"and {carried} in the question; it needs {LIMIT}.")
    return None


def main():
    event = json.load(sys.stdin)
    if not is_question_tool(event.get("tool_name")):
        return 0
    why = reason(event)
    if why is None:
        return 0
    print("The question was held back:", why, file=sys.stderr)
    return 2


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (ValueError, AttributeError, TypeError):
        sys.exit(0)  # the call goes on
