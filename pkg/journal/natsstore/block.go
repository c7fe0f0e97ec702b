package natsstore

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"sync"

	"github.com/klauspost/compress/s2"
)

// mostBlock bounds a block on disk and decompressed, bytes: the server starts a
// new one at 8 MiB, and the last record may have 32.
const mostBlock = 64 << 20

// block is what one block file holds.
type block struct {
	entries  []entry
	problems []problem
	size     int // of what it decompresses to
	torn     int // where a torn end starts; -1 when it has none
}

// problem is a finding within a block; sequences are filled in by the stream.
type problem struct {
	offset int64
	kind   Kind
	text   string
	after  int // how many entries stand before it
}

// blockHasher is the checksum of the records of a stream's block number n.
func blockHasher(stream string, n uint32) *hasher {
	return newHasher(sha256.Sum256(fmt.Appendf(nil, "%s-%d", stream, n)))
}

// readBlock reads a block file's bytes. It always returns what it found.
func readBlock(raw []byte, h *hasher) block {
	b := block{torn: -1}
	buf, problems := decompress(raw)
	b.problems, b.size = problems, len(buf)
	compressed := len(raw) > 0 && isCompressed(raw)
	work := 32*len(buf) + mostRecord // bytes that may be hashed on the search for records
	for at := 0; at < len(buf); {
		e, f := parse(buf[at:], h)
		if f == whole {
			b.entries = append(b.entries, e)
			at += e.size
			continue
		}
		if f == badHead {
			b.problem(at, KindHeader, "the length of the headers is wrong")
			b.entries = append(b.entries, e)
			at += e.size
			continue
		}
		next := search(buf, at+1, h, &work)
		if m, ok := mend(buf[at:], h, next-at); ok {
			b.problem(at, KindHeader, "a length of the record is wrong")
			b.entries = append(b.entries, m)
			at = next
			continue
		}
		kind, text := judge(f, buf[at:next])
		if next == len(buf) && !compressed && (f == short || zeroTail(buf[at:])) {
			b.torn, kind = at, KindTorn
		}
		b.problem(at, kind, text)
		at = next
	}
	return b
}

func (b *block) problem(at int, kind Kind, text string) {
	b.problems = append(b.problems, problem{offset: int64(at), kind: kind, text: text, after: len(b.entries)})
}

func judge(f fault, lost []byte) (Kind, string) {
	switch f {
	case short:
		return KindTruncated, fmt.Sprintf("a record ends too early (%d bytes)", len(lost))
	case badSum:
		return KindChecksum, fmt.Sprintf("the checksum of a record does not hold (%d bytes)", len(lost))
	}
	return KindGarbage, fmt.Sprintf("%d bytes are no record", len(lost))
}

// zeroTail: space that was given to a file whose bytes never arrived: all zeros
// from a page's or the record's start on.
func zeroTail(tail []byte) bool {
	const page = 4096
	zeros := len(tail) - len(bytes.TrimRight(tail, "\x00"))
	return zeros == len(tail) || zeros >= page
}

// search finds the next place from at on where a record verifies; len(buf) when
// there is none.
func search(buf []byte, at int, h *hasher, work *int) int {
	for ; at+emptyRecord <= len(buf); at++ {
		if !candidate(buf[at:]) {
			continue
		}
		length := int(binary.LittleEndian.Uint32(buf[at:]) &^ headersBit)
		if *work -= length; *work < 0 {
			return len(buf)
		}
		if _, f := parse(buf[at:], h); f == whole || f == badHead {
			return at
		}
	}
	return len(buf)
}

// isCompressed: the server marks compressed blocks by "cmp" and the algorithm.
func isCompressed(raw []byte) bool {
	return len(raw) >= 5 && bytes.Equal(raw[:4], []byte{'c', 'm', 'p', 1})
}

// decompress returns the records' bytes. Where a compressed block is damaged it
// goes on behind the damage, with zeros in place of what is lost.
func decompress(raw []byte) ([]byte, []problem) {
	if !isCompressed(raw) {
		return raw, nil
	}
	size, n := binary.Uvarint(raw[4:])
	body := 4 + n
	if n <= 0 || len(raw) < body+recordSum {
		return nil, []problem{{kind: KindTruncated, text: "a compressed block ends too early"}}
	}
	frames, sum := raw[body:len(raw)-recordSum], raw[len(raw)-recordSum:]
	out, err := inflate(frames)
	if err == nil && uint64(len(out)+recordSum) == size {
		return append(out, sum...), nil
	}
	if err == nil {
		err = fmt.Errorf("%d bytes where %d were written", len(out)+recordSum, size)
	}
	if size > mostBlock || size < recordSum {
		size = 0 // the number itself is damaged
	}
	problems := []problem{{kind: KindBlock, text: "a compressed block can not be decompressed: " + err.Error()}}
	return append(salvageFrames(frames, int(size)-recordSum), sum...), problems
}

// readers keeps the decompressor's buffers between blocks.
var readers = sync.Pool{New: func() any { return s2.NewReader(nil) }}

func inflate(frames []byte) ([]byte, error) {
	r := readers.Get().(*s2.Reader)
	defer readers.Put(r)
	r.Reset(bytes.NewReader(frames))
	return io.ReadAll(io.LimitReader(r, mostBlock+1))
}

// Frames of an S2 stream.
const (
	frameCompressed = 0x00
	framePlain      = 0x01
	frameHead       = 4       // kind and length
	frameMost       = 1 << 20 // decompressed bytes of a frame, as the server's writer makes them
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var errFrame = errors.New("broken frame")

// salvageFrames decompresses each frame by itself. size is what all have; below
// zero when that is not known.
func salvageFrames(raw []byte, size int) []byte {
	var out []byte
	hole := func() { // in place of a lost frame, so that what follows keeps its place
		n := frameMost
		if size >= 0 {
			n = min(n, max(size-len(out), 0))
		}
		out = append(out, make([]byte, n)...)
	}
	for at := 0; at+frameHead <= len(raw) && len(out) < mostBlock; {
		kind, length := raw[at], int(raw[at+1])|int(raw[at+2])<<8|int(raw[at+3])<<16
		end := at + frameHead + length
		if kind != frameCompressed && kind != framePlain || end > len(raw) {
			if kind > 0x7f && end <= len(raw) { // the stream's name, padding: nothing to hand over
				at = end
				continue
			}
			hole()
			at = nextFrame(raw, at+1)
			continue
		}
		data, err := openFrame(kind, raw[at+frameHead:end])
		if data == nil {
			hole()
		}
		out = append(out, data...) // each record in it has a checksum of its own
		if err != nil && (end+frameHead > len(raw) || raw[end] > framePlain && raw[end] <= 0x7f) {
			end = nextFrame(raw, at+1)
		}
		at = end
	}
	return out
}

// openFrame returns the frame's bytes, with errFrame when their checksum does
// not hold; nil when they can not be decompressed.
func openFrame(kind byte, body []byte) ([]byte, error) {
	if len(body) < 4 {
		return nil, errFrame
	}
	sum, data := binary.LittleEndian.Uint32(body), body[4:]
	if kind == frameCompressed {
		n, err := s2.DecodedLen(data)
		if err != nil || n > 4*frameMost {
			return nil, errFrame
		}
		if data, err = s2.Decode(nil, data); err != nil {
			return nil, errFrame
		}
	}
	if c := crc32.Checksum(data, castagnoli); (c>>15|c<<17)+0xa282ead8 != sum {
		return data, errFrame
	}
	return data, nil
}

// nextFrame finds the next place from at on where a frame verifies.
func nextFrame(raw []byte, at int) int {
	work := 16*len(raw) + frameMost
	for ; at+frameHead+4 <= len(raw); at++ {
		if raw[at] > framePlain {
			continue
		}
		length := int(raw[at+1]) | int(raw[at+2])<<8 | int(raw[at+3])<<16
		if length < 5 || at+frameHead+length > len(raw) {
			continue
		}
		if work -= length; work < 0 {
			return len(raw)
		}
		if _, err := openFrame(raw[at], raw[at+frameHead:at+frameHead+length]); err == nil {
			return at
		}
	}
	return len(raw)
}
