package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// has gives a creature senses, in feet.
func has(kind string, feet int32) func(*eventv1.Sheet) { return senses(map[string]int32{kind: feet}) }

// rcr.condition.blinded-definition, rcr.condition.blinded-attacks, rcr.trait.echolocation,
// rcr.base.light: who makes out whom: by eyes, by blindsight and tremorsense within their reach,
// and truesight sees the invisible within its own.
func TestWhoMakesOutWhom(t *testing.T) {
	sees := func(f ...func(*eventv1.Sheet)) []func(*eventv1.Sheet) { return f }
	for name, c := range map[string]struct {
		a        []func(*eventv1.Sheet)
		on, onB  []string
		feet     int32
		settings map[string]string
		light    string
		want     bool
	}{
		"by eyes":                                   {feet: 30, want: true},
		"by eyes, nobody knows how far":             {feet: -1, want: true},
		"blinded":                                   {on: []string{body.CondBlinded}, feet: 5},
		"unconscious":                               {on: []string{body.CondUnconscious}, feet: 5},
		"the hidden":                                {onB: []string{body.CondHidden}, feet: 5},
		"the invisible":                             {onB: []string{body.CondInvisible}, feet: 5},
		"the invisible, in one place with it":       {onB: []string{body.CondInvisible}, feet: 0},
		"the invisible, with truesight so far":      {a: sees(has("truesight", 30)), onB: []string{body.CondInvisible}, feet: 30, want: true},
		"the invisible, beyond truesight":           {a: sees(has("truesight", 30)), onB: []string{body.CondInvisible}, feet: 35},
		"the invisible, truesight, who knows":       {a: sees(has("truesight", 30)), onB: []string{body.CondInvisible}, feet: -1},
		"in the dark":                               {feet: 30, light: body.LightDark},
		"in the dark, with darkvision":              {a: sees(has("darkvision", 60)), feet: 30, light: body.LightDark, want: true},
		"in the dark, with truesight so far":        {a: sees(has("truesight", 30)), feet: 30, light: body.LightDark, want: true},
		"in the dark, beyond truesight":             {a: sees(has("truesight", 30)), feet: 35, light: body.LightDark},
		"blinded, in one place with it":             {on: []string{body.CondBlinded}, feet: 0},
		"blinded, with blindsight so far":           {a: sees(has("blindsight", 10)), on: []string{body.CondBlinded}, feet: 10, want: true},
		"blinded, beyond blindsight":                {a: sees(has("blindsight", 10)), on: []string{body.CondBlinded}, feet: 15},
		"blinded, blindsight, in one place with it": {a: sees(has("blindsight", 10)), on: []string{body.CondBlinded}, feet: 0, want: true},
		"blinded, blindsight, nobody knows":         {a: sees(has("blindsight", 10)), on: []string{body.CondBlinded}, feet: -1},
		"unconscious, with blindsight":              {a: sees(has("blindsight", 10)), on: []string{body.CondUnconscious}, feet: 5},
		"blinded, the table plays no blindsight":    {a: sees(has("blindsight", 10)), on: []string{body.CondBlinded}, feet: 5, settings: map[string]string{"rcr.setting.blindsight-attacks": "off"}},
		"blinded, with tremorsense so far":          {a: sees(has("tremorsense", 10)), on: []string{body.CondBlinded}, feet: 10, want: true},
		"blinded, beyond tremorsense":               {a: sees(has("tremorsense", 10)), on: []string{body.CondBlinded}, feet: 15},
		"blinded, tremorsense, in one place":        {a: sees(has("tremorsense", 10)), on: []string{body.CondBlinded}, feet: 0, want: true},
		"the hidden, with blindsight":               {a: sees(has("blindsight", 10)), onB: []string{body.CondHidden}, feet: 5, want: true},
		"a bat that hears":                          {a: sees(has("blindsight", 60), trait(body.TraitEcholocation)), on: []string{body.CondBlinded}, feet: 30, want: true},
		"a bat that is deaf":                        {a: sees(has("blindsight", 60), trait(body.TraitEcholocation)), on: []string{body.CondBlinded, body.CondDeafened}, feet: 30},
		"blindsight of the deaf":                    {a: sees(has("blindsight", 60)), on: []string{body.CondBlinded, body.CondDeafened}, feet: 30, want: true},
		"tremorsense of a deaf bat":                 {a: sees(has("tremorsense", 60), trait(body.TraitEcholocation)), on: []string{body.CondBlinded, body.CondDeafened}, feet: 30, want: true},
	} {
		a, b := creatureOf(fighter("a", "party", c.a...), 0, 0, c.on...), creatureOf(fighter("b", "monsters"), 30, 0, c.onB...)
		s := &eventv1.State{Creatures: map[string]*eventv1.Creature{"a": a, "b": b}, Settings: c.settings, Marks: map[string]string{body.MLight: c.light}}
		if got := body.Perceives(s, a, b, c.feet); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// rcr.condition.terrified, rcr.base.fifth-edition-fallback: fear hampers while its source is in
// sight: alive, on the field, not hidden, and seen. A fear of nothing in particular always does.
func TestWhatFearSees(t *testing.T) {
	fear := func(source string) func(s *eventv1.State) {
		return func(s *eventv1.State) {
			s.Creatures["a"].Conditions = append(s.Creatures["a"].Conditions, &eventv1.Condition{Name: body.CondFrightened, Source: source})
		}
	}
	with := func(id, name string) func(s *eventv1.State) {
		return func(s *eventv1.State) {
			s.Creatures[id].Conditions = append(s.Creatures[id].Conditions, &eventv1.Condition{Name: name})
		}
	}
	for name, c := range map[string]struct {
		a    []func(*eventv1.Sheet)
		do   []func(s *eventv1.State)
		want bool
	}{
		"no fear":                               {},
		"of one in sight":                       {do: []func(*eventv1.State){fear("b")}, want: true},
		"of nothing in particular":              {do: []func(*eventv1.State){fear("")}, want: true},
		"of nothing in particular, blinded":     {do: []func(*eventv1.State){fear(""), with("a", body.CondBlinded)}, want: true},
		"of one who is gone":                    {do: []func(*eventv1.State){fear("z")}},
		"of the dead":                           {do: []func(*eventv1.State){fear("b"), func(s *eventv1.State) { s.Creatures["b"].Life = eventv1.LifeStatus_LIFE_STATUS_DEAD }}},
		"of one in sight, blinded":              {do: []func(*eventv1.State){fear("b"), with("a", body.CondBlinded)}},
		"of one who hides":                      {do: []func(*eventv1.State){fear("b"), with("b", body.CondHidden)}},
		"of the invisible":                      {do: []func(*eventv1.State){fear("b"), with("b", body.CondInvisible)}},
		"of the invisible, with truesight":      {a: []func(*eventv1.Sheet){has("truesight", 30)}, do: []func(*eventv1.State){fear("b"), with("b", body.CondInvisible)}, want: true},
		"of the invisible, beyond truesight":    {a: []func(*eventv1.Sheet){has("truesight", 25)}, do: []func(*eventv1.State){fear("b"), with("b", body.CondInvisible)}},
		"of one in the dark":                    {do: []func(*eventv1.State){fear("b"), func(s *eventv1.State) { s.Marks[body.MLight] = body.LightDark }}},
		"of one who hides, and of one in sight": {do: []func(*eventv1.State){fear("b"), with("b", body.CondHidden), fear("c")}, want: true},
		"another condition of one in sight": {do: []func(*eventv1.State){func(s *eventv1.State) {
			s.Creatures["a"].Conditions = []*eventv1.Condition{{Name: body.CondCharmed, Source: "b"}}
		}}},
	} {
		s := &eventv1.State{Creatures: map[string]*eventv1.Creature{"a": creatureOf(fighter("a", "party", c.a...), 0, 0), "b": creatureOf(fighter("b", "monsters"), 30, 0), "c": creatureOf(fighter("c", "monsters"), 20, 0)}, Marks: map[string]string{}}
		for _, do := range c.do {
			do(s)
		}
		if got := body.Afraid(s, s.Creatures["a"]); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// rcr.trait.absorption: acid, fire and lightning are absorbed by a trait of their name, and nothing
// else is.
func TestWhatIsAbsorbed(t *testing.T) {
	for _, kind := range []string{"acid", "fire", "lightning", "cold"} {
		for _, of := range []string{"acid", "fire", "lightning", "cold"} {
			c := creatureOf(fighter("a", "party", trait(of+" absorption")), 0, 0)
			if got, want := body.Absorbs(c, kind), kind == of && of != "cold"; got != want {
				t.Errorf("%s by %s absorption: %v", kind, of, got)
			}
		}
	}
	if body.Absorbs(creatureOf(fighter("a", "party"), 0, 0), "fire") {
		t.Error("without the trait")
	}
}

// rcr.trait.leap, rcr.trait.hold-breath, rcr.trait.charge, rcr.trait.death-burst,
// rcr.trait.heated-body, rcr.trait.stench: which numbers a trait lacks.
func TestNumbersThatTraitsLack(t *testing.T) {
	save := &eventv1.RcrSave{Ability: "dexterity", Dc: 12}
	for name, c := range map[string]struct {
		trait string
		f     *eventv1.RcrFeature
		want  string
	}{
		"a leap by its name alone":   {body.TraitStandingLeap, nil, "feet"},
		"a leap without feet":        {body.TraitRunningLeap, &eventv1.RcrFeature{}, "feet"},
		"a leap of feet":             {body.TraitStandingLeap, &eventv1.RcrFeature{Feet: 1}, ""},
		"a leap of a number":         {body.TraitRunningLeap, &eventv1.RcrFeature{Number: 1}, ""},
		"breath without a number":    {body.TraitHoldBreath, &eventv1.RcrFeature{Feet: 5}, "number of minutes"},
		"breath of a minute":         {body.TraitHoldBreath, &eventv1.RcrFeature{Number: 1}, ""},
		"a burst by its name alone":  {"death burst", nil, "dice, type and saving throw"},
		"a burst without dice":       {"death burst", &eventv1.RcrFeature{Type: "fire", Save: save}, "dice, type and saving throw"},
		"a burst without a type":     {"death throes", &eventv1.RcrFeature{Dice: "1d6", Save: save}, "dice, type and saving throw"},
		"a burst without a save":     {"death throes", &eventv1.RcrFeature{Dice: "1d6", Type: "fire"}, "dice, type and saving throw"},
		"a burst":                    {"death throes", &eventv1.RcrFeature{Dice: "1d6", Type: "fire", Save: save}, ""},
		"a hot body without dice":    {body.TraitHeatedBody, &eventv1.RcrFeature{Type: "fire"}, "dice and type"},
		"a hot body without a type":  {body.TraitHeatedBody, &eventv1.RcrFeature{Dice: "1d6"}, "dice and type"},
		"a hot body":                 {body.TraitHeatedBody, &eventv1.RcrFeature{Dice: "1d6", Type: "fire"}, ""},
		"a stench without a save":    {body.TraitStench, &eventv1.RcrFeature{}, "saving throw"},
		"a stench":                   {body.TraitStench, &eventv1.RcrFeature{Save: save}, ""},
		"a charge by its name alone": {"charge", nil, "numbers"},
		"a charge":                   {"charge", &eventv1.RcrFeature{}, ""},
		"a trait that needs none":    {body.TraitBrave, nil, ""},
	} {
		change := trait(c.trait)
		if c.f != nil {
			c.f.Name = c.trait
			change = feature(c.f)
		}
		if got := body.Lacks(creatureOf(fighter("a", "party", change), 0, 0), c.trait); got != c.want {
			t.Errorf("%s lacks %q, want %q", name, got, c.want)
		}
	}
}
