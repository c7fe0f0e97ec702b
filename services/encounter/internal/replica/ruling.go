package replica

import (
	"fmt"
	"maps"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Link is a command that counts.
type Link struct {
	// Origin is the version at which the command was first given.
	Origin uint64
	// At is the version of the Commit that holds it: Origin, or the version of
	// the amendment that decided it again, and Index its place there.
	At    uint64
	Index int
	// Answers are the versions of the Commits with the answers that it met.
	Answers []uint64
	// Inserted: an amendment put it in; Origin is the version of that one.
	Inserted bool
}

// Held tells whether an amendment holds the command, and not a Commit of its own.
func (l Link) Held() bool { return l.At != l.Origin || l.Inserted }

// TurnMark is the Round of a mark where a turn began.
const TurnMark = -1

// Mark is where a round or a turn began.
type Mark struct {
	// Version of the Commit.
	Version uint64
	// Round number, or TurnMark.
	Round int32
}

// link adds a command to those that count. Answers belong to the command that
// asked; Commits without an action are the service's own.
func (r *Replica) link(c *event.Opened) {
	v := c.Header.Version
	switch n := len(r.Chain); {
	case c.Cause.Action == 0:
		return
	case r.Pending != nil && r.Pending.Action == c.Cause.Action && n > 0:
		r.Chain[n-1].Answers = append(slices.Clone(r.Chain[n-1].Answers), v)
		return
	}
	r.Chain = append(r.Chain, Link{Origin: v, At: v})
	r.Redo = nil
}

// rule carries out a ruling, if the Commit is one: the views become what they
// were, and the events of the Commit are folded onto that. It returns the
// version that the ruling begins from, 0 when there is no ruling.
func (r *Replica) rule(c *event.Opened, past Past, a *Applied) (uint64, error) {
	var rev *eventv1.Reverted
	var am *eventv1.Amended
	for _, e := range c.Events {
		if rev == nil {
			rev = e.GetReverted()
		}
		if am == nil {
			am = e.GetAmended()
		}
	}
	switch {
	case rev != nil:
		return rev.Version, r.revert(c, rev, am, past, a)
	case am != nil:
		return am.Base, r.amend(c, am, past, a)
	}
	return 0, nil
}

// revert goes back to a version, or into the midst of an amendment: to its base,
// and on by the part of it that stays.
func (r *Replica) revert(c *event.Opened, rev *eventv1.Reverted, stays *eventv1.Amended, past Past, a *Applied) error {
	if rev.Version == 0 || rev.Version > r.Version {
		return fmt.Errorf("%w: reverted to version %d of %d", event.ErrBroken, rev.Version, r.Version)
	}
	then, err := past(rev.Version)
	if err != nil {
		return err
	}
	redo := append(slices.Clone(r.Redo), r.Version)
	if rev.Redo && len(r.Redo) > 0 {
		redo = slices.Clone(r.Redo[:len(r.Redo)-1])
	}
	if rev.ByWhatCounts {
		r.ruledChain = r.Chain
	} else {
		r.ruledSince = rev.Version
	}
	r.become(then)
	r.fixedFor, r.ruledKept = rev.Told, rev.Kept
	r.Redo = redo
	r.NextAction, r.ThenActions = rev.NextAction, slices.Clone(rev.ThenActions)
	if stays != nil {
		if !rev.ByWhatCounts {
			r.ruledSince = stays.Version
		}
		if err := r.DecideAgain(c.Header, stays.Commands, a); err != nil {
			return err
		}
	}
	if r.Pending != nil {
		// order-free: each is set by itself
		for id := range r.Pending.Asked {
			r.Pending.Asked[id] = c.Header.UnixMillis // the question is put anew
		}
	}
	return nil
}

// amend folds the new history onto the state it begins from.
func (r *Replica) amend(c *event.Opened, am *eventv1.Amended, past Past, a *Applied) error {
	then, err := past(am.Base)
	if err != nil {
		return err
	}
	r.become(then)
	r.Redo = nil
	if err := r.DecideAgain(c.Header, am.Commands, a); err != nil {
		return err
	}
	r.Amended, r.AmendedLength = c.Header.Version, len(r.Chain)
	r.fixedFor, err = r.hearFixed(c, am)
	r.fixedFor = append(r.fixedFor, am.Told...)
	return err
}

// hearFixed names the views that hear a roll to which this amendment gave its
// faces: they are told so even where the faces are those that were rolled and
// their state stays what it was.
func (r *Replica) hearFixed(c *event.Opened, am *eventv1.Amended) ([]string, error) {
	cmd := &eventv1.Command{}
	if err := proto.Unmarshal(c.Cause.Command, cmd); err != nil {
		return nil, fmt.Errorf("%w: the command of an amendment: %v", event.ErrBroken, err)
	}
	if len(cmd.GetAmend().GetRolls()) == 0 {
		return nil, nil
	}
	mine := slices.DeleteFunc(slices.Clone(am.Commands), func(c *eventv1.Redecided) bool { return c.Origin != am.Version })
	fixed, err := FixedRolls(mine, c.Header)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range fixed {
		heard := event.Hear(r.State(), e)
		// order-free: a set of names
		for key, v := range r.Views {
			if heard.By(v.Principal) && !slices.Contains(out, key) {
				out = append(out, key)
			}
		}
	}
	return out, nil
}

// FixedRolls are the rolls of redecided commands to which a ruling gave faces by word;
// h is the header of the Commit that holds them.
func FixedRolls(commands []*eventv1.Redecided, h *eventv1.CommitHeader) ([]*eventv1.Event, error) {
	var out []*eventv1.Event
	for _, cmd := range commands {
		opened, err := OpenRedecided(cmd, h)
		if err != nil {
			return nil, err
		}
		for _, e := range opened.Events {
			if e.GetRoll().GetFixed() {
				out = append(out, e)
			}
		}
	}
	return out, nil
}

// DecideAgain folds redecided commands that the Commit of a header holds.
func (r *Replica) DecideAgain(h *eventv1.CommitHeader, commands []*eventv1.Redecided, a *Applied) error {
	version := h.Version
	for i, cmd := range commands {
		c, err := OpenRedecided(cmd, h)
		if err != nil {
			return err
		}
		r.Chain = append(r.Chain, Link{Origin: cmd.Origin, At: version, Index: i, Inserted: cmd.Inserted})
		r.took(cmd.Action) // an inserted one has an action of its own
		a.Drawn = append(a.Drawn, r.Draws.note(cmd.Action, c.Inputs.Inputs)...)
		r.pend(c)
		for _, e := range c.Events {
			r.fold(e, version)
		}
	}
	return nil
}

// took has the action numbers go on behind one that a command runs under.
func (r *Replica) took(action uint64) {
	switch n := len(r.ThenActions); {
	case n > 0 && action == r.NextAction:
		r.NextAction, r.ThenActions = r.ThenActions[0], r.ThenActions[1:]
	case n == 0:
		r.NextAction = max(r.NextAction, action+1)
	} // else it is in use already, by what others did
}

// FreshAction is the first action number behind those of all commands that count, and of
// those that ThenActions have done again.
func (r *Replica) FreshAction() uint64 {
	if n := len(r.ThenActions); n > 0 {
		return r.ThenActions[n-1]
	}
	return r.NextAction
}

// OpenRedecided makes a Commit of a redecided command under the header of the
// one that holds it, for folding.
func OpenRedecided(cmd *eventv1.Redecided, h *eventv1.CommitHeader) (*event.Opened, error) {
	c := &event.Opened{Header: h,
		Cause:  &eventv1.CommitCause{Command: cmd.Command, Action: cmd.Action, Principal: cmd.Caller, Ruled: cmd.Ruled},
		Inputs: &eventv1.CommitInputs{Suspended: cmd.Suspended}}
	for i, data := range cmd.Inputs {
		in := &eventv1.Input{}
		if err := proto.Unmarshal(data, in); err != nil {
			return nil, fmt.Errorf("%w: input %d of a redecided command: %v", event.ErrBroken, i, err)
		}
		c.Inputs.Inputs = append(c.Inputs.Inputs, in)
	}
	for i, data := range cmd.Events {
		e := &eventv1.Event{}
		if err := proto.Unmarshal(data, e); err != nil {
			return nil, fmt.Errorf("%w: event %d of a redecided command: %v", event.ErrBroken, i, err)
		}
		c.Events = append(c.Events, e)
	}
	return c, nil
}

// become takes over what another replica of the same encounter holds, save for
// what a ruling never touches: versions, request ids, the viewers' numbers, the
// epoch of the dice and the numbers of what was drawn.
func (r *Replica) become(then *Replica) {
	r.ruledFrom = r.Views
	views := map[string]*View{}
	// order-free: each view is made by itself
	for key, v := range r.Views {
		was := then.Views[key]
		if was == nil {
			was = then.Views[aggregate.ViewerEveryone] // the player had no view of its own yet
		}
		views[key] = &View{Principal: v.Principal, State: event.Clone(was.State), Versions: v.Versions, Transcript: v.Transcript}
		keepDice(views[key].State, v.State)
	}
	r.Views = views
	r.Chain, r.Marks, r.Pending = slices.Clone(then.Chain), slices.Clone(then.Marks), then.Pending.clone()
	r.LinkPages, r.MarkPages = slices.Clone(then.LinkPages), slices.Clone(then.MarkPages)
	r.Amended, r.AmendedLength = then.Amended, then.AmendedLength
}

// Clone copies a replica, so that one may go on while the other stays.
func (r *Replica) Clone() *Replica {
	out := *r
	out.requests, out.Redo, out.ThenActions = maps.Clone(r.requests), slices.Clone(r.Redo), slices.Clone(r.ThenActions)
	out.LinkPages, out.MarkPages = slices.Clone(r.LinkPages), slices.Clone(r.MarkPages)
	out.Chain, out.Marks, out.Pending = slices.Clone(r.Chain), slices.Clone(r.Marks), r.Pending.clone()
	out.Draws, out.Asides, out.Across = r.Draws.clone(), slices.Clone(r.Asides), slices.Clone(r.Across)
	out.Views = map[string]*View{}
	// order-free: a map is copied into a map
	for key, v := range r.Views {
		out.Views[key] = &View{Principal: v.Principal, State: event.Clone(v.State), Versions: slices.Clone(v.Versions), Transcript: v.Transcript}
	}
	return &out
}

// keepDice keeps the epoch of the dice: what is revealed stays revealed. What is
// contested stays contested.
func keepDice(into, from *eventv1.State) {
	event.KeepAside(into, from)
	event.KeepDice(into, from)
}

// changed names the views that the ruling changed, and counts it as something
// that those viewers saw: their state is another, something that they saw counts
// no more or again, or a roll that they hear was fixed. The game master always sees it.
func (r *Replica) changed(before map[string]*View, version uint64) []string {
	was, now := parted(r.ruledChain, r.Chain, version)
	if r.ruledKept {
		was, now = gone(was, now), nil
	}
	var out []string
	for key, v := range r.Views {
		old := before[key]
		if key != aggregate.ViewerGM && old != nil && slices.Equal(old.counts(was), old.counts(now)) && !(r.ruledSince > 0 && old.sawSince(r.ruledSince, r.Asides)) &&
			!slices.Contains(r.fixedFor, key) && proto.Equal(old.State, v.State) {
			v.Versions = old.Versions
			continue
		}
		v.sees(version)
		out = append(out, key)
	}
	slices.Sort(out)
	return out
}

// sawSince tells whether the viewer saw anything after a version that a ruling can
// take back.
func (v *View) sawSince(version uint64, asides []uint64) bool {
	for _, seen := range slices.Backward(v.Versions) {
		if seen <= version {
			return false
		}
		if _, aside := slices.BinarySearch(asides, seen); !aside {
			return true
		}
	}
	return false
}

// parted are two histories from where they part; none when the first is not known: an
// amendment says by itself who hears something else. What the Commit of a version holds is
// what stays of an amendment, as that held it.
func parted(was, now []Link, version uint64) ([]Link, []Link) {
	if was == nil {
		return nil, nil
	}
	n := 0
	same := func(a, b Link) bool {
		return a.Origin == b.Origin && (a.At == b.At || b.At == version) && a.Index == b.Index && slices.Equal(a.Answers, b.Answers)
	}
	for n < len(was) && n < len(now) && same(was[n], now[n]) {
		n++
	}
	return was[n:], now[n:]
}

// gone are the commands of one history that are not in another.
func gone(was, now []Link) []Link {
	left := map[uint64]bool{}
	for _, l := range now {
		left[l.Origin] = true
	}
	return slices.DeleteFunc(slices.Clone(was), func(l Link) bool { return left[l.Origin] })
}

// counts are the versions of which the viewer saw something, of commands that count. A
// ruling that decided a command again counts only for who saw the command and was told of
// the ruling: to the others the command is what it was. Who first heard of a command by a
// ruling is named by the one that takes it back (Reverted.told).
func (v *View) counts(chain []Link) []uint64 {
	var out []uint64
	saw := func(version uint64) bool {
		_, is := slices.BinarySearch(v.Versions, version)
		if is {
			out = append(out, version)
		}
		return is
	}
	for _, l := range chain {
		if saw(l.Origin) && l.At != l.Origin {
			saw(l.At)
		}
		for _, a := range l.Answers {
			saw(a)
		}
	}
	return out
}

func (p *Pending) clone() *Pending {
	if p == nil {
		return nil
	}
	return &Pending{Action: p.Action, Command: p.Command, Caller: p.Caller, Ruled: p.Ruled, Base: p.Base, Inputs: slices.Clone(p.Inputs),
		Published: slices.Clone(p.Published), Asked: maps.Clone(p.Asked)}
}
