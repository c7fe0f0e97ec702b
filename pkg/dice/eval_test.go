package dice

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// drawn evaluates over a list that must be used up exactly.
func drawn(t *testing.T, text string, lim Limits, faces ...int) *Result {
	t.Helper()
	l := List(faces...)
	r, err := MustParse(text).Eval(l, lim)
	if err != nil {
		t.Fatalf("%s over %v: %v", text, faces, err)
	}
	if l.Left() != 0 || l.Used() != len(faces) || len(r.Faces) != len(faces) {
		t.Fatalf("%s over %v: %d faces left, %d recorded", text, faces, l.Left(), len(r.Faces))
	}
	return r
}

// sketch writes the dice of a term in one line: face, "=value" where it
// differs, "x" when not kept, and the effects.
func sketch(dice []Die) string {
	var out []string
	for _, d := range dice {
		s := fmt.Sprint(d.Face)
		if d.Value != int64(d.Face) {
			s += fmt.Sprintf("=%d", d.Value)
		}
		if !d.Kept {
			s += "x"
		}
		for _, n := range d.Notes {
			s += fmt.Sprintf(" %s:%s", n.Effect, n.By)
		}
		out = append(out, s)
	}
	return strings.Join(out, " | ")
}

// I2, I3, I4: each modifier, with every face and what happened to it.
func TestModifiers(t *testing.T) {
	for _, c := range []struct {
		name, text string
		faces      []int
		total      int64
		dice       string
	}{
		{"plain", "2d6", []int{3, 4}, 7, "3 | 4"},
		{"none", "0d6", nil, 0, ""},
		{"fate", "4dF", []int{1, 2, 3, 3}, 1, "1=-1 | 2=0 | 3=1 | 3=1"},
		{"keep highest", "4d6kh3", []int{3, 1, 6, 5}, 14, "3 | 1x dropped:kh3 | 6 | 5"},
		{"keep lowest", "2d20kl1", []int{17, 4}, 4, "17x dropped:kl1 | 4"},
		{"drop highest", "3d6dh1", []int{6, 2, 6}, 8, "6 | 2 | 6x dropped:dh1"},
		{"drop lowest", "3d6dl1", []int{2, 5, 2}, 7, "2 | 5 | 2x dropped:dl1"},
		{"equals: the earlier stays", "3d6kh1", []int{5, 5, 5}, 5, "5 | 5x dropped:kh1 | 5x dropped:kh1"},
		{"equals at the low end: the earlier stays", "3d6kl1", []int{2, 2, 5}, 2, "2 | 2x dropped:kl1 | 5x dropped:kl1"},
		{"keep more than there are", "2d6kh5", []int{1, 2}, 3, "1 | 2"},
		{"keep none", "2d6kh0", []int{1, 2}, 0, "1x dropped:kh0 | 2x dropped:kh0"},
		{"drop more than there are", "2d6dl5", []int{1, 2}, 0, "1x dropped:dl5 | 2x dropped:dl5"},
		{"drop both ends", "5d6dl1dh1", []int{1, 6, 3, 3, 2}, 8, "1x dropped:dl1 | 6x dropped:dh1 | 3 | 3 | 2"},
		{"reroll until", "2d6rr<3", []int{1, 5, 2, 1, 4}, 9,
			"1x rerolled:rr<3 | 2x reroll:rr<3 rerolled:rr<3 | 1x reroll:rr<3 rerolled:rr<3 | 4 reroll:rr<3 | 5"},
		{"reroll once", "2d6ro<3", []int{1, 5, 2}, 7, "1x rerolled:ro<3 | 2 reroll:ro<3 | 5"},
		{"reroll one", "3d6ra<3", []int{5, 1, 2, 1}, 8, "5 | 1x rerolled:ra<3 | 1 reroll:ra<3 | 2"},
		{"reroll one, of none that matches", "2d6ra1", []int{5, 2}, 7, "5 | 2"},
		{"reroll one, further dice in their place", "2d6!ra1", []int{6, 1, 1, 4}, 11,
			"6 exploded:! | 1x explosion:! rerolled:ra1 | 4 reroll:ra1 | 1"},
		{"reroll all, then one", "2d6ro1ra1", []int{1, 3, 1, 6}, 9, "1x rerolled:ro1 | 1x reroll:ro1 rerolled:ra1 | 6 reroll:ra1 | 3"},
		{"explode", "2d6!", []int{6, 2, 6, 3}, 17, "6 exploded:! | 6 explosion:! exploded:! | 3 explosion:! | 2"},
		{"explode on a comparison", "1d6!>=5", []int{5, 6, 1}, 12, "5 exploded:!>=5 | 6 explosion:!>=5 exploded:!>=5 | 1 explosion:!>=5"},
		{"fate explodes on +1", "1dF!", []int{3, 1}, 0, "3=1 exploded:! | 1=-1 explosion:!"},
		{"compound", "2d6!!", []int{6, 2, 6, 3}, 17, "6=15 exploded:!! | 6=0x absorbed:!! exploded:!! | 3=0x absorbed:!! | 2"},
		{"penetrate", "1d6!p", []int{6, 6, 3}, 13, "6 exploded:!p | 6=5 pierced:!p exploded:!p | 3=2 pierced:!p"},
		{"minimum", "3d6mi2", []int{1, 2, 5}, 9, "1=2 raised:mi2 | 2 | 5"},
		{"maximum", "3d6ma4", []int{1, 5, 4}, 9, "1 | 5=4 lowered:ma4 | 4"},
		{"successes", "4d10>=8", []int{8, 10, 7, 1}, 2, "8 success:cs>=8 | 10 success:cs>=8 | 7 | 1"},
		{"successes less failures", "3d10>=8cf1", []int{9, 1, 1}, -1, "9 success:cs>=8 | 1 failure:cf1 | 1 failure:cf1"},
		{"tens count twice", "3d10cs>=8cs10", []int{8, 10, 2}, 3, "8 success:cs>=8 | 10 success:cs>=8 success:cs10 | 2"},
		{"only kept dice count", "3d10kh2cs>=8", []int{8, 9, 10}, 2, "8x dropped:kh2 | 9 success:cs>=8 | 10 success:cs>=8"},
		{"explode, then keep", "2d6!kh2", []int{6, 2, 5}, 11, "6 exploded:! | 5 explosion:! | 2x dropped:kh2"},
		{"keep, then explode", "3d6kh1!", []int{6, 2, 5, 4}, 10, "6 exploded:! | 4 explosion:! | 2x dropped:kh1 | 5x dropped:kh1"},
		{"minimum, then reroll: raised dice are spared", "2d6mi3rr<3", []int{1, 5}, 8, "1=3 raised:mi3 | 5"},
		{"reroll, then minimum", "2d6ro<3mi3", []int{1, 5, 2}, 8, "1x rerolled:ro<3 | 2=3 reroll:ro<3 raised:mi3 | 5"},
		{"minimum, then reroll: the new die is not raised", "1d6mi3ro3", []int{1, 2}, 2, "1=3x raised:mi3 rerolled:ro3 | 2 reroll:ro3"},
		{"count, then explode: further dice are not counted", "1d6cs6!", []int{6, 6, 1}, 1,
			"6 success:cs6 exploded:! | 6 explosion:! exploded:! | 1 explosion:!"},
		{"explode, then count", "1d6!cs6", []int{6, 6, 1}, 2,
			"6 exploded:! success:cs6 | 6 explosion:! exploded:! success:cs6 | 1 explosion:!"},
		{"maximum, then explode on it", "1d6ma5!5", []int{6, 5, 6}, 16, "6=5 lowered:ma5 exploded:!5 | 5 explosion:!5 exploded:!5 | 6 explosion:!5"},
		{"compound, then count", "1d10!!cs>=15", []int{10, 6}, 1, "10=16 exploded:!! success:cs>=15 | 6=0x absorbed:!!"},
		{"keep among equals by successes", "2d6cs1mi3kh1", []int{3, 1}, 1,
			"3x dropped:kh1 | 1=3 success:cs1 raised:mi3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := drawn(t, c.text, Limits{}, c.faces...)
			if r.Total != c.total || sketch(r.Root.Dice) != c.dice {
				t.Errorf("%s over %v:\n got %d: %s\nwant %d: %s", c.text, c.faces,
					r.Total, sketch(r.Root.Dice), c.total, c.dice)
			}
			checkTree(t, &r.Root)
		})
	}
}

// checkTree checks I4 on every node.
func checkTree(t *testing.T, n *Node) {
	t.Helper()
	if n.Kind == KindDice {
		sum := int64(0)
		for _, d := range n.Dice {
			switch {
			case d.Kept && n.Counting:
				sum += d.Successes
			case d.Kept:
				sum += d.Value
			}
		}
		if sum != n.Value {
			t.Errorf("%s: dice give %d, value is %d", n.Text, sum, n.Value)
		}
	}
	for i := range n.Children {
		checkTree(t, &n.Children[i])
	}
}

func TestArithmetic(t *testing.T) {
	for _, c := range []struct {
		text  string
		total int64
	}{
		{"1+2*3", 7}, {"(1+2)*3", 9}, {"10-4-3", 3}, {"7/2", 3}, {"-7/2", -4}, {"7/-2", -4},
		{"-7/-2", 3}, {"-(7/2)", -3}, {"--5", 5}, {"2*-3", -6}, {"100/10/5", 2}, {"0/5", 0}, {"6/-3", -2},
	} {
		if r := drawn(t, c.text, Limits{}); r.Total != c.total {
			t.Errorf("%s = %d, want %d", c.text, r.Total, c.total)
		}
	}
}

func TestPools(t *testing.T) {
	for _, c := range []struct {
		name, text string
		faces      []int
		total      int64
		kept       []int
	}{
		{"sum", "{1d6,1d8,3}", []int{2, 7}, 12, []int{2, 7}},
		{"keep the best sum", "{3d6,2d8}kh1", []int{1, 2, 3, 8, 7}, 15, []int{8, 7}},
		{"equal elements: the earlier stays", "{1d6,1d8}kl1", []int{4, 4}, 4, []int{4}},
		{"drop", "{1d6,1d6,1d6}dl1", []int{5, 1, 4}, 9, []int{5, 4}},
		{"count elements", "{1d6+2,1d6,7}>=7", []int{5, 6}, 2, []int{5, 6}},
		{"count with failures", "{1d6,1d6,1d6}cs6cf1", []int{1, 1, 6}, -1, []int{1, 1, 6}},
		{"count the kept", "{1d6,1d6}kh1cs>=4", []int{4, 5}, 1, []int{5}},
		{"count, then keep", "{1d6,1d6}cs>=4kh1", []int{4, 5}, 1, []int{5}},
		{"nested", "{{1d6,1d6}kh1,{1d6,1d6}kh1}kl1", []int{1, 6, 4, 2}, 4, []int{4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := drawn(t, c.text, Limits{}, c.faces...)
			if r.Total != c.total || !reflect.DeepEqual(r.NaturalKept(), c.kept) {
				t.Errorf("%s over %v = %d kept %v, want %d kept %v", c.text, c.faces,
					r.Total, r.NaturalKept(), c.total, c.kept)
			}
		})
	}
}

func TestTree(t *testing.T) {
	r := drawn(t, "{2d6,1d8+1}kh1[best]*2", Limits{}, 3, 3, 4)
	want := []Face{{6, 3}, {6, 3}, {8, 4}}
	if !reflect.DeepEqual(r.Faces, want) {
		t.Fatalf("faces %v, want %v", r.Faces, want)
	}
	pool := r.Root.Children[0]
	switch {
	case r.Root.Kind != KindMultiply || r.Root.Text != "{2d6,1d8+1}kh1[best]*2" || r.Root.Value != 12,
		pool.Kind != KindPool || pool.Label != "best" || pool.Text != "{2d6,1d8+1}kh1[best]",
		!pool.Children[0].Kept || pool.Children[1].Kept,
		!reflect.DeepEqual(pool.Children[1].Notes, []Note{{EffectDropped, "kh1", 5}}),
		pool.Children[1].Text != "1d8+1", pool.Children[1].Children[0].Text != "1d8":
		t.Fatalf("tree %+v", r.Root)
	}
}

func TestByLabel(t *testing.T) {
	for _, c := range []struct {
		name, text string
		faces      []int
		want       []LabelSum
	}{
		{"no label", "1d6+2", []int{3}, []LabelSum{{"", 5}}},
		{"damage types", "2d6[slashing]+1d8[fire]+3", []int{1, 2, 5}, []LabelSum{{"slashing", 3}, {"fire", 5}, {"", 3}}},
		{"one label twice", "1d6[fire]+2[cold]+1d4[fire]", []int{3, 4}, []LabelSum{{"fire", 7}, {"cold", 2}}},
		{"difference", "1d6[fire]-2[fire]-1[cold]", []int{3}, []LabelSum{{"fire", 1}, {"cold", -1}}},
		{"inner label wins", "(1d6[fire]+2)[cold]", []int{3}, []LabelSum{{"fire", 3}, {"cold", 2}}},
		{"factor", "2*(1d6[fire]+1d6[cold])", []int{3, 4}, []LabelSum{{"fire", 6}, {"cold", 8}}},
		{"factor behind", "(1d6[fire]+1d6[cold])*2", []int{3, 4}, []LabelSum{{"fire", 6}, {"cold", 8}}},
		{"two labelled factors", "1d6[fire]*1d6[cold]", []int{3, 4}, []LabelSum{{"", 12}}},
		{"half of one", "(1d6[fire]+2[fire])/2", []int{3}, []LabelSum{{"fire", 2}}},
		{"half of two", "(1d6[fire]+2[cold])/2", []int{3}, []LabelSum{{"", 2}}},
		{"half of two, labelled", "((1d6[fire]+2[cold])/2)[harm]", []int{3}, []LabelSum{{"harm", 2}}},
		{"minus", "-1d6[fire]", []int{3}, []LabelSum{{"fire", -3}}},
		{"pool", "{1d6[fire],1d6[cold]}kh1", []int{3, 4}, []LabelSum{{"cold", 4}}},
		{"counting pool", "{1d6[fire],1d6[cold]}>3[hits]", []int{3, 4}, []LabelSum{{"hits", 1}}},
		{"counted dice", "3d6>=5[hits]+1", []int{5, 6, 1}, []LabelSum{{"hits", 2}, {"", 1}}},
		{"empty pool", "{1d6[fire]}kh0[x]", []int{3}, []LabelSum{{"x", 0}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := drawn(t, c.text, Limits{}, c.faces...)
			got, sum := r.ByLabel(), int64(0)
			for _, p := range got {
				sum += p.Sum
			}
			if !reflect.DeepEqual(got, c.want) || sum != r.Total {
				t.Errorf("got %v of %d, want %v", got, r.Total, c.want)
			}
		})
	}
}

func TestEvalErrors(t *testing.T) {
	for _, c := range []struct {
		name, text, code string
		lim              Limits
		faces            []int
	}{
		{"division by zero", "1/0", CodeDivisionByZero, Limits{}, nil},
		{"division by a rolled zero", "1/1dF", CodeDivisionByZero, Limits{}, []int{2}},
		{"sum overflows", "9223372036854775807+1", CodeOverflow, Limits{}, nil},
		{"difference overflows", "-9223372036854775807-2", CodeOverflow, Limits{}, nil},
		{"product overflows", "4294967296*2147483648", CodeOverflow, Limits{}, nil},
		{"quotient overflows", "(-9223372036854775807-1)/-1", CodeOverflow, Limits{}, nil},
		{"minus overflows", "-(-9223372036854775807-1)", CodeOverflow, Limits{}, nil},
		{"dice overflow", "2d6mi9223372036854775807", CodeOverflow, Limits{}, []int{1, 1}},
		{"compound overflows", "1d6mi9223372036854775807!!>5", CodeOverflow, Limits{}, []int{1, 1}},
		{"pool overflows", "{9223372036854775807,1}", CodeOverflow, Limits{}, nil},
		{"faces exhausted", "2d6", CodeFacesExhausted, Limits{}, []int{1}},
		{"face too high", "2d6", CodeFaceRange, Limits{}, []int{1, 7}},
		{"face too low", "2d6", CodeFaceRange, Limits{}, []int{0}},
		{"dice", "2000d6+1d6", "dice.limit.dice", Limits{}, nil},
		{"dice beyond counting", "9223372036854775807d6+9d6", "dice.limit.dice", Limits{}, nil},
		{"sides", "1d1000001", "dice.limit.sides", Limits{}, nil},
		{"length", "1d6", "dice.limit.length", Limits{Length: 2}, nil},
		{"depth", "--1", "dice.limit.depth", Limits{Depth: 1}, nil},
		{"elements", "{1,2}", "dice.limit.elements", Limits{Elements: 1}, nil},
		{"draws", "1d6rr1", "dice.limit.draws", Limits{Draws: 3}, []int{1, 1, 1, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := MustParse(c.text).Eval(List(c.faces...), c.lim)
			if r != nil || Code(err) != c.code {
				t.Fatalf("got %v, %v (%s), want code %s", r, err, Code(err), c.code)
			}
		})
	}
	var fr *ErrFaceRange
	_, err := MustParse("2d6").Eval(List(1, 7), Limits{})
	if !errors.As(err, &fr) || *fr != (ErrFaceRange{Index: 1, Sides: 6, Face: 7}) {
		t.Fatalf("got %v", err)
	}
	if Code(nil) != "" || Code(errors.New("x")) != "" {
		t.Fatal("foreign errors have no code")
	}
}

// A source that breaks its contract is found out.
func TestBadSource(t *testing.T) {
	_, err := MustParse("1d6").Eval(fixed(9), Limits{})
	if Code(err) != CodeFaceRange {
		t.Fatalf("got %v", err)
	}
}

type fixed int

func (f fixed) Face(int) (int, error) { return int(f), nil }

func TestExplosionCap(t *testing.T) {
	r := drawn(t, "2d6!", Limits{Explosions: 2}, 6, 6, 6, 6, 6, 6)
	if r.Total != 36 {
		t.Fatalf("total %d", r.Total)
	}
	for i, want := range []bool{false, false, true, false, false, true} {
		if r.Root.Dice[i].Has(EffectCapped) != want {
			t.Errorf("die %d capped: %v", i, !want)
		}
	}
	if r, err := MustParse("1d2!").Eval(fixed(2), Limits{}); err != nil || r.Total != 202 {
		t.Fatalf("the default cap: %v, %v", r, err)
	}
}

// A long fall rolls 1711d6.
func TestManyDice(t *testing.T) {
	r, err := MustParse("1711d6").Eval(fixed(4), Limits{})
	if err != nil || r.Total != 1711*4 || len(r.Faces) != 1711 {
		t.Fatalf("%v", err)
	}
}
