package scenario

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rpc"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// Decided is everything that was decided in one step, with a digest of it.
type Decided struct {
	// Part is the number of the step, "0" for the setting up; "state", "options" and
	// "patients" are of the end.
	Part string
	// Title of the step.
	Title string
	// Digest of all that follows from the step, by the game master's eyes: every field
	// of every event, the refusal, the options asked for. "-" where it hangs on dice that
	// the server rolled.
	Digest string
	// Events, as the game master saw them.
	Events []*eventv1.Event
	// Options that were asked for, or that creatures have at the end.
	Options []*eventv1.Option
	// Err is the refusal, if it was one.
	Err error
}

// The parts of a scenario's end.
const (
	partState    = "state"
	partOptions  = "options"
	partPatients = "patients"
)

// digester puts together what one step decided.
type digester struct {
	*scrubber
	after  uint64 // number of the game master's last step that was digested, in this fight
	whose  string // turn it was after the step before
	chance bool   // the server rolled: from there on every run comes out otherwise
	all    []byte
}

func (d *digester) put(kind string, m proto.Message) {
	c := proto.Clone(m)
	d.message(c.ProtoReflect())
	d.word(kind, string(event.Canonical(c)))
}

func (d *digester) word(kind, text string) {
	d.all = fmt.Appendf(d.all, "%s %d\n%s\n", kind, len(text), text)
}

var digits = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// byChance is the digest of what hangs on dice that the server rolled.
const byChance = "-"

// rolled notes whether the server rolled.
func (d *digester) rolled(events []*eventv1.Event) {
	for _, e := range events {
		if roll := e.GetRoll(); roll != nil && len(roll.Faces) > int(roll.SuppliedFaces) && !roll.Fixed {
			d.chance = true
		}
	}
}

// sum is the digest of what was put, short: it is compared with one other alone.
func (d *digester) sum() string {
	if d.chance {
		d.all = d.all[:0]
		return byChance
	}
	sum := sha256.Sum256(d.all)
	d.all = d.all[:0]
	return digits.EncodeToString(sum[:])[:7]
}

// refusal puts what a refusal decides: its words may be put better.
func (d *digester) refusal(err error) {
	f := rpc.FromStatus(err)
	words := []string{codeWord(codeOf(err)), f.Reason, f.Rule}
	for _, v := range f.Violations {
		words = append(words, v.Field)
	}
	d.word("refused", d.text(strings.Join(words, "\n")))
}

// digest notes what the step under way decided.
func (r *run) digest(ctx context.Context, title string, out outcome) {
	if r.digester == nil || r.failed() {
		return
	}
	x := Decided{Part: fmt.Sprint(r.at.Step), Title: title, Err: out.err, Options: out.options}
	if err := r.digestSteps(ctx, &x); err != nil {
		r.fail("call", "asking for what was decided: %v", err)
		return
	}
	if len(x.Events) == 0 { // of patients between fights
		x.Events = out.events
		for _, e := range out.events {
			r.digester.put("event", e)
		}
	}
	r.digester.rolled(x.Events)
	if err := r.digestTurn(ctx); err != nil {
		r.fail("call", "asking for what was decided: %v", err)
		return
	}
	for _, o := range out.options {
		r.digester.put("option", o)
	}
	if out.err != nil {
		r.digester.refusal(out.err)
	}
	x.Digest = r.digester.sum()
	r.result.Decided = append(r.result.Decided, x)
}

// digestSteps takes in what the game master saw since the step before.
func (r *run) digestSteps(ctx context.Context, x *Decided) error {
	if !r.s.needsEncounter {
		return nil
	}
	for {
		page, err := r.clients.Encounter.GetHistory(ctx, &encounterv1.GetHistoryRequest{
			As: viewer("gm"), Table: r.table, Encounter: r.encounter, After: r.digester.after, Limit: 100})
		if err != nil {
			return err
		}
		for _, s := range page.Steps {
			r.digester.after = s.Number
			x.Events = append(x.Events, s.Events...)
			r.digester.put("step", s)
		}
		if !page.More || len(page.Steps) == 0 {
			return nil
		}
	}
}

// digestEnd notes where the scenario ends: the state of each fight, as the game master
// and as spectators know it, what each creature may do, and the records of patients.
func (r *run) digestEnd(ctx context.Context) {
	if r.digester == nil || r.failed() {
		return
	}
	err := r.digestPatients(ctx)
	if r.s.needsEncounter {
		err = errors.Join(r.digestState(ctx), r.digestOptions(ctx), err)
	}
	if err != nil {
		r.fail("call", "asking for what was decided: %v", err)
	}
}

func (r *run) digestState(ctx context.Context) error {
	last := r.encounter
	defer func() { r.encounter = last }()
	for i := range r.fights + 1 {
		if r.encounter = r.first; i > 0 {
			r.encounter = fmt.Sprintf("%s-%d", r.first, i+1)
		}
		for _, who := range []string{"gm", "spectator"} {
			resp, err := r.state(ctx, viewer(who))
			if err != nil {
				return err
			}
			r.digester.put(who, resp.State)
		}
	}
	r.end(partState, "the state at the end", nil)
	return nil
}

// digestTurn takes in what those may do whose turn has begun with the step.
func (r *run) digestTurn(ctx context.Context) error {
	if !r.s.needsEncounter {
		return nil
	}
	now, err := r.state(ctx, viewer("gm"))
	if err != nil {
		return err
	}
	whose := fmt.Sprint(r.encounter, now.State.Round, now.State.Active)
	if whose == r.digester.whose {
		return nil
	}
	r.digester.whose = whose
	for _, id := range now.State.Active {
		r.mayDo(ctx, "may", id)
	}
	return nil
}

// mayDo takes in what a creature may do, under a name, and returns it.
func (r *run) mayDo(ctx context.Context, name, creature string) []*eventv1.Option {
	resp, err := r.clients.Encounter.GetOptions(ctx, &encounterv1.GetOptionsRequest{As: viewer("gm"), Table: r.table,
		Encounter: r.encounter, Creature: creature})
	if err != nil {
		r.digester.refusal(err)
		return nil
	}
	for _, o := range resp.Options {
		r.digester.put(name, o)
	}
	return resp.Options
}

func (r *run) digestOptions(ctx context.Context) error {
	now, err := r.state(ctx, viewer("gm"))
	if err != nil {
		return err
	}
	var all []*eventv1.Option
	for _, id := range sortedKeys(now.State.Creatures) {
		all = append(all, r.mayDo(ctx, "option", id)...)
	}
	r.end(partOptions, "what each creature may do at the end", all)
	return nil
}

func (r *run) digestPatients(ctx context.Context) error {
	if len(r.s.Patients) == 0 {
		return nil
	}
	for _, p := range r.s.Patients {
		resp, err := r.clients.Injury.GetPatient(ctx, &injuryv1.GetPatientRequest{Table: r.table, Patient: p.ID, As: viewer("gm")})
		if err != nil {
			r.digester.refusal(err)
			continue
		}
		r.digester.put("patient", resp.Patient)
	}
	r.end(partPatients, "the records of patients at the end", nil)
	return nil
}

func (r *run) end(part, title string, options []*eventv1.Option) {
	r.result.Decided = append(r.result.Decided, Decided{Part: part, Title: title, Digest: r.digester.sum(), Options: options})
}
