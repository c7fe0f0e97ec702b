package srd5e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/dice"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// realFile finds the full data file, which is not part of the project: by
// SKALD_SRD_MONSTERS, or in a shared data folder beside the checkout.
func realFile(t *testing.T) []byte {
	t.Helper()
	const name = "5e-srd-monsters.json"
	places := []string{os.Getenv("SKALD_SRD_MONSTERS"), filepath.Join("..", "..", "..", "..", "shared", "data", name)}
	for _, place := range places {
		if place == "" {
			continue
		}
		if data, err := os.ReadFile(place); err == nil {
			return data
		}
	}
	t.Skip("the full monster file is not here: set SKALD_SRD_MONSTERS to a " + name + " of the 5e-database project")
	return nil
}

func realSheets(t *testing.T) (map[string]*eventv1.Sheet, *Report) {
	t.Helper()
	all, report, err := Import(realFile(t))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*eventv1.Sheet{}
	for _, s := range all {
		out[s.Id] = s
	}
	return out, report
}

func TestRealFileIsComplete(t *testing.T) {
	data := realFile(t)
	checkComplete(t, data)
	_, report, err := Import(data)
	if err != nil {
		t.Fatal(err)
	}
	if report.Monsters != 334 {
		t.Errorf("%d monsters, want 334", report.Monsters)
	}
	for _, u := range report.Unused {
		if u.Reason == "not known to the importer" || strings.HasPrefix(u.Reason, "does not agree") {
			t.Errorf("%v", u)
		}
	}
}

// Challenge rating and proficiency bonus go together by the table of the SRD.
func proficiencyFor(rating string) int32 {
	n := int32(0)
	if _, err := fmt.Sscanf(rating, "%d", &n); err != nil || strings.Contains(rating, "/") {
		return 2
	}
	return max(2, 2+(n-1)/4)
}

func TestRealSheetsMakeSense(t *testing.T) {
	all, _ := realSheets(t)
	for id, s := range all {
		r := s.GetRcr()
		if s.Name == "" || s.HitPoints < 1 || r.ArmorClass < 5 || r.ArmorClass > 25 || len(s.Speeds) == 0 || s.Side != "monsters" || r.Level != 0 || s.Attribution == "" {
			t.Errorf("%s: core is not whole", id)
		}
		if !slices.Contains([]string{"tiny", "small", "medium", "large", "huge", "gargantuan"}, s.Size) {
			t.Errorf("%s: size %q", id, s.Size)
		}
		if want := proficiencyFor(r.ChallengeRating); r.ProficiencyBonus != want {
			t.Errorf("%s: proficiency bonus %d at challenge rating %s, want %d", id, r.ProficiencyBonus, r.ChallengeRating, want)
		}
		names := map[string]bool{}
		for _, a := range r.Attacks {
			checkAttack(t, id, s, a)
			if names[a.Name] {
				t.Errorf("%s: two attacks %q", id, a.Name)
			}
			names[a.Name] = true
		}
		for _, p := range r.Powers {
			checkDice(t, id+" "+p.Name, p.Damage)
			if names[p.Name] {
				t.Errorf("%s: %q twice", id, p.Name)
			}
			names[p.Name] = true
		}
		for _, w := range r.Multiattack {
			for _, p := range w.Parts {
				if !names[p.Name] || p.Count < 1 {
					t.Errorf("%s: multiattack with %v", id, p)
				}
			}
		}
	}
}

func checkAttack(t *testing.T, id string, s *eventv1.Sheet, a *eventv1.RcrAttack) {
	t.Helper()
	where := id + " " + a.Name
	if a.ReachFeet <= 0 && a.RangeFeet <= 0 || a.LongRangeFeet != 0 && a.LongRangeFeet < a.RangeFeet {
		t.Errorf("%s: reach %d, range %d/%d", where, a.ReachFeet, a.RangeFeet, a.LongRangeFeet)
	}
	best := int32(-5)
	for _, ability := range abilities {
		best = max(best, (s.Abilities[ability]-10)/2)
	}
	if a.Bonus < -5 || a.Bonus > best+s.GetRcr().ProficiencyBonus+5 {
		t.Errorf("%s: bonus %d", where, a.Bonus)
	}
	if id != "lamia" && len(a.Damage)+len(a.SaveDamage)+len(a.Effects) == 0 {
		t.Errorf("%s does nothing", where)
	}
	checkDice(t, where, a.Damage)
	checkDice(t, where, a.TwoHandedDamage)
	checkDice(t, where, a.SaveDamage)
	if len(a.SaveDamage) > 0 && a.Save == nil {
		t.Errorf("%s: damage on a saving throw that there is not", where)
	}
	if a.Save != nil && (a.Save.Dc < 8 || a.Save.Dc > 30 || !slices.Contains(abilities, a.Save.Ability)) {
		t.Errorf("%s: save %v", where, a.Save)
	}
}

func checkDice(t *testing.T, where string, parts []*eventv1.RcrDamage) {
	t.Helper()
	for _, d := range parts {
		if _, err := dice.Parse(d.Dice); err != nil {
			t.Errorf("%s: %v", where, err)
		}
		if !slices.Contains(damageTypes, d.Type) {
			t.Errorf("%s: damage type %q", where, d.Type)
		}
	}
}

// The sheets that ship agree with the records in what both have.
func TestShippedMonstersAgree(t *testing.T) {
	all, _ := realSheets(t)
	for _, name := range sheets.List("rcr") {
		ours, err := sheets.Get("rcr", name)
		if err != nil {
			t.Fatal(err)
		}
		if ours.GetRcr().Level > 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			theirs := all[name]
			if theirs == nil {
				t.Fatal("no such record")
			}
			compareShipped(t, ours, theirs)
		})
	}
}

func compareShipped(t *testing.T, ours, theirs *eventv1.Sheet) {
	t.Helper()
	a, b := proto.Clone(ours).(*eventv1.Sheet), proto.Clone(theirs).(*eventv1.Sheet)
	for _, s := range []*eventv1.Sheet{a, b} {
		r := s.GetRcr()
		s.Attribution = ""
		// Words, and what our sheets have and a record has not.
		r.Languages, r.Traits, r.Spells, r.Breathless, s.MadeOf = nil, nil, nil, false, nil
		slices.Sort(r.ConditionImmunities)
		for _, m := range r.Multiattack {
			m.Name = ""
		}
	}
	if !proto.Equal(a, b) {
		t.Errorf("ours %v\ntheirs %v", a, b)
	}
}
