package crew

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nuid"
)

// Subject is where the processes of a service announce themselves. No stream
// takes it: where those have a number, this has a word.
func Subject(service string) string { return "skald.presence." + service }

// Times.
const (
	defaultEvery = time.Second
	// lost is how many announcements may be missed before a member counts as gone.
	lost = 3
	// settle is how many announcements a new member waits for others.
	settle = 1
	// wireLimit bounds an announcement, bytes.
	wireLimit = 4096
)

// maxMembers bounds how many members are kept, so that nobody who may announce
// fills the memory.
const maxMembers = 1024

// DefaultOwners is how many processes fold each stream when nothing is said.
const DefaultOwners = 2

// Config says who joins what.
type Config struct {
	// Conn is the connection to NATS; it stays the caller's.
	Conn *nats.Conn
	// Service whose processes announce themselves, such as encounter.
	Service string
	// Calls and Internal are the addresses, host and port, where the others reach
	// this process's listener for callers and that for services.
	Calls, Internal string
	// Owners is how many processes fold each stream; 0 means 2.
	Owners int
	// Every is how often it announces itself; 0 means a second. A member that was
	// not heard three times is gone.
	Every time.Duration
	// Logger; nil means slog.Default.
	Logger *slog.Logger
}

// Member is a process of the service.
type Member struct {
	// ID is random and known to the crew alone.
	ID string `json:"id"`
	// Calls and Internal are its addresses.
	Calls    string `json:"calls,omitempty"`
	Internal string `json:"internal,omitempty"`
	// Folds are the streams that it folds now.
	Folds []int `json:"folds,omitempty"`
}

// announcement is what goes over the wire.
type announcement struct {
	Member
	Hello bool `json:"hello,omitempty"` // I am new: who is there?
	Bye   bool `json:"bye,omitempty"`   // I am going
}

// Crew is this process among its like. Its methods may be called on a nil Crew,
// which is a process that is alone. It is safe for concurrent use.
type Crew struct {
	cfg     Config
	joined  time.Time
	changed chan struct{} // holds a token when somebody came or went
	poke    chan struct{} // holds a token when an announcement is due at once

	mu      sync.Mutex
	self    Member
	members map[string]seen
}

type seen struct {
	Member
	at   time.Time
	lost chan struct{} // closed when it is gone
}

// drop forgets a member; mu is held.
func (c *Crew) drop(id string) {
	if m, ok := c.members[id]; ok {
		delete(c.members, id)
		close(m.lost)
		c.tell()
	}
}

// Join makes a member. Run announces it; before, nobody knows of it.
func Join(cfg Config) (*Crew, error) {
	if cfg.Conn == nil || cfg.Service == "" || cfg.Calls == "" && cfg.Internal == "" {
		return nil, errors.New("crew: a connection, a service and an address are needed")
	}
	if cfg.Owners < 0 {
		return nil, fmt.Errorf("crew: %d owners", cfg.Owners)
	}
	cfg.Owners, cfg.Every = cmp.Or(cfg.Owners, DefaultOwners), cmp.Or(cfg.Every, defaultEvery)
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	return &Crew{cfg: cfg, joined: time.Now(), changed: make(chan struct{}, 1), poke: make(chan struct{}, 1),
		self: Member{ID: nuid.Next() + nuid.Next(), Calls: cfg.Calls, Internal: cfg.Internal}, members: map[string]seen{}}, nil
}

// Run announces the member until the context ends, and says at the end that it
// goes. It is called once.
func (c *Crew) Run(ctx context.Context) error {
	if c == nil {
		<-ctx.Done()
		return nil
	}
	heard := make(chan *nats.Msg, 256)
	sub, err := c.cfg.Conn.ChanSubscribe(Subject(c.cfg.Service), heard)
	if err != nil {
		return fmt.Errorf("crew: %w", err)
	}
	defer sub.Unsubscribe() //nolint:errcheck // the connection goes too
	c.announce(announcement{Hello: true})
	defer func() {
		c.announce(announcement{Bye: true})
		c.cfg.Conn.Flush() //nolint:errcheck // the others notice anyway
	}()
	tick := time.NewTicker(c.cfg.Every)
	defer tick.Stop()
	for {
		select {
		case m := <-heard:
			c.hear(m.Data)
		case <-c.poke:
			c.announce(announcement{})
		case <-tick.C:
			c.announce(announcement{})
			c.forget()
		case <-ctx.Done():
			return nil
		}
	}
}

func (c *Crew) announce(a announcement) {
	c.mu.Lock()
	a.Member = c.self
	c.mu.Unlock()
	data, err := json.Marshal(a)
	if err == nil {
		err = c.cfg.Conn.Publish(Subject(c.cfg.Service), data)
	}
	if err != nil {
		c.cfg.Logger.Debug("crew: announcing", "error", err)
	}
}

// hear takes an announcement; what cannot be read is no member.
func (c *Crew) hear(data []byte) {
	var a announcement
	d := json.NewDecoder(bytes.NewReader(data[:min(len(data), wireLimit)]))
	if err := d.Decode(&a); err != nil || a.ID == "" || a.Calls == "" && a.Internal == "" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	before, known := c.members[a.ID]
	switch {
	case a.ID == c.self.ID:
		return
	case a.Bye:
		c.drop(a.ID)
		return
	case !known && len(c.members) >= maxMembers:
		return
	}
	now := seen{a.Member, time.Now(), before.lost}
	if !known {
		now.lost = make(chan struct{})
		c.tell()
	}
	c.members[a.ID] = now
	if a.Hello {
		select {
		case c.poke <- struct{}{}:
		default:
		}
	}
}

// tell says that somebody came or went.
func (c *Crew) tell() {
	select {
	case c.changed <- struct{}{}:
	default:
	}
}

// forget drops members that have not been heard for long.
func (c *Crew) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, m := range c.members { // order-free: each goes by itself
		if time.Since(m.at) > lost*c.cfg.Every+c.cfg.Every/2 {
			c.drop(id)
		}
	}
}

// Gone forgets a member that did not answer, until it announces itself again.
func (c *Crew) Gone(id string) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(id)
}

// Lost is closed when a member is gone, at once for one that is not known: who
// waits for its answer waits no longer.
func (c *Crew) Lost(id string) <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if m, ok := c.members[id]; ok {
		return m.lost
	}
	gone := make(chan struct{})
	close(gone)
	return gone
}

// Settle waits until a new member has heard of those who were there before, or
// the context ends. Run must run.
func (c *Crew) Settle(ctx context.Context) error {
	if c == nil {
		return ctx.Err()
	}
	timer := time.NewTimer(time.Until(c.joined.Add(settle * c.cfg.Every)))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Changed holds a token when somebody came or went since the last one was taken.
func (c *Crew) Changed() <-chan struct{} {
	if c == nil {
		return nil
	}
	return c.changed
}

// Folding says which streams this process folds, for the others to see.
func (c *Crew) Folding(streams []int) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.self.Folds = slices.Clone(streams)
}

// ID is this member's.
func (c *Crew) ID() string {
	if c == nil {
		return ""
	}
	return c.self.ID
}

// Knows tells whether an id is that of a member.
func (c *Crew) Knows(id string) bool {
	if c == nil || id == "" {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.members[id]
	return ok
}

// Members are all that are known, this one included, in order of ids.
func (c *Crew) Members() []Member {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	out := []Member{c.self}
	for _, m := range c.members { // order-free: sorted below
		out = append(out, m.Member)
	}
	slices.SortFunc(out, func(a, b Member) int { return cmp.Compare(a.ID, b.ID) })
	return out
}

// Owners are the members that fold a stream, the first choice first.
func (c *Crew) Owners(stream int) []Member {
	out := c.Members()
	weight := func(m Member) uint64 {
		h := fnv.New64a()
		h.Write([]byte(m.ID + "/" + strconv.Itoa(stream))) //nolint:errcheck // never fails
		return mixed(h.Sum64())
	}
	slices.SortFunc(out, func(a, b Member) int { return cmp.Or(cmp.Compare(weight(b), weight(a)), cmp.Compare(a.ID, b.ID)) })
	if c != nil && len(out) > c.cfg.Owners {
		out = out[:c.cfg.Owners]
	}
	return out
}

// mixed spreads the bits of a hash (the end of SplitMix64): FNV's last bytes move
// its high bits too little.
func mixed(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

// Owns tells whether this process folds a stream.
func (c *Crew) Owns(stream int) bool {
	if c == nil {
		return true
	}
	return slices.ContainsFunc(c.Owners(stream), func(m Member) bool { return m.ID == c.self.ID })
}
