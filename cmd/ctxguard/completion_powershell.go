package main

import (
	"fmt"
	"strings"
)

// powershellCompletion says nothing where a file is wanted: PowerShell then
// offers files by itself.
func powershellCompletion(all []completable) string {
	var b strings.Builder
	b.WriteString(`# ctxguard: completion for PowerShell.
Register-ArgumentCompleter -Native -CommandName @('ctxguard', 'ctxguard.exe') -ScriptBlock {
	param($wordToComplete, $commandAst, $cursorPosition)
	$typed = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
	$offer = @()
	if ($typed.Count -le 1) {
		$offer = @(
`)
	for _, c := range all {
		fmt.Fprintf(&b, "\t\t\t,@(%s, %s)\n", powershellQuote(c.name), powershellQuote(c.short))
	}
	b.WriteString(`		)
	} else {
		$given = @($typed | Select-Object -Skip 2 | Where-Object { $_ -notlike '-*' }).Count -gt 0
		$flags = @(); $words = @(); $repeats = $false; $files = $false
		switch ($typed[1]) {
`)
	for _, c := range all {
		fmt.Fprintf(&b, "\t\t\t'%s' { $flags = %s; $words = %s; $repeats = %s; $files = %s }\n", c.name,
			powershellList(c.flagNames()), powershellList(c.args.words), powershellBool(c.repeats), powershellBool(c.args.files))
	}
	b.WriteString("\t\t}\n\t\tif ($given -and -not $repeats) { $words = @() }\n\t\tswitch (\"$($typed[1]) $($typed[-1])\") {\n")
	for _, c := range all {
		for _, f := range c.flags {
			if f.takesWord {
				fmt.Fprintf(&b, "\t\t\t'%s %s' { $flags = @(); $words = %s }\n", c.name, f.name, powershellList(f.value.words))
			}
		}
	}
	b.WriteString(`		}
		if ($wordToComplete -like '-*' -or ($words.Count -eq 0 -and -not $files)) { $words = $flags }
		$offer = @($words | ForEach-Object { ,@($_, $_) })
	}
	$offer | Where-Object { $_[0].StartsWith($wordToComplete) } | ForEach-Object {
		[System.Management.Automation.CompletionResult]::new($_[0], $_[0], 'ParameterValue', $_[1])
	}
}
`)
	return b.String()
}

func powershellList(words []string) string {
	var quoted []string
	for _, w := range words {
		quoted = append(quoted, powershellQuote(w))
	}
	return "@(" + strings.Join(quoted, ", ") + ")"
}

func powershellBool(b bool) string { return fmt.Sprintf("$%t", b) }

// powershellQuote doubles the typographic quotes as well, which PowerShell takes
// for the plain one.
func powershellQuote(s string) string {
	return "'" + strings.NewReplacer("'", "''", "‘", "‘‘", "’", "’’", "‚", "‚‚", "‛", "‛‛").Replace(s) + "'"
}
