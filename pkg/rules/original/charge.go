package original

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func chargeActions() []*action {
	return []*action{
		{id: "charge", title: "Charge", options: chargeOptions, do: doCharge},
		{id: "set-spear", title: "Set spear or pike against a charge", options: func(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
			return []*eventv1.Option{option("", setRefused(s, c))}
		}, do: doSet},
	}
}

// turnNow is the Turn on the encounter's clock, from 1.
//
// original.charge.once-per-turn
func turnNow(s *eventv1.State) int64 {
	return int64(max(0, s.Round-1)/max(1, int32(defaults.Number(s, setTurnRounds)))) + 1
}

func chargeOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	var list []*eventv1.Option
	for _, w := range weapons(c) {
		if !missile(w) {
			o := targeted(w.Name, foes(s, c), func(id string) error {
				return chargeRefused(s, c, s.Creatures[id], w, distance(c, s.Creatures[id]))
			})
			o.Parameters = append(blowParameters(s, c, w), &eventv1.Parameter{Name: "feet", Type: "number", Text: "How far; without it, up to the foe"})
			list = append(list, o)
		}
	}
	return list
}

// chargeRefused says why a creature may not charge a foe so many feet away.
//
// original.charge.move, original.charge.once-per-turn
func chargeRefused(s *eventv1.State, c, target *eventv1.Creature, w *eventv1.OriginalWeapon, feet int32) error {
	full := fullMove(s, c)
	switch {
	case missile(w) || !usable(c, w):
		return refuse("NO_WEAPON", cite.ChargeMove, "%s is no weapon to charge with now", w.Name)
	case len(engagedWith(s, c)) > 0:
		return refuse("ENGAGED", cite.MovementEngagedRestricts, "%s is in melee", c.Name)
	case c.Counters[cCharged] == turnNow(s):
		return refuse("CHARGED", cite.ChargeOncePerTurn, "%s has charged in this Turn", c.Name)
	case c.Counters[cMoved] > 0:
		return refuse("MOVED", cite.ChargeMove, "%s has moved this round", c.Name)
	case full == 0:
		return refuse("NO_MOVEMENT", cite.ChargeMove, "%s cannot move", c.Name)
	case target == nil || target.Side == c.Side || dead(target):
		return refuse("NO_FOE", cite.ChargeMove, "there is no foe to charge")
	case feet < 0:
		return refuse("NO_DISTANCE", cite.ChargeMove, "the distance to %s is not known: state it", target.Name)
	case 2*feet <= full:
		return refuse("TOO_NEAR", cite.ChargeMove, "%d feet are no more than half of %d: an ordinary move", feet, full)
	case feet > full+meleeFeet:
		return refuse("TOO_FAR", cite.ChargeEndWithin10, "%s is %d feet away, the charge goes %d", target.Name, feet, full)
	}
	if err := attackLeft(s, c); err != nil {
		return err
	}
	return surroundRefused(s, c, target)
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
	id, err := oneTarget(take)
	if err != nil {
		return err
	}
	s, target := r.State(), r.Creature(id)
	w, err := weaponOf(c, take.Item)
	if err != nil {
		return err
	}
	feet, is := spoken.Number(take.GetFacts(), "distance")
	if !is {
		feet = distance(c, target)
	}
	if err := chargeRefused(s, c, target, w, feet); err != nil {
		return err
	}
	move, err := chargeMove(s, c, feet, take)
	if err != nil {
		return err
	}
	if err := mannerRefused(s, c, w, take); err != nil {
		return err
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Targets: take.Targets, Item: w.Name}, cite.ChargeMove)
	r.Mark(c.Id, mCharging, itoa(s.Round), cite.ChargeNoDex)
	stirs(r, c.Id)
	r.Set(c.Id, cCharged, turnNow(s), "charge", cite.ChargeOncePerTurn)
	r.Set(c.Id, cAttacks, 1, "charge", cite.ChargeFirstAttackOnly)
	if target.Marks[mNormal] == "" || w.Untrained {
		r.Mark(c.Id, mStrong, itoa(s.Round), cite.AttackMultiVsNormalMen)
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
		r.Mark(c.Id, mRan, itoa(s.Round), cite.MovementRunning)
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
	case c.Marks[mSet] == itoa(s.Round):
		return w
	case setRefused(s, c) != nil:
		return nil
	}
	answer := r.Ask("set/"+id, rules.YesNo(decSet, id, r.Creature(charger).Name+" charges", "Set "+w.Name+" against the charge?", "yes", cite.ChargeSetSpear))
	if answer.Option != "yes" {
		return nil
	}
	r.Mark(id, mSet, itoa(s.Round), cite.ChargeSetSpear)
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
	footman := charge.attacker.Marks[mMounted] == "" && normalMelee(w)
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
	if err := setRefused(r.State(), c); err != nil {
		return err
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Item: spearOf(c).Name}, cite.ChargeSetSpear)
	r.Mark(c.Id, mSet, itoa(r.State().Round), cite.ChargeSetSpear)
	return nil
}
