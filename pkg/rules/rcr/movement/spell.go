package movement

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/magic"
	thestrike "github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Casting is a spell being cast.
type Casting struct {
	R    *rules.Resolution
	Id   string
	Sp   *eventv1.RcrSpell
	Take *eventv1.TakeAction
	// Slot is the level it is cast at; 0 for a cantrip.
	Slot    int32
	targets []string
	plans   []*thestrike.AttackPlan
	// weapon of the attack that is part of the spell; nil for none.
	weapon *eventv1.RcrAttack
	// to is where the caster appears; nil for nowhere else.
	to *eventv1.Position
	// Metamagic are the options of metamagic that it is cast by.
	Metamagic []string
	// Aside: it takes no time of the caster's turn.
	Aside bool
}

// Carry carries a casting through that is planned.
func (k *Casting) Carry(c *eventv1.Creature) {
	if !k.begin(c) {
		return
	}
	if k.countered() {
		k.spend()
		return
	}
	k.pay()
	k.effects()
}

// begin pays the time for a spell, gives those about their window and makes the
// checks that conditions ask for. It tells whether the spell comes to be cast
// now.
//
// rcr.opportunity.cast-spell, rcr.base.opportunity-frame
func (k *Casting) begin(c *eventv1.Creature) (cast bool) {
	r, sp := k.R, k.Sp
	stated := checks.StatedIDs(k.Take.Facts, "threatened_by")
	if !k.Aside {
		body.Spend(r, c.Id, magic.CastingCost(sp), "casting "+sp.Name)
	}
	notes := body.StatedNotes(k.Take)
	if k.Slot > 0 && !sp.Innate {
		notes = append(notes, "slot of level "+body.Itoa(k.Slot))
	}
	if len(k.Metamagic) > 0 {
		notes = append(notes, "metamagic: "+strings.Join(k.Metamagic, ", "))
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: k.Take.Action, Targets: k.targets, Item: sp.Name, Notes: notes})
	if magic.ProvokesByCasting(r.State(), c, sp) {
		OfferOpportunity(r, c.Id, magic.OnCast, cite.OpportunityCastSpell, answers.Threateners(r.State(), c.Id, stated), k.Take)
	}
	if body.Incapacitated(r.Creature(c.Id)) {
		r.Note(event.Everyone(), c.Id, sp.Name+" is not cast: the slot is kept", cite.BaseOpportunityFrame)
		return false
	}
	if k.slain() {
		return false
	}
	if sp.CastingTime == "longer" && !spoken.Truth(k.Take.Parameters, "finish") {
		r.Note(event.Everyone(), c.Id, sp.Name+" is being cast", cite.BaseFifthEditionFallback)
		return false
	}
	return k.componentsDone()
}

// Hold casts a spell to be released later: its slot is spent, its energy is
// held by concentration, its targets are chosen on release.
//
// rcr.base.fifth-edition-fallback
func (k *Casting) Hold(c *eventv1.Creature) (cast bool) {
	if !k.begin(c) {
		return false
	}
	if k.countered() {
		k.spend()
		return false
	}
	answers.DropReady(k.R, k.Id, "readied anew")
	k.pay()
	if !k.Sp.Concentration {
		dice.EndConcentration(k.R, k.Id, "it holds a spell")
		dice.Concentrate(k.R, k.Id, k.Sp.Name)
	}
	return true
}

// Release lets a readied spell go, as a reaction.
//
// rcr.base.fifth-edition-fallback
func (k *Casting) Release() {
	body.Spend(k.R, k.Id, body.CReaction, "readied "+k.Sp.Name)
	k.R.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: k.Id, Action: "use-ready", Targets: k.targets, Item: k.Sp.Name, Notes: body.StatedNotes(k.Take)})
	k.R.EndBegun(k.Id, body.BegunReadied, "used", cite.BaseFifthEditionFallback)
	if !k.Sp.Concentration {
		dice.EndCondition(k.R, k.Id, body.CondConcentrating, "let go", cite.BaseFifthEditionFallback)
	}
	k.effects()
}

// Choose reads the level of the slot.
func (k *Casting) Choose(c *eventv1.Creature) error {
	slots := answers.SlotsFor(c, k.Sp)
	k.Slot = slots[0]
	if n, ok := spoken.Number(k.Take.Parameters, "slot"); ok {
		if !slices.Contains(slots, n) {
			return fault.Field("take.parameters.slot", "%d is none of the slots left for it: %v", n, slots)
		}
		k.Slot = n
	}
	return nil
}

// Aim reads the targets and what the spell is to do to them.
func (k *Casting) Aim(book *effects.Book, s *eventv1.State, c *eventv1.Creature) error {
	if ends := spoken.Word(k.Take.Parameters, "ends"); ends != "" && !answers.Restoration(k.Sp) {
		return fault.Field("take.parameters.ends", "%s does not end %q", k.Sp.Name, ends)
	}
	if k.targets = k.Take.Targets; len(k.targets) == 0 && thestrike.SelfSpell(book, k.Sp) {
		k.targets = []string{c.Id}
	}
	to, err := magic.PlanTeleport(s, c, k.Sp.TeleportFeet, k.Take)
	if err != nil {
		return err
	}
	k.to = to
	if len(k.Take.Targets) == 0 { // nobody has judged its caster yet
		if err := answers.RefuseSpellTarget(book, s, c, c, k.Sp, k.Take); err != nil {
			return err
		}
	}
	k.targets = house.Space{Side: body.SpaceFeet, Out: body.Dead}.InArea(book, s, c, k.Sp.Use, k.targets) // rcr.base.fifth-edition-fallback
	k.targets = slices.DeleteFunc(slices.Clone(k.targets), func(id string) bool {                         // whom nothing of an area reaches
		return id != c.Id && body.SaidCover(k.Take, id) == body.CoverTotal
	})
	return k.planAttacks(s, c)
}

func (k *Casting) planAttacks(s *eventv1.State, c *eventv1.Creature) error {
	atk := k.attack(s, c)
	if k.Sp.WeaponAttack {
		name := spoken.Word(k.Take.Parameters, "weapon")
		k.weapon = checks.AttackOf(c, name)
		if k.weapon == nil || k.weapon.ReachFeet == 0 {
			return body.NoSuch("take.parameters.weapon", name, "melee weapon of "+c.Name, body.NamesOf(body.SheetOf(c).Attacks))
		}
		atk = k.weapon
	}
	if atk == nil {
		return body.RefuseKnockOut(k.Take, false)
	}
	for _, id := range k.targets {
		p, err := thestrike.PlanAttack(s, c, s.Creatures[id], atk, &eventv1.TakeAction{Facts: k.Take.Facts})
		if err != nil {
			return err
		}
		k.plans = append(k.plans, p)
		if err := body.RefuseKnockOut(k.Take, p.Kind.Melee); err != nil {
			return err
		}
	}
	return nil
}

// attack is the spell's attack as an attack of the sheet; nil when it has none.
func (k *Casting) attack(s *eventv1.State, c *eventv1.Creature) *eventv1.RcrAttack {
	a := &eventv1.RcrAttack{Name: k.Sp.Name, Bonus: magic.SpellBonus(c, k.Sp), Spell: true, Natural: true,
		Damage: k.damage(), Effects: k.Sp.Effects, Save: k.Sp.Save}
	switch k.Sp.Attack {
	case "melee":
		a.ReachFeet = answers.SpellReach(s, c, k.Sp)
	case "ranged":
		a.RangeFeet = answers.SpellReach(s, c, k.Sp)
	default:
		return nil
	}
	return a
}

// damage is the spell's damage at the level of its slot.
func (k *Casting) damage() []*eventv1.RcrDamage {
	if len(k.Sp.Damage) == 0 || k.Sp.UpcastDice == "" || k.Slot <= k.Sp.Level {
		return k.Sp.Damage
	}
	out := slices.Clone(k.Sp.Damage)
	out[0] = &eventv1.RcrDamage{Dice: k.Upcast(out[0].Dice), Type: out[0].Type}
	return out
}

// Upcast adds the dice of higher slots to an expression.
func (k *Casting) Upcast(expr string) string {
	if k.Sp.UpcastDice == "" {
		return expr
	}
	return expr + strings.Repeat("+"+k.Sp.UpcastDice, int(max(0, k.Slot-k.Sp.Level)))
}

// pay spends the slot and begins concentration.
func (k *Casting) pay() {
	k.spend()
	if k.Sp.Concentration {
		dice.EndConcentration(k.R, k.Id, "another spell")
		dice.Concentrate(k.R, k.Id, k.Sp.Name)
	}
}

// spend spends the slot and what else the spell takes.
func (k *Casting) spend() {
	if body.Limited(k.Sp.Usage) {
		body.Spend(k.R, k.Id, body.UsesOf(k.Sp.Name, k.Sp.Usage), "cast "+k.Sp.Name)
	}
	if k.Slot > 0 && !k.Sp.Innate {
		body.Spend(k.R, k.Id, body.CSlot+body.Itoa(k.Slot), "cast "+k.Sp.Name)
	}
	answers.PayMetamagic(k.R, k.Id, k.Sp, k.Metamagic)
	switch {
	case k.Aside:
	case k.Sp.CastingTime == "bonus":
		k.R.Mark(k.Id, magic.MCast, "bonus")
	case k.Sp.CastingTime != "reaction" && k.Sp.Level > 0:
		k.R.Mark(k.Id, magic.MCast, "slot")
	}
}
