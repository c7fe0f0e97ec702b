package attest

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// ErrBad says that something is no head, checkpoint or key, or is not signed by a
// key that is believed.
var ErrBad = errors.New("attest: not what it should be")

// Chain is the viewer of heads of the chain of Commits.
const Chain = "chain"

// headLine begins the first line of heads.
const headLine = "skald/head/v1"

// Head is where a transcript or a chain stands.
type Head struct {
	// Table and Encounter that it is of.
	Table, Encounter string
	// Patient whose record it is of, in place of an encounter.
	Patient string
	// Viewer is whose transcript: "gm", "spectator" or "player/NAME"; or Chain.
	Viewer string
	// Number of the last step, or version of the last Commit.
	Number uint64
	// Hash is the transcript, or the hash of the last Commit.
	Hash []byte
}

// Text is the head as it is signed: four lines.
func (h Head) Text() string { return headLine + " " + h.rest() }

func (h Head) rest() string {
	return fmt.Sprintf("%s/%s\n%s\n%d\n%s\n", url.PathEscape(h.Table), h.of(),
		escapeViewer(h.Viewer), h.Number, base64.StdEncoding.EncodeToString(h.Hash))
}

// patientPart comes before a patient's id where an encounter's stands: that of an
// encounter holds no slash when it is escaped.
const patientPart = "patient/"

func (h Head) of() string {
	if h.Patient != "" {
		return patientPart + url.PathEscape(h.Patient)
	}
	return url.PathEscape(h.Encounter)
}

// Record is what the head is of, such as "encounter bridge" or "patient kara".
func (h Head) Record() string {
	if h.Patient != "" {
		return "patient " + h.Patient
	}
	return "encounter " + h.Encounter
}

func escapeViewer(v string) string {
	if name, ok := strings.CutPrefix(v, "player/"); ok {
		return "player/" + url.PathEscape(name)
	}
	return v
}

// Place is table and record as the head's first line has them, such as "main/bridge" or
// "main/patient/kara".
func (h Head) Place() string { return url.PathEscape(h.Table) + "/" + h.of() }

// SameOrigin tells whether another head is of the same transcript or chain.
func (h Head) SameOrigin(o Head) bool {
	return h.Table == o.Table && h.Encounter == o.Encounter && h.Patient == o.Patient && h.Viewer == o.Viewer
}

// ParseHead reads the text of a head. Errors wrap ErrBad.
func ParseHead(text string) (Head, error) {
	bad := func() (Head, error) { return Head{}, fmt.Errorf("%w: no head", ErrBad) }
	lines := strings.Split(text, "\n")
	if len(lines) != 5 || lines[4] != "" {
		return bad()
	}
	origin, ok := strings.CutPrefix(lines[0], headLine+" ")
	table, encounter, ok2 := strings.Cut(origin, "/")
	if !ok || !ok2 {
		return bad()
	}
	h := Head{}
	var errs [5]error
	h.Table, errs[0] = url.PathUnescape(table)
	if patient, ok := strings.CutPrefix(encounter, patientPart); ok {
		h.Patient, errs[1] = url.PathUnescape(patient)
	} else {
		h.Encounter, errs[1] = url.PathUnescape(encounter)
	}
	h.Viewer = lines[1]
	if name, ok := strings.CutPrefix(lines[1], "player/"); ok {
		name, errs[2] = url.PathUnescape(name)
		h.Viewer = "player/" + name
	}
	h.Number, errs[3] = strconv.ParseUint(lines[2], 10, 64)
	h.Hash, errs[4] = base64.StdEncoding.Strict().DecodeString(lines[3])
	if errors.Join(errs[:]...) != nil || len(h.Hash) != Size || h.Text() != text {
		return bad()
	}
	return h, nil
}

// OpenHead reads a signed head and checks that one of the verifiers signed it.
// Errors wrap ErrBad.
func OpenHead(signed string, by note.Verifiers) (Head, error) {
	n, err := open(signed, by)
	if err != nil {
		return Head{}, err
	}
	return ParseHead(n.Text)
}

// UncheckedHead reads a signed head without asking who signed it. Errors wrap
// ErrBad.
func UncheckedHead(signed string) (Head, error) {
	text, _, ok := strings.Cut(signed, "\n\n")
	if !ok {
		return Head{}, fmt.Errorf("%w: no signed note", ErrBad)
	}
	return ParseHead(text + "\n")
}

func open(signed string, by note.Verifiers) (*note.Note, error) {
	n, err := note.Open([]byte(signed), by)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrBad, err)
	}
	return n, nil
}
