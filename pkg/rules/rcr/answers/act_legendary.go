package answers

import (
	"cmp"
	"slices"

	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// LegendaryAt is the legendary action of a command or a listing.
func LegendaryAt(at *play.At) *eventv1.RcrLegendary { return legendaryOf(at.Actor, at.Item()) }

func casts(l *eventv1.RcrLegendary) bool {
	return l.Casts != eventv1.RcrLegendary_CASTS_UNSPECIFIED
}

// LegendarySpell is the spell that a legendary action casts; nil for none, or none
// said yet.
func LegendarySpell(at *play.At) *eventv1.RcrSpell {
	l := LegendaryAt(at)
	if !casts(l) {
		return nil
	}
	name, spells := spoken.Word(at.Take.Parameters, "spell"), legendarySpells(at.Actor, l)
	if i := slices.IndexFunc(spells, func(sp *eventv1.RcrSpell) bool { return sp.Name == name }); i >= 0 {
		return spells[i]
	}
	return nil
}

// LegendaryTitle is the name of the legendary action, with the spell that it casts
// once one is said.
func LegendaryTitle(at *play.At) string {
	if sp := LegendarySpell(at); sp != nil {
		return at.Item() + ": " + sp.Name
	}
	return at.Item()
}

// LegendaryRange is how many targets the legendary action takes: one for an attack,
// those of the power or the spell behind it, else none.
func LegendaryRange(at *play.At) (least, most int32) {
	l := LegendaryAt(at)
	switch a, p, sp := checks.AttackOf(at.Actor, l.Attack), PowerOf(at.Actor, l.Power), LegendarySpell(at); {
	case a != nil:
		return 1, 1
	case p != nil:
		return RangeOfPower(p)
	case sp != nil:
		return SpellRange(at, sp)
	case casts(l) && !at.Listing:
		return 0, int32(len(at.Take.Targets)) // that the spell is none is said of it
	}
	return 0, 0
}

// RefuseLegendaryAt says why the legendary action cannot be taken now, targets
// apart: by its own terms, or by those of the power or the spell behind it.
func RefuseLegendaryAt(at *play.At) error {
	l := LegendaryAt(at)
	if err := refuseLegendary(at.State, at.Actor, l); err != nil {
		return err
	}
	if p := PowerOf(at.Actor, l.Power); p != nil && checks.AttackOf(at.Actor, l.Attack) == nil {
		return RefuseNobody(at.Actor, p)
	}
	sp := LegendarySpell(at)
	switch {
	case sp != nil:
		return body.FirstError(RefuseMeans(at.State, at.Actor, sp), RefuseUnarmed(at.State, at.Actor, sp))
	case casts(l) && at.Listing:
		return refuseAllSpells(at, l)
	}
	return nil
}

// refuseAllSpells says why none of the spells of a legendary action can be cast: as
// the first of them says.
func refuseAllSpells(at *play.At, l *eventv1.RcrLegendary) (why error) {
	for _, sp := range legendarySpells(at.Actor, l) {
		err := body.FirstError(RefuseMeans(at.State, at.Actor, sp), RefuseUnarmed(at.State, at.Actor, sp))
		if err == nil {
			return nil
		}
		if why == nil {
			why = err
		}
	}
	if why == nil {
		return body.Refuse("NO_SPELL", body.Fallback, "%s has no spell for it", at.Actor.Name)
	}
	return why
}

// RefuseLegendaryOn says why a creature cannot be a target of the attack, power or
// spell behind the legendary action.
func RefuseLegendaryOn(at *play.At, t *eventv1.Creature) error {
	l := LegendaryAt(at)
	switch a, p, sp := checks.AttackOf(at.Actor, l.Attack), PowerOf(at.Actor, l.Power), LegendarySpell(at); {
	case a != nil:
		return strike.RefuseStrike(at.Unread(), at.State, at.Actor, t, a, at.Take)
	case p != nil:
		return RefusePowerTarget(at.Actor, t, p, StatedDistance(at.Take))
	case sp != nil:
		return RefuseSpellTarget(at.Content, at.State, at.Actor, t, sp, at.Take)
	}
	return nil
}

// LegendaryFields are the words of a legendary action, by what it does: attack, use
// a power, cast, move, teleport or make a check.
func LegendaryFields(at *play.At) []play.Field {
	l, s, c := LegendaryAt(at), at.State, at.Actor
	switch a, p, sp := checks.AttackOf(c, l.Attack), PowerOf(c, l.Power), LegendarySpell(at); {
	case a != nil && !at.Listing:
		return append(strike.StrikeFields(nil, at, a), play.Field{Name: "hands"})
	case a != nil:
		return nil
	case p != nil:
		return TeleportField(nil, at, p.TeleportFeet)
	case sp != nil:
		return append([]play.Field{{Name: "spell", Required: true, Values: []string{sp.Name}}}, CastFields(at, sp)...)
	case casts(l):
		return []play.Field{{Name: "spell", Required: true, Values: body.NamesOf(legendarySpells(c, l))}}
	case l.MovePercent > 0 && !at.Listing:
		return []play.Field{{Name: "feet"}, {Name: "path"}, {Name: "drag"}, {Name: "mode"}}
	case l.MovePercent > 0:
		out := []play.Field{{Name: "feet", Required: c.Position == nil, Least: 1, Most: legendaryFeet(s, c, l)}, {Name: "path"}}
		return append(out, play.Field{Name: "mode", Values: legendaryModes(s, c, l)})
	case l.TeleportFeet > 0:
		return TeleportField(nil, at, l.TeleportFeet)
	case l.Skill != "":
		return []play.Field{{Name: "dc"}, {Name: "sense"}}
	}
	return nil
}

// ChoosesLegendary tells whether a spell is still to be chosen for a legendary action.
func ChoosesLegendary(at *play.At) bool { return casts(LegendaryAt(at)) && LegendarySpell(at) == nil }

// LegendaryChoices are the spells that a legendary action may cast.
func LegendaryChoices(at *play.At) (out []*eventv1.Option) {
	l := LegendaryAt(at)
	for _, sp := range legendarySpells(at.Actor, l) {
		take := &eventv1.TakeAction{Creature: at.Actor.Id, Action: at.Action.ID, Item: l.Name,
			Parameters: &structpb.Struct{Fields: map[string]*structpb.Value{"spell": structpb.NewStringValue(sp.Name)}}}
		if o := body.Frame().Option(at.Of(at.Action, take)); o.Legal {
			out = append(out, o)
		}
		if at.Enough(len(out)) {
			break
		}
	}
	return out
}

// LegendaryPoise is the counters of a creature that makes a legendary move.
func LegendaryPoise(s *eventv1.State, c *eventv1.Creature, l *eventv1.RcrLegendary, take *eventv1.TakeAction) map[string]int64 {
	mode := spoken.Word(take.Parameters, "mode")
	for _, open := range legendaryModes(s, c, l) {
		mode = cmp.Or(mode, open) // the first of them where none is said
	}
	set := map[string]int64{body.CMovement: int64(legendarySpeed(s, c, l, mode)), body.CMoved: 0, body.CDangerous: 0, body.CDashes: 0}
	if own, base := body.SpeedIn(s, c.Id, mode), body.BaseSpeed(s, c); own > 0 && own != base {
		// The movement of another mode is counted from its full speed.
		set[body.CMoved] = int64(own) - set[body.CMovement]
	}
	return set
}
