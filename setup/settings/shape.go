package settings

import (
	"slices"

	"github.com/tailscale/hujson"
)

// clientEvents are the hook events of Claude Code (facts B.1). Below any other
// name the client looks at nothing.
func clientEvents() []string {
	return []string{
		"PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "Notification", "UserPromptSubmit",
		"UserPromptExpansion", "SessionStart", "SessionEnd", "Stop", "StopFailure", "SubagentStart", "SubagentStop",
		"PreCompact", "PostCompact", "PreModelSwitch", "PostModelSwitch", "PermissionRequest", "PermissionDenied",
		"Setup", "TeammateIdle", "TaskCreated", "TaskCompleted", "Elicitation", "ElicitationResult", "ConfigChange",
		"WorktreeCreate", "WorktreeRemove", "InstructionsLoaded", "CwdChanged", "FileChanged", "DirectoryAdded",
		"MessageDisplay", "PreSkillShellCommand",
	}
}

// handlerTypes are the types of a hook entry (facts B.1).
func handlerTypes() []string { return []string{"command", "prompt", "agent", "http", "mcp_tool"} }

const rejected = "; Claude Code would ignore the whole file"

// checkHooks refuses a shape of hooks for which the client drops the file (facts
// I.2): what is wrong there already must be mended by the person, and what is put
// beside it would not run.
func (d *Document) checkHooks() error {
	v := member(d.object(), hooksKey)
	if v == nil || v.Value.Kind() == 'n' {
		return nil
	}
	o := objectIn(v)
	if o == nil {
		return d.fault(v.StartOffset, "hooks must be an object"+rejected)
	}
	known := clientEvents()
	for i := range o.Members {
		event := nameOf(o.Members[i])
		if !slices.Contains(known, event) {
			continue
		}
		if err := d.checkGroups(event, &o.Members[i].Value); err != nil {
			return err
		}
	}
	return nil
}

func (d *Document) checkGroups(event string, v *hujson.Value) error {
	groups, ok := v.Value.(*hujson.Array)
	if !ok {
		return d.fault(v.StartOffset, "hooks."+event+" must be an array"+rejected)
	}
	for i := range groups.Elements {
		if err := d.checkGroup(event, &groups.Elements[i]); err != nil {
			return err
		}
	}
	return nil
}

func (d *Document) checkGroup(event string, v *hujson.Value) error {
	group := objectIn(v)
	if group == nil {
		return d.fault(v.StartOffset, "each group of hooks."+event+" must be an object"+rejected)
	}
	if matcher := member(group, "matcher"); matcher != nil && matcher.Value.Kind() != '"' {
		return d.fault(matcher.StartOffset, "matcher in hooks."+event+" must be a text"+rejected)
	}
	list := member(group, hooksKey)
	if list == nil {
		return d.fault(v.StartOffset, "a group of hooks."+event+" has no list of hooks"+rejected)
	}
	entries, ok := list.Value.(*hujson.Array)
	if !ok {
		return d.fault(list.StartOffset, "hooks in a group of hooks."+event+" must be an array"+rejected)
	}
	for i := range entries.Elements {
		if err := d.checkEntry(event, &entries.Elements[i]); err != nil {
			return err
		}
	}
	return nil
}

func (d *Document) checkEntry(event string, v *hujson.Value) error {
	entry := objectIn(v)
	if entry == nil {
		return d.fault(v.StartOffset, "each hook of hooks."+event+" must be an object"+rejected)
	}
	kind, isText := textIn(member(entry, "type"))
	if !isText || !slices.Contains(handlerTypes(), kind) {
		return d.fault(v.StartOffset, "a hook of hooks."+event+" has no type that Claude Code knows"+rejected)
	}
	if timeout := member(entry, "timeout"); timeout != nil && timeout.Value.Kind() != '0' {
		return d.fault(timeout.StartOffset, "timeout in hooks."+event+" must be a number of seconds"+rejected)
	}
	if kind != "command" {
		return nil
	}
	if _, isText := textIn(member(entry, "command")); !isText {
		return d.fault(v.StartOffset, "a hook of hooks."+event+" has no command that is a text"+rejected)
	}
	return d.checkArgs(event, member(entry, "args"))
}

func (d *Document) checkArgs(event string, v *hujson.Value) error {
	if v == nil {
		return nil
	}
	args, ok := v.Value.(*hujson.Array)
	if !ok {
		return d.fault(v.StartOffset, "args in hooks."+event+" must be an array"+rejected)
	}
	for i := range args.Elements {
		if _, isText := textIn(&args.Elements[i]); !isText {
			return d.fault(args.Elements[i].StartOffset, "args in hooks."+event+" must be texts"+rejected)
		}
	}
	return nil
}
