package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/skaldrpg/skald/pkg/journal"
)

// free is an address that nobody listens on.
func free(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() //nolint:errcheck // it only found a port
	return l.Addr().String()
}

func skaldExits(t *testing.T, want int, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := Run(t.Context(), args, strings.NewReader(""), &out, &errs); code != want {
		t.Fatalf("skald %s: exit code %d, want %d\n%s%s", strings.Join(args, " "), code, want, &out, &errs)
	}
	return out.String() + errs.String()
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}

// The archive of a NATS server as a program: it follows, says how it stands, shows
// a disk that is missing, and what it wrote makes the stream again.
func TestArchiveOfAServer(t *testing.T) {
	dir := t.TempDir()
	e, err := journal.StartEmbedded(t.Context(), journal.EmbeddedConfig{StoreDir: filepath.Join(dir, "nats"), Port: -1}, silent())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Stop() }) //nolint:errcheck // the test is over
	nc, err := e.Connect("test")
	if err != nil {
		t.Fatal(err)
	}
	log, err := journal.Open(t.Context(), nc, journal.Config{Stream: "SKALD_0", Subjects: []string{journal.PartitionFilter(0)}, Create: true, Log: silent()})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	grow := func() {
		last, _, err := log.Last(t.Context(), "skald.0.t.encounter.e")
		if err == nil {
			n++
			_, err = log.Append(t.Context(), journal.Message{Subject: "skald.0.t.encounter.e", ID: fmt.Sprint("id-", n), Data: []byte("data"), Expected: last.Seq})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	grow()
	// The folder can not be made: a file is where it is to be.
	to := filepath.Join(dir, "archive")
	if err := os.WriteFile(to, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	address, metrics := free(t), free(t)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan int, 1)
	go func() {
		ended <- Run(ctx, []string{"archive", "--nats", e.URL(), "--to", to, "--listen", address, "--metrics", metrics, "--log-level", "error"}, strings.NewReader(""), io.Discard, io.Discard)
	}()
	run := func(args ...string) (int, string) {
		var out bytes.Buffer
		code := Run(t.Context(), append(args, "--server", address), strings.NewReader(""), &out, io.Discard)
		return code, out.String()
	}
	eventually(t, "degraded", func() bool {
		code, out := run("status")
		return code == exitDegraded && strings.Contains(out, "archive    degraded")
	})
	eventually(t, "not healthy", func() bool { code, _ := run("archive", "health"); return code == exitFailure })
	if err := os.Remove(to); err != nil {
		t.Fatal(err)
	}
	eventually(t, "fine", func() bool {
		code, out := run("status")
		return code == exitOK && strings.Contains(out, "at sequence 1, 0 records behind")
	})
	eventually(t, "healthy", func() bool { code, _ := run("archive", "health"); return code == exitOK })
	grow()
	eventually(t, "the metric", func() bool {
		resp, err := http.Get("http://" + metrics + "/metrics")
		if err != nil {
			return false
		}
		defer resp.Body.Close() //nolint:errcheck // only read
		text, _ := io.ReadAll(resp.Body)
		return strings.Contains(string(text), `skald_archive_sequence{part="archive"} 2`) && strings.Contains(string(text), `skald_part_state{part="archive"} 0`)
	})
	stop()
	if code := <-ended; code != exitOK {
		t.Errorf("the archive ended with %d", code)
	}
	if out := skaldExits(t, 0, "backup", "--nats", e.URL(), "--to", to); !strings.Contains(out, "to sequence 2, from the log") {
		t.Error(out)
	}
	data := filepath.Join(dir, "data")
	if out := skaldExits(t, 0, "restore", "--from", to, "--data", data); !strings.Contains(out, "2 records, read back and equal") || !strings.Contains(out, log.StreamID()) {
		t.Error(out)
	}
	skaldExits(t, 1, "restore", "--from", to, "--data", data)
	skaldExits(t, 1, "restore", "--from", to, "--nats", e.URL())
	if out := skaldExits(t, 0, "backup", "--data", data, "--to", to); !strings.Contains(out, "to sequence 2, from the log") {
		t.Error(out)
	}
}
