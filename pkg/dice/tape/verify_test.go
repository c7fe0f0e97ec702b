package tape_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/dice/tape"
)

// fight records a few rolls as a log would have them.
func fight(t *testing.T, k tape.Key) (records []tape.Recorded, totals []int64) {
	t.Helper()
	for i, c := range []struct {
		label, expr string
		purpose     tape.Purpose
	}{
		{"attack/1/to-hit", "2d20kh1+5", tape.Real},
		{"attack/1/damage", "8d6!+2d4[cold]", tape.Real},
		{"morale", "{3d6rr1,2d8}kh1", tape.Fork},
		{"wild", "4dF+d%", tape.Preview},
	} {
		a := tape.Address{Encounter: "emberfall", Action: uint64(i + 1), Label: c.label}
		tp, err := tape.Open(k, c.purpose, a)
		if err != nil {
			t.Fatal(err)
		}
		r, err := dice.MustParse(c.expr).Eval(tp, dice.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, tape.Recorded{Address: a, Purpose: c.purpose, Expr: c.expr, Faces: r.Faces})
		totals = append(totals, r.Total)
	}
	return records, totals
}

func TestVerify(t *testing.T) {
	seed := seedOf(t, tape.Everyone)
	commitment := tape.Commitment(seed)
	entropy := []tape.Contribution{{Contributor: "bo", Bytes: []byte("7 of hearts")}}
	records, totals := fight(t, keyOf(t, entropy...))
	verify := func(t *testing.T, change func(r []tape.Recorded)) *tape.Report {
		t.Helper()
		changed := make([]tape.Recorded, len(records))
		for i, r := range records {
			r.Faces = append([]dice.Face(nil), r.Faces...)
			changed[i] = r
		}
		change(changed)
		report, err := tape.Verify(seed, commitment, entropy, changed, dice.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		return report
	}

	t.Run("an honest log", func(t *testing.T) {
		n := 0
		for _, r := range records {
			n += len(r.Faces)
		}
		r := verify(t, func([]tape.Recorded) {})
		if !r.OK() || r.Rolls != 4 || r.Faces != n || r.Supplied != 0 || !reflect.DeepEqual(r.Totals, totals) {
			t.Fatalf("%+v", r)
		}
	})
	t.Run("one face changed", func(t *testing.T) {
		was := records[0].Faces[1].Face
		r := verify(t, func(r []tape.Recorded) { r[0].Faces[1].Face = was%20 + 1 })
		want := []tape.Difference{{Record: 0, Face: 1, Sides: 20, Recorded: was%20 + 1, Derived: was}}
		if r.OK() || !reflect.DeepEqual(r.Differences, want) || len(r.Faults) != 0 {
			t.Fatalf("%+v, want %+v", r, want)
		}
	})
	t.Run("another purpose", func(t *testing.T) {
		r := verify(t, func(r []tape.Recorded) { r[1].Purpose = tape.Preview })
		if r.OK() || r.Differences[0].Record != 1 {
			t.Fatalf("%+v", r)
		}
	})
	t.Run("another address", func(t *testing.T) {
		r := verify(t, func(r []tape.Recorded) { r[1].Address.Index = 9 })
		if r.OK() {
			t.Fatalf("%+v", r)
		}
	})
	for name, change := range map[string]func(r []tape.Recorded){
		"a face left out":     func(r []tape.Recorded) { r[3].Faces = r[3].Faces[:4] },
		"a face too many":     func(r []tape.Recorded) { r[0].Faces = append(r[0].Faces, dice.Face{Sides: 20, Face: 1}) },
		"other dice":          func(r []tape.Recorded) { r[0].Expr = "1d20+1d12" },
		"no expression":       func(r []tape.Recorded) { r[0].Expr = "2d" },
		"no such purpose":     func(r []tape.Recorded) { r[0].Purpose = "" },
		"no such die":         func(r []tape.Recorded) { r[0].Faces[0].Sides = 0 },
		"a face off the die":  func(r []tape.Recorded) { r[0].Faces[0].Face = 21 },
		"sides not as rolled": func(r []tape.Recorded) { r[0].Faces[0] = dice.Face{Sides: 30, Face: 1} },
	} {
		t.Run(name, func(t *testing.T) {
			r := verify(t, change)
			if r.OK() || len(r.Faults) != 1 || r.Faults[0].Err == nil {
				t.Fatalf("%+v", r)
			}
		})
	}
	t.Run("supplied faces", func(t *testing.T) {
		r := verify(t, func(r []tape.Recorded) {
			r[0].Faces, r[0].Supplied = []dice.Face{{Sides: 20, Face: 20}, {Sides: 20, Face: 20}}, 2
		})
		if !r.OK() || r.Supplied != 2 || r.Totals[0] != 25 {
			t.Fatalf("%+v", r)
		}
	})
	t.Run("the wrong seed", func(t *testing.T) {
		_, err := tape.Verify(seedOf(t, tape.GM), commitment, entropy, records, dice.Limits{})
		if !errors.Is(err, tape.ErrCommitment) {
			t.Fatal(err)
		}
	})
	t.Run("entropy left out", func(t *testing.T) {
		r, err := tape.Verify(seed, commitment, nil, records, dice.Limits{})
		if err != nil || r.OK() {
			t.Fatalf("%+v, %v", r, err)
		}
	})
	t.Run("entropy twice", func(t *testing.T) {
		_, err := tape.Verify(seed, commitment, append(entropy, entropy...), records, dice.Limits{})
		if !errors.Is(err, tape.ErrContributor) {
			t.Fatal(err)
		}
	})
}
