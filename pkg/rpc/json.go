package rpc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/text"
)

// DecodeJSON reads a request from JSON, as Decode does from bytes. A field that the
// message does not have is refused: what a caller says about a fight must not be
// passed over. Names may be those of the contracts or their JSON names.
func (s *Server) DecodeJSON(data []byte, v any) error {
	m, ok := v.(proto.Message)
	if !ok {
		return errNoMessage
	}
	err := protojson.UnmarshalOptions{RecursionLimit: maxNesting}.Unmarshal(data, m)
	if err == nil {
		return nil
	}
	if len(bytes.TrimSpace(data)) == 0 {
		s.codec.refuse(m, "", "it is empty: want a JSON object, {} at least")
		return nil
	}
	field, why := locateJSON(data, err.Error())
	s.codec.refuse(m, field, why)
	return nil
}

// EncodeJSON appends a reply as JSON, without the spacing that protojson varies on
// purpose.
func EncodeJSON(to []byte, m proto.Message) ([]byte, error) {
	if e, ok := m.(*Encoded); ok {
		if e.json != nil {
			text, err := e.json()
			return append(to, text...), err
		}
		m = e.ProtoReflect().Interface()
	}
	data, err := protojson.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("rpc: JSON: %w", err)
	}
	out := bytes.NewBuffer(to)
	if err := json.Compact(out, data); err != nil {
		return nil, fmt.Errorf("rpc: JSON: %w", err)
	}
	return out.Bytes(), nil
}

// jsonPlace is where protojson found something wrong, at the head of its errors.
var jsonPlace = regexp.MustCompile(`^proto:[\s\x{a0}]*(syntax error )?\(line (\d+):(\d+)\): `)

// locateJSON makes of an error of protojson the field, as the caller wrote it, and
// what is wrong with it. Without a place in the text there is no field.
func locateJSON(data []byte, problem string) (field, why string) {
	at := jsonPlace.FindStringSubmatch(problem)
	if at == nil {
		why = strings.TrimLeft(strings.TrimPrefix(problem, "proto:"), " \u00a0")
		return "", text.Escape(cut(why, maxField))
	}
	why = text.Escape(cut(problem[len(at[0]):], maxField))
	line, err1 := strconv.Atoi(at[2])
	column, err2 := strconv.Atoi(at[3])
	if err1 != nil || err2 != nil {
		return "", why
	}
	if at[1] != "" {
		why = fmt.Sprintf("no JSON at line %d, column %d: %s", line, column, why)
	}
	return jsonPath(data, offsetOf(data, line, column)), why
}

// offsetOf is the offset of a line and a column, both from 1, columns in runes.
func offsetOf(data []byte, line, column int) int64 {
	at := 0
	for ; line > 1; line-- {
		i := bytes.IndexByte(data[at:], '\n')
		if i < 0 {
			return int64(len(data))
		}
		at += i + 1
	}
	for ; column > 1 && at < len(data); column-- {
		_, n := utf8.DecodeRune(data[at:])
		at += n
	}
	return int64(at)
}

// jsonPath names what is at an offset of a text of JSON, as far as the text can be
// read: command.take.targets[1].
func jsonPath(data []byte, offset int64) string {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var at jsonAt
	for len(at) <= maxNesting {
		token, err := d.Token()
		if err != nil {
			break
		}
		delim, _ := token.(json.Delim)
		if delim == '}' || delim == ']' {
			if d.InputOffset() > offset {
				break
			}
			at = at[:len(at)-1]
			continue
		}
		at.meet(token)
		if d.InputOffset() > offset {
			break
		}
		if delim != 0 {
			at = append(at, jsonLevel{list: delim == '[', index: -1})
		}
	}
	return at.String()
}

// jsonAt is where a reader of JSON is: the objects and lists around it.
type jsonAt []jsonLevel

type jsonLevel struct {
	list  bool
	index int    // of a list: the element met last
	key   string // of an object: the key met last
	value bool   // of an object: a value comes next
}

// meet notes a key or a value.
func (at jsonAt) meet(token json.Token) {
	if len(at) == 0 {
		return
	}
	switch l := &at[len(at)-1]; {
	case l.list:
		l.index++
	case l.value:
		l.value = false
	default:
		l.key, _ = token.(string) //nolint:errcheck // the decoder takes nothing else there
		l.value = true
	}
}

func (at jsonAt) String() string {
	var b strings.Builder
	for _, l := range at {
		switch {
		case l.list && l.index >= 0:
			fmt.Fprintf(&b, "[%d]", l.index)
		case l.key != "":
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(text.Escape(cut(l.key, maxField)))
		}
	}
	return cut(b.String(), maxField)
}
