package tombstone

import (
	"encoding/binary"
	"fmt"
	"slices"
	"sort"

	"github.com/skaldrpg/skald/pkg/attest"
)

// run is sequences that follow each other.
type run struct{ first, last uint64 }

// Sequences is a set of stream sequences, in order. The zero value is empty.
type Sequences struct {
	runs  []run
	count uint64
}

// Of makes the set of sequences in any order.
func Of(all []uint64) Sequences {
	sorted := slices.Clone(all)
	slices.Sort(sorted)
	var s Sequences
	for _, seq := range slices.Compact(sorted) {
		if n := len(s.runs); n > 0 && s.runs[n-1].last+1 == seq {
			s.runs[n-1].last = seq
		} else {
			s.runs = append(s.runs, run{seq, seq})
		}
		s.count++
	}
	return s
}

// Len is how many there are.
func (s Sequences) Len() uint64 { return s.count }

// Last is the largest; 0 when there is none.
func (s Sequences) Last() uint64 {
	if len(s.runs) == 0 {
		return 0
	}
	return s.runs[len(s.runs)-1].last
}

// Has tells whether a sequence is among them.
func (s Sequences) Has(seq uint64) bool {
	i := sort.Search(len(s.runs), func(i int) bool { return s.runs[i].last >= seq })
	return i < len(s.runs) && s.runs[i].first <= seq
}

// Within tells whether any lies from first to last.
func (s Sequences) Within(first, last uint64) bool {
	i := sort.Search(len(s.runs), func(i int) bool { return s.runs[i].last >= first })
	return i < len(s.runs) && s.runs[i].first <= last
}

// Each calls fn for every sequence in order, until it fails.
func (s Sequences) Each(fn func(seq uint64) error) error {
	for _, r := range s.runs {
		for seq := r.first; ; seq++ {
			if err := fn(seq); err != nil {
				return err
			}
			if seq == r.last {
				break
			}
		}
	}
	return nil
}

// Bytes is the set as it is stored.
func (s Sequences) Bytes() []byte {
	var out []byte
	next := uint64(0) // the smallest that may come
	for _, r := range s.runs {
		out = binary.AppendUvarint(out, r.first-next)
		out = binary.AppendUvarint(out, r.last-r.first)
		next = r.last + 1
	}
	return out
}

// ReadSequences reads a set as it is stored. Errors wrap attest.ErrBad.
func ReadSequences(data []byte) (Sequences, error) {
	var s Sequences
	bad := fmt.Errorf("%w: a list of sequences is broken", attest.ErrBad)
	next := uint64(0)
	for len(data) > 0 {
		gap, n := binary.Uvarint(data)
		if n <= 0 {
			return Sequences{}, bad
		}
		more, m := binary.Uvarint(data[n:])
		first := next + gap
		last := first + more
		if m <= 0 || first < next || last < first || first == 0 || last == ^uint64(0) || len(s.runs) > 0 && gap == 0 {
			return Sequences{}, bad
		}
		data = data[n+m:]
		s.runs = append(s.runs, run{first, last})
		s.count += last - first + 1
		next = last + 1
	}
	return s, nil
}
