package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/injuries"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.base.fifth-edition-fallback: a defence that does not hold against magical, silvered or
// adamantine weapons holds against all others, one that excepts none against these too.
func TestWhatGetsThroughDefences(t *testing.T) {
	defences := map[string]*eventv1.RcrDefense{"plain": {Type: "slashing"}, "nonmagical": {Type: "slashing", NonmagicalOnly: true}, "silver": {Type: "slashing", ExceptSilvered: true}, "adamant": {Type: "slashing", ExceptAdamantine: true}}
	through := map[string]string{"nonmagical": "magical", "silver": "silvered", "adamant": "adamantine"}
	for name, d := range defences {
		for _, weapon := range []string{"", "magical", "silvered", "adamantine"} {
			f := medTable(t, bodied("a", 10, 40, rcrSheet(func(s *eventv1.RcrSheet) { s.Resistances = []*eventv1.RcrDefense{d} })), 40, 0)
			f.deed(hit("a", 9, func(h *eventv1.Harm) {
				if weapon != "" {
					h.Facts[weapon] = "yes"
				}
			}))
			want := int32(40 - 4)
			if weapon != "" && through[name] == weapon {
				want = 40 - 9
			}
			f.WantHP("a", want)
		}
	}
}

// rcr.base.fifth-edition-fallback: an effect gives a defence against its type, or against all.
func TestDefencesOfEffects(t *testing.T) {
	for name, c := range map[string]struct {
		changes map[string]int32
		taken   int32
	}{
		"against the type":   {map[string]int32{body.ChResist + "slashing": 1}, 4},
		"against all":        {map[string]int32{body.ChResist + body.ChAll: 1}, 4},
		"against another":    {map[string]int32{body.ChResist + "fire": 1}, 9},
		"immune to the type": {map[string]int32{body.ChImmune + "slashing": 1}, 0},
		"immune to all":      {map[string]int32{body.ChImmune + body.ChAll: 1}, 0},
		"immune to another":  {map[string]int32{body.ChImmune + "fire": 1}, 9},
		"nothing":            {nil, 9},
	} {
		f := medTable(t, bodied("a", 10, 40), 40, 0)
		f.boon("a", "ward", c.changes)
		f.deed(hit("a", 9))
		if got := 40 - f.Creature("a").GetHp(); got != c.taken {
			t.Errorf("%s: %d, want %d", name, got, c.taken)
		}
	}
}

// rcr.feat.elemental-adept-resistance: no resistance keeps off the elements of an adept's magic; it
// is told where one would have, and immunity stays.
func TestElementalAdept(t *testing.T) {
	resists := rcrSheet(func(s *eventv1.RcrSheet) {
		for _, kind := range []string{"fire", "necrotic"} {
			s.Resistances = append(s.Resistances, &eventv1.RcrDefense{Type: kind})
		}
	})
	immune := rcrSheet(func(s *eventv1.RcrSheet) { s.Immunities = []*eventv1.RcrDefense{{Type: "fire"}} })
	none := func(*eventv1.Sheet) {}
	for name, c := range map[string]struct {
		feats   []string
		kind    string
		magical bool
		target  func(*eventv1.Sheet)
		taken   int32
		ignored bool
	}{
		"fire of an adept":           {[]string{body.FeatElementalAdept}, "fire", true, resists, 9, true},
		"FIRE of an adept":           {[]string{body.FeatElementalAdept}, "Fire", true, resists, 9, true},
		"fire of another":            {nil, "fire", true, resists, 4, false},
		"fire that is no magic":      {[]string{body.FeatElementalAdept}, "fire", false, resists, 4, false},
		"no element":                 {[]string{body.FeatElementalAdept}, "necrotic", true, resists, 4, false},
		"to one who does not resist": {[]string{body.FeatElementalAdept}, "fire", true, none, 9, false},
		"to one immune":              {[]string{body.FeatElementalAdept}, "fire", true, immune, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := medTable(t, bodied("a", 10, 40, c.target), 40, 0).add(fighter("b", "monsters", feat(c.feats...)))
			f.deed(hit("a", 9, func(h *eventv1.Harm) {
				h.Source, h.Parts[0].Type = "b", c.kind
				if c.magical {
					h.Facts["magical"] = "yes"
				}
			}))
			f.WantHP("a", 40-c.taken)
			said := false
			for _, e := range f.Events {
				for _, p := range e.GetDamage().GetParts() {
					said = said || p.Rule == cite.FeatElementalAdeptResistance
				}
			}
			if said != c.ignored {
				t.Errorf("told: %v", said)
			}
		})
	}
}

// rcr.base.death-save-frame: damage at 0 hit points is a failed death save, a critical hit two; what
// does no damage is none.
func TestHarmAtZero(t *testing.T) {
	for name, c := range map[string]struct {
		amount   int32
		critical bool
		kind     string
		failures int64
	}{"a blow": {1, false, "slashing", 1}, "a critical hit": {1, true, "slashing", 2}, "one that is kept off": {9, false, "fire", 0}, "a critical hit that is kept off": {9, true, "fire", 0}} {
		f := medTable(t, bodied("a", 30, 40, rcrSheet(func(s *eventv1.RcrSheet) { s.Immunities = []*eventv1.RcrDefense{{Type: "fire"}} })), 5, 0)
		f.deed(hit("a", 5))
		before := f.Creature("a").Counters[body.CDeathFailures]
		f.deed(hit("a", c.amount, func(h *eventv1.Harm) { h.Critical, h.Parts[0].Type = c.critical, c.kind }))
		if got := f.Creature("a").Counters[body.CDeathFailures] - before; got != c.failures {
			t.Errorf("%s: %d failures, want %d", name, got, c.failures)
		}
	}
}

// rcr.base.fifth-edition-fallback: undead that stand on by their fortitude do not die of the damage,
// however much of it is left over; others die of as much as their maximum beyond 0.
func TestMassiveDamageToTheEnduring(t *testing.T) {
	for name, c := range map[string]struct {
		traits []string
		damage int32
		dead   bool
		hp     int32
	}{
		"fortitude, more than twice over":       {[]string{body.TraitUndeadFortitude}, 95, false, 1},
		"a character, one short of its maximum": {nil, 79, false, 0},
		"a character, its maximum beyond 0":     {nil, 80, true, 0},
	} {
		f := medTable(t, bodied("a", 30, 40, trait(c.traits...)), 40, 0)
		f.Roller = func(sides int) int { return sides }
		f.boon("a", "might", map[string]int32{"save.constitution": 100})
		f.deed(hit("a", c.damage))
		if a := f.Creature("a"); body.Dead(a) != c.dead || a.GetHp() != c.hp {
			t.Errorf("%s: dead %v with %d", name, body.Dead(a), a.GetHp())
		}
	}
}

// rcr.base.fifth-edition-fallback, rcr.setting.monsters-die-at-zero: a monster dies at 0 hit points,
// unless it is somebody's own, wounds touch it, its body lives on, or the table plays otherwise.
func TestWhoDiesAtZero(t *testing.T) {
	yes := true
	for name, c := range map[string]struct {
		change   func(*eventv1.Sheet)
		settings []string
		dead     bool
	}{
		"a monster":                       {func(*eventv1.Sheet) {}, nil, true},
		"one that players control":        {func(s *eventv1.Sheet) { s.Controllers = []string{"ann"} }, nil, false},
		"one that wounds touch":           {rcrSheet(func(s *eventv1.RcrSheet) { s.WoundsEnabled = &yes }), nil, false},
		"one whose body lives on":         {rcrSheet(func(s *eventv1.RcrSheet) { s.Regeneration = &eventv1.RcrRegeneration{Amount: 5, AtZero: true} }), nil, false},
		"one that regenerates till then":  {rcrSheet(func(s *eventv1.RcrSheet) { s.Regeneration = &eventv1.RcrRegeneration{Amount: 5} }), nil, true},
		"a monster, the table saves them": {func(*eventv1.Sheet) {}, []string{body.SetMonstersDie + "=off"}, false},
	} {
		f := newTable(t, append([]string{body.SetPartyLevel + "=5"}, c.settings...)...).add(fighter("m", "monsters", c.change))
		f.Roller = func(int) int { return 3 }
		f.deed(hit("m", 40))
		if got := body.Dead(f.Creature("m")); got != c.dead {
			t.Errorf("%s: dead %v", name, got)
		}
	}
}

// rcr.base.death-save-frame: who wakes from 0 hit points is conscious again; whom something else
// has put to sleep sleeps on, and what else came of it stays.
func TestWhatWakingEnds(t *testing.T) {
	for name, c := range map[string]struct {
		asleep bool
		offers int32
		awake  bool
	}{"brought down and healed": {false, 1, true}, "brought down and healed of nothing": {false, 0, false}, "asleep, brought down and healed": {true, 1, false}} {
		f := medTable(t, bodied("a", 30, 40), 5, 0)
		if c.asleep {
			f.Afflict("a", body.CondUnconscious)
		}
		f.deed(hit("a", 5))
		f.Resolve(func(r *resolution) error {
			r.AddCondition("a", &eventv1.Condition{Name: body.CondPoisoned, Cause: injuries.UnconsciousFrom0})
			return nil
		})
		res := f.deed(healing("a", "a", c.offers))
		if res.Woke != (c.offers > 0) {
			t.Errorf("%s: woke %v", name, res.Woke)
		}
		f.wantHas("a", body.CondUnconscious, !c.awake)
		f.wantHas("a", body.CondPoisoned, true)
	}
}

// rcr.healing.spare-the-dying, rcr.underwater.suffocating-no-stabilize: who has no air is neither
// woken by hit points nor made stable, and who stands is not either.
func TestHealingOfThoseWithoutAir(t *testing.T) {
	for name, c := range map[string]struct {
		hp          int32 // before the blow that brings it to 0
		suffocates  bool
		spares      bool
		life        eventv1.LifeStatus
		nothingDone bool
	}{
		"dying, healed":       {5, false, false, eventv1.LifeStatus_LIFE_STATUS_ALIVE, false},
		"without air, healed": {5, true, false, eventv1.LifeStatus_LIFE_STATUS_DYING, false},
		"dying, spared":       {5, false, true, eventv1.LifeStatus_LIFE_STATUS_STABLE, false},
		"without air, spared": {5, true, true, eventv1.LifeStatus_LIFE_STATUS_DYING, false},
		"it stands, spared":   {40, false, true, eventv1.LifeStatus_LIFE_STATUS_ALIVE, true},
	} {
		f := medTable(t, bodied("a", 30, 40), c.hp, 0)
		f.deed(hit("a", 5))
		if c.suffocates {
			f.Afflict("a", body.CondSuffocating)
		}
		if c.spares {
			f.deed(healing("a", "a", 0, "via", injuries.ViaSpell, "spell", "spare the dying"))
		} else {
			f.deed(healing("a", "a", 3))
		}
		if got := f.Creature("a").Life; got != c.life && !(got == 0 && c.life == eventv1.LifeStatus_LIFE_STATUS_ALIVE) {
			t.Errorf("%s: %v, want %v", name, got, c.life)
		}
		if got := len(f.byNote(cite.HealingSpareTheDying)) > 0; got != c.nothingDone {
			t.Errorf("%s: told that it does nothing: %v", name, got)
		}
	}
}

// rcr.healing.magic-is-natural-healing: at a table that plays it otherwise healing in full cures
// ailments, but not that of a kit or a hit die, none that falls short, and not the dead.
func TestWhatCuresAilments(t *testing.T) {
	for name, c := range map[string]struct {
		via    string
		amount int32
		on     string
		dead   bool
		cured  bool
	}{
		"a spell in full":         {injuries.ViaSpell, 30, "off", false, true},
		"an ability in full":      {injuries.ViaAbility, 30, "off", false, true},
		"a kit in full":           {injuries.ViaKit, 30, "off", false, false},
		"a hit die in full":       {"hit-die", 30, "off", false, false},
		"a spell, one short":      {injuries.ViaSpell, 29, "off", false, false},
		"a spell as nature heals": {injuries.ViaSpell, 30, "on", false, false},
		"a spell for the dead":    {injuries.ViaSpell, 30, "off", true, false},
	} {
		f := medTable(t, bodied("a", 20, 40), 10, 0, cite.HealingMagicIsNaturalHealing+"="+c.on)
		f.tend(patientDeed("set-mark", "", []string{"a"}, "", "mark", injuries.Ailment+"infection", "value", "left arm"))
		if c.dead {
			f.Hurt("a", 40)
			f.Resolve(func(r *resolution) error { die(r, "a"); return nil })
		}
		f.Roller = func(int) int { return 10 }
		f.deed(healing("a", "a", c.amount, "via", c.via))
		if got := f.Creature("a").Marks[injuries.Ailment+"infection"] == ""; got != c.cured {
			t.Errorf("%s: cured %v", name, got)
		}
	}
}

// rcr.healing.magic-check: circumstances that a command states weigh on the check against wounds
// when they are of its target or of nobody, and speak for or against it.
func TestStatedOfATreatment(t *testing.T) {
	take := &eventv1.TakeAction{Circumstances: []*eventv1.Circumstance{
		{Direction: "advantage", Kind: "calm", Cause: "a quiet room"}, {Direction: "disadvantage", Kind: "dark", Target: "b"},
		{Direction: "advantage", Cause: "for c alone", Target: "c"}, {Direction: "modifier", Kind: "herbs", Value: 2}, {Direction: "modifier", Kind: "salve", Value: 2, Target: "b"}}}
	got := injuries.MedicineFacts(take, "b")
	if len(got) != 2 || got["advantage/calm"] != "a quiet room" || got["disadvantage/dark"] != "dark" {
		t.Errorf("%v", got)
	}
	if got := injuries.MedicineFacts(take, "c"); len(got) != 2 || got["advantage/for c alone"] != "for c alone" {
		t.Errorf("%v", got)
	}
}

// rcr.healing.revival-spells: scars that leave one hit point leave enough to come back.
func TestRevivalNeedsAHitPoint(t *testing.T) {
	for maximum, comes := range map[int32]bool{1: true, 2: true} {
		f := medTable(t, bodied("a", 20, maximum), maximum, 0).add(medic())
		f.Resolve(func(r *resolution) error { die(r, "a"); return nil })
		f.Roller = func(int) int { return 10 }
		f.deed(&eventv1.Harm{Deed: body.DeedSpell, Target: "a", Source: "b", Cause: "revivify", Amount: 1, Facts: map[string]string{"via": injuries.ViaSpell, "spell": "revivify"}})
		if got := !body.Dead(f.Creature("a")); got != comes {
			t.Errorf("with %d: %v", maximum, got)
		}
	}
}

// rcr.base.fifth-edition-fallback: damage that is kept off asks nobody whether it goes on
// concentrating, and the incapacitated hold nothing that could be asked about.
func TestWhatShakesConcentration(t *testing.T) {
	for name, c := range map[string]struct {
		kind  string
		asked bool
	}{"a blow": {"slashing", true}, "a fire that does nothing": {"fire", false}} {
		f := newTable(t).add(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) {
			s.Immunities = []*eventv1.RcrDefense{{Type: "fire"}}
			s.SpellDc, s.SpellSlots, s.Spells = 15, []int32{1}, []*eventv1.RcrSpell{{Name: "song", Level: 1, CastingTime: "action", Verbal: true, Concentration: true}}
		})), fighter("b", "monsters", weapons(&eventv1.RcrAttack{Name: "brand", Bonus: 9, ReachFeet: 5, Natural: true, Damage: []*eventv1.RcrDamage{{Dice: "1d6", Type: c.kind}}}))).start(nil, 20, 5)
		f.falls(15)
		f.Must(act("a", "cast", "song", ""))
		f.End("a")
		f.Must(act("b", "attack", "brand", "a"))
		asked := slices.ContainsFunc(f.Published, func(e *eventv1.Event) bool {
			return e.GetRoll() != nil && slices.Contains(e.Rules, cite.BaseFifthEditionFallback) && e.GetRoll().Creature == "a"
		})
		if len(f.Rolls("attack/1/to-hit")) != 1 || asked != c.asked {
			t.Errorf("%s: asked %v", name, asked)
		}
	}
}
