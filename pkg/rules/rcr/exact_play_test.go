package rcr

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// length is how many times its default length random play runs, from
// SKALD_RANDOM_PLAY.
func length(t *testing.T) uint64 {
	text := os.Getenv("SKALD_RANDOM_PLAY")
	if text == "" {
		return 1
	}
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil || n < 1 {
		t.Fatalf("SKALD_RANDOM_PLAY is %q, want a whole number from 1", text)
	}
	return n
}

// commandOf is the taking of an option: the fewest targets and more at random,
// every required parameter and some of the others.
func commandOf(rng *rand.Rand, o *eventv1.Option) *eventv1.Command {
	take := &eventv1.TakeAction{Creature: o.Creature, Action: o.Action, Item: o.Item}
	n := int(o.MinimumTargets)
	if more := min(int(o.MaximumTargets), len(o.Targets)) - n; more > 0 {
		n += rng.IntN(more + 1)
	}
	for _, i := range rng.Perm(len(o.Targets))[:min(n, len(o.Targets))] {
		take.Targets = append(take.Targets, o.Targets[i])
	}
	var pairs []any
	if o.Action == "move" || o.Action == "crawl" {
		pairs = append(pairs, "feet", 1)
	}
	for _, p := range o.Parameters {
		if !p.Required && (p.Name == "feet" || p.Name == "path" || rng.IntN(4) > 0) {
			continue
		}
		switch {
		case len(p.Values) > 0:
			pairs = append(pairs, p.Name, p.Values[rng.IntN(len(p.Values))].AsInterface())
		case p.Name == "extra_damage":
			pairs = append(pairs, p.Name, "1d6")
		case p.Type == "number":
			pairs = append(pairs, p.Name, 20)
		case p.Type == "string":
			pairs = append(pairs, p.Name, "it moves")
		case p.Type == "boolean" && p.Name != "inspiration":
			pairs = append(pairs, p.Name, true)
		}
	}
	take.Parameters = object(pairs...)
	return &eventv1.Command{What: &eventv1.Command_Take{Take: take}}
}

// trial is the table with a state of its own: what is tried on it leaves the
// fight alone.
func (f *table) trial(t *testing.T) *table {
	return &table{&rulestest.Table{T: t, System: System{}, State: event.Clone(f.State), Roller: f.Roller, Action: f.Action}}
}

// checkExactness holds that options and deeds agree: every option listed as
// legal is accepted, every other is refused by the rule and for the reason
// listed, and so is a target, a value or an item that is not listed.
func checkExactness(t *testing.T, f *table, rng *rand.Rand, seed uint64) {
	t.Helper()
	ids := rules.SortedKeys(f.State.Creatures)
	id := ids[rng.IntN(len(ids))]
	if len(f.State.Active) > 0 && rng.IntN(2) == 0 {
		id = f.State.Active[0]
	}
	options := (System{}).Options(rules.Query{State: f.State, Creature: id})
	for _, o := range options {
		switch {
		case o.Action == "end-turn":
		case o.Legal:
			if rng.IntN(8) == 0 {
				tryListed(t, f, rng, seed, o)
			}
			if rng.IntN(4) == 0 {
				tryUnlisted(t, f, rng, seed, o)
			}
		default:
			tryForbidden(t, f, rng, seed, o)
		}
	}
}

func tryListed(t *testing.T, f *table, rng *rand.Rand, seed uint64, o *eventv1.Option) {
	t.Helper()
	cmd := commandOf(rng, o)
	err := f.trial(t).Try(cmd)
	if err != nil && !(fault.Is(err, fault.Illegal) && guessed(cmd)) {
		t.Fatalf("seed %d: %v is listed as legal: %v", seed, cmd, err)
	}
}

// choices are parameters of which there may be nothing to choose from.
var choices = []string{"against", "weapon"}

// tryForbidden takes an option listed as illegal: it must be refused for the
// reason listed. Where the reason is that there is no target there is none to
// try it on.
func tryForbidden(t *testing.T, f *table, rng *rand.Rand, seed uint64, o *eventv1.Option) {
	t.Helper()
	cmd := commandOf(rng, o)
	missing := int(o.MinimumTargets) > len(o.Targets) || slices.ContainsFunc(o.Parameters, func(p *eventv1.Parameter) bool {
		return p.Required && len(p.Values) == 0 && slices.Contains(choices, p.Name)
	})
	if len(o.Targets) < int(o.MinimumTargets) {
		cmd.GetTake().Targets = []string{rules.SortedKeys(f.State.Creatures)[0]}
	}
	g := f.trial(t)
	before := event.Clone(g.State)
	err := g.Try(cmd)
	fe, ok := fault.As(err)
	switch {
	case !ok || o.Reason == "":
		t.Fatalf("seed %d: %v is listed as illegal (%s): %v", seed, cmd, o.Reason, err)
	case !missing && (fe.Rule != o.Rule || fe.Message != o.Reason):
		t.Fatalf("seed %d: %v\nrefused by %s (%s)\nlisted %s (%s)", seed, cmd, fe.Rule, fe.Message, o.Rule, o.Reason)
	case !proto.Equal(before, g.State):
		t.Fatalf("seed %d: a refusal changed the state", seed)
	}
}

// tryUnlisted changes a legal option into one that is not listed: another
// target, another value of a parameter, another item.
func tryUnlisted(t *testing.T, f *table, rng *rand.Rand, seed uint64, o *eventv1.Option) {
	t.Helper()
	refused := func(cmd *eventv1.Command, what string) {
		t.Helper()
		if err := f.trial(t).Try(cmd); err == nil {
			t.Fatalf("seed %d: %s is not listed, and accepted: %v\noption %v", seed, what, cmd, o)
		}
	}
	if o.MaximumTargets > 0 {
		for _, id := range rules.SortedKeys(f.State.Creatures) {
			if !slices.Contains(o.Targets, id) {
				cmd := commandOf(rng, o)
				cmd.GetTake().Targets = []string{id}
				refused(cmd, "the target "+id)
				break
			}
		}
	}
	for _, p := range o.Parameters {
		if len(p.Values) == 0 {
			continue
		}
		cmd := commandOf(rng, o)
		value := structpb.NewStringValue("no such value")
		if p.Type == "number" {
			value = structpb.NewNumberValue(99)
		}
		cmd.GetTake().Parameters.Fields[p.Name] = value
		refused(cmd, "the value of "+p.Name)
	}
	if o.Item != "" {
		cmd := commandOf(rng, o)
		cmd.GetTake().Item = "no such thing"
		refused(cmd, "the item")
	}
}

// trouble is what may befall a creature in a fight, by the game master's word.
var trouble = []string{condBlinded, condDeafened, condGrappled, condProne, condRestrained, condShackled, condTerrified, condCharmed, condFrightened,
	condPoisoned, condInvisible, condIncapacitated, condStunned, condHelpless, condParalyzed + "=" + variantDisabled, condCrouching}

// vex lays a condition on somebody, lifts all, or hurts.
func vex(f *table, rng *rand.Rand) {
	f.T.Helper()
	ids := rules.SortedKeys(f.State.Creatures)
	id := ids[rng.IntN(len(ids))]
	c := f.Creature(id)
	if dead(c) {
		return
	}
	switch rng.IntN(4) {
	case 0:
		remove := []string{}
		for _, x := range c.Conditions {
			if x.Name != condUnconscious && x.Name != condBloodied && !slices.Contains(remove, x.Name) {
				remove = append(remove, x.Name)
			}
		}
		f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: id, RemoveConditions: remove}}})
	case 1:
		f.Count(id, cWounds, rng.IntN(5), cExhaustion, rng.IntN(4), cInspiration, 1)
	default:
		name := trouble[rng.IntN(len(trouble))]
		if other := ids[rng.IntN(len(ids))]; other != id {
			name += "@" + other
		}
		f.Afflict(id, name)
	}
}
