package effects

import (
	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Triggers that content can name.
const (
	TriggerHit        = "hit"
	TriggerMiss       = "miss"
	TriggerCritical   = "critical"
	TriggerHurt       = "hurt"
	TriggerKill       = "kill"
	TriggerCast       = "cast"
	TriggerSaveFailed = "save-failed"
	TriggerSavePassed = "save-passed"
	TriggerTurnStart  = "turn-start"
	TriggerTurnEnd    = "turn-end"
	TriggerRoundStart = "round-start"
	TriggerEnter      = "enter"
)

var triggers = []string{TriggerHit, TriggerMiss, TriggerCritical, TriggerHurt, TriggerKill, TriggerCast, TriggerSaveFailed,
	TriggerSavePassed, TriggerTurnStart, TriggerTurnEnd, TriggerRoundStart, TriggerEnter}

// aimed are the triggers whose effects befall the target when nothing is said.
var aimed = map[string]bool{TriggerHit: true, TriggerMiss: true, TriggerCritical: true, TriggerKill: true, TriggerCast: true}

// Triggered lists what happens by what a creature has when something sets it
// off, in order, for the system to carry out. What happens in this way sets off
// nothing further.
func (b *Book) Triggered(c *eventv1.Creature, trigger string, env Env) []Happening {
	if b == nil || !b.triggers[trigger] {
		return nil
	}
	return b.triggered(c, trigger, env)
}

func (b *Book) triggered(c *eventv1.Creature, trigger string, env Env) []Happening {
	var out []Happening
	b.visit(c, &env, func(e *effect, s *scene) {
		if e.src.Trigger != trigger || !b.counts(e, &env) || !e.when.holds(s) {
			return
		}
		if h, ok := e.happening(s, trigger, nil); ok {
			out = append(out, h)
		}
	})
	return out
}

// happening is what an effect comes to; save is the one that it stands under.
func (e *effect) happening(s *scene, trigger string, save *Happening) (Happening, bool) {
	amount, ok := e.number(s, 0)
	h := Happening{Cite: e.cite, Kind: e.kind, Bearer: s.self.GetId(), Creature: e.befalls(s, trigger), Amount: amount}
	if !ok || h.Creature == "" {
		return h, false
	}
	switch w := e.src.What.(type) {
	case *contentv1.Effect_Damage:
		h.Dice, h.Type = w.Damage.Dice, w.Damage.Type
	case *contentv1.Effect_Healing:
		h.Dice = w.Healing.Dice
	case *contentv1.Effect_TemporaryHitPoints:
		h.Dice = w.TemporaryHitPoints.Dice
	case *contentv1.Effect_Condition:
		k := w.Condition
		h.Condition, h.Variant, h.Rounds, h.Amount, h.Remove = k.Condition, k.Variant, amount, 0, k.Remove
		if k.SaveEnds { // it stands under a saving throw, or was refused
			h.SaveEnds, h.Save, h.DC = true, save.Save, save.DC
		}
	case *contentv1.Effect_Save:
		h.Save, h.DC, h.Half, h.Amount = w.Save.Save, amount, w.Save.Half, 0
		h.Failed, h.Passed = e.come(e.nested, s, trigger, &h), e.come(e.passed, s, trigger, &h)
	case *contentv1.Effect_Use:
		h.Resource, h.Creature = w.Use.Resource, h.Bearer
		if e.amount == nil {
			h.Amount = 1
		}
	case *contentv1.Effect_Hook:
		h.Hook = w.Hook
	default:
		return h, false
	}
	return h, true
}

// come is what a saving throw leads to. What stands under it befalls whoever
// made it unless it says otherwise.
func (e *effect) come(under []*effect, s *scene, trigger string, save *Happening) []Happening {
	var out []Happening
	for _, n := range under {
		if !n.when.holds(s) {
			continue
		}
		if h, ok := n.happening(s, trigger, save); ok {
			if n.src.Whom == "" {
				h.Creature = save.Creature
			}
			out = append(out, h)
		}
	}
	return out
}

// befalls is the creature that an effect befalls; empty when there is none.
func (e *effect) befalls(s *scene, trigger string) string {
	switch {
	case e.src.Whom == "actor":
		return s.env.Actor.GetId()
	case e.src.Whom == "target", e.src.Whom == "" && aimed[trigger]:
		return s.env.Target.GetId()
	}
	return s.self.GetId()
}
