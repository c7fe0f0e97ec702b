package benchfloor

import (
	"context"
	"errors"
	"path"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/skaldrpg/skald/pkg/journal"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// Echo answers commands with nothing, after one raw conditional publish. Calls at the
// same time follow each other, as those on one fight do.
type Echo struct {
	encounterv1.UnimplementedEncounterServiceServer
	// Log that is published to; nil publishes nothing.
	Log journal.Log
	// Subject of what is published; its last token is part of the ids, so that no
	// two of a log may have the same.
	Subject string
	// Data that is published with each call.
	Data []byte

	mu  sync.Mutex
	seq uint64
	n   int
}

// Execute publishes and answers.
func (e *Echo) Execute(ctx context.Context, _ *encounterv1.ExecuteRequest) (*encounterv1.ExecuteResponse, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.Log == nil {
		return &encounterv1.ExecuteResponse{}, nil
	}
	e.n++
	id := path.Ext(e.Subject)[1:] + "-" + strconv.Itoa(e.n)
	seq, err := e.Log.Append(ctx, journal.Message{Subject: e.Subject, ID: id, Data: e.Data, Expected: e.seq})
	if err == nil {
		e.seq = seq
	}
	return &encounterv1.ExecuteResponse{}, err
}

// Broadcaster is an Echo that then sends every watcher the same message.
type Broadcaster struct {
	*Echo
	message *encounterv1.WatchResponse
	rounds  atomic.Int64
	done    chan struct{}

	mu      sync.Mutex
	changed chan struct{}
}

// NewBroadcaster makes one that sends a message of a watch, encoded, for each command.
// Stop ends its watches.
func NewBroadcaster(echo *Echo, message []byte) *Broadcaster {
	b := &Broadcaster{Echo: echo, message: &encounterv1.WatchResponse{}, done: make(chan struct{}), changed: make(chan struct{})}
	b.message.ProtoReflect().SetUnknown(message) // is sent as it is
	return b
}

// Execute publishes, tells the watches and answers.
func (b *Broadcaster) Execute(ctx context.Context, req *encounterv1.ExecuteRequest) (*encounterv1.ExecuteResponse, error) {
	resp, err := b.Echo.Execute(ctx, req)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rounds.Add(1)
	close(b.changed)
	b.changed = make(chan struct{})
	return resp, nil
}

// Watch says that it is caught up, and then sends a message for each command.
func (b *Broadcaster) Watch(_ *encounterv1.WatchRequest, stream encounterv1.EncounterService_WatchServer) error {
	at := b.rounds.Load()
	if err := stream.Send(&encounterv1.WatchResponse{What: &encounterv1.WatchResponse_CaughtUp{CaughtUp: &encounterv1.CaughtUp{}}}); err != nil {
		return err
	}
	for {
		b.mu.Lock()
		changed := b.changed
		b.mu.Unlock()
		for now := b.rounds.Load(); at < now; at++ {
			if err := stream.Send(b.message); err != nil {
				return err
			}
		}
		select {
		case <-changed:
		case <-stream.Context().Done():
			return stream.Context().Err()
		case <-b.done:
			return errors.New("benchfloor: stopped")
		}
	}
}

// Stop ends the watches; it is called once.
func (b *Broadcaster) Stop() { close(b.done) }
