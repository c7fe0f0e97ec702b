package api

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// listing gathers what packs offer; later packs lie over earlier ones.
type listing struct {
	kind string // the only one that is wanted; empty means all
	all  map[string]*encounterv1.ContentEntry
}

func newListing(kind string) *listing {
	return &listing{kind: kind, all: map[string]*encounterv1.ContentEntry{}}
}

// kinds of entries, by the list of a pack that holds them.
func kinds(p *contentv1.Pack) map[string][]*contentv1.Entry {
	return map[string][]*contentv1.Entry{"weapon": p.Weapons, "armour": p.Armour, "item": p.Items, "spell": p.Spells,
		"feat": p.Feats, "condition": p.Conditions, "injury": p.Injuries}
}

// add lays the content of a pack over what was added before.
func (l *listing) add(digest string, p *contentv1.Pack) {
	house := func(id string) string { return "house." + p.Name + "." + id }
	// order-free: each kind fills places of its own
	for kind, entries := range kinds(p) {
		for _, e := range entries {
			l.put(digest, &encounterv1.ContentEntry{Kind: kind, Id: e.Id, Title: e.Title, Rule: house(e.Id), Text: e.Text})
		}
	}
	for _, m := range p.Monsters {
		l.put(digest, &encounterv1.ContentEntry{Kind: "monster", Id: m.Id, Title: m.Name})
	}
	for _, t := range p.Tables {
		l.put(digest, &encounterv1.ContentEntry{Kind: "table", Id: t.Name})
	}
	// order-free: each setting has a place of its own
	for id, value := range p.Settings {
		l.put(digest, &encounterv1.ContentEntry{Kind: "setting", Id: id, Title: value})
	}
	for _, r := range p.Rules {
		l.put(digest, &encounterv1.ContentEntry{Kind: "rule", Id: r.Id, Title: r.Title, Rule: house(r.Id), Text: r.Text})
	}
}

func (l *listing) put(digest string, e *encounterv1.ContentEntry) {
	if l.kind != "" && l.kind != e.Kind {
		return
	}
	place := e.Id
	if e.Kind == "rule" || e.Kind == "table" { // those of several packs count side by side
		place = digest + "/" + e.Id
	}
	e.Pack = digest
	l.all[e.Kind+" "+place] = e
}

// entries are in the order of kinds and ids.
func (l *listing) entries() []*encounterv1.ContentEntry {
	return slices.SortedFunc(maps.Values(l.all), func(a, b *encounterv1.ContentEntry) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Id, b.Id), strings.Compare(a.Pack, b.Pack))
	})
}
