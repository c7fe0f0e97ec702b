package original

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// fumble rolls on the fumble table and carries it out.
//
// original.fumble.table
func fumble(r *rules.Resolution, b *thestrike.Blow) {
	rows := thestrike.TablesOf(r.Content()).Fumble
	rolled := r.Roll(rules.RollSpec{Label: b.Label + "/fumble", Creature: b.Attacker.Id, Expression: "1d6", Reason: "critical fumble",
		Rules: []string{cite.FumbleTable}, RuleOf: func(_, total int32) string { return body.Find(rows, total).By }})
	effect := body.Find(rows, rolled.Total).Word
	friend := ""
	if effect == "ally" {
		if friend = thestrike.NearestFriend(r.State(), b.Attacker); friend == "" {
			effect = "drop"
		}
	}
	if effect == "drop" && body.Natural(b.Weapon) {
		effect = "stumble"
	}
	switch effect {
	case "drop":
		body.Drop(r, b.Attacker.Id, b.Weapon.Name, b.Attacker.Id, "fumble", cite.FumbleTable)
	case "stumble":
		body.Inflict(r, b.Attacker.Id, body.CondStumbled, &eventv1.Until{When: body.UntilRound, Round: r.State().Round + 1}, cite.FumbleTable)
	case "ally":
		hit := &thestrike.Blow{Attacker: b.Attacker, Target: r.Creature(friend), Weapon: b.Weapon, Label: b.Label + "/ally", Melee: b.Melee, Subdue: b.Subdue}
		w := &thestrike.Wound{Attacker: b.Attacker.Id, Target: friend, Weapon: b.Weapon.Name}
		r.Note(event.Everyone(), friend, b.Attacker.Name+" strikes "+hit.Target.Name+" by mistake", cite.FumbleTable)
		if thestrike.Immune(hit.Target, b.Weapon) {
			r.Note(event.Everyone(), friend, hit.Target.Name+" cannot be harmed by "+b.Weapon.Name, cite.CriticalWeaponImmunity)
			return
		}
		thestrike.RollDamage(r, hit, w, 0)
		layOrHold(r, w)
	}
}
