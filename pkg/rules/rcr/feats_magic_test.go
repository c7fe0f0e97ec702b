package rcr

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/catalogue"
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.feat.elemental-adept-resistance, rcr.feat.elemental-adept-ones
func TestElementalAdepts(t *testing.T) {
	ball := func(kind, dice string) func(*eventv1.Sheet) {
		return rcrSheet(func(s *eventv1.RcrSheet) {
			s.SpellDc, s.SpellAttackBonus = 15, 9
			s.Spells = []*eventv1.RcrSpell{{Name: "ball", RangeFeet: 60, Save: &eventv1.RcrSave{Ability: "dexterity"}, Damage: []*eventv1.RcrDamage{{Dice: dice, Type: kind}}},
				{Name: "bolt", Attack: "ranged", RangeFeet: 60, Damage: []*eventv1.RcrDamage{{Dice: "2d6", Type: kind}}}}
			s.Powers = []*eventv1.RcrPower{{Name: "breath", RangeFeet: 30, Save: &eventv1.RcrSave{Ability: "dexterity", Dc: 15}, Damage: []*eventv1.RcrDamage{{Dice: "2d6", Type: kind}}}}
		})
	}
	foe := func(resist, immune string) *eventv1.Sheet {
		return fighter("b", "monsters", func(s *eventv1.Sheet) {
			s.HitPoints = 100
			if resist != "" {
				s.GetRcr().Resistances = []*eventv1.RcrDefense{{Type: resist}}
			}
			if immune != "" {
				s.GetRcr().Immunities = []*eventv1.RcrDefense{{Type: immune}}
			}
		})
	}
	fight := func(kind, dice, resist, immune string, settings ...string) *table {
		return newTable(t, settings...).add(fighter("a", "party", feat("elemental adept"), ball(kind, dice)), foe(resist, immune)).start(nil, 20, 5)
	}
	eight := []int{1, 1, 2, 3, 4, 5, 6, 6, 2}
	f := fight("fire", "8d6", "fire", "")
	f.Must(act("a", "cast", "ball", "b"), eight...)
	f.WantHP("b", 100-30)
	f.wantCited(cite.FeatElementalAdeptResistance, cite.FeatElementalAdeptOnes)
	f = fight("fire", "8d6", "", "fire")
	f.Must(act("a", "cast", "ball", "b"), eight...)
	f.WantHP("b", 100)
	f = fight("fire", "8d6", "", "") // nor does the water about it
	f.Must(act("a", "cast", "ball", "b", withFacts("underwater", true)), append(eight, 2)...)
	f.WantHP("b", 100-30)
	f.wantCited(cite.FeatElementalAdeptResistance)
	f = fight("fire", "8d6", "fire", "", off(cite.FeatElementalAdeptResistance, cite.FeatElementalAdeptOnes)...)
	f.Must(act("a", "cast", "ball", "b"), eight...)
	f.WantHP("b", 100-14)
	f = fight("fire", "8d6", "", "")
	f.Must(act("a", "cast", "bolt", "b"), 12, 1, 3)
	f.WantHP("b", 100-5)
	f = fight("fire", "8d6", "fire", "") // other magic: the resistance alone
	f.Must(act("a", "use-power", "breath", "b"), 1, 3, 2)
	f.WantHP("b", 100-4)
	f = fight("force", "3d4+3", "force", "")
	f.Must(act("a", "cast", "ball", "b"), 1, 1, 2, 2)
	f.WantHP("b", 100-3)
}

// rcr.feat.dungeon-delver-trap-resistance
func TestDungeonDelversResistTraps(t *testing.T) {
	sprung := func(amount int32, trap string, settings ...string) *table {
		f := newTable(t, settings...).add(fighter("a", "party", feat("dungeon delver"), func(s *eventv1.Sheet) { s.HitPoints = 30 }))
		f.Harm(&eventv1.Harm{Deed: body.DeedDamage, Target: "a", Cause: "darts", Facts: map[string]string{"trap": trap}, Parts: []*eventv1.DamagePart{{Type: "piercing", Rolled: amount}}})
		return f
	}
	f := sprung(17, "yes")
	f.WantHP("a", 30-8)
	f.wantCited(cite.FeatDungeonDelverTrapResistance)
	sprung(8, "yes").WantHP("a", 30-4)
	f = sprung(31, "yes")
	f.WantHP("a", 15)
	f.wantCount("a", body.CWounds, 0)
	sprung(17, "").WantHP("a", 13)
	sprung(17, "yes", off(cite.FeatDungeonDelverTrapResistance)...).WantHP("a", 13)
}

// rcr.feat.crusher-critical
func TestCrushersStagger(t *testing.T) {
	fight := func(kind string, settings ...string) *table {
		return newTable(t, settings...).add(fighter("a", "party", feat("crusher"), weapons(weapon("maul", "", kind))), fighter("b", "monsters", func(s *eventv1.Sheet) { s.HitPoints = 90 }),
			fighter("d", "party")).start(nil, 20, 5, 15)
	}
	f := fight("bludgeoning", off(cite.FeatCrusherMove)...)
	f.Must(act("a", "attack", "maul", "b"), 20, 3, 3)
	f.End("a", 20)
	f.Must(act("d", "attack", "sword", "b"), 5, 13, 4)
	f.wantCited(cite.FeatCrusherCritical)
	f.End("d", 15)
	f.End("b", 5)
	f.Must(act("a", "attack", "maul", "b"), 9)
	for _, f := range []*table{fight("piercing"), fight("bludgeoning", off(cite.FeatCrusherCritical, cite.FeatCrusherMove)...)} {
		f.Must(act("a", "attack", "maul", "b"), 20, 3, 3)
		f.End("a", 20)
		f.Must(act("d", "attack", "sword", "b"), 5)
	}
}

// rcr.feat.skulker-miss-stays-hidden
func TestSkulkersMissUnseen(t *testing.T) {
	shot := func(face int, item string, settings ...string) *table {
		f := newTable(t, settings...).add(fighter("a", "party", feat("skulker"), ability("dexterity", 14)), fighter("b", "monsters")).start(nil, 20, 5)
		f.Afflict("a", body.CondHidden)
		faces := []int{face, face}
		if face > 10 {
			faces = append(faces, 2)
		}
		f.Must(act("a", "attack", item, "b"), faces...)
		return f
	}
	for name, c := range map[string]struct {
		f      *table
		hidden bool
	}{"miss": {shot(3, "bow"), true}, "hit": {shot(15, "bow"), false}, "miss in melee": {shot(3, "sword"), false}, "off": {shot(3, "bow", off(cite.FeatSkulkerMissStaysHidden)...), false}} {
		if got := body.Has(c.f.Creature("a"), body.CondHidden); got != c.hidden {
			t.Errorf("%s: hidden %v", name, got)
		}
	}
}

// rcr.feat.spell-sniper-range, rcr.feat.spell-sniper-cover
func TestSpellSnipers(t *testing.T) {
	fight := func(settings ...string) *table {
		return newTable(t, settings...).add(fighter("a", "party", feat("spell sniper"), rcrSheet(func(s *eventv1.RcrSheet) {
			s.SpellDc, s.SpellAttackBonus = 13, 5
			s.Spells = []*eventv1.RcrSpell{{Name: "fire bolt", Attack: "ranged", RangeFeet: 120, Damage: []*eventv1.RcrDamage{{Dice: "1d10", Type: "fire"}}},
				{Name: "frost", RangeFeet: 60, Save: &eventv1.RcrSave{Ability: "dexterity"}, Damage: []*eventv1.RcrDamage{{Dice: "1d8", Type: "cold"}}}}
		})), fighter("b", "monsters")).start(nil, 20, 5)
	}
	f := fight()
	wantRefused(t, f.Try(act("a", "cast", "fire bolt", "b", withFacts("distance", 241))), body.Fallback)
	wantRefused(t, f.Try(act("a", "cast", "frost", "b", withFacts("distance", 90))), body.Fallback)
	f.Must(act("a", "cast", "fire bolt", "b", withFacts("distance", 240, "cover", "three-quarters")), 10, 4)
	f.WantHP("b", 36)
	for _, settings := range [][]string{nil, off(cite.FeatSpellSniperCover)} { // nor the shield of one who crouches
		f = fight(settings...)
		f.Creature("b").GetSheet().GetRcr().Shield = eventv1.RcrSheet_SHIELD_SHIELD
		f.Afflict("b", body.CondCrouching)
		hit := []int{10, 4}[:2-len(settings)]
		f.Must(act("a", "cast", "fire bolt", "b", withFacts("distance", 60)), hit...)
		f.WantHP("b", 40-int32(len(hit)-1)*4)
	}
	f = fight()
	wantRefused(t, f.Try(act("a", "cast", "fire bolt", "b", withFacts("cover", "total"))), cite.BaseHalfCover)
	f = fight(off(cite.FeatSpellSniperRange, cite.FeatSpellSniperCover)...)
	wantRefused(t, f.Try(act("a", "cast", "fire bolt", "b", withFacts("distance", 121))), body.Fallback)
	f.Must(act("a", "cast", "fire bolt", "b", withFacts("distance", 60, "cover", "three-quarters")), 10)
	f.WantHP("b", 40)
}

// rcr.feat.healer-stabilise
func TestHealersBringRound(t *testing.T) {
	aided := func(kit bool, settings ...string) *table {
		f := newTable(t, settings...).add(fighter("a", "party", feat("healer"), rcrSheet(func(s *eventv1.RcrSheet) { s.HealersKitUses = 3 })), fighter("b", "party"), fighter("z", "monsters")).start(nil, 20, 2, 5)
		f.Hurt("b", 0)
		f.Count("b", body.CWounds, 2)
		faces := []int{15}
		if kit {
			faces = []int{9, 9} // initiative anew, in shock
		}
		if len(settings) > 0 {
			faces = nil
		}
		f.Must(act("a", "stabilise", "", "b", withParameters("kit", kit)), faces...)
		return f
	}
	f := aided(true)
	f.WantHP("b", 1)
	f.wantCount("b", body.CWounds, 2)
	f.wantCount("a", body.CKit, 2)
	f.wantCited(cite.FeatHealerStabilise)
	if f.Creature("b").Life == eventv1.LifeStatus_LIFE_STATUS_STABLE {
		t.Error("b lies still")
	}
	f = aided(false)
	f.WantHP("b", 0)
	f = aided(true, off(cite.FeatHealerStabilise)...)
	f.WantHP("b", 0)
	f.WantLife("b", eventv1.LifeStatus_LIFE_STATUS_STABLE)
}

// What the book's feats do is by rules of the catalogue that feats of that name have,
// and each is one of the feats that sheets may name.
func TestOwnContentHolds(t *testing.T) {
	if err := ownError(); err != nil {
		t.Fatal(err)
	}
	for _, e := range (System{}).OwnContent().Feats {
		prefix := "rcr.feat." + e.Id
		if name := strings.ReplaceAll(e.Id, "-", " "); body.DecidedTrait(name) {
			prefix = "rcr.trait." + e.Id
		} else if !slices.Contains(body.Feats, name) {
			t.Errorf("%s is neither a feat of the document nor a trait", e.Id)
		}
		for _, x := range e.Effects {
			if _, ok := catalogue.Lookup(catalogue.RuleID(x.Rule)); !ok || !strings.HasPrefix(x.Rule, prefix) {
				t.Errorf("%s: rule %q", e.Id, x.Rule)
			}
		}
	}
	if b := rules.OwnBook(System{}); b == nil || b != rules.OwnBook(System{}) {
		t.Error("the book is made anew")
	}
}
