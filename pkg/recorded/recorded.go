package recorded

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protodelim"
	"google.golang.org/protobuf/proto"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

//go:embed testdata
var files embed.FS

const (
	root   = "testdata"
	suffix = ".tar.gz"
	// commits is the entry of a fight that holds its Commits; the others hold a
	// viewer's state.
	commits = "commits"
	// maxBytes of a file, unpacked.
	maxBytes = 64 << 20
)

// Suffix of the name of a system's file in a set.
const Suffix = suffix

// Fight is one recorded fight.
type Fight struct {
	// Name tells where it came from.
	Name string
	// Commits as stored, in order.
	Commits [][]byte
	// States at the end by viewer: "gm", "spectator" and "player/<name>".
	States map[string]*eventv1.State
}

// Sets lists the sets there are, oldest first.
func Sets() ([]string, error) { return list(root, "") }

// Systems lists the rule systems of a set.
func Systems(set string) ([]string, error) { return list(path.Join(root, set), suffix) }

func list(dir, ending string) ([]string, error) {
	entries, err := fs.ReadDir(files, dir)
	if err != nil {
		return nil, fmt.Errorf("recorded: %w", err)
	}
	var out []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ending); ok && e.IsDir() == (ending == "") {
			out = append(out, name)
		}
	}
	return out, nil
}

// SetsOf are the names of the sets that have a system, in order: a set may be of one
// system alone.
func SetsOf(system string) ([]string, error) {
	sets, err := Sets()
	if err != nil {
		return nil, err
	}
	var out []string
	for _, set := range sets {
		has, err := Systems(set)
		if err != nil {
			return nil, err
		}
		if slices.Contains(has, system) {
			out = append(out, set)
		}
	}
	return out, nil
}

// Latest reads the fights of a system in the last set that has it.
func Latest(system string) ([]Fight, error) {
	sets, err := SetsOf(system)
	if err != nil {
		return nil, err
	}
	if len(sets) == 0 {
		return nil, fmt.Errorf("recorded: no set has fights of %q", system)
	}
	return Load(sets[len(sets)-1], system)
}

// Load reads the fights of a system in a set, by name.
func Load(set, system string) ([]Fight, error) {
	f, err := files.Open(path.Join(root, set, system+suffix))
	if err != nil {
		return nil, fmt.Errorf("recorded: %w", err)
	}
	defer f.Close() //nolint:errcheck // it is only read
	return Decode(f)
}

// Encode writes fights, in the order given.
func Encode(w io.Writer, fights []Fight) error {
	zip, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return fmt.Errorf("recorded: %w", err)
	}
	t := tar.NewWriter(zip)
	for _, f := range fights {
		if err := f.encode(t); err != nil {
			return fmt.Errorf("recorded: %s: %w", f.Name, err)
		}
	}
	return errors.Join(t.Close(), zip.Close())
}

func (f Fight) encode(t *tar.Writer) error {
	var b bytes.Buffer
	for _, c := range f.Commits {
		if _, err := protodelim.MarshalTo(&b, &encounterv1.ExportResponse{Commit: c}); err != nil {
			return err
		}
	}
	if err := entry(t, path.Join(f.Name, commits), b.Bytes()); err != nil {
		return err
	}
	for _, viewer := range slices.Sorted(maps.Keys(f.States)) {
		data, err := proto.MarshalOptions{Deterministic: true}.Marshal(f.States[viewer])
		if err != nil {
			return err
		}
		if err := entry(t, path.Join(f.Name, "state", viewer), data); err != nil {
			return err
		}
	}
	return nil
}

func entry(t *tar.Writer, name string, data []byte) error {
	if err := t.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(data))}); err != nil {
		return err
	}
	_, err := t.Write(data)
	return err
}

// Decode reads what Encode wrote. A file with anything else in it is an error.
func Decode(r io.Reader) ([]Fight, error) {
	zip, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("recorded: %w", err)
	}
	t := tar.NewReader(io.LimitReader(zip, maxBytes))
	var out []Fight
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("recorded: %w", err)
		}
		data, err := io.ReadAll(t)
		if err != nil {
			return nil, fmt.Errorf("recorded: %s: %w", h.Name, err)
		}
		if out, err = put(out, h.Name, data); err != nil {
			return nil, fmt.Errorf("recorded: %s: %w", h.Name, err)
		}
	}
}

// put adds an entry to the fights read so far.
func put(fights []Fight, name string, data []byte) ([]Fight, error) {
	if fight, ok := strings.CutSuffix(name, "/"+commits); ok {
		f := Fight{Name: fight, States: map[string]*eventv1.State{}}
		for r := bytes.NewReader(data); r.Len() > 0; {
			var c encounterv1.ExportResponse
			if err := protodelim.UnmarshalFrom(r, &c); err != nil {
				return nil, err
			}
			f.Commits = append(f.Commits, c.Commit)
		}
		return append(fights, f), nil
	}
	if n := len(fights); n > 0 {
		if viewer, ok := strings.CutPrefix(name, fights[n-1].Name+"/state/"); ok {
			s := &eventv1.State{}
			fights[n-1].States[viewer] = s
			return fights, proto.Unmarshal(data, s)
		}
	}
	return nil, errors.New("neither Commits nor a state of the fight before it")
}
