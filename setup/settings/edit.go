package settings

import (
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

// splice puts text in the place of the bytes from start to end, and understands
// the result anew: after every edit the file is known to be right.
func (d *Document) splice(start, end int, text string) error {
	changed := make([]byte, 0, len(d.text)-(end-start)+len(text))
	changed = append(changed, d.text[:start]...)
	changed = append(changed, text...)
	changed = append(changed, d.text[end:]...)
	d.text = changed
	if err := d.parse(); err != nil {
		return fmt.Errorf("the edit would make the file wrong: %w", err)
	}
	return nil
}

// replace puts text in the place of a value.
func (d *Document) replace(v *hujson.Value, text string) error {
	return d.splice(v.StartOffset, v.EndOffset, text)
}

// addTop adds a member at the end of the root.
func (d *Document) addTop(name string, value node) error {
	if d.blank {
		d.remember("", string(d.text))
		l := d.layout()
		root := node{members: []field{{name, value}}}
		return d.splice(0, len(d.text), l.render(root, "", true)+l.eol)
	}
	if len(d.object().Members) == 0 {
		d.remember("", string(d.text))
	}
	return d.addMember(&d.root, name, value)
}

// addMember adds a member at the end of an object.
func (d *Document) addMember(object *hujson.Value, name string, value node) error {
	return d.add(object, quoted(name)+d.layout().colon, value)
}

// addElement adds an element at the end of an array.
func (d *Document) addElement(array *hujson.Value, value node) error {
	return d.add(array, "", value)
}

// add puts a child right behind the last one, so that taking it out again means
// to cut from there to its end; an empty container is set anew.
func (d *Document) add(container *hujson.Value, prefix string, value node) error {
	l := d.layout()
	siblings := children(container)
	if len(siblings) == 0 {
		indent := lineIndent(d.text, container.StartOffset)
		open := string(d.text[container.StartOffset])
		end := string(d.text[container.EndOffset-1])
		if !l.lines {
			return d.replace(container, open+prefix+l.render(value, "", false)+end)
		}
		inner := indent + l.unit
		return d.replace(container, open+l.eol+inner+prefix+l.render(value, inner, true)+l.eol+indent+end)
	}
	last := siblings[len(siblings)-1]
	indent := lineIndent(d.text, last.start)
	if strings.ContainsAny(last.before, "\n\r") {
		text := "," + l.eol + indent + prefix + l.render(value, indent, true)
		return d.splice(last.end, last.end, text)
	}
	lines := strings.ContainsAny(string(d.text[last.start:last.end]), "\n\r")
	return d.splice(last.end, last.end, ","+l.gap+prefix+l.render(value, indent, lines))
}

// cut takes a child out with the comma that belongs to it.
func (d *Document) cut(container *hujson.Value, i int) error {
	all := children(container)
	switch {
	case len(all) == 1:
		return d.splice(container.StartOffset+1, container.EndOffset-1, "")
	case i == 0:
		return d.splice(all[0].start, all[1].start, "")
	default:
		return d.splice(all[i-1].end, all[i].end, "")
	}
}

// remember keeps what stood at a place, unless an earlier edit already did.
func (d *Document) remember(pointer, raw string) {
	if _, known := d.origin[pointer]; !known {
		d.origin[pointer] = raw
	}
}

// cutMember takes the effective member of that name out of an object, when it
// was empty before setup filled it: what stood there then comes back, if that is
// known. A name that stands twice keeps an empty value, since without it the
// other one would come to hold.
func (d *Document) cutMember(object *hujson.Value, name, pointer string, was Origins) error {
	o := object.Value.(*hujson.Object)
	i := effective(o, name)
	if raw, known := was[pointer]; known && raw != "" {
		return d.replace(&o.Members[i].Value, raw)
	}
	if count(o, name) > 1 {
		return nil
	}
	return d.cut(object, i)
}

// settle gives a root that has become empty back what it was.
func (d *Document) settle(was Origins) error {
	raw, known := was[""]
	if !known || d.blank || len(d.object().Members) > 0 {
		return nil
	}
	return d.splice(0, len(d.text), raw)
}
