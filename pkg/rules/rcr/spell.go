package rcr

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// mCast says what spell of this turn bars others: "bonus" after a spell cast
// as a bonus action, "slot" after one of level 1 or more cast otherwise.
const mCast = "cast"

const onCast trigger = "casts a spell"

// spellOf finds a spell of the sheet by its name; nil when there is none.
func spellOf(c *eventv1.Creature, name string) *eventv1.RcrSpell {
	for _, sp := range sheetOf(c).Spells {
		if sp.Name == name {
			return sp
		}
	}
	return nil
}

// castingCost is the counter that a casting time spends.
func castingCost(sp *eventv1.RcrSpell) string {
	switch sp.CastingTime {
	case "bonus":
		return cBonus
	case "reaction":
		return cReaction
	}
	return cAction
}

// slotsFor lists the levels of slots left that a spell can be cast with.
func slotsFor(c *eventv1.Creature, sp *eventv1.RcrSpell) []int32 {
	if sp.Level == 0 || sp.Innate {
		return []int32{sp.Level} // none is spent
	}
	var out []int32
	for n := sp.Level; n <= 9; n++ {
		if c.GetCounters()[cSlot+itoa(n)] > 0 {
			out = append(out, n)
		}
	}
	return out
}

// refuseSpell says why a spell cannot be cast whatever the target.
//
// rcr.condition.restrained-somatic, rcr.condition.shackled-casting
func refuseSpell(s *eventv1.State, c *eventv1.Creature, sp *eventv1.RcrSpell) error {
	const frame = cite.BaseFifthEditionFallback
	var err error
	switch castingCost(sp) {
	case cBonus:
		err = needBonus(s, c)
	case cReaction:
		err = needReaction(s, c)
	default:
		err = needAction(c)
	}
	if err != nil {
		return err
	}
	if err := refuseMeans(s, c, sp); err != nil {
		return err
	}
	if sp.CastingTime == "bonus" && c.Marks[mCast] == "slot" || sp.CastingTime != "reaction" && sp.CastingTime != "bonus" && sp.Level > 0 && c.Marks[mCast] == "bonus" {
		return refuse("ONE_SPELL", frame, "beside a spell cast as a bonus action only a cantrip can be cast")
	}
	return nil
}

// refuseMeans says why a creature lacks what a spell takes besides the time.
//
// rcr.condition.restrained-somatic, rcr.condition.shackled-casting
func refuseMeans(s *eventv1.State, c *eventv1.Creature, sp *eventv1.RcrSpell) error {
	const frame = cite.BaseFifthEditionFallback
	switch {
	case sp.Somatic && has(c, condRestrained):
		return refuse("RESTRAINED", cite.ConditionRestrainedSomatic, "%s is restrained: no spell with a somatic component", c.Name)
	case sp.Somatic && has(c, condShackled):
		return refuse("SHACKLED", cite.ConditionShackledCasting, "%s is shackled: no spell with a somatic component", c.Name)
	case handless(s, c, sp):
		return refuse("NO_FREE_HAND", frame, "%s has no hand free for the components of %s", c.Name, sp.Name)
	case !usesLeft(c, sp.Name, sp.Usage):
		return refuse("NO_USES", frame, "%s is spent", sp.Name)
	case len(slotsFor(c, sp)) == 0:
		return refuse("NO_SLOT", frame, "%s has no slot left for %s", c.Name, sp.Name)
	}
	return nil
}

// selfSpell tells whether a spell needs no target named: it is its caster's.
func selfSpell(sp *eventv1.RcrSpell) bool {
	if revives(sp.Name) {
		return false
	}
	harmless := len(sp.Damage) == 0 && sp.Save == nil && sp.Attack == "" && !sp.WeaponAttack
	return harmless && (sp.RangeFeet == 0 || sp.Healing == "" && len(sp.Effects) == 0 && !listedSpellName(sp.Name))
}

func listedSpellName(name string) bool {
	_, ok := book.spells[strings.ToLower(name)]
	return ok
}

func revives(name string) bool { return book.spells[strings.ToLower(name)].revives }

// refuseSpellTarget says why a creature cannot be a target of a spell. The take
// may be nil: then nothing is stated.
func refuseSpellTarget(c, target *eventv1.Creature, sp *eventv1.RcrSpell, take *eventv1.TakeAction) error {
	const frame = cite.BaseFifthEditionFallback
	feet, known := distanceTo(c, target)
	if n, ok := spoken.Number(take.GetFacts(), "distance"); ok {
		feet, known = n, true
	}
	switch {
	case revives(sp.Name) != dead(target):
		if dead(target) {
			return refuse("TARGET_DEAD", frame, "%s is dead", target.Name)
		}
		return refuse("NOT_DEAD", cite.HealingRevivalSpells, "%s is not dead", target.Name)
	case target.Id == c.Id && (sp.Attack != "" || sp.WeaponAttack):
		return refuse("SELF", frame, "%s cannot attack itself", c.Name)
	case target.Id != c.Id && known && feet > max(5, sp.RangeFeet):
		return refuse("OUT_OF_RANGE", frame, "%s is out of the range of %s", target.Name, sp.Name)
	case sp.Healing == "" && charmedBy(c, target.Id) && (len(sp.Damage) > 0 || sp.Save != nil || sp.Attack != ""):
		return refuse("CHARMED", frame, "%s is charmed by %s", c.Name, target.Name)
	case spoken.Word(take.GetFacts(), "cover") == coverTotal && target.Id != c.Id:
		return refuse("TOTAL_COVER", cite.BaseHalfCover, "%s has total cover", target.Name)
	}
	return nil
}

// casting is a spell being cast.
type casting struct {
	r    *rules.Resolution
	id   string
	sp   *eventv1.RcrSpell
	take *eventv1.TakeAction
	// slot is the level it is cast at; 0 for a cantrip.
	slot    int32
	targets []string
	plans   []*attackPlan
	// weapon of the attack that is part of the spell; nil for none.
	weapon *eventv1.RcrAttack
	// to is where the caster appears; nil for nowhere else.
	to *eventv1.Position
	// aside: it takes no time of the caster's turn.
	aside bool
}

// carry carries a casting through that is planned.
func (k *casting) carry(c *eventv1.Creature) {
	if k.begin(c) {
		k.pay()
		k.effects()
	}
}

// begin pays the time for a spell, gives those about their window and makes the
// checks that conditions ask for. It tells whether the spell comes to be cast
// now.
//
// rcr.opportunity.cast-spell, rcr.base.opportunity-frame
func (k *casting) begin(c *eventv1.Creature) (cast bool) {
	r, sp := k.r, k.sp
	stated := statedIDs(k.take.Facts, "threatened_by")
	if !k.aside {
		spend(r, c.Id, castingCost(sp), "casting "+sp.Name)
	}
	notes := statedNotes(k.take)
	if k.slot > 0 && !sp.Innate {
		notes = append(notes, "slot of level "+itoa(k.slot))
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: k.take.Action, Targets: k.targets, Item: sp.Name, Notes: notes})
	if provokesByCasting(r.State(), c, sp) {
		offerOpportunity(r, c.Id, onCast, cite.OpportunityCastSpell, threateners(r.State(), c.Id, stated), k.take)
	}
	if incapacitated(r.Creature(c.Id)) {
		r.Note(event.Everyone(), c.Id, sp.Name+" is not cast: the slot is kept", cite.BaseOpportunityFrame)
		return false
	}
	if sp.CastingTime == "longer" && !spoken.Truth(k.take.Parameters, "finish") {
		r.Note(event.Everyone(), c.Id, sp.Name+" is being cast", cite.BaseFifthEditionFallback)
		return false
	}
	return k.componentsDone()
}

// hold casts a spell to be released later: its slot is spent, its energy is
// held by concentration, its targets are chosen on release.
//
// rcr.base.fifth-edition-fallback
func (k *casting) hold(c *eventv1.Creature) (cast bool) {
	if !k.begin(c) {
		return false
	}
	dropReady(k.r, k.id, "readied anew")
	k.pay()
	if !k.sp.Concentration {
		endConcentration(k.r, k.id, "it holds a spell")
		concentrate(k.r, k.id, k.sp.Name)
	}
	return true
}

// release lets a readied spell go, as a reaction.
//
// rcr.base.fifth-edition-fallback
func (k *casting) release() {
	spend(k.r, k.id, cReaction, "readied "+k.sp.Name)
	k.r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: k.id, Action: "use-ready", Targets: k.targets, Item: k.sp.Name, Notes: statedNotes(k.take)})
	k.r.EndBegun(k.id, begunReadied, "used", cite.BaseFifthEditionFallback)
	if !k.sp.Concentration {
		endCondition(k.r, k.id, condConcentrating, "let go", cite.BaseFifthEditionFallback)
	}
	k.effects()
}

// provokesByCasting tells whether casting a spell provokes: with a casting time
// of an action or longer, unless it is a melee spell attack or the caster has
// the feat for it.
//
// rcr.opportunity.cast-spell
func provokesByCasting(s *eventv1.State, c *eventv1.Creature, sp *eventv1.RcrSpell) bool {
	switch {
	case sp.CastingTime == "bonus" || sp.CastingTime == "reaction":
		return false
	case sp.Attack == "melee" && !sp.WeaponAttack:
		return false
	}
	return !(defaults.On(s, cite.FeatWarCasterNoOa) && hasFeat(c, featWarCaster))
}

// restores are the conditions that a lesser restoration may end.
var restores = []string{condBlinded, condDeafened, condParalyzed, condPoisoned}

func restoration(sp *eventv1.RcrSpell) bool { return strings.EqualFold(sp.Name, "lesser restoration") }

// choose reads the level of the slot.
func (k *casting) choose(c *eventv1.Creature) error {
	slots := slotsFor(c, k.sp)
	k.slot = slots[0]
	if n, ok := spoken.Number(k.take.Parameters, "slot"); ok {
		if !slices.Contains(slots, n) {
			return fault.Field("take.parameters.slot", "%d is none of the slots left for it: %v", n, slots)
		}
		k.slot = n
	}
	return nil
}

// aim reads the targets and what the spell is to do to them.
func (k *casting) aim(book *effects.Book, s *eventv1.State, c *eventv1.Creature) error {
	if ends := spoken.Word(k.take.Parameters, "ends"); ends != "" && (!restoration(k.sp) || !slices.Contains(restores, ends)) {
		return fault.Field("take.parameters.ends", "%s does not end %q", k.sp.Name, ends)
	}
	if k.targets = k.take.Targets; len(k.targets) == 0 && selfSpell(k.sp) {
		k.targets = []string{c.Id}
	}
	to, err := planTeleport(s, c, k.sp.TeleportFeet, k.take)
	if err != nil {
		return err
	}
	k.to = to
	if len(k.take.Targets) == 0 { // nobody has judged its caster yet
		if err := refuseSpellTarget(c, c, k.sp, k.take); err != nil {
			return err
		}
	}
	k.targets = inArea(book, s, c, k.sp.Use, k.targets)
	return k.planAttacks(s, c)
}

func (k *casting) planAttacks(s *eventv1.State, c *eventv1.Creature) error {
	atk := k.attack(c)
	if k.sp.WeaponAttack {
		name := spoken.Word(k.take.Parameters, "weapon")
		k.weapon = attackOf(c, name)
		if k.weapon == nil || k.weapon.ReachFeet == 0 {
			return noSuch("take.parameters.weapon", name, "melee weapon of "+c.Name, namesOf(sheetOf(c).Attacks))
		}
		atk = k.weapon
	}
	if atk == nil {
		return nil
	}
	for _, id := range k.targets {
		p, err := planAttack(s, c, s.Creatures[id], atk, &eventv1.TakeAction{Facts: k.take.Facts})
		if err != nil {
			return err
		}
		k.plans = append(k.plans, p)
	}
	return nil
}

// attack is the spell's attack as an attack of the sheet; nil when it has none.
func (k *casting) attack(c *eventv1.Creature) *eventv1.RcrAttack {
	a := &eventv1.RcrAttack{Name: k.sp.Name, Bonus: sheetOf(c).SpellAttackBonus, Spell: true, Natural: true,
		Damage: k.damage(), Effects: k.sp.Effects, Save: k.sp.Save}
	switch k.sp.Attack {
	case "melee":
		a.ReachFeet = max(5, k.sp.RangeFeet)
	case "ranged":
		a.RangeFeet = max(5, k.sp.RangeFeet)
	default:
		return nil
	}
	return a
}

// damage is the spell's damage at the level of its slot.
func (k *casting) damage() []*eventv1.RcrDamage {
	if len(k.sp.Damage) == 0 || k.sp.UpcastDice == "" || k.slot <= k.sp.Level {
		return k.sp.Damage
	}
	out := slices.Clone(k.sp.Damage)
	out[0] = &eventv1.RcrDamage{Dice: k.upcast(out[0].Dice), Type: out[0].Type}
	return out
}

// upcast adds the dice of higher slots to an expression.
func (k *casting) upcast(expr string) string {
	if k.sp.UpcastDice == "" {
		return expr
	}
	return expr + strings.Repeat("+"+k.sp.UpcastDice, int(max(0, k.slot-k.sp.Level)))
}

// pay spends the slot and begins concentration.
func (k *casting) pay() {
	if limited(k.sp.Usage) {
		spend(k.r, k.id, usesOf(k.sp.Name, k.sp.Usage), "cast "+k.sp.Name)
	}
	if k.slot > 0 && !k.sp.Innate {
		spend(k.r, k.id, cSlot+itoa(k.slot), "cast "+k.sp.Name)
	}
	switch {
	case k.aside:
	case k.sp.CastingTime == "bonus":
		k.r.Mark(k.id, mCast, "bonus")
	case k.sp.CastingTime != "reaction" && k.sp.Level > 0:
		k.r.Mark(k.id, mCast, "slot")
	}
	if k.sp.Concentration {
		endConcentration(k.r, k.id, "another spell")
		concentrate(k.r, k.id, k.sp.Name)
	}
}
