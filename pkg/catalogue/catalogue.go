package catalogue

import (
	"strings"
)

// RuleID names a rule: system.area.name.
type RuleID string

// System is the id of the rule system that the rule belongs to: the part
// before the first dot.
func (id RuleID) System() string {
	system, _, _ := strings.Cut(string(id), ".")
	return system
}

// Const is the name that the rule's id has in the generated package cite of its
// book: InjuryConAllowance for rcr.injury.con-allowance.
func (id RuleID) Const() string {
	_, rest, _ := strings.Cut(string(id), ".")
	var name strings.Builder
	for _, word := range strings.FieldsFunc(rest, func(r rune) bool { return r == '.' || r == '-' }) {
		name.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return name.String()
}

// Weight says how much a rule matters in play.
type Weight string

// The weights.
const (
	// Core rules are part of every fight.
	Core Weight = "core"
	// Optional rules are toggles.
	Optional Weight = "optional"
	// Rare rules come up in few fights.
	Rare Weight = "rare"
	// Advice has no mechanic; it is recorded so that nothing looks forgotten.
	Advice Weight = "advice"
)

// Status says whether a rule is decided by code.
type Status string

// The statuses. A test holds them to what the code cites.
const (
	// StatusDecided rules are decided by the code of their system.
	StatusDecided Status = "decided"
	// StatusAdvice rules have no mechanic to decide.
	StatusAdvice Status = "advice"
	// StatusOpen rules have a mechanic that no code decides: it is for people to
	// play.
	StatusOpen Status = "open"
)

// Owner says who adjudicates a rule.
type Owner string

// The owners.
const (
	// OwnerDice is the dice service.
	OwnerDice Owner = "dice"
	// OwnerEncounter is the encounter service.
	OwnerEncounter Owner = "encounter"
	// OwnerInjury is the injury service.
	OwnerInjury Owner = "injury"
	// OwnerCharacter is the creature's sheet.
	OwnerCharacter Owner = "character"
)

// Entry is one rule. Entries are shared: callers must not change them.
type Entry struct {
	// ID of the rule.
	ID RuleID
	// Title for people, unique in the system.
	Title string
	// Heading under which the source has the rule.
	Heading string
	// Weight of the rule.
	Weight Weight
	// Owner adjudicates the rule.
	Owner Owner
	// Status says whether code decides the rule.
	Status Status
	// Text is the rule.
	Text string
	// Unclear is the question that the source leaves open; may be empty even
	// where a reading was taken.
	Unclear string
	// Reading is our answer where the source is unclear; empty where it is not.
	Reading string
	// Choices are the decisions to be made in mid-resolution: who, what, when.
	Choices []string
	// Secret says who must not see what; empty means nothing is hidden.
	Secret string
	// Table is the rule's table as comma-separated values, the first row naming
	// the columns; see [Entry.Rows].
	Table string
	// TableFile is the name of the book's table that Table was read from, the one
	// that decides; empty where no code reads the table.
	TableFile string
	// Toggle is whether a table of players may switch the rule.
	Toggle bool
	// DefaultOn is the position of the switch when nobody touched it.
	DefaultOn bool
	// Switch says in a sentence or two what the toggle changes where it is built;
	// empty for any other rule.
	Switch string
	// PartOf is the head toggle of the rule's section, which switches the whole
	// section: see [Catalogue.Resolve].
	PartOf RuleID
	// Requires are the toggles without which this one has no effect.
	Requires []RuleID
	// Excludes are the toggles that can not be on together with this one.
	Excludes []RuleID
}

// Catalogue is all rules of one system, in the order of the source.
type Catalogue struct {
	// System is the id of the rule system.
	System string
	// Title of the rule system.
	Title string
	// Entries are the rules; callers must not change them.
	Entries []Entry

	byID map[RuleID]int
}

// Lookup finds a rule of this system.
func (c *Catalogue) Lookup(id RuleID) (*Entry, bool) {
	i, ok := c.byID[id]
	if !ok {
		return nil, false
	}
	return &c.Entries[i], true
}

// Toggles are the rules that can be switched, in catalogue order.
func (c *Catalogue) Toggles() []*Entry {
	return c.filter(func(e *Entry) bool { return e.Toggle })
}

// Search finds the rules that have every word of the text in their id, title,
// heading, text or reading, whatever the case, in catalogue order. An empty
// text finds all.
func (c *Catalogue) Search(text string) []*Entry {
	words := strings.Fields(strings.ToLower(text))
	return c.filter(func(e *Entry) bool {
		if len(words) == 0 {
			return true
		}
		haystack := strings.ToLower(strings.Join(
			[]string{string(e.ID), e.Title, e.Heading, e.Text, e.Reading}, "\n"))
		for _, word := range words {
			if !strings.Contains(haystack, word) {
				return false
			}
		}
		return true
	})
}

func (c *Catalogue) filter(keep func(*Entry) bool) []*Entry {
	var out []*Entry
	for i := range c.Entries {
		if keep(&c.Entries[i]) {
			out = append(out, &c.Entries[i])
		}
	}
	return out
}
