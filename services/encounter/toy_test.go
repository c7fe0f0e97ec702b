package encounter_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// toy is a rule system of a few lines, so that these tests are about the
// service: an attack rolls, may be parried (a decision), and does harm in the
// injury service, where the target may endure (another decision). The game
// master sees a secret roll with every attack.
type toy struct{ rules.System }

func (toy) GMOnly(action string) bool { return action == "judge" }

// Content makes packs count: they add to attacks and damage.
func (toy) Content() effects.Support {
	return effects.Support{Kinds: map[effects.Kind][]string{effects.KindModifier: {"attack", "damage"}}}
}

func (toy) Info() rules.Info                            { return rules.Info{ID: "toy", Title: "Toy", Version: "1"} }
func (toy) Settings() []rules.Setting                   { return nil }
func (toy) CheckSheet(*eventv1.Sheet) []fault.Violation { return nil }
func (toy) StandingOrders() []rules.StandingOrder {
	return []rules.StandingOrder{{Decision: "parry", Orders: []string{"yes", "no"}}, {Decision: "endure", Orders: []string{"yes", "no"}}, {Decision: "deep", Orders: []string{"yes", "no"}}}
}

func (toy) Audience(_ *eventv1.State, k rules.FactKind, name, creature string) *eventv1.Audience {
	if k == rules.FactHitPoints || k == rules.FactSheet {
		return event.Controllers(creature)
	}
	if name == "fate" {
		return event.GM()
	}
	return event.Everyone()
}

func (toy) Enter(r *rules.Resolution, add *eventv1.AddCreature) error {
	if add.Sheet.Side == "fresh" { // is rolled when it joins
		r.Roll(rules.RollSpec{Label: "vigour", Expression: "3d6"})
	}
	r.SetHitPoints(add.Sheet.Id, add.Sheet.HitPoints, add.Sheet.HitPoints, 0)
	return r.ApplyVitals(add.Sheet.Id, add.Vitals)
}
func (toy) Leave(*rules.Resolution, string) error  { return nil }
func (toy) Edited(*rules.Resolution, string) error { return nil }
func (toy) Finish(*rules.Resolution) error         { return nil }
func (toy) Begin(r *rules.Resolution, _ *eventv1.StartEncounter) error {
	r.Emit(event.Everyone(), &eventv1.RoundStarted{Round: 1})
	r.Emit(event.Everyone(), &eventv1.TurnStarted{Creatures: []string{rules.SortedKeys(r.State().Creatures)[0]}})
	return nil
}

func (toy) EndTurn(r *rules.Resolution, id string) error {
	ids := rules.SortedKeys(r.State().Creatures)
	r.Emit(event.Everyone(), &eventv1.TurnEnded{Creatures: []string{id}})
	next := ids[(slices.Index(ids, id)+1)%len(ids)]
	if next == ids[0] {
		r.Emit(event.Everyone(), &eventv1.RoundStarted{Round: r.State().Round + 1})
	}
	r.Emit(event.Everyone(), &eventv1.TurnStarted{Creatures: []string{next}})
	return nil
}

// sum is what the packs add to an attack of a creature.
func sum(q rules.Query) (n int32) {
	for _, m := range q.Content.Modifiers(q.State.Creatures[q.Creature], "attack", effects.Env{State: q.State, Actor: q.State.Creatures[q.Creature]}) {
		n += m.Amount
	}
	return n
}

func (toy) Options(q rules.Query) []*eventv1.Option {
	o := &eventv1.Option{Creature: q.Creature, Action: "attack", Title: fmt.Sprintf("attack %+d", sum(q)), Legal: slices.Contains(q.State.Active, q.Creature)}
	if !o.Legal {
		o.Reason = "not your turn"
	}
	o.Parameters = []*eventv1.Parameter{{Name: "hard", Type: "boolean"}}
	q.Strip(o)
	return slices.DeleteFunc([]*eventv1.Option{o, {Creature: q.Creature, Action: "judge", Legal: true}}, func(o *eventv1.Option) bool {
		return !q.Wants(o.Action, o.Group) || q.LegalOnly && !o.Legal
	})
}

func (toy) Act(r *rules.Resolution, take *eventv1.TakeAction) error {
	if !slices.Contains(r.State().Active, take.Creature) {
		return fault.Refuse("NOT_YOUR_TURN", "toy.turn", "it is not the turn of %q", take.Creature)
	}
	target := strings.Join(take.Targets, "")
	if take.Action == "whisper" {
		r.Note(event.GM(), take.Creature, "a secret")
		return nil
	}
	if take.Action == "sound" { // asks the game master, and what comes of that is heard
		d := rules.YesNo("lurk", "", "hit", "Does it sound?", take.Item, "")
		d.GmOnly = true
		if r.Ask("lurk", d).Option == "no" {
			r.Note(event.Controllers(target), take.Creature, "a sound")
		}
		return nil
	}
	if take.Action == "twice" { // two rolls of one label; the game master has one of it, too
		if take.Item == "unseen" {
			r.Roll(rules.RollSpec{Label: "blow", Creature: take.Creature, Expression: "1d20", Audience: event.GM()})
		}
		for range 2 {
			r.Roll(rules.RollSpec{Label: "blow", Creature: take.Creature, Expression: "1d20"})
		}
		return nil
	}
	if take.Action == "murmur" { // to who plays the target, and to nobody else
		r.Note(event.Controllers(target), take.Creature, "a word")
		return nil
	}
	if take.Action == "lurk" { // unseen, unless its target is unhurt: then more comes of it
		c := r.Creature(target)
		switch hurt := c.GetHp() < c.GetHpMax(); {
		case take.Item == "wait":
			d := rules.YesNo("lurk", "", "hit", "Further?", "", "")
			d.GmOnly = true
			r.Note(event.GM(), take.Creature, "it lurks: "+r.Ask("lurk", d).Option)
		case hurt:
			r.Note(event.GM(), take.Creature, "it lurks")
		case take.Item == "dice":
			r.Roll(rules.RollSpec{Label: "fate", Expression: "1d100", Audience: event.GM()})
		case take.Item == "harm":
			r.Harm("harm", &eventv1.Harm{Deed: "damage", Target: target, Source: take.Creature})
		case take.Item == "ask":
			r.Ask("parry", rules.YesNo("parry", target, "hit", "Parry?", "", ""))
		default:
			r.Note(event.Everyone(), take.Creature, "it is seen")
		}
		return nil
	}
	if take.Action == "shove" || take.Action == "stumble" { // words of a rule that names whoever stands there
		if take.Action == "stumble" {
			r.Roll(rules.RollSpec{Label: "stumble", Creature: take.Creature, Expression: "1d20"})
		}
		for _, id := range rules.SortedKeys(r.State().Creatures) {
			if c := r.Creature(id); c.Staged {
				return &fault.Fault{Code: fault.Invalid, Reason: "BLOCKED", Message: c.Name + " is in the way (" + id + ")",
					Violations: []fault.Violation{{Field: "take.path", Description: c.Name + " is there"}}, Meta: map[string]string{"by": id}}
			}
		}
		return fault.Refuse("BLOCKED", "", "a wall is in the way")
	}
	switch take.Action {
	case "measure":
		return measure(r, take)
	case "volley":
		return volley(r, take)
	case "gamble":
		return gamble(r, take)
	case "slay":
		r.Emit(event.Everyone(), &eventv1.LifeChanged{Creature: target, Status: eventv1.LifeStatus_LIFE_STATUS_DEAD})
		return nil
	case "reckon":
		return reckon(r, take)
	}
	if take.Action == "hex" { // a die that names its target, and one that does not, both unseen
		r.Roll(rules.RollSpec{Label: "hex-" + target, Creature: take.Creature, Expression: "1d6", Audience: event.GM()})
		r.Roll(rules.RollSpec{Label: "doom", Expression: "1d6", Audience: event.GM()})
		return nil
	}
	if take.Action == "omen" { // what is rolled unseen has the label of what is seen
		r.Roll(rules.RollSpec{Label: "to-hit", Expression: "1d20", Audience: event.GM()})
	}
	r.Roll(rules.RollSpec{Label: "fate", Expression: "1d100", Audience: event.GM()})
	if take.Action == "omen" && target == "" {
		return nil
	}
	if take.Action == "pick" { // one of the targets, whoever of them stands nearest
		d := rules.YesNo("pick", take.Creature, "pick", "Whom?", "", "")
		d.Options = nil
		for _, t := range take.Targets {
			d.Options = append(d.Options, &eventv1.DecisionOption{Id: t, Text: t})
		}
		picked := r.Ask("pick", d).Option
		r.SetHitPoints(picked, r.Creature(picked).GetHp()-1, r.Creature(picked).GetHpMax(), 0)
		return nil
	}
	expression := "1d20"
	if take.Facts.GetFields()["high"].GetBoolValue() {
		expression = "2d20kh1"
	}
	var more []*eventv1.Modifier // what the packs add
	for _, m := range r.Content().Modifiers(r.Creature(take.Creature), "attack", effects.Env{State: r.State(), Actor: r.Creature(take.Creature)}) {
		more = append(more, &eventv1.Modifier{Value: m.Amount, Source: m.Title, Rule: m.Rule})
	}
	hit := r.Roll(rules.RollSpec{Label: "to-hit", Creature: take.Creature, Expression: expression, Modifiers: more, Target: &eventv1.TargetNumber{Kind: "AC", Value: 11}})
	d := rules.YesNo("parry", target, "hit", "Parry?", "no", "")
	if r.Ask("parry", d).Option == "yes" && r.Roll(rules.RollSpec{Label: "parry", Creature: target, Expression: "1d6"}).Total >= 4 {
		return nil
	}
	r.Set(take.Creature, "score", int64(hit.Total), "hit")
	r.Harm("harm", &eventv1.Harm{Deed: "damage", Target: target, Source: take.Creature})
	return nil
}

func (toy) Medicine() rules.Medicine { return toyMedicine{} }

type toyMedicine struct{}

func (toyMedicine) Deeds() []string { return []string{"rest", "mend"} }

// Tend mends whoever is hurt: a roll each, and a kit of who does it.
func (toyMedicine) Tend(r *rules.Resolution, c *eventv1.PatientCommand) error {
	if c.Deed != "mend" {
		return nil
	}
	for _, id := range c.Patients {
		hurt := r.Creature(id)
		if hurt.GetHp() >= hurt.GetHpMax() {
			continue
		}
		if c.User != "" {
			if r.Count(c.User, "kits") >= 2 {
				return fault.Refuse("NO_KIT", "toy.kits", "no kit is left")
			}
			r.Set(c.User, "kits", r.Count(c.User, "kits")+1, "mend")
		}
		if hurt.GetHp() <= 10 && r.Ask("deep-"+id, rules.YesNo("deep", id, "mend", "Deeply?", "", "")).Option == "yes" {
			r.SetHitPoints(id, hurt.GetHp()+10, hurt.GetHpMax(), 0)
			continue
		}
		healed := r.Roll(rules.RollSpec{Label: "mend-" + id, Creature: id, Expression: "1d6"}).Total
		r.SetHitPoints(id, min(hurt.GetHpMax(), hurt.GetHp()+healed), hurt.GetHpMax(), 0)
	}
	return nil
}
func (toyMedicine) Deed(r *rules.Resolution, h *eventv1.Harm) error {
	var more []*eventv1.Modifier
	for _, m := range r.Content().Modifiers(r.Creature(h.Source), "damage", effects.Env{State: r.State(), Actor: r.Creature(h.Source)}) {
		more = append(more, &eventv1.Modifier{Value: m.Amount, Source: m.Title, Rule: m.Rule})
	}
	d := r.Roll(rules.RollSpec{Label: "damage", Creature: h.Source, Expression: "1d4", Modifiers: more})
	taken := d.Total
	if r.Ask("endure", rules.YesNo("endure", h.Target, "damage", "Endure?", "no", "")).Option == "yes" {
		taken = 1
	}
	c := r.Creature(h.Target)
	r.SetHitPoints(h.Target, c.GetHp()-taken, c.GetHpMax(), 0)
	r.Result().Taken = taken
	return nil
}
