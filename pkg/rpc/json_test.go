package rpc

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/fault"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// TestJSONIsRefusedByField: what is wrong with JSON is said where it stands.
func TestJSONIsRefusedByField(t *testing.T) {
	s := NewServer(Options{})
	for text, want := range map[string]string{
		`{"encouter": "x"}`:                                       "encouter",
		`{"command": {"take": {"targets": ["a", 7]}}}`:            "command.take.targets[1]",
		`{"command": {"take": {"targets": ["a"], "wepon": "b"}}}`: "command.take.wepon",
		"{\n \"as\": {\"name\": \"ü\", \"role\": \"GM\"}}":        "as.role",
		`{"command": {"answers": [{}, {"answer": {"no": 1}}]}}`:   "command.answers[1].answer.no",
		`{"encounter": "x"`:                                       "",
		`[]`:                                                      "",
		``:                                                        "",
		`{"command": ` + strings.Repeat(`{"a":`, 5000):            "command.a",
	} {
		m := &encounterv1.ExecuteRequest{}
		if err := s.DecodeJSON([]byte(text), m); err != nil {
			t.Fatal(err)
		}
		f, ok := fault.As(s.codec.unreadable(m))
		if !ok || f.Reason != ReasonUnreadable || f.Code != fault.Invalid {
			t.Errorf("%.60s: %v", text, f)
			continue
		}
		got := ""
		if len(f.Violations) > 0 {
			got = f.Violations[0].Field
		}
		if got != want {
			t.Errorf("%s: the field is %q (%v), want %q", text, got, f, want)
		}
	}
}

// FuzzDecodeJSON: any bytes become a message or a refusal that can be sent.
func FuzzDecodeJSON(f *testing.F) {
	for _, seed := range []string{`{"encounter":"x"}`, `{"command":{"take":{"targets":["a",7]}}}`, "{\n\"as\":{\"role\":\"\xff\"}}", `[[[`, "{\"\u202e\":1}", `{"a":1,"a":`} {
		f.Add([]byte(seed))
	}
	s := NewServer(Options{})
	f.Fuzz(func(t *testing.T, data []byte) {
		m := &encounterv1.ExecuteRequest{}
		if err := s.DecodeJSON(data, m); err != nil {
			t.Fatal(err)
		}
		refused := s.codec.unreadable(m)
		if refused == nil {
			if !json.Valid(data) {
				t.Error("what is no JSON is read")
			}
			if _, err := EncodeJSON(nil, m); err != nil {
				t.Error(err)
			}
			return
		}
		if e := Status(refused).Error(); !utf8.ValidString(e) || len(e) > 2000 {
			t.Errorf("a refusal that can not be sent: %q", e)
		}
		if len(proto.Clone(m).ProtoReflect().GetUnknown()) == 0 {
			t.Error("the mark is lost")
		}
	})
}
