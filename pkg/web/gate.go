package web

import (
	"crypto/tls"
	"net"
	"net/http"
	"sync"
)

// gate bounds how many connections stand open. When all places are taken, one on which
// nothing is asked makes room for the next, the one first that is so for longest; where
// there is none, the next is closed.
type gate struct {
	most int

	mu    sync.Mutex
	turn  uint64
	conns map[net.Conn]uint64 // 0: something is asked on it; otherwise since which turn nothing is
}

func newGate(most int) *gate { return &gate{most: most, conns: map[net.Conn]uint64{}} }

// state is for http.Server.ConnState.
func (g *gate) state(c net.Conn, s http.ConnState) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch s {
	case http.StateNew:
		if len(g.conns) >= g.most && !g.evict() {
			hangUp(c)
			return
		}
		g.turn++
		g.conns[c] = g.turn
	case http.StateIdle:
		if _, known := g.conns[c]; known {
			g.turn++
			g.conns[c] = g.turn
		}
	case http.StateActive:
		if _, known := g.conns[c]; known {
			g.conns[c] = 0
		}
	case http.StateHijacked, http.StateClosed:
		delete(g.conns, c)
	}
}

// evict closes the connection on which nothing is asked for longest.
func (g *gate) evict() bool {
	var oldest net.Conn
	for c, since := range g.conns { // order-free: no two have the same turn
		if since != 0 && (oldest == nil || since < g.conns[oldest]) {
			oldest = c
		}
	}
	if oldest == nil {
		return false
	}
	delete(g.conns, oldest)
	hangUp(oldest)
	return true
}

// hangUp closes without a word: whoever holds connections open may not be reading, and
// a farewell of TLS would wait for it.
func hangUp(c net.Conn) {
	if secure, ok := c.(*tls.Conn); ok {
		c = secure.NetConn()
	}
	c.Close() //nolint:errcheck // it may be closed already
}
