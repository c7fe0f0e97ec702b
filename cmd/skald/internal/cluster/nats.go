//go:build linux

package cluster

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Server is one NATS server.
type Server struct {
	*Process
	// Client, Monitor and Route are the addresses it listens on.
	Client, Monitor, Route string
	// Store is its folder.
	Store string
}

// users have passwords in nats.conf.
var users = []string{"ADMIN", "DICE", "INJURY", "ENCOUNTER", "ARCHIVE", "SCRUB", "FEED", "FEED_WRITER"}

func password(user string) string { return "secret-" + strings.ToLower(user) }

// configure writes a server's configuration: the shipped one, in which nothing is
// replaced but the addresses that it listens on, the folder of its store and its
// routes, which go through links. Two lines are added, so that no server tells
// others or clients of an address behind the links.
func configure(shipped, path string, s *Server, routes [3]string) error {
	text, err := os.ReadFile(shipped)
	if err != nil {
		return err
	}
	conf := string(text)
	replace := func(old, fresh string) {
		if n := strings.Count(conf, old); n != 1 && err == nil {
			err = fmt.Errorf("cluster: %s: %q is there %d times", shipped, old, n)
		}
		conf = strings.Replace(conf, old, fresh, 1)
	}
	replace("listen: 0.0.0.0:4222", "listen: "+s.Client)
	replace("http: 0.0.0.0:8222", "http: "+s.Monitor)
	replace("store_dir: /data", fmt.Sprintf("store_dir: %q", s.Store))
	replace("listen: 0.0.0.0:6222", "listen: "+s.Route+"\n  no_advertise: true\n  advertise: 127.0.0.1:1")
	for i, r := range routes {
		replace(fmt.Sprintf("nats://nats-%d.nats:6222", i), "nats://"+r)
	}
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(conf), 0o600)
}

// environment is what the shipped configuration takes from there.
func (s *Server) environment() []string {
	env := []string{"NATS_NAME=" + s.Name}
	for _, u := range users {
		env = append(env, "NATS_"+u+"_PASSWORD="+password(u))
	}
	return env
}

// Healthy tells whether the server says that it and all its copies are up to date.
func (s *Server) Healthy() bool {
	c := http.Client{Timeout: 2 * time.Second}
	resp, err := c.Get("http://" + s.Monitor + "/healthz")
	if err != nil {
		return false
	}
	defer resp.Body.Close() //nolint:errcheck // only read
	return resp.StatusCode == http.StatusOK
}

// stream is the folder of the server's copy.
func (s *Server) stream() string {
	return filepath.Join(s.Store, "jetstream", "SKALD", "streams", Stream)
}

// rafts are the folders of the raft groups of streams: those that are not of the
// cluster's own metadata.
func (s *Server) rafts() []string {
	out, err := filepath.Glob(filepath.Join(s.Store, "jetstream", "$SYS", "_js_", "S-*"))
	if err != nil {
		return nil
	}
	return out
}

// RemoveCopy is the remedy for a damaged copy, as an operator performs it: with
// the server down, its copy of the stream and that group's own log are removed.
// When it comes back it takes the copy of the others.
func (s *Server) RemoveCopy() error {
	for _, dir := range append(s.rafts(), s.stream()) {
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	return nil
}
