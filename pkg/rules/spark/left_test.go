package spark

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/proto"
)

// leaves takes a creature off the field.
func (f *table) leaves(id string, dice ...int) {
	f.T.Helper()
	f.Must(&eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: id}}}, dice...)
}

// spark.turn.declare: whoever has left the field is nobody's target any more
func TestTargetHasLeft(t *testing.T) {
	set := func(t *testing.T) *table {
		balm := func(s *eventv1.SparkSheet) {
			s.Spells = append(s.Spells, &eventv1.SparkSpell{Name: "balm", ManaCost: 2, Dc: 12, Delivery: "other", Healing: "1d4"})
		}
		f := newTable(t).at(0, fighter("ara", "party", twoHanded, balm)).at(5, fighter("orc", "monsters")).at(10, fighter("wen", "party")).start()
		f.Put("ara", &eventv1.Vitals{Hp: proto.Int32(10)})
		return f
	}
	potion := withParameters("bonus", "potion:potion", "bonus_target", "wen")
	t.Run("a potion is kept", func(t *testing.T) {
		f := set(t)
		f.Must(act("ara", declaring.KindMove, "", "", potion))
		f.End("wen")
		f.leaves("wen")
		f.End("orc", 10)
		if n := f.Creature("ara").Counters[body.CLeft+"potion"]; n != 2 || f.State.Round != 2 {
			t.Fatalf("%d uses, round %d", n, f.State.Round)
		}
		f.WantHP("ara", 10)
	})
	t.Run("a potion is kept from whom leaves last", func(t *testing.T) {
		f := set(t)
		f.Must(act("ara", declaring.KindMove, "", "", potion))
		f.End("orc")
		f.leaves("wen", 10)
		if n := f.Creature("ara").Counters[body.CLeft+"potion"]; n != 2 || f.State.Round != 2 {
			t.Fatalf("%d uses, round %d", n, f.State.Round)
		}
	})
	t.Run("healing does not fall on the caster", func(t *testing.T) {
		f := set(t)
		f.Must(act("ara", declaring.KindCast, "balm", "wen"))
		f.leaves("wen")
		f.End("orc", 10)
		f.WantHP("ara", 10)
	})
	t.Run("healing finds nobody who leaves last", func(t *testing.T) {
		f := set(t)
		f.Must(act("ara", declaring.KindCast, "balm", "wen"))
		f.End("orc")
		f.leaves("wen", 10)
		if n := len(f.Rolls("/healing")); n != 0 {
			t.Fatalf("%d rolls of healing", n)
		}
	})
	t.Run("a touch makes no attack", func(t *testing.T) {
		f := set(t)
		f.Must(act("ara", declaring.KindCast, "touch", "wen"))
		f.leaves("wen")
		f.End("orc", 10)
		if len(f.Rolls("attack/ara/touch")) != 0 || len(f.Rolls("order/ara")) != 1 {
			t.Fatalf("%v", f.Rolls(""))
		}
	})
	t.Run("a long spell finds who is left", func(t *testing.T) {
		f := set(t)
		f.Must(act("ara", declaring.KindCast, "storm", "wen,orc"))
		f.End("wen")
		f.End("orc", 10)
		f.leaves("wen")
		f.End("orc")
		f.End("orc", 10, 1, 2, 3, 4)
		f.WantHP("orc", 30-10)
	})
	t.Run("an off-hand attack is lost", func(t *testing.T) {
		f := set(t)
		f.Must(act("ara", declaring.KindAttack, "sword", "orc", withParameters("bonus", "off-hand:dagger", "bonus_target", "wen")))
		f.leaves("wen")
		f.End("orc", 2)
		f.WantAttacks("ara lost", "ara miss")
	})
	t.Run("nobody behind", func(t *testing.T) {
		f := set(t)
		f.Must(act("ara", declaring.KindMove, "", "", withFacts("provokes", []string{"wen"})))
		f.leaves("wen")
		f.End("orc")
		d := &declaring.Declaration{Targets: []string{"wen"}, Stated: declaring.Stated{Behind: "wen", Near: []string{"wen"}, Nearest: []string{"orc", "wen"}}}
		d.Forget(func(id string) bool { return body.Left(f.Creature(id)) })
		if s := d.Stated; s.Behind != "nobody" || s.Near == nil || len(s.Near) != 0 || !slices.Equal(s.Nearest, []string{"orc"}) || s.InRange != nil || len(d.Targets) != 1 {
			t.Fatalf("%+v", d)
		}
	})
}

// listed are a creature's options of an action with an item, by title.
func (f *table) listed(id, action, item string) map[string]*eventv1.Option {
	all := map[string]*eventv1.Option{}
	for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: id, Content: f.Content}) {
		if o.Action == action && o.Item == item {
			all[o.Title] = o
		}
	}
	return all
}

func parameterOf(o *eventv1.Option, name string) *eventv1.Parameter {
	for _, p := range o.GetParameters() {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// spark.condition.prone, spark.action.no-full-attack-with-full-move: who stands up has one attack, unless a feat allows more
func TestStandingUpListed(t *testing.T) {
	for _, c := range []struct {
		name    string
		change  func(*eventv1.SparkSheet)
		setting string
		apart   bool
		most    int32
		beside  bool
	}{
		{"two attacks", func(s *eventv1.SparkSheet) { s.AttacksPerRound = 2 }, "allow", true, 1, false},
		{"one attack", func(*eventv1.SparkSheet) {}, "allow", false, 0, true},
		{"two with the feat", func(s *eventv1.SparkSheet) {
			s.AttacksPerRound, s.Feats = 2, []*eventv1.SparkFeat{{Name: "lunge", FullMoveFullAttack: true}}
		}, "allow", true, 2, false},
		{"one arrow for two attacks", func(s *eventv1.SparkSheet) {
			shot := proto.CloneOf(bow)
			shot.Name, shot.Missiles = "sword", proto.Int32(1)
			s.AttacksPerRound, s.Weapons = 2, []*eventv1.SparkWeapon{shot}
		}, "allow", false, 0, true},
		{"two arrows for two attacks", func(s *eventv1.SparkSheet) {
			shot := proto.CloneOf(bow)
			shot.Name, shot.Missiles = "sword", proto.Int32(2)
			s.AttacksPerRound, s.Weapons = 2, []*eventv1.SparkWeapon{shot}
		}, "allow", true, 1, false},
		{"to be drawn", func(s *eventv1.SparkSheet) { s.Weapons[0].Stowed = true }, "allow", false, 0, true},
		{"to be drawn, denied", func(s *eventv1.SparkSheet) { s.Weapons[0].Stowed = true }, "deny", false, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t, body.SetBonusWithBoth+"="+c.setting).at(0, fighter("ara", "party", c.change)).at(5, fighter("orc", "monsters")).start()
			f.Put("ara", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondProne}}})
			all := f.listed("ara", declaring.KindAttack, "sword")
			up := all["Stand up and attack"]
			if (up != nil) != c.apart || up.GetMaximumTargets() != c.most || (parameterOf(all["Attack"], "stand") != nil) != c.beside {
				t.Fatalf("%v", all)
			}
		})
	}
}

// spark.condition.prone: one axe to throw allows one attack, whether one stands up or not; in
// the hand it allows all.
func TestStandingUpToThrow(t *testing.T) {
	for left, apart := range map[int32]bool{1: false, 3: true} {
		axe := proto.CloneOf(hurled)
		axe.Missiles = proto.Int32(left)
		f := newTable(t).at(0, fighter("ara", "party", func(s *eventv1.SparkSheet) { s.AttacksPerRound, s.Weapons = 2, []*eventv1.SparkWeapon{axe} })).at(5, fighter("orc", "monsters")).start()
		f.Put("ara", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondProne}}})
		all := f.listed("ara", declaring.KindAttack, "axe")
		if all["Stand up and attack"] == nil || all["Throw"] == nil || (all["Stand up and throw"] != nil) != apart {
			t.Errorf("%d axes: %v", left, all)
		}
	}
}

// spark.action.off-hand-attack, spark.item.hardness-check: what must be named is listed as needed, and a slip is refused
func TestNeededIsListed(t *testing.T) {
	f := duel(t, twoHanded, func(s *eventv1.SparkSheet) { s.Weapons[0].FumbleClasses = []string{"S", "P"} })
	off := f.listed("ara", declaring.KindMove, "")["Move, and attack with the off hand"]
	if p := parameterOf(off, "bonus_target"); p == nil || !p.Required || len(p.Values) != 1 || p.Values[0].GetStringValue() != "orc" {
		t.Fatalf("%v", off)
	}
	for title, name := range map[string]string{"Bash a thing": "material", "Bash a thing of a given DC": "dc"} {
		if p := parameterOf(f.listed("ara", declaring.KindBash, "")[title], name); p == nil || !p.Required {
			t.Errorf("%s does not need %s", title, name)
		}
	}
	if err := f.Try(act("ara", declaring.KindAttack, "sword", "orc", withParameters("bonus_target", "nobody known"))); err == nil {
		t.Error("a bonus_target that is nobody is accepted")
	}
	if err := f.Try(act("ara", declaring.KindAttack, "sword", "orc", withParameters("bonus_class", "M"))); err == nil {
		t.Error("a bonus_class of no off-hand weapon is accepted")
	}
	if err := f.Try(act("ara", declaring.KindAttack, "sword", "orc,orc", withParameters("classes", []string{"S", "P", "S"}))); err == nil {
		t.Error("three classes of two attacks are accepted")
	}
	f.Must(act("ara", declaring.KindAttack, "sword", "orc,orc", withParameters("classes", "P")))
	for _, st := range declaring.DeclarationOf(nil, f.Creature("ara"), body.BegunDeclared).Strikes {
		if st.Class != "P" {
			t.Errorf("%v is not of the class named for all", st)
		}
	}
}
