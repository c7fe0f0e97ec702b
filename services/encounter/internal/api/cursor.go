package api

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"

	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// cursorSize is the length of a cursor before encoding: 8 bytes of tag and the number.
const cursorSize = 16

// encodeCursor makes a viewer's cursor. It is opaque to callers; the tag ties
// it to the encounter and the viewer, so that a cursor of somebody else is told
// apart from an old one.
func encodeCursor(table, encounter string, as *eventv1.Principal, number uint64) string {
	b := make([]byte, cursorSize)
	copy(b, cursorTag(table, encounter, as))
	binary.BigEndian.PutUint64(b[8:], number)
	return base64.RawURLEncoding.EncodeToString(b)
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
func decodeCursor(field, cursor, table, encounter string, as *eventv1.Principal) (uint64, error) {
	if cursor == "" {
		return 0, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(b) != cursorSize || string(b[:8]) != string(cursorTag(table, encounter, as)) {
		return 0, fault.Field(field, "is not a cursor of this caller in this encounter")
	}
	return binary.BigEndian.Uint64(b[8:]), nil
}
