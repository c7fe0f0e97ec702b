package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.dice.pairwise-cancel, rcr.dice.same-kind-no-stack, rcr.condition.replace-base,
// rcr.injury.row2-crippled-attacks, rcr.condition.grappled-attacks,
// rcr.condition.crouching-ranged, rcr.condition.crouching-melee,
// rcr.condition.shackled-attacked, rcr.condition.restrained-attacks: what weighs on an
// attack from both sides, counted by kinds and cancelled one for one.
func TestWhatWeighsOnAnAttack(t *testing.T) {
	const plain, adv, dis, assured, disaster = "1d20", "2d20kh1", "2d20kl1", "3d20kh1", "3d20kl1"
	for _, c := range []struct {
		name   string
		con    int32 // of the attacker
		wounds int
		on     []string // on the attacker
		at     []string // on the target
		weapon string
		facts  []any
		want   string
	}{
		{"nothing", 10, 0, nil, nil, "sword", nil, plain},
		{"in shock alone: attacks are untouched", 10, 1, nil, nil, "sword", nil, plain},
		{"crippled", 10, 2, nil, nil, "sword", nil, dis},
		{"two wounds that are borne", 14, 2, nil, nil, "sword", nil, plain},
		{"one beyond what is borne, in shock", 14, 3, nil, nil, "sword", nil, plain},
		{"two beyond", 14, 4, nil, nil, "sword", nil, dis},
		{"one wound, Constitution 8: crippled at once", 8, 1, nil, nil, "sword", nil, dis},
		{"crippled and prone", 10, 2, []string{"prone"}, nil, "sword", nil, disaster},
		{"crippled, prone and poisoned: no worse", 10, 2, []string{"prone", "poisoned"}, nil, "sword", nil, disaster},
		{"crippled and prone, at one who is paralysed", 10, 2, []string{"prone"}, []string{"paralyzed=stricken"}, "sword", nil, dis},
		{"crippled and prone, at one limp on the ground", 10, 2, []string{"prone"}, []string{"paralyzed=disabled", "prone"}, "sword", nil, plain},
		{"crippled, at one prone and restrained", 10, 2, nil, []string{"prone", "restrained"}, "sword", nil, adv},
		{"the same with a bow: lying helps against it", 10, 2, nil, []string{"prone", "restrained"}, "bow", nil, dis},
		{"a bow, at one limp on the ground", 10, 0, nil, []string{"paralyzed=disabled", "prone"}, "bow", nil, plain},
		{"blinded, at one who is invisible: not seen, once", 10, 0, []string{"blinded"}, []string{"invisible"}, "sword", nil, dis},
		{"blinded, invisible and prone", 10, 0, []string{"blinded", "prone"}, []string{"invisible"}, "sword", nil, disaster},
		{"both blinded", 10, 0, []string{"blinded"}, []string{"blinded"}, "sword", nil, plain},
		{"both blinded, the target restrained", 10, 0, []string{"blinded"}, []string{"blinded", "restrained"}, "sword", nil, adv},
		{"both shackled", 10, 0, []string{"shackled"}, []string{"shackled"}, "sword", nil, plain},
		{"both restrained and both shackled", 10, 0, []string{"shackled", "restrained"}, []string{"shackled", "restrained"}, "sword", nil, plain},
		{"both crouch, in melee", 10, 0, []string{"crouching"}, []string{"crouching"}, "sword", nil, plain},
		{"both crouch, nothing between", 10, 0, []string{"crouching"}, []string{"crouching"}, "bow", []any{"between", false}, dis},
		{"both crouch, something between", 10, 0, []string{"crouching"}, []string{"crouching"}, "bow", []any{"between", true}, disaster},
		{"something between, nobody crouches", 10, 0, nil, nil, "bow", []any{"between", true}, plain},
		{"held by another", 10, 0, []string{"grappled@c"}, nil, "sword", nil, dis},
		{"held by the target", 10, 0, []string{"grappled@b"}, nil, "sword", nil, plain},
		{"held by both", 10, 0, []string{"grappled@c", "grappled@b"}, nil, "sword", nil, plain},
		{"frightened by the target and by another: one fear", 10, 0, []string{"frightened@b", "frightened@c"}, nil, "sword", nil, dis},
		{"frightened by the target, which it cannot see", 10, 0, []string{"frightened@b"}, []string{"invisible"}, "sword", nil, dis},
		{"frightened by another in sight, at one it cannot see", 10, 0, []string{"frightened@c"}, []string{"invisible"}, "sword", nil, disaster},
		{"the target dodges", 10, 0, nil, []string{"dodging"}, "sword", nil, dis},
		{"it dodges, and cannot move: restrained instead", 10, 0, nil, []string{"dodging", "restrained"}, "sword", nil, adv},
		{"it dodges, blinded: it does not see who attacks", 10, 0, nil, []string{"dodging", "blinded"}, "sword", nil, adv},
		{"helped, at one who dodges", 10, 0, []string{"helped=b"}, []string{"dodging"}, "sword", nil, plain},
		{"helped against another", 10, 0, []string{"helped=c"}, nil, "sword", nil, plain},
		{"helped, at one prone and stunned: no better than three dice", 10, 0, []string{"helped=b"}, []string{"prone", "stunned"}, "sword", nil, assured},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t, body.SetPartyLevel+"=1")
			far := int32(5)
			if c.weapon == "bow" {
				far = 40
			}
			f.place(fighter("a", "party", ability("constitution", c.con)), 0, 0)
			f.place(fighter("b", "monsters"), far, 0)
			f.place(fighter("c", "monsters"), 0, 60)
			f.start(nil, 20, 5, 4)
			f.Count("a", body.CWounds, c.wounds)
			f.Afflict("a", c.on...)
			f.Afflict("b", c.at...)
			f.falls(12)
			var change []func(*eventv1.TakeAction)
			if c.facts != nil {
				change = append(change, withFacts(c.facts...))
			}
			f.Must(act("a", "attack", c.weapon, "b", change...))
			if got := f.Roll("to-hit").Expression; got != c.want {
				t.Errorf("%s, want %s: %v", got, c.want, f.Roll("to-hit").Edges)
			}
		})
	}
}

// rcr.injury.row1-shock, rcr.injury.row2-crippled-saves, rcr.condition.prone-own-rolls,
// rcr.condition.restrained-dexterity, rcr.condition.deafened-wisdom,
// rcr.condition.deafened-concentration, rcr.condition.crouching-checks,
// rcr.condition.helpless-saves, rcr.condition.paralyzed-common,
// rcr.feat.war-caster-concentration, rcr.feat.dungeon-delver-trap-saves: what weighs on a
// saving throw; "" where it fails without a roll.
func TestWhatWeighsOnASavingThrow(t *testing.T) {
	const plain, adv, dis, disaster = "1d20", "2d20kh1", "2d20kl1", "3d20kl1"
	crippled := func(f *table) { f.Count("b", body.CWounds, 2) }
	for _, c := range []struct {
		name    string
		wounds  int
		on      []string
		ability string
		purpose string
		source  func(f *table)
		about   string
		feats   []string
		want    string
	}{
		{"nothing", 0, nil, "dexterity", "", nil, "", nil, plain},
		{"in shock", 1, nil, "charisma", "", nil, "", nil, dis},
		{"in shock and crippled: one thing for its own saves", 2, nil, "charisma", "", nil, "", nil, dis},
		{"in shock and prone, Dexterity", 1, []string{"prone"}, "dexterity", "", nil, "", nil, disaster},
		{"in shock and prone, Wisdom", 1, []string{"prone"}, "wisdom", "", nil, "", nil, dis},
		{"prone, Strength", 0, []string{"prone"}, "strength", "", nil, "", nil, dis},
		{"prone, Constitution", 0, []string{"prone"}, "constitution", "", nil, "", nil, plain},
		{"restrained, Dexterity", 0, []string{"restrained"}, "dexterity", "", nil, "", nil, dis},
		{"restrained, Strength", 0, []string{"restrained"}, "strength", "", nil, "", nil, plain},
		{"prone and restrained, Dexterity", 0, []string{"prone", "restrained"}, "dexterity", "", nil, "", nil, disaster},
		{"poisoned: checks and attacks alone", 0, []string{"poisoned"}, "constitution", "", nil, "", nil, plain},
		{"deafened, Wisdom", 0, []string{"deafened"}, "wisdom", "", nil, "", nil, dis},
		{"deafened, Constitution", 0, []string{"deafened"}, "constitution", "", nil, "", nil, plain},
		{"deafened, concentration", 0, []string{"deafened"}, "constitution", "concentration", nil, "", nil, dis},
		{"deafened and in shock, concentration, a war caster", 1, []string{"deafened"}, "constitution", "concentration", nil, "", []string{"war caster"}, dis},
		{"in shock, concentration, a war caster", 1, nil, "constitution", "concentration", nil, "", []string{"war caster"}, plain},
		{"a war caster, any other Constitution", 0, nil, "constitution", "", nil, "", []string{"war caster"}, plain},
		{"crouching, to stay up", 0, []string{"crouching"}, "strength", "stay-up", nil, "", nil, dis},
		{"crouching, in shock, to stay up", 1, []string{"crouching"}, "strength", "stay-up", nil, "", nil, disaster},
		{"crouching, Dexterity", 0, []string{"crouching"}, "dexterity", "", nil, "", nil, plain},
		{"dodging, Dexterity", 0, []string{"dodging"}, "dexterity", "", nil, "", nil, adv},
		{"dodging, in shock, Dexterity", 1, []string{"dodging"}, "dexterity", "", nil, "", nil, plain},
		{"dodging, grappled: no dodge", 0, []string{"dodging", "grappled@b"}, "dexterity", "", nil, "", nil, plain},
		{"against one who is crippled", 0, nil, "wisdom", "", crippled, "", nil, adv},
		{"against one who is crippled, in shock", 1, nil, "wisdom", "", crippled, "", nil, plain},
		{"against one in shock alone", 0, nil, "wisdom", "", func(f *table) { f.Count("b", body.CWounds, 1) }, "", nil, plain},
		{"against a trap, a dungeon delver in shock", 1, nil, "dexterity", "", nil, "trap", []string{"dungeon delver"}, plain},
		{"against a trap, a dungeon delver", 0, nil, "dexterity", "", nil, "trap", []string{"dungeon delver"}, adv},
		{"helpless, Dexterity", 0, []string{"helpless"}, "dexterity", "", nil, "", nil, ""},
		{"helpless, Strength", 0, []string{"helpless"}, "strength", "", nil, "", nil, ""},
		{"helpless, Wisdom", 0, []string{"helpless"}, "wisdom", "", nil, "", nil, plain},
		{"paralysed, Dexterity", 0, []string{"paralyzed=stricken"}, "dexterity", "", nil, "", nil, ""},
		{"paralysed, Constitution", 0, []string{"paralyzed=stricken"}, "constitution", "", nil, "", nil, plain},
		{"a keen mind in shock, Intelligence", 1, nil, "intelligence", "", nil, "", []string{"keen mind"}, plain},
		{"a keen mind, Wisdom", 0, nil, "wisdom", "", nil, "", []string{"keen mind"}, plain},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", feat(c.feats...)), fighter("b", "party")).start(nil, 20, 5)
			f.Count("a", body.CWounds, c.wounds)
			f.Afflict("a", c.on...)
			if c.source != nil {
				c.source(f)
			}
			f.falls(10)
			var rolled []*eventv1.Roll
			f.Resolve(func(r *resolution) error {
				source := r.Creature("b")
				if c.purpose == "concentration" {
					source = nil // it is against nobody's effect
				}
				dice.RollSave(r, "probe", r.Creature("a"), c.ability, 30, c.purpose, source, body.SaveOpts{About: c.about})
				return nil
			})
			if rolled = f.Rolls("probe"); len(rolled) == 0 && c.want == "" {
				return
			}
			if len(rolled) != 1 || rolled[0].Expression != c.want {
				t.Errorf("%v, want %q", rolled, c.want)
			}
		})
	}
}

// rcr.initiative.healed-reroll, rcr.injury.row1-shock, rcr.initiative.dex-or-int,
// rcr.condition.prone-own-rolls, rcr.condition.deafened-initiative,
// rcr.condition.exhaustion-d20: the initiative of one that healing wakes where it lies.
func TestTheInitiativeOfTheWounded(t *testing.T) {
	for _, c := range []struct {
		name       string
		settings   []string
		wounds     int
		exhaustion int
		on         []string
		ability    string
		want       string
		faces      []int
		total      int32
	}{
		{"prone, with Dexterity", nil, 0, 0, nil, "dexterity", "2d20kl1", []int{15, 6}, 10},
		{"prone, with Intelligence", nil, 0, 0, nil, "intelligence", "1d20", []int{15}, 17},
		{"prone and in shock, with Dexterity", nil, 1, 0, nil, "dexterity", "3d20kl1", []int{15, 6, 9}, 10},
		{"in shock, with Intelligence", nil, 1, 0, nil, "intelligence", "2d20kl1", []int{15, 6}, 8},
		{"in shock and deafened, with Intelligence", nil, 1, 0, []string{"deafened"}, "intelligence", "3d20kl1", []int{15, 6, 9}, 8},
		{"exhausted by its failures", nil, 0, 2, nil, "intelligence", "1d20", []int{15}, 15},
		{"initiative is no check", []string{body.SetInitiativeIsCheck + "=off"}, 1, 0, nil, "dexterity", "1d20", []int{15}, 19},
		{"initiative is no check, deafened", []string{body.SetInitiativeIsCheck + "=off"}, 1, 0, []string{"deafened"}, "dexterity", "2d20kl1", []int{15, 6}, 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			hero := fighter("hero", "party", ability("dexterity", 18), ability("intelligence", 14))
			f := newTable(t, append(c.settings, body.SetInitiativeChoice+"=players")...).add(fighter("cleric", "party"), hero, fighter("orc", "monsters"))
			f.Must(&eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: "hero", Decision: body.DecInitiative, Order: c.ability}}})
			f.start(nil, 14, 1, 11)
			f.Hurt("hero", 0)
			f.Count("hero", body.CWounds, c.wounds, body.CExhaustion, c.exhaustion)
			f.Afflict("hero", c.on...)
			f.Resolve(wakeHero, c.faces...)
			if got := f.Roll("initiative/hero"); got.Expression != c.want || got.Total != c.total {
				t.Errorf("%s = %d, want %s = %d", got.Expression, got.Total, c.want, c.total)
			}
			f.wantCited(cite.InitiativeHealedReroll)
			f.End("cleric", 1)
			if first := f.State.Active[0]; (first == "hero") != (c.total > 11) {
				t.Errorf("%s is next after the cleric on 14, with a total of %d against 11", first, c.total)
			}
		})
	}
}
