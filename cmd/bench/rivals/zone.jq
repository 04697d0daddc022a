# The zone of the snapshot on the input, as docs/reader-contract.md has it, with
# the default bands written in: zones.toml is not read, so neither is a window
# that the person named. Wants --arg session ID.

def totals: (.total_input_tokens | type) == "number" and .total_input_tokens >= 0
  and (.total_output_tokens | type) == "number" and .total_output_tokens >= 0;

def place($value; $smart; $acceptable):
  if $value <= $smart then 0 elif $value <= $acceptable then 1 else 2 end;

def has_numbers: (.context_window | type) == "object"
  and (.context_window.current_usage | type) == "object"
  and any(.context_window.current_usage[] | numbers; . != 0);

def fresh: (.captured_at | type) == "string"
  and (.captured_at | test("^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$"))
  and ((now - (.captured_at | fromdate)) | . <= 600 and . >= -60);

def modern: (.cli_version | type) == "string"
  and (.cli_version | test("^\\d+(\\.\\d+)*$"))
  and (.cli_version | split(".") | map(tonumber)) >= [2, 1, 132];

def shapes:
  modern as $modern
  | (.client.model.id? // "" | tostring | endswith("[1m]")) as $million
  | .context_window
  | (.context_window_size | if type == "number" and . > 0 then . else 0 end) as $reported
  | (if $million then 1000000 else $reported end) as $window
  | (if totals then .total_input_tokens + .total_output_tokens else null end) as $occupancy
  | (if $window == $reported then .used_percentage
     elif $modern and (.total_input_tokens | type) == "number" then .total_input_tokens * 100 / $window
     else null end) as $percent
  | (if ($percent | type) != "number" or $percent < 0 or $percent > 100 then empty
     elif $percent == 100 and $occupancy != null and $window > 0 and $occupancy > $window then empty
     else place($percent; 50; 75) end),
    (if $occupancy == null or ($modern | not) or $window < 200000 or $occupancy > $window then empty
     elif $window < 1000000 then place($occupancy; 100000; 160000)
     else place($occupancy; 200000; 400000) end);

if .session_id == $session and fresh and has_numbers
then [shapes] | if length == 0 then "unknown" else ["smart", "acceptable", "dumb"][max] end
else "unknown" end
