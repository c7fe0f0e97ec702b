package srd5e

import (
	"fmt"
	"strings"

	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Attribution is the statement that the licence of the System Reference
// Document 5.1, CC-BY-4.0, asks for; every imported sheet carries it.
const Attribution = `This work includes material taken from the System Reference Document 5.1 ("SRD 5.1") by Wizards of the Coast LLC ` +
	`and available at https://dnd.wizards.com/resources/systems-reference-document. The SRD 5.1 is licensed under the Creative Commons ` +
	`Attribution 4.0 International License available at https://creativecommons.org/licenses/by/4.0/legalcode.`

// AreaTargets is the number of targets given to a power that catches every
// creature in an area, since a sheet asks for a number and a record has none.
const AreaTargets = 20

// maxViolations keeps the answer to a hopeless file readable.
const maxViolations = 50

// Import reads an array of monster records, or a single record, and gives a
// sheet for each in the same order, with the report of what was left out. The
// sheet's id is the record's index, its side is "monsters" and its level 0.
//
// Every error is a *fault.Fault: Invalid with a violation for each monster and
// field that is malformed, or Exhausted past MaxBytes or MaxMonsters.
func Import(data []byte) ([]*eventv1.Sheet, *Report, error) {
	sheets, report, _, err := read(data)
	return sheets, report, err
}

func read(data []byte) ([]*eventv1.Sheet, *Report, []*value, error) {
	root, err := decode(data)
	if err != nil {
		return nil, nil, nil, err
	}
	records := []*value{root}
	if root.kind == list {
		records = root.items
	}
	if len(records) > MaxMonsters {
		return nil, nil, nil, fault.Limit("monsters", MaxMonsters, int64(len(records)))
	}
	report := &Report{Monsters: len(records)}
	sheets := make([]*eventv1.Sheet, 0, len(records))
	var violations []fault.Violation
	seen := map[string]bool{}
	for i, record := range records {
		m := newMonster(i, record, report)
		s := m.sheet()
		if id := s.GetId(); id != "" && seen[id] {
			m.bad(record.get("index"), "given to two monsters")
		}
		seen[s.GetId()] = true
		violations = append(violations, m.violations...)
		if len(violations) >= maxViolations {
			violations = violations[:maxViolations]
			break
		}
		report.collect(m.index, record)
		sheets = append(sheets, s)
	}
	if err := fault.Fields(violations); err != nil {
		return nil, nil, nil, err
	}
	return sheets, report, records, nil
}

// monster is the reading of one record.
type monster struct {
	index      string
	record     *value
	report     *Report
	violations []fault.Violation
	out        *eventv1.Sheet
	rcr        *eventv1.RcrSheet
	// names maps the plain form of a name to that of an attack or power.
	names map[string]string
}

var indexPattern = lazily(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`)

func newMonster(i int, record *value, report *Report) *monster {
	m := &monster{index: fmt.Sprintf("monsters[%d]", i), record: record, report: report, names: map[string]string{}}
	m.rcr = &eventv1.RcrSheet{}
	m.out = &eventv1.Sheet{Side: "monsters", Attribution: Attribution, Section: &eventv1.Sheet_Rcr{Rcr: m.rcr}}
	record.name("")
	if index := record.get("index"); index != nil && indexPattern.MatchString(index.text) {
		m.index = index.text
	}
	return m
}

// sheet reads the whole record. Order matters in one place: multiattacks name
// attacks and powers.
func (m *monster) sheet() *eventv1.Sheet {
	if m.record.kind != object {
		m.bad(m.record, "want an object, got %s", m.record.kind)
		return m.out
	}
	m.core()
	m.armor()
	m.hitPoints()
	m.speeds()
	m.proficiencies()
	m.senses()
	m.languages()
	m.defenses()
	m.actions()
	m.multiattacks()
	m.hands()
	m.abilitiesAndReactions()
	m.legendary()
	m.leftovers()
	return m.out
}

// bad records a malformed field; a nil value is the record itself.
func (m *monster) bad(v *value, format string, args ...any) {
	field := m.index
	if v != nil && v.path != "" {
		field += "." + v.path
	}
	if len(m.violations) < maxViolations {
		m.violations = append(m.violations, fault.Violation{Field: field, Description: fmt.Sprintf(format, args...)})
	}
}

func (m *monster) note(v *value, reason, format string, args ...any) {
	m.report.Notes = append(m.report.Notes, Unused{m.index, v.path, reason, excerpt(fmt.Sprintf(format, args...))})
}

// need is a required field of the kind; it is marked as used.
func (m *monster) need(v *value, key string, k kind) *value {
	got := m.want(v, key, k)
	if got == nil && v != nil && v.get(key) == nil {
		where := &value{path: strings.TrimPrefix(v.path+"."+key, ".")}
		m.bad(where, "missing: want %s", k)
	}
	return got
}

// want is an optional field of the kind; a leaf is marked as used.
func (m *monster) want(v *value, key string, k kind) *value {
	got := v.get(key)
	if got == nil {
		return nil
	}
	if got.kind != k {
		m.bad(got, "want %s, got %s", k, got.kind)
		return nil
	}
	if k != list && k != object {
		got.fate = used
	}
	return got
}

// str is the text of a required field.
func (m *monster) str(v *value, key string) string {
	if got := m.need(v, key, text); got != nil {
		if strings.TrimSpace(got.text) == "" {
			m.bad(got, "empty")
		}
		return got.text
	}
	return ""
}

// integer is a whole number from least to most in a required field.
func (m *monster) integer(v *value, key string, least, most int) int32 {
	got := m.need(v, key, number)
	if got == nil {
		return 0
	}
	return m.bounded(got, least, most)
}

func (m *monster) bounded(v *value, least, most int) int32 {
	n, err := parseInt(v.text)
	if err != nil || n < least || n > most {
		m.bad(v, "want a whole number from %d to %d, got %s", least, most, excerpt(v.text))
		return 0
	}
	return int32(n)
}

// items is the items of an optional list, each of the kind.
func (m *monster) items(v *value, key string, k kind) []*value {
	var out []*value
	for _, item := range m.want(v, key, list).all() {
		if item.kind != k {
			m.bad(item, "want %s, got %s", k, item.kind)
			continue
		}
		out = append(out, item)
	}
	return out
}
