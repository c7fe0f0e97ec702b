package natsstore

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"os"
	"path/filepath"
)

// IndexPath is where the server keeps its own cache of the stream.
func (s *Stream) IndexPath() string { return filepath.Join(s.Folder, blocksDir, IndexFile) }

// IndexLast is the last sequence that the server's own cache knew of; 0 when there
// is none that is whole. It is a witness of what there was, never of what is.
func (s *Stream) IndexLast() uint64 {
	const magic, least = 11, 32
	data, err := os.ReadFile(s.IndexPath())
	if err != nil || len(data) < least || data[0] != magic {
		return 0
	}
	h := newHasher(sha256.Sum256([]byte(s.Name)))
	body, sum := data[:len(data)-recordSum], data[len(data)-recordSum:]
	if !h.matches(sum, body) {
		return 0
	}
	r := bytes.NewReader(body[2:])
	for range 3 { // messages, bytes, first sequence
		if _, err := binary.ReadUvarint(r); err != nil {
			return 0
		}
	}
	if _, err := binary.ReadVarint(r); err != nil { // time of the first
		return 0
	}
	last, err := binary.ReadUvarint(r)
	if err != nil {
		return 0
	}
	return last
}
