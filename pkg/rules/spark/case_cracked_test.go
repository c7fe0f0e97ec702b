package spark

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// cracks leaves weapons of ara cracked.
func (f *table) cracks(weapons ...string) *table {
	f.T.Helper()
	marks := map[string]string{}
	for _, w := range weapons {
		marks[body.MWeapon+w] = body.Cracked
	}
	f.Put("ara", &eventv1.Vitals{Marks: marks})
	return f
}

// weaponIs holds what became of a weapon of ara.
func (f *table) weaponIs(weapon, state string) {
	f.T.Helper()
	c := f.Creature("ara")
	if c.Marks[body.MWeapon+weapon] != state || (c.Items[weapon].GetPlace() == "gone") != (state == body.Broken) {
		f.T.Errorf("%s is %q and %q, want %q", weapon, c.Marks[body.MWeapon+weapon], c.Items[weapon].GetPlace(), state)
	}
}

// spark.fumble.weapon-cracked, spark.item.cracked: an off-hand attack with a cracked weapon wants the word for it, beside whatever it is; with
// it the blow is struck, and then the weapon is broken, whether it hit or not
func TestCrackedOffHand(t *testing.T) {
	for _, c := range []struct {
		name, action, item, target string
		words                      []any
		before, after              []int // dice before and after those of the off hand, the d20 and the damage
	}{
		{"beside an attack", declaring.KindAttack, "sword", "orc", nil, []int{2}, nil},
		{"beside a charge", declaring.KindCharge, "sword", "orc", nil, []int{2}, nil},
		{"beside a bull rush", declaring.KindBullRush, "sword", "orc", nil, []int{2}, nil},
		{"beside a move", declaring.KindMove, "", "", nil, nil, nil},
		{"beside a deed", declaring.KindDeed, "", "", []any{"text", "shouts"}, []int{10}, nil},
		{"beside a blow at a thing", declaring.KindBash, "", "", []any{"object", "door", "dc", 10.0}, []int{10}, []int{2}},
		{"beside missiles gathered", declaring.KindGather, "bow", "", nil, []int{10}, []int{1, 1}},
	} {
		for _, blow := range []struct {
			outcome string
			dice    []int
			hp      int32
		}{{"ara hit", []int{10, 3}, 27}, {"ara miss", []int{9}, 30}} { // +4 against 14, for 1d4
			t.Run(c.name+" "+blow.outcome, func(t *testing.T) {
				f := newTable(t).at(0, fighter("ara", "party", twoHanded)).at(5, fighter("orc", "monsters")).start().cracks("dagger")
				f.Count("ara", body.CSpilled+"bow", 2)
				declare := func(words ...any) *eventv1.Command {
					words = append(append([]any{"bonus", "off-hand:dagger", "bonus_target", "orc"}, words...), c.words...)
					change := []func(*eventv1.TakeAction){withParameters(words...)}
					if c.action == declaring.KindCharge || c.action == declaring.KindBullRush {
						change = append(change, way([3]int32{0, 5, 0}))
					}
					return act("ara", c.action, c.item, c.target, change...)
				}
				for _, words := range [][]any{nil, {declaring.UseCracked, false}} {
					err := f.Try(declare(words...))
					wantRefused(t, err, cite.FumbleWeaponCracked)
					if reason, _ := fault.Reason(err); reason != "CRACKED" || !strings.Contains(err.Error(), declaring.UseCracked) {
						t.Fatalf("%v", err)
					}
				}
				f.Must(declare(declaring.UseCracked, true))
				f.weaponIs("dagger", body.Cracked)                           // nothing is used before the attack half
				f.End("orc", slices.Concat(c.before, blow.dice, c.after)...) // the dagger's 13 or 14 comes first
				if got := f.Attacks(); !slices.Contains(got, blow.outcome) {
					t.Fatalf("%v", got)
				}
				f.WantHP("orc", blow.hp)
				f.weaponIs("dagger", body.Broken)
				wantRefused(t, f.Try(act("ara", declaring.KindMove, "", "", withParameters("bonus", "off-hand:dagger", "bonus_target", "orc", declaring.UseCracked, true))), cite.ItemHardnessCheck)
			})
		}
	}
}

// spark.item.cracked: one word is for all cracked weapons of a declaration; each breaks with its own use, and what is not used does not
func TestCrackedInBothHands(t *testing.T) {
	two := []any{"bonus", "off-hand:dagger", declaring.UseCracked, true}
	f := duel(t, twoHanded).cracks("sword", "dagger")
	wantRefused(t, f.Try(act("ara", declaring.KindAttack, "sword", "orc", withParameters(two[:2]...))), cite.FumbleWeaponCracked)
	f.Must(act("ara", declaring.KindAttack, "sword", "orc", withParameters(two...)))
	f.End("orc", 10, 9, 5) // 16 hits for 5 + 3, 13 misses
	f.WantAttacks("ara hit", "ara miss")
	f.WantHP("orc", 22)
	f.weaponIs("sword", body.Broken)
	f.weaponIs("dagger", body.Broken)

	// The target falls to the sword: the dagger is not used.
	f = duel(t, twoHanded).cracks("dagger")
	f.Hurt("orc", 4)
	f.Must(act("ara", declaring.KindAttack, "sword", "orc", withParameters(two...)))
	f.End("orc", 10, 8, 1)
	f.WantAttacks("ara hit", "ara lost")
	f.weaponIs("sword", "")
	f.weaponIs("dagger", body.Cracked)
	// Nor is a sound one broken by the word.
	f = duel(t, twoHanded)
	f.Must(act("ara", declaring.KindAttack, "sword", "orc", withParameters(two...)))
	f.End("orc", 2, 3)
	f.weaponIs("sword", "")
	f.weaponIs("dagger", "")
	// Two cracked weapons of one attack action, each once; the second blow of either is one too many.
	three := func(s *eventv1.SparkSheet) {
		twoHanded(s)
		s.AttacksPerRound = 3
	}
	f = duel(t, three).cracks("sword", "dagger")
	wantRefused(t, f.Try(act("ara", declaring.KindAttack, "sword", "orc,orc,orc", withParameters("weapons", []string{"sword", "dagger", "sword"}, declaring.UseCracked, true))), cite.ItemCracked)
	f.Must(act("ara", declaring.KindAttack, "sword", "orc,orc", withParameters("weapons", []string{"sword", "dagger"}, declaring.UseCracked, true)))
	f.End("orc", 2, 3)
	f.WantAttacks("ara miss", "ara miss")
	f.weaponIs("sword", body.Broken)
	f.weaponIs("dagger", body.Broken)
}

// spark.fumble.weapon-cracked: what is listed asks for the word where, and only where, a cracked weapon is used, and is taken as it is listed
func TestCrackedIsListed(t *testing.T) {
	hurls := func(s *eventv1.SparkSheet) {
		twoHanded(s)
		s.Weapons = append(s.Weapons, hurled)
	}
	const off, bad = ", and attack with the off hand", ", and attack with a cracked weapon in the off hand"
	for _, c := range []struct {
		name    string
		cracked []string
		action  string
		item    string
		want    map[string]string // title, and what its bonus may be of an off-hand attack; "!" before it asks for the word
	}{
		{"all sound", nil, declaring.KindAttack, "sword", map[string]string{"Attack": "off-hand:dagger"}},
		{"the dagger is cracked", []string{"dagger"}, declaring.KindAttack, "sword", map[string]string{"Attack": "", "Attack" + bad: "!off-hand:dagger"}},
		{"of what can be thrown", []string{"dagger"}, declaring.KindAttack, "axe",
			map[string]string{"Attack": "", "Throw": "", "Attack" + bad: "!off-hand:dagger", "Throw" + bad: "!off-hand:dagger"}},
		{"the sword too", []string{"sword", "dagger"}, declaring.KindAttack, "sword", map[string]string{"Attack": "!off-hand:dagger"}},
		{"the sword alone", []string{"sword"}, declaring.KindAttack, "sword", map[string]string{"Attack": "!off-hand:dagger"}},
		{"with the cracked one alone", []string{"dagger"}, declaring.KindAttack, "dagger", map[string]string{"Attack": "!"}},
		{"a charge", []string{"dagger"}, declaring.KindCharge, "sword", map[string]string{"Charge": "", "Charge" + bad: "!off-hand:dagger"}},
		{"a sound charge", nil, declaring.KindCharge, "sword", map[string]string{"Charge": "off-hand:dagger"}},
		{"a move", []string{"dagger"}, declaring.KindMove, "", map[string]string{"Move": "", "Move" + bad: "!off-hand:dagger"}},
		{"a sound move", nil, declaring.KindMove, "", map[string]string{"Move": "", "Move" + off: "off-hand:dagger"}},
		{"a thing", []string{"dagger"}, declaring.KindBash, "", map[string]string{"Bash a thing": "", "Bash a thing of a given DC": "",
			"Bash a thing" + bad: "!off-hand:dagger", "Bash a thing of a given DC" + bad: "!off-hand:dagger"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, fighter("ara", "party", hurls)).at(10, fighter("orc", "monsters")).start().cracks(c.cracked...)
			got := f.listed("ara", c.action, c.item)
			for title, o := range got {
				want, known := c.want[title]
				offs, word := "", ""
				for _, v := range parameterOf(o, "bonus").GetValues() {
					if strings.HasPrefix(v.GetStringValue(), "off-hand:") {
						offs += v.GetStringValue()
					}
				}
				if p := parameterOf(o, declaring.UseCracked); p != nil {
					word = "!"
					if !p.Required {
						t.Errorf("%s: %v", title, p)
					}
				}
				if word+offs != want || !known || !o.Legal {
					t.Errorf("%q: %q, want %q", title, word+offs, want)
				}
				if alone := strings.HasSuffix(title, bad); alone != (parameterOf(o, "bonus").GetRequired() && alone) {
					t.Errorf("%q: the off hand is not asked for", title)
				}
			}
			if len(got) != len(c.want) {
				t.Errorf("%d are listed, want %v", len(got), c.want)
			}
		})
	}
	// Lying, standing up leaves one attack: an option of its own, with the cracked dagger too.
	f := newTable(t).at(0, fighter("ara", "party", twoHanded)).at(5, fighter("orc", "monsters")).start().cracks("dagger")
	f.Afflict("ara", body.CondProne)
	if o := f.listed("ara", declaring.KindAttack, "sword")["Stand up and attack"+bad]; o == nil || parameterOf(o, "stand") == nil || parameterOf(o, declaring.UseCracked) == nil {
		t.Errorf("%v", o)
	}
	f.Must(act("ara", declaring.KindAttack, "sword", "orc", withParameters("stand", true, "bonus", "off-hand:dagger", declaring.UseCracked, true)))
}

// spark.reaction.opportunity-attack, spark.fumble.weapon-cracked: a reaction with a cracked weapon is offered as what it is, and breaks it; let
// pass, it does not. A sound weapon is offered as ever.
func TestCrackedInAReaction(t *testing.T) {
	flailing := func(s *eventv1.SparkSheet) {
		s.Weapons = []*eventv1.SparkWeapon{mace, {Name: "pick", FumbleClasses: []string{"P", "B"}, AttackModifier: 5, DamageDice: "1d6", ReachFeet: 5}}
	}
	provoked := func(t *testing.T, cracked ...string) *table {
		f := newTable(t).at(0, fighter("ara", "party", flailing)).at(5, fighter("orc", "monsters")).start().cracks(cracked...)
		f.Must(act("orc", declaring.KindMove, "", "", to(30)))
		f.Must(act("ara", declaring.KindMove, "", ""))
		return f
	}
	for _, c := range []struct {
		name    string
		cracked []string
		offered string
	}{
		{"all sound", nil, "no mace pick pick:B"},
		{"one cracked", []string{"mace"}, "no mace:use_cracked pick pick:B"},
		{"of two kinds", []string{"pick"}, "no mace pick:use_cracked pick:B:use_cracked"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := provoked(t, c.cracked...)
			if got := strings.Join(f.optionIDs(), " "); got != c.offered {
				t.Fatalf("offered %q, want %q", got, c.offered)
			}
			for _, o := range f.Decisions[0].Options {
				if strings.Contains(o.Id, declaring.UseCracked) != strings.Contains(o.Text, "is cracked, and using it breaks it") {
					t.Errorf("%v", o)
				}
			}
			f.Choose("no")
			for _, w := range c.cracked {
				f.weaponIs(w, body.Cracked)
			}
		})
	}
	f := provoked(t, "mace")
	f.Choose("mace:use_cracked", 10, 5) // 14 hits for 5 + 4
	f.WantHP("orc", 21)
	f.WantAttacks("ara hit")
	f.weaponIs("mace", body.Broken)

	f = provoked(t, "pick")
	f.Choose("pick:B:use_cracked", 1, 1, 1, 2) // 2 of B: its own knee
	f.WantHP("ara", 28)
	f.weaponIs("pick", body.Broken)
	if got := f.fumbleRules(); len(got) == 0 || got[0] != cite.FumbleHitOwnKnee {
		t.Errorf("%v", got)
	}

	// Whoever has nothing else still bars the way with it, and the squares that it bars say so.
	f = newTable(t).at(0, fighter("ara", "party", armedWith(mace))).at(5, fighter("orc", "monsters")).start().cracks("mace")
	f.State.Active = []string{"orc"}
	if o := moveOption(t, f, "orc"); len(o.GetProvokes()) == 0 {
		t.Errorf("%v", o)
	}
}
