package rcr

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// What a table's own content does is asked for here, at the places where the
// book's own rules count, and carried out. Everything that took part is cited.

// blowEnv is what an attack is to content.
func blowEnv(s *eventv1.State, attacker, target *eventv1.Creature, atk *eventv1.RcrAttack, k attackKind) effects.Env {
	distance := k.distance
	if distance < 0 {
		distance = -1
	}
	return effects.Env{State: s, Actor: attacker, Target: target, Weapon: effects.Weapon{Name: atk.Name, Use: atk.Use, Tags: weaponTags(atk, k.melee)},
		Distance: distance}
}

// weaponTags are the words on an attack that content can ask for.
func weaponTags(a *eventv1.RcrAttack, melee bool) []string {
	tags := slices.Clone(a.Properties)
	for _, t := range []struct {
		word string
		is   bool
	}{{"melee", melee}, {"ranged", !melee}, {"natural", a.Natural && !a.Spell}, {"spell", a.Spell}, {"magic", a.Magical || a.Spell},
		{"silver", a.Silvered}, {"adamantine", a.Adamantine}} {
		if t.is {
			tags = append(tags, t.word)
		}
	}
	return tags
}

// wayOf is the part of a point that an attack belongs to.
func wayOf(a *eventv1.RcrAttack, melee bool) string {
	switch {
	case a.Spell:
		return "/spell"
	case melee:
		return "/melee"
	}
	return "/ranged"
}

// houseMods are the modifiers of content at a point; dice are rolled here, before
// the roll that they go with.
func houseMods(r *rules.Resolution, label string, c *eventv1.Creature, audience *eventv1.Audience, point string, env effects.Env) []*eventv1.Modifier {
	var out []*eventv1.Modifier
	for i, m := range r.Content().Modifiers(c, point, env) {
		n := m.Amount
		if m.Dice != "" {
			n += rollHouse(r, label+"/house/"+itoa(i+1), c.GetId(), m, audience)
		}
		if n != 0 {
			out = append(out, mod(n, m.Title, m.Rule))
		}
	}
	return out
}

func rollHouse(r *rules.Resolution, label, id string, m effects.Modifier, audience *eventv1.Audience) int32 {
	expr, less := strings.CutPrefix(m.Dice, "-")
	total := r.Roll(rules.RollSpec{Label: label, Creature: id, Expression: expr, Reason: m.Title, Audience: audience, Rules: cited(m.Cite)}).Total
	if less {
		return -total
	}
	return total
}

// houseEdges are the sources of advantage and disadvantage that content gives at
// a point; each is a kind of its own.
func houseEdges(r *rules.Resolution, c *eventv1.Creature, point string, env effects.Env) []*eventv1.Edge {
	var out []*eventv1.Edge
	for _, e := range r.Content().Edges(c, point, env) {
		out = append(out, &eventv1.Edge{Advantage: e.Advantage, Kind: e.Rule + "/" + c.GetId(), Source: e.Title, Rule: e.Rule})
	}
	return out
}

// again puts into an expression what content rolls again or lifts at a point.
func again(r *rules.Resolution, c *eventv1.Creature, point string, env effects.Env, expression string) (expr string, rules []string) {
	for _, x := range r.Content().Rerolls(c, point, env) {
		suffix := "mi" + itoa(x.AtLeast)
		if x.UpTo > 0 {
			suffix = "ro<=" + itoa(x.UpTo)
		}
		if made := suffixed(expression, suffix); made != expression {
			expression, rules = made, append(rules, x.Rule)
		}
	}
	return expression, rules
}

// suffixed puts a modifier behind every number of dice of an expression, before
// what is kept of them; the expression as it is when that makes no dice.
func suffixed(expr, suffix string) string {
	var b strings.Builder
	for i := 0; i < len(expr); {
		b.WriteByte(expr[i])
		i++
		if expr[i-1] != 'd' || i >= len(expr) || expr[i] < '0' || expr[i] > '9' {
			continue
		}
		for i < len(expr) && expr[i] >= '0' && expr[i] <= '9' {
			b.WriteByte(expr[i])
			i++
		}
		b.WriteString(suffix)
	}
	if _, err := dice.Parse(b.String()); err != nil {
		return expr
	}
	return b.String()
}

// cited are the rule ids of what took part.
func cited(cites ...effects.Cite) []string {
	var out []string
	for _, c := range cites {
		if c.Rule != "" && !slices.Contains(out, c.Rule) {
			out = append(out, c.Rule)
		}
	}
	return out
}

// houseArmor is the armour class as content has it: the value that it gives in
// place of the sheet's, then what it adds.
func houseArmor(r *rules.Resolution, target, attacker *eventv1.Creature, ac *eventv1.TargetNumber) {
	env := effects.Env{State: r.State(), Actor: attacker, Target: target}
	if n := r.Content().Value(target, pointArmor, ac.Value, env); len(n.Cites) > 0 {
		ac.Modifiers = append(ac.Modifiers, mod(n.Value-ac.Value, n.Cites[0].Title, n.Cites[0].Rule))
		ac.Value = n.Value
	}
	for _, m := range houseMods(r, "armor/"+target.Id, target, nil, pointArmor, env) {
		ac.Value += m.Value
		ac.Modifiers = append(ac.Modifiers, m)
	}
}

// houseDamage is what content adds to the damage of a hit: to its first part, or
// parts of a type of their own with the rules that they are by.
func houseDamage(r *rules.Resolution, label string, attacker *eventv1.Creature, atk *eventv1.RcrAttack, melee bool, env effects.Env) (flat []*eventv1.Modifier, parts []*eventv1.RcrDamage, by []string) {
	for i, m := range r.Content().Modifiers(attacker, pointDamage+wayOf(atk, melee), env) {
		switch {
		case m.Type == "" && m.Dice == "":
			flat = append(flat, mod(m.Amount, m.Title, m.Rule))
		case m.Type == "" && strings.HasPrefix(m.Dice, "-"):
			flat = append(flat, mod(m.Amount+rollHouse(r, label+"/house/"+itoa(i+1), attacker.Id, m, nil), m.Title, m.Rule))
		default:
			kind := m.Type
			if kind == "" && len(atk.Damage) > 0 {
				kind = atk.Damage[0].Type
			}
			parts, by = append(parts, &eventv1.RcrDamage{Dice: diceAnd(strings.TrimPrefix(m.Dice, "-"), m.Amount), Type: kind}), append(by, m.Rule)
		}
	}
	return flat, parts, by
}

// diceAnd writes dice and a number as one expression; "0" when there is neither.
func diceAnd(dice string, n int32) string {
	switch {
	case dice == "":
		return itoa(n)
	case n > 0:
		return dice + "+" + itoa(n)
	case n < 0:
		return dice + itoa(n)
	}
	return dice
}

// houseDefends changes the parts of a damage by what content keeps off or lets
// through. What the sheet halves already is not halved again.
func houseDefends(r *rules.Resolution, c *eventv1.Creature, h *eventv1.Harm, parts []*eventv1.DamagePart) {
	for _, p := range parts {
		if p.Type == "" || p.Taken == 0 {
			continue
		}
		d := r.Content().Defense(c, strings.ToLower(p.Type), effects.Env{State: r.State(), Actor: r.Creature(h.Source), Target: c, Damage: p.Taken})
		var notes []string
		if d.Less > 0 {
			p.Taken, notes = max(0, p.Taken-d.Less), append(notes, itoa(d.Less)+" less")
		}
		if d.Resistant && !strings.Contains(p.Note, "resistance") {
			p.Taken, notes = p.Taken/2, append(notes, "resistance")
		}
		if d.Vulnerable && !strings.Contains(p.Note, "vulnerability") {
			p.Taken, notes = p.Taken*2, append(notes, "vulnerability")
		}
		if d.Immune {
			p.Taken, notes = 0, []string{"immunity"}
		}
		if len(notes) > 0 {
			if p.Note != "" {
				notes = append([]string{p.Note}, notes...)
			}
			p.Note, p.Rule = strings.Join(notes, ", "), d.Cites[len(d.Cites)-1].Rule
		}
	}
}

// houseKeepsOff tells whether content keeps a condition off a creature, and says
// so.
func houseKeepsOff(r *rules.Resolution, c *eventv1.Creature, condition string) bool {
	by, off := r.Content().ConditionImmune(c, condition, effects.Env{State: r.State(), Target: c})
	if off {
		r.Note(r.Audience(rules.FactCondition, condition, c.Id), c.Id, "immune to "+condition+": "+by.Title, cited(by)...)
	}
	return off
}

// houseTurn gives what content gives more of in a turn.
func houseTurn(r *rules.Resolution, id string) {
	for _, x := range r.Content().ExtraActions(r.Creature(id), effects.Env{State: r.State(), Actor: r.Creature(id)}) {
		r.Set(id, x.Counter, max(0, r.Count(id, x.Counter)+int64(x.Amount)), x.Title, cited(x.Cite)...)
	}
}

// happen carries out what content sets off.
func happen(r *rules.Resolution, label string, c *eventv1.Creature, trigger string, env effects.Env) {
	if c == nil {
		return
	}
	env.State = r.State()
	for i, h := range r.Content().Triggered(c, trigger, env) {
		comes(r, label+"/"+trigger+"/"+itoa(i+1), h)
	}
}

// comes carries out one thing. Nothing happens to the dead.
func comes(r *rules.Resolution, label string, h effects.Happening) {
	target, source := r.Creature(h.Creature), r.Creature(h.Bearer)
	if target == nil || dead(target) {
		return
	}
	switch h.Kind {
	case effects.KindDamage:
		part := rollDamage(r, label, h.Bearer, h.Title, &eventv1.RcrDamage{Dice: diceAnd(h.Dice, h.Amount), Type: h.Type}, false)
		strike(r, label, target, source, h, []*eventv1.DamagePart{part})
	case effects.KindSave:
		saveComes(r, label, target, source, h)
	case effects.KindHealing:
		healDeed(r, label, target, source, h.Title, rolledOrFlat(r, label, h), map[string]string{"via": viaAbility})
	case effects.KindTemporaryHitPoints:
		r.Deed(label, &eventv1.Harm{Deed: deedTempHP, Target: target.Id, Source: h.Bearer, Cause: h.Title, Amount: rolledOrFlat(r, label, h)})
	case effects.KindCondition:
		conditionComes(r, target, source, h)
	case effects.KindUse:
		r.Set(h.Bearer, cLeft+h.Resource, max(0, r.Count(h.Bearer, cLeft+h.Resource)-int64(h.Amount)), h.Title, cited(h.Cite)...)
	}
}

// strike deals damage that content does, and says by what.
func strike(r *rules.Resolution, label string, target, source *eventv1.Creature, h effects.Happening, parts []*eventv1.DamagePart) {
	for _, p := range parts {
		p.Rule = h.Rule
	}
	damageDeed(r, label+"/harm", target, source, h.Title, parts, false, map[string]string{"magical": "yes", "no-critical-wound": "yes"})
}

func rolledOrFlat(r *rules.Resolution, label string, h effects.Happening) int32 {
	return max(0, r.Roll(rules.RollSpec{Label: label + "/amount", Creature: h.Bearer, Expression: diceAnd(h.Dice, h.Amount), Reason: h.Title,
		Audience: event.Controllers(h.Creature), Rules: cited(h.Cite)}).Total)
}

// saveComes makes the saving throw and what comes of it. Of damage that stands
// under it, half is done on a success where the content says so.
func saveComes(r *rules.Resolution, label string, target, source *eventv1.Creature, h effects.Happening) {
	saved := rollSave(r, label+"/save", target, h.Save, h.DC, "", source, saveOpts{reason: h.Title + ": " + h.Save + " saving throw", rules: cited(h.Cite)}).Success()
	next := h.Failed
	if saved {
		next = h.Passed
		if h.Half {
			next = append(halvedOf(h.Failed), next...)
		}
	}
	for i, n := range next {
		if n.Kind == effects.KindDamage && saved {
			part := rollDamage(r, label+"/"+itoa(i+1), h.Bearer, n.Title, &eventv1.RcrDamage{Dice: diceAnd(n.Dice, n.Amount), Type: n.Type}, false)
			if h.Half && i < len(next)-len(h.Passed) {
				part.Rolled /= 2
			}
			if t := r.Creature(n.Creature); t != nil && !dead(t) {
				strike(r, label+"/"+itoa(i+1), t, source, n, []*eventv1.DamagePart{part})
			}
			continue
		}
		comes(r, label+"/"+itoa(i+1), n)
	}
}

// halvedOf is the damage among what comes of a failed saving throw.
func halvedOf(failed []effects.Happening) []effects.Happening {
	var out []effects.Happening
	for _, f := range failed {
		if f.Kind == effects.KindDamage {
			out = append(out, f)
		}
	}
	return out
}

// conditionComes lays a condition on a creature, or takes it away.
func conditionComes(r *rules.Resolution, target, source *eventv1.Creature, h effects.Happening) {
	if h.Remove {
		for _, x := range slices.Clone(target.Conditions) {
			if x.Name == h.Condition {
				r.RemoveCondition(target.Id, x, h.Title, cited(h.Cite)...)
			}
		}
		return
	}
	e := &eventv1.RcrEffect{Condition: h.Condition, Variant: h.Variant, Rounds: h.Rounds, SaveEnds: h.SaveEnds}
	var save *eventv1.RcrSave
	if h.SaveEnds {
		save = &eventv1.RcrSave{Ability: h.Save, Dc: h.DC}
	}
	if source == nil {
		source = target
	}
	layEffect(r, source, target, h.Title, e, save)
}

// rerolled is a part of a damage with what content rolls again of it.
func rerolled(r *rules.Resolution, attacker *eventv1.Creature, atk *eventv1.RcrAttack, melee bool, env effects.Env, part *eventv1.RcrDamage) (out *eventv1.RcrDamage, behind []string) {
	expr, behind := again(r, attacker, pointDamage+wayOf(atk, melee), env, part.Dice)
	if len(behind) == 0 {
		return part, nil
	}
	return &eventv1.RcrDamage{Dice: expr, Type: part.Type}, behind
}

// tablesOf are the tables as a table's own content has them.
func tablesOf(content *effects.Book) *ruleBook {
	if content == nil {
		return book
	}
	return content.Memo("rcr.tables", func() any {
		made, err := loadTables(func(name string) (string, error) {
			if text, found := content.TableText(name); found {
				return text, nil
			}
			return bookTable(name)
		})
		if err != nil {
			return book // the pack was checked against these tables when it was laid over
		}
		return made
	}).(*ruleBook)
}

// house lets what content adds to a spell befall its targets.
func (k *casting) house() {
	for _, id := range k.targets {
		caster, target := k.r.Creature(k.id), k.r.Creature(id)
		happen(k.r, "cast/"+id, caster, effects.TriggerCast, effects.Env{Actor: caster, Target: target, Spell: k.sp.Name, SpellUse: k.sp.Use})
	}
}

// cContentSpeed and a mode of movement is the counter of the feet that content
// adds to a speed: whoever sees a creature move reckons with it, without the
// content.
const cContentSpeed = "content-speed."

// houseSpeed brings those counters in line with what content makes of the
// speeds.
func houseSpeed(r *rules.Resolution, id string) {
	c := r.Creature(id)
	if c == nil || !r.Content().Asks(effects.KindSpeed) {
		return
	}
	speeds := c.GetSheet().GetSpeeds()
	for _, mode := range rules.SortedKeys(speeds) {
		own := speeds[mode] + flat(c, chSpeed)
		n := r.Content().Speed(c, mode, own, effects.Env{State: r.State(), Actor: c})
		why := "content"
		if len(n.Cites) > 0 {
			why = n.Cites[0].Title
		}
		r.Set(id, cContentSpeed+mode, int64(n.Value-own), why, cited(n.Cites...)...)
	}
}
