package engine

import (
	"context"
	"slices"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/text"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/corrected"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// takeBack asks to take back the caller's last commands, of whoever the table says
// decides.
func (e *Engine) takeBack(ctx context.Context, f *Fight, req Request, t *eventv1.TakeBack) (*draft, error) {
	if err := text.Line(t.Words, limits.LineBytes); err != nil {
		return nil, fault.Field("command.take_back.words", "%v", err)
	}
	n := int(max(1, t.Commands))
	if n > limits.TakenBack {
		return nil, fault.Limit("commands taken back at once", limits.TakenBack, int64(n))
	}
	if req.As.Role == eventv1.Principal_ROLE_GM {
		return nil, fault.Refuse("NOBODY_TO_ASK", "", "the game master asks nobody: revert")
	}
	own, err := e.ownLast(ctx, f, req.As, n)
	if err != nil {
		return nil, err
	}
	c := e.newContest(f, req.As, t.Words, eventv1.Contest_KIND_TAKE_BACK, f.replica.Chain[own[0]].Origin)
	c.Commands = uint32(n) //nolint:gosec // bounded above
	if err := mayFile(f.replica.State(), c); err != nil {
		return nil, err
	}
	switch rules.OfTable(f.replica.State(), rules.SettingTakeBack) {
	case rules.TakeBackUnseenDice:
		return e.takeBackUnseen(ctx, f, req, c, own)
	case rules.TakeBackPlayers:
		if c.Asked, err = e.concerned(ctx, f, req.As, own); err != nil {
			return nil, err
		}
		c.ByVote = len(c.Asked) > 0 // else the game master decides
	}
	told, err := e.toldOf(ctx, f, c)
	if err != nil {
		return nil, err
	}
	return aside(f, req.Command, told)
}

// takeBackUnseen grants a take-back of which the caller saw no die. What is done
// again rolls the same: dice that others saw are worth nothing to the caller, and
// that there were any is not told.
func (e *Engine) takeBackUnseen(ctx context.Context, f *Fight, req Request, c *eventv1.Contest, own []int) (*draft, error) {
	for _, i := range own {
		heard, err := e.heardOf(ctx, f, f.replica.Chain[i])
		if err != nil {
			return nil, err
		}
		for _, h := range heard {
			if h.event.GetRoll() != nil && h.who.By(req.As) {
				return nil, fault.Refuse("DIE_SEEN", "", "a die was seen: at this table nobody takes that back")
			}
		}
	}
	return e.grant(ctx, f, req, c, eventv1.RepeatPolicy_REPEAT_POLICY_SAME)
}

// heardEvent is an event with who heard it.
type heardEvent struct {
	event *eventv1.Event
	who   event.Audible
}

// heardOf are the events of a command and of the answers that it met.
func (e *Engine) heardOf(ctx context.Context, f *Fight, l replica.Link) ([]heardEvent, error) {
	var out []heardEvent
	add := func(version uint64) error {
		entry, err := e.entry(ctx, f, version)
		if err != nil {
			return err
		}
		for i, ev := range entry.Commit.Events {
			out = append(out, heardEvent{ev, entry.Heard[i]})
		}
		return nil
	}
	if l.At == l.Origin {
		if err := add(l.Origin); err != nil {
			return nil, err
		}
	} else {
		rec, err := e.recordOf(ctx, f, l)
		if err != nil {
			return nil, err
		}
		for _, ev := range rec.events {
			out = append(out, heardEvent{ev, event.Hear(f.replica.State(), ev)})
		}
	}
	for _, v := range l.Answers {
		if err := add(v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// ownLast finds the caller's last commands in the chain, oldest first. What others
// did since then stands in the way if the caller saw any of it; what it did not see
// is not told by a refusal.
func (e *Engine) ownLast(ctx context.Context, f *Fight, as *eventv1.Principal, n int) ([]int, error) {
	deeds := e.deeds(f)
	var own []int
	for i := len(deeds.Links) - 1; i > 0 && len(own) < n; i-- {
		d, err := deeds.Deed(ctx, i)
		if err != nil {
			return nil, err
		}
		if sameCaller(as, d.Caller) {
			own = append(own, i)
			continue
		}
		if d.HeardBy(as) {
			break
		}
	}
	if len(own) < n {
		return nil, fault.Refuse("NOT_YOUR_LAST", "", "of what was done last, %d commands are your own: no more can be taken back", len(own))
	}
	slices.Reverse(own)
	return own, nil
}

// sawAny are who heard any of some commands of the chain, or of the answers that they met.
func (e *Engine) sawAny(ctx context.Context, f *Fight, own []int) (everyone bool, names []string, err error) {
	for _, i := range own {
		heard, err := e.heardOf(ctx, f, f.replica.Chain[i])
		if err != nil {
			return false, nil, err
		}
		for _, h := range heard {
			everyone = everyone || h.who.Everyone
			names = append(names, h.who.Players...)
		}
	}
	return everyone, names, nil
}

// concerned are the other players who play somebody and heard any of the commands: those
// who are told of the take-back.
func (e *Engine) concerned(ctx context.Context, f *Fight, as *eventv1.Principal, own []int) ([]string, error) {
	everyone, names, err := e.sawAny(ctx, f, own)
	if err != nil {
		return nil, err
	}
	s := f.replica.State()
	saw := creaturesOf(s, names)
	if everyone {
		saw = rules.SortedKeys(s.Creatures)
	}
	var out []string
	for _, id := range saw {
		out = append(out, s.Creatures[id].Controllers...)
	}
	slices.Sort(out)
	return slices.DeleteFunc(slices.Compact(out), func(name string) bool { return name == as.Name }), nil
}

// taking is what a take-back comes to where it is granted.
type taking struct {
	own    []int              // places in the chain of the commands that are taken back
	others bool               // others did something behind the first of them
	deeds  *corrected.History // all that counts
}

// toTake finds what a take-back is about: those of the claimant's commands, from the first
// that it names to the moment when it was filed, that still count. What else was done
// behind them stands in the way where both the claimant and whoever grants it saw it: a
// refusal for anything else would tell one of them.
func (e *Engine) toTake(ctx context.Context, f *Fight, c *eventv1.Contest, by *eventv1.Principal) (*taking, error) {
	t := &taking{deeds: e.deeds(f)}
	filed, seen := filedAt(f.replica, c.Id), false
	for i, l := range t.deeds.Links {
		if l.Origin < c.Version && len(t.own) == 0 {
			continue
		}
		d, err := t.deeds.Deed(ctx, i)
		if err != nil {
			return nil, err
		}
		knows := func(p *eventv1.Principal) bool {
			return p.GetRole() == eventv1.Principal_ROLE_GM || sameCaller(p, d.Caller) || d.HeardBy(p)
		}
		switch {
		case sameCaller(c.By, d.Caller) && l.Origin < filed:
			t.own, seen = append(t.own, i), seen || knows(by)
		case len(t.own) == 0:
		case knows(c.By) && knows(by):
			return nil, fault.Refuse("MOVED_ON", "", "something was done since: the game master may revert, or amend the command")
		default:
			t.others = true
		}
	}
	if !seen {
		return nil, fault.Refuse("TAKEN_BACK", "", "it was taken back already")
	}
	return t, nil
}

// grant takes the commands of a take-back back, by whoever may.
func (e *Engine) grant(ctx context.Context, f *Fight, req Request, c *eventv1.Contest, repeat eventv1.RepeatPolicy) (*draft, error) {
	t, err := e.toTake(ctx, f, c, req.As)
	if err != nil {
		return nil, err
	}
	rule := e.takeOff
	if t.others {
		rule = e.takeOut
	}
	d, err := rule(ctx, f, req.Command, t, reasonFor(c), repeat)
	if err != nil {
		return nil, err
	}
	c.Status, c.Ruling = eventv1.Contest_STATUS_UPHELD, f.replica.Version+1
	told, err := e.toldOf(ctx, f, c)
	d.events = append(d.events, told...)
	return d, err
}

// reasonFor is why a take-back was granted, as everybody is told.
func reasonFor(c *eventv1.Contest) string {
	if c.Words == "" {
		return "taken back"
	}
	return c.Words
}

// takeOff takes back what was done last: the encounter is put back.
func (e *Engine) takeOff(ctx context.Context, f *Fight, cmd *eventv1.Command, t *taking, reason string, repeat eventv1.RepeatPolicy) (*draft, error) {
	then, err := e.beforeTaken(ctx, f, t)
	if err != nil {
		return nil, err
	}
	return e.putBack(ctx, f, cmd, then, &eventv1.Reverted{Reason: reason}, repeat)
}

// beforeTaken is the encounter before what was done last.
func (e *Engine) beforeTaken(ctx context.Context, f *Fight, t *taking) (*went, error) {
	l := f.replica.Chain[t.own[0]]
	to := past{version: l.Origin - 1}
	switch {
	case l.Index > 0: // within an amendment
		to = past{version: l.At, stays: l.Index}
	case l.Held():
		am, err := e.amendedAt(ctx, f, l.At)
		if err != nil {
			return nil, err
		}
		to.version = am.Base
	}
	then, err := e.goBack(ctx, f, to)
	if err != nil {
		return nil, err
	}
	return then, e.patientsStay(ctx, f, then.replica.State(), origins(then.replica.Chain))
}

// answerContest takes the answer of a player who is asked to grant a take-back, or
// the claimant's giving its contest up.
func (e *Engine) answerContest(ctx context.Context, f *Fight, req Request, a *eventv1.AnswerContest) (*draft, error) {
	s := f.replica.State()
	if f.replica.View(req.As).State.Contests[a.Contest] == nil {
		return nil, fault.New(fault.NotFound, "UNKNOWN_CONTEST", "there is no contest %q", a.Contest)
	}
	c, err := openContest(s, "command.answer_contest.contest", a.Contest)
	if err != nil {
		return nil, err
	}
	mine := sameCaller(c.By, req.As)
	switch {
	case a.Withdraw && !mine:
		return nil, fault.New(fault.Denied, "NOT_YOUR_CONTEST", "only who filed it gives it up")
	case a.Withdraw:
		c.Status = eventv1.Contest_STATUS_WITHDRAWN
	case req.As.Role != eventv1.Principal_ROLE_PLAYER || !slices.Contains(c.Asked, req.As.Name):
		return nil, fault.New(fault.Denied, "NOT_ASKED", "you are not asked about this contest")
	case !a.Grant:
		c.Status, c.Reason = eventv1.Contest_STATUS_DECLINED, "refused"
	case slices.Contains(c.Granted, req.As.Name):
		return nil, fault.Refuse("ANSWERED", "", "you have granted it already")
	default:
		return e.granted(ctx, f, req, c)
	}
	told, err := e.toldOf(ctx, f, c)
	if err != nil {
		return nil, err
	}
	return aside(f, req.Command, told)
}

// granted counts one player's grant; the last of them takes the commands back.
func (e *Engine) granted(ctx context.Context, f *Fight, req Request, c *eventv1.Contest) (*draft, error) {
	c.Granted = append(c.Granted, req.As.Name)
	left := slices.ContainsFunc(c.Asked, func(name string) bool { return !slices.Contains(c.Granted, name) })
	if !left {
		return e.grant(ctx, f, req, c, f.replica.State().RepeatPolicy)
	}
	if _, err := e.toTake(ctx, f, c, req.As); err != nil {
		return nil, err
	}
	// How players answered is told to the game master alone.
	return aside(f, req.Command, []*eventv1.Event{event.New(event.GM(), &eventv1.ContestSet{Contest: c})})
}
