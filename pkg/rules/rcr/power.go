package rcr

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// powerOf finds a power of the sheet by its name; nil when there is none.
func powerOf(c *eventv1.Creature, name string) *eventv1.RcrPower {
	for _, p := range sheetOf(c).Powers {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// refusePower says why a power cannot be used whatever the target.
func refusePower(s *eventv1.State, c *eventv1.Creature, p *eventv1.RcrPower) error {
	const frame = cite.BaseFifthEditionFallback
	var err error
	switch p.Cost {
	case "bonus":
		err = needBonus(s, c)
	case "reaction":
		err = needReaction(s, c)
	case "free":
		if bareAction(s, c) {
			err = refuse("ONE_ACTION", cite.SurpriseOneAction, "one action and nothing else")
		}
	case "legendary":
		err = refuse("LEGENDARY", frame, "%s is a legendary action", p.Name)
	default:
		if c.Counters[cMulti+p.Name] < 1 || has(c, condTerrified) {
			err = needAction(c)
		}
	}
	if err != nil {
		return err
	}
	return refuseSpent(c, p)
}

// refuseSpent says why a power has no use left.
func refuseSpent(c *eventv1.Creature, p *eventv1.RcrPower) error {
	const frame = cite.BaseFifthEditionFallback
	switch {
	case !usesLeft(c, p.Name, p.Usage):
		return refuse("NO_USES", frame, "%s is spent", p.Name)
	case p.Resource != "" && c.Counters[cLeft+p.Resource] < 1:
		return refuse("NO_RESOURCE", frame, "%s is spent", p.Resource)
	}
	return nil
}

// refusePowerTarget says why a creature cannot be a target of a power. A power
// without a range touches the user alone.
func refusePowerTarget(c, target *eventv1.Creature, p *eventv1.RcrPower, stated int32) error {
	const frame = cite.BaseFifthEditionFallback
	feet, known := distanceTo(c, target)
	if stated >= 0 {
		feet, known = stated, true
	}
	switch {
	case p.RangeFeet == 0 && target.Id != c.Id:
		return refuse("SELF_ONLY", frame, "%s is for %s alone", p.Name, c.Name)
	case dead(target):
		return refuse("TARGET_DEAD", frame, "%s is dead", target.Name)
	case target.Id == c.Id && p.Healing == "" && (len(p.Damage) > 0 || p.Save != nil):
		return refuse("SELF", frame, "%s does not touch its user", p.Name)
	case known && p.RangeFeet > 0 && feet > p.RangeFeet:
		return refuse("OUT_OF_RANGE", frame, "%s is out of the range of %s", target.Name, p.Name)
	case p.Healing == "" && charmedBy(c, target.Id):
		return refuse("CHARMED", frame, "%s is charmed by %s", c.Name, target.Name)
	}
	return nil
}

func powerOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	return optionsOfPowers(s, c, func(p *eventv1.RcrPower) bool { return p.Cost != "reaction" && p.Cost != "legendary" })
}

func optionsOfPowers(s *eventv1.State, c *eventv1.Creature, which func(*eventv1.RcrPower) bool) []*eventv1.Option {
	var out []*eventv1.Option
	for _, p := range sheetOf(c).Powers {
		if !which(p) {
			continue
		}
		costs := map[string]int32{}
		switch {
		case p.Cost == "bonus":
			costs[cBonus] = 1
		case p.Cost == "reaction":
			costs[cReaction] = 1
		case p.Cost != "free" && c.Counters[cMulti+p.Name] < 1:
			costs[cAction] = 1
		}
		o := option(p.Name, refusePower(s, c, p), costs)
		aimPower(s, c, p, o)
		out = append(out, o)
	}
	return out
}

// aimPower fills in what a power can be aimed at.
func aimPower(s *eventv1.State, c *eventv1.Creature, p *eventv1.RcrPower, o *eventv1.Option) {
	o.MinimumTargets, o.MaximumTargets = 1, max(1, p.Targets)
	if p.RangeFeet == 0 {
		o.MinimumTargets, o.MaximumTargets = 0, 1
	}
	for _, id := range rules.SortedKeys(s.Creatures) {
		if refusePowerTarget(c, s.Creatures[id], p, -1) == nil {
			o.Targets = append(o.Targets, id)
		}
	}
	if o.Legal && len(o.Targets) == 0 {
		rules.Forbid(o, noPowerTarget(p))
	}
	o.Parameters = append(o.Parameters, teleportParameters(c, p.TeleportFeet)...)
}

func noPowerTarget(p *eventv1.RcrPower) error {
	return refuse("NO_TARGET", fallback, "nobody is within the range of %s", p.Name)
}

// powerTargets reads and checks the targets of a power; its user when none is named.
func powerTargets(r *rules.Resolution, c *eventv1.Creature, p *eventv1.RcrPower, take *eventv1.TakeAction) ([]string, error) {
	ids := take.Targets
	if len(ids) == 0 && p.RangeFeet == 0 {
		if refusePowerTarget(c, c, p, -1) != nil {
			return nil, noPowerTarget(p)
		}
		ids = []string{c.Id}
	}
	if n := len(ids); n < 1 || n > int(max(1, p.Targets)) {
		return nil, fault.Field("take.targets", "from 1 to %d, not %d", max(1, p.Targets), n)
	}
	stated := int32(-1)
	if feet, ok := spoken.Number(take.Facts, "distance"); ok {
		stated = feet
	}
	seen := map[string]bool{}
	for _, id := range ids {
		if seen[id] {
			return nil, fault.Field("take.targets", "%q twice", id)
		}
		seen[id] = true
		if err := refusePowerTarget(c, r.Creature(id), p, stated); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// doPower uses a power on one's own turn.
func doPower(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if p := powerOf(c, take.Item); p != nil && p.Cost == "reaction" {
		return refuse("REACTION", cite.BaseFifthEditionFallback, "%s is a reaction: take it with react", p.Name)
	}
	return usePower(r, c, take)
}

// usePower uses a power: its damage is rolled once for all targets, each of
// which makes its own saving throw.
func usePower(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	p := powerOf(c, take.Item)
	if p == nil {
		return noSuch("take.item", take.Item, "power of "+c.Name, namesOf(sheetOf(c).Powers))
	}
	if err := refusePower(r.State(), c, p); err != nil {
		return err
	}
	ids, err := powerTargets(r, c, p, take)
	if err != nil {
		return err
	}
	to, err := planTeleport(r.State(), c, p.TeleportFeet, take)
	if err != nil {
		return err
	}
	payPower(r, c, p)
	letPower(r, c, p, ids, to, take)
	return nil
}

// letPower has a power paid for take effect; to is where its user appears, nil
// for nowhere else.
func letPower(r *rules.Resolution, c *eventv1.Creature, p *eventv1.RcrPower, ids []string, to *eventv1.Position, take *eventv1.TakeAction) {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Targets: ids, Item: p.Name, Notes: statedNotes(take)})
	var rolled []*eventv1.DamagePart
	for _, d := range p.Damage {
		rolled = append(rolled, rollDamage(r, "power/damage", c.Id, p.Name, d, false))
	}
	healing := int32(0)
	if p.Healing != "" {
		healing = r.Roll(rules.RollSpec{Label: "power/healing", Creature: c.Id, Expression: p.Healing, Reason: "healing of " + p.Name}).Total
	}
	// One use makes one check against wounds, however many it heals.
	facts := also(map[string]string{"via": viaAbility}, medicineFacts(take, ids[0]))
	for _, id := range ids {
		if check := powerOn(r, r.Creature(c.Id), id, p, rolled, healing, facts, take); check > 0 {
			facts = map[string]string{"via": viaAbility, "check": itoa(check)}
		}
	}
	teleport(r, c.Id, p.Name, p.TeleportFeet, to)
}

func payPower(r *rules.Resolution, c *eventv1.Creature, p *eventv1.RcrPower) {
	switch {
	case p.Cost == "bonus":
		spend(r, c.Id, cBonus, p.Name)
	case p.Cost == "reaction":
		spend(r, c.Id, cReaction, p.Name)
	case p.Cost == "free":
	case c.Counters[cMulti+p.Name] > 0:
		spend(r, c.Id, cMulti+p.Name, p.Name)
	case wayWith(c, p.Name, "") != nil:
		payAttack(r, c, p.Name, "")
	default:
		spend(r, c.Id, cAction, p.Name)
	}
	payUses(r, c, p)
}

// payUses takes one of the uses of a power.
func payUses(r *rules.Resolution, c *eventv1.Creature, p *eventv1.RcrPower) {
	if limited(p.Usage) {
		spend(r, c.Id, usesOf(p.Name, p.Usage), "used")
	}
	if p.Resource != "" {
		spend(r, c.Id, cLeft+p.Resource, p.Name)
	}
}

// powerOn has a power take effect on one target. It returns how the check
// against wounds that goes with healing came out: 0 for none.
func powerOn(r *rules.Resolution, c *eventv1.Creature, id string, p *eventv1.RcrPower, rolled []*eventv1.DamagePart, healing int32,
	facts map[string]string, take *eventv1.TakeAction) (check int32) {
	target := r.Creature(id)
	saved := false
	if p.Save != nil {
		saved = rollSave(r, "power/save/"+id, target, p.Save.Ability, effectDC(c, p.Save.Dc), effectPurpose(p.Effects), c,
			powerSaveOpts(r, target, p.Save.Ability, take)).Success()
	}
	var parts []*eventv1.DamagePart
	for _, d := range rolled {
		if n := afterSave(d.Rolled, p.Save, saved); n > 0 {
			parts = append(parts, &eventv1.DamagePart{Type: d.Type, Rolled: n})
		}
	}
	if len(parts) > 0 {
		damageDeed(r, "power/harm/"+id, target, c, p.Name, parts, false, also(map[string]string{"magical": "yes"}, woundFacts(take)))
	}
	if p.Healing != "" {
		check = healDeed(r, "power/heal/"+id, r.Creature(id), r.Creature(c.Id), p.Name, max(0, healing), facts)[resCheck]
	}
	if !saved {
		layEffects(r, c, target, p.Name, p.Effects, p.Save)
	}
	return check
}

// powerSaveOpts is what the situation adds to a target's saving throw: stated
// circumstances, and for Dexterity the best cover.
//
// rcr.base.half-cover
func powerSaveOpts(r *rules.Resolution, target *eventv1.Creature, ability string, take *eventv1.TakeAction) saveOpts {
	edges, mods := statedEdges(take.Circumstances, target.Id)
	return saveOpts{edges: edges, kinds: renamed(take.Facts, "kinds"), modifiers: append(mods, coverMods(r.State(), target, ability, spoken.Word(take.Facts, "cover"))...)}
}

// coverMods is what the best cover adds to a saving throw: to one of Dexterity
// alone.
//
// rcr.base.half-cover, rcr.condition.crouching-shield
func coverMods(s *eventv1.State, target *eventv1.Creature, ability, cover string) []*eventv1.Modifier {
	if ability != "dexterity" {
		return nil
	}
	bonus, source, rule := coverBonus(s, target, cover)
	if bonus == 0 {
		return nil
	}
	return []*eventv1.Modifier{mod(bonus, source, rule)}
}
