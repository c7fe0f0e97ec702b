package encounter_test

import (
	"errors"
	"io"
	"strconv"
	"testing"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/journal"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/verify"
)

// ruledOn is how many attacks the fight has that is ruled on.
const ruledOn = 1000

// BenchmarkRuling is what a table asks of a fight of a thousand attacks: each figure
// with its floor, a raw read of the fight's Commits from the log, opened, in the same
// run; for an import it is that each Commit is published by itself. Faces are on record, so that no dry run rolls.
func BenchmarkRuling(b *testing.B) {
	w := newWorld(b)
	c := w.start()
	c.fight("e", server)
	for range ruledOn {
		c.do(gm, "e", early(takeCmd("a", "attack", "b"), "parry", "no", "endure", "no"))
	}
	amend := amendCmd(&eventv1.AmendCommand{Version: 5, Rolls: []*eventv1.FixedRoll{{Label: "harm/damage", Faces: []int32{1}}}})
	read := func(b *testing.B) {
		n := 0
		err := w.journal.Read(b.Context(), "skald.0.main.encounter.e", 1, 0, func(rec journal.Record) error {
			n++
			_, _, err := aggregate.Open(rec)
			return err
		})
		if err != nil || n < ruledOn {
			b.Fatal(n, err)
		}
	}
	per := func(name string, do func(b *testing.B)) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				do(b)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/ruledOn, "us/command")
		})
	}
	per("floor: read and open", read)
	per("dry run", func(b *testing.B) {
		if _, err := c.PreviewRuling(b.Context(), &encounterv1.PreviewRulingRequest{As: gm, Encounter: "e", Command: amend}); err != nil {
			b.Fatal(err)
		}
	})
	per("amendment, and taken back", func(b *testing.B) {
		c.do(gm, "e", amend)
		c.do(gm, "e", lastCmd)
	})
	per("export", func(b *testing.B) {
		stream, err := c.Export(b.Context(), &encounterv1.ExportRequest{As: gm, Encounter: "e"})
		for err == nil {
			_, err = stream.Recv()
		}
		if !errors.Is(err, io.EOF) {
			b.Fatal(err)
		}
	})
	messages := c.messages(gm, "e")
	var commits [][]byte
	for _, m := range messages {
		if m.Commit != nil {
			commits = append(commits, m.Commit)
		}
	}
	per("verify", func(b *testing.B) {
		r, err := verify.Commits(b.Context(), verify.Config{Systems: w.systems}, commits)
		if err != nil || len(r.Problems) > 0 || r.Decided < ruledOn {
			b.Fatal(r, err)
		}
	})
	per("floor: publish", func(b *testing.B) {
		b.StopTimer()
		elsewhere := newWorld(b)
		b.StartTimer()
		last := uint64(0)
		for i, data := range commits {
			var err error
			if last, err = elsewhere.journal.Append(b.Context(), journal.Message{Subject: "skald.0.main.raw.e", ID: strconv.Itoa(i), Data: data, Expected: last}); err != nil {
				b.Fatal(err)
			}
		}
	})
	per("import", func(b *testing.B) {
		b.StopTimer()
		there := newWorld(b).start()
		b.StartTimer()
		for at := 0; at < len(messages); {
			n := min(200, len(messages)-at)
			if _, err := there.Import(b.Context(), &encounterv1.ImportRequest{As: gm, Encounter: "e", After: uint64(at), Messages: messages[at : at+n], Last: at+n == len(messages)}); err != nil { //nolint:gosec // an index
				b.Fatal(err)
			}
			at += n
		}
	})
	b.Run("preview of a command", func(b *testing.B) {
		what := encounterv1.NewWhatIfServiceClient(c.conn)
		for b.Loop() {
			if _, err := what.Preview(b.Context(), &encounterv1.PreviewRequest{As: gm, Encounter: "e", Command: takeCmd("a", "attack", "b")}); err != nil {
				b.Fatal(err)
			}
		}
	})
	at := uint64(5)
	b.Run("state at a step", func(b *testing.B) {
		for b.Loop() {
			at = 5 + (at*7919)%ruledOn
			c.state(gm, "e", at)
		}
	})
}

// BenchmarkRulingOnward is a ruling that goes on through a patient's record and two
// later fights of a hundred attacks each, its dry run and the ruling itself.
func BenchmarkRulingOnward(b *testing.B) {
	w := newWorld(b)
	c := w.start()
	enrol := &injuryv1.TendRequest{RequestId: "enrol", As: gm, System: "toy", Command: &eventv1.Command{What: &eventv1.Command_Patient{
		Patient: &eventv1.PatientCommand{Deed: "enrol", Sheet: &eventv1.Sheet{Id: "c", Name: "c", Side: "c", HitPoints: 10_000}}}}}
	if _, err := w.records.Tend(b.Context(), enrol); err != nil {
		b.Fatal(err)
	}
	for _, id := range []string{"e", "f", "g"} {
		c.do(gm, id, createCmd(server))
		c.do(gm, id, addCmd("a", 1000, "ann"))
		c.do(gm, id, addCmd("b", 1000, "bob"))
		c.do(gm, id, patientCmd("c", "c"))
		c.do(gm, id, &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
		for range 100 {
			c.do(gm, id, early(takeCmd("a", "attack", "c"), "parry", "no", "endure", "no"))
		}
		c.do(gm, id, endCmd)
	}
	drop := amendCmd(&eventv1.AmendCommand{Version: 6, Drop: true})
	b.Run("dry run", func(b *testing.B) {
		for b.Loop() {
			dry, err := c.PreviewRuling(b.Context(), &encounterv1.PreviewRulingRequest{As: gm, Encounter: "e", Command: drop})
			if err != nil || len(dry.Onward) != 3 {
				b.Fatal(dry.GetOnward(), err)
			}
		}
	})
	b.Run("made, and taken back", func(b *testing.B) {
		for b.Loop() {
			c.do(gm, "e", drop)
			c.do(gm, "e", lastCmd)
		}
	})
}
