package library_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/library"
	"github.com/skaldrpg/skald/pkg/limits"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

func sealed(t *testing.T, rec *encounterv1.PackRecord) journal.Record {
	t.Helper()
	m, err := library.Seal(2, rec)
	if err != nil {
		t.Fatal(err)
	}
	if m.Expected != 0 {
		t.Errorf("it would follow sequence %d", m.Expected)
	}
	return journal.Record{Subject: m.Subject, ID: m.ID, Data: m.Data}
}

func TestSealAndOpen(t *testing.T) {
	want := &encounterv1.PackRecord{Table: "main", Pack: []byte("bytes"), UnixMillis: 5, Base: true}
	rec := sealed(t, want)
	if table, digest, ok := journal.SplitPack(rec.Subject); !ok || table != "main" || digest != library.Digest([]byte("bytes")) {
		t.Errorf("subject %s", rec.Subject)
	}
	got, digest, err := library.Open(rec)
	if err != nil || digest != library.Digest(want.Pack) || !proto.Equal(got, want) {
		t.Fatalf("%v, %s, %v", got, digest, err)
	}
}

func TestOpenRefuses(t *testing.T) {
	rec := sealed(t, &encounterv1.PackRecord{Table: "main", Pack: []byte("bytes")})
	future, err := proto.Marshal(&encounterv1.PackRecord{Format: 2, Table: "main", Pack: []byte("bytes")})
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := sealed(t, &encounterv1.PackRecord{Table: "other", Pack: []byte("bytes")})
	for name, bad := range map[string]journal.Record{
		"another id":      {Subject: rec.Subject, ID: "x", Data: rec.Data},
		"another table":   {Subject: elsewhere.Subject, ID: rec.ID, Data: rec.Data},
		"another subject": {Subject: "skald.2.main.encounter.e", ID: rec.ID, Data: rec.Data},
		"a later format":  {Subject: rec.Subject, ID: library.Digest(future), Data: future},
		"no record":       {Subject: rec.Subject, ID: library.Digest([]byte{0xff}), Data: []byte{0xff}},
	} {
		if _, _, err := library.Open(bad); !errors.Is(err, event.ErrBroken) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestIsDigest(t *testing.T) {
	for s, want := range map[string]bool{library.Digest(nil): true, "": false, strings.Repeat("0", 63): false,
		strings.Repeat("F", 64): false, strings.Repeat("g", 64): false, "our-table": false} {
		if library.IsDigest(s) != want {
			t.Errorf("%q", s)
		}
	}
}

// What a request brings is a file system like any other, and what was read from
// one comes back the same.
func TestFolder(t *testing.T) {
	from := fstest.MapFS{"pack.yaml": {Data: []byte("name: x")}, "sheets/a.yaml": {Data: []byte("a")}, "sheets/deep/b.yaml": {},
		".git/config": {Data: []byte("hidden")}, "sheets/.hidden": {}}
	files, err := library.ReadFolder(from)
	if err != nil || len(files) != 3 {
		t.Fatalf("%v, %v", files, err)
	}
	dir, err := library.Folder(files)
	if err != nil {
		t.Fatal(err)
	}
	if err := fstest.TestFS(dir, "pack.yaml", "sheets/a.yaml", "sheets/deep/b.yaml"); err != nil {
		t.Error(err)
	}
	if data, err := fs.ReadFile(dir, "pack.yaml"); err != nil || string(data) != "name: x" {
		t.Errorf("%q, %v", data, err)
	}
}

func TestFolderRefuses(t *testing.T) {
	file := func(paths ...string) (out []*encounterv1.PackFile) {
		for _, p := range paths {
			out = append(out, &encounterv1.PackFile{Path: p})
		}
		return out
	}
	for name, files := range map[string][]*encounterv1.PackFile{
		"out of it":      file("../x"),
		"from the root":  file("/x"),
		"nothing":        file(""),
		"the top":        file("."),
		"twice":          file("x", "x"),
		"file as folder": file("x", "x/y"),
		"folder as file": file("x/y", "x"),
		"too many":       make([]*encounterv1.PackFile, limits.PackFiles+1),
		"too large":      {{Path: "x", Content: make([]byte, limits.PackFilesBytes+1)}},
	} {
		if _, err := library.Folder(files); !fault.Is(err, fault.Invalid) && !fault.Is(err, fault.Exhausted) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
