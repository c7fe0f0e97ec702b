package dice

// Result is what an expression came to.
type Result struct {
	Total int64
	Root  Node
	// Faces lists every face drawn, in rolling order (I3).
	Faces []Face
}

// Face is one face as it was drawn.
type Face struct {
	Sides int // 3 for a fate die
	Face  int // 1 to Sides
}

// Node is a part of the expression with what it came to.
type Node struct {
	Kind  Kind
	Text  string // canonical text of this part, label included
	Label string // empty if the part has none
	Value int64
	// Kept is false for an element that its pool dropped. Everything else is
	// kept.
	Kept bool
	// Counting is true when the value counts successes (cs, cf) rather than
	// adding up faces.
	Counting bool
	// Successes is what this element of a counting pool adds to the count.
	Successes int64
	Notes     []Note // what its pool did to this element
	Dice      []Die  // KindDice: every die of the term, in table order
	Children  []Node // operands, or the elements of a pool
}

// Die is one face that was drawn for a term and what became of it. Dice stand
// in table order: a die that came from another follows it.
type Die struct {
	Sides int // 3 for a fate die
	Fate  bool
	Face  int // the natural face, 1 to Sides
	// Value is what the die counts for: the face, or -1, 0, +1 of a fate die,
	// as modifiers left it. Further faces of a compound explosion are added to
	// the first die's value and have value 0 themselves.
	Value int64
	// Kept is true when the die counts toward the term. It is false for a die
	// that was dropped, rerolled or added to another.
	Kept      bool
	Successes int64 // what the die adds to a count of successes
	Notes     []Note
}

// Effect names what a modifier did to a die or an element.
type Effect string

// The effects.
const (
	EffectDropped   Effect = "dropped"   // not among the kept
	EffectRerolled  Effect = "rerolled"  // replaced by the die that follows
	EffectReroll    Effect = "reroll"    // replaces the die before
	EffectExploded  Effect = "exploded"  // set off the die that follows
	EffectExplosion Effect = "explosion" // set off by a die before
	EffectAbsorbed  Effect = "absorbed"  // its face was added to the compounding die before
	EffectPierced   Effect = "pierced"   // set off by penetration: one less than its face
	EffectCapped    Effect = "capped"    // would have exploded but for Limits.Explosions
	EffectRaised    Effect = "raised"    // brought up to the minimum
	EffectLowered   Effect = "lowered"   // brought down to the maximum
	EffectSuccess   Effect = "success"   // counted as a success
	EffectFailure   Effect = "failure"   // counted as a failure
)

// Note is one thing that happened to a die or an element.
type Note struct {
	Effect Effect
	By     string // the modifier that did it, as in rr<3
	Was    int64  // the value before
}

// Has reports whether the effect is among the die's notes.
func (d *Die) Has(effect Effect) bool {
	for i := range d.Notes {
		if d.Notes[i].Effect == effect {
			return true
		}
	}
	return false
}

func (d *Die) note(effect Effect, m *mod) {
	d.Notes = append(d.Notes, Note{Effect: effect, By: m.text, Was: d.Value})
}

// NaturalKept lists the natural faces of the dice that count, in table order.
// Dice within a dropped element of a pool do not count.
func (r *Result) NaturalKept() []int {
	var out []int
	var walk func(n *Node)
	walk = func(n *Node) {
		if !n.Kept {
			return
		}
		for i := range n.Dice {
			if n.Dice[i].Kept {
				out = append(out, n.Dice[i].Face)
			}
		}
		for i := range n.Children {
			walk(&n.Children[i])
		}
	}
	walk(&r.Root)
	return out
}
