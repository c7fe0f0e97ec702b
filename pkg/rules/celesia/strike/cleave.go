package strike

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// Decisions of a cleave: whether a hit is followed by an attack on a foe beside
// the first, and with what when not with the weapon that hit.
const (
	DecCleave     = "cleave"
	DecCleaveWith = "cleave-with"
)

// CondCleaving is on whoever has cleaved until the start of its next turn.
const CondCleaving = "cleaving"

// ChainBase is the base attack bonus from which a cleave goes on as long as each
// attack hits, and more than one attack of a round can be followed by one.
//
// celesia.attack.cleave-chain
const ChainBase = 6

// MayCleave tells whether a creature can cleave after an attack with a weapon: in
// its own turn, since it is a free action, and below the base attack bonus of
// chains once a round.
//
// celesia.attack.cleave
func MayCleave(s *eventv1.State, c *eventv1.Creature, w *eventv1.CelesiaWeapon) bool {
	strength, _ := body.Score(c, "strength")
	base := body.SheetOf(c).BaseAttack
	return manners.InTurn(s, c) && !body.Ranged(w) && strength >= 13 && base >= 1 && (base >= ChainBase || !body.Has(c, CondCleaving))
}

// Blow is an attack that a cleave can go on with.
type Blow struct {
	Foe    string
	Weapon *eventv1.CelesiaWeapon
}

// AskCleave asks whether, with what and how a cleave goes on; no foe when it does
// not. Each foe can be attacked with the weapon that hit; any other weapon and
// manner are a question of their own.
//
// celesia.attack.cleave
func AskCleave(r *rules.Resolution, id string, w *eventv1.CelesiaWeapon, blows []Blow, label string) (Blow, *structpb.Struct) {
	d := &eventv1.Decision{Name: DecCleave, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: id, Cause: "hit with " + w.Name,
		Question: "Cleave on, letting every opponent attack with advantage?", DefaultOption: "no", Rule: cite.AttackCleave,
		Options: []*eventv1.DecisionOption{{Id: "no", Text: "Leave it at that"}}}
	with := &eventv1.Decision{Name: DecCleaveWith, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: id, Cause: d.Cause,
		Question: "Whom, and with what?", Rule: cite.AttackCleave}
	for _, b := range blows {
		text := "Attack " + r.Creature(b.Foe).GetName()
		if b.Weapon == w {
			d.Options = append(d.Options, &eventv1.DecisionOption{Id: b.Foe, Text: text})
		}
		with.Options = append(with.Options, &eventv1.DecisionOption{Id: b.Foe + ":" + b.Weapon.Name, Text: text + " with " + b.Weapon.Name})
	}
	with.DefaultOption = with.Options[0].Id
	d.Options = append(d.Options, &eventv1.DecisionOption{Id: manners.Otherwise, Text: "Choose weapon and manner"})
	switch next := r.Ask(label, d).Option; next {
	case "no":
		return Blow{}, nil
	case manners.Otherwise:
		foe, weapon, _ := strings.Cut(r.Ask(label+"/with", with).Option, ":")
		b := Blow{foe, body.WeaponOf(r.Creature(id), weapon)}
		return b, manners.AskManner(r, id, b.Weapon, label)
	default:
		return Blow{next, w}, nil
	}
}

// BesideFoes are the blows that a cleave can go on with, those with the weapon
// that hit first: at foes adjacent to the one attacked last, by measure or as
// stated, within reach and not yet attacked.
func BesideFoes(s *eventv1.State, c *eventv1.Creature, struck []string, w *eventv1.CelesiaWeapon, take *eventv1.TakeAction) []Blow {
	last := s.Creatures[struck[len(struck)-1]]
	stated, said := spoken.Words(take.GetFacts(), "beside")
	weapons := []*eventv1.CelesiaWeapon{w}
	for _, other := range body.SheetOf(c).Weapons {
		if other != w && !body.Ranged(other) {
			weapons = append(weapons, other)
		}
	}
	var out []Blow
	for _, id := range rules.SortedKeys(s.Creatures) {
		foe := s.Creatures[id]
		if foe.Side == c.Side || body.Dead(foe) || slices.Contains(struck, id) {
			continue
		}
		feet, known := body.Distance(last, foe)
		if said && !slices.Contains(stated, id) || !said && (!known || feet > 5) {
			continue
		}
		for _, one := range weapons {
			if RefuseAttack(s, c, &eventv1.TakeAction{Creature: c.Id, Item: one.Name, Targets: []string{id}}) == nil {
				out = append(out, Blow{id, one})
			}
		}
	}
	return out
}

// Bystanders are those whom a reckless attack may hit.
func Bystanders(s *eventv1.State, a body.Attack) []string {
	t := s.Creatures[a.Target]
	stated, said := spoken.Words(a.Take.GetFacts(), "bystanders")
	var out []string
	for _, id := range rules.SortedKeys(s.Creatures) {
		c := s.Creatures[id]
		if id == a.By || id == a.Target || body.Dead(c) {
			continue
		}
		feet, known := body.Distance(c, t)
		if slices.Contains(stated, id) || !said && known && feet <= 5 && c.Side != t.Side && Able(c) && Reaches(c, t) {
			out = append(out, id)
		}
	}
	return out
}
