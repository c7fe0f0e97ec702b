package effects

import (
	"google.golang.org/protobuf/proto"

	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Kind is a type of effect.
type Kind int

// The kinds of effects, one for each member of Effect.what.
const (
	KindModifier Kind = iota + 1
	KindEdge
	KindCost
	KindNoProvoke
	KindSpeed
	KindResistance
	KindImmunity
	KindExtraAction
	KindReroll
	KindCondition
	KindDamage
	KindSave
	KindAura
	KindUse
	KindReplace
	KindTemporaryHitPoints
	KindHealing
	KindCriticalRange
	KindSet
	KindBar
	KindHook
	kinds
)

// String is the kind as the field of Effect is called.
func (k Kind) String() string {
	names := [...]string{"", "modifier", "edge", "cost", "no_provoke", "speed", "resistance", "immunity", "extra_action",
		"reroll", "condition", "damage", "save", "aura", "use", "replace", "temporary_hit_points", "healing",
		"critical_range", "set", "bar", "hook"}
	if k <= 0 || int(k) >= len(names) {
		return "unknown"
	}
	return names[k]
}

// Support is what a rule system carries out of content. Lists that are nil are
// not checked, but for Kinds: a kind that is not listed is refused.
type Support struct {
	// Kinds of effects and, for those with a point, the points of each, such as
	// "attack", "save", "save/dexterity". A point without '/' stands for its parts
	// too. Kinds without points have an empty list.
	Kinds map[Kind][]string
	// Triggers that the system sets off.
	Triggers []string
	// Actions by id.
	Actions []string
	// Counters that costs and extra actions may name.
	Counters []string
	// Extra are the counters that extra actions alone may name, where costs can name
	// others too; nil means Counters.
	Extra []string
	// Conditions by name.
	Conditions []string
	// DamageTypes by name.
	DamageTypes []string
	// Saves by name: abilities or categories.
	Saves []string
	// OwnSaves: saving throws are made against a number of the creature's own. The
	// difficulty of one that content forces may be left out, which is 0 and means
	// that number; one that is given takes its place.
	OwnSaves bool
	// LowIsBetter are the points where of several values that are set the lowest counts,
	// and not the highest.
	LowIsBetter []string
	// RerollsOne are the points of rolls of which content has one die alone rolled again,
	// even where several are thrown and one is kept; a point without '/' stands for its
	// parts too.
	RerollsOne []string
	// Hooks by name; what each means is the system's to know.
	Hooks []string
	// CheckHook says what is wrong with the values that content gives a hook; nil when
	// nothing is, or when they are not checked.
	CheckHook func(name string, values map[string]string) error
	// InForce tells whether a rule of the system's book counts in a state, for effects of
	// the book's own content that say which rule they are by; nil means always.
	InForce func(state *eventv1.State, rule string) bool
	// Plain tells whether a sheet has nothing of the book's own content, so that a book
	// without packs need not be searched for it; nil means that nobody knows.
	Plain func(sheet *eventv1.Sheet) bool
	// Feat is the i-th of the feats, features, traits and tags of a sheet's section, from
	// 0 on, in that order, found without reflection, for a book that is asked often; nil
	// means that the fields of those names are read.
	Feat func(sheet *eventv1.Sheet, i int) (name string, ok bool)
	// Areas tells whether spells with an area are carried out.
	Areas bool
	// Fit finishes a thing that a sheet took from content, such as a weapon's
	// attack bonus from its wielder's abilities. Given is what the sheet itself
	// says of it, which stands. May be nil.
	Fit func(sheet *eventv1.Sheet, given, thing proto.Message)
	// Table is the text of one of the system's tables by name.
	Table func(name string) (csv string, found bool)
	// CheckTables says what is wrong with the system's tables when they are read
	// from open; nil when the system cannot be played with other tables.
	CheckTables func(open func(name string) (string, error)) error
}

// Base is what packs are laid over: a rule system and its book.
type Base struct {
	// System id.
	System string
	// Support of the system.
	Support Support
	// Settings by id with their defaults.
	Settings map[string]string
	// Values are the values that a setting may have, by id; none means a whole
	// number.
	Values map[string][]string
	// Rule tells whether the book has a rule of the id; nil means that ids are not
	// checked.
	Rule func(id string) bool
	// Content is the book's own weapons, armour, items, spells, feats, conditions
	// and injuries; may be nil.
	Content *contentv1.Pack
}

// Pinned is a pack and the digest under which it is stored.
type Pinned struct {
	// Digest in lower-case hexadecimal digits.
	Digest string
	// Pack is the content; it must not be changed afterwards.
	Pack *contentv1.Pack
}

// Problem is something wrong with a pack.
type Problem struct {
	// Field is the path within the pack, such as
	// "feats[sharpshooter].effects[0].modifier.amount".
	Field string
	// Text says what is wrong.
	Text string
	// Got and Known are a word that is not known and those that are, for a hint.
	Got   string
	Known []string
}
