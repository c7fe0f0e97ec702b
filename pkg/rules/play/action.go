package play

import (
	"fmt"
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Group is the heading under which a form lists an action.
type Group string

// The groups, the same in every system.
const (
	GroupAttack   Group = "attack"
	GroupManeuver Group = "maneuver"
	GroupMagic    Group = "magic"
	GroupMove     Group = "move"
	GroupDefend   Group = "defend"
	GroupAid      Group = "aid"
	GroupItem     Group = "item"
	GroupMount    Group = "mount"
	GroupCheck    Group = "check"
	GroupWait     Group = "wait"
	GroupOther    Group = "other"
	GroupReferee  Group = "referee"
	GroupTurn     Group = "turn"
)

// Groups are all groups in the order in which forms show them.
var Groups = []Group{GroupAttack, GroupManeuver, GroupMagic, GroupMove, GroupDefend, GroupAid, GroupItem, GroupMount, GroupCheck, GroupWait, GroupOther, GroupReferee, GroupTurn}

// Traits are a system's own yes-or-no facts about actions, one bit each, under
// names that the system gives them.
type Traits uint64

// Cost is what an action takes of a counter.
type Cost struct {
	// Counter of the creature: action, acts, movement, mana, slot.3, ...
	Counter string
	// Amount taken.
	Amount int32
}

// Action is one thing that a creature can do. Functions that are nil say that
// there is nothing to say: no items, no refusal, no field.
type Action struct {
	// ID as in TakeAction.action.
	ID string
	// Title for people.
	Title string
	// Rule id behind it.
	Rule string
	// Group under which a form lists it.
	Group Group
	// Traits are the system's own facts about it.
	Traits Traits
	// Anytime actions need no turn of one's own; the frame's May judges by it.
	Anytime bool
	// Early actions may be taken before the fight begins.
	Early bool
	// Referee actions are calls of the game master rather than deeds.
	Referee bool
	// Trigger is the word by which readied actions and reactions know it; empty when
	// nothing answers to it.
	Trigger string

	// Costs is what it takes whatever is said with it; CostOf, when set, is asked in
	// its place. In a listing the command says no more than action and item.
	Costs  []Cost
	CostOf func(at *At) []Cost
	// Items lists what it can be done with; nil means one way, without an item.
	Items func(at *At) []string
	// Names is the title of a way to do it; nil means Title.
	Names func(at *At) string
	// RuleOf is the rule id behind a way to do it; nil means Rule.
	RuleOf func(at *At) string
	// Least and Most targets; Range, when set, is asked in their place.
	Least, Most int32
	Range       func(at *At) (least, most int32)
	// Repeat tells whether a target may be named more than once; nil means never.
	Repeat func(at *At) bool
	// Self: the creature itself may be a target.
	Self bool
	// Candidates lists who may come into question as a target; nil means everyone on
	// the field. A command may name others: RefuseTarget judges them.
	Candidates func(at *At) []string

	// Refuse says why it cannot be done that way now, targets and words apart.
	Refuse func(at *At) error
	// RefuseTarget says why it cannot be done to a creature. Stated facts beat
	// measured ones; in a listing there are none.
	RefuseTarget func(at *At, target *eventv1.Creature) error
	// Fields are the words that it takes that way, beyond what the vocabulary says of
	// them: which are required, which values are left. Nil means every parameter that
	// the vocabulary gives the action; words that are not among the fields are refused.
	Fields func(at *At) []Field
	// Optional: of one who says nothing, none of the Fields is required; where nothing is
	// said they are not made.
	Optional bool
	// Loose: Fields are for listings alone; the words of a command are judged by Check,
	// which knows them all together.
	Loose bool
	// Check judges what was said with the command as a whole, last of all.
	Check func(at *At) error

	// Provokes are the creatures that it would provoke, as far as the state shows.
	Provokes func(at *At) []string
	// Squares are the points that it can end at, for those that move.
	Squares func(at *At) (squares []*eventv1.Square, cut bool)
	// Area is where that way to do it takes effect beside its targets; nil means
	// nowhere.
	Area func(at *At) *eventv1.Area
	// Choices are the actions that can be chosen inside this one: where there is none, it
	// cannot be done that way. Chooses tells whether anything is to be chosen that way;
	// nil means always.
	Choices func(at *At) []*eventv1.Option
	Chooses func(at *At) bool

	// Further are more options of the action, for ways that are told apart by their
	// words alone.
	Further func(at *At) []*eventv1.Option

	// Do carries it out, after every refusal.
	Do func(r *rules.Resolution, at *At) error

	// shown is what its options show alike in the frame that it belongs to.
	shown *shown
}

// Is tells whether an action has all of the traits.
func (a *Action) Is(t Traits) bool { return a.Traits&t == t }

// costs is what the action takes that way, with what content makes of it.
func (a *Action) costs(at *At) []Cost {
	costs := a.own(at)
	if !at.Content.Asks(effects.KindCost) {
		return costs
	}
	return at.changed(costs)
}

// own is what the action takes that way by the book.
func (a *Action) own(at *At) []Cost {
	if a.CostOf != nil {
		return a.CostOf(at)
	}
	return a.Costs
}

// Cost is how much of a counter the action takes that way.
func (a *Action) Cost(at *At, counter string) int32 {
	for _, c := range a.costs(at) {
		if c.Counter == counter {
			return c.Amount
		}
	}
	return 0
}

// Targets is how many targets the action takes that way.
func (a *Action) Targets(at *At) (least, most int32) {
	if a.Range != nil {
		return a.Range(at)
	}
	return a.Least, a.Most
}

// repeats tells whether a target may be named more than once.
func (a *Action) repeats(at *At) bool { return a.Repeat != nil && a.Repeat(at) }

// Always is a Repeat of actions whose targets may always be named more than once.
func Always(*At) bool { return true }

// ways are the items that it can be done with.
func (a *Action) ways(at *At) []string {
	if a.Items == nil {
		return oneWay
	}
	return a.Items(at)
}

var oneWay = []string{""}

// holds says what is wrong with a declaration.
func (a *Action) holds() error {
	switch {
	case a.ID == "" || a.Title == "":
		return fmt.Errorf("an action without id or title")
	case a.Do == nil:
		return fmt.Errorf("action %s does nothing", a.ID)
	case !slices.Contains(Groups, a.Group):
		return fmt.Errorf("action %s: group %q is not one of %v", a.ID, a.Group, Groups)
	case a.Least > a.Most && a.Range == nil:
		return fmt.Errorf("action %s: %d to %d targets", a.ID, a.Least, a.Most)
	}
	return nil
}
