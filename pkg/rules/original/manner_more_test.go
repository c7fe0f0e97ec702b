package original

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// original.attack.roll, original.dice.advantage, original.dice.disadvantage: what is stated of an attack holds for the one it names, or for all where it names nobody
func TestCircumstancesOfOneTarget(t *testing.T) {
	for name, c := range map[string]struct {
		stated *eventv1.Circumstance
		bonus  int32
		dice   int
	}{
		"a modifier":              {&eventv1.Circumstance{Direction: "modifier", Value: 3, Cause: "luck"}, 3, 1},
		"a modifier for it":       {&eventv1.Circumstance{Direction: "modifier", Value: -2, Target: "b"}, -2, 1},
		"a modifier for another":  {&eventv1.Circumstance{Direction: "modifier", Value: 3, Target: "c"}, 0, 1},
		"a modifier of nothing":   {&eventv1.Circumstance{Direction: "modifier"}, 0, 1},
		"advantage":               {&eventv1.Circumstance{Direction: "advantage"}, 0, 2},
		"advantage against it":    {&eventv1.Circumstance{Direction: "advantage", Target: "b"}, 0, 2},
		"advantage on another":    {&eventv1.Circumstance{Direction: "advantage", Target: "c"}, 0, 1},
		"disadvantage":            {&eventv1.Circumstance{Direction: "disadvantage"}, 0, 2},
		"disadvantage on another": {&eventv1.Circumstance{Direction: "disadvantage", Target: "c"}, 0, 1},
	} {
		f := newTable(t).at(0, one("a", "party")).at(5, strongFoe()).at(60, one("c", "monsters", group("c"))).start(nil, 6, 1, 1)
		faces := []int{2, 2}[:c.dice]
		f.Must(act("a", "attack", "sword", "b", func(x *eventv1.TakeAction) { x.Circumstances = append(x.Circumstances, c.stated) }), faces...)
		r := f.Roll("to-hit")
		if got := body.Sum(r.Modifiers); got != c.bonus || len(r.Dice) != c.dice {
			t.Errorf("%s: %+d with %d dice, want %+d with %d", name, got, len(r.Dice), c.bonus, c.dice)
		}
		for _, m := range r.Modifiers {
			if m.Value == 0 {
				t.Errorf("%s: %v adds nothing", name, m)
			}
		}
	}
}

// original.attack.melee-swashbuckler-dex: fighters and pirates, in light armour, with a weapon of one hand that they are trained in
func TestWhoFightsByDEX(t *testing.T) {
	sword := &eventv1.OriginalWeapon{Name: "w", Hands: 1}
	for name, c := range map[string]struct {
		settings []string
		class    string
		light    bool
		weapon   *eventv1.OriginalWeapon
		may      bool
	}{
		"a fighter":                 {nil, "fighter", true, sword, true},
		"a pirate":                  {nil, "pirate", true, sword, true},
		"a thief":                   {nil, "thief", true, sword, false},
		"a magic-user":              {[]string{body.SetSwashbuckle + "=on"}, "magic-user", true, sword, false},
		"a ranger":                  {nil, "ranger", true, sword, false},
		"a ranger, by the setting":  {[]string{body.SetSwashbuckle + "=on"}, "ranger", true, sword, true},
		"a fighter in heavy armour": {nil, "fighter", false, sword, false},
		"with both hands":           {nil, "fighter", true, &eventv1.OriginalWeapon{Name: "w", Hands: 2}, false},
		"with no word of hands":     {nil, "fighter", true, &eventv1.OriginalWeapon{Name: "w"}, true},
		"untrained":                 {nil, "fighter", true, &eventv1.OriginalWeapon{Name: "w", Untrained: true}, false},
		"with claws":                {nil, "fighter", true, &eventv1.OriginalWeapon{Name: "w", Kind: "natural"}, false},
	} {
		f := newTable(t, c.settings...).at(0, one("a", "party", class(c.class, 1), arms(c.weapon), dex(2), str(0), with(func(o *eventv1.OriginalSheet) { o.LightArmor = c.light }))).at(5, strongFoe(arms())).start(nil, 6, 1)
		for f.State.Active[0] != "a" {
			f.End(f.State.Active[0])
		}
		for _, word := range []string{"to_hit", "damage"} {
			err := f.Peek(act("a", "attack", "w", "b", withParameters(word, "dex")), 2)
			if c.may && err != nil {
				t.Errorf("%s, %s: %v", name, word, err)
			} else if !c.may {
				wantRefused(t, err, cite.AttackMeleeSwashbucklerDex)
			}
		}
	}
}

// original.attack.surround-bonus: who is not in melee with a foe does not surround it
func TestTheDistantDoNotSurround(t *testing.T) {
	for third, want := range map[int32]int32{-5: 1, -20: 0} {
		f := newTable(t).at(0, one("hero", "party", points(90))).at(5, one("orc-1", "orcs", group("orcs"))).at(6, one("orc-2", "orcs", group("orcs"))).
			at(third, one("orc-3", "orcs", group("orcs"))).start(nil, 1, 6)
		f.Must(act("orc-1", "attack", "sword", "hero"), 2)
		if got := body.Sum(f.Roll("to-hit").Modifiers); got != want {
			t.Errorf("the third %d feet away: %+d, want %+d", third, got, want)
		}
	}
}

// original.charge.end-within-10: a charge that falls short is told, and the charger does nothing more
func TestAChargeThatFallsShortIsTold(t *testing.T) {
	f := newTable(t).at(0, one("a", "party")).at(100, strongFoe()).start(nil, 6, 1)
	f.Must(act("a", "charge", "sword", "b", withParameters("feet", 61)))
	if !noted(f, "the charge falls short", cite.ChargeEndWithin10) || !body.Has(f.Creature("a"), body.CondRan) || len(f.Attacks()) > 0 {
		t.Errorf("%v, %v", f.Creature("a").Conditions, f.Attacks())
	}
	f = newTable(t).at(0, one("a", "party")).at(100, strongFoe()).start(nil, 6, 1)
	f.Must(act("a", "charge", "sword", "b", withParameters("feet", 90)), 2)
	if noted(f, "the charge falls short", cite.ChargeEndWithin10) {
		t.Error("10 feet away it strikes")
	}
}

// original.action.whip-outcome: getting up takes the movement of the round, and so none of it may be gone
func TestGettingUpAfterAStep(t *testing.T) {
	for moved, refused := range map[int]bool{0: false, 1: true} {
		f := newTable(t).at(0, one("a", "party")).at(50, strongFoe()).start(nil, 6, 1)
		f.Afflict("a", body.CondProne)
		f.Count("a", body.CMoved, moved)
		err := f.Try(act("a", "rise", "", ""))
		if refused {
			wantRefused(t, err, cite.ActionWhipOutcome)
		} else if err != nil || body.Has(f.Creature("a"), body.CondProne) {
			t.Errorf("%v: %v", err, f.Creature("a").Conditions)
		}
	}
}

// original.condition.partially-surprised: one turns to a foe that is on its flank, and to nobody else
func TestWhomOneFaces(t *testing.T) {
	none := int32(0)
	for name, c := range map[string]struct {
		foe  string
		do   func(f *table)
		rule string
	}{
		"one on its flank": {"b", func(*table) {}, ""},
		"a dead one":       {"b", func(f *table) { f.Put("b", &eventv1.Vitals{Hp: &none}) }, cite.ConditionPartiallySurprised},
		"one in front":     {"c", func(*table) {}, cite.ConditionPartiallySurprised},
		"one of its own side": {"friend", func(f *table) {
			f.Put("friend", &eventv1.Vitals{Relations: []*eventv1.Relation{{Kind: body.RelFlanks, To: "a"}}})
		}, cite.ConditionPartiallySurprised},
	} {
		f := newTable(t).at(0, one("a", "party", points(50))).at(5, strongFoe()).at(6, one("c", "monsters", points(50))).at(8, one("friend", "party")).start(nil, 1, 1, 6, 6)
		f.Roller = func(int) int { return 2 }
		f.Must(act("b", "attack", "sword", "a", withFacts("position", "flank")))
		f.Roller = nil
		for f.State.Active[0] != "a" {
			f.End(f.State.Active[0])
		}
		f.Roller = func(int) int { return 2 }
		c.do(f)
		err := f.Try(act("a", "face", "", c.foe))
		if c.rule == "" && err != nil {
			t.Errorf("%s: %v", name, err)
		} else if c.rule != "" {
			wantRefused(t, err, c.rule)
		}
	}
}

// original.movement.half-move-and-attack, original.movement.elf-fire-on-the-run: who shoots on the run keeps all of the move for it, unless in melee or done with the attack otherwise
func TestMoveLeftToOneWhoShootsOnTheRun(t *testing.T) {
	for name, c := range map[string]struct {
		race   string
		weapon *eventv1.OriginalWeapon
		foe    int32
		counts []any
		want   int32
	}{
		"an elf with a bow":          {"elf", bow, 100, nil, 120},
		"another with a bow":         {"", bow, 100, nil, 60},
		"an elf with a sword":        {"elf", &eventv1.OriginalWeapon{Name: "sword"}, 100, nil, 60},
		"an elf in melee":            {"elf", bow, 10, nil, 60},
		"an elf out of melee":        {"elf", bow, 11, nil, 120},
		"an elf who has moved":       {"elf", bow, 100, []any{body.CMoved, 30}, 90},
		"an elf who has struck":      {"elf", bow, 100, []any{body.CAttacks, 1}, 60},
		"an elf who shot on the run": {"elf", bow, 100, []any{body.CAttacks, 1, body.CRunShots, 1}, 120},
		"an elf who has cast":        {"elf", bow, 100, []any{body.CCasts, 1}, 10},
	} {
		f := newTable(t).at(0, one("a", "party", race(c.race), arms(c.weapon))).at(c.foe, strongFoe()).start(nil, 6, 1)
		if len(c.counts) > 0 {
			f.Count("a", c.counts...)
		}
		if got := thestrike.MoveLeft(thestrike.See(f.State, f.Creature("a"))); got != c.want {
			t.Errorf("%s: %d feet, want %d", name, got, c.want)
		}
	}
}

// original.spell.caster-won: what a sheet prepares is what it counts out
func TestStoresAreWhatIsPrepared(t *testing.T) {
	got := (System{}).Stores(one("m", "party", spells(&eventv1.OriginalSpell{Name: "bolt", Prepared: 1}, &eventv1.OriginalSpell{Name: "glow"}, &eventv1.OriginalSpell{Name: "ward", Prepared: 3})))
	if len(got) != 2 || got[body.CLeft+"bolt"] != 1 || got[body.CLeft+"ward"] != 3 {
		t.Errorf("%v", got)
	}
}

// original.initiative.fighters-first-and-last, original.spell.lost-when-opponent-won: in the place of its first attack a caster's own place is still to come; in that of its last it is over
func TestPlaceToComeOfAFighterWhoCasts(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", class("fighter", 3), spells(bolt))).at(5, one("orc", "orcs", points(99))).start(nil, 1, 6)
	want := map[string]bool{body.SegFirst: true, body.SegSlot: true, body.SegLast: false}
	seen := 0
	for range 4 {
		if f.State.Active[0] == "a" {
			seen++
			if got := thestrike.PlaceToCome(f.State, "a"); got != want[f.State.Phase] {
				t.Errorf("%s: %v", f.State.Phase, got)
			}
		}
		f.End(f.State.Active[0])
		if f.State.Round > 1 {
			break
		}
	}
	if seen != 3 {
		t.Errorf("%d places", seen)
	}
}

// original.attack.multi-shortcut: what keeps the kills of a round from being counted
func TestWhoseKillsAreCounted(t *testing.T) {
	sword := &eventv1.OriginalWeapon{Name: "sword"}
	for name, c := range map[string]struct {
		level  int32
		weapon *eventv1.OriginalWeapon
		do     func(f *table)
		target string
		reason string
	}{
		"three attacks":       {3, sword, nil, "m", ""},
		"two attacks":         {2, sword, nil, "m", ""},
		"one attack":          {1, sword, nil, "m", "ONE_ATTACK"},
		"untrained":           {3, &eventv1.OriginalWeapon{Name: "sword", Untrained: true}, nil, "m", "ONE_ATTACK"},
		"it has attacked":     {3, sword, func(f *table) { f.Count("a", body.CAttacks, 1) }, "m", "NO_ATTACK"},
		"one who is strong":   {3, sword, nil, "ogre", "NORMAL_MEN_ONLY"},
		"one of its own side": {3, sword, nil, "friend", "NO_FOE"},
	} {
		f := newTable(t, body.SetShortcut+"=on").at(0, one("a", "party", class("fighter", c.level), arms(c.weapon))).at(5, one("m", "orcs", points(3), with(func(o *eventv1.OriginalSheet) { o.HitDice = 1 }))).
			at(6, one("ogre", "orcs", group("ogres"), with(func(o *eventv1.OriginalSheet) { o.HitDice = 4 }))).at(-5, one("friend", "party")).start(nil, 1, 6, 5, 4)
		for f.State.Phase != body.SegSlot || f.State.Active[0] != "a" {
			f.End(f.State.Active[0])
		}
		if c.do != nil {
			c.do(f)
		}
		f.Roller = func(int) int { return 1 }
		if got := reasonOf(f.Try(act("a", "shortcut", "", c.target))); got != c.reason {
			t.Errorf("%s: %q, want %q", name, got, c.reason)
		}
	}
}

// original.critical.needed-over-20, original.charge.bonus, original.equipment.blunt-vs-skeletons: what was done to a damage after its dice is said beside it, in the order in which it was done
func TestWhatWasDoneToADamage(t *testing.T) {
	bones := with(func(o *eventv1.OriginalSheet) { o.EdgedLoses = 3 })
	for name, c := range map[string]struct {
		foe    []func(*eventv1.Sheet)
		need   int32
		charge bool
		faces  []int
		note   string
		damage int32
	}{
		"nothing":              {nil, 15, false, []int{15, 4}, "", 5},
		"a need over 20":       {nil, 22, false, []int{20, 4}, "less 2 for the need over 20", 3},
		"a need of 20":         {nil, 20, false, []int{20, 4}, "", 5},
		"a need of 21":         {nil, 21, false, []int{20, 4}, "less 1 for the need over 20", 4},
		"a charge":             {nil, 15, true, []int{15, 4}, "times 2", 10},
		"an edge":              {[]func(*eventv1.Sheet){bones}, 15, false, []int{15, 4}, "less 3 for want of a blunt weapon", 2},
		"an edge in a charge":  {[]func(*eventv1.Sheet){bones}, 15, true, []int{15, 4}, "less 3 for want of a blunt weapon times 2", 7},
		"a charge and a need":  {nil, 25, true, []int{20, 4}, "times 2 less 3 for the need over 20", 7},
		"no edge to lose of 0": {[]func(*eventv1.Sheet){with(func(o *eventv1.OriginalSheet) { o.EdgedLoses = 0 })}, 15, false, []int{15, 4}, "", 5},
	} {
		feet := int32(5)
		if c.charge {
			feet = 100
		}
		f := newTable(t).at(0, one("a", "party", need(c.need))).at(feet, strongFoe(c.foe...)).start(nil, 6, 1)
		action := "attack"
		if c.charge {
			action = "charge"
		}
		f.Must(act("a", action, "sword", "b"), c.faces...)
		var note string
		for _, e := range f.Events {
			for _, p := range e.GetDamage().GetParts() {
				note += p.Note
				for _, x := range p.Factors {
					if x.Before == x.After {
						t.Errorf("%s: %v changes nothing", name, x)
					}
				}
			}
		}
		if note != c.note || f.DamageTo("b") != c.damage {
			t.Errorf("%s: %d, %q; want %d, %q", name, f.DamageTo("b"), note, c.damage, c.note)
		}
	}
}

// original.morale.when: what is counted of a group of which nobody has been seen is the game master's; of one that is seen in part, or not there, it is everybody's
func TestWhatIsToldOfAGroupUnseen(t *testing.T) {
	for name, c := range map[string]struct {
		staged map[string]bool // by creature: whether nobody has seen it
		want   bool
	}{
		"nobody there": {nil, false},
		"all seen":     {map[string]bool{"a": false, "b": false}, false},
		"one unseen":   {map[string]bool{"a": false, "b": true}, false},
		"nobody seen":  {map[string]bool{"a": true, "b": true}, true},
		"one, unseen":  {map[string]bool{"a": true}, true},
	} {
		s := &eventv1.State{Creatures: map[string]*eventv1.Creature{}}
		for id, staged := range c.staged { // order-free: a map is filled
			s.Creatures[id] = &eventv1.Creature{Id: id, Sheet: one(id, "orcs", group("orcs")), Side: "orcs", Staged: staged}
		}
		if got := body.OfTheUnseen(s, body.CStart+"orcs"); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
		if !body.OfTheUnseen(s, body.CUnseen+"orcs") || body.OfTheUnseen(s, body.CStep) {
			t.Errorf("%s: what is counted of the unseen, and of nobody", name)
		}
		who := map[bool]*eventv1.Audience{true: event.GM(), false: event.Everyone()}[c.want]
		if got := (System{}).Audience(s, rules.FactCounter, body.CStart+"orcs", ""); got.String() != who.String() {
			t.Errorf("%s: told to %v", name, got)
		}
	}
}

// original.movement.in-melee-definition: foes without places are in melee from the first blow on, both of them
func TestABlowWithoutAMapBeginsAMelee(t *testing.T) {
	f := newTable(t).add(one("a", "party"), strongFoe()).start(nil, 6, 1)
	if body.InMelee(f.Creature("a"), f.Creature("b")) {
		t.Fatal("in melee before the first blow")
	}
	f.Must(act("a", "attack", "sword", "b", withFacts("distance", 5)), 2)
	for id, foe := range map[string]string{"a": "b", "b": "a"} {
		if got := tiesOf(f, id, body.RelEngaged); len(got) != 1 || got[0] != foe {
			t.Errorf("%s: %v", id, f.Creature(id).Relations)
		}
	}
}

// original.death.zero-hp: what is healed is told to those who play the patient, with what was offered and what it came to
func TestHealingIsTold(t *testing.T) {
	f := newTable(t).add(one("a", "party", points(10)))
	f.Harm(&eventv1.Harm{Deed: body.DeedDamage, Target: "a", Parts: []*eventv1.DamagePart{{Type: body.PartActual, Rolled: 4}}})
	f.Harm(&eventv1.Harm{Deed: body.DeedHeal, Target: "a", Source: "a", Cause: "a draught", Amount: 6})
	f.WantHP("a", 10)
	for _, e := range f.Events {
		if h := e.GetHealing(); h != nil {
			if h.Offered != 6 || h.Amount != 4 || h.Cause != "a draught" || h.Source != "a" || e.Audience.String() != event.Controllers("a").String() {
				t.Errorf("%v", e)
			}
			return
		}
	}
	t.Error("nobody is told")
}
