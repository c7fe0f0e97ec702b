package original

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// fumbles checks whether a natural 1 is a critical fumble: a second d20 above
// the attacker's level.
//
// original.fumble.critical-fumble-check
func fumbles(r *rules.Resolution, b *blow) bool {
	if !r.On(setFumble) || isUnit(b.attacker) {
		return false
	}
	level := levelOf(b.attacker)
	return r.Roll(rules.RollSpec{Label: b.label + "/fumble-check", Creature: b.attacker.Id, Expression: "1d20", Reason: "critical fumble?",
		Judge: func(_, total int32) (string, int32) {
			if total > level {
				return "fumble", 0
			}
			return "success", 0
		}, Rules: []string{cite.FumbleCriticalFumbleCheck}}).Outcome == "fumble"
}

// fumble rolls on the fumble table and carries it out.
//
// original.fumble.table
func fumble(r *rules.Resolution, b *blow) {
	rolled := r.Roll(rules.RollSpec{Label: b.label + "/fumble", Creature: b.attacker.Id, Expression: "1d6", Reason: "critical fumble",
		Rules: []string{cite.FumbleTable}})
	effect := find(book.fumble, rolled.Total).word
	friend := ""
	if effect == "ally" {
		if friend = nearestFriend(r.State(), b.attacker); friend == "" {
			effect = "drop"
		}
	}
	if effect == "drop" && natural(b.weapon) {
		effect = "stumble"
	}
	switch effect {
	case "drop":
		drop(r, b.attacker.Id, b.weapon.Name, b.attacker.Id, "fumble", cite.FumbleTable)
	case "stumble":
		r.Mark(b.attacker.Id, mStumbled, itoa(r.State().Round+1), cite.FumbleTable)
	case "ally":
		hit := &blow{attacker: b.attacker, target: r.Creature(friend), weapon: b.weapon, label: b.label + "/ally", melee: b.melee, subdue: b.subdue}
		w := &wound{attacker: b.attacker.Id, target: friend, weapon: b.weapon.Name}
		r.Note(event.Everyone(), friend, b.attacker.Name+" strikes "+hit.target.Name+" by mistake", cite.FumbleTable)
		rollDamage(r, hit, w, 0)
		layOrHold(r, w)
	}
}

// nearestFriend is the nearest friend within 10 feet; empty when there is none.
func nearestFriend(s *eventv1.State, c *eventv1.Creature) string {
	best, near := "", int32(meleeFeet+1)
	for _, id := range present(s) {
		other := s.Creatures[id]
		if id == c.Id || other.Side != c.Side || dead(other) {
			continue
		}
		if d := distance(c, other); d >= 0 && d < near {
			best, near = id, d
		}
	}
	return best
}
