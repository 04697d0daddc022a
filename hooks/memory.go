package hooks

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Memory is what the guards keep of one session, in sections that belong to
// one guard each. It is loaded at the first look. Memory that cannot be read is
// an empty memory.
type Memory struct {
	load     func() []byte
	loaded   bool
	sections map[string]json.RawMessage
	changed  bool
}

// NewMemory is a memory whose file's bytes load gives when first needed; nil
// bytes, or bytes that are no JSON object, are an empty memory.
func NewMemory(load func() []byte) *Memory { return &Memory{load: load} }

// Recall decodes the named section into the value that into points to, and
// reports whether the section was there and understood. The value is left as it
// was when not.
func (m *Memory) Recall(section string, into any) bool {
	m.ensure()
	raw, ok := m.sections[section]
	if !ok {
		return false
	}
	return json.Unmarshal(raw, into) == nil
}

// Remember replaces the named section. Only a Change may call it.
func (m *Memory) Remember(section string, value any) error {
	m.ensure()
	raw, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("encode the memory of %s: %w", section, err)
	}
	if bytes.Equal(m.sections[section], raw) {
		return nil
	}
	m.sections[section] = raw
	m.changed = true
	return nil
}

// Changed reports whether a Remember altered anything.
func (m *Memory) Changed() bool { return m.changed }

// Encode is the memory as one JSON object, as its file holds it.
func (m *Memory) Encode() ([]byte, error) {
	m.ensure()
	return json.Marshal(m.sections)
}

func (m *Memory) ensure() {
	if m.loaded {
		return
	}
	m.loaded = true
	if m.load != nil {
		if raw := m.load(); len(raw) > 0 && json.Unmarshal(raw, &m.sections) != nil {
			m.sections = nil
		}
	}
	if m.sections == nil {
		m.sections = make(map[string]json.RawMessage)
	}
}
