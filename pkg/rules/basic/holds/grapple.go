package holds

import (
	"cmp"
	"slices"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/order"
	"github.com/skaldrpg/skald/pkg/rules/basic/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Wrestling are the abilities to wrestle with.
var Wrestling = []string{"strength", "dexterity"}

// AbilityItems offers the abilities to wrestle with as the items of an action.
func AbilityItems(*play.At) []string { return Wrestling }

// RefuseGrab says why the actor may not grab: it is held itself, or may not attack.
func RefuseGrab(at *play.At) error {
	s, c := at.State, at.Actor
	if body.Has(c, body.CondHeld) {
		return body.Refuse("HELD", cite.AttackGrappleTouch, "%s is held", c.Name)
	}
	return body.RefuseAttacking(s, c)
}

// RefuseHeldBlow: who may make no attack hurts nobody in a hold either.
func RefuseHeldBlow(at *play.At) error {
	s, c := at.State, at.Actor
	return body.RefuseAttacking(s, c)
}

// RefuseGrabTarget says why a target cannot be grabbed: the actor holds it already, or
// cannot reach it.
func RefuseGrabTarget(at *play.At, t *eventv1.Creature) error {
	s, c, facts := at.State, at.Actor, at.Take.Facts
	if body.HeldBy(t, c.Id) != nil {
		return body.Refuse("HELD", cite.AttackGrappleTouch, "%s holds %s already", c.Name, t.Name)
	}
	return strike.RefuseBlow(s, c, body.EngagedFeet, t, facts)
}

// LeaveHeld ends the holds of one who is no longer where those held are, but not
// that on the one it drags along.
//
// basic.movement.grapple-enter-space
func LeaveHeld(r *rules.Resolution, holder, dragged string) {
	for _, id := range body.Living(r.State()) {
		if id == dragged {
			continue
		}
		x := body.HeldBy(r.Creature(id), holder)
		if d, known := body.Measured(r.Creature(holder), r.Creature(id)); x != nil && (!known || d > 0) {
			strike.Free(r, id, x, "the holder goes away")
		}
	}
}

// Wrestle makes the check for the hold; on a tie nothing changes.
//
// basic.dice.grapple-check, basic.dice.grapple-size
func Wrestle(r *rules.Resolution, holder, target, ability string) {
	if ability == "" {
		ability = askAbility(r, holder)
	}
	theirs := askAbility(r, target)
	mine := grappleRoll(r, holder, ability)
	if grappleRoll(r, target, theirs) > mine {
		if x := body.HeldBy(r.Creature(target), holder); x != nil {
			strike.Free(r, target, x, "breaks free")
		}
	}
}

func askAbility(r *rules.Resolution, id string) string {
	c := r.Creature(id)
	best := "strength"
	if body.SheetOf(c).DexterityModifier > body.SheetOf(c).StrengthModifier {
		best = "dexterity"
	}
	if body.SheetOf(c).DexterityModifier == body.SheetOf(c).StrengthModifier || !body.Up(c) {
		return best // nothing to choose
	}
	return r.Ask("ability/"+id, &eventv1.Decision{Name: body.DecAbility, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: id,
		Cause: "grapple check", Question: "With which ability?", DefaultOption: best, Rule: cite.DiceGrappleCheck,
		Options: []*eventv1.DecisionOption{{Id: "strength", Text: "Strength"}, {Id: "dexterity", Text: "Dexterity"}}}).GetOption()
}

func grappleRoll(r *rules.Resolution, id, ability string) int32 {
	c := r.Creature(id)
	value := body.SheetOf(c).StrengthModifier
	if ability == "dexterity" {
		value = body.SheetOf(c).DexterityModifier
	}
	mods := strike.CheckModifiers(r, c, body.RollGrapple, value, ability)
	if n, by := body.BookOf(r.Content()).SizeModifier(c.Size); n != 0 {
		mods = append(mods, &eventv1.Modifier{Value: n, Source: c.Size, Rule: cmp.Or(by, cite.DiceGrappleSize)})
	}
	added, expression, again := house.Check(r, "grapple/"+id, id, house.PointCheck+"/grapple", "1d20")
	return r.Roll(rules.RollSpec{Label: "grapple/" + id, Creature: id, Expression: expression, Reason: "grapple check", Modifiers: append(mods, added...),
		Rules: append([]string{cite.DiceGrappleCheck}, again...)}).Total
}

// KeepHold makes the check of a hold once a round, on the holder's number.
//
// basic.dice.grapple-check
func KeepHold(r *rules.Resolution, holder string) {
	round := r.State().Round
	if slices.ContainsFunc(r.Creature(holder).Relations, func(rel *eventv1.Relation) bool { return rel.Kind == body.RelHolds && rel.Round == round }) {
		return
	}
	for _, id := range body.Living(r.State()) {
		if body.HeldBy(r.Creature(id), holder) != nil {
			Checked(r, holder, id)
			strike.SpeakAgain(r, id)
			Wrestle(r, holder, id, "")
		}
	}
}

// Checked notes that the check of a hold is made in this round.
func Checked(r *rules.Resolution, holder, held string) {
	r.Relate(holder, &eventv1.Relation{Kind: body.RelHolds, To: held, Round: r.State().Round, Rule: cite.DiceGrappleCheck}, cite.DiceGrappleCheck)
}

// silence keeps one held from speaking, once the present number is over; one whom another
// holder keeps from it already stays as it is.
//
// basic.action.hold-silence
func silence(r *rules.Resolution, id, holder string) {
	s := r.State()
	values := map[string]int32{"round": s.Round, "number": int32(s.Counters[body.CCount])}
	if body.Has(r.Creature(id), body.CondSilenced) {
		return
	}
	body.Inflict(r, id, &eventv1.Condition{Name: body.CondSilenced, Source: holder, Cause: "grapple", Rule: cite.ActionHoldSilence, Values: values})
}

// DoHoldPunch does the damage of a punch; reading: without an attack roll.
//
// basic.action.hold-unarmed-damage
func DoHoldPunch(r *rules.Resolution, at *play.At) error {
	b := strike.Begin(r, at, cite.ActionHoldUnarmedDamage)
	b.Weapon = body.Brawls[0]
	strike.Attacks(r, b.Attacker, b.Target, cite.SpellDisruption)
	if strike.Harms(b.Weapon, r.Creature(b.Target)) {
		b.Damage(r, nil, false)
	}
	return nil
}

// DoHoldSilence keeps the first target from speaking after the present number.
func DoHoldSilence(r *rules.Resolution, at *play.At) error {
	c, take := at.Actor, at.Take
	strike.Begin(r, at, cite.ActionHoldSilence)
	silence(r, take.Targets[0], c.Id)
	return nil
}

// DoLetGo ends the actor's hold on the first target.
func DoLetGo(r *rules.Resolution, at *play.At) error {
	c, take := at.Actor, at.Take
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "let-go", Targets: take.Targets}, cite.DiceGrappleCheck)
	strike.Free(r, take.Targets[0], body.HeldBy(r.Creature(take.Targets[0]), c.Id), "let go")
	return nil
}

// RefuseDrag says why the actor drags nobody: a condition bars moving, no movement is
// left, or the way is too far.
func RefuseDrag(at *play.At) error {
	c := at.Actor
	if err := order.RefuseMoving(c); err != nil {
		return err
	}
	if c.Counters[body.CMovement] < 1 || body.Walk(c) < 2 {
		return body.Refuse("NO_MOVEMENT", cite.MovementHoldMoveOpponent, "%s has no movement left", c.Name)
	}
	return RefuseTooFar(at)
}

// RefuseWeak: whether the holder is strong enough is the game master's call.
//
// basic.movement.hold-move-opponent
func RefuseWeak(at *play.At, t *eventv1.Creature) error {
	c, facts := at.Actor, at.Take.Facts
	if err := body.RefuseNotHeld(at, t); err != nil {
		return err
	}
	if strong, stated := body.Told(facts, "strong_enough"); stated && !strong {
		return body.Refuse("TOO_HEAVY", cite.MovementHoldMoveOpponent, "%s is not strong enough to move %s", c.Name, t.Name)
	}
	return nil
}
