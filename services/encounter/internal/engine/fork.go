package engine

import (
	"context"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/rules"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// originOf finds the encounter that a fork begins with, as it stood. The origin is
// read and not held up.
func (e *Engine) originOf(ctx context.Context, f *Fight, c *eventv1.CreateEncounter) (*replica.Replica, error) {
	from := c.Fork
	if err := aggregate.CheckID("command.create.fork.encounter", from.Encounter); err != nil {
		return nil, err
	}
	if from.Encounter == f.id {
		return nil, fault.Field("command.create.fork.encounter", "an encounter is no fork of itself")
	}
	if e.cfg.Recorded {
		return e.cfg.Loader.LoadAt(ctx, f.table, from.Encounter, from.Version)
	}
	origin, release, err := e.Fight(ctx, f.table, from.Encounter)
	if err != nil {
		return nil, err
	}
	defer release()
	var last uint64
	origin.Read(func(r *replica.Replica) { last = r.Version })
	version := from.Version
	if version == 0 {
		version = last
	}
	if version > last {
		return nil, fault.Field("command.create.fork.version", "must be 1 to %d", last)
	}
	from.Version = version // what is stored says which
	return e.cfg.Loader.LoadAt(ctx, f.table, from.Encounter, version)
}

// fork makes the first Commit of an encounter that begins as another one stood: what
// every viewer knew then, and dice of its own.
func (e *Engine) fork(ctx context.Context, f *Fight, sys rules.System, req Request) (*draft, error) {
	c := req.Command.GetCreate()
	if err := checkFork(c, req.Command); err != nil {
		return nil, err
	}
	then, err := e.originOf(ctx, f, c)
	if err != nil {
		return nil, err
	}
	s := then.State()
	switch {
	case then.Pending != nil:
		return nil, fault.Refuse("FORK_WAITS", "", "after step %d a decision is open: fork from before the command that asks, or once it is answered", c.Fork.Version)
	case s.Status == eventv1.State_STATUS_ENDED:
		return nil, fault.Refuse("ENCOUNTER_ENDED", "", "after step %d the encounter is over: fork from before its end", c.Fork.Version)
	}
	if c.Title == "" {
		c.Title = s.Title
	}
	whole := &eventv1.EncounterForked{Origin: c.Fork.Encounter, Version: c.Fork.Version, Hash: then.Hash, Views: map[string][]byte{}, Copies: map[string]string{}}
	for _, key := range rules.SortedKeys(then.Views) {
		copied := copyFor(then.Views[key].State, f, c.Title, sys.Info().Version)
		if whole.Views[key], err = (proto.MarshalOptions{Deterministic: true}).Marshal(copied); err != nil {
			return nil, err
		}
	}
	for _, id := range rules.SortedKeys(s.Creatures) {
		if p := s.Creatures[id].Patient; p != "" {
			whole.Copies[id] = p
		}
	}
	created := &eventv1.EncounterCreated{Encounter: f.id, Table: f.table, Title: c.Title, System: s.System, SystemVersion: sys.Info().Version, ContentDigest: rules.ContentDigest(sys), Settings: s.Settings,
		DicePolicy: s.DicePolicy, RepeatPolicy: s.RepeatPolicy, DecisionSeconds: s.DecisionSeconds, Packs: s.Packs, Preset: s.Preset}
	dice := &dicev1.OpenEpochRequest{Table: f.table, Encounter: f.id, Epoch: 1, Branches: branches(s, diceFormat), Format: diceFormat, Open: true}
	resp, err := e.cfg.Dice.OpenEpoch(ctx, dice)
	if err != nil {
		return nil, rpc.FromStatus(err)
	}
	opened := commitments(s, dice, resp.Commitments)
	if p := s.SecretDice.GetPolicy(); p != nil {
		opened[0].GetDiceEpoch().Secret = p
	}
	events := append([]*eventv1.Event{event.New(event.Everyone(), created),
		event.New(event.Everyone(), &eventv1.EncounterForked{Origin: c.Fork.Encounter}), event.New(event.GM(), whole)},
		opened...)
	if n := int64(proto.Size(whole)); n > journal.MaxMessage/2 {
		return nil, fault.Limit("bytes of a fork", journal.MaxMessage/2, n)
	}
	return newDraft(req.Command, f.replica.NextAction, nil, events, false, nil)
}

// checkFork refuses what a fork takes from its origin.
func checkFork(c *eventv1.CreateEncounter, cmd *eventv1.Command) error {
	switch {
	case c.System != "":
		return fault.Field("command.create.system", "a fork has its origin's")
	case len(c.Settings) > 0 || c.Preset != "":
		return fault.Field("command.create.settings", "a fork has its origin's; change them once it is there")
	case len(c.Packs) > 0:
		return fault.Field("command.create.packs", "a fork has its origin's")
	case c.DicePolicy != 0 || c.RepeatPolicy != 0 || c.DecisionSeconds != 0:
		return fault.Field("command.create.dice_policy", "a fork has its origin's policies")
	case c.Beacon != nil || c.SecretDice != nil:
		return fault.Field("command.create.secret_dice", "a fork has its origin's; a round of a beacon is promised once it is there")
	case len(cmd.Faces)+len(cmd.Answers) > 0:
		return fault.Field("command.faces", "nothing is rolled or asked")
	}
	return nil
}

// copyFor is a viewer's state as the fork begins with it: under the fork's name, with
// no dice, contests or save points of the origin, and copies in the place of patients.
func copyFor(was *eventv1.State, f *Fight, title, version string) *eventv1.State {
	s := event.Clone(was)
	s.Encounter, s.Table, s.Title, s.SystemVersion = f.id, f.table, title, version
	event.KeepDice(s, event.NewState())
	s.Contests, s.SavePoints, s.Imported = nil, nil, false
	for _, id := range rules.SortedKeys(s.Creatures) {
		c := s.Creatures[id]
		if c.Patient = ""; c.Sheet.GetPatient() != "" {
			c.Sheet = proto.CloneOf(c.Sheet)
			c.Sheet.Patient = ""
		}
	}
	return s
}
