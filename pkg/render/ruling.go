package render

import (
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"strings"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Preview is what a ruling would change, and what stands in its way.
func Preview(p *encounterv1.PreviewRulingResponse) string {
	p = safe(p)
	st := Style{Names: Names(p.GetState())}
	var b strings.Builder
	fmt.Fprintf(&b, "%s would be decided again\n", counted(int(p.GetRedecided()), "command"))
	st.drift(&b, p.GetDrift())
	for _, s := range p.GetRuling().GetSteps() {
		b.WriteString(st.Corrected(s))
	}
	if p.GetRuling().GetMore() {
		b.WriteString("  ... and more\n")
	}
	for _, c := range p.GetChanges() {
		fmt.Fprintf(&b, "  %s\n", st.Change(c))
	}
	if len(p.GetChanges())+len(p.GetRuling().GetSteps()) == 0 {
		b.WriteString("  nothing would change\n")
	}
	for _, r := range p.GetFresh() {
		fmt.Fprintf(&b, "  %s would roll anew: %s\n", placeOf(r.Encounter, r.Patient, r.Version), join(st.name(r.Creature), r.Expression, because(r.Reason), outcomes(r.Odds)))
	}
	st.onward(&b, p.GetOnward())
	if len(p.GetFresh()) > 0 {
		b.WriteString("  what follows from those rolls is a sample: their dice are rolled when the ruling is made\n")
	}
	for _, note := range p.GetNotes() {
		fmt.Fprintf(&b, "  %s\n", note)
	}
	for _, t := range p.GetTroubles() {
		what := "became illegal"
		if t.Kind == encounterv1.Trouble_KIND_UNANSWERED {
			what = "meets an unanswered decision"
		}
		fmt.Fprintf(&b, "%s %s: %s\n", placeOf(t.Encounter, t.Patient, t.Version), what, join(t.Message, because(join(t.Reason, t.Rule))))
		if t.Decision != nil { // its id is what an amendment resolves it by
			fmt.Fprintf(&b, "  ? %s\n", st.Decision(t.Decision))
		}
	}
	for _, id := range p.GetNeedsDice() {
		fmt.Fprintf(&b, "new dice are needed in encounter %s: open them first (skald encounter open-dice %s)\n", id, id)
	}
	return b.String()
}

// placeOf names a step, of this fight or another, or a deed of a record.
func placeOf(encounter, patient string, version uint64) string {
	switch {
	case encounter != "":
		return fmt.Sprintf("encounter %s step %d", encounter, version)
	case patient != "":
		return fmt.Sprintf("patient %s version %d", patient, version)
	}
	return fmt.Sprintf("step %d", version)
}

// becomes are the words for what a ruling makes of something.
var becomes = map[encounterv1.Consequence_Kind]string{
	encounterv1.Consequence_KIND_SAME: "comes out as it did", encounterv1.Consequence_KIND_OTHERWISE: "comes out otherwise",
	encounterv1.Consequence_KIND_STANDS: "stands as it was recorded", encounterv1.Consequence_KIND_ILLEGAL: "stands in the way",
	encounterv1.Consequence_KIND_ASKS: "asks what nobody has answered", encounterv1.Consequence_KIND_DROPPED: "is dropped"}

// onward says what a ruling makes of records, deeds and later fights.
func (st Style) onward(b *strings.Builder, all []*encounterv1.Consequence) {
	if len(all) > 0 {
		b.WriteString("and after this fight:\n")
	}
	for _, c := range all {
		st := st.calling(c.Names)
		switch {
		case c.Encounter != "":
			fmt.Fprintf(b, "  encounter %s %s", c.Encounter, becomes[c.Kind])
			if c.Redecided > 0 {
				fmt.Fprintf(b, " (%s)", counted(int(c.Redecided), "command"))
			}
		case c.Kind == encounterv1.Consequence_KIND_RECORD:
			fmt.Fprintf(b, "  the record of %s would be another", c.Patient)
		default:
			fmt.Fprintf(b, "  %s of %s (version %d) %s", c.Deed, c.Patient, c.Version, becomes[c.Kind])
		}
		if c.Message != "" {
			fmt.Fprintf(b, ": %s", c.Message)
		}
		b.WriteString("\n")
		for _, s := range c.GetRuling().GetSteps() {
			if c.Encounter != "" {
				b.WriteString(indented(st.Corrected(s)))
				continue
			}
			for _, line := range changed(st.spokenLines(s.GetCorrected().GetBefore()), st.spokenLines(s.GetEvents())) {
				fmt.Fprintf(b, "    %s\n", line)
			}
		}
		if c.GetRuling().GetMore() {
			b.WriteString("    ... and more\n")
		}
		for _, x := range c.Changes {
			path := x
			if c.Patient != "" {
				path = &encounterv1.Change{Path: "creatures." + c.Patient + "." + x.Path, Before: x.Before, After: x.After}
			}
			fmt.Fprintf(b, "    %s\n", st.Change(path))
		}
	}
}

// calling is the style with further names, before those that it has.
func (st Style) calling(names map[string]string) Style {
	if len(names) == 0 {
		return st
	}
	all := maps.Clone(st.Names)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, names)
	st.Names = all
	return st
}

// indented is text two blanks further in.
func indented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString("  " + line)
	}
	return b.String()
}

// drift says what other rules change by themselves, before what the ruling changes.
func (st Style) drift(b *strings.Builder, d *encounterv1.RulesDrift) {
	if d == nil {
		return
	}
	fmt.Fprintf(b, "the rules are others than those that decided: %s %s, here %s; to rule under these, accept them (accept_rules %s)\n",
		d.System, strings.Join(d.Recorded, ", "), d.Running, d.Running)
	if len(d.Versions) > 0 {
		var steps []string
		for _, v := range d.Versions {
			steps = append(steps, strconv.FormatUint(v, 10))
		}
		fmt.Fprintf(b, "  by themselves they decide otherwise at step %s\n", strings.Join(steps, ", "))
	}
	for _, c := range d.Changes {
		fmt.Fprintf(b, "  by the rules alone: %s\n", st.Change(c))
	}
	for _, t := range d.Troubles {
		fmt.Fprintf(b, "  by the rules alone step %d does not come to its end: %s\n", t.Version, t.Message)
	}
	if len(d.Versions)+len(d.Changes)+len(d.Troubles) == 0 {
		b.WriteString("  by themselves they change nothing\n")
	}
	b.WriteString("and the ruling changes:\n")
}

// Change is a difference in words: whose it is, what, from what to what.
func (st Style) Change(c *encounterv1.Change) string {
	st, c = st.safe(), safe(c)
	parts := strings.Split(c.GetPath(), ".")
	whose, what := "", parts
	switch {
	case parts[0] == "creatures" && len(parts) > 1:
		whose, what = st.name(parts[1])+":", parts[2:]
	case parts[0] == "sides" && len(parts) > 1:
		whose, what = "side "+parts[1]+":", parts[2:]
	case parts[0] == "tasks" && len(parts) > 1:
		whose, what = "task "+st.known(taskKey(parts[1]), parts[1])+":", parts[2:]
	}
	return fmt.Sprintf("%s %s -> %s", join(whose, orWord(fieldWords(what), "itself")), st.value(parts, c.GetBefore()), st.value(parts, c.GetAfter()))
}

// fieldWords is a path below a creature, a side or the state.
func fieldWords(path []string) string {
	if len(path) == 0 {
		return ""
	}
	switch path[0] {
	case "hp":
		return "hit points"
	case "hp_max":
		return "most hit points"
	case "hp_temp":
		return "temporary hit points"
	case "settings":
		return "setting " + strings.Join(path[1:], ".")
	case "active":
		return "whose turn it is"
	case "counters", "marks", "items", "learned":
		if len(path) > 1 { // the name says what it is
			return spaced(strings.Join(path[1:], " "))
		}
	}
	return strings.ReplaceAll(spaced(strings.Join(path, " ")), "_", " ")
}

// value is a value of a difference as people write it.
func (st Style) value(path []string, text string) string {
	if text == "" {
		return "nothing"
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return text
	}
	if m, ok := v.(map[string]any); ok && path[len(path)-1] == "position" {
		return fmt.Sprintf("(%s, %s)", coordinate(m["x"]), coordinate(m["y"]))
	}
	return orWord(st.plain(v), "nothing")
}

// coordinate is a number of a position; contracts leave 0 out.
func coordinate(v any) string {
	if v == nil {
		return "0"
	}
	return fmt.Sprint(v)
}

// plain is JSON without its signs: of what has a name, a text or a kind only
// that, of the rest every field.
func (st Style) plain(v any) string {
	switch v := v.(type) {
	case string:
		if short, isLife := strings.CutPrefix(v, "LIFE_STATUS_"); isLife {
			return word(short, "")
		}
		return st.name(v)
	case []any:
		var out []string
		for _, x := range v {
			out = append(out, st.plain(x))
		}
		return strings.Join(out, ", ")
	case map[string]any:
		for _, key := range []string{"name", "text", "kind"} {
			if s, ok := v[key].(string); ok && s != "" {
				variant, _ := v["variant"].(string)
				return join(spaced(s), variant)
			}
		}
		var out []string
		for _, key := range sorted(v) {
			out = append(out, join(spaced(key), st.plain(v[key])))
		}
		return strings.Join(out, ", ")
	}
	return fmt.Sprint(v)
}

// outcomes are the odds of a roll in words.
func outcomes(odds []*eventv1.OutcomeOdds) string {
	var out []string
	for _, o := range odds {
		out = append(out, o.Outcome+" "+o.Odds)
	}
	return strings.Join(out, ", ")
}
