package celesia

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/magic"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/celesia/saddle"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// What a command says that its action has no use for is refused, with the words
// that are near.
func TestWhatIsSaidInVain(t *testing.T) {
	f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
	for _, tt := range []struct {
		name  string
		cmd   *eventv1.Command
		field string
		words []string
	}{
		{"a misspelt fact", act("a", "attack", "sword", "b", withFacts("flankd", true)), "take.facts.flankd", []string{"flanked"}},
		{"a fact of other systems", act("a", "attack", "sword", "b", withFacts("cover", "total")), "take.facts.cover", []string{"no fact"}},
		{"a fact of another action", act("a", "trip", "", "b", withFacts("flanked", true)), "take.facts.flanked", []string{"no fact"}},
		{"a word for a boolean", act("a", "attack", "sword", "b", withFacts("flanked", "yes")), "take.facts.flanked", []string{"true or false"}},
		{"a half foot", act("a", "attack", "sword", "b", withFacts("distance", 2.5)), "take.facts.distance", []string{"whole number"}},
		{"a distance below 0", act("a", "attack", "sword", "b", withFacts("distance", -5)), "take.facts.distance", []string{"from 0"}},
		{"a misspelt parameter", act("a", "attack", "sword", "b", withParameters("demage", "nonlethal")), "take.parameters.demage", []string{"damage"}},
		{"a misspelt value", act("a", "attack", "sword", "b", withParameters("damage", "nonlethl")), "take.parameters.damage", []string{"nonlethal"}},
		{"a misspelt trade-off", act("a", "attack", "sword", "b", withParameters("options", []string{"powr-attack"})), "take.parameters.options[0]", []string{"power-attack"}},
		{"a trade-off twice", act("a", "attack", "sword", "b", withParameters("options", []string{"weakened", "weakened"})), "take.parameters.options", []string{"twice"}},
		{"more than can be left out", act("a", "attack", "sword", "b", withParameters("hold_back", 101)), "take.parameters.hold_back", []string{"100"}},
		{"a saving throw with cover", act("a", "saving-throw", "", "", withParameters("save", "will"), withFacts("cover", "half")), "take.facts.cover", []string{"takes none"}},
		{"a misspelt saving throw", act("a", "saving-throw", "", "", withParameters("save", "wil")), "take.parameters.save", []string{"did you mean will"}},
		{"a misspelt skill", act("a", "skill-check", "", "", withParameters("skill", "percepton")), "take.parameters.skill", []string{"did you mean perception"}},
		{"acts of a finished casting", act("a", "continue-casting", "", "", withParameters("acts", 2)), "take.parameters.acts", []string{"takes none"}},
		{"a word of a readied action that is another's", act("a", "ready", "sword", "", withParameters("action", "attack", "trigger", "move", "where", "room")),
			"take.parameters.where", []string{"does not go with attack"}},
		{"a fact of a readied action that is another's", act("a", "ready", "", "", withParameters("action", "drop-prone", "trigger", "move"), withFacts("hears", false)),
			"take.facts.hears", []string{"does not go with drop-prone"}},
		{"what cannot be readied", act("a", "ready", "", "", withParameters("action", "delay", "trigger", "move")), "take.parameters.action", []string{"not one of"}},
		{"a misspelt weapon", act("a", "attack", "swrd", "b"), "take.item", []string{"did you mean sword"}},
		{"a misspelt weapon, readied", act("a", "ready", "swrd", "", withParameters("action", "attack", "trigger", "move")), "take.item", []string{"did you mean sword"}},
		{"a misspelt thing", act("a", "sheathe", "swrd", ""), "take.item", []string{"did you mean sword"}},
		{"surprise of nobody", &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: fighter("c", "foes"), Facts: object("unawares", true)}}},
			"add.facts.unawares", []string{"unaware"}},
	} {
		t.Run(tt.name, func(t *testing.T) { wantField(t, f.Peek(tt.cmd), tt.field, tt.words...) })
	}
	t.Run("a start", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes"))
		wantField(t, f.Peek(&eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{Facts: object("unawares", []string{"b"})}}}),
			"start.facts.unawares", "unaware")
		wantField(t, f.Peek(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: fighter("c", "foes"), Facts: object(answers.FactFavoured, true)}}}),
			"add.facts."+answers.FactFavoured, "start.facts")
		why, ok := fault.As(f.Peek(&eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{Facts: object("unaware", []string{"c"})}}}))
		if !ok || why.Code != fault.NotFound {
			t.Errorf("nobody is unaware: %v", why)
		}
	})
}

// celesia.initiative.check: whoever comes in late may have advantage on its
// initiative.
func TestLateInitiative(t *testing.T) {
	for fact, want := range map[string]int32{answers.FactFavoured: 15, answers.FactHampered: 4} {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: fighter("c", "foes"), Facts: object(fact, true)}}}, 4, 15)
		if got := f.Roll("initiative/c").Total; got != want {
			t.Errorf("%s: %d, want %d", fact, got, want)
		}
	}
}

// celesia.injury.crippling-table: what a record of injuries says must be of a part
// and a side that there is.
func TestVitalsThatWouldBeLost(t *testing.T) {
	injury := func(kind, part, side string) *eventv1.Vitals {
		return &eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: kind, Part: part, Side: side}}}
	}
	for _, tt := range []struct {
		name   string
		vitals *eventv1.Vitals
		field  string
		word   string
	}{
		{"a part that is a side", injury("hand", "right", ""), "add.vitals.injuries[0].part", "give it as side"},
		{"a hand of no side", injury("hand", "hand", ""), "add.vitals.injuries[0].side", "left"},
		{"a third hand", injury("hand", "", "3"), "add.vitals.injuries[0].side", "left"},
		{"a side of the head", injury("head", "", "left"), "add.vitals.injuries[0].side", "no side"},
		{"a misspelt injury", injury("fingr", "", "left"), "add.vitals.injuries[0].kind", "finger"},
		{"a misspelt condition", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: "prne"}}}, "add.vitals.conditions[0].name", "prone"},
		{"a misspelt counter", &eventv1.Vitals{Counters: map[string]int64{"bled": 2}}, "add.vitals.counters[bled]", "bleed"},
		{"a mark that is none", &eventv1.Vitals{Marks: map[string]string{"tendd": "yes"}}, "add.vitals.marks[tendd]", "tended"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newTable(t)
			cmd := &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: fighter("a", "party"), Vitals: tt.vitals}}}
			wantField(t, f.Peek(cmd), tt.field, tt.word)
		})
	}
	f := newTable(t).add(fighter("a", "party"))
	wantField(t, f.Peek(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a", Vitals: injury("arm", "", "")}}}),
		"edit.vitals.injuries[0].side", "left")
	f.Put("a", injury("arm", "arm", "left"))
	f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: "effect.bless", Values: map[string]int32{"defense": 2}}}})
	if got := strike.Defense(f.Creature("a"), false).Value; got != 17 || body.LostParts(f.Creature("a"), "arm") != 1 {
		t.Errorf("DV %d, want 17", got)
	}
}

func TestSheetsSayWhatWasMeant(t *testing.T) {
	for _, tt := range []struct {
		change      func(*eventv1.Sheet)
		field, near string
	}{
		{features("quickdraw"), "sheet.celesia.features[0]", "quick-draw"},
		{features("flurry-of-blows"), "sheet.celesia.features[0]", body.FeatMultiweapon},
		{section(func(c *eventv1.CelesiaSheet) { c.Immunities = []string{"critical-hit"} }), "sheet.celesia.immunities[0]", body.ImmuneCritical},
		{section(func(c *eventv1.CelesiaSheet) { c.Skills = map[string]int32{"stelth": 3} }), "sheet.celesia.skills[stelth]", "stealth"},
		{section(func(c *eventv1.CelesiaSheet) { c.Trained = []string{"climbing"} }), "sheet.celesia.trained[0]", "climb"},
		{section(func(c *eventv1.CelesiaSheet) {
			c.Spells = []*eventv1.CelesiaSpell{{Name: "s", Casting: "swift", Condition: "entangld"}}
		}), "sheet.celesia.spells[0].condition", "entangled"},
		{section(func(c *eventv1.CelesiaSheet) {
			c.SpecialAbilities = []*eventv1.CelesiaAbility{{Name: "x", Time: body.TimeFree, Supports: "atack"}}
		}), "sheet.celesia.special_abilities[0].supports", "attack"},
		{section(func(c *eventv1.CelesiaSheet) {
			c.SpecialAbilities = []*eventv1.CelesiaAbility{{Name: "x", Time: body.TimeImmediate, Trigger: "casting"}}
		}), "sheet.celesia.special_abilities[0].trigger", "cast"},
		{section(func(c *eventv1.CelesiaSheet) {
			c.SpecialAbilities = []*eventv1.CelesiaAbility{{Name: "x", Time: body.TimeFree, Trigger: "cast"}}
		}), "sheet.celesia.special_abilities[0].trigger", "immediate"},
		{func(s *eventv1.Sheet) { s.Speeds = map[string]int32{"wlk": 30} }, "sheet.speeds[wlk]", "walk"},
	} {
		v := (System{}).CheckSheet(fighter("a", "party", tt.change))
		if !slices.ContainsFunc(v, func(v fault.Violation) bool { return v.Field == tt.field && strings.Contains(v.Description, tt.near) }) {
			t.Errorf("want %s near %s among %v", tt.field, tt.near, v)
		}
	}
	for _, p := range []string{"attack", "cast", "move", "approach", "stand-up", "maneuver", "other"} {
		known := p == "approach" || slices.ContainsFunc(checks.Frame().Actions(), func(a *play.Action) bool { return a.Trigger == p })
		if !known || !slices.Contains(body.Answerable, p) {
			t.Errorf("nothing is known as %q", p)
		}
	}
	for _, a := range checks.Frame().Actions() {
		if a.Trigger != "" && !slices.Contains(body.Answerable, a.Trigger) {
			t.Errorf("%s, known as %q, cannot be answered", a.ID, a.Trigger)
		}
	}
}

// celesia.healing.crippling-restoration: what cannot be done for one of several is
// refused before the first of them is asked anything.
func TestTendIsJudgedFirst(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), fighter("b", "party"))
	f.Put("a", &eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: "eye", Side: "left"}, {Kind: "scar"}}})
	tend := func(deed string, pairs ...any) error {
		return f.TryTend(&eventv1.PatientCommand{Deed: deed, Patients: []string{"a", "b"}, Parameters: object(pairs...)})
	}
	wantRefused(t, tend(body.DeedRestore), cite.HealingCripplingRestoration)
	wantRefused(t, tend(body.DeedRegrow), cite.HealingCripplingSevered)
	const field = "command.patient.parameters."
	for _, tt := range []struct {
		deed  string
		said  []any
		field string
		word  string
	}{
		{mending.DeedHarm, []any{"amuont", 5}, "amuont", "amount"},
		{mending.DeedHarm, []any{"amount", 5, "nature", "nonlethl"}, "nature", body.NatureNonlethal},
		{mending.DeedHarm, []any{"amount", 2.5}, "amount", "whole number"},
		{body.DeedHeal, []any{"amount", 5, "via", "magik"}, "via", mending.ViaMagic},
		{mending.DeedRest, []any{"hours", "8"}, "hours", "whole number"},
		{mending.DeedRest, []any{"hours", 9000}, "hours", "8760"},
		{body.DeedRestore, []any{"injury", true}, "injury", "text"},
	} {
		wantField(t, tend(tt.deed, tt.said...), field+tt.field, tt.word)
	}
}

// celesia.mount.mount-dismount: whoever plays the mount says whether it bears a
// rider whom others play.
func TestMountsOfOthers(t *testing.T) {
	for answer, mounted := range map[string]bool{"yes": true, "no": false} {
		f := newTable(t).add(fighter("a", "party"), horse(), fighter("b", "foes", unarmed()))
		f.start(nil, 19, 5, 12) // a, b, h
		f.Must(act("a", "mount", "", "h"))
		if d := f.Decisions; len(d) != 1 || d[0].Name != saddle.DecBear || d[0].Creature != "h" {
			t.Fatalf("asked %v", d)
		}
		f.Answer(saddle.DecBear, answer)
		if got := body.MountOf(f.Creature("a")) == "h"; got != mounted || f.acts("a") != 2 {
			t.Errorf("%s: mounted %v, %d acts left", answer, got, f.acts("a"))
		}
	}
}

// seen are the events of a kind that a player sees of the last command.
func seen[T any](f *table, name string, of func(*eventv1.Event) *T) (out []*T) {
	for _, e := range f.SeenBy(player(name)) {
		if x := of(e); x != nil {
			out = append(out, x)
		}
	}
	return out
}

// celesia.dice.adv-invisible-attacker: where an invisible creature goes only its
// own side of the table knows, until it is seen again.
func TestInvisibleCreaturesMoveUnseen(t *testing.T) {
	moved := func(f *table, who string) []*eventv1.Moved {
		return seen(f, who, func(e *eventv1.Event) *eventv1.Moved { return e.GetMoved() })
	}
	party := func(s *eventv1.Sheet) { s.Controllers = []string{s.Id + "-player"} }
	f := duel(t, fighter("a", "party", unarmed()), fighter("b", "foes", unarmed(), party))
	f.Must(act("a", "move", "", "", path([2]int32{0, 10})))
	if got := moved(f, "b-player"); len(got) != 1 || got[0].To.Y != 10 {
		t.Errorf("seen: %v", got)
	}
	f.Afflict("a", body.CondInvisible)
	f.Must(act("a", "move", "", "", path([2]int32{0, 30})))
	if mine, others := moved(f, "a-player"), moved(f, "b-player"); len(mine) != 1 || len(others) != 0 {
		t.Errorf("unseen: its own player is told %v, the other %v", mine, others)
	}
	f.End("a")
	_, feet := f.Creature("a"), "feet away"
	f.at("b", 200, 0)
	err := f.Try(act("b", "trip", "", "a"))
	wantRefused(t, err, cite.ManeuverTrip)
	if strings.Contains(err.Error(), feet) {
		t.Errorf("the refusal tells where it is: %v", err)
	}
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a", RemoveConditions: []string{body.CondInvisible}}}})
	if got := moved(f, "b-player"); len(got) != 1 || got[0].To.Y != 30 || got[0].Mode != "placed" {
		t.Errorf("seen again: %v", got)
	}
	f.Afflict("a", body.CondInvisible, body.CondGrappled)
	f.Creature("a").Conditions[1].Source = "b"
	if got := body.Whereabouts(f.Creature("a")); !slices.Equal(got.Creatures, []string{"a", "b"}) {
		t.Errorf("whoever holds it knows where it is: %v", got)
	}
}

// How well a creature hides its controllers alone are told; the check of whoever
// looks is seen by all.
func TestStealthIsRolledUnseen(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), fighter("b", "foes", func(s *eventv1.Sheet) { s.Controllers = []string{"b-player"} }))
	roll := func(e *eventv1.Event) *eventv1.Roll { return e.GetRoll() }
	for skill, told := range map[string]int{checks.SkillStealth: 0, "perception": 1} {
		f.Must(act("a", "reactive-check", "", "", withParameters("skill", skill)), 9)
		if mine, others := seen(f, "a-player", roll), seen(f, "b-player", roll); len(mine) != 1 || len(others) != told {
			t.Errorf("%s: its own player sees %v, the other %v", skill, mine, others)
		}
	}
	// celesia.surprise.awareness: the condition tells how the check came out.
	f.Must(act("a", "reactive-check", "", "", withParameters("skill", checks.SkillStealth, "awareness", true)), 9)
	added := func(e *eventv1.Event) *eventv1.ConditionAdded { return e.GetConditionAdded() }
	if mine, others := seen(f, "a-player", added), seen(f, "b-player", added); len(mine) != 1 || len(others) != 0 {
		t.Errorf("unaware by a check: its own player sees %v, the other %v", mine, others)
	}
	f.start(nil, 10, 11)
	surprised := slices.ContainsFunc(seen(f, "b-player", added), func(x *eventv1.ConditionAdded) bool {
		return x.Creature == "a" && x.Condition.Name == body.CondSurprised
	})
	if !surprised || f.State.Round != 0 {
		t.Error("when the fight begins everyone sees who is surprised")
	}
}

// celesia.turn.action-classes: what was begun everyone sees, how its controllers
// alone; the game master can end it.
func TestWhatIsUnderwayIsSeen(t *testing.T) {
	f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed(), func(s *eventv1.Sheet) { s.Controllers = []string{"b-player"} }))
	f.Must(act("a", "feint", "", "b", withParameters("commit", 1)))
	begun := func(e *eventv1.Event) *eventv1.BegunSet { return e.GetBegun() }
	for who, told := range map[string]float64{"a-player": 1, "b-player": 0} {
		all := seen(f, who, begun)
		last := all[len(all)-1].Begun
		if last.Kind != body.BegunUnderway || last.Done != 1 || last.Needed != 2 || last.Counter != body.CActs || last.Action.GetTargets()[0] != "b" {
			t.Errorf("%s sees %v", who, last)
		}
		if got := last.Action.GetParameters().GetFields()["commit"].GetNumberValue(); got != told {
			t.Errorf("%s sees commit %v, want %v", who, got, told)
		}
	}
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a", RemoveBegun: []string{body.BegunUnderway}}}})
	wantRefused(t, f.Try(act("a", "finish-action", "", "")), cite.TurnActionClasses)
}

// The audience of positions is everyone's for whoever is in plain sight.
func TestPositionsInPlainSight(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"))
	if got := (System{}).Audience(f.State, rules.FactPosition, "", "a"); got.Kind != event.Everyone().Kind {
		t.Errorf("%v", got)
	}
}

// celesia.spell.touch-six-allies: whether it is willing an ally says itself, unless
// the spell only heals or the caster's player plays it too.
func TestAlliesAreWillingThemselves(t *testing.T) {
	veil := spell(&eventv1.CelesiaSpell{Name: "s", Casting: "standard", Condition: "blinded", TouchMany: true, Uses: 2})
	for answer, blinded := range map[string]bool{"yes": true, "no": false} {
		f := newTable(t).add(fighter("a", "party", veil), fighter("b", "party"), fighter("c", "party"), fighter("z", "foes", unarmed()))
		f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "c", SetControllers: true, Controllers: []string{"a-player"}}}})
		f.start(nil, 19, 10, 9, 2)
		f.Put("a", &eventv1.Vitals{Marks: map[string]string{body.MTouch: "s"}})
		f.Must(act("a", "touch-allies", "", "b,c"))
		if d := f.Decisions; len(d) != 1 || d[0].Name != magic.DecWilling || d[0].Creature != "b" {
			t.Fatalf("asked %v", d)
		}
		f.Answer(magic.DecWilling, answer)
		if body.Has(f.Creature("b"), body.CondBlind) != blinded || !body.Has(f.Creature("c"), body.CondBlind) {
			t.Errorf("%s: b %v, c %v", answer, f.Creature("b").Conditions, f.Creature("c").Conditions)
		}
	}
}
