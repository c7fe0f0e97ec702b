package scenario

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// segment is one step of a path: a field or key, a place in a list, or the
// element of a list with given values.
type segment struct {
	key    string
	index  int
	isAt   bool
	choose [][2]string
}

func (s segment) String() string {
	switch {
	case s.isAt:
		return fmt.Sprintf("[%d]", s.index)
	case s.choose != nil:
		var parts []string
		for _, c := range s.choose {
			parts = append(parts, c[0]+"="+c[1])
		}
		return "[" + strings.Join(parts, ",") + "]"
	case strings.Contains(s.key, "."):
		return "[" + s.key + "]"
	}
	return "." + s.key
}

var errPath = errors.New("malformed path")

// parsePath reads "creatures.orc.conditions[name=prone].source". A key with
// dots in it stands in brackets: settings[rcr.dice.inspiration-fudge].
func parsePath(text string) ([]segment, error) {
	var out []segment
	rest := text
	for rest != "" {
		if rest[0] == '[' {
			end := strings.IndexByte(rest, ']')
			if end < 0 {
				return nil, fmt.Errorf("%w %q: bracket without end", errPath, text)
			}
			out = append(out, bracket(rest[1:end]))
			rest = rest[end+1:]
			continue
		}
		if len(out) > 0 {
			if rest[0] != '.' {
				return nil, fmt.Errorf("%w %q: want '.' or '[' before %q", errPath, text, excerpt(rest))
			}
			rest = rest[1:]
		}
		end := strings.IndexAny(rest, ".[")
		if end < 0 {
			end = len(rest)
		}
		if end == 0 {
			return nil, fmt.Errorf("%w %q: empty name", errPath, text)
		}
		out = append(out, segment{key: rest[:end]})
		rest = rest[end:]
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%w: empty", errPath)
	}
	return out, nil
}

func bracket(text string) segment {
	if n, err := strconv.Atoi(text); err == nil {
		return segment{index: n, isAt: true}
	}
	if !strings.Contains(text, "=") {
		return segment{key: text}
	}
	var s segment
	for part := range strings.SplitSeq(text, ",") {
		k, v, _ := strings.Cut(part, "=")
		s.choose = append(s.choose, [2]string{strings.TrimSpace(k), strings.TrimSpace(v)})
	}
	return s
}

// target is what a path leads to, by the contracts.
type target struct {
	fd     protoreflect.FieldDescriptor // nil for the root
	md     protoreflect.MessageDescriptor
	whole  bool // the whole list or map of fd, not one element
	length bool
}

// checkPath follows a path along the contracts, so that a misspelt field is a
// mistake of the file and not an absence.
func checkPath(root protoreflect.MessageDescriptor, path []segment) (target, error) {
	at := target{md: root}
	for i, s := range path {
		wrong := func(text string) (target, error) {
			return at, fmt.Errorf("%q: %s", pathText(path[:i+1]), text)
		}
		switch {
		case at.whole && at.fd.IsMap():
			if s.isAt || s.choose != nil {
				return wrong("a map has keys, not places")
			}
			if s.key == "length" {
				return target{length: true}, last(path, i)
			}
			at = target{fd: at.fd.MapValue(), md: at.fd.MapValue().Message()}
		case at.whole:
			if s.key == "length" {
				return target{length: true}, last(path, i)
			}
			if s.key != "" {
				return wrong("a list has places, not keys: use [0], [-1] or [name=...]")
			}
			for _, c := range s.choose {
				if at.fd.Message() == nil || at.fd.Message().Fields().ByName(protoreflect.Name(c[0])) == nil {
					return wrong("no field " + strconv.Quote(c[0]) + " to choose by")
				}
			}
			at = target{fd: at.fd, md: at.fd.Message()}
		case at.md == nil:
			return wrong("nothing lies below a single value")
		default:
			fd := at.md.Fields().ByName(protoreflect.Name(s.key))
			if fd == nil || s.isAt || s.choose != nil {
				return wrong("no such field; there are " + fieldNames(at.md))
			}
			at = target{fd: fd, md: fd.Message(), whole: fd.IsList() || fd.IsMap()}
		}
	}
	return at, nil
}

func last(path []segment, i int) error {
	if i != len(path)-1 {
		return fmt.Errorf("%q: nothing lies below a length", pathText(path))
	}
	return nil
}

func pathText(path []segment) string {
	var b strings.Builder
	for _, s := range path {
		b.WriteString(s.String())
	}
	return strings.TrimPrefix(b.String(), ".")
}

// lookup follows a path through what came. A place that is not there gives
// absent and the part of the path that was found.
func lookup(root any, path []segment, want pattern) (got any, found string) {
	at := root
	for i, s := range path {
		final := pattern(nothing{})
		if i == len(path)-1 {
			final = want
		}
		next := step(at, s, final)
		if _, gone := next.(absent); gone {
			return absent{}, pathText(path[:i])
		}
		at = next
	}
	return at, pathText(path)
}

func step(at any, s segment, want pattern) any {
	switch at := at.(type) {
	case object:
		if v, ok := at[s.key]; ok && s.key != "" {
			return v
		}
	case dict:
		if _, there := at.values["length"]; s.key == "length" && !there {
			return number(len(at.values))
		}
		return dictValue(at, s.key, want)
	case rows:
		return at.at(s)
	}
	return absent{}
}

func (r rows) at(s segment) any {
	switch {
	case s.key == "length":
		return number(len(r))
	case s.isAt:
		i := s.index
		if i < 0 {
			i += len(r)
		}
		if i >= 0 && i < len(r) {
			return r[i]
		}
	case s.choose != nil:
		for _, row := range r {
			o, ok := row.(object)
			for _, c := range s.choose {
				ok = ok && scalarMatches("."+c[0], c[1], o[c[0]])
			}
			if ok {
				return row
			}
		}
	}
	return absent{}
}
