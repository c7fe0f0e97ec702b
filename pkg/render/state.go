package render

import (
	"fmt"
	"slices"
	"strings"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	rulesv1 "github.com/skaldrpg/skald/proto/skald/rules/v1"
)

// State is a state on a screen: where the fight stands, each creature, what is
// open.
func State(s *eventv1.State) string {
	s = safe(s)
	st := Style{Names: Names(s)}
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s, %s %s): %s", orWord(s.GetTitle(), s.GetEncounter()), s.GetEncounter(), s.GetSystem(), s.GetSystemVersion(),
		word(s.GetStatus().String(), "STATUS_"))
	if s.GetStatus() == eventv1.State_STATUS_STARTED {
		fmt.Fprintf(&b, ", round %d", s.GetRound())
		if s.GetPhase() != "" {
			b.WriteString(", phase " + s.Phase)
		}
		if len(s.GetActive()) > 0 {
			b.WriteString(", turn of " + st.names(s.Active))
		}
	}
	if s.GetImported() {
		b.WriteString("; brought from another server and only read")
	}
	b.WriteByte('\n')
	for _, id := range order(s) {
		b.WriteString(indent(st.Creature(s.Creatures[id])) + "\n")
	}
	for _, id := range sorted(s.GetTasks()) {
		b.WriteString("  - " + st.task(s.Tasks[id]) + "\n")
	}
	for _, id := range sorted(s.GetDecisions()) {
		b.WriteString("  ? " + st.Decision(s.Decisions[id]) + "\n")
	}
	return b.String()
}

// order lists the creatures by side and then by id.
func order(s *eventv1.State) []string {
	ids := sorted(s.GetCreatures())
	slices.SortStableFunc(ids, func(a, b string) int { return strings.Compare(s.Creatures[a].Side, s.Creatures[b].Side) })
	return ids
}

// Creature is a creature in a line, and a line for each injury.
func (st Style) Creature(c *eventv1.Creature) string {
	st, c = st.safe(), safe(c)
	words := []string{fmt.Sprintf("%-20s %-10s", st.name(c.GetId()), c.GetSide())}
	if c.Hp != nil {
		hp := fmt.Sprintf("%d/%d hp", c.GetHp(), c.GetHpMax())
		if c.GetHpTemp() > 0 {
			hp += fmt.Sprintf(" +%d", c.GetHpTemp())
		}
		words = append(words, hp)
	}
	if c.GetLife() != eventv1.LifeStatus_LIFE_STATUS_ALIVE {
		words = append(words, Life(c.GetLife()))
	}
	if c.GetPosition() != nil {
		words = append(words, "at "+Position(c.Position))
	}
	for _, cond := range c.GetConditions() {
		words = append(words, join(cond.Name, cond.Variant))
	}
	for _, r := range c.GetRelations() {
		words = append(words, st.relation(r))
	}
	line := strings.Join(words, "  ")
	for _, b := range c.GetBegun() {
		line += "\n  " + st.begun(b)
	}
	for _, in := range c.GetInjuries() {
		line += "\n  " + join("injury:", injuryName(in))
	}
	return strings.TrimRight(line, " ")
}

// relation is what a creature is to another.
func (st Style) relation(r *eventv1.Relation) string {
	return join(spaced(r.GetKind()), r.GetVariant(), st.name(r.GetTo()), because(numbers(r.GetValues())))
}

// begun is what a creature has begun: what it is, how far it has come, what sets it
// off.
func (st Style) begun(b *eventv1.Begun) string {
	what := ""
	if a := b.GetAction(); a != nil {
		what = join(spaced(a.Action), with("with", a.Item), with("against", st.names(a.Targets)))
	}
	if b.GetNeeded() > 0 {
		what = join(what, because(fmt.Sprintf("%d of %d %s", b.Done, b.Needed, b.Counter)))
	}
	trigger := ""
	if b.GetTrigger() != "" || b.GetFoe() != "" {
		trigger = join("set off by", spaced(b.GetTrigger()), with("of", st.name(b.GetFoe())))
	}
	return strings.TrimSuffix(join(spaced(b.GetKind())+":", what, trigger, because(b.GetWords()), numbers(b.GetValues())), ":")
}

// task is something under way whose end is not decided.
func (st Style) task(t *eventv1.Task) string {
	return join(taskName(t)+":", t.GetStatus(), with("by", st.name(t.GetCreature())), with("with", t.GetItem()), with("against", st.names(t.GetTargets())), because(numbers(t.GetValues())))
}

// Patient is a record on a screen.
func Patient(p *injuryv1.Patient) string {
	p = safe(p)
	st := Style{Names: map[string]string{p.GetPatient(): p.GetCreature().GetName(), p.GetCreature().GetId(): p.GetCreature().GetName()}}
	where := "between fights"
	if p.GetEncounter() != "" {
		where = "in encounter " + p.Encounter
	}
	line := fmt.Sprintf("%s (%s, table %s, version %d), %s, %d hours passed\n", p.GetPatient(), p.GetSystem(), p.GetTable(), p.GetVersion(), where, p.GetHours())
	if p.GetCreature() == nil {
		return line
	}
	line += indent(st.Creature(p.Creature)) + "\n" + indent(counters(p.Creature)) + "\n"
	for _, d := range p.GetDecisions() {
		line += "? " + st.Decision(d) + "\n"
	}
	return line
}

func counters(c *eventv1.Creature) string {
	var out []string
	for _, k := range sorted(c.GetCounters()) {
		out = append(out, fmt.Sprintf("%s %d", k, c.Counters[k]))
	}
	return orWord(strings.Join(out, ", "), "no counters")
}

// Explain is an explanation, line by line, below the words for the event.
func Explain(e *encounterv1.ExplainResponse) string {
	e = safe(e)
	var b strings.Builder
	for i, l := range e.GetLines() {
		if i > 0 {
			b.WriteString("  ")
		}
		b.WriteString(l.Text)
		if l.Rule != "" && l.Text != "under "+l.Rule {
			b.WriteString("  (" + join(l.Rule, with("-", l.RuleTitle)) + ")")
		} else if l.RuleTitle != "" {
			b.WriteString(" - " + l.RuleTitle)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// ExplainDeed is an explanation of what happened to a patient: who did it, what was
// said, and each event line by line; of a further part of one the events alone.
func ExplainDeed(e *injuryv1.ExplainDeedResponse, further bool) string {
	e = safe(e)
	var b strings.Builder
	if !further {
		where := "between fights"
		if e.GetEncounter() != "" {
			where = "in encounter " + e.GetEncounter()
		}
		fmt.Fprintf(&b, "#%d %s, %s\n", e.GetEntry(), e.GetDeed(), where)
		if e.GetBy() != nil {
			fmt.Fprintf(&b, "  by %s\n", claimant(e.GetBy()))
		}
		for _, line := range e.GetInputs() {
			b.WriteString("  " + line + "\n")
		}
	}
	for _, x := range e.GetEvents() {
		b.WriteString(explained(x))
	}
	return b.String()
}

// explained is an event with its lines, as Explain has them.
func explained(x *injuryv1.ExplainedEvent) string {
	as := &encounterv1.ExplainResponse{}
	for _, l := range x.GetLines() {
		as.Lines = append(as.Lines, &encounterv1.ExplainLine{Text: l.GetText(), Rule: l.GetRule(), RuleTitle: l.GetRuleTitle()})
	}
	return Explain(as)
}

// Rule is an entry of the catalogue.
func Rule(r *rulesv1.Rule) string {
	r = safeLines(r)
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n", r.GetId(), r.GetTitle())
	facts := join(r.GetWeight()+",", "decided by", r.GetOwner())
	switch r.GetStatus() {
	case "advice":
		facts = join(r.GetWeight()+",", "nothing to decide")
	case "open":
		facts = join(r.GetWeight()+",", "not decided by any code")
	}
	if r.GetToggle() {
		facts += ", may be switched, " + orWord(r.GetDefault(), "off") + " by default"
	}
	b.WriteString(facts + "\n\n" + strings.TrimSpace(r.GetText()) + "\n")
	section := func(title, text string) {
		if text = strings.TrimSpace(text); text != "" {
			fmt.Fprintf(&b, "\n%s: %s\n", title, text)
		}
	}
	section("Heading", r.GetHeading())
	section("Our reading", r.GetReading())
	section("Hidden", r.GetSecret())
	section("Choices", strings.Join(r.GetChoices(), "; "))
	if t := strings.TrimSpace(r.GetTable()); t != "" {
		b.WriteString("\n" + t + "\n")
	}
	return b.String()
}
