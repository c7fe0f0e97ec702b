package celesia

import (
	"encoding/base64"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const ruleClasses = cite.TurnActionClasses

const (
	// cUnderway is how many acts the action under way still takes.
	cUnderway = "under-way"
	// mUnderway names the action that was begun with a part of its acts.
	mUnderway = "under-way"
	// mUnderwayTake holds its command, for those who control the creature.
	mUnderwayTake = "under-way.command"
)

// paramCommit is the parameter that begins an action with a part of its acts.
const paramCommit = "commit"

// underwayActions carry on or give up an action that was begun with a part of
// its acts.
func underwayActions() []*action {
	return []*action{
		{id: "finish-action", title: "Finish the action under way", rule: ruleClasses, holding: true, refuse: refuseFinish, whole: true,
			cost: func(c *eventv1.Creature, _ *eventv1.TakeAction) int32 { return int32(c.Counters[cUnderway]) }, do: doFinish},
		{id: "give-up-action", title: "Give up the action under way", rule: ruleClasses, holding: true, refuse: refuseGiveUp, do: doGiveUp, whole: true},
	}
}

// inParts tells whether an action may be begun with a part of its acts: one of 2
// or 3 in a row. What spans turns has ways of its own, and readying ends the turn.
//
// celesia.turn.action-classes
func (a *action) inParts(c *eventv1.Creature, take *eventv1.TakeAction) bool {
	cost := a.costOf(c, take)
	return cost > 1 && cost <= 3 && !a.whole && !a.task &&
		spellOf(c, take.Item).GetCasting() != "1-round" && !(a.id == "load-firearm" && roundLoad(weaponOf(c, take.Item)))
}

// partOf reads how many acts an action is begun with; 0 when it is taken whole.
func (a *action) partOf(c *eventv1.Creature, take *eventv1.TakeAction) (int32, error) {
	if _, given := take.GetParameters().GetFields()[paramCommit]; !given {
		return 0, nil
	}
	n, _ := spoken.Number(take.Parameters, paramCommit)
	if cost := a.costOf(c, take); !a.inParts(c, take) || n < 1 || n >= cost {
		return 0, fault.Field("take.parameters."+paramCommit, "%s takes %d acts: it cannot be begun with %d of them", a.title, cost, n)
	}
	return n, nil
}

// commitParameter lists with how many acts an action may be begun.
func commitParameter(cost int32) *eventv1.Parameter {
	p := &eventv1.Parameter{Name: paramCommit, Type: "number", Text: "begin with so many of its acts; finish-action takes the others, directly after, free actions apart"}
	for n := int32(1); n < cost; n++ {
		v, err := structpb.NewValue(n)
		if err != nil {
			continue // every whole number is a value
		}
		p.Values = append(p.Values, v)
	}
	return p
}

// begin takes a part of the acts of an action: it is told and answered by those
// whom it provokes, and goes on with the rest of its acts.
//
// celesia.turn.action-classes
func (a *action) begin(r *rules.Resolution, take *eventv1.TakeAction, part, cost int32) {
	id := take.Creature
	if !a.open(r, take, part, true) {
		return
	}
	r.Mark(id, mUnderway, a.id, ruleClasses)
	r.Mark(id, mUnderwayTake, pack(take), ruleClasses)
	r.Set(id, cUnderway, int64(cost-part), a.title+" is under way", ruleClasses)
	if disabled(r.Creature(id)) {
		strain(r, id, part)
	}
}

// pack writes a command as a word, for a mark; unpack reads it back, nil when
// there is none to read.
func pack(take *eventv1.TakeAction) string {
	raw, err := proto.MarshalOptions{Deterministic: true}.Marshal(take)
	if err != nil {
		return "" // a command that has come over the wire can be written
	}
	return base64.StdEncoding.EncodeToString(raw)
}

func unpack(word string) *eventv1.TakeAction {
	raw, err := base64.StdEncoding.DecodeString(word)
	take := &eventv1.TakeAction{}
	if err != nil || word == "" || proto.Unmarshal(raw, take) != nil {
		return nil
	}
	return take
}

// underway is the action that a creature has begun, and its command; nil without
// one, or for those who may not know it.
func underway(c *eventv1.Creature) (*action, *eventv1.TakeAction) {
	a, take := actionOf(c.GetMarks()[mUnderway]), unpack(c.GetMarks()[mUnderwayTake])
	if a == nil || a.whole || take == nil {
		return nil, nil
	}
	return a, take
}

// refuseBreak: while an action is under way no other act comes between its
// own.
//
// celesia.turn.action-classes, celesia.action.standard-consecutive
func refuseBreak(c *eventv1.Creature, a *action, cost int32) error {
	if under := actionOf(c.Marks[mUnderway]); under != nil && cost > 0 && a.id != "finish-action" {
		return refuse("UNDER_WAY", ruleClasses, "the acts of %s must follow each other: finish it or give it up", under.title)
	}
	return nil
}

func refuseGiveUp(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	if c.Marks[mUnderway] == "" {
		return refuse("NOTHING_UNDER_WAY", ruleClasses, "%s has begun no action", c.Name)
	}
	return nil
}

// refuseFinish: what was begun must still be possible.
func refuseFinish(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := refuseGiveUp(s, c, take); err != nil {
		return err
	}
	a, begun := underway(c)
	if a == nil {
		return nil
	}
	if err := a.fits(s, c, begun); err != nil {
		return err
	}
	if a.check != nil {
		return a.check(s, c, begun)
	}
	return nil
}

// doFinish carries out what was begun.
//
// celesia.turn.action-classes
func doFinish(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	a, take := underway(c)
	if a == nil { // the mark was set by the game master's word, without a command
		dropUnderway(r, c.Id, "nothing is known of it")
		return nil
	}
	total := a.costOf(c, take)
	clearUnderway(r, c.Id)
	return a.carry(r, take, total, true)
}

func doGiveUp(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	dropUnderway(r, c.Id, "given up")
	return nil
}

// dropUnderway ends an action that is never finished; the acts put into it are
// spent.
//
// celesia.turn.action-classes
func dropUnderway(r *rules.Resolution, id, why string) {
	a := actionOf(r.Creature(id).Marks[mUnderway])
	if a == nil {
		return
	}
	clearUnderway(r, id)
	r.Note(event.Everyone(), id, a.title+" is not finished: "+why, ruleClasses)
	abandon(r, id)
}

func clearUnderway(r *rules.Resolution, id string) {
	r.Mark(id, mUnderway, "", ruleClasses)
	r.Mark(id, mUnderwayTake, "", ruleClasses)
	r.Set(id, cUnderway, 0, "nothing is under way", ruleClasses)
}
