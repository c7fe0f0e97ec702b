package engine

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/recent"
	"github.com/skaldrpg/skald/pkg/rules"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// record is a command that counts, as it was decided.
type record struct {
	origin  uint64
	command *eventv1.Command
	action  uint64
	inputs  []*eventv1.Input
	caller  *eventv1.Principal  // who gave it
	ruled   *eventv1.TakeAction // what rulings state for it
	stored  *eventv1.Redecided  // as an earlier amendment holds it, if one does
	events  []*eventv1.Event    // that came of it
	waits   bool                // for decisions
	forced  bool                // by an earlier amendment
	put     bool                // in between two commands, by this amendment or an earlier one
}

// plan is an amendment worked out.
type plan struct {
	base     uint64
	begin    *eventv1.State // at base; read only
	first    int            // place in the chain that the new history begins at
	changed  uint64         // the version that names the command that is changed or put in
	state    *eventv1.State
	before   []uint64 // origins of the commands before those
	commands []*eventv1.Redecided
	decided  int // commands decided again
	troubles []*encounterv1.Trouble
	pending  bool // the last command waits for decisions
	numbers  *numbering
	fresh    []*encounterv1.FreshRoll // rolls made anew, in a preview
	drew     bool                     // a real face was drawn: nothing is refused any more
	notes    []string                 // what could not be refused any more
	cut      bool                     // the new history ends here: what comes later is dropped

	leaves bool                         // somebody was taken off the field, or the fight ended, by a command decided again
	asLeft map[uint64]*eventv1.Creature // creatures as commands took them off the field, by origin
	halted uint64                       // origin of the coming in of a patient that cannot be decided yet; 0 for none
}

// chain are the commands that count after the amendment.
func (p *plan) chain() []uint64 {
	out := slices.Clone(p.before)
	for _, c := range p.commands {
		if !c.Inserted { // no patient comes in by one, and it may have no Commit yet
			out = append(out, c.Origin)
		}
	}
	return out
}

func indexed(field string, i int) string { return field + "[" + strconv.Itoa(i) + "]" }

// planning says how an amendment is worked out.
type planning struct {
	purpose dicev1.Purpose
	// waits tells of the coming in of a patient whether it is not known yet with what;
	// nil when all is.
	waits func(p *plan, rec *record) bool
}

// planned works out what changing a past command comes to. Faces come from the record;
// at addresses that were never met, from the tape.
func (e *Engine) planned(ctx context.Context, f *Fight, sys rules.System, ruling *eventv1.Command, how planning) (*plan, error) {
	purpose, waits := how.purpose, how.waits
	r, am := f.replica, ruling.GetAmend()
	k, err := e.placeOf(ctx, f, am)
	if err != nil {
		return nil, err
	}
	first, base, err := e.begin(ctx, f, k)
	if err != nil {
		return nil, err
	}
	p := &plan{drew: am.Drew, base: base.Version, begin: base.State(), first: first, changed: am.Version,
		state: withDice(base.State(), r.State()), before: origins(base.Chain), numbers: newNumbering(&r.Draws), asLeft: map[uint64]*eventv1.Creature{}}
	for i := first; i < len(r.Chain); i++ {
		if err := ctx.Err(); err != nil {
			return nil, fault.Wrap(fault.Unavailable, "CANCELLED", err, "called off after %d of %d commands; nothing has changed", i-first, len(r.Chain)-first)
		}
		progress(ctx, f, encounterv1.Progress_PHASE_DECIDING, i-first, len(r.Chain)-first, i == first)
		if i == k && am.InsertAfter > 0 {
			if err := e.insert(ctx, f, sys, p, ruling, purpose); err != nil {
				return nil, err
			}
			if len(p.troubles) > 0 && purpose == dicev1.Purpose_PURPOSE_REAL {
				return p, nil
			}
		}
		rec, err := e.recordOf(ctx, f, r.Chain[i])
		if err != nil {
			return nil, err
		}
		if i < k { // the unchanged part of an earlier amendment
			if err := p.keep(rec); err != nil {
				return nil, err
			}
			continue
		}
		if p.cut {
			p.note("step %d is dropped: the command before it waits for an answer", rec.origin)
			continue
		}
		p.leaves = p.leaves || rec.command.GetRemove() != nil || rec.command.GetEnd() != nil
		if waits != nil && waits(p, rec) {
			p.halted = rec.origin
			return p, nil
		}
		if in := enteredAt(am, rec.origin); in != nil {
			rec.command = &eventv1.Command{What: &eventv1.Command_Add{Add: in}, Answers: rec.command.Answers, Faces: rec.command.Faces, RollMode: rec.command.RollMode}
		}
		d := &redeciding{e: e, f: f, sys: sys, p: p, rec: rec, am: &eventv1.AmendCommand{
			Resolve: am.Resolve, TakeDefaults: am.TakeDefaults, DropIllegal: am.DropIllegal, ForceIllegal: am.ForceIllegal},
			last: i == len(r.Chain)-1, purpose: purpose}
		if i == k && am.InsertAfter == 0 && len(am.Entered) == 0 {
			d.amended, d.ruling, d.am = true, ruling, am
		}
		if err := d.decide(ctx); err != nil {
			return nil, err
		}
		if len(p.troubles) > 0 && purpose == dicev1.Purpose_PURPOSE_REAL {
			return p, nil // before any later command draws a face
		}
	}
	return p, nil
}

// placeOf finds the place in the chain that an amendment is about: that of the
// command that it changes, or the one before which it puts a command in.
func (e *Engine) placeOf(ctx context.Context, f *Fight, am *eventv1.AmendCommand) (int, error) {
	field, version := "command.amend.version", am.Version
	if am.InsertAfter > 0 {
		field, version = "command.amend.insert_after", am.InsertAfter
	}
	chain := f.replica.Chain
	k := slices.IndexFunc(chain, func(l replica.Link) bool { return l.Origin == version })
	if am.InsertAfter > 0 {
		k = behind(chain, version)
	}
	switch {
	case k < 0:
		return 0, e.noCommand(ctx, f, field, version)
	case am.InsertAfter > 0 && k == len(chain)-1:
		return 0, fault.Field(field, "nothing came after step %d: give the command itself", version)
	case am.InsertAfter > 0:
		return k + 1, nil
	case k == 0:
		return 0, fault.Field(field, "the encounter's creation cannot be amended")
	}
	return k, nil
}

// behind is the place of the command that something is put in behind: the one of a step,
// or the one that the step answered; -1 when there is none.
func behind(chain []replica.Link, version uint64) int {
	return slices.IndexFunc(chain, func(l replica.Link) bool { return l.Origin == version || slices.Contains(l.Answers, version) })
}

// insert decides the command that an amendment puts in, under an action of its own.
func (e *Engine) insert(ctx context.Context, f *Fight, sys rules.System, p *plan, ruling *eventv1.Command, purpose dicev1.Purpose) error {
	p.changed = f.replica.Version + 1
	d := &redeciding{e: e, f: f, sys: sys, p: p, amended: true, ruling: ruling, am: ruling.GetAmend(), purpose: purpose,
		rec: &record{origin: p.changed, command: &eventv1.Command{}, action: f.replica.NextAction, put: true}}
	return d.decide(ctx)
}

// noCommand says why a version is nothing that can be amended.
func (e *Engine) noCommand(ctx context.Context, f *Fight, field string, version uint64) error {
	r := f.replica
	if version == 0 || version > r.Version {
		return fault.Field(field, "must be 2 to %d", r.Version)
	}
	for _, l := range r.Chain {
		if slices.Contains(l.Answers, version) {
			return fault.Field(field, "step %d is an answer that the command of step %d met; amend that one with other answers", version, l.Origin)
		}
	}
	entry, err := e.entry(ctx, f, version)
	if err != nil {
		return err
	}
	cmd := &eventv1.Command{}
	if err := proto.Unmarshal(entry.Commit.Cause.Command, cmd); err != nil {
		return err
	}
	switch {
	case ruling(cmd):
		return fault.Field(field, "step %d is a ruling itself; revert it, or amend the command that it was about", version)
	case entry.Commit.Cause.Action == 0:
		return fault.Field(field, "step %d is no command", version)
	}
	return fault.Field(field, "step %d was taken back by a ruling and does not count", version)
}

// begin finds where the new history begins: the state before the command, or
// before the amendment that holds it.
func (e *Engine) begin(ctx context.Context, f *Fight, k int) (first int, base *replica.Replica, err error) {
	link := f.replica.Chain[k]
	first = k
	version := link.Origin - 1
	if link.Held() {
		for first > 0 && f.replica.Chain[first-1].At == link.At {
			first--
		}
		am, err := e.amendedAt(ctx, f, link.At)
		if err != nil {
			return 0, nil, err
		}
		version = am.Base
	}
	base, err = e.cfg.Loader.LoadAt(ctx, f.table, f.id, version)
	return first, base, err
}

// amendment names an amendment.
type amendment struct {
	of      aggregate.Name
	version uint64
}

// Amendments that are kept because each of their commands is about to be asked for:
// how many, in how many bytes, and for how long.
const (
	amendmentsKept  = 4
	amendmentsBytes = 64 << 20
	amendmentsAge   = time.Minute
)

func newAmendments(now func() time.Time) *recent.Cache[amendment, *eventv1.Amended] {
	return recent.NewCache(recent.Bounds[amendment, *eventv1.Amended]{Count: amendmentsKept, Bytes: amendmentsBytes, Age: amendmentsAge, Now: now,
		Size: func(_ amendment, am *eventv1.Amended) int64 { return 2 * int64(proto.Size(am)) }})
}

// amendedAt reads the amendment that a version holds. It must only be read.
func (e *Engine) amendedAt(ctx context.Context, f *Fight, version uint64) (*eventv1.Amended, error) {
	key := amendment{f.name, version}
	if am, ok := e.amendments.Get(key); ok {
		return am, nil
	}
	entry, err := e.entry(ctx, f, version)
	if err != nil {
		return nil, err
	}
	for _, ev := range entry.Commit.Events {
		if am := ev.GetAmended(); am != nil {
			e.amendments.Put(key, am)
			return am, nil
		}
	}
	return nil, fault.New(fault.Internal, "NO_AMENDMENT", "version %d holds no amendment", version)
}

func (e *Engine) entry(ctx context.Context, f *Fight, version uint64) (*Entry, error) {
	if got, ok := f.Recent(version, 1); ok && len(got) == 1 {
		return got[0], nil
	}
	got, err := e.cfg.Loader.Entries(ctx, f.table, f.id, version, version)
	if err != nil {
		return nil, err
	}
	return got[0], nil
}

// recordOf reads a command that counts, with every input that it took.
func (e *Engine) recordOf(ctx context.Context, f *Fight, l replica.Link) (*record, error) {
	rec := &record{origin: l.Origin, command: &eventv1.Command{}, put: l.Inserted}
	var command []byte
	take := func(c *event.Opened) {
		rec.inputs, rec.waits = append(rec.inputs, c.Inputs.Inputs...), c.Inputs.Suspended
		rec.events = append(rec.events, c.Events...)
	}
	if !l.Held() {
		entry, err := e.entry(ctx, f, l.Origin)
		if err != nil {
			return nil, err
		}
		command, rec.action, rec.caller = entry.Commit.Cause.Command, entry.Commit.Cause.Action, entry.Commit.Cause.Principal
		take(entry.Commit)
	} else {
		am, err := e.amendedAt(ctx, f, l.At)
		if err != nil {
			return nil, err
		}
		rec.stored = am.Commands[l.Index]
		rec.forced = rec.stored.Forced
		c, err := replica.OpenRedecided(rec.stored, &eventv1.CommitHeader{Version: l.At})
		if err != nil {
			return nil, err
		}
		command, rec.action, rec.caller = c.Cause.Command, c.Cause.Action, c.Cause.Principal
		if rec.ruled, err = replica.Stated(c.Cause.Ruled); err != nil {
			return nil, err
		}
		take(c)
	}
	if err := proto.Unmarshal(command, rec.command); err != nil {
		return nil, err
	}
	for _, v := range l.Answers {
		entry, err := e.entry(ctx, f, v)
		if err != nil {
			return nil, err
		}
		take(entry.Commit)
		rec.stored = nil // it goes beyond what the amendment holds
	}
	return rec, nil
}

// note remembers what could not be refused any more.
func (p *plan) note(format string, args ...any) {
	p.notes = append(p.notes, fmt.Sprintf(format, args...))
}

// keep takes a command of an earlier amendment over as it is.
func (p *plan) keep(rec *record) error {
	if rec.stored == nil {
		return fault.New(fault.Internal, "NO_AMENDMENT", "the command of version %d is not in its amendment", rec.origin)
	}
	event.FoldAll(p.state, rec.events)
	p.commands = append(p.commands, rec.stored)
	return nil
}

// amend makes the Commit of an amendment, and those of the records and fights into
// which it goes on.
func (e *Engine) amend(ctx context.Context, f *Fight, sys rules.System, req Request) (*draft, error) {
	// What is wrong with a ruling is found with the preview's dice: no face that
	// counts has been drawn then, and none is betrayed by the refusal.
	first := dicev1.Purpose_PURPOSE_PREVIEW
	if e.cfg.Recorded {
		first = dicev1.Purpose_PURPOSE_REAL
	}
	g, err := e.goesOn(ctx, f, sys, req, first)
	if err != nil {
		return nil, err
	}
	if g.spent != nil {
		return nil, g.spent
	}
	if err := g.accepted(); err != nil {
		return nil, err
	}
	if len(g.troubles) > 0 {
		return nil, inTrouble(g.troubles)
	}
	if len(g.fresh) > 0 {
		if g, err = e.goesOn(ctx, f, sys, req, dicev1.Purpose_PURPOSE_REAL); err != nil {
			return nil, err
		}
		if len(g.troubles) > 0 {
			return nil, inTrouble(g.troubles)
		}
	}
	return g.draft()
}

// amended makes the Commit of a plan; across are the records that it is part of, none
// when that is this one alone.
func (e *Engine) amended(ctx context.Context, f *Fight, p *plan, cmd *eventv1.Command, across []*eventv1.RulingPart) (*draft, error) {
	am := cmd.GetAmend()
	if err := maxAmendment(p); err != nil {
		return nil, err
	}
	opened, err := e.openDice(ctx, f, p.state, p.state.Commitments)
	if err != nil {
		return nil, err
	}
	told, err := e.told(ctx, f, p)
	if err != nil {
		return nil, err
	}
	ev := &eventv1.Amended{Version: p.changed, Reason: am.Reason, Base: p.base, Commands: p.commands, Notes: p.notes, Contest: am.Contest, Told: told, Across: across}
	if e.long(ev) {
		if err := e.branched(ctx, f, ev); err != nil {
			return nil, err
		}
	}
	events := append([]*eventv1.Event{event.New(event.GM(), ev)}, closedBy(f.replica.State(), p.state)...)
	return newDraft(cmd, 0, nil, append(events, opened...), p.pending, nil)
}

// inTrouble refuses an amendment that later commands stand in the way of.
func inTrouble(troubles []*encounterv1.Trouble) error {
	t := troubles[0]
	if len(troubles) == 1 {
		return fault.Refuse("AMENDMENT_IN_TROUBLE", t.Rule, "step %d stands in the way (%s): preview the ruling and drop, force or answer it", t.Version, t.Message)
	}
	return fault.Refuse("AMENDMENT_IN_TROUBLE", t.Rule, "%d things stand in the way, first step %d (%s): preview the ruling and drop, force or answer them", len(troubles), t.Version, t.Message)
}
