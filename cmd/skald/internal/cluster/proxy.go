//go:build linux

package cluster

import (
	"io"
	"net"
	"sync"
	"time"
)

// Direction of bytes on a Link.
type Direction int

// Directions.
const (
	// Forth is from who dialled to the target.
	Forth Direction = iota
	// Back is from the target to who dialled.
	Back
)

// Link is a TCP proxy that stands for one link of the network. It goes to the
// first of its targets that takes a connection, beginning with another each time.
type Link struct {
	// Name for the log.
	Name string

	listener net.Listener
	targets  []string
	turn     int
	done     sync.WaitGroup

	mu    sync.Mutex
	cut   bool
	delay time.Duration
	gates [2]chan struct{} // closed while bytes may pass
	conns map[net.Conn]bool
}

// NewLink makes a link that is whole. Close ends it.
func NewLink(name string, targets ...string) (*Link, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	k := &Link{Name: name, listener: l, targets: targets, conns: map[net.Conn]bool{}, gates: [2]chan struct{}{open(), open()}}
	k.done.Go(k.accept) // ends with Close
	return k, nil
}

func open() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}

// Addr is where to dial.
func (k *Link) Addr() string { return k.listener.Addr().String() }

// Cut ends all connections at once and refuses new ones.
func (k *Link) Cut() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.cut = true
	k.hangUp()
}

func (k *Link) hangUp() {
	for c := range k.conns { // order-free: each is closed by itself
		if t, ok := c.(*net.TCPConn); ok {
			t.SetLinger(0) //nolint:errcheck // it may be closed
		}
		c.Close() //nolint:errcheck // it may be closed
	}
}

// Hold stops the bytes of a direction without closing anything, as a network does
// that loses packets: they come when it is healed.
func (k *Link) Hold(d Direction) {
	k.mu.Lock()
	defer k.mu.Unlock()
	select {
	case <-k.gates[d]:
		k.gates[d] = make(chan struct{})
	default: // held already
	}
}

// Delay lets every piece of data wait.
func (k *Link) Delay(d time.Duration) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.delay = d
}

// Heal makes the link whole.
func (k *Link) Heal() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.cut, k.delay = false, 0
	for _, g := range k.gates {
		select {
		case <-g:
		default:
			close(g)
		}
	}
}

// Close ends the link and waits for its goroutines.
func (k *Link) Close() {
	k.listener.Close() //nolint:errcheck // only once
	k.Heal()
	k.mu.Lock()
	k.cut = true
	k.hangUp()
	k.mu.Unlock()
	k.done.Wait()
}

func (k *Link) accept() {
	for {
		c, err := k.listener.Accept()
		if err != nil {
			return
		}
		k.done.Go(func() { k.serve(c) }) // ends with its connections
	}
}

// keep notes a connection; false when the link is cut.
func (k *Link) keep(c net.Conn) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.cut {
		c.Close() //nolint:errcheck // refused
		return false
	}
	k.conns[c] = true
	return true
}

func (k *Link) drop(c net.Conn) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.conns, c)
	c.Close() //nolint:errcheck // it may be closed
}

func (k *Link) serve(from net.Conn) {
	if !k.keep(from) {
		return
	}
	defer k.drop(from)
	to := k.dial()
	if to == nil || !k.keep(to) {
		return
	}
	defer k.drop(to)
	var both sync.WaitGroup
	both.Go(func() { k.pump(from, to, Forth) }) // ends with its connections
	both.Go(func() { k.pump(to, from, Back) })  // ends with its connections
	both.Wait()
}

func (k *Link) dial() net.Conn {
	k.mu.Lock()
	first := k.turn
	k.turn++
	k.mu.Unlock()
	for i := range k.targets {
		c, err := net.DialTimeout("tcp", k.targets[(first+i)%len(k.targets)], time.Second)
		if err == nil {
			return c
		}
	}
	return nil
}

// pump copies one direction until either side ends, then ends both.
func (k *Link) pump(from, to net.Conn, d Direction) {
	defer from.Close() //nolint:errcheck // it may be closed
	defer to.Close()   //nolint:errcheck // it may be closed
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		if n > 0 {
			k.pass(d)
			if _, err := to.Write(buf[:n]); err != nil {
				return
			}
		}
		if err != nil {
			if err != io.EOF {
				return
			}
			k.pass(d) // an end is held as bytes are
			return
		}
	}
}

// pass waits until bytes may pass.
func (k *Link) pass(d Direction) {
	k.mu.Lock()
	gate, delay := k.gates[d], k.delay
	k.mu.Unlock()
	if delay > 0 {
		time.Sleep(delay)
	}
	<-gate
}
