package archive

import (
	"errors"
	"testing"
	"time"

	"github.com/skaldrpg/skald/pkg/journal"
)

// No bytes make the decoder fall over or take what it did not write: what it takes
// as whole encodes to the same bytes.
func FuzzDecode(f *testing.F) {
	head := segmentHead{stream: Stream{Name: "SKALD_0", ID: "id", Subjects: []string{"skald.0.>"}}, first: 3}
	raw, sum := appendFrame(nil, 0, head.payload())
	var chain Chain
	for seq := uint64(3); seq < 6; seq++ {
		r := journal.Record{Subject: "skald.0.t.encounter.e", Seq: seq, ID: "a", Data: []byte("data"), Time: time.Unix(int64(seq), 7).UTC()}
		payload, err := recordPayload(r)
		if err != nil {
			f.Fatal(err)
		}
		raw, sum = appendFrame(raw, sum, payload)
		chain = chain.next(r)
	}
	f.Add(raw)
	full, _ := appendFrame(raw, sum, segmentFoot{last: 5, records: 3, chain: chain}.payload())
	f.Add(full)
	f.Add(full[:len(full)-1])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		var again []byte
		var sum uint32
		var records []journal.Record
		seg, err := decode(b, func(r journal.Record, _ Chain) error { records = append(records, r); return nil })
		if err != nil && !errors.Is(err, ErrDamaged) {
			t.Fatalf("%v", err)
		}
		if seg.first == 0 {
			return
		}
		again, sum = appendFrame(nil, 0, seg.segmentHead.payload())
		for _, r := range records {
			payload, err := recordPayload(r)
			if err != nil {
				t.Fatal(err)
			}
			again, sum = appendFrame(again, sum, payload)
		}
		if seg.sealed {
			again, _ = appendFrame(again, sum, segmentFoot{last: seg.last, records: seg.records, chain: seg.chain}.payload())
		}
		if string(again) != string(b[:seg.whole]) {
			t.Fatalf("decoded %q from %q", again, b[:seg.whole])
		}
	})
}
