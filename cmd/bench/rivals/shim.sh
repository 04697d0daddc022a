# A status line wrapper of the usual kind: bash and jq.
#
#   bash shim.sh COMMAND [ARG...] <payload
#
# It keeps the session's context numbers where other programs find them, and
# hands the payload to the next command. It starts jq once for everything, where
# many start it for each value. It does less than ctxguard: it takes no lock,
# does not wait for a payload that comes in pieces, and loses NUL bytes.

payload=$(cat; printf x) # the x keeps final newlines
payload=${payload%x}

{ IFS= read -r session; IFS= read -r snapshot; } <<<"$(jq -r '
  (.session_id | strings // ""),
  ({captured_at: (now | floor | todate), session_id}
   + (if (.version | type) == "string" and .version != "" then {cli_version: .version} else {} end)
   + {context_window,
      client: with_entries(select(.key | IN("model", "workspace", "cost", "rate_limits",
                                            "exceeds_200k_tokens", "transcript_path")))}
   | tojson)' <<<"$payload" 2>/dev/null)"

if [[ $session =~ ^[A-Za-z0-9_-]{1,128}$ && -n $snapshot ]]; then
  folder=$CTXGUARD_HOME/context
  [[ -d $folder ]] || mkdir -p "$folder"
  if new=$(mktemp "$folder/.$session.XXXXXX" 2>/dev/null); then
    printf '%s\n' "$snapshot" >"$new" && mv -f "$new" "$folder/$session.json" || rm -f "$new"
  fi
fi

printf '%s' "$payload" | "$@"
