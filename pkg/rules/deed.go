package rules

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/skaldrpg/skald/pkg/event"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Harm has harm or medicine done to a creature: the outcome comes from outside (the
// injury service), its events are emitted here, and what it came to is returned. A
// deed that asks something suspends the whole resolution. Deeds of before that have
// numbers by name only, in the inputs of old Commits, are read as well.
func (r *Resolution) Harm(label string, harm *eventv1.Harm, concerned ...string) *eventv1.HarmResult {
	outcome := r.deed(label, harm, concerned)
	if outcome.Result == nil {
		return resultOf(outcome.Results)
	}
	return outcome.Result
}

func (r *Resolution) deed(label string, harm *eventv1.Harm, concerned []string) *eventv1.HarmOutcome {
	full, index := r.address(label)
	if index > 0 {
		full = fmt.Sprintf("%s~%d", full, index)
	}
	final := r.recorded(func(in *eventv1.Input) bool {
		return in.Label == full && in.GetHarm() != nil && len(in.GetHarm().Decisions) == 0
	})
	var made []*eventv1.Event
	if final == nil {
		final, made = r.newDeed(full, harm, concerned)
	}
	outcome := final.GetHarm()
	r.closes(drawsIn(outcome.Inputs)...)
	r.emitOutcome(outcome, made)
	if len(outcome.Decisions) > 0 {
		panic(suspension{outcome.Decisions})
	}
	return outcome
}

// Result is what the deed that is being carried out comes to; the function fills
// it in.
func (r *Resolution) Result() *eventv1.HarmResult {
	if r.result == nil {
		r.result = &eventv1.HarmResult{}
	}
	return r.result
}

// resultOf reads numbers by the names that they had before they were fields.
func resultOf(n map[string]int32) *eventv1.HarmResult {
	return &eventv1.HarmResult{Taken: n["taken"], Healed: n["healed"], Dead: n["dead"] > 0, Stable: n["stable"] > 0,
		Down: n["down"] > 0 || n["out"] > 0 || n["dropped"] > 0, Woke: n["woke"] > 0, WokeByItself: n["natural"] > 0,
		Immune: n["immune"] > 0, InjuriesGained: n["wounds"], InjuriesRemoved: n["removed"], ConcentrationDc: n["concdc"],
		NoDeathSave: n["no-save"] > 0, DeathFailures: n["failures"], CheckMade: n["check"] == 1, CheckFailed: n["check"] == 2}
}

// newDeed asks for the outcome of a deed and records it; made are its events, as far as
// they were given beside their bytes.
func (r *Resolution) newDeed(label string, harm *eventv1.Harm, concerned []string) (in *eventv1.Input, made []*eventv1.Event) {
	var taken []*eventv1.Input
	for _, in := range r.req.Recorded {
		switch {
		case in.Label == label && in.GetHarm() != nil:
			taken = append(taken, in.GetHarm().Inputs...)
		case in.GetAnswer() != nil:
			taken = append(taken, in)
		case strings.HasPrefix(in.Label, label+"/"):
			taken = append(taken, in)
		}
	}
	outcome, used, err := r.provider.Deed(r.ctx, DeedRequest{Label: label + "/", State: r.concern(harm, concerned),
		Harm: harm, Inputs: taken, Supplied: r.faces(), Early: r.req.Early, Key: r.req.Key,
		Speaker: r.req.Speaker, Caller: r.req.Caller, Mode: r.req.Mode, Odds: r.req.Odds,
		Content: r.req.Content, SettingUp: event.SettingUp(r.state), Made: &made})
	if err != nil {
		r.fail(err)
	}
	r.facesUsed += used
	r.drew = r.drew || Drew(outcome.Inputs) || r.req.Again && Drew(taken)
	r.odds = append(r.odds, outcome.Odds...)
	// The record has the outcome without its odds; what the provider gave stays as it is.
	in = &eventv1.Input{Label: label, What: &eventv1.Input_Harm{Harm: withoutOdds(outcome)}}
	r.record(in)
	return in, made
}

// withoutOdds has all that an outcome has but its odds, and shares it.
func withoutOdds(o *eventv1.HarmOutcome) *eventv1.HarmOutcome {
	if len(o.Odds) == 0 {
		return o
	}
	out := &eventv1.HarmOutcome{}
	from, to := o.ProtoReflect(), out.ProtoReflect()
	from.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		to.Set(fd, v)
		return true
	})
	to.SetUnknown(from.GetUnknown())
	out.Odds = nil
	return out
}

// Drew tells whether the server drew any of the faces that inputs hold.
func Drew(inputs []*eventv1.Input) bool {
	return slices.ContainsFunc(inputs, func(in *eventv1.Input) bool {
		d := in.GetDraw()
		return d != nil && int(d.Supplied) < len(d.Faces)
	})
}

// Flatten puts what deeds within an action took among the action's own inputs.
func Flatten(inputs []*eventv1.Input) []*eventv1.Input {
	var out []*eventv1.Input
	for _, in := range inputs {
		if h := in.GetHarm(); h != nil {
			out = append(out, Flatten(h.Inputs)...)
			continue
		}
		out = append(out, in)
	}
	return out
}

// emitOutcome emits the events of an outcome as they are; made are the same events where
// they are known, else nothing.
func (r *Resolution) emitOutcome(o *eventv1.HarmOutcome, made []*eventv1.Event) {
	if len(made) == len(o.Events) {
		for _, e := range made {
			r.add(e)
		}
		return
	}
	for i, data := range o.Events {
		e := &eventv1.Event{}
		if err := proto.Unmarshal(data, e); err != nil {
			r.fail(fmt.Errorf("rules: event %d of a deed: %w", i, err))
		}
		r.add(e)
	}
}

// concern is the part of the working state that a deed works on: the settings
// and the creatures it concerns. It shares them with the working state, which
// stands still while the Provider is asked.
func (r *Resolution) concern(harm *eventv1.Harm, more []string) *eventv1.State {
	s := r.state
	part := &eventv1.State{Encounter: s.Encounter, Table: s.Table, System: s.System, SystemVersion: s.SystemVersion,
		Settings: s.Settings, DicePolicy: s.DicePolicy, Status: s.Status, Round: s.Round, Phase: s.Phase,
		Active: s.Active, Epoch: s.Epoch, Counters: s.Counters, Marks: s.Marks,
		Packs: s.Packs, Creatures: map[string]*eventv1.Creature{}}
	for _, id := range append([]string{harm.Target, harm.Source}, more...) {
		if c := s.Creatures[id]; c != nil {
			part.Creatures[id] = c
		}
	}
	return part
}

// Open opens branches of the dice key tree and emits their commitments.
func (r *Resolution) Open(entropy []*eventv1.Entropy, branches ...string) {
	r.Emit(event.Everyone(), r.opened(entropy, branches...))
}

// opened takes the commitments of branches from the record or from the provider.
func (r *Resolution) opened(entropy []*eventv1.Entropy, branches ...string) *eventv1.DiceEpochOpened {
	in := r.recorded(func(in *eventv1.Input) bool { return commits(in.GetEpoch(), branches) })
	if in == nil {
		d, err := r.provider.Open(r.ctx, branches, entropy)
		if err != nil {
			r.fail(err)
		}
		in = &eventv1.Input{Label: "epoch", What: &eventv1.Input_Epoch{Epoch: d}}
		r.record(in)
	}
	return in.GetEpoch()
}

// commits tells whether an epoch's opening commits to all of the branches, of which there is one.
func commits(d *eventv1.DiceEpochOpened, branches []string) bool {
	return !slices.ContainsFunc(branches, func(branch string) bool {
		return !slices.ContainsFunc(d.GetCommitments(), func(c *eventv1.Commitment) bool { return c.Branch == branch })
	})
}

// RunDeed is the other side of Deed: it carries out a deed as a run of its own
// and returns its outcome and how many supplied faces it used. Deeds do not
// nest: a Provider for RunDeed needs only to draw.
func RunDeed(ctx context.Context, sys System, action uint64, d DeedRequest, p Provider) (*eventv1.HarmOutcome, int, error) {
	return runDeed(ctx, sys, action, d, p, nil)
}

func runDeed(ctx context.Context, sys System, action uint64, d DeedRequest, p Provider, pick picker) (*eventv1.HarmOutcome, int, error) {
	out, err := run(ctx, sys, Request{State: d.State, Action: action, Key: d.Key, Prefix: d.Label, Recorded: d.Inputs,
		Early: d.Early, Faces: d.Supplied, KeepFaces: true, Speaker: d.Speaker, Caller: d.Caller, Mode: d.Mode, Odds: d.Odds, Content: d.Content}, p,
		func(r *Resolution) error { return sys.Medicine().Deed(r, d.Harm) }, pick)
	if err != nil {
		return nil, 0, err
	}
	outcome := &eventv1.HarmOutcome{Inputs: out.Inputs, Decisions: out.Open, Result: out.Result, Odds: out.Odds}
	if outcome.Events, err = written(out.Events); err != nil {
		return nil, 0, err
	}
	if d.Made != nil {
		*d.Made = out.Events
	}
	return outcome, out.FacesUsed, nil
}

// written are the bytes of events, one after the other in as few pieces as can be.
func written(events []*eventv1.Event) ([][]byte, error) {
	if len(events) == 0 {
		return nil, nil
	}
	out := make([][]byte, len(events))
	all := make([]byte, 0, writtenBytes*len(events))
	for i, e := range events {
		from := len(all)
		var err error
		if all, err = (proto.MarshalOptions{Deterministic: true}).MarshalAppend(all, e); err != nil {
			return nil, fmt.Errorf("rules: marshalling an event of a deed: %w", err)
		}
		out[i] = all[from:len(all):len(all)]
	}
	return out, nil
}

// writtenBytes is what an event of a deed takes in most cases.
const writtenBytes = 96
