package injury

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Restorable tells whether a restoration heals an injury: a crippling one of a
// part that is not cut off. Of the fingers of a hand those stay lost that are.
//
// celesia.healing.crippling-restoration
func Restorable(book *effects.Book, c *eventv1.Creature, in *eventv1.Injury) bool {
	switch {
	case strike.CrippleRow(book, in.Kind) == nil || in.Values["severed"] > 0:
		return false
	case in.Kind == "finger":
		return !body.CutOff(c, "hand", in.Side) && body.Injuries(c, "finger", in.Side, false) > body.Injuries(c, "finger", in.Side, true)
	}
	return !body.CutOff(c, in.Kind, in.Side)
}

// restorables are the injuries that a restoration can heal.
func restorables(book *effects.Book, c *eventv1.Creature) []*eventv1.Injury {
	return slices.DeleteFunc(slices.Clone(c.Injuries), func(in *eventv1.Injury) bool { return !Restorable(book, c, in) })
}

// refuseRestore: there must be an injury to restore, the one named if one is.
//
// celesia.healing.crippling-restoration
func refuseRestore(book *effects.Book, c *eventv1.Creature, injury string) error {
	const rule = cite.HealingCripplingRestoration
	named := slices.ContainsFunc(c.Injuries, func(in *eventv1.Injury) bool { return in.Id == injury })
	switch {
	case injury != "" && !named:
		return fault.Refuse("NO_INJURY", rule, "there is no such injury to restore%s", rules.DidYouMean(injury, body.InjuryIDs(c)))
	case injury == "" && len(restorables(book, c)) == 0:
		return fault.Refuse("NO_INJURY", rule, "there is no injury to restore")
	}
	return nil
}

// WholeRule is the rule of a deed that heals crippling injuries.
func WholeRule(deed string) string {
	if deed == body.DeedRegrow {
		return cite.HealingCripplingSevered
	}
	return cite.HealingCripplingRestoration
}

// RefuseWhole says why a restoration or regeneration, which its deed names, finds
// nothing to heal on a creature, or on the injury named.
//
// celesia.healing.crippling-restoration, celesia.healing.crippling-severed
func RefuseWhole(book *effects.Book, c *eventv1.Creature, deed, injury string) error {
	switch {
	case body.Dead(c):
		return body.Refuse("TARGET_DEAD", cite.DeathRaisedByMagic, "%s is dead", c.Name)
	case deed == body.DeedRegrow:
		return body.RefuseRegrow(c, injury)
	}
	return refuseRestore(book, c, injury)
}

// AimedWhole judges a target like another judge, and besides whether a spell that
// heals crippling injuries finds one. Injuries of others not everybody knows: what is
// not known is not judged.
func AimedWhole(judge func(*play.At, *eventv1.Creature) error) func(*play.At, *eventv1.Creature) error {
	return func(at *play.At, t *eventv1.Creature) error {
		if err := judge(at, t); err != nil {
			return err
		}
		sp, injury := answers.SpellUsed(at.Actor, at.Take), spoken.Word(at.Take.GetParameters(), "injury")
		switch {
		case sp.GetRestores() == "" && injury != "":
			return fault.Field("take.parameters.injury", "goes with what heals crippling injuries alone")
		case sp.GetRestores() == "" || t.GetSheet() == nil:
			return nil
		}
		return RefuseWhole(at.Content, t, sp.Restores, injury)
	}
}

// restore heals one crippling injury, the one named or else the one that the
// patient picks, unless the part is severed.
//
// celesia.healing.crippling-restoration
func restore(r *rules.Resolution, id, injury string) error {
	const rule = cite.HealingCripplingRestoration
	c := r.Creature(id)
	if err := refuseRestore(r.Content(), c, injury); err != nil {
		return err
	}
	open := restorables(r.Content(), c)
	at := func(in *eventv1.Injury) bool { return in.Id == injury }
	switch {
	case injury != "" && !slices.ContainsFunc(open, at):
		r.Note(event.Controllers(id), id, "restoration does nothing for a severed part", cite.HealingCripplingSevered)
		return nil
	case len(open) == 1:
		injury = open[0].Id
	case injury == "":
		injury = askInjury(r, id, "restoration", "Which injury of "+c.Name+" is healed?", rule, open)
	}
	body.RemoveInjury(r, id, open[slices.IndexFunc(open, at)], "restoration", rule)
	body.SettleInjuries(r, id)
	return nil
}

// askInjury asks which of several injuries a spell heals.
func askInjury(r *rules.Resolution, id, spell, question, rule string, open []*eventv1.Injury) string {
	d := &eventv1.Decision{Name: body.DecRestore, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: id, Cause: spell,
		Question: question, DefaultOption: open[0].Id, Rule: rule}
	for _, in := range open {
		d.Options = append(d.Options, &eventv1.DecisionOption{Id: in.Id, Text: strings.TrimSpace(title(r.Content(), in.Kind) + " " + in.Side)})
	}
	return r.Ask(spell+"/"+id, d).Option
}

// title is what a row of the table of crippling injuries is called.
func title(book *effects.Book, row string) string {
	if c := strike.CrippleRow(book, row); c != nil {
		return c.Title
	}
	return row
}

// regrow brings a severed part back, whole: a limb with all that is on it, a
// finger as one finger. Of several the patient picks one.
//
// celesia.healing.crippling-severed
func regrow(r *rules.Resolution, id, injury string) error {
	const rule = cite.HealingCripplingSevered
	c := r.Creature(id)
	if err := body.RefuseRegrow(c, injury); err != nil {
		return err
	}
	open := body.SeveredParts(c, injury)
	switch {
	case len(open) > 1:
		injury = askInjury(r, id, "regenerate", "Which part of "+c.Name+" grows back?", rule, open)
	default:
		injury = open[0].Id
	}
	gone := open[slices.IndexFunc(open, func(in *eventv1.Injury) bool { return in.Id == injury })]
	if gone.Kind == "finger" {
		body.RemoveInjury(r, id, gone, "regenerate", rule)
		whole := slices.IndexFunc(c.Injuries, func(in *eventv1.Injury) bool {
			return in.Kind == "finger" && in.Side == gone.Side && in.Values["severed"] == 0
		})
		if whole >= 0 {
			body.RemoveInjury(r, id, c.Injuries[whole], "regenerate", rule)
		}
		body.SettleInjuries(r, id)
		return nil
	}
	back := []string{gone.Kind}
	switch {
	case gone.Kind == "hand":
		back = append(back, "finger")
	case gone.Kind == "arm" && body.Parts(c, "arm") == body.Parts(c, "hand"):
		back = append(back, "hand", "finger")
	}
	for _, in := range c.Injuries {
		if slices.Contains(back, in.Kind) && in.Side == gone.Side {
			body.RemoveInjury(r, id, in, "regenerate", rule)
		}
	}
	body.SettleInjuries(r, id)
	return nil
}
