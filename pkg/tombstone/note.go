package tombstone

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/skaldrpg/skald/pkg/attest"
)

// firstLine begins the first line of tombstones.
const firstLine = "skald/tombstone/v1"

// timeForm is how times are written, in UTC.
const timeForm = "2006-01-02T15:04:05.000Z"

// Count is how many records of a kind there were.
type Count struct {
	// Kind: encounter, patient, dice, pack, branch, or another that was found.
	Kind string
	// Records and the bytes of their data.
	Records, Bytes uint64
}

// Chain is where the chain of an encounter or a patient ended.
type Chain struct {
	// Kind: encounter or patient.
	Kind string
	// ID of it.
	ID string
	// Version and Hash of its last Commit; 0 and nothing when none could be read.
	Version uint64
	Hash    []byte
	// Open: a fight that was not over.
	Open bool
}

// Tombstone is what the signed note says.
type Tombstone struct {
	// Table that was deleted.
	Table string
	// Stream that it was in, and the stream's id.
	Stream   int
	StreamID string
	// Time of the deletion, in milliseconds since 1970.
	Millis int64
	// By is who asked for it.
	By string
	// Reason that was given, one line.
	Reason string
	// Last is the sequence of the table's last record that this one is about.
	Last uint64
	// Counts by kind, in order of kinds.
	Counts []Count
	// Sequences and their digest (SHA-256 of the list as stored), and the same of the
	// places in the tree.
	Sequences, Leaves             uint64
	SequencesDigest, LeavesDigest [sha256.Size]byte
	// Checkpoint is the text of the last checkpoint of the stream (attest.Checkpoint);
	// empty where none was at hand.
	Checkpoint string
	// Chains, encounters first, each kind in order of ids.
	Chains []Chain
}

// Root is the hash of the tree over the lines of the chains (RFC 6962).
func (t Tombstone) Root() (tlog.Hash, error) {
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(at []int64) ([]tlog.Hash, error) {
		out := make([]tlog.Hash, len(at))
		for i, p := range at {
			out[i] = stored[p]
		}
		return out, nil
	})
	for i, c := range t.Chains {
		more, err := tlog.StoredHashes(int64(i), []byte(c.line()), reader)
		if err != nil {
			return tlog.Hash{}, fmt.Errorf("tombstone: %w", err)
		}
		stored = append(stored, more...)
	}
	return tlog.TreeHash(int64(len(t.Chains)), reader)
}

func (c Chain) line() string {
	state := "closed"
	if c.Open {
		state = "open"
	}
	return fmt.Sprintf("chain %s %s %d %s %s\n", word(c.Kind), word(c.ID), c.Version, orNone(base64.StdEncoding.EncodeToString(c.Hash)), state)
}

// word is a text as one word of a line; never empty.
func word(s string) string { return orNone(url.QueryEscape(s)) }

func orNone(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func unword(s string) (string, error) {
	if s == "-" {
		return "", nil
	}
	return url.QueryUnescape(s)
}

// Text is the tombstone as it is signed.
func (t Tombstone) Text() (string, error) {
	root, err := t.Root()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("%s %s", firstLine, word(t.Table))
	line("stream %d %s", t.Stream, word(t.StreamID))
	line("when %s", time.UnixMilli(t.Millis).UTC().Format(timeForm))
	line("by %s", word(t.By))
	line("reason %s", strconv.Quote(t.Reason))
	line("last %d", t.Last)
	for _, c := range t.Counts {
		line("records %s %d %d", word(c.Kind), c.Records, c.Bytes)
	}
	line("sequences %d %s", t.Sequences, hex.EncodeToString(t.SequencesDigest[:]))
	line("leaves %d %s", t.Leaves, hex.EncodeToString(t.LeavesDigest[:]))
	line("checkpoint %s", strconv.Quote(t.Checkpoint))
	line("chains %d %s", len(t.Chains), root)
	for _, c := range t.Chains {
		b.WriteString(c.line())
	}
	return b.String(), nil
}

// Parse reads the text of a tombstone. Errors wrap attest.ErrBad.
func Parse(text string) (Tombstone, error) {
	var t Tombstone
	p := parser{lines: strings.Split(text, "\n")}
	t.Table = p.words(firstLine, 1)[0]
	w := p.words("stream", 2)
	t.Stream, t.StreamID = int(p.number(w[0])), w[1] //nolint:gosec // compared below
	if when, err := time.Parse(timeForm, p.words("when", 1)[0]); err == nil {
		t.Millis = when.UnixMilli()
	}
	t.By = p.words("by", 1)[0]
	t.Reason = p.quoted("reason")
	t.Last = p.number(p.words("last", 1)[0])
	for p.next("records") {
		w := p.words("records", 3)
		t.Counts = append(t.Counts, Count{Kind: w[0], Records: p.number(w[1]), Bytes: p.number(w[2])})
	}
	t.Sequences, t.SequencesDigest = p.digest("sequences")
	t.Leaves, t.LeavesDigest = p.digest("leaves")
	t.Checkpoint = p.quoted("checkpoint")
	p.words("chains", 2)
	for p.next("chain") {
		w := p.words("chain", 5)
		hash, err := base64.StdEncoding.DecodeString(w[3])
		if err != nil {
			p.bad = true
		}
		if len(hash) == 0 {
			hash = nil
		}
		t.Chains = append(t.Chains, Chain{Kind: w[0], ID: w[1], Version: p.number(w[2]), Hash: hash, Open: w[4] == "open"})
	}
	// Written again it must be what was read: that checks the rest.
	if again, err := t.Text(); p.bad || err != nil || again != text || t.Table == "" {
		return Tombstone{}, fmt.Errorf("%w: no tombstone", attest.ErrBad)
	}
	return t, nil
}

// parser takes lines one after another.
type parser struct {
	lines []string
	bad   bool
}

// next says whether a line of that name is there to take; after a bad line none
// is, so that whoever takes lines while there are any comes to an end.
func (p *parser) next(name string) bool {
	return !p.bad && len(p.lines) > 0 && strings.HasPrefix(p.lines[0], name+" ")
}

func (p *parser) rest(name string) string {
	if p.bad = !p.next(name); p.bad {
		return ""
	}
	rest := strings.TrimPrefix(p.lines[0], name+" ")
	p.lines = p.lines[1:]
	return rest
}

func (p *parser) words(name string, n int) []string {
	out := make([]string, n)
	w := strings.Split(p.rest(name), " ")
	if len(w) != n {
		p.bad = true
		return out
	}
	for i := range out {
		var err error
		// A hash in base64 has a plus, which a word has not.
		if out[i], err = w[i], nil; !(name == "chain" && i == 3) {
			out[i], err = unword(w[i])
		} else if w[i] == "-" {
			out[i] = ""
		}
		p.bad = p.bad || err != nil
	}
	return out
}

func (p *parser) number(s string) uint64 {
	n, err := strconv.ParseUint(s, 10, 64)
	p.bad = p.bad || err != nil
	return n
}

func (p *parser) quoted(name string) string {
	s, err := strconv.Unquote(p.rest(name))
	p.bad = p.bad || err != nil
	return s
}

func (p *parser) digest(name string) (n uint64, sum [sha256.Size]byte) {
	w := p.words(name, 2)
	data, err := hex.DecodeString(w[1])
	if p.bad = p.bad || err != nil || len(data) != len(sum); p.bad {
		return 0, sum
	}
	copy(sum[:], data)
	return p.number(w[0]), sum
}

// Open reads a signed tombstone and checks that one of the verifiers signed it.
// Errors wrap attest.ErrBad.
func Open(signed string, by note.Verifiers) (Tombstone, error) {
	n, err := note.Open([]byte(signed), by)
	if err != nil {
		return Tombstone{}, fmt.Errorf("%w: %v", attest.ErrBad, err)
	}
	return Parse(n.Text)
}

// Unchecked reads a signed tombstone without asking who signed it. Errors wrap
// attest.ErrBad.
func Unchecked(signed string) (Tombstone, error) {
	text, _, ok := strings.Cut(signed, "\n\n")
	if !ok {
		return Tombstone{}, fmt.Errorf("%w: no signed note", attest.ErrBad)
	}
	return Parse(text + "\n")
}

// Digest is SHA-256 of a signed tombstone: it names it where it is too long.
func Digest(signed string) [sha256.Size]byte { return sha256.Sum256([]byte(signed)) }
