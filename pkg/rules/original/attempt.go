package original

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// attempt is an attack that is to bring something about in the place of a
// wound; it takes one of the round's attacks.
type attempt struct {
	id, title, rule string
	// weapon tells whether the attempt is made with such a weapon.
	weapon func(w *eventv1.OriginalWeapon) bool
	// without is said of one who has no such weapon.
	without string
	// target says why it cannot be made against a foe.
	target func(target *eventv1.Creature) error
	// then finds out what a hit brings about.
	then func(r *rules.Resolution, b *blow, w *wound)
}

func attempts() []*attempt {
	return []*attempt{
		{id: "disarm", title: "Disarm", rule: cite.ActionDisarmAttempt, without: "only one-handed weapons disarm",
			weapon: func(w *eventv1.OriginalWeapon) bool { return w.Hands <= 1 && !natural(w) && !missile(w) },
			target: func(t *eventv1.Creature) error {
				if _, hands := itemInHand(t); hands != 1 {
					return refuse("NOT_ONE_HANDED", cite.ActionDisarmAttempt, "%s fights with no one-handed weapon", t.Name)
				}
				return nil
			}, then: disarmed},
		{id: "dismount", title: "Pull a rider off", rule: cite.MountDismountAttempt, without: "only polearms dismount",
			weapon: func(w *eventv1.OriginalWeapon) bool { return w.Kind == "polearm" },
			target: func(t *eventv1.Creature) error {
				if t.Marks[mMounted] == "" {
					return refuse("NOT_MOUNTED", cite.MountDismountAttempt, "%s is on foot", t.Name)
				}
				return nil
			}, then: dismounted},
		{id: "entangle", title: "Entangle with a whip", rule: cite.ActionWhipEntangle, without: "only whips entangle",
			weapon: func(w *eventv1.OriginalWeapon) bool { return w.Kind == "whip" },
			target: func(t *eventv1.Creature) error {
				if t.Size == "huge" || t.Size == "gargantuan" {
					return refuse("TOO_LARGE", cite.ActionWhipEntangle, "%s is larger than an ogre", t.Name)
				}
				return nil
			}, then: entangled},
	}
}

func attemptActions() []*action {
	var list []*action
	for _, a := range attempts() {
		list = append(list, &action{id: a.id, title: a.title, extra: true, options: a.options, do: a.do})
	}
	return append(list, pickUpAction())
}

func (a *attempt) refused(s *eventv1.State, c, target *eventv1.Creature, w *eventv1.OriginalWeapon, take *eventv1.TakeAction) error {
	if !a.weapon(w) {
		return refuse("WRONG_WEAPON", a.rule, "%s", a.without)
	}
	if err := attackRefused(s, c, target, w, take); err != nil {
		return err
	}
	if melee, _ := reachOf(c, target, w, take); !melee {
		return refuse("OUT_OF_REACH", a.rule, "%s is out of reach", target.Name)
	}
	if isUnit(c) || isUnit(target) {
		return refuse("UNIT", cite.MassGrouping, "units fight as a whole")
	}
	return a.target(target)
}

func (a *attempt) options(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	var list []*eventv1.Option
	for _, w := range weapons(c) {
		if a.weapon(w) {
			list = append(list, targeted(w.Name, foes(s, c), func(id string) error {
				return a.refused(s, c, s.Creatures[id], w, &eventv1.TakeAction{})
			}))
		}
	}
	return list
}

func (a *attempt) do(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	s := r.State()
	id, err := oneTarget(take)
	if err != nil {
		return err
	}
	w, err := weaponOf(c, take.Item)
	if err != nil {
		return err
	}
	if err := a.refused(s, c, s.Creatures[id], w, take); err != nil {
		return err
	}
	if err := mannerRefused(s, c, w, take); err != nil {
		return err
	}
	b := newBlow(s, c, s.Creatures[id], w, take)
	b.noDamage, b.label = true, a.id
	deliver(r, b, take.Action, func(w *wound) { a.then(r, b, w) })
	return nil
}

// disarmed rolls the save of one hit to be disarmed; without it the weapon
// falls at its feet.
//
// original.action.disarm-save
func disarmed(r *rules.Resolution, b *blow, w *wound) {
	const rule = cite.ActionDisarmSave
	item, _ := itemInHand(b.target)
	if savesFromParalysis(r, b.label, b.target.Id, "keep "+item, rule, levelsAbove(b.target, b.attacker, rule)).Success() {
		return
	}
	w.drops, w.at, w.rule = item, b.target.Id, rule
}

// dismounted rolls the save of a rider; without it the rider lies beside the
// steed.
//
// original.mount.dismount-save
func dismounted(r *rules.Resolution, b *blow, w *wound) {
	const rule = cite.MountDismountSave
	if savesFromParalysis(r, b.label, b.target.Id, "stay mounted", rule, levelsAbove(b.target, b.attacker, rule)).Success() {
		return
	}
	w.unhorsed, w.effect, w.rule = true, condProne, rule
}

// entangled asks the wielder of a whip what to go for, rolls the wielder's
// save and asks whether to pull.
//
// original.action.whip-entangle, original.action.whip-save, original.action.whip-outcome
func entangled(r *rules.Resolution, b *blow, w *wound) {
	area := "person"
	if items := itemsHeld(b.target); len(items) > 0 {
		d := &eventv1.Decision{Name: decWhipArea, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: b.attacker.Id, Cause: "the whip hits " + b.target.Name,
			Question: "What does it go for?", DefaultOption: area, Rule: cite.ActionWhipEntangle, Options: []*eventv1.DecisionOption{{Id: area, Text: b.target.Name}}}
		for _, item := range items {
			d.Options = append(d.Options, &eventv1.DecisionOption{Id: itemPrefix + item, Text: item})
		}
		area = r.Ask("whip-area", d).Option
	}
	const rule = cite.ActionWhipSave
	if save := savesFromParalysis(r, b.label, b.attacker.Id, "entangle "+b.target.Name, rule, mod(-strBonus(b.target), "STR of "+b.target.Name, rule)); !save.Success() {
		r.Note(save.Audience, b.target.Id, "the whip slides off", rule)
		return
	}
	answer := r.Ask("whip-pull", rules.YesNo(decWhipPull, b.attacker.Id, "the whip holds "+b.target.Name, "Pull?", "yes", cite.ActionWhipOutcome))
	if answer.Option != "yes" {
		return
	}
	w.rule = cite.ActionWhipOutcome
	if area == "person" {
		w.effect = condProne
		return
	}
	if item := area[len(itemPrefix):]; slices.Contains(itemsHeld(b.target), item) {
		w.drops, w.at = item, b.attacker.Id
	}
}

// itemPrefix stands before an item in the answers about a whip.
const itemPrefix = "item:"
