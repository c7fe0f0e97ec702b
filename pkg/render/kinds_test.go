package render

import (
	"regexp"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// kinds has a line for each kind of event, by the name that the contracts give
// it. A kind that is added to the contracts fails TestEveryKindOfEvent until it
// has one here, and words for it.
var kinds = map[string]struct {
	event *eventv1.Event
	want  string
}{
	"encounter_created": {&eventv1.Event{What: &eventv1.Event_EncounterCreated{EncounterCreated: &eventv1.EncounterCreated{
		Encounter: "e", Table: "main", Title: "Bridge", System: "rcr", SystemVersion: "1"}}}, `Encounter e at table main: "Bridge", system rcr 1`},
	"setting_changed": {&eventv1.Event{What: &eventv1.Event_SettingChanged{SettingChanged: &eventv1.SettingChanged{Setting: "a.b", Value: "off"}}},
		"setting a.b = off"},
	"encounter_started": {&eventv1.Event{What: &eventv1.Event_EncounterStarted{}}, "The fight begins"},
	"encounter_ended": {&eventv1.Event{What: &eventv1.Event_EncounterEnded{EncounterEnded: &eventv1.EncounterEnded{Reason: "they fled"}}},
		"The encounter is over (they fled)"},
	"creature_added": {&eventv1.Event{What: &eventv1.Event_CreatureAdded{CreatureAdded: &eventv1.CreatureAdded{
		Creature: "orc", Name: "Orc", Side: "monsters", Size: "medium", Controllers: []string{"kim"}}}}, "+ Orc (monsters, medium, id orc) played by kim"},
	"sheet_set":        {&eventv1.Event{What: &eventv1.Event_SheetSet{SheetSet: &eventv1.SheetSet{Creature: "orc"}}}, "sheet of Orc"},
	"creature_removed": {&eventv1.Event{What: &eventv1.Event_CreatureRemoved{CreatureRemoved: &eventv1.CreatureRemoved{Creature: "orc", Reason: "fled"}}}, "- Orc leaves (fled)"},
	"round_started":    {&eventv1.Event{What: &eventv1.Event_RoundStarted{RoundStarted: &eventv1.RoundStarted{Round: 2}}}, "--- Round 2"},
	"round_ended":      {&eventv1.Event{What: &eventv1.Event_RoundEnded{RoundEnded: &eventv1.RoundEnded{Round: 2}}}, "round 2 ends"},
	"phase_started":    {&eventv1.Event{What: &eventv1.Event_PhaseStarted{PhaseStarted: &eventv1.PhaseStarted{Phase: "declare"}}}, "phase: declare"},
	"turn_started":     {&eventv1.Event{What: &eventv1.Event_TurnStarted{TurnStarted: &eventv1.TurnStarted{Creatures: []string{"orc", "jeera"}}}}, "* Orc, Jeera"},
	"turn_ended":       {&eventv1.Event{What: &eventv1.Event_TurnEnded{TurnEnded: &eventv1.TurnEnded{Creatures: []string{"orc"}}}}, "turn of Orc ends"},
	"initiative_set": {&eventv1.Event{What: &eventv1.Event_InitiativeSet{InitiativeSet: &eventv1.InitiativeSet{Creature: "orc", Round: 2, Total: 14}}},
		"Orc acts on initiative 14 in round 2"},
	"initiative_cleared": {&eventv1.Event{What: &eventv1.Event_InitiativeCleared{InitiativeCleared: &eventv1.InitiativeCleared{Creature: "orc", Round: 2}}},
		"Orc has no place in round 2"},
	"action": {&eventv1.Event{What: &eventv1.Event_Action{Action: &eventv1.ActionTaken{Creature: "orc", Action: "attack", Item: "axe",
		Targets: []string{"jeera"}, Notes: []string{"half cover", "distance 5 feet"}}}}, "Orc: attack axe -> Jeera, half cover, distance 5 feet"},
	"roll": {&eventv1.Event{What: &eventv1.Event_Roll{Roll: &eventv1.Roll{Creature: "orc", Label: "turn-start/orc~1/save/jeera/2", Expression: "1d20", Total: 7,
		Dice: []*eventv1.Die{{Sides: 20, Face: 7, Value: 7, Kept: true}}}}}, "Orc turn start save Jeera {turn-start/orc~1/save/jeera/2}: 1d20 [7] = 7"},
	"attack": {&eventv1.Event{What: &eventv1.Event_Attack{Attack: &eventv1.Attack{Attacker: "orc", Target: "jeera", Weapon: "axe", Outcome: "lost", Note: "out of reach"}}},
		"Orc loses the attack on Jeera with axe (out of reach)"},
	"damage": {&eventv1.Event{What: &eventv1.Event_Damage{Damage: &eventv1.Damage{Target: "orc", Amount: 1, Nature: "loss", Cause: "bleeding"}}},
		"Orc loses 1 hit point (bleeding)"},
	"healing": {&eventv1.Event{What: &eventv1.Event_Healing{Healing: &eventv1.Healing{Target: "orc", Offered: 9, Amount: 4, Cause: "potion"}}},
		"Orc regains 4 of 9 hit points from potion"},
	"hit_points": {&eventv1.Event{What: &eventv1.Event_HitPoints{HitPoints: &eventv1.HitPoints{Creature: "orc", Hp: 3, Max: 15}}}, "Orc has 3 of 15 hit points"},
	"life": {&eventv1.Event{What: &eventv1.Event_Life{Life: &eventv1.LifeChanged{Creature: "orc", Status: eventv1.LifeStatus_LIFE_STATUS_DYING, Cause: "axe"}}},
		"Orc is dying (axe)"},
	"counter": {&eventv1.Event{What: &eventv1.Event_Counter{Counter: &eventv1.CounterSet{Subject: "side:monsters", Counter: "morale", Was: 7, Value: 6, Cause: "a loss"}}},
		"side monsters morale: 7 -> 6 (a loss)"},
	"mark": {&eventv1.Event{What: &eventv1.Event_Mark{Mark: &eventv1.MarkSet{Mark: "weather"}}}, "encounter weather: none"},
	"condition_added": {&eventv1.Event{What: &eventv1.Event_ConditionAdded{ConditionAdded: &eventv1.ConditionAdded{Creature: "orc",
		Condition: &eventv1.Condition{Name: "grappled", Variant: "check/stealth", Source: "jeera", Cause: "a grapple"}}}}, "Orc is grappled check stealth (a grapple, Jeera)"},
	"condition_removed": {&eventv1.Event{What: &eventv1.Event_ConditionRemoved{ConditionRemoved: &eventv1.ConditionRemoved{Creature: "orc", Id: "c1", Name: "prone", Cause: "stands up"}}},
		"Orc is no longer prone (stands up)"},
	"injury_added": {&eventv1.Event{What: &eventv1.Event_InjuryAdded{InjuryAdded: &eventv1.InjuryAdded{Creature: "orc",
		Injury: &eventv1.Injury{Id: "i2", Kind: "lost-part", Part: "arm", Side: "left", Cause: "axe"}}}}, "Orc suffers: lost part, left arm (axe)"},
	"injury_removed": {&eventv1.Event{What: &eventv1.Event_InjuryRemoved{InjuryRemoved: &eventv1.InjuryRemoved{Creature: "orc", Id: "i1", Cause: "a healer"}}},
		"Orc is rid of scar, deep (a healer)"},
	"moved": {&eventv1.Event{What: &eventv1.Event_Moved{Moved: &eventv1.Moved{Creature: "orc", To: &eventv1.Position{X: 5, Z: 10}, Mode: "fly", Feet: 15}}},
		"Orc moves to (5, 0, 10) (fly 15 ft.)"},
	"item": {&eventv1.Event{What: &eventv1.Event_Item{Item: &eventv1.ItemChanged{Creature: "orc", Item: "axe", Place: "dropped", Cause: "fumble"}}},
		"Orc's axe is dropped (fumble)"},
	"decision_requested": {&eventv1.Event{What: &eventv1.Event_DecisionRequested{DecisionRequested: &eventv1.DecisionRequested{Decision: &eventv1.Decision{
		Id: "d1", Name: "cleave", Creature: "orc", Question: "Go on?", DefaultOption: "no", Options: []*eventv1.DecisionOption{{Id: "no"}, {Id: "jeera"}}}}}},
		"? cleave [d1] for Orc: Go on? (no* / jeera)"},
	"decision_answered": {&eventv1.Event{What: &eventv1.Event_DecisionAnswered{DecisionAnswered: &eventv1.DecisionAnswered{Id: "d1", Name: "cleave", Creature: "orc",
		Answer: &eventv1.Answer{Option: "no"}, By: "standing-order"}}}, "! cleave Orc: no (standing order)"},
	"standing_order": {&eventv1.Event{What: &eventv1.Event_StandingOrder{StandingOrder: &eventv1.StandingOrderSet{Creature: "orc", Decision: "cleave", Order: "no"}}},
		"Orc answers cleave with no"},
	"imported": {&eventv1.Event{What: &eventv1.Event_Imported{Imported: &eventv1.EncounterImported{By: &eventv1.Principal{Role: eventv1.Principal_ROLE_GM}}}},
		"The record was brought from another server by the game master; from here on it is only read"},
	"forked": {&eventv1.Event{What: &eventv1.Event_Forked{Forked: &eventv1.EncounterForked{Origin: "bridge", Version: 12, Copies: map[string]string{"kim": "kim"}}}},
		"It begins as encounter bridge stood after step 12; patients are copies, which no record hears of"},
	"contest": {&eventv1.Event{What: &eventv1.Event_Contest{Contest: &eventv1.ContestSet{Contest: &eventv1.Contest{Id: "c1", Kind: eventv1.Contest_KIND_CLAIM,
		Status: eventv1.Contest_STATUS_DECLINED, By: &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "kim"}, Words: "there was cover", Reason: "none from there"}}}},
		`Contest c1: kim contests a step, "there was cover"; declined (none from there)`},
	"save_point": {&eventv1.Event{What: &eventv1.Event_SavePoint{SavePoint: &eventv1.SavePointSet{SavePoint: &eventv1.SavePoint{Name: "before the door", Version: 7}}}},
		`Save point "before the door": step 7`},
	"order": {&eventv1.Event{What: &eventv1.Event_Order{Order: &eventv1.OrderGiven{Order: &eventv1.StandingOrder{Monsters: true, Decision: "cleave", Order: "yes", When: "distance < 10"}}}},
		"whoever nobody plays answers cleave with yes when distance < 10"},
	"preset": {&eventv1.Event{What: &eventv1.Event_Preset{Preset: &eventv1.PresetChosen{Preset: "base", Settings: map[string]string{"a.c": "", "a.b": "off"}}}},
		"the settings are those of base: a.b off, a.c as usual"},
	"task": {&eventv1.Event{What: &eventv1.Event_Task{Task: &eventv1.TaskSet{Task: &eventv1.Task{Id: "t2", Creature: "orc", Kind: "delayed-roll", Status: "pending",
		Text: "pick the lock", Values: map[string]int32{"dc": 15}}}}}, "Orc task t2: delayed-roll pending pick the lock dc 15"},
	"task_ended": {&eventv1.Event{What: &eventv1.Event_TaskEnded{TaskEnded: &eventv1.TaskEnded{Id: "t1", Outcome: "done"}}}, "task climb the wall ends (done)"},
	"dice_epoch": {&eventv1.Event{What: &eventv1.Event_DiceEpoch{DiceEpoch: &eventv1.DiceEpochOpened{Epoch: 2, Commitments: []*eventv1.Commitment{{Branch: "gm"}, {Branch: "everyone"}}}}},
		"dice epoch 2: commitments of gm, everyone"},
	"dice_revealed": {&eventv1.Event{What: &eventv1.Event_DiceRevealed{DiceRevealed: &eventv1.DiceRevealed{Epoch: 2, Branch: "gm", Seed: []byte{0xab, 1}}}},
		"The seed of branch gm, epoch 2, is open: ab01"},
	"entropy_given": {&eventv1.Event{What: &eventv1.Event_EntropyGiven{EntropyGiven: &eventv1.EntropyGiven{Epoch: 1, Contributor: "player/ann", Value: []byte{0xab}}}},
		"player/ann mixes into the dice of epoch 1: ab"},
	"entropy_closed": {&eventv1.Event{What: &eventv1.Event_EntropyClosed{EntropyClosed: &eventv1.EntropyClosed{Epoch: 1}}}, "dice epoch 1: entropy is closed"},
	"beacon_named": {&eventv1.Event{What: &eventv1.Event_BeaconNamed{BeaconNamed: &eventv1.BeaconNamed{Epoch: 1, Beacon: &eventv1.Beacon{Name: "drand quicknet", Round: 7},
		Waived: true, Reason: "no net"}}}, "Round 7 of drand quicknet is waived for the dice of epoch 1 (no net)"},
	"rolls_opened": {&eventv1.Event{What: &eventv1.Event_RollsOpened{RollsOpened: &eventv1.RollsOpened{Epoch: 1, Branch: "gm", Action: 3,
		Rolls: []*eventv1.Roll{{Label: "fate", Expression: "2d6", Faces: []int32{2, 5}, Value: 7}}}}},
		"Opened: action 3 of branch gm, epoch 1\n      fate: 2d6 shows 2 5, in all 7"},
	"note": {&eventv1.Event{What: &eventv1.Event_Note{Note: &eventv1.Note{Creature: "orc", Text: "the blow hurts the one who struck"}}},
		"Orc: the blow hurts the one who struck"},
	"reverted": {&eventv1.Event{What: &eventv1.Event_Reverted{Reverted: &eventv1.Reverted{Version: 4, Reason: "wrong target"}}},
		"The encounter is put back, to step 4 (wrong target)"},
	"controllers": {&eventv1.Event{What: &eventv1.Event_Controllers{Controllers: &eventv1.ControllersSet{Creature: "orc"}}}, "Orc is played by the game master"},
	"learned": {&eventv1.Event{What: &eventv1.Event_Learned{Learned: &eventv1.Learned{Creature: "jeera", About: "orc", Facts: map[string]int32{"wounds": 2, "hp": 9}}}},
		"Jeera learns of Orc: hp 9, wounds 2"},
	"amended": {&eventv1.Event{What: &eventv1.Event_Amended{Amended: &eventv1.Amended{Version: 4, Reason: "cover", Commands: []*eventv1.Redecided{{}}}}},
		"Step 4 is changed and 1 command is decided again (cover)"},
	"relation": {&eventv1.Event{What: &eventv1.Event_Relation{Relation: &eventv1.RelationSet{Creature: "orc",
		Relation: &eventv1.Relation{Kind: "aims-at", To: "jeera", Values: map[string]int32{"gap": 20}}}}}, "Orc now aims at Jeera (gap 20)"},
	"relation_ended": {&eventv1.Event{What: &eventv1.Event_RelationEnded{RelationEnded: &eventv1.RelationEnded{Creature: "orc", Kind: "holds", To: "jeera", Cause: "torn loose"}}},
		"Orc no longer holds Jeera (torn loose)"},
	"begun": {&eventv1.Event{What: &eventv1.Event_Begun{Begun: &eventv1.BegunSet{Creature: "orc", Begun: &eventv1.Begun{Kind: "readied", Trigger: "cast", Foe: "jeera",
		Action: &eventv1.TakeAction{Action: "attack", Item: "axe", Targets: []string{"jeera"}}, Done: 1, Needed: 3, Counter: "acts"}}}},
		"Orc has begun: readied: attack with axe against Jeera (1 of 3 acts) set off by cast of Jeera"},
	"begun_ended": {&eventv1.Event{What: &eventv1.Event_BegunEnded{BegunEnded: &eventv1.BegunEnded{Creature: "orc", Id: "readied", Outcome: "taken"}}},
		"Orc has ended: readied (taken)"},
	"packs_pinned": {&eventv1.Event{What: &eventv1.Event_PacksPinned{PacksPinned: &eventv1.PacksPinned{Packs: []string{"ab", "cd"}}}},
		"kept with 2 packs of content"},
	"staged": {&eventv1.Event{What: &eventv1.Event_Staged{Staged: &eventv1.Staged{Creature: "orc", Staged: true, KnownTo: []string{"jeera"}}}},
		"Orc is staged, known to Jeera"},
}

// knowing is a style that has read the history before.
func knowing() Style {
	st := Style{Names: map[string]string{"jeera": "Jeera", "orc": "Orc"}, Bookkeeping: true, Labels: true}
	st.Learn([]*eventv1.Event{
		{What: &eventv1.Event_InjuryAdded{InjuryAdded: &eventv1.InjuryAdded{Creature: "orc", Injury: &eventv1.Injury{Id: "i1", Kind: "scar", Part: "scar", Description: "deep"}}}},
		{What: &eventv1.Event_Task{Task: &eventv1.TaskSet{Task: &eventv1.Task{Id: "t1", Kind: "climb", Text: "climb the wall"}}}},
	})
	return st
}

// Every kind of event of the contracts has a line, the same for each audience
// but for the mark that says whose it is.
func TestEveryKindOfEvent(t *testing.T) {
	st := knowing()
	audiences := map[string]*eventv1.Audience{
		"":                   {Kind: eventv1.Audience_KIND_EVERYONE},
		"  [gm only]":        {Kind: eventv1.Audience_KIND_GM},
		"  [for Jeera, Orc]": {Kind: eventv1.Audience_KIND_CREATURES, Creatures: []string{"jeera", "orc"}},
	}
	fds := (&eventv1.Event{}).ProtoReflect().Descriptor().Oneofs().ByName("what").Fields()
	for i := range fds.Len() {
		name := string(fds.Get(i).Name())
		t.Run(name, func(t *testing.T) {
			c, ok := kinds[name]
			if !ok {
				t.Fatalf("no line is wanted of event %s: give it words and a line here", name)
			}
			if c.event.ProtoReflect().WhichOneof(fds.Get(i).ContainingOneof()).Name() != fds.Get(i).Name() {
				t.Fatal("the line stands under another name")
			}
			for mark, audience := range audiences {
				e := proto.CloneOf(c.event)
				e.Audience = audience
				if got := strings.TrimLeft(st.Event(e), " "); got != c.want+mark {
					t.Errorf("want %q\ngot  %q", c.want+mark, got)
				}
			}
		})
	}
	if len(kinds) != fds.Len() {
		t.Errorf("%d lines, %d kinds of event", len(kinds), fds.Len())
	}
}

// raw is what no line may show: Go's and the contracts' own notation.
var raw = regexp.MustCompile(`%!|[A-Z]+_[A-Z]+_|\bmap\[|\{[^}/]*:|: *"|<nil>|&\{`)

// No event prints as its message, neither with every field empty nor with every
// field set.
func TestNoEventPrintsRaw(t *testing.T) {
	st := Style{Bookkeeping: true, Rules: true, Labels: true}
	fds := (&eventv1.Event{}).ProtoReflect().Descriptor().Oneofs().ByName("what").Fields()
	for i := range fds.Len() {
		e := &eventv1.Event{}
		e.ProtoReflect().Set(fds.Get(i), e.ProtoReflect().NewField(fds.Get(i)))
		for _, what := range []string{"empty", "filled"} {
			if line := st.Event(e); strings.TrimSpace(line) == "" && what == "filled" || raw.MatchString(line) && fds.Get(i).Name() != "encounter_created" {
				t.Errorf("event %s, %s: %q", fds.Get(i).Name(), what, line)
			}
			fill(e.ProtoReflect().Mutable(fds.Get(i)).Message(), 0)
		}
	}
}

// fill sets every field of a message to something.
func fill(m protoreflect.Message, depth int) {
	fds := m.Descriptor().Fields()
	for i := range fds.Len() {
		fd := fds.Get(i)
		switch {
		case depth > 3 || fd.IsMap():
		case fd.IsList() && fd.Message() != nil:
			fill(m.Mutable(fd).List().AppendMutable().Message(), depth+1)
		case fd.IsList():
		case fd.Message() != nil:
			fill(m.Mutable(fd).Message(), depth+1)
		case fd.Kind() == protoreflect.StringKind:
			m.Set(fd, protoreflect.ValueOfString("x"))
		case fd.Kind() == protoreflect.EnumKind:
			m.Set(fd, protoreflect.ValueOfEnum(1))
		}
	}
}

func TestChange(t *testing.T) {
	st := knowing()
	for _, c := range []struct{ path, before, after, want string }{
		{"creatures.orc.hp", "3", "15", "Orc: hit points 3 -> 15"},
		{"creatures.orc.life", `"LIFE_STATUS_DEAD"`, `"LIFE_STATUS_ALIVE"`, "Orc: life dead -> alive"},
		{"creatures.orc.counters.free-hand", `"1"`, "", "Orc: free hand 1 -> nothing"},
		{"creatures.orc.position", "{}", `{"x":5,"y":10}`, "Orc: position (0, 0) -> (5, 10)"},
		{"creatures.orc.conditions", "", `[{"id":"c1","name":"prone"},{"id":"c2","name":"worn","variant":"2"}]`, "Orc: conditions nothing -> prone, worn 2"},
		{"active", `["orc"]`, `["jeera","orc"]`, "whose turn it is Orc -> Jeera, Orc"},
		{"settings.a.b", `"on"`, `"off"`, "setting a.b on -> off"},
		{"tasks.t1", `{"id":"t1","kind":"climb"}`, "", "task climb the wall: itself climb -> nothing"},
		{"sides.monsters.counters.morale", `"7"`, `"6"`, "side monsters: morale 7 -> 6"},
	} {
		if got := st.Change(&encounterv1.Change{Path: c.path, Before: c.before, After: c.after}); got != c.want {
			t.Errorf("%s: want %q, got %q", c.path, c.want, got)
		}
	}
}
