package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// verified runs verify and returns what it said and its exit code.
func verified(t *testing.T, args ...string) (string, int) {
	t.Helper()
	var out, errOut bytes.Buffer
	code := Run(t.Context(), args, strings.NewReader(""), &out, &errOut)
	return out.String() + errOut.String(), code
}

// tended plays a patient of whom Ann and Bob each have a part: a rogue of Ann's.
func tended(t *testing.T, dir string) {
	t.Helper()
	sheet := filepath.Join(dir, "tam.yaml")
	data := run(t, "sheet", "show", "rcr", "rogue")
	if err := os.WriteFile(sheet, []byte(strings.Replace(data, "\nside:", "\ncontrollers: [ann]\nside:", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, "patient", "enrol", "tam", "--system", "rcr", "--sheet", sheet)
	run(t, "patient", "tend", "harm", "tam", "--parameter", "amount=5", "--parameter", "type=fire")
}

// rewritten is a file of records with its lines changed by fn, which drops those for which
// it returns nothing, and with an end that says how many there are.
func rewritten(t *testing.T, from, to string, fn func(*injuryv1.RecordLine) *injuryv1.RecordLine) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	n := uint64(0)
	for _, text := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		line := &injuryv1.RecordLine{}
		if err := protojson.Unmarshal([]byte(text), line); err != nil {
			t.Fatal(err)
		}
		if end := line.GetEnd(); end != nil {
			end.Lines = n
		} else if line = fn(line); line == nil {
			continue
		}
		n++
		again, err := jsonLine(line)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(again)
	}
	if err := os.WriteFile(to, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// headerOf is the header of a Commit.
func headerOf(t *testing.T, data []byte) *eventv1.CommitHeader {
	t.Helper()
	o, err := event.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	return o.Header
}

// A patient's record from whose end Commits were cut holds in itself; the head in the file
// and heads that people kept say that there was more. A history that says another thing
// where one was signed is found, for the chain and for what a player was told.
func TestHeadsOfPatients(t *testing.T) {
	t.Setenv("SKALD_SERVER", serve(t))
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	tended(t, dir)
	run(t, "patient", "head", "tam", "--of", "chain", "-o", in("old.head"))
	run(t, "patient", "head", "tam", "--as", "player:ann", "-o", in("ann-old.head"))
	run(t, "patient", "tend", "pass-time", "tam", "--parameter", "hours=3")
	run(t, "patient", "head", "tam", "--of", "chain", "-o", in("new.head"))
	run(t, "patient", "head", "tam", "--as", "player:ann", "-o", in("ann-new.head"))
	run(t, "table", "export", in("table.jsonl"))
	run(t, "patient", "export", "tam", "-o", in("tam.jsonl"))
	run(t, "patient", "export", "tam", "--as", "player:ann", "-o", in("ann.jsonl"))

	last := func(line *injuryv1.RecordLine) bool {
		c := line.GetCommit()
		return c != nil && headerOf(t, c).Kind == "patient" && headerOf(t, c).Version == 3 || line.GetEntry().GetNumber() == 3
	}
	unsigned := func(line *injuryv1.RecordLine) *injuryv1.RecordLine {
		if line.GetHeads() != nil || last(line) {
			return nil
		}
		return line
	}
	for _, name := range []string{"table", "tam", "ann"} {
		rewritten(t, in(name+".jsonl"), in(name+"-cut.jsonl"), func(line *injuryv1.RecordLine) *injuryv1.RecordLine {
			if last(line) {
				return nil
			}
			return line
		})
		rewritten(t, in(name+".jsonl"), in(name+"-bare.jsonl"), unsigned)
	}
	rewritten(t, in("ann.jsonl"), in("ann-other.jsonl"), func(line *injuryv1.RecordLine) *injuryv1.RecordLine {
		if e := line.GetEntry(); e.GetNumber() == 2 {
			e.UnixMillis++
			again := proto.CloneOf(e)
			again.Number, again.Bytes = 0, nil
			e.Bytes = event.Canonical(again)
		}
		return line
	})
	rewritten(t, in("ann.jsonl"), in("ann-shown.jsonl"), func(line *injuryv1.RecordLine) *injuryv1.RecordLine {
		if e := line.GetEntry(); e.GetNumber() == 2 {
			e.Events = e.Events[1:]
		}
		return line
	})
	const cut = "the export ends at version 2, and the head that was kept is of version 3"
	const told = "the file ends at entry 2, and the head that was kept is of entry 3"
	for _, tt := range []struct {
		file, head, want string
		code             int
	}{
		{"table", "old.head", "agrees with the head that was kept of patient tam, chain at 2", exitOK},
		{"tam", "new.head", "agrees with the head that was kept of patient tam, chain at 3", exitOK},
		{"ann", "ann-old.head", "agrees with the head that was kept of patient tam, player/ann at 2", exitOK},
		{"ann", "ann-new.head", "agrees with the head that was kept of patient tam, player/ann at 3", exitOK},
		{"ann", "new.head", "not checked: the head of chain of main/patient/tam at 3", exitOK},
		{"table", "ann-new.head", "not checked: the head of player/ann of main/patient/tam at 3", exitOK},
		{"table-cut", "", cut, exitFailure},
		{"tam-cut", "", cut, exitFailure},
		{"ann-cut", "", told, exitFailure},
		{"table-bare", "", "patient tam", exitOK}, // nothing in it says that there was more
		{"tam-bare", "", "", exitOK},
		{"ann-bare", "", "whether the end was cut off", exitOK},
		{"table-bare", "old.head", "agrees with the head that was kept of patient tam, chain at 2", exitOK},
		{"table-bare", "new.head", cut, exitFailure},
		{"tam-bare", "new.head", cut, exitFailure},
		{"ann-bare", "ann-new.head", told, exitFailure},
		{"ann-other", "", "two histories: entry 3 is another than the one that was signed", exitFailure},
		{"ann-other", "ann-old.head", "two histories: entry 2 is another than the one that was signed", exitFailure},
		{"ann-shown", "", "entry 2 shows something else than its bytes say", exitFailure},
	} {
		args := []string{"verify", in(tt.file + ".jsonl")}
		if tt.head != "" {
			args = append(args, "--since", in(tt.head))
		}
		if said, code := verified(t, args...); code != tt.code || !strings.Contains(said, tt.want) {
			t.Errorf("%s since %q: exit code %d\n%s", tt.file, tt.head, code, said)
		}
	}
	run(t, "patient", "enrol", "wim", "--system", "rcr", "--sheet", "rogue")
	run(t, "patient", "head", "wim", "--of", "chain", "-o", in("wim.head"))
	if said, code := verified(t, "verify", in("table.jsonl"), "--since", in("wim.head")); code != exitFailure || !strings.Contains(said, "patient wim at version 1, of which the file has nothing") {
		t.Errorf("exit code %d\n%s", code, said)
	}
	if said, code := verified(t, "patient", "head", "tam", "--of", "chain", "--as", "player:ann"); code != exitUsage || !strings.Contains(said, "never over") {
		t.Errorf("a player's head of the chain: exit code %d\n%s", code, said)
	}
	one, two := run(t, "patient", "words", "tam", "--as", "player:ann"), run(t, "patient", "words", "tam", "--as", "spectator")
	if one != two || len(strings.Fields(one)) != 10 {
		t.Errorf("words: %q and %q", one, two)
	}
}

// A server that goes on from what it showed says so; one that was given another history, by
// an older backup that has gone on, is found by every head.
func TestPatientsOfAnotherHistory(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	first := serve(t)
	t.Setenv("SKALD_SERVER", first)
	tended(t, dir)
	for i, of := range [][]string{{"--of", "chain"}, {}, {"--as", "player:ann"}, {"--of", "public"}} {
		run(t, append([]string{"patient", "head", "tam", "-o", in(fmt.Sprint(i, ".head"))}, of...)...)
	}
	run(t, "patient", "tend", "pass-time", "tam", "--parameter", "hours=3")
	as := [][]string{nil, nil, {"--as", "player:ann"}, nil}
	for i := range 4 {
		args := append([]string{"patient", "verify", "tam", "--since", in(fmt.Sprint(i, ".head"))}, as[i]...)
		if said, code := verified(t, args...); code != exitOK || !strings.Contains(said, ": it goes on to ") {
			t.Errorf("head %d: exit code %d\n%s", i, code, said)
		}
	}
	key := strings.Fields(run(t, "keys", "list"))[1]
	// Another server that says that it is the same: it can not sign as that one.
	t.Setenv("SKALD_SERVER", serve(t))
	tended(t, dir)
	run(t, "patient", "tend", "pass-time", "tam", "--parameter", "hours=4")
	for i := range 4 {
		args := append([]string{"patient", "verify", "tam", "--since", in(fmt.Sprint(i, ".head")), "--key", key}, as[i]...)
		if said, code := verified(t, args...); code == exitOK {
			t.Errorf("head %d, another server: exit code %d\n%s", i, code, said)
		}
	}
}
