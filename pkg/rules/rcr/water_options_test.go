package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// What the game master can say of water and barding is listed with all that a form
// needs, and is not there where it means nothing.
//
// rcr.underwater.intro, rcr.equipment.barding-don-doff
func TestWaterIsListed(t *testing.T) {
	listed := func(f *table, action string) *eventv1.Option {
		f.T.Helper()
		all := System{}.Options(queryOf(f, "a"))
		i := slices.IndexFunc(all, func(o *eventv1.Option) bool { return o.Action == action })
		if i < 0 {
			f.T.Fatalf("%s is not listed", action)
		}
		return all[i]
	}
	f := newTable(t).add(barded("plate", "heavy", "large", 10)).start(nil, 10)
	for action, want := range map[string][]string{
		"water": {"clarity", "surface", "depth", "sunlight", "lit"}, "submerge": {"depth", "breathless"}, "swim": {"minutes", "rested"}, "barding": {"worn", "helped"},
	} {
		o := listed(f, action)
		var got []string
		for _, p := range o.Parameters {
			got = append(got, p.Name)
		}
		if !o.Legal || o.Group != "referee" || !slices.Equal(got, want) {
			t.Errorf("%s: legal %v, %s, %v, want %v", action, o.Legal, o.Group, got, want)
		}
		if !(System{}).GMOnly(action) {
			t.Errorf("a player may take %s", action)
		}
	}
	if o := listed(f, "emerge"); o.Legal || o.Rule == "" {
		t.Errorf("who is in no water comes out of it: %v", o)
	}
	f.Must(act("a", "submerge", "", ""))
	if !listed(f, "emerge").Legal || listed(f, "submerge").Legal {
		t.Error("who is under water cannot come up, or goes under once more")
	}
	g := newTable(t, cite.UnderwaterIntro+"=off").add(fighter("a", "party")).start(nil, 10)
	for _, action := range []string{"water", "submerge", "emerge", "swim", "barding"} {
		if listed(g, action).Legal {
			t.Errorf("%s is legal without water and barding", action)
		}
	}
}
