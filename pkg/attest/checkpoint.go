package attest

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// checkpointLine begins the first line of checkpoints.
const checkpointLine = "skald/checkpoint/v1 "

// Checkpoint is a tree over every Commit of the encounters of a stream, or of the patients
// of a table, in the order in which they were stored.
type Checkpoint struct {
	// Log names the tree: server and stream, and for patients the table.
	Log string
	// Size is how many Commits it holds.
	Size int64
	// Root is its hash (RFC 6962).
	Root tlog.Hash
}

// LogName names the tree of a stream of a server.
func LogName(server string, stream int) string { return fmt.Sprintf("%s/%d", server, stream) }

// PatientsLogName names the tree of the patients of a table.
func PatientsLogName(server string, stream int, table string) string {
	return LogName(server, stream) + "/" + url.PathEscape(table) + "/patients"
}

// Text is the checkpoint as it is signed: three lines.
func (c Checkpoint) Text() string {
	return fmt.Sprintf("%s%s\n%d\n%s\n", checkpointLine, c.Log, c.Size, base64.StdEncoding.EncodeToString(c.Root[:]))
}

// ParseCheckpoint reads the text of a checkpoint. Errors wrap ErrBad.
func ParseCheckpoint(text string) (Checkpoint, error) {
	lines := strings.Split(text, "\n")
	var c Checkpoint
	if len(lines) == 4 {
		c.Log = strings.TrimPrefix(lines[0], checkpointLine)
		c.Size, _ = strconv.ParseInt(lines[1], 10, 64)
		if root, err := base64.StdEncoding.DecodeString(lines[2]); err == nil {
			copy(c.Root[:], root)
		}
	}
	if c.Text() != text || c.Size < 0 || c.Log == "" {
		return Checkpoint{}, fmt.Errorf("%w: no checkpoint", ErrBad)
	}
	return c, nil
}

// OpenCheckpoint reads a signed checkpoint and checks that one of the verifiers
// signed it. Errors wrap ErrBad.
func OpenCheckpoint(signed string, by note.Verifiers) (Checkpoint, *note.Note, error) {
	n, err := open(signed, by)
	if err != nil {
		return Checkpoint{}, nil, err
	}
	c, err := ParseCheckpoint(n.Text)
	return c, n, err
}

// Extends checks by a proof that a checkpoint holds all that an older one does.
// Errors wrap ErrBad.
func (c Checkpoint) Extends(older Checkpoint, proof [][]byte) error {
	if c.Log != older.Log {
		return fmt.Errorf("%w: a checkpoint of %q where one of %q must follow", ErrBad, c.Log, older.Log)
	}
	switch {
	case c.Size < older.Size:
		return fmt.Errorf("%w: the log holds %d Commits and held %d before", ErrBad, c.Size, older.Size)
	case older.Size == 0:
		return nil
	case c.Size == older.Size:
		if c.Root != older.Root {
			return fmt.Errorf("%w: two histories of %d Commits", ErrBad, c.Size)
		}
		return nil
	}
	if err := tlog.CheckTree(hashes(proof), c.Size, c.Root, older.Size, older.Root); err != nil {
		return fmt.Errorf("%w: what the log held at %d Commits is not what it holds now: %v", ErrBad, older.Size, err)
	}
	return nil
}

// leafLine begins the first line of leaves.
const leafLine = "skald/leaf/v1\n"

// Leaf is what a tree holds of a Commit: what a head of its chain says.
func Leaf(h Head) []byte {
	h.Viewer = Chain
	return []byte(leafLine + h.rest())
}

// Holds checks by a proof that a checkpoint holds a leaf at a place. Errors wrap
// ErrBad.
func (c Checkpoint) Holds(leaf []byte, index int64, proof [][]byte) error {
	if err := tlog.CheckRecord(hashes(proof), c.Size, c.Root, index, tlog.RecordHash(leaf)); err != nil {
		return fmt.Errorf("%w: it is not in the checkpoint: %v", ErrBad, err)
	}
	return nil
}

// hashes are those of a proof. One of another length becomes what no tree holds.
func hashes(proof [][]byte) []tlog.Hash {
	out := make([]tlog.Hash, len(proof))
	for i, p := range proof {
		if len(p) == len(out[i]) {
			copy(out[i][:], p)
		}
	}
	return out
}

// Bytes are the hashes of a proof as they are sent.
func Bytes(proof []tlog.Hash) [][]byte {
	out := make([][]byte, len(proof))
	for i := range proof {
		out[i] = proof[i][:]
	}
	return out
}
