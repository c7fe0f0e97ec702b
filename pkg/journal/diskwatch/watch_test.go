//go:build linux

package diskwatch_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/skaldrpg/skald/pkg/journal/disktest"
	"github.com/skaldrpg/skald/pkg/journal/diskwatch"
)

const mib = 1 << 20

func watch(t *testing.T, cfg diskwatch.Config) *diskwatch.Watch {
	t.Helper()
	cfg.Every = 20 * time.Millisecond
	w, err := diskwatch.Start(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w
}

// await waits until the disk is in a state, and tells how long that took.
func await(t *testing.T, w *diskwatch.Watch, want diskwatch.State) diskwatch.Status {
	t.Helper()
	late := time.After(10 * time.Second)
	for {
		changed := w.Changed()
		if s := w.Status(); s.State == want {
			return s
		}
		select {
		case <-changed:
		case <-late:
			t.Fatalf("never %s: %+v", want, w.Status())
		}
	}
}

func TestRoom(t *testing.T) {
	d := disktest.Memory(t, 64*mib)
	w := watch(t, diskwatch.Config{Dir: d.Dir})
	s := await(t, w, diskwatch.Well)
	if s.Reserve != 4*mib || s.Wanted != s.Reserve || s.Total != 64*mib {
		t.Fatalf("at first %+v", s)
	}
	if info, err := os.Stat(filepath.Join(d.Dir, "skald.reserve")); err != nil || info.Size() != 4*mib || d.Free() > 60*mib {
		t.Fatalf("the reserve is not real: %v, %v, %d free", info, err, d.Free())
	}
	d.Fill(3 * mib) // the mark is at 2 MiB
	time.Sleep(100 * time.Millisecond)
	if s := w.Status(); s.State != diskwatch.Well {
		t.Fatalf("with 3 MiB free %+v", s)
	}
	d.Fill(mib)
	if s = await(t, w, diskwatch.Low); s.Reserve != 4*mib {
		t.Fatalf("low, and the reserve is gone: %+v", s)
	}
	d.Fill(0)
	// Whoever fills the disk may be slow enough to take the room of the reserve too,
	// so that the file tells whether it was given up, and not the free room.
	s = await(t, w, diskwatch.Full)
	if info, err := os.Stat(filepath.Join(d.Dir, "skald.reserve")); s.Reserve != 0 || err == nil && info.Size() > 0 {
		t.Fatalf("full, and the reserve is kept: %+v, %v", s, info)
	}
	time.Sleep(100 * time.Millisecond)
	if s = w.Status(); s.State != diskwatch.Full {
		t.Fatalf("the room of the reserve was taken for free room: %+v", s)
	}
	d.Fill(0) // others take that as well
	time.Sleep(100 * time.Millisecond)
	if s = w.Status(); s.State != diskwatch.Full || s.Needed < 6*mib || s.Needed > 7*mib {
		t.Fatalf("full for good: %+v", s)
	}
	d.Empty()
	if s = await(t, w, diskwatch.Well); s.Reserve != 4*mib || s.Needed != 0 {
		t.Fatalf("well again: %+v", s)
	}
	if err := os.Remove(filepath.Join(d.Dir, "skald.reserve")); err != nil { // by hand
		t.Fatal(err)
	}
	for late := time.Now().Add(5 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if info, err := os.Stat(filepath.Join(d.Dir, "skald.reserve")); err == nil && info.Size() == 4*mib {
			break
		}
		if time.Now().After(late) {
			t.Fatal("a reserve that was removed does not come back")
		}
	}
}

// Between two marks the state stays what it was.
func TestHysteresis(t *testing.T) {
	d := disktest.Memory(t, 64*mib)
	w := watch(t, diskwatch.Config{Dir: d.Dir, Low: 8 * mib})
	d.Fill(7 * mib)
	await(t, w, diskwatch.Low)
	d.Empty()
	d.Fill(20 * mib)
	await(t, w, diskwatch.Well)
	d.Fill(9 * mib)
	time.Sleep(100 * time.Millisecond)
	if s := w.Status(); s.State != diskwatch.Well {
		t.Fatalf("9 MiB after plenty: %+v", s)
	}
	d.Fill(6 * mib)
	await(t, w, diskwatch.Low)
	settled := func(s diskwatch.Status) bool { return s.Needed >= 5*mib && s.Needed <= 7*mib }
	for late := time.Now().Add(5 * time.Second); !settled(w.Status()); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(late) { // it may have looked while the disk filled
			t.Fatalf("needs %d", w.Status().Needed)
		}
	}
	if err := os.Truncate(filepath.Join(d.Dir, "ballast"), int64(64-4-10)*mib); err != nil {
		t.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond)
	if s := w.Status(); s.State != diskwatch.Low {
		t.Fatalf("well with 10 MiB after low, wants 12: %+v", s)
	}
}

func TestFullFromTheStart(t *testing.T) {
	d := disktest.Memory(t, 32*mib)
	d.Fill(0)
	w := watch(t, diskwatch.Config{Dir: d.Dir})
	if s := w.Status(); s.State != diskwatch.Full {
		t.Fatalf("%+v", s)
	}
	d.Empty()
	await(t, w, diskwatch.Well)
}

func TestStall(t *testing.T) {
	d := disktest.Block(t, 32*mib)
	w := watch(t, diskwatch.Config{Dir: d.Dir, Stall: 300 * time.Millisecond})
	await(t, w, diskwatch.Well)
	for range 3 {
		d.Freeze()
		began := time.Now()
		await(t, w, diskwatch.Stalled)
		if took := time.Since(began); took > time.Second {
			t.Errorf("stalled after %s", took)
		}
		if s := w.Status(); s.Canary < 300*time.Millisecond {
			t.Errorf("%+v", s)
		}
		d.Thaw()
		await(t, w, diskwatch.Well)
	}
}

// A watch can be ended while the system does not let go of its write.
func TestCloseWhileStalled(t *testing.T) {
	d := disktest.Block(t, 32*mib)
	w, err := diskwatch.Start(diskwatch.Config{Dir: d.Dir, Every: 20 * time.Millisecond, Stall: 200 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	d.Freeze()
	await(t, w, diskwatch.Stalled)
	began := time.Now()
	w.Close()
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("took %s", took)
	}
	d.Thaw()
}

func TestNoFolder(t *testing.T) {
	if w, err := diskwatch.Start(diskwatch.Config{Dir: filepath.Join(t.TempDir(), "none")}); err == nil {
		w.Close()
		t.Fatal("watches nothing")
	}
}

// A folder that can not be written is failing, not full.
func TestFailing(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "skald.canary"), 0o700); err != nil {
		t.Fatal(err)
	}
	w := watch(t, diskwatch.Config{Dir: dir})
	if s := await(t, w, diskwatch.Failing); s.Err == nil {
		t.Fatalf("%+v", s)
	}
	if err := os.Remove(filepath.Join(dir, "skald.canary")); err != nil {
		t.Fatal(err)
	}
	await(t, w, diskwatch.Well)
}
