// Package replica is one encounter in memory: the fold of its Commits for the
// game master and for every viewer, with what executing the next command needs.
// The command path and the projection both fold by it, so that there is one
// way from a Commit to a state.
//
// Invariants:
//
//   - I1: a replica changes only by Apply, one Commit after the other.
//   - I2: Apply refuses a Commit that does not follow the one before (version,
//     hash); nothing is skipped silently.
//   - I3: a view is the fold of the events its viewer may hear, and nothing else;
//     after a ruling it is the fold of those of the history that counts.
//
// It must never know rules, gRPC or a store.
package replica

import (
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// View is one viewer's fold.
type View struct {
	// Principal whose view it is.
	Principal *eventv1.Principal
	// State is the fold; only Apply changes it.
	State *eventv1.State
	// Versions lists the versions in which the viewer saw something: the
	// viewer's number n is at index n-1.
	Versions []uint64
	// Transcript is over all that the viewer was told (attest.Next); nil before the
	// first step.
	Transcript []byte
}

// Pending is an action that waits for decisions.
type Pending struct {
	// Action number.
	Action uint64
	// Command that began it, marshalled.
	Command []byte
	// Caller is who gave it.
	Caller *eventv1.Principal
	// Ruled is what rulings state for it: a TakeAction, marshalled.
	Ruled []byte
	// Base is the state before it.
	Base *eventv1.State
	// Inputs taken so far, answers included.
	Inputs []*eventv1.Input
	// Published events so far.
	Published []*eventv1.Event
	// Asked is when each open decision was stored, milliseconds since 1970, by id.
	Asked map[string]int64
}

// Replica is an encounter.
type Replica struct {
	// Head is where the encounter's record stands.
	aggregate.Head
	// NextAction is the next action number, and ThenActions are those after it, where they
	// do not count on from it.
	NextAction  uint64
	ThenActions []uint64
	// Revealed: the public branch of the dice is open to all.
	Revealed bool
	// Chain lists the commands that count, in order.
	Chain []Link
	// Marks say where rounds and turns of the history that counts began.
	Marks []Mark
	// Redo lists the versions that redos go to, the next one last.
	Redo []uint64
	// Amended is the version of the last amendment that counts, 0 when there is
	// none, and AmendedLength how long the chain was after it.
	Amended       uint64
	AmendedLength int
	// Pending is the action that waits; nil when none does.
	Pending *Pending
	// LinkPages and MarkPages are kept for a store, which puts away long Chains and
	// Marks a page at a time: the version at which it wrote each page, from the
	// first. A ruling that goes back takes them along.
	LinkPages, MarkPages []uint64
	// Views by viewer (aggregate.ViewerOf); the game master's is the whole truth.
	Views map[string]*View
	// Millis is when the last Commit was stored.
	Millis int64
	// Genesis is the hash of the first Commit. It is salted, so that only those
	// who read the log know it.
	Genesis []byte
	// Draws numbers the actions on each branch of the dice.
	Draws Draws
	// Across are the versions of rulings that are part of other records as well,
	// ascending.
	Across []uint64
	// Asides are the versions of Commits that stand beside the history, ascending.
	Asides []uint64

	requests   map[string]Request // those of the last Commits, by aggregate.RequestKey
	forgotten  uint64             // version up to which they are not among them
	ruledFrom  map[string]*View   // the views before the ruling being applied
	ruledSince uint64             // what was seen after this version is taken back by it; 0 where ruledChain says it
	ruledChain []Link             // what counted before it
	ruledKept  bool               // it leaves what others did
	fixedFor   []string           // the views that hear a roll that it fixed, or that it names
	welcomed   []string           // the views that the Commit being applied began
	past       bool               // it has no numbers of viewers, and so no transcripts
}

// New is an encounter before its first Commit.
func New() *Replica {
	return &Replica{NextAction: 1, requests: map[string]Request{}, Views: map[string]*View{
		aggregate.ViewerGM:       {Principal: aggregate.Viewer(aggregate.ViewerGM), State: event.NewState()},
		aggregate.ViewerEveryone: {Principal: aggregate.Viewer(aggregate.ViewerEveryone), State: event.NewState()},
	}}
}

// State is the whole state. It must only be read.
func (r *Replica) State() *eventv1.State { return r.Views[aggregate.ViewerGM].State }

// Key names the view of a principal. A player who never controlled anything
// sees what a spectator sees.
func (r *Replica) Key(p *eventv1.Principal) string {
	if key := aggregate.ViewerOf(p); r.Views[key] != nil {
		return key
	}
	return aggregate.ViewerEveryone
}

// View is the view of a principal.
func (r *Replica) View(p *eventv1.Principal) *View { return r.Views[r.Key(p)] }

// Applied is what Apply learned of a Commit.
type Applied struct {
	// Commit as opened.
	Commit *event.Opened
	// Heard says who may hear each event.
	Heard []event.Audible
	// Restored names the views that a ruling changed.
	Restored []string
	// Target is the version that a ruling begins from; 0 when it is none.
	Target uint64
	// Drawn are the numbers that actions got on branches of the dice.
	Drawn []Drawn
	// Welcomed names the views that began with the Commit.
	Welcomed []string
	// Transcripts of the viewers who saw something of it, after it, by view.
	Transcripts map[string][]byte
	// Aside: the Commit stands beside the history.
	Aside bool
}

// PartsOf are the records that an event says a ruling is part of.
func PartsOf(e *eventv1.Event) []*eventv1.RulingPart {
	if am := e.GetAmended(); am != nil {
		return am.Across
	}
	return e.GetReverted().GetAcross()
}

// OwesReveal tells whether the fight is over and its public dice are to be opened:
// those that were opened for a ruling only when it was made.
func (r *Replica) OwesReveal() bool {
	s := r.State()
	return s.Status == eventv1.State_STATUS_ENDED && !s.Imported && !r.Revealed && !(s.RulingDice && s.EntropyOpen)
}

// Past finds the encounter as it was after a version; rulings need it.
type Past func(version uint64) (*Replica, error)

// Apply folds the next Commit. It holds I2; on an error nothing changed.
func (r *Replica) Apply(c *event.Opened, sequence uint64, past Past) (*Applied, error) {
	if err := r.Next(c.Header.Version, c.Header.PreviousHash); err != nil {
		return nil, fmt.Errorf("encounter %s: %w", c.Header.Id, err)
	}
	a := &Applied{Commit: c, Heard: make([]event.Audible, len(c.Events))}
	r.welcomed = nil
	target, err := r.rule(c, past, a)
	if err != nil {
		return nil, err
	}
	a.Drawn = append(a.Drawn, r.Draws.note(c.Cause.Action, c.Inputs.Inputs)...)
	if c.Header.Version == 1 {
		r.Genesis = c.Hash
	}
	if slices.ContainsFunc(c.Events, func(e *eventv1.Event) bool { return len(PartsOf(e)) > 0 }) {
		r.Across = append(slices.Clip(r.Across), c.Header.Version)
	}
	ruled := target > 0
	a.Target, a.Aside = target, event.AllAside(c.Events)
	if a.Aside {
		r.Asides = append(r.Asides, c.Header.Version)
	}
	if !ruled && !a.Aside {
		r.link(c)
		r.pend(c)
	}
	forked, err := r.forked(c)
	if err != nil {
		return nil, err
	}
	before := r.Views
	var ruledFrom *eventv1.State
	if ruled {
		before = r.ruledFrom
		ruledFrom = before[aggregate.ViewerGM].State
	}
	for i, e := range c.Events {
		if len(e.GetForked().GetViews()) > 0 {
			a.Restored = r.beginAs(forked)
		}
		a.Heard[i] = r.fold(e, c.Header.Version)
	}
	if ruled {
		a.Restored = r.changed(before, c.Header.Version)
		r.ruledFrom, r.ruledChain, r.fixedFor = nil, nil, nil
		r.ruledSince, r.ruledKept = 0, false
	}
	if forked != nil {
		for _, key := range a.Restored {
			r.Views[key].sees(c.Header.Version)
		}
	}
	r.Views[aggregate.ViewerGM].sees(c.Header.Version) // also when nothing came of it: the game master's numbers are versions
	a.Welcomed = r.welcomed
	if err := r.transcribe(c, a, ruledFrom); err != nil {
		return nil, err
	}
	r.Head = aggregate.Head{Version: c.Header.Version, Sequence: sequence, Hash: c.Hash}
	r.Millis = c.Header.UnixMillis
	if !ruled {
		r.took(c.Cause.Action)
	}
	if c.Cause.RequestId != "" {
		r.request(aggregate.RequestKey(c.Cause.Principal, c.Cause.RequestId), Request{Digest: c.Cause.RequestDigest, Version: r.Version})
	}
	return a, nil
}

// fold folds one event into every view that may hear it.
func (r *Replica) fold(e *eventv1.Event, version uint64) event.Audible {
	heard := event.Hear(r.State(), e)
	r.welcome(e)
	if d := e.GetDiceRevealed(); d != nil && d.Epoch == r.State().Epoch && d.Branch == "everyone" {
		r.Revealed = true
	}
	if d := e.GetDiceEpoch(); d != nil && d.Epoch != r.State().Epoch {
		r.Revealed = false
	}
	// order-free: each view is folded by itself
	for _, v := range r.Views {
		if !heard.By(v.Principal) {
			continue
		}
		event.Fold(v.State, e)
		v.sees(version)
	}
	if e.GetRoundStarted() != nil {
		r.Marks = append(r.Marks, Mark{Version: version, Round: e.GetRoundStarted().Round})
	}
	if e.GetTurnStarted() != nil {
		r.Marks = append(r.Marks, Mark{Version: version, Round: TurnMark})
	}
	return heard
}

// sees notes that the viewer saw something in a version.
func (v *View) sees(version uint64) {
	if n := len(v.Versions); n == 0 || v.Versions[n-1] != version {
		v.Versions = append(v.Versions, version)
	}
}

// welcome gives a player who comes to control something a view of its own,
// which begins as what a spectator knows.
func (r *Replica) welcome(e *eventv1.Event) {
	names := append(slices.Clone(e.GetCreatureAdded().GetControllers()), e.GetControllers().GetControllers()...)
	for _, name := range names {
		key := aggregate.PlayerViewer(name)
		if r.Views[key] != nil {
			continue
		}
		from := r.Views[aggregate.ViewerEveryone]
		r.Views[key] = &View{Principal: aggregate.Viewer(key), State: event.Clone(from.State), Versions: slices.Clone(from.Versions)}
		r.welcomed = append(r.welcomed, key)
	}
}

// pend keeps track of the action that waits. It is called before the events
// are folded, so that the state before the action is at hand.
func (r *Replica) pend(c *event.Opened) {
	if c.Cause.Action == 0 {
		return // it is about the dice alone: what waits goes on waiting
	}
	if !c.Inputs.Suspended {
		r.Pending = nil
		return
	}
	if r.Pending == nil {
		r.Pending = &Pending{Action: c.Cause.Action, Command: c.Cause.Command, Caller: c.Cause.Principal, Ruled: c.Cause.Ruled, Base: event.Clone(r.State()), Asked: map[string]int64{}}
	}
	r.Pending.Inputs = append(r.Pending.Inputs, c.Inputs.Inputs...)
	r.Pending.Published = append(r.Pending.Published, c.Events...)
	for _, e := range c.Events {
		if d := e.GetDecisionRequested().GetDecision(); d != nil {
			r.Pending.Asked[d.Id] = c.Header.UnixMillis
		}
		if a := e.GetDecisionAnswered(); a != nil {
			delete(r.Pending.Asked, a.Id)
		}
	}
}

// Stated unmarshals what rulings state for the pending command; nil when they
// state nothing.
func (p *Pending) Stated() (*eventv1.TakeAction, error) { return Stated(p.Ruled) }

// Stated unmarshals what rulings state for a command.
func Stated(data []byte) (*eventv1.TakeAction, error) {
	if len(data) == 0 {
		return nil, nil
	}
	take := &eventv1.TakeAction{}
	if err := proto.Unmarshal(data, take); err != nil {
		return nil, fmt.Errorf("%w: what a ruling states: %v", event.ErrBroken, err)
	}
	return take, nil
}

// Root unmarshals the command that began the pending action.
func (p *Pending) Root() (*eventv1.Command, error) {
	cmd := &eventv1.Command{}
	if err := proto.Unmarshal(p.Command, cmd); err != nil {
		return nil, fmt.Errorf("%w: command of action %d: %v", event.ErrBroken, p.Action, err)
	}
	return cmd, nil
}

// NumberAt is a viewer's number of a version: how many of the versions it saw
// something in are not after it.
func NumberAt(versions []uint64, version uint64) uint64 {
	n, found := slices.BinarySearch(versions, version)
	if found {
		n++
	}
	return uint64(n)
}
