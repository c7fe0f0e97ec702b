package scenario

import (
	"fmt"
	"strings"
)

// anything is the scalar that matches whatever is there.
const anything = "*"

// difference is one place where what came is not what was expected.
type difference struct {
	path string
	want string
	got  string
}

func (d difference) String() string {
	return fmt.Sprintf("%s: want %s, got %s", d.path, d.want, d.got)
}

// compared is the outcome of a comparison: the differences, and how many
// single values agreed, by which the nearest candidate is found.
type compared struct {
	differences []difference
	agreed      int
}

func (c *compared) differ(path string, want pattern, got any) {
	c.differences = append(c.differences, difference{strings.TrimPrefix(path, "."), want.String(), excerptLong(show(got))})
}

func compare(want pattern, got any) compared {
	var c compared
	c.match("", want, got)
	return c
}

// match compares what was expected with what came. Fields are a subset, lists
// of plain values are compared whole, lists of messages as an ordered subset.
func (c *compared) match(path string, want pattern, got any) {
	switch want := want.(type) {
	case nothing:
		if isAbsent(got) {
			c.agreed++
			return
		}
		c.differ(path, want, got)
	case scalar:
		c.matchScalar(path, want, got)
	case list:
		c.matchList(path, want, got)
	case fields:
		c.matchFields(path, want, got)
	}
}

// isAbsent is what "~" expects: not there, or empty where there is no telling.
func isAbsent(got any) bool {
	switch got := got.(type) {
	case absent:
		return true
	case number:
		return false
	case word:
		return got.text == "" || strings.HasSuffix(got.alias, "_UNSPECIFIED")
	}
	return isEmpty(got)
}

func (c *compared) matchScalar(path string, want scalar, got any) {
	if scalarMatches(path, want.text, got) {
		c.agreed++
		return
	}
	c.differ(path, want, got)
}

func scalarMatches(path, want string, got any) bool {
	if want == anything {
		return !isAbsent(got)
	}
	switch got := got.(type) {
	case number:
		return want == fmt.Sprint(int64(got))
	case word:
		if got.alias != "" {
			return want == got.alias || strings.ReplaceAll(strings.ToLower(want), "_", "-") == got.text
		}
		if path == ".label" || strings.HasSuffix(path, ".label") {
			return got.text == want || strings.HasSuffix(got.text, "/"+want) || glob(want, got.text)
		}
		return glob(want, got.text)
	case object: // a message that goes by a name
		for _, key := range []string{"name", "id"} {
			if w, ok := got[key].(word); ok && glob(want, w.text) {
				return true
			}
		}
	}
	return false
}

// glob compares texts; each "*" in what is expected stands for any run of
// characters.
func glob(want, got string) bool {
	parts := strings.Split(want, "*")
	if len(parts) == 1 {
		return want == got
	}
	if !strings.HasPrefix(got, parts[0]) {
		return false
	}
	got = got[len(parts[0]):]
	for _, part := range parts[1 : len(parts)-1] {
		i := strings.Index(got, part)
		if i < 0 {
			return false
		}
		got = got[i+len(part):]
	}
	return strings.HasSuffix(got, parts[len(parts)-1])
}

func (c *compared) matchList(path string, want list, got any) {
	have, ok := got.(rows)
	if !ok {
		c.differ(path, want, got)
		return
	}
	if len(want) == 0 {
		if len(have) == 0 {
			c.agreed++
			return
		}
		c.differ(path, want, got)
		return
	}
	if _, messages := first(have).(object); messages {
		c.matchSubset(path, want, have)
		return
	}
	if len(want) != len(have) {
		c.differ(path, want, got)
		return
	}
	for i := range want {
		if compareAt(path, want[i], have[i]).differences != nil {
			c.differ(path, want, got)
			return
		}
	}
	c.agreed++
}

// matchSubset finds each expected element after the one before it.
func (c *compared) matchSubset(path string, want list, have rows) {
	from := 0
	for i, w := range want {
		found := -1
		for j := from; j < len(have) && found < 0; j++ {
			if sub := compareAt("", w, have[j]); sub.differences == nil {
				found = j
				c.agreed += sub.agreed
			}
		}
		if found < 0 {
			c.differ(fmt.Sprintf("%s[%d]", path, i), w, have[from:])
			return
		}
		from = found + 1
	}
}

func compareAt(path string, want pattern, got any) compared {
	var c compared
	c.match(path, want, got)
	return c
}

func first(r rows) any {
	if len(r) == 0 {
		return absent{}
	}
	return r[0]
}

func (c *compared) matchFields(path string, want fields, got any) {
	switch got := got.(type) {
	case object:
		for i, key := range want.keys {
			v, ok := got[key]
			if !ok {
				v = absent{}
			}
			c.match(path+"."+key, want.values[i], v)
		}
	case dict:
		for i, key := range want.keys {
			c.match(path+"."+key, want.values[i], dictValue(got, key, want.values[i]))
		}
	default:
		c.differ(path, want, got)
	}
}

// dictValue is an entry of a map. A counter that was never set counts as 0, a
// mark that was never set as empty; only "~" tells them apart.
func dictValue(d dict, key string, want pattern) any {
	if v, ok := d.values[key]; ok {
		return v
	}
	if s, ok := want.(scalar); ok && d.plain {
		switch s.text {
		case "0":
			return number(0)
		case "", "false":
			return word{text: s.text}
		}
	}
	return absent{}
}

// excerptLong keeps a difference to a line or two.
func excerptLong(s string) string {
	const most = 400
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "..."
	}
	return s
}
