package api

import (
	"crypto/rand"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/dice/tape"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/recent"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	"github.com/skaldrpg/skald/services/dice/internal/roller"
)

// How long and how many free rolls are remembered by their request id. They are
// in no fight's record, so memory is enough.
const (
	freeAge  = 24 * time.Hour
	freeKept = limits.FreeRolls
	// freeBytes bounds what they take together.
	freeBytes = limits.FreeRollsBytes
)

// freeRolls rolls outside encounters, from a root that no record knows.
type freeRolls struct {
	key  tape.Key
	next atomic.Uint64

	mu   sync.Mutex // one call of an id at a time
	done *recent.Cache[string, freeRoll]
}

// freeRoll is a roll with what it was asked by.
type freeRoll struct {
	asked []byte
	reply []byte // the reply on the wire: in memory it takes twenty times as much
}

// entryBytes is what an entry takes besides its id and its reply.
const entryBytes = 256

func (r freeRoll) bytes(id string) int64 {
	return entryBytes + int64(len(id)+cap(r.asked)+cap(r.reply))
}

func newFreeRolls(now func() time.Time) (*freeRolls, error) {
	key, err := freshKey()
	if err != nil {
		return nil, fmt.Errorf("api: free rolls: %w", err)
	}
	return &freeRolls{key: key, done: recent.NewCache(recent.Bounds[string, freeRoll]{Count: freeKept, Bytes: freeBytes,
		Share: freeBytes, Size: func(id string, r freeRoll) int64 { return r.bytes(id) }, Age: freeAge, Now: now})}, nil
}

// roll rolls, or gives what the same caller's request rolled before: to anybody
// else a request id is nothing.
func (f *freeRolls) roll(who string, e *dice.Expr, req *dicev1.RollRequest) (*dicev1.RollResponse, error) {
	if req.GetRequestId() == "" {
		return f.fresh(e, req)
	}
	id := who + "\x00" + req.GetRequestId()
	// The canonical text: the same roll written otherwise is the same roll.
	asked := aggregate.PlainHash(fmt.Append(nil, e.String(), "\x00", req.GetFaces()))
	f.mu.Lock()
	defer f.mu.Unlock()
	if done, ok := f.done.Get(id); ok {
		if err := aggregate.Repeats(done.asked, asked); err != nil {
			return nil, err
		}
		reply := &dicev1.RollResponse{}
		if err := proto.Unmarshal(done.reply, reply); err != nil {
			return nil, fault.Wrap(fault.Internal, "FREE_ROLL", err, "reading a roll again")
		}
		return reply, nil
	}
	reply, err := f.fresh(e, req)
	if err != nil {
		return nil, err
	}
	kept, err := proto.Marshal(reply)
	if err != nil {
		return nil, fault.Wrap(fault.Internal, "FREE_ROLL", err, "keeping a roll")
	}
	f.done.Put(id, freeRoll{asked, kept})
	return reply, nil
}

func (f *freeRolls) fresh(e *dice.Expr, req *dicev1.RollRequest) (*dicev1.RollResponse, error) {
	supplied := req.GetFaces()
	if len(supplied) == 0 {
		t, err := tape.Open(f.key, tape.Real, tape.Address{Action: f.next.Add(1)})
		if err != nil {
			return nil, fault.Wrap(fault.Internal, "TAPE", err, "opening a tape")
		}
		rolled, err := roller.Roll(e, "faces", nil, t)
		if err != nil {
			return nil, err
		}
		return &dicev1.RollResponse{Result: rolled.Result}, nil
	}
	rolled, err := roller.Roll(e, "faces", supplied, nil)
	switch {
	case fault.Is(err, fault.Illegal):
		return nil, fault.Field("faces", "%s takes more than the %d given", e, len(supplied))
	case err != nil:
		return nil, err
	case rolled.Supplied < len(supplied):
		return nil, fault.Field("faces", "%s takes %d, %d were given", e, rolled.Supplied, len(supplied))
	}
	return &dicev1.RollResponse{Result: rolled.Result, Supplied: true}, nil
}

// freshKey is the key of tapes that live as long as the process.
func freshKey() (tape.Key, error) {
	root, err := tape.NewRoot(rand.Reader)
	if err != nil {
		return tape.Key{}, err
	}
	seed, err := tape.Branch(root, "", 0, tape.Everyone)
	if err != nil {
		return tape.Key{}, err
	}
	return tape.TapeKey(seed, nil)
}
