package play

import (
	"fmt"
	"slices"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Frame is everything that creatures can do in a rule system, with what is the
// same for all of it. It is made once, by [New], and never changes.
type Frame struct {
	// System is the rule system's id.
	System string
	// Words is the system's vocabulary. May be nil: then nothing is known of words.
	Words *rules.Vocabulary
	// Prepare works out what all actions of a listing, or a command, will ask for, and
	// puts it into At.Scratch. May be nil.
	Prepare func(at *At)
	// May says why a creature may not take the action at all now: the fight has not
	// begun, it is dead, it is not its turn, the cost is not to be had. At.Take says
	// with what, never to whom.
	May func(at *At) error
	// Whole says that May does not ask what an action is done with: an action that it
	// refuses is listed once, without an item, instead of once for every item.
	Whole bool
	// Perform carries out an action that nothing refuses: what comes before and after
	// the deed is the system's. Nil means Action.Do.
	Perform func(r *rules.Resolution, at *At) error
	// EndTurn says why the creature cannot end its turn, with the rule id of ending it.
	EndTurn func(at *At) error
	// EndTurnTitle and EndTurnRule describe ending a turn.
	EndTurnTitle, EndTurnRule string
	// Lasts says what a turn does not last for where it ends by itself.
	Lasts Lasts
	// Hidden tells whether a viewer can say nothing of what a creature may do, such as
	// when its sheet is not known. Nil means never.
	Hidden func(at *At) bool

	// Relieves says that deeds pay what the book says: what content changes in a cost
	// is given, or taken, before them, and refusals see it so.
	Relieves bool

	// Shared are costs that actions give by CostOf again and again: what options show
	// of them is made once.
	Shared [][]Cost

	actions []*Action
	shared  map[*Cost]map[string]int32
	byID    map[string]*Action
	ones    map[string]map[string]int32
}

// New makes a frame of the actions, which are its own from then on, in the order in
// which options are listed. Two actions of one id, or one that says too little, are
// bugs and errors.
func New(f Frame, chapters ...[]*Action) (*Frame, error) {
	f.actions, f.byID = slices.Concat(chapters...), map[string]*Action{}
	f.shared = map[*Cost]map[string]int32{}
	for _, costs := range f.Shared {
		if len(costs) > 0 {
			f.shared[&costs[0]] = costMap(costs)
		}
	}
	f.ones = ones(f.Words)
	for _, a := range f.actions {
		if err := a.holds(); err != nil {
			return nil, fmt.Errorf("play: %s: %w", f.System, err)
		}
		if f.byID[a.ID] != nil {
			return nil, fmt.Errorf("play: %s: action %s twice", f.System, a.ID)
		}
		f.byID[a.ID] = a
		a.shown = f.show(a)
	}
	return &f, nil
}

// Actions are all actions in the order in which options are listed.
func (f *Frame) Actions() []*Action { return f.actions }

// Action finds an action; nil when there is none of the id.
func (f *Frame) Action(id string) *Action { return f.byID[id] }

// IDs are the ids of all actions, in order of listing.
func (f *Frame) IDs() []string { return IDs(f.actions) }

// IDs are the ids of actions, in their order.
func IDs(actions []*Action) []string {
	out := make([]string, len(actions))
	for i, a := range actions {
		out[i] = a.ID
	}
	return out
}

// GMOnly tells whether only the game master may take an action: see
// [rules.Refereed].
func (f *Frame) GMOnly(id string) bool {
	a := f.byID[id]
	return a != nil && a.Referee
}

// BeforeStart tells whether an action needs no fight under way: see
// [rules.Preparer].
func (f *Frame) BeforeStart(id string) bool {
	a := f.byID[id]
	return a != nil && a.Early
}

// At makes the place of a command in a state; nil when there is no such action.
func (f *Frame) At(s *eventv1.State, take *eventv1.TakeAction) *At {
	a := f.byID[take.GetAction()]
	if a == nil {
		return nil
	}
	at := &At{State: s, Actor: s.GetCreatures()[take.Creature], Action: a, Take: take, frame: f, query: &everything}
	if f.Prepare != nil {
		f.Prepare(at)
	}
	return at
}

// Act checks a command and carries it out.
func (f *Frame) Act(r *rules.Resolution, take *eventv1.TakeAction) error {
	at := f.At(r.State(), take)
	if at == nil {
		return fault.Field("take.action", "there is no action %q%s", take.GetAction(), rules.DidYouMean(take.GetAction(), f.IDs()))
	}
	return f.ActAt(r, at)
}

// ActAt is [Frame.Act] for a system that has looked at the command in its place, made by
// [Frame.At], in the state as it is.
func (f *Frame) ActAt(r *rules.Resolution, at *At) error {
	at.Content = r.Content()
	at.ids = r.CreatureIDs()
	if err := f.Refused(at); err != nil {
		return err
	}
	f.relieve(r, at)
	if f.Perform != nil {
		return f.Perform(r, at)
	}
	return at.Action.Do(r, at)
}

// Refused says why a command cannot be carried out; nil when it can. It asks in
// this order: whether the creature may act, the item, the way, the targets, the
// words, all of it together.
func (f *Frame) Refused(at *At) error {
	defer f.ease(at)()
	if err := f.may(at); err != nil {
		return err
	}
	a := at.Action
	if list := a.ways(at); !slices.Contains(list, at.Item()) {
		return fault.Field("take.item", "%q is nothing that %s can %s with%s", at.Item(), at.Actor.GetName(), a.ID, rules.DidYouMean(at.Item(), list))
	}
	return f.Fits(at)
}

func (f *Frame) may(at *At) error {
	if f.May != nil {
		if err := f.May(at); err != nil {
			return err
		}
	}
	return at.barred()
}

// Fits says why a command cannot be done that way, to its targets, with its words;
// turn and cost, and whether the item is listed, apart. It is asked again for what
// was readied, or interrupted.
func (f *Frame) Fits(at *At) error {
	if a := at.Action; a.Refuse != nil {
		if err := a.Refuse(at); err != nil {
			return err
		}
	}
	if err := f.targetsFit(at); err != nil {
		return err
	}
	if err := at.fieldsFit(); err != nil {
		return err
	}
	if at.Action.Check == nil {
		return nil
	}
	return at.Action.Check(at)
}

func (f *Frame) targetsFit(at *At) error {
	least, most := at.Action.Targets(at)
	switch n := int32(len(at.Take.Targets)); {
	case n < least && least == most:
		return fault.Field("take.targets", "exactly %d, not %d", least, n)
	case n < least || n > most:
		return fault.Field("take.targets", "%d to %d, not %d", least, most, n)
	}
	repeat := at.Action.repeats(at)
	for i, id := range at.Take.Targets {
		if !repeat && slices.Contains(at.Take.Targets[:i], id) {
			return fault.Field(fmt.Sprintf("take.targets[%d]", i), "%q is named twice", id)
		}
		if err := at.RefusedTarget(at.State.Creatures[id]); err != nil {
			return err
		}
	}
	return nil
}

// RefusedTarget says why a creature cannot be a target; nil when it can.
func (at *At) RefusedTarget(t *eventv1.Creature) error {
	a := at.Action
	if t.GetId() == at.Actor.GetId() && !a.Self {
		return fault.Refuse("NO_TARGET", a.Rule, "%s cannot be aimed at oneself", a.Title)
	}
	if a.RefuseTarget == nil {
		return nil
	}
	return a.RefuseTarget(at, t)
}
