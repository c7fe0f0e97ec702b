package rules

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Info names a rule system.
type Info struct {
	// ID is the short name: "rcr".
	ID string
	// Title is for people.
	Title string
	// Version of the rules code, written into every Commit.
	Version string
	// Content is the digest of the system's built-in content, written into every
	// encounter; empty where a system has none.
	Content string
}

// ContentDigest is the digest of a system's built-in content.
func ContentDigest(sys System) string { return sys.Info().Content }

// Setting is something a table chooses: an optional rule (its id is the rule's
// id, its values "on" and "off") or a value.
type Setting struct {
	// ID of the setting.
	ID string
	// Title for people.
	Title string
	// Text says what it does.
	Text string
	// Values allowed; empty means a whole number.
	Values []string
	// Default value.
	Default string
}

// StandingOrder is a kind of decision that a creature can settle ahead.
type StandingOrder struct {
	// Decision is the decision's name.
	Decision string
	// Orders are the values besides OrderAsk and OrderDefault.
	Orders []string
	// Text says what it is about.
	Text string
}

// FactKind is what sort of fact an audience is wanted for.
type FactKind int

// The sorts of facts.
const (
	// FactSheet is the sheet.
	FactSheet FactKind = iota
	// FactHitPoints are current, maximum and temporary hit points.
	FactHitPoints
	// FactCounter is a counter, by name.
	FactCounter
	// FactMark is a mark, by name.
	FactMark
	// FactCondition is a condition, by name.
	FactCondition
	// FactInjury is an injury.
	FactInjury
	// FactPosition is where a creature stands and how it moves.
	FactPosition
	// FactRelation is what a creature is to another, by kind.
	FactRelation
	// FactBegun is what a creature has begun, by kind.
	FactBegun
	// FactPhase is a phase of the round, by name; it is for everyone.
	FactPhase
)

// Query asks for the options of a creature, from what a viewer may see.
type Query struct {
	// State is the viewer's fold.
	State *eventv1.State
	// Creature whose options are wanted.
	Creature string
	// Content as in Request. May be nil.
	Content *effects.Book
	// LegalOnly leaves out what cannot be done now, so that nobody words why: for
	// those who choose and do not show.
	LegalOnly bool
	// Actions and Groups are the only ones that are listed; empty means all.
	Actions, Groups []string
	// WithoutSquares leaves out where a movement can end.
	WithoutSquares bool
	// WithoutDetails leaves out all that a form asks beside the targets: words, facts,
	// choices, squares, area and whom it would provoke. Who has chosen asks again for the
	// action chosen: its options come in the same order then.
	WithoutDetails bool
	// First is for who wants one thing to do rather than a list: only the options of one
	// action are listed, the first of Actions, in their order there, that has any; without
	// Actions the first in the order of listing.
	First bool
	// Room is where the options are made; nil means one of their own.
	Room *Room
}

// Wants tells whether the options of an action of a group are wanted.
func (q *Query) Wants(action, group string) bool {
	return (len(q.Actions) == 0 || slices.Contains(q.Actions, action)) && q.WantsGroup(group)
}

// WantsGroup tells whether the options of a group are wanted.
func (q *Query) WantsGroup(group string) bool {
	return len(q.Groups) == 0 || slices.Contains(q.Groups, group)
}

// Strip takes from an option what the query leaves out.
func (q *Query) Strip(o *eventv1.Option) {
	if q.WithoutSquares || q.WithoutDetails {
		o.Squares, o.SquaresCut = nil, false
	}
	if q.WithoutDetails {
		o.Parameters, o.Facts, o.Choices, o.Provokes, o.Area = nil, nil, nil, nil, nil
	}
}

// System is a rule system's part in fights.
type System interface {
	// Info names it.
	Info() Info
	// Settings lists what a table may choose.
	Settings() []Setting
	// StandingOrders lists the decisions that may be settled ahead.
	StandingOrders() []StandingOrder
	// CheckSheet says what is wrong with a sheet.
	CheckSheet(sheet *eventv1.Sheet) []fault.Violation
	// Audience says who may see a fact about a creature.
	Audience(s *eventv1.State, kind FactKind, name, creature string) *eventv1.Audience
	// Enter gives a creature just added what it begins with.
	Enter(r *Resolution, add *eventv1.AddCreature) error
	// Leave settles what a creature's removal means; it is still there.
	Leave(r *Resolution, creature string) error
	// Edited settles what the game master's edit of a creature means.
	Edited(r *Resolution, creature string) error
	// Begin starts the fight.
	Begin(r *Resolution, start *eventv1.StartEncounter) error
	// Act carries out an action.
	Act(r *Resolution, take *eventv1.TakeAction) error
	// EndTurn ends the turn of a creature and goes on to whatever follows.
	EndTurn(r *Resolution, creature string) error
	// Finish settles what the end of the encounter means.
	Finish(r *Resolution) error
	// Options lists what a creature may do, and why not the rest, as far as the query
	// wants it. What is listed is said as in the whole list, in its order.
	Options(q Query) []*eventv1.Option
	// Medicine is the system's part in harm and healing.
	Medicine() Medicine
}

// Medicine is a rule system's part in harm and healing; the injury service
// runs it.
type Medicine interface {
	// Deed carries out harm, healing or another deed of medicine on a creature
	// in the working state.
	Deed(r *Resolution, harm *eventv1.Harm) error
	// Deeds lists the deeds that Tend knows, for messages and help.
	Deeds() []string
	// Tend carries out one of the Deeds on patients between fights; the function
	// Tend has seen to it that the patients are some, known and distinct.
	Tend(r *Resolution, cmd *eventv1.PatientCommand) error
}

// Registry holds the rule systems of a build.
type Registry struct {
	systems map[string]registered
}

// registered is a system and what is wrong with its tables, found out once.
type registered struct {
	System
	check func() error
}

// Validated is a system with embedded tables of its own, which a registry has
// checked before anybody plays by them.
type Validated interface {
	// Validate says what is wrong with the tables; nil when they hold.
	Validate() error
}

// NewRegistry makes a registry. Two systems of one id and tables that do not
// hold are bugs and errors.
func NewRegistry(systems ...System) (*Registry, error) {
	byID := map[string]System{}
	for _, s := range systems {
		id := s.Info().ID
		if _, ok := byID[id]; ok || id == "" {
			return nil, fmt.Errorf("rules: system %q registered twice or without a name", id)
		}
		byID[id] = s
	}
	r := NewLazyRegistry(byID)
	for _, id := range r.IDs() {
		if _, err := r.System(id); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// NewLazyRegistry is NewRegistry for a program that asks for one system, by its id, and
// ends: the tables of each are checked when it is asked for.
func NewLazyRegistry(systems map[string]System) *Registry {
	r := &Registry{systems: map[string]registered{}}
	// order-free: each on its own
	for id, s := range systems {
		r.systems[id] = registered{s, sync.OnceValue(func() error { return validate(id, s) })}
	}
	return r
}

// validate says what is wrong with the tables of a system.
func validate(id string, s System) error {
	if own := s.Info().ID; own != id {
		return fmt.Errorf("rules: system %q registered as %q", own, id)
	}
	if v, ok := s.(Validated); ok {
		if err := v.Validate(); err != nil {
			return fmt.Errorf("rules: system %s: %w", id, err)
		}
	}
	if n, ok := s.(Renamer); ok {
		if _, err := n.Renames(); err != nil {
			return fmt.Errorf("rules: system %s: %w", id, err)
		}
	}
	return nil
}

// System finds a system; a NotFound fault when the build has none of that id.
func (r *Registry) System(id string) (System, error) {
	s, ok := r.systems[id]
	if !ok {
		return nil, fault.New(fault.NotFound, "UNKNOWN_SYSTEM", "no rule system %q; there are %s%s",
			id, strings.Join(r.IDs(), ", "), DidYouMean(id, r.IDs()))
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	return s.System, nil
}

// Info names a system of the build without checking its tables.
func (r *Registry) Info(id string) (Info, bool) {
	s, ok := r.systems[id]
	if !ok {
		return Info{}, false
	}
	return s.Info(), true
}

// IDs lists the systems in order.
func (r *Registry) IDs() []string {
	ids := make([]string, 0, len(r.systems))
	// order-free: sorted below
	for id := range r.systems {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// SettingPlayerFacts is the setting of every encounter that says what becomes of
// what players state of the world.
const SettingPlayerFacts = "player_facts"

// Values of SettingPlayerFacts.
const (
	// PlayerFactsPropose asks the game master to grant it; the default.
	PlayerFactsPropose = "propose"
	// PlayerFactsFree takes it as stated.
	PlayerFactsFree = "free"
	// PlayerFactsRefuse refuses the command.
	PlayerFactsRefuse = "refuse"
)

// SettingDecideByDefault is the setting of every encounter that says whose decisions
// take their default without being asked, where nothing was ordered ahead.
const SettingDecideByDefault = "decide_by_default"

// Values of SettingDecideByDefault.
const (
	// DecideNever asks; the default.
	DecideNever = "never"
	// DecideMonsters takes the default for creatures that nobody plays.
	DecideMonsters = "monsters"
	// DecideAll takes it for every creature. What the game master alone answers is
	// asked all the same.
	DecideAll = "all"
)

// SettingTurnEnds is the setting of every encounter that says how turns end.
const SettingTurnEnds = "turn_ends"

// Values of SettingTurnEnds.
const (
	// TurnEndsSaid ends a turn when somebody says so; the default.
	TurnEndsSaid = "said"
	// TurnEndsByItself ends it, too, when nothing is left to do in it.
	TurnEndsByItself = "by-itself"
)

// tableSettings are those that every system has.
var tableSettings = []Setting{{ID: SettingPlayerFacts, Title: "What players state of the world",
	Text:   "Cover, light, distance, circumstances and other matters of the world that a player states with an action: the game master is asked to grant them (propose), they count (free), or the command is refused (refuse).",
	Values: []string{PlayerFactsPropose, PlayerFactsFree, PlayerFactsRefuse}, Default: PlayerFactsPropose},
	{ID: SettingDecideByDefault, Title: "Decisions that take their default",
		Text:   "Where nothing was answered or ordered ahead, a decision of a creature takes its default at once: never, for the creatures that nobody plays (monsters), or for all. What the game master alone answers is asked all the same.",
		Values: []string{DecideNever, DecideMonsters, DecideAll}, Default: DecideNever},
	{ID: SettingTurnEnds, Title: "How a turn ends",
		Text:   "A turn ends when somebody says so (said), or also by itself when nothing is left to do in it (by-itself).",
		Values: []string{TurnEndsSaid, TurnEndsByItself}, Default: TurnEndsSaid},
	contestsSetting, takeBackSetting}

// SettingsOf lists what a table may choose in a system: the system's settings
// and those that every system has.
func SettingsOf(sys System) []Setting { return append(slices.Clone(sys.Settings()), tableSettings...) }

// CheckSettings says which settings are unknown or have a value not allowed.
func CheckSettings(sys System, settings map[string]string) []fault.Violation {
	return CheckSettingsWith(sys, nil, settings)
}

// CheckSettingsWith is CheckSettings where content has house rules of its own.
func CheckSettingsWith(sys System, content *effects.Book, settings map[string]string) []fault.Violation {
	if len(settings) == 0 {
		return nil // most tables choose none
	}
	known := map[string]Setting{}
	for _, s := range SettingsWith(sys, content) {
		known[s.ID] = s
	}
	keys := make([]string, 0, len(settings))
	// order-free: sorted below
	for k := range settings {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	var out []fault.Violation
	for _, k := range keys {
		s, ok := known[k]
		field := "settings[" + k + "]"
		switch {
		case !ok:
			out = append(out, fault.Violation{Field: field, Description: "no such setting in system " + sys.Info().ID + DidYouMean(k, SortedKeys(known))})
		case len(s.Values) > 0 && !slices.Contains(s.Values, settings[k]):
			out = append(out, fault.Violation{Field: field, Description: fmt.Sprintf("value %q is not one of %v", settings[k], s.Values)})
		case len(s.Values) == 0 && !wholeNumber(settings[k]):
			out = append(out, fault.Violation{Field: field, Description: fmt.Sprintf("value %q is not a whole number", settings[k])})
		}
	}
	return out
}

func wholeNumber(v string) bool {
	if v == "" || len(v) > 9 {
		return false
	}
	for i, c := range v {
		if (c < '0' || c > '9') && (i != 0 || c != '-' || len(v) == 1) {
			return false
		}
	}
	return true
}
