package resolving

import (
	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// applyTask carries out what a creature works at in the attack half.
func (f *fray) applyTask(sl *slot) {
	d := f.decl[sl.by]
	switch sl.task {
	case declaring.KindRestring:
		f.restring(sl.by, d.Weapon)
	case declaring.KindRefit:
		f.refit(sl.by, d.Weapon)
	case declaring.KindGather:
		rolled := f.r.Roll(rules.RollSpec{Label: "gather/" + sl.by, Creature: sl.by, Expression: "2d8", Reason: "missiles picked up",
			Rules: []string{cite.FumbleAltAmmoAccident}})
		f.gather(sl.by, d.Weapon, int64(rolled.Value))
	case declaring.KindBash:
		f.bash(sl.by, d.Thing)
	}
}

// restringRounds is the minute that a new string takes.
const restringRounds = 10

// restring works a round at a new string; other use of a round suspends the work.
//
// spark.fumble.string-breaks, spark.fumble.alt-string-snaps
func (f *fray) restring(id, weapon string) {
	r, rule := f.r, body.StringRule(f.r.State())
	work := workAt(r.Creature(id), weapon)
	n := work.GetDone() + 1
	if n < restringRounds {
		r.Begin(id, &eventv1.Begun{Id: body.BegunWork + "." + weapon, Kind: body.BegunWork, Action: &eventv1.TakeAction{Creature: id, Action: declaring.KindRestring, Item: weapon},
			Done: n, Needed: restringRounds, Counter: "rounds", Rule: rule}, rule)
		return
	}
	if work != nil {
		r.Emit(r.Audience(rules.FactBegun, work.Kind, id), &eventv1.BegunEnded{Creature: id, Id: work.Id, Outcome: "done"}, rule)
	}
	r.Set(id, body.CSpareStrings, max(0, r.Count(id, body.CSpareStrings)-1), "restrung", rule)
	r.Mark(id, body.MString+weapon, "", rule)
}

// workAt is the work begun at a new string of a weapon; nil when there is none.
func workAt(c *eventv1.Creature, weapon string) *eventv1.Begun {
	for _, b := range c.GetBegun() {
		if b.Kind == body.BegunWork && b.GetAction().GetItem() == weapon {
			return b
		}
	}
	return nil
}

// refit tries to put a loose string back; the bow shoots again in the round
// after a success.
//
// spark.fumble.alt-loose-string
func (f *fray) refit(id, weapon string) { RefitString(f.r, id, weapon, "refit/"+id) }

// RefitString rolls sleight of hand, under a label, against the usual DC; success puts
// the loose string of a weapon back.
func RefitString(r *rules.Resolution, id, weapon, label string) {
	const rule = cite.FumbleAltLooseString
	rolled := body.Tried(r, rules.RollSpec{Label: label, Creature: id, Reason: "put the string of " + weapon + " back",
		Modifiers: []*eventv1.Modifier{body.Mod(body.SheetOf(r.Creature(id)).SleightOfHand, "sleight of hand", rule)},
		Target:    &eventv1.TargetNumber{Kind: "DC", Value: declaring.UsualDC}, Judge: body.JudgeCheck(declaring.UsualDC, false), Rules: []string{rule}},
		body.PointSleightOfHand, nil, nil)
	if rolled.Success() {
		r.Mark(id, body.MString+weapon, "", rule)
	}
}

// gather puts spilled missiles back, no more than there are.
//
// spark.fumble.alt-ammo-accident
func (f *fray) gather(id, weapon string, n int64) {
	const rule = cite.FumbleAltAmmoAccident
	r := f.r
	n = min(n, r.Count(id, body.CSpilled+weapon))
	r.Set(id, body.CSpilled+weapon, r.Count(id, body.CSpilled+weapon)-n, "picked up", rule)
	r.Set(id, body.CAmmunition+weapon, r.Count(id, body.CAmmunition+weapon)+n, "picked up", rule)
}

// deedCheck makes the Strength check that a deed calls for.
//
// spark.dice.meet-or-beat
func (f *fray) deedCheck(id string, d *declaring.Declaration) {
	muscles := body.RollUpper
	if d.Body == "lower" {
		muscles = body.RollLower
	}
	word, rolled := "fails", body.StrengthCheck(f.r, id, "check/"+id, d.Text, muscles, d.DC, cite.DiceMeetOrBeat)
	if rolled.Success() {
		word = "succeeds"
	}
	f.r.Note(rolled.Audience, id, d.Text+": the check "+word, cite.DiceMeetOrBeat)
}

// bash tries to break a thing: reaching its DC breaks it, falling short leaves
// it cracked, and a natural 1 does nothing.
//
// spark.item.hardness-check, spark.item.hardness-table, spark.item.cracked
func (f *fray) bash(id string, what *declaring.Thing) {
	const rule = cite.ItemHardnessCheck
	r, state := f.r, body.Broken
	if r.State().Marks[body.MObject+what.Name] == body.Broken {
		r.Note(event.Everyone(), id, what.Name+" is broken already", rule)
		return
	}
	if what.DC >= 0 {
		switch body.StrengthCheck(r, id, "bash/"+id, "bash "+what.Name, body.RollUpper, what.DC, body.Also(what.Rule, rule)...).Outcome {
		case "fumble":
			return
		case "failure":
			state = body.Cracked
		}
	}
	if r.State().Marks[body.MObject+what.Name] != state {
		r.Mark("", body.MObject+what.Name, state, rule)
	}
	r.Note(event.Everyone(), id, what.Name+" is "+state, rule)
}
