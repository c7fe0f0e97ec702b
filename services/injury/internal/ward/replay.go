package ward

import (
	"bytes"
	"context"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/branch"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"

	"github.com/skaldrpg/skald/services/injury/internal/record"
)

// Replay decides deeds again from their record, by the code that decides them. It
// stores nothing. It is not safe for concurrent use.
type Replay struct{ s *Server }

// NewReplay makes a replay. Of the configuration Store, Dice, Systems, Books, Logger and
// Clock are used: they answer from the record, and the store holds what is recorded
// before the deed.
func NewReplay(cfg Config) *Replay {
	cfg.Recorded = true
	return &Replay{s: New(cfg)}
}

// Crosses are the calls by which fights let patients in and out.
func (p *Replay) Crosses() injuryv1.AssessmentServiceServer { return p.s }

// Decide decides a deed again: the Commits are all that it made, that of the patient
// whose deed it is last. What it returns is what they would have been, of each patient
// that the deed touches. An error is why nothing would have been stored.
func (p *Replay) Decide(ctx context.Context, commits []*event.Opened) ([]journal.Message, error) {
	last := commits[len(commits)-1]
	req, err := again(last)
	if err != nil {
		return nil, err
	}
	if c := req.Command.GetPatient(); c != nil && (c.Deed == deedEngage || c.Deed == deedRelease) {
		return p.cross(ctx, last, c)
	}
	var done *record.Done
	if err := p.s.cfg.Store.View(func(tx *projection.Tx) (err error) {
		done, err = record.Request(tx, req.Table, req.As, req.RequestId)
		return err
	}); err != nil {
		return nil, err
	}
	if done != nil {
		return nil, fault.Field("cause.request_id", "is that of an earlier deed")
	}
	d, err := p.s.plan(ctx, req.Table, req)
	if err != nil {
		return nil, err
	}
	d.digest = last.Cause.RequestDigest
	out, events, err := p.s.decide(ctx, d)
	if err != nil {
		return nil, err
	}
	return p.s.messages(d, out, events)
}

// Rule works out again what a ruling of fights makes of records: what PrepareRuling
// does, of which it tells met each coming into a fight otherwise that the request knows.
func (p *Replay) Rule(ctx context.Context, req *injuryv1.PrepareRulingRequest, met func(*injuryv1.Entrance)) (*injuryv1.PrepareRulingResponse, error) {
	if !isGM(req.As) {
		return nil, fault.New(fault.Denied, "GM_ONLY", "only the game master may make a ruling")
	}
	return p.s.ruling(ctx, req, met)
}

// Parts finds the parts of branches of a patient's record in the log.
func (p *Replay) Parts(n aggregate.Name) branch.Part {
	return p.s.parts(context.Background(), n) // what is recorded is at hand
}

// again is the request with which a deed came.
func again(c *event.Opened) (*injuryv1.TendRequest, error) {
	req := &injuryv1.TendRequest{RequestId: c.Cause.RequestId, As: c.Cause.Principal, Table: c.Header.Table, Command: &eventv1.Command{}}
	if err := proto.Unmarshal(c.Cause.Command, req.Command); err != nil {
		return nil, fault.Field("cause.command", "is no command: %v", err)
	}
	if err := aggregate.CheckPrincipal(req.As); err != nil {
		return nil, err
	}
	if err := checkCommand(req.Command); err != nil {
		return nil, err
	}
	if req.As.Role == eventv1.Principal_ROLE_SPECTATOR {
		return nil, fault.New(fault.Denied, "SPECTATOR", "a spectator changes nothing")
	}
	switch req.Command.GetPatient().GetDeed() {
	case deedEngage, deedRelease:
		return req, nil
	case deedEnrol, deedEdit:
		beside(c, req)
	}
	return req, aggregate.CheckRequestID(req.RequestId)
}

// beside takes what a deed was given beside its command from what it told.
func beside(c *event.Opened, req *injuryv1.TendRequest) {
	req.Settings = map[string]string{}
	for _, e := range c.Events {
		switch w := e.GetWhat().(type) {
		case *eventv1.Event_EncounterCreated:
			req.System, req.Settings, req.Packs = w.EncounterCreated.System, w.EncounterCreated.Settings, w.EncounterCreated.Packs
		case *eventv1.Event_PacksPinned:
			req.Packs = w.PacksPinned.Packs
		case *eventv1.Event_SettingChanged:
			req.Settings[w.SettingChanged.Setting] = w.SettingChanged.Value
		}
	}
}

// cross decides an entering again by itself: what a fight that is not at hand asked.
// A leaving holds what the fight left, which only the fight can say.
func (p *Replay) cross(ctx context.Context, c *event.Opened, cmd *eventv1.PatientCommand) ([]journal.Message, error) {
	if cmd.Deed == deedRelease {
		return nil, fault.New(fault.Illegal, "NO_FIGHT", "what a patient left a fight with is in the fight's record")
	}
	req := &injuryv1.PrepareEngageRequest{Table: c.Header.Table, Patient: c.Header.Id, Encounter: cmd.Encounter, System: c.Header.System,
		As: c.Cause.Principal, RequestId: c.Cause.RequestId, Again: spoken.Truth(cmd.Parameters, paramAgain)}
	for _, e := range c.Events {
		req.Staged = req.Staged || e.GetAudience().GetKind() != eventv1.Audience_KIND_EVERYONE
	}
	resp, err := p.s.PrepareEngage(ctx, req)
	if f, ok := fault.As(err); ok && f.Reason != "" {
		req.Again = true
		if back, second := p.s.PrepareEngage(ctx, req); second == nil {
			resp, err = back, nil
		}
	}
	if err != nil {
		return nil, err
	}
	m := resp.Message
	return []journal.Message{{Subject: m.Subject, ID: m.Id, Data: m.Data, Expected: m.ExpectedSequence}}, nil
}

// Digested tells whether a deed's digest is that of the request with which it came.
// Where the request named settings or packs, or the rule system, it is put together
// as it may have been; known is false when it is none of these.
func (p *Replay) Digested(c *event.Opened) (same, known bool) {
	req, err := again(c)
	if err != nil {
		return false, true
	}
	is := func(req *injuryv1.TendRequest) bool {
		digest, err := requestDigest(req)
		return err == nil && bytes.Equal(digest, c.Cause.RequestDigest)
	}
	for _, table := range []string{req.Table, ""} {
		for _, system := range []string{"", c.Header.System} {
			for _, bare := range []bool{true, false} {
				try := &injuryv1.TendRequest{RequestId: req.RequestId, As: req.As, Table: table, System: system, Command: req.Command}
				if !bare {
					try.Settings, try.Packs = req.Settings, req.Packs
				}
				if is(try) {
					return true, true
				}
			}
		}
	}
	return false, req.Settings == nil
}

// Concerned names the patients that a deed is about, beside that of the Commit; for an
// answer, those of the deed that waits.
func (p *Replay) Concerned(c *event.Opened) ([]string, error) {
	cmd := &eventv1.Command{}
	if err := proto.Unmarshal(c.Cause.Command, cmd); err != nil {
		return nil, err
	}
	var ids []string
	if c := cmd.GetPatient(); c != nil {
		ids = concerned(c)
	}
	err := p.s.cfg.Store.View(func(tx *projection.Tx) error {
		row, err := record.Get(tx, c.Header.Table, c.Header.Id)
		if err != nil || row == nil || row.Pending == nil {
			return err
		}
		began := &eventv1.Command{}
		ids = append(ids, row.Pending.Primary)
		if err := proto.Unmarshal(row.Pending.Command, began); err == nil && began.GetPatient() != nil {
			ids = append(ids, concerned(began.GetPatient())...)
		}
		return nil
	})
	slices.Sort(ids)
	return slices.Compact(ids), err
}
