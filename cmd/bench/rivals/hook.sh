# A hook that says once that a conversation went into a worse zone: bash and jq.
#
#   bash hook.sh <event
#
# For UserPromptSubmit and PostToolBatch. jq reads the event as it comes in, so
# that a large one is never held in a variable; a second one judges the snapshot.
# What was announced last stands in a file of one word. It does less than
# ctxguard: it reads no configuration, takes no lock, and knows nothing of
# compactions or of the transcript's age.

here=${BASH_SOURCE[0]%/*}
{ IFS= read -r event; IFS= read -r session; IFS= read -r agent; } <<<"$(jq -r '
  (.hook_event_name | strings // ""), (.session_id | strings // ""), (.agent_id | strings // "")' 2>/dev/null)"

[[ $event == UserPromptSubmit || $event == PostToolBatch ]] || exit 0
[[ -z $agent && $session =~ ^[A-Za-z0-9_-]{1,128}$ ]] || exit 0

rank() {
  case $1 in
    acceptable) echo 1 ;;
    dumb) echo 2 ;;
    *) echo 0 ;;
  esac
}

zone=$(jq -r --arg session "$session" -f "$here/zone.jq" "$CTXGUARD_HOME/context/$session.json" 2>/dev/null)
memory=$CTXGUARD_HOME/state/$session.armed
armed=smart
[[ -f $memory ]] && IFS= read -r armed <"$memory"

case $zone in
  smart)
    [[ $armed == smart ]] || rm -f "$memory"
    exit 0
    ;;
  acceptable | dumb)
    (($(rank "$zone") > $(rank "$armed"))) || exit 0
    mkdir -p "${memory%/*}"
    new=$(mktemp "$memory.XXXXXX") && printf '%s\n' "$zone" >"$new" && mv -f "$new" "$memory"
    printf '{"hookSpecificOutput":{"hookEventName":"%s","additionalContext":"%s"},"systemMessage":"%s"}\n' "$event" \
      "The context went from $armed to $zone. This is a measurement, not an order to stop." "context: $armed → $zone"
    ;;
esac
exit 0
