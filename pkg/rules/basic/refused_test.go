package basic

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// A spell reaches as far as it says and no further, whichever way and however that is
// known; it is for nobody who is dead.
//
// basic.action.cast-spell
func TestHowFarASpellReaches(t *testing.T) {
	bolt := func(feet int32) change {
		return section(func(b *eventv1.BasicSheet) {
			b.Weapons, b.Spells = nil, []*eventv1.BasicSpell{{Name: "bolt", Uses: 2, Damage: "1d6", RangeFeet: feet}}
		})
	}
	for name, c := range map[string]struct {
		feet   int32
		place  *at // none: not on the map
		stated any
		taken  bool
	}{
		"at its end, east":        {30, &at{30, 0}, nil, true},
		"at its end, north":       {30, &at{0, 30}, nil, true},
		"beyond, east":            {30, &at{40, 0}, nil, false},
		"beyond, north":           {30, &at{0, 40}, nil, false},
		"beyond, south":           {30, &at{0, -40}, nil, false},
		"at its end, stated":      {30, nil, 30, true},
		"beyond, stated":          {30, nil, 31, false},
		"nobody knows how far":    {30, nil, nil, true},
		"without a range, far":    {0, &at{0, 400}, nil, true},
		"without a range, stated": {0, nil, 400, true},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t)
			if c.place != nil {
				f.AddAt(0, 0, make1("a", "A", bolt(c.feet)))
				f.AddAt(c.place.x, c.place.y, make1("b", "B"))
			} else {
				f.Add(make1("a", "A", bolt(c.feet)), make1("b", "B"))
			}
			f.start(nil).declare([]int{6, 1}, "a=cast", "b=move")
			cmd := act("a", "cast", "bolt", "b")
			if c.stated != nil {
				cmd = act("a", "cast", "bolt", "b", facts("distance", c.stated))
			}
			if !c.taken {
				wantRefused(t, f.Try(cmd), cite.ActionCastSpell)
				return
			}
			f.Must(cmd, 4)
			f.WantHP("b", 6)
		})
	}
	f := newTable(t).add(nil, make1("a", "A", bolt(0)), make1("b", "B"), make1("c", "B")).start(nil).declare([]int{6, 1, 1}, "a=cast", "b=move", "c=move")
	none := int32(0)
	f.Put("b", &eventv1.Vitals{Hp: &none})
	wantRefused(t, f.Try(act("a", "cast", "bolt", "b")), cite.ActionCastSpell)
}

// A magic item in a hold is for whoever lives and is in its reach.
//
// basic.action.hold-magic-item
func TestHowFarAnItemReaches(t *testing.T) {
	ring := &eventv1.BasicItem{Name: "ring", Simple: true, Effect: &eventv1.BasicSpell{Uses: 9, Damage: "1d6", RangeFeet: 20}}
	f := newTable(t).add(nil, make1("a", "A", carrying(ring)), make1("b", "B", hp(20)), make1("c", "B", hp(9)), make1("d", "B")).start(nil)
	f.declare([]int{6, 1, 1, 1}, "a=grapple", "b=move", "c=move", "d=move")
	f.Must(act("a", "grapple", "strength", "b"), 19, 15, 5)
	f.end("a", "b", "c", "d")
	f.declare([]int{6, 1, 1, 1, 15, 5}, "a=grapple", "b=melee-attack", "c=move", "d=move")
	wantRefused(t, f.Try(act("a", "hold-use-item", "ring", "c", facts("distance", 21))), cite.ActionHoldMagicItem)
	none := int32(0)
	f.Put("d", &eventv1.Vitals{Hp: &none})
	wantRefused(t, f.Try(act("a", "hold-use-item", "ring", "d", facts("distance", 20))), cite.ActionHoldMagicItem)
	f.Must(act("a", "hold-use-item", "ring", "c", facts("distance", 20)), 4)
	f.WantHP("c", 5)
}

// What there is nothing to do about is not done.
//
// basic.attack.grapple-touch, basic.healing.subdual-revive,
// basic.movement.grapple-enter-space, basic.spell.disrupt-by-delay
func TestNothingToBeDone(t *testing.T) {
	early := newTable(t).add(nil, make1("a", "A"), make1("b", "B"))
	if err := early.Try(act("a", "attack", "sword", "b")); err == nil {
		t.Error("an attack before the start")
	}
	f := lone(t, nil, body.KindOther, make1("a", "A"), make1("b", "B"))
	if err := f.Try(act("a", "other", "", "")); err == nil {
		t.Error("a deed without a word")
	}
	f.Must(act("a", "other", "", "", parameters("text", "opens the door")))

	// Who is held grabs nobody and walks nowhere; who holds grabs not the same again.
	f = holding(t, make1("a", "A"), make1("b", "B"))
	wantRefused(t, f.Try(act("a", "grapple", "strength", "b")), cite.AttackGrappleTouch)

	// One who lies out of reach is not brought round.
	far := knockedOut(t)
	far.end("a")
	wantRefused(t, far.Try(act("c", "revive", "", "b", facts("distance", 6))), cite.HealingSubdualRevive)
	far.Must(act("c", "revive", "", "b", facts("distance", 5)), 7, 4)
}
