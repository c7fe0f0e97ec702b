package house

import (
	"strconv"
	"strings"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// CounterSpeed and a mode of movement is the counter of the feet that content adds
// to a speed: whoever sees a creature move reckons with it, without the content.
const CounterSpeed = "content-speed."

// Speeds brings those counters in line with what content makes of the speeds, in
// feet, that a creature has by mode.
func Speeds(r *rules.Resolution, id string, own map[string]int32) {
	c := r.Creature(id)
	if c == nil || !r.Content().Bears(c, effects.KindSpeed) && !changed(c) {
		return
	}
	for _, mode := range rules.SortedKeys(own) {
		n := r.Content().Speed(c, mode, own[mode], effects.Env{State: r.State(), Actor: c})
		why := "content"
		if len(n.Cites) > 0 {
			why = n.Cites[0].Title
		}
		r.Set(id, CounterSpeed+mode, int64(n.Value-own[mode]), why, Cited(n.Cites...)...)
	}
}

// changed tells whether content has changed any speed of a creature.
func changed(c *eventv1.Creature) bool {
	// order-free: any one is enough
	for name := range c.Counters {
		if strings.HasPrefix(name, CounterSpeed) {
			return true
		}
	}
	return false
}

// Turn gives what content gives more of in a turn, or a round: more of a counter of
// the creature.
func Turn(r *rules.Resolution, id string) {
	c := r.Creature(id)
	for _, x := range r.Content().ExtraActions(c, effects.Env{State: r.State(), Actor: c}) {
		r.Set(id, x.Counter, max(0, r.Count(id, x.Counter)+int64(x.Amount)), x.Title, Cited(x.Cite)...)
	}
}

// KeepsOff tells whether content keeps a condition off a creature, and says so.
func KeepsOff(r *rules.Resolution, c *eventv1.Creature, condition string) bool {
	by, off := r.Content().ConditionImmune(c, condition, effects.Env{State: r.State(), Target: c})
	if off {
		r.Note(r.Audience(rules.FactCondition, condition, c.Id), c.Id, "immune to "+condition+": "+by.Title, Cited(by)...)
	}
	return off
}

// NoProvoke tells whether content keeps an action of a creature from provoking
// anybody, and by what.
func NoProvoke(content *effects.Book, s *eventv1.State, c *eventv1.Creature, action string) (effects.Cite, bool) {
	return content.NoProvoke(c, action, effects.Env{State: s, Actor: c})
}

// Defends changes the parts of a damage by what content keeps off or lets through.
// What the sheet halves or doubles already, by its note, is not so changed again.
func Defends(r *rules.Resolution, c *eventv1.Creature, source string, parts []*eventv1.DamagePart) {
	for _, p := range parts {
		if p.Taken == 0 {
			continue
		}
		d := r.Content().Defense(c, strings.ToLower(p.Type), effects.Env{State: r.State(), Actor: r.Creature(source), Target: c, Damage: p.Taken})
		if taken, notes := defended(p, d); len(notes) > 0 {
			if p.Note != "" {
				notes = append([]string{p.Note}, notes...)
			}
			p.Taken, p.Note, p.Rule = taken, strings.Join(notes, ", "), d.Cites[len(d.Cites)-1].Rule
		}
	}
}

// defended is what comes through of a part, with words for what kept the rest off.
func defended(p *eventv1.DamagePart, d effects.Defense) (taken int32, notes []string) {
	taken = p.Taken
	if d.Less > 0 {
		taken, notes = max(0, taken-d.Less), append(notes, strconv.Itoa(int(d.Less))+" less")
	}
	if d.Resistant && !strings.Contains(p.Note, "resistance") {
		taken, notes = taken/2, append(notes, "resistance")
	}
	if d.Vulnerable && !strings.Contains(p.Note, "vulnerability") {
		taken, notes = taken*2, append(notes, "vulnerability")
	}
	if d.Immune {
		return 0, []string{"immunity"}
	}
	return taken, notes
}
