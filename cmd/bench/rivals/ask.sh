# A gate for questions that the person could not understand or has turned down:
# bash, jq, grep and tac.
#
#   bash ask.sh <event        exit 2 with the reason on standard error: held back
#
# Three reasons: a phrase that points off the screen; the same question, the last
# time not answered with what it offered; calls in this turn, and less than 200
# characters of context in the question and on the screen. It reads a transcript
# as a shell can do it well: grep finds the few lines with questions, and tac
# gives the turn from its end, so that jq never parses the whole. It does less
# than ctxguard: it reads no configuration, searches everything each time, and
# knows only the structured record of an answer.

here=${BASH_SOURCE[0]%/*}
rules=$(<"$here/ask.jq")
limit=200

hold() {
  printf 'The question was held back: %s\n' "$1" >&2
  exit 2
}

{
  IFS= read -r tool; IFS= read -r transcript; IFS= read -r own; IFS= read -r points
  IFS= read -r carried; IFS= read -r set
} <<<"$(jq -r "$rules"'
  (.tool_name | strings | select(question_tool)), (.transcript_path | strings // ""), (.tool_use_id | strings // ""),
  (.tool_input | points, carried, (question_set | tojson))' 2>/dev/null)"

[[ -n $tool ]] || exit 0
[[ $points != true ]] || hold 'a phrase in it points at something that is not on the screen.'
[[ -f $transcript && -r $transcript ]] || exit 0

calls=()
while IFS= read -r call; do calls+=("$call"); done < <(
  LC_ALL=C grep -aF 'AskUserQuestion"' "$transcript" |
    jq -nrR --argjson set "$set" --arg own "$own" "$rules"'select($set != []) | asked_before($set; $own)'
)
for ((i = ${#calls[@]} - 1; i >= 0; i--)); do
  id=$(jq -r .id <<<"${calls[i]}")
  outcome=$(LC_ALL=C grep -aF "\"$id\"" "$transcript" | jq -nrR --argjson call "${calls[i]}" "$rules"'outcome($call)')
  case $outcome in
    'not asked') continue ;;
    interrupted | dismissed | 'own words') hold "it was asked before, and the outcome was: $outcome." ;;
  esac
  break
done

((carried < limit)) || exit 0
if command -v tac >/dev/null; then backwards=(tac); else backwards=(tail -r); fi
{ read -r made; read -r visible; } <<<"$("${backwards[@]}" "$transcript" |
  jq -nrR --argjson limit "$limit" --arg own "$own" "$rules"'turn($limit; $own) | .calls, .visible')"
((made > 0 && visible < limit)) || exit 0
hold "$made calls in this turn, $visible visible characters, and $carried in the question; it needs $limit."
