// Package condition reads what the conditions of a rule system are: what they
// imply, what they keep a creature from, what they do to its speed, how they end and
// who sees them. conditions.yaml of the rule book is the only copy of it.
//
// The package must never know a rule of a game beyond those rows; it changes no
// state.
package condition

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// What a condition may bar. The words are the same in every system.
const (
	BarsActing   = "act"      // taking actions of its turn
	BarsReacting = "react"    // reactions and answers out of turn
	BarsMoving   = "move"     // moving by its own means
	BarsAttack   = "attack"   // attacks
	BarsCasting  = "cast"     // spells
	BarsSpeech   = "speak"    // speech
	BarsSight    = "see"      // seeing
	BarsHearing  = "hear"     // hearing
	BarsHands    = "hands"    // use of the hands
	BarsDefence  = "defend"   // defending itself
	BarsSenses   = "perceive" // noticing anything at all
)

var barred = []string{BarsActing, BarsReacting, BarsMoving, BarsAttack, BarsCasting, BarsSpeech, BarsSight, BarsHearing, BarsHands, BarsDefence, BarsSenses}

// Who sees a condition.
const (
	SeenByAll         = ""            // everyone
	SeenByControllers = "controllers" // the controllers of the creature and the game master
	SeenByGM          = "gm"          // the game master alone
)

// Definition is one condition.
type Definition struct {
	// Name as in Condition.name.
	Name string `yaml:"name"`
	// Text says what it is, for people.
	Text string `yaml:"text"`
	// Rule id behind it.
	Rule string `yaml:"rule"`
	// Variants that it can have; none means that it has none.
	Variants []string `yaml:"variants"`
	// Implies are the conditions that it includes.
	Implies []string `yaml:"implies"`
	// Bars lists what it keeps the creature from.
	Bars []string `yaml:"bars"`
	// Speed is what it leaves of the speed: "" all of it, "0", "1/2", "1/4", or a
	// number of feet.
	Speed string `yaml:"speed"`
	// Ends says how it ends, for people and forms: time, save, action, rest, healing,
	// event, never.
	Ends []string `yaml:"ends"`
	// Seen says who sees it: all, controllers, gm.
	Seen string `yaml:"seen"`
	// Fleeting: it means nothing outside the fight in which it came to be.
	Fleeting bool `yaml:"fleeting"`
	// Matter says whose it is to say, as in a vocabulary: actor or world.
	Matter string `yaml:"matter"`
}

// Book is the conditions of a system; the zero value has none.
type Book struct {
	read func() (*index, error) // nil for none
}

type index struct {
	list   []*Definition
	byName map[string]*Definition
	// including lists, by name, the conditions that are or include it; closed, by
	// name, what it is and includes.
	including map[string][]string
	closed    map[string][]*Definition
}

var none = &index{}

// ends are the ways in which a condition may end.
var ends = []string{"time", "save", "action", "rest", "healing", "event", "never"}

// Read reads conditions.yaml. The error names the condition.
func Read(data []byte) (*Book, error) {
	b, err := readIndex(data)
	if err != nil {
		return nil, err
	}
	return &Book{func() (*index, error) { return b, nil }}, nil
}

// Lazily reads a book's conditions.yaml at the first question. There are no conditions
// when [Book.Err] says why.
func Lazily(open func() ([]byte, error)) *Book {
	return &Book{sync.OnceValues(func() (*index, error) {
		data, err := open()
		if err != nil {
			return none, fmt.Errorf("condition: %w", err)
		}
		b, err := readIndex(data)
		if err != nil {
			return none, err
		}
		return b, nil
	})}
}

// Err says what is wrong with the file; a system's Validate returns it, so that nothing
// starts with it.
func (b *Book) Err() error {
	if b.read == nil {
		return nil
	}
	_, err := b.read()
	return err
}

// index is what the file says.
func (b *Book) index() *index {
	if b.read == nil {
		return none
	}
	i, _ := b.read()
	return i
}

func readIndex(data []byte) (*index, error) {
	b := &index{byName: map[string]*Definition{}, including: map[string][]string{}, closed: map[string][]*Definition{}}
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(&b.list); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("condition: %w", err)
	}
	for _, x := range b.list {
		if x.Name == "" || x.Text == "" || b.byName[x.Name] != nil {
			return nil, fmt.Errorf("condition: %q: without name or text, or there twice", x.Name)
		}
		b.byName[x.Name] = x
	}
	for _, x := range b.list {
		if err := b.holds(x); err != nil {
			return nil, fmt.Errorf("condition: %s: %w", x.Name, err)
		}
		for _, name := range b.closure(x.Name, nil) {
			b.including[name] = append(b.including[name], x.Name)
			b.closed[x.Name] = append(b.closed[x.Name], b.byName[name])
		}
	}
	return b, nil
}

func (b *index) holds(x *Definition) error {
	for _, name := range x.Implies {
		if b.byName[name] == nil {
			return fmt.Errorf("implies %q, which is no condition", name)
		}
	}
	for _, what := range x.Bars {
		if !slices.Contains(barred, what) {
			return fmt.Errorf("bars %q, which is none of %v", what, barred)
		}
	}
	for _, how := range x.Ends {
		if !slices.Contains(ends, how) {
			return fmt.Errorf("ends by %q, which is none of %v", how, ends)
		}
	}
	if !slices.Contains([]string{SeenByAll, SeenByControllers, SeenByGM}, x.Seen) {
		return fmt.Errorf("seen by %q", x.Seen)
	}
	return nil
}

// closure is a condition with all that it includes, each once.
func (b *index) closure(name string, found []string) []string {
	if slices.Contains(found, name) {
		return found
	}
	found = append(found, name)
	for _, implied := range b.byName[name].Implies {
		found = b.closure(implied, found)
	}
	return found
}

// All are the conditions in the order of the book; they must not be changed.
func (b *Book) All() []*Definition { return b.index().list }

// Words are the conditions as words of a vocabulary.
func (b *Book) Words() []rules.Word {
	var out []rules.Word
	for _, x := range b.index().list {
		w := rules.Word{Place: rules.PlaceCondition, Name: x.Name, Type: rules.TypeObject, Values: x.Variants, Matter: rules.MatterWorld, Rule: x.Rule, Text: x.Text}
		if x.Matter != "" {
			w.Matter = x.Matter
		}
		out = append(out, w)
	}
	return out
}

// Fleeting are the names of those that mean nothing outside their fight.
func (b *Book) Fleeting() []string {
	var out []string
	for _, x := range b.index().list {
		if x.Fleeting {
			out = append(out, x.Name)
		}
	}
	return out
}

// Find finds a condition; nil when there is none of the name.
func (b *Book) Find(name string) *Definition { return b.index().byName[name] }

// Has tells whether a creature is in a condition, by itself or by one that includes
// it.
func (b *Book) Has(c *eventv1.Creature, name string) bool { return b.On(c, name) != nil }

// On is the condition of a creature that is, or includes, the one named; nil when
// it has none.
func (b *Book) On(c *eventv1.Creature, name string) *eventv1.Condition {
	if len(c.GetConditions()) == 0 {
		return nil
	}
	including := b.index().including[name]
	for _, x := range c.GetConditions() {
		if x.Name == name || slices.Contains(including, x.Name) {
			return x
		}
	}
	return nil
}

// Barring is the first condition of a creature that keeps it from something, with
// what includes it followed; nil when nothing does.
func (b *Book) Barring(c *eventv1.Creature, what string) (*eventv1.Condition, *Definition) {
	for _, x := range c.GetConditions() {
		for _, d := range b.index().closed[x.Name] {
			if slices.Contains(d.Bars, what) {
				return x, d
			}
		}
	}
	return nil, nil
}

// Refuse refuses what a condition of the creature bars, with the condition's rule;
// nil when nothing bars it.
func (b *Book) Refuse(c *eventv1.Creature, what, reason string) error {
	x, d := b.Barring(c, what)
	if x == nil {
		return nil
	}
	return fault.Refuse(reason, d.Rule, "%s is %s", c.GetName(), x.Name)
}
