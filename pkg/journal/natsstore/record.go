package natsstore

import (
	"bytes"
	"encoding/binary"
	"hash"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/minio/highwayhash"
)

// Layout of a record: length 4 (its top bit: has headers), sequence 8 (top bits:
// erased, tombstone), time 8, length of the subject 2, subject, with headers their
// length 4 and they, payload, checksum 8. The checksum covers sequence, time,
// subject, headers and payload, and none of the lengths.
const (
	recordHead  = 22
	recordSum   = 8
	emptyRecord = recordHead + recordSum
	headersBit  = 1 << 31
	erasedBit   = 1 << 63
	tombBit     = 1 << 62
	// mostRecord is the longest record that the server reads, bytes.
	mostRecord = 32 << 20
	headersEnd = "\r\n\r\n"
)

// Record is one stored message. Its bytes belong to the reader and are valid
// only during the call that hands it over.
type Record struct {
	// Subject it was published on.
	Subject string
	// Seq is its sequence in the stream.
	Seq uint64
	// Time at which the server stored it.
	Time time.Time
	// Header as stored, "NATS/1.0\r\n..." with the empty line at its end; or nil.
	Header []byte
	// Data is the payload.
	Data []byte
}

// Get is the value of a header; empty when there is none.
func (r Record) Get(name string) string {
	for line := range strings.SplitSeq(string(r.Header), "\r\n") {
		if k, v, ok := strings.Cut(line, ":"); ok && k == name {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// entry is a record or a mark in its place.
type entry struct {
	Record
	size   int  // bytes in the block
	tomb   bool // Seq was deleted
	erased bool // Seq is empty on purpose
	mended bool // a length was wrong and is known again
}

// fault is why bytes are no record.
type fault int

const (
	whole   fault = iota
	short         // it would reach beyond the end
	badSum        // right in form, wrong in content
	badForm       // no record at all
	badHead       // content holds, a length does not
)

// hasher is the checksum of one block.
type hasher struct {
	h   hash.Hash64
	out [recordSum]byte
}

// newHasher keys the checksum by sha256(key), as the server does.
func newHasher(sum [32]byte) *hasher {
	h, err := highwayhash.New64(sum[:])
	if err != nil {
		panic(err) // the key has 32 bytes
	}
	return &hasher{h: h}
}

func (h *hasher) matches(want []byte, parts ...[]byte) bool {
	h.h.Reset()
	for _, p := range parts {
		h.h.Write(p) //nolint:errcheck // never fails
	}
	return bytes.Equal(h.h.Sum(h.out[:0]), want)
}

// parse reads the record at the start of buf.
func parse(buf []byte, h *hasher) (entry, fault) {
	if len(buf) < recordHead {
		return entry{}, short
	}
	length := binary.LittleEndian.Uint32(buf)
	return parseAs(buf, h, int(length&^headersBit), length&headersBit != 0, int(binary.LittleEndian.Uint16(buf[20:])))
}

// parseAs reads a record with lengths that may be others than those it says.
func parseAs(buf []byte, h *hasher, length int, headers bool, subject int) (entry, fault) {
	fixed := subject
	if headers {
		fixed += 4
	}
	switch {
	case length < emptyRecord || length > mostRecord || fixed > length-emptyRecord:
		return entry{}, badForm
	case length > len(buf):
		return entry{}, short
	}
	body, sum := buf[recordHead:length-recordSum], buf[length-recordSum:length]
	if !h.matches(sum, buf[4:20], body[:subject], body[fixed:]) {
		return entry{}, badSum
	}
	seq := binary.LittleEndian.Uint64(buf[4:])
	e := entry{size: length, tomb: seq&tombBit != 0, erased: seq&erasedBit != 0}
	e.Seq = seq &^ (tombBit | erasedBit)
	e.Time = time.Unix(0, int64(binary.LittleEndian.Uint64(buf[12:]))).UTC() //nolint:gosec // as written
	if e.tomb || e.erased {
		return e, whole
	}
	e.Subject, e.Data = string(body[:subject]), body[fixed:]
	found := whole
	if headers {
		said := int(binary.LittleEndian.Uint32(body[subject:]))
		// No checksum covers this length: it must agree with where the headers end.
		end := bytes.Index(e.Data, []byte(headersEnd))
		if end < 0 || !bytes.HasPrefix(e.Data, []byte("NATS/1.0")) {
			return entry{}, badForm
		}
		if end += len(headersEnd); end != said {
			found, e.mended = badHead, true
		}
		e.Header, e.Data = e.Data[:end], e.Data[end:]
	}
	if !plausible(e.Subject) {
		return entry{}, badForm // without headers the length of the subject is not covered
	}
	return e, found
}

// plausible tells whether a subject is one.
func plausible(s string) bool {
	return s != "" && utf8.ValidString(s) && !strings.ContainsAny(s, " \t\r\n\x00*>") &&
		s[0] != '.' && s[len(s)-1] != '.' && !strings.Contains(s, "..")
}

// candidate tells, cheaply, whether a record could start at buf.
func candidate(buf []byte) bool {
	if len(buf) < emptyRecord {
		return false
	}
	length := int(binary.LittleEndian.Uint32(buf) &^ headersBit)
	seq := binary.LittleEndian.Uint64(buf[4:]) &^ (erasedBit | tombBit)
	subject := int(binary.LittleEndian.Uint16(buf[20:]))
	return length >= emptyRecord && length <= len(buf) && length <= mostRecord && seq != 0 && seq < 1<<48 && subject <= length-emptyRecord
}

// mend tries whether buf[:length], of which the lengths are wrong, is a record.
func mend(buf []byte, h *hasher, length int) (entry, bool) {
	if length < emptyRecord || length > len(buf) {
		return entry{}, false
	}
	said := binary.LittleEndian.Uint32(buf)
	subjects := []int{int(binary.LittleEndian.Uint16(buf[20:]))}
	if said == uint32(length) || said == uint32(length)|headersBit { //nolint:gosec // bounded by mostRecord
		for n := 1; n <= min(mostSubject, length-emptyRecord); n++ {
			subjects = append(subjects, n)
		}
	}
	for _, n := range subjects {
		for _, headers := range []bool{true, false} {
			if e, f := parseAs(buf, h, length, headers, n); f == whole || f == badHead {
				e.mended = true
				return e, true
			}
		}
	}
	return entry{}, false
}

// mostSubject bounds what mend tries, bytes.
const mostSubject = 1024
