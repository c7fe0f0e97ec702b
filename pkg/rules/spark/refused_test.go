package spark

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// How a declaration is refused, and by which rule; beside each stands what differs in
// one thing alone and is taken.
//
// spark.action.bonus, spark.action.off-hand-attack, spark.action.drink-potion,
// spark.action.activate-item, spark.action.feat-bonus, spark.action.attack, spark.action.charge,
// spark.attack.roll, spark.fumble.string-breaks, spark.fumble.alt-loose-string
func TestDeclarationsRefused(t *testing.T) {
	two := func(s *eventv1.SparkSheet) {
		twoHanded(s)
		s.SpareStrings = 2
		s.Weapons = append(s.Weapons, &eventv1.SparkWeapon{Name: "knife", FumbleClasses: []string{"P"}, DamageDice: "1d4", ReachFeet: 5, Stowed: true})
	}
	feat := func(bonus bool) func(*eventv1.SparkSheet) {
		return func(s *eventv1.SparkSheet) {
			two(s)
			s.Feats = []*eventv1.SparkFeat{{Name: "dash", Bonus: bonus, FullMoveFullAttack: !bonus}}
		}
	}
	marks := func(pairs ...string) *eventv1.Vitals {
		v := &eventv1.Vitals{Marks: map[string]string{}}
		for i := 0; i < len(pairs); i += 2 {
			v.Marks[pairs[i]] = pairs[i+1]
		}
		return v
	}
	counts := func(counter string, n int64) *eventv1.Vitals {
		return &eventv1.Vitals{Counters: map[string]int64{counter: n}}
	}
	prone := &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondProne}}}
	bonus := func(words ...any) *eventv1.Command {
		return act("ara", declaring.KindMove, "", "", withParameters(append([]any{"bonus"}, words...)...))
	}
	attack := func(item, targets string, words ...any) *eventv1.Command {
		return act("ara", declaring.KindAttack, item, targets, withParameters(words...))
	}
	deed := func(words ...any) *eventv1.Command {
		return act("ara", declaring.KindDeed, "", "", withParameters(words...))
	}
	for _, c := range []struct {
		name   string
		sheet  func(*eventv1.SparkSheet)
		vitals *eventv1.Vitals
		cmd    *eventv1.Command
		want   string // reason and rule, or the field; empty when it is taken
	}{
		{"a new string for a bow put away", func(s *eventv1.SparkSheet) { two(s); s.Weapons[1].Stowed = true }, marks(body.MString+"bow", body.Snapped), act("ara", declaring.KindRestring, "bow", ""), "NOT_IN_HAND"},
		{"a loose string of a bow put away", func(s *eventv1.SparkSheet) { two(s); s.Weapons[1].Stowed = true }, marks(body.MString+"bow", body.Loose), act("ara", declaring.KindRefit, "bow", ""), "NOT_IN_HAND"},
		{"free words of 200 bytes", two, nil, act("ara", declaring.ActFree, "", "", withParameters("text", string(slices.Repeat([]byte("x"), 200)))), ""},
		{"free words of more", two, nil, act("ara", declaring.ActFree, "", "", withParameters("text", string(slices.Repeat([]byte("x"), 201)))), "take.parameters.text"},
		{"four words", two, nil, act("ara", declaring.ActSpeak, "", "", withParameters("text", "you take the left")), ""},
		{"five words", two, nil, act("ara", declaring.ActSpeak, "", "", withParameters("text", "you take the left one")), "TOO_MANY_WORDS"},
		{"a bonus action at a string", two, marks(body.MString+"bow", body.Snapped), act("ara", declaring.KindRestring, "bow", "", withParameters("bonus", "potion:potion")), "STRING_FILLS_ROUND"},
		{"none at a string", two, marks(body.MString+"bow", body.Snapped), act("ara", declaring.KindRestring, "bow", ""), ""},
		{"a whole string", two, nil, act("ara", declaring.KindRestring, "bow", ""), "STRING_WHOLE"},
		{"a loose string that is no broken one", two, marks(body.MString+"bow", body.Loose), act("ara", declaring.KindRestring, "bow", ""), "STRING_WHOLE"},
		{"a broken string that is no loose one", two, marks(body.MString+"bow", body.Snapped), act("ara", declaring.KindRefit, "bow", ""), "STRING_NOT_LOOSE"},
		{"a loose string", two, marks(body.MString+"bow", body.Loose), act("ara", declaring.KindRefit, "bow", ""), ""},
		{"a move at a string", two, marks(body.MString+"bow", body.Loose), act("ara", declaring.KindRefit, "bow", "", to(-5)), "STRING_FILLS_ROUND"},
		{"no missiles spilled", two, nil, act("ara", declaring.KindGather, "bow", ""), "NOTHING_SPILLED"},
		{"missiles spilled", two, counts(body.CSpilled+"bow", 1), act("ara", declaring.KindGather, "bow", ""), ""},

		{"an off-hand attack with the weapon that attacks", two, nil, attack("dagger", "orc", "bonus", "off-hand:dagger"), "SAME_WEAPON"},
		{"with the other", two, nil, attack("sword", "orc", "bonus", "off-hand:dagger"), ""},
		{"an off-hand attack at oneself", two, nil, bonus("off-hand:dagger", "bonus_target", "ara"), "NO_TARGET"},
		{"at the other", two, nil, bonus("off-hand:dagger", "bonus_target", "orc"), ""},
		{"an off-hand attack with the main hand's weapon", two, nil, bonus("off-hand:sword", "bonus_target", "orc"), "take.parameters.bonus"},
		{"of another class", two, nil, bonus("off-hand:dagger", "bonus_target", "orc", "bonus_class", "S"), "take.parameters.bonus_class"},
		{"of its class", two, nil, bonus("off-hand:dagger", "bonus_target", "orc", "bonus_class", "P"), ""},
		{"drawing what is in hand", two, nil, bonus("draw:sword"), "NOT_THERE"},
		{"drawing what is put away", two, nil, bonus("draw:knife"), ""},
		{"drawing what is not there", two, nil, bonus("draw:halberd"), "take.parameters.bonus"},
		{"freeing what is not stuck", two, nil, bonus("free:sword"), "NOT_STUCK"},
		{"freeing what is", two, marks(body.MStuck+"sword", "door"), bonus("free:sword"), ""},
		{"gathering what is not spilled", two, nil, bonus("gather:bow"), "NOTHING_SPILLED"},
		{"gathering what is", two, counts(body.CSpilled+"bow", 1), bonus("gather:bow"), ""},
		{"gathering on the move", two, counts(body.CSpilled+"bow", 1), act("ara", declaring.KindMove, "", "", to(-5), withParameters("bonus", "gather:bow")), "MOVES"},
		{"a potion that is none", two, nil, bonus("potion:wand"), "take.parameters.bonus"},
		{"a wand that is none", two, nil, bonus("activate:potion"), "take.parameters.bonus"},
		{"a potion", two, nil, bonus("potion:potion"), ""},
		{"a wand", two, nil, bonus("activate:wand"), ""},
		{"a potion drunk", two, counts(body.CLeft+"potion", 0), bonus("potion:potion"), "USED_UP"},
		{"a feat of the bonus action", feat(true), nil, bonus("feat:dash"), ""},
		{"a feat that costs none", feat(false), nil, bonus("feat:dash"), "NO_FEAT"},
		{"a feat of somebody else", two, nil, bonus("feat:dash"), "NO_FEAT"},

		{"an attack on oneself", two, nil, attack("sword", "ara"), "SELF"},
		{"an attack on nobody", two, nil, attack("sword", ""), "take.targets"},
		{"an attack with what it has not", two, nil, attack("sword", "orc,orc", "weapons", []string{"sword", "halberd"}), "take.parameters.weapons"},
		{"attacks with two that it has", two, nil, attack("sword", "orc,orc", "weapons", []string{"sword", "sword"}), ""},
		{"a charge at oneself", two, nil, act("ara", declaring.KindCharge, "sword", "ara"), "SELF"},
		{"throwing a sword", two, nil, attack("sword", "orc", "throw", true), "NOT_RANGED"},
		{"a sneak attack of nobody's", two, nil, attack("sword", "orc", "sneak", true), "take.parameters.sneak"},
		{"a class that it has not", two, nil, attack("sword", "orc", "classes", []string{"P"}), "take.parameters.classes"},
		{"a class that it has", two, nil, attack("sword", "orc", "classes", []string{"S"}), ""},
		{"the last missile and one more", two, counts(body.CAmmunition+"bow", 1), attack("bow", "orc,orc"), "NO_MISSILES"},
		{"the last two missiles", two, counts(body.CAmmunition+"bow", 2), attack("bow", "orc,orc"), ""},
		{"the last missile and a spilled one", two, &eventv1.Vitals{Counters: map[string]int64{body.CAmmunition + "bow": 1, body.CSpilled + "bow": 1}}, attack("bow", "orc,orc", "bonus", "gather:bow"), ""},
		{"a cracked weapon twice", two, marks(body.MWeapon+"sword", body.Cracked), attack("sword", "orc,orc", "use_cracked", true), "CRACKED"},
		{"a cracked weapon once", two, marks(body.MWeapon+"sword", body.Cracked), attack("sword", "orc", "use_cracked", true), ""},
		{"a charge with a bow", two, nil, act("ara", declaring.KindCharge, "bow", "orc"), "NOT_MELEE"},
		{"a charge by one who lies", two, prone, act("ara", declaring.KindCharge, "sword", "orc"), "PRONE"},

		{"a spell at one twice", two, nil, act("ara", declaring.KindCast, "storm", "orc,orc"), "take.targets[1]"},
		{"a spell at nobody", two, nil, act("ara", declaring.KindCast, "fire", ""), "take.targets"},
		{"a spell of its own", two, nil, act("ara", declaring.KindCast, "bless", ""), ""},
		{"a spell for one at two", two, nil, act("ara", declaring.KindCast, "fire", "orc,ara"), "take.targets"},
		{"a spell for two", two, nil, act("ara", declaring.KindCast, "storm", "orc,ara"), ""},
		{"a spell on the move", two, nil, act("ara", declaring.KindCast, "fire", "orc", to(-5)), "SPELL_FILLS_ROUND"},

		{"a deed without words", two, nil, deed("text", ""), "take.parameters.text"},
		{"a deed of 200 bytes", two, nil, deed("text", string(slices.Repeat([]byte("x"), 200))), ""},
		{"a deed of more", two, nil, deed("text", string(slices.Repeat([]byte("x"), 201))), "take.parameters.text"},
		{"a race with oneself", two, nil, deed("text", "runs", "rival", "ara", "contested", true), "take.parameters.rival"},
		{"a race with the other", two, nil, deed("text", "runs", "rival", "orc", "contested", true), ""},
		{"standing up of one who stands", two, nil, act("ara", declaring.KindMove, "", "", withParameters("stand", true)), "NOT_PRONE"},
		{"standing up", two, prone, act("ara", declaring.KindMove, "", "", withParameters("stand", true)), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := duel(t, c.sheet)
			if c.vitals != nil {
				f.Put("ara", c.vitals)
			}
			err := f.Try(c.cmd)
			refusal, _ := fault.As(err)
			switch {
			case c.want == "" && err != nil:
				t.Errorf("refused: %v", err)
			case c.want != "" && (refusal == nil || refusal.Reason != c.want && !slices.ContainsFunc(refusal.Violations, func(v fault.Violation) bool { return v.Field == c.want })):
				t.Errorf("refused by %v, want %s", err, c.want)
			}
		})
	}
}

// Who is out is no target, nor is anybody of a fight where nobody is left.
//
// spark.dice.drop-to-zero
func TestWhoIsOutIsNoTarget(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party", twoHanded)).at(5, fighter("orc", "monsters")).at(10, fighter("pig", "monsters")).start()
	none := int32(0)
	f.Put("orc", &eventv1.Vitals{Hp: &none})
	for _, cmd := range []*eventv1.Command{act("ara", declaring.KindAttack, "sword", "orc"), act("ara", declaring.KindCast, "fire", "orc"),
		act("ara", declaring.KindDeed, "", "", withParameters("text", "runs", "rival", "orc", "contested", true))} {
		wantRefused(t, f.Try(cmd), cite.DiceDropToZero)
	}
	wantRefused(t, f.Try(act("ara", declaring.KindMove, "", "", withParameters("bonus", "off-hand:dagger", "bonus_target", "orc"))), cite.ActionOffHandAttack)
	f.Put("pig", &eventv1.Vitals{Hp: &none})
	wantRefused(t, f.Try(act("ara", declaring.KindAttack, "sword", "pig")), cite.AttackRoll)
}
