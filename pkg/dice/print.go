package dice

import (
	"strconv"
	"strings"
)

// printTree writes the canonical text of a tree and gives each node its part of
// that one string.
func printTree(root *node) {
	var b strings.Builder
	var spans []span
	write(root, &b, &spans)
	all := b.String()
	for _, s := range spans {
		s.node.text = all[s.from:s.to]
	}
}

// span is where in the text a node stands, label included and the parentheses
// around it left out.
type span struct {
	node     *node
	from, to int
}

// rank orders kinds by how tightly they bind.
func rank(k Kind) int {
	switch k {
	case KindAdd, KindSubtract:
		return 1
	case KindMultiply, KindDivide:
		return 2
	case KindNegate:
		return 3
	}
	return 4
}

// needsParens reports whether a child must stand in parentheses to be read
// back in its place.
func needsParens(parent, kid *node) bool {
	pr, kr := rank(parent.kind), rank(kid.kind)
	if pr == 4 {
		return false // groups and pools bring their own
	}
	right := len(parent.kids) == 2 && kid == parent.kids[1]
	return kr < pr || right && kr == pr
}

var operators = map[Kind]byte{
	KindAdd: '+', KindSubtract: '-', KindMultiply: '*', KindDivide: '/',
}

func write(n *node, b *strings.Builder, spans *[]span) {
	from := b.Len()
	kid := func(k *node) {
		parens := needsParens(n, k)
		if parens {
			b.WriteByte('(')
		}
		write(k, b, spans)
		if parens {
			b.WriteByte(')')
		}
	}
	switch n.kind {
	case KindNumber:
		b.WriteString(strconv.FormatInt(n.num, 10))
	case KindDice:
		b.WriteString(strconv.FormatInt(n.count, 10))
		b.WriteString(n.die.String())
	case KindPool:
		for i, k := range n.kids {
			b.WriteByte("{,"[min(i, 1)])
			kid(k)
		}
		b.WriteByte('}')
	case KindGroup:
		b.WriteByte('(')
		kid(n.kids[0])
		b.WriteByte(')')
	case KindNegate:
		b.WriteByte('-')
		kid(n.kids[0])
	default:
		kid(n.kids[0])
		b.WriteByte(operators[n.kind])
		kid(n.kids[1])
	}
	writeMods(n.mods, b)
	if n.label != "" {
		b.WriteByte('[')
		b.WriteString(n.label)
		b.WriteByte(']')
	}
	*spans = append(*spans, span{n, from, b.Len()})
}

// writeMods writes modifiers and gives each its text. Two explosions in a row
// are kept apart by a space where they would read as one.
func writeMods(mods []mod, b *strings.Builder) {
	for i := range mods {
		m := &mods[i]
		if i > 0 && m.kind.explodes() && mods[i-1].kind == modExplode && mods[i-1].plain {
			b.WriteByte(' ')
		}
		m.text = m.String()
		b.WriteString(m.text)
	}
}

// String returns the modifier's canonical text.
func (m *mod) String() string {
	var b strings.Builder
	m.write(&b)
	return b.String()
}
