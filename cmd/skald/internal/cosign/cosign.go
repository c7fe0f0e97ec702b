package cosign

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/mod/sumdb/note"

	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rpc"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// ErrRefused says that a server's log does not extend what was witnessed.
var ErrRefused = errors.New("refused")

// State is what a witness keeps, as JSON in its file.
type State struct {
	// Keys of the server that are believed, the oldest first.
	Keys []string `json:"keys"`
	// Logs by name.
	Logs map[string]*Log `json:"logs"`
}

// Log is a log under witness.
type Log struct {
	// Table by which its stream is asked for.
	Table string `json:"table"`
	// Patients: it is the tree over the patients of that table, in place of the one over
	// the encounters of its stream.
	Patients bool `json:"patients,omitempty"`
	// Size of the last checkpoint that was signed.
	Size int64 `json:"size"`
	// Signed is that checkpoint with the server's and the witness's signature.
	Signed string `json:"signed"`
	// Refused is the first checkpoint, or the answer, that did not extend it.
	Refused string `json:"refused,omitempty"`
}

// Witness watches the log of one server.
type Witness struct {
	// File of the state.
	File string
	// Keys of the server that are believed; empty means those that the server lists
	// the first time, and later those that they endorse.
	Keys []string
	// Own signs.
	Own *attest.Keys
	// Client of the server.
	Client encounterv1.RecordServiceClient
}

// Look asks for the checkpoint of the stream of a table, and for that of the table's
// patients, holds each against the last and signs it. Both are looked at, whatever one
// comes to: the first error is returned with the logs that hold. Errors wrap ErrRefused
// when one does not extend the last.
func (w *Witness) Look(ctx context.Context, table string) ([]*Log, error) {
	var out []*Log
	var first error
	for _, patients := range []bool{false, true} {
		log, err := w.look(ctx, table, patients)
		if err == nil {
			out = append(out, log)
		} else if first == nil || errors.Is(err, ErrRefused) && !errors.Is(first, ErrRefused) {
			first = err
		}
	}
	return out, first
}

func (w *Witness) look(ctx context.Context, table string, patients bool) (*Log, error) {
	s, err := w.load()
	if err != nil {
		return nil, err
	}
	by, err := w.believed(ctx, s)
	if err != nil {
		return nil, err
	}
	last, before, err := s.last(table, patients, by)
	if err != nil {
		return nil, err
	}
	resp, err := w.Client.GetCheckpoint(ctx, &encounterv1.GetCheckpointRequest{Table: table, Since: uint64(before.Size), Patients: patients}) //nolint:gosec // checked when it was signed
	if f := rpc.FromStatus(err); f != nil && f.Code == fault.Illegal && last != nil {
		return nil, w.refuse(s, last, f.Message, fmt.Errorf("%w: %s", ErrRefused, f.Message))
	}
	if err != nil {
		return nil, err
	}
	now, n, err := attest.OpenCheckpoint(resp.Checkpoint, by)
	if err != nil {
		return nil, w.refuse(s, last, resp.Checkpoint, fmt.Errorf("%w: %w", ErrRefused, err))
	}
	if last == nil {
		if known := s.Logs[now.Log]; known != nil && known.Table != table { // another table of a stream that is watched already
			return w.look(ctx, known.Table, patients)
		}
		last = &Log{Table: table, Patients: patients}
		s.Logs[now.Log] = last
	} else if err := now.Extends(before, resp.Proof); err != nil {
		return nil, w.refuse(s, last, resp.Checkpoint, fmt.Errorf("%w: %w", ErrRefused, err))
	}
	return last, w.sign(s, last, now, n)
}

// sign adds the own signature to a checkpoint and keeps it.
func (w *Witness) sign(s *State, l *Log, now attest.Checkpoint, n *note.Note) error {
	signed, err := w.Own.Cosign(n)
	if err != nil {
		return err
	}
	l.Size, l.Signed, l.Refused = now.Size, signed, ""
	return w.save(s)
}

// refuse keeps what was refused as evidence.
func (w *Witness) refuse(s *State, l *Log, what string, because error) error {
	if l == nil {
		return because
	}
	if l.Refused == "" {
		l.Refused = what
	}
	return errors.Join(because, w.save(s))
}

// last is the checkpoint of a table's stream, or of its patients, that was signed last.
func (s *State) last(table string, patients bool, by note.Verifiers) (*Log, attest.Checkpoint, error) {
	for _, l := range s.Logs { // order-free: a table has one of each
		if l.Table != table || l.Patients != patients {
			continue
		}
		c, _, err := attest.OpenCheckpoint(l.Signed, by)
		if err != nil {
			return nil, c, fmt.Errorf("the witness's own file: %w", err)
		}
		return l, c, nil
	}
	return nil, attest.Checkpoint{}, nil
}

// believed are the keys of the server that may sign: those given or seen first, and
// those that they endorse.
func (w *Witness) believed(ctx context.Context, s *State) (note.Verifiers, error) {
	for _, k := range w.Keys {
		if !slices.Contains(s.Keys, k) {
			s.Keys = append(s.Keys, k)
		}
	}
	listed, err := w.Client.GetKeys(ctx, &encounterv1.GetKeysRequest{})
	if err != nil {
		return nil, err
	}
	first := len(s.Keys) == 0
	before := ""
	for _, k := range listed.Keys {
		known := slices.Contains(s.Keys, k.Verifier)
		if !known && (first || slices.Contains(s.Keys, before) && endorsed(k, before)) {
			s.Keys = append(s.Keys, k.Verifier)
		}
		before = k.Verifier
	}
	return attest.Verifiers(s.Keys...)
}

func endorsed(k *encounterv1.PublicKey, before string) bool {
	v, err := note.NewVerifier(before)
	if err != nil {
		return false
	}
	return attest.PublicKey{Verifier: k.Verifier, Endorsement: k.Endorsement}.Endorsed(v) == nil
}

func (w *Witness) load() (*State, error) {
	s := &State{Logs: map[string]*Log{}}
	data, err := os.ReadFile(w.File)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err == nil {
		err = json.Unmarshal(data, s)
	}
	if err != nil {
		return nil, fmt.Errorf("cosign: reading %s: %w", w.File, err)
	}
	if s.Logs == nil {
		s.Logs = map[string]*Log{}
	}
	return s, nil
}

// save writes the state whole or not at all, and on the disk before anybody is told.
func (w *Witness) save(s *State) error {
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return fmt.Errorf("cosign: writing %s: %w", w.File, err)
	}
	f, err := os.CreateTemp(filepath.Dir(w.File), filepath.Base(w.File)+".*")
	if err != nil {
		return fmt.Errorf("cosign: writing %s: %w", w.File, err)
	}
	_, err = f.Write(append(data, '\n'))
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), w.File)
	}
	if err != nil {
		os.Remove(f.Name()) //nolint:errcheck // the error that matters is the other
		return fmt.Errorf("cosign: writing %s: %w", w.File, err)
	}
	return nil
}
