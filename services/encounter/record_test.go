package encounter_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"os"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/recorded"
	"github.com/skaldrpg/skald/pkg/systems"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter"
)

var viewers = []*eventv1.Principal{gm, ann, bob, spectator}

// watched are the steps of a viewer with their bytes, and the marker after them.
func (c *client) watched(as *eventv1.Principal, after string) (steps []*encounterv1.Step, mark *encounterv1.CaughtUp, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	stream, err := c.Watch(ctx, &encounterv1.WatchRequest{As: as, Encounter: "e", After: after, WithBytes: true})
	if err != nil {
		return nil, nil, err
	}
	for {
		m, err := stream.Recv()
		if err != nil {
			return nil, nil, err
		}
		if m.GetCaughtUp() != nil {
			return steps, m.GetCaughtUp(), nil
		}
		steps = append(steps, m.GetStep())
	}
}

// transcript works out a viewer's transcript from what it was told alone, and holds
// against it whatever carries one.
func (c *client) transcript(as *eventv1.Principal) []byte {
	c.w.t.Helper()
	t := c.w.t
	steps, caught, err := c.watched(as, "")
	if err != nil {
		t.Fatal(err)
	}
	at := attest.Begin("main", "e")
	for i, s := range steps {
		at = attest.Next(at, uint64(i+1), attest.Digest(s.Bytes))
		told := &encounterv1.Step{}
		if err := proto.Unmarshal(s.Bytes, told); err != nil {
			t.Fatal(err)
		}
		told.Number, told.Cursor, told.Transcript, told.Bytes = s.Number, s.Cursor, s.Transcript, s.Bytes
		told.Ruling = s.Ruling // worked out of what is hashed
		if !bytes.Equal(s.Transcript, at) || !proto.Equal(told, s) || s.Number != uint64(i+1) {
			t.Errorf("%v: step %d: transcript %x, want %x; hashed as\n%v\nshown as\n%v", as, i+1, s.Transcript, at, told, s)
		}
		if back := c.state(as, "e", s.Number); !bytes.Equal(back.Transcript, at) || back.Cursor != s.Cursor {
			t.Errorf("%v: the state at %d has another transcript or cursor than the step", as, s.Number)
		}
	}
	now := c.state(as, "e", 0)
	if !bytes.Equal(now.Transcript, at) || now.Public.Words != caught.Public.Words || attest.Words(now.Public.Transcript) != now.Public.Words {
		t.Errorf("%v: state %x %q, watch %x %q", as, now.Transcript, now.Public.GetWords(), at, caught.Public.GetWords())
	}
	if as == spectator && !bytes.Equal(now.Public.Transcript, at) {
		t.Error("the public transcript is not the spectator's")
	}
	got, err := c.GetTranscript(t.Context(), &encounterv1.GetTranscriptRequest{As: as, Encounter: "e", WithBytes: true})
	if err != nil || len(got.Steps) != len(steps) {
		t.Fatalf("%v: %d steps of %d, %v", as, len(got.GetSteps()), len(steps), err)
	}
	for i, s := range got.Steps {
		if !bytes.Equal(s.Bytes, steps[i].Bytes) || !bytes.Equal(s.Digest, attest.Digest(s.Bytes)) || !bytes.Equal(s.Transcript, steps[i].Transcript) {
			t.Errorf("%v: step %d is another in the transcript", as, i+1)
		}
	}
	if h := c.head(as, "own"); !bytes.Equal(h.Hash, at) || h.Number != uint64(len(steps)) {
		t.Errorf("%v: signed is %d %x", as, h.Number, h.Hash)
	}
	return at
}

// keys of the server, as it lists them.
func (c *client) keys() (out []string) {
	c.w.t.Helper()
	listed, err := c.GetKeys(c.w.t.Context(), &encounterv1.GetKeysRequest{})
	if err != nil {
		c.w.t.Fatal(err)
	}
	for _, k := range listed.Keys {
		out = append(out, k.Verifier)
	}
	return out
}

// head is a signed head of a viewer, opened.
func (c *client) head(as *eventv1.Principal, of string) attest.Head {
	c.w.t.Helper()
	resp, err := c.GetHead(c.w.t.Context(), &encounterv1.GetHeadRequest{As: as, Encounter: "e"})
	if err != nil {
		c.w.t.Fatal(err)
	}
	by, err := attest.Verifiers(c.keys()...)
	if err != nil {
		c.w.t.Fatal(err)
	}
	h, err := attest.OpenHead(map[string]string{"own": resp.Heads.Own, "public": resp.Heads.Public, "chain": resp.Heads.Chain}[of], by)
	if err != nil {
		c.w.t.Fatalf("the %s head of %v: %v", of, as, err)
	}
	return h
}

// checkpoint of the server, opened, with the proof that it extends another.
func (c *client) checkpoint(since int64) (attest.Checkpoint, [][]byte, error) {
	c.w.t.Helper()
	resp, err := c.GetCheckpoint(c.w.t.Context(), &encounterv1.GetCheckpointRequest{Since: uint64(since)})
	if err != nil {
		return attest.Checkpoint{}, nil, err
	}
	by, err := attest.Verifiers(c.keys()...)
	if err != nil {
		c.w.t.Fatal(err)
	}
	out, _, err := attest.OpenCheckpoint(resp.Checkpoint, by)
	return out, resp.Proof, err
}

// settle waits until the projection holds what the encounter has.
func (c *client) settle() {
	c.w.t.Helper()
	if _, err := c.ProveHead(c.w.t.Context(), &encounterv1.ProveHeadRequest{As: gm, Encounter: "e", Version: c.state(gm, "e", 0).Number}); err != nil {
		c.w.t.Fatal(err)
	}
}

// Every viewer has a transcript that follows from what it was told, rulings and late
// comers included, and that is the same when the projection is built again.
func TestTranscripts(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	c.fight("e", server)
	c.do(gm, "e", attackCmd("a", "b"))
	c.do(gm, "e", takeCmd("a", "whisper", "b"))
	before := c.head(spectator, "own")
	c.do(gm, "e", takeCmd("a", "whisper", "b"))
	if now := c.head(spectator, "own"); now.Text() != before.Text() {
		t.Error("what is hidden moved a spectator's head")
	}
	c.do(gm, "e", revertCmd(&eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Version{Version: 4}, Reason: "b had cover"}))
	c.do(gm, "e", redoCmd)
	c.do(gm, "e", addCmd("c", 10, "cat"))
	c.do(gm, "e", attackCmd("a", "b"))
	cat := &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "cat"}
	all := append([]*eventv1.Principal{cat, {Role: eventv1.Principal_ROLE_PLAYER, Name: "nobody"}}, viewers...)
	var want [][]byte
	for _, as := range all {
		want = append(want, c.transcript(as))
	}
	if bytes.Equal(want[2], want[3]) || bytes.Equal(want[3], want[4]) {
		t.Error("viewers who were told different things have one transcript")
	}
	words := c.state(ann, "e", 0).Public.Words
	if words == "" || words != c.state(bob, "e", 0).Public.Words || words != c.state(gm, "e", 0).Public.Words {
		t.Errorf("the words differ among viewers: %q", words)
	}
	c.settle()
	tree, _, err := c.checkpoint(0)
	if err != nil {
		t.Fatal(err)
	}
	c.stop()
	if err := os.Remove(encounter.File(w.dir)); err != nil {
		t.Fatal(err)
	}
	c = w.start()
	for i, as := range all {
		if got := c.transcript(as); !bytes.Equal(got, want[i]) {
			t.Errorf("%v: built again, the transcript is another", as)
		}
	}
	if again, _, err := c.checkpoint(0); err != nil || again != tree {
		t.Errorf("built again, the tree is %v, was %v: %v", again, tree, err)
	}
}

// fork is another server with the first Commits of an encounter, as many as given:
// the operator's second history, or an older backup.
func (w *world) fork(commits int) *world {
	w.t.Helper()
	out := newWorld(w.t)
	last := uint64(0)
	err := w.journal.Read(w.t.Context(), "skald.0.main.encounter.e", 1, ^uint64(0), func(r journal.Record) error {
		if commits--; commits < 0 {
			return nil
		}
		seq, err := out.journal.Append(w.t.Context(), journal.Message{Subject: r.Subject, ID: r.ID, Data: r.Data, Expected: last})
		last = seq
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	key, err := os.ReadFile(w.keys) // it is the operator's own
	if err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(out.keys, key, 0o600); err != nil {
		w.t.Fatal(err)
	}
	return out
}

// An operator who shows two players two histories is found by the words, by a cursor,
// by a signed head, and by the checkpoint.
func TestTwoHistories(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	c.fight("e", server)
	c.settle()
	common, _, err := c.checkpoint(0)
	if err != nil {
		t.Fatal(err)
	}
	start := c.head(ann, "own")
	d := w.fork(4).start()
	if h := d.head(ann, "own"); h.Text() != start.Text() {
		t.Fatalf("the same history has another head: %v %v", h, start)
	}
	c.do(gm, "e", endTurnCmd("a"))
	c.do(gm, "e", endTurnCmd("b"))
	d.do(gm, "e", endTurnCmd("a"))
	d.do(gm, "e", &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	one, two := c.state(ann, "e", 0), d.state(bob, "e", 0)
	if one.Public.Number == 0 || one.Public.Words == two.Public.Words {
		t.Errorf("ann hears %q at %d, bob %q at %d", one.Public.Words, one.Public.Number, two.Public.Words, two.Public.Number)
	}
	// Ann goes to the other server.
	_, _, err = d.watched(ann, one.Cursor)
	if reason(err) != "FORKED" {
		t.Errorf("a watch from ann's cursor: %v", err)
	}
	for name, call := range map[string]func() error{
		"state": func() error {
			_, err := d.GetState(t.Context(), &encounterv1.GetStateRequest{As: ann, Encounter: "e", NotOlderThan: one.Cursor})
			return err
		},
		"command": func() error {
			_, err := d.Execute(t.Context(), &encounterv1.ExecuteRequest{RequestId: "x", As: ann, Encounter: "e", ExpectedCursor: one.Cursor, Command: endTurnCmd("a")})
			return err
		},
	} {
		if err := call(); reason(err) != "FORKED" {
			t.Errorf("%s by ann's cursor: %v", name, err)
		}
	}
	// Both histories extend what was common, and neither the other.
	for _, s := range []*client{c, d} {
		digests := [][]byte{}
		got, err := s.GetTranscript(t.Context(), &encounterv1.GetTranscriptRequest{As: ann, Encounter: "e", After: start.Number})
		if err != nil {
			t.Fatal(err)
		}
		at := start.Hash
		for _, step := range got.Steps {
			digests = append(digests, step.Digest)
			at = attest.Next(at, step.Number, step.Digest)
		}
		if h := s.head(ann, "own"); !bytes.Equal(h.Hash, at) || h.Number != start.Number+uint64(len(digests)) {
			t.Error("a head does not extend the common one")
		}
		s.settle()
		now, proof, err := s.checkpoint(common.Size)
		if err == nil {
			err = now.Extends(common, proof)
		}
		if err != nil {
			t.Error(err)
		}
	}
	first, _, err := c.checkpoint(0)
	if err != nil {
		t.Fatal(err)
	}
	d.do(gm, "e", revertCmd(&eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Last{Last: true}}))
	d.settle()
	second, proof, err := d.checkpoint(first.Size)
	if err != nil {
		t.Fatal(err)
	}
	if err := second.Extends(first, proof); err == nil {
		t.Error("the checkpoint of one history extends that of the other")
	}
}

// An operator who drops the last Commits is found by whoever has seen them.
func TestDroppedEnd(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	c.fight("e", server)
	c.do(gm, "e", endTurnCmd("a"))
	c.settle()
	kept, cursor := c.head(ann, "own"), c.state(ann, "e", 0).Cursor
	seen, _, err := c.checkpoint(0)
	if err != nil {
		t.Fatal(err)
	}
	d := w.fork(4).start()
	if h := d.head(ann, "own"); h.Number >= kept.Number {
		t.Fatalf("nothing was dropped: %d", h.Number)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 1e9)
	defer cancel()
	if _, err := d.GetState(ctx, &encounterv1.GetStateRequest{As: ann, Encounter: "e", NotOlderThan: cursor}); err == nil {
		t.Error("a state that is not older than the cursor was given")
	}
	if _, _, err := d.checkpoint(seen.Size); reason(err) != "LOG_SHORTER" {
		t.Errorf("a checkpoint that extends the one seen: %v", err)
	}
}

// A Commit is proved to be in a checkpoint; headers connect the heads of the chain;
// and while the fight goes on neither is for players.
func TestChainHeads(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	first := c.head(gm, "chain")
	c.do(gm, "e", takeCmd("a", "whisper", "b"))
	c.do(gm, "e", endTurnCmd("a"))
	for name, call := range map[string]func() error{
		"headers": func() error {
			_, err := c.GetHeaders(t.Context(), &encounterv1.GetHeadersRequest{As: ann, Encounter: "e"})
			return err
		},
		"proof": func() error {
			_, err := c.ProveHead(t.Context(), &encounterv1.ProveHeadRequest{As: ann, Encounter: "e", Version: 1})
			return err
		},
	} {
		if err := call(); reason(err) != "NOT_OVER" {
			t.Errorf("ann's %s: %v", name, err)
		}
	}
	if resp, err := c.GetHead(t.Context(), &encounterv1.GetHeadRequest{As: ann, Encounter: "e"}); err != nil || resp.Heads.Chain != "" {
		t.Errorf("ann is told the head of the chain: %v %v", resp, err)
	}
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	last := c.head(ann, "chain")
	got, err := c.GetHeaders(t.Context(), &encounterv1.GetHeadersRequest{As: ann, Encounter: "e", After: first.Number})
	if err != nil || got.More {
		t.Fatal(got, err)
	}
	at := first.Hash
	for _, data := range got.Headers {
		h := &eventv1.CommitHeader{}
		if err := proto.Unmarshal(data, h); err != nil || !bytes.Equal(h.PreviousHash, at) {
			t.Fatalf("a header that does not follow: %v", err)
		}
		at = event.HeaderHash(data)
	}
	if !bytes.Equal(at, last.Hash) || last.Number != first.Number+uint64(len(got.Headers)) {
		t.Error("the headers do not lead to the head")
	}
	c.settle()
	tree, _, err := c.checkpoint(0)
	if err != nil {
		t.Fatal(err)
	}
	p, err := c.ProveHead(t.Context(), &encounterv1.ProveHeadRequest{As: ann, Encounter: "e", Version: last.Number, Size: uint64(tree.Size)})
	if err != nil {
		t.Fatal(err)
	}
	leaf := attest.Leaf(attest.Head{Table: "main", Encounter: "e", Number: last.Number, Hash: last.Hash})
	if err := tree.Holds(leaf, int64(p.Index), p.Proof); err != nil || p.Leaf != string(leaf) {
		t.Errorf("%v; leaf %q", err, p.Leaf)
	}
	if err := tree.Holds(attest.Leaf(attest.Head{Table: "main", Encounter: "e", Number: last.Number, Hash: first.Hash}), int64(p.Index), p.Proof); err == nil {
		t.Error("another Commit is proved")
	}
}

// A server that signed for Commits does not start without its keys, nor with broken
// ones, and says what mends it; it makes none of its own then.
func TestKeysAreMissed(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	old := c.keys()
	c.stop()
	path := w.keys
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	c = w.start() // nothing is stored: whoever asked for the key knows of no head
	if now := c.keys(); len(now) != 1 || now[0] == old[0] {
		t.Fatalf("keys %v, were %v", now, old)
	}
	c.fight("e", server)
	old = c.keys()
	c.stop()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	open := func() error {
		svc, err := encounter.New(t.Context(), encounter.Config{Journal: w.log, Dice: w.dice, Injury: w.injury, Systems: w.systems, DataDir: w.dir, Logger: quiet})
		if err == nil {
			err = errors.Join(errors.New("it starts"), svc.Close())
		}
		return err
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := open(); !errors.Is(err, encounter.ErrKeysMissing) || !strings.Contains(err.Error(), "skald keys rotate --lost --keys "+path) {
		t.Errorf("without keys: %v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("keys were made: %v", err)
	}
	if err := os.WriteFile(path, data[:20], 0o600); err != nil {
		t.Fatal(err)
	}
	if err := open(); !errors.Is(err, encounter.ErrKeysBroken) || !strings.Contains(err.Error(), "skald keys rotate --lost --keys "+path) {
		t.Errorf("with broken keys: %v", err)
	}
	fresh, err := attest.Replace(path, attest.DefaultName, old, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	listed, err := w.start().GetKeys(t.Context(), &encounterv1.GetKeysRequest{})
	if err != nil || len(listed.Keys) != 2 || listed.Keys[0].Verifier != old[0] || listed.Keys[0].Current ||
		listed.Keys[1].Verifier != fresh || listed.Keys[1].Endorsement != "" || !listed.Keys[1].Current {
		t.Errorf("the break in the list: %v, %v", listed, err)
	}
}

// A new key signs what comes; the old one stays listed, so that heads that it signed
// are still believed, and names the new one.
func TestRotatedKey(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	c.fight("e", server)
	signed, err := c.GetHead(t.Context(), &encounterv1.GetHeadRequest{As: ann, Encounter: "e"})
	if err != nil {
		t.Fatal(err)
	}
	old := c.keys()
	verifier, err := attest.Rotate(w.keys, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	keys := c.keys()
	if len(old) != 1 || len(keys) != 2 || keys[0] != old[0] || keys[1] != verifier {
		t.Fatalf("keys %v, then %v", old, keys)
	}
	both, err := attest.Verifiers(keys...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := attest.OpenHead(signed.Heads.Own, both); err != nil {
		t.Errorf("what the old key signed: %v", err)
	}
	onlyNew, _ := attest.Verifiers(verifier)
	now, err := c.GetHead(t.Context(), &encounterv1.GetHeadRequest{As: ann, Encounter: "e"})
	if err == nil {
		_, err = attest.OpenHead(now.Heads.Own, onlyNew)
	}
	if err != nil {
		t.Errorf("what the new key signs: %v", err)
	}
}

// A folder of a build that signed no heads has no keys to miss: it begins with one.
func TestKeysOfAnOldFolder(t *testing.T) {
	fights, err := recorded.Load("2026-11", "basic")
	if err != nil || len(fights) == 0 {
		t.Fatal(err)
	}
	w := newWorld(t)
	w.systems = systems.Registry()
	last := uint64(0)
	for _, data := range fights[0].Commits {
		o, err := event.Open(data)
		if err != nil {
			t.Fatal(err)
		}
		if last, err = w.journal.Append(t.Context(), journal.Message{Subject: "skald.0." + o.Header.Table + ".encounter." + o.Header.Id,
			ID: hex.EncodeToString(o.Hash), Data: data, Expected: last}); err != nil {
			t.Fatal(err)
		}
	}
	if keys := w.start().keys(); len(keys) != 1 {
		t.Errorf("keys %v", keys)
	}
}
