package archive_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/skaldrpg/skald/pkg/archive"
	"github.com/skaldrpg/skald/pkg/archive/archivetest"
)

func folder(t *testing.T, dir string) *archive.Folder {
	t.Helper()
	f, err := archive.OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() }) //nolint:errcheck // nothing is left to lose
	return f
}

func TestStores(t *testing.T) {
	t.Run("folder", func(t *testing.T) {
		archivetest.Run(t, func(t *testing.T) archive.Store { return folder(t, t.TempDir()) })
	})
	t.Run("bucket", func(t *testing.T) {
		archivetest.Run(t, func(*testing.T) archive.Store { return archivetest.NewBucket() })
	})
}

func TestFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "archive")
	none, err := archive.ReadFolder(dir).List(t.Context(), "")
	if err != nil || len(none) != 0 {
		t.Fatalf("a folder that is not there: %v, %v", none, err)
	}
	f := folder(t, dir)
	if _, err := archive.OpenFolder(dir); !errors.Is(err, archive.ErrLocked) {
		t.Fatalf("two writers: %v", err)
	}
	if err := archive.ReadFolder(dir).Put(t.Context(), "x", nil); err == nil {
		t.Error("a reader wrote")
	}
	for _, name := range []string{"../x", "/x", "", "archive.lock", "x.part"} {
		if err := f.Put(t.Context(), name, nil); err == nil {
			t.Errorf("put %q", name)
		}
	}
	// What a kill leaves of a Put is nobody's object.
	if err := os.WriteFile(filepath.Join(dir, "segment-1.zst.123.part"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := f.List(t.Context(), ""); err != nil || len(got) != 0 {
		t.Errorf("listed %v, %v", got, err)
	}
}
