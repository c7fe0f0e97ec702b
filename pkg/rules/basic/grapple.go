package basic

import (
	"slices"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// grab is what a touch that grabs is made with.
var grab = &eventv1.BasicWeapon{Name: "grapple", Damage: "1d3", Kind: "melee", Natural: true, AllEdges: true}

var wrestlers = []string{kindGrapple, kindHold}

func grappleActions() []*action {
	return []*action{
		{id: "grapple", title: "Grab somebody", rule: cite.AttackGrappleTouch, kinds: wrestlers, costs: true, items: abilityItems,
			refuse: refuseGrab, refuseTarget: refuseGrabTarget, least: 1, most: 1, do: doGrapple},
		{id: "hold-punch", title: "Hurt the one held", rule: cite.ActionHoldUnarmedDamage, kinds: wrestlers, costs: true,
			refuse: refuseHeldBlow, refuseTarget: refuseNotHeld, least: 1, most: 1, do: doHoldPunch},
		{id: "hold-silence", title: "Keep the one held from speaking", rule: cite.ActionHoldSilence, kinds: wrestlers, costs: true,
			refuseTarget: refuseNotHeld, least: 1, most: 1, do: doHoldSilence},
		{id: "hold-drag", title: "Drag the one held", rule: cite.MovementHoldMoveOpponent, kinds: wrestlers, costs: true,
			refuse: refuseDrag, refuseTarget: refuseWeak, least: 1, most: 1, parameters: moveParameters, do: doDrag},
		{id: "let-go", title: "Let go", rule: cite.DiceGrappleCheck, refuseTarget: refuseNotHeld, least: 1, most: 1, do: doLetGo},
	}
}

func abilityItems(*eventv1.State, *eventv1.Creature) []string {
	return []string{"strength", "dexterity"}
}

func refuseGrab(s *eventv1.State, c *eventv1.Creature, _ string) error {
	if has(c, condHeld) {
		return refuse("HELD", cite.AttackGrappleTouch, "%s is held", c.Name)
	}
	return refuseAttacking(s, c)
}

// refuseHeldBlow: who may make no attack hurts nobody in a hold either.
func refuseHeldBlow(s *eventv1.State, c *eventv1.Creature, _ string) error {
	return refuseAttacking(s, c)
}

// heldBy finds the hold of one creature on another; nil when there is none.
func heldBy(c *eventv1.Creature, holder string) *eventv1.Condition {
	for _, x := range c.GetConditions() {
		if x.Name == condHeld && x.Source == holder {
			return x
		}
	}
	return nil
}

func refuseGrabTarget(s *eventv1.State, c *eventv1.Creature, _ string, t *eventv1.Creature, facts *structpb.Struct) error {
	if heldBy(t, c.Id) != nil {
		return refuse("HELD", cite.AttackGrappleTouch, "%s holds %s already", c.Name, t.Name)
	}
	return refuseBlow(s, c, engagedFeet, t, facts)
}

func refuseNotHeld(_ *eventv1.State, c *eventv1.Creature, _ string, t *eventv1.Creature, _ *structpb.Struct) error {
	if heldBy(t, c.Id) == nil {
		return refuse("NOT_HELD", cite.DiceGrappleCheck, "%s does not hold %s", c.Name, t.Name)
	}
	return nil
}

// doGrapple touches, steps into the other's space and wrestles for the hold.
//
// basic.attack.grapple-touch, basic.movement.grapple-enter-space, basic.dice.grapple-check
func doGrapple(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	b := begin(r, c, take, cite.AttackGrappleTouch)
	b.weapon, b.touch, b.ability = grab, true, take.Item
	if !b.strike(r) {
		return nil
	}
	if r.Count("", cTogether) == 0 {
		grabbed(r, c.Id, b.target, take.Item)
		return nil
	}
	t := putDown(r, taskGrab, c.Id, take.Item)
	t.Modifiers = []*eventv1.Modifier{{Source: b.target}}
	r.Emit(event.Everyone(), &eventv1.TaskSet{Task: t}, cite.InitiativeTiesSimultaneous)
	return nil
}

// takeHold lets the grabs and what was taken on a number take effect, after its
// blows. Reading: one who fell, or got out of reach on the same number, is not held.
//
// basic.initiative.ties-simultaneous, basic.action.hold-take-item
func takeHold(r *rules.Resolution) {
	for _, id := range rules.SortedKeys(r.State().Tasks) {
		t := r.State().Tasks[id]
		if t.Kind != taskGrab && t.Kind != taskTake {
			continue
		}
		holder, target := r.Creature(t.Creature), r.Creature(t.Modifiers[0].GetSource())
		d, known := measured(holder, target)
		if !up(holder) || target == nil || t.Kind == taskGrab && (!up(target) || known && d > engagedFeet) || t.Kind == taskTake && !slices.Contains(belongings(target), t.Text) {
			r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: t.Id, Outcome: "came to nothing"}, cite.InitiativeTiesSimultaneous)
			continue
		}
		r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: t.Id, Outcome: "took effect"}, cite.InitiativeTiesSimultaneous)
		if t.Kind == taskTake {
			handOver(r, holder.Id, target.Id, t.Text)
			continue
		}
		grabbed(r, holder.Id, target.Id, t.Text)
	}
}

// grabbed puts the holder into the other's space and has them wrestle.
//
// basic.movement.grapple-enter-space, basic.dice.grapple-check
func grabbed(r *rules.Resolution, holder, target, ability string) {
	c, t := r.Creature(holder), r.Creature(target)
	if c.Position != nil && t.Position != nil {
		r.Move(&eventv1.Moved{Creature: holder, To: t.Position, Mode: "grapple", Feet: grid.Steps(c.Position, t.Position)},
			cite.MovementGrappleEnterSpace)
		leaveHeld(r, holder, "")
		standInFire(r, holder)
		if !up(r.Creature(holder)) {
			return
		}
	}
	r.AddCondition(target, &eventv1.Condition{Name: condHeld, Source: holder, Cause: "grapple", Rule: cite.DiceGrappleCheck})
	r.Set(holder, cHeld, int64(r.State().Round), "")
	wrestle(r, holder, target, ability)
}

// leaveHeld ends the holds of one who is no longer where those held are, but not
// that on the one it drags along.
//
// basic.movement.grapple-enter-space
func leaveHeld(r *rules.Resolution, holder, dragged string) {
	for _, id := range living(r.State()) {
		if id == dragged {
			continue
		}
		x := heldBy(r.Creature(id), holder)
		if d, known := measured(r.Creature(holder), r.Creature(id)); x != nil && (!known || d > 0) {
			free(r, id, x, "the holder goes away")
		}
	}
}

// wrestle makes the check for the hold; on a tie nothing changes.
//
// basic.dice.grapple-check, basic.dice.grapple-size
func wrestle(r *rules.Resolution, holder, target, ability string) {
	if ability == "" {
		ability = askAbility(r, holder)
	}
	theirs := askAbility(r, target)
	mine := grappleRoll(r, holder, ability)
	if grappleRoll(r, target, theirs) > mine {
		if x := heldBy(r.Creature(target), holder); x != nil {
			free(r, target, x, "breaks free")
		}
	}
}

func askAbility(r *rules.Resolution, id string) string {
	c := r.Creature(id)
	best := "strength"
	if sheetOf(c).DexterityModifier > sheetOf(c).StrengthModifier {
		best = "dexterity"
	}
	if sheetOf(c).DexterityModifier == sheetOf(c).StrengthModifier || !up(c) {
		return best // nothing to choose
	}
	return r.Ask("ability/"+id, &eventv1.Decision{Name: decAbility, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: id,
		Cause: "grapple check", Question: "With which ability?", DefaultOption: best, Rule: cite.DiceGrappleCheck,
		Options: []*eventv1.DecisionOption{{Id: "strength", Text: "Strength"}, {Id: "dexterity", Text: "Dexterity"}}}).GetOption()
}

func grappleRoll(r *rules.Resolution, id, ability string) int32 {
	c := r.Creature(id)
	value := sheetOf(c).StrengthModifier
	if ability == "dexterity" {
		value = sheetOf(c).DexterityModifier
	}
	mods := checkModifiers(c, value, ability)
	if n := sizeModifier(c.Size); n != 0 {
		mods = append(mods, &eventv1.Modifier{Value: n, Source: c.Size, Rule: cite.DiceGrappleSize})
	}
	if n := stumbling(r.State(), c); n != 0 {
		mods = append(mods, &eventv1.Modifier{Value: n, Source: condStumbling, Rule: cite.FumbleStumble})
	}
	return r.Roll(rules.RollSpec{Label: "grapple/" + id, Creature: id, Expression: "1d20", Reason: "grapple check", Modifiers: mods,
		Rules: []string{cite.DiceGrappleCheck}}).Total
}

// keepHold makes the check of a hold once a round, on the holder's number.
//
// basic.dice.grapple-check
func keepHold(r *rules.Resolution, holder string) {
	round := int64(r.State().Round)
	if r.Count(holder, cHeld) == round {
		return
	}
	for _, id := range living(r.State()) {
		if heldBy(r.Creature(id), holder) != nil {
			r.Set(holder, cHeld, round, "")
			r.Mark(id, mSilenced, "", cite.ActionHoldSilence)
			wrestle(r, holder, id, "")
		}
	}
}

// free ends a hold.
func free(r *rules.Resolution, id string, x *eventv1.Condition, cause string) {
	r.RemoveCondition(id, x, cause, cite.DiceGrappleCheck)
	if !has(r.Creature(id), condHeld) {
		r.Mark(id, mSilenced, "", cite.ActionHoldSilence)
	}
}

// doHoldPunch does the damage of a punch; reading: without an attack roll.
//
// basic.action.hold-unarmed-damage
func doHoldPunch(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	b := begin(r, c, take, cite.ActionHoldUnarmedDamage)
	b.weapon = brawls[0]
	r.Mark(b.target, mAttackedOn, numberKey(r.State()), cite.SpellDisruption)
	if harms(b.weapon, r.Creature(b.target)) {
		b.damage(r, nil, false)
	}
	return nil
}

func doHoldSilence(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	begin(r, c, take, cite.ActionHoldSilence)
	r.Mark(take.Targets[0], mSilenced, numberKey(r.State()), cite.ActionHoldSilence)
	return nil
}

func doLetGo(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "let-go", Targets: take.Targets}, cite.DiceGrappleCheck)
	free(r, take.Targets[0], heldBy(r.Creature(take.Targets[0]), c.Id), "let go")
	return nil
}

func refuseDrag(_ *eventv1.State, c *eventv1.Creature, _ string) error {
	if err := refuseMoving(c); err != nil {
		return err
	}
	if c.Counters[cMovement] < 1 || walk(c) < 2 {
		return refuse("NO_MOVEMENT", cite.MovementHoldMoveOpponent, "%s has no movement left", c.Name)
	}
	return nil
}

// refuseWeak: whether the holder is strong enough is the game master's call.
//
// basic.movement.hold-move-opponent
func refuseWeak(s *eventv1.State, c *eventv1.Creature, item string, t *eventv1.Creature, facts *structpb.Struct) error {
	if err := refuseNotHeld(s, c, item, t, facts); err != nil {
		return err
	}
	if strong, stated := told(facts, "strong_enough"); stated && !strong {
		return refuse("TOO_HEAVY", cite.MovementHoldMoveOpponent, "%s is not strong enough to move %s", c.Name, t.Name)
	}
	return nil
}

// doDrag shifts the one held by at most half of the holder's movement; both end
// in the same space.
//
// basic.movement.hold-move-opponent
func doDrag(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.MovementHoldMoveOpponent
	points, feet, err := wayOf(c, take, min(walk(c)/2, int32(c.Counters[cMovement])))
	if err != nil {
		return err
	}
	begin(r, c, take, rule)
	if points != nil {
		feet = along(r, c.Id, way{points: points, mode: "drag", turning: true, facts: take.Facts, dragged: take.Targets[0]})
		if to := r.Creature(c.Id).Position; r.Creature(take.Targets[0]).Position != nil && feet > 0 {
			r.Move(&eventv1.Moved{Creature: take.Targets[0], To: to, Mode: "dragged", Feet: feet}, rule)
			if slices.ContainsFunc(points[:feet+1], func(p *eventv1.Position) bool { return inFire(r.State(), p) }) {
				scorch(r, take.Targets[0])
			}
		}
	}
	if feet > 0 {
		leaveHeld(r, c.Id, take.Targets[0])
	}
	r.Set(c.Id, cMoved, r.Count(c.Id, cMoved)+int64(feet), "drag", rule)
	r.Set(c.Id, cMovement, max(0, r.Count(c.Id, cMovement)-int64(feet)), "drag", rule)
	return nil
}
