package api

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/fault"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/engine"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// reasonForked is why a cursor of another history is refused.
const reasonForked = "FORKED"

// told is what a principal is told of a Commit; key names the view that it reads.
func (s *Server) told(ctx context.Context, f *engine.Fight, e *engine.Entry, as *eventv1.Principal, key string) (*replica.Told, error) {
	if !slices.Contains(e.Restored, key) {
		return replica.Tell(e.Commit, e.Heard, as), nil
	}
	table, id := f.Name()
	now, err := s.Archive.StateAt(ctx, table, id, aggregate.ViewerGM, e.Version)
	if err != nil {
		return nil, err
	}
	own, err := s.Archive.StateAt(ctx, table, id, key, e.Version)
	if err != nil {
		return nil, err
	}
	before := now
	if replica.Reasoned(e.Commit) && as.GetRole() != eventv1.Principal_ROLE_GM {
		if before, err = s.Archive.StateAt(ctx, table, id, aggregate.ViewerGM, e.Version-1); err != nil {
			return nil, err
		}
	}
	fixed, err := e.Fixed()
	if err != nil {
		return nil, err
	}
	return replica.TellRuled(e.Commit, fixed, e.Heard, as, before, now, own), nil
}

// toldThen is what a principal was told of a Commit when it was stored: before a
// player had a view of its own, what everybody was.
func (s *Server) toldThen(ctx context.Context, f *engine.Fight, e *engine.Entry, as *eventv1.Principal, key string) (*replica.Told, error) {
	if e.Transcripts[key] == nil {
		return s.told(ctx, f, e, aggregate.Viewer(aggregate.ViewerEveryone), aggregate.ViewerEveryone)
	}
	return s.told(ctx, f, e, viewerOf(key, as), key)
}

// viewerOf is who reads a view: whoever has none of its own reads everybody's.
func viewerOf(key string, as *eventv1.Principal) *eventv1.Principal {
	if key == aggregate.ViewerEveryone {
		return aggregate.Viewer(key)
	}
	return as
}

// stepBytes are the bytes that the transcript of the viewer is over.
func (s *Server) stepBytes(ctx context.Context, f *engine.Fight, e *engine.Entry, as *eventv1.Principal) ([]byte, error) {
	told, err := s.toldThen(ctx, f, e, as, viewKey(f, as))
	if err != nil {
		return nil, err
	}
	return told.Bytes(), nil
}

// withBytes gives each step the bytes that the viewer's transcript is over.
func (s *Server) withBytes(ctx context.Context, f *engine.Fight, as *eventv1.Principal) func(*engine.Entry, *encounterv1.Step) error {
	return func(e *engine.Entry, step *encounterv1.Step) (err error) {
		step.Bytes, err = s.stepBytes(ctx, f, e, as)
		return err
	}
}

// transcriptOf is the transcript after a Commit of whoever reads a view.
func transcriptOf(e *engine.Entry, key string) []byte {
	if t := e.Transcripts[key]; t != nil {
		return t
	}
	return e.Transcripts[aggregate.ViewerEveryone]
}

// transcriptAt is the caller's transcript after a step of a number; nil for 0.
func (s *Server) transcriptAt(ctx context.Context, f *engine.Fight, as *eventv1.Principal, number uint64) (out []byte, err error) {
	var version uint64
	var key string
	f.Read(func(r *replica.Replica) {
		key = r.Key(as)
		switch v, now := r.Views[key], uint64(len(r.Views[key].Versions)); {
		case number == 0:
		case number == now:
			out = v.Transcript
		case number < now:
			version = v.Versions[number-1]
		default:
			err = fmt.Errorf("api: step %d of %d", number, now)
		}
	})
	if err != nil || version == 0 {
		return out, err
	}
	entries, err := s.entries(ctx, f, version, version)
	if err != nil {
		return nil, err
	}
	return transcriptOf(entries[0], key), nil
}

// same holds that a cursor is of the history that this server has, and returns the
// caller's transcript there. The caller has been told at least so many steps.
func (s *Server) same(ctx context.Context, f *engine.Fight, as *eventv1.Principal, at place) ([]byte, error) {
	transcript, err := s.transcriptAt(ctx, f, as, at.number)
	if err != nil {
		return nil, err
	}
	if at.marked && !bytes.Equal(at.mark[:], mark(transcript)) {
		return nil, fault.New(fault.Illegal, reasonForked, "the cursor is of another history of this encounter than the one this server has; keep it, and compare the words of the public transcript and signed heads")
	}
	return transcript, nil
}

// public is where the public transcript stands.
type public struct {
	known      bool
	number     uint64
	transcript []byte
}

func publicOf(f *engine.Fight) (out public) {
	f.Read(func(r *replica.Replica) {
		v := r.Views[aggregate.ViewerEveryone]
		out = public{known: true, number: uint64(len(v.Versions)), transcript: v.Transcript}
	})
	return out
}

// mark is it as callers are told; nil when nobody has read it.
func (p public) mark() *encounterv1.PublicMark {
	if !p.known {
		return nil
	}
	return &encounterv1.PublicMark{Number: p.number, Transcript: p.transcript, Words: attest.Words(p.transcript)}
}

// publicMark is where the public transcript stands.
func publicMark(f *engine.Fight) *encounterv1.PublicMark { return publicOf(f).mark() }
