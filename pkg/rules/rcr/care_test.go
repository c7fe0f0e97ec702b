package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/injuries"
	"github.com/skaldrpg/skald/pkg/rules/rcr/rest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// wantReasonOf holds the reason of a refusal.
func wantReasonOf(t *testing.T, name string, err error, reason string) {
	t.Helper()
	f, ok := fault.As(err)
	if reason == "" && err == nil || ok && f.Reason == reason {
		return
	}
	t.Errorf("%s: %v, want %q", name, err, reason)
}

// rcr.base.fifth-edition-fallback: who can take no action tends nobody, by whatever
// means; a potion can be poured into such a one, and bound hands or feet hinder nobody.
func TestWhoCannotActTendsNobody(t *testing.T) {
	for condition, barred := range map[string]bool{body.CondUnconscious: true, body.CondParalyzed: true, body.CondPetrified: true, body.CondStunned: true,
		body.CondIncapacitated: true, body.CondHelpless: true, body.CondRestrained: false, body.CondProne: false, body.CondBlinded: false} {
		for _, way := range []string{"cure wounds", "lay on hands", "healer's kit", "tend", "potion"} {
			f := medTable(t, bodied("a", 20, 40), 10, 2).add(medic())
			s := f.State.Creatures["b"].Sheet.GetRcr()
			s.Feats = append(s.Feats, body.FeatHealer)
			f.Afflict("b", condition)
			cmd, want := patientDeed("treat", way, []string{"a"}, "b"), ""
			switch way {
			case "tend":
				cmd = patientDeed("tend", "", []string{"a"}, "b")
			case "potion":
				cmd = patientDeed("treat", way, []string{"a"}, "b", "via", "item")
			}
			if barred && way != "potion" {
				want = "UNABLE"
			}
			f.Roller = func(sides int) int { return sides }
			wantReasonOf(t, condition+", "+way, f.TryTend(cmd), want)
			if healed := f.Creature("a").GetHp() > 10 || f.Creature("a").Counters[body.CWounds] < 2; healed != (want == "") {
				t.Errorf("%s, %s: tended %v", condition, way, healed)
			}
		}
	}
}

// rcr.feat.inspiring-leader-temp-hp: who hears and understands; the speaker must be able
// to speak, and who neither hears nor is awake gains nothing. The speaker hears itself, if
// it hears at all.
func TestWhoHearsAnInspiringLeader(t *testing.T) {
	const level5and3 = 8
	for _, c := range []struct {
		condition       string
		speaks          bool
		speaker, listen int32
	}{
		{"", true, level5and3, level5and3},
		{body.CondDeafened, true, 0, 0},
		{body.CondUnconscious, false, 0, 0},
		{body.CondPetrified, false, 0, 0},
		{body.CondParalyzed, false, 0, level5and3}, // hears, and cannot speak
		{body.CondBlinded, true, level5and3, level5and3},
		{body.CondStunned, true, level5and3, level5and3},
	} {
		leader := func() *eventv1.Sheet { return bodied("a", 10, 40, feat("inspiring leader"), ability("charisma", 16)) }
		f := medTable(t, leader(), 40, 0).add(bodied("c", 10, 40))
		f.Afflict("c", slices.DeleteFunc([]string{c.condition}, func(s string) bool { return s == "" })...)
		f.tend(patientDeed("inspire", "", []string{"c"}, "a"))
		if a, l := f.Creature("a").GetHpTemp(), f.Creature("c").GetHpTemp(); a != level5and3 || l != c.listen {
			t.Errorf("listener %q: %d and %d, want %d and %d", c.condition, a, l, level5and3, c.listen)
		}
		f = medTable(t, leader(), 40, 0).add(bodied("c", 10, 40))
		f.Afflict("a", slices.DeleteFunc([]string{c.condition}, func(s string) bool { return s == "" })...)
		err := f.TryTend(patientDeed("inspire", "", []string{"c"}, "a"))
		want := "UNABLE"
		if c.speaks {
			want = ""
		}
		wantReasonOf(t, "speaker "+c.condition, err, want)
		if a, l := f.Creature("a").GetHpTemp(), f.Creature("c").GetHpTemp(); a != c.speaker || c.speaks != (l == level5and3) {
			t.Errorf("speaker %q: %d and %d", c.condition, a, l)
		}
	}
	// The dead hear nothing, and the larger number stays.
	f := medTable(t, bodied("a", 10, 40, feat("inspiring leader"), ability("charisma", 16)), 40, 0).add(bodied("c", 10, 40), bodied("d", 10, 40))
	f.deed(&eventv1.Harm{Deed: body.DeedTempHP, Target: "c", Amount: 9})
	f.deed(&eventv1.Harm{Deed: body.DeedExhaust, Target: "d", Amount: 11})
	f.tend(patientDeed("inspire", "", []string{"c", "a", "d"}, "a"))
	if a, c, d := f.Creature("a").GetHpTemp(), f.Creature("c").GetHpTemp(), f.Creature("d").GetHpTemp(); a != 8 || c != 9 || d != 0 {
		t.Errorf("%d, %d and %d, want 8, 9 and 0", a, c, d)
	}
}

// rcr.feat.dungeon-delver-trap-resistance: of any type, and of none; each type is halved
// as a whole, and what resists already is not halved twice.
func TestTrapsOfAnyType(t *testing.T) {
	fire := rcrSheet(func(s *eventv1.RcrSheet) { s.Resistances = []*eventv1.RcrDefense{{Type: "fire"}} })
	proof := rcrSheet(func(s *eventv1.RcrSheet) { s.Immunities = []*eventv1.RcrDefense{{Type: "fire"}} })
	weak := rcrSheet(func(s *eventv1.RcrSheet) { s.Vulnerabilities = []*eventv1.RcrDefense{{Type: "fire"}} })
	for _, c := range []struct {
		name     string
		settings []string
		change   []func(*eventv1.Sheet)
		parts    []*eventv1.DamagePart
		trap     bool
		taken    int32
	}{
		{"no type", nil, nil, []*eventv1.DamagePart{{Rolled: 17}}, true, 8},
		{"two parts of no type", nil, nil, []*eventv1.DamagePart{{Rolled: 5}, {Rolled: 4}}, true, 4}, // 9 halved
		{"two parts of one type", nil, nil, []*eventv1.DamagePart{{Type: "acid", Rolled: 5}, {Type: "Acid", Rolled: 4}}, true, 4},
		{"two types", nil, nil, []*eventv1.DamagePart{{Type: "acid", Rolled: 5}, {Type: "cold", Rolled: 5}}, true, 4},
		{"resisted already", nil, []func(*eventv1.Sheet){fire}, []*eventv1.DamagePart{{Type: "fire", Rolled: 17}}, true, 8},
		{"immune", nil, []func(*eventv1.Sheet){proof}, []*eventv1.DamagePart{{Type: "fire", Rolled: 17}}, true, 0},
		{"vulnerable too: halved, then doubled", nil, []func(*eventv1.Sheet){weak}, []*eventv1.DamagePart{{Type: "fire", Rolled: 17}}, true, 16},
		{"no trap", nil, nil, []*eventv1.DamagePart{{Rolled: 17}}, false, 17},
		{"the rule is off", off(cite.FeatDungeonDelverTrapResistance), nil, []*eventv1.DamagePart{{Rolled: 17}}, true, 17},
	} {
		f := medTable(t, bodied("a", 10, 40, append(c.change, feat(body.FeatDungeonDelver))...), 40, 0, c.settings...)
		facts := map[string]string{}
		if c.trap {
			facts[body.FactTrap] = rules.Yes
		}
		if res := f.deed(&eventv1.Harm{Deed: body.DeedDamage, Target: "a", Cause: "darts", Parts: c.parts, Facts: facts}); res.Taken != c.taken {
			t.Errorf("%s: %d taken, want %d", c.name, res.Taken, c.taken)
		}
	}
	// Resistance first, then whether it is more than half the maximum.
	for _, trapped := range []bool{true, false} {
		f := medTable(t, bodied("a", 10, 30, feat(body.FeatDungeonDelver)), 30, 0)
		f.tend(patientDeed("harm", "pit", []string{"a"}, "", "amount", 29, "trap", trapped))
		if got := f.Creature("a").Counters[body.CWounds]; (got == 0) != trapped || !trapped && got != 3 {
			t.Errorf("a trap %v: %d wounds", trapped, got)
		}
	}
}

// rcr.condition.bloodied, rcr.injury.row4-scar: half of the maximum as the scar leaves it,
// however the wound came.
func TestAScarAndHalfOfWhatIsLeft(t *testing.T) {
	for _, c := range []struct {
		hp       int32
		face     int
		bloodied bool
	}{{19, 2, false}, {19, 1, true}, {18, 4, false}, {18, 3, true}} { // 19 of 38, of 39; 18 of 36, of 37
		for _, deed := range []*eventv1.Harm{{Deed: body.DeedWound, Target: "a", Amount: 1, Cause: "a curse"},
			{Deed: body.DeedDamage, Target: "a", Cause: "a needle", Critical: true, Facts: map[string]string{}}} {
			f := medTable(t, bodied("a", 10, 40), c.hp, 3)
			f.deed(deed, c.face)
			if got := body.Has(f.Creature("a"), body.CondBloodied); got != c.bloodied || f.Creature("a").GetHpMax() != 40-int32(c.face) {
				t.Errorf("%s: %d of %d, bloodied %v", deed.Deed, c.hp, f.Creature("a").GetHpMax(), got)
			}
		}
	}
}

// rcr.base.knock-out: unconscious and stable, in place of dying, of massive damage and of
// the death of monsters; the wounds come all the same, and death by them too.
func TestKnockedOut(t *testing.T) {
	const (
		stable = eventv1.LifeStatus_LIFE_STATUS_STABLE
		dying  = eventv1.LifeStatus_LIFE_STATUS_DYING
		alive  = eventv1.LifeStatus_LIFE_STATUS_ALIVE
		died   = eventv1.LifeStatus_LIFE_STATUS_DEAD
	)
	for _, c := range []struct {
		name     string
		side     string
		hp       int32
		wounds   int
		damage   int32
		critical bool
		said     string
		faces    []int
		life     eventv1.LifeStatus
		left     int64
		failures int64
	}{
		{"brought to 0", "party", 10, 0, 10, false, rules.Yes, nil, stable, 2, 0},
		{"not brought to 0", "party", 10, 0, 9, false, rules.Yes, nil, alive, 0, 0},
		{"said not to", "party", 10, 0, 10, false, "false", nil, dying, 2, 0},
		{"by a critical hit", "party", 10, 0, 10, true, rules.Yes, nil, stable, 2, 0},
		{"by more than half of the maximum", "party", 21, 0, 21, false, rules.Yes, nil, stable, 3, 0},
		{"by damage beyond the maximum", "party", 10, 0, 50, false, rules.Yes, nil, stable, 3, 0},
		{"killed by damage beyond the maximum", "party", 10, 0, 50, false, "", nil, died, 3, 0},
		{"killed by its wounds", "party", 10, 4, 10, false, rules.Yes, []int{1}, died, 6, 0},
		{"a monster", "monsters", 10, 0, 10, false, rules.Yes, nil, stable, 0, 0},
		{"a monster that is not spared", "monsters", 10, 0, 10, false, "", nil, died, 0, 0},
		{"who lies there already", "party", 0, 2, 5, false, rules.Yes, nil, dying, 2, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := bodied("a", 10, 40)
			if c.side == "monsters" {
				s.Side, s.Controllers = "monsters", nil
			}
			f := medTable(t, s, c.hp, c.wounds).add(fighter("b", "party"))
			f.deed(hit("a", c.damage, func(h *eventv1.Harm) {
				h.Critical, h.Source = c.critical, "b"
				if c.said != "" {
					h.Facts[body.FactKnockOut] = c.said
				}
			}), c.faces...)
			a := f.Creature("a")
			if a.Life != c.life || a.Counters[body.CWounds] != c.left || a.Counters[body.CDeathFailures] != c.failures || a.Counters[body.CExhaustion] != c.failures {
				t.Fatalf("%v with %v", a.Life, a.Counters)
			}
			if c.life != stable {
				return
			}
			f.wantCited(cite.BaseKnockOut)
			f.wantHas("a", body.CondUnconscious, true)
			for _, e := range f.SeenBy(player("b-player")) { // no secret: everyone sees that it lives
				if l := e.GetLife(); l != nil && l.Status == stable {
					return
				}
			}
			t.Error("the attacker's player does not see that it is stable")
		})
	}
	// Asked where that is the fact, of whoever does it; of nobody's doing nobody is asked.
	f := medTable(t, bodied("a", 10, 40), 10, 0).add(fighter("b", "party"))
	ask := func(source string) *eventv1.Harm {
		return hit("a", 10, func(h *eventv1.Harm) { h.Source, h.Facts[body.FactKnockOut] = source, body.FactAsk })
	}
	f.deed(ask(""))
	f.WantLife("a", dying)
	for answer, life := range map[string]eventv1.LifeStatus{"yes": stable, "no": dying} {
		f = medTable(t, bodied("a", 10, 40), 10, 0).add(fighter("b", "party"))
		if err := f.TryResolve(func(r *rules.Resolution) error { return rest.Medicine{}.Deed(r, ask("b")) }); err != nil {
			t.Fatal(err)
		}
		f.Answer(body.DecKnockOut, answer)
		f.WantLife("a", life)
	}
}

// rcr.healing.revival-spells: whom scars have left no hit points does not come back, and
// nothing is spent on it.
func TestNoHitPointsToComeBackTo(t *testing.T) {
	f := medTable(t, bodied("a", 10, 6), 6, 3).add(medic())
	f.deed(hit("a", 1, critical), 6)
	f.wantBody("a", want{0, 0, 4, 4, true, false})
	f.refusedDeed(cite.HealingRevivalSpells, &eventv1.Harm{Deed: body.DeedRevive, Target: "a", Source: "b"})
	f.refusedTend(cite.HealingRevivalSpells, patientDeed("treat", "revivify", []string{"a"}, "b"))
	if n := f.Creature("b").Counters[body.CSlot+"3"]; n != 1 {
		t.Errorf("%d slots of level 3 left", n)
	}
	f.refusedDeed(cite.HealingRevivalSpells, &eventv1.Harm{Deed: body.DeedRevive, Target: "b"}) // who lives
}

// rcr.injury.row4-scar: the largest hit die of the sheet; of a sheet without any, that of
// a creature's size.
func TestScarOfWhoHasNoHitDice(t *testing.T) {
	for size, die := range map[string]string{"tiny": "1d4", "small": "1d6", "medium": "1d8", "large": "1d10", "huge": "1d12", "gargantuan": "1d20"} {
		f := medTable(t, bodied("a", 12, 40, ofSize(size), rcrSheet(func(s *eventv1.RcrSheet) { s.HitDice = nil })), 40, 4)
		f.deed(hit("a", 1, critical), 3)
		if got := f.Roll("scar"); got.Expression != die || f.Creature("a").GetHpMax() != 38 {
			t.Errorf("%s: %s, a maximum of %d", size, got.Expression, f.Creature("a").GetHpMax())
		}
	}
}

// rcr.healing.three-routes: what a remedy costs is there, or nothing is done; what the
// sheet counts is counted down.
func TestWhatARemedyCosts(t *testing.T) {
	well := func(s *eventv1.RcrSheet) {
		s.Resources = []*eventv1.RcrResource{{Name: "ki", Current: 1, Max: 2, Recharge: "short rest"}}
		s.Powers = append(s.Powers, &eventv1.RcrPower{Name: "hands of healing", Healing: "1d6", Resource: "ki"})
		s.Spells = append(s.Spells, &eventv1.RcrSpell{Name: "healing gift", Level: 1, Healing: "1d4", Innate: true, Usage: &eventv1.RcrUsage{Uses: 1, Recharge: "day"}},
			&eventv1.RcrSpell{Name: "gift without end", Level: 2, Healing: "1d4", Innate: true})
	}
	for _, c := range []struct {
		name, item, counter string
		before, after       int64
		reason              string
	}{
		{"a resource", "hands of healing", body.CLeft + "ki", 1, 0, ""},
		{"no resource left", "hands of healing", body.CLeft + "ki", 0, 0, "NONE_LEFT"},
		{"uses of its own", "healing gift", body.CLeft + "healing gift", 1, 0, ""},
		{"no use left", "healing gift", body.CLeft + "healing gift", 0, 0, "NONE_LEFT"},
		{"innate without limit: no slot", "gift without end", body.CSlot + "3", 1, 1, ""},
		{"uses of a power", "lay on hands", body.CLeft + "lay on hands", 1, 0, ""},
		{"no use of a power", "lay on hands", body.CLeft + "lay on hands", 0, 0, "NONE_LEFT"},
		{"an item", "potion", body.CLeft + "potion", 1, 0, ""},
		{"an item that is used up", "potion", body.CLeft + "potion", 0, 0, "NONE_LEFT"},
		{"a slot", "cure wounds", body.CSlot + "1", 2, 1, ""},
		{"no slot", "cure wounds", body.CSlot + "1", 0, 0, "NONE_LEFT"},
	} {
		s := medic()
		well(s.GetRcr())
		f := medTable(t, bodied("a", 10, 40), 20, 0).add(s)
		f.Count("b", c.counter, int(c.before))
		f.Roller = func(int) int { return 2 }
		wantReasonOf(t, c.name, f.TryTend(patientDeed("treat", c.item, []string{"a"}, "b")), c.reason)
		if got := f.Creature("b").Counters[c.counter]; got != c.after || (f.Creature("a").GetHp() > 20) != (c.reason == "") {
			t.Errorf("%s: %d left, %d hit points", c.name, got, f.Creature("a").GetHp())
		}
	}
	for slot, good := range map[int]bool{0: false, 1: true, 3: true, 10: false} {
		f := medTable(t, bodied("a", 10, 40), 20, 0).add(medic())
		f.Roller = func(int) int { return 2 }
		if err := f.TryTend(patientDeed("treat", "cure wounds", []string{"a"}, "b", "slot", slot)); (err == nil) != good {
			t.Errorf("slot %d: %v", slot, err)
		}
	}
}

// rcr.healing.kit-use-expended, rcr.base.death-save-frame: that there are uses for all is
// found out before the first is treated.
func TestOneUseForTwo(t *testing.T) {
	for _, c := range []struct {
		name          string
		hp            int32
		uses          int
		parameters    []any
		rule          string
		first, second eventv1.LifeStatus
	}{
		{"two who are dying, one use", 0, 1, nil, cite.HealingKitUseExpended, eventv1.LifeStatus_LIFE_STATUS_DYING, eventv1.LifeStatus_LIFE_STATUS_DYING},
		{"two uses", 0, 2, nil, "", eventv1.LifeStatus_LIFE_STATUS_STABLE, eventv1.LifeStatus_LIFE_STATUS_STABLE},
		{"bare hands need none", 0, 0, []any{"via", "stabilise"}, "", eventv1.LifeStatus_LIFE_STATUS_STABLE, eventv1.LifeStatus_LIFE_STATUS_STABLE},
		{"their wounds, one use", 5, 1, nil, cite.HealingKitUseExpended, eventv1.LifeStatus_LIFE_STATUS_ALIVE, eventv1.LifeStatus_LIFE_STATUS_ALIVE},
	} {
		f := medTable(t, bodied("a", 20, 40), c.hp, 1).add(bodied("c", 20, 40), medic())
		f.Hurt("c", c.hp)
		f.Count("c", body.CWounds, 1)
		f.Count("b", body.CKit, c.uses)
		f.Roller = func(sides int) int { return sides }
		err := f.TryTend(patientDeed("treat", "", []string{"a", "c"}, "b", c.parameters...))
		if c.rule == "" && err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if c.rule != "" {
			wantRefused(t, err, c.rule)
		}
		f.WantLife("a", c.first)
		f.WantLife("c", c.second)
		if got := f.Creature("b").Counters[body.CKit]; c.rule != "" && got != int64(c.uses) {
			t.Errorf("%s: %d uses left", c.name, got)
		}
	}
}

// rcr.healing.kit-wound: one's own wounds with one's own kit, whoever is not named.
func TestTreatsItself(t *testing.T) {
	kit := rcrSheet(func(s *eventv1.RcrSheet) { s.HealersKitUses = 2 })
	f := medTable(t, bodied("a", 20, 40, kit), 30, 2)
	f.tend(patientDeed("treat", "", []string{"a"}, ""), 10)
	f.wantBody("a", want{30, 40, 1, 0, false, true})
	f.wantCount("a", body.CKit, 1)
	f.deed(&eventv1.Harm{Deed: body.DeedKit, Target: "a", Cause: "kit", Facts: map[string]string{"override": rules.Yes}}, 9)
	f.wantBody("a", want{30, 40, 1, 0, false, true})
	f.wantCount("a", body.CKit, 0)
}

// rcr.healing.magic-check: the check that fails, fails for all; what is stated of it
// weighs by its kind, and two of one kind are one.
func TestOneCheckThatFails(t *testing.T) {
	f := medTable(t, bodied("a", 20, 40), 10, 2).add(medic(), bodied("c", 20, 40))
	f.Hurt("c", 10)
	f.Count("c", body.CWounds, 2)
	f.tend(patientDeed("treat", "mass cure wounds", []string{"a", "c"}, "b", "amount", 12, "slot", 2), 4)
	for _, id := range []string{"a", "c"} {
		if x := f.Creature(id); x.GetHp() != 22 || x.Counters[body.CWounds] != 2 {
			t.Errorf("%s: %d hit points, %d wounds", id, x.GetHp(), x.Counters[body.CWounds])
		}
	}
	for name, c := range map[string]struct {
		said  []*eventv1.Circumstance
		about string
		want  string
	}{
		"a kind":                    {[]*eventv1.Circumstance{{Direction: "advantage", Kind: "calm"}}, "a", "2d20kh1"},
		"a cause":                   {[]*eventv1.Circumstance{{Direction: "disadvantage", Cause: "the storm"}}, "a", "2d20kl1"},
		"two kinds":                 {[]*eventv1.Circumstance{{Direction: "disadvantage", Kind: "storm"}, {Direction: "disadvantage", Kind: "dark"}}, "a", "3d20kl1"},
		"two of one kind":           {[]*eventv1.Circumstance{{Direction: "disadvantage", Kind: "storm", Cause: "rain"}, {Direction: "disadvantage", Kind: "storm", Cause: "wind"}}, "a", "2d20kl1"},
		"one against the other":     {[]*eventv1.Circumstance{{Direction: "disadvantage", Kind: "storm"}, {Direction: "advantage", Kind: "calm"}}, "a", "1d20"},
		"of somebody else":          {[]*eventv1.Circumstance{{Direction: "disadvantage", Kind: "storm", Target: "c"}}, "a", "1d20"},
		"of the one who is treated": {[]*eventv1.Circumstance{{Direction: "disadvantage", Kind: "storm", Target: "a"}}, "a", "2d20kl1"},
	} {
		f := medTable(t, bodied("a", 20, 40), 10, 2).add(medic())
		facts := injuries.MedicineFacts(&eventv1.TakeAction{Circumstances: c.said}, c.about)
		facts["via"], facts["spell_level"] = injuries.ViaSpell, "1"
		f.Roller = func(int) int { return 10 }
		f.deed(&eventv1.Harm{Deed: body.DeedHeal, Target: "a", Source: "b", Cause: "healing", Amount: 8, Facts: facts})
		if got := f.Roll("wound-check").Expression; got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// What is no deed, and what a deed lacks, is refused by its field.
func TestDeedsRefused(t *testing.T) {
	f := medTable(t, bodied("a", 10, 40), 40, 0)
	for field, h := range map[string]*eventv1.Harm{"harm.deed": {Deed: "dance", Target: "a"}, "harm.facts[grade]": {Deed: body.DeedSetback, Target: "a", Facts: map[string]string{"grade": "huge"}}} {
		err := f.TryResolve(func(r *rules.Resolution) error { return rest.Medicine{}.Deed(r, h) })
		wantFault(t, err, field)
	}
	err := f.TryResolve(func(r *rules.Resolution) error {
		return rest.Medicine{}.Deed(r, &eventv1.Harm{Deed: body.DeedHeal, Target: "nobody"})
	})
	wantReasonOf(t, "nobody", err, "UNKNOWN_CREATURE")
	for _, grade := range []string{checks.GradeMinor, checks.GradeMajor} { // level 5: 2d10 and 4d10
		f.Roller = func(int) int { return 1 }
		f.deed(&eventv1.Harm{Deed: body.DeedSetback, Target: "a", Cause: "a fall", Facts: map[string]string{"grade": grade}})
	}
	f.WantHP("a", 34)
}

// rcr.rest.short-rest-wounds, rcr.base.fifth-edition-fallback: who rests, and what is asked
// of whom.
func TestHitDiceAskedFor(t *testing.T) {
	f := medTable(t, bodied("a", 10, 40, dicePool(5, 8, 4)), 10, 0) // one die left
	f.Tend(patientDeed("short-rest", "", []string{"a"}, ""))
	f.Answer(body.DecHitDie, "d8", 6)
	if len(f.Decisions) > 0 {
		t.Fatalf("asked with no die left: %v", f.Decisions)
	}
	f.WantHP("a", 16)
	f.tend(patientDeed("short-rest", "", []string{"a"}, "")) // no die, no question
	// By patient: who is not named spends none, and nobody else may be named.
	f = medTable(t, bodied("a", 10, 40, dicePool(5, 8, 0)), 10, 0).add(bodied("c", 10, 40, dicePool(5, 8, 0)))
	f.Hurt("c", 10)
	f.tend(patientDeed("short-rest", "", []string{"a", "c"}, "", "dice", map[string]any{"c": 2}), 3, 4)
	f.WantHP("a", 10)
	f.WantHP("c", 17)
	wantFault(t, f.TryTend(patientDeed("short-rest", "", []string{"a"}, "", "dice", map[string]any{"c": 1})), "command.patient.parameters.dice.c")
	wantFault(t, f.TryTend(patientDeed("short-rest", "", []string{"a"}, "", "dice", []any{8, "eight"})), "command.patient.parameters.dice[1]")
	wantFault(t, f.TryTend(patientDeed("long-rest", "", []string{"a"}, "", "dice", 1)), "command.patient.parameters.dice")
	wantFault(t, f.TryTend(patientDeed("rest", "", []string{"a"}, "")), "command.patient.parameters.kind")
	// Three dice are named and two are left: none is rolled.
	f = medTable(t, bodied("a", 10, 40, dicePool(5, 8, 3)), 10, 0)
	wantReasonOf(t, "three of two", f.TryTend(patientDeed("short-rest", "", []string{"a"}, "", "dice", dieList(8, 8, 8))), "NO_HIT_DICE")
	f.wantCount("a", body.CHitDice+"8", 2)
	// The dead do not rest, nor anybody with them.
	f = medTable(t, bodied("a", 10, 40), 40, 0).add(bodied("c", 10, 40))
	f.deed(&eventv1.Harm{Deed: body.DeedExhaust, Target: "c", Amount: 11})
	for _, deed := range []string{"short-rest", "long-rest"} {
		wantReasonOf(t, deed, f.TryTend(patientDeed(deed, "", []string{"a", "c"}, "", "dice", 0)), "NOT_FIT")
	}
}
