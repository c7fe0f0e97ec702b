package original

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func spellActions() []*play.Action {
	return []*play.Action{
		{ID: "cast", Title: "Cast a spell", Rule: cite.SpellCasterWon, Group: play.GroupMagic, Costs: thestrike.AnAttack, Most: rules.MaxCreatures, Self: true, Items: thestrike.SpellsAt,
			Refuse: func(at *play.At) error { return thestrike.CastRefused(at.State, at.Actor, at.Item()) }, Candidates: thestrike.LivingAt, RefuseTarget: thestrike.OfTarget(thestrike.RefuseDead), Do: body.Deed(doCast),
			Area: func(at *play.At) *eventv1.Area {
				return house.AreaOf(at.Content, body.SpellOf(at.Actor, at.Item()).GetUse())
			}},
		{ID: "prepare", Title: "Say which spell comes this round", Rule: cite.SpellLostWhenOpponentWon, Group: play.GroupMagic, Anytime: true, Items: thestrike.SpellsAt,
			Refuse: func(at *play.At) error { return prepareRefused(at.State, at.Actor, at.Item()) }, Do: body.Deed(thestrike.DoPrepare)},
	}
}

// prepareRefused says why a spell cannot be announced: only before the
// caster's place in the order.
func prepareRefused(s *eventv1.State, c *eventv1.Creature, name string) error {
	if err := thestrike.SpellLeft(c, name); err != nil {
		return err
	}
	switch {
	case body.Out(c) || thestrike.Helpless(c) != nil:
		return body.Refuse("HELPLESS", cite.SpellLostWhenOpponentWon, "%s cannot prepare a spell", c.Name)
	case body.Surprised(c):
		return body.Refuse("SURPRISED", cite.SurpriseFreeRound, "%s is surprised", c.Name)
	case !thestrike.PlaceToCome(s, c.Id):
		return body.Refuse("TURN_OVER", cite.SpellCasterWon, "the turn of %s is over", c.Name)
	case thestrike.Preparing(c) == name:
		return body.Refuse("PREPARING", cite.SpellLostWhenOpponentWon, "%s prepares it already", c.Name)
	}
	return nil
}

// sameSlot tells whether two creatures act at the same time now.
func sameSlot(s *eventv1.State, a, b string) bool {
	plan, step := thestrike.PlanOf(s), int(s.Counters[body.CStep])
	if step < 1 || step > len(plan) {
		return false
	}
	g := plan[step-1]
	return g.Kind != body.SegFirst && g.Kind != body.SegLast && slices.Contains(g.Ids, a) && slices.Contains(g.Ids, b)
}

func doCast(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	castSpell(r, c.Id, take.Item, take.Targets, take.Action)
	return nil
}

// castSpell spends a spell; it goes off, or when foes act at the same time waits
// for what they do.
//
// original.spell.caster-won, original.spell.tie-save
func castSpell(r *rules.Resolution, id, name string, targets []string, action string) {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: id, Action: action, Item: name, Targets: targets}, cite.SpellCasterWon)
	r.Set(id, body.CCasts, r.Count(id, body.CCasts)+1, "this round", cite.MovementSpellcaster10Feet)
	r.EndBegun(id, body.BegunPreparing, "cast", cite.SpellCasterWon)
	c := r.Creature(id)
	r.Set(id, body.CAttacks, max(r.Count(id, body.CAttacks), int64(body.AttacksAgainstNormal(r.State(), c)), int64(body.AttacksAgainstStrong(r.State(), c))), "cast", cite.SpellCasterWon)
	r.Set(id, body.CStrong, r.Count(id, body.CStrong)+1, "this round", cite.SpellCasterWon)
	thestrike.Spend(r, id, name, "cast", cite.SpellCasterWon)
	if r.State().Marks[body.MTogether] == "" {
		goOff(r, id, name, targets)
		return
	}
	n := r.Count("", body.CBlows) + 1
	r.Set("", body.CBlows, n, "a spell of a simultaneous slot")
	r.Emit(event.Everyone(), &eventv1.TaskSet{Task: &eventv1.Task{Id: thestrike.BlowID(n), Creature: id, Kind: body.TaskSpell, Status: "pending", Text: name,
		Targets: targets, Item: name, Rule: cite.SpellTieSave}}, cite.SpellTieSave)
}

// goOff has a spell take effect unless those who act at the same time disturb
// it.
func goOff(r *rules.Resolution, id, name string, targets []string) {
	if r.Creature(id) == nil || thestrike.Spoiled(r, id, name) {
		return
	}
	p := body.SpellOf(r.Creature(id), name)
	r.Note(event.Everyone(), id, name+" goes off", cite.SpellCasterWon)
	if p == nil {
		return
	}
	m := house.Space{Out: body.Dead, Feet: body.Distance}
	for _, target := range m.InArea(r.Content(), r.State(), r.Creature(id), p.Use, targets) {
		if r.Creature(target) == nil {
			continue
		}
		if p.Damage != "" {
			spellDamage(r, id, target, p)
		}
		thestrike.Happen(r, "cast/"+target, id, effects.TriggerCast, spellEnv(r, id, target, p))
	}
}

// spellDamage rolls what a spell does to one of its targets, and does it.
func spellDamage(r *rules.Resolution, id, target string, p *eventv1.OriginalSpell) {
	label, c, env := "spell/"+target+"/damage", r.Creature(id), spellEnv(r, id, target, p)
	mods, extra := house.Added(r, label, c, thestrike.PointSpell, env)
	expression, again := house.Again(r, c, thestrike.PointSpell, env, p.Damage)
	n := r.Roll(rules.RollSpec{Label: label, Creature: id, Expression: expression, Reason: p.Name, Modifiers: mods, Rules: append([]string{cite.SpellCasterWon}, again...)}).Total
	lay(r, &thestrike.Wound{Attacker: id, Target: target, Weapon: p.Name, Actual: max(0, n), Extra: extra, Magic: r.Content() != nil})
}

// spellEnv is a spell as content sees it.
func spellEnv(r *rules.Resolution, id, target string, p *eventv1.OriginalSpell) effects.Env {
	return effects.Env{State: r.State(), Actor: r.Creature(id), Target: r.Creature(target), Spell: p.Name, SpellUse: p.Use}
}

// disturb notes what a wound does to a caster whose place in the round has not
// passed: one who went before it costs the spell, one who acts at the same time
// a save.
//
// original.spell.lost-when-opponent-won, original.spell.tie-save
func disturb(r *rules.Resolution, w *thestrike.Wound) {
	by, id := w.Attacker, w.Target
	s, c, attacker := r.State(), r.Creature(id), r.Creature(by)
	if attacker == nil || attacker.Side == c.Side || len(body.SheetOf(c).Spells) == 0 {
		return
	}
	// A free attack has no place in the order: those of the two tell.
	if w.Parting && thestrike.Ahead(s, attacker, c) < 0 {
		return
	}
	if sameSlot(s, by, id) {
		body.TieForRound(r, id, body.RelDisturbed, by, cite.SpellTieSave)
		return
	}
	if !thestrike.PlaceToCome(s, id) || c.Counters[body.CCasts] > 0 {
		return // original.spell.caster-won
	}
	body.During(r, id, body.CondDisturbed, cite.SpellLostWhenOpponentWon)
	if name := thestrike.Preparing(c); name != "" {
		r.EndBegun(id, body.BegunPreparing, "lost", cite.SpellLostWhenOpponentWon)
		thestrike.Spend(r, id, name, "lost", cite.SpellLostWhenOpponentWon)
		r.Note(event.Everyone(), id, name+" is lost", cite.SpellLostWhenOpponentWon)
	}
}

// spellAtCharger lets a caster who has the round's attack left cast at one who
// charges.
//
// original.charge.open-to-missiles
func spellAtCharger(r *rules.Resolution, id, charger string) {
	s, c := r.State(), r.Creature(id)
	d := &eventv1.Decision{Name: body.DecSpell, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: id, Cause: r.Creature(charger).Name + " charges",
		Question: "Cast a spell as it closes?", DefaultOption: "no", Rule: cite.ChargeOpenToMissiles, Against: []string{charger}, Options: []*eventv1.DecisionOption{{Id: "no", Text: "No"}}}
	for _, p := range body.SheetOf(c).Spells {
		if thestrike.CastRefused(s, c, p.Name) == nil {
			d.Options = append(d.Options, &eventv1.DecisionOption{Id: "spell:" + p.Name, Text: p.Name})
		}
	}
	if len(d.Options) == 1 || !thestrike.Able(s, c) || body.Has(c, body.CondStruggling) {
		return
	}
	answer := r.Ask("spell/"+id, d)
	name, is := strings.CutPrefix(answer.Option, "spell:")
	if !is {
		return
	}
	together := r.State().Marks[body.MTogether]
	if together != "" { // it comes before the contact, and so before the slot ends
		r.Mark("", body.MTogether, "")
	}
	castSpell(r, id, name, []string{charger}, "charge-spell")
	if together != "" {
		r.Mark("", body.MTogether, together)
	}
}
