package journal

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/skaldrpg/skald/pkg/journal/natsstore"
)

// Files of marks in a store folder. The first exists only while the folder is as
// a clean stop left it; the second is what the last clean stop said.
const (
	markFile    = "skald.sound"
	markFileOld = "skald.sound.last"
)

// mark says how a clean stop left a folder.
type mark struct {
	Streams []markedStream `json:"streams"`
	path    string
}

type markedStream struct {
	Name   string `json:"name"`
	ID     string `json:"id"`
	Last   uint64 `json:"last"`   // last sequence
	Digest string `json:"digest"` // of the record there, hex; empty when that was deleted
	Index  string `json:"index"`  // SHA-256 of the server's own cache, hex; empty when there is none
}

// marks are what a folder's files of marks say.
type marks struct {
	last   *mark    // of the stop just before; nil when that was not clean
	old    *mark    // of an earlier one
	broken []string // files that do not hold
}

func readMarks(dir string) marks {
	var m marks
	for _, f := range []struct {
		name string
		into **mark
	}{{markFile, &m.last}, {markFileOld, &m.old}} {
		path := filepath.Join(dir, f.name)
		got, err := readMark(path)
		switch {
		case err == nil:
			*f.into = got
		case !errors.Is(err, fs.ErrNotExist):
			m.broken = append(m.broken, path)
		}
	}
	return m
}

// readMark reads one file: a line of JSON and the line of its SHA-256.
func readMark(path string) (*mark, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	body, sum, ok := bytes.Cut(data, []byte("\n"))
	want := sha256.Sum256(body)
	if !ok || string(bytes.TrimSpace(sum)) != hex.EncodeToString(want[:]) {
		return nil, errors.New("checksum")
	}
	m := &mark{path: path}
	return m, json.Unmarshal(body, m)
}

// witnesses of what the stream reached at those stops.
func (m marks) witnesses() []Witness {
	var out []Witness
	for _, k := range []*mark{m.last, m.old} {
		if k == nil {
			continue
		}
		for _, s := range k.Streams {
			if s.Last == 0 {
				continue
			}
			w := Witness{Name: k.path, Stream: s.Name, StreamID: s.ID, Sequence: s.Last}
			if s.Digest != "" {
				w.Holds = func(r Record) bool { d := digestOf(r); return hex.EncodeToString(d[:]) == s.Digest }
			}
			out = append(out, w)
		}
	}
	return out
}

// fits tells whether the folder ends where the clean stop said. An older mark that
// was put back does not: then the stop counts as unclean.
func (m *mark) fits(r *natsstore.Report) bool {
	if m == nil || len(m.Streams) != len(r.Streams) {
		return false
	}
	for i, s := range r.Streams {
		if m.Streams[i].Name != s.Name || m.Streams[i].Last != s.Last {
			return false
		}
	}
	return true
}

// index tells whether the server's own cache is the one that the stop left.
func (m *mark) index(s *natsstore.Stream) bool {
	for _, k := range m.Streams {
		if k.Name == s.Name {
			return k.Index != "" && k.Index == fileDigest(s.IndexPath())
		}
	}
	return false
}

func fileDigest(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// retire takes the mark away before the server opens the folder: from then on
// the next stop counts as unclean until it has said otherwise.
func (m marks) retire(dir string) error {
	if m.last == nil {
		return nil
	}
	if err := os.Rename(filepath.Join(dir, markFile), filepath.Join(dir, markFileOld)); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	return syncFolder(dir)
}

// markSound says how a stopped server left its folder. What can not be read is
// not vouched for: then there is no mark, and the next start says what is wrong.
func markSound(ctx context.Context, dir string) error {
	tails := map[string]Record{}
	r, err := natsstore.Ends(ctx, dir, func(s *natsstore.Stream, rec natsstore.Record) error {
		tails[s.Name] = StoredRecord(rec)
		return nil
	})
	if err != nil || len(r.Findings) > 0 || len(r.Streams) == 0 {
		return err
	}
	var m mark
	for _, s := range r.Streams {
		k := markedStream{Name: s.Name, ID: s.Metadata[metaStreamID], Last: s.Last, Index: fileDigest(s.IndexPath())}
		if t := tails[s.Name]; t.Seq == s.Last && s.Last > 0 {
			d := digestOf(t)
			k.Digest = hex.EncodeToString(d[:])
		}
		m.Streams = append(m.Streams, k)
	}
	body, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	sum := sha256.Sum256(body)
	if err := writeSynced(filepath.Join(dir, markFile), fmt.Appendf(body, "\n%x\n", sum)); err != nil {
		return fmt.Errorf("journal: marking a clean stop: %w", err)
	}
	return nil
}
