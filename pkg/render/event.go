package render

import (
	"fmt"
	"slices"
	"strings"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// words is an event in words, and whether it is bookkeeping.
func (st Style) words(e *eventv1.Event) (line string, bookkeeping bool) {
	switch w := e.GetWhat().(type) {
	case *eventv1.Event_EncounterCreated:
		return fmt.Sprintf("Encounter %s at table %s: %q, system %s %s", w.EncounterCreated.Encounter, w.EncounterCreated.Table,
			w.EncounterCreated.Title, w.EncounterCreated.System, w.EncounterCreated.SystemVersion), false
	case *eventv1.Event_PacksPinned:
		return fmt.Sprintf("    kept with %d packs of content", len(w.PacksPinned.Packs)), true
	case *eventv1.Event_EncounterStarted:
		return "The fight begins", false
	case *eventv1.Event_EncounterEnded:
		return join("The encounter is over", because(w.EncounterEnded.Reason)), false
	case *eventv1.Event_CreatureAdded:
		a := w.CreatureAdded
		return join("+", st.name(a.Creature), fmt.Sprintf("(%s, %s, id %s)", a.Side, a.Size, a.Creature),
			with("played by", strings.Join(a.Controllers, ", "))), false
	case *eventv1.Event_CreatureRemoved:
		return join("-", st.name(w.CreatureRemoved.Creature), "leaves", because(w.CreatureRemoved.Reason)), false
	case *eventv1.Event_RoundStarted:
		if w.RoundStarted.Round == 0 {
			return "--- Surprise round", false
		}
		return fmt.Sprintf("--- Round %d", w.RoundStarted.Round), false
	case *eventv1.Event_RoundEnded:
		return fmt.Sprintf("    round %d ends", w.RoundEnded.Round), true
	case *eventv1.Event_PhaseStarted:
		return "    phase: " + orWord(w.PhaseStarted.Phase, "none"), w.PhaseStarted.Phase == ""
	case *eventv1.Event_TurnStarted:
		return "  * " + st.names(w.TurnStarted.Creatures), false
	case *eventv1.Event_TurnEnded:
		return "    turn of " + st.names(w.TurnEnded.Creatures) + " ends", true
	case *eventv1.Event_Action:
		a := w.Action
		line = join("   ", st.name(a.Creature)+":", a.Action, a.Item, with("->", st.names(a.Targets)))
		return strings.Join(append([]string{line}, a.Notes...), ", "), false
	case *eventv1.Event_Roll:
		return "      " + st.Roll(w.Roll), false
	case *eventv1.Event_Attack:
		a := w.Attack
		line = join("     ", st.name(a.Attacker), outcomeWords(a.Outcome), st.name(a.Target), with("with", a.Weapon), because(a.Note))
		if facts := Facts(a.Facts); facts != "" {
			line += "; " + facts
		}
		if st.Labels && a.Roll != nil {
			line += " {" + a.Roll.Label + "}"
		}
		return line, false
	case *eventv1.Event_Damage:
		return "      " + st.damage(w.Damage), false
	case *eventv1.Event_Healing:
		h := w.Healing
		return join("     ", st.name(h.Target), fmt.Sprintf("regains %d of %d hit points", h.Amount, h.Offered), with("from", h.Cause)), false
	case *eventv1.Event_Life:
		return join("     ", st.name(w.Life.Creature), "is", Life(w.Life.Status), because(w.Life.Cause)), false
	case *eventv1.Event_Note:
		return "      " + st.note(w.Note), false
	case nil:
		return "    an event of a kind unknown to this program", true
	}
	return st.moreWords(e)
}

// moreWords are conditions, decisions and the small print.
func (st Style) moreWords(e *eventv1.Event) (line string, bookkeeping bool) {
	switch w := e.GetWhat().(type) {
	case *eventv1.Event_HitPoints:
		h := w.HitPoints
		line = fmt.Sprintf("      %s has %d of %d hit points", st.name(h.Creature), h.Hp, h.Max)
		if h.Temp > 0 {
			line += fmt.Sprintf(" and %d temporary ones", h.Temp)
		}
		return line, false
	case *eventv1.Event_ConditionAdded:
		c := w.ConditionAdded.Condition
		why := []string{c.GetCause(), st.name(c.GetSource())}
		if c.GetSource() == w.ConditionAdded.Creature {
			why = why[:1]
		}
		why = slices.DeleteFunc(why, func(s string) bool { return s == "" })
		variant := strings.TrimSpace(strings.ReplaceAll(c.GetVariant(), "/", " "))
		return join("     ", st.name(w.ConditionAdded.Creature), "is", c.GetName(), variant, because(strings.Join(why, ", "))), false
	case *eventv1.Event_ConditionRemoved:
		return join("     ", st.name(w.ConditionRemoved.Creature), "is no longer", w.ConditionRemoved.Name, because(w.ConditionRemoved.Cause)), false
	case *eventv1.Event_InjuryAdded:
		in := w.InjuryAdded.Injury
		return join("     ", st.name(w.InjuryAdded.Creature), "suffers:", injuryName(in), because(in.GetCause())), false
	case *eventv1.Event_InjuryRemoved:
		return join("     ", st.name(w.InjuryRemoved.Creature), "is rid of", st.known(injuryKey(w.InjuryRemoved.Creature, w.InjuryRemoved.Id), w.InjuryRemoved.Id), because(w.InjuryRemoved.Cause)), false
	case *eventv1.Event_InitiativeSet:
		// What only some are told of they have seen as a roll.
		return fmt.Sprintf("      %s acts on initiative %d in round %d", st.name(w.InitiativeSet.Creature), w.InitiativeSet.Total, w.InitiativeSet.Round),
			e.GetAudience().GetKind() != eventv1.Audience_KIND_EVERYONE
	case *eventv1.Event_Moved:
		m := w.Moved
		if m.To == nil {
			return join("     ", st.name(m.Creature), "is off the map"), false
		}
		if m.Mode == "placed" {
			return join("     ", st.name(m.Creature), "stands at", Position(m.To)), false
		}
		return join("     ", st.name(m.Creature), "moves to", Position(m.To), because(join(m.Mode, feet(m.Feet)))), false
	case *eventv1.Event_DecisionRequested:
		return "    ? " + st.Decision(w.DecisionRequested.Decision), false
	case *eventv1.Event_DecisionAnswered:
		a := w.DecisionAnswered
		return join("    !", join(a.Name, st.name(a.Creature))+":", st.answer(Answer(a.Answer)), because(answeredBy(a.By))), false
	case *eventv1.Event_Learned:
		return join("     ", st.name(w.Learned.Creature), "learns of", st.name(w.Learned.About)+":", numbers(w.Learned.Facts)), false
	case *eventv1.Event_Item:
		i := w.Item
		lost, values := i.Place == "dropped" || i.Place == "gone", "" // where else a thing is, is bookkeeping
		if st.Bookkeeping {
			values = numbers(i.Values)
		}
		return join("     ", st.name(i.Creature)+"'s", i.Item, "is", orWord(i.Place, "changed"), values, because(i.Cause)), !lost
	case *eventv1.Event_DiceRevealed:
		return fmt.Sprintf("The seed of branch %s, epoch %d, is open: %x", w.DiceRevealed.Branch, w.DiceRevealed.Epoch, w.DiceRevealed.Seed), false
	case *eventv1.Event_EntropyGiven:
		g := w.EntropyGiven
		return fmt.Sprintf("%s mixes into the dice of epoch %d: %s", g.Contributor, g.Epoch, mixed(g.Value)), false
	case *eventv1.Event_BeaconNamed:
		b := w.BeaconNamed
		what := "is promised for"
		if b.Waived {
			what = "is waived for"
		}
		return join(fmt.Sprintf("Round %d of %s %s the dice of epoch %d", b.Beacon.GetRound(), b.Beacon.GetName(), what, b.Epoch), because(b.Reason)), false
	case *eventv1.Event_RollsOpened:
		o := w.RollsOpened
		text := fmt.Sprintf("Opened: action %d of branch %s, epoch %d", o.Action, o.Branch, o.Epoch)
		for _, r := range o.Rolls {
			text += fmt.Sprintf("\n      %s: %s shows %s, in all %d", r.Label, r.Expression, facesOf(r.Faces), r.Value)
		}
		return text, false
	case *eventv1.Event_Imported:
		return join("The record was brought from another server by", claimant(w.Imported.GetBy())) + "; from here on it is only read", false
	case *eventv1.Event_Forked:
		line := "It begins as encounter " + w.Forked.Origin + " stood"
		if w.Forked.Version > 0 {
			line += fmt.Sprintf(" after step %d", w.Forked.Version)
		}
		if len(w.Forked.Copies) > 0 {
			line += "; patients are copies, which no record hears of"
		}
		return line, false
	case *eventv1.Event_Contest:
		return st.contest(w.Contest.Contest), false
	case *eventv1.Event_SavePoint:
		if p := w.SavePoint.SavePoint; p.GetVersion() > 0 {
			return fmt.Sprintf("Save point %q: step %d", p.Name, p.Version), false
		}
		return fmt.Sprintf("Save point %q is forgotten", w.SavePoint.SavePoint.GetName()), false
	case *eventv1.Event_Reverted:
		text, place := "The encounter is put back", "step"
		if st.Record {
			text, place = "The record is put back", "version"
		}
		if w.Reverted.Redo {
			text = "The ruling before is taken back"
		}
		if w.Reverted.Version > 0 {
			text += fmt.Sprintf(", to %s %d", place, w.Reverted.Version)
		}
		return join(text, because(w.Reverted.Reason)), false
	case *eventv1.Event_Amended:
		text := join(fmt.Sprintf("Step %d is changed and %s decided again", w.Amended.Version, countedAre(len(w.Amended.Commands), "command")),
			because(w.Amended.Reason))
		if w.Amended.Version == 0 { // behind what was taken back
			text = fmt.Sprintf("What others did since: %s decided again", countedAre(len(w.Amended.Commands), "command"))
		}
		for _, note := range w.Amended.Notes {
			text += "\n    " + note
		}
		return text, false
	case *eventv1.Event_Relation:
		return join("     ", st.name(w.Relation.Creature), "now", st.relation(w.Relation.Relation)), false
	case *eventv1.Event_RelationEnded:
		r := w.RelationEnded
		return join("     ", st.name(r.Creature), "no longer", spaced(r.Kind), st.name(r.To), because(r.Cause)), false
	case *eventv1.Event_Begun:
		return join("     ", st.name(w.Begun.Creature), "has begun:", st.begun(w.Begun.Begun)), false
	case *eventv1.Event_BegunEnded:
		b := w.BegunEnded
		return join("     ", st.name(b.Creature), "has ended:", spaced(b.Id), because(b.Outcome)), false
	case *eventv1.Event_Staged:
		switch s := w.Staged; {
		case !s.Staged:
			return join("   ", st.name(s.Creature), "is there for all to see"), false
		case len(s.KnownTo) > 0:
			return join("   ", st.name(s.Creature), "is staged, known to", st.names(s.KnownTo)), false
		default:
			return join("   ", st.name(s.Creature), "is staged: nobody is told of it"), false
		}
	}
	return st.smallPrint(e), true
}

// smallPrint is what people rarely read.
func (st Style) smallPrint(e *eventv1.Event) string {
	switch w := e.GetWhat().(type) {
	case *eventv1.Event_SettingChanged:
		return fmt.Sprintf("    setting %s = %s", w.SettingChanged.Setting, w.SettingChanged.Value)
	case *eventv1.Event_SheetSet:
		return "    sheet of " + st.name(w.SheetSet.Creature)
	case *eventv1.Event_Controllers:
		return join("   ", st.name(w.Controllers.Creature), "is played by", orWord(strings.Join(w.Controllers.Controllers, ", "), "the game master"))
	case *eventv1.Event_InitiativeCleared:
		return fmt.Sprintf("      %s has no place in round %d", st.name(w.InitiativeCleared.Creature), w.InitiativeCleared.Round)
	case *eventv1.Event_Counter:
		c := w.Counter
		return join("     ", st.subject(c.Subject), fmt.Sprintf("%s: %d -> %d", c.Counter, c.Was, c.Value), because(c.Cause))
	case *eventv1.Event_Mark:
		return join("     ", st.subject(w.Mark.Subject), w.Mark.Mark+":", orWord(w.Mark.Value, "none"))
	case *eventv1.Event_StandingOrder:
		return join("   ", st.name(w.StandingOrder.Creature), "answers", w.StandingOrder.Decision, "with", w.StandingOrder.Order)
	case *eventv1.Event_Order:
		return join("   ", st.order(w.Order.Order))
	case *eventv1.Event_Preset:
		return join("   ", "the settings are those of "+w.Preset.Preset+":", settingsOf(w.Preset.Settings))
	case *eventv1.Event_Task:
		t := w.Task.Task
		return join("     ", st.name(t.GetCreature()), "task", t.GetId()+":", t.GetKind(), t.GetStatus(), t.GetText(), with("with", t.GetItem()),
			with("against", st.names(t.GetTargets())), numbers(t.GetValues()))
	case *eventv1.Event_TaskEnded:
		return join("      task", st.known(taskKey(w.TaskEnded.Id), w.TaskEnded.Id), "ends", because(w.TaskEnded.Outcome))
	case *eventv1.Event_DiceEpoch:
		var names []string
		for _, c := range w.DiceEpoch.Commitments {
			names = append(names, c.Branch)
		}
		return fmt.Sprintf("    dice epoch %d: commitments of %s", w.DiceEpoch.Epoch, strings.Join(names, ", "))
	case *eventv1.Event_EntropyClosed:
		return fmt.Sprintf("    dice epoch %d: entropy is closed", w.EntropyClosed.Epoch)
	}
	return ""
}

func facesOf(faces []int32) string {
	out := make([]string, len(faces))
	for i, f := range faces {
		out[i] = fmt.Sprint(f)
	}
	return strings.Join(out, " ")
}

func (st Style) subject(s string) string {
	switch side, isSide := strings.CutPrefix(s, "side:"); {
	case s == "":
		return "encounter"
	case isSide:
		return "side " + side
	}
	return st.name(s)
}

func (st Style) damage(d *eventv1.Damage) string {
	var parts []string
	for _, p := range d.Parts {
		text := join(fmt.Sprint(p.Taken), p.Type)
		switch {
		case p.Taken != p.Rolled:
			text += fmt.Sprintf(" (of %d%s)", p.Rolled, with(":", p.Note))
		case p.Note != "":
			text += " (" + p.Note + ")"
		}
		for _, f := range p.Factors {
			text += " [" + Factor(f) + "]"
		}
		parts = append(parts, text)
	}
	line := join(st.name(d.Target), fmt.Sprintf("takes %d", d.Amount), d.Nature, "damage")
	if d.Nature == "loss" { // hit points that go without a blow
		line = join(st.name(d.Target), "loses", counted(int(d.Amount), "hit point"))
	}
	if len(parts) > 0 {
		line += ": " + strings.Join(parts, " + ")
	}
	if d.Soaked > 0 {
		line += fmt.Sprintf(", %d soaked", d.Soaked)
	}
	return join(line, because(d.Cause))
}

// Facts are the facts that an attack went by, each with whether it was stated or
// measured.
func Facts(facts []*eventv1.UsedFact) string {
	facts = safeAll(facts)
	var out []string
	for _, f := range facts {
		how := "measured"
		if f.Stated {
			how = "stated"
		}
		word := spaced(strings.ReplaceAll(f.Name, "_", "-"))
		if f.Value != "true" {
			word = join(word, f.Value)
		}
		out = append(out, word+" ("+how+")")
	}
	return strings.Join(out, ", ")
}

// Factor is one step of a sum: "7 x 2 = 14: charge".
func Factor(f *eventv1.Factor) string {
	f = safe(f)
	text := fmt.Sprint(f.GetBefore())
	if f.GetTimes() > 1 || f.GetTimes() < 0 {
		text += fmt.Sprintf(" x %d", f.Times)
	}
	if f.GetOver() > 1 {
		text += fmt.Sprintf(" / %d", f.Over)
	}
	switch {
	case f.GetPlus() > 0:
		text += fmt.Sprintf(" + %d", f.Plus)
	case f.GetPlus() < 0:
		text += fmt.Sprintf(" - %d", -f.Plus)
	}
	text += fmt.Sprintf(" = %d", f.GetAfter())
	if f.GetSource() != "" {
		text += ": " + f.Source
	}
	return text
}

// note names its creature unless its words do so already.
func (st Style) note(n *eventv1.Note) string {
	name := st.name(n.Creature)
	if name == "" || strings.HasPrefix(n.Text, name) {
		return n.Text
	}
	return name + ": " + n.Text
}

// outcomeWords are how an attack came out; a word that is not known here is
// shown as it is.
func outcomeWords(o string) string {
	switch o {
	case "hit":
		return "hits"
	case "miss":
		return "misses"
	case "critical":
		return "critically hits"
	case "fumble":
		return "fumbles against"
	case "lost":
		return "loses the attack on"
	case "":
		return "attacks"
	}
	return "attacks (" + o + ")"
}

// answeredBy is how an answer came about; a plain answer needs no word.
func answeredBy(by string) string {
	switch by {
	case "answer":
		return ""
	case "early":
		return "said ahead"
	case "standing-order":
		return "standing order"
	case "default":
		return "by default"
	case "setting":
		return "by the table's default"
	case "gm":
		return "by the game master"
	}
	return by
}

// counted is a number of things: "1 command", "2 commands".
func counted(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// countedAre goes on with the verb: "1 command is", "2 commands are".
func countedAre(n int, thing string) string {
	if n == 1 {
		return counted(n, thing) + " is"
	}
	return counted(n, thing) + " are"
}

func orWord(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func feet(n int32) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d ft.", n)
}

func numbers(m map[string]int32) string {
	var out []string
	for _, k := range sorted(m) {
		out = append(out, fmt.Sprintf("%s %d", k, m[k]))
	}
	return strings.Join(out, ", ")
}

// Position is a place on the map in feet.
func Position(p *eventv1.Position) string {
	if p.GetZ() != 0 {
		return fmt.Sprintf("(%d, %d, %d)", p.GetX(), p.GetY(), p.GetZ())
	}
	return fmt.Sprintf("(%d, %d)", p.GetX(), p.GetY())
}
