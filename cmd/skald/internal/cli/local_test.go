package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// said is all that a command line leads to.
type said struct {
	code     int
	out, err string
}

func say(ctx context.Context, args ...string) said {
	var out, errOut bytes.Buffer
	code := Run(ctx, args, strings.NewReader(""), &out, &errOut)
	return said{code, out.String(), errOut.String()}
}

// What needs no log answers without a server as a server of the same build does, in
// words and as JSON, what is refused too.
func TestLocalAnswersAsAServer(t *testing.T) {
	address, _ := up(t)
	lines := map[int][][]string{
		exitOK: {
			{"roll", "4d6kh3", "--dice", "1,2,3,4"}, {"roll", "2d20kh1+5", "--dice", "4,17"}, {"roll", "2d6!", "--dice", "6,2,3"},
			{"roll", "2d6+1d8[fire]", "--dice", "1,2,8"}, {"roll", "3d6rr1", "--dice", "1,2,3,4"}, {"roll", "10-3*2"}, {"roll", "5d1"}, {"roll", "7", "--request-id", "same"},
			{"odds", "3d6"}, {"odds", "2d20kh1+5", "--at-least", "15"}, {"odds", "4d6kh3", "--outcomes", "-1"}, {"odds", "10d10!", "--outcomes", "3"}, {"odds", "40d6", "--at-least", "-9223372036854775808"},
			{"rules", "rcr.injury.con-allowance"}, {"rules", "search", "opportunity", "attack"}, {"rules", "search", "no such words", "at all"}, {"rules", "search", "wounds", "--system", "rcr"},
			{"rules", "list", "spark"}, {"rules", "list", "rcr", "--weight", "optional"}, {"rules", "list", "rcr", "--status", "open"}, {"rules", "list", "rcr", "--weight", "heavy"}, {"rules", "systems"},
			{"rules", "settings", "celesia"}, {"rules", "settings", "rcr"}, {"rules", "words", "rcr"}, {"rules", "words", "celesia"}, {"rules", "words", "original"}, {"rules", "words", "spark", "cast"}, {"rules", "words", "basic", "attack"},
		},
		exitUsage: {
			{"roll", ""}, {"roll", "d"}, {"roll", "2d"}, {"roll", "(1d6"}, {"roll", "1d6)"}, {"roll", "1d0"}, {"roll", "-1d6d"}, {"roll", "4d6khx"}, {"roll", "1d6; rm -rf"}, {"roll", "1d6\x00"}, {"roll", "w\u00fcrfel"}, {"roll", "\xff\xfe"},
			{"roll", "1d6", "--dice", "7"}, {"roll", "1d6", "--dice", "0"}, {"roll", "1d6", "--dice", "-3"}, {"roll", "2d6", "--dice", "1"}, {"roll", "2d6", "--dice", "1,2,3"}, {"roll", "1d6", "--dice", "x"}, {"roll", "1d6", "--dice", "99999999999"},
			{"roll", "99999999999999999999d6"}, {"roll", "1d99999999999"}, {"odds", "\xff"},
			{"roll", "1d6", "--request-id", strings.Repeat("x", 4096)},
			{"odds", ""}, {"odds", "2d"}, {"odds", "3d6", "--outcomes", "-2"}, {"odds", "1d6+"},
			{"rules", "words", "basic", "atack"},
		},
		exitLimit: {
			{"roll", "1000000d6"}, {"roll", "1d6" + strings.Repeat("+1d6", 100_000)}, {"roll", strings.Repeat("(", 5000) + "1" + strings.Repeat(")", 5000)}, {"roll", "1d6", "--dice", strings.Repeat("1,", 20_000) + "1"},
			{"odds", "1000000d6"}, {"odds", "3d6", "--outcomes", "2000000000"},
		},
		exitNotFound: {{"rules", "rcr.nothing"}, {"rules", "nonsense"}, {"rules", ""}, {"rules", "list", "dnd"}, {"rules", "settings", "rrc"}, {"rules", "words", "x"}, {"rules", "search", "x", "--system", "x"}},
	}
	for _, code := range []int{exitOK, exitUsage, exitNotFound, exitLimit} { // what takes all the work of a caller comes last
		for _, line := range lines[code] {
			for _, args := range [][]string{line, append(line[:len(line):len(line)], "--json")} {
				name := strings.Join(args, " ")
				name = name[:min(len(name), 60)]
				here, there := say(t.Context(), args...), say(t.Context(), append(args[:len(args):len(args)], "--server", address)...)
				if here != there {
					t.Errorf("%q: without a server %.400q, with one %.400q", name, fmt.Sprint(here), fmt.Sprint(there))
				}
				if here.code != code {
					t.Errorf("%q: exit code %d, want %d: %.300s", name, here.code, code, here.err)
				}
			}
		}
	}
}

// Faces that nobody supplied come from the same dice: what differs is the faces alone.
func TestLocalRollsAsAServer(t *testing.T) {
	address, _ := up(t)
	shape := func(args ...string) map[string]any {
		t.Helper()
		s := say(t.Context(), append([]string{"roll", "20d1000", "--json"}, args...)...)
		var m map[string]any
		if err := json.Unmarshal([]byte(s.out), &m); s.code != exitOK || err != nil {
			t.Fatalf("%v: %v", s, err)
		}
		return m
	}
	faces := map[string]bool{}
	var keys []string
	for _, server := range []string{"", "", address} {
		var args []string
		if server != "" {
			args = []string{"--server", server}
		}
		m := shape(args...)
		result, _ := m["result"].(map[string]any)
		text, err := json.Marshal(result["faces"])
		if err != nil || len(text) < 20 || faces[string(text)] {
			t.Errorf("faces %s come twice or are none: %v", text, err)
		}
		faces[string(text)] = true
		keys = append(keys, strings.Join(slices.Sorted(maps.Keys(result)), " "))
	}
	if keys[0] != keys[2] {
		t.Errorf("results have %q without a server and %q with one", keys[0], keys[2])
	}
}

// A command that computes writes nothing: no home, no folder for temporary files, and
// a working folder that nobody can write to do not matter.
func TestLocalNeedsNoFolder(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"} {
		t.Setenv(name, "") // put back at the end
		if err := os.Unsetenv(name); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("TMPDIR", filepath.Join(dir, "none"))
	if err := os.Chmod(dir, 0o500); err != nil { //nolint:gosec // a folder
		t.Fatal(err)
	}
	for _, args := range [][]string{{"roll", "4d6kh3"}, {"odds", "3d6"}, {"rules", "search", "wounds"}, {"rules", "settings", "rcr"}} {
		if s := say(t.Context(), args...); s.code != exitOK || s.out == "" || s.err != "" {
			t.Errorf("%v: %v", args, s)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// A computation ends with its context, and with --timeout, as over the network.
func TestLocalEndsWhenInterrupted(t *testing.T) {
	address, _ := up(t)
	for name, end := range map[string]func() (context.Context, context.CancelFunc){
		"interrupted before": func() (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			return ctx, cancel
		},
		"no time": func() (context.Context, context.CancelFunc) {
			return context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
		},
	} {
		ctx, cancel := end()
		for _, args := range [][]string{{"roll", "1d6"}, {"odds", "10d10!"}, {"rules", "systems"}} {
			here, there := say(ctx, args...), say(ctx, append(args, "--server", address)...)
			if here.code != there.code || here.code == exitOK || here.err == "" {
				t.Errorf("%s: %v: %v, with a server %v", name, args, here, there)
			}
		}
		cancel()
	}
}

// What needs the log is not served without it.
func TestLocalServesNothingElse(t *testing.T) {
	a := &app{}
	err := a.withLocal(t.Context(), func(ctx context.Context, conn grpc.ClientConnInterface) error {
		_, tapes := dicev1.NewTapeServiceClient(conn).Draw(ctx, &dicev1.DrawRequest{})
		_, fights := encounterv1.NewEncounterServiceClient(conn).GetState(ctx, &encounterv1.GetStateRequest{})
		for _, err := range []error{tapes, fights} {
			if status.Code(err) != codes.Unimplemented {
				t.Errorf("%v", err)
			}
		}
		return errors.New("kept")
	})
	if err == nil || err.Error() != "kept" {
		t.Errorf("what the call gave: %v", err)
	}
}
