package celesia

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/saddle"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// cure heals whoever casts it, or reads it, and needs nothing.
func cure() *eventv1.CelesiaSpell {
	return &eventv1.CelesiaSpell{Name: "cure", Casting: "standard", Healing: "1d8", CasterLevel: 1}
}

// celesia.mount.cast-while-running: from a running mount up to twice its speed, and so a scroll is read;
// what needs no casting, and who sits in the saddle no more, is not bound.
func TestCastFromARunningMount(t *testing.T) {
	things := carrying(&eventv1.CelesiaThing{Name: "scroll", Kind: body.ThingCompletion, Place: body.PlaceOff, Spell: cure()},
		&eventv1.CelesiaThing{Name: "wand", Kind: body.ThingTrigger, Place: body.PlaceMain, Spell: cure()})
	for _, c := range []struct {
		name, action, item string
		feet               int32
		off                bool
		reason             string
	}{
		{"a spell at twice the speed", "cast", "cure", 100, false, ""}, {"a spell beyond", "cast", "cure", 105, false, "TOO_FAST"},
		{"a scroll at twice the speed", "use-item", "scroll", 100, false, ""}, {"a scroll beyond", "use-item", "scroll", 105, false, "TOO_FAST"},
		{"a wand beyond", "use-item", "wand", 105, false, ""}, {"a spell on foot again", "cast", "cure", 105, true, ""}, {"a scroll on foot again", "use-item", "scroll", 105, true, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := cavalry(t, fighter("a", "party", unarmed(), things, spell(cure())), horse(), fighter("b", "foes", unarmed()))
			f.Roller = func(sides int) int { return sides / 2 }
			f.Must(act("a", "ride", "", "", gait("run", c.feet, 0)...))
			if c.off {
				f.Must(act("a", "quick-dismount", "", ""))
			}
			wantReason(t, f.Try(act("a", c.action, c.item, "a")), c.reason, cite.MountCastWhileRunning)
		})
	}
}

// griffon is a mount that flies and does not walk.
func griffon() *eventv1.Sheet {
	return horse(func(s *eventv1.Sheet) { s.Speeds = map[string]int32{"fly": 80} })
}

// celesia.mount.ranged-at-increments, celesia.mount.cast-before-or-after, celesia.mount.cast-while-running, celesia.mount.charge: a
// mount that does not walk is measured by the way in which it moves.
func TestMountThatFlies(t *testing.T) {
	bow := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: body.KindThrown, Dice: "1d6", Hands: 1, RangeFeet: 100})
	build := func(t *testing.T) *table {
		f := cavalry(t, fighter("a", "party", bow, spell(cure())), griffon(), fighter("b", "foes", unarmed()))
		f.Roller = func(sides int) int { return sides / 2 }
		return f
	}
	for feet, reason := range map[int32]string{40: "BETWEEN", 75: "BETWEEN", 80: ""} {
		f := build(t)
		f.Must(act("a", "ride", "", "", gait("double", feet, 0)...))
		wantReason(t, f.Try(act("a", "attack", "w", "b")), reason, cite.MountRangedAtIncrements)
	}
	for feet, checked := range map[int32]int{0: 0, 80: 0, 85: 1} {
		f := build(t)
		if feet > 0 {
			f.Must(act("a", "ride", "", "", gait("double", feet, 0)...))
		}
		f.Must(act("a", "cast", "cure", "a"))
		if len(f.Decisions) > 0 {
			f.Choose("no") // the mount stands
		}
		if n := len(f.Rolls("concentration")); n != checked {
			t.Errorf("cast after %d feet: %d checks, want %d", feet, n, checked)
		}
	}
	for feet, reason := range map[int32]string{160: "", 165: "TOO_FAST"} {
		f := build(t)
		f.Must(act("a", "ride", "", "", gait("run", feet, 0)...))
		wantReason(t, f.Try(act("a", "cast", "cure", "a")), reason, cite.MountCastWhileRunning)
	}
	for at, reason := range map[int32]string{165: "", 170: "TOO_FAR"} { // the blow reaches 5 feet
		f := cavalry(t, fighter("a", "party"), griffon(), fighter("b", "foes", unarmed()))
		f.Roller = func(sides int) int { return sides / 2 }
		f.at("b", at+5, 0) // the griffon fills 10 feet
		wantReason(t, f.Try(act("a", "ride-charge", "sword", "b")), reason, cite.MovementCharge)
	}
}

// celesia.mount.ranged-at-increments: a mount that can go no farther by itself in the midst of a ride has
// finished no increment.
func TestMountThatStopsInTheMidst(t *testing.T) {
	bow := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: body.KindThrown, Dice: "1d6", Hands: 1, RangeFeet: 100})
	f := cavalry(t, fighter("a", "party", bow), horse(), fighter("b", "foes", unarmed()))
	f.Must(act("a", "ride", "", "", gait("double", 50, 0)...))
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "h", Sheet: horse(walks(0))}}})
	wantReason(t, f.Try(act("a", "attack", "w", "b")), "BETWEEN", cite.MountRangedAtIncrements)
}

// celesia.mount.guide-with-knees: the hand on the reins does not fight beside the other; what is no hand does.
func TestHandOnTheReins(t *testing.T) {
	bite := &eventv1.CelesiaWeapon{Name: "bite", Kind: body.KindNatural, Dice: "1d4", Limb: "mouth"}
	armed := weapons(inHand("sword", 1, body.PlaceMain), inHand("knife", 1, body.PlaceOff), bite)
	build := func(t *testing.T) *table {
		f := cavalry(t, fighter("a", "party", armed), horse(), fighter("b", "foes", unarmed()))
		f.at("b", 10, 0)
		return f
	}
	cmd := func(more ...func(*eventv1.TakeAction)) *eventv1.Command {
		return act("a", "multiweapon", "", "b", more...)
	}
	with := func(main, off string) []func(*eventv1.TakeAction) {
		return []func(*eventv1.TakeAction){func(take *eventv1.TakeAction) { take.Item = main }, withParameters("off", off)}
	}
	wantRefusals(t, build, cmd, []refusal{
		{name: "both hands", more: with("sword", "knife"), reason: "REINS", rule: cite.MountGuideWithKnees},
		{name: "the right hand and no other", more: with("sword", "bite")},
		{name: "the left hand and no other", more: with("knife", "bite")},
		{name: "both hands, guided with the knees", do: func(f *table) { f.Must(act("a", "guide-with-knees", "", "")) }, more: with("sword", "knife")},
		{name: "both hands on foot", do: func(f *table) { f.Must(act("a", "quick-dismount", "", "")) }, more: with("sword", "knife"), reason: "OUT_OF_REACH", rule: cite.AttackMeleeReach},
	})
}

// celesia.mount.untrained-frightened: a mount without training is afraid of the fight, not before it.
func TestUntrainedMountBeforeTheFight(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), horse(untrainedHorse, func(s *eventv1.Sheet) { s.Controllers = []string{"a-player"} }), fighter("b", "foes"))
	f.Resolve(func(r *rules.Resolution) error { return saddle.EnterMounted(r, "a", object("mounted_on", "h")) })
	if body.Has(f.Creature("h"), body.CondFrightened) {
		t.Error("afraid before there is a fight")
	}
	f.start(nil, 15, 5, 10)
	if !body.Has(f.Creature("h"), body.CondFrightened) {
		t.Error("not afraid of the fight")
	}
}

// celesia.turn.reaction-timing: the several attacks of one action are one act: abilities answer it once, while
// each bare fist gives its own target an attack of opportunity.
func TestOneActIsAnsweredOnce(t *testing.T) {
	limb := func(name, limb string) *eventv1.CelesiaWeapon {
		return &eventv1.CelesiaWeapon{Name: name, Kind: body.KindUnarmed, Dice: "1d3", Nonlethal: true, Light: true, Limb: limb}
	}
	duck := abilities(&eventv1.CelesiaAbility{Name: "duck", Time: body.TimeImmediate, Uses: 5})
	f := crowd(t, [][2]int32{{0, 0}, {5, 0}, {0, 5}, {5, 5}}, fighter("a", "party", weapons(inHand("sword", 1, body.PlaceMain), limb("fist", "left-hand"), limb("kick", "foot"))),
		fighter("b", "foes", unarmed()), fighter("c", "foes"), fighter("d", "foes", duck))
	f.Must(act("a", "multiweapon", "sword", "b,c,d", withParameters("offs", []string{"fist", "kick"})))
	asked := map[string][]string{}
	note := func() {
		for _, d := range f.Decisions {
			for _, o := range d.Options {
				asked[d.Creature] = append(asked[d.Creature], o.Id)
			}
		}
	}
	note()
	if !slices.Contains(asked["d"], "ability:duck") || slices.Contains(asked["d"], "attack:sword") || !slices.Contains(asked["c"], "attack:sword") {
		t.Fatalf("before the first attack: %v", asked)
	}
	f.Answer(body.DecReaction+"/c", "no")
	f.Answer(body.DecReaction+"/d", "no", 2, 2) // the sword, the fist
	asked = map[string][]string{}
	note()
	if len(asked) != 1 || !slices.Contains(asked["d"], "attack:sword") || slices.Contains(asked["d"], "ability:duck") {
		t.Errorf("before the kick: %v", asked)
	}
	f.Choose("no", 2)
}
