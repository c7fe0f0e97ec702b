package api_test

import (
	"context"
	"encoding/base64"
	"slices"
	"testing"
	"time"

	"github.com/skaldrpg/skald/pkg/fault"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/api"
	"github.com/skaldrpg/skald/services/encounter/internal/innertest"
)

// server answers calls over a stand.
func server(s *innertest.Stand) *api.Server {
	return &api.Server{Engine: s.Engine, Archive: s.Reader, Done: make(chan struct{})}
}

// A cursor is good for the viewer and the encounter that it was made for alone.
func TestCursorsOfOthers(t *testing.T) {
	w := innertest.New(t, others)
	s := w.Open(innertest.Options{})
	srv := server(s)
	s.Begin("e")
	s.Begin("f")
	cursor := func(as *eventv1.Principal, id string) string {
		t.Helper()
		got, err := srv.GetState(t.Context(), &encounterv1.GetStateRequest{As: as, Encounter: id})
		if err != nil {
			t.Fatal(err)
		}
		return got.Cursor
	}
	mine := cursor(innertest.Ann, "e")
	raw, err := base64.RawURLEncoding.DecodeString(mine)
	if err != nil {
		t.Fatal(err)
	}
	forged := slices.Clone(raw)
	forged[0] ^= 1
	for name, c := range map[string]string{
		"another player's":    cursor(innertest.Bob, "e"),
		"the game master's":   cursor(innertest.GM, "e"),
		"another encounter's": cursor(innertest.Ann, "f"),
		"forged":              base64.RawURLEncoding.EncodeToString(forged),
		"short":               base64.RawURLEncoding.EncodeToString(raw[:8]),
		"long":                base64.RawURLEncoding.EncodeToString(append(raw, 0)),
		"junk":                "%%%",
	} {
		_, state := srv.GetState(t.Context(), &encounterv1.GetStateRequest{As: innertest.Ann, Encounter: "e", NotOlderThan: c})
		_, execute := srv.Execute(t.Context(), &encounterv1.ExecuteRequest{RequestId: "r-" + name[:4], As: innertest.Ann, Encounter: "e",
			Command: innertest.Take("a", "count"), ExpectedCursor: c})
		for field, err := range map[string]error{"not_older_than": state, "expected_cursor": execute} {
			if f, _ := fault.As(err); f == nil || f.Code != fault.Invalid || len(f.Violations) != 1 || f.Violations[0].Field != field {
				t.Errorf("%s: %s answers %v", name, field, err)
			}
		}
	}
	if n := len(w.Records("e")); n != 4 {
		t.Errorf("%d records", n)
	}
}

// By an old cursor nothing is decided; by one of the future neither, once the log
// was looked at.
func TestCursorsOfOtherTimes(t *testing.T) {
	w := innertest.New(t, others)
	here, there := w.Open(innertest.Options{}), w.Open(innertest.Options{})
	here.Begin("e")
	execute := func(s *innertest.Stand, id, cursor string) (*encounterv1.ExecuteResponse, error) {
		return server(s).Execute(t.Context(), &encounterv1.ExecuteRequest{RequestId: id, As: innertest.Ann, Encounter: "e",
			Command: innertest.Take("a", "count"), ExpectedCursor: cursor})
	}
	old, err := server(there).GetState(t.Context(), &encounterv1.GetStateRequest{As: innertest.Ann, Encounter: "e"})
	if err != nil {
		t.Fatal(err)
	}
	first, err := execute(here, "1", old.Cursor)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := execute(here, "1", old.Cursor); err != nil || !again.Repeated { // what was done is not stale
		t.Errorf("repeated: %v, %v", again, err)
	}
	_, err = execute(here, "2", old.Cursor)
	if f, _ := fault.As(err); f == nil || f.Code != fault.Stale || f.Reason != "STALE_CURSOR" {
		t.Errorf("an old cursor answers %v", err)
	}
	// The other process has not heard of it, and looks.
	second, err := execute(there, "3", first.Cursor)
	if err != nil {
		t.Fatal(err)
	}
	// What the caller can not see does not move its cursor.
	here.Do(innertest.GM, "e", innertest.Take("b", "whisper"))
	third, err := execute(there, "4", second.Cursor)
	if err != nil {
		t.Fatalf("a secret moved the cursor: %v", err)
	}
	raw, _ := base64.RawURLEncoding.DecodeString(third.Cursor)
	raw[15] += 5
	future := base64.RawURLEncoding.EncodeToString(raw)
	_, err = execute(here, "5", future)
	if f, _ := fault.As(err); f == nil || f.Code != fault.Unavailable || f.Reason != "BEHIND" {
		t.Errorf("a cursor of the future answers %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, err = server(here).GetState(ctx, &encounterv1.GetStateRequest{As: innertest.Ann, Encounter: "e", NotOlderThan: future})
	if innertest.Reason(err) != "BEHIND" {
		t.Errorf("waiting for the future answers %v", err)
	}
	for field, call := range map[string]func() error{
		"at": func() error {
			_, err := server(here).GetState(t.Context(), &encounterv1.GetStateRequest{As: innertest.Ann, Encounter: "e", At: 99})
			return err
		},
		"after": func() error {
			_, err := server(here).GetHistory(t.Context(), &encounterv1.GetHistoryRequest{As: innertest.Ann, Encounter: "e", After: 99})
			return err
		},
	} {
		if f, _ := fault.As(call()); f == nil || f.Code != fault.Invalid || f.Violations[0].Field != field {
			t.Errorf("%s beyond the end answers %v", field, f)
		}
	}
}
