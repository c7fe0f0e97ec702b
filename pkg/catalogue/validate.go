package catalogue

import (
	"encoding/csv"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var idForm = regexp.MustCompile(`^[a-z]+\.[a-z-]+\.[a-z0-9]+(-[a-z0-9]+)*$`)

// validate checks the invariants of the package and reports everything wrong
// at once, so that a mistake in the data is mended in one go.
func (c *Catalogue) validate() error {
	var errs []error
	wrong := func(e *Entry, format string, args ...any) {
		errs = append(errs, fmt.Errorf("%s: %s", e.ID, fmt.Sprintf(format, args...)))
	}
	titles := map[string]RuleID{}
	for i := range c.Entries {
		e := &c.Entries[i]
		c.validateWords(e, wrong)
		c.validateToggle(e, wrong)
		if other, taken := titles[e.Title]; taken {
			wrong(e, "same title %q as %s", e.Title, other)
		}
		titles[e.Title] = e.ID
	}
	return errors.Join(errs...)
}

func (c *Catalogue) validateWords(e *Entry, wrong func(*Entry, string, ...any)) {
	if !idForm.MatchString(string(e.ID)) || e.ID.System() != c.System {
		wrong(e, "not an id of system %s", c.System)
	}
	for _, field := range []struct{ name, text string }{{"title", e.Title}, {"heading", e.Heading}, {"text", e.Text}} {
		if strings.TrimSpace(field.text) == "" {
			wrong(e, "no %s", field.name)
		}
	}
	if !slices.Contains([]Weight{Core, Optional, Rare, Advice}, e.Weight) {
		wrong(e, "unknown weight %q", e.Weight)
	}
	if !slices.Contains([]Owner{OwnerDice, OwnerEncounter, OwnerInjury, OwnerCharacter}, e.Owner) {
		wrong(e, "unknown owner %q", e.Owner)
	}
	if !slices.Contains([]Status{StatusDecided, StatusAdvice, StatusOpen}, e.Status) || e.Status == StatusAdvice && e.Weight != Advice {
		wrong(e, "status %q with weight %s", e.Status, e.Weight)
	}
	if e.Unclear != "" && e.Reading == "" {
		wrong(e, "a question without a reading")
	}
	if _, err := e.Rows(); err != nil {
		wrong(e, "%v", err)
	}
}

func (c *Catalogue) validateToggle(e *Entry, wrong func(*Entry, string, ...any)) {
	if e.Weight == Optional && !e.Toggle || e.Toggle && e.Weight != Optional && e.Weight != Advice {
		wrong(e, "weight %s with toggle %v", e.Weight, e.Toggle)
	}
	if e.Switch != "" && !e.Toggle {
		wrong(e, "says what its switch does and is no toggle")
	}
	related := slices.Concat(e.Requires, e.Excludes)
	if e.PartOf != "" {
		related = append(related, e.PartOf)
	}
	for _, id := range related {
		if other, ok := c.Lookup(id); !ok || !other.Toggle || !e.Toggle || id == e.ID {
			wrong(e, "related to %s, and the two are not both toggles", id)
		}
	}
	if head, ok := c.Lookup(e.PartOf); ok && head.PartOf != "" {
		wrong(e, "its head %s has a head", e.PartOf)
	}
	for _, id := range e.Excludes {
		other, ok := c.Lookup(id)
		if ok && !slices.Contains(other.Excludes, e.ID) {
			wrong(e, "excludes %s, which does not exclude it", id)
		}
		if ok && e.DefaultOn && other.DefaultOn {
			wrong(e, "excludes %s, and both are on by default", id)
		}
	}
}

// Rows are the rows of the rule's table, the first naming the columns; none if
// it has no table. All rows are of one length.
func (e *Entry) Rows() ([][]string, error) {
	if e.Table == "" {
		return nil, nil
	}
	rows, err := csv.NewReader(strings.NewReader(e.Table)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("catalogue: table of %s: %w", e.ID, err)
	}
	return rows, nil
}
