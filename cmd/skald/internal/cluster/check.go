//go:build linux

package cluster

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/systems"
	"github.com/skaldrpg/skald/pkg/tombstone"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	"github.com/skaldrpg/skald/services/dice"
	"github.com/skaldrpg/skald/services/encounter"
	"github.com/skaldrpg/skald/services/injury"
)

// Log is what the log holds in the end: requests by encounter (table/id) or
// patient, in order of versions.
type Log struct {
	// Requests of each version; at index 0 that of version 1.
	Requests map[string][]string
	// Records in all.
	Records int
}

// ReadLog reads the log and checks every chain.
func ReadLog(ctx context.Context, j *journal.Journal) (*Log, error) {
	l := &Log{Requests: map[string][]string{}}
	heads := map[string]*event.Opened{}
	err := j.Read(ctx, "", 1, 0, func(r journal.Record) error {
		l.Records++
		n, ok := aggregate.Parse(r.Subject)
		if !ok || !n.Kind.Commits() {
			return nil
		}
		o, err := event.Open(r.Data)
		if err != nil {
			return fmt.Errorf("sequence %d: %w", r.Seq, err)
		}
		if err := event.Follows(heads[r.Subject], o); err != nil {
			return fmt.Errorf("sequence %d: %w", r.Seq, err)
		}
		o.Events, o.Inputs = nil, nil // only the head is wanted
		heads[r.Subject] = o
		key := n.ID
		if n.Kind == aggregate.Patient {
			key = "patient/" + n.Table + "/" + key
		}
		l.Requests[key] = append(l.Requests[key], o.Cause.GetRequestId())
		return nil
	})
	return l, err
}

// Once holds that what was acknowledged is there, once, at the number that its
// client was told, and that nothing is there twice. It gives the number of
// commands that are lost and doubled, and notes each.
func Once(h *History, l *Log) (lost, doubled int) {
	seen := map[string]int{} // how often a request is there
	for key, requests := range l.Requests {
		for _, r := range requests {
			if r == "" {
				continue // of no client: what time or another step brought
			}
			if seen[key+" "+r]++; seen[key+" "+r] == 2 && !strings.HasPrefix(key, "patient/") {
				doubled++
				h.problem("%s: request %s is in the log more than once", key, r)
			}
		}
	}
	for id, ops := range h.byEncounter() {
		for _, op := range ops {
			if op.Outcome != Done {
				continue
			}
			at := l.Requests[id]
			if op.Number == 0 || op.Number > uint64(len(at)) || at[op.Number-1] != op.Request {
				lost++
				h.problem("%s: request %s was acknowledged as step %d and is not there (there are %d)", id, op.Request, op.Number, len(at))
			}
		}
	}
	h.mu.Lock()
	tends := h.tends
	h.mu.Unlock()
	for request, patient := range tends { // order-free: each is looked for by itself
		if n := seen["patient/"+patient+" "+request]; n != 1 {
			lost++
			h.problem("patient %s: request %s was acknowledged and is there %d times", patient, request, n)
		}
	}
	return lost, doubled
}

// did is a command or read as the model takes it.
type did struct {
	op  Op
	has uint64 // step that it led to, by the log; 0 when it stored nothing
}

// model is one encounter: its state is the number of its last step. A command
// adds the next step, and by a cursor only to the step of the cursor; one is
// refused as stale only when the cursor is not the last; a read never shows what
// is not there yet. That reads may lag is what the API says: it asks for "not
// older than" instead, which the clients hold by themselves.
var model = porcupine.Model{
	Init: func() any { return uint64(0) },
	Step: func(state, input, _ any) (bool, any) {
		n, d := state.(uint64), input.(did)
		switch {
		case d.has > 0:
			return d.has == n+1 && (d.op.Expected == 0 || d.op.Expected == n), n + 1
		case d.op.Outcome == Stale:
			return d.op.Expected != n, n
		case d.op.Outcome == Read:
			return d.op.Number <= n, n
		}
		return true, n
	},
}

// Linearizable holds every encounter's history against the model. What became of
// a command that was never answered is taken from the log; it may have happened
// at any time after it was given.
func Linearizable(h *History, l *Log) (checked int) {
	for id, ops := range h.byEncounter() { // order-free: each by itself
		at := map[string]uint64{}
		for i, r := range l.Requests[id] {
			at[r] = uint64(i) + 1
		}
		var history []porcupine.Operation
		for i, op := range ops {
			d := did{op: op}
			if op.Request != "" {
				d.has = at[op.Request]
			}
			if op.Outcome == Done {
				d.has = op.Number
			}
			if op.Outcome == Refused && at[op.Request] > 0 {
				h.problem("%s: request %s was refused and is there", id, op.Request)
			}
			ret := op.Return
			if op.Outcome == Unknown {
				ret = math.MaxInt64
			}
			history = append(history, porcupine.Operation{ClientId: i, Input: d, Call: op.Call, Output: nil, Return: ret})
		}
		switch porcupine.CheckOperationsTimeout(model, history, 30*time.Second) {
		case porcupine.Ok:
			checked += len(history)
		case porcupine.Illegal:
			h.problem("%s: its history of %d operations is not linearizable", id, len(history))
		default:
			h.problem("%s: its history of %d operations could not be checked in time", id, len(history))
		}
	}
	return checked
}

// hashed is a service that is opened for its projection alone.
type hashed interface {
	Run(context.Context) error
	Ready(context.Context) error
	ContentHash() ([]byte, error)
	Close() error
}

// Projections holds that the files of every process hold what one made anew from
// the log holds. The processes must be down.
func (c *Cluster) Projections(ctx context.Context, j *journal.Journal) error {
	conn, err := grpc.NewClient("passthrough:nobody", grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	defer conn.Close() //nolint:errcheck // nothing is ever called
	fresh := map[string][]byte{}
	for _, s := range c.Services {
		dir := filepath.Join(c.Dir, "fresh-"+s.Kind)
		if fresh[s.Kind] == nil {
			if err := os.MkdirAll(dir, 0o700); err != nil {
				return err
			}
			if fresh[s.Kind], err = c.content(ctx, j, conn, s.Kind, dir); err != nil {
				return fmt.Errorf("a fresh %s: %w", s.Kind, err)
			}
		}
		live, err := c.content(ctx, j, conn, s.Kind, s.Data)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		if !bytes.Equal(live, fresh[s.Kind]) {
			return fmt.Errorf("cluster: the projection of %s is not what the log says", s.Name)
		}
	}
	return nil
}

// ready gives the injury service the method's name that the others have.
type ready struct{ *injury.Service }

func (r ready) Ready(ctx context.Context) error { return r.WaitReady(ctx) }

// content opens a projection, lets it read the log to its end, and hashes it.
func (c *Cluster) content(ctx context.Context, j *journal.Journal, conn *grpc.ClientConn, kind, dir string) (sum []byte, err error) {
	believe, err := tombstone.ByList(c.known())
	if err != nil {
		return nil, err
	}
	var s hashed
	switch kind {
	case "dice":
		s, err = dice.New(ctx, dice.Config{Journal: j, DataDir: dir, MasterKeys: c.masters, Believe: believe, Logger: quiet})
	case "injury":
		var i *injury.Service
		i, err = injury.New(ctx, injury.Config{Journal: j, Dice: dicev1.NewTapeServiceClient(conn), Systems: systems.Registry(), DataDir: dir, Believe: believe, Logger: quiet})
		s = ready{i}
	default:
		s, err = encounter.New(ctx, encounter.Config{Journal: j, Dice: dicev1.NewTapeServiceClient(conn),
			Injury: injuryv1.NewAssessmentServiceClient(conn), Systems: systems.Registry(), DataDir: dir, KeysFile: c.heads(), Logger: quiet})
	}
	if err != nil {
		return nil, err
	}
	running, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- s.Run(running) }() // ends with stop
	waiting, cancel := context.WithTimeout(ctx, 60*time.Second)
	err = s.Ready(waiting)
	cancel()
	stop()
	if e := <-ended; err == nil {
		err = e
	}
	if err == nil {
		sum, err = s.ContentHash()
	}
	if e := s.Close(); err == nil {
		err = e
	}
	return sum, err
}
