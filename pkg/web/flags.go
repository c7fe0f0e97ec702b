package web

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"syscall"

	"github.com/spf13/pflag"
)

// DefaultListen is where a program that serves a page does so when nothing is said.
const DefaultListen = "127.0.0.1:7780"

// Config is what the flags of a program say.
type Config struct {
	// Listen is the address of the listener; empty serves nothing.
	Listen string
	// Origins, Frames and Base are those of Options.
	Origins, Frames []string
	Base            string

	flags *pflag.FlagSet
}

// Flags adds the flags. listen is the default address; empty means off.
func (c *Config) Flags(f *pflag.FlagSet, listen string) {
	f.StringVar(&c.Listen, "web", listen, "address for browsers: Connect, gRPC-Web, JSON and the page; empty serves none")
	f.StringArrayVar(&c.Origins, "web-origin", nil, "origin whose pages may call, such as https://table.example; repeat for several (always: the server's own, and this machine's)")
	f.StringVar(&c.Base, "web-base", "/", "path below which browsers find everything, where a proxy puts the server below one")
	f.StringArrayVar(&c.Frames, "web-frame", nil, "origin that may show the page in a frame, such as https://discord.com; repeat for several (default nobody)")
	c.flags = f
}

// Open opens the listener; nil when there is to be none. When nobody named the address
// and another program has it, any free port of this machine will do: then other says
// which address was taken.
func (c *Config) Open() (l net.Listener, other string, err error) {
	if c.Listen == "" {
		return nil, "", nil
	}
	l, err = net.Listen("tcp", c.Listen)
	if err == nil {
		return l, "", nil
	}
	if c.Named() || !errors.Is(err, syscall.EADDRINUSE) {
		return nil, "", fmt.Errorf("--web: %w", err)
	}
	if l, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return nil, "", fmt.Errorf("--web: %w", err)
	}
	return l, c.Listen, nil
}

// Address is what a person types into a browser on this machine.
func Address(l net.Addr, secure bool, base string) string {
	scheme := "http"
	if secure {
		scheme = "https"
	}
	host := l.String()
	if a, ok := l.(*net.TCPAddr); ok && a.IP.IsUnspecified() {
		host = fmt.Sprintf("127.0.0.1:%d", a.Port)
	}
	return scheme + "://" + host + "/" + strings.TrimPrefix(base, "/")
}

// Named tells whether somebody named the address.
func (c *Config) Named() bool { return c.flags != nil && c.flags.Changed("web") }
