package spark

import (
	"context"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/sheet"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

var shippedSheets = []string{"archer", "blade", "ember-mage", "healer", "hexer", "mire-beast", "reaver", "spearman"}

// shipped reads a sheet of the build.
func shipped(t *testing.T, name string) *eventv1.Sheet {
	t.Helper()
	s, err := sheet.ParseFile(os.DirFS("../../content/sheets/spark"), name+".yaml")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Every shipped sheet is sound, and nothing lies about that is not in the list.
func TestShippedSheets(t *testing.T) {
	entries, err := os.ReadDir("../../content/sheets/spark")
	if err != nil || len(entries) != len(shippedSheets) {
		t.Fatalf("%d sheets, want %d: %v", len(entries), len(shippedSheets), err)
	}
	for _, name := range shippedSheets {
		if v := rules.CheckSheet(System{}, shipped(t, name)); len(v) > 0 {
			t.Errorf("%s: %v", name, v)
		}
	}
}

// TestRandomPlay plays fights out of what Options lists and holds what must
// hold after every command; a failure names the seed.
func TestRandomPlay(t *testing.T) {
	rounds := int32(0)
	for seed := range 36 * length(t) {
		rounds += playOut(t, seed)
	}
	if rounds < 200 {
		t.Fatalf("only %d rounds were played", rounds)
	}
}

// length is how many times its default length random play runs, from
// SKALD_RANDOM_PLAY.
func length(t *testing.T) uint64 {
	text := os.Getenv("SKALD_RANDOM_PLAY")
	if text == "" {
		return 1
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n < 1 {
		t.Fatalf("SKALD_RANDOM_PLAY is %q, want a whole number from 1", text)
	}
	return n
}

func playOut(t *testing.T, seed uint64) int32 {
	rng := rand.New(rand.NewPCG(seed, 11))
	f := newTable(t, setBonusWithBoth+"="+[]string{"allow", "deny"}[seed%2], setNearestTarget+"="+[]string{"on", "off"}[seed/2%2],
		ruleAlt+"="+[]string{"off", "on", "on"}[seed%3], setMagicBreak+"="+[]string{breakBoth, breakD10, breakHardness}[seed/3%3],
		setBrokenItem+"="+[]string{atOnce, afterCombat}[seed/4%2], setFrightEffect+"="+[]string{"none", "disadvantage"}[seed/5%2])
	f.Roller = func(sides int) int {
		if sides == 20 && rng.IntN(6) == 0 {
			return []int{1, 20}[rng.IntN(2)] // fumbles and criticals more often than fair
		}
		return rng.IntN(sides) + 1
	}
	mapped := seed%4 != 3
	for _, name := range shippedSheets {
		add := &eventv1.AddCreature{Sheet: shipped(t, name)}
		if mapped {
			add.Position = &eventv1.Position{X: int32(rng.IntN(6) * 5), Y: int32(rng.IntN(6) * 5)}
		}
		f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: add}})
		if seed%5 == 0 {
			f.Put(name, &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: condProne}, {Name: condFrightened, Values: map[string]int32{"dc": 14}}}})
		}
	}
	f.start()
	whole := event.Clone(f.State)
	for range 150 {
		if len(f.State.Active) == 0 || f.State.Round > 12 {
			break
		}
		id := f.State.Active[rng.IntN(len(f.State.Active))]
		cmd := randomCommand(f, rng, id)
		if err := f.Try(cmd); err != nil {
			t.Fatalf("seed %d: %v was listed as legal: %v", seed, cmd, err)
		}
		settleDecisions(f, rng)
		event.FoldAll(whole, f.Published)
		if !proto.Equal(whole, f.State) {
			t.Fatalf("seed %d: the fold of the events is not the state", seed)
		}
		checkInvariants(t, f, seed)
		replay(t, f, seed)
		refuseUnlisted(t, f, rng, seed)
		refuseBeyond(t, f, rng, seed)
	}
	f.Must(&eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	return f.State.Round
}

// replay runs the last action again from its record.
func replay(t *testing.T, f *table, seed uint64) {
	t.Helper()
	out, err := rules.Run(context.Background(), System{}, rules.Request{State: f.Before, Action: f.Action, Recorded: f.Recorded, Published: f.Published},
		f, rules.Resolve(System{}, f.Command))
	if err != nil || len(out.Fresh) != 0 || len(out.Inputs) != 0 {
		t.Fatalf("seed %d: again: %v", seed, err)
	}
}

// refuseUnlisted holds that what is listed as illegal is refused for that rule.
func refuseUnlisted(t *testing.T, f *table, rng *rand.Rand, seed uint64) {
	t.Helper()
	ids := rules.SortedKeys(f.State.Creatures)
	id := ids[rng.IntN(len(ids))]
	other := ids[(slices.Index(ids, id)+1)%len(ids)]
	for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: id}) {
		if o.Legal || o.Action == "end-turn" {
			continue
		}
		before := event.Clone(f.State)
		thrown := slices.ContainsFunc(o.Parameters, func(p *eventv1.Parameter) bool { return p.Name == "ranged" })
		err := f.Try(act(id, o.Action, o.Item, other, withParameters("text", "x", "ranged", thrown)))
		fe, ok := fault.As(err)
		if !ok || fe.Rule != o.Rule || o.Reason == "" {
			t.Fatalf("seed %d: %s %s %s: %v, the option says %s (%s)", seed, id, o.Action, o.Item, err, o.Rule, o.Reason)
		}
		if !proto.Equal(before, f.State) {
			t.Fatalf("seed %d: a refusal changed the state", seed)
		}
	}
}

// refuseBeyond holds that what goes beyond a legal option is refused: a target
// or a thing that is not listed, too many targets, a way beyond the speed.
func refuseBeyond(t *testing.T, f *table, rng *rand.Rand, seed uint64) {
	t.Helper()
	if len(f.State.Active) == 0 {
		return
	}
	id := f.State.Active[rng.IntN(len(f.State.Active))]
	for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: id}) {
		if !o.Legal || o.Action == "end-turn" || rng.IntN(8) > 0 {
			continue
		}
		var takes []*eventv1.TakeAction
		with := func(targets []string, item string) {
			takes = append(takes, &eventv1.TakeAction{Creature: id, Action: o.Action, Item: item, Targets: targets, Parameters: asRequired(o)})
		}
		if len(o.Targets) > 0 {
			with(slices.Repeat(o.Targets[:1], int(o.MaximumTargets)+1), o.Item)
			for _, other := range rules.SortedKeys(f.State.Creatures) {
				if !slices.Contains(o.Targets, other) {
					with([]string{other}, o.Item)
				}
			}
			if o.MinimumTargets > 0 {
				with(nil, o.Item)
			}
		}
		if o.Item != "" && o.Action != actDrop {
			with(o.Targets[:min(len(o.Targets), int(o.MinimumTargets))], "no such thing")
		}
		if slices.ContainsFunc(o.Parameters, func(p *eventv1.Parameter) bool { return p.Name == "path" }) {
			with(o.Targets[:min(len(o.Targets), int(o.MinimumTargets))], o.Item)
			takes[len(takes)-1].Facts = object("feet", float64(speedOf(f.Creature(id))+5))
		}
		if len(takes) > 0 {
			take, before := takes[rng.IntN(len(takes))], event.Clone(f.State)
			if err := f.Try(&eventv1.Command{What: &eventv1.Command_Take{Take: take}}); err == nil {
				t.Fatalf("seed %d: %v was done, and %v is all that is listed", seed, take, o)
			} else if _, ok := fault.As(err); !ok {
				t.Fatalf("seed %d: %v: %v", seed, take, err)
			}
			if !proto.Equal(before, f.State) {
				t.Fatalf("seed %d: a refusal changed the state", seed)
			}
		}
	}
}

// asRequired fills in the required parameters of an option.
func asRequired(o *eventv1.Option) *structpb.Struct {
	var pairs []any
	for _, p := range o.Parameters {
		switch {
		case !p.Required || p.Name == "path":
		case len(p.Values) > 0:
			pairs = append(pairs, p.Name, p.Values[0].AsInterface())
		default:
			pairs = append(pairs, p.Name, "a door")
		}
	}
	return object(append(pairs, "dc", 10.0)...)
}

func settleDecisions(f *table, rng *rand.Rand) {
	f.T.Helper()
	for range 300 {
		if len(f.Decisions) == 0 {
			return
		}
		d := f.Decisions[rng.IntN(len(f.Decisions))]
		a := &eventv1.Answer{}
		switch {
		case d.Kind == eventv1.DecisionKind_DECISION_KIND_NUMBER:
			a.Number = d.Minimum + rng.Int32N(d.Maximum-d.Minimum+1)
		case len(d.Options) == 0:
			f.T.Fatalf("decision %s without options", d.Name)
		default:
			a.Option = d.Options[rng.IntN(len(d.Options))].Id
		}
		if err := rules.CheckAnswer(d, a); err != nil {
			f.T.Fatal(err)
		}
		f.Recorded = append(f.Recorded, rules.Answered(d, a, "answer"))
		if err := f.Resume(nil); err != nil {
			f.T.Fatalf("answer %v to %s: %v", a, d.Name, err)
		}
	}
	f.T.Fatal("questions without end")
}

// randomCommand takes one of the legal options with random parameters, or passes.
func randomCommand(f *table, rng *rand.Rand, id string) *eventv1.Command {
	var legal []*eventv1.Option
	for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: id}) {
		if o.Legal && o.Action != "end-turn" {
			legal = append(legal, o)
		}
	}
	if len(legal) == 0 || rng.IntN(12) == 0 {
		return endTurn(id)
	}
	c := f.State.Creatures[id]
	o := legal[rng.IntN(len(legal))]
	take := &eventv1.TakeAction{Creature: id, Action: o.Action, Item: o.Item}
	n := int(o.MinimumTargets)
	if more := int(o.MaximumTargets) - n; more > 0 && len(o.Targets) > 0 {
		n += rng.IntN(more + 1)
	}
	for i, at := range rng.Perm(len(o.Targets)) {
		if i < n {
			take.Targets = append(take.Targets, o.Targets[at])
		}
	}
	pairs, moves := []any{}, false
	for _, p := range o.Parameters {
		moves = moves || p.Name == "path" && (p.Required || rng.IntN(2) == 0)
	}
	for _, p := range o.Parameters {
		switch {
		case p.Name == "path":
		case p.Name == "bonus_target":
			pairs = append(pairs, p.Name, enemyOf(f, c, p.Values))
		case p.Required && len(p.Values) > 0 || len(p.Values) > 0 && p.Name == "bonus" && rng.IntN(2) == 0:
			pairs = append(pairs, p.Name, p.Values[rng.IntN(len(p.Values))].AsInterface())
		case p.Name == "text":
			pairs = append(pairs, p.Name, "something")
		case p.Name == "object":
			pairs = append(pairs, p.Name, "door "+itoa(rng.IntN(1_000_000)))
		case p.Name == "material":
			pairs = append(pairs, p.Name, p.Values[rng.IntN(len(p.Values))].AsInterface())
		case p.Name == "strength_check" && rng.IntN(2) == 0:
			pairs = append(pairs, p.Name, p.Values[rng.IntN(len(p.Values))].AsInterface())
		case p.Name == "bonus_class" || p.Name == "classes" && len(take.Targets) == 1:
			pairs = append(pairs, p.Name, p.Values[rng.IntN(len(p.Values))].AsInterface())
		case p.Type == "number":
			pairs = append(pairs, p.Name, float64(rng.IntN(20)+1))
		case p.Type == "boolean" && (p.Name == "held" || p.Name == "bonus_first" || p.Name == "sneak"):
			pairs = append(pairs, p.Name, rng.IntN(2) == 0)
		case p.Name == "stand" && !moves && len(take.Targets) <= 1:
			pairs = append(pairs, p.Name, true)
		}
	}
	take.Parameters = object(pairs...)
	bonus := take.Parameters.Fields["bonus"].GetStringValue()
	flown := c.Items[strings.TrimPrefix(bonus, "pick-up:")]
	if strings.HasPrefix(bonus, "pick-up:") {
		delete(take.Parameters.Fields, "held") // it would come too late
	}
	if strings.HasPrefix(bonus, "gather:") {
		moves = false // it must stay still
		delete(take.Parameters.Fields, "stand")
	}
	switch {
	case strings.HasPrefix(bonus, "pick-up:"):
		if flown.Values["feet"] > 5 || o.Action == kindCharge || o.Action == kindBullRush {
			return endTurn(id) // the way there is another test's
		}
		if moves && o.Action != kindCharge && o.Action != kindBullRush {
			moves = false
		}
		fallthrough
	case moves:
		if moves {
			stepTo(f, rng, take, o.Action == kindMove || o.Action == kindDeed || o.Action == kindBash, setting(f.State, setBonusWithBoth) == "deny" && bonus != "")
		}
	}
	if f.State.Settings[setBonusWithBoth] == "deny" && take.Parameters.Fields["stand"].GetBoolValue() && takesAttack(o.Action) {
		delete(take.Parameters.Fields, "bonus")
		if w := c.Items[o.Item]; w.GetPlace() == "stowed" || w.GetPlace() == "dropped" {
			return endTurn(id)
		}
	}
	return &eventv1.Command{What: &eventv1.Command_Take{Take: take}}
}

// stepTo gives a take a short way: one step, or further where that is allowed.
func stepTo(f *table, rng *rand.Rand, take *eventv1.TakeAction, far, short bool) {
	at := f.State.Creatures[take.Creature].Position
	feet := int32(5)
	if far && !short && !prone(f.State, f.State.Creatures[take.Creature]) {
		feet = min(5*(1+rng.Int32N(6)), speedOf(f.State.Creatures[take.Creature]))
	}
	if at == nil {
		take.Facts = object("feet", float64(feet))
		return
	}
	take.Path = []*eventv1.Position{{X: at.X + feet*(rng.Int32N(3)-1), Y: at.Y + feet*[]int32{-1, 1}[rng.IntN(2)]}}
}

func enemyOf(f *table, c *eventv1.Creature, values []*structpb.Value) string {
	best := c.Id
	for _, v := range values {
		id := v.GetStringValue()
		if id != c.Id && f.State.Creatures[id].Side != c.Side {
			return id
		}
		if id != c.Id {
			best = id
		}
	}
	return best
}

func checkInvariants(t *testing.T, f *table, seed uint64) {
	t.Helper()
	for _, id := range rules.SortedKeys(f.State.Creatures) {
		c := f.State.Creatures[id]
		if c.GetHp() < 0 || c.GetHp() > c.GetHpMax() || (c.GetHp() == 0) != out(c) {
			t.Fatalf("seed %d: %s has %d of %d hit points and is %v", seed, id, c.GetHp(), c.GetHpMax(), c.Life)
		}
		if out(c) && slices.Contains(f.State.Active, id) {
			t.Fatalf("seed %d: %s is out and has the turn", seed, id)
		}
		for _, name := range rules.SortedKeys(c.Counters) {
			if c.Counters[name] < 0 {
				t.Fatalf("seed %d: %s has %s %d", seed, id, name, c.Counters[name])
			}
		}
		if c.Counters[cMana] > int64(sheetOf(c).Mana) || c.Counters[cReaction] > 1 || c.Counters[cFree] > freeActions {
			t.Fatalf("seed %d: %s has %v", seed, id, c.Counters)
		}
	}
	if len(f.State.Decisions) != 0 || f.State.Phase != phaseDeclare && len(f.State.Active) > 0 {
		t.Fatalf("seed %d: phase %s, decisions %v", seed, f.State.Phase, f.State.Decisions)
	}
}
