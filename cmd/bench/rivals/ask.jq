# What the shell's gate for questions needs to know of one line of a transcript,
# and of the event.

def trimmed: sub("^\\s+"; "") | sub("\\s+$"; "");
def normal: gsub("\\s+"; " ") | trimmed | ascii_downcase;
def blocks: if type == "string" then {type: "text", text: .} elif type == "array" then .[] | objects else empty end;
def question_tool: test("^(mcp__.+__)?AskUserQuestion$");
def questions: .questions[]? | objects;
def question_set: [questions | .question | strings | normal | select(. != "")] | unique;
def options: .options[]? | objects;
def labels: [.options[]? | if type == "object" then .label else . end | strings];
def main_line: .isSidechain != true;

# The characters of a question that the person sees.
def carried: [questions | (.question, (options | .description, .preview)) | strings | trimmed | length] | add // 0;

# Words that point at something that is not on the screen.
def pointing: test("
    \\b( with\\s+(all\\s+)?(that|this)\\s+(context|analysis)
    | with\\s+the\\s+(above|prior|earlier)\\s+(context|analysis)
    | given\\s+((the\\s+)?above|(that|this)\\s+(context|analysis))
    | (as|per)\\s+(described|shown|mentioned|discussed|noted|outlined|summarized|explained|detailed)\\s+(above|earlier|previously)
    | see\\s+above | per\\s+the\\s+above | in\\s+light\\s+of\\s+the\\s+above
    | based\\s+on\\s+(the|my)\\s+((analysis|context|findings|summary)\\s+)?above
    | the\\s+(context|analysis|details?|findings|summary|evidence)\\s+(above|below)
    | (context|analysis|details?|findings|summary|evidence)\\s+i\\s+(just\\s+)?(provided|gave|shared|showed|outlined)
    )\\b"; "ix");
def points: any(questions | (.question, (options | .description)) | strings; pointing);

# Whether a line is the person's own message, with which a turn begins.
def own_words:
  if test("^\\s*(<task-notification>|\\[Request interrupted)") then ""
  else gsub("<(?<tag>system-reminder|local-command-(caveat|stdout|stderr))(\\s[^>]*)?>.*?</\\k<tag>>"; ""; "ip")
     | gsub("\\[Image: source:[^\\]]*\\]"; ""; "i") | trimmed end;
def from_person: .type == "user" and main_line and .isMeta != true and .isCompactSummary != true
  and (.rowSource | IN("hook", "harness") | not)
  and any(.message.content? | blocks;
    .type == "image" or (.type == "text" and (.text | type) == "string" and (.text | own_words) != ""));

# One raw line as an object, empty when it is none. Within brackets, since jq 1.6
# lets the try catch what is broken off after it.
def parsed: [try fromjson catch null][0] | objects;

# Counts the turn from its end until its beginning is reached, or until enough
# of it is visible. Wants the lines newest first, as raw text.
def turn($limit; $own):
  label $done
  | foreach ((inputs | parsed), null) as $line ({calls: 0, visible: 0, hidden: false};
      if $line == null or ($line | from_person) then .over = true
      elif $line.type == "system" and $line.subtype == "compact_boundary" then .hidden = true
      elif $line.type == "assistant" and ($line | main_line) then
        reduce ($line.message.content? | blocks) as $b (.;
          if $b.type == "tool_use" and ($own == "" or $b.id != $own) then .calls += 1
          elif $b.type == "text" and (.hidden | not) then .visible += ($b.text | strings | trimmed | length)
          else . end)
        | .over = (.visible >= $limit)
      else . end;
      if .over then (., break $done) else empty end);

# The earlier calls that asked the same, oldest first. Wants raw lines.
def asked_before($set; $own):
  inputs | parsed | select(.type == "assistant" and main_line)
  | .message.content? | blocks
  | select(.type == "tool_use" and (.name | strings | question_tool) and .id != $own
           and (.input | question_set) == $set)
  | {id, name, input} | tojson;

# What became of such a call: its word for it. Wants the raw lines that name it.
def offered($labels): type == "array" and all(.[]; IN($labels[]))
  or type == "string" and (IN($labels[]) or all(split(", ")[]; IN($labels[])));
def outcome($call):
  [inputs | parsed | select(.type == "user" and main_line)
   | .toolUseResult as $record | .message.content? | blocks
   | select(.type == "tool_result" and .tool_use_id == $call.id)
   | {text: ([.content | blocks | .text | strings] | join("\n")), $record}] | last
  | if . == null then "interrupted"
    elif .text | trimmed | startswith("PreToolUse:" + $call.name + " hook error:") then "not asked"
    elif .text | test("user doesn['’]t want to proceed") then "dismissed"
    elif .text | test("^\\s*\\[Request interrupted|did not answer the question") then "interrupted"
    elif (.record.answers? | type) == "object" and .record.answers != {} then
      .record as $record
      | [$call.input | questions | . as $q | labels as $labels | select($labels != [])
         | $record.answers[$q.question]
         | if . == null then "interrupted"
           elif (offered($labels) | not) or (($record.annotations[$q.question]?.notes? // "") != "") then "own words"
           else "answered" end]
      | if any(.[]; . == "own words") then "own words"
        elif any(.[]; . == "interrupted") then "interrupted"
        else "answered" end
    else "answered" end;
