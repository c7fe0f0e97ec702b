package spark

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// fumbled is a critical fail of an attack.
type fumbled struct {
	*slot
	row   fumbleRow
	facts stated
}

// fumble throws the fumble table for an attack that showed a natural 1 and
// settles every effect but damage: that comes at the fumbler's own slot.
//
// spark.fumble.trigger, spark.fumble.timing, spark.fumble.alt-choice
func (f *fray) fumble(sl *slot, facts stated) *fumbled {
	x := &fumbled{slot: sl, facts: facts}
	if f.r.On(ruleAlt) {
		x.row = f.throwAlt(sl)
	} else {
		x.row = f.throwTable(sl)
	}
	note := x.row.text
	if x.row.footnote {
		note += " (footnote missing)"
	}
	f.r.Emit(sl.audience, &eventv1.Attack{Attacker: sl.by, Target: sl.strike.Target, Weapon: sl.weapon.Name, Outcome: "fumble", Note: note},
		x.row.rule(), cite.FumbleTrigger)
	if f.r.On(ruleAlt) {
		f.settleAlt(x)
	} else {
		f.settleFumble(x)
	}
	return x
}

// throwTable throws the 2d4 table.
//
// spark.fumble.table-2d4
func (f *fray) throwTable(sl *slot) fumbleRow {
	class := classOf(sl.weapon, sl.strike.Ranged, sl.strike.Class)
	rolled := f.r.Roll(rules.RollSpec{Label: sl.label + "/fumble", Creature: sl.by, Expression: "2d4", Reason: "critical fail, class " + class,
		Rules: []string{cite.FumbleTable2d4}})
	return book.fumbles[class][rolled.Value-2]
}

// settleFumble settles the effects of a fumble that hold at once.
func (f *fray) settleFumble(x *fumbled) {
	r, id, w := f.r, x.by, x.weapon
	round := int64(r.State().Round)
	switch x.row.effect {
	case "bow-breaks":
		f.breakWeapon(x)
	case "broken-double-damage":
		f.breakWeapon(x)
	case "missile-broken":
		f.breakMissile(x)
	case "weapon-chipped":
		r.Set(id, cChip+w.Name, r.Count(id, cChip+w.Name)+1, "chipped", x.row.rule())
	case "trip-two-rounds":
		f.trip(id, round, 2, x.row.rule())
	case "trip-one-round":
		f.trip(id, round, 1, x.row.rule())
	case "bump-nearest":
		f.bump(x)
	case "drop-weapon":
		r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: id, Item: w.Name, Place: "dropped",
			Values: map[string]int32{"until": int32(round) + 1}, Cause: "fumble"}, x.row.rule())
	case "weapon-flies":
		f.flyOff(x, "2d10")
	case "weapon-cracked":
		if pieces(w) {
			f.crackMissile(id, w, x.row.rule())
			return
		}
		setWeapon(r, id, w.Name, cracked, x.row.rule())
	case "string-breaks":
		if w.Launcher {
			r.Mark(id, mString+w.Name, snapped, x.row.rule())
		}
	case "sprain-wrist":
		f.deed(&eventv1.Harm{Deed: deedInjure, Target: id, Cause: "fumble", Facts: map[string]string{"kind": injurySprain, "limb": limbOf(w)}})
	case "wrist-breaks":
		f.deed(&eventv1.Harm{Deed: deedInjure, Target: id, Cause: "fumble", Facts: map[string]string{"kind": injuryBreak, "limb": limbOf(w)}})
	}
}

// trip bars a creature from attacks in the rounds that follow; the longer bar
// counts.
//
// spark.fumble.trip-two-rounds, spark.fumble.trip-one-round
func (f *fray) trip(id string, round, rounds int64, rule string) {
	r := f.r
	if r.Count(id, cBarredUntil) >= round+rounds {
		return
	}
	r.Set(id, cBarredFrom, round+1, "tripped", rule)
	r.Set(id, cBarredUntil, round+rounds, "tripped", rule)
	r.Mark(id, mBarred, rule, rule)
}

// breakWeapon breaks or cracks the weapon of a fumble, of several pieces the one
// in use.
//
// spark.fumble.bow-breaks, spark.fumble.broken-double-damage, spark.item.mundane-no-save, spark.item.magic-save
func (f *fray) breakWeapon(x *fumbled) {
	w := x.weapon
	if pieces(w) {
		f.breakMissile(x)
		return
	}
	state := cracked
	if breaks(f.r, f.r.Creature(x.by), w.Name, w.Magical, hardnessOf(w), x.label, x.row.rule()) {
		state = broken
	}
	setWeapon(f.r, x.by, w.Name, state, x.row.rule())
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
	magical, dc := w.Magical, hardnessOf(w)
	if w.Launcher {
		magical, dc = w.MissileEnchantment > 0, book.hardness["wood"]+w.MissileEnchantment
	}
	if breaks(f.r, f.r.Creature(x.by), "the missile of "+w.Name, magical, dc, x.label, x.row.rule()) {
		f.useMissile(x.by, w, false)
		return
	}
	f.crackMissile(x.by, w, x.row.rule())
}

// crackMissile uses a missile up that its magic kept from breaking: it can be
// gathered, but is cracked.
//
// spark.fumble.missile-broken, spark.item.cracked
func (f *fray) crackMissile(id string, w *eventv1.SparkWeapon, rule string) {
	if w.Missiles == nil || f.r.Count(id, cMissiles+w.Name) < 1 {
		return
	}
	f.useMissile(id, w, false)
	f.r.Set(id, cCrackedMissiles+w.Name, f.r.Count(id, cCrackedMissiles+w.Name)+1, "cracked", rule)
}

// bump ruins every attack and spell of the nearest creature that is not applied
// yet, and what the bumper itself still has this round.
//
// spark.fumble.bump-nearest, spark.fumble.nearest
func (f *fray) bump(x *fumbled) {
	early := f.r.State().Phase != phaseAttack
	f.cut[x.by] = true
	if !f.throwing { // a reaction: its own attacks are all still to come
		f.ruined[x.by], f.ruinedEarly[x.by] = true, f.ruinedEarly[x.by] || early
	}
	victim := f.pick(x, f.close(x, 5), "bump")
	if victim == "" {
		return
	}
	f.ruined[victim] = true
	f.ruinedEarly[victim] = f.ruinedEarly[victim] || early
	f.r.Note(event.Everyone(), victim, "bumped into: its attacks and spells of this round are ruined", x.row.rule())
}

// flyOff throws how far a weapon flies and in which direction.
//
// spark.fumble.weapon-flies, spark.fumble.alt-weapon-flies
func (f *fray) flyOff(x *fumbled, dice string) {
	r, rule := f.r, x.row.rule()
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
	if f.r.On(ruleAlt) {
		f.altHarm(x)
		return
	}
	switch x.row.effect {
	case "hit-own-knee", "hit-own-head":
		rolled := f.r.Roll(rules.RollSpec{Label: x.label + "/self", Creature: id, Expression: "1d4", Reason: x.row.text, Rules: []string{x.row.rule()}})
		f.hurt(id, id, x.weapon.Name, x.weapon.DamageType, rolled.Value, false)
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
		f.stray(x, f.pick(x, f.within(x), "rebound"), 1, false)
	case "wrong-target-half":
		f.stray(x, f.pick(x, f.close(x, reach, target), "stray"), 1, true)
	case "hits-nearest-not-target":
		f.stray(x, f.pick(x, f.close(x, reach, target), "stray"), 1, false)
	case "hit-nearest-full", "weapon-hits-nearest":
		var leave []string
		if !f.r.On(setNearestTarget) {
			leave = []string{target}
		}
		f.stray(x, f.pick(x, f.close(x, reach, leave...), "stray"), 1, false)
	}
}

// stray deals a fumble's blow to a victim; nobody when there is none.
func (f *fray) stray(x *fumbled, victim string, times int32, half bool) {
	if victim == "" || out(f.r.Creature(victim)) {
		f.r.Note(event.Everyone(), x.by, "nobody is struck", x.row.rule())
		return
	}
	f.blow(x, victim, x.weapon.DamageDice, times, half)
}

// blow throws the damage of a fumble's blow and deals it.
func (f *fray) blow(x *fumbled, victim, dice string, times int32, half bool) {
	w := x.weapon
	amount := f.rollHarm(x.by, w.Name, x.label, dice, w.DamageBonus, x.wear)
	f.hurt(victim, x.by, w.Name, w.DamageType, scale(amount, times, x.halved, half), false)
}

// within lists whom a rebounding missile may strike: everyone in the widest
// range but the shooter and the target.
//
// spark.fumble.missile-rebounds
func (f *fray) within(x *fumbled) []string {
	c := f.r.Creature(x.by)
	var list []string
	if x.facts.InRange == nil && c.Position == nil {
		return f.askNear(x, "Whom within the range of "+x.weapon.Name+" does the missile strike?", x.row.rule(),
			func(id string) bool { return id != x.by && id != x.strike.Target })
	}
	for _, id := range living(f.r.State()) {
		feet, known := distance(c, f.r.Creature(id))
		if x.facts.InRange == nil && (!known || feet > widest(x.weapon)) || x.facts.InRange != nil && !slices.Contains(x.facts.InRange, id) {
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
	usable := func(id string) bool { return id != x.by && !slices.Contains(leave, id) && !out(f.r.Creature(id)) }
	switch {
	case x.facts.Nearest != nil:
		return slices.DeleteFunc(slices.Clone(x.facts.Nearest), func(id string) bool { return !usable(id) })
	case c.Position != nil:
		return nearest(s, c, feet, leave...)
	}
	return f.askNear(x, "Who is nearest to "+c.Name+", within "+itoa(feet)+" ft?", cite.FumbleNearest, usable)
}

// askNear asks the game master who it is, where there is no map.
func (f *fray) askNear(x *fumbled, question, rule string, usable func(id string) bool) []string {
	named := f.askWho(x, decNearest, question, rule, usable)
	if named == "" {
		return nil
	}
	return []string{named}
}

func (f *fray) askWho(x *fumbled, name, question, rule string, usable func(id string) bool) string {
	q := &eventv1.Decision{Name: name, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, GmOnly: true, Creature: x.by, Cause: x.row.text,
		Question: question, DefaultOption: "nobody", Rule: rule,
		Options: []*eventv1.DecisionOption{{Id: "nobody", Text: "Nobody"}}}
	for _, id := range living(f.r.State()) {
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
	case x.facts.Behind == nobody, x.facts.Behind == target.Id:
		return ""
	case x.facts.Behind != "":
		return x.facts.Behind
	case c.Position != nil:
		return behind(f.r.State(), c, target, reach)
	}
	return f.askWho(x, decBehind, "Who stands behind "+c.Name+", within "+itoa(reach)+" ft?", cite.FumbleHitBehindHalf,
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
	rolled := f.r.Roll(rules.RollSpec{Label: x.label + "/" + label, Creature: x.by, Expression: "1d" + itoa(len(from)), Reason: "who it is",
		Rules: []string{cite.FumbleNearest}})
	return from[rolled.Value-1]
}
