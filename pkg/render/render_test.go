package render

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	rulesv1 "github.com/skaldrpg/skald/proto/skald/rules/v1"
)

var style = Style{Names: map[string]string{"jeera": "Jeera", "orc": "Orc"}, Rules: true}

func TestEventInWords(t *testing.T) {
	everyone := &eventv1.Audience{Kind: eventv1.Audience_KIND_EVERYONE}
	cases := []struct {
		name string
		e    *eventv1.Event
		want string
	}{
		{"roll", &eventv1.Event{Audience: everyone, Rules: []string{"a.b.c"}, What: &eventv1.Event_Roll{Roll: &eventv1.Roll{
			Creature: "jeera", Label: "attack/to-hit", Expression: "2d20kh1", Total: 22, Outcome: "success", Supplied: true,
			Dice:      []*eventv1.Die{{Sides: 20, Face: 17, Value: 17, Kept: true}, {Sides: 20, Face: 4, Value: 4}},
			Modifiers: []*eventv1.Modifier{{Value: 6, Source: "weapon"}, {Value: -1, Source: "cover"}},
			Edges:     []*eventv1.Edge{{Advantage: true, Source: "prone target"}},
			Target:    &eventv1.TargetNumber{Kind: "AC", Value: 13}}}},
			"      Jeera attack to hit: 2d20kh1 [17 (4)] +6 weapon -1 cover = 22 vs AC 13: success; advantage from prone target; rolled by hand  (a.b.c)"},
		{"damage", &eventv1.Event{What: &eventv1.Event_Damage{Damage: &eventv1.Damage{Target: "orc", Amount: 9, Soaked: 2, Cause: "Greataxe",
			Parts: []*eventv1.DamagePart{{Type: "slashing", Rolled: 12, Taken: 6, Note: "resistance"}, {Type: "fire", Rolled: 3, Taken: 3}}}}},
			"      Orc takes 9 damage: 6 slashing (of 12: resistance) + 3 fire, 2 soaked (Greataxe)"},
		{"life for the game master", &eventv1.Event{Audience: &eventv1.Audience{Kind: eventv1.Audience_KIND_GM},
			What: &eventv1.Event_Life{Life: &eventv1.LifeChanged{Creature: "orc", Status: eventv1.LifeStatus_LIFE_STATUS_DEAD}}}, "      Orc is dead  [gm only]"},
		{"hit points for the controllers", &eventv1.Event{Audience: &eventv1.Audience{Kind: eventv1.Audience_KIND_CREATURES, Creatures: []string{"jeera"}},
			What: &eventv1.Event_HitPoints{HitPoints: &eventv1.HitPoints{Creature: "jeera", Hp: 3, Max: 20, Temp: 4}}}, "      Jeera has 3 of 20 hit points and 4 temporary ones  [for Jeera]"},
		{"surprise round", &eventv1.Event{What: &eventv1.Event_RoundStarted{RoundStarted: &eventv1.RoundStarted{}}}, "--- Surprise round"},
		{"bookkeeping is left out", &eventv1.Event{What: &eventv1.Event_Counter{Counter: &eventv1.CounterSet{Subject: "orc", Counter: "action"}}}, ""},
		{"no event at all", nil, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := style.Event(c.e); got != c.want {
				t.Errorf("want %q\ngot  %q", c.want, got)
			}
		})
	}
}

func TestOptions(t *testing.T) {
	got := style.Options([]*eventv1.Option{
		{Creature: "orc", Action: "attack", Item: "Greataxe", Legal: true, Costs: map[string]int32{"action": 1}, Targets: []string{"jeera"},
			MinimumTargets: 1, MaximumTargets: 1, Parameters: []*eventv1.Parameter{{Name: "grip", Values: []*structpb.Value{structpb.NewStringValue("two-handed")}}}},
		{Creature: "orc", Action: "dash", Reason: "no action left", Rule: "a.b.c"},
		{Creature: "orc", Action: "stand", Reason: "not prone"},
		{Creature: "orc", Action: "ready", Item: "Greataxe", Reason: "no action left", Rule: "a.b.c"},
		{Creature: "orc", Action: "ready", Item: "Greataxe", Title: "another", Reason: "no action left", Rule: "a.b.c"},
	})
	want := "Orc may:\n  attack Greataxe costs action 1 -> 1 of jeera with [grip]=two-handed\n" +
		"Orc may not:\n  no action left (a.b.c):\n    dash, ready Greataxe\n  stand: not prone\n"
	if got != want {
		t.Errorf("want %q\ngot  %q", want, got)
	}
}

func TestOptionsThatDifferInTheItem(t *testing.T) {
	var options []*eventv1.Option
	for _, skill := range []string{"arcana", "history", "nature", "religion"} {
		options = append(options, &eventv1.Option{Creature: "orc", Action: "check", Item: skill, Title: "Recall " + skill, Legal: true, Costs: map[string]int32{"action": 1}})
	}
	options = append(options, &eventv1.Option{Creature: "jeera", Action: "check", Item: "arcana", Legal: true, Targets: []string{"orc", "orc-2"}, MaximumTargets: 1})
	st := Style{Names: map[string]string{"jeera": "Jeera", "orc": "Orc", "orc-2": "Snag"}}
	want := "Orc may:\n  check, each costs action 1:\n    arcana, history, nature, religion\nJeera may:\n  check arcana -> 0-1 of orc, orc-2 (Snag)\n"
	if got := st.Options(options); got != want {
		t.Errorf("want %q\ngot  %q", want, got)
	}
}

// What is inside an option is shown with it, under the heading that it has, and what
// it would provoke.
func TestOptionsWithChoices(t *testing.T) {
	got := style.Options([]*eventv1.Option{
		{Creature: "orc", Action: "ready", Legal: true, Group: "wait", Choices: []*eventv1.Option{{Action: "attack", Item: "axe", Legal: true}, {Action: "move", Legal: true}, {Action: "cast"}}},
		{Creature: "orc", Action: "move", Legal: true, Group: "move", Squares: []*eventv1.Square{{Feet: 5}, {Feet: 30}}, SquaresCut: true, Provokes: []string{"jeera"}},
		{Creature: "orc", Action: "wait", Legal: true, Group: "wait"},
	})
	want := "Orc may:\n  WAIT\n  ready\n    one of: attack axe, move\n  wait\n  MOVE\n  move to 2 squares and more, 30 ft. at most provokes Jeera\n"
	if got != want {
		t.Errorf("want %q\ngot  %q", want, got)
	}
}

func TestState(t *testing.T) {
	got := State(&eventv1.State{Encounter: "e", Title: "Bridge", System: "s", SystemVersion: "1", Status: eventv1.State_STATUS_STARTED, Round: 2, Active: []string{"orc"},
		Creatures: map[string]*eventv1.Creature{
			"orc": {Id: "orc", Name: "Orc", Side: "monsters", Life: eventv1.LifeStatus_LIFE_STATUS_ALIVE, Position: &eventv1.Position{X: 5},
				Relations: []*eventv1.Relation{{Kind: "holds", To: "jeera"}}, Begun: []*eventv1.Begun{{Kind: "waiting"}}},
			"jeera": {Id: "jeera", Name: "Jeera", Side: "party", Hp: proto.Int32(0), HpMax: proto.Int32(20), Life: eventv1.LifeStatus_LIFE_STATUS_DYING, Conditions: []*eventv1.Condition{{Name: "prone"}}},
		},
		Decisions: map[string]*eventv1.Decision{"d1": {Id: "d1", Name: "flee", Creature: "orc", Question: "Flee?", DefaultOption: "no",
			Options: []*eventv1.DecisionOption{{Id: "yes"}, {Id: "no"}}}}})
	want := "Bridge (e, s 1): started, round 2, turn of Orc\n" +
		"  Orc                  monsters    at (5, 0)  holds Jeera\n    waiting\n" +
		"  Jeera                party       0/20 hp  dying  prone\n" +
		"  ? flee [d1] for Orc: Flee? (yes / no*)\n"
	if got != want {
		t.Errorf("want:\n%s\ngot:\n%s", want, got)
	}
}

func TestResultAndOdds(t *testing.T) {
	got := Result(&dicev1.Result{Expression: "2d6kh1+3", Total: 8, Root: &dicev1.Node{Kind: "sum", Text: "2d6kh1+3", Value: 8, Children: []*dicev1.Node{
		{Kind: "dice", Text: "2d6kh1", Value: 5, Dice: []*eventv1.Die{{Face: 5, Value: 5, Kept: true}, {Face: 2, Value: 2}}}, {Kind: "number", Text: "3", Value: 3}}}})
	if want := "2d6kh1+3 = 8\n  2d6kh1 [5 (2)] = 5\n  3\n"; got != want {
		t.Errorf("want %q\ngot  %q", want, got)
	}
	half := &dicev1.Fraction{Numerator: "1", Denominator: "2", Approximately: 0.5}
	odds := Odds(&dicev1.OddsResponse{Expression: "d2", Minimum: 1, Maximum: 2, Mean: &dicev1.Fraction{Numerator: "3", Denominator: "2", Approximately: 1.5},
		Variance: half, Chance: half, Outcomes: []*dicev1.Outcome{{Value: 1, Chance: half}, {Value: 2, Chance: half}}}, proto.Int64(2))
	want := "d2: 1 to 2, mean 3/2 (about 1.5), variance 1/2 (about 0.5)\nat least 2: 1/2 (about 0.5)\n     1  50.0000% " + strings.Repeat("#", maxBar) + "\n     2  50.0000% " + strings.Repeat("#", maxBar) + "\n"
	if odds != want {
		t.Errorf("want %q\ngot  %q", want, odds)
	}
}

func TestExplain(t *testing.T) {
	got := Explain(&encounterv1.ExplainResponse{Lines: []*encounterv1.ExplainLine{{Text: "Orc action: 1 -> 0 (attack)"},
		{Text: "the attack costs an action", Rule: "a.b.c", RuleTitle: "Acts"}, {Text: "nothing else"}, {Text: "under a.b.c", Rule: "a.b.c", RuleTitle: "Acts"}}})
	want := "Orc action: 1 -> 0 (attack)\n  the attack costs an action  (a.b.c - Acts)\n  nothing else\n  under a.b.c - Acts\n"
	if got != want {
		t.Errorf("want %q\ngot  %q", want, got)
	}
}

func TestLearnNames(t *testing.T) {
	var st Style
	st.Learn([]*eventv1.Event{{What: &eventv1.Event_CreatureAdded{CreatureAdded: &eventv1.CreatureAdded{Creature: "orc", Name: "Grak"}}}})
	if st.name("orc") != "Grak" || st.name("elf") != "elf" {
		t.Error("names are not learned from events")
	}
}

func TestPreview(t *testing.T) {
	got := Preview(&encounterv1.PreviewRulingResponse{Redecided: 2,
		Changes: []*encounterv1.Change{{Path: "creatures.orc.hp", Before: "3", After: "15"}, {Path: "creatures.orc.position", Before: "{}"}},
		Troubles: []*encounterv1.Trouble{{Version: 7, Kind: encounterv1.Trouble_KIND_ILLEGAL, Reason: "NO_ACTION", Rule: "a.b.c", Message: "no action left"},
			{Version: 9, Kind: encounterv1.Trouble_KIND_UNANSWERED, Reason: "UNANSWERED_DECISION", Message: "nobody has answered: Flee?",
				Decision: &eventv1.Decision{Id: "d1", Name: "flee", Creature: "orc", Question: "Flee?", Options: []*eventv1.DecisionOption{{Id: "yes"}, {Id: "no"}}}}}})
	want := "2 commands would be decided again\n  orc: hit points 3 -> 15\n  orc: position (0, 0) -> nothing\n" +
		"step 7 became illegal: no action left (NO_ACTION a.b.c)\n" +
		"step 9 meets an unanswered decision: nobody has answered: Flee? (UNANSWERED_DECISION)\n" +
		"  ? flee [d1] for orc: Flee? (yes / no)\n"
	if got != want {
		t.Errorf("want %q\ngot  %q", want, got)
	}
}

// A rule says whether code decides it.
func TestRuleSaysWhoDecides(t *testing.T) {
	for status, want := range map[string]string{"decided": "decided by injury", "open": "not decided by any code", "advice": "nothing to decide"} {
		got := Rule(&rulesv1.Rule{Id: "a.b.c", Title: "T", Text: "Words.", Weight: "core", Owner: "injury", Status: status})
		if !strings.Contains(got, want) {
			t.Errorf("%s: %q does not say %q", status, got, want)
		}
	}
}

// A log says what made a number, which facts an attack went by, and how damage came
// about; one part alone is the number again, and bookkeeping comes on request.
func TestNumbersComeApart(t *testing.T) {
	st := Style{Names: map[string]string{"orc": "Orc", "jeera": "Jeera"}}
	roll := func(mods ...*eventv1.Modifier) *eventv1.Event {
		return &eventv1.Event{What: &eventv1.Event_Roll{Roll: &eventv1.Roll{Creature: "orc", Label: "to-hit", Expression: "1d20", Total: 9,
			Dice: []*eventv1.Die{{Sides: 20, Face: 9, Value: 9, Kept: true}}, Target: &eventv1.TargetNumber{Kind: "AC", Value: 15, Modifiers: mods}}}}
	}
	attack := &eventv1.Event{What: &eventv1.Event_Attack{Attack: &eventv1.Attack{Attacker: "orc", Target: "jeera", Weapon: "axe", Outcome: "miss",
		Roll: &eventv1.RollRef{Label: "attack/1/to-hit"}, Facts: []*eventv1.UsedFact{{Name: "distance", Value: "5 feet"}, {Name: "back_to_wall", Value: "true", Stated: true}}}}}
	damage := &eventv1.Event{What: &eventv1.Event_Damage{Damage: &eventv1.Damage{Target: "orc", Amount: 7, Cause: "lance", Parts: []*eventv1.DamagePart{{Type: "piercing",
		Rolled: 7, Taken: 7, Factors: []*eventv1.Factor{{Before: 5, Times: 3, Over: 2, After: 7, Source: "charge"}, {Before: 7, Plus: -2, After: 5, Source: "edge"}}}}}}}
	books := &eventv1.Event{Bookkeeping: true, What: &eventv1.Event_Relation{Relation: &eventv1.RelationSet{Creature: "orc", Relation: &eventv1.Relation{Kind: "met", To: "jeera"}}}}
	phase := &eventv1.Event{What: &eventv1.Event_PhaseStarted{PhaseStarted: &eventv1.PhaseStarted{Phase: "25-20"}}}
	place := func(kind eventv1.Audience_Kind) *eventv1.Event {
		return &eventv1.Event{Audience: &eventv1.Audience{Kind: kind}, What: &eventv1.Event_InitiativeSet{InitiativeSet: &eventv1.InitiativeSet{Creature: "orc", Round: 1, Total: 22}}}
	}
	all := Style{Names: st.Names, Bookkeeping: true, Labels: true}
	for _, c := range []struct {
		name  string
		style Style
		event *eventv1.Event
		want  string
	}{
		{"parts", st, roll(&eventv1.Modifier{Value: 13, Source: "leather"}, &eventv1.Modifier{Value: 2, Source: "shield"}), "Orc to hit: 1d20 [9] = 9 vs AC 15 (13 leather +2 shield)"},
		{"one part", st, roll(&eventv1.Modifier{Value: 15, Source: "sheet"}), "Orc to hit: 1d20 [9] = 9 vs AC 15"},
		{"facts", st, attack, "Orc misses Jeera with axe; distance 5 feet (measured), back to wall (stated)"},
		{"its roll", all, attack, "Orc misses Jeera with axe; distance 5 feet (measured), back to wall (stated) {attack/1/to-hit}"},
		{"factors", st, damage, "Orc takes 7 damage: 7 piercing [5 x 3 / 2 = 7: charge] [7 - 2 = 5: edge] (lance)"},
		{"bookkeeping", st, books, ""},
		{"bookkeeping on request", all, books, "Orc now met Jeera"},
		{"a range is called", st, phase, "phase: 25-20"},
		{"a place for all", st, place(eventv1.Audience_KIND_EVERYONE), "Orc acts on initiative 22 in round 1"},
		{"a place for some", st, place(eventv1.Audience_KIND_CREATURES), ""},
	} {
		if got := strings.TrimSpace(c.style.Event(c.event)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
