package answers

import (
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// resSorcery are the sorcery points of whoever has them otherwise than by the feat.
const resSorcery = "sorcery points"

const (
	aMinute = 10           // rounds
	aDay    = 24 * 60 * 10 // rounds
)

// MetamagicSaid are the options of metamagic that a command casts by, as it says them: one
// word or a list.
func MetamagicSaid(take *eventv1.TakeAction) (out []string) {
	list, _ := spoken.Words(take.GetParameters(), "metamagic")
	for _, o := range list {
		out = append(out, strings.TrimSuffix(strings.ToLower(o), " spell"))
	}
	return out
}

// SpellAt is the spell of a command or a listing, as the options of metamagic that it is
// cast by make it.
func SpellAt(at *play.At) *eventv1.RcrSpell {
	return metaSpell(SpellOf(at.Actor, at.Item()), MetamagicSaid(at.Take))
}

// metaSpell is a spell as options of metamagic make it: one of its own, when any of them
// changes what it says.
//
// rcr.feat.metamagic-adept-options
func metaSpell(sp *eventv1.RcrSpell, by []string) *eventv1.RcrSpell {
	if sp == nil || len(by) == 0 {
		return sp
	}
	sp = proto.CloneOf(sp)
	for _, o := range by {
		switch o {
		case body.MetaDistant:
			if sp.RangeFeet *= 2; sp.RangeFeet <= 10 {
				sp.RangeFeet = 30 // a touch
			}
		case body.MetaExtended:
			for _, e := range sp.Effects {
				if e.Rounds >= aMinute {
					e.Rounds = min(aDay, 2*e.Rounds)
				}
			}
		case body.MetaQuickened:
			sp.CastingTime = "bonus"
		case body.MetaSubtle:
			sp.Verbal, sp.Somatic = false, false
		case body.MetaTwinned:
			sp.Targets = 2
		}
	}
	return sp
}

// MetaCost is how many sorcery points options of metamagic take for a spell.
func MetaCost(sp *eventv1.RcrSpell, by []string) (points int64) {
	for _, o := range by {
		switch o {
		case body.MetaHeightened:
			points += 3
		case body.MetaQuickened:
			points += 2
		case body.MetaTwinned:
			points += max(1, int64(sp.Level))
		default:
			points++
		}
	}
	return points
}

// points are the sorcery points that a creature has left: those of the feat, and others.
func points(c *eventv1.Creature) (feat, others int64) {
	return c.GetCounters()[body.CLeft+body.ResMetamagic], c.GetCounters()[body.CLeft+resSorcery]
}

// PayMetamagic spends the sorcery points of a casting, those of the feat first.
//
// rcr.feat.metamagic-adept-points
func PayMetamagic(r *rules.Resolution, id string, sp *eventv1.RcrSpell, by []string) {
	cost := MetaCost(sp, by)
	if cost == 0 {
		return
	}
	feat, others := points(r.Creature(id))
	own := min(feat, cost)
	why := "metamagic: " + strings.Join(by, ", ")
	r.Set(id, body.CLeft+body.ResMetamagic, feat-own, why, cite.FeatMetamagicAdeptPoints, cite.FeatMetamagicAdeptOptions)
	r.Set(id, body.CLeft+resSorcery, others-(cost-own), why, cite.FeatMetamagicAdeptOptions)
}

// RefuseMetamagic says why a spell cannot be cast by the options of metamagic that a
// command names: not learnt, two of which neither goes with another, of no use for the
// spell, or too dear.
//
// rcr.feat.metamagic-adept-options, rcr.feat.metamagic-adept-points
func RefuseMetamagic(at *play.At) error {
	const rule = cite.FeatMetamagicAdeptOptions
	by := MetamagicSaid(at.Take)
	if len(by) == 0 {
		return refuseSpared(at, nil)
	}
	c, sp := at.Actor, SpellOf(at.Actor, at.Item())
	knows, alone := body.MetamagicOf(at.State, c), 0
	for i, o := range by {
		switch {
		case !slices.Contains(knows, o):
			return body.Refuse("NO_METAMAGIC", rule, "%s has not learnt the option %q; it knows %s", c.Name, o, strings.Join(knows, ", "))
		case slices.Contains(by[:i], o):
			return body.Refuse("METAMAGIC_TWICE", rule, "%q is named twice", o)
		case o != body.MetaEmpowered:
			alone++
		}
		if err := refuseOption(at.Content, c, sp, o, castSlot(at, sp)); err != nil {
			return err
		}
	}
	if alone > 1 {
		return body.Refuse("ONE_METAMAGIC", rule, "a casting has one option of metamagic, and Empowered beside it")
	}
	feat, others := points(c)
	if cost := MetaCost(sp, by); cost > feat+others {
		return body.Refuse("NO_POINTS", cite.FeatMetamagicAdeptPoints, "%s takes %d sorcery points; %s has %d", strings.Join(by, ", "), cost, c.Name, feat+others)
	}
	return refuseSpared(at, by)
}

// castSlot is the level that a command casts a spell at, or its own.
func castSlot(at *play.At, sp *eventv1.RcrSpell) int32 {
	if n, ok := spoken.Number(at.Take.Parameters, "slot"); ok {
		return n
	}
	if slots := SlotsFor(at.Actor, sp); len(slots) > 0 {
		return slots[0]
	}
	return sp.Level
}

// refuseOption says why an option is of no use for a spell.
func refuseOption(content *effects.Book, c *eventv1.Creature, sp *eventv1.RcrSpell, option string, slot int32) error {
	long := slices.ContainsFunc(sp.Effects, func(e *eventv1.RcrEffect) bool { return e.Rounds >= aMinute })
	self := strike.SelfSpell(content, sp)
	why := ""
	switch {
	case (option == body.MetaCareful || option == body.MetaHeightened) && sp.Save == nil:
		why = "forces no saving throw"
	case option == body.MetaDistant && self:
		why = "is for its caster alone"
	case option == body.MetaEmpowered && len(sp.Damage) == 0:
		why = "deals no damage"
	case option == body.MetaExtended && !long:
		why = "does not last for a minute"
	case option == body.MetaQuickened && sp.CastingTime != "" && sp.CastingTime != "action":
		why = "does not take an action"
	case option == body.MetaSubtle && !sp.Verbal && !sp.Somatic:
		why = "has neither words nor gestures"
	case option == body.MetaTwinned && (self || mostTargets(sp, slot) != 1 || content.Area(sp.Use) != nil):
		why = "can have other than one target"
	}
	if why != "" {
		return body.Refuse("METAMAGIC", cite.FeatMetamagicAdeptOptions, "%s %s: not %s for %s", sp.Name, why, option, c.Name)
	}
	return nil
}

// Spared are those whom a careful caster lets succeed.
func Spared(take *eventv1.TakeAction) []string {
	list, _ := spoken.Words(take.GetParameters(), "spared")
	return list
}

// refuseSpared says why those whom a careful caster means to spare cannot be: as many as
// its Charisma modifier, one at least, of the targets.
func refuseSpared(at *play.At, by []string) error {
	spared := Spared(at.Take)
	switch most := max(1, int(body.AbilityMod(at.Actor, "charisma"))); {
	case len(spared) == 0:
		return nil
	case !slices.Contains(by, body.MetaCareful):
		return fault.Field("take.parameters.spared", "is for the option %s of metamagic", body.MetaCareful)
	case len(spared) > most:
		return body.Refuse("METAMAGIC", cite.FeatMetamagicAdeptOptions, "%s can spare %d, not %d", at.Actor.Name, most, len(spared))
	}
	return nil
}

// metaFields are the words of casting by metamagic, for who has learnt options.
func metaFields(list []play.Field, at *play.At) []play.Field {
	knows := body.MetamagicOf(at.State, at.Actor)
	list = body.Offer(list, at, len(knows) > 0, play.Field{Name: "metamagic", Values: knows})
	return body.Offer(list, at, slices.Contains(knows, body.MetaCareful), play.Field{Name: "spared"})
}
