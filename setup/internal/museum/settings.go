// Package museum keeps the odd settings files and status line commands that
// setup has to leave whole, for the tests of its rooms. No program imports it.
package museum

import "strings"

// File is one settings file.
type File struct {
	Name string
	Text string
	// Line and Column are where the fault is, for a file that must be refused;
	// zero for one that is understood.
	Line, Column int
}

// Settings are files as people, editors and other tools write them. None has
// anything of ctxguard in it.
func Settings() []File {
	files := []File{
		{Name: "no bytes at all", Text: ""},
		{Name: "a line end only", Text: "\n"},
		{Name: "white space only", Text: " \r\n\t\n"},
		{Name: "a byte order mark only", Text: "\ufeff"},
		{Name: "a byte order mark and a line end", Text: "\ufeff\r\n"},
		{Name: "empty object", Text: "{}"},
		{Name: "empty object and line end", Text: "{}\n"},
		{Name: "empty object over two lines", Text: "{\n}\n"},
		{Name: "empty object with a blank in it", Text: "{ }"},
		{Name: "empty object with CRLF in it", Text: "{\r\n}\r\n"},
		{Name: "one key", Text: "{\n  \"model\": \"opus\"\n}\n"},
		{Name: "no final line end", Text: "{\n  \"model\": \"opus\"\n}"},
		{Name: "many final line ends", Text: "{\n  \"model\": \"opus\"\n}\n\n\n"},
		{Name: "tabs", Text: "{\n\t\"model\": \"opus\",\n\t\"env\": {\n\t\t\"A\": \"1\"\n\t}\n}\n"},
		{Name: "four blanks", Text: "{\n    \"model\": \"opus\",\n    \"env\": {\n        \"A\": \"1\"\n    }\n}\n"},
		{Name: "three blanks", Text: "{\n   \"model\": \"opus\"\n}\n"},
		{Name: "no indentation", Text: "{\n\"model\": \"opus\",\n\"env\": {\n\"A\": \"1\"\n}\n}\n"},
		{Name: "minified", Text: `{"model":"opus","env":{"A":"1"}}`},
		{Name: "one line with blanks", Text: `{ "model": "opus", "env": { "A": "1" } }`},
		{Name: "one line with blanks before colons", Text: `{"model" : "opus" , "env" : {"A" : "1"}}`},
		{Name: "one line with a blank before the only colon", Text: `{"" :{}}`},
		{Name: "one line and line end", Text: "{\"model\":\"opus\"}\n"},
		{Name: "CRLF", Text: "{\r\n  \"model\": \"opus\",\r\n  \"env\": {}\r\n}\r\n"},
		{Name: "CR alone", Text: "{\r  \"model\": \"opus\"\r}\r"},
		{Name: "mixed line ends, most CRLF", Text: "{\r\n  \"model\": \"opus\",\n  \"a\": 1,\r\n  \"b\": 2\r\n}\r\n"},
		{Name: "byte order mark", Text: "\ufeff{\n  \"model\": \"opus\"\n}\n"},
		{Name: "byte order mark and CRLF", Text: "\ufeff{\r\n\t\"model\": \"opus\"\r\n}\r\n"},
		{Name: "blank lines between keys", Text: "{\n\n  \"model\": \"opus\",\n\n\n  \"env\": {}\n\n}\n"},
		{Name: "trailing blanks", Text: "{  \n  \"model\": \"opus\"  ,  \n  \"env\": {}  \n}  \n"},
		{Name: "comma first", Text: "{\n    \"model\": \"opus\"\n  , \"env\": {}\n  , \"a\": [1\n  , 2]\n}\n"},
		{Name: "leading white space", Text: "\n\n   {\n     \"model\": \"opus\"\n   }\n"},
		{Name: "numbers with odd spelling", Text: "{\n  \"a\": 1e400,\n  \"b\": 123456789012345678901234567890,\n  \"c\": 1.0,\n  \"d\": -0,\n  \"e\": 1E+2\n}\n"},
		{Name: "escapes that need not be", Text: "{\n  \"a\": \"\\u0041\\/\\u00e9\\ud83d\\ude00\",\n  \"\\u006dodel\": \"x\"\n}\n"},
		{Name: "a lone surrogate", Text: "{\"a\":\"\\ud800\"}"},
		{Name: "not ASCII", Text: "{\n  \"language\": \"日本語 — Grüße 👩‍👩‍👧\",\n  \"ключ\": \"знач\"\n}\n"},
		{Name: "line separators in a text", Text: "{\n  \"a\": \"x\u2028y\u2029z\u0085\"\n}\n"},
		{Name: "HTML characters", Text: "{\n  \"a\": \"<b>&amp;</b> && || >\"\n}\n"},
		{Name: "duplicate keys", Text: "{\n  \"model\": \"a\",\n  \"model\": \"b\"\n}\n"},
		{Name: "duplicate hooks", Text: "{\n  \"hooks\": {\"Stop\": []},\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"mine\"}]}\n    ]\n  }\n}\n"},
		{Name: "duplicate hooks, the last empty", Text: "{\n  \"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"mine\"}]}]},\n  \"hooks\": {}\n}\n"},
		{Name: "duplicate events", Text: "{\"hooks\":{\"Stop\":[{\"hooks\":[]}],\"Stop\":[]}}"},
		{Name: "duplicate statusLine", Text: "{\n  \"statusLine\": {\"type\": \"command\", \"command\": \"first\"},\n  \"statusLine\": {\"type\": \"command\", \"command\": \"second\"}\n}\n"},
		{Name: "a key of every name that programs trip over", Text: "{\n  \"__proto__\": {\"a\": 1},\n  \"constructor\": 1,\n  \"\": 2,\n  \"a/b~c\": 3\n}\n"},
		{Name: "hooks null", Text: "{\n  \"hooks\": null\n}\n"},
		{Name: "hooks null between keys", Text: "{\"a\":1,\"hooks\":null,\"b\":2}"},
		{Name: "hooks empty", Text: "{\n  \"hooks\": {}\n}\n"},
		{Name: "hooks empty with white space", Text: "{\n  \"hooks\": {\n  },\n  \"a\": 1\n}\n"},
		{Name: "an empty event", Text: "{\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n"},
		{Name: "every event empty", Text: "{\n  \"hooks\": {\n    \"PreToolUse\": [ ],\n    \"Stop\": [\n    ],\n    \"SessionStart\": []\n  }\n}\n"},
		{Name: "an empty group", Text: "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": []\n      }\n    ]\n  }\n}\n"},
		{Name: "an event that no client knows", Text: "{\n  \"hooks\": {\n    \"_comment\": \"mine\",\n    \"NoSuchEvent\": {\"a\": 1}\n  }\n}\n"},
		{Name: "foreign hooks", Text: foreignHooks},
		{Name: "foreign hooks with CRLF and tabs", Text: strings.ReplaceAll(strings.ReplaceAll(foreignHooks, "  ", "\t"), "\n", "\r\n")},
		{Name: "foreign hooks minified", Text: `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"x","timeout":5}]}],"Stop":[{"hooks":[{"type":"prompt","prompt":"is it done?"}]}]},"model":"opus"}`},
		{Name: "groups in bracket style", Text: "{\n  \"hooks\": {\n    \"Stop\": [{\n      \"hooks\": [{\n        \"type\": \"command\",\n        \"command\": \"x\"\n      }]\n    }]\n  }\n}\n"},
		{Name: "groups on one line in a file of many", Text: "{\n  \"hooks\": {\n    \"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"x\"}]}]\n  }\n}\n"},
		{Name: "names that look alike", Text: "{\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"ctxguard-hook hook\"}, {\"type\": \"command\", \"command\": \"my-ctxguard hook\"}, {\"type\": \"command\", \"command\": \"/opt/ctxguard/run hook\"}, {\"type\": \"command\", \"command\": \"ctxguard hooks\"}]}\n    ]\n  }\n}\n"},
		{Name: "exec form and unknown keys", Text: "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"description\": \"mine\",\n        \"matcher\": \"^(Bash)$\",\n        \"hooks\": [\n          {\"type\": \"command\", \"command\": \"node\", \"args\": [\"x.js\", \"$HOME\"], \"x_owner\": \"me\", \"timeout\": 1.5}\n        ]\n      }\n    ]\n  }\n}\n"},
		{Name: "status line", Text: "{\n  \"statusLine\": {\n    \"type\": \"command\",\n    \"command\": \"~/.claude/statusline.sh\",\n    \"padding\": 0\n  }\n}\n"},
		{Name: "status line with a pipe", Text: "{\n  \"statusLine\": {\n    \"type\": \"command\",\n    \"command\": \"jq -r '.model.display_name' | tr a-z A-Z && echo \\\"ok\\\"\"\n  }\n}\n"},
		{Name: "status line with escapes that need not be", Text: `{"statusLine":{"command":"a \u0026\u0026 b\/c \\\\ \u005c '\u0027'","type":"command"}}`},
		{Name: "status line with escapes in a simple command", Text: `{"statusLine":{"command":"\u007e\/bin\/sl \u0041","type":"command","refreshInterval":10}}`},
		{Name: "status line before hooks", Text: "{\n  \"statusLine\": {\"type\": \"command\", \"command\": \"npx -y ccstatusline@latest\", \"padding\": 0},\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"say done\"\n          }\n        ]\n      }\n    ]\n  }\n}\n"},
		{Name: "status line with an empty command", Text: `{"statusLine":{"type":"command","command":""}}`},
		{Name: "status line of many lines", Text: "{\n  \"statusLine\": {\n    \"type\": \"command\",\n    \"command\": \"input=$(cat)\\nMODEL=$(echo \\\"$input\\\" | jq -r .model.id)\\necho \\\"[$MODEL]\\\"\"\n  }\n}\n"},
		{Name: "status line without a type", Text: `{"statusLine":{"command":"mine"}}`},
		{Name: "status line null", Text: "{\n  \"statusLine\": null\n}\n"},
		{Name: "status line text", Text: "{\n  \"statusLine\": \"mine.sh\"\n}\n"},
		{Name: "status line list", Text: "{\n  \"statusLine\": [\"a\"]\n}\n"},
		{Name: "status line without a command", Text: "{\n  \"statusLine\": {\"type\": \"command\"}\n}\n"},
		{Name: "status line with a number for a command", Text: "{\n  \"statusLine\": {\"type\": \"command\", \"command\": 5}\n}\n"},
		{Name: "status line of another type", Text: "{\n  \"statusLine\": {\"type\": \"static\", \"command\": \"x\"}\n}\n"},
		{Name: "status line command with NUL", Text: `{"statusLine":{"type":"command","command":"a\u0000b"}}`},
		{Name: "deep", Text: "{\"a\":" + strings.Repeat("[", 300) + strings.Repeat("]", 300) + "}"},
		{Name: "long", Text: "{\n  \"a\": \"" + strings.Repeat("x", 200_000) + "\"\n}\n"},
		{Name: "rich", Text: Rich},
	}
	return files
}

// Refused are files that must not be touched, with the place of the fault.
func Refused() []File {
	return []File{
		{Name: "comment", Text: "{\n  // mine\n  \"a\": 1\n}\n", Line: 2, Column: 3},
		{Name: "comment after a value", Text: "{\n  \"a\": 1 /* one */\n}\n", Line: 2, Column: 10},
		{Name: "comment in an empty object", Text: "{\"a\": { /* none */ }}", Line: 1, Column: 9},
		{Name: "comment before everything", Text: "// settings\n{}\n", Line: 1, Column: 1},
		{Name: "comma after the last member", Text: "{\n  \"a\": 1,\n}\n", Line: 2, Column: 9},
		{Name: "comma after the last element", Text: "{\"é\": [1, 2,]}", Line: 1, Column: 12},
		{Name: "cut off", Text: "{\n  \"a\": [1,\n", Line: 3, Column: 1},
		{Name: "cut off in a text", Text: "{\n  \"a\": \"xy", Line: 2, Column: 11},
		{Name: "two values", Text: "{}\n{}\n", Line: 2, Column: 1},
		{Name: "no colon", Text: "{\"a\" 1}", Line: 1, Column: 6},
		{Name: "single quotes", Text: "{'a': 1}", Line: 1, Column: 2},
		{Name: "bare word", Text: "{\"a\": yes}", Line: 1, Column: 7},
		{Name: "control character in a text", Text: "{\"a\": \"x\ty\"}", Line: 1, Column: 7},
		{Name: "list at the root", Text: "[]", Line: 1, Column: 1},
		{Name: "text at the root", Text: "\n \"a\"", Line: 2, Column: 2},
		{Name: "null at the root", Text: "null", Line: 1, Column: 1},
		{Name: "not UTF-8", Text: "{\"a\": \"\xff\"}", Line: 1, Column: 8},
		{Name: "UTF-16", Text: "\xff\xfe{\x00}\x00", Line: 1, Column: 1},
		{Name: "too deep", Text: strings.Repeat("[", 100_000), Line: 1, Column: 501},
		{Name: "merge conflict", Text: "{\n<<<<<<< ours\n  \"a\": 1\n}\n", Line: 2, Column: 1},
		{Name: "hooks a list", Text: "{\n  \"hooks\": []\n}\n", Line: 2, Column: 12},
		{Name: "hooks a text", Text: "{\"hooks\": \"x\"}", Line: 1, Column: 11},
		{Name: "event an object", Text: "{\"hooks\": {\"Stop\": {}}}", Line: 1, Column: 20},
		{Name: "event null", Text: "{\"hooks\": {\"Stop\": null}}", Line: 1, Column: 20},
		{Name: "group a text", Text: "{\"hooks\": {\"Stop\": [\"x\"]}}", Line: 1, Column: 21},
		{Name: "group without hooks", Text: "{\"hooks\": {\"Stop\": [{\"matcher\": \"x\"}]}}", Line: 1, Column: 21},
		{Name: "hooks of a group an object", Text: "{\"hooks\": {\"Stop\": [{\"hooks\": {}}]}}", Line: 1, Column: 31},
		{Name: "matcher a list", Text: "{\"hooks\": {\"PreToolUse\": [{\"matcher\": [\"Bash\"], \"hooks\": []}]}}", Line: 1, Column: 39},
		{Name: "entry a text", Text: "{\"hooks\": {\"Stop\": [{\"hooks\": [\"x\"]}]}}", Line: 1, Column: 32},
		{Name: "entry of an unknown type", Text: "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"comand\", \"command\": \"x\"}]}]}}", Line: 1, Column: 32},
		{Name: "entry without a command", Text: "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\"}]}]}}", Line: 1, Column: 32},
		{Name: "timeout a text", Text: "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"x\", \"timeout\": \"5\"}]}]}}", Line: 1, Column: 79},
		{Name: "args a text", Text: "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"x\", \"args\": \"y\"}]}]}}", Line: 1, Column: 76},
		{Name: "args of numbers", Text: "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"x\", \"args\": [5]}]}]}}", Line: 1, Column: 77},
	}
}

const foreignHooks = `{
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [
          {
            "type": "command",
            "command": "\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/check.sh && true",
            "timeout": 30
          },
          {
            "type": "http",
            "url": "http:\/\/localhost:9/x"
          }
        ]
      },
      {
        "matcher": "Write|Edit",
        "hooks": [
          {
            "type": "command",
            "command": "prettier --write"
          }
        ]
      }
    ],
    "Notification": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "notify-send 'Claude' \"waits\""
          }
        ]
      }
    ]
  },
  "model": "opus"
}
`

// Rich is a settings file of somebody who has used the client for long.
const Rich = `{
  "$schema": "https://json.schemastore.org/claude-code-settings.json",
  "model": "opus",
  "env": {
    "EDITOR": "vim",
    "BIG": "12345678901234567890"
  },
  "permissions": {
    "allow": ["Bash(git status)", "Read(~/**)"],
    "deny": []
  },
  "hooks": {
    "PostToolUse": [
      {
        "matcher": "Write|Edit",
        "hooks": [
          { "type": "command", "command": "gofmt -w . && echo \"done\"", "timeout": 60 }
        ]
      }
    ],
    "Stop": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "say 'fertig – höre auf'"
          }
        ]
      }
    ]
  },
  "statusLine": {
    "type": "command",
    "command": "jq -r '\"\\(.model.display_name) \\(.workspace.current_dir)\"' | sed \"s#$HOME#~#\"",
    "padding": 0
  },
  "cleanupPeriodDays": 1.0e2,
  "custom": { "kept": true }
}
`
