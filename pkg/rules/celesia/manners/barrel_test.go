package manners

import (
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// celesia.equipment.load-one-handed-simple-firearm, celesia.equipment.load-two-handed-simple-firearm: a table says for each of
// the four circumstances how many acts loading takes, or that it takes the round; one that does not is refused, and
// its row named.
func TestReadBarrels(t *testing.T) {
	const head, rest = "rapid,cartridge,acts\n", "yes,no,2\nno,yes,2\nyes,yes,1\n"
	good, err := readBarrels(head + "no,no,1-round\n" + rest)
	if err != nil {
		t.Fatal(err)
	}
	for b, want := range map[barrel]int32{{}: 0, {rapid: true}: 2, {cartridge: true}: 2, {rapid: true, cartridge: true}: 1} {
		if got, ok := good[b]; !ok || got != want {
			t.Errorf("%+v: %d acts, want %d", b, got, want)
		}
	}
	for text, why := range map[string]string{
		head + "no,no,0\n" + rest:                      "row 1",
		head + "no,no,many\n" + rest:                   "row 1",
		head + rest + "no,no,-1\n":                     "row 4",
		head + rest:                                    "3 circumstances",
		head + "yes,no,1\n" + rest:                     "3 circumstances",
		head + "no,no\n" + rest:                        "table",
		"rapid,cartridge\nno,no\n":                     "table",
		head + "no,no,1-round\n" + rest + "no,yes,x\n": "row 5",
	} {
		if _, err := readBarrels(text); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v, want one of %s", text, err, why)
		}
	}
}

// celesia.equipment.load-one-handed-simple-firearm, celesia.equipment.load-two-handed-simple-firearm
func TestBarrelActs(t *testing.T) {
	for _, c := range []struct {
		hands            int32
		rapid, cartridge bool
		want             int32
	}{{1, false, false, 3}, {1, true, false, 2}, {1, false, true, 2}, {1, true, true, 1}, {2, false, false, 0}, {2, true, false, 3}, {2, false, true, 3}, {2, true, true, 2}} {
		w := &eventv1.CelesiaWeapon{Load: body.LoadSimple, Hands: c.hands, RapidReload: c.rapid, Cartridge: c.cartridge}
		if got := barrelActs(w); got != c.want || RoundLoad(w) != (c.want == 0) {
			t.Errorf("%+v: %d acts", c, got)
		}
	}
}
