package archive

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/skaldrpg/skald/pkg/journal"
)

// A segment is a row of frames: a head, records, and in a sealed one a foot.
//
//	frame  = length of the payload (4 bytes), checksum (4), payload; big-endian
//	head   = 'H', format (2), first sequence (8), chain before (32), stream, id of the stream, subjects
//	record = 'R', sequence (8), time in ns since 1970 (8), subject, id, data
//	foot   = 'F', last sequence (8), records (8), chain (32)
//
// Words are their length (2 bytes) and bytes; data is the rest. A checksum is
// CRC-32C over the one before it and the payload, so that a frame that is missing,
// repeated or moved shows. The chain goes through all segments: SHA-256 over the
// chain before and the record's sequence, subject, id and data, not its time,
// which a stream that is made again does not keep.
const (
	format      = 1
	frameHead   = 8
	kindHead    = 'H'
	kindRecord  = 'R'
	kindFoot    = 'F'
	maxPayload  = journal.MaxMessage + 4<<10
	maxSubjects = 64

	prefix     = "segment-"
	openSuffix = ".open"
	sealSuffix = ".zst"
	asideDir   = "aside/"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Chain is the digest of every record up to one of them, in order.
type Chain [sha256.Size]byte

// String is hexadecimal.
func (c Chain) String() string { return hex.EncodeToString(c[:]) }

// next is the chain with one more record.
func (c Chain) next(r journal.Record) Chain {
	b := make([]byte, 0, 64+len(r.Subject)+len(r.ID)+len(r.Data))
	b = append(b, c[:]...)
	b = binary.BigEndian.AppendUint64(b, r.Seq)
	b = appendWord(b, r.Subject)
	b = appendWord(b, r.ID)
	return sha256.Sum256(append(b, r.Data...))
}

// Stream says which stream is archived.
type Stream struct {
	Name     string   // SKALD_0
	ID       string   // its random id, journal.Info.StreamID
	Subjects []string // that it stores
}

func (s Stream) same(o Stream) bool { return s.Name == o.Name && s.ID == o.ID }

// segmentHead begins a segment.
type segmentHead struct {
	stream Stream
	first  uint64 // the segment has every record from here to its last
	before Chain
}

type segmentFoot struct {
	last, records uint64
	chain         Chain
}

func sealedName(first uint64) string { return fmt.Sprintf("%s%020d%s", prefix, first, sealSuffix) }
func openName(first uint64) string   { return fmt.Sprintf("%s%020d%s", prefix, first, openSuffix) }

func appendWord(b []byte, s string) []byte {
	b = binary.BigEndian.AppendUint16(b, uint16(len(s))) //nolint:gosec // words are checked to be short
	return append(b, s...)
}

// appendFrame adds a frame and returns its checksum.
func appendFrame(b []byte, sum uint32, payload []byte) ([]byte, uint32) {
	sum = checksum(sum, payload)
	b = binary.BigEndian.AppendUint32(b, uint32(len(payload))) //nolint:gosec // at most maxPayload
	b = binary.BigEndian.AppendUint32(b, sum)
	return append(b, payload...), sum
}

func checksum(before uint32, payload []byte) uint32 {
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], before)
	return crc32.Update(crc32.Checksum(b[:], castagnoli), castagnoli, payload)
}

func (h segmentHead) payload() []byte {
	b := []byte{kindHead}
	b = binary.BigEndian.AppendUint16(b, format)
	b = binary.BigEndian.AppendUint64(b, h.first)
	b = append(b, h.before[:]...)
	b = appendWord(b, h.stream.Name)
	b = appendWord(b, h.stream.ID)
	b = binary.BigEndian.AppendUint16(b, uint16(len(h.stream.Subjects))) //nolint:gosec // at most maxSubjects
	for _, s := range h.stream.Subjects {
		b = appendWord(b, s)
	}
	return b
}

func recordPayload(r journal.Record) ([]byte, error) {
	if len(r.Subject) > 1<<15 || len(r.ID) > 1<<15 || len(r.Data)+len(r.Subject)+len(r.ID) > maxPayload-64 {
		return nil, fmt.Errorf("archive: record at sequence %d is too large", r.Seq)
	}
	b := make([]byte, 0, 32+len(r.Subject)+len(r.ID)+len(r.Data))
	b = append(b, kindRecord)
	b = binary.BigEndian.AppendUint64(b, r.Seq)
	b = binary.BigEndian.AppendUint64(b, uint64(r.Time.UnixNano())) //nolint:gosec // a pattern of bits
	b = appendWord(b, r.Subject)
	b = appendWord(b, r.ID)
	return append(b, r.Data...), nil
}

func (f segmentFoot) payload() []byte {
	b := []byte{kindFoot}
	b = binary.BigEndian.AppendUint64(b, f.last)
	b = binary.BigEndian.AppendUint64(b, f.records)
	return append(b, f.chain[:]...)
}

// cursor takes a payload apart; bad is set where it is too short.
type cursor struct {
	b   []byte
	bad bool
}

func (c *cursor) take(n int) []byte {
	if c.bad || n > len(c.b) {
		c.bad = true
		return make([]byte, min(n, 64))
	}
	out := c.b[:n]
	c.b = c.b[n:]
	return out
}

func (c *cursor) u16() int         { return int(binary.BigEndian.Uint16(c.take(2))) }
func (c *cursor) u64() uint64      { return binary.BigEndian.Uint64(c.take(8)) }
func (c *cursor) word() string     { return string(c.take(c.u16())) }
func (c *cursor) chain() (h Chain) { copy(h[:], c.take(len(h))); return h }

func parseHead(payload []byte) (segmentHead, error) {
	c := &cursor{b: payload}
	if c.take(1)[0] != kindHead {
		return segmentHead{}, errors.New("no head")
	}
	if v := c.u16(); v != format {
		return segmentHead{}, fmt.Errorf("format %d, want %d", v, format)
	}
	h := segmentHead{first: c.u64(), before: c.chain()}
	h.stream.Name, h.stream.ID = c.word(), c.word()
	n := c.u16()
	if n > maxSubjects {
		return segmentHead{}, errors.New("too many subjects")
	}
	for range n {
		h.stream.Subjects = append(h.stream.Subjects, c.word())
	}
	if c.bad || len(c.b) > 0 || h.first == 0 {
		return segmentHead{}, errors.New("malformed head")
	}
	return h, nil
}

func parseRecord(payload []byte) (journal.Record, error) {
	c := &cursor{b: payload[1:]}
	r := journal.Record{Seq: c.u64()}
	r.Time = time.Unix(0, int64(c.u64())).UTC() //nolint:gosec // a pattern of bits
	r.Subject, r.ID = c.word(), c.word()
	if c.bad || r.Seq == 0 || r.Subject == "" {
		return r, errors.New("malformed record")
	}
	r.Data = bytes.Clone(c.b)
	return r, nil
}

func parseFoot(payload []byte) (segmentFoot, error) {
	c := &cursor{b: payload[1:]}
	f := segmentFoot{last: c.u64(), records: c.u64(), chain: c.chain()}
	if c.bad || len(c.b) > 0 {
		return f, errors.New("malformed foot")
	}
	return f, nil
}

// segment is what a segment's bytes say.
type segment struct {
	segmentHead
	last    uint64 // of the records; first-1 without any
	records uint64
	chain   Chain
	sum     uint32 // checksum of the last whole frame
	whole   int64  // bytes of whole frames
	sealed  bool
}

// damage is what is wrong at a place of a segment.
type damage struct {
	at   int64  // bytes into the segment, before compression
	seq  uint64 // last sequence that is readable
	torn bool   // the segment merely ends within a frame
	what string
}

func (d *damage) Error() string {
	return fmt.Sprintf("%s at byte %d, after sequence %d", d.what, d.at, d.seq)
}

func (d *damage) Unwrap() error { return ErrDamaged }

// decode reads a segment's bytes and hands over each record; the segment says how
// far it is whole. The error is a *damage or one of fn.
func decode(raw []byte, fn func(journal.Record, Chain) error) (segment, error) {
	var s segment
	fail := func(torn bool, what string) (segment, error) {
		return s, &damage{at: s.whole, seq: s.last, torn: torn, what: what}
	}
	for begun := false; int(s.whole) < len(raw); begun = true {
		rest := raw[s.whole:]
		if s.sealed {
			return fail(false, "bytes behind the foot")
		}
		if len(rest) < frameHead {
			return fail(true, "frame is cut off")
		}
		size := binary.BigEndian.Uint32(rest)
		if size == 0 || size > maxPayload {
			return fail(false, fmt.Sprintf("frame of %d bytes", size))
		}
		if int(size) > len(rest)-frameHead {
			return fail(true, "frame is cut off")
		}
		payload := rest[frameHead : frameHead+int(size)]
		sum := binary.BigEndian.Uint32(rest[4:])
		if sum != checksum(s.sum, payload) {
			return fail(len(rest) == frameHead+int(size), "checksum does not hold")
		}
		if err := s.frame(begun, payload, fn); err != nil {
			var own *contentError
			if errors.As(err, &own) {
				return fail(false, own.text)
			}
			return s, err
		}
		s.sum = sum
		s.whole += int64(frameHead + len(payload))
	}
	if s.first == 0 {
		return fail(true, "no head")
	}
	return s, nil
}

// contentError is about a frame whose checksum holds.
type contentError struct{ text string }

func (e *contentError) Error() string { return e.text }

func (s *segment) frame(begun bool, payload []byte, fn func(journal.Record, Chain) error) error {
	if !begun {
		h, err := parseHead(payload)
		if err != nil {
			return &contentError{err.Error()}
		}
		s.segmentHead, s.last, s.chain = h, h.first-1, h.before
		return nil
	}
	switch payload[0] {
	case kindRecord:
		r, err := parseRecord(payload)
		if err != nil {
			return &contentError{err.Error()}
		}
		if r.Seq <= s.last {
			return &contentError{fmt.Sprintf("sequence %d follows %d", r.Seq, s.last)}
		}
		s.last, s.chain = r.Seq, s.chain.next(r)
		s.records++
		return fn(r, s.chain)
	case kindFoot:
		f, err := parseFoot(payload)
		if err != nil {
			return &contentError{err.Error()}
		}
		if f.last != s.last || f.records != s.records || f.chain != s.chain {
			return &contentError{"the foot is of other records"}
		}
		s.sealed = true
		return nil
	}
	return &contentError{fmt.Sprintf("frame of unknown kind %q", payload[0])}
}

// Compression is deterministic and has no goroutines of its own.
var (
	packer, _   = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(true))
	unpacker, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxRaw))
)

// maxRaw bounds a segment before compression, bytes.
const maxRaw = 256 << 20

func pack(raw []byte) []byte { return packer.EncodeAll(raw, nil) }

func unpack(data []byte) ([]byte, error) {
	raw, err := unpacker.DecodeAll(data, nil)
	if err != nil {
		return nil, &damage{what: "compression: " + err.Error()}
	}
	return raw, nil
}
