package proof

import (
	branches "github.com/skaldrpg/skald/pkg/branch"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Branch takes the next part of an amended history that is too long for its Commit.
// Parts come in order, before the Commit that names them; those that it names
// again may come again.
func (p *Proof) Branch(name string, data []byte) {
	if p.parts == nil {
		p.parts = map[string][][]byte{}
	}
	branches.Take(p.parts, name, data)
}

// part is a branch.Part over what the export holds.
func (p *Proof) part(am *eventv1.Amended, i uint32) ([]byte, error) {
	if parts := p.parts[am.Branch]; int(i) < len(parts) {
		return parts[i], nil
	}
	return nil, nil
}
