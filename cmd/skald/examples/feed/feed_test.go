package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/pkg/content/sheets"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const password = "a-password-of-readers"

// played is a suite with a feed in which an encounter was created, begun and put back
// and forth.
func played(t *testing.T) *allinone.Stack {
	t.Helper()
	s, err := allinone.Start(t.Context(), allinone.Config{DataDir: t.TempDir(), Logger: slog.New(slog.NewTextHandler(io.Discard, nil)), Feed: &allinone.Feed{Listen: "127.0.0.1:0", Password: password}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() }) //nolint:errcheck // the test is over
	client := encounterv1.NewEncounterServiceClient(s.Conn())
	orc, err := sheets.Get("rcr", "orc")
	if err != nil {
		t.Fatal(err)
	}
	last := func() *eventv1.Command {
		return &eventv1.Command{What: &eventv1.Command_Revert{Revert: &eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Last{Last: true}}}}
	}
	for i, cmd := range []*eventv1.Command{
		{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{System: "rcr", Title: "The bridge"}}},
		{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: orc}}},
		last(),
		{What: &eventv1.Command_Redo{Redo: &eventv1.RedoEncounter{}}},
	} {
		if _, err := client.Execute(t.Context(), &encounterv1.ExecuteRequest{RequestId: fmt.Sprint(i), As: &eventv1.Principal{Role: eventv1.Principal_ROLE_GM, Name: "gm"}, Encounter: "bridge", Command: cmd}); err != nil {
			t.Fatal(i, err)
		}
	}
	return s
}

// told is how many steps a spectator was told.
func told(t *testing.T, s *allinone.Stack) int {
	t.Helper()
	got, err := encounterv1.NewEncounterServiceClient(s.Conn()).GetState(t.Context(), &encounterv1.GetStateRequest{As: &eventv1.Principal{Role: eventv1.Principal_ROLE_SPECTATOR}, Encounter: "bridge"})
	if err != nil {
		t.Fatal(err)
	}
	return int(got.Number)
}

// reads holds that a consumer prints every step with a chain that holds.
func reads(t *testing.T, out io.Reader, n int) {
	t.Helper()
	lines := bufio.NewScanner(out)
	rulings := 0
	for i := range n {
		if !lines.Scan() {
			t.Fatalf("it ended after %d of %d lines: %v", i, n, lines.Err())
		}
		line := lines.Text()
		if !strings.HasPrefix(line, fmt.Sprintf("main/bridge %d ", i+1)) || !strings.HasSuffix(line, "chain true") {
			t.Errorf("line %d: %s", i+1, line)
		}
		if strings.Contains(line, "ruling true") {
			rulings++
		}
	}
	if rulings == 0 {
		t.Error("no ruling was told")
	}
}

func TestGo(t *testing.T) {
	s := played(t)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() { // ends with the context
		err := Follow(ctx, "nats://feed:"+password+"@"+s.FeedAddr(), in)
		in.CloseWithError(err) //nolint:errcheck // never fails
		ended <- err
	}()
	reads(t, out, told(t, s))
	cancel()
	<-ended
}

func TestJavaScript(t *testing.T) {
	dir, err := filepath.Abs("../../../../clients/feed")
	if err != nil {
		t.Fatal(err)
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no Node on this machine")
	}
	if _, err := os.Stat(filepath.Join(dir, "node_modules")); err != nil {
		t.Skip("the packages of clients/feed are not installed: npm install --prefix clients/feed")
	}
	s := played(t)
	n := told(t, s)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, node, "feed.mjs", s.FeedAddr(), "feed", password, fmt.Sprint(n))
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	reads(t, strings.NewReader(string(out)), n)
}
