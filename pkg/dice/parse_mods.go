package dice

import (
	"fmt"
	"slices"
	"strings"
)

// diceWords and poolWords list the modifiers spelled with letters.
var (
	diceWords = map[string]modKind{
		"kh": modKeepHigh, "kl": modKeepLow, "dh": modDropHigh, "dl": modDropLow,
		"rr": modReroll, "ro": modRerollOnce, "ra": modRerollOne, "mi": modMin, "ma": modMax,
		"cs": modSuccess, "cf": modFailure,
	}
	poolWords = map[string]modKind{
		"kh": modKeepHigh, "kl": modKeepLow, "dh": modDropHigh, "dl": modDropLow,
		"cs": modSuccess, "cf": modFailure,
	}
)

const (
	wantDiceModifier = "a modifier (k kh kl dh dl rr ro ra ! !! !p mi ma cs cf), an operator or the end"
	wantPoolModifier = "a modifier of a pool (k kh kl dh dl cs cf), an operator or the end"
)

// modifiers reads the modifiers of dice or of a pool, in the order in which
// they will apply (I2).
func (p *parser) modifiers(n *node) error {
	for {
		if len(n.mods) > 0 {
			if err := p.unambiguous(n); err != nil {
				return err
			}
		}
		at := p.pos
		m, ok, err := p.modifier(n.kind == KindPool)
		if err != nil || !ok {
			return err
		}
		if want := misplaced(n.mods, m.kind); want != "" {
			p.pos = at
			return p.expected(want)
		}
		if m.plain {
			m.cmp = compare{op: opEqual, n: n.die.high()}
		}
		n.mods = append(n.mods, m)
		ends := m.kind != modReroll && !m.kind.explodes()
		if !ends && m.cmp.matchAll(n.die) {
			term := &node{kind: KindDice, count: n.count, die: n.die}
			printTree(term)
			return &EndlessError{Term: term.text, Modifier: m.String()}
		}
	}
}

// misplaced says what is wanted instead of a modifier that cannot stand after others;
// empty when it can. Which die a keep leaves first is lost to the odds, and two rerolls
// of one die each could mean the same die twice.
func misplaced(before []mod, k modKind) string {
	if k != modRerollOne {
		return ""
	}
	for i := range before {
		switch {
		case before[i].kind.selects():
			return "no ra after a keep or drop: write it before, or ro"
		case before[i].kind == modRerollOne:
			return "no second ra in one term"
		}
	}
	return ""
}

// unambiguous refuses a bare relation, and the "!=" that explodes, after
// another modifier (I7). Whoever writes 2d6rr1=1 may mean any of three things,
// and 1d20>=5<=10 is no range: only one of them can be read, and nobody would
// notice that it was another that was meant.
func (p *parser) unambiguous(n *node) error {
	c := p.peek()
	explodes := c == '!' && p.at(1) == '=' && n.kind == KindDice
	if c != '=' && c != '<' && c != '>' && !explodes {
		return nil
	}
	at := *p
	if explodes {
		at.pos++ // past the "!"
	}
	cmp, err := at.compare(false)
	if err != nil {
		return err
	}
	var relation strings.Builder
	cmp.write(&relation, true)
	if explodes {
		return p.expected(fmt.Sprintf("no != after a modifier: write !%s to explode on it, or cs!=%d to count the dice that differ", relation.String(), cmp.n))
	}
	rel := strings.TrimSpace(p.text[p.pos:at.pos])
	term := &node{kind: n.kind, count: n.count, die: n.die, kids: n.kids, mods: slices.Clone(n.mods)}
	printTree(term)
	text := term.text
	if len(text) > longExample {
		text = "..."
	}
	return p.expected(fmt.Sprintf("no %s right after a modifier: write %scs%s to count the dice that match, or {%s}%s to compare their total", rel, text, rel, text, rel))
}

// longExample is how long a text may be to be repeated in an error, bytes.
const longExample = 40

// modifier reads one modifier; ok is false where none stands.
func (p *parser) modifier(pool bool) (m mod, ok bool, err error) {
	switch c := p.peek(); {
	case c == '=' || c == '<' || c == '>':
		m.kind = modSuccess
		m.cmp, err = p.compare(true)
		return m, true, err
	case c == '!' && !pool:
		m, err = p.explosion()
		return m, true, err
	case c < 'a' || c > 'z':
		return m, false, nil
	}
	words, want := diceWords, wantDiceModifier
	if pool {
		words, want = poolWords, wantPoolModifier
	}
	kind, known := words[string([]byte{p.at(0), p.at(1)})]
	switch {
	case known:
		p.pos += 2
	case p.at(0) == 'k':
		kind = modKeepHigh
		p.pos++
	default:
		return m, false, p.expected(want)
	}
	m.kind = kind
	switch {
	case kind.selects():
		m.n = 1
		if isDigit(p.peek()) {
			m.n, err = p.number()
		}
	case kind == modMin || kind == modMax:
		m.n, err = p.signed()
	default:
		m.cmp, err = p.compare(true)
	}
	return m, true, err
}

// explosion reads "!", "!!" or "!p" with an optional comparison. The two
// signs of "!!" must touch; "!=" after dice reads as "explode on".
func (p *parser) explosion() (mod, error) {
	m := mod{kind: modExplode}
	p.pos++
	switch {
	case p.at(0) == '!':
		m.kind = modCompound
		p.pos++
	case p.peek() == 'p':
		m.kind = modPenetrate
		p.pos++
	}
	switch c := p.peek(); {
	case c == '=' || c == '<' || c == '>' || isDigit(c):
		var err error
		m.cmp, err = p.compare(false)
		return m, err
	}
	m.plain = true
	return m, nil
}

// compare reads an operator and a number; a bare number means equality.
// With unequal, "!=" is an operator too ("<>" always is).
func (p *parser) compare(unequal bool) (compare, error) {
	var c compare
	two := string([]byte{p.peek(), p.at(1)})
	switch {
	case two == "<=":
		c.op = opLessEqual
		p.pos += 2
	case two == ">=":
		c.op = opGreaterEqual
		p.pos += 2
	case two == "<>", two == "!=" && unequal:
		c.op = opUnequal
		p.pos += 2
	case two[0] == '<':
		c.op = opLess
		p.pos++
	case two[0] == '>':
		c.op = opGreater
		p.pos++
	case two[0] == '=':
		p.pos++
	case !isDigit(two[0]) && two[0] != '-':
		return c, p.expected("a comparison (a number, or = != < <= > >= and a number)")
	}
	var err error
	c.n, err = p.signed()
	return c, err
}
