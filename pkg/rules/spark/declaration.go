package spark

import (
	"encoding/json"
	"fmt"
	"slices"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Kinds of declarations; they are the ids of their actions.
const (
	kindAttack   = "attack"
	kindCharge   = "charge"
	kindBullRush = "bull-rush"
	kindCast     = "cast"
	kindMove     = "move"
	kindDeed     = "deed"
	kindRestring = "restring"
	kindRefit    = "refit"
	kindGather   = "gather"
	kindBash     = "bash"
)

// strike is one attack of a sequence.
type strike struct {
	// Weapon by name.
	Weapon string `json:"weapon"`
	// Target by id.
	Target string `json:"target"`
	// Class named for a weapon of several kinds; empty for its first.
	Class string `json:"class,omitempty"`
	// Ranged: shot or thrown.
	Ranged bool `json:"ranged,omitempty"`
	// Risk: a cracked weapon is used regardless.
	Risk bool `json:"risk,omitempty"`
	// Sneak: the dice of a sneak attack count.
	Sneak bool `json:"sneak,omitempty"`
}

// extra is the bonus action of a declaration.
type extra struct {
	// Kind: off-hand, potion, activate, feat, draw, pick-up, free, gather.
	Kind string `json:"kind"`
	// Item is the weapon, item or feat.
	Item string `json:"item"`
	// Class named for an off-hand weapon of several kinds.
	Class string `json:"class,omitempty"`
	// Target of an off-hand attack or of an item.
	Target string `json:"target,omitempty"`
	// First: before the main deed instead of after it.
	First bool `json:"first,omitempty"`
}

// is tells whether a bonus action makes a weapon ready in a certain way.
func (b *extra) is(kind string) bool { return b != nil && b.Kind == kind }

// on is the bonus action as far as it is about a weapon; nil otherwise.
func (b *extra) on(weapon string) *extra {
	if b == nil || b.Item != weapon {
		return nil
	}
	return b
}

// spot is a position.
type spot struct {
	X int32 `json:"x"`
	Y int32 `json:"y"`
	Z int32 `json:"z,omitempty"`
}

func (p spot) position() *eventv1.Position { return &eventv1.Position{X: p.X, Y: p.Y, Z: p.Z} }

// declaration is what a combatant means to do this round. It is kept as a mark,
// sealed until everybody has declared.
//
// spark.turn.declare
type declaration struct {
	// Kind of full round action.
	Kind string `json:"kind"`
	// Strikes of the attack action, in sequence.
	Strikes []strike `json:"strikes,omitempty"`
	// Spell by name.
	Spell string `json:"spell,omitempty"`
	// Targets of a spell or a deed.
	Targets []string `json:"targets,omitempty"`
	// Path of the move; the last point is the destination.
	Path []spot `json:"path,omitempty"`
	// Feet moved.
	Feet int32 `json:"feet,omitempty"`
	// Stand up instead of moving.
	Stand bool `json:"stand,omitempty"`
	// Held: the move is contested and made at the deed's place in the order.
	Held bool `json:"held,omitempty"`
	// Text of a deed.
	Text string `json:"text,omitempty"`
	// Rival whose deed this one races.
	Rival string `json:"rival,omitempty"`
	// Weapon to be strung, or whose missiles are gathered.
	Weapon string `json:"weapon,omitempty"`
	// Thing to be bashed.
	Thing *thing `json:"thing,omitempty"`
	// Body part whose muscles a deed's Strength check needs, upper or lower; and
	// the DC of that check.
	Body string `json:"body,omitempty"`
	DC   int32  `json:"dc,omitempty"`
	// Bonus action; nil for none.
	Bonus *extra `json:"bonus,omitempty"`
	// Stated facts, which beat measured ones.
	Stated stated `json:"stated"`
}

// nobody is who stands behind an attacker where it is stated that none does.
const nobody = "nobody"

// stated are facts given with a declaration.
type stated struct {
	// Distance to the targets in feet, when known.
	Distance *int32 `json:"distance,omitempty"`
	// Near are the combatants within the distance that a stray blow reaches; nil
	// when not stated.
	Near []string `json:"near"`
	// Behind is who stands behind the attacker; "nobody" for none.
	Behind string `json:"behind,omitempty"`
	// Nearest are those nearest to the attacker; nil when not stated.
	Nearest []string `json:"nearest"`
	// InRange are those within the weapon's range; nil when not stated.
	InRange []string `json:"in_range"`
	// Provokes are the enemies that the move leaves; nil when not stated.
	Provokes []string `json:"provokes"`
	// Direction that a weapon flies in, 1 to 8; 0 when not stated.
	Direction int32 `json:"direction,omitempty"`
	// Edges and Mods are circumstances of the attacks.
	Edges []edge `json:"edges,omitempty"`
	Mods  []edge `json:"mods,omitempty"`
}

// edge is a stated circumstance.
type edge struct {
	// Advantage, otherwise disadvantage; for modifiers of no meaning.
	Advantage bool `json:"advantage,omitempty"`
	// Value of a modifier.
	Value int32 `json:"value,omitempty"`
	// Cause in words.
	Cause string `json:"cause"`
	// Target it is about; empty for all.
	Target string `json:"target,omitempty"`
}

// encode writes a declaration as the word of a mark. Its fields are written in
// their order, so that the word is the same in every run.
func (d *declaration) encode() (string, error) {
	data, err := json.Marshal(d)
	if err != nil {
		return "", fmt.Errorf("spark: declaration: %w", err)
	}
	return string(data), nil
}

// decode reads a declaration out of a mark; nil when there is none.
func decode(mark string) *declaration {
	d := &declaration{}
	if mark == "" || json.Unmarshal([]byte(mark), d) != nil {
		return nil
	}
	return d
}

// forget leaves out of a declaration those who have left the field since. The
// only target of a spell stays named, lest it fall on the caster; it finds nobody.
//
// spark.turn.declare
func (d *declaration) forget(left func(id string) bool) {
	for _, list := range []*[]string{&d.Stated.Near, &d.Stated.Nearest, &d.Stated.InRange, &d.Stated.Provokes} {
		*list = slices.DeleteFunc(*list, left)
	}
	if d.Stated.Behind != nobody && d.Stated.Behind != "" && left(d.Stated.Behind) {
		d.Stated.Behind = nobody
	}
	if slices.ContainsFunc(d.Targets, func(id string) bool { return !left(id) }) {
		d.Targets = slices.DeleteFunc(d.Targets, left)
	}
}

// fillsRound tells whether a kind of declaration leaves neither move nor bonus action.
func fillsRound(kind string) bool { return kind == kindRestring || kind == kindRefit }

// attacks tells whether a kind of declaration makes attacks with weapons.
func attacks(kind string) bool {
	return kind == kindAttack || kind == kindCharge || kind == kindBullRush
}
