package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Machine is what was measured on.
type Machine struct {
	// System and architecture, as Go calls them.
	System string `json:"system"`
	// Cores that Go uses.
	Cores int `json:"cores"`
	// Go is its version.
	Go string `json:"go"`
	// Sync is the median of writing 1 KiB to a file and syncing it, nanoseconds. The
	// suite's log syncs every write before it is acknowledged.
	Sync time.Duration `json:"sync_ns"`
	// Load is how many processes wanted the processor in the last minute, before
	// anything was measured; empty where the system does not say.
	Load string `json:"load,omitempty"`
}

// Text is for people.
func (m Machine) Text() string {
	load := ""
	if m.Load != "" {
		load = ", load " + m.Load + " before the start"
	}
	return fmt.Sprintf("%s, %d cores, %s, the log synced on every write (a sync of this disk takes %s)%s\n", m.System, m.Cores, m.Go, short(m.Sync), load)
}

// look finds out what the machine is, with a file in a folder.
func look(dir string) (Machine, error) {
	m := Machine{System: runtime.GOOS + "/" + runtime.GOARCH, Cores: runtime.GOMAXPROCS(0), Go: runtime.Version()}
	if data, err := os.ReadFile("/proc/loadavg"); err == nil {
		m.Load, _, _ = strings.Cut(string(data), " ")
	}
	f, err := os.Create(filepath.Join(dir, "sync"))
	if err != nil {
		return m, err
	}
	defer f.Close() //nolint:errcheck // nothing in it matters
	var took []time.Duration
	for range 21 {
		begin := time.Now()
		if _, err := f.Write(make([]byte, 1024)); err != nil {
			return m, err
		}
		if err := f.Sync(); err != nil {
			return m, err
		}
		took = append(took, time.Since(begin))
	}
	slices.Sort(took)
	m.Sync = took[len(took)/2]
	return m, nil
}
