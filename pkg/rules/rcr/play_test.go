package rcr

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// TestRandomPlay plays fights out of what Options lists and holds what must
// hold after every command: whatever is listed as legal is done, hit points
// stay in range, the dead have no turn, open decisions can be answered.
func TestRandomPlay(t *testing.T) {
	for seed := range 10 * length(t) {
		playOut(t, seed)
	}
}

func playOut(t *testing.T, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 7))
	f := newTable(t, setInitiativeChoice+"="+[]string{"ask", "players", "best"}[seed%3], setTieBreak+"="+[]string{"ask", "dexterity"}[seed%2])
	f.Roller = func(sides int) int { return rng.IntN(sides) + 1 }
	names := sheets.List(ID)
	var surprised []string
	for i, n := range rng.Perm(len(names))[:5] {
		s := shipped(t, names[n], names[n])
		if i == 0 {
			s.Side = "party"
		}
		if seed%4 == 0 && i < 2 {
			surprised = append(surprised, s.Id)
		}
		add := &eventv1.AddCreature{Sheet: s}
		if seed%2 == 0 {
			add.Position = &eventv1.Position{X: int32(rng.IntN(6) * 5), Y: int32(rng.IntN(6) * 5)}
		}
		f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: add}})
	}
	start := &eventv1.StartEncounter{}
	if len(surprised) > 0 {
		start.Facts = object("surprised", surprised)
	}
	f.Must(&eventv1.Command{What: &eventv1.Command_Start{Start: start}})
	for range 120 {
		settleDecisions(f, rng)
		checkInvariants(t, f, seed)
		checkReplay(t, f, seed)
		checkSecrets(t, f, seed)
		if rng.IntN(16) == 0 {
			checkExactness(t, f, rng, seed)
		}
		if rng.IntN(12) == 0 {
			vex(f, rng)
			settleDecisions(f, rng)
		}
		if len(f.State.Active) == 0 {
			break
		}
		id := f.State.Active[rng.IntN(len(f.State.Active))]
		cmd := randomCommand(f, rng, id)
		err := f.Try(cmd)
		if fault.Is(err, fault.Illegal) && guessed(cmd) {
			f.Command = nil
			continue // legal by another mode of movement, or for another task
		}
		if err != nil {
			t.Fatalf("seed %d: %v was listed as legal: %v", seed, cmd, err)
		}
	}
}

// guessed tells whether a command names what no option can list: how it moves,
// which task it is about.
func guessed(cmd *eventv1.Command) bool {
	take := cmd.GetTake()
	return take.GetAction() == "move" || word(take.GetParameters(), "task") != "" || word(take.GetParameters(), "question") != "" ||
		word(take.GetParameters(), "mode") != ""
}

// settleDecisions answers what is open at random.
func settleDecisions(f *table, rng *rand.Rand) {
	f.T.Helper()
	for range 200 {
		if len(f.Decisions) == 0 {
			return
		}
		d := f.Decisions[rng.IntN(len(f.Decisions))]
		if len(d.Options) == 0 && d.Kind == eventv1.DecisionKind_DECISION_KIND_OPTION {
			f.T.Fatalf("decision %s without options", d.Name)
		}
		a := &eventv1.Answer{Number: d.Minimum}
		if len(d.Options) > 0 {
			a.Option = d.Options[rng.IntN(len(d.Options))].Id
		}
		f.Recorded = append(f.Recorded, rules.Answered(d, a, "answer"))
		if err := f.Resume(nil); err != nil {
			f.T.Fatalf("answer %v to %s: %v", a, d.Name, err)
		}
	}
	f.T.Fatal("questions without end")
}

// randomCommand takes one of the legal options, or ends the turn.
func randomCommand(f *table, rng *rand.Rand, id string) *eventv1.Command {
	var legal []*eventv1.Option
	for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: id}) {
		if o.Legal && o.Action != "end-turn" {
			legal = append(legal, o)
		}
	}
	if len(legal) == 0 || rng.IntN(4) == 0 {
		return endTurn(id)
	}
	return commandOf(rng, legal[rng.IntN(len(legal))])
}

// fighting are the actions of attacks and of the turn.
var fighting = []string{"attack", "off-hand-attack", "use-power", "dash", "disengage", "dodge", "help", "action-surge", "ready"}

func checkInvariants(t *testing.T, f *table, seed uint64) {
	t.Helper()
	for _, id := range rules.SortedKeys(f.State.Creatures) {
		c := f.State.Creatures[id]
		if c.GetHp() < 0 || c.GetHp() > c.GetHpMax() || c.GetHpTemp() < 0 {
			t.Fatalf("seed %d: %s has %d of %d hit points", seed, id, c.GetHp(), c.GetHpMax())
		}
		if c.GetHp() == 0 && !dead(c) && !down(c) {
			t.Fatalf("seed %d: %s stands at 0 hit points", seed, id)
		}
		for _, name := range rules.SortedKeys(c.Counters) {
			if c.Counters[name] < 0 && name != cWounds {
				t.Fatalf("seed %d: %s has %s %d", seed, id, name, c.Counters[name])
			}
		}
		if slices.Contains(f.State.Active, id) && (dead(c) || down(c)) && len(f.Decisions) == 0 {
			t.Fatalf("seed %d: %s has the turn and cannot have one", seed, id)
		}
		if has(c, condProne) && has(c, condCrouching) {
			t.Fatalf("seed %d: %s is prone and crouches after %v: %v", seed, id, f.Command, c.Conditions)
		}
	}
	if len(f.Decisions) == 0 && len(f.State.Decisions) != 0 {
		t.Fatalf("seed %d: decisions left in the state: %v", seed, f.State.Decisions)
	}
}

// checkSecrets holds that what must stay secret goes to nobody who must not
// see it: hit points, the tally of death saves, totals not yet called.
//
// rcr.hp.secret-totals, rcr.death.secret-saves, rcr.initiative.range-call
func checkSecrets(t *testing.T, f *table, seed uint64) {
	t.Helper()
	s := event.Clone(f.Before)
	for _, e := range f.Published {
		open := e.Audience.Kind == eventv1.Audience_KIND_EVERYONE
		gm := e.Audience.Kind == eventv1.Audience_KIND_GM
		switch {
		case open && (e.GetHitPoints() != nil || e.GetDamage() != nil || e.GetHealing() != nil || e.GetSheetSet() != nil):
			t.Fatalf("seed %d: everyone sees %v", seed, e)
		case !gm && strings.HasPrefix(e.GetCounter().GetCounter(), "death."), !gm && strings.HasSuffix(e.GetRoll().GetLabel(), "/death-save"):
			t.Fatalf("seed %d: somebody sees %v", seed, e)
		case open && e.GetInitiativeSet() != nil:
			if i := e.GetInitiativeSet(); i.Round != s.Round || blockOf(i.Total) > blockNow(s) {
				t.Fatalf("seed %d: round %d, block %q: everyone sees %v", seed, s.Round, s.Marks[mBlock], i)
			}
		}
		event.Fold(s, e)
	}
}

// checkReplay runs the last action again from its record alone.
func checkReplay(t *testing.T, f *table, seed uint64) {
	t.Helper()
	if f.Command == nil {
		return // nothing has happened
	}
	roller := f.Roller
	f.Roller, f.Faces = nil, nil
	defer func() { f.Roller = roller }()
	out, err := rules.Run(context.Background(), System{}, rules.Request{State: f.Before, Action: f.Action, Recorded: f.Recorded,
		Published: f.Published, Early: f.Command.Answers}, f, rules.Resolve(System{}, f.Command))
	if err != nil || len(out.Fresh) != 0 || len(out.Inputs) != 0 {
		t.Fatalf("seed %d: %v again: %v", seed, f.Command, err)
	}
}

// Running an action again from its record gives the same events, whatever the
// source of faces holds by then.
func TestReplayGivesTheSameEvents(t *testing.T) {
	f := newTable(t).add(shipped(t, "fighter", "a"), shipped(t, "goblin", "b")).start(nil, 20, 1)
	f.Roller = func(int) int { return 3 }
	f.Must(act("a", "attack", "longsword", "b"))
	before, first := event.Clone(f.Before), f.Events
	f.Roller = nil
	out, err := rules.Run(context.Background(), System{}, rules.Request{State: before, Action: f.Action, Recorded: f.Recorded, Published: first},
		f, rules.Resolve(System{}, f.Command))
	if err != nil || len(out.Fresh) != 0 || len(out.Inputs) != 0 {
		t.Fatalf("%v: %d fresh events, %d inputs", err, len(out.Fresh), len(out.Inputs))
	}
}

// What is listed as illegal is refused, for the reason listed.
func TestOptionsSayWhy(t *testing.T) {
	f := newTable(t).add(shipped(t, "fighter", "a"), shipped(t, "goblin", "b")).start(nil, 1, 20)
	f.WantActive("b")
	for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: "a"}) {
		if !slices.Contains(fighting, o.Action) {
			continue
		}
		if o.Legal || o.Rule == "" || o.Reason == "" {
			t.Errorf("%s %s: legal %v, rule %q, reason %q", o.Action, o.Item, o.Legal, o.Rule, o.Reason)
		}
		err := f.Try(act("a", o.Action, o.Item, "b"))
		var fe *fault.Fault
		if !errors.As(err, &fe) || fe.Rule != o.Rule {
			t.Errorf("%s %s: %v, option says %s", o.Action, o.Item, err, o.Rule)
		}
	}
}
