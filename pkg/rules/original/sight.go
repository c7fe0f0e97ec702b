package original

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// sight is how a state looks to a creature: what many of the questions about its
// actions ask for, found once, when it is asked for first. It is good for one state.
type sight struct {
	s *eventv1.State
	c *eventv1.Creature

	enemies, near, back    []string
	sawFoes, sawNear, held bool
	bar                    error
	sawBar                 bool
	arms                   []*eventv1.OriginalWeapon
	kept                   error
	sawKept                bool
}

// see looks at a state as a creature does.
func see(s *eventv1.State, c *eventv1.Creature) *sight { return &sight{s: s, c: c} }

// sightOf is the sight of who would act.
func sightOf(at *play.At) *sight { return at.Scratch.(*sight) }

// foes are the creatures of other sides that are not dead, in order.
func (v *sight) foes() []string {
	if !v.sawFoes {
		v.enemies, v.sawFoes = foes(v.s, v.c), true
	}
	return v.enemies
}

// engaged are the foes in melee with it that are up, in order.
func (v *sight) engaged() []string {
	if v.sawNear {
		return v.near
	}
	v.sawNear = true
	for _, id := range v.foes() {
		if foe := v.s.Creatures[id]; !out(foe) && inMelee(v.c, foe) {
			v.near = append(v.near, id)
		}
	}
	return v.near
}

// heldBack are the foes that it cannot leave freely: those in melee with it and with
// nobody else of its side.
//
// original.movement.free-disengage
func (v *sight) heldBack() []string {
	if v.held {
		return v.back
	}
	v.held = true
	for _, id := range v.engaged() {
		if !busy(v.s, v.s.Creatures[id], v.c.Id) {
			v.back = append(v.back, id)
		}
	}
	return v.back
}

// busy tells whether a creature is in melee with a foe besides one.
func busy(s *eventv1.State, c *eventv1.Creature, besides string) bool {
	// order-free: any one is enough
	for id, other := range s.Creatures {
		if id != besides && !out(other) && inMelee(c, other) {
			return true
		}
	}
	return false
}

// barred says what keeps it from attacking in this round.
func (v *sight) barred() error {
	if !v.sawBar {
		v.bar, v.sawBar = barred(v.s, v.c), true
	}
	return v.bar
}

// weapons are what it fights with.
func (v *sight) weapons() []*eventv1.OriginalWeapon {
	if v.arms == nil {
		v.arms = weapons(v.c)
	}
	return v.arms
}

// weapon is the weapon that an action is done with; the first when none is named.
func weaponAt(at *play.At) *eventv1.OriginalWeapon {
	for _, w := range sightOf(at).weapons() {
		if w.Name == at.Item() || at.Item() == "" {
			return w
		}
	}
	return emptyHand
}

// armed lists the weapons that an action can be done with, of those that fit. In a
// command none needs to be named: then it is the first of all.
func armed(fits func(w *eventv1.OriginalWeapon) bool) func(at *play.At) []string {
	return func(at *play.At) []string {
		var list []string
		if !at.Listing && at.Item() == "" {
			return anyWeapon
		}
		for _, w := range sightOf(at).weapons() {
			if !at.Listing || fits == nil || fits(w) {
				list = append(list, w.Name)
			}
		}
		return list
	}
}

// anyWeapon is the list of a command that names no weapon.
var anyWeapon = []string{""}

// foesAt lists whom an action against a foe may be aimed at; without any it lists all,
// who say why not.
func foesAt(at *play.At) []string {
	if list := sightOf(at).foes(); len(list) > 0 {
		return list
	}
	return at.Creatures()
}

// placesOf lists the points that a move of so many feet can end at, where they are
// few enough to list: on open ground there are many, and any point will do.
func placesOf(j journey) func(at *play.At) ([]*eventv1.Square, bool) {
	return func(at *play.At) ([]*eventv1.Square, bool) {
		v, from := sightOf(at), at.Actor.Position
		limit := j.feet(v)
		switch {
		case from == nil || limit < squareFeet:
			return nil, false
		case limit > fewFeet:
			return nil, true
		}
		var list []*eventv1.Square
		for y := -limit / squareFeet; y <= limit/squareFeet; y++ {
			for x := -limit / squareFeet; x <= limit/squareFeet; x++ {
				p := &eventv1.Position{X: from.X + x*squareFeet, Y: from.Y + y*squareFeet, Z: from.Z}
				n := feetBetween(from, p)
				take := &eventv1.TakeAction{Creature: at.Actor.Id, Path: []*eventv1.Position{p}}
				if n > 0 && j.fits(v, take, n, p) == nil {
					list = append(list, &eventv1.Square{At: p, Feet: n})
				}
			}
		}
		return list, false
	}
}

const (
	// squareFeet is how far apart the points are that are listed.
	squareFeet = 5
	// fewFeet is the longest move whose points are listed, in feet.
	fewFeet = 15
)

// ready are those of the creatures who can strike now.
func ready(s *eventv1.State, ids []string) []string {
	var list []string
	for _, id := range ids {
		if c := s.Creatures[id]; able(s, c) && barred(s, c) == nil {
			list = append(list, id)
		}
	}
	return list
}

// provokesThoseLeft lists who may strike at one who breaks away.
//
// original.movement.retreat-contest
func provokesThoseLeft(at *play.At) []string { return ready(at.State, sightOf(at).heldBack()) }

// deed carries out an action by a function of actor and command.
func deed(do func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error) func(r *rules.Resolution, at *play.At) error {
	return func(r *rules.Resolution, at *play.At) error { return do(r, at.Actor, at.Take) }
}

// asSeen asks what holds of the actor alone.
func asSeen(refused func(v *sight) error) func(at *play.At) error {
	return func(at *play.At) error { return refused(sightOf(at)) }
}

// ofTarget asks about a target.
func ofTarget(refused func(v *sight, t *eventv1.Creature) error) func(at *play.At, t *eventv1.Creature) error {
	return func(at *play.At, t *eventv1.Creature) error { return refused(sightOf(at), t) }
}
