//go:build linux

package projection_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/skaldrpg/skald/pkg/journal/memjournal"
	"github.com/skaldrpg/skald/pkg/ops"
	"github.com/skaldrpg/skald/pkg/projection"
)

// under puts another opening of a file under the descriptor by which it is open.
func under(t *testing.T, path string, flags int) {
	t.Helper()
	links, err := filepath.Glob("/proc/self/fd/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range links {
		if to, err := os.Readlink(l); err != nil || to != path {
			continue
		}
		fd, err := strconv.Atoi(filepath.Base(l))
		if err != nil {
			t.Fatal(err)
		}
		other, err := syscall.Open(path, flags, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := syscall.Dup3(other, fd, 0); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Close(other); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Fatal("the file is not open")
}

// Writes of the file fail for a while, as on a full or failing disk: reads go on,
// the status says so, Run does not end, and afterwards each record was applied once.
func TestWritesThatFailAreTriedAgain(t *testing.T) {
	log := memjournal.New(memjournal.Options{})
	cfg := config(t, log)
	fill(t, log, 20)
	p, _ := start(t, cfg)
	want := hash(t, p)
	under(t, cfg.Path, syscall.O_RDONLY)
	fill(t, log, 300)
	eventually := func(what string, ok func() bool) {
		t.Helper()
		for deadline := time.Now().Add(20 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("never: %s: %+v", what, p.Status())
			}
		}
	}
	eventually("it says so", func() bool { return p.Status().Trouble != "" && p.Part("x").State == ops.Degraded })
	time.Sleep(200 * time.Millisecond)
	if st := p.Status(); st.Err != nil || st.Applied != 20 || !bytes.Equal(hash(t, p), want) {
		t.Errorf("while it fails: %+v", st)
	}
	under(t, cfg.Path, syscall.O_RDWR)
	eventually("it goes on", func() bool { return p.Status().Applied == 320 })
	if st := p.Status(); st.Trouble != "" || st.MovedAside != "" {
		t.Errorf("afterwards: %+v", st)
	}
	again := cfg
	again.Path = cfg.Path + "2"
	if err := projection.Rebuild(context.Background(), again, nil); err != nil {
		t.Fatal(err)
	}
	q, _ := start(t, again)
	if !bytes.Equal(hash(t, p), hash(t, q)) {
		t.Error("other content than a rebuild")
	}
}
