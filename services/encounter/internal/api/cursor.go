package api

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"

	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// A cursor before encoding: 8 bytes of tag, 8 of the number, and the first of the
// viewer's transcript there. Those of earlier builds end before that.
const (
	markSize      = 16
	oldCursorSize = 16
	cursorSize    = oldCursorSize + markSize
)

// place is where a cursor points to.
type place struct {
	number uint64         // of the viewer's last step
	marked bool           // the cursor names a history
	mark   [markSize]byte // of the transcript after that step; zeros for 0
}

// mark is how a cursor names a transcript.
func mark(transcript []byte) []byte {
	b := make([]byte, markSize)
	copy(b, transcript)
	return b
}

// encodeCursor makes a viewer's cursor. It is opaque to callers; the tag ties
// it to the encounter and the viewer, so that a cursor of somebody else is told
// apart from an old one, and the mark to the history that the viewer was told.
func encodeCursor(table, encounter string, as *eventv1.Principal, number uint64, transcript []byte) string {
	return taggedCursor(cursorTag(table, encounter, as), number, transcript)
}

// taggedCursor is encodeCursor by a tag that was made before.
func taggedCursor(tag []byte, number uint64, transcript []byte) string {
	b := make([]byte, 0, cursorSize)
	b = append(b, tag...)
	b = binary.BigEndian.AppendUint64(b, number)
	return base64.RawURLEncoding.EncodeToString(append(b, mark(transcript)...))
}

func cursorTag(table, encounter string, as *eventv1.Principal) []byte {
	role := byte(as.GetRole())
	h := sha256.New()
	for _, part := range []string{"skald/cursor/v1", table, encounter, string(rune(role)), as.GetName()} {
		h.Write(binary.AppendUvarint(nil, uint64(len(part))))
		h.Write([]byte(part))
	}
	return h.Sum(nil)[:8]
}

// decodeCursor reads a cursor; an empty one is the beginning.
func decodeCursor(field, cursor, table, encounter string, as *eventv1.Principal) (at place, err error) {
	if cursor == "" {
		return at, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(b) != cursorSize && len(b) != oldCursorSize || string(b[:8]) != string(cursorTag(table, encounter, as)) {
		return at, fault.Field(field, "is not a cursor of this caller in this encounter")
	}
	at.number, at.marked = binary.BigEndian.Uint64(b[8:]), len(b) == cursorSize
	copy(at.mark[:], b[oldCursorSize:])
	return at, nil
}
