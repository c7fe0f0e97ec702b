package daemon

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestFalseClock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "clock")
	c := (&options{clockFile: path}).clock()
	off := func() time.Duration { return time.Until(c()).Round(time.Minute) }
	if off() != 0 {
		t.Errorf("without a file it is off by %v", off())
	}
	if err := os.WriteFile(path, []byte("-1h30m\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * clockLook)
	if off() != -90*time.Minute {
		t.Errorf("it is off by %v", off())
	}
	if (&options{}).clock() != nil {
		t.Error("nobody asked for a false clock")
	}
}
