package rules_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// runs is a resolution of a few lines on the toy's fight.
func runs(t *testing.T, req rules.Request, p rules.Provider, fn func(*rules.Resolution) error) (*rules.Outcome, error) {
	t.Helper()
	req.State, req.Action = fightState(t), 7
	return rules.Run(context.Background(), toy{}, req, p, fn)
}

func roll(label, expression string) rules.RollSpec {
	return rules.RollSpec{Label: label, Creature: "a", Expression: expression, Target: &eventv1.TargetNumber{Kind: "DC", Value: 11}}
}

// T2: once the server has drawn a face, a refusal ends the action and is told.
func TestNothingIsRefusedAfterADraw(t *testing.T) {
	no := fault.Refuse("TOO_LATE", "toy.rule", "it is too late")
	for name, tt := range map[string]struct {
		faces   []int32
		before  bool
		refused bool
	}{
		"before any die":           {before: true, refused: true},
		"after a die of people":    {faces: []int32{12}, refused: true},
		"after a die of the tape":  {},
		"after one of each, mixed": {faces: []int32{12, 3}},
	} {
		out, err := runs(t, rules.Request{Faces: tt.faces}, &table{tape: true, faces: []int32{5, 6, 4}}, func(r *rules.Resolution) error {
			if tt.before {
				return no
			}
			r.Roll(roll("one", "1d20"))
			if len(tt.faces) != 1 {
				r.Roll(roll("two", "2d6"))
			}
			return no
		})
		if tt.refused {
			if !errors.Is(err, error(no)) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || len(out.Open) != 0 || !strings.Contains(out.Events[len(out.Events)-1].GetNote().GetText(), "it is too late") {
			t.Errorf("%s: %v, %v", name, err, out)
		}
	}
	// What is broken is an error all the same, and so is a face that nobody has.
	broken := errors.New("no dice service")
	if _, err := runs(t, rules.Request{}, &table{tape: true, faces: []int32{5}}, func(r *rules.Resolution) error {
		r.Roll(roll("one", "1d20"))
		return broken
	}); !errors.Is(err, broken) {
		t.Errorf("broken: %v", err)
	}
}

// The odds of a roll are exact: rerolls, explosions and judges included.
func TestOddsOfRolls(t *testing.T) {
	critical := rules.RollSpec{Label: "hit", Creature: "a", Expression: "1d20", Target: &eventv1.TargetNumber{Value: 15},
		Modifiers: []*eventv1.Modifier{{Value: 4}},
		Judge: func(natural, total int32) (string, int32) {
			switch {
			case natural == 20:
				return "critical", 0
			case natural == 1 || total < 15:
				return "failure", 0
			}
			return "success", 0
		}}
	for name, tt := range map[string]struct {
		spec rules.RollSpec
		want map[string]string
	}{
		"one die":       {roll("x", "1d20"), map[string]string{"success": "1/2", "failure": "1/2"}},
		"advantage":     {roll("x", "2d20kh1"), map[string]string{"success": "3/4", "failure": "1/4"}},
		"reroll once":   {roll("x", "1d20ro1"), map[string]string{"success": "21/40", "failure": "19/40"}},      // 10/20 + 1/20*10/20
		"three d6":      {roll("x", "3d6"), map[string]string{"success": "1/2", "failure": "1/2"}},              // 3d6 is symmetric about 10.5
		"a judge":       {critical, map[string]string{"critical": "1/20", "success": "9/20", "failure": "1/2"}}, // 11..19 succeed
		"without end":   {roll("x", "20d20"), nil},
		"no comparison": {rules.RollSpec{Label: "x", Expression: "1d6"}, nil},
	} {
		out, err := runs(t, rules.Request{Odds: true, Faces: slices.Repeat([]int32{2}, 20)}, &table{}, func(r *rules.Resolution) error {
			r.Roll(tt.spec)
			return nil
		})
		if err != nil || len(out.Odds) != 1 {
			t.Fatalf("%s: %v %v", name, out, err)
		}
		got := map[string]string{}
		for _, o := range out.Odds[0].Odds {
			got[o.Outcome] = o.Odds
		}
		if len(got) != len(tt.want) {
			t.Errorf("%s: %v", name, got)
		}
		for outcome, odds := range tt.want {
			if got[outcome] != odds {
				t.Errorf("%s: %s is %s, want %s", name, outcome, got[outcome], odds)
			}
		}
	}
}

const toyWords = "place,actions,name,type,values,sides,least,most,matter,rule,text\n" +
	"parameter,strike|shoot,power,number,,,1,5,actor,,How hard\n" +
	"parameter,shoot,quiet,boolean,,,,,actor,,Without a sound\n" +
	"fact,*,cover,string,half|total,,,,world,toy.cover,What stands between\n" +
	"fact,strike,beside,creatures,,,,,world,,Who stands beside the target\n" +
	"join,,surprised,boolean,,,,,world,,Surprised\n" +
	"mark,,spell.,string,,,,,world,,A spell that lasts\n" +
	"injury,,lost,string,arm|leg,left|right,,,world,,A part is lost\n"

func TestVocabulary(t *testing.T) {
	v, err := rules.ReadVocabulary(toyWords, []string{"strike", "shoot"})
	if err != nil {
		t.Fatal(err)
	}
	if w := v.Find(rules.PlaceMark, "", "spell.bless"); w == nil || v.Find(rules.PlaceMark, "", "spell.") == nil || v.Find(rules.PlaceMark, "", "spel") != nil {
		t.Errorf("beginnings of names: %v", w)
	}
	if got := v.Names(rules.PlaceParameter, "shoot"); !slices.Equal(got, []string{"power", "quiet"}) {
		t.Errorf("names: %v", got)
	}
	for name, table := range map[string]string{
		"place":   "somewhere,*,x,string,,,,,actor,,x\n",
		"type":    "fact,*,x,word,,,,,actor,,x\n",
		"matter":  "fact,*,x,string,,,,,nobody,,x\n",
		"action":  "fact,jump,x,string,,,,,actor,,x\n",
		"twice":   "fact,*,x,string,,,,,actor,,x\nfact,strike,x,string,,,,,actor,,x\n",
		"bounds":  "fact,*,x,number,,,5,1,actor,,x\n",
		"text":    "fact,*,x,string,,,,,actor,,\n",
		"no deed": "deed,,x,string,,,,,actor,,x\n",
	} {
		heading, _, _ := strings.Cut(toyWords, "\n")
		if _, err := rules.ReadVocabulary(heading+"\n"+table, []string{"strike", "shoot"}); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

// worded is the toy with a vocabulary.
type worded struct{ toy }

var toyVocabulary = func() *rules.Vocabulary {
	v, err := rules.ReadVocabulary(toyWords, []string{"strike", "shoot"})
	if err != nil {
		panic(err)
	}
	return v
}()

func (worded) Vocabulary() *rules.Vocabulary { return toyVocabulary }

// What no action knows is refused, with the field and the words that it knows.
func TestUnknownWordsAreRefused(t *testing.T) {
	for name, tt := range map[string]struct {
		action      string
		facts       map[string]any
		params      map[string]any
		field, says string
	}{
		"an action":           {action: "strik", field: "take.action", says: "strike"},
		"a fact":              {action: "strike", facts: map[string]any{"covr": "total"}, field: "take.facts.covr", says: "cover"},
		"a value":             {action: "strike", facts: map[string]any{"cover": "hlaf"}, field: "take.facts.cover", says: "half, total"},
		"a type":              {action: "shoot", params: map[string]any{"quiet": "yes"}, field: "take.parameters.quiet", says: "true or false"},
		"of another action":   {action: "strike", params: map[string]any{"quiet": true}, field: "take.parameters.quiet", says: "power"},
		"a number too high":   {action: "strike", params: map[string]any{"power": 6}, field: "take.parameters.power", says: "1 to 5"},
		"a broken number":     {action: "strike", params: map[string]any{"power": 2.5}, field: "take.parameters.power", says: "whole"},
		"nobody in a list":    {action: "strike", facts: map[string]any{"beside": []any{"a", "zed"}}, says: "zed"},
		"a list of something": {action: "strike", facts: map[string]any{"beside": []any{true}}, field: "take.facts.beside[0]", says: "text"},
	} {
		take := &eventv1.TakeAction{Creature: "a", Action: tt.action, Targets: []string{"b"}, Facts: object(t, tt.facts), Parameters: object(t, tt.params)}
		_, err := rules.Run(context.Background(), worded{}, rules.Request{State: fightState(t)}, &table{},
			rules.Resolve(worded{}, &eventv1.Command{What: &eventv1.Command_Take{Take: take}}))
		f, ok := fault.As(err)
		if !ok || !strings.Contains(f.Error(), tt.says) || tt.field != "" && (len(f.Violations) != 1 || f.Violations[0].Field != tt.field) {
			t.Errorf("%s: %v", name, err)
		}
	}
	injury := func(in *eventv1.Injury) error {
		_, err := rules.Run(context.Background(), worded{}, rules.Request{State: fightState(t)}, &table{}, rules.Resolve(worded{},
			&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a", Vitals: &eventv1.Vitals{Injuries: []*eventv1.Injury{in}}}}}))
		return err
	}
	if err := injury(&eventv1.Injury{Kind: "lost", Part: "arm", Side: "left"}); err != nil {
		t.Error(err)
	}
	for field, in := range map[string]*eventv1.Injury{"part": {Kind: "lost", Part: "right"}, "side": {Kind: "lost", Part: "leg", Side: "hind"}, "kind": {Kind: "lots"}} {
		if f, ok := fault.As(injury(in)); !ok || f.Violations[0].Field != "edit.vitals.injuries[0]."+field {
			t.Errorf("%s: %v", field, f)
		}
	}
}

func object(t *testing.T, fields map[string]any) *structpb.Struct {
	t.Helper()
	s, err := structpb.NewStruct(fields)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestNear(t *testing.T) {
	known := []string{"attack", "cast", "dash", "grapple"}
	for word, want := range map[string][]string{"atack": {"attack"}, "DASH": {"dash"}, "grap": {"grapple"}, "xyzzy": nil, "cash": {"cast", "dash"}} {
		if got := rules.Near(word, known); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", word, got, want)
		}
	}
}

// A message names the creature that a name means.
func TestANameForAnID(t *testing.T) {
	_, err := rules.Run(context.Background(), toy{}, rules.Request{State: fightState(t)}, &table{}, rules.Resolve(toy{},
		&eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: "B"}}}))
	if err == nil || !strings.Contains(err.Error(), "did you mean b (B)?") {
		t.Errorf("got %v", err)
	}
}

// Veiled events name nobody who is staged, in no field and in no text.
func TestVeil(t *testing.T) {
	s := fightState(t)
	event.Fold(s, event.New(event.GM(), &eventv1.CreatureAdded{Creature: "lurk", Name: "somebody", Side: "z"}))
	event.Fold(s, event.New(event.GM(), &eventv1.Staged{Creature: "lurk", Staged: true, KnownTo: []string{"a"}}))
	all := event.Everyone()
	for name, tt := range map[string]struct {
		event *eventv1.Event
		told  int // events that everyone or b's players get
	}{
		"of others":       {event.New(all, &eventv1.HitPoints{Creature: "a", Hp: 3}), 1},
		"its own":         {event.New(all, &eventv1.Moved{Creature: "lurk"}), 0},
		"its blow":        {event.New(all, &eventv1.Attack{Attacker: "lurk", Target: "b", Weapon: "bow"}), 1},
		"a text":          {event.New(all, &eventv1.LifeChanged{Creature: "b", Cause: "slain by somebody"}), 1},
		"turns":           {event.New(all, &eventv1.TurnStarted{Creatures: []string{"a", "lurk"}}), 1},
		"its turn":        {event.New(all, &eventv1.TurnStarted{Creatures: []string{"lurk"}}), 0},
		"a mark":          {event.New(all, &eventv1.MarkSet{Mark: "order", Value: "a,lurk@5,5,b"}), 0},
		"a longer word":   {event.New(all, &eventv1.MarkSet{Mark: "order", Value: "lurker"}), 1},
		"its commitment":  {event.New(all, &eventv1.DiceEpochOpened{Commitments: []*eventv1.Commitment{{Branch: "creature/lurk"}}}), 0},
		"b's players":     {event.New(event.Controllers("b"), &eventv1.ConditionAdded{Creature: "b", Condition: &eventv1.Condition{Id: "held", Name: "held", Source: "lurk"}}), 1},
		"who knows":       {event.New(event.Controllers("a"), &eventv1.Moved{Creature: "lurk"}), 0},
		"the game master": {event.New(event.GM(), &eventv1.Moved{Creature: "lurk"}), 0},
	} {
		told, full := 0, false
		for _, e := range event.Veil(s, tt.event) {
			public := e.Audience.Kind == eventv1.Audience_KIND_EVERYONE || slices.Contains(e.Audience.Creatures, "b")
			text := e.String()
			switch {
			case public && (strings.Contains(text, `"lurk"`) || strings.Contains(text, "creature/lurk") || strings.Contains(text, "by somebody\"")):
				t.Errorf("%s: %v", name, e)
			case public:
				told++
			}
			full = full || strings.Contains(text, "lurk") || strings.Contains(text, "somebody")
		}
		if told != tt.told || !full && name != "of others" {
			t.Errorf("%s: told to %d, kept %v: %v", name, told, full, event.Veil(s, tt.event))
		}
	}
}

// T2: a face that the server has drawn stays drawn, though the dice after it are people's.
func TestNothingIsRefusedAfterADrawAndFacesOfPeople(t *testing.T) {
	no := fault.Refuse("TOO_LATE", "toy.rule", "it is too late")
	anns, nobodys := roll("one", "1d20"), roll("two", "1d20")
	nobodys.Creature = "b"
	for name, rolls := range map[string][]rules.RollSpec{"the server's die first": {nobodys, anns}, "people's die first": {anns, nobodys}} {
		p := &table{tape: true, faces: []int32{5}}
		out, err := runs(t, rules.Request{Faces: []int32{12}, Speaker: &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "ann"}}, p, func(r *rules.Resolution) error {
			for _, spec := range rolls {
				if got, want := r.Roll(spec).Total, map[string]int32{"a": 12, "b": 5}[spec.Creature]; got != want {
					t.Errorf("%s: %s rolls %d, want %d", name, spec.Creature, got, want)
				}
			}
			return no
		})
		if err != nil || len(out.Open) > 0 || out.FacesUsed != 1 || !strings.Contains(out.Events[len(out.Events)-1].GetNote().GetText(), "it is too late") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
