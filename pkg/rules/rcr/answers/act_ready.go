package answers

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ReadySaid is the action that a command readies; an attack when none is named.
func ReadySaid(take *eventv1.TakeAction) string {
	if what := spoken.Word(take.Parameters, "action"); what != "" {
		return what
	}
	return dice.ReadyAttack
}

// ReadyItems: one line lists readying, what can be readied are its choices.
// What of a command cannot be readied is refused with what can.
func ReadyItems(at *play.At) []string {
	if at.Item() == "" {
		return checks.Bare
	}
	return []string{at.Item()}
}

// ReadyFields are the words of readying; a command names the action too, and the
// slot of a spell.
func ReadyFields(at *play.At) []play.Field {
	if at.Listing {
		return []play.Field{{Name: "trigger", Required: true}}
	}
	out := []play.Field{{Name: "action"}, {Name: "trigger", Required: true}}
	if ReadySaid(at.Take) == dice.ReadyCast {
		out = append(out, play.Field{Name: "slot"})
	}
	return out
}

// ReadiedItems is what was readied; a command need not name it.
func ReadiedItems(at *play.At) []string {
	what, item := dice.Readied(at.Actor)
	switch {
	case at.Listing && what == "":
		return nil
	case at.Listing || item == "":
		return []string{item}
	}
	return []string{"", item}
}

// ReadiedTitle names the action that was readied, and its item.
func ReadiedTitle(at *play.At) string {
	what, item := dice.Readied(at.Actor)
	return "Do what was readied: " + strings.TrimSpace(what+" "+item)
}

// ReadiedAt is the place of what was readied: its doer has one action, or the
// movement of its speed, and no more.
func ReadiedAt(at *play.At) *play.At {
	what, item := dice.Readied(at.Actor)
	inner := at.Of(body.Frame().Action(what), &eventv1.TakeAction{Creature: at.Actor.Id, Action: what, Item: item, Targets: at.Take.Targets, Path: at.Take.Path,
		Parameters: at.Take.Parameters, Circumstances: at.Take.Circumstances, Facts: at.Take.Facts})
	inner.State = Poised(at.State, at.Actor.Id, Poise(at.State, at.Actor, what))
	inner.Actor = inner.State.Creatures[at.Actor.Id]
	return inner
}

// RefuseUseReady says why what was readied cannot be done now, targets apart:
// nothing is readied, no reaction is left, the weapon, spell or item is gone, or the
// action itself is refused.
func RefuseUseReady(at *play.At) error {
	what, item := dice.Readied(at.Actor)
	if what == "" {
		return body.Refuse("NOT_READY", cite.BaseFifthEditionFallback, "%s has nothing readied", at.Actor.Name)
	}
	if err := strike.NeedReaction(at.State, at.Actor); err != nil {
		return err
	}
	gone := body.Refuse("NOT_READY", cite.BaseFifthEditionFallback, "there is no %s for %s any more", strings.TrimSpace(what+" "+item), at.Actor.Name)
	switch {
	case what == dice.ReadyAttack && checks.AttackOf(at.Actor, item) == nil, what == dice.ReadyCast && SpellOf(at.Actor, item) == nil:
		return gone
	case what == dice.ReadyAttack:
		return strike.RefuseWeapon(at.Unread(), at.State, at.Actor, checks.AttackOf(at.Actor, item))
	case what == dice.ReadyCast:
		return nil
	}
	inner := ReadiedAt(at)
	if what == "escape" && strike.HoldOf(at.Actor, item) == nil || inner.Action.Items != nil && what != "escape" && !slices.Contains(inner.Action.Items(inner), item) {
		return gone
	}
	if inner.Action.Refuse == nil {
		return nil
	}
	return inner.Action.Refuse(inner)
}

// ReadiedRange is how many targets what was readied takes; a spell goes by the slot
// it was readied with.
func ReadiedRange(at *play.At) (least, most int32) {
	if what, item := dice.Readied(at.Actor); what == dice.ReadyCast {
		return aimed(at.Content, SpellOf(at.Actor, item), ReadiedSlot(at.Actor))
	}
	inner := ReadiedAt(at)
	return inner.Action.Targets(inner)
}

// ReadiedSlot is the level that a readied spell was cast at.
func ReadiedSlot(c *eventv1.Creature) int32 {
	return rules.BegunOf(c, body.BegunReadied).GetValues()["slot"]
}

// RefuseReadiedOn says why what was readied cannot be done to a creature.
func RefuseReadiedOn(at *play.At, t *eventv1.Creature) error {
	return ReadiedAt(at).RefusedTarget(t)
}

// ReadiedFields are the words of what was readied, cost and multiattack apart: those
// are settled already. A command may say every word that the vocabulary knows; what
// does not fit is refused later.
func ReadiedFields(at *play.At) []play.Field {
	inner := ReadiedAt(at)
	out := []play.Field(nil)
	switch what, item := dice.Readied(at.Actor); {
	case !at.Listing:
		for _, p := range body.Frame().Words.Parameters(rules.PlaceParameter, at.Action.ID) {
			out = append(out, play.Field{Name: p.Name})
		}
		return out // what the action readied does not take, the check refuses
	case what == dice.ReadyCast:
		out = aimFields(inner, SpellOf(at.Actor, item))
	case inner.Action.Fields != nil:
		out = inner.Action.Fields(inner)
	case what == "shove":
		out = []play.Field{{Name: "effect"}}
	case what == "use-object":
		out = []play.Field{{Name: "object"}}
	}
	return slices.DeleteFunc(out, func(f play.Field) bool { return f.Name == "cost" || f.Name == "multiattack" })
}
