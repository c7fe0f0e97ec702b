package injuries

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// character tells whether a creature is somebody's own: it has players or a
// record that outlives the fight. Others are monsters.
func character(c *eventv1.Creature) bool { return len(c.Controllers) > 0 || c.Patient != "" }

// lifelike are the kinds of monsters that wounds touch when monsters have them.
var lifelike = []string{"humanoid", "beast", "monstrosity", "dragon"}

// WoundsTouch tells whether the wound rules touch a creature: the game
// master's word first, then the sheet, then characters always and monsters of
// a lifelike kind when the table plays that.
//
// rcr.injury.enemies-optional
func WoundsTouch(r *rules.Resolution, c *eventv1.Creature) bool {
	switch c.Marks[body.MWoundsEnabled] {
	case "on":
		return true
	case "off":
		return false
	}
	if w := body.SheetOf(c).WoundsEnabled; w != nil {
		return *w
	}
	if character(c) {
		return true
	}
	kind, _, _ := strings.Cut(strings.ToLower(body.SheetOf(c).CreatureType), " ")
	return r.On(cite.InjuryEnemiesOptional) && slices.Contains(lifelike, kind)
}

// MostWounds is where the count stops: the row of death, at least 1.
//
// rcr.injury.con-allowance, rcr.injury.con-negative
func MostWounds(c *eventv1.Creature) int32 { return max(1, body.AbilityMod(c, "constitution")+6) }

// gainWounds adds wounds and lets every row newly reached take effect in table
// order. It returns how many were counted. Whoever is at the last row already
// dies of one more.
//
// rcr.injury.rows-cumulative, rcr.injury.con-allowance
func gainWounds(r *rules.Resolution, id string, n int32, h *eventv1.Harm) int32 {
	c := r.Creature(id)
	had, before := int32(c.Counters[body.CWounds]), body.Row(c)
	now := max(had, min(had+n, MostWounds(c)))
	switch {
	case n <= 0:
		return 0
	case now == had: // at the last row by a Constitution lowered since
		Die(r, id, "wounds", cite.InjuryRow6Death)
		return 0
	}
	r.Set(id, body.CWounds, int64(now), h.Cause, cite.InjuryConAllowance, cite.InjuryWoundsTable)
	after := body.Row(r.Creature(id))
	first := int32(1)
	if !r.On(body.SetSkippedRows) {
		first = max(1, 1-body.AbilityMod(c, "constitution")) // rcr.injury.con-negative
	}
	rows := checks.TablesOf(r.Content()).Wounds
	for n := max(before+1, first); n <= after; n++ {
		by := rowCited(r, "wounds", int(n-1))
		switch rows[n-1].Happens {
		case body.HappensScar:
			scar(r, id, h, by...)
		case body.HappensLimb:
			sever(r, id, h, by...)
		case body.HappensDeath:
			Die(r, id, "wounds", append(by, cite.InjuryRow6Death)...)
		}
	}
	return now - had
}

// rowCited is the house rule by which a row of a table decides; none for the book's.
func rowCited(r *rules.Resolution, table string, row int) []string {
	return house.Cited(effects.Cite{Rule: r.Content().TableCite(table, row)})
}

// RemoveWounds takes wounds away, all of them when n is negative. What is
// permanent stays. It returns how many went.
//
// rcr.healing.three-routes, rcr.injury.rows-cumulative
func RemoveWounds(r *rules.Resolution, id string, n int32, cause string, ruleIDs ...string) int32 {
	had := int32(r.Count(id, body.CWounds))
	gone := min(n, had)
	if n < 0 {
		gone = had
	}
	if gone <= 0 {
		return 0
	}
	r.Set(id, body.CWounds, int64(had-gone), cause, append(ruleIDs, cite.HealingThreeRoutes)...)
	return gone
}

// sizeDie is the hit die of a creature whose sheet lists none, by its size.
var sizeDie = map[string]int32{"tiny": 4, "small": 6, "medium": 8, "large": 10, "huge": 12, "gargantuan": 20}

// scarDie is the size of the hit die rolled for a scar: the one that the game
// master names, else the largest on the sheet.
func scarDie(c *eventv1.Creature, h *eventv1.Harm) int32 {
	size := int32(0)
	for _, d := range body.SheetOf(c).HitDice {
		if "d"+body.Itoa(d.Size) == h.Facts["scar-die"] {
			return d.Size
		}
		size = max(size, d.Size)
	}
	if size == 0 {
		size = sizeDie[strings.ToLower(c.Size)]
	}
	if size == 0 {
		return 8
	}
	return size
}

// scar leaves a permanent scar: one hit die less the Constitution modifier off
// the hit point maximum, never less than nothing. At a maximum of 0 the
// creature dies.
//
// rcr.injury.row4-scar, rcr.injury.row4-scar-permanence
func scar(r *rules.Resolution, id string, h *eventv1.Harm, by ...string) {
	c := r.Creature(id)
	con := body.AbilityMod(c, "constitution")
	rolled := r.Roll(rules.RollSpec{Label: "scar", Creature: id, Expression: "1d" + body.Itoa(scarDie(c, h)), Reason: "permanent scar",
		Audience: event.Controllers(id), Rules: append([]string{cite.InjuryRow4Scar}, by...),
		Modifiers: []*eventv1.Modifier{body.Mod(-con, "Constitution", cite.InjuryRow4Scar)}})
	amount := max(0, rolled.Total)
	r.AddInjury(id, &eventv1.Injury{Kind: body.InjuryScar, Amount: amount, Permanent: true, Cause: h.Cause,
		Description: h.Facts["wound"], Rule: cite.InjuryRow4Scar})
	c = r.Creature(id)
	maximum := max(0, c.GetHpMax()-amount)
	r.SetHitPoints(id, min(c.GetHp(), maximum), maximum, c.GetHpTemp(), cite.InjuryRow4Scar)
	if maximum == 0 {
		Die(r, id, "scars", cite.InjuryRow4Scar)
	}
}

// sever takes a part of the body. What a missing part means is for the table
// to say; a part already lost is recorded again.
//
// rcr.injury.row5-severed-limb
func sever(r *rules.Resolution, id string, h *eventv1.Harm, by ...string) {
	limbs := checks.TablesOf(r.Content()).Limbs
	rolled := r.Roll(rules.RollSpec{Label: "limb", Creature: id, Expression: "1d" + body.Itoa(max(1, len(limbs))), Reason: "severed limb",
		Audience: event.Controllers(id), Rules: append([]string{cite.InjuryRow5SeveredLimb}, by...)})
	part := ""
	if n := int(rolled.Total); n <= len(limbs) {
		part = limbs[n-1]
		for _, rule := range rowCited(r, "limbs", n-1) {
			r.Note(event.Controllers(id), id, "lost: "+part, rule)
		}
	}
	r.AddInjury(id, &eventv1.Injury{Kind: body.InjuryLost, Part: part, Side: h.Facts["side"], Permanent: true, Cause: h.Cause,
		Description: h.Facts["wound"], Rule: cite.InjuryRow5SeveredLimb})
}

// bleed deals the setback that starts the turn of whoever bleeds: minor, at
// the row of severed limbs major.
//
// rcr.injury.row3-bleeding, rcr.injury.row5-major-bleeding
func bleed(r *rules.Resolution, id string) (checks.Harmed, error) {
	c := r.Creature(id)
	if body.Dead(c) || !body.RowInForce(c, 3, r.On(body.SetSkippedRows)) {
		return checks.Harmed{}, nil
	}
	grade, rule := checks.GradeMinor, cite.InjuryRow3Bleeding
	if body.Row(c) >= 5 {
		grade, rule = checks.GradeMajor, cite.InjuryRow5MajorBleeding
	}
	return Setback(r, id, grade, "bleeding", "bleeding", rule)
}

// loseInjuries takes away every injury of a kind and returns the sum of their
// amounts.
func loseInjuries(r *rules.Resolution, id, kind, cause string, ruleIDs ...string) int32 {
	sum := int32(0)
	for _, in := range r.Creature(id).Injuries {
		if in.Kind != kind {
			continue
		}
		sum += in.Amount
		r.Emit(r.Audience(rules.FactInjury, kind, id), &eventv1.InjuryRemoved{Creature: id, Id: in.Id, Cause: cause}, ruleIDs...)
	}
	return sum
}
