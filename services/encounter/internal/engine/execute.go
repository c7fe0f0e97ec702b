package engine

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rules"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// Limits of a command.
const (
	maxCommandBytes = limits.CommandBytes
	maxFaces        = limits.CommandFaces
)

// ErrBehind is in what Request.Expect answers when the caller has seen more than
// this process: the log is read before anything is decided.
var ErrBehind = errors.New("engine: the caller has seen more than this process")

// Request is one command.
type Request struct {
	// ID is the client's request id.
	ID string
	// As is on whose behalf.
	As *eventv1.Principal
	// Table and Encounter name the encounter.
	Table, Encounter string
	// Expect is the caller's own number that it decided by; nil means any.
	Expect func(f *Fight) error
	// Command is the command.
	Command *eventv1.Command
}

// Result is what a command led to.
type Result struct {
	// Fight is the encounter as it stood after the command, or later.
	Fight *Fight
	// Version of the Commit.
	Version uint64
	// Repeated: the request id was known already.
	Repeated bool
}

// draft is what a Commit is made of, and the messages that go with it.
type draft struct {
	cause   *eventv1.CommitCause
	inputs  *eventv1.CommitInputs
	events  []*eventv1.Event
	patient []journal.Message
	ruled   *Ruled // of a ruling: what it comes to for others
}

// Execute carries out a command. Errors are faults for the caller; nothing was
// stored on any of them, except that after an Unavailable one the command may
// have been stored: repeating it with the same request id tells.
func (e *Engine) Execute(ctx context.Context, req Request) (*Result, error) {
	if err := checkRequest(&req); err != nil {
		return nil, err
	}
	f, release, err := e.hold(ctx, req.Table, req.Encounter)
	if err != nil {
		return nil, err
	}
	defer release()
	f.execute.Lock()
	defer f.execute.Unlock()
	if err := f.Broken(); err != nil { // while it waited
		return nil, err
	}
	ctx, end := e.tracked(ctx, f, req.Command)
	defer end()
	digest := requestDigest(req)
	req.Command = proto.Clone(req.Command).(*eventv1.Command) // what is set in it is the service's
	if c := req.Command.GetCreate(); c != nil {
		c.DiceFormat = diceFormat
	}
	again := func(*journal.ConflictError) error { return e.catchUp(ctx, f) }
	looked := false
	res, err := aggregate.Decide(func() (*Result, error) {
		res, err := e.attempt(ctx, f, req, digest)
		if !errors.Is(err, ErrBehind) || looked {
			return res, err
		}
		looked = true
		if err := e.catchUp(ctx, f); err != nil {
			return nil, err
		}
		return e.attempt(ctx, f, req, digest)
	}, again)
	if err != nil {
		return nil, veiled(f.replica.State(), req, aggregate.Fault(err))
	}
	return res, nil
}

// attempt decides the command on the state at hand and appends it.
func (e *Engine) attempt(ctx context.Context, f *Fight, req Request, digest []byte) (*Result, error) {
	known, ok, err := e.known(ctx, f, aggregate.RequestKey(req.As, req.ID))
	if err != nil {
		return nil, err
	}
	if ok {
		if err := aggregate.Repeats(known.Digest, digest); err != nil {
			return nil, err
		}
		e.noteTapes(ctx, f, known.Version)
		return &Result{Fight: f, Version: known.Version, Repeated: true}, nil
	}
	if f.replica.Version == 0 && req.Command.GetCreate() == nil {
		return nil, notFound(req.Encounter)
	}
	if err := readOnly(f.replica.State()); err != nil {
		return nil, err
	}
	if req.Expect != nil {
		if err := req.Expect(f); err != nil {
			return nil, err
		}
	}
	if err := permitted(f.replica.State(), req.As, req.Command); err != nil {
		return nil, err
	}
	if err := rules.Ahead(f.replica.State(), req.As, "command.answers", req.Command.Answers); err != nil {
		return nil, err
	}
	looking, done := context.WithCancel(ctx)
	defer done()
	compared := e.log.Comparing(looking, f.name, f.replica.Head, aggregate.CommitHash) // beside the decision
	d, sys, err := e.decide(ctx, f, req)
	if err != nil {
		return nil, err
	}
	if err := e.compared(f, compared()); err != nil {
		return nil, err
	}
	d.cause.RequestId, d.cause.Principal, d.cause.RequestDigest = req.ID, req.As, digest
	msg, err := e.seal(f, sys, *d)
	if err != nil {
		return nil, err
	}
	version, err := e.store(ctx, f, msg, d.patient...)
	if err != nil {
		return nil, err
	}
	e.revealIfOver(ctx, f)
	return &Result{Fight: f, Version: version}, nil
}

// decide lets the rules decide: a command of its own, or the answer that an
// action waits for.
func (e *Engine) decide(ctx context.Context, f *Fight, req Request) (*draft, rules.System, error) {
	system := f.replica.State().System
	if c := req.Command.GetCreate(); c != nil {
		if f.replica.Version > 0 {
			return nil, nil, fault.New(fault.Exists, "ENCOUNTER_EXISTS", "there is already an encounter %q", f.id)
		}
		if system = c.System; c.Fork != nil {
			origin, err := e.originOf(ctx, f, c)
			if err != nil {
				return nil, nil, err
			}
			system = origin.State().System
		}
	}
	sys, err := e.cfg.Systems.System(system)
	if err != nil {
		return nil, nil, err
	}
	for _, take := range takes(req.Command) {
		if !rules.MayCall(sys, req.As, take.GetAction()) {
			return nil, nil, fault.New(fault.Denied, "GAME_MASTERS_CALL", "%q is the game master's call", take.GetAction())
		}
	}
	if req.Command.GetAnswer() != nil {
		d, err := e.answer(ctx, f, sys, req)
		return d, sys, err
	}
	if req.Command.GetCreate().GetFork() != nil {
		d, err := e.fork(ctx, f, sys, req)
		return d, sys, err
	}
	if beside(req.Command) {
		d, err := e.besideHistory(ctx, f, req)
		return d, sys, err
	}
	if ruling(req.Command) {
		d, err := e.rule(ctx, f, sys, req)
		return d, sys, err
	}
	if req.Command.GetOpenDice() != nil {
		d, err := e.openForRuling(ctx, f, req)
		return d, sys, err
	}
	if req.Command.GetOpenRolls() != nil {
		d, err := e.openRolls(ctx, f, req)
		return d, sys, err
	}
	if f.replica.Pending != nil && !rules.Apart(req.Command) {
		return nil, nil, pending(f.replica, req.As)
	}
	d, err := e.command(ctx, f, sys, req)
	return d, sys, err
}

// pending refuses a command while decisions are open: it names those that the
// caller may know of, as the caller is shown them, and whom they wait for.
func pending(f *replica.Replica, as *eventv1.Principal) error {
	s, what := f.View(as).State, "the encounter"
	if by := f.Pending.Caller; as.GetRole() == eventv1.Principal_ROLE_PLAYER && by.GetRole() == as.GetRole() && by.GetName() == as.GetName() {
		what = "what you did last" // whoever gave a command knows that it has not ended
	}
	var open []string
	for _, id := range rules.SortedKeys(s.Decisions) {
		d := s.Decisions[id]
		if !rules.MayAnswer(s, as, d) {
			continue
		}
		who := "the game master"
		if c := s.Creatures[d.Creature]; c != nil && !d.GmOnly && len(c.Controllers) > 0 {
			who = strings.Join(c.Controllers, " or ") + " (" + c.Name + ")"
		}
		open = append(open, fmt.Sprintf("%s [%s %s] waits for %s", d.Question, d.Name, id, who))
	}
	if len(open) == 0 {
		return fault.Refuse("DECISION_PENDING", "", "%s waits for a decision that is not yours", what)
	}
	return fault.Refuse("DECISION_PENDING", "", "%s waits for a decision: %s", what, strings.Join(open, "; "))
}

func (e *Engine) provider(f *Fight, action uint64, policy eventv1.DicePolicy) *provider {
	return &provider{e: e, table: f.table, encounter: f.id, epoch: max(1, f.replica.State().Epoch), action: action, policy: policy,
		purpose: dicev1.Purpose_PURPOSE_REAL, live: f.replica.State(), numbers: newNumbering(&f.replica.Draws)}
}

// command runs a command from the beginning.
func (e *Engine) command(ctx context.Context, f *Fight, sys rules.System, req Request) (*draft, error) {
	cmd := req.Command
	patients, err := e.enter(ctx, f, &cmd, req)
	if err != nil {
		return nil, err
	}
	state := event.Clone(f.replica.State()) // the replica may fold on while the rules run
	policy := state.DicePolicy
	if c := cmd.GetCreate(); c != nil {
		policy = c.DicePolicy
	}
	if len(cmd.Faces) > 0 && serversDice(policy) {
		return nil, fault.Field("command.faces", "this encounter's dice are the server's; supplied faces are not taken")
	}
	book, err := e.bookFor(ctx, f, state, cmd)
	if err != nil {
		return nil, err
	}
	action := f.replica.NextAction
	if rules.Apart(cmd) {
		action = 0 // no action: it is not among the commands that rulings go through
	}
	prov := e.provider(f, action, policy)
	prov.before = cmd.GetCreate() != nil && cmd.GetCreate().DiceFormat == 0
	// The copy is nobody else's: the run changes it in place rather than copy it once more.
	out, err := rules.Run(ctx, sys, rules.Request{State: state, Own: event.Own(state), Content: book, Action: action, Key: actionKey(f.replica, action), Early: cmd.Answers, Faces: cmd.Faces,
		Speaker: req.As, Caller: req.As, Mode: cmd.RollMode}, prov, rules.Resolve(sys, cmd))
	if err != nil {
		return nil, e.hinted(cmd, sys.Info().ID, book, err)
	}
	if err := prov.closeAll(ctx, out.Fresh); err != nil {
		return nil, err
	}
	leaving, err := e.leave(ctx, f, out.State, out.Fresh, cmd, req)
	if err != nil {
		return nil, err
	}
	return newDraft(cmd, action, out.Inputs, out.Fresh, len(out.Open) > 0, append(patients, leaving...))
}

// serversDice tells whether nobody but the server rolls.
func serversDice(p eventv1.DicePolicy) bool {
	return p == eventv1.DicePolicy_DICE_POLICY_SERVER || p == eventv1.DicePolicy_DICE_POLICY_UNSPECIFIED
}

// answer runs the waiting action again with one more answer.
func (e *Engine) answer(ctx context.Context, f *Fight, sys rules.System, req Request) (*draft, error) {
	a := req.Command.GetAnswer()
	state := f.replica.State()
	d := state.Decisions[a.Decision]
	if d == nil || !rules.MayAnswer(state, req.As, d) {
		return nil, fault.New(fault.NotFound, "UNKNOWN_DECISION", "there is no open decision %q for you", a.Decision)
	}
	seen := f.replica.View(req.As).State.Decisions[d.Id] // what the caller is shown of it
	if seen == nil {
		return nil, fault.New(fault.NotFound, "UNKNOWN_DECISION", "there is no open decision %q for you", a.Decision)
	}
	if err := rules.CheckAnswer(seen, a.Answer); err != nil {
		return nil, err
	}
	if len(req.Command.Faces) > 0 && serversDice(state.DicePolicy) {
		return nil, fault.Field("command.faces", "this encounter's dice are the server's; supplied faces are not taken")
	}
	p := f.replica.Pending
	if p == nil {
		return nil, fault.New(fault.Internal, "NO_ACTION", "decision %q belongs to no action", a.Decision)
	}
	root, err := p.Root()
	if err != nil {
		return nil, err
	}
	ruled, err := p.Stated()
	if err != nil {
		return nil, err
	}
	book, err := e.bookFor(ctx, f, p.Base, root)
	if err != nil {
		return nil, err
	}
	prov := e.provider(f, p.Action, p.Base.DicePolicy)
	base := event.Clone(p.Base) // what is waited for may have the action run again
	given := answersGiven(state, f.replica.View(req.As).State, p.Asked, req)
	out, err := rules.Run(ctx, sys, rules.Request{State: base, Own: event.Own(base), Content: book, Action: p.Action, Key: actionKey(f.replica, p.Action), Published: p.Published,
		Recorded: slices.Concat(p.Inputs, given), Early: slices.Concat(req.Command.Answers, root.Answers), Faces: req.Command.Faces,
		Speaker: req.As, Caller: p.Caller, Ruled: ruled, Mode: root.RollMode},
		prov, rules.Resolve(sys, root))
	var diverged *rules.DivergenceError
	if errors.As(err, &diverged) {
		return nil, fault.Wrap(fault.Illegal, "RULES_CHANGED", err, "the rules changed since this was asked; the game master may decide the action again under them by an amendment without a change, or revert it")
	}
	if err != nil {
		return nil, err
	}
	if err := prov.closeAll(ctx, out.Fresh); err != nil {
		return nil, err
	}
	leaving, err := e.leave(ctx, f, out.State, out.Fresh, root, req)
	if err != nil {
		return nil, err
	}
	return newDraft(req.Command, p.Action, slices.Concat(given, out.Inputs), out.Fresh, len(out.Open) > 0, leaving)
}

func answeredBy(s *eventv1.State, as *eventv1.Principal, d *eventv1.Decision, a *eventv1.AnswerDecision) string {
	switch {
	case a.ByDefault:
		return "default"
	case as.GetRole() == eventv1.Principal_ROLE_GM && len(s.Creatures[d.Creature].GetControllers()) > 0:
		return "gm"
	}
	return "answer"
}

func newDraft(cmd *eventv1.Command, action uint64, inputs []*eventv1.Input, events []*eventv1.Event, suspended bool, patient []journal.Message) (*draft, error) {
	data, err := proto.Marshal(cmd)
	if err != nil {
		return nil, fmt.Errorf("engine: marshalling command: %w", err)
	}
	return &draft{cause: &eventv1.CommitCause{Command: data, Action: action}, events: events, patient: patient,
		inputs: &eventv1.CommitInputs{Inputs: inputs, Suspended: suspended}}, nil
}

// seal makes the message that holds the Commit.
func (e *Engine) seal(f *Fight, sys rules.System, d draft) (journal.Message, error) {
	info, at := sys.Info(), e.cfg.Clock().UnixMilli()
	stamp(f.replica.State(), d.events, at)
	return e.sealer.Seal(f.name, f.replica.Head, info.ID, info.Version,
		event.Draft{Header: &eventv1.CommitHeader{UnixMillis: at}, Cause: d.cause, Inputs: d.inputs, Events: d.events})
}

// stamp puts the time of a Commit into those of its events that name one. What they
// say then follows from the header, and deciding again comes to the same.
func stamp(s *eventv1.State, events []*eventv1.Event, at int64) {
	for _, ev := range events {
		if c := ev.GetContest().GetContest(); c != nil && c.UnixMillis == 0 { // filed now
			c.UnixMillis = at
		}
		if d := ev.GetDiceRevealed(); d != nil && d.Branch == "everyone" {
			d.SecretDueUnixMillis = secretDue(s.SecretDice.GetPolicy(), at)
		}
	}
}

// store appends the Commit, alone or together with those of patients, and
// folds it.
func (e *Engine) store(ctx context.Context, f *Fight, msg journal.Message, patients ...journal.Message) (uint64, error) {
	seqs, err := e.log.Append(ctx, append([]journal.Message{msg}, patients...)...)
	if err != nil {
		return 0, err
	}
	raiseTo(&e.stored, seqs[0])
	entry, err := f.apply(ctx, journal.Record{Subject: msg.Subject, Seq: seqs[0], ID: msg.ID, Data: msg.Data})
	if err != nil {
		return 0, err
	}
	e.followAlong(ctx, patients, seqs[1:])
	return entry.Version, nil
}

// Stored is the sequence of the last Commit that was stored from here.
func (e *Engine) Stored() uint64 { return e.stored.Load() }

// requestDigest tells a retry from a request id used for something else.
func requestDigest(req Request) []byte {
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00%s\x00%d\x00%s\x00", req.Table, req.Encounter, req.As.GetRole(), req.As.GetName())
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(req.Command)
	if err == nil {
		h.Write(data)
	}
	return h.Sum(nil)[:16]
}

// View runs fn on the fight as a caller may know it, for the API.
func (f *Fight) View(as *eventv1.Principal, fn func(v *replica.View)) {
	f.Read(func(r *replica.Replica) { fn(r.View(as)) })
}
