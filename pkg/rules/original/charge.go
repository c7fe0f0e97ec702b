package original

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/original/moving"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func chargeActions() []*play.Action {
	return []*play.Action{
		{ID: "charge", Title: "Charge", Rule: cite.ChargeMove, Group: play.GroupAttack, Costs: thestrike.AnAttack, Least: 1, Most: 1,
			Items: thestrike.Armed(func(w *eventv1.OriginalWeapon) bool { return !body.Missile(w) }), Candidates: thestrike.FoesAt, Refuse: moving.RefuseCharge, RefuseTarget: moving.RefuseCharged,
			Optional: true, Fields: moving.ChargeFields, Check: moving.CheckCharge, Do: body.Deed(doCharge)},
		{ID: "set-spear", Title: "Set spear or pike against a charge", Rule: cite.ChargeSetSpear, Group: play.GroupDefend,
			Refuse: thestrike.AsSeen(moving.SetRefused), Do: body.Deed(moving.DoSet)},
	}
}

func doCharge(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	id := take.Targets[0]
	s, target, w := r.State(), r.Creature(id), body.WeaponOf(c, take.Item)
	feet := moving.ChargeFeet(c, target, take)
	move, err := moving.ChargeMove(s, c, feet, take)
	if err != nil {
		return err
	}
	// original.surprise.behind-no-return: whoever is charged from behind does not see it come.
	unaware := ""
	if thestrike.NewBlow(s, c, target, w, take).Position == "behind" {
		unaware = id
	}
	setOut(r, c.Id, id, w, move)
	var set *eventv1.OriginalWeapon
	if unaware == "" {
		if against := chargesInTurn(r, id, c.Id, feet); against != nil {
			chargeEachOther(r, c.Id, id, w, against, feet, take)
			return nil
		}
		set = moving.Receive(r, id, c.Id)
	}
	shootAtCharger(r, c.Id, unaware)
	if moving.Falls(r, c.Id) {
		return nil
	}
	end := moving.ChargeEnd(r.Creature(c.Id), r.Creature(id), feet, move)
	if !rideUp(r, c.Id, end, move) {
		return nil
	}
	if feet-move > body.MeleeFeet { // original.charge.end-within-10
		r.Note(event.Everyone(), c.Id, "the charge falls short", cite.ChargeEndWithin10)
		body.During(r, c.Id, body.CondRan, cite.MovementRunning)
		return nil
	}
	contact(r, c.Id, id, w, set, take)
	answerCharge(r, id, c.Id, take.Facts)
	return nil
}

// setOut begins a charge of so many feet: it takes the attack of the round, and the
// charge of the Turn.
func setOut(r *rules.Resolution, id, target string, w *eventv1.OriginalWeapon, move int32) {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: id, Action: "charge", Targets: []string{target}, Item: w.Name}, cite.ChargeMove)
	body.During(r, id, body.CondCharging, cite.ChargeNoDex)
	thestrike.Stirs(r, id)
	r.Set(id, body.CCharged, moving.TurnNow(r.State()), "charge", cite.ChargeOncePerTurn)
	r.Set(id, body.CAttacks, 1, "charge", cite.ChargeFirstAttackOnly)
	if r.Creature(target).Marks[body.MNormal] == "" || w.Untrained {
		r.Set(id, body.CStrong, r.Count(id, body.CStrong)+1, "this round", cite.AttackMultiVsNormalMen)
	}
	r.Set(id, body.CMoved, int64(move), "charge", cite.ChargeMove)
}

// rideUp moves a charger, past those on its way who strike at it; it tells whether it
// arrives. Without a place on the map it does.
//
// original.movement.through-line
func rideUp(r *rules.Resolution, id string, end *eventv1.Position, move int32) bool {
	if end == nil {
		return true
	}
	shots(r, id, moving.Contest(r, id, moving.LeftBehind(r.State(), r.Creature(id), []*eventv1.Position{end})), nil)
	if moving.Falls(r, id) {
		return false
	}
	r.Move(&eventv1.Moved{Creature: id, Mode: "charge", Feet: move, To: end}, cite.ChargeMove)
	return true
}

// shootAtCharger lets those who have their attack left shoot at a charger, but for one who
// is unaware of it; empty for none.
//
// original.charge.open-to-missiles
func shootAtCharger(r *rules.Resolution, charger, unaware string) {
	for _, id := range body.Foes(r.State(), r.Creature(charger)) {
		if id == unaware {
			continue
		}
		if !thestrike.Able(r.State(), r.Creature(charger)) {
			return
		}
		spellAtCharger(r, id, charger)
		s, c, target := r.State(), r.Creature(id), r.Creature(charger)
		if !thestrike.Able(s, target) {
			return
		}
		w := moving.MissileFor(r.Content(), s, c, target)
		if w == nil || !thestrike.Able(s, c) || body.Has(c, body.CondStruggling) {
			continue
		}
		answer := r.Ask("missile/"+id, rules.About(rules.YesNo(body.DecMissile, id, target.Name+" charges", "Shoot "+w.Name+" at "+target.Name+" as it closes?", "no", cite.ChargeOpenToMissiles), charger))
		if answer.Option != "yes" {
			continue
		}
		b := thestrike.NewBlow(s, c, target, w, &eventv1.TakeAction{})
		b.Label = "missile/" + id
		r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: id, Action: "charge-missile", Targets: []string{charger}, Item: w.Name}, cite.ChargeOpenToMissiles)
		thestrike.CountAttack(r, b)
		thestrike.Stray(r, b)
		lay(r, strike(r, b))
	}
}

// contact is the end of a charge: who strikes in which order.
//
// original.charge.set-spear-first, original.charge.longer-reach-first, original.charge.no-initiative
func contact(r *rules.Resolution, id, target string, w, set *eventv1.OriginalWeapon, take *eventv1.TakeAction) {
	charge := thestrike.NewBlow(r.State(), r.Creature(id), r.Creature(target), w, &eventv1.TakeAction{Facts: take.Facts, Parameters: take.Parameters, Circumstances: take.Circumstances})
	charge.Charge, charge.Melee, charge.Band = true, true, ""
	if body.Dead(charge.Target) { // by one of its own who shot at the charger
		return
	}
	if set == nil {
		if reachFirst(r, charge) {
			return
		}
		layOrHold(r, strike(r, charge))
		return
	}
	brace := func() *thestrike.Wound {
		b := thestrike.NewBlow(r.State(), r.Creature(target), r.Creature(id), set, body.AtHandOf(take.Facts))
		b.Label, b.Set = "set/"+target, true
		thestrike.CountAttack(r, b)
		return strike(r, b)
	}
	if !thestrike.Able(r.State(), r.Creature(target)) {
		lay(r, strike(r, charge))
		return
	}
	k := thestrike.TablesOf(r.Content())
	footman := !body.Has(charge.Attacker, body.CondMounted) && moving.NormalMelee(w)
	switch longer := k.ReachRank(set) - k.ReachRank(w); {
	case footman || longer > 0:
		lay(r, brace())
		if thestrike.Able(r.State(), r.Creature(id)) {
			charge.Attacker, charge.Target = r.Creature(id), r.Creature(target)
			lay(r, strike(r, charge))
		}
	case longer == 0:
		first, second := strike(r, charge), brace()
		lay(r, first)
		lay(r, second)
	default:
		lay(r, strike(r, charge))
		if thestrike.Able(r.State(), r.Creature(target)) && !body.Dead(r.Creature(id)) {
			lay(r, brace())
		}
	}
}
