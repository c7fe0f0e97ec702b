package engine

import (
	"context"
	"errors"
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// Foresee says what a command would do if it were given now. It is made from what
// the caller sees and from nothing else, so that it cannot tell what the caller may
// not know; no face is drawn, nothing is stored, and the fight is not held up (T3).
func (e *Engine) Foresee(ctx context.Context, f *Fight, as *eventv1.Principal, cmd *eventv1.Command) (*encounterv1.PreviewResponse, error) {
	if err := foreseeable(as, cmd); err != nil {
		return nil, err
	}
	cmd = proto.CloneOf(cmd)
	var state *eventv1.State
	var err error
	f.Read(func(r *replica.Replica) {
		if state = event.Clone(r.View(as).State); r.Pending != nil {
			err = pending(r, as)
		}
	})
	if err != nil {
		return nil, err
	}
	sys, err := e.cfg.Systems.System(state.System)
	if err != nil {
		return nil, err
	}
	book, err := e.Book(ctx, f, state)
	if err != nil {
		return nil, err
	}
	if err := rules.Ahead(state, as, "command.answers", cmd.Answers); err != nil {
		return nil, err
	}
	p := &previewing{sys: sys, as: as, cmd: cmd, state: state, book: book}
	return p.respond(ctx)
}

// foreseeable refuses what cannot be foreseen.
func foreseeable(as *eventv1.Principal, cmd *eventv1.Command) error {
	if as.GetRole() == eventv1.Principal_ROLE_SPECTATOR {
		return fault.New(fault.Denied, "NOT_ALLOWED", "spectators only watch")
	}
	switch cmd.GetWhat().(type) {
	case nil:
		return fault.Field("command", "missing")
	case *eventv1.Command_Create, *eventv1.Command_Answer, *eventv1.Command_Patient, *eventv1.Command_Revert, *eventv1.Command_Redo, *eventv1.Command_Amend:
		return fault.Field("command", "cannot be previewed here; for rulings there is the dry run")
	}
	if beside(cmd) {
		return fault.Field("command", "changes nothing of the fight")
	}
	if len(cmd.Faces) > 0 {
		return fault.Field("command.faces", "a preview takes no dice")
	}
	return checkSize(cmd)
}

// guessHigher is by how much the numbers of the second guess are higher: enough to
// come into another row of the tables by which systems read abilities.
const guessHigher = 7

// previewing is one preview.
type previewing struct {
	sys   rules.System
	as    *eventv1.Principal
	cmd   *eventv1.Command
	state *eventv1.State // the caller's
	book  *effects.Book
}

// respond makes the answer. Where creatures are there whose numbers the caller does
// not know, the command is followed twice, with two guesses at them that are made
// from what the caller knows: only what both agree in is told.
func (p *previewing) respond(ctx context.Context) (*encounterv1.PreviewResponse, error) {
	out := &encounterv1.PreviewResponse{}
	if err := p.allowed(); err != nil {
		return refusedWith(out, err), nil
	}
	out.Option = p.option()
	first, unknown := p.guess(0)
	out.Unknown = unknown
	a, err := p.foresee(ctx, first)
	if err != nil {
		return nil, err
	}
	var b *rules.Foresight
	if len(unknown) > 0 && a != nil {
		second, _ := p.guess(guessHigher)
		if b, err = p.foresee(ctx, second); err != nil {
			return nil, err
		}
	}
	switch {
	case a == nil:
		return out, nil // it depends on what the caller does not know
	case a.Refused != nil && len(unknown) > 0 && (b == nil || b.Refused == nil || a.Refused.Error() != b.Refused.Error()):
		return out, nil
	case a.Refused != nil:
		return refusedWith(out, a.Refused), nil
	}
	p.rolls(out, a, b, unknown)
	p.asks(out, a)
	if len(unknown) == 0 || b != nil {
		return out, p.ends(out, first, a, b, unknown)
	}
	return out, nil
}

// refusedWith words a refusal.
func refusedWith(out *encounterv1.PreviewResponse, err error) *encounterv1.PreviewResponse {
	out.Refused = err.Error()
	if f, ok := fault.As(err); ok {
		out.Reason, out.Rule = f.Reason, f.Rule
	}
	return out
}

// allowed is what would be refused before any rule runs.
func (p *previewing) allowed() error {
	if err := permitted(p.state, p.as, p.cmd); err != nil {
		return err
	}
	for _, t := range takes(p.cmd) {
		if !rules.MayCall(p.sys, p.as, t.GetAction()) {
			return fault.New(fault.Denied, "GAME_MASTERS_CALL", "%q is the game master's call", t.GetAction())
		}
	}
	return nil
}

// option is the option that a command takes.
func (p *previewing) option() *eventv1.Option {
	creature, action, item := p.cmd.GetTake().GetCreature(), p.cmd.GetTake().GetAction(), p.cmd.GetTake().GetItem()
	if p.cmd.GetEndTurn() != nil {
		creature, action = p.cmd.GetEndTurn().Creature, "end-turn"
		if creature == "" && len(p.state.Active) == 1 {
			creature = p.state.Active[0]
		}
	}
	if p.state.Creatures[creature] == nil {
		return nil
	}
	var found *eventv1.Option
	for _, o := range p.sys.Options(rules.Query{State: p.state, Creature: creature, Content: p.book, Actions: []string{action}, WithoutSquares: true}) {
		if o.Action == action && (found == nil || o.Item == item && found.Item != item) {
			found = o
		}
	}
	return found
}

// guess is the caller's state with something in the place of the sheets that the
// caller does not see: made from the sheet of who acts, its numbers so much higher.
func (p *previewing) guess(more int32) (*eventv1.State, []string) {
	like := p.state.Creatures[p.actor()].GetSheet()
	var unknown []string
	s := event.Clone(p.state)
	for _, id := range rules.SortedKeys(s.Creatures) {
		c := s.Creatures[id]
		if c.Sheet != nil {
			continue
		}
		unknown = append(unknown, id)
		if like == nil {
			continue
		}
		c.Sheet = proto.CloneOf(like)
		raise(c.Sheet.ProtoReflect(), more)
		c.Sheet.Id, c.Sheet.Name, c.Sheet.Side, c.Sheet.Controllers, c.Sheet.Patient = c.Id, c.Name, c.Side, slices.Clone(c.Controllers), ""
		if c.Hp == nil {
			hp := like.HitPoints + more
			c.Hp, c.HpMax = &hp, &hp
		}
	}
	return s, unknown
}

// actor is who acts: of the caller's creatures any, when the command says nobody.
func (p *previewing) actor() string {
	for _, t := range takes(p.cmd) {
		return t.GetCreature()
	}
	if id := p.cmd.GetEndTurn().GetCreature(); id != "" {
		return id
	}
	for _, id := range rules.SortedKeys(p.state.Creatures) {
		if c := p.state.Creatures[id]; c.Sheet != nil && event.Controls(c, p.as) {
			return id
		}
	}
	return ""
}

// raise makes the small numbers of a message higher.
func raise(m protoreflect.Message, more int32) {
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case fd.IsMap() && fd.MapValue().Kind() == protoreflect.Int32Kind:
			v.Map().Range(func(k protoreflect.MapKey, n protoreflect.Value) bool { // order-free: each by itself
				v.Map().Set(k, protoreflect.ValueOfInt32(int32(n.Int())+more)) //nolint:gosec // an int32
				return true
			})
		case fd.IsMap(), fd.IsList() && fd.Message() == nil:
		case fd.IsList():
			for i := range v.List().Len() {
				raise(v.List().Get(i).Message(), more)
			}
		case fd.Message() != nil:
			raise(v.Message(), more)
		case fd.Kind() == protoreflect.Int32Kind && v.Int() > 0 && v.Int() < 100:
			m.Set(fd, protoreflect.ValueOfInt32(int32(v.Int())+more)) //nolint:gosec // an int32
		}
		return true
	})
}

// foresee follows the command from a state; nil when that cannot be done with it.
func (p *previewing) foresee(ctx context.Context, s *eventv1.State) (*rules.Foresight, error) {
	out, err := rules.Foresee(ctx, p.sys, rules.Request{State: s, Content: p.book, Action: 1, Early: p.cmd.Answers, Speaker: p.as, Caller: p.as,
		Mode: p.cmd.RollMode}, rules.Resolve(p.sys, p.cmd), limits.PreviewRuns)
	if errors.Is(err, rules.ErrUnforeseen) {
		return nil, nil //nolint:nilnil // said above
	}
	return out, err
}

// rolls lists the rolls that the caller would see made.
func (p *previewing) rolls(out *encounterv1.PreviewResponse, a, b *rules.Foresight, unknown []string) {
	for _, r := range a.Rolls {
		if !event.Hear(p.state, &eventv1.Event{Audience: r.Audience}).By(p.as) {
			continue
		}
		told := &encounterv1.PreviewRoll{Creature: r.Roll.Creature, Label: r.Roll.Label, Reason: r.Roll.Reason}
		other := same(b, r)
		if slices.Contains(unknown, r.Roll.Creature) { // it is named, and nothing more
			out.Rolls = append(out.Rolls, told)
			continue
		}
		if len(unknown) == 0 || other != nil && proto.Equal(r.Roll, other.Roll) {
			told.Expression, told.Modifiers, told.Edges, told.Target, told.Odds = r.Roll.Expression, r.Roll.Modifiers, r.Roll.Edges, r.Roll.Target, r.Odds
		} else if other != nil && r.Roll.Expression == other.Roll.Expression {
			told.Expression = r.Roll.Expression
			if slices.EqualFunc(r.Roll.Modifiers, other.Roll.Modifiers, func(x, y *eventv1.Modifier) bool { return proto.Equal(x, y) }) {
				told.Modifiers = r.Roll.Modifiers
			}
			if slices.EqualFunc(r.Roll.Edges, other.Roll.Edges, func(x, y *eventv1.Edge) bool { return proto.Equal(x, y) }) {
				told.Edges = r.Roll.Edges
			}
		}
		if !a.Cut && (len(unknown) == 0 || other != nil && !b.Cut && r.Chance.Cmp(other.Chance) == 0) {
			told.Chance = r.Chance.RatString()
		}
		out.Rolls = append(out.Rolls, told)
	}
}

// same finds a roll in another foresight.
func same(x *rules.Foresight, r *rules.ForeseenRoll) *rules.ForeseenRoll {
	if x == nil {
		return nil
	}
	for _, o := range x.Rolls {
		if o.Roll.Label == r.Roll.Label && o.Roll.Index == r.Roll.Index && o.Roll.Branch == r.Roll.Branch {
			return o
		}
	}
	return nil
}

// asks lists the decisions that are the caller's, and the claims that the game master
// would be asked to grant: of what others are asked nothing is told.
func (p *previewing) asks(out *encounterv1.PreviewResponse, a *rules.Foresight) {
	for _, q := range a.Asks {
		if !rules.MayAnswer(p.state, p.as, q.Decision) && q.Decision.Name != rules.DecisionClaim {
			continue
		}
		d := proto.CloneOf(q.Decision)
		d.Id = ""
		if p.as.Role != eventv1.Principal_ROLE_GM {
			d.Odds = nil // made from guesses
		}
		out.Asks = append(out.Asks, &encounterv1.PreviewAsk{Decision: d, Assumed: q.Assumed})
	}
}

// ends lists how the command may go, where no guess decides it.
func (p *previewing) ends(out *encounterv1.PreviewResponse, from *eventv1.State, a, b *rules.Foresight, unknown []string) error {
	if b != nil && (len(a.Ends) != len(b.Ends) || slices.ContainsFunc(a.Rolls, func(r *rules.ForeseenRoll) bool {
		return len(r.Odds) > 0 && slices.Contains(unknown, r.Roll.Creature)
	})) {
		return nil
	}
	var ends []*encounterv1.PreviewEnd
	for i, end := range a.Ends {
		told, err := p.end(from, end)
		if err != nil {
			return err
		}
		if b != nil {
			guessed, err := p.end(from, b.Ends[i])
			if err != nil {
				return err
			}
			told.Changes, guessed.Changes = known(told.Changes, unknown), known(guessed.Changes, unknown)
			if !proto.Equal(told, guessed) {
				return nil
			}
		}
		ends = append(ends, told)
	}
	out.Ends, out.Cut = ends, a.Cut
	return nil
}

// end is one way to go as the caller would see it.
func (p *previewing) end(from *eventv1.State, end *rules.ForeseenEnd) (*encounterv1.PreviewEnd, error) {
	out := &encounterv1.PreviewEnd{Odds: end.Chance.RatString(), Waits: len(end.Open) > 0}
	for _, r := range end.Rolls {
		out.Rolls = append(out.Rolls, &encounterv1.PreviewOutcome{Creature: r.Creature, Label: r.Label, Outcome: r.Outcome})
	}
	after := event.Clone(from)
	for _, ev := range event.Visible(from, end.Events, p.as) {
		if ev.GetDecisionRequested() == nil && ev.GetDecisionAnswered() == nil {
			event.Fold(after, ev)
		}
	}
	changes, err := event.Difference(from, after)
	for _, c := range changes {
		out.Changes = append(out.Changes, &encounterv1.Change{Path: c.Path, Before: c.Before, After: c.After})
	}
	return out, err
}

// known leaves out changes of creatures whose numbers are guessed.
func known(changes []*encounterv1.Change, unknown []string) []*encounterv1.Change {
	return slices.DeleteFunc(changes, func(c *encounterv1.Change) bool {
		return slices.ContainsFunc(unknown, func(id string) bool { return c.Path == "creatures."+id || underCreature(c.Path, id) })
	})
}

func underCreature(path, id string) bool {
	prefix := "creatures." + id + "."
	return len(path) > len(prefix) && path[:len(prefix)] == prefix
}
