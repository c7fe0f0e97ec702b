package dice

import (
	"strings"
	"testing"
)

// seeds are the corpus of both fuzz targets.
var seeds = []string{
	"", "1d20", "2D20KH+5", "d%", "4dF", "4d6kh3dl1", "2d6rr<3ro=1!>5!!<>2!p", "1d6! !!", "1d6!=6", "1d6!!!",
	"6d10>=8cf1cs!=10", "{3d6, 2d8+1}kh1[best]", "-(1d6[fire]+2)/-3*--4", "((1d6[a])[b])", "2d6mi-2ma4",
	"9223372036854775807d2", "1[\xff]", "1d6[Kälte]", "{{1,2}kl,d4}>2", "1dF!=-1", "99999999999999999999",
	"((((((((((((((((((((((((((((((((((1", "----------------------------------1", "1d1rr1", "2d2rr2!1kh1",
	"2d6rr1=1", "6d10kh3>=8", "10d10!10>=8", "1d20>=5<=10", "{3d6,2d8}kh1>=8", "4dFkh2! =-1", "2d6rr1!=6", "6d10cs5cs>=3",
	"2d20ra1kh1+5", "3d6!ra<3mi2kl2", "2d6kh1ra1", "2d6ra1ra2", "{1d6}ra1", "4dFra=-1",
}

// FuzzParse: no text makes the parser fail otherwise than by a typed error,
// and what it accepts reads back the same (I1).
func FuzzParse(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := Parse(text)
		if err != nil {
			if code := Code(err); code != CodeSyntax && code != CodeEndless && !strings.HasPrefix(code, CodeLimit) {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		again, err := Parse(e.String())
		if err != nil {
			t.Fatalf("%q: canonical %q: %v", text, e, err)
		}
		if !sameTree(e.root, again.root) || again.String() != e.String() || again.size != e.size {
			t.Fatalf("%q: canonical %q reads back as %q", text, e, again)
		}
	})
}

// FuzzEval: under small limits every expression over every list of faces ends,
// in a result whose tree holds together or in a typed error, and so do odds.
func FuzzEval(f *testing.F) {
	for i, s := range seeds {
		f.Add(s, []byte{1, 2, 3, byte(i), 1, 1, 6, 6})
	}
	lim := Limits{Dice: 20, Sides: 100, Draws: 40, Explosions: 3, OddsWork: 1_000_000}
	f.Fuzz(func(t *testing.T, text string, bytes []byte) {
		e, err := Parse(text)
		if err != nil {
			return
		}
		faces := make([]int, len(bytes))
		for i, b := range bytes {
			faces[i] = int(b)
		}
		l := List(faces...)
		r, err := e.Eval(l, lim)
		switch {
		case err != nil && Code(err) == "":
			t.Fatalf("%s: %v", e, err)
		case err == nil:
			checkTree(t, &r.Root)
			dice := countDice(&r.Root)
			if l.Used() != len(r.Faces) || dice != len(r.Faces) {
				t.Fatalf("%s: %d faces used, %d recorded, %d in the tree", e, l.Used(), len(r.Faces), dice)
			}
			r.ByLabel()
		}
		d, oddsErr := e.Odds(lim)
		if oddsErr != nil && Code(oddsErr) == "" {
			t.Fatalf("%s: odds: %v", e, oddsErr)
		}
		if err == nil && oddsErr == nil && d.Exactly(r.Total).Sign() == 0 {
			t.Fatalf("%s came to %d, which odds rule out", e, r.Total)
		}
	})
}

func countDice(n *Node) int {
	sum := len(n.Dice)
	for i := range n.Children {
		sum += countDice(&n.Children[i])
	}
	return sum
}
