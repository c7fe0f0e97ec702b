package engine

import (
	"context"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rpc"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

const (
	// rollsAtOnce is how many bytes of opened rolls one Commit holds, about.
	rollsAtOnce = 256 << 10
	// entriesAtOnce is how many Commits are read at a time to find rolls.
	entriesAtOnce = 200
)

// secretDue is when a policy has secret branches opened, for a fight that ends now;
// 0 where it names no time.
func secretDue(p *eventv1.SecretDice, now int64) int64 {
	if p.GetWhen() != eventv1.SecretDice_WHEN_AFTER {
		return 0
	}
	return max(p.UnixMillis, now+p.SecondsAfterEnd*1000)
}

// owesSecrets tells whether secret branches are to be opened by now.
func (f *Fight) owesSecrets(now time.Time) (owes bool) {
	f.Read(func(r *replica.Replica) {
		at, owed := r.SecretsDue()
		owes = owed && at <= now.UnixMilli() && !f.diceless && f.closed == nil
	})
	return owes
}

// openSecrets opens the secret branches of a fight that is over, epoch by epoch,
// when the table's policy says so: first the rolls are told, then the seeds. A
// server that dies in between tells them again.
func (e *Engine) openSecrets(ctx context.Context, f *Fight) error {
	for f.owesSecrets(e.cfg.Clock()) {
		epoch := f.replica.SecretEpoch()
		if err := e.openSecretsOf(ctx, f, epoch); err != nil {
			return err
		}
		if f.replica.SecretEpoch() == epoch { // a race was lost: later
			return nil
		}
	}
	return nil
}

func (e *Engine) openSecretsOf(ctx context.Context, f *Fight, epoch uint32) error {
	sys, err := e.cfg.Systems.System(f.replica.State().System)
	if err != nil {
		return err
	}
	batches, err := e.secretBatches(ctx, f, epoch)
	if err != nil {
		return err
	}
	if err := e.compared(f, e.log.Compare(ctx, f.name, f.replica.Head, aggregate.CommitHash)); err != nil {
		return err
	}
	for _, events := range batches {
		if err := e.storeOwn(ctx, f, sys, events...); err != nil {
			return err
		}
	}
	return nil
}

// secretBatches are the events that open an epoch's secret branches, Commit by
// Commit: the rolls, and with the last of them the seeds.
func (e *Engine) secretBatches(ctx context.Context, f *Fight, epoch uint32) ([][]*eventv1.Event, error) {
	opened, err := e.secretRolls(ctx, f, epoch)
	if err != nil {
		return nil, err
	}
	var seeds []*eventv1.Event
	for _, branch := range []string{"creatures", "gm"} {
		resp, err := e.cfg.Dice.Reveal(ctx, &dicev1.RevealRequest{Table: f.table, Encounter: f.id, Epoch: epoch, Branch: branch})
		if err != nil {
			return nil, rpc.FromStatus(err)
		}
		told := &eventv1.DiceRevealed{Epoch: epoch, Branch: branch, Seed: resp.Seed}
		if told.SettingUpSeed, err = e.settingUpSeed(ctx, f, epoch, branch); err != nil {
			return nil, err
		}
		seeds = append(seeds, event.New(event.Everyone(), told))
	}
	var batches [][]*eventv1.Event
	var events []*eventv1.Event
	size := 0
	for _, o := range opened {
		if size > 0 && size+proto.Size(o) > rollsAtOnce {
			batches, events, size = append(batches, events), nil, 0
		}
		events, size = append(events, event.New(event.Everyone(), o)), size+proto.Size(o)
	}
	return append(batches, append(events, seeds...)), nil
}

// secretRolls are the rolls of an epoch's secret branches, as they are told when the
// branches are opened: by branch and action. What is of a creature that not
// everybody was told of stays untold.
func (e *Engine) secretRolls(ctx context.Context, f *Fight, epoch uint32) ([]*eventv1.RollsOpened, error) {
	told := newTelling()
	var rolls []*eventv1.Roll
	last := f.replica.Version
	for from := uint64(1); from <= last; from += entriesAtOnce {
		entries, err := e.cfg.Loader.Entries(ctx, f.table, f.id, from, min(last, from+entriesAtOnce-1))
		if err != nil {
			return nil, err
		}
		for _, entry := range entries {
			told.hear(entry)
			of, err := rollsOf(entry)
			if err != nil {
				return nil, err
			}
			rolls = append(rolls, of...)
		}
	}
	rolls = slices.DeleteFunc(rolls, func(r *eventv1.Roll) bool { return r.Epoch&^(1<<31) != epoch || !told.tells(r) })
	return grouped(rolls), nil
}

// telling knows of which creatures everybody was told.
type telling struct{ all, known map[string]bool }

func newTelling() *telling { return &telling{all: map[string]bool{}, known: map[string]bool{}} }

func (t *telling) hear(entry *Entry) {
	for i, ev := range entry.Commit.Events {
		if id := ev.GetCreatureAdded().GetCreature(); id != "" {
			t.all[id] = true
			t.known[id] = t.known[id] || i < len(entry.Heard) && entry.Heard[i].Everyone
		}
	}
}

func (t *telling) tells(r *eventv1.Roll) bool {
	if id, of := strings.CutPrefix(r.Branch, "creature/"); of && !t.known[id] {
		return false
	}
	if r.Creature != "" && !t.known[r.Creature] {
		return false
	}
	// order-free: any one is enough
	for id := range t.all {
		if !t.known[id] && strings.Contains(r.Label, id) {
			return false
		}
	}
	return true
}

// rollsOf are the secret rolls that a Commit holds, those that an amendment decided
// again included.
func rollsOf(entry *Entry) ([]*eventv1.Roll, error) {
	var out []*eventv1.Roll
	take := func(events []*eventv1.Event) {
		for _, ev := range events {
			if r := ev.GetRoll(); r != nil && r.Branch != "everyone" && r.Branch != "" && r.Action > 0 {
				out = append(out, r)
			}
		}
	}
	take(entry.Commit.Events)
	for _, ev := range entry.Commit.Events {
		for _, c := range ev.GetAmended().GetCommands() {
			again, err := replica.OpenRedecided(c, entry.Commit.Header)
			if err != nil {
				return nil, err
			}
			take(again.Events)
		}
	}
	return out, nil
}

// grouped puts rolls together by epoch, branch and action, in the order in which
// they come; the same roll is told once.
func grouped(rolls []*eventv1.Roll) []*eventv1.RollsOpened {
	var out []*eventv1.RollsOpened
	at := map[drawnFrom]*eventv1.RollsOpened{}
	for _, r := range rolls {
		key := drawnFrom{r.Epoch, r.Action, r.Branch}
		o := at[key]
		if o == nil {
			o = &eventv1.RollsOpened{Epoch: r.Epoch, Branch: r.Branch, Action: r.Action}
			at[key], out = o, append(out, o)
		}
		bare := barely(r)
		if !slices.ContainsFunc(o.Rolls, func(had *eventv1.Roll) bool { return proto.Equal(had, bare) }) {
			o.Rolls = append(o.Rolls, bare)
		}
	}
	return out
}

// barely is a roll without what it was for: what its faces are verified by.
func barely(r *eventv1.Roll) *eventv1.Roll {
	return &eventv1.Roll{Label: r.Label, Index: r.Index, Expression: r.Expression, Value: r.Value, Supplied: r.Supplied,
		Action: r.Action, Epoch: r.Epoch, Branch: r.Branch, Faces: r.Faces, SuppliedFaces: r.SuppliedFaces, Fixed: r.Fixed}
}

// openRolls opens secret rolls of one step, by the game master's word. The leaf of
// an action is opened before the Commit tells it: should the Commit not come to be,
// nothing is drawn with that leaf any more, and the command can be repeated.
func (e *Engine) openRolls(ctx context.Context, f *Fight, req Request) (*draft, error) {
	c, s := req.Command.GetOpenRolls(), f.replica.State()
	if s.SecretDice.GetPolicy().GetWhen() != eventv1.SecretDice_WHEN_BY_GAME_MASTER {
		return nil, fault.Refuse("SECRET_DICE", "", "the policy of this table does not leave it to the game master to open secret rolls")
	}
	if c.Step == 0 || c.Step > f.replica.Version {
		return nil, fault.Field("command.open_rolls.step", "must be 1 to %d", f.replica.Version)
	}
	entry, err := e.entry(ctx, f, c.Step)
	if err != nil {
		return nil, err
	}
	rolls, err := rollsOf(entry)
	if err != nil {
		return nil, err
	}
	rolls = slices.DeleteFunc(rolls, func(r *eventv1.Roll) bool { return c.Label != "" && r.Label != c.Label })
	if err := e.openable(f, rolls); err != nil {
		return nil, err
	}
	var events []*eventv1.Event
	for _, o := range grouped(rolls) {
		resp, err := e.cfg.Dice.Reveal(ctx, &dicev1.RevealRequest{Table: f.table, Encounter: f.id, Epoch: o.Epoch, Branch: o.Branch, Action: o.Action})
		if err != nil {
			return nil, rpc.FromStatus(err)
		}
		o.Leaf, o.Path, o.SeedHash = resp.Leaf, resp.Path, resp.SeedHash
		events = append(events, event.New(event.Everyone(), o))
	}
	return newDraft(req.Command, 0, nil, events, false, nil)
}

// openable refuses to open rolls of an action that still goes on, of dice for
// setting up, and of creatures that are staged.
func (e *Engine) openable(f *Fight, rolls []*eventv1.Roll) error {
	s, p := f.replica.State(), f.replica.Pending
	if len(rolls) == 0 {
		return fault.Refuse("NO_SECRET_ROLL", "", "the step holds no such roll on a secret branch")
	}
	for _, r := range rolls {
		id, ofCreature := strings.CutPrefix(r.Branch, "creature/")
		switch {
		case p != nil && f.replica.Draws.Number(r.Branch, p.Action) == r.Action:
			return fault.Refuse("DECISION_PENDING", "", "the action of that roll waits for a decision and may roll again")
		case r.Epoch != event.SettingUpEpoch(r.Epoch):
		case ofCreature:
			return fault.Refuse("OPENED_AS_A_WHOLE", "", "what was rolled before the start is not opened one by one")
		}
		for _, c := range []string{id, r.Creature} {
			if s.Creatures[c].GetStaged() && (ofCreature || c == r.Creature) {
				return fault.Refuse("STAGED", "", "%q is staged: reveal it before its rolls are opened", c)
			}
		}
		// order-free: any one is enough
		for staged, c := range s.Creatures {
			if c.Staged && strings.Contains(r.Label, staged) {
				return fault.Refuse("STAGED", "", "the roll names %q, who is staged", staged)
			}
		}
	}
	return nil
}

// closedBy tells everybody of entropy that an amendment closed: its own events are
// for the game master.
func closedBy(was, now *eventv1.State) []*eventv1.Event {
	var out []*eventv1.Event
	if was.SettingUp.GetOpen() && now.EntropyOpen && !now.SettingUp.GetOpen() {
		out = append(out, event.New(event.Everyone(), &eventv1.EntropyClosed{Epoch: event.SettingUpEpoch(was.Epoch)}))
	}
	if was.EntropyOpen && !now.EntropyOpen {
		out = append(out, event.New(event.Everyone(), &eventv1.EntropyClosed{Epoch: was.Epoch}))
	}
	return out
}
