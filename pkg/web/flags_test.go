package web_test

import (
	"net"
	"testing"

	"github.com/spf13/pflag"

	"github.com/skaldrpg/skald/pkg/web"
)

// TestTakenAddress: the usual address may be taken by another server, one that was
// named may not.
func TestTakenAddress(t *testing.T) {
	other, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close() //nolint:errcheck // the test is over
	var c web.Config
	f := pflag.NewFlagSet("up", pflag.ContinueOnError)
	c.Flags(f, other.Addr().String())
	l, taken, err := c.Open()
	if err != nil || taken != other.Addr().String() {
		t.Fatalf("taken %q, %v", taken, err)
	}
	if a, ok := l.Addr().(*net.TCPAddr); !ok || !a.IP.IsLoopback() {
		t.Errorf("instead it listens on %s", l.Addr())
	}
	l.Close() //nolint:errcheck // nothing was served
	if err := f.Parse([]string{"--web", other.Addr().String()}); err != nil {
		t.Fatal(err)
	}
	if l, _, err := c.Open(); err == nil {
		t.Errorf("an address that was named and is taken: %s", l.Addr())
	}
	if err := f.Parse([]string{"--web", ""}); err != nil {
		t.Fatal(err)
	}
	if l, _, err := c.Open(); l != nil || err != nil {
		t.Errorf("none: %v, %v", l, err)
	}
}
