package pack

import (
	"crypto/sha256"
	"encoding/hex"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/near"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
)

// Marshal gives the bytes under whose digest a pack is stored. Where things
// stand in files is left out. A pack beyond limits.PackBytes is a fault.
func Marshal(p *contentv1.Pack) ([]byte, error) {
	bare := proto.CloneOf(p)
	bare.Sources = nil
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(bare)
	if err != nil {
		return nil, fault.Wrap(fault.Invalid, "INVALID_PACK", err, "pack: writing %q", p.GetName())
	}
	if len(data) > limits.PackBytes {
		return nil, fault.Limit("bytes of a pack", limits.PackBytes, int64(len(data)))
	}
	return data, nil
}

// Unmarshal reads what Marshal gave.
func Unmarshal(data []byte) (*contentv1.Pack, error) {
	if len(data) > limits.PackBytes {
		return nil, fault.Limit("bytes of a pack", limits.PackBytes, int64(len(data)))
	}
	p := &contentv1.Pack{}
	if err := proto.Unmarshal(data, p); err != nil {
		return nil, fault.Wrap(fault.Invalid, "INVALID_PACK", err, "pack: reading")
	}
	return p, nil
}

// Digest is the SHA-256 digest of stored bytes in lower-case hexadecimal digits.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Check says everything that is wrong with a pack over its system's base, with
// file and line where the pack says where its parts stand; nil when it can be
// played.
func Check(p *contentv1.Pack, base effects.Base) Problems {
	at := newPlaces(p.GetSources())
	var out Problems
	for _, e := range effects.Check(base, p) {
		file, line := at.find(e.Field)
		out = append(out, Problem{File: file, Line: line, Field: e.Field, Text: e.Text + near.DidYouMean(e.Got, e.Known)})
	}
	return out
}
