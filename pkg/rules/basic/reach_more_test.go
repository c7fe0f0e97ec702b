package basic

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/fire"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// reasonOf is the reason of a refusal; empty for none.
func reasonOf(err error) string {
	if f, ok := fault.As(err); ok {
		return f.Reason
	}
	return ""
}

// basic.item.oil-ground-fire: oil on the ground burns ten rounds from the one in which it was lit, not before and not after
func TestHowLongAPoolBurns(t *testing.T) {
	for _, c := range []struct {
		lit, round int32
		burns      bool
	}{{0, 3, false}, {3, 2, false}, {3, 3, true}, {3, 12, true}, {3, 13, false}} {
		s := &eventv1.State{Round: c.round, Tasks: map[string]*eventv1.Task{"pool-1": {Id: "pool-1", Kind: body.TaskPool, Values: map[string]int32{"lit": c.lit, "feet": 5, "placed": 1, "x": 10, "y": 20}}}}
		for p, near := range map[[2]int32]bool{{10, 20}: true, {15, 25}: true, {16, 20}: false, {10, 14}: false, {5, 15}: true, {10, 26}: false} {
			if got := fire.InFire(s, &eventv1.Position{X: p[0], Y: p[1]}); got != (c.burns && near) {
				t.Errorf("lit in round %d, in round %d, at %v: %v", c.lit, c.round, p, got)
			}
		}
		if fire.InFire(s, nil) {
			t.Error("nowhere it burns")
		}
		s.Tasks["pool-1"].Values["placed"] = 0
		if fire.InFire(s, &eventv1.Position{}) {
			t.Error("a pool that is nowhere burns somewhere")
		}
	}
}

// basic.item.oil-ground-fire: each flask that is poured out is told and makes a pool of its own, 5 feet away at the most
func TestPoolsAreCounted(t *testing.T) {
	flask := &eventv1.BasicWeapon{Name: "oil", Kind: "grenade", Contents: body.Oil, Ammunition: "oil", ShortFeet: 10, MediumFeet: 30, LongFeet: 50}
	f := newTable(t).add([]int32{0, 90}, make1("a", "A", wields(flask), section(func(b *eventv1.BasicSheet) { b.Ammunition = map[string]int32{"oil": 3} })), make1("b", "B")).start(nil)
	for n := int64(1); n <= 2; n++ {
		f.declare([]int{6, 1}, "a=other", "b=move")
		wantRefused(t, f.Try(act("a", "spill-oil", "oil", "", to(6))), cite.ItemOilGroundFire)
		f.Must(act("a", "spill-oil", "oil", "", to(5)))
		told := slices.ContainsFunc(f.Events, func(e *eventv1.Event) bool {
			return e.GetAction().GetAction() == "spill-oil" && e.GetAction().GetItem() == "oil"
		})
		if !told || f.State.Counters[body.CPools] != n || len(fire.Pools(f.State)) != int(n) || f.Creature("a").Counters[body.CAmmunition+"oil"] != 3-n {
			t.Fatalf("flask %d: told %v, %v", n, told, f.State.Tasks)
		}
		f.end("a", "b")
	}
}

// basic.attack.rate-siege, basic.attack.missile-lost: what keeps a weapon from being shot, one thing at a time
func TestWhatIsNotShot(t *testing.T) {
	for name, c := range map[string]struct {
		weapon   *eventv1.BasicWeapon
		arrows   int32
		item     map[string]int32
		settings []string
		reason   string
	}{
		"the last arrow":              {&eventv1.BasicWeapon{Ammunition: "arrows"}, 1, nil, nil, ""},
		"no arrow":                    {&eventv1.BasicWeapon{Ammunition: "arrows"}, 0, nil, nil, "NO_AMMUNITION"},
		"needs none":                  {&eventv1.BasicWeapon{}, 0, nil, nil, ""},
		"once in two rounds, ready":   {&eventv1.BasicWeapon{RateRounds: 2}, 0, map[string]int32{"shot": 1}, nil, ""},
		"once in three rounds, not":   {&eventv1.BasicWeapon{RateRounds: 3}, 0, map[string]int32{"shot": 1}, nil, "NOT_READY"},
		"in every round":              {&eventv1.BasicWeapon{RateRounds: 1}, 0, map[string]int32{"shot": 3}, nil, ""},
		"not shot yet":                {&eventv1.BasicWeapon{RateRounds: 9}, 0, nil, nil, ""},
		"loaded":                      {&eventv1.BasicWeapon{ReloadRounds: 1}, 0, map[string]int32{"loaded": 1}, nil, ""},
		"not loaded":                  {&eventv1.BasicWeapon{ReloadRounds: 1}, 0, map[string]int32{"loaded": 0}, nil, "NOT_LOADED"},
		"not loaded, a spare":         {&eventv1.BasicWeapon{ReloadRounds: 1}, 0, map[string]int32{"loaded": 0, "spares": 1}, []string{body.SetPreloaded + "=on"}, ""},
		"not loaded, a spare of none": {&eventv1.BasicWeapon{ReloadRounds: 1}, 0, map[string]int32{"loaded": 0, "spares": 1}, []string{body.SetPreloaded + "=off"}, "NOT_LOADED"},
	} {
		w := c.weapon
		weapon := &eventv1.BasicWeapon{Name: "gun", Damage: "1d6", Kind: "bow", ShortFeet: 50, MediumFeet: 100, LongFeet: 150, Ammunition: w.Ammunition, RateRounds: w.RateRounds, ReloadRounds: w.ReloadRounds}
		f := newTable(t, c.settings...).add([]int32{0, 40}, make1("a", "A", wields(weapon), section(func(b *eventv1.BasicSheet) { b.Ammunition = map[string]int32{"arrows": c.arrows} })), make1("b", "B")).start(nil)
		f.declare([]int{6, 1}, "a=move", "b=move")
		f.end("a", "b")
		f.declare([]int{6, 1}, "a=move", "b=move")
		f.end("a", "b") // the third round
		if c.item != nil {
			f.Put("a", &eventv1.Vitals{Items: map[string]*eventv1.ItemState{"gun": {Place: f.Creature("a").Items["gun"].Place, Values: c.item}}})
		}
		err := f.Try(act("a", "declare", body.KindRanged, ""))
		if err == nil {
			f.Must(act("b", "declare", "move", ""), 6, 1)
			err = f.Try(act("a", "shoot", "gun", "b"), 2)
		}
		if got := reasonOf(err); got != c.reason {
			t.Errorf("%s: %q, want %q", name, got, c.reason)
		}
	}
}

// basic.dice.dc-check, basic.action.perform-feat: what is stated of a check counts, and nothing that is none
func TestStatedModifiersOfACheck(t *testing.T) {
	for n, want := range map[int32]int{0: 0, 2: 1, -1: 1} {
		f := lone(t, nil, body.KindOther, make1("a", "A"), make1("b", "B"))
		f.Must(act("a", "other", "", "", parameters("text", "climbs", "dc", 5), plus(n)), 10)
		r := f.Roll("check/a")
		if len(r.Modifiers) != want || r.Total != 10+n {
			t.Errorf("%+d: %v", n, r)
		}
	}
}

// Names of spells on a sheet are all different from each other and from those of items.
func TestNamesOfSpells(t *testing.T) {
	long := string(slices.Repeat([]byte("x"), 65))
	for name, c := range map[string]struct {
		names []string
		wrong []string
	}{
		"two": {[]string{"bolt", "ward"}, nil}, "none": {[]string{""}, []string{"sheet.basic.spells[0].name"}}, "one twice": {[]string{"bolt", "bolt"}, []string{"sheet.basic.spells[1].name"}},
		"an item's": {[]string{"ring"}, []string{"sheet.basic.spells[0].name"}}, "long": {[]string{long + long + long}, []string{"sheet.basic.spells[0].name"}},
	} {
		var spells []*eventv1.BasicSpell
		for _, n := range c.names {
			spells = append(spells, &eventv1.BasicSpell{Name: n, Uses: 1, Damage: "1d6"})
		}
		s := make1("a", "A", carrying(&eventv1.BasicItem{Name: "ring"}), section(func(b *eventv1.BasicSheet) { b.Spells = spells }))
		var got []string
		for _, v := range (System{}).CheckSheet(s) {
			got = append(got, v.Field)
		}
		if !slices.Equal(got, c.wrong) {
			t.Errorf("%s: %v, want %v", name, got, c.wrong)
		}
	}
}

// basic.movement.hold-move-opponent: who drags has movement left, and a whole foot of half of it
func TestWhoDrags(t *testing.T) {
	for name, c := range map[string]struct {
		walk, left int
		reason     string
	}{"a foot left": {30, 1, ""}, "none": {30, 0, "NO_MOVEMENT"}, "slow": {2, 2, ""}, "too slow": {1, 1, "NO_MOVEMENT"}} {
		f := newTable(t).add(nil, make1("a", "A", walks(int32(c.walk))), make1("b", "B")).start(nil)
		f.Put("b", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondHeld, Source: "a"}}})
		f.declare([]int{6, 1, 15, 5}, "a=grapple", "b=move")
		f.Count("a", body.CMovement, c.left)
		if got := reasonOf(f.Try(act("a", "hold-drag", "", "b", parameters("feet", 1)))); got != c.reason {
			t.Errorf("%s: %q, want %q", name, got, c.reason)
		}
	}
}

// basic.attack.range-short, basic.attack.range-medium, basic.attack.range-long: from how near a shot counts how
func TestBandsOfAShot(t *testing.T) {
	for _, c := range []struct {
		feet, want int32 // added to the roll
	}{{6, 1}, {50, 1}, {51, 0}, {100, 0}, {101, -2}, {150, -2}} {
		f := newTable(t).add([]int32{0, c.feet}, make1("a", "A", wields(bow())), make1("b", "B")).start(nil).declare([]int{6, 1}, "a="+body.KindRanged, "b=move")
		f.Must(act("a", "shoot", "bow", "b"), 2)
		var sum int32
		for _, m := range f.Roll("to-hit").Modifiers {
			sum += m.Value
		}
		if sum != c.want {
			t.Errorf("%d feet: %+d, want %+d", c.feet, sum, c.want)
		}
	}
}

// basic.attack.flanking: two of a side flank a foe within 5 feet of both on opposite sides of it, along both axes and at any height; not on its own spot, and not with one who cannot fight
func TestWhereOneFlanks(t *testing.T) {
	for name, c := range map[string]struct {
		attacker, ally [3]int32
		change         func(ally *eventv1.Creature)
		flanks         bool
	}{
		"east and west":      {[3]int32{5, 0, 0}, [3]int32{-5, 0, 0}, nil, true},
		"north and south":    {[3]int32{0, 5, 0}, [3]int32{0, -5, 0}, nil, true},
		"above and below":    {[3]int32{0, 0, 5}, [3]int32{0, 0, -5}, nil, true},
		"across a corner":    {[3]int32{5, 5, 0}, [3]int32{-5, -5, 0}, nil, true},
		"a foot away":        {[3]int32{1, 0, 0}, [3]int32{-1, 0, 0}, nil, true},
		"on its spot":        {[3]int32{0, 0, 0}, [3]int32{0, 0, 0}, nil, false},
		"2 feet off":         {[3]int32{5, 0, 0}, [3]int32{-5, 2, 0}, nil, true},
		"3 feet off":         {[3]int32{5, 0, 0}, [3]int32{-5, 3, 0}, nil, false},
		"beside each other":  {[3]int32{5, 0, 0}, [3]int32{0, 5, 0}, nil, false},
		"the attacker far":   {[3]int32{6, 0, 0}, [3]int32{-5, 0, 0}, nil, false},
		"the ally far":       {[3]int32{5, 0, 0}, [3]int32{-6, 0, 0}, nil, false},
		"a foe of both":      {[3]int32{5, 0, 0}, [3]int32{-5, 0, 0}, func(c *eventv1.Creature) { c.Side = "B" }, false},
		"an ally who is out": {[3]int32{5, 0, 0}, [3]int32{-5, 0, 0}, func(c *eventv1.Creature) { c.Life = isUnconscious }, false},
		"an ally nowhere":    {[3]int32{5, 0, 0}, [3]int32{-5, 0, 0}, func(c *eventv1.Creature) { c.Position = nil }, false},
	} {
		f := newTable(t).add([]int32{0, 0, 0}, make1("a", "A"), make1("b", "B"), make1("c", "A"))
		at := func(p [3]int32) *eventv1.Position {
			return &eventv1.Position{X: 100 + p[0], Y: 100 + p[1], Z: 100 + p[2]}
		}
		f.State.Creatures["a"].Position, f.State.Creatures["b"].Position, f.State.Creatures["c"].Position = at(c.attacker), at([3]int32{}), at(c.ally)
		if c.change != nil {
			c.change(f.State.Creatures["c"])
		}
		if got := body.Flanking(f.State, f.Creature("a"), f.Creature("b")); got != c.flanks {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// basic.action.hold-for-creature: one waits for another who acts later on a number of its own
func TestWhomOneWaitsFor(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("late", "B"), make1("same", "B"), make1("holds", "B"), make1("early", "B")).start(nil)
	f.declare([]int{4, 6, 5, 2, 4}, "a=hold", "late=move", "same=move", "holds=hold", "early=move")
	order := map[string]int32{}
	for id, c := range f.State.Creatures {
		for _, i := range c.Initiative {
			order[id] = i.Total
		}
	}
	for f.State.Active[0] != "a" && !slices.Contains(f.State.Active, "a") {
		f.End(f.State.Active[0])
	}
	for id := range f.State.Creatures { // order-free: each by itself
		c := f.Creature(id)
		later := id != "a" && c.Counters[body.CTurn] != int64(f.State.Round) && int64(order[id]) < f.State.Counters[body.CCount]
		want := ""
		if !later || id == "holds" {
			want = "NOT_LATER"
		}
		if got := reasonOf(f.Peek(act("a", "hold-for", "", id))); got != want {
			t.Errorf("%s, on %d at %d: %q, want %q", id, order[id], f.State.Counters[body.CCount], got, want)
		}
	}
}

// basic.death.zero-hp: whoever is dead or leaves is no longer among the living of a fight, whatever else it is
func TestWhoIsAmongTheLiving(t *testing.T) {
	f := newTable(t).add(nil, make1("d", "A"), make1("a", "A"), make1("b", "B"), make1("c", "A"))
	none := int32(0)
	f.Put("b", &eventv1.Vitals{Hp: &none})
	f.State.Creatures["c"].Marks = map[string]string{body.MLeaving: "true"}
	if got := body.Living(f.State); !slices.Equal(got, []string{"a", "d"}) {
		t.Errorf("%v", got)
	}
	if got := body.Those(f.State, func(c *eventv1.Creature) bool { return c.Side == "B" }); got != nil {
		t.Errorf("%v", got)
	}
}

// basic.attack.brawl-metal-armor: that a blow against metal hurts the one who struck is said, and only then
func TestABlowAgainstMetalIsTold(t *testing.T) {
	for _, metal := range []bool{true, false} {
		material := map[bool]string{true: "metal", false: "leather"}[metal]
		f := lone(t, nil, body.KindMelee, make1("a", "A"), make1("b", "B", section(func(b *eventv1.BasicSheet) { b.ArmorMaterial = material })))
		f.Must(act("a", "attack", body.Punch, "b"), 15, 2)
		told := slices.ContainsFunc(f.Events, func(e *eventv1.Event) bool {
			return e.GetNote() != nil && slices.Contains(e.Rules, cite.AttackBrawlMetalArmor) && e.GetNote().Creature == "a"
		})
		if told != metal {
			t.Errorf("%s: told %v", material, told)
		}
	}
}

// basic.action.cast-spell: a spell that is cast is told with its targets; a save made halves it where it says so, and ends it where it does not
func TestSavesAgainstASpell(t *testing.T) {
	for name, c := range map[string]struct {
		half bool
		save int
		lost int32
	}{"saved, by half": {true, 13, 2}, "saved, for nothing": {false, 13, 0}, "not saved, by half": {true, 12, 5}, "not saved": {false, 12, 5}} {
		caster := section(func(b *eventv1.BasicSheet) {
			b.Spells = []*eventv1.BasicSpell{{Name: "bolt", Uses: 1, Damage: "1d6", Save: "spells", Half: c.half}}
		})
		f := lone(t, nil, body.KindCast, make1("a", "A", caster), make1("b", "B", section(func(b *eventv1.BasicSheet) { b.Saves = map[string]int32{"spells": 13} })))
		f.Must(act("a", "cast", "bolt", "b"), 5, c.save)
		f.WantHP("b", 10-c.lost)
		told := slices.ContainsFunc(f.Events, func(e *eventv1.Event) bool {
			x := e.GetAction()
			return x.GetAction() == "cast" && x.GetItem() == "bolt" && slices.Equal(x.GetTargets(), []string{"b"})
		})
		if !told {
			t.Errorf("%s: nobody is told", name)
		}
	}
}

// Whoever comes in has the points of its sheet, no temporary ones, and a thing of a single use has that one.
func TestWhatOneComesInWith(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A", hp(7), carrying(&eventv1.BasicItem{Name: "potion", Effect: &eventv1.BasicSpell{Uses: 1, Healing: "1d6"}})))
	if a := f.Creature("a"); a.GetHp() != 7 || a.GetHpMax() != 7 || a.GetHpTemp() != 0 || a.Counters[body.CLeft+"potion"] != 1 || a.Counters[body.CRested] != 0 {
		t.Errorf("%v", a)
	}
	stores := (System{}).Stores(f.Creature("a").Sheet)
	if stores[body.CLeft+"potion"] != 1 {
		t.Errorf("%v", stores)
	}
}
