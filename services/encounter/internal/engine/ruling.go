package engine

import (
	"context"
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/branch"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/text"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// ruling tells whether a command changes the past.
func ruling(cmd *eventv1.Command) bool {
	switch cmd.GetWhat().(type) {
	case *eventv1.Command_Revert, *eventv1.Command_Redo, *eventv1.Command_Amend:
		return true
	}
	return false
}

// rule decides a ruling. Going back fires nothing: no rule runs for a revert.
func (e *Engine) rule(ctx context.Context, f *Fight, sys rules.System, req Request) (*draft, error) {
	if err := checkRuling(f.replica.State().DicePolicy, req.Command, e.cfg.Recorded); err != nil {
		return nil, err
	}
	contest, err := upheldBy(f.replica, req.Command)
	if err != nil {
		return nil, err
	}
	var d *draft
	if req.Command.GetAmend() != nil {
		d, err = e.amend(ctx, f, sys, req)
	} else {
		d, err = e.revert(ctx, f, req)
	}
	if err != nil || contest == nil {
		return d, err
	}
	return d, e.uphold(ctx, f, req.Command, contest, d)
}

// checkRuling refuses what a ruling would pass over in silence.
func checkRuling(policy eventv1.DicePolicy, cmd *eventv1.Command, recorded bool) error {
	am := cmd.GetAmend()
	faces := len(cmd.Faces) + len(am.GetCommand().GetFaces())
	changes := am.GetCommand() != nil || am.GetChange() != nil || am.GetClearCircumstances()
	switch {
	case am == nil && faces > 0:
		return fault.Field("command.faces", "going back rolls nothing")
	case am == nil && len(cmd.Answers) > 0:
		return fault.Field("command.answers", "going back asks nothing")
	case am.GetDrop() && (changes || faces+len(cmd.Answers)+len(am.Answers)+len(am.Rolls) > 0):
		return fault.Field("command.amend.drop", "a command that is taken away cannot be changed as well")
	case am.GetInsertAfter() > 0 && (am.Version > 0 || am.Drop || am.Change != nil || am.ClearCircumstances || am.Command == nil):
		return fault.Field("command.amend.insert_after", "takes a command and changes no other one")
	case faces > 0 && serversDice(policy):
		return fault.Field("command.faces", "this encounter's dice are the server's; fix single rolls by amend.rolls")
	}
	if len(am.GetEntered()) > 0 && !recorded {
		return fault.Field("command.amend.entered", "set by the service alone")
	}
	if am.GetDrew() && !recorded {
		return fault.Field("command.amend.drew", "set by the service alone")
	}
	for i, w := range am.GetOnward() {
		if (w.Encounter == "") == (w.Patient == "") || w.Stands && w.Patient != "" {
			return fault.Field(indexed("command.amend.onward", i), "name an encounter, or a patient of whom no fight is to stand")
		}
	}
	for i, x := range am.GetRolls() {
		if err := checkFixed(x); err != nil {
			return fault.Field(indexed("command.amend.rolls", i), "%v", err)
		}
	}
	for i, v := range am.GetForceIllegal() {
		if slices.Contains(am.DropIllegal, v) {
			return fault.Field(indexed("command.amend.force_illegal", i), "step %d cannot be both dropped and forced", v)
		}
	}
	if am.GetContest() != "" {
		if err := aggregate.CheckID("contest", am.Contest); err != nil {
			return err
		}
	}
	// order-free: a command has one reason
	for field, reason := range map[string]string{"command.revert.reason": cmd.GetRevert().GetReason(),
		"command.redo.reason": cmd.GetRedo().GetReason(), "command.amend.reason": am.GetReason()} {
		if err := text.Line(reason, limits.LineBytes); err != nil {
			return fault.Field(field, "%v", err)
		}
	}
	return nil
}

// past is where a revert goes: the state after a version or, when that is an
// amendment of which only a part is to stay, after its first commands.
type past struct {
	version uint64
	stays   int // commands of the amendment at version; 0 means the whole version
}

// target finds where a revert or a redo goes.
func (e *Engine) target(ctx context.Context, f *Fight, cmd *eventv1.Command) (past, error) {
	r := f.replica
	if cmd.GetRedo() != nil {
		if n := len(r.Redo); n > 0 {
			return past{version: r.Redo[n-1]}, nil
		}
		return past{}, fault.Refuse("NOTHING_TO_REDO", "", "nothing was taken back, or something was done since")
	}
	switch to := cmd.GetRevert().GetTo().(type) {
	case *eventv1.RevertEncounter_Version:
		if to.Version == 0 || to.Version > r.Version {
			return past{}, fault.Field("command.revert.version", "must be 1 to %d", r.Version)
		}
		return past{version: to.Version}, nil
	case *eventv1.RevertEncounter_Round:
		return e.beginning(ctx, f, "command.revert.round", "round", func(ev *eventv1.Event) bool {
			return ev.GetRoundStarted() != nil && ev.GetRoundStarted().Round == to.Round
		}, func(m replica.Mark) bool { return m.Round == to.Round && m.Round != replica.TurnMark })
	case *eventv1.RevertEncounter_Turn:
		return e.beginning(ctx, f, "command.revert.turn", "turn",
			func(ev *eventv1.Event) bool { return ev.GetTurnStarted() != nil },
			func(m replica.Mark) bool { return m.Round == replica.TurnMark })
	case *eventv1.RevertEncounter_Last:
		return e.beforeLast(ctx, f)
	case *eventv1.RevertEncounter_SavePoint:
		return savedAt(r.State(), to.SavePoint)
	}
	return past{}, fault.Field("command.revert.to", "give a version, a round, the turn, a save point, or last")
}

// beforeLast is before what was done last: an amendment, or a command with the
// answers it met.
func (e *Engine) beforeLast(ctx context.Context, f *Fight) (past, error) {
	r := f.replica
	n := len(r.Chain)
	if r.Amended > 0 && n == r.AmendedLength {
		return past{version: r.Amended - 1}, nil
	}
	if n < 2 {
		return past{}, fault.Refuse("NOTHING_TO_REVERT", "", "no command is left to take back")
	}
	last := r.Chain[n-1]
	switch {
	case !last.Held():
		return past{version: last.Origin - 1}, nil
	case last.Index > 0:
		return past{version: last.At, stays: last.Index}, nil
	}
	am, err := e.amendedAt(ctx, f, last.At)
	if err != nil {
		return past{}, err
	}
	return past{version: am.Base}, nil
}

// beginning finds the last beginning of a round or turn in the history that
// counts. The commands that an amendment decided again have no versions of
// their own; among those the one in which it began is looked for.
func (e *Engine) beginning(ctx context.Context, f *Fight, field, what string, begins func(*eventv1.Event) bool, fits func(replica.Mark) bool) (past, error) {
	marks := f.replica.Marks
	at := len(marks) - 1
	for at >= 0 && !fits(marks[at]) {
		at--
	}
	if at < 0 {
		return past{}, fault.Field(field, "no such %s has begun in the history that counts", what)
	}
	version := marks[at].Version
	if !slices.ContainsFunc(f.replica.Chain, func(l replica.Link) bool { return l.At == version && l.Held() }) {
		return past{version: version}, nil
	}
	am, err := e.amendedAt(ctx, f, version)
	if err != nil {
		return past{}, err
	}
	for i := len(am.Commands) - 1; i >= 0; i-- {
		c, err := replica.OpenRedecided(am.Commands[i], &eventv1.CommitHeader{Version: version})
		if err != nil {
			return past{}, err
		}
		if slices.ContainsFunc(c.Events, begins) {
			if i == len(am.Commands)-1 {
				return past{version: version}, nil
			}
			return past{version: version, stays: i + 1}, nil
		}
	}
	return past{}, fault.New(fault.Internal, "NO_BEGINNING", "version %d does not hold the beginning of the %s", version, what)
}

// went is a past found: the encounter as it was, and what of an amendment stays.
type went struct {
	replica *replica.Replica
	version uint64 // that the Commit goes back to
	stays   *eventv1.Amended

	patients []journal.Message     // Commits of patients who come back into the fight, or leave it again, and of what goes back along
	across   []*eventv1.RulingPart // the records that it is part of, where they are several
	back     []*eventv1.RulingPart // parts of the rulings that it takes back
}

// goBack finds the encounter as it was.
func (e *Engine) goBack(ctx context.Context, f *Fight, to past) (*went, error) {
	if to.stays == 0 {
		then, err := e.cfg.Loader.LoadAt(ctx, f.table, f.id, to.version)
		return &went{replica: then, version: to.version}, err
	}
	am, err := e.amendedAt(ctx, f, to.version)
	if err != nil {
		return nil, err
	}
	then, err := e.cfg.Loader.LoadAt(ctx, f.table, f.id, am.Base)
	if err != nil {
		return nil, err
	}
	stays, err := e.firstOf(ctx, f, am, to.version, to.stays)
	if err != nil {
		return nil, err
	}
	if err := then.DecideAgain(&eventv1.CommitHeader{Version: to.version}, stays.Commands, &replica.Applied{}); err != nil {
		return nil, err
	}
	return &went{replica: then, version: am.Base, stays: stays}, nil
}

// revert makes the Commit that puts the encounter back.
func (e *Engine) revert(ctx context.Context, f *Fight, req Request) (*draft, error) {
	then, err := e.reverted(ctx, f, req)
	if err != nil {
		return nil, err
	}
	rev := &eventv1.Reverted{Reason: req.Command.GetRevert().GetReason()}
	if redo := req.Command.GetRedo(); redo != nil {
		rev.Redo, rev.Reason = true, redo.Reason
	}
	rev.Across = then.across
	d, err := e.putBack(ctx, f, req.Command, then, rev, f.replica.State().RepeatPolicy)
	if err == nil {
		d.ruled = &Ruled{Back: then.back}
	}
	return d, err
}

// putBack makes the Commit that goes to a past that was found; what is done again
// rolls as the policy says.
func (e *Engine) putBack(ctx context.Context, f *Fight, cmd *eventv1.Command, then *went, rev *eventv1.Reverted, repeat eventv1.RepeatPolicy) (*draft, error) {
	// No command that counts again runs under the number, though numbers went back since.
	rev.Version, rev.NextAction, rev.ByWhatCounts = then.version, max(f.replica.FreshAction(), then.replica.FreshAction()), true
	now := f.replica.State()
	if rollsSame(f.replica, repeat) {
		rev.NextAction, rev.ThenActions = then.replica.NextAction, then.replica.ThenActions
	}
	var err error
	if rev.Told, err = e.toldBack(ctx, f, then.replica.Chain); err != nil {
		return nil, err
	}
	rev.ByWhatIsHeard = true
	events := []*eventv1.Event{event.New(event.GM(), rev)}
	if then.stays != nil {
		stays := branch.Bare(then.stays)
		stays.Reason = rev.Reason
		events = append(events, event.New(event.GM(), stays))
	}
	opened, err := e.openDice(ctx, f, then.replica.State(), now.Commitments)
	if err != nil {
		return nil, err
	}
	return newDraft(cmd, 0, nil, append(events, opened...), then.replica.Pending != nil, then.patients)
}

// rollsSame tells whether what is done again meets the same faces.
func rollsSame(r *replica.Replica, repeat eventv1.RepeatPolicy) bool {
	return repeat == eventv1.RepeatPolicy_REPEAT_POLICY_SAME && !r.Revealed && len(r.State().SecretDice.GetLeaves()) == 0
}

// reverted finds the past that a revert or redo goes to, with what becomes of the
// records of patients, and refuses it where patients stand in the way.
func (e *Engine) reverted(ctx context.Context, f *Fight, req Request) (*went, error) {
	to, err := e.target(ctx, f, req.Command)
	if err != nil {
		return nil, err
	}
	then, err := e.goBack(ctx, f, to)
	if err != nil {
		return nil, err
	}
	back, err := e.backAlong(ctx, f, to, then.replica, req)
	if err != nil {
		return nil, err
	}
	if then.patients, err = e.patientsCross(ctx, f, then.replica, req); err != nil {
		return nil, err
	}
	if back != nil {
		then.patients, then.across, then.back = append(then.patients, back.messages...), back.parts, back.of
	}
	return then, nil
}

// openDice sees to it that whatever is rolled after a ruling is rolled with dice
// that are committed to and known to nobody: a new epoch when the public branch
// of the present one is revealed and the fight goes on, else the branches of
// creatures who were not there when it was opened. have are those there are.
func (e *Engine) openDice(ctx context.Context, f *Fight, then *eventv1.State, have map[string][]byte) ([]*eventv1.Event, error) {
	if then.Status == eventv1.State_STATUS_ENDED {
		return nil, nil
	}
	now := f.replica.State()
	req := &dicev1.OpenEpochRequest{Table: f.table, Encounter: f.id, Epoch: now.Epoch, Entropy: now.Entropy, Format: now.DiceFormat}
	if f.replica.Revealed {
		req.Epoch, req.Entropy, req.Format, req.Open, have = req.Epoch+1, nil, diceFormat, true, nil
	}
	var missing []string
	for _, branch := range branches(then, req.Format) {
		if _, ok := have[branch]; !ok {
			missing = append(missing, branch)
		}
	}
	if len(missing) == 0 {
		return nil, nil
	}
	req.Branches = missing
	resp, err := e.cfg.Dice.OpenEpoch(ctx, req)
	if err != nil {
		return nil, rpc.FromStatus(err)
	}
	return commitments(then, req, resp.Commitments), nil
}

// commitments tells of branches that were opened: of those of creatures who are
// staged only whoever knows of them.
func commitments(s *eventv1.State, req *dicev1.OpenEpochRequest, opened []*eventv1.Commitment) []*eventv1.Event {
	var open []*eventv1.Commitment
	var out []*eventv1.Event
	for _, c := range opened {
		one := event.New(event.Everyone(), &eventv1.DiceEpochOpened{Epoch: req.Epoch, Commitments: []*eventv1.Commitment{c}})
		if id, of := strings.CutPrefix(c.Branch, "creature/"); of && s.Creatures[id].GetStaged() {
			out = append(out, event.Veil(s, one)...)
			continue
		}
		open = append(open, c)
	}
	if len(open) > 0 {
		out = append([]*eventv1.Event{event.New(event.Everyone(), &eventv1.DiceEpochOpened{Epoch: req.Epoch, Commitments: open,
			Open: req.Open, Format: req.Format})}, out...)
	}
	return out
}

// branches are those of everyone, the game master, and each creature, and where
// the format has it the parent of the creatures'.
func branches(s *eventv1.State, format uint32) []string {
	out := []string{"everyone", "gm"}
	if format == diceFormat {
		out = append(out, "creatures")
	}
	for _, id := range rules.SortedKeys(s.Creatures) {
		out = append(out, "creature/"+id)
	}
	return out
}

// withDice is a state with the dice that are in force now.
func withDice(s, now *eventv1.State) *eventv1.State {
	out := event.Clone(s)
	event.KeepDice(out, now)
	event.KeepAside(out, now)
	return out
}
