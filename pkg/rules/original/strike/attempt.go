package strike

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Disarmed rolls the save of one hit to be disarmed; without it the weapon
// falls at its feet.
//
// original.action.disarm-save
func Disarmed(r *rules.Resolution, b *Blow, w *Wound) {
	const rule = cite.ActionDisarmSave
	item, _ := body.ItemInHand(b.Target)
	if SavesFromParalysis(r, b.Label, b.Target.Id, "keep "+item, rule, body.LevelsAbove(b.Target, b.Attacker, rule)).Success() {
		return
	}
	w.Drops, w.At, w.Rule = item, b.Target.Id, rule
}

// Dismounted rolls the save of a rider; without it the rider lies beside the
// steed.
//
// original.mount.dismount-save
func Dismounted(r *rules.Resolution, b *Blow, w *Wound) {
	const rule = cite.MountDismountSave
	if SavesFromParalysis(r, b.Label, b.Target.Id, "stay mounted", rule, body.LevelsAbove(b.Target, b.Attacker, rule)).Success() {
		return
	}
	w.Unhorsed, w.Effect, w.Rule = true, body.CondProne, rule
}

// Entangled asks the wielder of a whip what to go for, rolls the wielder's
// save and asks whether to pull.
//
// original.action.whip-entangle, original.action.whip-save, original.action.whip-outcome
func Entangled(r *rules.Resolution, b *Blow, w *Wound) {
	area := "person"
	if items := body.ItemsHeld(b.Target); len(items) > 0 {
		d := &eventv1.Decision{Name: body.DecWhipArea, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: b.Attacker.Id, Cause: "the whip hits " + b.Target.Name,
			Question: "What does it go for?", DefaultOption: area, Rule: cite.ActionWhipEntangle, Options: []*eventv1.DecisionOption{{Id: area, Text: b.Target.Name}}}
		for _, item := range items {
			d.Options = append(d.Options, &eventv1.DecisionOption{Id: itemPrefix + item, Text: item})
		}
		area = r.Ask("whip-area", d).Option
	}
	const rule = cite.ActionWhipSave
	if save := SavesFromParalysis(r, b.Label, b.Attacker.Id, "entangle "+b.Target.Name, rule, body.Mod(-b.book().StrBonus(b.Target), "STR of "+b.Target.Name, rule)); !save.Success() {
		r.Note(save.Audience, b.Target.Id, "the whip slides off", rule)
		return
	}
	answer := r.Ask("whip-pull", rules.YesNo(body.DecWhipPull, b.Attacker.Id, "the whip holds "+b.Target.Name, "Pull?", "yes", cite.ActionWhipOutcome))
	if answer.Option != "yes" {
		return
	}
	w.Rule = cite.ActionWhipOutcome
	if area == "person" {
		w.Effect = body.CondProne
		return
	}
	if item := area[len(itemPrefix):]; slices.Contains(body.ItemsHeld(b.Target), item) {
		w.Drops, w.At = item, b.Attacker.Id
	}
}

// itemPrefix stands before an item in the answers about a whip.
const itemPrefix = "item:"
