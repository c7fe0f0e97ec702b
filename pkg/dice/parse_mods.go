package dice

// diceWords and poolWords list the modifiers spelled with letters.
var (
	diceWords = map[string]modKind{
		"kh": modKeepHigh, "kl": modKeepLow, "dh": modDropHigh, "dl": modDropLow,
		"rr": modReroll, "ro": modRerollOnce, "mi": modMin, "ma": modMax,
		"cs": modSuccess, "cf": modFailure,
	}
	poolWords = map[string]modKind{
		"kh": modKeepHigh, "kl": modKeepLow, "dh": modDropHigh, "dl": modDropLow,
		"cs": modSuccess, "cf": modFailure,
	}
)

const (
	wantDiceModifier = "a modifier (k kh kl dh dl rr ro ! !! !p mi ma cs cf), an operator or the end"
	wantPoolModifier = "a modifier of a pool (k kh kl dh dl cs cf), an operator or the end"
)

// modifiers reads the modifiers of dice or of a pool, in the order in which
// they will apply (I2).
func (p *parser) modifiers(n *node) error {
	for {
		m, ok, err := p.modifier(n.kind == KindPool)
		if err != nil || !ok {
			return err
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
