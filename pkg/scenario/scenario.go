package scenario

import (
	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/proto"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Scenario is one ruling: a situation, steps, and what must follow.
type Scenario struct {
	// File it was read from.
	File string
	// Line of the file on which it begins.
	Line int
	// Title in a sentence: the ruling.
	Title string
	// About is free text for readers.
	About string
	// System is the rule system's id.
	System string
	// Preset that the settings lie over; empty for none.
	Preset string
	// Settings that differ from the system's defaults.
	Settings map[string]string
	// DicePolicy of the encounter; supplied when the file says nothing.
	DicePolicy eventv1.DicePolicy
	// RepeatPolicy of the encounter.
	RepeatPolicy eventv1.RepeatPolicy
	// Rules are the ids of the rules that it shows.
	Rules []string
	// Packs of content that it is played with.
	Packs []*Pack
	// Patients enrolled before the creatures come.
	Patients []*Creature
	// Creatures on the field before the first step.
	Creatures []*Creature
	// Steps in order.
	Steps []*Step

	needsEncounter bool
	rules          bool // some ruling names a step of the scenario
}

// Pack is a pack of content as a scenario names it.
type Pack struct {
	// Line in the file.
	Line int
	// Ref is the folder, or the name of a pack that the server offers.
	Ref string
	// Files of the folder, once it is read; none of a name.
	Files []*encounterv1.PackFile
}

// Creature is a creature or a patient as a scenario gives it.
type Creature struct {
	// Line in the file.
	Line int
	// ID in the encounter.
	ID string
	// Ref names the sheet when it is not inline.
	Ref string
	// Patient is the record that the creature is; empty when it is none.
	Patient string
	// Add is the command, with the sheet once it is resolved.
	Add *eventv1.AddCreature
	// Settings of a patient's rule system.
	Settings map[string]string
	// Dice and Answers that joining takes.
	Dice []int32
	// Answers given ahead.
	Answers []*eventv1.EarlyAnswer

	inline *yaml.Node // sheet in the file; nil when it is a reference
	with   *yaml.Node // laid over the sheet; nil when there is nothing
	fields [][2]string
	lists  map[string][]string
}

// Kinds of steps.
const (
	// KindCommand is a command to the encounter service.
	KindCommand = "command"
	// KindAnswer answers an open decision that is found by its name.
	KindAnswer = "answer"
	// KindAdd puts a creature on the field.
	KindAdd = "add"
	// KindTend is a deed on a patient.
	KindTend = "tend"
	// KindOptions asks what a creature may do.
	KindOptions = "options"
	// KindFight begins another fight at the same table, with the same patients.
	KindFight = "fight"
	// KindState only looks.
	KindState = "state"
)

// Step is one step of a scenario.
type Step struct {
	// Line in the file.
	Line int
	// Title for people; made from the command when the file gives none.
	Title string
	// As is on whose behalf.
	As *eventv1.Principal
	// Kind is one of the kinds above.
	Kind string
	// Command, for commands and deeds.
	Command *eventv1.Command
	// ToStep is the step of this scenario that a ruling is about; 0 when the
	// command names the server's own number.
	ToStep int
	// Answer, for answers.
	Answer *NamedAnswer
	// Creature to add.
	Creature *Creature
	// Options asked for.
	Options *encounterv1.GetOptionsRequest
	// Fight is the further fight, without what the scenario gives it.
	Fight *eventv1.CreateEncounter
	// Dice are the faces of everybody at the table in rolling order.
	Dice []int32
	// Answers given ahead.
	Answers []*eventv1.EarlyAnswer
	// RollMode says who sees the rolls; unset leaves it to the rules.
	RollMode eventv1.RollMode
	// Odds to check.
	Odds []Odds
	// Expect of the step's own principal.
	Expect *Expect
	// Seen is what others must see.
	Seen []Seen
}

// NamedAnswer answers a decision found by what it is about.
type NamedAnswer struct {
	// Decision is its name, or its id.
	Decision string
	// Creature it is about; empty means any.
	Creature string
	// Label of the roll that it asks for; empty means any.
	Label string
	// Answer is the answer.
	Answer *eventv1.Answer
	// Alike gives the same answer to all open decisions of the name.
	Alike bool
}

// Odds is a chance that must be exact.
type Odds struct {
	// Line in the file.
	Line int
	// Roll is an expression; empty when Label is given.
	Roll string
	// Label of a roll of this step, whose expression, modifiers and target
	// number are taken.
	Label string
	// AtLeast is the number to reach; nil takes the target number of the roll.
	AtLeast *int64
	// Exactly is the number to hit; nil when AtLeast or the mean is meant.
	Exactly *int64
	// Mean tells that the mean is meant.
	Mean bool
	// Is the exact fraction, such as "7/20".
	Is string
}

// Expect is what a viewer must find after a step.
type Expect struct {
	// Line in the file.
	Line int
	// Events that must have come in this order, others between them allowed.
	Events []pattern
	// NoEvents must not have come.
	NoEvents []pattern
	// State by path.
	State []StateAt
	// Decisions that must be open; nil when not looked at, empty when none may be.
	Decisions []pattern
	// Options that must be offered, and NoOptions that must not.
	Options   []pattern
	NoOptions []pattern
	// Error that the step must end in.
	Error *ErrorExpected

	decisionsGiven bool
}

// StateAt is an expectation of one place in the state.
type StateAt struct {
	// Line in the file.
	Line int
	// Path as written.
	Path string
	// Patient whose record is looked at; empty means the encounter's state.
	Patient string

	path []segment
	want pattern
}

// ErrorExpected is the refusal that a step must end in. Empty parts are not
// looked at.
type ErrorExpected struct {
	// Code is a gRPC code in words, such as "failed-precondition".
	Code string
	// Reason is the stable word, such as "NOT_YOUR_TURN".
	Reason string
	// Rule id behind the refusal.
	Rule string
	// Field that is wrong.
	Field string
	// Message pattern; "*" stands for any run of characters.
	Message string
}

// Seen is what somebody else must find after a step.
type Seen struct {
	// As is the viewer.
	As *eventv1.Principal
	// Expect of that viewer.
	Expect *Expect
}

// viewerWord is how a file names a principal.
func viewerWord(p *eventv1.Principal) string {
	switch p.GetRole() {
	case eventv1.Principal_ROLE_PLAYER:
		return "player:" + p.GetName()
	case eventv1.Principal_ROLE_SPECTATOR:
		return "spectator"
	}
	return "gm"
}

// viewer reads "gm", "spectator", "player:NAME" or a player's name.
func viewer(word string) *eventv1.Principal {
	switch word {
	case "", "gm":
		return &eventv1.Principal{Role: eventv1.Principal_ROLE_GM, Name: "gm"}
	case "spectator":
		return &eventv1.Principal{Role: eventv1.Principal_ROLE_SPECTATOR}
	}
	if len(word) > len("player:") && word[:len("player:")] == "player:" {
		word = word[len("player:"):]
	}
	return &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: word}
}

func clone[M proto.Message](m M) M { return proto.Clone(m).(M) }
