package kills

import (
	"context"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/journal"
)

// point is a place in the suite that a step passes, for the n-th time.
type point struct {
	Name string `json:"name"`
	N    int    `json:"n"`
}

// anywhere as a name is the n-th place of all.
const anywhere = "*"

// points counts the places passed and kills the process at one of them.
type points struct {
	mu     sync.Mutex
	passed []point
	count  map[string]int
	armed  point
	last   time.Time
}

// arm forgets what was passed and sets where to die; the zero point is nowhere.
func (p *points) arm(at point) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.passed, p.count, p.armed = nil, map[string]int{}, at
}

// pass notes that a place is passed and tells whether the process is to die there.
func (p *points) pass(name string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.count == nil {
		p.count = map[string]int{}
	}
	p.count[name]++
	at := point{name, p.count[name]}
	p.passed, p.last = append(p.passed, at), time.Now()
	return at == p.armed || p.armed == point{anywhere, len(p.passed)}
}

// at passes a place where the process dies at once.
func (p *points) at(name string) {
	if p.pass(name) {
		die()
	}
}

// die ends the process as a power cut would end it for the process.
func die() {
	syscall.Kill(os.Getpid(), syscall.SIGKILL) //nolint:errcheck // it is about to be gone
	select {}
}

// quiet waits until nothing has been passed for a while: queued tapes are on the
// log and the projections have what is.
func (p *points) quiet() {
	for {
		p.mu.Lock()
		since := time.Since(p.last)
		p.mu.Unlock()
		if since > settling {
			return
		}
		time.Sleep(settling - since)
	}
}

const settling = 45 * time.Millisecond

func (p *points) list() []point {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.passed)
}

// unary passes a place before and after each call.
func (p *points) unary(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	method := path.Base(info.FullMethod)
	if method != "ListTapes" {
		p.at("before " + method)
	}
	resp, err := handler(ctx, req)
	if method != "ListTapes" {
		p.at("after " + method)
	}
	return resp, err
}

// reply passes a place between a command's end and its answer.
func (p *points) reply(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	resp, err := handler(ctx, req)
	if m := path.Base(info.FullMethod); m == "Execute" || m == "Tend" {
		p.at("before the reply")
	}
	return resp, err
}

// client is unary for a process that calls another.
func (p *points) client(ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
	p.at("before " + path.Base(method))
	err := invoke(ctx, method, req, reply, cc, opts...)
	p.at("after " + path.Base(method))
	return err
}

// kind is of what an append is: encounter, patient, dice, or a batch.
func kind(ms []journal.Message) string {
	if len(ms) > 1 {
		return "batch"
	}
	return strings.Split(ms[0].Subject, ".")[3]
}

// backend passes places while a message is on its way, and once it is stored and
// nobody has been told.
type backend struct {
	journal.Backend
	p *points
}

func (b backend) Publish(ctx context.Context, ms []journal.Message) (uint64, error) {
	if b.p.pass("sending " + kind(ms)) {
		go b.Backend.Publish(ctx, ms) //nolint:errcheck // the process dies
		time.Sleep(rand.N(8 * time.Millisecond))
		die()
	}
	seq, err := b.Backend.Publish(ctx, ms)
	b.p.at("stored " + kind(ms))
	return seq, err
}

// log passes places around appends, and around the transaction of a projection.
type log struct {
	journal.Log
	p *points
}

func (l log) Append(ctx context.Context, m journal.Message) (uint64, error) {
	what := kind([]journal.Message{m})
	l.p.at("before append " + what)
	seq, err := l.Log.Append(ctx, m)
	l.p.at("after append " + what)
	return seq, err
}

func (l log) AppendAtomic(ctx context.Context, ms []journal.Message) ([]uint64, error) {
	l.p.at("before append batch")
	seqs, err := l.Log.AppendAtomic(ctx, ms)
	l.p.at("after append batch")
	return seqs, err
}

func (l log) Tail(ctx context.Context, cfg journal.TailConfig, h journal.Handler) error {
	of := cfg.Filter
	return l.Log.Tail(ctx, cfg, func(ctx context.Context, b journal.Batch) error {
		if len(b.Records) == 0 {
			return h(ctx, b)
		}
		l.p.at("before folding " + of)
		// The handler rests after its transaction: what follows is a place of
		// another record at the earliest.
		err := h(ctx, b)
		l.p.at("after folding " + of)
		return err
	})
}
