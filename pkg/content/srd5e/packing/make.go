package packing

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/srd5e"
)

// Input is the records, as JSON.
type Input struct {
	// Equipment, Conditions and Spells are the files of those names.
	Equipment, Conditions, Spells []byte
}

// Make makes the files of the pack by their names. An input that is no such
// record is an error.
func Make(in Input) (map[string][]byte, error) {
	var things []equipment
	var conditions []condition
	var spells []spell
	for name, f := range map[string]struct {
		data []byte
		into any
	}{"equipment": {in.Equipment, &things}, "conditions": {in.Conditions, &conditions}, "spells": {in.Spells, &spells}} {
		if err := json.Unmarshal(f.data, f.into); err != nil { // order-free: each has its own place
			return nil, fmt.Errorf("packing: %s: %w", name, err)
		}
	}
	book, err := srd5e.Spells()
	if err != nil {
		return nil, fmt.Errorf("packing: %w", err)
	}
	m := &maker{files: map[string][]byte{}, book: book}
	m.files["pack.yaml"] = []byte(head)
	m.weapons(things)
	m.armour(things)
	m.conditions(conditions)
	m.spells(spells)
	m.others(things)
	m.files["REPORT.md"] = m.report()
	return m.files, m.err
}

const head = `# Made by go run ./content/srd5e/makepack (in pkg); change that, not this file.
name: srd5e
version: "5.1"
system: rcr
title: System Reference Document 5.1
license: CC-BY-4.0
attribution: >-
  This work includes material taken from the System Reference Document 5.1
  ("SRD 5.1") by Wizards of the Coast LLC and available at
  https://dnd.wizards.com/resources/systems-reference-document. The SRD 5.1 is
  licensed under the Creative Commons Attribution 4.0 International License
  available at https://creativecommons.org/licenses/by/4.0/legalcode.
text: Weapons, armour, conditions and the spells whose data are structured.
`

// left is something that an entry cannot express.
type left struct{ sort, name, what string }

type maker struct {
	files  map[string][]byte
	book   srd5e.Spellbook
	left   []left
	counts []string
	err    error
}

func (m *maker) leave(sort, name, format string, args ...any) {
	m.left = append(m.left, left{sort, name, fmt.Sprintf(format, args...)})
}

// others lists the equipment that is neither a weapon nor armour.
func (m *maker) others(things []equipment) {
	n := map[string]int{}
	for _, e := range things {
		if c := e.Category.Index; c != "weapon" && c != "armor" {
			n[e.Category.Name]++
		}
	}
	names := make([]string, 0, len(n))
	for name := range n { // order-free: sorted below
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		m.leave("equipment", name, "%d records: they have a price and a weight and do nothing by the rules of a fight", n[name])
	}
}

// report lists what entries cannot express.
func (m *maker) report() []byte {
	var b strings.Builder
	b.WriteString("# What this pack cannot express\n\nMade with the pack. Nothing of a record is left out without a line here.\n\n")
	for _, c := range m.counts {
		fmt.Fprintf(&b, "* %s\n", c)
	}
	b.WriteString("* Prices, weights, schools of magic, classes and ritual tags have no place in a fight and are left out of all.\n")
	last := ""
	for _, l := range m.left {
		if l.sort != last {
			fmt.Fprintf(&b, "\n## %s\n\n", strings.ToUpper(l.sort[:1])+l.sort[1:])
			last = l.sort
		}
		fmt.Fprintf(&b, "* %s: %s\n", l.name, l.what)
	}
	return []byte(b.String())
}
