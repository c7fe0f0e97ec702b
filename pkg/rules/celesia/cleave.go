package celesia

import (
	"slices"
	"strings"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Decisions of a cleave: whether a hit is followed by an attack on a foe beside
// the first, and with what when not with the weapon that hit.
const (
	decCleave     = "cleave"
	decCleaveWith = "cleave-with"
)

// condCleaving is on whoever has cleaved until the start of its next turn.
const condCleaving = "cleaving"

// mCleaved is the round in which a creature cleaved.
const mCleaved = "cleaved"

// chainBase is the base attack bonus from which a cleave goes on as long as each
// attack hits, and more than one attack of a round can be followed by one.
//
// celesia.attack.cleave-chain
const chainBase = 6

// mayCleave tells whether a creature can cleave after an attack with a weapon: in
// its own turn, since it is a free action, and below the base attack bonus of
// chains once a round.
//
// celesia.attack.cleave
func mayCleave(s *eventv1.State, c *eventv1.Creature, w *eventv1.CelesiaWeapon) bool {
	strength, _ := score(c, "strength")
	base := sheetOf(c).BaseAttack
	return inTurn(s, c) && !ranged(w) && strength >= 13 && base >= 1 && (base >= chainBase || c.Marks[mCleaved] != itoa(s.Round))
}

// cleave follows a hit in melee with free attacks: one on a foe beside the first,
// from a base attack bonus of 6 on as long as each hits. Nobody is attacked twice
// in one action: struck are those whom it has attacked, the one just hit the last
// of them. It returns them and those whom it came to.
//
// celesia.attack.cleave, celesia.attack.cleave-exposes, celesia.attack.cleave-chain
func cleave(r *rules.Resolution, id string, w *eventv1.CelesiaWeapon, take *eventv1.TakeAction, struck ...string) []string {
	for n := 1; mayCleave(r.State(), r.Creature(id), w) && able(r.Creature(id)); n++ {
		blows := besideFoes(r.State(), r.Creature(id), struck, w, take)
		if len(blows) == 0 {
			return struck
		}
		label := "cleave/" + itoa(n)
		b, manner := askCleave(r, id, w, blows, label)
		if b.foe == "" {
			return struck
		}
		r.Mark(id, mCleaved, itoa(r.State().Round), cite.AttackCleave)
		if !has(r.Creature(id), condCleaving) {
			r.AddCondition(id, &eventv1.Condition{Name: condCleaving, Cause: "cleave", Until: untilStart(id), Rule: cite.AttackCleaveExposes})
		}
		struck = append(struck, b.foe)
		if !cleaveAt(r, id, b, manner, label) || sheetOf(r.Creature(id)).BaseAttack < chainBase {
			return struck
		}
	}
	return struck
}

// blow is an attack that a cleave can go on with.
type blow struct {
	foe    string
	weapon *eventv1.CelesiaWeapon
}

// askCleave asks whether, with what and how a cleave goes on; no foe when it does
// not. Each foe can be attacked with the weapon that hit; any other weapon and
// manner are a question of their own.
//
// celesia.attack.cleave
func askCleave(r *rules.Resolution, id string, w *eventv1.CelesiaWeapon, blows []blow, label string) (blow, *structpb.Struct) {
	d := &eventv1.Decision{Name: decCleave, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: id, Cause: "hit with " + w.Name,
		Question: "Cleave on, letting every opponent attack with advantage?", DefaultOption: "no", Rule: cite.AttackCleave,
		Options: []*eventv1.DecisionOption{{Id: "no", Text: "Leave it at that"}}}
	with := &eventv1.Decision{Name: decCleaveWith, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: id, Cause: d.Cause,
		Question: "Whom, and with what?", Rule: cite.AttackCleave}
	for _, b := range blows {
		text := "Attack " + r.Creature(b.foe).GetName()
		if b.weapon == w {
			d.Options = append(d.Options, &eventv1.DecisionOption{Id: b.foe, Text: text})
		}
		with.Options = append(with.Options, &eventv1.DecisionOption{Id: b.foe + ":" + b.weapon.Name, Text: text + " with " + b.weapon.Name})
	}
	with.DefaultOption = with.Options[0].Id
	d.Options = append(d.Options, &eventv1.DecisionOption{Id: otherwise, Text: "Choose weapon and manner"})
	switch next := r.Ask(label, d).Option; next {
	case "no":
		return blow{}, nil
	case otherwise:
		foe, weapon, _ := strings.Cut(r.Ask(label+"/with", with).Option, ":")
		b := blow{foe, weaponOf(r.Creature(id), weapon)}
		return b, askManner(r, id, b.weapon, label)
	default:
		return blow{next, w}, nil
	}
}

// cleaveAt makes one attack of a cleave; an unarmed one provokes as it would
// otherwise.
func cleaveAt(r *rules.Resolution, id string, b blow, manner *structpb.Struct, label string) bool {
	w := b.weapon
	take := &eventv1.TakeAction{Creature: id, Action: "attack", Item: w.Name, Targets: []string{b.foe}, Parameters: manner}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: id, Action: "cleave", Targets: take.Targets, Item: w.Name}, cite.AttackCleave)
	if provokes, only := attackProvokes(r.State(), r.Creature(id), take); provokes {
		window(r, provocation{by: id, kind: "attack", take: take, provokes: true, only: only})
		if !able(r.Creature(id)) || refuseAttack(r.State(), r.Creature(id), take) != nil {
			return false
		}
	}
	useLimbs(r, r.Creature(id), w)
	declare(r, id, take)
	return makeAttack(r, attack{by: id, target: b.foe, weapon: w, label: label, take: take})
}

// besideFoes are the blows that a cleave can go on with, those with the weapon
// that hit first: at foes adjacent to the one attacked last, by measure or as
// stated, within reach and not yet attacked.
func besideFoes(s *eventv1.State, c *eventv1.Creature, struck []string, w *eventv1.CelesiaWeapon, take *eventv1.TakeAction) []blow {
	last := s.Creatures[struck[len(struck)-1]]
	stated, said := spoken.Words(take.GetFacts(), "beside")
	weapons := []*eventv1.CelesiaWeapon{w}
	for _, other := range sheetOf(c).Weapons {
		if other != w && !ranged(other) {
			weapons = append(weapons, other)
		}
	}
	var out []blow
	for _, id := range rules.SortedKeys(s.Creatures) {
		foe := s.Creatures[id]
		if foe.Side == c.Side || dead(foe) || slices.Contains(struck, id) {
			continue
		}
		feet, known := distance(last, foe)
		if said && !slices.Contains(stated, id) || !said && (!known || feet > 5) {
			continue
		}
		for _, one := range weapons {
			if refuseAttack(s, c, &eventv1.TakeAction{Creature: c.Id, Item: one.Name, Targets: []string{id}}) == nil {
				out = append(out, blow{id, one})
			}
		}
	}
	return out
}

// mishap is the natural 1 of a reckless attack: it hits a random creature that
// is adjacent to the target and threatens it, by measure or as stated, if there
// is one. It tells whether somebody was hit so.
//
// celesia.attack.reckless-aim-natural-1, celesia.attack.reckless-offense-natural-1
func mishap(r *rules.Resolution, a attack, rolled rules.Rolled) bool {
	rule := ""
	switch {
	case picked(a.take, optionRecklessAim):
		rule = cite.AttackRecklessAimNatural1
	case picked(a.take, optionReckless):
		rule = cite.AttackRecklessOffenseNatural1
	}
	if rule == "" || rolled.Natural != 1 {
		return false
	}
	near := bystanders(r.State(), a)
	if len(near) == 0 {
		return false
	}
	at := int32(1)
	if len(near) > 1 {
		at = r.Roll(rules.RollSpec{Label: a.label + "/mishap", Creature: a.by, Expression: "1d" + itoa(len(near)), Reason: "who is hit instead",
			Rules: []string{rule}}).Total
	}
	a.target, a.take = near[at-1], &eventv1.TakeAction{Creature: a.by, Item: a.weapon.Name, Parameters: a.take.Parameters}
	r.Emit(event.Everyone(), &eventv1.Attack{Attacker: a.by, Target: a.target, Weapon: a.weapon.Name, Outcome: "hit", Note: "a reckless attack gone astray"}, rule)
	harm(r, a, 0, false, "")
	return true
}

// bystanders are those whom a reckless attack may hit.
func bystanders(s *eventv1.State, a attack) []string {
	t := s.Creatures[a.target]
	stated, said := spoken.Words(a.take.GetFacts(), "bystanders")
	var out []string
	for _, id := range rules.SortedKeys(s.Creatures) {
		c := s.Creatures[id]
		if id == a.by || id == a.target || dead(c) {
			continue
		}
		feet, known := distance(c, t)
		if said && slices.Contains(stated, id) || !said && known && feet <= 5 && c.Side != t.Side && able(c) && reaches(c, t) {
			out = append(out, id)
		}
	}
	return out
}
