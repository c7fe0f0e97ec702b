package strike

import (
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Sight is how a state looks to a creature: what many of the questions about its
// actions ask for, found once, when it is asked for first. It is good for one state.
type Sight struct {
	S *eventv1.State
	C *eventv1.Creature

	// Unread says that nobody reads why something cannot be done.
	Unread bool

	enemies, near, back    []string
	sawFoes, sawNear, held bool
	bar                    error
	sawBar                 bool
	arms                   []*eventv1.OriginalWeapon
	armsRoom               [4]*eventv1.OriginalWeapon // for most
	kept                   error
	sawKept                bool
	content                *effects.Book
	count                  body.Count
	counted                bool
}

// See looks at a state as a creature does.
func See(s *eventv1.State, c *eventv1.Creature) *Sight { return &Sight{S: s, C: c} }

// Look is what a place is looked at by.
func Look(at *play.At) *Sight {
	v := play.Fresh[Sight](at)
	v.S, v.C, v.Unread = at.State, at.Actor, at.Unread()
	return v
}

// Refuse makes a refusal, which costs nothing where it is unread.
func (v *Sight) Refuse(reason, rule, format string, words ...string) error {
	return play.RefuseUnless(v.Unread, reason, rule, format, words...)
}

// SightOf is the sight of who would act.
func SightOf(at *play.At) *Sight {
	v := at.Scratch.(*Sight)
	v.content = at.Content
	return v
}

// tables are the tables as content has them.
func (v *Sight) tables() *Tables { return TablesOf(v.content) }

// attacks is how its attacks of the round stand.
func (v *Sight) attacks() *body.Count {
	if !v.counted {
		v.count, v.counted = body.CountOf(v.S, v.C, v.Unread), true
	}
	return &v.count
}

// foes are the creatures of other sides that are not dead, in order.
func (v *Sight) foes() []string {
	if !v.sawFoes {
		v.enemies, v.sawFoes = body.Foes(v.S, v.C), true
	}
	return v.enemies
}

// Engaged are the foes in melee with it that are up, in order.
func (v *Sight) Engaged() []string {
	if v.sawNear {
		return v.near
	}
	v.sawNear = true
	for _, id := range v.foes() {
		if foe := v.S.Creatures[id]; !body.Out(foe) && body.InMelee(v.C, foe) {
			if v.near == nil {
				v.near = make([]string, 0, len(v.foes()))
			}
			v.near = append(v.near, id)
		}
	}
	return v.near
}

// HeldBack are the foes that it cannot leave freely: those in melee with it and with
// nobody else of its side.
//
// original.movement.free-disengage
func (v *Sight) HeldBack() []string {
	if v.held {
		return v.back
	}
	v.held = true
	for _, id := range v.Engaged() {
		if !body.Busy(v.S, v.S.Creatures[id], v.C.Id) {
			v.back = append(v.back, id)
		}
	}
	return v.back
}

// barred says what keeps it from attacking in this round.
func (v *Sight) barred() error {
	if !v.sawBar {
		v.bar, v.sawBar = barred(v.S, v.C, v.Unread), true
	}
	return v.bar
}

// weapons are what it fights with.
func (v *Sight) weapons() []*eventv1.OriginalWeapon {
	if v.arms == nil {
		v.arms = body.AddWeapons(v.armsRoom[:0], v.C)
	}
	return v.arms
}

// weapon is the weapon that an action is done with; the first when none is named.
func WeaponAt(at *play.At) *eventv1.OriginalWeapon {
	for _, w := range SightOf(at).weapons() {
		if w.Name == at.Item() || at.Item() == "" {
			return w
		}
	}
	return body.EmptyHand
}

// Armed lists the weapons that an action can be done with, of those that fit. In a
// command none needs to be named: then it is the first of all.
func Armed(fits func(w *eventv1.OriginalWeapon) bool) func(at *play.At) []string {
	return func(at *play.At) []string {
		if !at.Listing && at.Item() == "" {
			return body.AnyWeapon
		}
		arms := SightOf(at).weapons()
		list := at.Names(len(arms))
		for _, w := range arms {
			if !at.Listing || fits == nil || fits(w) {
				list = append(list, w.Name)
			}
		}
		return list
	}
}

// FoesAt lists whom an action against a foe may be aimed at; without any it lists all,
// who say why not.
func FoesAt(at *play.At) []string {
	if list := SightOf(at).foes(); len(list) > 0 {
		return list
	}
	return at.Creatures()
}

// ready are those of the creatures who can strike now.
func ready(s *eventv1.State, ids []string) []string {
	var list []string
	for _, id := range ids {
		if c := s.Creatures[id]; Able(s, c) && !Barred(s, c) {
			list = append(list, id)
		}
	}
	return list
}

// ProvokesThoseLeft lists who may strike at one who breaks away.
//
// original.movement.retreat-contest
func ProvokesThoseLeft(at *play.At) []string { return ready(at.State, SightOf(at).HeldBack()) }

// AsSeen asks what holds of the actor alone.
func AsSeen(refused func(v *Sight) error) func(at *play.At) error {
	return func(at *play.At) error { return refused(SightOf(at)) }
}

// OfTarget asks about a target.
func OfTarget(refused func(v *Sight, t *eventv1.Creature) error) func(at *play.At, t *eventv1.Creature) error {
	return func(at *play.At, t *eventv1.Creature) error { return refused(SightOf(at), t) }
}
