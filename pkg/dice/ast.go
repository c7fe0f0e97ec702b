package dice

import (
	"strconv"
	"strings"
)

// Kind says what a node of an expression, and of its result, is.
type Kind string

// The kinds of nodes.
const (
	KindNumber   Kind = "number"   // an integer
	KindDice     Kind = "dice"     // NdS with its modifiers
	KindPool     Kind = "pool"     // {a, b, c} with its modifiers
	KindGroup    Kind = "group"    // (a)[label]
	KindNegate   Kind = "negate"   // -a
	KindAdd      Kind = "add"      // a+b
	KindSubtract Kind = "subtract" // a-b
	KindMultiply Kind = "multiply" // a*b
	KindDivide   Kind = "divide"   // a/b, rounded toward minus infinity
)

// Expr is a parsed expression. It does not change and may be shared by
// goroutines.
type Expr struct {
	root *node
	size size
}

// String returns the canonical text: no spaces, lower case, every default
// written out. Parsing it gives an equal expression (I1).
func (e *Expr) String() string { return e.root.text }

// Dice returns how many dice are rolled in any case; rerolls and explosions
// come on top.
func (e *Expr) Dice() int64 { return e.size.dice }

// Needs lists the sides of the dice that are rolled in any case, in rolling
// order; rerolls and explosions come on top. A die of dF has 3 sides. It is
// what a prompt asks players for who roll real dice.
func (e *Expr) Needs() []int {
	return e.root.needs(nil)
}

// node is one node of the syntax tree.
type node struct {
	kind  Kind
	label string
	text  string // canonical text, label included
	num   int64  // number
	count int64  // dice: how many
	die   die    // dice: which
	mods  []mod  // dice, pool
	kids  []*node
}

func (n *node) needs(out []int) []int {
	for range n.count {
		out = append(out, n.die.sides)
	}
	for _, k := range n.kids {
		out = k.needs(out)
	}
	return out
}

// counting reports whether the node's value is a count of successes.
func (n *node) counting() bool {
	for i := range n.mods {
		if k := n.mods[i].kind; k == modSuccess || k == modFailure {
			return true
		}
	}
	return false
}

// die is a kind of die: sides 1 to n, or a fate die with faces 1, 2, 3 that
// mean -1, 0, +1.
type die struct {
	sides int
	fate  bool
}

// value returns what a face means.
func (d die) value(face int) int64 {
	if d.fate {
		return int64(face) - 2
	}
	return int64(face)
}

// low and high return the least and greatest value of a face.
func (d die) low() int64  { return d.value(1) }
func (d die) high() int64 { return d.value(d.sides) }

func (d die) String() string {
	if d.fate {
		return "dF"
	}
	return "d" + strconv.Itoa(d.sides)
}

// modKind is the kind of a modifier.
type modKind uint8

const (
	modKeepHigh modKind = iota
	modKeepLow
	modDropHigh
	modDropLow
	modReroll
	modRerollOnce
	modRerollOne
	modExplode
	modCompound
	modPenetrate
	modMin
	modMax
	modSuccess
	modFailure
)

// modNames holds the canonical spelling of each modifier.
var modNames = [...]string{
	modKeepHigh: "kh", modKeepLow: "kl", modDropHigh: "dh", modDropLow: "dl",
	modReroll: "rr", modRerollOnce: "ro", modRerollOne: "ra",
	modExplode: "!", modCompound: "!!", modPenetrate: "!p",
	modMin: "mi", modMax: "ma", modSuccess: "cs", modFailure: "cf",
}

// selects reports whether the modifier keeps or drops by rank.
func (k modKind) selects() bool { return k <= modDropLow }

// explodes reports whether the modifier sets off further dice.
func (k modKind) explodes() bool { return k >= modExplode && k <= modPenetrate }

// rerolls reports whether the modifier rolls dice again.
func (k modKind) rerolls() bool { return k >= modReroll && k <= modRerollOne }

// branches reports whether the modifier adds dice that count for themselves.
func (k modKind) branches() bool { return k == modExplode || k == modPenetrate }

// mod is one modifier. For keep and drop n is a count, for mi and ma a bound;
// the others use cmp. An explosion written without comparison compares with
// the die's highest value, and plain is set.
type mod struct {
	kind  modKind
	n     int64
	cmp   compare
	plain bool
	text  string
}

func (m *mod) write(b *strings.Builder) {
	b.WriteString(modNames[m.kind])
	switch {
	case m.kind.selects() || m.kind == modMin || m.kind == modMax:
		b.WriteString(strconv.FormatInt(m.n, 10))
	case m.plain:
	default:
		m.cmp.write(b, m.kind.explodes())
	}
}

// compareOp is the operator of a comparison.
type compareOp uint8

const (
	opEqual compareOp = iota
	opUnequal
	opLess
	opLessEqual
	opGreater
	opGreaterEqual
)

var compareNames = [...]string{"=", "!=", "<", "<=", ">", ">="}

// compare is a test against a fixed number.
type compare struct {
	op compareOp
	n  int64
}

// match reports whether v passes.
func (c compare) match(v int64) bool {
	switch c.op {
	case opEqual:
		return v == c.n
	case opUnequal:
		return v != c.n
	case opLess:
		return v < c.n
	case opLessEqual:
		return v <= c.n
	case opGreater:
		return v > c.n
	default:
		return v >= c.n
	}
}

// matchAll reports whether every value of the die passes.
func (c compare) matchAll(d die) bool {
	if c.op == opUnequal {
		return c.n < d.low() || c.n > d.high()
	}
	return c.match(d.low()) && c.match(d.high())
}

// write writes the shortest spelling that reads back as c: equality as a bare
// number. After an explosion "!=" would read as "explode on", so that
// inequality is written <> there, and a negative number needs its "=" apart.
func (c compare) write(b *strings.Builder, exploding bool) {
	switch {
	case c.op == opEqual && exploding && c.n < 0:
		b.WriteString(" =") // apart, or it is "!="
	case c.op == opEqual:
	case c.op == opUnequal && exploding:
		b.WriteString("<>")
	default:
		b.WriteString(compareNames[c.op])
	}
	b.WriteString(strconv.FormatInt(c.n, 10))
}
