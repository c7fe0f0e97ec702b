package strike

import (
	"errors"

	content "github.com/skaldrpg/skald/pkg/content/basic"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/play/situation"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Shot is what the limits of situations ask about an attack.
type Shot struct {
	Blow
	// feet to the target of a missile, if anybody knows.
	feet  int32
	known bool
	// unaware: the target knows nothing of a missile.
	unaware bool
}

type roll = situation.Roll[Shot]

// situations are what conditions and places add to rolls; situationError says what is
// wrong with the table.
var (
	Situations     *situation.Table[Shot]
	situationError error
)

func init() { // not in the declaration: limits look conditions up, which are read by then
	var table string
	if table, situationError = content.Book().Table(TableSituations); situationError == nil {
		Situations, situationError = ReadSituations(table)
	}
	if situationError != nil {
		Situations = &situation.Table[Shot]{}
	}
	body.BookError = errors.Join(body.BookError, situationError)
}

// SituationsOf are the situations as content has them.
func SituationsOf(made *effects.Book) *situation.Table[Shot] {
	text, changed := house.Situations(made)
	if !changed {
		return Situations
	}
	return made.Memo("basic.situations", func() any {
		t, err := ReadSituations(text)
		if err != nil { // what is wrong with it was said when the pack was checked
			return Situations
		}
		return t
	}).(*situation.Table[Shot])
}

// ReadSituations reads a table of situations.
func ReadSituations(text string) (*situation.Table[Shot], error) {
	return situation.Read(text, limitsOfRolls())
}

// limitsOfRolls are the limits of the table by name.
//
// basic.attack.from-behind, basic.attack.missile-unaware, basic.attack.flanking, basic.action.ranged-attack,
// basic.attack.range-short, basic.attack.range-medium, basic.attack.range-long, basic.attack.missile-within-5
func limitsOfRolls() map[string]situation.Limit[Shot] {
	return map[string]situation.Limit[Shot]{
		"ranged":        func(r *roll) bool { return r.More.Ranged },
		"kick":          func(r *roll) bool { return r.More.Weapon.Name == body.Kick },
		"flat":          func(r *roll) bool { return r.More.Subdual },
		"sneak":         func(r *roll) bool { return r.More.sneak },
		"parting":       func(r *roll) bool { return r.More.Parting },
		"charge":        func(r *roll) bool { return r.More.Charge },
		"first-of-two":  func(r *roll) bool { return r.More.ofTwo == 1 },
		"second-of-two": func(r *roll) bool { return r.More.ofTwo == 2 },
		"beside":        func(r *roll) bool { return r.More.band() == "beside" },
		"short":         func(r *roll) bool { return r.More.band() == "short" },
		"long":          func(r *roll) bool { return r.More.band() == "long" },
		"behind":        func(r *roll) bool { return r.More.fromBehind() },
		"flanking":      flanks,
		"stumbles":      func(r *roll) bool { return body.Counts(r.State, body.ConditionOf(r.Self, body.CondStumbling)) },
	}
}

// flanks tells whether a blow flanks: as stated, or as measured.
func flanks(r *roll) bool {
	if r.More.Ranged {
		return false
	}
	if flanked, stated := body.Told(r.More.Facts, "flanked"); stated {
		return flanked
	}
	return body.Flanking(r.State, r.Self, r.Target)
}

// band is the range of a missile; empty for a blow, and where nobody can measure.
//
// basic.attack.range-short, basic.attack.range-medium, basic.attack.range-long, basic.attack.missile-within-5
func (x *Shot) band() string {
	switch {
	case !x.known:
		return ""
	case x.feet <= body.EngagedFeet && !x.unaware:
		return "beside"
	case x.feet <= x.Weapon.ShortFeet:
		return "short"
	case x.feet <= x.Weapon.MediumFeet:
		return "medium"
	}
	return "long"
}

// fromBehind tells whether an attack comes from behind. Of a parting shot nobody says
// so: its own bonus stands for it.
//
// basic.attack.from-behind, basic.attack.missile-unaware
func (x *Shot) fromBehind() bool {
	return spoken.Truth(x.Facts, "behind") || x.unaware && x.known && x.feet <= body.EngagedFeet
}

// shotOf measures what situations ask about an attack.
func (b Blow) shotOf(s *eventv1.State, a, t *eventv1.Creature) Shot {
	x := Shot{Blow: b}
	if b.Ranged {
		x.feet, x.known = body.Gap(s, a, t, b.Facts)
		x.unaware = spoken.Truth(b.Facts, "unaware")
	}
	return x
}

// Hampered is what its conditions add to a roll of a creature that is no attack.
func Hampered(r *rules.Resolution, c *eventv1.Creature, kind string) []*eventv1.Modifier {
	return SituationsOf(r.Content()).Modifiers(&roll{State: r.State(), Kind: kind, Self: c})
}
