package resolving

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// AltColumn is the column of the alternate table for an attack: natural weapons
// and fists, whatever shoots, whatever is thrown, and the rest.
//
// spark.fumble.alt-class
func AltColumn(w *eventv1.SparkWeapon, ranged bool, named string) string {
	switch {
	case w.Natural || !ranged && body.ClassOf(w, false, named) == body.ClassFist:
		return body.ColumnNatural
	case !ranged:
		return body.ColumnMelee
	case w.Launcher:
		return body.ColumnShooting
	}
	return body.ColumnThrown
}

// throwAlt throws the alternate table. Whoever has neither blade nor flail does
// not wound itself but throws again, until it is something else.
//
// spark.fumble.alt-choice, spark.fumble.alt-table, spark.fumble.alt-self-wound
func (f *fray) throwAlt(sl *slot) body.FumbleRow {
	column := AltColumn(sl.weapon, sl.strike.Ranged, sl.strike.Class)
	for {
		rolled := f.r.Roll(rules.RollSpec{Label: sl.label + "/fumble", Creature: sl.by, Expression: "1d20", Reason: "critical fail, " + column,
			Rules: []string{cite.FumbleAltTable}})
		row := body.TablesOf(f.r.Content()).Alt[column][rolled.Value-1]
		if row.Effect != "alt-self-wound" || !body.PartOn(f.r.State(), row.Rule()) || sl.weapon.Flail ||
			body.ClassOf(sl.weapon, sl.strike.Ranged, sl.strike.Class) == body.ClassSlashing {
			return row
		}
	}
}

// settleAlt settles what of a result of the alternate table holds at once.
func (f *fray) settleAlt(x *fumbled) {
	if !body.PartOn(f.r.State(), x.row.Rule()) {
		return
	}
	r, id, w := f.r, x.by, x.weapon
	switch x.row.Effect {
	case "alt-weapon-break":
		f.altBreak(x)
	case "alt-weapon-flies":
		f.altFlies(x)
	case "alt-string-snaps":
		r.Mark(id, body.MString+w.Name, body.Snapped, x.row.Rule())
	case "alt-loose-string":
		r.Mark(id, body.MString+w.Name, body.Loose, x.row.Rule())
	case "alt-pulled-arms":
		f.pull(x, body.InjuryArms)
	case "alt-pulled-legs":
		f.pull(x, body.InjuryLegs)
	case "alt-wild-swing":
		f.grant(x.strike.Target)
	case "alt-stuck-weapon":
		f.stick(x)
	case "alt-slip-up", "alt-slip-up-natural":
		f.slip(x)
	case "alt-loss-of-nerve", "alt-loss-of-nerve-natural":
		f.nerve(x)
	case "alt-ammo-accident":
		f.spill(x)
	case "alt-broken-item":
		f.breakage(x)
	case "alt-hopeless-throw":
		f.shake(x)
	case "alt-accident":
		f.soil(x)
	}
}

// altHarm settles what of a result of the alternate table comes at the
// fumbler's own slot.
//
// spark.fumble.timing
func (f *fray) altHarm(x *fumbled) {
	if !body.PartOn(f.r.State(), x.row.Rule()) {
		return
	}
	switch x.row.Effect {
	case "alt-ouch":
		f.ouch(x)
	case "alt-self-wound":
		f.stray(x, x.by, 1, true)
	case "alt-stray-melee":
		f.attackStray(x, f.pick(x, f.near(x, x.by, 5), "stray"))
	case "alt-stray-ranged":
		f.useMissile(x.by, x.weapon, true)
		f.attackStray(x, f.pick(x, f.near(x, x.strike.Target, f.strayRadius(x)), "stray"))
	case "alt-hopeless-throw":
		f.useMissile(x.by, x.weapon, true)
		f.attackStray(x, f.distantTarget(x))
	}
}

// strayRadius is how far from its target a stray shot may strike: it depends on
// whether the shot was at short or long range.
//
// spark.fumble.alt-stray-ranged
func (f *fray) strayRadius(x *fumbled) int32 {
	feet, _ := body.Distance(f.r.Creature(x.by), f.r.Creature(x.strike.Target)) // 0 where nobody knows
	if x.facts.Distance != nil {
		feet = *x.facts.Distance
	}
	if feet > x.weapon.RangeFeet {
		return 30
	}
	return 10
}

// near lists whom a stray blow may strike within feet of a creature, friend or
// foe but the attacker and the target: as stated, as measured, or as the game
// master says where there is no map.
//
// spark.fumble.alt-stray-melee, spark.fumble.alt-stray-ranged
func (f *fray) near(x *fumbled, centre string, feet int32) []string {
	usable := func(id string) bool { return id != x.by && id != x.strike.Target && !body.Out(f.r.Creature(id)) }
	if x.facts.Near != nil {
		return slices.DeleteFunc(slices.Clone(x.facts.Near), func(id string) bool { return !usable(id) })
	}
	if f.r.Creature(centre).Position == nil {
		return f.askNear(x, "Who is within "+body.Itoa(feet)+" ft of "+f.r.Creature(centre).Name+"?", x.row.Rule(), usable)
	}
	var list []string
	for _, id := range f.living() {
		if d, known := body.Distance(f.r.Creature(centre), f.r.Creature(id)); known && d <= feet && usable(id) {
			list = append(list, id)
		}
	}
	return list
}

// attackStray makes the second attack roll of a stray blow. A natural 1 on it
// is only a miss; a critical is a critical; no sneak attack counts. That of a
// charge has its bonus.
//
// spark.action.charge, spark.fumble.alt-stray-melee, spark.fumble.alt-stray-ranged, spark.fumble.alt-hopeless-throw
func (f *fray) attackStray(x *fumbled, victim string) {
	if body.Out(f.r.Creature(victim)) { // nobody is out too
		f.r.Note(event.Everyone(), x.by, "nobody is struck", x.row.Rule())
		return
	}
	w := x.weapon
	facts := x.facts
	facts.Distance = nil
	b := f.armed(x.by, victim, w, x.strike.Ranged, facts)
	rolled, outcome := f.toHit(b, x.label+"/second", w.AttackModifier, w.CriticalFrom, !x.strike.Ranged, x.mods, facts)
	if outcome == "fumble" {
		outcome = "miss"
	}
	f.r.Emit(rolled.Audience, &eventv1.Attack{Attacker: x.by, Target: victim, Weapon: w.Name, Outcome: outcome, Note: "unintended",
		Roll: rolled.Told(rolled.Audience), Facts: f.told(x.by, victim, facts)}, x.row.Rule())
	taken := int32(0)
	if outcome != "miss" {
		f.hit(x.by, victim)
		taken = f.strikeHarm(x.slot, victim, outcome, false)
	}
	f.struck(x.label+"/second", b, outcome, rollOf(b, rolled), taken)
}

// distantTarget asks whether a hopeless throw flies at anybody: by itself it
// goes into empty space.
//
// spark.fumble.alt-hopeless-throw
func (f *fray) distantTarget(x *fumbled) string {
	q := &eventv1.Decision{Name: body.DecDistant, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, GmOnly: true, Creature: x.by, Cause: x.row.Text,
		Question: "Where does the throw of " + f.r.Creature(x.by).Name + " go?", DefaultOption: "empty", Rule: x.row.Rule(),
		Options: []*eventv1.DecisionOption{{Id: "empty", Text: "Into empty space"}}}
	for _, id := range f.living() {
		if id != x.by && id != x.strike.Target {
			q.Options = append(q.Options, &eventv1.DecisionOption{Id: id, Text: "At " + f.r.Creature(id).Name + ", with an attack roll"})
		}
	}
	if len(q.Options) == 1 {
		return ""
	}
	if at := f.r.Ask("distant/"+x.by, q).Option; at != "empty" {
		return at
	}
	return ""
}
