package branch

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const domain = "skald/branch/v1"

// saltSize is as of a part of a Commit, bytes.
const saltSize = 16

// Hash is what the next part, and the Commit, name a part by.
func Hash(data []byte) []byte {
	h := sha256.New()
	h.Write([]byte(domain))
	h.Write(data)
	return h.Sum(nil)
}

// Read reads a part; errors wrap event.ErrBroken.
func Read(data []byte) (*eventv1.BranchPart, error) {
	p := &eventv1.BranchPart{}
	if err := proto.Unmarshal(data, p); err != nil {
		return nil, fmt.Errorf("%w: part of a branch: %v", event.ErrBroken, err)
	}
	if len(p.Salt) != saltSize || len(p.Commands) == 0 || (p.Part == 0) != (len(p.PreviousHash) == 0) {
		return nil, fmt.Errorf("%w: no part of a branch", event.ErrBroken)
	}
	return p, nil
}

// Written is a branch in parts.
type Written struct {
	// Parts are the records, in order.
	Parts [][]byte
	// Hash of the last.
	Hash []byte
}

// Write makes the parts of a branch, each of about so many bytes (one command more
// than that at the most). Salts come from random.
func Write(commands []*eventv1.Redecided, size int, random io.Reader) (*Written, error) {
	w := &Written{}
	for len(commands) > 0 {
		n, taken := 0, 0
		for n < len(commands) && taken < size {
			taken += proto.Size(commands[n])
			n++
		}
		p := &eventv1.BranchPart{Part: uint32(len(w.Parts)), PreviousHash: w.Hash, Commands: commands[:n], Salt: make([]byte, saltSize)} //nolint:gosec // a number of parts
		if _, err := io.ReadFull(random, p.Salt); err != nil {
			return nil, fmt.Errorf("branch: reading a salt: %w", err)
		}
		data, err := proto.Marshal(p)
		if err != nil {
			return nil, fmt.Errorf("branch: marshalling a part: %w", err)
		}
		w.Parts, w.Hash, commands = append(w.Parts, data), Hash(data), commands[n:]
	}
	return w, nil
}

// Part finds a part of the branch that an amendment names, as stored; nil when
// there is none.
type Part func(am *eventv1.Amended, i uint32) ([]byte, error)

// Once is a Part over what hands over the parts of a whole branch in their order: each
// branch is read once, as long as no other is asked for.
func Once(read func(name string, fn func(data []byte) error) error) Part {
	var parts [][]byte
	has := ""
	return func(am *eventv1.Amended, i uint32) ([]byte, error) {
		if has != am.Branch {
			parts, has = nil, ""
			if err := read(am.Branch, func(data []byte) error {
				parts = append(parts, bytes.Clone(data))
				return nil
			}); err != nil {
				return nil, err
			}
			has = am.Branch
		}
		if int(i) >= len(parts) {
			return nil, nil
		}
		return parts[i], nil
	}
}

// Fill puts the commands that branches hold into the amendments among the events, so
// that they can be read as if the Commit held them. Events that are nil, and
// amendments without a branch or filled already, stay as they are. A part that is
// missing or does not follow is an error that wraps event.ErrBroken.
func Fill(events []*eventv1.Event, part Part) error {
	for _, e := range events {
		am := e.GetAmended()
		if am.GetBranch() == "" || len(am.Commands) > 0 {
			continue
		}
		commands, err := commands(am, part)
		if err != nil {
			return err
		}
		am.Commands = commands
	}
	return nil
}

func commands(am *eventv1.Amended, part Part) ([]*eventv1.Redecided, error) {
	var out []*eventv1.Redecided
	var previous []byte
	for i := range am.Parts {
		data, err := part(am, i)
		if err != nil {
			return nil, err
		}
		if data == nil {
			return nil, missing(am, i)
		}
		p, err := Read(data)
		if err != nil {
			return nil, err
		}
		if p.Part != i || !bytes.Equal(p.PreviousHash, previous) {
			return nil, fmt.Errorf("%w: part %d of branch %s does not follow the one before", event.ErrBroken, i, am.Branch)
		}
		previous = Hash(data)
		out = append(out, p.Commands...)
	}
	if !bytes.Equal(previous, am.BranchHash) || uint32(len(out)) < am.Count || am.Count == 0 { //nolint:gosec // a number of commands
		return nil, fmt.Errorf("%w: branch %s is not the one that was amended by", event.ErrBroken, am.Branch)
	}
	return out[:am.Count], nil
}

func missing(am *eventv1.Amended, i uint32) error {
	return fmt.Errorf("%w: part %d of branch %s is not there", event.ErrBroken, i, am.Branch)
}

// First is what an amendment says when only the first commands of its branch, which
// is filled in, count: as many parts as hold them.
func First(am *eventv1.Amended, count int, part Part) (*eventv1.Amended, error) {
	out := &eventv1.Amended{Version: am.Version, Base: am.Base, Branch: am.Branch, Count: uint32(count), Commands: am.Commands[:count]} //nolint:gosec // a number of commands
	for held := 0; held < count; out.Parts++ {
		data, err := part(am, out.Parts)
		if err == nil && data == nil {
			err = missing(am, out.Parts)
		}
		if err != nil {
			return nil, err
		}
		p, err := Read(data)
		if err != nil {
			return nil, err
		}
		held, out.BranchHash = held+len(p.Commands), Hash(data)
	}
	return out, nil
}

// Inline fills the amendments of a Commit (see [Fill]) and leaves nothing in them of
// where they were: it is for those who decide again, to whom a history on a branch and
// one in its Commit are the same. The bytes of those events are no more what is stored.
// An amendment that names a branch and has commands of its own is none that is stored:
// an error that wraps event.ErrBroken.
func Inline(c *event.Opened, part Part) error {
	for _, e := range c.Events {
		if am := e.GetAmended(); am.GetBranch() != "" && len(am.Commands) > 0 {
			return fmt.Errorf("%w: an amendment has commands beside those of branch %s", event.ErrBroken, am.Branch)
		}
	}
	if err := Fill(c.Events, part); err != nil {
		return err
	}
	for i, e := range c.Events {
		if am := e.GetAmended(); am.GetBranch() != "" {
			am.Branch, am.Parts, am.Count, am.BranchHash = "", 0, 0, nil
			c.Raw[i] = nil
		}
	}
	return nil
}

// Bare is an amendment as it is stored: what its branch holds is not in it.
func Bare(am *eventv1.Amended) *eventv1.Amended {
	if am.GetBranch() == "" {
		return am
	}
	out := proto.CloneOf(am)
	out.Commands = nil
	return out
}

// Take adds the next part of a branch to those that an export gave so far. Parts come
// in order; an export gives one again for each Commit that names it.
func Take(parts map[string][][]byte, name string, data []byte) {
	for _, have := range parts[name] {
		if bytes.Equal(have, data) {
			return
		}
	}
	parts[name] = append(parts[name], data)
}
