package store

import (
	"errors"
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/projection"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// What grows with a fight stands in pages of so many entries, so that a snapshot
// holds only what lies beyond the last full one.
const pageEntries = 512

// Names of the lists in pages, which stand in the key behind the encounter. Behind
// links and marks come the version that wrote the page and its place; behind the
// others the viewer's key, the branch or nothing, and the place: those never go back.
const (
	linkList  = "links"
	markList  = "marks"
	seenList  = "seen"
	drawsList = "draws"
	asideList = "aside"
)

// full is how many whole pages of a list may be put away: its last entry may
// still change.
func full(n int) int { return max(0, n-1) / pageEntries }

// putAway writes the pages of a list that are full and not yet written, and
// returns the versions of all.
func putAway(tx *projection.Tx, prefix []byte, list string, version uint64, have []uint64, entries int, page func(from, to int) proto.Message) ([]uint64, error) {
	for i := len(have); i < full(entries); i++ {
		key := append(append([]byte(nil), prefix...), projection.Key(list, version, uint64(i))...)
		if err := aggregate.Put(tx, pages, key, page(i*pageEntries, (i+1)*pageEntries)); err != nil {
			return nil, err
		}
		have = append(have, version)
	}
	return have, nil
}

func links(all []replica.Link) *encounterv1.StoredLinks {
	out := &encounterv1.StoredLinks{}
	var last uint64
	ats, indexes, answers := false, false, false
	for i, l := range all {
		if l.Inserted {
			out.Inserted = append(out.Inserted, uint32(i)) //nolint:gosec // a place in a page
		}
		out.Origins = append(out.Origins, int64(l.Origin-last)) //nolint:gosec // a difference
		last = l.Origin
		out.Ats = append(out.Ats, int64(l.At-l.Origin))           //nolint:gosec // a difference
		out.Indexes = append(out.Indexes, uint32(l.Index))        //nolint:gosec // a number of commands
		out.Answers = append(out.Answers, uint32(len(l.Answers))) //nolint:gosec // a number of answers
		ats, indexes, answers = ats || l.At != l.Origin, indexes || l.Index != 0, answers || len(l.Answers) > 0
		for _, v := range l.Answers {
			out.Answered = append(out.Answered, int64(v-l.Origin)) //nolint:gosec // a difference
		}
	}
	if !ats {
		out.Ats = nil
	}
	if !indexes {
		out.Indexes = nil
	}
	if !answers {
		out.Answers = nil
	}
	return out
}

// errPage says that a page does not hold what it should.
var errPage = errors.New("store: a page of a list is not whole")

func addLinks(to []replica.Link, page *encounterv1.StoredLinks) ([]replica.Link, error) {
	n := len(page.Origins)
	for _, column := range []int{len(page.Ats), len(page.Indexes), len(page.Answers)} {
		if column != 0 && column != n {
			return nil, errPage
		}
	}
	var origin uint64
	answered, first := page.Answered, len(to)
	for i := range n {
		origin += uint64(page.Origins[i]) //nolint:gosec // as it was written
		l := replica.Link{Origin: origin, At: origin}
		if page.Ats != nil {
			l.At += uint64(page.Ats[i]) //nolint:gosec // as it was written
		}
		if page.Indexes != nil {
			l.Index = int(page.Indexes[i])
		}
		if page.Answers != nil {
			k := int(page.Answers[i])
			if k > len(answered) {
				return nil, errPage
			}
			for _, v := range answered[:k] {
				l.Answers = append(l.Answers, origin+uint64(v)) //nolint:gosec // as it was written
			}
			answered = answered[k:]
		}
		to = append(to, l)
	}
	for _, i := range page.Inserted {
		if int(i) >= n {
			return nil, errPage
		}
		to[first+int(i)].Inserted = true
	}
	return to, nil
}

func marks(all []replica.Mark) *encounterv1.StoredMarks {
	out := &encounterv1.StoredMarks{}
	var last uint64
	for _, m := range all {
		out.Versions = append(out.Versions, int64(m.Version-last)) //nolint:gosec // a difference
		out.Rounds = append(out.Rounds, m.Round)
		last = m.Version
	}
	return out
}

func addMarks(to []replica.Mark, page *encounterv1.StoredMarks) ([]replica.Mark, error) {
	if len(page.Versions) != len(page.Rounds) {
		return nil, errPage
	}
	var version uint64
	for i, step := range page.Versions {
		version += uint64(step) //nolint:gosec // as it was written
		to = append(to, replica.Mark{Version: version, Round: page.Rounds[i]})
	}
	return to, nil
}

func numbers(all []uint64) *encounterv1.StoredNumbers {
	out := &encounterv1.StoredNumbers{Steps: make([]int64, len(all))}
	var last uint64
	for i, v := range all {
		out.Steps[i], last = int64(v-last), v //nolint:gosec // a difference
	}
	return out
}

func addNumbers(to []uint64, page *encounterv1.StoredNumbers) []uint64 {
	var v uint64
	for _, step := range page.Steps {
		v += uint64(step) //nolint:gosec // as it was written
		to = append(to, v)
	}
	return to
}

// putNumbers writes the pages of a list that never goes back, from the one that
// holds the entry after the first was ones. all is from that page on.
func putNumbers(tx *projection.Tx, prefix []byte, list, of string, first int, all []uint64) error {
	for page := first / pageEntries; len(all) > 0; page++ {
		n := min(pageEntries, len(all))
		key := append(append([]byte(nil), prefix...), projection.Key(list, of, uint64(page))...)
		if err := aggregate.Put(tx, pages, key, numbers(all[:n])); err != nil {
			return err
		}
		all = all[n:]
	}
	return nil
}

// readNumbers reads the first so many entries of such a list.
func readNumbers(tx *projection.Tx, prefix []byte, list, of string, count uint64) ([]uint64, error) {
	out := make([]uint64, 0, count+pageEntries)
	at := append(append([]byte(nil), prefix...), projection.Key(list, of)...)
	for page := uint64(0); uint64(len(out)) < count; page++ {
		row := &encounterv1.StoredNumbers{}
		found, err := aggregate.Get(tx, pages, append(append([]byte(nil), at...), projection.Key(page)...), row)
		if err == nil && (!found || len(row.Steps) == 0) {
			err = errPage
		}
		if err != nil {
			return nil, fmt.Errorf("%s of %s: %w", list, of, err)
		}
		out = addNumbers(out, row)
	}
	return out[:count], nil
}
