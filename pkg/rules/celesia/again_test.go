package celesia

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// count is how many conditions of a name a creature has.
func (f *table) count(id, name string) (n int) {
	for _, x := range f.Creature(id).Conditions {
		if x.Name == name {
			n++
		}
	}
	return n
}

// noted tells whether something was noted by a rule since the last answer.
func (f *table) noted(rule string) bool {
	return slices.ContainsFunc(f.Events, func(e *eventv1.Event) bool { return e.GetNote() != nil && slices.Contains(e.Rules, rule) })
}

// comesIn is a creature that comes in with facts.
func comesIn(s *eventv1.Sheet, x, y int32, facts ...any) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: s, Position: &eventv1.Position{X: x, Y: y}, Facts: object(facts...)}}}
}

// celesia.action.feint-effect: the feints of two do not meet; one's own second takes the
// place of its first.
func TestFeintsOfTwo(t *testing.T) {
	f := crowd(t, [][2]int32{{0, 0}, {10, 0}, {5, 0}}, fighter("a", "party", skilled("bluff", 30)), fighter("b", "party", skilled("bluff", 30)), fighter("c", "foes", unarmed()))
	f.Must(act("a", "feint", "", "c"), 10)
	f.End("a")
	f.Must(act("b", "feint", "", "c"), 10)
	if n := f.count("c", body.CondFeinted); n != 2 {
		t.Fatalf("feinted %d times, want by both", n)
	}
	f.End("b")
	f.End("c")
	f.Must(act("a", "feint", "", "c"), 10)
	if n := f.count("c", body.CondFeinted); n != 2 {
		t.Errorf("feinted %d times: the second of a takes the place of its first alone", n)
	}
	f.Must(act("a", "attack", "sword", "c"), 2)
	left := body.Condition(f.Creature("c"), body.CondFeinted)
	if n := f.count("c", body.CondFeinted); n != 1 || left.GetSource() != "b" {
		t.Errorf("%d left, of %s: the attack of a uses its own", n, left.GetSource())
	}
}

// celesia.spell.degrees-combined: of one spell only the larger penalty counts; that of
// another spell stands beside it, as does one on another ability.
func TestPenaltiesOfTwoSpells(t *testing.T) {
	drain := func(name, ability, dice string) *eventv1.CelesiaSpell {
		return &eventv1.CelesiaSpell{Name: name, Casting: "swift", RangeFeet: 30, PenaltyAbility: ability, PenaltyDice: dice}
	}
	f := duel(t, fighter("a", "party", section(func(c *eventv1.CelesiaSheet) {
		c.Spells = []*eventv1.CelesiaSpell{drain("ray", "strength", "1d6"), drain("curse", "strength", "1d6"), drain("fog", "wisdom", "1d6")}
	})), fighter("b", "foes", unarmed(), ability("strength", 18, "wisdom", 18)))
	score := func(ability string, want int32) {
		t.Helper()
		if got, _ := body.Score(f.Creature("b"), ability); got != want {
			t.Errorf("%s %d, want %d", ability, got, want)
		}
	}
	f.Must(act("a", "cast", "ray", "b"), 3)
	f.Must(act("a", "cast", "curse", "b"), 2)
	f.Must(act("a", "cast", "fog", "b"), 4)
	score("strength", 13)
	score("wisdom", 14)
	f.End("a")
	f.End("b")
	f.Must(act("a", "cast", "ray", "b"), 3) // as large: nothing is laid anew
	score("strength", 13)
	f.Must(act("a", "cast", "ray", "b"), 5)
	score("strength", 11)
	if n := f.count("b", body.CondPenalty); n != 3 {
		t.Errorf("%d penalties, want 3", n)
	}
}

// celesia.mount.horse-space: rider and mount are put elsewhere together, whichever of
// them is.
func TestPlacedTogether(t *testing.T) {
	both := func(f *table, x, y int32) {
		f.T.Helper()
		f.wantAt("a", x, y)
		f.wantAt("h", x, y)
	}
	f := cavalry(t, fighter("a", "party"), horse(), fighter("b", "foes"))
	f.at("a", 30, 40)
	both(f, 30, 40)
	if moved := seen(f, "moved", (*eventv1.Event).GetMoved); !slices.ContainsFunc(moved, func(m *eventv1.Moved) bool { return m.Creature == "h" && m.Feet == 40 && m.Mode == "placed" }) {
		t.Errorf("moved %v: the mount goes 40 feet along", moved)
	}
	f.at("h", 50, -10)
	both(f, 50, -10)
	f.at("a", 50, -10)
	if moved := seen(f, "moved", (*eventv1.Event).GetMoved); slices.ContainsFunc(moved, func(m *eventv1.Moved) bool { return m.Creature == "h" }) {
		t.Errorf("moved %v: the mount is there", moved)
	}
	f.at("b", 0, 0)
	both(f, 50, -10)
}

// celesia.mount.shared-initiative, celesia.mount.own-acts: whoever mounts in its turn what
// has not had its own acts with it at once; what has had its turn has no acts left.
func TestMountedBeforeItsTurn(t *testing.T) {
	for name, c := range map[string]struct {
		rider, mount int // of initiative
		acts         int64
	}{"it would come later": {19, 12, 3}, "it has come": {12, 19, 0}} {
		t.Run(name, func(t *testing.T) {
			m := horse()
			m.Controllers = []string{"a-player"}
			f := newTable(t).add(fighter("a", "party"), m, fighter("b", "foes", unarmed()))
			f.at("a", 0, 10)
			f.at("h", 0, 0)
			f.at("b", 200, 0)
			f.start(nil, c.rider, 5, c.mount)
			if c.acts == 0 {
				f.End("h")
			}
			f.WantActive("a")
			f.Must(act("a", "mount", "", "h"))
			if got := f.acts("h"); got != c.acts {
				t.Errorf("the mount has %d acts, want %d", got, c.acts)
			}
			f.End("a")
			f.WantActive("b")
		})
	}
}

// celesia.mount.shared-initiative, celesia.mount.horse-space: who comes in on a mount, or
// as one that bears somebody.
func TestEnterMounted(t *testing.T) {
	h := func() *eventv1.Sheet { return horse(func(s *eventv1.Sheet) { s.Controllers = []string{"a-player"} }) }
	pair := func(f *table) {
		f.T.Helper()
		if body.MountOf(f.Creature("a")) != "h" || body.RiderOf(f.Creature("h")) != "a" {
			f.T.Fatalf("a rides %q, h bears %q", body.MountOf(f.Creature("a")), body.RiderOf(f.Creature("h")))
		}
		f.wantAt("a", 20, 20)
	}
	f := newTable(t)
	f.Must(comesIn(h(), 20, 20))
	f.Must(comesIn(fighter("a", "party"), 0, 0, "mounted_on", "h"))
	pair(f)
	g := newTable(t)
	g.Must(comesIn(fighter("a", "party"), 0, 0))
	g.Must(comesIn(h(), 20, 20, "ridden_by", "a"))
	pair(g)
	wantReason(t, g.Try(comesIn(fighter("c", "party"), 0, 0, "mounted_on", "h")), "RIDDEN", cite.MountMountDismount)
	wantReason(t, g.Try(comesIn(fighter("c", "foes"), 0, 0, "mounted_on", "h")), "NO_MOUNT", cite.MountMountDismount)
	i := newTable(t)
	i.Must(comesIn(h(), 20, 20))
	i.Must(comesIn(fighter("a", "party"), 0, 0))
	if body.MountOf(i.Creature("a")) != "" {
		t.Error("mounted without a word")
	}
}

// celesia.mount.mount-dismount: a mount that others play may refuse, which all are told.
func TestMountRefusesRider(t *testing.T) {
	f := crowd(t, [][2]int32{{0, 10}, {200, 0}, {0, 0}}, fighter("a", "party"), fighter("b", "foes"), horse())
	f.Must(act("a", "mount", "", "h"))
	f.Choose("no")
	if body.MountOf(f.Creature("a")) != "" || !f.noted(cite.MountMountDismount) || f.acts("a") != 2 {
		t.Error("borne against its will, or nobody is told, or it cost nothing")
	}
	f.Must(act("a", "mount", "", "h"))
	f.Choose("yes")
	if body.MountOf(f.Creature("a")) != "h" {
		t.Error("not borne")
	}
}

// celesia.mount.rider-dropped: a rider who sleeps may fall as one who is dying does; one
// who leaves the field is out of the saddle.
func TestRiderDrops(t *testing.T) {
	for face, stays := range map[int]bool{50: true, 51: false} {
		f := cavalry(t, fighter("a", "party"), horse(), fighter("b", "foes"))
		f.Roller = func(sides int) int {
			if sides == 100 {
				return face
			}
			return 1
		}
		f.Afflict("a", body.CondUnconscious)
		if got := body.MountOf(f.Creature("a")) == "h"; got != stays || !body.Has(f.Creature("h"), manners.CondLeaderless) {
			t.Errorf("%d: in the saddle %v", face, got)
		}
	}
	remove := func(id string) *eventv1.Command {
		return &eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: id}}}
	}
	f := cavalry(t, fighter("a", "party"), horse(), fighter("b", "foes"))
	f.Must(remove("h"))
	if body.MountOf(f.Creature("a")) != "" {
		t.Error("rides what is gone")
	}
	g := cavalry(t, fighter("a", "party"), horse(), fighter("b", "foes"))
	g.Must(remove("a"))
	if body.RiderOf(g.Creature("h")) != "" {
		t.Error("bears one who is gone")
	}
}

// celesia.item.command-word: worn, carried or in hand; what is pointed and what is read
// must be in hand.
func TestWhereDevicesAre(t *testing.T) {
	for kind, rule := range map[string]string{body.ThingCommand: cite.ItemCommandWord, body.ThingTrigger: cite.ItemSpellTrigger, body.ThingCompletion: cite.ItemSpellCompletion} {
		for _, place := range []string{body.PlaceMain, body.PlaceOff, body.PlaceCarried, body.PlaceWorn, body.PlaceStowed, body.PlacePack} {
			f := duel(t, fighter("a", "party", section(func(c *eventv1.CelesiaSheet) {
				c.Weapons = c.Weapons[1:2]
				c.Things = []*eventv1.CelesiaThing{{Name: "x", Kind: kind, Place: place, Spell: &eventv1.CelesiaSpell{Name: "s", Casting: "standard", Dice: "1d6", RangeFeet: 30}}}
			})), fighter("b", "foes", unarmed()))
			f.Roller = func(int) int { return 2 }
			hand := place == body.PlaceMain || place == body.PlaceOff
			reason := "NOT_IN_HAND"
			if hand || kind == body.ThingCommand && (place == body.PlaceCarried || place == body.PlaceWorn) {
				reason = ""
			}
			t.Run(kind+" "+place, func(t *testing.T) { wantReason(t, f.Try(act("a", "use-item", "x", "b")), reason, rule) })
		}
	}
}

// celesia.equipment.draw-sheathe: a weapon is drawn with both hands where both are free.
func TestHandsToDrawWith(t *testing.T) {
	for held, want := range map[bool][]string{true: {"one"}, false: {"one", "two"}} {
		f := duel(t, fighter("a", "party", section(func(c *eventv1.CelesiaSheet) {
			if !held {
				c.Weapons[0].Hand = body.PlaceStowed
			}
			c.Weapons = append(c.Weapons, sheathed("axe", 1, false))
		})), fighter("b", "foes"))
		for _, o := range optionsOf(f, "a", "draw") {
			if got, _ := wordsOf(o, "hands"); o.Item == "axe" && !slices.Equal(got, want) {
				t.Errorf("a sword in hand %v: offered %v, want %v", held, got, want)
			}
		}
	}
}

// celesia.maneuver.bull-rush, celesia.maneuver.drag: how far without a map; a wall ends a
// push, and nobody drags farther than its speed.
func TestForcedWithoutMap(t *testing.T) {
	for _, c := range []struct {
		name, action string
		facts        []any
		want         int32
	}{
		{"30 above", "bull-rush", nil, 35},
		{"a wall at 29 feet", "bull-rush", []any{"obstacle_feet", 29}, 25},
		{"a wall at 30 feet", "bull-rush", []any{"obstacle_feet", 30}, 30},
		{"a wall at 4 feet", "bull-rush", []any{"obstacle_feet", 4}, 0},
		{"the speed of 30", "drag", nil, 30},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", cmb(35)), fighter("b", "foes", unarmed())).set(15, 5)
			f.Must(act("a", c.action, "", "b", withFacts(c.facts...)), 10) // 45 against 15
			moved := seen(f, "moved", (*eventv1.Event).GetMoved)
			if len(moved) != 1 || moved[0].Feet != c.want || moved[0].Creature != "b" {
				t.Errorf("moved %v, want b %d feet", moved, c.want)
			}
		})
	}
}

// celesia.action.ready: a spell of one round cannot be readied; nor one that cannot be
// cast now.
func TestReadySpellRefused(t *testing.T) {
	for name, c := range map[string]struct {
		sp           *eventv1.CelesiaSpell
		reason, rule string
	}{
		"a standard one": {&eventv1.CelesiaSpell{Name: "s", Casting: "standard", RangeFeet: 30}, "", ""},
		"of one round":   {&eventv1.CelesiaSpell{Name: "s", Casting: "1-round", RangeFeet: 30}, "TOO_LONG", cite.ActionReady},
	} {
		f := duel(t, fighter("a", "party", spell(c.sp)), fighter("b", "foes"))
		f.Afflict("a", body.CondHasted)
		t.Run(name, func(t *testing.T) { wantReason(t, f.Try(ready("cast", "s", "b", "attack")), c.reason, c.rule) })
	}
}

// celesia.reaction.complete-readied: who comes near sets off what waits for that; who
// stops 10 feet off does not. Without a map it is said.
func TestWhoComesNear(t *testing.T) {
	waits := func(f *table) { f.Must(ready("step", "", "", "approach")) }
	for x, asked := range map[int32]bool{5: true, 10: false} {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		f.at("b", 30, 0)
		waits(f)
		f.Must(act("b", "move", "", "", way(x, 0)))
		if got := len(f.Decisions) > 0; got != asked {
			t.Errorf("to %d feet: asked %v, want %v", x, got, asked)
		}
	}
	for who, asked := range map[string]bool{"a": true, "c": false} {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes"), fighter("c", "party")).set(15, 10, 5)
		waits(f)
		f.Must(act("b", "move", "", "", withFacts("approaches", []string{who})))
		if got := len(f.Decisions) > 0; got != asked {
			t.Errorf("said to near %s: asked %v, want %v", who, got, asked)
		}
	}
}

// What a deed between fights must say.
func TestTendSays(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"))
	for _, c := range []struct {
		deed, field string
		pairs       []any
	}{
		{"harm", "command.patient.parameters.amount", nil}, {"damage", "command.patient.parameters.amount", nil}, {"heal", "command.patient.parameters.amount", nil},
		{"constitution-damage", "command.patient.parameters.amount", nil}, {"pass-time", "command.patient.parameters.hours", nil},
		{"harm", "", []any{"amount", 1}}, {"pass-time", "", []any{"hours", 1}}, {"rest", "", nil},
	} {
		err := f.TryTend(&eventv1.PatientCommand{Deed: c.deed, Patients: []string{"a"}, Parameters: object(c.pairs...)})
		if c.field == "" {
			if err != nil {
				t.Errorf("%s: %v", c.deed, err)
			}
			continue
		}
		wantField(t, err, c.field, "missing")
	}
}
