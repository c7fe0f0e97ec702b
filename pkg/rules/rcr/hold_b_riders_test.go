package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/mounts"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// double has a ride h and c behind it, in b's turn.
func double(t *testing.T, h *eventv1.Sheet) *table {
	t.Helper()
	f := newTable(t).add(human(), orc(), fighter("c", "party"), h)
	f.Must(act("a", "mount", "", "h"))
	f.Must(act("c", "mount", "", "h"))
	return f.start(nil, 5, 20, 4)
}

// Whoever sits on a mount as it bucks, is shoved or loses speed saves as all sit there:
// that the first comes off gives the second no room for its save.
//
// rcr.mount.passenger-space, rcr.mount.buck-on-damage, rcr.mount.forced-move-save,
// rcr.mount.dash-slow-save
func TestAllSaveAsTheySit(t *testing.T) {
	t.Run("rcr.mount.buck-on-damage: the first falls, the second squeezes all the same", func(t *testing.T) {
		f := double(t, beast())
		f.Must(act("b", "attack", "sword", "h"), 15, 1, 15, 2, 18, 4)
		f.Answer(mounts.DecLanding+"/a", "prone", 3)
		f.Answer(mounts.DecLanding+"/c", "prone")
		f.wantRides("a", "", "")
		f.wantRides("c", "", "")
	})
	t.Run("rcr.mount.buck-on-damage: 18 and 12 hold the second", func(t *testing.T) {
		f := double(t, beast())
		f.Must(act("b", "attack", "sword", "h"), 15, 1, 15, 2, 18, 12)
		f.Answer(mounts.DecLanding+"/a", "prone", 3)
		f.wantRides("a", "", "")
		f.wantRides("c", "h", body.VariantPassenger)
	})
	t.Run("rcr.mount.forced-move-save", func(t *testing.T) {
		f := double(t, beast())
		f.Must(act("h", "forced-move", "", "", withParameters("feet", 10)), 15, 2, 18, 4, 3)
		f.wantRides("a", "", "")
		f.wantRides("c", "", "")
		f.wantHas("a", body.CondProne, true)
		f.wantHas("c", body.CondProne, true)
	})
	t.Run("rcr.mount.dash-slow-save", func(t *testing.T) {
		f := double(t, beast())
		f.End("b", 3)
		f.WantActive("a", "h")
		f.Must(act("h", "dash", "", ""))
		// 60 feet of speed are 55: two levels of exhaustion.
		f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "h", Vitals: &eventv1.Vitals{Counters: map[string]int64{body.CExhaustion: 2}}}}}, 15, 2, 18, 4, 3)
		f.wantRides("a", "", "")
		f.wantRides("c", "", "")
	})
}

// A scroll of what brings back the dead is used on the dead alone, as the spell is cast
// on them alone; all other items on the living.
//
// rcr.healing.revival-spells
func TestItemsThatRevive(t *testing.T) {
	scrolls := rcrSheet(func(x *eventv1.RcrSheet) {
		x.Items = []*eventv1.RcrItem{{Name: "scroll of revival", Charges: 3, Activation: "action", Rarity: "uncommon", Spell: "Revivify"},
			{Name: "potion", Charges: 1, Activation: "action", Rarity: "common", Healing: "2d4+2"}}
	})
	mortuary := func(t *testing.T, c ...func(*eventv1.Sheet)) *table {
		return newTable(t).add(human(scrolls), orc(), fighter("c", "party", c...)).start(nil, 20, 5, 4)
	}
	t.Run("on the dead", func(t *testing.T) {
		f := mortuary(t)
		dies(t, f, "c")
		wantReasonOf(t, "a potion", f.Try(act("a", "use-item", "potion", "c")), "TARGET_DEAD")
		if o := offered(f.State, "a", "use-item", "scroll of revival"); !slices.Equal(o.GetTargets(), []string{"c"}) {
			t.Errorf("offered on %v", o.GetTargets())
		}
		f.Must(act("a", "use-item", "scroll of revival", "c"), 3)
		if body.Dead(f.Creature("c")) {
			t.Fatal("it is still dead")
		}
		f.WantHP("c", 1)
	})
	t.Run("on the living", func(t *testing.T) {
		f := mortuary(t)
		f.Hurt("c", 5)
		f.Hurt("a", 5)
		wantRefused(t, f.Try(act("a", "use-item", "scroll of revival", "c")), cite.HealingRevivalSpells)
		wantRefused(t, f.Try(act("a", "use-item", "scroll of revival", "")), cite.HealingRevivalSpells)
		f.Must(act("a", "use-item", "potion", "c"), 2, 2)
		f.WantHP("c", 11)
	})
	t.Run("only within 5 feet", func(t *testing.T) {
		f := mortuary(t)
		dies(t, f, "c")
		wantRefused(t, f.Try(act("a", "use-item", "scroll of revival", "c", withFacts("distance", 10))), cite.BaseFifthEditionFallback)
		f.wantCount("a", body.CAction, 1)
	})
}

// dies has a creature die.
func dies(t *testing.T, f *table, id string) {
	t.Helper()
	f.Resolve(func(r *resolution) error { die(r, id); return nil })
}
