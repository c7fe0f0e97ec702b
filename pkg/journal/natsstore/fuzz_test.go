package natsstore

import (
	"bytes"
	"encoding/binary"
	"testing"
	"time"
)

// record writes one as the server does.
func record(n uint32, seq uint64, subject, header, data string) []byte {
	out := make([]byte, recordHead)
	length := uint32(emptyRecord + len(subject) + len(data))
	if header != "" {
		length += uint32(4 + len(header))
		length |= headersBit
	}
	binary.LittleEndian.PutUint32(out, length)
	binary.LittleEndian.PutUint64(out[4:], seq)
	binary.LittleEndian.PutUint64(out[12:], uint64(time.Now().UnixNano()))
	binary.LittleEndian.PutUint16(out[20:], uint16(len(subject)))
	out = append(out, subject...)
	if header != "" {
		out = binary.LittleEndian.AppendUint32(out, uint32(len(header)))
	}
	out = append(append(out, header...), data...)
	h := blockHasher("S", n)
	h.h.Write(out[4:20])
	h.h.Write([]byte(subject + header + data))
	return h.h.Sum(out)
}

// Whatever a file holds, reading it ends, in bounds, and what is handed over
// verifies: it stands in the file with its checksum.
func FuzzReadBlock(f *testing.F) {
	one := record(1, 1, "a.b", "NATS/1.0\r\nNats-Msg-Id: x\r\n\r\n", "payload")
	two := record(1, 2, "a.b", "", "more")
	f.Add(append(bytes.Clone(one), two...))
	f.Add(append(one[:20], two...))
	f.Add([]byte("cmp\x01\x40rubbish that is no stream at all"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, raw []byte) {
		b := readBlock(raw, blockHasher("S", 1))
		if b.size > 0 && len(b.entries) == 0 && len(b.problems) == 0 {
			t.Fatal("bytes, no records and nothing wrong")
		}
		buf, _ := decompress(raw)
		for _, e := range b.entries {
			if !e.tomb && !e.erased && !bytes.Contains(buf, e.Data) {
				t.Fatal("a record that is not in the file")
			}
		}
	})
}
