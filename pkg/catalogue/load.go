package catalogue

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/skaldrpg/skald/pkg/content"
	"github.com/skaldrpg/skald/pkg/content/book"
)

// ErrUnknownSystem is the error for a rule system that has no catalogue.
var ErrUnknownSystem = errors.New("catalogue: unknown rule system")

// systems in the order in which they are listed, each read at its first use:
// most programs need one or two of them.
var (
	books   = content.Books()
	systems = systemsOf(books)
	loaders = makeLoaders(books)
)

func systemsOf(books []book.Book) []string {
	var ids []string
	for _, b := range books {
		ids = append(ids, b.System())
	}
	return ids
}

func makeLoaders(books []book.Book) map[string]func() (*Catalogue, error) {
	m := map[string]func() (*Catalogue, error){}
	for _, b := range books {
		m[b.System()] = sync.OnceValues(func() (*Catalogue, error) {
			return load(b)
		})
	}
	return m
}

// Systems lists the ids of the rule systems that have a catalogue.
func Systems() []string { return slices.Clone(systems) }

// System is the catalogue of a rule system; [ErrUnknownSystem] if there is none.
func System(id string) (*Catalogue, error) {
	load, ok := loaders[id]
	if !ok {
		return nil, fmt.Errorf("%w %q: there are %s", ErrUnknownSystem, id, strings.Join(systems, ", "))
	}
	return load()
}

// All is every catalogue, in the order of [Systems].
func All() ([]*Catalogue, error) {
	out := make([]*Catalogue, 0, len(systems))
	for _, id := range systems {
		c, err := System(id)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// Lookup finds a rule of any system by its id.
func Lookup(id RuleID) (*Entry, bool) {
	c, err := System(id.System())
	if err != nil {
		return nil, false
	}
	return c.Lookup(id)
}

// file is the form of a catalogue on disk.
type file struct {
	System string      `yaml:"system"`
	Title  string      `yaml:"title"`
	Rules  []fileEntry `yaml:"rules"`
}

type fileEntry struct {
	ID       RuleID   `yaml:"id"`
	Title    string   `yaml:"title"`
	Heading  string   `yaml:"heading"`
	Weight   Weight   `yaml:"weight"`
	Owner    Owner    `yaml:"owner"`
	Status   Status   `yaml:"status"`
	Text     string   `yaml:"text"`
	Unclear  string   `yaml:"unclear"`
	Reading  string   `yaml:"reading"`
	Choices  []string `yaml:"choices"`
	Secret   string   `yaml:"secret"`
	Table    string   `yaml:"table"`
	Toggle   bool     `yaml:"toggle"`
	Default  string   `yaml:"default"`
	Switch   string   `yaml:"switch"`
	PartOf   RuleID   `yaml:"part_of"`
	Requires []RuleID `yaml:"requires"`
	Excludes []RuleID `yaml:"excludes"`
}

// tableFile is the name of the book's table that the entry refers to: wounds for
// tables/wounds.csv; empty when its table is words of its own.
func (e *fileEntry) tableFile() string {
	name, isFile := strings.CutPrefix(e.Table, "tables/")
	if !isFile || strings.Contains(name, "\n") {
		return ""
	}
	return strings.TrimSuffix(name, ".csv")
}

// Parse reads and checks the catalogue of a book from its rules.yaml. [System] gives
// the same sooner, and once.
func Parse(b book.Book) (*Catalogue, error) {
	system := b.System()
	raw, err := b.Rules()
	if err != nil {
		return nil, fmt.Errorf("catalogue: %w", err)
	}
	dec := yaml.NewDecoder(bytes.NewReader(raw))
	dec.KnownFields(true)
	var f file
	if err := dec.Decode(&f); err != nil {
		return nil, fmt.Errorf("catalogue: %s: %w", system, err)
	}
	entries := make([]Entry, 0, len(f.Rules))
	for _, e := range f.Rules {
		if e.Toggle != (e.Default == "on" || e.Default == "off") {
			return nil, fmt.Errorf("catalogue: %s: a toggle has the default on or off, nothing else has one; got toggle %v, default %q", e.ID, e.Toggle, e.Default)
		}
		entry := Entry{
			ID: e.ID, Title: e.Title, Heading: e.Heading, Weight: e.Weight, Owner: e.Owner, Status: e.Status, Text: e.Text,
			Unclear: e.Unclear, Reading: e.Reading, Choices: e.Choices, Secret: e.Secret, TableFile: e.tableFile(),
			Toggle: e.Toggle, DefaultOn: e.Default == "on", Switch: e.Switch, PartOf: e.PartOf, Requires: e.Requires, Excludes: e.Excludes,
		}
		if entry.TableFile == "" {
			entry.Table = e.Table
		}
		entries = append(entries, entry)
	}
	if f.System != system {
		return nil, fmt.Errorf("catalogue: %s: file says it is of system %q", system, f.System)
	}
	return assemble(b, f.Title, entries)
}

// assemble makes a checked catalogue of entries, which it keeps; those whose table is
// a file of the book get it from there.
func assemble(b book.Book, title string, entries []Entry) (*Catalogue, error) {
	c := &Catalogue{System: b.System(), Title: title, Entries: entries, byID: make(map[RuleID]int, len(entries))}
	for i := range entries {
		e := &entries[i]
		if _, twice := c.byID[e.ID]; twice {
			return nil, fmt.Errorf("catalogue: %s: defined twice", e.ID)
		}
		c.byID[e.ID] = i
		if e.TableFile == "" {
			continue
		}
		table, err := b.Table(e.TableFile)
		if err != nil {
			return nil, fmt.Errorf("catalogue: %s: table: %w", e.ID, err)
		}
		e.Table = table
	}
	if err := c.validate(); err != nil {
		return nil, fmt.Errorf("catalogue: %w", err)
	}
	return c, nil
}
