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
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/recheck"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/engine"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// Problem is one place in which a record does not hold.
type Problem = recheck.Problem

// Other is rules that this build does not have.
type Other = recheck.Other

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
	// Fork names the encounter whose fork this is, and which is not at hand: what it began
	// as was not decided.
	Fork string `json:"fork_of,omitempty"`
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
	// Origin finds the verification of another encounter of the table, of which this one is
	// a fork; nil, or a nil answer, where that is not at hand.
	Origin func(encounter string) *Run
	// Patients answers for the records of patients, as they stand beside the record; nil
	// where those are not at hand: what they had is believed then.
	Patients injuryv1.AssessmentServiceClient
}

// run is one verification.
type run struct {
	cfg     Config
	replay  *engine.Replay
	record  *record
	tapes   *recheck.Tapes
	report  *Report
	content string // digest of the system's content that the record names
	packs   []string
	keyed   bool   // an id was found to follow from the first Commit
	blamed  bool   // one was found that does not, and the creation was named for it
	opening string // part of the first Commit that holds the creation

	table, id string
	// crossings that the last Commit came with, where it was decided.
	crossings []journal.Message
	agreed    bool
	ruled     *engine.Ruled // what it comes to for others, of a ruling
}

// Commits decides Commits again: all of an encounter from the first on, nothing
// withheld, as stored. It returns an error only when ctx ends; whatever is wrong
// with the record is in the report. A Commit that cannot be folded ends the check.
func Commits(ctx context.Context, cfg Config, commits [][]byte) (*Report, error) {
	r := Begin(cfg)
	for _, data := range commits {
		if _, _, err := r.Next(ctx, data); err != nil {
			return nil, err
		}
	}
	return r.Report(), nil
}

// Run is a verification of a record that is handed over Commit by Commit. It is not
// safe for concurrent use.
type Run struct {
	v     *run
	count uint64
	ended bool // a Commit could not be folded: nothing behind it is looked at
}

// Begin makes a verification of nothing yet.
func Begin(cfg Config) *Run {
	return &Run{v: &run{cfg: cfg, record: newRecord(), tapes: recheck.NewTapes(), report: &Report{}}}
}

// Next decides the next Commit again. crossings are the Commits of patients' records
// that its command comes with; decided is false where it was not decided, or could
// not be. It returns an error only when ctx ends.
func (r *Run) Next(ctx context.Context, data []byte) (crossings []journal.Message, decided bool, err error) {
	r.count++
	if err := ctx.Err(); err != nil || r.ended {
		return nil, false, err
	}
	v := r.v
	c, err := event.Open(data)
	if err == nil && c.Withheld > 0 {
		err = fmt.Errorf("%d parts are withheld", c.Withheld)
	}
	if err == nil && r.count == 1 {
		err = v.begin(c)
	}
	if err != nil {
		r.ended = true
		v.problem(Problem{Version: r.count, Part: "commit", Text: err.Error()})
		return nil, false, nil
	}
	v.crossings, v.agreed, v.ruled = nil, false, nil
	if err := v.commit(ctx, c, data); err != nil {
		if ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		r.ended = true
		v.problem(Problem{Version: c.Header.Version, Part: "commit", Text: err.Error()})
	}
	return v.crossings, v.agreed, nil
}

// Ruled is what the ruling that Next decided last comes to for records of patients and
// for other fights; nil when it was none, has to do with none, or was not decided.
func (r *Run) Ruled() *engine.Ruled { return r.v.ruled }

// Blame adds a problem that others' records show in this one.
func (r *Run) Blame(p Problem) { r.v.problem(p) }

// Report is what was found so far.
func (r *Run) Report() *Report {
	if r.v.replay != nil {
		r.v.report.State = r.v.replay.Replica().State()
	}
	return r.v.report
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
			v.opening = recheck.PartOf(i, e)
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
	v.replay = engine.NewReplay(engine.Config{Dice: v.tapes, Injury: harm{AssessmentServiceClient: v.cfg.Patients, systems: v.cfg.Systems, shelf: packs, tapes: v.tapes}, Patients: v.cfg.Patients != nil,
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
	v.dice(c)
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
	for _, is := range []recheck.Place{{Field: "kind", Recorded: h.Kind, Decided: string(aggregate.Encounter)}, {Field: "table", Recorded: h.Table, Decided: table}, {Field: "id", Recorded: h.Id, Decided: id}, {Field: "system", Recorded: h.System, Decided: system}} {
		if is.Recorded != is.Decided {
			v.problem(Problem{Version: h.Version, Part: "header", Field: is.Field, Recorded: is.Recorded, Decided: is.Decided})
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

// written holds that the bytes are those that Skald writes.
func (v *run) written(c *event.Opened, data []byte) {
	for _, p := range recheck.Odd(c, data) {
		v.problem(p)
	}
}

// dice takes the dice of a Commit, those inside its amendments included.
func (v *run) dice(c *event.Opened) {
	var more [][]*eventv1.Input
	for _, e := range c.Events {
		for _, cmd := range e.GetAmended().GetCommands() {
			if again, err := replica.OpenRedecided(cmd, c.Header); err == nil {
				more = append(more, again.Inputs.Inputs)
			}
		}
	}
	v.tapes.Of("", c.Inputs.Inputs, c.Events, more...)
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
		if proto.Unmarshal(parts[i], &p) == nil && (recheck.Size(&p) != len(parts[i]) || len(p.ProtoReflect().GetUnknown()) > 0) {
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
	if !v.originAtHand(c) {
		return false
	}
	return recheck.Rules{Systems: v.cfg.Systems, Engine: engine.Version}.Decided(c.Header, &v.report.Other)
}

// originAtHand tells whether a Commit is no fork's beginning, or that of one whose origin
// can be read.
func (v *run) originAtHand(c *event.Opened) bool {
	cmd := &eventv1.Command{}
	if proto.Unmarshal(c.Cause.Command, cmd) != nil || cmd.GetCreate().GetFork() == nil {
		return true
	}
	of := cmd.GetCreate().GetFork().Encounter
	if v.cfg.Origin != nil && of != v.id {
		if origin := v.cfg.Origin(of); origin != nil {
			v.record.origin, v.record.of = origin.v.record, of
			return true
		}
	}
	v.report.Fork = of
	return false
}

// decide decides a Commit again and compares.
func (v *run) decide(ctx context.Context, c *event.Opened) error {
	v.dice(c)
	d, err := v.again(ctx, c)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	v.report.Decided++
	version := c.Header.Version
	if v.tapes.Missed != nil {
		p := *v.tapes.Missed
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
	v.crossings, v.agreed, v.ruled = v.replay.Crossings(), true, v.replay.Ruled()
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
	with := recheck.Comparer{Old: v.content == ""}
	whole := true
	found := func(part string, p *recheck.Place, recorded, decided proto.Message) bool {
		whole = whole && p == nil
		switch {
		case p == nil:
		case v.otherBeginning(with, recorded, decided):
			v.blameBeginning(c.Header.Version)
		default:
			v.problem(Problem{Version: c.Header.Version, Part: part, Field: p.Field, Recorded: p.Recorded, Decided: p.Decided})
		}
		return p != nil
	}
	d.Cause.RequestDigest = c.Cause.RequestDigest
	found("cause", with.Compare(c.Cause, d.Cause), c.Cause, d.Cause)
	found("inputs", with.Compare(c.Inputs, d.Inputs), c.Inputs, d.Inputs)
	if made := created(&event.Opened{Events: d.Events}); made != nil && v.report.Content != "" {
		made.ContentDigest = v.content // reported by itself
	}
	for i := range max(len(c.Events), len(d.Events)) {
		switch {
		case i >= len(c.Events):
			v.problem(Problem{Version: c.Header.Version, Part: recheck.PartOf(i, d.Events[i]), Decided: recheck.Short(d.Events[i])})
			return
		case i >= len(d.Events):
			v.problem(Problem{Version: c.Header.Version, Part: recheck.PartOf(i, c.Events[i]), Recorded: recheck.Short(c.Events[i])})
			return
		}
		e := c.Events[i]
		if found(recheck.PartOf(i, e), with.Compare(e, d.Events[i]), e, d.Events[i]) {
			return // what follows is shifted, or the same again
		}
		v.report.Commands += len(e.GetAmended().GetCommands())
		v.keyed = v.keyed || whole && (hasKeyedID(e))
	}
}
