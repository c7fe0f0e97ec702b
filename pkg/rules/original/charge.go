package original

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func chargeActions() []*play.Action {
	return []*play.Action{
		{ID: "charge", Title: "Charge", Rule: cite.ChargeMove, Group: play.GroupAttack, Costs: anAttack, Least: 1, Most: 1,
			Items: armed(func(w *eventv1.OriginalWeapon) bool { return !missile(w) }), Candidates: foesAt, Refuse: refuseCharge, RefuseTarget: refuseCharged,
			Fields: chargeFields, Check: checkCharge, Do: deed(doCharge)},
		{ID: "set-spear", Title: "Set spear or pike against a charge", Rule: cite.ChargeSetSpear, Group: play.GroupDefend,
			Refuse: func(at *play.At) error { return setRefused(at.State, at.Actor) }, Do: deed(doSet)},
	}
}

// turnNow is the Turn on the encounter's clock, from 1.
//
// original.charge.once-per-turn
func turnNow(s *eventv1.State) int64 {
	return int64(max(0, s.Round-1)/max(1, int32(defaults.Number(s, setTurnRounds)))) + 1
}

// chargeFields are the choices of one who charges; how far is more than half its move.
func chargeFields(at *play.At) []play.Field {
	list := blowFields(at)
	if full := fullMove(at.State, at.Actor); at.Listing {
		return append(list, play.Field{Name: "feet", Least: full/2 + 1, Most: max(full/2+1, full)})
	}
	return append(list, play.Field{Name: "feet"})
}

// refuseCharge says why a creature may not charge anybody with a weapon.
//
// original.charge.move, original.charge.once-per-turn
func refuseCharge(at *play.At) error {
	s, c, w := at.State, at.Actor, weaponAt(at)
	switch {
	case missile(w) || !usable(c, w):
		return refuse("NO_WEAPON", cite.ChargeMove, "%s is no weapon to charge with now", w.Name)
	case len(sightOf(at).engaged()) > 0:
		return refuse("ENGAGED", cite.MovementEngagedRestricts, "%s is in melee", c.Name)
	case c.Counters[cCharged] == turnNow(s):
		return refuse("CHARGED", cite.ChargeOncePerTurn, "%s has charged in this Turn", c.Name)
	case c.Counters[cMoved] > 0:
		return refuse("MOVED", cite.ChargeMove, "%s has moved this round", c.Name)
	case fullMove(s, c) == 0:
		return refuse("NO_MOVEMENT", cite.ChargeMove, "%s cannot move", c.Name)
	}
	return attackLeft(s, c)
}

// refuseCharged says why a creature may not charge a foe: how far it is is stated, or
// measured.
//
// original.charge.move
func refuseCharged(at *play.At, target *eventv1.Creature) error {
	full := fullMove(at.State, at.Actor)
	if target == nil || target.Side == at.Actor.Side || dead(target) {
		return refuse("NO_FOE", cite.ChargeMove, "there is no foe to charge")
	}
	switch feet := chargeFeet(at.Actor, target, at.Take); {
	case feet < 0:
		return refuse("NO_DISTANCE", cite.ChargeMove, "the distance to %s is not known: state it", target.Name)
	case 2*feet <= full:
		return refuse("TOO_NEAR", cite.ChargeMove, "%d feet are no more than half of %d: an ordinary move", feet, full)
	case feet > full+meleeFeet:
		return refuse("TOO_FAR", cite.ChargeEndWithin10, "%s is %d feet away, the charge goes %d", target.Name, feet, full)
	}
	return surroundRefused(at.State, at.Actor, target)
}

// chargeFeet is how far a foe is to charge: as stated, or as measured; -1 when nobody
// knows.
func chargeFeet(c, target *eventv1.Creature, take *eventv1.TakeAction) int32 {
	if feet, stated := spoken.Number(take.GetFacts(), "distance"); stated {
		return feet
	}
	return distance(c, target)
}

// checkCharge refuses a charge of a length that none has, and one in a manner that
// the creature cannot strike in.
func checkCharge(at *play.At) error {
	if _, err := chargeMove(at.State, at.Actor, chargeFeet(at.Actor, at.Target(), at.Take), at.Take); err != nil {
		return err
	}
	return mannerRefused(at)
}

// chargeMove is how far a charge at a foe goes: the stated feet, or up to 5
// feet from the foe.
func chargeMove(s *eventv1.State, c *eventv1.Creature, feet int32, take *eventv1.TakeAction) (int32, error) {
	full := fullMove(s, c)
	move := min(full, max(full/2+1, feet-5))
	if n, stated := spoken.Number(take.GetParameters(), "feet"); stated {
		move = n
	}
	if move > full || 2*move <= full || move > feet {
		return 0, refuse("NO_CHARGE", cite.ChargeMove, "a charge goes more than half of %d feet and no further than all of it or the foe", full)
	}
	return move, nil
}

func doCharge(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	id := take.Targets[0]
	s, target, w := r.State(), r.Creature(id), weaponOf(c, take.Item)
	feet := chargeFeet(c, target, take)
	move, err := chargeMove(s, c, feet, take)
	if err != nil {
		return err
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Targets: take.Targets, Item: w.Name}, cite.ChargeMove)
	during(r, c.Id, condCharging, cite.ChargeNoDex)
	stirs(r, c.Id)
	r.Set(c.Id, cCharged, turnNow(s), "charge", cite.ChargeOncePerTurn)
	r.Set(c.Id, cAttacks, 1, "charge", cite.ChargeFirstAttackOnly)
	if target.Marks[mNormal] == "" || w.Untrained {
		r.Set(c.Id, cStrong, r.Count(c.Id, cStrong)+1, "this round", cite.AttackMultiVsNormalMen)
	}
	r.Set(c.Id, cMoved, int64(move), "charge", cite.ChargeMove)
	set := receive(r, id, c.Id)
	shootAtCharger(r, c.Id)
	if falls(r, c.Id) {
		return nil
	}
	end := chargeEnd(r.Creature(c.Id), r.Creature(id), feet, move)
	if end != nil { // original.movement.through-line
		shots(r, c.Id, contest(r, c.Id, leftBehind(r.State(), r.Creature(c.Id), []*eventv1.Position{end})), nil)
		if falls(r, c.Id) {
			return nil
		}
		r.Move(&eventv1.Moved{Creature: c.Id, Mode: "charge", Feet: move, To: end}, cite.ChargeMove)
	}
	if feet-move > meleeFeet { // original.charge.end-within-10
		r.Note(event.Everyone(), c.Id, "the charge falls short", cite.ChargeEndWithin10)
		during(r, c.Id, condRan, cite.MovementRunning)
		return nil
	}
	contact(r, c.Id, id, w, set, take)
	answerCharge(r, id, c.Id)
	return nil
}

// chargeEnd is where a charge ends on the map, on the line to the foe; nil where
// a place is not known.
func chargeEnd(c, t *eventv1.Creature, feet, move int32) *eventv1.Position {
	if c.Position == nil || t.GetPosition() == nil || feet < 1 {
		return nil
	}
	left := max(0, feet-move)
	at := func(from, to int32) int32 { return to + int32((int64(from)-int64(to))*int64(left)/int64(feet)) }
	return &eventv1.Position{X: at(c.Position.X, t.Position.X), Y: at(c.Position.Y, t.Position.Y), Z: at(c.Position.Z, t.Position.Z)}
}

// receive asks whether the foe sets its weapon, and returns the weapon set.
//
// original.charge.set-spear
func receive(r *rules.Resolution, id, charger string) *eventv1.OriginalWeapon {
	s, c := r.State(), r.Creature(id)
	w := spearOf(c)
	switch {
	case w == nil || !able(s, c) || has(c, condStruggling):
		return nil
	case c.Counters[cAttacks] > 0:
		return nil // it has met a charge already
	case rules.BegunOf(c, begunSet) != nil:
		return w
	case setRefused(s, c) != nil:
		return nil
	}
	answer := r.Ask("set/"+id, rules.YesNo(decSet, id, r.Creature(charger).Name+" charges", "Set "+w.Name+" against the charge?", "yes", cite.ChargeSetSpear))
	if answer.Option != "yes" {
		return nil
	}
	setWeapon(r, id, w)
	return w
}

// shootAtCharger lets those who have their attack left shoot at a charger.
//
// original.charge.open-to-missiles
func shootAtCharger(r *rules.Resolution, charger string) {
	for _, id := range foes(r.State(), r.Creature(charger)) {
		if !able(r.State(), r.Creature(charger)) {
			return
		}
		spellAtCharger(r, id, charger)
		s, c, target := r.State(), r.Creature(id), r.Creature(charger)
		if !able(s, target) {
			return
		}
		w := missileFor(s, c, target)
		if w == nil || !able(s, c) || attackLeft(s, c) != nil || has(c, condStruggling) {
			continue
		}
		answer := r.Ask("missile/"+id, rules.YesNo(decMissile, id, target.Name+" charges", "Shoot "+w.Name+" at "+target.Name+" as it closes?", "no", cite.ChargeOpenToMissiles))
		if answer.Option != "yes" {
			continue
		}
		b := newBlow(s, c, target, w, &eventv1.TakeAction{})
		b.label = "missile/" + id
		r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: id, Action: "charge-missile", Targets: []string{charger}, Item: w.Name}, cite.ChargeOpenToMissiles)
		countAttack(r, b)
		stray(r, b)
		lay(r, strike(r, b))
	}
}

// missileFor is a weapon that a creature could shoot or throw at a target now.
func missileFor(s *eventv1.State, c, target *eventv1.Creature) *eventv1.OriginalWeapon {
	open := openPhase(s)
	for _, w := range weapons(c) {
		if melee, _ := reachOf(c, target, w, &eventv1.TakeAction{}); melee || !ranged(w) {
			continue
		}
		if attackRefused(open, c, target, w, &eventv1.TakeAction{}) == nil {
			return w
		}
	}
	return nil
}

// contact is the end of a charge: who strikes in which order.
//
// original.charge.set-spear-first, original.charge.longer-reach-first, original.charge.no-initiative
func contact(r *rules.Resolution, id, target string, w, set *eventv1.OriginalWeapon, take *eventv1.TakeAction) {
	charge := newBlow(r.State(), r.Creature(id), r.Creature(target), w, &eventv1.TakeAction{Facts: take.Facts, Parameters: take.Parameters, Circumstances: take.Circumstances})
	charge.charge, charge.melee, charge.band = true, true, ""
	if set == nil {
		if reachFirst(r, charge) {
			return
		}
		layOrHold(r, strike(r, charge))
		return
	}
	brace := func() *wound {
		b := newBlow(r.State(), r.Creature(target), r.Creature(id), set, atHand())
		b.label, b.set = "set/"+target, true
		countAttack(r, b)
		return strike(r, b)
	}
	if !able(r.State(), r.Creature(target)) {
		lay(r, strike(r, charge))
		return
	}
	footman := !has(charge.attacker, condMounted) && normalMelee(w)
	switch longer := reachRank(set) - reachRank(w); {
	case footman || longer > 0:
		lay(r, brace())
		if able(r.State(), r.Creature(id)) {
			charge.attacker, charge.target = r.Creature(id), r.Creature(target)
			lay(r, strike(r, charge))
		}
	case longer == 0:
		first, second := strike(r, charge), brace()
		lay(r, first)
		lay(r, second)
	default:
		lay(r, strike(r, charge))
		if able(r.State(), r.Creature(target)) && !dead(r.Creature(id)) {
			lay(r, brace())
		}
	}
}

// normalMelee tells whether a weapon is one that a set spear outreaches.
func normalMelee(w *eventv1.OriginalWeapon) bool {
	switch w.Kind {
	case "lance", "pike", "long-spear", "polearm":
		return false
	}
	return true
}

// spearOf is a weapon in hand that can be set; nil when there is none.
func spearOf(c *eventv1.Creature) *eventv1.OriginalWeapon {
	for _, w := range weapons(c) {
		if canSet(w) && usable(c, w) {
			return w
		}
	}
	return nil
}

// setRefused says why a creature may not set its weapon.
func setRefused(s *eventv1.State, c *eventv1.Creature) error {
	if spearOf(c) == nil {
		return refuse("NO_SPEAR", cite.ChargeSetSpear, "only spears and pikes are set against a charge")
	}
	return attackLeft(s, c)
}

func doSet(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Item: spearOf(c).Name}, cite.ChargeSetSpear)
	setWeapon(r, c.Id, spearOf(c))
	return nil
}

// setWeapon has a creature set a weapon against charges of this round.
func setWeapon(r *rules.Resolution, id string, w *eventv1.OriginalWeapon) {
	r.Begin(id, &eventv1.Begun{Kind: begunSet, Action: &eventv1.TakeAction{Creature: id, Action: "set-spear", Item: w.Name},
		Round: r.State().Round, Until: thisRound(r), Rule: cite.ChargeSetSpear}, cite.ChargeSetSpear)
}
