package api

import (
	"context"
	"fmt"
	"slices"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/auth"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rules"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/engine"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// Archive reads stored Commits and snapshots of the projection.
type Archive interface {
	// Entries returns stored Commits of versions from..to, oldest first, after
	// waiting until the projection has them.
	Entries(ctx context.Context, table, encounter string, from, to uint64) ([]*engine.Entry, error)
	// Raw returns stored Commits as bytes.
	Raw(ctx context.Context, table, encounter string, from, to uint64) ([][]byte, error)
	// Parts returns the parts of branches that Commits of versions from..to name.
	Parts(ctx context.Context, table, encounter string, from, to uint64) ([]*encounterv1.ExportedPart, error)
	// LoadAt finds an encounter as it was after a version.
	LoadAt(ctx context.Context, table, encounter string, version uint64) (*replica.Replica, error)
	// StateAt is a view (a key of aggregate.ViewerOf) as it was after a version. It
	// must only be read: whoever asks for the same is given the same.
	StateAt(ctx context.Context, table, encounter, viewer string, version uint64) (*eventv1.State, error)
	// WaitFor waits until the record at a stream sequence is in what is listed.
	WaitFor(ctx context.Context, sequence uint64) error
	// List returns summaries of a table's encounters after an id.
	List(table, after string, limit int) ([]*encounterv1.EncounterSummary, bool, error)
}

// Server answers the calls.
type Server struct {
	encounterv1.UnimplementedEncounterServiceServer
	// Engine carries out commands.
	Engine *engine.Engine
	// Archive reads the projection.
	Archive Archive
	// Systems are the rule systems.
	Systems *rules.Registry
	// Done ends watches when the service stops.
	Done <-chan struct{}
	// Heartbeat is how long a watch is silent at most; 0 means DefaultHeartbeat.
	Heartbeat time.Duration
	// Keys sign heads and checkpoints.
	Keys *attest.Keys
	// Content takes the packs of records that are imported.
	Content *Content
	// Uploads are the imports under way.
	Uploads *Uploads
	// Rulings are shared by all who are told of one; nil shares nothing.
	Rulings *Rulings

	feeds feeds
}

// open checks the caller and finds the encounter, which stays in memory until
// release is called.
func (s *Server) open(ctx context.Context, as *eventv1.Principal, table, id string) (f *engine.Fight, at string, release func(), err error) {
	if err := aggregate.CheckPrincipal(as); err != nil {
		return nil, "", nil, err
	}
	table = aggregate.TableOr(table)
	f, release, err = s.Engine.Fight(ctx, table, id)
	return f, table, release, err
}

// Execute carries out one command.
func (s *Server) Execute(ctx context.Context, req *encounterv1.ExecuteRequest) (*encounterv1.ExecuteResponse, error) {
	r := engine.Request{ID: req.RequestId, As: req.As, Table: req.Table, Encounter: req.Encounter, Command: req.Command}
	r.Table = aggregate.TableOr(r.Table)
	if req.ExpectedCursor != "" {
		at, err := decodeCursor("expected_cursor", req.ExpectedCursor, r.Table, r.Encounter, req.As)
		if err != nil {
			return nil, err
		}
		r.Expect = func(f *engine.Fight) error { return s.expect(ctx, f, req.As, at) }
	}
	res, err := s.Engine.Execute(engine.Reaching(ctx, auth.From(ctx).Covers), r)
	if err != nil {
		return nil, err
	}
	return s.reply(ctx, res, r)
}

// expect holds the caller's own cursor against where the caller's view is.
func (s *Server) expect(ctx context.Context, f *engine.Fight, as *eventv1.Principal, at place) error {
	var now uint64
	f.View(as, func(v *replica.View) { now = uint64(len(v.Versions)) })
	if now < at.number { // another process has served the caller
		return fault.Wrap(fault.Unavailable, "BEHIND", engine.ErrBehind, "this server has not yet seen what the cursor has seen")
	}
	if _, err := s.same(ctx, f, as, at); err != nil {
		return err
	}
	if now > at.number {
		return fault.New(fault.Stale, "STALE_CURSOR", "the encounter has moved on since that cursor; read it and decide again")
	}
	return nil
}

// reply cuts what the command did from the caller's view.
func (s *Server) reply(ctx context.Context, res *engine.Result, req engine.Request) (*encounterv1.ExecuteResponse, error) {
	f := res.Fight
	table, id := f.Name()
	out := &encounterv1.ExecuteResponse{Encounter: id, Repeated: res.Repeated}
	var number uint64
	f.View(req.As, func(v *replica.View) {
		number, out.Transcript = uint64(len(v.Versions)), v.Transcript
		for _, did := range rules.SortedKeys(v.State.Decisions) {
			d := v.State.Decisions[did]
			if rules.MayAnswer(v.State, req.As, d) {
				out.Decisions = append(out.Decisions, d)
			}
		}
	})
	out.Decisions = f.Deadlines(out.Decisions)
	out.Cursor = encodeCursor(table, id, req.As, number, out.Transcript)
	entries, err := s.entries(ctx, f, res.Version, res.Version)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if saw(f, e, req.As) {
			if out.Step, err = s.step(ctx, f, e, req.As, numberAt(f, req.As, e.Version)); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// step is one Commit as the caller may see it.
func (s *Server) step(ctx context.Context, f *engine.Fight, e *engine.Entry, as *eventv1.Principal, number uint64) (*encounterv1.Step, error) {
	table, id := f.Name()
	key := viewKey(f, as)
	transcript := transcriptOf(e, key)
	out := &encounterv1.Step{Number: number, Cursor: encodeCursor(table, id, as, number, transcript), UnixMillis: e.Millis, Transcript: transcript}
	told, err := s.toldThen(ctx, f, e, as, key)
	if err != nil {
		return nil, err
	}
	out.Events, out.Restored, out.By = told.Events, told.Restored, told.By
	if !slices.Contains(e.Restored, key) {
		return out, nil
	}
	return out, s.tellRuling(ctx, f, e, as, out)
}

func viewKey(f *engine.Fight, as *eventv1.Principal) (key string) {
	f.Read(func(r *replica.Replica) { key = r.Key(as) })
	return key
}

// saw tells whether the caller saw anything of a Commit.
func saw(f *engine.Fight, e *engine.Entry, as *eventv1.Principal) bool {
	if slices.Contains(e.Restored, viewKey(f, as)) {
		return true
	}
	for _, h := range e.Heard {
		if h.By(as) {
			return true
		}
	}
	return false
}

// numberAt is the caller's number of a version it saw something in.
func numberAt(f *engine.Fight, as *eventv1.Principal, version uint64) uint64 {
	var n uint64
	f.View(as, func(v *replica.View) { n = replica.NumberAt(v.Versions, version) })
	return n
}

// entries finds Commits in memory or in the archive.
func (s *Server) entries(ctx context.Context, f *engine.Fight, from, to uint64) ([]*engine.Entry, error) {
	if got, ok := f.Recent(from, int(to-from)+1); ok {
		return got, nil
	}
	table, id := f.Name()
	return s.Archive.Entries(ctx, table, id, from, to)
}

// GetState returns what the caller may know.
func (s *Server) GetState(ctx context.Context, req *encounterv1.GetStateRequest) (*encounterv1.GetStateResponse, error) {
	f, table, release, err := s.open(ctx, req.As, req.Table, req.Encounter)
	if err != nil {
		return nil, err
	}
	defer release()
	if err := s.waitFor(ctx, f, table, req); err != nil {
		return nil, err
	}
	if req.Within > 0 {
		return s.stateWithin(ctx, f, req)
	}
	out := &encounterv1.GetStateResponse{Public: publicMark(f)}
	var version uint64
	f.View(req.As, func(v *replica.View) {
		now := uint64(len(v.Versions))
		switch {
		case req.At == 0 || req.At == now:
			out.State, out.Number, out.Transcript = event.Clone(v.State), now, v.Transcript
		case req.At < now:
			version, out.Number = v.Versions[req.At-1], req.At
		default:
			err = fault.Field("at", "%d is beyond the caller's number %d", req.At, now)
		}
	})
	if err != nil {
		return nil, err
	}
	if out.State == nil {
		if out.State, err = s.stateAt(ctx, f, req.As, version); err != nil {
			return nil, err
		}
		if out.Transcript, err = s.transcriptAt(ctx, f, req.As, out.Number); err != nil {
			return nil, err
		}
	}
	for _, d := range f.Deadlines(decisions(out.State)) {
		out.State.Decisions[d.Id] = d
	}
	out.Cursor = encodeCursor(table, req.Encounter, req.As, out.Number, out.Transcript)
	return out, nil
}

func decisions(s *eventv1.State) []*eventv1.Decision {
	var out []*eventv1.Decision
	for _, id := range rules.SortedKeys(s.Decisions) {
		out = append(out, s.Decisions[id])
	}
	return out
}

// waitFor waits until the caller's view is not older than the cursor given.
func (s *Server) waitFor(ctx context.Context, f *engine.Fight, table string, req *encounterv1.GetStateRequest) error {
	at, err := decodeCursor("not_older_than", req.NotOlderThan, table, req.Encounter, req.As)
	if err == nil {
		err = reach(ctx, f, req.As, at.number)
	}
	if err == nil {
		_, err = s.same(ctx, f, req.As, at)
	}
	return err
}

// reach waits until the caller's view has come to a number: another process may
// have shown the caller what this one has not read yet.
func reach(ctx context.Context, f *engine.Fight, as *eventv1.Principal, number uint64) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	for {
		changed := f.Changed()
		var now uint64
		f.View(as, func(v *replica.View) { now = uint64(len(v.Versions)) })
		if now >= number {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fault.New(fault.Unavailable, "BEHIND", "this server has not yet seen what the cursor has seen")
		}
	}
}

// stateAt is a caller's view at a version: from its newest stored fold not after
// it, so that the cost is bounded by the interval between those.
func (s *Server) stateAt(ctx context.Context, f *engine.Fight, as *eventv1.Principal, version uint64) (*eventv1.State, error) {
	table, id := f.Name()
	was, err := s.Archive.StateAt(ctx, table, id, viewKey(f, as), version)
	if err != nil {
		return nil, err
	}
	return event.Clone(was), nil // others are given the same
}

// GetHistory returns steps in the caller's numbers.
func (s *Server) GetHistory(ctx context.Context, req *encounterv1.GetHistoryRequest) (*encounterv1.GetHistoryResponse, error) {
	f, _, release, err := s.open(ctx, req.As, req.Table, req.Encounter)
	if err != nil {
		return nil, err
	}
	defer release()
	read := s.steps
	if req.Within > 0 {
		read = s.within(req.Within)
	}
	steps, more, err := read(ctx, f, req.As, req.After, aggregate.Page(req.Limit))
	if err != nil {
		return nil, err
	}
	return &encounterv1.GetHistoryResponse{Steps: steps, More: more}, nil
}

// maxPage is how many bytes of steps make a full page; what is left over comes
// with the next. The last step may go beyond it, so that there is always one.
const maxPage = limits.PageBytes

// steps reads the caller's steps after a number.
func (s *Server) steps(ctx context.Context, f *engine.Fight, as *eventv1.Principal, after uint64, limit int) ([]*encounterv1.Step, bool, error) {
	return s.stepsEach(ctx, f, as, after, limit, nothingMore)
}

func nothingMore(*engine.Entry, *encounterv1.Step) error { return nil }

// stepsEach is steps with something done for each.
func (s *Server) stepsEach(ctx context.Context, f *engine.Fight, as *eventv1.Principal, after uint64, limit int, each func(*engine.Entry, *encounterv1.Step) error) ([]*encounterv1.Step, bool, error) {
	return s.stepsOf(ctx, f, as, after, limit, maxPage, each)
}

// watched are the steps of a page of a watch.
func (s *Server) watched(ctx context.Context, f *engine.Fight, as *eventv1.Principal, after uint64, withBytes bool) ([]*encounterv1.Step, bool, error) {
	each := nothingMore
	if withBytes {
		each = s.withBytes(ctx, f, as)
	}
	return s.stepsOf(ctx, f, as, after, watchPage, watchBytes, each)
}

// stepsOf reads steps until there are so many, or of so many bytes.
func (s *Server) stepsOf(ctx context.Context, f *engine.Fight, as *eventv1.Principal, after uint64, limit, most int, each func(*engine.Entry, *encounterv1.Step) error) ([]*encounterv1.Step, bool, error) {
	_, id := f.Name()
	var versions []uint64
	var now uint64
	f.View(as, func(v *replica.View) {
		now = uint64(len(v.Versions))
		if after < now {
			versions = append(versions, v.Versions[after:min(now, after+uint64(limit))]...)
		}
	})
	if after > now {
		return nil, false, fault.Field("after", "%d is beyond the caller's number %d", after, now)
	}
	var out []*encounterv1.Step
	size := 0
	for i := 0; i < len(versions) && size < most; {
		// Read stretches of versions at once; hidden ones in between are few.
		j := i
		for j+1 < len(versions) && versions[j+1]-versions[i] < 64 {
			j++
		}
		entries, err := s.entries(ctx, f, versions[i], versions[j])
		if err != nil {
			return nil, false, err
		}
		for _, e := range entries {
			if i <= j && e.Version == versions[i] {
				step, err := s.step(ctx, f, e, as, after+uint64(len(out))+1)
				if err == nil {
					err = each(e, step)
				}
				if err != nil {
					return nil, false, err
				}
				out = append(out, step)
				i++
				if size += proto.Size(step); size >= most {
					break
				}
			}
		}
		if i <= j && size < most {
			return nil, false, fmt.Errorf("api: encounter %s: versions %d to %d are not in the archive", id, versions[i], versions[j])
		}
	}
	return out, after+uint64(len(out)) < now, nil
}

// PreviewRuling says what a ruling would change.
func (s *Server) PreviewRuling(ctx context.Context, req *encounterv1.PreviewRulingRequest) (*encounterv1.PreviewRulingResponse, error) {
	f, _, release, err := s.open(ctx, req.As, req.Table, req.Encounter)
	if err != nil {
		return nil, err
	}
	defer release()
	return s.Engine.Preview(engine.Reaching(ctx, auth.From(ctx).Covers), f, req.As, req.Command)
}

// ListEncounters lists the encounters of a table.
func (s *Server) ListEncounters(ctx context.Context, req *encounterv1.ListEncountersRequest) (*encounterv1.ListEncountersResponse, error) {
	if err := aggregate.CheckPrincipal(req.As); err != nil {
		return nil, err
	}
	if err := s.listed(ctx); err != nil {
		return nil, err
	}
	return s.list(auth.From(ctx), aggregate.TableOr(req.Table), req.After, aggregate.Page(req.Limit))
}
