package celesia

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// decCleave is whether a hit is followed by an attack on a foe beside the first.
const decCleave = "cleave"

// condCleaving is on whoever has cleaved until the start of its next turn.
const condCleaving = "cleaving"

// mCleaved is the round in which a creature cleaved.
const mCleaved = "cleaved"

// cleave follows a hit in melee with free attacks: one on a foe beside the first,
// from a base attack bonus of 6 on as long as each hits. One chain a round, none
// attacked twice.
//
// celesia.attack.cleave, celesia.attack.cleave-exposes, celesia.attack.cleave-chain
func cleave(r *rules.Resolution, id string, w *eventv1.CelesiaWeapon, take *eventv1.TakeAction) {
	c := r.Creature(id)
	strength, _ := score(c, "strength")
	if !slices.Contains(r.State().Active, id) || ranged(w) || strength < 13 || sheetOf(c).BaseAttack < 1 || c.Marks[mCleaved] == itoa(r.State().Round) {
		return
	}
	struck := []string{target(take)}
	for n := 1; ; n++ {
		foes := besideFoes(r.State(), r.Creature(id), struck, w, take)
		if len(foes) == 0 || !able(r.Creature(id)) {
			return
		}
		d := &eventv1.Decision{Name: decCleave, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: id, Cause: "hit with " + w.Name,
			Question: "Cleave on, letting every opponent attack with advantage?", DefaultOption: "no", Rule: "celesia.attack.cleave",
			Options: []*eventv1.DecisionOption{{Id: "no", Text: "Leave it at that"}}}
		for _, foe := range foes {
			d.Options = append(d.Options, &eventv1.DecisionOption{Id: foe, Text: "Attack " + r.Creature(foe).GetName()})
		}
		next := r.Ask("cleave/"+itoa(n), d).Option
		if next == "no" {
			return
		}
		r.Mark(id, mCleaved, itoa(r.State().Round), "celesia.attack.cleave")
		if !has(r.Creature(id), condCleaving) {
			r.AddCondition(id, &eventv1.Condition{Name: condCleaving, Cause: "cleave", Until: untilStart(id), Rule: "celesia.attack.cleave-exposes"})
		}
		struck = append(struck, next)
		if !cleaveAt(r, id, next, w, "cleave/"+itoa(n)) || sheetOf(r.Creature(id)).BaseAttack < 6 {
			return
		}
	}
}

// cleaveAt makes one attack of a cleave; an unarmed one provokes as it would
// otherwise.
func cleaveAt(r *rules.Resolution, id, foe string, w *eventv1.CelesiaWeapon, label string) bool {
	take := &eventv1.TakeAction{Creature: id, Action: "attack", Item: w.Name, Targets: []string{foe}}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: id, Action: "cleave", Targets: take.Targets, Item: w.Name}, "celesia.attack.cleave")
	if provokes, only := attackProvokes(r.State(), r.Creature(id), take); provokes {
		window(r, provocation{by: id, kind: "attack", take: take, provokes: true, only: only})
		if !able(r.Creature(id)) || refuseAttack(r.State(), r.Creature(id), take) != nil {
			return false
		}
	}
	return makeAttack(r, attack{by: id, target: foe, weapon: w, label: label, take: take})
}

// besideFoes are the foes that a cleave can go on to: adjacent to the one
// attacked last, by measure or as stated, within reach and not yet attacked.
func besideFoes(s *eventv1.State, c *eventv1.Creature, struck []string, w *eventv1.CelesiaWeapon, take *eventv1.TakeAction) []string {
	last := s.Creatures[struck[len(struck)-1]]
	stated, said := spoken.Words(take.GetFacts(), "beside")
	var out []string
	for _, id := range rules.SortedKeys(s.Creatures) {
		foe := s.Creatures[id]
		if foe.Side == c.Side || dead(foe) || slices.Contains(struck, id) {
			continue
		}
		feet, known := distance(last, foe)
		if said && !slices.Contains(stated, id) || !said && (!known || feet > 5) {
			continue
		}
		if refuseAttack(s, c, &eventv1.TakeAction{Creature: c.Id, Item: w.Name, Targets: []string{id}}) == nil {
			out = append(out, id)
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
		rule = "celesia.attack.reckless-aim-natural-1"
	case picked(a.take, optionReckless):
		rule = "celesia.attack.reckless-offense-natural-1"
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
