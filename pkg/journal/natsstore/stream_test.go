package natsstore_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/skaldrpg/skald/pkg/journal/natsstore"
)

// made is a store that a real server made: many small blocks, compressed but for
// the newest, and what was published into it.
type made struct {
	dir  string
	sums map[uint64][32]byte
}

const stream = "S"

var template = sync.OnceValues(func() (made, error) {
	m := made{sums: map[uint64][32]byte{}}
	var err error
	if m.dir, err = os.MkdirTemp("", "natsstore"); err != nil {
		return m, err
	}
	return m, fill(m)
})

func TestMain(m *testing.M) {
	code := m.Run()
	if t, err := template(); err == nil {
		os.RemoveAll(t.dir)
	}
	os.Exit(code)
}

func fill(m made) error {
	srv, err := server.NewServer(&server.Options{DontListen: true, JetStream: true, StoreDir: m.dir, SyncAlways: false, NoSigs: true})
	if err != nil {
		return err
	}
	srv.Start()
	defer func() { srv.Shutdown(); srv.WaitForShutdown() }()
	if !srv.ReadyForConnections(5 * time.Second) {
		return errors.New("not ready")
	}
	nc, err := nats.Connect("", nats.InProcessServer(srv))
	if err != nil {
		return err
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		return err
	}
	ctx := context.Background()
	// 32 kB blocks come with a small limit; the limit itself goes away again.
	cfg := jetstream.StreamConfig{Name: stream, Subjects: []string{"s.>"}, MaxBytes: 100_000, Compression: jetstream.S2Compression,
		Metadata: map[string]string{"id": "abc"}, Discard: jetstream.DiscardNew}
	if _, err := js.CreateStream(ctx, cfg); err != nil {
		return err
	}
	cfg.MaxBytes = -1
	if _, err := js.UpdateStream(ctx, cfg); err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 600 {
		data := []byte(strings.Repeat(fmt.Sprintf("record %d ", i), 1+random.IntN(90)))
		for j := range len(data) / 3 {
			data[j] = byte(random.Uint32())
		}
		msg := &nats.Msg{Subject: fmt.Sprintf("s.t%d.x", i%7), Data: data, Header: nats.Header{"Nats-Msg-Id": []string{fmt.Sprint("id", i)}}}
		ack, err := js.PublishMsg(ctx, msg)
		if err != nil {
			return err
		}
		m.sums[ack.Sequence] = sha256.Sum256(fmt.Appendf(nil, "%s|id%d|%s", msg.Subject, i, data))
	}
	return nil
}

// store is a copy of the template.
func store(t *testing.T) made {
	t.Helper()
	from, err := template()
	if err != nil {
		t.Fatal(err)
	}
	to := t.TempDir()
	if err := os.CopyFS(to, os.DirFS(from.dir)); err != nil {
		t.Fatal(err)
	}
	return made{to, from.sums}
}

func (m made) file(name string) string {
	return filepath.Join(m.dir, "jetstream", "$G", "streams", stream, name)
}

func (m made) blocks(t *testing.T) []string {
	t.Helper()
	out, err := filepath.Glob(m.file("msgs/*.blk"))
	if err != nil || len(out) < 4 {
		t.Fatal(out, err)
	}
	return out
}

// examine returns the report and checks that every record handed over is one
// that was published; it returns how many were.
func (m made) examine(t *testing.T) (*natsstore.Report, map[uint64]bool) {
	t.Helper()
	seen := map[uint64]bool{}
	before := listing(t, m.dir)
	r, err := natsstore.Examine(t.Context(), m.dir, func(_ *natsstore.Stream, rec natsstore.Record) error {
		sum := sha256.Sum256(fmt.Appendf(nil, "%s|%s|%s", rec.Subject, rec.Get("Nats-Msg-Id"), rec.Data))
		if sum != m.sums[rec.Seq] {
			t.Fatalf("sequence %d was handed over with other content", rec.Seq)
		}
		seen[rec.Seq] = true
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if after := listing(t, m.dir); !maps.Equal(before, after) {
		t.Fatal("the examination changed files")
	}
	return r, seen
}

func listing(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	if err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			info, err := d.Info()
			if err != nil {
				return err
			}
			out[path] = fmt.Sprint(info.Size(), info.ModTime())
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestSoundStore(t *testing.T) {
	m := store(t)
	r, seen := m.examine(t)
	if len(r.Findings) != 0 || len(r.Streams) != 1 || len(seen) != len(m.sums) {
		t.Fatalf("findings %v, %d streams, %d of %d records", r.Findings, len(r.Streams), len(seen), len(m.sums))
	}
	s := r.Streams[0]
	if s.First != 1 || s.Last != 600 || s.Metadata["id"] != "abc" || s.IndexLast() != 600 {
		t.Fatalf("%+v, index %d", s, s.IndexLast())
	}
}

// Every single changed byte of every block is found, and costs at most the
// record that it is in (in a compressed block: those of one frame).
func TestEveryFlipIsFound(t *testing.T) {
	m := store(t)
	random := rand.New(rand.NewPCG(3, 4))
	for _, path := range m.blocks(t) {
		good, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		places := []int{0, 3, 4, 5, 6, 20, 21, 22, len(good) - 1, len(good) - 9}
		for range 12 {
			places = append(places, random.IntN(len(good)))
		}
		for _, at := range places {
			bad := bytes.Clone(good)
			bad[at] ^= 1 << random.IntN(8)
			write(t, path, bad)
			r, seen := m.examine(t)
			compressed := bytes.HasPrefix(good, []byte("cmp"))
			// A compressed block may say the same in other bytes: nothing is lost then.
			if len(r.Findings) == 0 && !(compressed && len(seen) == len(m.sums)) {
				t.Errorf("%s: flip at %d is not noticed", filepath.Base(path), at)
			}
			if compressed {
				continue
			}
			if lost := len(m.sums) - len(seen); lost > 1 {
				t.Errorf("%s: flip at %d costs %d records: %v", filepath.Base(path), at, lost, r.Findings)
			}
		}
		write(t, path, good)
	}
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestFindings(t *testing.T) {
	newest := func(m made) string { // the one that is not compressed
		for _, p := range m.blocks(t) {
			if data, _ := os.ReadFile(p); !bytes.HasPrefix(data, []byte("cmp")) {
				return p
			}
		}
		t.Fatal("no open block")
		return ""
	}
	cut := func(path string, by int64) {
		info, err := os.Stat(path)
		if err == nil {
			err = os.Truncate(path, info.Size()-by)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	cases := map[string]struct {
		do   func(m made)
		want natsstore.Kind
		text string
	}{
		"torn end":          {func(m made) { cut(newest(m), 5) }, natsstore.KindTorn, "600"},
		"zeros at the end":  {func(m made) { p := newest(m); d, _ := os.ReadFile(p); write(t, p, append(d, make([]byte, 8192)...)) }, natsstore.KindTorn, "601"},
		"cut in the middle": {func(m made) { cut(m.file("msgs/2.blk"), 100) }, natsstore.KindBlock, ""},
		"emptied":           {func(m made) { write(t, m.file("msgs/2.blk"), nil) }, natsstore.KindTruncated, "sequences"},
		"deleted":           {func(m made) { os.Remove(m.file("msgs/2.blk")) }, natsstore.KindGap, "sequences"},
		"garbage":           {func(m made) { write(t, m.file("msgs/2.blk"), bytes.Repeat([]byte("garbage "), 999)) }, natsstore.KindGarbage, "sequences"},
		"another block":     {func(m made) { d, _ := os.ReadFile(m.file("msgs/3.blk")); write(t, m.file("msgs/2.blk"), d) }, natsstore.KindBlock, "holds block 3"},
		"meta flipped":      {func(m made) { p := m.file("meta.inf"); d, _ := os.ReadFile(p); d[9] ^= 4; write(t, p, d) }, natsstore.KindMeta, "checksum"},
		"meta gone":         {func(m made) { os.Remove(m.file("meta.inf")) }, natsstore.KindMeta, "no such file"},
		"sum gone":          {func(m made) { os.Remove(m.file("meta.sum")) }, natsstore.KindMeta, "no such file"},
		"purge left over":   {func(m made) { os.MkdirAll(m.file("__new_msgs__"), 0o700) }, natsstore.KindForeign, "__new_msgs__"},
		"an old index":      {func(m made) { write(t, m.file("msgs/2.idx"), []byte("x")) }, natsstore.KindForeign, "2.idx"},
		"block too large":   {func(m made) { os.Truncate(m.file("msgs/2.blk"), 65<<20) }, natsstore.KindGarbage, "more than"},
		"a folder":          {func(m made) { os.Remove(m.file("msgs/2.blk")); os.Mkdir(m.file("msgs/2.blk"), 0o700) }, natsstore.KindForeign, "2.blk"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			m := store(t)
			c.do(m)
			r, _ := m.examine(t)
			for _, f := range r.Findings {
				if f.Kind == c.want && strings.Contains(f.String(), c.text) {
					return
				}
			}
			t.Fatalf("want %q with %q, got %v", c.want, c.text, r.Findings)
		})
	}
}

// A damaged frame of a compressed block costs its own records and no others.
func TestSalvageOfCompressed(t *testing.T) {
	m := store(t)
	path := m.file("msgs/2.blk")
	data, err := os.ReadFile(path)
	if err != nil || !bytes.HasPrefix(data, []byte("cmp")) {
		t.Fatal("not compressed", err)
	}
	// A byte within a literal: its record is lost, others are not.
	data[len(data)/2] ^= 0xff
	write(t, path, data)
	_, seen := m.examine(t)
	for seq := range m.sums {
		if !seen[seq] && (seq < 61 || seq > 119) {
			t.Errorf("sequence %d of another block is lost", seq)
		}
	}
}

func TestUnfinishedStream(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "jetstream", "$G", "streams", "S", "msgs"), 0o700); err != nil {
		t.Fatal(err)
	}
	r, err := natsstore.Examine(t.Context(), dir, nil)
	if err != nil || len(r.Findings) != 1 || r.Findings[0].Kind != natsstore.KindUnfinished {
		t.Fatal(r, err)
	}
}

// What was deleted on purpose is no loss.
func TestPurgedSubject(t *testing.T) {
	m := store(t)
	srv, err := server.NewServer(&server.Options{DontListen: true, JetStream: true, StoreDir: m.dir, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	srv.Start()
	if !srv.ReadyForConnections(5 * time.Second) {
		t.Fatal("not ready")
	}
	nc, err := nats.Connect("", nats.InProcessServer(srv))
	if err != nil {
		t.Fatal(err)
	}
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	s, err := js.Stream(t.Context(), stream)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteMsg(t.Context(), 597); err != nil {
		t.Fatal(err)
	}
	nc.Close()
	srv.Shutdown()
	srv.WaitForShutdown()
	r, seen := m.examine(t)
	if len(r.Findings) != 0 || len(r.Streams) != 1 || !r.Streams[0].Deleted[597] {
		t.Fatal(r.Findings, seen[597])
	}
}

func BenchmarkExamine(b *testing.B) {
	from, err := template()
	if err != nil {
		b.Fatal(err)
	}
	var bytes int64
	for b.Loop() {
		r, err := natsstore.Examine(b.Context(), from.dir, func(*natsstore.Stream, natsstore.Record) error { return nil })
		if err != nil {
			b.Fatal(err)
		}
		bytes = r.Streams[0].Bytes
	}
	b.SetBytes(bytes)
}
