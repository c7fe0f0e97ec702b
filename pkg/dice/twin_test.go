package dice

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// twin is a second, obviously slow reading of the notation: it goes through
// every way in which the dice can fall. It shares only the syntax tree with
// the package.
type twin struct {
	path  []int // the choice taken at each fall, by index
	sizes []int // how many choices there were
	faces []int // the faces of the falls, as Eval would draw them
	cap   int
}

// pick chooses one of the values, all equally likely.
func (w *twin) pick(values []int64) int64 {
	i := len(w.sizes)
	if i == len(w.path) {
		w.path = append(w.path, 0)
	}
	w.sizes = append(w.sizes, len(values))
	return values[w.path[i]]
}

// next moves on to the next path; false after the last.
func (w *twin) next() bool {
	for i := len(w.path) - 1; i >= 0; i-- {
		if w.path[i]+1 < w.sizes[i] {
			w.path = append(w.path[:i], w.path[i]+1)
			w.sizes, w.faces = w.sizes[:0], w.faces[:0]
			return true
		}
	}
	return false
}

func (w *twin) roll(d die, allowed func(int64) bool) int64 {
	var values []int64
	for f := 1; f <= d.sides; f++ {
		v := int64(f)
		if d.fate {
			v = int64(f - 2)
		}
		if allowed(v) {
			values = append(values, v)
		}
	}
	v := w.pick(values)
	f := int(v)
	if d.fate {
		f += 2
	}
	w.faces = append(w.faces, f)
	return v
}

func anything(int64) bool { return true }

type twinDie struct{ v, s int64 }

func (w *twin) eval(n *node) int64 {
	switch n.kind {
	case KindNumber:
		return n.num
	case KindDice:
		var all []twinDie
		for range n.count {
			all = append(all, twinDie{v: w.roll(n.die, anything)})
		}
		return w.finish(n, all)
	case KindPool:
		var all []twinDie
		for _, k := range n.kids {
			all = append(all, twinDie{v: w.eval(k)})
		}
		return w.finish(n, all)
	case KindGroup:
		return w.eval(n.kids[0])
	case KindNegate:
		return -w.eval(n.kids[0])
	}
	a, b := w.eval(n.kids[0]), w.eval(n.kids[1])
	switch n.kind {
	case KindAdd:
		return a + b
	case KindSubtract:
		return a - b
	case KindMultiply:
		return a * b
	}
	q := new(big.Rat).SetFrac64(a, b) // panics on zero; the generator has none
	return new(big.Int).Div(new(big.Int).Mul(q.Num(), big.NewInt(1)), q.Denom()).Int64()
}

func (w *twin) finish(n *node, all []twinDie) int64 {
	counting := false
	for _, m := range n.mods {
		var out []twinDie
		switch m.kind {
		case modKeepHigh:
			out = twinKeep(all, true, m.n)
		case modKeepLow:
			out = twinKeep(all, false, m.n)
		case modDropHigh:
			out = twinKeep(all, false, int64(len(all))-m.n)
		case modDropLow:
			out = twinKeep(all, true, int64(len(all))-m.n)
		default:
			counting = counting || m.kind == modSuccess || m.kind == modFailure
			used := false
			for _, d := range all {
				if m.kind == modRerollOne {
					if !used && m.cmp.match(d.v) {
						used, d = true, twinDie{v: w.roll(n.die, anything)}
					}
					out = append(out, d)
					continue
				}
				out = append(out, w.touch(n.die, m, d)...)
			}
		}
		all = out
	}
	sum := int64(0)
	for _, d := range all {
		if counting {
			sum += d.s
		} else {
			sum += d.v
		}
	}
	return sum
}

// twinKeep throws out the worst die, the latest among equals, until k are left.
func twinKeep(all []twinDie, high bool, k int64) []twinDie {
	out := slices.Clone(all)
	for int64(len(out)) > max(k, 0) {
		worst := 0
		for i, d := range out {
			w := out[worst]
			if d == w || (d.v < w.v || d.v == w.v && d.s < w.s) == high {
				worst = i
			}
		}
		out = slices.Delete(out, worst, worst+1)
	}
	return out
}

func (w *twin) touch(d die, m mod, x twinDie) []twinDie {
	hit := m.cmp.match(x.v)
	switch {
	case m.kind == modMin:
		x.v = max(x.v, m.n)
	case m.kind == modMax:
		x.v = min(x.v, m.n)
	case !hit:
	case m.kind == modSuccess:
		x.s++
	case m.kind == modFailure:
		x.s--
	case m.kind == modRerollOnce:
		return []twinDie{{v: w.roll(d, anything)}}
	case m.kind == modReroll:
		return []twinDie{{v: w.roll(d, func(v int64) bool { return !m.cmp.match(v) })}}
	default:
		out := []twinDie{x}
		for i := 0; i < w.cap && hit; i++ {
			v := w.roll(d, anything)
			hit = m.cmp.match(v)
			switch m.kind {
			case modCompound:
				out[0].v += v
			case modPenetrate:
				out = append(out, twinDie{v: v - 1})
			default:
				out = append(out, twinDie{v: v})
			}
		}
		return out
	}
	return []twinDie{x}
}

// twinOdds returns the distribution found by going through all paths, or nil
// when there are more than most. With check, each path is also evaluated.
func twinOdds(t interface{ Fatalf(string, ...any) }, e *Expr, lim Limits, most int, check bool) map[int64]*big.Rat {
	w, out := twin{cap: lim.Explosions}, map[int64]*big.Rat{}
	for paths := 0; ; paths++ {
		if paths == most {
			return nil
		}
		v, p := w.eval(e.root), big.NewRat(1, 1)
		for _, n := range w.sizes {
			p.Mul(p, big.NewRat(1, int64(n)))
		}
		if out[v] == nil {
			out[v] = new(big.Rat)
		}
		out[v].Add(out[v], p)
		if check {
			l := List(w.faces...)
			r, err := e.Eval(l, lim)
			if err != nil || r.Total != v || l.Left() != 0 {
				t.Fatalf("%s over %v: Eval gives %v, %v with %d left; twin %d", e, w.faces, r, err, l.Left(), v)
			}
		}
		if !w.next() {
			return out
		}
	}
}

// drawMod generates a modifier for a die of the sides given; 0 for a pool.
func drawMod(t *rapid.T, sides int) string {
	n := func(lo, hi int) string { return fmt.Sprint(rapid.IntRange(lo, hi).Draw(t, "n")) }
	kinds := []string{"kh", "kl", "dh", "dl", "cs", "cf", "cs>=", "cf<"}
	if sides > 0 {
		kinds = append(kinds, "rr", "ro", "ra", "ra<", "!", "!!", "!p", "mi", "ma", "ro>=", "!>", "!!<", "rr<>")
	}
	kind := rapid.SampledFrom(kinds).Draw(t, "modifier")
	switch kind[0] {
	case 'k', 'd':
		return kind + n(0, 3)
	case '!':
		if rapid.Bool().Draw(t, "plain") && !strings.ContainsAny(kind, "<>") {
			return kind + " "
		}
	}
	return kind + n(1, max(sides, 6))
}

// drawTerm generates a small expression.
func drawTerm(t *rapid.T, depth int) string {
	switch k := rapid.IntRange(0, 9).Draw(t, "kind"); {
	case k <= 5 || depth == 0:
		sides := rapid.IntRange(1, 4).Draw(t, "sides")
		s := fmt.Sprintf("%dd%d", rapid.IntRange(0, 3).Draw(t, "count"), sides)
		if rapid.IntRange(0, 7).Draw(t, "fate") == 0 {
			s, sides = "2dF", 2
		}
		last := false // no "ra" from here on
		for range rapid.IntRange(0, 4).Draw(t, "modifiers") {
			m := drawMod(t, sides)
			one := strings.HasPrefix(m, "ra")
			if one && last {
				continue
			}
			last = last || one || m[0] == 'k' || m[0] == 'd'
			s += m
		}
		return s
	case k == 6:
		return fmt.Sprint(rapid.IntRange(0, 9).Draw(t, "number"))
	case k == 7:
		op := rapid.SampledFrom([]string{"+", "-", "*"}).Draw(t, "operator")
		return "(" + drawTerm(t, depth-1) + ")" + op + "(" + drawTerm(t, depth-1) + ")"
	case k == 8:
		return "-(" + drawTerm(t, depth-1) + ")/" + fmt.Sprint(rapid.SampledFrom([]int{-3, -2, 2, 3}).Draw(t, "divisor"))
	}
	var parts []string
	for range rapid.IntRange(1, 3).Draw(t, "elements") {
		parts = append(parts, drawTerm(t, depth-1))
	}
	s := "{" + strings.Join(parts, ",") + "}"
	for range rapid.IntRange(0, 3).Draw(t, "modifiers") {
		s += drawMod(t, 0)
	}
	return s
}

// I1 and I6 and I2: odds, evaluation and canonical text against the twin.
func TestOddsAgainstTwin(t *testing.T) {
	compared := 0
	check := func(t *rapid.T) {
		text := drawTerm(t, 2)
		e, err := Parse(text)
		if code := Code(err); code == CodeEndless || code == "dice.limit.length" {
			return
		}
		if err != nil {
			t.Fatalf("Parse(%q): %v", text, err)
		}
		if again, err := Parse(e.String()); err != nil || !sameTree(e.root, again.root) {
			t.Fatalf("%q does not read back from %q: %v", text, e, err)
		}
		lim := Limits{Explosions: rapid.IntRange(1, 3).Draw(t, "cap")}
		want := twinOdds(t, e, lim, 3_000, !strings.Contains(e.String(), "rr"))
		if want == nil {
			return
		}
		got, err := e.Odds(lim)
		if err != nil {
			t.Fatalf("%s: %v", e, err)
		}
		sameOdds(t, e.String(), got, want)
		compared++
	}
	for range 10 {
		rapid.Check(t, check)
	}
	t.Logf("%d expressions compared", compared)
}

// sameOdds compares a distribution with outcomes found by the twin.
func sameOdds(t interface{ Fatalf(string, ...any) }, text string, got *Distribution, want map[int64]*big.Rat) {
	sum := new(big.Rat)
	for i, o := range got.Outcomes() {
		sum.Add(sum, o.Probability)
		if want[o.Value] == nil || want[o.Value].Cmp(o.Probability) != 0 {
			t.Fatalf("%s: P(%d) = %v, twin %v", text, o.Value, o.Probability, want[o.Value])
		}
		if i > 0 && got.Value(i-1) >= o.Value {
			t.Fatalf("%s: outcomes do not ascend", text)
		}
	}
	if got.Len() != len(want) || sum.Cmp(big.NewRat(1, 1)) != 0 {
		t.Fatalf("%s: %d outcomes of %d, sum %v", text, got.Len(), len(want), sum)
	}
}
