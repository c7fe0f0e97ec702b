package rules_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Who sees a roll: who the rules say, unless whoever may say so calls for another way.
func TestWhoSeesARoll(t *testing.T) {
	const (
		open, private, blind, none = eventv1.RollMode_ROLL_MODE_OPEN, eventv1.RollMode_ROLL_MODE_PRIVATE, eventv1.RollMode_ROLL_MODE_BLIND, eventv1.RollMode_ROLL_MODE_UNSPECIFIED
		all, theirs, hidden        = "everyone", "a's", "gm"
	)
	audiences := map[string]*eventv1.Audience{all: nil, theirs: event.Controllers("a"), hidden: event.GM()}
	for _, c := range []struct {
		name    string
		caller  *eventv1.Principal
		of      string // creature that rolls
		rules   string // whom the rules show it
		called  eventv1.RollMode
		seen    string
		counted eventv1.RollMode
	}{
		{"nobody calls", gm, "a", all, none, all, none},
		{"the game master, openly", gm, "a", theirs, open, all, open},
		{"openly what is secret", gm, "a", hidden, open, all, open},
		{"the game master, privately", gm, "a", all, private, theirs, private},
		{"privately what is secret", gm, "a", hidden, private, hidden, private},
		{"privately of nobody", gm, "", all, private, hidden, private},
		{"the game master, blindly", gm, "a", all, blind, hidden, blind},
		{"without a caller", nil, "a", all, private, theirs, private},
		{"a player, openly", ann, "a", theirs, open, all, open},
		{"a player, privately", ann, "a", all, private, theirs, private},
		{"a player, blindly", ann, "a", all, blind, hidden, blind},
		{"a player openly what is secret", ann, "a", hidden, open, hidden, none},
		{"a player privately what is secret", ann, "a", hidden, private, hidden, none},
		{"a player blindly what is secret", ann, "a", hidden, blind, hidden, blind},
		{"another's, openly", ann, "b", theirs, open, theirs, none},
		{"another's, blindly", bob, "a", all, blind, all, none},
	} {
		spec := roll("probe", "1d20")
		spec.Creature, spec.Audience = c.of, audiences[c.rules]
		out, err := runs(t, rules.Request{Caller: c.caller, Mode: c.called}, &table{tape: true, faces: []int32{12}}, func(r *rules.Resolution) error { r.Roll(spec); return nil })
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for _, e := range out.Events {
			if e.GetRoll() == nil {
				continue
			}
			seen := map[eventv1.Audience_Kind]string{eventv1.Audience_KIND_EVERYONE: all, eventv1.Audience_KIND_GM: hidden, eventv1.Audience_KIND_CREATURES: theirs}[e.Audience.Kind]
			if seen != c.seen || e.GetRoll().Mode != c.counted {
				t.Errorf("%s: seen by %s as %v, want %s as %v", c.name, seen, e.GetRoll().Mode, c.seen, c.counted)
			}
		}
	}
}

// undrawn are dice that fail in their own way.
type undrawn struct {
	table
	err error
}

func (u *undrawn) Draw(context.Context, rules.DrawRequest) (*eventv1.Draw, error) { return nil, u.err }

// Dice that fail are an error, and no question for faces; too few faces for what is asked are refused with the field.
func TestDiceThatFail(t *testing.T) {
	broken := errors.New("no dice")
	out, err := runs(t, rules.Request{}, &undrawn{err: broken}, func(r *rules.Resolution) error { r.Roll(roll("one", "1d20")); return nil })
	if !errors.Is(err, broken) || out != nil && len(out.Open) > 0 {
		t.Fatalf("%v, %v", out, err)
	}
	out, err = runs(t, rules.Request{}, &undrawn{err: rules.ErrNeedFaces}, func(r *rules.Resolution) error { r.Roll(roll("one", "1d20")); return nil })
	if err != nil || len(out.Open) != 1 {
		t.Fatalf("%v, %v", out, err)
	}
	answered := rules.Answered(out.Open[0], &eventv1.Answer{Faces: []int32{7}}, "answer")
	_, err = runs(t, rules.Request{Recorded: append(out.Inputs, answered), Published: out.Fresh}, &undrawn{err: rules.ErrNeedFaces}, func(r *rules.Resolution) error { r.Roll(roll("one", "1d20")); return nil })
	if got := wrong(err); got != "answer.faces" {
		t.Fatalf("%v", err)
	}
	for name, expression := range map[string]string{"no dice": "1x20", "nothing": ""} {
		if _, err := runs(t, rules.Request{}, &table{tape: true}, func(r *rules.Resolution) error { r.Roll(roll("one", expression)); return nil }); err == nil || !strings.Contains(err.Error(), "rules: roll one:") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// older is a table whose deeds come to numbers by name, as those of before did.
type older struct {
	table
	results map[string]int32
}

func (o *older) Deed(context.Context, rules.DeedRequest) (*eventv1.HarmOutcome, int, error) {
	return &eventv1.HarmOutcome{Results: o.results}, 0, nil
}

// Numbers of deeds by their old names, each by itself, at both sides of nothing.
func TestDeedsOfBefore(t *testing.T) {
	for name, want := range map[string]*eventv1.HarmResult{
		"taken": {Taken: 1}, "healed": {Healed: 1}, "dead": {Dead: true}, "stable": {Stable: true}, "down": {Down: true}, "out": {Down: true}, "dropped": {Down: true},
		"woke": {Woke: true}, "natural": {WokeByItself: true}, "immune": {Immune: true}, "wounds": {InjuriesGained: 1}, "removed": {InjuriesRemoved: 1}, "concdc": {ConcentrationDc: 1},
		"no-save": {NoDeathSave: true}, "failures": {DeathFailures: 1}, "check": {CheckMade: true}, "other": {},
	} {
		for n, want := range map[int32]*eventv1.HarmResult{1: want, 0: {}} {
			var got *eventv1.HarmResult
			if _, err := runs(t, rules.Request{}, &older{results: map[string]int32{name: n}}, func(r *rules.Resolution) error {
				got = r.Harm("harm", &eventv1.Harm{Deed: "damage", Target: "b"})
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if !proto.Equal(got, want) {
				t.Errorf("%s %d: %v, want %v", name, n, got, want)
			}
		}
	}
	var got *eventv1.HarmResult
	if _, err := runs(t, rules.Request{}, &older{results: map[string]int32{"check": 2}}, func(r *rules.Resolution) error {
		got = r.Harm("harm", &eventv1.Harm{Target: "b"})
		return nil
	}); err != nil || !got.CheckFailed || got.CheckMade {
		t.Errorf("a failed check: %v, %v", got, err)
	}
}

// Inputs of deeds within an action are among its own when they are laid flat.
func TestFlatten(t *testing.T) {
	in := func(label string, under ...*eventv1.Input) *eventv1.Input {
		if under == nil {
			return &eventv1.Input{Label: label, What: &eventv1.Input_Draw{Draw: &eventv1.Draw{}}}
		}
		return &eventv1.Input{Label: label, What: &eventv1.Input_Harm{Harm: &eventv1.HarmOutcome{Inputs: under}}}
	}
	var got []string
	for _, x := range rules.Flatten([]*eventv1.Input{in("a"), in("deed", in("b"), in("inner", in("c"))), in("d")}) {
		got = append(got, x.Label)
	}
	if !slices.Equal(got, []string{"a", "b", "c", "d"}) {
		t.Errorf("%v", got)
	}
	if rules.Flatten(nil) != nil {
		t.Error("nothing is something")
	}
}

// Who may answer what: the game master all; players what is of their own creatures and no secret of the game master's.
func TestWhoMayAnswer(t *testing.T) {
	s := fightState(t)
	for _, c := range []struct {
		name string
		p    *eventv1.Principal
		d    *eventv1.Decision
		may  bool
	}{
		{"the game master", gm, &eventv1.Decision{Creature: "a", GmOnly: true}, true},
		{"hers", ann, &eventv1.Decision{Creature: "a"}, true},
		{"the game master's of hers", ann, &eventv1.Decision{Creature: "a", GmOnly: true}, false},
		{"another's", bob, &eventv1.Decision{Creature: "a"}, false},
		{"a monster's", ann, &eventv1.Decision{Creature: "b"}, false},
		{"nobody's", ann, &eventv1.Decision{}, false},
		{"of one unknown", ann, &eventv1.Decision{Creature: "zed"}, false},
		{"a spectator", &eventv1.Principal{Role: eventv1.Principal_ROLE_SPECTATOR, Name: "ann"}, &eventv1.Decision{Creature: "a"}, false},
	} {
		if got := rules.MayAnswer(s, c.p, c.d); got != c.may {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// Which orders are in force for a creature, of whose they are; those with a condition are none of them.
func TestOrderables(t *testing.T) {
	give := func(s *eventv1.State, o *eventv1.StandingOrder) {
		o.Decision = "parry"
		event.Fold(s, event.New(event.GM(), &eventv1.OrderGiven{Order: o}))
	}
	for _, c := range []struct {
		name    string
		of      string
		orders  []*eventv1.StandingOrder
		own     string
		now, by string
	}{
		{"none", "b", nil, "", "", ""},
		{"its own", "b", []*eventv1.StandingOrder{{Side: "y", Order: "yes"}}, "no", "no", "creature"},
		{"its side's", "b", []*eventv1.StandingOrder{{Monsters: true, Order: "no"}, {Side: "y", Order: "yes"}}, "", "yes", "side"},
		{"the monsters'", "b", []*eventv1.StandingOrder{{Monsters: true, Order: "no"}, {Side: "x", Order: "yes"}}, "", "no", "monsters"},
		{"with a condition", "b", []*eventv1.StandingOrder{{Creature: "b", Order: "no", When: "round > 0"}}, "", "", ""},
		{"of nobody", "", []*eventv1.StandingOrder{{Monsters: true, Order: "no"}}, "", "", ""},
	} {
		s := fightState(t)
		for _, o := range c.orders {
			give(s, o)
		}
		if c.own != "" {
			event.Fold(s, event.New(event.GM(), &eventv1.StandingOrderSet{Creature: "b", Decision: "parry", Order: c.own}))
		}
		list := rules.Orderables(toy{}, s, s.Creatures[c.of])
		if len(list) != 1 || list[0].Decision != "parry" || !slices.Equal(list[0].Orders, []string{"ask", "default", "yes", "no"}) || list[0].Now != c.now || list[0].Of != c.by {
			t.Errorf("%s: %v", c.name, list)
		}
	}
}

// preset is the toy with presets.
type preset struct{ toy }

func (preset) Presets() []rules.Preset {
	return []rules.Preset{{Name: "as-written", Title: "As written"}, {Name: "loud", Title: "Loud", Settings: map[string]string{"toy.loud": "on"}}}
}

// A preset is chosen with the settings that lead to it, single ones over it; both ways of one command at once are refused.
func TestPresets(t *testing.T) {
	set := func(c *eventv1.SetSetting) *eventv1.Command {
		return &eventv1.Command{What: &eventv1.Command_Set{Set: c}}
	}
	run := func(sys rules.System, s *eventv1.State, c *eventv1.SetSetting) (*rules.Outcome, error) {
		return rules.Run(context.Background(), sys, rules.Request{State: s, Action: 3, Caller: gm}, &table{}, rules.Resolve(sys, set(c)))
	}
	for _, c := range []struct {
		name  string
		cmd   *eventv1.SetSetting
		field string
		says  string
	}{
		{"a setting", &eventv1.SetSetting{Setting: "toy.loud", Value: "on"}, "", ""},
		{"a preset", &eventv1.SetSetting{Preset: "loud"}, "", ""},
		{"a preset and settings over it", &eventv1.SetSetting{Preset: "loud", Settings: map[string]string{"toy.size": "4"}}, "", ""},
		{"several settings", &eventv1.SetSetting{Settings: map[string]string{"toy.size": "4", "toy.loud": "on"}}, "", ""},
		{"a setting and a preset", &eventv1.SetSetting{Setting: "toy.loud", Value: "on", Preset: "loud"}, "set.setting", "not"},
		{"a setting and settings", &eventv1.SetSetting{Setting: "toy.loud", Value: "on", Settings: map[string]string{"toy.size": "4"}}, "set.setting", "not"},
		{"no such preset", &eventv1.SetSetting{Preset: "luod"}, "set.preset", "did you mean loud?"},
		{"nothing", &eventv1.SetSetting{}, "set.settings[]", ""},
		{"a value that it has not", &eventv1.SetSetting{Preset: "loud", Settings: map[string]string{"toy.loud": "very"}}, "settings.toy.loud", ""},
	} {
		_, err := run(preset{}, fightState(t), c.cmd)
		got := wrong(err)
		if c.field == "" && err != nil || c.field != "" && err == nil || c.says == "did you mean loud?" && (got != c.field || !strings.Contains(err.Error(), c.says)) || c.says == "not" && got != c.field {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	out, err := run(preset{}, fightState(t), &eventv1.SetSetting{Preset: "loud", Settings: map[string]string{"toy.size": "4"}})
	if err != nil || out.State.Settings["toy.loud"] != "on" || out.State.Settings["toy.size"] != "4" {
		t.Fatalf("%v, %v", out, err)
	}
	out, err = run(preset{}, out.State, &eventv1.SetSetting{Preset: "as-written"})
	if err != nil || out.State.Settings["toy.loud"] != "" || out.State.Settings["toy.size"] != "" {
		t.Fatalf("%v, %v", out.State.Settings, err)
	}
	if _, err := run(toy{}, fightState(t), &eventv1.SetSetting{Preset: "loud"}); wrong(err) != "set.preset" {
		t.Errorf("a system without presets: %v", err)
	}
	if rules.PresetsOf(toy{}) != nil || len(rules.PresetsOf(preset{})) != 2 {
		t.Error("presets of the wrong system")
	}
}

// Several actions of one command: what is wrong with one is said of its place, and none is carried out.
func TestWhatIsWrongWithOneOfSeveral(t *testing.T) {
	strike := func(by string, change ...func(*eventv1.TakeAction)) *eventv1.TakeAction {
		take := &eventv1.TakeAction{Creature: by, Action: "strike", Targets: []string{"b"}}
		for _, c := range change {
			c(take)
		}
		return take
	}
	with := func(name string, value any) func(*eventv1.TakeAction) {
		return func(x *eventv1.TakeAction) { x.Parameters = object(t, map[string]any{name: value}) }
	}
	for _, c := range []struct {
		name    string
		actions []*eventv1.TakeAction
		want    string
	}{
		{"none", nil, "together.actions"},
		{"one that is nothing", []*eventv1.TakeAction{strike("a"), nil}, "together.actions[1]"},
		{"a word of the second", []*eventv1.TakeAction{strike("a"), strike("b", with("pwer", 1))}, "together.actions[1].parameters.pwer"},
		{"a number of the first", []*eventv1.TakeAction{strike("a", with("power", 9)), strike("b")}, "together.actions[0].parameters.power"},
		{"an action that there is not", []*eventv1.TakeAction{strike("a"), strike("a", func(x *eventv1.TakeAction) { x.Action = "sing" })}, "together.actions[1].action"},
	} {
		cmd := &eventv1.Command{What: &eventv1.Command_Together{Together: &eventv1.TakeTogether{Actions: c.actions}}}
		_, err := rules.Run(context.Background(), worded{}, rules.Request{State: fightState(t), Caller: gm}, &table{tape: true, faces: []int32{1, 1, 1, 1}}, rules.Resolve(worded{}, cmd))
		if got := wrong(err); got != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
		if f, ok := fault.As(err); len(c.actions) > 1 && c.actions[1] != nil && (!ok || !strings.HasPrefix(f.Message, "a: ") && !strings.HasPrefix(f.Message, "b: ")) {
			t.Errorf("%s: it is not said whose: %v", c.name, err)
		}
	}
	many := &eventv1.TakeTogether{Actions: slices.Repeat([]*eventv1.TakeAction{strike("a")}, rules.MaxCreatures+1)}
	_, err := rules.Run(context.Background(), worded{}, rules.Request{State: fightState(t), Caller: gm}, &table{}, rules.Resolve(worded{}, &eventv1.Command{What: &eventv1.Command_Together{Together: many}}))
	if limited(err) != "LIMIT_EXCEEDED" {
		t.Errorf("too many: %v", err)
	}
}

// A table of words says what is wrong with its row; words of other places join it.
func TestRowsOfAVocabulary(t *testing.T) {
	heading, _, _ := strings.Cut(toyWords, "\n")
	for _, c := range []struct{ row, says string }{
		{"somewhere,*,x,string,,,,,actor,,x", `place "somewhere" is not one of`},
		{"fact,*,,string,,,,,actor,,x", "name or text missing"},
		{"fact,*,x,string,,,,,actor,,", "name or text missing"},
		{"fact,*,x,word,,,,,actor,,x", `type "word" is not one of`},
		{"fact,*,x,string,,,,,nobody,,x", `matter "nobody"`},
		{"fact,*,x,number,,,5,1,actor,,x", "5 to 1"},
		{"fact,*,x,number,,,5,5,actor,,x", ""},
		{"fact,*,x,number,,,many,5,actor,,x", `"many" is no whole number`},
		{"fact,*,x,number,,,1,more,actor,,x", `"more" is no whole number`},
		{"deed,,x,string,,,,,actor,,x", "a deed's word names its deeds"},
		{"deed,mend,x,string,,,,,actor,,x", ""},
		{"counter,strike,x,number,,,,,actor,,x", "counter takes no actions"},
		{"mark,strike,x,string,,,,,actor,,x", "mark takes no actions"},
		{"parameter,strike,x,string,,,,,actor,,x", ""},
		{"parameter,jump,x,string,,,,,actor,,x", `no action "jump"`},
	} {
		_, err := rules.ReadVocabulary(heading+"\n"+c.row+"\n", []string{"strike", "shoot"})
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says) || !strings.HasPrefix(err.Error(), "rules: vocabulary: row 1:")) {
			t.Errorf("%s: %v, want %q", c.row, err, c.says)
		}
	}
	more := rules.Word{Place: rules.PlaceCondition, Name: "dazed", Type: rules.TypeString, Matter: rules.MatterWorld, Text: "Dazed"}
	v, err := rules.ReadVocabulary(toyWords, []string{"strike", "shoot"}, more)
	if err != nil || v.Find(rules.PlaceCondition, "", "dazed") == nil {
		t.Errorf("%v", err)
	}
	more.Text = ""
	if _, err := rules.ReadVocabulary(toyWords, []string{"strike", "shoot"}, more); err == nil || !strings.Contains(err.Error(), "rules: vocabulary: condition dazed: name or text missing") {
		t.Errorf("%v", err)
	}
	if _, err := rules.ReadVocabulary("place,name\n", nil); err == nil {
		t.Error("another heading is taken")
	}
}

// scarred is the toy with words of its own.
type scarred struct{ toy }

var scarWords = func() *rules.Vocabulary {
	v, err := rules.ReadVocabulary(strings.SplitN(toyWords, "\n", 2)[0]+"\n"+
		"injury,,scar,string,,,,,world,,A scar\ninjury,,lost,string,arm|leg,left|right,,,world,,A part is lost\n"+
		"fact,strike,who,creatures,,,,,world,,Who\nfact,strike,what,object,,,,,world,,What\nfact,strike,way,path,,,,,world,,The way\nfact,strike,any,any,,,,,world,,Anything\n"+
		"fact,strike,feet,number,,,0,30,world,,How far\nfact,strike,sum,number,,,,,world,,A number\nfact,strike,name,string,,,,,world,,A name\nfact,strike,names,strings,a|b,,,,world,,Names\n", []string{"strike"})
	if err != nil {
		panic(err)
	}
	return v
}()

func (scarred) Vocabulary() *rules.Vocabulary { return scarWords }

// What is said is of its word's type and within its bounds, each at both sides; parts and sides of the body where the word has any.
func TestWhatWordsTake(t *testing.T) {
	list := func(n int) (out []any) {
		for range n {
			out = append(out, "a")
		}
		return out
	}
	for _, c := range []struct {
		word  string
		said  any
		field string
	}{
		{"who", "a", ""}, {"who", list(rules.MaxCreatures), ""}, {"who", list(rules.MaxCreatures + 1), "take.facts.who"}, {"who", []any{"a", "zed"}, "take.facts.who[1]"}, {"who", 3.0, "take.facts.who"},
		{"what", map[string]any{"a": 1.0}, ""}, {"what", "a", "take.facts.what"}, {"what", nil, "take.facts.what"},
		{"way", []any{1.0}, "take.facts.way"},
		{"any", true, ""}, {"any", "a word", ""}, {"any", "two\nlines", "take.facts.any"},
		{"feet", 0.0, ""}, {"feet", 30.0, ""}, {"feet", 31.0, "take.facts.feet"}, {"feet", -1.0, "take.facts.feet"}, {"feet", 1.5, "take.facts.feet"},
		{"sum", 1_000_000.0, ""}, {"sum", -1_000_000.0, ""}, {"sum", 1_000_001.0, "take.facts.sum"}, {"sum", -1_000_001.0, "take.facts.sum"},
		{"name", "x", ""}, {"name", 1.0, "take.facts.name"}, {"names", []any{"a", "b"}, ""}, {"names", []any{"a", "c"}, "take.facts.names[1]"}, {"names", "b", ""}, {"names", "c", "take.facts.names"},
		{"nmae", "x", "take.facts.nmae"},
	} {
		take := &eventv1.TakeAction{Creature: "a", Action: "strike", Targets: []string{"b"}, Facts: object(t, map[string]any{c.word: c.said})}
		_, err := rules.Run(context.Background(), scarred{}, rules.Request{State: fightState(t), Caller: gm}, &table{tape: true, faces: []int32{1}}, rules.Resolve(scarred{}, takeOf(take)))
		if got := wrong(err); got != c.field {
			t.Errorf("%s %v: %v, want %q", c.word, c.said, err, c.field)
		}
	}
	for _, c := range []struct {
		in    *eventv1.Injury
		field string
	}{
		{&eventv1.Injury{Kind: "scar", Part: "nose", Side: "upper"}, ""}, {&eventv1.Injury{Kind: "scar"}, ""},
		{&eventv1.Injury{Kind: "lost", Part: "arm", Side: "left"}, ""}, {&eventv1.Injury{Kind: "lost"}, ""},
		{&eventv1.Injury{Kind: "lost", Part: "nose"}, "part"}, {&eventv1.Injury{Kind: "lost", Part: "left"}, "part"}, {&eventv1.Injury{Kind: "lost", Part: "arm", Side: "upper"}, "side"},
	} {
		_, err := rules.Run(context.Background(), scarred{}, rules.Request{State: fightState(t), Caller: gm}, &table{}, rules.Resolve(scarred{}, editOf(&eventv1.EditCreature{Creature: "a", Vitals: &eventv1.Vitals{Injuries: []*eventv1.Injury{c.in}}})))
		want := c.field
		if want != "" {
			want = "edit.vitals.injuries[0]." + want
		}
		if got := wrong(err); got != want {
			t.Errorf("%v: %v, want %q", c.in, err, want)
		}
	}
	if p := scarWords.Find(rules.PlaceFact, "strike", "names").Parameter(); len(p.Values) != 2 || p.Values[1].GetStringValue() != "b" || p.Matter != rules.MatterWorld {
		t.Errorf("%v", p)
	}
}

// An event that was recorded by a build that did not write a field yet is the one that is produced; one that says otherwise is not.
func TestSameEvent(t *testing.T) {
	told := func(reason string, to ...string) *eventv1.Event {
		return event.New(event.GM(), &eventv1.Amended{Reason: reason, Told: to})
	}
	created := func(digest, title string) *eventv1.Event {
		return event.New(event.Everyone(), &eventv1.EncounterCreated{Encounter: "e", Title: title, ContentDigest: digest})
	}
	asked := func(text string, against ...string) *eventv1.Event {
		return event.New(event.GM(), &eventv1.DecisionRequested{Decision: &eventv1.Decision{Name: text, Against: against}})
	}
	for _, c := range []struct {
		name               string
		recorded, produced *eventv1.Event
		same               bool
	}{
		{"the same", created("x", "t"), created("x", "t"), true},
		{"no content named then", created("", "t"), created("x", "t"), true},
		{"other content", created("y", "t"), created("x", "t"), false},
		{"content named no more", created("x", "t"), created("", "t"), false},
		{"another title", created("", "u"), created("x", "t"), false},
		{"nobody asked about then", asked("d"), asked("d", "a"), true},
		{"somebody else", asked("d", "b"), asked("d", "a"), false},
		{"another question", asked("e"), asked("d", "a"), false},
		{"another kind", created("", "t"), asked("d", "a"), false},
		{"and the other way round", asked("d"), created("x", "t"), false},
		{"nobody said to be told then", told("r"), told("r", "a"), true},
		{"somebody else told", told("r", "b"), told("r", "a"), false},
		{"told no more", told("r", "a"), told("r"), false},
		{"another reason", told("s"), told("r", "a"), false},
		{"an amendment and a creation", told("r"), created("x", "t"), false},
	} {
		if got := rules.SameEvent(c.recorded, c.produced); got != c.same {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// calls is the toy whose rest is a call of the game master's.
type calls struct{ toy }

func (calls) GMOnly(action string) bool { return action == "judge" || action == "damn" }
func (calls) Content() effects.Support {
	return effects.Support{Kinds: map[effects.Kind][]string{effects.KindReplace: nil}, Actions: []string{"attack", "shove", "judge", "damn"}}
}
func (calls) Act(r *rules.Resolution, take *eventv1.TakeAction) error {
	r.Note(event.Everyone(), take.Creature, "did "+take.Action)
	return nil
}

// What content puts in place of an action: a deed of a deed, a call of the game master's of another such call, and no call of a deed.
func TestWhatIsPutInPlace(t *testing.T) {
	for _, c := range []struct{ action, by, done string }{
		{"attack", "shove", "shove"}, {"attack", "judge", "attack"}, {"judge", "damn", "damn"}, {"judge", "attack", "attack"}, {"attack", "attack", "attack"}, {"shove", "", "shove"},
	} {
		var effectsOf []*contentv1.Effect
		if c.by != "" {
			effectsOf = []*contentv1.Effect{{What: &contentv1.Effect_Replace{Replace: &contentv1.ReplaceAction{Action: c.action, By: c.by}}}}
		}
		book, err := effects.New(effects.Base{System: "toy", Support: calls{}.Content()}, effects.Pinned{Digest: "a", Pack: &contentv1.Pack{Name: "p", System: "toy", Version: "1", Title: "P",
			Rules: []*contentv1.HouseRule{{Id: "r", Title: "R", Effects: effectsOf}}}})
		if err != nil {
			t.Fatal(err)
		}
		out, err := rules.Run(context.Background(), calls{}, rules.Request{State: fightState(t), Action: 4, Caller: gm, Content: book}, &table{},
			rules.Resolve(calls{}, takeOf(&eventv1.TakeAction{Creature: "a", Action: c.action, Targets: []string{"b"}})))
		if err != nil {
			t.Fatal(err)
		}
		var notes []string
		for _, e := range out.Events {
			if n := e.GetNote(); n != nil {
				notes = append(notes, n.Text)
			}
		}
		want := []string{"did " + c.done}
		if c.done != c.action {
			want = []string{c.action + " becomes " + c.done + ": R", "did " + c.done}
		}
		if !slices.Equal(notes, want) {
			t.Errorf("%s by %q: %v, want %v", c.action, c.by, notes, want)
		}
	}
}

// pushy is that system where nobody shoves and where everybody rolls.
type pushy struct{ calls }

func (pushy) Act(r *rules.Resolution, take *eventv1.TakeAction) error {
	if take.Action == "shove" {
		return fault.Refuse("TOO_WEAK", "toy.shove", "nobody shoves")
	}
	r.Roll(rules.RollSpec{Label: take.Action + "/" + take.Creature, Creature: take.Creature, Expression: "1d6"})
	return nil
}

// Of several actions those are tried that are carried out: what content has in the place of one, and not that one.
func TestSeveralThatArePutInPlace(t *testing.T) {
	for _, c := range []struct{ of, by, refused string }{{"shove", "attack", ""}, {"attack", "shove", "TOO_WEAK"}, {"shove", "damn", "TOO_WEAK"}} {
		book, err := effects.New(effects.Base{System: "toy", Support: calls{}.Content()}, effects.Pinned{Digest: "a", Pack: &contentv1.Pack{Name: "p", System: "toy", Version: "1", Title: "P",
			Rules: []*contentv1.HouseRule{{Id: "r", Title: "R", Effects: []*contentv1.Effect{{When: `self.id == "b"`, What: &contentv1.Effect_Replace{Replace: &contentv1.ReplaceAction{Action: c.of, By: c.by}}}}}}}})
		if err != nil {
			t.Fatal(err)
		}
		actions := []*eventv1.TakeAction{{Creature: "a", Action: "attack", Targets: []string{"b"}}, {Creature: "b", Action: c.of, Targets: []string{"a"}}}
		out, err := rules.Run(context.Background(), pushy{}, rules.Request{State: fightState(t), Action: 4, Caller: gm, Content: book}, &table{tape: true, faces: []int32{3, 4}},
			rules.Resolve(pushy{}, &eventv1.Command{What: &eventv1.Command_Together{Together: &eventv1.TakeTogether{Actions: actions}}}))
		if reason, _ := fault.Reason(err); reason != c.refused {
			t.Errorf("%s by %s: %v", c.of, c.by, err)
			continue
		}
		if c.refused != "" {
			if f, ok := fault.As(err); !ok || len(f.Violations) != 1 || f.Violations[0].Field != "together.actions[1]" || f.Rule != "toy.shove" {
				t.Errorf("%s by %s: %v", c.of, c.by, err)
			}
			continue
		}
		rolled := 0
		for _, e := range out.Events {
			if e.GetRoll() != nil {
				rolled++
			}
		}
		if rolled != 2 {
			t.Errorf("%s by %s: %d rolls", c.of, c.by, rolled)
		}
	}
}

// An edit says why to the game master alone, and no more where no reason is given.
func TestReasonOfAnEdit(t *testing.T) {
	for reason, told := range map[string]bool{"a slip": true, "": false} {
		out, err := try(fightState(t), gm, editOf(&eventv1.EditCreature{Creature: "a", Reason: reason, Vitals: &eventv1.Vitals{Hp: proto.Int32(3)}}))
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(out.Events, func(e *eventv1.Event) bool { return e.GetNote().GetText() == "edited: "+reason })
		if (i >= 0) != told || told && (out.Events[i].Audience.Kind != eventv1.Audience_KIND_GM || out.Events[i].GetNote().Creature != "a") {
			t.Errorf("%q: %v", reason, out.Events)
		}
	}
}
