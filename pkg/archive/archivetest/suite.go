package archivetest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"

	"github.com/skaldrpg/skald/pkg/archive"
)

// Run checks what every Store promises.
func Run(t *testing.T, open func(t *testing.T) archive.Store) {
	t.Run("put and get", func(t *testing.T) {
		s := open(t)
		missing(t, s, "segment-a")
		must(t, s.Put(t.Context(), "segment-a", []byte("one")))
		must(t, s.Put(t.Context(), "segment-a", []byte("two")))
		must(t, s.Put(t.Context(), "aside/b", nil))
		holds(t, s, "segment-a", "two")
		holds(t, s, "aside/b", "")
	})
	t.Run("append", func(t *testing.T) {
		s := open(t)
		if err := s.Append(t.Context(), "x", 3, []byte("y")); !errors.Is(err, archive.ErrMoved) {
			t.Errorf("to nothing at 3: %v", err)
		}
		missing(t, s, "x")
		must(t, s.Append(t.Context(), "x", 0, []byte("abc")))
		must(t, s.Append(t.Context(), "x", 3, []byte("d")))
		must(t, s.Sync(t.Context(), "x"))
		for _, at := range []int64{0, 3, 5} {
			if err := s.Append(t.Context(), "x", at, []byte("z")); !errors.Is(err, archive.ErrMoved) {
				t.Errorf("at %d of 4: %v", at, err)
			}
		}
		holds(t, s, "x", "abcd")
	})
	t.Run("remove", func(t *testing.T) {
		s := open(t)
		must(t, s.Put(t.Context(), "x", []byte("y")))
		must(t, s.Remove(t.Context(), "x"))
		must(t, s.Remove(t.Context(), "x"))
		missing(t, s, "x")
	})
	t.Run("list", func(t *testing.T) {
		s := open(t)
		for _, name := range []string{"b2", "a", "b10", "c/b3", "b1"} {
			must(t, s.Put(t.Context(), name, []byte(name)))
		}
		got, err := s.List(t.Context(), "b")
		must(t, err)
		if len(got) != 3 || got[0] != (archive.Object{Name: "b1", Size: 2}) || got[1].Name != "b10" || got[2].Name != "b2" {
			t.Errorf("listed %v", got)
		}
	})
	t.Run("context", func(t *testing.T) {
		s := open(t)
		must(t, s.Put(t.Context(), "x", []byte("y")))
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		_, get := s.Get(ended, "x")
		_, list := s.List(ended, "")
		for what, err := range map[string]error{"get": get, "list": list, "put": s.Put(ended, "x", nil),
			"append": s.Append(ended, "x", 1, nil), "sync": s.Sync(ended, "x"), "remove": s.Remove(ended, "x")} {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", what, err)
			}
		}
		holds(t, s, "x", "y")
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func missing(t *testing.T, s archive.Store, name string) {
	t.Helper()
	if _, err := s.Get(t.Context(), name); !errors.Is(err, archive.ErrNotFound) {
		t.Fatalf("%s is there: %v", name, err)
	}
}

func holds(t *testing.T, s archive.Store, name, want string) {
	t.Helper()
	r, err := s.Get(t.Context(), name)
	must(t, err)
	got, err := io.ReadAll(r)
	must(t, errors.Join(err, r.Close()))
	if !bytes.Equal(got, []byte(want)) {
		t.Fatalf("%s holds %q, want %q", name, got, want)
	}
}
