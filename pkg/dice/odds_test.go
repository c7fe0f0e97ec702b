package dice

import (
	"errors"
	"math/big"
	"testing"
)

func odds(t testing.TB, text string, lim Limits) *Distribution {
	t.Helper()
	d, err := MustParse(text).Odds(lim)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return d
}

// Means that are known in closed form or from published tables.
func TestOddsMean(t *testing.T) {
	for _, c := range []struct {
		text string
		want *big.Rat
	}{
		{"1d6", big.NewRat(7, 2)},
		{"4dF", big.NewRat(0, 1)},
		{"4d6kh3", big.NewRat(15869, 1296)}, // 12.2446, the printed average of ability scores
		{"2d20kh1", big.NewRat(553, 40)},    // 13.825
		{"2d20kl1", big.NewRat(287, 40)},    // 7.175
		{"3d20kh1", big.NewRat(1239, 80)},   // 15.4875
		{"1d6!", big.NewRat(0, 1)},          // replaced below: needs the cap
		{"2d6ro<3", big.NewRat(25, 3)},      // great weapon: 8.333
		{"1d6rr<3", big.NewRat(9, 2)},
		{"2d6ra1", big.NewRat(7*72+11*5, 72)}, // of 36 falls 11 show a 1; one of them gains 2.5 on average
		{"1d20mi10", big.NewRat(51, 4)},       // reliable talent: 12.75
		{"6d10>=8cf1", big.NewRat(6, 5)},      // 6 * (3/10 - 1/10)
		{"{1d6,1d6}kh1", big.NewRat(161, 36)}, // 4.4722
		{"1711d6", big.NewRat(1711*7, 2)},
	} {
		lim, want := Limits{}, c.want
		if c.text == "1d6!" {
			// A chain of at most n further dice: 7/2 * (1 + 1/6 + ... + 1/6^n).
			want, lim.Explosions = big.NewRat(7*43, 2*36), 2
		}
		if got := odds(t, c.text, lim).Mean(); got.Cmp(want) != 0 {
			t.Errorf("mean of %s is %v, want %v", c.text, got, want)
		}
	}
}

func TestDistribution(t *testing.T) {
	d := odds(t, "2d6", Limits{})
	for _, c := range []struct {
		name      string
		got, want *big.Rat
	}{
		{"exactly 7", d.Exactly(7), big.NewRat(1, 6)},
		{"exactly 13", d.Exactly(13), new(big.Rat)},
		{"exactly 1", d.Exactly(1), new(big.Rat)},
		{"at least 10", d.AtLeast(10), big.NewRat(1, 6)},
		{"at least 2", d.AtLeast(2), big.NewRat(1, 1)},
		{"at least -5", d.AtLeast(-5), big.NewRat(1, 1)},
		{"at least 13", d.AtLeast(13), new(big.Rat)},
		{"at most 4", d.AtMost(4), big.NewRat(1, 6)},
		{"at most 12", d.AtMost(12), big.NewRat(1, 1)},
		{"at most 99", d.AtMost(99), big.NewRat(1, 1)},
		{"at most 1", d.AtMost(1), new(big.Rat)},
		{"mean", d.Mean(), big.NewRat(7, 1)},
		{"variance", d.Variance(), big.NewRat(35, 6)},
	} {
		if c.got.Cmp(c.want) != 0 {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
	if d.Len() != 11 || d.Min() != 2 || d.Max() != 12 || d.Value(5) != 7 ||
		d.Denominator().Int64() != 36 || d.Weight(5).Int64() != 6 || len(d.Outcomes()) != 11 {
		t.Errorf("outcomes %v", d.Outcomes())
	}
	// A caller's copy cannot change the distribution.
	d.Weight(0).SetInt64(9)
	d.Denominator().SetInt64(9)
	if d.Weight(0).Int64() != 1 || d.Denominator().Int64() != 36 {
		t.Error("a distribution changed")
	}
}

// Large pools against formulas of their own.
func TestOddsLarge(t *testing.T) {
	// P(max of 20d20 <= k) = (k/20)^20.
	d := odds(t, "20d20kh1", Limits{})
	for k := int64(1); k <= 20; k++ {
		want := new(big.Rat).SetFrac(power(big.NewInt(k), 20), power(big.NewInt(20), 20))
		if d.AtMost(k).Cmp(want) != 0 {
			t.Fatalf("20d20kh1 at most %d: %v, want %v", k, d.AtMost(k), want)
		}
	}
	// The lowest is the mirror image of the highest.
	low := odds(t, "21-20d20kl1", Limits{})
	for k := int64(1); k <= 20; k++ {
		if low.Exactly(k).Cmp(d.Exactly(k)) != 0 {
			t.Fatalf("mirror at %d", k)
		}
	}
	// Keeping and dropping are two ways to say the same, by different sums.
	for _, pair := range [][2]string{
		{"10d6kh3", "10d6dl7"}, {"9d6dl3dh3", "9d6kh6kl3"}, {"12d8kl5", "12d8dh7"}, {"8d6kh8", "8d6"},
		{"{1d8,1d8,1d8,1d8}kh2", "4d8kh2"}, {"{1d6,1d6,1d6+0}kh2", "3d6kh2"}, {"5d10!kh5dl0", "5d10!kh5"},
		{"6d6!!", "6d6!"}, {"{2d6!!,1}", "2d6!+1"}, {"100d6", "60d6+40d6"}, {"7d10rr1", "7d9+7"},
		{"{1d2*100000+1d2,1d2*100000+1d2,1d2*100000+1d2}kh3", "3d2*100000+3d2"}, {"4d6mi6", "24"}, {"0d6+1d4", "1d4"},
		{"{1d4,1d4,1d4+1}dl1", "{1d4,1d4,1d4+1}kh2"}, {"3d6!dh1", "3d6!dh1dl0"}, {"8d6cs>=5", "{1d6,1d6,1d6,1d6,1d6,1d6,1d6,1d6}cs>4"},
	} {
		a, b := odds(t, pair[0], Limits{}), odds(t, pair[1], Limits{})
		if !sameDistribution(a, b) {
			t.Errorf("%s and %s differ", pair[0], pair[1])
		}
	}
	// Linearity: the kept and the dropped dice make up the whole.
	sum := odds(t, "10d6kh3", Limits{}).Mean()
	if sum.Add(sum, odds(t, "10d6kl7", Limits{}).Mean()).Cmp(big.NewRat(35, 1)) != 0 {
		t.Errorf("10d6kh3 and 10d6kl7 have means summing to %v", sum)
	}
	// Variance of independent dice adds up: 35/12 for a d6.
	if v := odds(t, "100d6", Limits{}).Variance(); v.Cmp(big.NewRat(3500, 12)) != 0 {
		t.Errorf("variance of 100d6 is %v", v)
	}
	// A chance of many explosions, from the definition.
	if p := odds(t, "1d10!kh1", Limits{}).Exactly(10); p.Cmp(big.NewRat(1, 10)) != 0 {
		t.Errorf("1d10!kh1 is 10 with probability %v", p)
	}
}

func sameDistribution(a, b *Distribution) bool {
	same := a.Len() == b.Len()
	for i := 0; same && i < a.Len(); i++ {
		same = a.Value(i) == b.Value(i) && a.Exactly(a.Value(i)).Cmp(b.Exactly(a.Value(i))) == 0
	}
	return same
}

// The cap on explosions is part of the odds: the last die of a full chain of
// the default 100 cannot explode, so that the most is 101 sixes.
func TestOddsExplosionCap(t *testing.T) {
	d := odds(t, "1d6!", Limits{})
	want := new(big.Rat).SetFrac(one, power(big.NewInt(6), 101))
	if d.Max() != 606 || d.Exactly(606).Cmp(want) != 0 {
		t.Fatalf("at most %d, with %v", d.Max(), d.Exactly(606))
	}
}

func TestOddsErrors(t *testing.T) {
	for _, c := range []struct {
		name, text, code string
		lim              Limits
	}{
		{"division by zero", "1/0", CodeDivisionByZero, Limits{}},
		{"a divisor that can be zero", "6/(1d6-6)", CodeDivisionByZero, Limits{}},
		{"overflow", "2d6mi9223372036854775807", CodeOverflow, Limits{}},
		{"overflow of a product", "1d2*9223372036854775807", CodeOverflow, Limits{}},
		{"dice", "2001d6", "dice.limit.dice", Limits{}},
		{"work of a sum", "2000d1000000", "dice.limit.odds-work", Limits{}},
		{"work of a product", "1d10000*1d10000", "dice.limit.odds-work", Limits{OddsWork: 10_000_000}},
		{"work of a table", "60d60!kh30", "dice.limit.odds-work", Limits{OddsWork: 10_000_000}},
		{"work of long chains", "20d6!>=5", "dice.limit.odds-work", Limits{OddsWork: 10_000_000}},
		{"work of ranks", "1000d100kh500", "dice.limit.odds-work", Limits{OddsWork: 10_000_000}},
		{"a small allowance", "100d6", "dice.limit.odds-work", Limits{OddsWork: 1000}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := MustParse(c.text).Odds(c.lim)
			if Code(err) != c.code {
				t.Fatalf("%s: %v (%s), want %s", c.text, err, Code(err), c.code)
			}
			var le *LimitError
			if errors.As(err, &le) && le.Got <= le.Max {
				t.Fatalf("%v", le)
			}
		})
	}
}

// Every modifier in a wide spread of combinations stays within the allowance.
func TestOddsCovers(t *testing.T) {
	for _, text := range []string{
		"1d100000", "2000d6", "100d6kh50", "20d20dl1dh1", "10d10!", "10d10!kh3", "20d6!!cs>=5", "8d6!p",
		"3d10!!kh2", "6d6!>=5kl4", "12d6rr1kh6", "10d6kh3!",
		"3d20ra1kh1+5", "20d6ra<3", "3d6!ra1kh1", "6d6ra<3!cs>=5", "10d6ro1mi2kh5cs>=5", "30d10>=8cs10cf1",
		"10d10!>=8cs>=8", "{3d6,2d8}kh1", "{10d6,8d8,6d10,4d20}kh2", "4d6kh3*1d4", "(4d6kh3+1d20)/3",
		"6d6!kh4mi2kl2", "3d6dl1!dh1", "1d100/1d10",
	} {
		if _, err := MustParse(text).Odds(Limits{}); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}
