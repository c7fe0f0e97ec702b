package web_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/web"
)

func open(t *testing.T, address string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() }) //nolint:errcheck // the test is over
	return c
}

// closed waits until the other side closes; false when it does not in the time given.
func closed(t *testing.T, c net.Conn, within time.Duration) bool {
	t.Helper()
	if err := c.SetReadDeadline(time.Now().Add(within)); err != nil {
		t.Fatal(err)
	}
	_, err := io.Copy(io.Discard, c)
	return !errors.Is(err, os.ErrDeadlineExceeded)
}

// TestIdleConnectionsMakeRoom: somebody who holds many more connections than there are
// places keeps nobody out, whether they say nothing, half a header, or are left after a
// request.
func TestIdleConnectionsMakeRoom(t *testing.T) {
	const places = 16
	address, _ := serve(t, web.Options{Connections: places})
	var silent []net.Conn
	for range 10 * places {
		silent = append(silent, open(t, address))
	}
	for range places {
		if resp, _ := ask(t, http.MethodPost, "http://"+address+check, "{}", "Content-Type", "application/json"); resp.StatusCode != http.StatusOK {
			t.Fatalf("beside silent connections: %d", resp.StatusCode)
		}
	}
	for i, c := range silent[:9*places] {
		if !closed(t, c, 5*time.Second) {
			t.Fatalf("connection %d still stands", i)
		}
	}
	var kept []net.Conn
	for range 2 * places { // each has asked something and stays
		c := open(t, address)
		if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: "+address+"\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		resp, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, resp.Body) //nolint:errcheck // looked at elsewhere
		kept = append(kept, c)
	}
	if !closed(t, kept[0], 5*time.Second) {
		t.Error("the first of those that were left still stands")
	}
	if resp, _ := ask(t, http.MethodGet, "http://"+address+"/", ""); resp.StatusCode != http.StatusOK {
		t.Errorf("beside connections that were left: %d", resp.StatusCode)
	}
}

// TestBusyConnectionsStay: those on which something is asked are not closed for
// others; who comes when all places are taken by such is turned away.
func TestBusyConnectionsStay(t *testing.T) {
	const places = 4
	address, server := serve(t, web.Options{Connections: places})
	server.Health.SetServingStatus("", 1)
	var streams []net.Conn
	for range places {
		c := open(t, address)
		request := "POST /grpc.health.v1.Health/Watch HTTP/1.1\r\nHost: " + address + "\r\nContent-Type: application/connect+json\r\nContent-Length: 7\r\n\r\n\x00\x00\x00\x00\x02{}"
		if _, err := io.WriteString(c, request); err != nil {
			t.Fatal(err)
		}
		resp, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("a stream: %v, %v", resp, err)
		}
		streams = append(streams, c)
	}
	for range 3 {
		if !closed(t, open(t, address), 5*time.Second) {
			t.Error("one more than there are places was let in")
		}
	}
	streams[0].Close() //nolint:errcheck // it makes room
	for end := time.Now().Add(10 * time.Second); ; {
		c := open(t, address)
		if _, err := io.WriteString(c, "GET / HTTP/1.0\r\nHost: "+address+"\r\n\r\n"); err == nil {
			if resp, err := http.ReadResponse(bufio.NewReader(c), nil); err == nil && resp.StatusCode == http.StatusOK {
				break
			}
		}
		if time.Now().After(end) {
			t.Fatal("a place that is free again is nobody's")
		}
	}
	for i, c := range streams[1:] {
		if closed(t, c, 50*time.Millisecond) {
			t.Errorf("stream %d was closed", i+1)
		}
	}
}

// TestHeadersAreBounded: in size, and in the time that they may take.
func TestHeadersAreBounded(t *testing.T) {
	address, _ := serve(t, web.Options{})
	resp, _ := ask(t, http.MethodPost, "http://"+address+check, "{}", "Content-Type", "application/json", "X-Long", strings.Repeat("x", limits.WebHeaderBytes-8<<10))
	if resp.StatusCode != http.StatusOK {
		t.Errorf("a long header: %d", resp.StatusCode)
	}
	c := open(t, address)
	io.WriteString(c, "GET / HTTP/1.1\r\nHost: a\r\nX-Long: "+strings.Repeat("x", 2*limits.WebHeaderBytes)+"\r\n\r\n") //nolint:errcheck // it may be cut off while it is sent
	if resp, err := http.ReadResponse(bufio.NewReader(c), nil); err == nil && resp.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("a header that is too long: %d", resp.StatusCode)
	}
	if testing.Short() {
		t.Skip("the time that a header may take is not waited for")
	}
	slow := open(t, address) // a byte now and then keeps nothing open
	begun, stop := time.Now(), time.NewTicker(200*time.Millisecond)
	defer stop.Stop()
	if _, err := io.WriteString(slow, "GET / HTTP/1.1\r\n"); err != nil {
		t.Fatal(err)
	}
	ended := make(chan bool, 1)
	go func() { ended <- closed(t, slow, 3*limits.WebHeaderSeconds*time.Second) }() // ends with the connection
	for {
		select {
		case was := <-ended:
			if took := time.Since(begun); !was || took < limits.WebHeaderSeconds*time.Second/2 {
				t.Errorf("after %s: closed %v", took, was)
			}
			return
		case <-stop.C:
			io.WriteString(slow, "X: y\r\n") //nolint:errcheck // until it is closed
		}
	}
}
