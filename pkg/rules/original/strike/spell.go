package strike

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/original/reach"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/play/condition"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// SpellsAt lists the names of the actor's spells.
func SpellsAt(at *play.At) []string { return SpellNames(at.Actor) }

// LivingAt lists whom a spell can be cast at: everybody who is not dead.
func LivingAt(at *play.At) []string {
	return slices.DeleteFunc(body.Present(at.State), func(id string) bool { return body.Dead(at.State.Creatures[id]) })
}

// RefuseDead says why a target is none: it is dead.
func RefuseDead(_ *Sight, t *eventv1.Creature) error {
	if body.Dead(t) {
		return body.Refuse("DEAD", cite.DeathZeroHp, "%s is dead", t.GetName())
	}
	return nil
}

// SpellNames lists the names of the spells on a sheet, spent ones too.
func SpellNames(c *eventv1.Creature) []string {
	var names []string
	for _, p := range body.SheetOf(c).Spells {
		names = append(names, p.Name)
	}
	return names
}

// SpellLeft says why a spell is not at hand: it is unknown, spent, or its
// caster was hurt in this round by one who won initiative.
//
// original.spell.lost-when-opponent-won
func SpellLeft(c *eventv1.Creature, name string) error {
	p := body.SpellOf(c, name)
	if p.Prepared > 0 && c.Counters[body.CLeft+name] <= 0 {
		return body.Refuse("SPENT", cite.SpellMiscastTable, "%s is spent", name)
	}
	if x, d := ConditionBook.Barring(c, condition.BarsCasting); x != nil {
		return body.Refuse("DISTURBED", d.Rule, "%s was hurt and casts no spell this round", c.Name)
	}
	return nil
}

// CastRefused says why a creature cannot cast a spell now; casting takes the
// place of the round's attacks.
//
// original.movement.spellcaster-10-feet
func CastRefused(s *eventv1.State, c *eventv1.Creature, name string) error {
	if err := SpellLeft(c, name); err != nil {
		return err
	}
	if c.Counters[body.CMoved] > reach.CastingFeet {
		return body.Refuse("MOVED", cite.MovementSpellcaster10Feet, "%s has moved more than 10 feet", c.Name)
	}
	return AttackLeft(s, c)
}

// Preparing is the spell announced for this round; empty for none.
func Preparing(c *eventv1.Creature) string {
	return rules.BegunOf(c, body.BegunPreparing).GetAction().GetItem()
}

// DoPrepare announces the spell that the actor means to cast in this round.
func DoPrepare(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Item: take.Item}, cite.SpellLostWhenOpponentWon)
	r.Begin(c.Id, &eventv1.Begun{Kind: body.BegunPreparing, Action: &eventv1.TakeAction{Creature: c.Id, Action: "cast", Item: take.Item},
		Round: r.State().Round, Until: body.ThisRound(r), Rule: cite.SpellLostWhenOpponentWon}, cite.SpellLostWhenOpponentWon)
	return nil
}

// Spend takes a use of a spell that was prepared.
func Spend(r *rules.Resolution, id, name, why, rule string) {
	if n := r.Count(id, body.CLeft+name); n > 0 {
		r.Set(id, body.CLeft+name, n-1, why, rule)
	}
}

// Spoiled rolls a save for every opponent with the same initiative who hurt
// the caster; the first that fails loses the spell or miscasts it.
//
// original.spell.tie-save, original.spell.tie-failure, original.spell.miscast-table
func Spoiled(r *rules.Resolution, id, name string) bool {
	for _, by := range shakenBy(r.Creature(id)) {
		label := "spell/" + id + "/" + by
		if SavesFromParalysis(r, label, id, "cast "+name+" though hurt", cite.SpellTieSave, psyMod(r, id)).Success() {
			continue
		}
		rolled := r.Roll(rules.RollSpec{Label: label + "/failure", Creature: id, Expression: "1d6", Reason: "what becomes of " + name + "?",
			Judge: func(_, total int32) (string, int32) {
				if total >= 5 {
					return "miscast", 0
				}
				return "lost", 0
			}, Rules: []string{cite.SpellTieFailure}})
		if rolled.Outcome == "miscast" {
			r.Note(rolled.Audience, id, name+" is miscast: the game master says what it does", cite.SpellMiscastTable)
		} else {
			r.Note(rolled.Audience, id, name+" is lost", cite.SpellTieFailure)
		}
		return true
	}
	return false
}

// psyMod is what PSY adds to the save of a disturbed caster.
func psyMod(r *rules.Resolution, id string) *eventv1.Modifier {
	k, c := TablesOf(r.Content()), r.Creature(id)
	return body.Mod(k.PsyBonus(c), "PSY", k.AbilityRule(c, "psyche", cite.SpellTieSave))
}

// shakenBy lists those of the same initiative who hurt a caster this round.
func shakenBy(c *eventv1.Creature) []string {
	return rules.RelatedTo(c, body.RelDisturbed)
}
