package dice

import "github.com/skaldrpg/skald/pkg/limits"

// Names of the limits, as a [LimitError] gives them.
const (
	LimitLength     = "length"
	LimitDepth      = "depth"
	LimitElements   = "elements"
	LimitDice       = "dice"
	LimitSides      = "sides"
	LimitExplosions = "explosions"
	LimitDraws      = "draws"
	LimitOddsWork   = "odds-work"
	LimitOddsMemory = "odds-memory"
)

// Limits bounds what one expression may cost. A zero field means its default;
// so does the zero value as a whole.
type Limits struct {
	// Length bounds the text in bytes, as given and as String writes it.
	Length int
	// Depth bounds the nesting of parentheses, pools and unary minus.
	Depth int
	// Elements bounds the elements of one pool.
	Elements int
	// Dice bounds the dice written in the whole expression, before rerolls and
	// explosions. The default leaves room for the 1711d6 of a long fall.
	Dice int
	// Sides bounds the sides of a die.
	Sides int
	// Explosions is how many further dice one die can set off by one
	// modifier. It is part of the meaning of an expression, not an error: the
	// last die of a full chain does not explode any more.
	Explosions int
	// Draws bounds the faces that one evaluation draws, rerolls and explosions
	// included.
	Draws int
	// OddsWork bounds the work of Odds, in multiplications of one machine word.
	OddsWork int64
	// OddsMemory bounds the memory that one computation of odds holds at a
	// time, in bytes, counted before it is allocated.
	OddsMemory int64
	// Spend, if any, is told what Odds is about to do before it does it, in the
	// units of OddsWork and in portions of at least SpendPortion but for the
	// last. An error ends the computation and is returned as it is.
	Spend func(work int64) error
}

// SpendPortion is the least that Limits.Spend is told at a time, but for the
// last portion.
const SpendPortion = 1_000_000

// DefaultLimits returns the limits that the zero value stands for.
func DefaultLimits() Limits {
	return Limits{
		Length:     limits.DiceLength,
		Depth:      limits.DiceDepth,
		Elements:   limits.DiceElements,
		Dice:       limits.DiceDice,
		Sides:      limits.DiceSides,
		Explosions: limits.DiceExplosions,
		Draws:      limits.DiceDraws,
		OddsWork:   limits.OddsWork,
		OddsMemory: limits.OddsOneBytes,
	}
}

// orDefaults replaces zero (and negative) fields by their defaults.
func (l Limits) orDefaults() Limits {
	d := DefaultLimits()
	set := func(field *int, def int) {
		if *field <= 0 {
			*field = def
		}
	}
	set(&l.Length, d.Length)
	set(&l.Depth, d.Depth)
	set(&l.Elements, d.Elements)
	set(&l.Dice, d.Dice)
	set(&l.Sides, d.Sides)
	set(&l.Explosions, d.Explosions)
	set(&l.Draws, d.Draws)
	if l.OddsWork <= 0 {
		l.OddsWork = d.OddsWork
	}
	if l.OddsMemory <= 0 {
		l.OddsMemory = d.OddsMemory
	}
	return l
}

// size is what an expression asks for, counted once when it is parsed.
type size struct {
	length, depth, elements int
	dice, sides             int64
}

// over returns a LimitError when got is more than limit, else nil.
func over(name string, limit int, got int64) error {
	if got > int64(limit) {
		return &LimitError{Limit: name, Max: int64(limit), Got: got}
	}
	return nil
}

// checkText checks what parsing can cost; l has its defaults filled in.
func (l *Limits) checkText(s size) error {
	if err := over(LimitLength, l.Length, int64(s.length)); err != nil {
		return err
	}
	if err := over(LimitDepth, l.Depth, int64(s.depth)); err != nil {
		return err
	}
	return over(LimitElements, l.Elements, int64(s.elements))
}

// check checks all that is known of an expression before it is rolled; l has
// its defaults filled in.
func (l *Limits) check(s size) error {
	if err := l.checkText(s); err != nil {
		return err
	}
	if err := over(LimitDice, l.Dice, s.dice); err != nil {
		return err
	}
	return over(LimitSides, l.Sides, s.sides)
}
