package resolving

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// fumbled is a critical fail of an attack.
type fumbled struct {
	*slot
	row   body.FumbleRow
	facts declaring.Stated
}

// fumble throws the fumble table for an attack that showed a natural 1 and
// settles every effect but damage: that comes at the fumbler's own slot.
//
// spark.fumble.trigger, spark.fumble.timing, spark.fumble.alt-choice
func (f *fray) fumble(sl *slot, facts declaring.Stated) *fumbled {
	x := &fumbled{slot: sl, facts: facts}
	if f.r.On(body.RuleAlt) {
		x.row = f.throwAlt(sl)
	} else {
		x.row = f.throwTable(sl)
	}
	note := x.row.Text
	if x.row.Footnote {
		note += " (footnote missing)"
	}
	f.r.Emit(sl.audience, &eventv1.Attack{Attacker: sl.by, Target: sl.strike.Target, Weapon: sl.weapon.Name, Outcome: "fumble", Note: note,
		Roll: sl.told, Facts: f.told(sl.by, sl.strike.Target, facts)},
		body.Also(x.table(f.r), x.row.Rule(), cite.FumbleTrigger)...)
	if f.r.On(body.RuleAlt) {
		f.settleAlt(x)
	} else {
		f.settleFumble(x)
	}
	return x
}

// flies tells whether the missile of an attack flies on although it failed, or of one
// that is no fumble at all: it is counted off at the slot. Else it is still at hand, or
// the fumble itself has settled what became of it.
//
// spark.fumble.missile-rebounds, spark.fumble.alt-stray-ranged, spark.fumble.alt-hopeless-throw
func (x *fumbled) flies() bool {
	if x == nil {
		return true
	}
	return slices.Contains([]string{"missile-rebounds", "alt-stray-ranged", "alt-hopeless-throw"}, x.row.Effect)
}

// table is the rule by which content changed the row of a fumble; empty for the
// document's own.
func (x *fumbled) table(r *rules.Resolution) string {
	if r.On(body.RuleAlt) {
		return r.Content().TableCite(body.TableAlt, x.row.Line)
	}
	return r.Content().TableCite(body.TableFumble, x.row.Line)
}

// throwTable throws the 2d4 table.
//
// spark.fumble.table-2d4
func (f *fray) throwTable(sl *slot) body.FumbleRow {
	class := body.ClassOf(sl.weapon, sl.strike.Ranged, sl.strike.Class)
	rolled := f.r.Roll(rules.RollSpec{Label: sl.label + "/fumble", Creature: sl.by, Expression: "2d4", Reason: "critical fail, class " + class,
		Rules: []string{cite.FumbleTable2d4}})
	return body.TablesOf(f.r.Content()).Fumbles[class][rolled.Value-2]
}

// settleFumble settles the effects of a fumble that hold at once.
func (f *fray) settleFumble(x *fumbled) {
	r, id, w := f.r, x.by, x.weapon
	round := r.State().Round
	switch x.row.Effect {
	case "bow-breaks":
		f.breakWeapon(x)
	case "broken-double-damage":
		f.breakWeapon(x)
	case "missile-broken":
		f.breakMissile(x)
	case "weapon-chipped":
		r.Set(id, body.CChip+w.Name, r.Count(id, body.CChip+w.Name)+1, "chipped", x.row.Rule())
	case "trip-two-rounds":
		f.trip(id, round, 2, x.row.Rule())
	case "trip-one-round":
		f.trip(id, round, 1, x.row.Rule())
	case "bump-nearest":
		f.bump(x)
	case "drop-weapon":
		r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: id, Item: w.Name, Place: "dropped",
			Values: map[string]int32{"until": round + 1}, Cause: "fumble"}, x.row.Rule())
	case "weapon-flies":
		f.flyOff(x, "2d10")
	case "weapon-cracked":
		if body.Pieces(w) {
			f.crackMissile(id, w, x.row.Rule())
			return
		}
		body.SetWeapon(r, id, w.Name, body.Cracked, x.row.Rule())
	case "string-breaks":
		if w.Launcher {
			r.Mark(id, body.MString+w.Name, body.Snapped, x.row.Rule())
		}
	case "sprain-wrist":
		f.deed(&eventv1.Harm{Deed: body.DeedInjure, Target: id, Cause: "fumble", Facts: map[string]string{"kind": body.InjurySprain, "limb": body.LimbOf(w)}})
	case "wrist-breaks":
		f.deed(&eventv1.Harm{Deed: body.DeedInjure, Target: id, Cause: "fumble", Facts: map[string]string{"kind": body.InjuryBreak, "limb": body.LimbOf(w)}})
	}
}

// trip bars a creature from attacks in the rounds that follow; the longer bar
// counts.
//
// spark.fumble.trip-two-rounds, spark.fumble.trip-one-round
func (f *fray) trip(id string, round, rounds int32, rule string) {
	if body.BarredUntil(f.r.Creature(id)) >= round+rounds {
		return
	}
	body.Lay(f.r, id, &eventv1.Condition{Id: body.CondStumbled, Name: body.CondStumbled, Cause: "tripped", Until: body.UntilRound(round + rounds),
		Values: map[string]int32{"from": round + 1}, Rule: rule}, rule)
}

// breakWeapon breaks or cracks the weapon of a fumble, of several pieces the one
// in use.
//
// spark.fumble.bow-breaks, spark.fumble.broken-double-damage, spark.item.mundane-no-save, spark.item.magic-save
func (f *fray) breakWeapon(x *fumbled) {
	w := x.weapon
	if body.Pieces(w) {
		f.breakMissile(x)
		return
	}
	state := body.Cracked
	if body.Breaks(f.r, f.r.Creature(x.by), w.Name, w.Magical, body.HardnessOf(f.r.Content(), w), x.label, x.row.Rule()) {
		state = body.Broken
	}
	body.SetWeapon(f.r, x.by, w.Name, state, x.row.Rule())
}

// breakMissile destroys the missile of a fumble, or the thrown weapon. A magical
// one that holds is merely cracked and can be gathered.
//
// spark.fumble.missile-broken
func (f *fray) breakMissile(x *fumbled) {
	w := x.weapon
	if w.Missiles == nil && !w.Launcher {
		f.breakWeapon(x)
		return
	}
	magical, dc := w.Magical, body.HardnessOf(f.r.Content(), w)
	if w.Launcher {
		magical, dc = w.MissileEnchantment > 0, body.MissileHardness(f.r.Content(), w.MissileEnchantment)
	}
	if body.Breaks(f.r, f.r.Creature(x.by), "the missile of "+w.Name, magical, dc, x.label, x.row.Rule()) {
		f.useMissile(x.by, w, false)
		return
	}
	f.crackMissile(x.by, w, x.row.Rule())
}

// crackMissile uses a missile up that its magic kept from breaking: it can be
// gathered, but is cracked.
//
// spark.fumble.missile-broken, spark.item.cracked
func (f *fray) crackMissile(id string, w *eventv1.SparkWeapon, rule string) {
	if !f.useMissile(id, w, false) {
		return
	}
	f.r.Set(id, body.CCracked+w.Name, f.r.Count(id, body.CCracked+w.Name)+1, "cracked", rule)
}

// bump ruins every attack and spell of the nearest creature that is not applied
// yet, and what the bumper itself still has this round.
//
// spark.fumble.bump-nearest, spark.fumble.nearest
func (f *fray) bump(x *fumbled) {
	early := f.r.State().Phase != body.PhaseAttack
	f.cut[x.by] = true
	if !f.throwing { // a reaction: its own attacks are all still to come
		f.ruined[x.by], f.ruinedEarly[x.by] = true, early // whoever is ruined has no reaction
	}
	victim := f.pick(x, f.close(x, 5), "bump")
	if victim == "" {
		return
	}
	f.ruined[victim] = true
	f.ruinedEarly[victim] = f.ruinedEarly[victim] || early
	f.r.Note(event.Everyone(), victim, "bumped into: its attacks and spells of this round are ruined", x.row.Rule())
}

// flyOff throws how far a weapon flies and in which direction.
//
// spark.fumble.weapon-flies, spark.fumble.alt-weapon-flies
func (f *fray) flyOff(x *fumbled, dice string) {
	r, rule := f.r, x.row.Rule()
	feet := r.Roll(rules.RollSpec{Label: x.label + "/flies", Creature: x.by, Expression: dice, Reason: "how many feet the weapon flies", Rules: []string{rule}}).Value
	values := map[string]int32{"feet": feet}
	if at := r.Creature(x.by).Position; at != nil {
		way := x.facts.Direction
		if way == 0 {
			way = r.Roll(rules.RollSpec{Label: x.label + "/direction", Creature: x.by, Expression: "1d8", Reason: "where the weapon flies, 1 is north",
				Rules: []string{rule}}).Value
		}
		compass := [8][2]int32{{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}}[way-1]
		values["x"], values["y"], values["direction"] = at.X+compass[0]*feet, at.Y+compass[1]*feet, way
	}
	r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: x.by, Item: x.weapon.Name, Place: "dropped", Values: values, Cause: "fumble"}, rule)
}

// hurtByFumble does the damage of a fumble. Nobody's armour counts.
//
// spark.fumble.timing, spark.fumble.nearest, spark.fumble.hit-own-knee, spark.fumble.hit-own-head,
// spark.fumble.wrong-angle, spark.fumble.hit-behind-half, spark.fumble.wrong-target-half,
// spark.fumble.hit-nearest-full, spark.fumble.weapon-hits-nearest, spark.fumble.hits-nearest-not-target
func (f *fray) hurtByFumble(x *fumbled) {
	id, target := x.by, x.strike.Target
	reach := max(5, x.weapon.ReachFeet)
	if f.r.On(body.RuleAlt) {
		f.altHarm(x)
		return
	}
	switch x.row.Effect {
	case "hit-own-knee", "hit-own-head":
		rolled := f.r.Roll(rules.RollSpec{Label: x.label + "/self", Creature: id, Expression: "1d4", Reason: x.row.Text, Rules: []string{x.row.Rule()}})
		f.hurt(id, id, x.weapon.Name, []*eventv1.DamagePart{{Type: x.weapon.DamageType, Rolled: rolled.Value}}, false)
	case "wrong-angle":
		f.stray(x, id, 1, true)
	case "broken-double-damage":
		if !f.gone(target) {
			f.blow(x, target, f.harmDice(x.by, x.weapon, x.strike.Sneak), 2, false)
		}
	case "hit-behind-half":
		f.stray(x, f.behind(x, reach), 1, true)
	case "missile-rebounds":
		f.useMissile(id, x.weapon, true)
		f.stray(x, f.pick(x, f.Within(x), "rebound"), 1, false)
	case "wrong-target-half":
		f.stray(x, f.pick(x, f.close(x, reach, target), "stray"), 1, true)
	case "hits-nearest-not-target":
		f.stray(x, f.pick(x, f.close(x, reach, target), "stray"), 1, false)
	case "hit-nearest-full", "weapon-hits-nearest":
		var leave []string
		if !f.r.On(body.SetNearestTarget) {
			leave = []string{target}
		}
		f.stray(x, f.pick(x, f.close(x, reach, leave...), "stray"), 1, false)
	}
}

// stray deals a fumble's blow to a victim; nobody when there is none.
func (f *fray) stray(x *fumbled, victim string, times int32, half bool) {
	if body.Out(f.r.Creature(victim)) { // nobody is out too
		f.r.Note(event.Everyone(), x.by, "nobody is struck", x.row.Rule())
		return
	}
	f.blow(x, victim, x.weapon.DamageDice, times, half)
}

// blow throws the damage of a fumble's blow and deals it.
func (f *fray) blow(x *fumbled, victim, dice string, times int32, half bool) {
	w := x.weapon
	parts := f.rollHarm(f.armed(x.by, victim, w, x.strike.Ranged, declaring.Stated{}), x.label, dice, w.DamageBonus, w.DamageType, x.wear)
	f.hurt(victim, x.by, w.Name, scaled(parts, change{times: times, why: "fumble", rule: x.row.Rule()}, sprained(x.halved), change{half: half, why: "fumble", rule: x.row.Rule()}), false)
}

// Within lists whom a rebounding missile may strike: everyone in the widest
// range but the shooter and the target.
//
// spark.fumble.missile-rebounds
func (f *fray) Within(x *fumbled) []string {
	c := f.r.Creature(x.by)
	var list []string
	if x.facts.InRange == nil && c.Position == nil {
		return f.askNear(x, "Whom within the range of "+x.weapon.Name+" does the missile strike?", x.row.Rule(),
			func(id string) bool { return id != x.by && id != x.strike.Target })
	}
	for _, id := range f.living() {
		feet, known := body.Distance(c, f.r.Creature(id))
		if x.facts.InRange == nil && (!known || feet > body.Widest(x.weapon)) || x.facts.InRange != nil && !slices.Contains(x.facts.InRange, id) {
			continue
		}
		if id != x.by && id != x.strike.Target {
			list = append(list, id)
		}
	}
	return list
}

// close lists those nearest to a fumbler: as stated, as measured, or as the
// game master says where there is no map.
//
// spark.fumble.nearest
func (f *fray) close(x *fumbled, feet int32, leave ...string) []string {
	s, c := f.r.State(), f.r.Creature(x.by)
	usable := func(id string) bool { return id != x.by && !slices.Contains(leave, id) && !body.Out(f.r.Creature(id)) }
	switch {
	case x.facts.Nearest != nil:
		return slices.DeleteFunc(slices.Clone(x.facts.Nearest), func(id string) bool { return !usable(id) })
	case c.Position != nil:
		return body.Nearest(s, c, feet, leave...)
	}
	return f.askNear(x, "Who is nearest to "+c.Name+", within "+body.Itoa(feet)+" ft?", cite.FumbleNearest, usable)
}

// askNear asks the game master who it is, where there is no map.
func (f *fray) askNear(x *fumbled, question, rule string, usable func(id string) bool) []string {
	named := f.askWho(x, body.DecNearest, question, rule, usable)
	if named == "" {
		return nil
	}
	return []string{named}
}

func (f *fray) askWho(x *fumbled, name, question, rule string, usable func(id string) bool) string {
	q := &eventv1.Decision{Name: name, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, GmOnly: true, Creature: x.by, Cause: x.row.Text,
		Question: question, DefaultOption: "nobody", Rule: rule,
		Options: []*eventv1.DecisionOption{{Id: "nobody", Text: "Nobody"}}}
	for _, id := range f.living() {
		if usable(id) {
			q.Options = append(q.Options, &eventv1.DecisionOption{Id: id, Text: f.r.Creature(id).Name})
		}
	}
	if len(q.Options) == 1 {
		return ""
	}
	if who := f.r.Ask(name+"/"+x.by, q).Option; who != "nobody" {
		return who
	}
	return ""
}

// behind is who stands behind the attacker: as stated, as measured, or as the
// game master says where there is no map.
//
// spark.fumble.nearest, spark.fumble.hit-behind-half
func (f *fray) behind(x *fumbled, reach int32) string {
	c, target := f.r.Creature(x.by), f.r.Creature(x.strike.Target)
	switch {
	case x.facts.Behind == declaring.Nobody, x.facts.Behind == target.Id:
		return ""
	case x.facts.Behind != "":
		return x.facts.Behind
	case c.Position != nil:
		return body.Behind(f.r.State(), c, target, reach)
	}
	return f.askWho(x, body.DecBehind, "Who stands behind "+c.Name+", within "+body.Itoa(reach)+" ft?", cite.FumbleHitBehindHalf,
		func(id string) bool { return id != x.by && id != target.Id })
}

// pick chooses one of several at random with equal chances.
func (f *fray) pick(x *fumbled, from []string, label string) string {
	switch len(from) {
	case 0:
		return ""
	case 1:
		return from[0]
	}
	rolled := f.r.Roll(rules.RollSpec{Label: x.label + "/" + label, Creature: x.by, Expression: "1d" + body.Itoa(len(from)), Reason: "who it is",
		Rules: []string{cite.FumbleNearest}})
	return from[rolled.Value-1]
}
