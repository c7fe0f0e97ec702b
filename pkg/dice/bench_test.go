package dice

import "testing"

// cycle is a source that costs nothing.
type cycle struct{ n int }

func (c *cycle) Face(sides int) (int, error) {
	c.n += 7
	return c.n%sides + 1, nil
}

func BenchmarkEval(b *testing.B) {
	for _, text := range []string{
		"1d20", "2d20kh1+5", "8d6", "10d10!", "4d6kh3", "{3d6,2d8}kh1", "1711d6",
	} {
		b.Run(text, func(b *testing.B) {
			e, src := MustParse(text), &cycle{}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.Eval(src, Limits{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	for _, text := range []string{"1d20+5", "{3d6rr1[fire],2d8!kh1}kh1*2"} {
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkOdds(b *testing.B) {
	for _, text := range []string{
		"1d20+5", "4d6kh3", "10d6kh3", "20d20kh1", "100d6", "1711d6", "3d6!", "10d10!", "10d10!kh3", "6d10!!kh3",
		"{3d6,2d8}kh1", "12d10>=8cf1", "(8d6+1d4)/2",
	} {
		b.Run(text, func(b *testing.B) {
			e := MustParse(text)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.Odds(Limits{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
