package declaring

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// Kinds of declarations; they are the ids of their actions.
const (
	KindAttack   = "attack"
	KindCharge   = "charge"
	KindBullRush = "bull-rush"
	KindCast     = "cast"
	KindMove     = "move"
	KindDeed     = "deed"
	KindRestring = "restring"
	KindRefit    = "refit"
	KindGather   = "gather"
	KindBash     = "bash"
)

// Strike is one attack of a sequence.
type Strike struct {
	// Weapon by name.
	Weapon string
	// Target by id.
	Target string
	// Class named for a weapon of several kinds; empty for its first.
	Class string
	// Ranged: shot or thrown.
	Ranged bool
	// Risk: a cracked weapon is used regardless.
	Risk bool
	// Sneak: the dice of a sneak attack count.
	Sneak bool
	// Reaches: the target is in reach, as stated.
	Reaches bool
}

// Declaration is what a combatant means to do this round: its command as the round
// reads it. The command is kept, sealed until everybody has declared.
//
// spark.turn.declare
type Declaration struct {
	// Kind of full round action.
	Kind string
	// Strikes of the attack action, in sequence.
	Strikes []Strike
	// Spell by name.
	Spell string
	// Targets of a spell or a deed.
	Targets []string
	// Path of the move; the last point is the destination.
	Path []*eventv1.Position
	// Feet moved.
	Feet int32
	// Stand up instead of moving.
	Stand bool
	// Contested: the move is made at the deed's place in the order.
	Contested bool
	// Text of a deed.
	Text string
	// Rival whose deed this one races.
	Rival string
	// Weapon to be strung, or whose missiles are gathered.
	Weapon string
	// Thing to be bashed.
	Thing *Thing
	// Body part whose muscles a deed's Strength check needs, upper or lower; and
	// the DC of that check.
	Body string
	DC   int32
	// Bonus action; nil for none.
	Bonus *body.Extra
	// Stated facts, which beat measured ones.
	Stated Stated
}

// Nobody is who stands behind an attacker where it is stated that none does.
const Nobody = "nobody"

// Stated are facts given with a declaration.
type Stated struct {
	// Distance to the targets in feet, when known.
	Distance *int32
	// Near are the combatants within the distance that a stray blow reaches; nil
	// when not stated.
	Near []string
	// Behind is who stands behind the attacker; "nobody" for none.
	Behind string
	// Nearest are those nearest to the attacker; nil when not stated.
	Nearest []string
	// InRange are those within the weapon's range; nil when not stated.
	InRange []string
	// Provokes are the enemies that the move leaves; nil when not stated.
	Provokes []string
	// Direction that a weapon flies in, 1 to 8; 0 when not stated.
	Direction int32
	// Edges and Mods are circumstances of the attacks.
	Edges []edge
	Mods  []edge
}

// edge is a stated circumstance.
type edge struct {
	// Advantage, otherwise disadvantage; for modifiers of no meaning.
	Advantage bool
	// Value of a modifier.
	Value int32
	// Cause in words.
	Cause string
	// Target it is about; empty for all.
	Target string
}

// plan reads a command as a declaration, with what a table's own content makes of its
// numbers. It refuses nothing: what can not be
// declared, judge says.
func plan(own *effects.Book, c *eventv1.Creature, take *eventv1.TakeAction) *Declaration {
	p := take.GetParameters()
	d := &Declaration{Kind: take.Action, Text: spoken.Word(p, "text"), Stand: spoken.Truth(p, "stand"), Contested: spoken.Truth(p, "contested"),
		Path: take.Path, Feet: feetOf(c, take), Bonus: extraOf(c, take)}
	d.state(take)
	switch d.Kind {
	case KindAttack, KindCharge, KindBullRush:
		d.Strikes = strikesOf(c, take)
	case KindCast:
		d.Spell, d.Targets = take.Item, slices.Clone(take.Targets)
	case KindDeed:
		d.Rival, d.Targets, d.Body, d.DC = spoken.Word(p, "rival"), slices.Clone(take.Targets), spoken.Word(p, "strength_check"), checkDC(p)
	case KindBash:
		d.Thing = thingOf(own, p)
	case KindRestring, KindRefit, KindGather:
		d.Weapon = take.Item
	}
	return d
}

// DeclarationOf is what a creature has begun of a kind; nil when there is nothing.
// How far its move goes was measured when it declared.
func DeclarationOf(own *effects.Book, c *eventv1.Creature, kind string) *Declaration {
	b := rules.BegunOf(c, kind)
	if b.GetAction() == nil {
		return nil
	}
	d := plan(own, c, b.Action)
	d.Feet = b.Values["feet"]
	return d
}

// state takes over the stated facts.
func (d *Declaration) state(take *eventv1.TakeAction) {
	f := take.GetFacts()
	if n, ok := spoken.Number(f, "distance"); ok {
		d.Stated.Distance = &n
	}
	if behind, stated := spoken.Words(f, "behind"); stated {
		d.Stated.Behind = Nobody
		if len(behind) > 0 {
			d.Stated.Behind = behind[0]
		}
	}
	d.Stated.Nearest = listOf(spoken.Words(f, "nearest"))
	d.Stated.Near = listOf(spoken.Words(f, "near"))
	d.Stated.InRange = listOf(spoken.Words(f, "in_range"))
	d.Stated.Provokes = listOf(spoken.Words(f, "provokes"))
	d.Stated.Direction, _ = spoken.Number(f, "direction")
	for _, x := range take.Circumstances {
		e := edge{Advantage: x.Direction == "advantage", Value: x.Value, Cause: x.Cause, Target: x.Target}
		if x.Direction == "modifier" {
			d.Stated.Mods = append(d.Stated.Mods, e)
			continue
		}
		d.Stated.Edges = append(d.Stated.Edges, e)
	}
}

// listOf is a list that was stated, and nil where none was.
func listOf(ids []string, stated bool) []string {
	if !stated {
		return nil
	}
	return ids
}

// feetOf is the length of a move: of its path, or the feet where there is no map.
// What the facts state of it beats both.
func feetOf(c *eventv1.Creature, take *eventv1.TakeAction) int32 {
	if n, ok := spoken.Number(take.GetFacts(), "feet"); ok {
		return n
	}
	if n, ok := spoken.Number(take.GetParameters(), "feet"); ok {
		return n
	}
	feet, from := int32(0), c.Position
	for _, p := range take.Path {
		if from != nil {
			feet += grid.Steps(from, p)
		}
		from = p
	}
	return feet
}

// strikesOf reads the attacks: one for each target, with the weapon that the
// command is about or the one named for each.
func strikesOf(c *eventv1.Creature, take *eventv1.TakeAction) []Strike {
	p := take.GetParameters()
	names, _ := spoken.Words(p, "weapons")
	classes, _ := spoken.Words(p, "classes")
	strikes := make([]Strike, 0, len(take.Targets))
	for i, target := range take.Targets {
		st := Strike{Weapon: take.Item, Target: target, Ranged: spoken.Truth(p, "throw"), Sneak: spoken.Truth(p, "sneak")}
		if i < len(names) {
			st.Weapon = names[i]
		}
		switch {
		case len(classes) == 1:
			st.Class = classes[0] // one for all
		case i < len(classes):
			st.Class = classes[i]
		}
		w := body.WeaponOf(c, st.Weapon)
		st.Ranged = st.Ranged || w != nil && w.ReachFeet == 0
		st.Risk = risks(p, c, st.Weapon)
		strikes = append(strikes, st)
	}
	return strikes
}

// risks tells whether a command takes a weapon although it is cracked.
//
// spark.fumble.weapon-cracked, spark.item.cracked
func risks(p *structpb.Struct, c *eventv1.Creature, weapon string) bool {
	return spoken.Truth(p, UseCracked) && body.IsCracked(c, weapon)
}

// extraOf reads the bonus action, "KIND:ITEM"; nil when there is none. An off-hand
// attack without a target of its own is on the first of the others.
func extraOf(c *eventv1.Creature, take *eventv1.TakeAction) *body.Extra {
	p := take.GetParameters()
	asked, _ := spoken.Words(p, "bonus")
	if len(asked) == 0 {
		return nil
	}
	kind, item, _ := strings.Cut(asked[0], ":")
	b := &body.Extra{Kind: kind, Item: item, Class: spoken.Word(p, "bonus_class"), Target: spoken.Word(p, "bonus_target"), First: spoken.Truth(p, "bonus_first")}
	b.Risk = risks(p, c, item)
	if b.Target == "" && kind == "off-hand" && len(take.Targets) > 0 {
		b.Target = take.Targets[0]
	}
	if b.Target == "" {
		b.Target = c.Id
	}
	return b
}

// checkDC is the DC of a deed's Strength check.
func checkDC(p *structpb.Struct) int32 {
	if dc, given := spoken.Number(p, "dc"); given {
		return dc
	}
	return UsualDC
}

// thingOf reads what is to be bashed: its DC as stated, or by material and
// enchantment.
//
// spark.item.hardness-table, spark.item.enchantment-hardness
func thingOf(own *effects.Book, p *structpb.Struct) *Thing {
	what := &Thing{Name: spoken.Word(p, "object")}
	if dc, given := spoken.Number(p, "dc"); given {
		what.DC = dc
		return what
	}
	plus, _ := spoken.Number(p, "enchantment")
	dc := body.Hardness(own, spoken.Word(p, "material"), plus)
	what.DC, what.Rule = dc.Value, dc.Rule
	return what
}

// Forget leaves out of a declaration those who have left the field since. The
// only target of a spell stays named, lest it fall on the caster; it finds nobody.
//
// spark.turn.declare
func (d *Declaration) Forget(left func(id string) bool) {
	for _, list := range []*[]string{&d.Stated.Near, &d.Stated.Nearest, &d.Stated.InRange, &d.Stated.Provokes} {
		*list = slices.DeleteFunc(*list, left)
	}
	if d.Stated.Behind != Nobody && d.Stated.Behind != "" && left(d.Stated.Behind) {
		d.Stated.Behind = Nobody
	}
	if slices.ContainsFunc(d.Targets, func(id string) bool { return !left(id) }) {
		d.Targets = slices.DeleteFunc(d.Targets, left)
	}
}

// Moves tells whether a declaration holds a move, a stated length or a way.
func (d *Declaration) Moves() bool { return d.Feet > 0 || len(d.Path) > 0 }

// FillsRound tells whether a kind of declaration leaves neither move nor bonus action.
func FillsRound(kind string) bool { return kind == KindRestring || kind == KindRefit }

// attacks tells whether a kind of declaration makes attacks with weapons.
func attacks(kind string) bool {
	return kind == KindAttack || kind == KindCharge || kind == KindBullRush
}
