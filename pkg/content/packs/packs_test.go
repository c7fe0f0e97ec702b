package packs_test

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/pack"
	"github.com/skaldrpg/skald/pkg/content/packs"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/systems"
)

// Every pack that ships can be played, and its creatures are ones that the rule
// system takes.
func TestShippedPacksAreGood(t *testing.T) {
	if !slices.Contains(packs.List(), "example-house") {
		t.Fatalf("packs: %v", packs.List())
	}
	for _, name := range packs.List() {
		folder, err := packs.Folder(name)
		if err != nil {
			t.Fatal(err)
		}
		p, problems := pack.Read(folder)
		if problems != nil {
			t.Fatalf("%s:\n%v", name, problems)
		}
		sys, err := systems.Registry().System(p.System)
		if err != nil {
			t.Fatal(err)
		}
		base := rules.ContentBase(sys)
		if problems := pack.Check(p, base); problems != nil {
			t.Fatalf("%s:\n%v", name, problems)
		}
		data, err := pack.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		b, err := effects.New(base, effects.Pinned{Digest: pack.Digest(data), Pack: p})
		if err != nil {
			t.Fatal(err)
		}
		if p.Name != name || p.License == "" || p.Attribution == "" {
			t.Errorf("%s: name %q, licence %q, attribution %q", name, p.Name, p.License, p.Attribution)
		}
		for i, m := range p.Monsters {
			if err := b.Resolve(m); err != nil {
				t.Errorf("%s: %v", m.Id, err)
			}
			for _, v := range rules.CheckSheet(sys, m) {
				t.Errorf("%s: creature %d: %s: %s", name, i, v.Field, v.Description)
			}
		}
	}
}

func TestFolderRefusesUnknownNames(t *testing.T) {
	for _, name := range []string{"", ".", "..", "none", "example-house/..", "packs.go"} {
		if _, err := packs.Folder(name); !fault.Is(err, fault.NotFound) {
			t.Errorf("%q: %v", name, err)
		}
	}
}
