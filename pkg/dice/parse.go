package dice

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	lru "github.com/hashicorp/golang-lru/v2"
)

// parsed are expressions read lately: rules roll the same few again and again. An
// Expr never changes, so that all may share it.
var parsed = newParsed()

// mostParsed bounds how many expressions are kept, longestParsed how long each may be,
// in bytes.
const (
	mostParsed    = 1024
	longestParsed = 64
)

func newParsed() *lru.Cache[string, *Expr] {
	c, err := lru.New[string, *Expr](mostParsed)
	if err != nil {
		panic(err) // a bound below 1
	}
	return c
}

// Parse reads an expression under the default limits. Errors are
// [*SyntaxError], [*LimitError] and [*EndlessError].
func Parse(text string) (*Expr, error) {
	if len(text) <= longestParsed {
		if e, ok := parsed.Get(text); ok {
			return e, nil
		}
	}
	e, err := ParseLimited(text, Limits{})
	if err == nil && len(text) <= longestParsed {
		parsed.Add(text, e)
	}
	return e, err
}

// ParseLimited reads an expression under the limits on length, depth and pool
// elements; the others are checked by Eval and Odds.
func ParseLimited(text string, lim Limits) (*Expr, error) {
	lim = lim.orDefaults()
	if err := over(LimitLength, lim.Length, int64(len(text))); err != nil {
		return nil, err
	}
	p := parser{text: text, lim: lim}
	root, err := p.sum()
	if err != nil {
		return nil, err
	}
	if p.skip(); p.pos < len(p.text) {
		return nil, p.expected("an operator or the end")
	}
	return finish(root, lim)
}

// MustParse is Parse for tests and tables of constants; it panics on an error.
func MustParse(text string) *Expr {
	e, err := Parse(text)
	if err != nil {
		panic(err)
	}
	return e
}

// finish writes the canonical text into every node and counts sizes. The
// canonical text is bounded as well, so that whatever is accepted can be
// stored as String gives it and read again.
func finish(root *node, lim Limits) (*Expr, error) {
	e := &Expr{root: root}
	printTree(root)
	measure(root, 0, &e.size)
	e.size.length = len(root.text)
	if err := lim.checkText(e.size); err != nil {
		return nil, err
	}
	return e, nil
}

// measure counts what the limits bound.
func measure(n *node, depth int, s *size) {
	switch n.kind {
	case KindDice:
		s.dice += n.count
		if s.dice < 0 {
			s.dice = 1<<63 - 1
		}
		s.sides = max(s.sides, int64(n.die.sides))
	case KindPool:
		depth++
		s.elements = max(s.elements, len(n.kids))
	case KindGroup, KindNegate:
		depth++
	}
	s.depth = max(s.depth, depth)
	for _, k := range n.kids {
		inner := depth
		if needsParens(n, k) {
			inner++
		}
		measure(k, inner, s)
	}
}

// parser is a recursive descent parser over bytes; only labels may hold
// anything but ASCII.
type parser struct {
	text  string
	pos   int
	depth int
	lim   Limits
}

// skip passes over white space.
func (p *parser) skip() {
	for p.pos < len(p.text) {
		switch p.text[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

// peek returns the next byte after white space in lower case, 0 at the end.
func (p *parser) peek() byte {
	p.skip()
	return p.at(0)
}

// at returns the byte i places on in lower case, 0 past the end.
func (p *parser) at(i int) byte {
	if p.pos+i >= len(p.text) {
		return 0
	}
	c := p.text[p.pos+i]
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// expected returns a SyntaxError at the present position.
func (p *parser) expected(what string) error {
	p.skip()
	_, n := utf8.DecodeRuneInString(p.text[p.pos:])
	return &SyntaxError{Pos: p.pos, Text: p.text[p.pos : p.pos+n], Expected: what}
}

// enter and leave bound the recursion.
func (p *parser) enter() error {
	p.depth++
	return over(LimitDepth, p.lim.Depth, int64(p.depth))
}

func (p *parser) leave() { p.depth-- }

// sum = product { ("+" | "-") product } .
func (p *parser) sum() (*node, error) {
	return p.chain(p.product, map[byte]Kind{'+': KindAdd, '-': KindSubtract})
}

// product = unary { ("*" | "/") unary } .
func (p *parser) product() (*node, error) {
	return p.chain(p.unary, map[byte]Kind{'*': KindMultiply, '/': KindDivide})
}

// chain reads operands joined by left-associative operators.
func (p *parser) chain(operand func() (*node, error), ops map[byte]Kind) (*node, error) {
	left, err := operand()
	if err != nil {
		return nil, err
	}
	for {
		kind, ok := ops[p.peek()]
		if !ok {
			return left, nil
		}
		p.pos++
		right, err := operand()
		if err != nil {
			return nil, err
		}
		left = &node{kind: kind, kids: []*node{left, right}}
	}
}

// unary = "-" unary | primary .
func (p *parser) unary() (*node, error) {
	if p.peek() != '-' {
		return p.primary()
	}
	p.pos++
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	operand, err := p.unary()
	if err != nil {
		return nil, err
	}
	return &node{kind: KindNegate, kids: []*node{operand}}, nil
}

// primary = ( number | dice | pool | "(" sum ")" ) [ label ] .
func (p *parser) primary() (*node, error) {
	var n *node
	var err error
	switch c := p.peek(); {
	case c == '(':
		n, err = p.parens()
	case c == '{':
		n, err = p.pool()
	case isDigit(c), c == 'd':
		n, err = p.numberOrDice()
	default:
		return nil, p.expected("a number, dice, ( or {")
	}
	if err != nil || p.peek() != '[' {
		return n, err
	}
	label, err := p.label()
	if err != nil {
		return nil, err
	}
	// A label in parentheses stays apart from one around them; only a bare
	// primary takes the label itself.
	bare := n.kind == KindNumber || n.kind == KindDice || n.kind == KindPool
	if !bare || n.label != "" {
		n = &node{kind: KindGroup, kids: []*node{n}}
	}
	n.label = label
	return n, nil
}

func (p *parser) parens() (*node, error) {
	p.pos++
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	n, err := p.sum()
	if err != nil {
		return nil, err
	}
	if p.peek() != ')' {
		return nil, p.expected("an operator or )")
	}
	p.pos++
	return n, nil
}

// pool = "{" sum { "," sum } "}" { select | count } .
func (p *parser) pool() (*node, error) {
	p.pos++
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	n := &node{kind: KindPool}
	for {
		kid, err := p.sum()
		if err != nil {
			return nil, err
		}
		n.kids = append(n.kids, kid)
		if err := over(LimitElements, p.lim.Elements, int64(len(n.kids))); err != nil {
			return nil, err
		}
		c := p.peek()
		if c != ',' && c != '}' {
			return nil, p.expected("an operator, a comma or }")
		}
		p.pos++
		if c == '}' {
			return n, p.modifiers(n)
		}
	}
}

// numberOrDice = number | [ number ] "d" ( number | "%" | "f" ) { modifier } .
func (p *parser) numberOrDice() (*node, error) {
	count := int64(1)
	if isDigit(p.peek()) {
		v, err := p.number()
		if err != nil {
			return nil, err
		}
		if p.peek() != 'd' {
			return &node{kind: KindNumber, num: v}, nil
		}
		count = v
	}
	p.pos++
	n := &node{kind: KindDice, count: count}
	switch c := p.peek(); {
	case c == '%':
		p.pos++
		n.die = die{sides: 100}
	case c == 'f':
		p.pos++
		n.die = die{sides: 3, fate: true}
	case isDigit(c):
		start := p.pos
		sides, err := p.number()
		if err != nil {
			return nil, err
		}
		if sides < 1 || sides > 1<<31-1 {
			p.pos = start
			return nil, p.expected("a number of sides from 1 to 2147483647")
		}
		n.die = die{sides: int(sides)}
	default:
		return nil, p.expected("a number of sides, % or F")
	}
	return n, p.modifiers(n)
}

// number reads an unsigned integer.
func (p *parser) number() (int64, error) {
	p.skip()
	start := p.pos
	for isDigit(p.at(0)) {
		p.pos++
	}
	v, err := strconv.ParseInt(p.text[start:p.pos], 10, 64)
	if err != nil {
		p.pos = start
		return 0, p.expected("a number up to 9223372036854775807")
	}
	return v, nil
}

// signed reads an integer that may have a minus sign.
func (p *parser) signed() (int64, error) {
	start, sign := p.pos, ""
	if p.peek() == '-' {
		p.pos++
		sign = "-"
	}
	if !isDigit(p.peek()) {
		return 0, p.expected("a number")
	}
	digits := p.pos
	for isDigit(p.at(0)) {
		p.pos++
	}
	v, err := strconv.ParseInt(sign+p.text[digits:p.pos], 10, 64)
	if err != nil {
		p.pos = start
		return 0, p.expected("a 64-bit number")
	}
	return v, nil
}

// label reads "[" text "]". White space around the text is dropped.
func (p *parser) label() (string, error) {
	p.pos++
	end := strings.IndexAny(p.text[p.pos:], "[]")
	if end < 0 || p.text[p.pos+end] != ']' {
		return "", p.expected("a label closed by ]")
	}
	text := strings.TrimSpace(p.text[p.pos : p.pos+end])
	bad := func(r rune) bool { return r == utf8.RuneError || unicode.IsControl(r) }
	if text == "" || !utf8.ValidString(text) || strings.ContainsFunc(text, bad) {
		return "", p.expected("a label of printable characters")
	}
	p.pos += end + 1
	if p.peek() == '[' {
		return "", p.expected("no second label")
	}
	return text, nil
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
