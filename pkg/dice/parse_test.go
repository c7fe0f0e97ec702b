package dice

import (
	"errors"
	"strings"
	"testing"
)

// I1: the canonical text of what a user may write.
func TestCanonical(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"dice", "3d6", "3d6"},
		{"count left out", "d20", "1d20"},
		{"percent", "d%", "1d100"},
		{"fate", "4df", "4dF"},
		{"case and space", " 2 D 20 KH 1 + 5 ", "2d20kh1+5"},
		{"tabs and lines", "1d6\n+\t2", "1d6+2"},
		{"k is kh", "4d6k3", "4d6kh3"},
		{"count of keep left out", "2d20kl", "2d20kl1"},
		{"keep then minus", "2d20kh-1", "2d20kh1-1"},
		{"drop", "4d6dl1dh", "4d6dl1dh1"},
		{"bare number is equality", "2d6rr=1ro1", "2d6rr1ro1"},
		{"comparisons", "9d9rr<2ro<=3cs>8cf>=9cs!=4cf<>5", "9d9rr<2ro<=3cs>8cf>=9cs!=4cf!=5"},
		{"bare comparison counts", "6d10>=8", "6d10cs>=8"},
		{"bare equality counts", "6d10=8", "6d10cs8"},
		{"explode", "5d6!", "5d6!"},
		{"explode on", "5d6!5!>4!!=3!p<2", "5d6!5!>4!!3!p<2"},
		{"explode then not equal reads as explode on", "5d6!=6", "5d6!6"},
		{"explode on unequal", "5d6!<>6", "5d6!<>6"},
		{"count unequal", "5d6cs!=6", "5d6cs!=6"},
		{"explode then minus", "1d6!-1", "1d6!-1"},
		{"explode on a negative number", "1dF!=-1", "1dF! =-1"},
		{"reroll a negative number", "4dFrr-1", "4dFrr-1"},
		{"two explosions apart", "1d6! !", "1d6! !"},
		{"explosion then compound", "1d6! !!", "1d6! !!"},
		{"compound then explosion", "1d6!!!", "1d6!!!"},
		{"explosion then penetration", "1d6! !p", "1d6! !p"},
		{"penetration with a space", "1d6! p", "1d6!p"},
		{"reroll one", "2D20 RA =1 kh", "2d20ra1kh1"},
		{"reroll one, of further dice too", "3d6!ra<3mi2", "3d6!ra<3mi2"},
		{"bounds", "2d6mi2ma-5", "2d6mi2ma-5"},
		{"pool", "{ 3d6 , 2d8+1 }kh1", "{3d6,2d8+1}kh1"},
		{"pool of a pool", "{{1,2}kl,d4}>2", "{{1,2}kl1,1d4}cs>2"},
		{"pool with no modifier", "{1d4}", "{1d4}"},
		{"labels", "2d6 [ fire ] + 3[cold]", "2d6[fire]+3[cold]"},
		{"label after modifiers", "4d6kh3[Strength Score]", "4d6kh3[Strength Score]"},
		{"label on parentheses", "(1d6+2)[fire]", "(1d6+2)[fire]"},
		{"parentheses around one term go", "((1d6))[a]", "1d6[a]"},
		{"label around a label stays", "(1d6[a])[b]", "(1d6[a])[b]"},
		{"label beyond ASCII", "1d6[Kälte ❄]", "1d6[Kälte ❄]"},
		{"needless parentheses go", "(1+2)+(3*4)", "1+2+3*4"},
		{"needed parentheses stay", "1-(2-3)*(4+5)", "1-(2-3)*(4+5)"},
		{"division of a division", "8/(4/2)", "8/(4/2)"},
		{"unary minus binds first", "-1d6*2", "-1d6*2"},
		{"minus minus", "1--2", "1--2"},
		{"minus a sum", "-(1+2)", "-(1+2)"},
		{"no dice", "0d6", "0d6"},
		{"explode on a negative number after a keep", "4dFkh2! =-1", "4dFkh2! =-1"},
		{"count after a keep", "6d10kh3cs>=8", "6d10kh3cs>=8"},
		{"count after a reroll", "2d6rr1cs=1", "2d6rr1cs1"},
		{"explode on a relation after a reroll", "2d6rr1!>=5", "2d6rr1!>=5"},
		{"compare a total", "{4d6kh3}>=12", "{4d6kh3}cs>=12"},
		{"leading zeros", "007d006", "7d6"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, err := Parse(c.text)
			if err != nil {
				t.Fatalf("Parse(%q): %v", c.text, err)
			}
			if got := e.String(); got != c.want {
				t.Fatalf("Parse(%q).String() = %q, want %q", c.text, got, c.want)
			}
			again, err := Parse(e.String())
			if err != nil || !sameTree(e.root, again.root) {
				t.Fatalf("%q does not read back: %v", e, err)
			}
		})
	}
}

// sameTree compares two syntax trees in all that has a meaning.
func sameTree(a, b *node) bool {
	same := a.kind == b.kind && a.label == b.label && a.text == b.text && a.num == b.num &&
		a.count == b.count && a.die == b.die && len(a.mods) == len(b.mods) && len(a.kids) == len(b.kids)
	for i := 0; same && i < len(a.mods); i++ {
		same = a.mods[i] == b.mods[i]
	}
	for i := 0; same && i < len(a.kids); i++ {
		same = sameTree(a.kids[i], b.kids[i])
	}
	return same
}

func TestSyntaxErrors(t *testing.T) {
	for _, c := range []struct {
		name, text string
		pos        int
		found      string
	}{
		{"empty", "", 0, ""},
		{"only space", "  ", 2, ""},
		{"no sides", "2d", 2, ""},
		{"no operand", "1+", 2, ""},
		{"two operators", "1+*2", 2, "*"},
		{"unary plus", "+1", 0, "+"},
		{"open parenthesis", "(1+2", 4, ""},
		{"closed twice", "(1))", 3, ")"},
		{"empty parentheses", "()", 1, ")"},
		{"empty pool", "{}", 1, "}"},
		{"pool ends in a comma", "{1,}", 3, "}"},
		{"unknown modifier", "2d6x3", 3, "x"},
		{"reroll in a pool", "{1d6}rr1", 5, "r"},
		{"explosion in a pool", "{1d6}!", 5, "!"},
		{"modifier on a number", "5kh1", 1, "k"},
		{"modifier on parentheses", "(4d6)kh3", 5, "k"},
		{"comparison of a sum", "1d20+5>=15", 6, ">"},
		{"comparison without a number", "2d6rr<", 6, ""},
		{"reroll without a comparison", "2d6rr", 5, ""},
		{"minimum without a number", "2d6mi", 5, ""},
		{"zero sides", "1d0", 2, "0"},
		{"sides beyond 31 bits", "1d2147483648", 2, "2"},
		{"number beyond 64 bits", "9223372036854775808", 0, "9"},
		{"label not closed", "1d6[fire", 4, "f"},
		{"label in a label", "1d6[a[b]]", 4, "a"},
		{"empty label", "1d6[ ]", 5, "]"},
		{"two labels", "1d6[a][b]", 6, "["},
		{"label before modifiers", "4d6[a]kh3", 6, "k"},
		{"label of control characters", "1[a\x01]", 2, "a"},
		{"label that is no UTF-8", "1[\xff]", 2, "\xff"},
		{"dice of dice", "1d6d6", 3, "d"},
		{"a reroll of one after a keep", "2d20kh1ra1", 7, "r"},
		{"a reroll of one after a drop", "4d6dl1mi2ra1", 9, "r"},
		{"two rerolls of one", "2d20ra1ra2", 7, "r"},
		{"a reroll of one in a pool", "{1d6}ra1", 5, "r"},
		{"relation after a reroll's number", "2d6rr1=1", 6, "="},
		{"relation after a reroll's relation", "2d6rr=1=1", 7, "="},
		{"relation after a reroll once", "2d6ro1<2", 6, "<"},
		{"relation after a keep", "6d10kh3>=8", 7, ">"},
		{"relation after a keep without a number", "6d10kh>=8", 6, ">"},
		{"relation after a drop", "6d10dl<2", 6, "<"},
		{"relation after a bound", "6d10mi2=2", 7, "="},
		{"relation after a bound below zero", "6d10ma-2 = 2", 9, "="},
		{"relation after an explosion's number", "10d10!10>=8", 8, ">"},
		{"relation after a compound's relation", "10d10!!>9>=8", 9, ">"},
		{"relation after a count", "6d10cs5>=3", 7, ">"},
		{"relation after a failure", "6d10cf1=1", 7, "="},
		{"a range that is none", "1d20>=5<=10", 7, "<"},
		{"relation after the keep of a pool", "{3d6,2d8}kh1>=8", 12, ">"},
		{"relation after the relation of a pool", "{1d20+5}>=15=1", 12, "="},
		{"unequal after a reroll", "2d6rr1<>1", 6, "<"},
		{"explosion that looks unequal", "2d6rr1!=6", 6, "!"},
		{"explosion that looks unequal after a keep", "2d6kh1!=-6", 6, "!"},
		{"relation without a number", "2d6rr1>=", 8, ""},
		{"not ASCII", "1d6×2", 3, "×"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse(c.text)
			var se *SyntaxError
			if !errors.As(err, &se) {
				t.Fatalf("Parse(%q) = %v, want a SyntaxError", c.text, err)
			}
			if se.Pos != c.pos || se.Text != c.found || se.Expected == "" {
				t.Fatalf("Parse(%q) = %+v, want position %d and text %q", c.text, *se, c.pos, c.found)
			}
			if Code(err) != CodeSyntax {
				t.Fatalf("code %q", Code(err))
			}
		})
	}
}

func TestTextLimits(t *testing.T) {
	for _, c := range []struct {
		name, text, code string
		lim              Limits
		max, got         int64
	}{
		{"length", strings.Repeat("1", 257), "dice.limit.length", Limits{}, 256, 257},
		{"length of the canonical text", "d6+d6", "dice.limit.length", Limits{Length: 6}, 6, 7},
		{"depth of parentheses", strings.Repeat("(", 33) + "1" + strings.Repeat(")", 33), "dice.limit.depth", Limits{}, 32, 33},
		{"depth of minus", strings.Repeat("-", 33) + "1", "dice.limit.depth", Limits{}, 32, 33},
		{"elements", "{1,2,3}", "dice.limit.elements", Limits{Elements: 2}, 2, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ParseLimited(c.text, c.lim)
			var le *LimitError
			if !errors.As(err, &le) || le.Max != c.max || le.Got != c.got || Code(err) != c.code {
				t.Fatalf("got %v (%s), want %s %d > %d", err, Code(err), c.code, c.got, c.max)
			}
		})
	}
}

// I5: what can never end by itself is refused when read.
func TestEndless(t *testing.T) {
	for _, text := range []string{
		"1d1rr1", "2d6rr<=6", "2d6rr>0", "2d6rr!=7", "4dFrr<2", "4dFrr>=-1",
		"1d1!", "1d1!!", "1d1!p", "2d6!>=1", "2d6!!<7", "2d6!p<>9", "{1d4,1d1rr1}kh1",
	} {
		_, err := Parse(text)
		var ee *EndlessError
		if !errors.As(err, &ee) || Code(err) != CodeEndless {
			t.Errorf("Parse(%q) = %v, want an EndlessError", text, err)
		}
	}
	for _, text := range []string{"1d1ro1", "2d6rr<=5", "2d6rr>6", "4dFrr<1", "2d6!>1", "2d6!!7"} {
		if _, err := Parse(text); err != nil {
			t.Errorf("Parse(%q): %v", text, err)
		}
	}
}

func TestNeeds(t *testing.T) {
	got := MustParse("2d20kh1+{1d6!,1dF}*3").Needs()
	want := []int{20, 20, 6, 3}
	if len(got) != len(want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
}

// Errors say where and what, in words.
func TestErrorTexts(t *testing.T) {
	for text, want := range map[string]string{
		"2d":                     "dice: syntax: at the end: expected a number of sides, % or F",
		"1+*2":                   "dice: syntax: at byte 2, \"*\": expected a number, dice, ( or {",
		"2d6rr>0":                "dice: endless: every face of 2d6 sets off rr>0 again",
		"2d6rr1=1":               "dice: syntax: at byte 6, \"=\": expected no =1 right after a modifier: write 2d6rr1cs=1 to count the dice that match, or {2d6rr1}=1 to compare their total",
		"2d6kh1!=6":              "dice: syntax: at byte 6, \"!\": expected no != after a modifier: write !6 to explode on it, or cs!=6 to count the dice that differ",
		strings.Repeat("1", 300): "dice: limit length: 300 is more than 256",
	} {
		if _, err := Parse(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
