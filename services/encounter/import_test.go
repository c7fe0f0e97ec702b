package encounter_test

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter"
)

// messages are the export of an encounter as a viewer gets it.
func (c *client) messages(as *eventv1.Principal, id string) (out []*encounterv1.ExportResponse) {
	c.w.t.Helper()
	stream, err := c.Export(c.w.t.Context(), &encounterv1.ExportRequest{As: as, Encounter: id})
	if err != nil {
		c.w.t.Fatal(err)
	}
	for {
		m, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			c.w.t.Fatal(err)
		}
		m.Heads = nil // signed by the other server: no part of the record
		out = append(out, m)
	}
}

// bring imports messages, a few at a time.
func (c *client) bring(as *eventv1.Principal, id string, messages []*encounterv1.ExportResponse) (resp *encounterv1.ImportResponse, err error) {
	for at := 0; ; {
		n := min(7, len(messages)-at)
		req := &encounterv1.ImportRequest{As: as, Encounter: id, After: uint64(at), Messages: messages[at : at+n], Last: at+n == len(messages)} //nolint:gosec // an index
		if resp, err = c.Import(c.w.t.Context(), req); err != nil || req.Last {
			return resp, err
		}
		at += n
	}
}

// A record that is brought to another server is there what it was here, to the word;
// it is only read, and a fork of it is played on.
func TestImport(t *testing.T) {
	here, there := newWorld(t).start(), newWorld(t)
	c := there.start()
	here.fight("e", server)
	here.do(gm, "e", attackCmd("a", "b"))
	here.do(gm, "e", endTurnCmd("a"))
	here.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Save{Save: &eventv1.SaveState{Name: "before"}}})
	here.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Amend{Amend: &eventv1.AmendCommand{Version: 5, Reason: "misread"}}})
	messages := here.messages(gm, "e")
	resp, err := c.bring(gm, "e", messages)
	if err != nil || resp.Commits != uint64(len(messages)) || resp.Decided != resp.Commits {
		t.Fatalf("imported %v (%v), %d Commits", resp, err, len(messages))
	}
	for _, as := range []*eventv1.Principal{gm, ann, bob, spectator} {
		was := here.state(as, "e", 0)
		then := c.state(as, "e", was.Number)
		if !proto.Equal(was.State, then.State) || string(was.Transcript) != string(then.Transcript) {
			t.Errorf("%s has another fight: %v, was %v", as.Name, then.State, was.State)
		}
		if now := c.state(as, "e", 0); now.Number != was.Number+1 || !now.State.Imported {
			t.Errorf("%s is not told that it is only read: %v", as.Name, now)
		}
	}
	for _, cmd := range []*eventv1.Command{attackCmd("b", "a"), lastCmd, redoCmd, endCmd} {
		c.refused(gm, "e", "IMPORTED", cmd)
	}
	if _, err := c.PreviewRuling(t.Context(), &encounterv1.PreviewRulingRequest{As: gm, Encounter: "e", Command: lastCmd}); reason(err) != "IMPORTED" {
		t.Errorf("a dry run: %v", err)
	}
	c.do(gm, "f", &eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{Fork: &eventv1.ForkOf{Encounter: "e"}}}})
	if s := c.state(gm, "f", 0).State; s.Imported {
		t.Error("the fork is only read")
	}
	c.do(gm, "f", attackCmd("b", "a"))
	if _, err := c.bring(gm, "e", messages); reason(err) != "ENCOUNTER_EXISTS" {
		t.Errorf("brought twice: %v", err)
	}
	// What was brought is exported, verified and brought on as anything else.
	third := newWorld(t).start()
	if _, err := third.bring(gm, "e", c.messages(gm, "e")); err != nil {
		t.Errorf("brought on: %v", err)
	}
	if _, err := newWorld(t).start().bring(gm, "e", third.messages(gm, "e")); err != nil {
		t.Errorf("brought on once more: %v", err)
	}
	if w := c.next(gm, "e"); len(w) > 0 {
		t.Errorf("it waits for %v", w)
	}
	if o, err := c.GetOptions(t.Context(), &encounterv1.GetOptionsRequest{As: gm, Encounter: "e", LegalOnly: true}); err != nil || len(o.Options) > 0 {
		t.Errorf("something may be done: %v (%v)", o, err)
	}
	rebuilt := there.replica(t.TempDir(), there.log)
	rebuilt.settle()
	if a, b := rebuilt.state(gm, "e", 0), c.state(gm, "e", 0); !proto.Equal(a.State, b.State) {
		t.Errorf("built again it is %v, was %v", a.State, b.State)
	}
}

// Nothing is stored of what does not hold, is not whole, is another's or is a fight of
// this server.
func TestImportRefuses(t *testing.T) {
	here, c := newWorld(t).start(), newWorld(t).start()
	here.fight("e", server)
	here.do(gm, "e", attackCmd("a", "b"))
	messages := here.messages(gm, "e")
	copied := func(change func([]*encounterv1.ExportResponse) []*encounterv1.ExportResponse) []*encounterv1.ExportResponse {
		out := make([]*encounterv1.ExportResponse, len(messages))
		for i, m := range messages {
			out[i] = proto.CloneOf(m)
		}
		return change(out)
	}
	cases := map[string]struct {
		as       *eventv1.Principal
		id       string
		messages []*encounterv1.ExportResponse
		why      string
	}{
		"a player":     {ann, "e", messages, "NOT_ALLOWED"},
		"another name": {gm, "x", messages, "INVALID_FIELD"},
		"nothing":      {gm, "e", nil, "INVALID_FIELD"},
		"steps":        {gm, "e", here.messages(ann, "e"), "INVALID_FIELD"},
		"a byte": {gm, "e", copied(func(m []*encounterv1.ExportResponse) []*encounterv1.ExportResponse {
			m[3].Commit[len(m[3].Commit)-3] ^= 1
			return m
		}), "NOT_VERIFIED"},
		"one left out": {gm, "e", copied(func(m []*encounterv1.ExportResponse) []*encounterv1.ExportResponse {
			return append(m[:2], m[3:]...)
		}), "NOT_VERIFIED"},
		"no beginning": {gm, "e", messages[1:], "NOT_VERIFIED"},
		"a branch that no Commit names": {gm, "e", append([]*encounterv1.ExportResponse{{BranchPart: &encounterv1.ExportedPart{Branch: "0011", Data: []byte("x")}}}, messages...),
			"INVALID_FIELD"},
		"a pack that is another": {gm, "e", append([]*encounterv1.ExportResponse{{Pack: &encounterv1.ExportedPack{Digest: "00", Data: []byte("x")}}}, messages...),
			"INVALID_FIELD"},
	}
	for name, try := range cases {
		if _, err := c.bring(try.as, try.id, try.messages); reason(err) != try.why {
			t.Errorf("%s: %v, wanted %s", name, err, try.why)
		}
		if _, err := c.GetState(t.Context(), &encounterv1.GetStateRequest{As: gm, Encounter: "e"}); code(err) != fault.NotFound {
			t.Fatalf("%s: something was stored: %v", name, err)
		}
	}
	if _, err := c.Import(t.Context(), &encounterv1.ImportRequest{As: gm, Encounter: "e", After: 3, Messages: messages[3:], Last: true}); reason(err) != "INVALID_FIELD" {
		t.Errorf("from the middle: %v", err)
	}
	// A fight of this server does not go on by Commits that were made elsewhere: not even
	// by those that it made itself.
	before := here.state(gm, "e", 0)
	here.do(gm, "e", attackCmd("a", "b"))
	longer := here.messages(gm, "e")
	back := newWorld(t).start()
	if _, err := back.bring(gm, "e", longer); err != nil {
		t.Fatal(err)
	}
	if _, err := here.bring(gm, "e", back.messages(gm, "e")); reason(err) != "ENCOUNTER_EXISTS" {
		t.Errorf("onto a fight of its own: %v", err)
	}
	if after := here.state(gm, "e", 0); after.Number != before.Number+1 {
		t.Errorf("the fight went on: %d", after.Number)
	}
}

// Nothing follows the end of an imported record, whoever seals it: a Commit behind it
// is found when the record is decided again.
func TestNothingFollowsAnImport(t *testing.T) {
	here, there := newWorld(t).start(), newWorld(t).start()
	here.fight("e", server)
	if _, err := there.bring(gm, "e", here.messages(gm, "e")); err != nil {
		t.Fatal(err)
	}
	var commits [][]byte
	for _, m := range there.messages(gm, "e") {
		commits = append(commits, m.Commit)
	}
	last, err := event.Open(commits[len(commits)-1])
	if err != nil {
		t.Fatal(err)
	}
	cmd, err := proto.Marshal(&eventv1.Command{What: &eventv1.Command_Save{Save: &eventv1.SaveState{Name: "x"}}})
	if err != nil {
		t.Fatal(err)
	}
	header := proto.CloneOf(last.Header)
	header.Version, header.PreviousHash, header.Digests = header.Version+1, last.Hash, nil
	data, _, err := event.Seal(event.Draft{Header: header, Cause: &eventv1.CommitCause{Command: cmd, RequestId: "later", Principal: gm},
		Inputs: &eventv1.CommitInputs{}, Events: []*eventv1.Event{event.New(event.GM(), &eventv1.SavePointSet{SavePoint: &eventv1.SavePoint{Name: "x", Version: last.Header.Version}})}}, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		commits [][]byte
		holds   bool
	}{"as it is": {commits, true}, "with one more": {append(commits, data), false}} {
		report, err := encounter.Verify(t.Context(), there.w.systems, nil, nil, c.commits)
		if err != nil {
			t.Fatal(err)
		}
		if (len(report.Problems) == 0) != c.holds {
			t.Errorf("%s: %v", what, report.Problems)
		}
		for _, p := range report.Problems {
			if p.Version != header.Version || !strings.Contains(p.String(), "only read") {
				t.Errorf("%s: %s", what, p)
			}
		}
	}
}

// A server that died while it stored a record goes on with it.
func TestImportIsGoneOnWith(t *testing.T) {
	here, c := newWorld(t).start(), newWorld(t).start()
	here.fight("e", server)
	here.do(gm, "e", attackCmd("a", "b"))
	messages := here.messages(gm, "e")
	sequence := uint64(0)
	for _, m := range messages[:3] {
		o, err := event.Open(m.Commit)
		if err != nil {
			t.Fatal(err)
		}
		sequence = c.w.publish("e", hex.EncodeToString(o.Hash), m.Commit)
	}
	c.eventually("the part is there", func() bool {
		_, err := c.GetState(t.Context(), &encounterv1.GetStateRequest{As: gm, Encounter: "e"})
		if err != nil {
			t.Log(err)
		}
		return err == nil && sequence > 0
	})
	if _, err := c.bring(gm, "e", messages); err != nil {
		t.Fatal(err)
	}
	if s := c.state(gm, "e", 0); !s.State.Imported || s.Number != uint64(len(messages))+1 {
		t.Errorf("brought as %v", s)
	}
}

// Histories that stand on branches come with their record, also where a later ruling
// goes back into one, whose parts the export then gives twice.
func TestImportBringsBranches(t *testing.T) {
	w, c := newWorld(t), newWorld(t).start()
	w.inline = 600
	here := w.start()
	here.fight("e", either)
	for i := range 12 {
		if i == 6 {
			here.do(gm, "e", endTurnCmd("a"))
			here.do(gm, "e", endTurnCmd("b"))
		}
		here.do(gm, "e", attackCmd("a", "b", 50, 15, int32(2+i%3)))
	}
	here.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: 6, Rolls: []*eventv1.FixedRoll{{Label: "harm/damage", Faces: []int32{1}}}}))
	here.do(gm, "e", turnCmd)
	here.do(gm, "e", lastCmd)
	messages := here.messages(gm, "e")
	seen := map[string]int{}
	for _, m := range messages {
		if m.BranchPart != nil {
			seen[string(m.BranchPart.Data)]++
		}
	}
	twice := 0
	for _, n := range seen {
		if n > 1 {
			twice++
		}
	}
	if len(seen) < 3 || twice == 0 {
		t.Fatalf("the export holds %d parts, %d of them twice", len(seen), twice)
	}
	if _, err := c.bring(gm, "e", messages); err != nil {
		t.Fatal(err)
	}
	was := here.state(gm, "e", 0)
	if then := c.state(gm, "e", was.Number); !proto.Equal(then.State, was.State) || string(then.Transcript) != string(was.Transcript) {
		t.Errorf("it is %v, was %v", then.State, was.State)
	}
	if _, err := newWorld(t).start().bring(gm, "e", c.messages(gm, "e")); err != nil {
		t.Errorf("brought on: %v", err)
	}
}

// The packs of a record come with it, as far as they would be taken by themselves.
func TestImportBringsPacks(t *testing.T) {
	here, c := newWorld(t).start(), newWorld(t).start()
	data := house("fury", "1", 3)
	digest := here.put(data).Digest
	here.fightWith("e", "fury")
	here.do(gm, "e", blow(1, 15, 6))
	messages := here.messages(gm, "e")
	if _, err := c.bring(gm, "e", messages[1:]); reason(err) != "PACKS_MISSING" {
		t.Errorf("without its pack: %v", err)
	}
	if _, err := c.bring(gm, "e", messages); err != nil {
		t.Fatal(err)
	}
	if packs := c.list(gm); len(packs) != 1 || packs[0].Digest != digest {
		t.Errorf("the table has %v", packs)
	}
}
