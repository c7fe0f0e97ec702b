package verify

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/branch"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/engine"
)

// Problem is one place in which a record does not hold.
type Problem struct {
	// Version of the Commit.
	Version uint64 `json:"version"`
	// Part of it: "header", "cause", "inputs", or "event N" with what the event is.
	Part string `json:"part"`
	// Field within the part, such as "hit_points.hp"; empty for the whole part.
	Field string `json:"field,omitempty"`
	// Recorded and Decided are the two sides, shortened.
	Recorded string `json:"recorded,omitempty"`
	Decided  string `json:"decided,omitempty"`
	// Text says more.
	Text string `json:"text,omitempty"`
}

// String is the problem for people.
func (p Problem) String() string {
	where := fmt.Sprintf("version %d, %s", p.Version, p.Part)
	if p.Field != "" {
		where += ", " + p.Field
	}
	switch {
	case p.Text != "":
		return where + ": " + p.Text
	case p.Decided == "":
		return where + ": recorded " + p.Recorded + ", decided again there is none"
	case p.Recorded == "":
		return where + ": not recorded, decided again it is " + p.Decided
	}
	return where + ": recorded " + p.Recorded + ", decided again it is " + p.Decided
}

// Other is rules that this build does not have, by which Commits were decided.
type Other struct {
	// System and its version.
	System  string `json:"system"`
	Version string `json:"version"`
	// Engine version, where it is that which differs.
	Engine string `json:"engine,omitempty"`
	// Here is the version that this build has; empty when it does not know the system.
	Here string `json:"here,omitempty"`
	// Commits that were decided so, and the version of the first.
	Commits int    `json:"commits"`
	First   uint64 `json:"first"`
}

// Report is what deciding again came to.
type Report struct {
	// Decided Commits, and Commands that amendments in them decided again.
	Decided  int `json:"decided"`
	Commands int `json:"commands,omitempty"`
	// Digests of requests that were compared, and those that cannot be told any more:
	// where the service filled in packs or a patient's record.
	Digests int `json:"request_digests"`
	Filled  int `json:"request_digests_unknown,omitempty"`
	// Other rules by which Commits were decided that were not decided again.
	Other []Other `json:"other_rules,omitempty"`
	// Content is the digest of the rules' content that the record names, where this
	// build has another under the same version: what was decided again may differ for
	// that.
	Content string `json:"content,omitempty"`
	// Unnamed says that the record does not name the content that decided it: builds
	// before did not.
	Unnamed bool `json:"content_unnamed,omitempty"`
	// MissingPacks are pinned and did not come with the record: nothing was decided.
	MissingPacks []string `json:"missing_packs,omitempty"`
	// Problems found, in order.
	Problems []Problem `json:"problems,omitempty"`
	// State is the fold of the whole record.
	State *eventv1.State `json:"-"`
}

// Config is what a record is decided by.
type Config struct {
	// Systems are the rule systems of this build.
	Systems *rules.Registry
	// Packs that came with the record, by digest; they are what their digests say.
	Packs map[string][]byte
	// Branches that came with the record, by name: the parts of amended histories that
	// are too long for their Commits, as stored, in order.
	Branches map[string][][]byte
}

// run is one verification.
type run struct {
	cfg     Config
	replay  *engine.Replay
	record  *record
	tapes   *tapes
	report  *Report
	content string // digest of the system's content that the record names
	packs   []string
	keyed   bool   // an id was found to follow from the first Commit
	blamed  bool   // one was found that does not, and the creation was named for it
	opening string // part of the first Commit that holds the creation

	table, id string
}

// Commits decides Commits again: all of an encounter from the first on, nothing
// withheld, as stored. It returns an error only when ctx ends; whatever is wrong
// with the record is in the report. A Commit that cannot be folded ends the check.
func Commits(ctx context.Context, cfg Config, commits [][]byte) (*Report, error) {
	v := &run{cfg: cfg, record: newRecord(), tapes: &tapes{setup: map[uint32]bool{}}, report: &Report{}}
	for i, data := range commits {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c, err := event.Open(data)
		if err == nil && c.Withheld > 0 {
			err = fmt.Errorf("%d parts are withheld", c.Withheld)
		}
		if err == nil && i == 0 {
			err = v.begin(c)
		}
		if err != nil {
			v.problem(Problem{Version: uint64(i) + 1, Part: "commit", Text: err.Error()}) //nolint:gosec // an index
			break
		}
		if err := v.commit(ctx, c, data); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			v.problem(Problem{Version: c.Header.Version, Part: "commit", Text: err.Error()})
			break
		}
	}
	if v.replay != nil {
		v.report.State = v.replay.Replica().State()
	}
	return v.report, nil
}

// begin makes the replay of the encounter that the first Commit names.
func (v *run) begin(c *event.Opened) error {
	packs, err := shelve(c.Header.Table, v.cfg.Systems, v.cfg.Packs)
	if err != nil {
		return err
	}
	v.table, v.id = c.Header.Table, c.Header.Id
	if made := created(c); made != nil {
		v.packs, v.content = made.Packs, made.ContentDigest
	}
	for i, e := range c.Events {
		if e.GetEncounterCreated() != nil {
			v.opening = partOf(i, e)
		}
	}
	for _, digest := range v.packs {
		if v.cfg.Packs[digest] == nil && !slices.Contains(v.report.MissingPacks, digest) {
			v.report.MissingPacks = append(v.report.MissingPacks, digest)
		}
	}
	if sys, err := v.cfg.Systems.System(c.Header.System); err == nil {
		v.report.Unnamed = v.content == "" && rules.ContentDigest(sys) != ""
		if here := rules.ContentDigest(sys); v.content != "" && v.content != here && sys.Info().Version == c.Header.SystemVersion {
			v.report.Content = v.content
		}
	}
	v.replay = engine.NewReplay(engine.Config{Dice: v.tapes, Injury: harm{systems: v.cfg.Systems, shelf: packs, tapes: v.tapes},
		Systems: v.cfg.Systems, Shelf: packs, Loader: v.record, Logger: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Clock: func() time.Time { return time.UnixMilli(c.Header.UnixMillis) }}, c.Header.Table, c.Header.Id)
	return nil
}

func (v *run) problem(p Problem) { v.report.Problems = append(v.report.Problems, p) }

// commit decides a Commit again and folds it as it is recorded.
func (v *run) commit(ctx context.Context, c *event.Opened, data []byte) error {
	v.written(c, data)
	if err := v.inline(c); err != nil {
		return err
	}
	v.header(c)
	if v.decidable(c) {
		if err := v.decide(ctx, c); err != nil {
			return err
		}
	}
	v.tapes.of(c)
	entry, err := v.replay.Apply(ctx, c, data)
	if err != nil {
		return err
	}
	v.record.add(entry, v.replay.Replica())
	return nil
}

// header holds that a Commit says of what it is.
func (v *run) header(c *event.Opened) {
	h, table, id, system := c.Header, v.table, v.id, v.replay.Replica().State().System
	if made := created(c); made != nil {
		table, id, system = made.Table, made.Encounter, made.System
	}
	for _, is := range []place{{"kind", h.Kind, string(aggregate.Encounter)}, {"table", h.Table, table}, {"id", h.Id, id}, {"system", h.System, system}} {
		if is.recorded != is.decided {
			v.problem(Problem{Version: h.Version, Part: "header", Field: is.field, Recorded: is.recorded, Decided: is.decided})
		}
	}
}

// created is the event that opens the encounter, if the Commit has it.
func created(c *event.Opened) *eventv1.EncounterCreated {
	for _, e := range c.Events {
		if made := e.GetEncounterCreated(); made != nil {
			return made
		}
	}
	return nil
}

// written holds that the bytes are those that Skald writes: what else they could
// hold would be hashed and read by nobody.
func (v *run) written(c *event.Opened, data []byte) {
	var raw eventv1.Commit
	if proto.Unmarshal(data, &raw) != nil {
		return // it was opened
	}
	odd := func(part string) {
		v.problem(Problem{Version: c.Header.Version, Part: part, Text: "holds bytes that Skald does not write"})
	}
	if size(&raw) != len(data) || len(raw.ProtoReflect().GetUnknown()) > 0 {
		odd("commit")
	}
	if size(c.Header) != len(raw.Header) || len(c.Header.ProtoReflect().GetUnknown()) > 0 {
		odd("header")
	}
	for i, p := range raw.Parts {
		name, m := "cause", proto.Message(c.Cause)
		switch {
		case i == 1:
			name, m = "inputs", c.Inputs
		case i > 1:
			name, m = partOf(i-2, c.Events[i-2]), c.Events[i-2]
		}
		if size(m) != len(p.Payload) || len(p.ProtoReflect().GetUnknown()) > 0 {
			odd(name)
		}
	}
}

// inline puts what branches hold into the Commit, so that it is decided and compared
// as any other. That the parts are those that were named, their hashes say.
func (v *run) inline(c *event.Opened) error {
	return branch.Inline(c, func(am *eventv1.Amended, i uint32) ([]byte, error) {
		parts := v.cfg.Branches[am.Branch]
		if int(i) >= len(parts) {
			return nil, nil
		}
		var p eventv1.BranchPart
		if proto.Unmarshal(parts[i], &p) == nil && (size(&p) != len(parts[i]) || len(p.ProtoReflect().GetUnknown()) > 0) {
			v.problem(Problem{Version: c.Header.Version, Part: fmt.Sprintf("branch %s, part %d", am.Branch, i), Text: "holds bytes that Skald does not write"})
		}
		return parts[i], nil
	})
}

// decidable tells whether this build has the rules by which a Commit was decided.
func (v *run) decidable(c *event.Opened) bool {
	if len(v.report.MissingPacks) > 0 {
		return false
	}
	h := c.Header
	o := Other{System: h.System, Version: h.SystemVersion}
	sys, err := v.cfg.Systems.System(h.System)
	switch {
	case err != nil:
	case h.EngineVersion != engine.Version:
		o.Engine, o.Here = h.EngineVersion, engine.Version
	case sys.Info().Version != h.SystemVersion:
		o.Here = sys.Info().Version
	default:
		return true
	}
	same := func(x Other) bool {
		return x.System == o.System && x.Version == o.Version && x.Engine == o.Engine
	}
	i := slices.IndexFunc(v.report.Other, same)
	if i < 0 {
		o.First = h.Version
		v.report.Other, i = append(v.report.Other, o), len(v.report.Other)
	}
	v.report.Other[i].Commits++
	return false
}

// decide decides a Commit again and compares.
func (v *run) decide(ctx context.Context, c *event.Opened) error {
	v.tapes.of(c)
	d, err := v.again(ctx, c)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	v.report.Decided++
	version := c.Header.Version
	if v.tapes.missed != nil {
		p := *v.tapes.missed
		p.Version = version
		v.problem(p)
		return nil
	}
	if err != nil {
		p := Problem{Version: version, Part: "cause", Field: "command", Text: "decided again it is refused: " + err.Error()}
		if f, ok := fault.As(err); ok && len(f.Violations) > 0 && (f.Violations[0].Field == "cause.request_id" || f.Violations[0].Field == "request_id") {
			p.Field = "request_id"
		}
		v.problem(p)
		return nil
	}
	v.digest(ctx, c)
	v.format(c)
	v.compare(c, d)
	return nil
}

// again is Replay.Decide; what a crafted Commit makes of the rules is an error.
func (v *run) again(ctx context.Context, c *event.Opened) (d *event.Draft, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("deciding it panics: %v", r)
		}
	}()
	return v.replay.Decide(ctx, c)
}

// digest compares the digest of the request.
func (v *run) digest(ctx context.Context, c *event.Opened) {
	if len(c.Cause.Command) == 0 {
		if len(c.Cause.RequestDigest) > 0 || c.Cause.RequestId != "" {
			v.problem(Problem{Version: c.Header.Version, Part: "cause", Field: "request_digest", Text: "of a request without a command"})
		}
		return
	}
	same, known := v.replay.Digested(ctx, c)
	if !same && !known {
		v.report.Filled++
		return
	}
	v.report.Digests++
	if !same {
		v.problem(Problem{Version: c.Header.Version, Part: "cause", Field: "request_digest", Text: "is not that of the request: who gave the command, or what it said, was another"})
	}
}

// format holds that a creation names the layout of the dice that it opens: the service
// sets it, and the request's digest leaves it out.
func (v *run) format(c *event.Opened) {
	cmd := &eventv1.Command{}
	if proto.Unmarshal(c.Cause.Command, cmd) != nil || cmd.GetCreate() == nil {
		return // a command that cannot be read is not decided
	}
	var opened uint32
	for _, e := range c.Events {
		opened = max(opened, e.GetDiceEpoch().GetFormat())
	}
	if is := cmd.GetCreate().DiceFormat; is != opened {
		v.problem(Problem{Version: c.Header.Version, Part: "cause", Field: "command.create.dice_format", Recorded: fmt.Sprint(is), Decided: fmt.Sprint(opened)})
	}
}

// compare holds the parts of a Commit against what was decided again.
func (v *run) compare(c *event.Opened, d *event.Draft) {
	with := comparer{old: v.content == ""}
	whole := true
	found := func(part string, p *place, recorded, decided proto.Message) bool {
		whole = whole && p == nil
		switch {
		case p == nil:
		case v.otherBeginning(with, recorded, decided):
			v.blameBeginning(c.Header.Version)
		default:
			v.problem(Problem{Version: c.Header.Version, Part: part, Field: p.field, Recorded: p.recorded, Decided: p.decided})
		}
		return p != nil
	}
	d.Cause.RequestDigest = c.Cause.RequestDigest
	found("cause", with.compare(c.Cause, d.Cause), c.Cause, d.Cause)
	found("inputs", with.compare(c.Inputs, d.Inputs), c.Inputs, d.Inputs)
	if made := created(&event.Opened{Events: d.Events}); made != nil && v.report.Content != "" {
		made.ContentDigest = v.content // reported by itself
	}
	for i := range max(len(c.Events), len(d.Events)) {
		switch {
		case i >= len(c.Events):
			v.problem(Problem{Version: c.Header.Version, Part: partOf(i, d.Events[i]), Decided: short(d.Events[i])})
			return
		case i >= len(d.Events):
			v.problem(Problem{Version: c.Header.Version, Part: partOf(i, c.Events[i]), Recorded: short(c.Events[i])})
			return
		}
		e := c.Events[i]
		if found(partOf(i, e), with.compare(e, d.Events[i]), e, d.Events[i]) {
			return // what follows is shifted, or the same again
		}
		v.report.Commands += len(e.GetAmended().GetCommands())
		v.keyed = v.keyed || whole && (hasKeyedID(e))
	}
}

// partOf names the part of an event.
func partOf(i int, e *eventv1.Event) string {
	m := e.ProtoReflect()
	if fd := m.WhichOneof(m.Descriptor().Oneofs().ByName("what")); fd != nil {
		return fmt.Sprintf("event %d (%s)", i+1, fd.Name())
	}
	return fmt.Sprintf("event %d", i+1)
}
