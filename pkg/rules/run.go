package rules

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// maxEvents bounds what one action may emit; beyond it a rule loops.
const maxEvents = limits.ActionEvents

// ErrNeedFaces is what a Provider answers when faces must be supplied by
// people and there are none left.
var ErrNeedFaces = errors.New("rules: faces must be supplied")

// DrawRequest asks for the faces of one roll.
type DrawRequest struct {
	// Label and Index with the action are the address (I3).
	Label string
	// Index counts rolls of one label within the action.
	Index uint32
	// Branch of the key tree.
	Branch string
	// Expression in dice notation.
	Expression string
	// Supplied are faces that people rolled and that are still unused.
	Supplied []int32
	// SettingUp: it is rolled while the dice of the fight still take entropy, and so
	// with those for setting up.
	SettingUp bool
}

// DeedRequest asks for the outcome of harm or medicine.
type DeedRequest struct {
	// Label under which the deed rolls.
	Label string
	// State the deed works on. It must only be read, and not after the call.
	State *eventv1.State
	// Harm is the deed.
	Harm *eventv1.Harm
	// Inputs already taken under the label.
	Inputs []*eventv1.Input
	// Supplied are faces that people rolled and that are still unused.
	Supplied []int32
	// Early answers of the command.
	Early []*eventv1.EarlyAnswer
	// Key of the action, as in Request.
	Key []byte
	// Speaker, Caller, Mode, Odds and Content as in Request.
	Speaker, Caller *eventv1.Principal
	Mode            eventv1.RollMode
	Odds            bool
	Content         *effects.Book
	// SettingUp as in DrawRequest.
	SettingUp bool
	// Made takes the events of the outcome from whoever carries it out in this process
	// ([RunDeed]), so that their bytes need not be read again. A Provider that returns another
	// outcome than that run's does not pass it on. May be nil.
	Made *[]*eventv1.Event
}

// Provider supplies what a resolution takes from outside: faces, outcomes of
// harm, branches of the key tree. Each answer is recorded, so that a provider
// is asked once for each.
type Provider interface {
	// Draw returns the faces of a roll. It answers ErrNeedFaces when people
	// must supply them and the supplied ones do not suffice.
	Draw(ctx context.Context, d DrawRequest) (*eventv1.Draw, error)
	// Deed returns the outcome of harm or medicine and how many supplied
	// faces it used.
	Deed(ctx context.Context, d DeedRequest) (*eventv1.HarmOutcome, int, error)
	// Open returns the commitments of branches, making them if need be.
	Open(ctx context.Context, branches []string, entropy []*eventv1.Entropy) (*eventv1.DiceEpochOpened, error)
}

// Request is everything that a run depends on besides the Provider.
type Request struct {
	// State before the action; it is not changed, unless it is the caller's Own, and must not
	// change while the run goes on or its Outcome is in use.
	State *eventv1.State
	// Own is the state in the hands of a caller who alone reads it, made by [event.Own]:
	// the run changes it in place, which spares copying it, and it becomes the Outcome's. A
	// run that ends with an error puts it back as it was. Nil leaves the state as it is.
	Own *event.Shared
	// Action number within the encounter.
	Action uint64
	// Key makes the ids of decisions unguessable, so that they do not tell the
	// action number; the same for every run of the action.
	Key []byte
	// Prefix of every label, for a resolution inside another.
	Prefix string
	// Recorded inputs of earlier runs of this action.
	Recorded []*eventv1.Input
	// Again says that the command is decided again as it was: dice of the server's
	// among what is recorded count as drawn, so that what was not refused then is not
	// refused now (T2). An answer to what still waits is none of that: it may be
	// refused and given anew.
	Again bool
	// Published events of earlier runs of this action; they must come out again.
	Published []*eventv1.Event
	// Speaker is who gives the command that is being carried out now: faces
	// supplied with it count for rolls that are the speaker's to make. Nil means
	// the game master.
	Speaker *eventv1.Principal
	// Caller is who gave the command that began the action, whose statements and
	// roll mode they are. Nil means the game master.
	Caller *eventv1.Principal
	// Ruled is what a ruling states for the command: it stands by the game
	// master's word. May be nil.
	Ruled *eventv1.TakeAction
	// Mode says who sees the rolls, where the caller may say so.
	Mode eventv1.RollMode
	// Odds are wanted of the rolls that are made anew.
	Odds bool
	// Early answers given with the command that is being carried out now; each
	// counts for decisions that are its giver's to answer.
	Early []*eventv1.EarlyAnswer
	// Faces supplied with that command, in rolling order.
	Faces []int32
	// Content is what the encounter is played with beside the system's book: the
	// packs that it pinned. May be nil.
	Content *effects.Book
	// KeepFaces leaves faces that are unused at the end to the caller instead of
	// setting them aside.
	KeepFaces bool
}

// Outcome is what a run came to.
type Outcome struct {
	// State after the events. It shares what did not change with the state before:
	// whoever folds into it copies it first.
	State *eventv1.State
	// Events from the start of the action.
	Events []*eventv1.Event
	// Fresh are the events beyond those published before.
	Fresh []*eventv1.Event
	// Inputs taken in this run beyond the recorded ones.
	Inputs []*eventv1.Input
	// Open decisions; none when the action is complete.
	Open []*eventv1.Decision
	// FacesUsed counts the supplied faces that were used.
	FacesUsed int
	// Result is what a deed came to; nil when it said nothing of it.
	Result *eventv1.HarmResult
	// Odds of the rolls made anew, when they were wanted.
	Odds []*eventv1.RollOdds
}

// DivergenceError says that running an action again did not give the events
// already published: the rules or their inputs changed in between.
type DivergenceError struct {
	// Action number.
	Action uint64
	// Index of the first event that differs.
	Index int
	// Kind of divergence: "missing" or "different".
	Kind string
	// Recorded and Produced are the two sides; one may be nil.
	Recorded, Produced *eventv1.Event
}

// Error names both sides.
func (e *DivergenceError) Error() string {
	return fmt.Sprintf("rules: determinism: action %d event %d is %s: recorded %v, produced %v",
		e.Action, e.Index, e.Kind, e.Recorded, e.Produced)
}

// suspension unwinds a resolution that waits.
type suspension struct{ open []*eventv1.Decision }

// failure unwinds a resolution that cannot go on.
type failure struct{ err error }

// Run carries out a resolution. It returns a fault when the function refuses
// before the server has drawn a face, a *DivergenceError when published events
// do not come out again, and the Provider's error when that fails. On any error
// nothing has happened (I4). Once a face was drawn nothing is refused (T2):
// whatever turns out wrong then ends the action with a note.
func Run(ctx context.Context, sys System, req Request, p Provider, resolve func(*Resolution) error) (*Outcome, error) {
	return run(ctx, sys, req, p, resolve, nil)
}

// run is Run, where pick gives every roll its dice in place of the provider.
func run(ctx context.Context, sys System, req Request, p Provider, resolve func(*Resolution) error, pick picker) (*Outcome, error) {
	shared := sharedOf(req)
	done := false
	defer func() {
		if !done {
			shared.Undo()
		}
	}()
	r := resolutions.Get().(*Resolution)
	counts, ints, tree := r.counts, r.ints, r.tree
	clear(counts)
	made := &outcomeRoom{}
	*r = Resolution{ctx: ctx, sys: sys, req: req, provider: p, pick: pick, state: shared.State, shared: shared,
		used: make([]bool, len(req.Recorded)), counts: counts, ints: ints, tree: tree, defaults: defaultsIn(sys),
		events: made.events[:0], inputs: made.inputs[:0]}
	r.veils = anyStaged(r.state)
	open, err := r.guard(resolve)
	if err != nil {
		if !r.drew || r.broke || !refusal(err) {
			return nil, err
		}
		r.stopped(err)
	}
	if open == nil {
		r.recallFaces(placeEnd)
		r.setFacesAside(placeEnd)
	}
	if err := r.matchPublished(); err != nil {
		return nil, err
	}
	done = true
	out := &made.out
	*out = Outcome{State: r.state, Events: r.events, Fresh: r.events[len(req.Published):],
		Inputs: r.inputs, Open: open, FacesUsed: r.facesUsed, Result: r.result, Odds: r.odds}
	*r = Resolution{counts: r.counts, ints: r.ints, tree: r.tree} // dead: whoever kept it finds nothing
	resolutions.Put(r)
	return out, nil
}

// outcomeRoom is an outcome with room for what most runs make, at once.
type outcomeRoom struct {
	out    Outcome
	events [4]*eventv1.Event
	inputs [1]*eventv1.Input
}

// resolutions are those of runs that are over, to be used again: there is one for every
// command and every deed.
var resolutions = sync.Pool{New: func() any { return &Resolution{counts: map[address]uint32{}, tree: &dice.Room{}} }}

// sharedOf is the state that a run folds into.
func sharedOf(req Request) *event.Shared {
	if req.Own != nil && req.Own.State == req.State {
		req.Own.Begin()
		return req.Own
	}
	return event.Share(req.State)
}

// refusal tells whether an error is a fault that says no, rather than that
// something is broken.
func refusal(err error) bool {
	f, ok := fault.As(err)
	return ok && f.Code != fault.Internal && f.Code != fault.Unavailable && f.Code != fault.Conflict
}

// stopped ends an action that was refused after a die had been drawn: what has
// happened stands, and those who see the actor's matters are told why it went no
// further (T2).
func (r *Resolution) stopped(err error) {
	f, _ := fault.As(err)
	audience := event.GM()
	if r.actor != "" {
		audience = event.Controllers(r.actor)
	}
	r.events = append(r.events, event.VeilNote(r.state, audience, r.actor, "it went no further: "+f.Error())...)
}

// guard runs the function and turns the engine's own unwinding into values.
func (r *Resolution) guard(resolve func(*Resolution) error) (open []*eventv1.Decision, err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case suspension:
			open = p.open
		case failure:
			err = p.err
		default:
			panic(p)
		}
	}()
	return nil, resolve(r)
}

// matchPublished holds the promise that what was published comes out again.
func (r *Resolution) matchPublished() error {
	var same comparer
	for i, recorded := range r.req.Published {
		if i >= len(r.events) {
			return &DivergenceError{Action: r.req.Action, Index: i, Kind: "missing", Recorded: recorded}
		}
		if !same.events(recorded, r.events[i]) {
			return &DivergenceError{Action: r.req.Action, Index: i, Kind: "different", Recorded: recorded, Produced: r.events[i]}
		}
	}
	return nil
}

// comparer compares events by their bytes, which takes a part of the time of a
// comparison by reflection; its buffers are used again.
type comparer struct{ a, b []byte }

// events tells whether two events are equal. Bytes that differ prove nothing: a
// message may be written in several ways.
func (c *comparer) events(a, b *eventv1.Event) bool {
	opts := proto.MarshalOptions{Deterministic: true}
	var errA, errB error
	c.a, errA = opts.MarshalAppend(c.a[:0], a)
	c.b, errB = opts.MarshalAppend(c.b[:0], b)
	return errA == nil && errB == nil && bytes.Equal(c.a, c.b) || proto.Equal(a, b) || sameQuestion(a, b)
}

// SameEvent tells whether an event that was decided again is the one on record,
// whatever fields builds before did not write.
func SameEvent(recorded, produced *eventv1.Event) bool {
	var same comparer
	return same.events(recorded, produced) || sameCreation(recorded, produced) || sameAmendment(recorded, produced)
}

// sameAmendment tells whether a recorded amendment is the one that was produced: builds
// before did not write down whom something came out otherwise for.
func sameAmendment(recorded, produced *eventv1.Event) bool {
	if recorded.GetAmended() == nil || len(recorded.GetAmended().Told) > 0 || produced.GetAmended() == nil {
		return false
	}
	bare := proto.CloneOf(produced)
	bare.GetAmended().Told = nil
	return proto.Equal(recorded, bare)
}

// sameCreation tells whether a recorded creation is the one that was produced:
// builds before did not name their content.
func sameCreation(recorded, produced *eventv1.Event) bool {
	if recorded.GetEncounterCreated() == nil || recorded.GetEncounterCreated().ContentDigest != "" || produced.GetEncounterCreated() == nil {
		return false
	}
	bare := proto.CloneOf(produced)
	bare.GetEncounterCreated().ContentDigest = ""
	return proto.Equal(recorded, bare)
}

// sameQuestion tells whether a recorded event puts the question that was produced: builds
// before did not say whom a question is about.
func sameQuestion(recorded, produced *eventv1.Event) bool {
	if recorded.GetDecisionRequested() == nil || len(recorded.GetDecisionRequested().Decision.GetAgainst()) > 0 || produced.GetDecisionRequested() == nil {
		return false
	}
	bare := proto.CloneOf(produced)
	bare.GetDecisionRequested().GetDecision().Against = nil
	return proto.Equal(recorded, bare)
}
