package resolving

import (
	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// altBreak breaks the weapon of a fumble, of several pieces the one in use. A magical one throws a d10 first, and on a 1 its hardness decides
// between broken and cracked; a setting leaves out either.
//
// spark.fumble.alt-weapon-break, spark.item.mundane-no-save, spark.item.magic-save
func (f *fray) altBreak(x *fumbled) {
	w, rule, mode := x.weapon, x.row.Rule(), f.r.Value(body.SetMagicBreak)
	piece := body.Pieces(w)
	check := w.Magical
	if w.Magical && mode != body.BreakHardness {
		rolled := f.r.Roll(rules.RollSpec{Label: x.label + "/break", Creature: x.by, Expression: "1d10", Reason: "whether the magic gives way: on a 1",
			Rules: []string{rule}})
		if rolled.Value != 1 {
			if piece && x.strike.Ranged {
				f.useMissile(x.by, w, true)
			}
			f.r.Note(rolled.Audience, x.by, w.Name+" is unharmed", rule)
			return
		}
		check = mode == body.BreakBoth
	}
	whole := !body.Breaks(f.r, f.r.Creature(x.by), w.Name, check, body.HardnessOf(f.r.Content(), w), x.label, rule)
	switch {
	case piece && whole:
		f.crackMissile(x.by, w, rule)
	case piece:
		f.useMissile(x.by, w, false)
	case whole:
		body.SetWeapon(f.r, x.by, w.Name, body.Cracked, rule)
	default:
		body.SetWeapon(f.r, x.by, w.Name, body.Broken, rule)
	}
}

// altFlies makes the save of the attacker's choice by which the weapon is held;
// when it flies off, it may be fetched at once.
//
// spark.fumble.alt-weapon-flies, spark.fumble.alt-retrieve
func (f *fray) altFlies(x *fumbled) {
	r, rule, s := f.r, x.row.Rule(), body.SheetOf(f.r.Creature(x.by))
	best := "strength"
	if s.Reflex > s.StrengthSave {
		best = "reflex"
	}
	kind := r.Ask("flying/"+x.label, &eventv1.Decision{Name: body.DecFlyingSave, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: x.by,
		Cause: x.weapon.Name + " is about to fly off", Question: "Which save holds it?", DefaultOption: best, Rule: rule,
		Options: []*eventv1.DecisionOption{{Id: "strength", Text: "Strength"}, {Id: "reflex", Text: "Reflex"}}}).Option
	if f.saves(x.by, "", kind, declaring.UsualDC, x.label+"/save", "hold "+x.weapon.Name, rule) {
		return
	}
	f.flyOff(x, "1d12")
	if body.PartOn(r.State(), body.RuleRetrieve) {
		f.retrieve(x)
	}
}

// retrieve offers a disarmed wielder what its leftover bonus action buys: to
// fetch the weapon with leftover movement, or to draw another.
//
// spark.fumble.alt-retrieve, spark.turn.declare
func (f *fray) retrieve(x *fumbled) {
	r, c := f.r, f.r.Creature(x.by)
	if !f.bonusLeft(x.by) {
		return
	}
	q := &eventv1.Decision{Name: body.DecRetrieve, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: x.by, Cause: x.weapon.Name + " flew off",
		Question: "Use the bonus action at once?", DefaultOption: "no", Rule: body.RuleRetrieve,
		Options: []*eventv1.DecisionOption{{Id: "no", Text: "Neither"}}}
	if f.movementLeft(x.by) >= c.Items[x.weapon.Name].Values["feet"] {
		q.Options = append(q.Options, &eventv1.DecisionOption{Id: "fetch", Text: "Fetch it; everyone near may attack", Rule: body.RuleRetrieve})
	}
	for _, w := range body.SheetOf(c).Weapons {
		if c.Items[w.Name].GetPlace() == "stowed" && c.Marks[body.MWeapon+w.Name] != body.Broken {
			q.Options = append(q.Options, &eventv1.DecisionOption{Id: "draw:" + w.Name, Text: "Draw " + w.Name, Rule: body.RuleRetrieve})
		}
	}
	if len(q.Options) == 1 {
		return
	}
	choice := r.Ask("retrieve/"+x.label, q).Option
	if choice == "no" {
		return
	}
	body.Spend(r, x.by, body.CBonus, 1, choice, body.RuleRetrieve)
	if choice != "fetch" {
		w := body.WeaponOf(c, choice[len("draw:"):])
		r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: x.by, Item: w.Name, Place: Hand(w), Cause: "drawn"}, body.RuleRetrieve)
		return
	}
	f.fetch(x)
}

// bonusLeft tells whether a creature has a bonus action that it did not declare
// for something else, and that its package leaves it.
//
// spark.turn.declare, spark.action.spell-fills-round, spark.action.full-move-single-attack
func (f *fray) bonusLeft(id string) bool {
	s, c, d := f.r.State(), f.r.Creature(id), f.decl[id]
	switch {
	case c.Counters[body.CBonus] < 1:
		return false
	case d == nil: // whoever goes on casting attacks with no weapon
		return true
	}
	denied := d.Both() && body.Defaults.Value(s, body.SetBonusWithBoth) == "deny"
	return d.Kind != declaring.KindCast && !declaring.FillsRound(d.Kind) && !denied
}

// movementLeft is what a creature may still walk this round: nothing while its
// declared move is not made yet or it stood up, and lying, or after several attacks, no
// more than the 5 feet that go with every deed.
//
// spark.fumble.alt-retrieve, spark.action.five-foot-full-attack
func (f *fray) movementLeft(id string) int32 {
	d, limit := f.decl[id], declaring.Farthest(f.r.State(), f.r.Creature(id))
	if d == nil {
		return limit
	}
	if d.Stand || d.Moves() && !f.walked[id] {
		return 0
	}
	if len(d.Strikes) > 1 && !body.MayRunAndStrike(f.r.Creature(id), d.Bonus) {
		limit = min(limit, 5)
	}
	return limit - d.Feet
}

// fetch takes a creature to its weapon: whoever reaches it where it stands or
// where the weapon lies may attack, the most immediate opponent first.
//
// spark.fumble.alt-retrieve, spark.reaction.opportunity-attack
func (f *fray) fetch(x *fumbled) {
	r, name := f.r, x.weapon.Name
	why := "fetches " + name
	asked := f.around(x.by, x.strike.Target)
	if x.facts.Provokes != nil {
		asked = x.facts.Provokes
	}
	f.provoke(x.by, asked, why, x.facts.Provokes != nil)
	if f.gone(x.by) {
		return
	}
	c := r.Creature(x.by)
	v := c.Items[name].GetValues()
	if c.Position != nil { // then the weapon's place was measured too
		r.Move(&eventv1.Moved{Creature: x.by, To: &eventv1.Position{X: v["x"], Y: v["y"], Z: c.Position.Z}, Mode: "walk", Feet: v["feet"]}, body.RuleRetrieve)
		if x.facts.Provokes == nil {
			f.provoke(x.by, body.Without(f.around(x.by, ""), asked), why, false)
		}
	}
	if f.gone(x.by) {
		return
	}
	r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: x.by, Item: name, Place: Hand(x.weapon), Cause: "picked up"}, body.RuleRetrieve)
}

// stick leaves a weapon stuck; a bonus action that is left may pull it out at once.
//
// spark.fumble.alt-stuck-weapon, spark.turn.declare
func (f *fray) stick(x *fumbled) {
	r, name := f.r, x.weapon.Name
	r.Flag(x.by, body.MStuck+name, true, x.row.Rule())
	if !f.bonusLeft(x.by) {
		return
	}
	if r.Ask("free/"+x.label, rules.YesNo(body.DecFree, x.by, name+" is stuck", "Pull at it with the bonus action?", "yes", x.row.Rule())).Option != "yes" {
		return
	}
	body.Spend(r, x.by, body.CBonus, 1, "pulls at "+name, x.row.Rule())
	f.pullFree(x.by, name)
}

// pullFree makes the Strength check that frees a stuck weapon. The modifier
// stands on both sides of it, as written.
//
// spark.fumble.alt-stuck-weapon
func (f *fray) pullFree(id, weapon string) {
	const rule = cite.FumbleAltStuckWeapon
	r := f.r
	dc := 8 + body.SheetOf(r.Creature(id)).StrengthModifier
	if body.StrengthCheck(r, id, "free/"+id, "pull "+weapon+" free", body.RollUpper, dc, rule).Success() {
		r.Flag(id, body.MStuck+weapon, false, rule)
	}
}

// spill empties the quiver onto the ground, but for what the same volley has shot
// before; why is only recorded.
//
// spark.fumble.alt-ammo-accident
func (f *fray) spill(x *fumbled) {
	r, name, rule := f.r, x.weapon.Name, x.row.Rule()
	rolled := r.Roll(rules.RollSpec{Label: x.label + "/spill", Creature: x.by, Expression: "1d100", Reason: "why the quiver spills: 1 to 50 the strap",
		Rules: []string{rule}})
	why := "the strap broke"
	if rolled.Value > 50 {
		why = "the quiver was tipped over"
	}
	r.Note(rolled.Audience, x.by, why, rule)
	flying := min(f.flying[[2]string{x.by, name}], r.Count(x.by, body.CAmmunition+name))
	n := r.Count(x.by, body.CAmmunition+name) - flying
	r.Set(x.by, body.CAmmunition+name, flying, why, rule)
	r.Set(x.by, body.CSpilled+name, r.Count(x.by, body.CSpilled+name)+n, why, rule)
}

// breakage breaks a fragile object, or leaves it for the end of the fight.
//
// spark.fumble.alt-broken-item
func (f *fray) breakage(x *fumbled) {
	switch {
	case len(fragile(f.r.Creature(x.by))) == 0:
	case f.r.Value(body.SetBrokenItem) == body.AtOnce:
		BreakItem(f.r, x.by)
	default:
		f.r.Set(x.by, body.CBreakages, f.r.Count(x.by, body.CBreakages)+1, "something fragile broke", x.row.Rule())
	}
}

// fragile lists the fragile objects that a creature still carries.
func fragile(c *eventv1.Creature) []string {
	var list []string
	for _, it := range body.SheetOf(c).Items {
		if it.Fragile && c.GetCounters()[body.CLeft+it.Name] > 0 {
			list = append(list, it.Name)
		}
	}
	return list
}

// BreakItem finds out which of the fragile objects still carried is broken.
//
// spark.fumble.alt-broken-item
func BreakItem(r *rules.Resolution, id string) {
	const rule = cite.FumbleAltBrokenItem
	list := fragile(r.Creature(id))
	if len(list) == 0 {
		return
	}
	at := int32(1)
	if len(list) > 1 {
		at = r.Roll(rules.RollSpec{Label: "breaks/" + id, Creature: id, Expression: "1d" + body.Itoa(len(list)), Reason: "which fragile object broke",
			Audience: event.Controllers(id), Rules: []string{rule}}).Value
	}
	name := list[at-1]
	r.Set(id, body.CLeft+name, r.Count(id, body.CLeft+name)-1, "broken", rule)
	r.Note(event.Controllers(id), id, name+" is broken", rule)
}
