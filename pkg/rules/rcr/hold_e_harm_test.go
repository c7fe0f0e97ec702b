package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/injuries"
	"github.com/skaldrpg/skald/pkg/rules/rcr/rest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.condition.exhaustion-scale: the immune gain no exhaustion, and lose what the game master gave.
func TestExhaustionOfTheImmune(t *testing.T) {
	immune := rcrSheet(func(s *eventv1.RcrSheet) { s.ConditionImmunities = []string{body.CExhaustion} })
	for name, c := range map[string]struct {
		change func(*eventv1.Sheet)
		levels int
		want   int64
	}{"a gain": {trait(), 1, 3}, "a gain of the immune": {immune, 1, 2}, "a loss": {trait(), -1, 1}, "a loss of the immune": {immune, -1, 1}} {
		f := medTable(t, bodied("a", 10, 40, c.change), 40, 0)
		f.Count("a", body.CExhaustion, 2)
		f.tend(patientDeed("exhaust", "", []string{"a"}, "", "levels", c.levels))
		if got := f.Creature("a").Counters[body.CExhaustion]; got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// rcr.underwater.suffocating-save: who needs no air suffocates nowhere.
func TestBreathlessDoNotSuffocate(t *testing.T) {
	for breathless, rolls := range map[bool]int{true: 0, false: 1} {
		f := medTable(t, bodied("a", 10, 40, rcrSheet(func(s *eventv1.RcrSheet) { s.Breathless = breathless })), 40, 0)
		f.Afflict("a", body.CondSuffocating)
		f.deed(turnBegins("a"), []int{20}[:rolls]...)
		if got := len(f.Rolls("suffocation")); got != rolls {
			t.Errorf("breathless %v: %d saves", breathless, got)
		}
	}
}

// rcr.base.fifth-edition-fallback: what stops a regeneration is damage of the kind that is taken; what
// is kept off stops none.
func TestWhatStopsARegeneration(t *testing.T) {
	for name, c := range map[string]struct {
		kind   string
		immune string
		hp     int32 // after the next turn has begun
	}{"fire": {"fire", "", 10}, "another kind": {"cold", "", 20}, "fire that is kept off": {"fire", "fire", 30}} {
		f := medTable(t, bodied("a", 10, 40, rcrSheet(func(s *eventv1.RcrSheet) {
			s.Regeneration = &eventv1.RcrRegeneration{Amount: 10, StoppedBy: []string{"fire"}}
			if c.immune != "" {
				s.Immunities = []*eventv1.RcrDefense{{Type: c.immune}}
			}
		})), 20, 0)
		f.deed(hit("a", 10, func(h *eventv1.Harm) { h.Parts[0].Type = c.kind }))
		f.deed(turnBegins("a"))
		if got := f.Creature("a").GetHp(); got != c.hp {
			t.Errorf("%s: %d, want %d", name, got, c.hp)
		}
	}
}

// rcr.base.fifth-edition-fallback, rcr.injury.wounds-on-zero-hp: relentless endurance is asked of
// what brings it to 0 hit points, not of what kills outright, and as long as it is there.
func TestWhatRelentlessEndures(t *testing.T) {
	for name, c := range map[string]struct {
		damage int32
		left   int
		asked  bool
	}{"without the trait": {40, -1, false}, "as many as it has": {40, 1, true}, "one short of its maximum beyond 0": {79, 1, true}, "its maximum beyond 0": {80, 1, false}, "spent": {40, 0, false}, "one that leaves it up": {39, 1, false}} {
		var traits []string
		if c.left >= 0 {
			traits = []string{body.TraitRelentless}
		}
		f := medTable(t, bodied("a", 30, 40, trait(traits...), rcrSheet(func(s *eventv1.RcrSheet) {
			s.Resources = []*eventv1.RcrResource{{Name: body.TraitRelentless, Max: 1, Current: 1, Recharge: "long rest"}}
		})), 40, 0)
		f.Count("a", body.CLeft+body.TraitRelentless, max(c.left, -c.left))
		if err := f.TryResolve(func(r *rules.Resolution) error { return rest.Medicine{}.Deed(r, hit("a", c.damage)) }); err != nil {
			t.Fatal(err)
		}
		if asked := len(f.Decisions) > 0; asked != c.asked {
			t.Errorf("%s: asked %v", name, asked)
		}
	}
}

// rcr.underwater.suffocating-unconscious: one that lies without air above 0 hit points and is brought
// there is dying as before: what it gained unseen stays unseen.
func TestDroppedWhileDown(t *testing.T) {
	f := medTable(t, bodied("a", 10, 40), 10, 0)
	f.Afflict("a", body.CondSuffocating)
	f.deed(turnBegins("a"), 1)
	f.WantLife("a", eventv1.LifeStatus_LIFE_STATUS_DYING)
	f.wantCount("a", body.CDeathExhaustion, 1)
	f.force("a", body.CExhaustion, 2)
	if res := f.deed(hit("a", 10)); !res.Down {
		t.Error("it was not brought down")
	}
	f.wantCount("a", body.CDeathExhaustion, 1)
	for _, e := range f.Events {
		if e.GetLife() != nil {
			t.Errorf("told again: %v", e)
		}
	}
}

// rcr.trait.absorption, rcr.trait.resilience: absorbed damage does none and gives as many hit points
// as were rolled, none where none were; the resilient take half of poison, once.
func TestAbsorbedAndResisted(t *testing.T) {
	for name, c := range map[string]struct {
		traits []string
		resist string
		kind   string
		rolled int32
		hp     int32
	}{
		"absorbed":              {[]string{"fire absorption"}, "", "fire", 9, 29},
		"nothing to absorb":     {[]string{"fire absorption"}, "", "fire", 0, 20},
		"another kind":          {[]string{"fire absorption"}, "", "cold", 9, 11},
		"poison, resilient":     {[]string{"dwarven resilience"}, "", "poison", 9, 16},
		"poison, resisting too": {[]string{"dwarven resilience"}, "poison", "poison", 9, 16},
		"fire, resilient":       {[]string{"dwarven resilience"}, "", "fire", 9, 11},
		"poison":                {nil, "", "poison", 9, 11},
		"poison, resisting":     {nil, "poison", "poison", 9, 16},
	} {
		f := medTable(t, bodied("a", 10, 40, trait(c.traits...), rcrSheet(func(s *eventv1.RcrSheet) {
			if c.resist != "" {
				s.Resistances = []*eventv1.RcrDefense{{Type: c.resist}}
			}
		})), 20, 0)
		res := f.deed(hit("a", c.rolled, func(h *eventv1.Harm) { h.Parts[0].Type = c.kind }))
		if got := f.Creature("a").GetHp(); got != c.hp || res.Taken != max(0, 20-c.hp) {
			t.Errorf("%s: %d, taken %d, want %d", name, got, res.Taken, c.hp)
		}
	}
}

// rcr.healing.spare-the-dying, rcr.healing.listed-spells: who is brought back to hit points by the
// spell is awake and not stable; another listed spell leaves the dying dying.
func TestWhatSparesTheDying(t *testing.T) {
	for name, c := range map[string]struct {
		spell  string
		amount int32
		life   eventv1.LifeStatus
		stable bool
	}{
		"spared":            {"spare the dying", 0, eventv1.LifeStatus_LIFE_STATUS_STABLE, true},
		"spared and healed": {"spare the dying", 5, eventv1.LifeStatus_LIFE_STATUS_ALIVE, false},
		"restored":          {"lesser restoration", 0, eventv1.LifeStatus_LIFE_STATUS_DYING, false},
	} {
		f := medTable(t, bodied("a", 30, 40), 5, 0)
		f.deed(hit("a", 5))
		res := f.deed(&eventv1.Harm{Deed: body.DeedSpell, Target: "a", Cause: c.spell, Amount: c.amount, Facts: map[string]string{"spell": c.spell}})
		if got := f.Creature("a").Life; got != c.life || res.Stable != c.stable {
			t.Errorf("%s: %v, stable %v", name, got, res.Stable)
		}
	}
}

// rcr.injury.enemies-optional, rcr.base.fifth-edition-fallback: whoever has a record that outlives the
// fight is no monster, whoever controls it or not.
func TestWhoIsACharacter(t *testing.T) {
	for name, c := range map[string]struct {
		patient     string
		controllers []string
		dies        bool
	}{"a monster": {"", nil, true}, "one with a record": {"ogre-7", nil, false}, "one that is played": {"", []string{"ann"}, false}} {
		f := newTable(t, body.SetPartyLevel+"=5").add(fighter("m", "monsters", func(s *eventv1.Sheet) { s.Patient, s.Controllers = c.patient, c.controllers }))
		f.Roller = func(int) int { return 3 }
		f.deed(hit("m", 40))
		if got := body.Dead(f.Creature("m")); got != c.dies {
			t.Errorf("%s: dead %v", name, got)
		}
		if wounds := f.Creature("m").Counters[body.CWounds]; (wounds == 0) != c.dies {
			t.Errorf("%s: %d wounds", name, wounds)
		}
	}
}

// rcr.healing.removed-by-proficiency, rcr.injury.row4-scar: none removed is none, and not all; a
// scar of whoever has no hit dice is rolled by its size, of no size by a d8.
func TestNumbersOfWounds(t *testing.T) {
	for proficiency, left := range map[string]int64{"0": 3, "2": 1, "4": 0} {
		f := medTable(t, bodied("a", 30, 40), 10, 3)
		f.deed(healing("a", "a", 9, "via", injuries.ViaAbility, "proficiency", proficiency), 20)
		if got := f.Creature("a").Counters[body.CWounds]; got != left {
			t.Errorf("%s removed: %d left, want %d", proficiency, got, left)
		}
	}
	for size, die := range map[string]string{"tiny": "1d4", "huge": "1d12", "": "1d8"} {
		f := medTable(t, bodied("a", 10, 40, rcrSheet(func(s *eventv1.RcrSheet) { s.HitDice = nil })), 40, 3)
		f.State.Creatures["a"].Size = size // none is in no sheet that is read now
		f.deed(&eventv1.Harm{Deed: body.DeedWound, Target: "a", Amount: 1, Cause: "test"}, 4)
		if got := f.Roll("scar").Expression; got != die {
			t.Errorf("of size %q: %s, want %s", size, got, die)
		}
	}
}

// rcr.feat.healer-tend, rcr.healing.kit-use-expended: a healer tends as many as it has uses of a kit
// for, and none of them when there is one too many.
func TestUsesOfAHealer(t *testing.T) {
	for uses, tended := range map[int]bool{1: false, 2: true, 3: true} {
		f := medTable(t, bodied("a", 10, 40), 10, 0).add(bodied("c", 10, 40), fighter("b", "party", feat(body.FeatHealer)))
		f.Hurt("c", 10)
		f.Count("b", body.CKit, uses)
		f.Roller = func(int) int { return 3 }
		err := f.TryTend(patientDeed("tend", "", []string{"a", "c"}, "b"))
		wantReasonOf(t, "a healer", err, map[bool]string{false: "NO_KIT"}[tended])
		if got := f.Creature("a").GetHp() > 10; got != tended {
			t.Errorf("%d uses: tended %v", uses, got)
		}
		f.wantCount("b", body.CKit, map[bool]int64{true: int64(uses) - 2, false: int64(uses)}[tended])
	}
}

// rcr.feat.inspiring-leader-temp-hp, rcr.healing.magic-eligible: the dead inspire nobody, those out of
// their senses hear nothing, and of two numbers of temporary hit points the larger stays.
func TestWhoIsInspired(t *testing.T) {
	const dying, dead = eventv1.LifeStatus_LIFE_STATUS_DYING, eventv1.LifeStatus_LIFE_STATUS_DEAD
	for name, c := range map[string]struct {
		of     string // who is in another state
		life   eventv1.LifeStatus
		temp   int32
		want   int32
		reason string
	}{
		"a listener":             {want: 6},
		"one with fewer":         {temp: 5, want: 6},
		"one with as many":       {temp: 6, want: 6},
		"one with more":          {temp: 7, want: 7},
		"one that is dying":      {of: "a", life: dying, want: 0},
		"one that is dead":       {of: "a", life: dead, want: 0},
		"a speaker that is dead": {of: "b", life: dead, reason: "UNABLE"},
		"a speaker that is down": {of: "b", life: dying, reason: "UNABLE"},
	} {
		f := medTable(t, bodied("a", 10, 40), 10, 0).add(fighter("b", "party", ability("charisma", 13), feat(body.FeatInspiringLeader)))
		f.State.Creatures["a"].HpTemp = &c.temp
		if c.of != "" {
			f.State.Creatures[c.of].Life = c.life
		}
		err := f.TryTend(patientDeed("inspire", "", []string{"a"}, "b"))
		wantReasonOf(t, name, err, c.reason)
		if got := f.Creature("a").GetHpTemp(); c.reason == "" && got != c.want { // its level of 5, and Charisma
			t.Errorf("%s: %d temporary hit points, want %d", name, got, c.want)
		}
	}
}

// rcr.healing.kit-after-combat, rcr.setting.kit-wounds: a kit waits for the end of a fight, unless the
// table or the game master says otherwise.
func TestKitsInAFight(t *testing.T) {
	for name, c := range map[string]struct {
		settings []string
		override bool
		reason   string
	}{
		"in a fight":           {nil, false, "IN_COMBAT"},
		"by the master's word": {nil, true, ""},
		"by the table":         {[]string{body.SetKitWounds + "=in-combat"}, false, ""},
	} {
		f := newTable(t, c.settings...).add(fighter("a", "party", skilled("medicine", 5)), fighter("b", "monsters")).start(nil, 20, 5)
		f.Count("a", body.CWounds, 1, body.CKit, 1)
		cmd := act("a", "use-kit", "", "a")
		if c.override {
			cmd = act("a", "use-kit", "", "a", withFacts("override", true))
		}
		f.Roller = func(int) int { return 10 }
		wantReasonOf(t, name, f.Try(cmd), c.reason)
	}
}

// rcr.healing.kit-use-expended, rcr.base.death-save-frame, rcr.healing.listed-spells: what treats
// patients between fights: who is stabilised and whose wounds are treated, and what it takes.
func TestWaysOfTreating(t *testing.T) {
	for name, c := range map[string]struct {
		patients []string
		item     string
		words    []any
		kit      int
		user     string
		reason   string
		wounds   int64 // of a, left of 2
		life     eventv1.LifeStatus
		kitLeft  int64
	}{
		"a kit on the wounds of the dying": {patients: []string{"a"}, words: []any{"via", "kit", "wounds", true}, kit: 1, wounds: 1, life: eventv1.LifeStatus_LIFE_STATUS_DYING},
		"a kit on the dying":               {patients: []string{"a"}, words: []any{"via", "kit"}, kit: 1, wounds: 2, life: eventv1.LifeStatus_LIFE_STATUS_STABLE},
		"bare hands on those who stand":    {patients: []string{"c"}, words: []any{"via", "stabilise"}, kit: 1, reason: "NOT_DYING", wounds: 2, life: eventv1.LifeStatus_LIFE_STATUS_DYING, kitLeft: 1},
		"wounds of two with one use":       {patients: []string{"c", "a"}, words: []any{"via", "stabilise", "wounds", true}, kit: 1, reason: "NO_KIT", wounds: 2, life: eventv1.LifeStatus_LIFE_STATUS_DYING, kitLeft: 1},
		"wounds of two with two":           {patients: []string{"c", "a"}, words: []any{"via", "stabilise", "wounds", true}, kit: 2, wounds: 1, life: eventv1.LifeStatus_LIFE_STATUS_DYING},
		"a listed spell on no sheet":       {patients: []string{"a"}, item: "lesser restoration", words: []any{"via", "spell"}, wounds: 0, life: eventv1.LifeStatus_LIFE_STATUS_DYING},
		"no such spell":                    {patients: []string{"a"}, item: "juggling", words: []any{"via", "spell"}, reason: "field", wounds: 2, life: eventv1.LifeStatus_LIFE_STATUS_DYING},
		"an item without charges":          {patients: []string{"a"}, item: "spring", wounds: 2, life: eventv1.LifeStatus_LIFE_STATUS_ALIVE},
		"the dead and an item":             {patients: []string{"a"}, item: "spring", words: []any{"via", "item"}, user: "dead", reason: "UNABLE", wounds: 2, life: eventv1.LifeStatus_LIFE_STATUS_DYING},
	} {
		t.Run(name, func(t *testing.T) {
			f := medTable(t, bodied("a", 30, 40), 5, 0).add(bodied("c", 30, 40), fighter("b", "party", skilled("medicine", 5), rcrSheet(func(s *eventv1.RcrSheet) {
				s.Items = []*eventv1.RcrItem{{Name: "spring", Rarity: "common", Healing: "4"}}
			})))
			f.deed(hit("a", 5))
			f.Count("a", body.CWounds, 2)
			f.Count("c", body.CWounds, 2)
			f.Count("b", body.CKit, c.kit)
			if c.user == "dead" {
				f.State.Creatures["b"].Life = eventv1.LifeStatus_LIFE_STATUS_DEAD
			}
			f.Roller = func(int) int { return 5 }
			err := f.TryTend(patientDeed("treat", c.item, c.patients, "b", c.words...))
			if c.reason == "field" {
				wantField(t, err, "command.patient.item", "")
			} else {
				wantReasonOf(t, name, err, c.reason)
			}
			f.wantCount("a", body.CWounds, c.wounds)
			f.wantCount("b", body.CKit, c.kitLeft)
			f.WantLife("a", c.life)
		})
	}
}

// rcr.healing.listed-spells, rcr.healing.magic-check: a spell that revives does nothing beside healing
// to the living, and takes wounds off no more than other healing: by a check.
func TestRevivalOfTheLiving(t *testing.T) {
	for face, left := range map[int]int64{1: 3, 20: 0} {
		f := medTable(t, bodied("a", 30, 40), 10, 3)
		f.deed(healing("a", "a", 9, "via", injuries.ViaSpell, "spell", "revivify", "spell_level", "3"), face)
		f.WantHP("a", 19)
		f.wantCount("a", body.CWounds, left)
	}
}

// rcr.healing.listed-spells: a spell that takes wounds off takes none off the dead.
func TestListedSpellsOnTheDead(t *testing.T) {
	for dead, gone := range map[bool]int32{true: 0, false: 2} {
		f := medTable(t, bodied("a", 30, 40), 10, 2)
		if dead {
			f.State.Creatures["a"].Life = eventv1.LifeStatus_LIFE_STATUS_DEAD
		}
		res := f.deed(healing("a", "a", 5, "via", injuries.ViaSpell, "spell", "lesser restoration"))
		if res.GetInjuriesRemoved() != gone || f.Creature("a").Counters[body.CWounds] != int64(2-gone) {
			t.Errorf("dead %v: %v", dead, res)
		}
	}
}
