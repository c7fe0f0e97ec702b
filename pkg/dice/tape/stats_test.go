package tape_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/skaldrpg/skald/pkg/dice/tape"
)

// farOut is a bound on a chi-square value of so many degrees of freedom that a
// fair tape exceeds about once in a million: mean plus five standard
// deviations, and some more for the long tail of few degrees. The keys are
// fixed, so that the tests always see the same tapes.
func farOut(degrees int) float64 {
	d := float64(degrees)
	return d + 5*math.Sqrt(2*d) + 12
}

// chiSquare returns the statistic of counts expected to be all alike.
func chiSquare(counts []int) float64 {
	sum := 0
	for _, c := range counts {
		sum += c
	}
	want, x := float64(sum)/float64(len(counts)), 0.0
	for _, c := range counts {
		x += (float64(c) - want) * (float64(c) - want) / want
	}
	return x
}

func check(t *testing.T, what string, counts []int) {
	t.Helper()
	if x, far := chiSquare(counts), farOut(len(counts)-1); x > far {
		t.Errorf("%s: chi-square %.1f is over %.1f", what, x, far)
	}
}

// Every face is as likely, along one tape and across addresses.
func TestUniform(t *testing.T) {
	k := keyOf(t)
	for _, sides := range []int{2, 3, 4, 6, 8, 10, 12, 20, 100, 1000} {
		along, across := make([]int, sides), make([]int, sides)
		n := max(20_000, 50*sides)
		for _, f := range faces(t, k, tape.Real, testAddress, sides, n) {
			along[f-1]++
		}
		for i := range 20_000 {
			a := testAddress
			a.Action = uint64(i)
			across[faces(t, k, tape.Real, a, sides, 1)[0]-1]++
		}
		check(t, fmt.Sprintf("d%d along a tape", sides), along)
		check(t, fmt.Sprintf("d%d across actions", sides), across)
	}
}

// Rejection keeps huge dice fair: of a die of 3*2^30 sides each third is as
// likely, where taking the remainder alone would double the first third.
func TestUniformHugeDie(t *testing.T) {
	counts := make([]int, 3)
	for _, f := range faces(t, keyOf(t), tape.Real, testAddress, 3<<30, 20_000) {
		counts[(f-1)>>30]++
	}
	check(t, "d3221225472", counts)
}

// Neighbours tell nothing of each other: the next face on the tape, the same
// place at the next action, the next index, another purpose or audience.
func TestIndependent(t *testing.T) {
	k, n := keyOf(t), 20_000
	gm, err := tape.TapeKey(seedOf(t, tape.GM), nil)
	if err != nil {
		t.Fatal(err)
	}
	first := func(k tape.Key, p tape.Purpose, action uint64, index uint32) int {
		a := testAddress
		a.Action, a.Index = action, index
		return faces(t, k, p, a, 6, 1)[0] - 1
	}
	for name, other := range map[string]func(i uint64) int{
		"next action": func(i uint64) int { return first(k, tape.Real, i+1, 0) },
		"next index":  func(i uint64) int { return first(k, tape.Real, i, 1) },
		"preview":     func(i uint64) int { return first(k, tape.Preview, i, 0) },
		"fork":        func(i uint64) int { return first(k, tape.Fork, i, 0) },
		"gm":          func(i uint64) int { return first(gm, tape.Real, i, 0) },
	} {
		pairs := make([]int, 36)
		for i := range uint64(n) {
			pairs[first(k, tape.Real, i, 0)*6+other(i)]++
		}
		check(t, name, pairs)
	}
	pairs, row := make([]int, 36), faces(t, k, tape.Real, testAddress, 6, 2*n)
	for i := 0; i < len(row); i += 2 {
		pairs[(row[i]-1)*6+row[i+1]-1]++
	}
	check(t, "next face", pairs)
}
