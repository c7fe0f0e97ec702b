package injury_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/dice"
	tapes "github.com/skaldrpg/skald/pkg/dice/tape"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	"github.com/skaldrpg/skald/services/injury"
)

func (w *world) explain(as *eventv1.Principal, id string, entry uint64) *injuryv1.ExplainDeedResponse {
	w.t.Helper()
	reply, err := w.client.ExplainDeed(w.ctx(), &injuryv1.ExplainDeedRequest{Table: "t1", Patient: id, As: as, Entry: entry})
	if err != nil {
		w.t.Fatal(err)
	}
	return reply
}

func (w *world) export(as *eventv1.Principal, id string) []*injuryv1.RecordLine {
	w.t.Helper()
	stream, err := w.client.ExportPatient(w.ctx(), &injuryv1.ExportPatientRequest{Table: "t1", Patient: id, As: as})
	if err != nil {
		w.t.Fatal(err)
	}
	var out []*injuryv1.RecordLine
	for {
		resp, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			w.t.Fatal(err)
		}
		out = append(out, resp.Line)
	}
}

func texts(x *injuryv1.ExplainDeedResponse) string {
	var b strings.Builder
	for _, e := range x.Events {
		for _, l := range e.Lines {
			b.WriteString(l.Text + "\n")
		}
	}
	return b.String()
}

// An entry is explained with its faces, by whom and what was said; who may not know of
// the command is told what it saw.
func TestExplainDeed(t *testing.T) {
	w := newWorld(t)
	w.enrol("jeera", 20, "ann")
	w.enrol("kesh", 20, "bob")
	w.harm("kesh", 10)
	w.tend(w.deed(ann, &eventv1.PatientCommand{Deed: "treat", Patients: []string{"kesh"}, User: "jeera"}))
	last := w.history(gm, "kesh", 0, 0).Entries
	roll := rolls(last[len(last)-1].Events)
	if len(roll) != 1 {
		t.Fatalf("the deed rolled %v", roll)
	}
	for _, as := range []*eventv1.Principal{gm, ann} {
		x := w.explain(as, "kesh", 0)
		if x.Deed != "treat" || x.By.GetName() != "ann" || !slices.Contains(x.Inputs, "by: jeera") {
			t.Errorf("%v: %v by %v, %q", as, x.Deed, x.By, x.Inputs)
		}
		if got := texts(x); !strings.Contains(got, "d4 shows ") || !strings.Contains(got, "dice come to ") {
			t.Errorf("%v: %s", as, got)
		}
	}
	if x := w.explain(gm, "kesh", 0); !slices.ContainsFunc(x.Inputs, func(s string) bool { return strings.HasPrefix(s, "drawn: 1d4 as ") }) {
		t.Errorf("the game master is not told what was drawn: %q", x.Inputs)
	}
	if x := w.explain(ann, "kesh", 0); slices.ContainsFunc(x.Inputs, func(s string) bool { return strings.HasPrefix(s, "drawn") }) {
		t.Errorf("a player is told of all that was drawn: %q", x.Inputs)
	}
	x := w.explain(bob, "kesh", 0) // his creature was treated by somebody else
	if x.By != nil || len(x.Inputs) > 0 || len(x.Events) == 0 {
		t.Errorf("bob is told %v, %q, %d events", x.By, x.Inputs, len(x.Events))
	}
	_, err := w.client.ExplainDeed(w.ctx(), &injuryv1.ExplainDeedRequest{Table: "t1", Patient: "kesh", As: gm, Entry: 99})
	wantFault(t, err, fault.NotFound, "UNKNOWN_ENTRY")
	_, err = w.client.ExplainDeed(w.ctx(), &injuryv1.ExplainDeedRequest{Table: "t1", Patient: "nobody", As: gm})
	wantFault(t, err, fault.NotFound, "UNKNOWN_PATIENT")
}

// What the game master does in secret changes nothing in what anybody else is given:
// not the explanation, not the export, not its size.
func TestSecretDeedsDoNotShowInExports(t *testing.T) {
	given := func(secret bool) map[string][]byte {
		w := newWorld(t)
		w.stop()
		w.cfg.Clock = func() time.Time { return time.UnixMilli(1_700_000_000_000) }
		w.start()
		w.enrol("jeera", 20, "ann")
		w.harm("jeera", 5)
		w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "treat", Patients: []string{"jeera"}, User: "jeera"}))
		if secret {
			w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "curse", Patients: []string{"jeera"}}))
			w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "curse", Patients: []string{"jeera"}}))
		}
		out := map[string][]byte{}
		for name, as := range map[string]*eventv1.Principal{"ann": ann, "bob": bob, "spectator": spectator} {
			for _, line := range w.export(as, "jeera") {
				if line.GetCommit() != nil || line.GetPack() != nil {
					t.Errorf("%s is given %v", name, line)
				}
				data, err := proto.MarshalOptions{Deterministic: true}.Marshal(line)
				if err != nil {
					t.Fatal(err)
				}
				out[name] = append(out[name], data...)
			}
			data, err := proto.MarshalOptions{Deterministic: true}.Marshal(w.explain(as, "jeera", 0))
			if err != nil {
				t.Fatal(err)
			}
			out[name] = append(out[name], data...)
		}
		if lines := w.export(gm, "jeera"); secret != (len(lines) == 7) {
			t.Errorf("the game master's export has %d lines", len(lines))
		}
		return out
	}
	with, without := given(true), given(false)
	for name := range with {
		if !bytes.Equal(with[name], without[name]) {
			t.Errorf("%s can tell the worlds apart", name)
		}
	}
	if len(with["ann"]) == 0 || bytes.Equal(with["ann"], with["bob"]) {
		t.Error("ann is given no more than bob")
	}
}

// The seeds of a revealed epoch go to whoever saw its rolls, they are what was committed
// to, the faces follow from them, and the next deed rolls with other dice.
func TestReveal(t *testing.T) {
	w := withRealDice(t)
	w.enrol("jeera", 20, "ann")
	w.enrol("kesh", 20, "bob")
	w.harm("kesh", 10)
	treat := func() *eventv1.Roll {
		return rolls(w.tend(w.deed(ann, &eventv1.PatientCommand{Deed: "treat", Patients: []string{"kesh"}, User: "jeera"})).Events)[0]
	}
	rolled := treat()
	w.refused(w.deed(ann, &eventv1.PatientCommand{Deed: "reveal", Patients: []string{"kesh"}}), fault.Denied, "GM_ONLY")
	dry := w.deed(gm, &eventv1.PatientCommand{Deed: "reveal", Patients: []string{"kesh"}})
	dry.Preview = true
	if _, err := w.client.Tend(w.ctx(), dry); err == nil {
		t.Error("a dry run gives seeds away")
	}
	w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "reveal", Patients: []string{"kesh"}}))
	seeds := func(as *eventv1.Principal) map[string][]byte {
		out := map[string][]byte{}
		for _, e := range w.history(as, "kesh", 0, 0).Entries {
			for _, ev := range e.Events {
				if r := ev.GetDiceRevealed(); r != nil {
					out[r.Branch] = r.Seed
				}
			}
		}
		return out
	}
	for name, tt := range map[string]struct {
		as   *eventv1.Principal
		want []string
	}{
		"gm": {gm, []string{"creature/jeera", "creature/kesh", "everyone", "gm"}}, "ann": {ann, []string{"creature/jeera", "everyone"}},
		"bob": {bob, []string{"creature/kesh", "everyone"}}, "spectator": {spectator, []string{"everyone"}},
	} {
		var got []string
		for branch := range seeds(tt.as) {
			got = append(got, branch)
		}
		slices.Sort(got)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s is told the seeds of %v, not of %v", name, got, tt.want)
		}
	}
	seed := tapes.Seed(seeds(ann)["creature/jeera"])
	commitment := tapes.CommitmentOf(tapes.FormatBranch, tapes.Audience("creature/jeera"), seed)
	for _, e := range w.history(ann, "kesh", 0, 0).Entries {
		for _, ev := range e.Events {
			for _, c := range ev.GetDiceEpoch().GetCommitments() {
				if ev.GetDiceEpoch().Epoch == 1 && c.Branch == "creature/jeera" && !bytes.Equal(c.Commitment, commitment[:]) {
					t.Error("the seed is not what was committed to")
				}
			}
		}
	}
	face := tapes.Recorded{Purpose: tapes.Real, Expr: rolled.Expression, Address: tapes.Address{Encounter: "patient:kesh", Epoch: 1, Action: rolled.Action, Label: rolled.Label, Index: rolled.Index}}
	for i, d := range rolled.Dice {
		face.Faces = append(face.Faces, dice.Face{Sides: int(d.Sides), Face: int(rolled.Faces[i])})
	}
	if r, err := tapes.VerifyBranch(tapes.FormatBranch, "creature/jeera", seed, commitment, nil, []tapes.Recorded{face}); err != nil || r.Faces != 1 || len(r.Differences) > 0 {
		t.Errorf("the face does not follow from the seed: %v %v", r, err)
	}
	w.harm("kesh", 3)
	if next := treat(); next.Epoch != 2 {
		t.Errorf("the next roll is of epoch %d", next.Epoch)
	}
	w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "reveal", Patients: []string{"kesh"}}))
}

// A patient's record is decided again by itself, but for what touched others: that is
// counted, and not called checked.
func TestOnePatientIsDecidedAgain(t *testing.T) {
	w := newWorld(t)
	w.enrol("jeera", 20, "ann")
	w.enrol("kesh", 20, "bob")
	w.harm("jeera", 9)
	w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "treat", Patients: []string{"jeera"}, User: "jeera"}))
	w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "treat", Patients: []string{"jeera"}, User: "kesh"}))
	w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "revert", Patients: []string{"jeera"}}))
	w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "pass-time", Patients: []string{"jeera"}, Parameters: params(t, map[string]any{"hours": 2})}))
	v, err := injury.NewVerifier(injury.VerifierConfig{Systems: w.cfg.Systems, Dir: t.TempDir(), Alone: true})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close() //nolint:errcheck // a temporary folder
	for _, line := range w.export(gm, "jeera") {
		if data := line.GetCommit(); data != nil {
			o, err := event.Open(data)
			if err != nil {
				t.Fatal(err)
			}
			if err := v.Deed(t.Context(), []injury.Stored{{Opened: o, Data: data}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if r := v.Report(); len(r.Problems) > 0 || r.Commits != 6 || r.Elsewhere != 1 || r.Decided != 5 || r.Whole() {
		t.Errorf("%+v", r)
	}
}
