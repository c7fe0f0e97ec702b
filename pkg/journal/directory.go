package journal

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/skaldrpg/skald/pkg/limits"
)

// The directory is in stream 0, beside the tables: "@" is no table's id, so that
// no deletion of a table's data takes an entry with it.
const (
	directoryTable = "@"
	kindPlace      = "place"
	kindStreams    = "streams"
	// DirectoryFilter matches the records of the directory.
	DirectoryFilter = "skald.0." + directoryTable + ".>"
	streamsSubject  = "skald.0." + directoryTable + "." + kindStreams + ".count"
	placePrefix     = "skald.0." + directoryTable + "." + kindPlace + "."
)

// directoryFormat is the layout of the entries that this build writes and reads.
const directoryFormat = 1

// placeEntry says in which stream a table is.
type placeEntry struct {
	Format int    `json:"format"`
	Table  string `json:"table"`
	Stream int    `json:"stream"`
}

// streamsEntry says how many streams there are.
type streamsEntry struct {
	Format  int `json:"format"`
	Streams int `json:"streams"`
}

// entryMessage makes the message of an entry. Its id comes of what it says, so
// that two processes that write the same entry write the same record.
func entryMessage(subject string, entry any, expected uint64) (Message, error) {
	data, err := json.Marshal(entry)
	if err != nil {
		return Message{}, fmt.Errorf("journal: directory: %w", err)
	}
	sum := sha256.Sum256(append([]byte(subject+" "), data...))
	return Message{Subject: subject, ID: "directory-" + hex.EncodeToString(sum[:16]), Data: data, Expected: expected}, nil
}

// readPlace reads the entry of a table.
func readPlace(rec Record, table string) (int, error) {
	var e placeEntry
	if err := json.Unmarshal(rec.Data, &e); err != nil {
		return 0, fmt.Errorf("%w: table %q, stream 0 sequence %d: %w", ErrDirectory, table, rec.Seq, err)
	}
	if e.Format != directoryFormat || e.Table != table || e.Stream < 0 || e.Stream >= limits.Streams {
		return 0, fmt.Errorf("%w: table %q, stream 0 sequence %d: format %d, table %q, stream %d",
			ErrDirectory, table, rec.Seq, e.Format, e.Table, e.Stream)
	}
	return e.Stream, nil
}

// readStreams reads an entry that says how many streams there are; false when it
// says nothing that could be.
func readStreams(rec Record) (int, bool) {
	var e streamsEntry
	err := json.Unmarshal(rec.Data, &e)
	return e.Streams, err == nil && e.Format == directoryFormat && e.Streams > 0 && e.Streams <= limits.Streams
}

// tableToken checks a table's id: a token that is not the directory's own.
func tableToken(table string) error {
	if err := Token(table); err != nil {
		return err
	}
	if table == directoryTable {
		return fmt.Errorf("%w: %q is no table", ErrInvalid, table)
	}
	return nil
}

// tableOf reads the table and the stream's token from a subject.
func tableOf(subject string) (stream, table string, err error) {
	tokens := strings.SplitN(subject, ".", 4)
	if len(tokens) != 4 || tokens[0] != "skald" {
		return "", "", fmt.Errorf("%w: subject %q is not a table's", ErrInvalid, subject)
	}
	return tokens[1], tokens[2], nil
}

// places keeps the entries that were read, which never change, up to a number:
// what was asked for least recently goes first, half of it at a time.
type places struct {
	most int

	mu         sync.Mutex
	young, old map[string]int
}

func (p *places) get(table string) (int, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at, ok := p.young[table]
	if !ok {
		if at, ok = p.old[table]; ok {
			p.put(table, at)
		}
	}
	return at, ok
}

func (p *places) add(table string, at int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.put(table, at)
}

// put is add for who holds mu.
func (p *places) put(table string, at int) {
	if p.young == nil || len(p.young) >= p.most/2 {
		p.old, p.young = p.young, map[string]int{}
	}
	p.young[table] = at
}

// Place tells in which stream a table is. The directory decides: the first entry
// of a table stands for ever, whoever wrote it. A table without one is in stream
// 0 when that holds anything of it (it is older than the directory), else in the
// one that its id hashes to; with create the entry is written, so that it stays
// so, and without it the answer holds for now alone.
//
// Errors: ErrInvalid, ErrDirectory, and those of Append.
func (s *Set) Place(ctx context.Context, table string, create bool) (int, error) {
	if p, ok := s.places.get(table); ok {
		return p, nil
	}
	if err := tableToken(table); err != nil {
		return 0, err
	}
	if p, ok, err := s.placed(ctx, table); ok || err != nil {
		return p, err
	}
	p, err := s.propose(ctx, table)
	if err != nil || !create {
		return p, err
	}
	m, err := entryMessage(placePrefix+table, placeEntry{Format: directoryFormat, Table: table, Stream: p}, 0)
	if err != nil {
		return 0, err
	}
	_, err = s.first().Append(ctx, m)
	var lost *ConflictError
	switch {
	case err == nil:
		s.places.add(table, p)
		return p, nil
	case errors.As(err, &lost): // another process placed it first
		p, ok, err := s.placed(ctx, table)
		if err == nil && !ok {
			err = fmt.Errorf("%w: directory: the entry of %q that came first can not be read yet", ErrUnavailable, table)
		}
		return p, err
	}
	return 0, fmt.Errorf("journal: placing table %q: %w", table, err)
}

// placed reads a table's entry: the first record on its subject, whatever came
// after it. A stream that is not known yet is looked for.
func (s *Set) placed(ctx context.Context, table string) (int, bool, error) {
	rec, ok, err := s.first().backend.After(ctx, placePrefix+table, 0)
	if !ok || err != nil {
		return 0, false, err
	}
	p, err := readPlace(rec, table)
	if err != nil {
		return 0, false, err
	}
	if p >= s.Streams() {
		if err := s.Refresh(ctx); err != nil {
			return 0, false, err
		}
		if n := s.Streams(); p >= n {
			return 0, false, fmt.Errorf("%w: table %q is in stream %d, and there are %d", ErrDirectory, table, p, n)
		}
	}
	s.places.add(table, p)
	return p, true, nil
}

// propose is where a table without an entry belongs.
func (s *Set) propose(ctx context.Context, table string) (int, error) {
	filter, err := TableFilterIn(0, table)
	if err != nil {
		return 0, err
	}
	_, older, err := s.first().backend.After(ctx, filter, 0)
	if err != nil || older {
		return 0, err
	}
	return Partition(table, s.Streams()), nil
}
