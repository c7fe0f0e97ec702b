package basic

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// TestRandomPlay plays fights out of what Options lists and holds what must
// hold after every command.
func TestRandomPlay(t *testing.T) {
	// SKALD_RANDOM_PLAY is how many times its default length it runs.
	rounds, seeds := int32(0), uint64(20)
	if text := os.Getenv("SKALD_RANDOM_PLAY"); text != "" {
		n, err := strconv.ParseUint(text, 10, 32)
		if err != nil || n < 1 {
			t.Fatalf("SKALD_RANDOM_PLAY is %q, want a whole number from 1", text)
		}
		seeds *= n
	}
	for seed := range seeds {
		rounds += playOut(t, seed)
	}
	if uint64(rounds) < seeds*3 {
		t.Errorf("only %d rounds were played", rounds)
	}
}

func motley(rng *rand.Rand, i int) *eventv1.Sheet {
	s := make1(fmt.Sprintf("c%d", i), []string{"party", "monsters"}[i%2], hp(int32(rng.IntN(30)+10)), ac(int32(rng.IntN(6)+10)),
		abilities(int32(rng.IntN(5)-1), int32(rng.IntN(5)-2)))
	b := s.GetBasic()
	b.AttackBonus, b.ArmorMaterial, b.SneakAttackBonus = int32(rng.IntN(5)), materials[rng.IntN(4)], int32(rng.IntN(2)*4)
	b.Saves = map[string]int32{"spells": 13}
	b.Ammunition = map[string]int32{"bolts": 5, "oil": 3, "water": 2}
	b.Items = []*eventv1.BasicItem{{Name: "ring", Simple: true, Effect: &eventv1.BasicSpell{Uses: 2, Damage: "1d4"}}, {Name: "wand", Effect: &eventv1.BasicSpell{Condition: condShaken}}, {Name: "key"}}
	b.Tags = [][]string{nil, {"undead"}, {"fire-based"}, {"elf", "needs-magic"}}[rng.IntN(4)]
	switch i % 4 {
	case 0:
		b.Weapons = append(b.Weapons, &eventv1.BasicWeapon{Name: "dagger", Damage: "1d4", Kind: "melee", Small: true, Hand: "off", ShortFeet: 10, MediumFeet: 20, LongFeet: 30})
	case 1:
		b.Weapons = []*eventv1.BasicWeapon{spear(), {Name: "crossbow", Damage: "1d6", Kind: "crossbow", Hand: "off", ShortFeet: 60, MediumFeet: 120, LongFeet: 180, ReloadRounds: 1, Ammunition: "bolts"}}
	case 2:
		b.Weapons = []*eventv1.BasicWeapon{{Name: "staff", Damage: "1d6", Kind: "melee"}}
		b.Spells = []*eventv1.BasicSpell{{Name: "bolt", Uses: 5, Damage: "1d6+1", Save: "spells", Half: true, RangeFeet: 60},
			{Name: "mend", Uses: 3, Healing: "1d6", Targets: 2}, {Name: "glare", Uses: 3, Condition: "blinded", Save: "spells"}}
	case 3:
		b.Weapons = []*eventv1.BasicWeapon{{Name: "claw", Damage: "1d4", Kind: "melee", Natural: true, Charge: true}, {Name: "bite", Damage: "2d4", Kind: "melee", Natural: true}}
		b.Routine = []string{"claw", "claw", "bite"}
	}
	if i == 2 || i == 3 {
		b.Weapons = append(b.Weapons, &eventv1.BasicWeapon{Name: "oil", Kind: "grenade", Contents: oil, Hand: "off", Ammunition: "oil", ShortFeet: 10, MediumFeet: 20, LongFeet: 30},
			&eventv1.BasicWeapon{Name: "water", Kind: "grenade", Contents: holyWater, Hand: "stowed", Ammunition: "water", ShortFeet: 10, MediumFeet: 20, LongFeet: 30})
	}
	return s
}

func playOut(t *testing.T, seed uint64) int32 {
	rng := rand.New(rand.NewPCG(seed, 11))
	f := newTable(t, setCharge+"="+[]string{"stated", "ask"}[seed%2], setTurn+"=2")
	f.Roller = func(sides int) int {
		if sides == 20 && rng.IntN(4) == 0 {
			return []int{1, 20}[rng.IntN(2)]
		}
		return rng.IntN(sides) + 1
	}
	for i := range 5 {
		add := &eventv1.AddCreature{Sheet: motley(rng, i)}
		if seed%3 != 0 {
			add.Position = &eventv1.Position{X: int32(rng.IntN(8) * 5), Y: int32(rng.IntN(4) * 5)}
		}
		f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: add}})
	}
	f.start(object("surprise", []string{"party"}, "ambush", []string{"monsters"}))
	for range 250 {
		settleDecisions(f, rng, seed)
		checkInvariants(t, f, seed)
		var legal []*eventv1.Option
		for _, id := range rules.SortedKeys(f.State.Creatures) {
			for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: id}) {
				if o.Legal && (o.Action != "end-turn" || rng.IntN(3) == 0) {
					legal = append(legal, o)
				}
				if rng.IntN(40) == 0 {
					checkOption(f, rng, o, seed)
				}
			}
		}
		if len(legal) == 0 {
			if f.State.Phase == phaseDeclare && slices.ContainsFunc(rules.SortedKeys(f.State.Creatures), func(id string) bool {
				return able(f.State.Creatures[id]) && f.State.Creatures[id].Marks[mDeclared] == ""
			}) {
				t.Fatalf("seed %d: nothing can be done in %s with %v", seed, f.State.Phase, f.State.Active)
			}
			if len(f.State.Active) == 0 {
				break
			}
			f.Must(endTurn(f.State.Active[0]))
			continue
		}
		o := legal[rng.IntN(len(legal))]
		if err := f.Try(command(f, rng, o)); err != nil {
			t.Fatalf("seed %d: %v is listed as legal: %v", seed, o, err)
		}
	}
	return f.State.Round
}

// checkOption holds an option against the deed: whom it lists is accepted, whom it
// does not list is refused, and what it calls illegal is refused for its reason.
func checkOption(f *table, rng *rand.Rand, o *eventv1.Option, seed uint64) {
	f.T.Helper()
	with := func(targets ...string) error {
		cmd := command(f, rng, o)
		if t := cmd.GetTake(); t != nil {
			t.Targets = targets
		}
		return f.peek(cmd)
	}
	said := false // the stated reason came
	refused := func(err error, what string) {
		fe, ok := fault.As(err)
		if !ok || !fault.Is(err, fault.Illegal) {
			f.T.Fatalf("seed %d: %v, %s: %v, want a refusal", seed, o, what, err)
		}
		said = said || fe.Message == o.Reason && (fe.Rule == "" || fe.Rule == o.Rule)
	}
	if o.Legal {
		if o.MinimumTargets == 0 {
			if err := with(); err != nil {
				f.T.Fatalf("seed %d: %v is listed as legal: %v", seed, o, err)
			}
		}
		for _, id := range rules.SortedKeys(f.State.Creatures) {
			switch err := with(id); {
			case o.MaximumTargets == 0 && o.MinimumTargets == 0 && len(o.Targets) == 0:
			case slices.Contains(o.Targets, id) && err != nil:
				f.T.Fatalf("seed %d: %v lists %s: %v", seed, o, id, err)
			case !slices.Contains(o.Targets, id):
				refused(err, "does not list "+id)
			}
		}
		return
	}
	switch {
	case o.Reason == "" || !strings.HasPrefix(o.Rule, "basic.") && f.State.Status == eventv1.State_STATUS_STARTED:
		f.T.Fatalf("seed %d: %v without a reason or a rule", seed, o)
	case o.Action == "end-turn":
		return
	case o.MinimumTargets == 0:
		refused(with(), "is illegal")
	default:
		for _, id := range rules.SortedKeys(f.State.Creatures) {
			refused(with(id), "is illegal, with "+id)
		}
	}
	if !said {
		f.T.Fatalf("seed %d: %v is refused for other reasons than the stated one", seed, o)
	}
}

// peek tries a command that must not change anything.
func (f *table) peek(cmd *eventv1.Command) error {
	_, err := rules.Run(context.Background(), System{}, rules.Request{State: f.State, Action: f.Action + 1}, f, rules.Resolve(System{}, cmd))
	return err
}

func command(f *table, rng *rand.Rand, o *eventv1.Option) *eventv1.Command {
	if o.Action == "end-turn" {
		return endTurn(o.Creature)
	}
	take := &eventv1.TakeAction{Creature: o.Creature, Action: o.Action, Item: o.Item}
	n := int(o.MinimumTargets)
	if more := min(int(o.MaximumTargets), len(o.Targets)) - n; more > 0 {
		n += rng.IntN(more + 1)
	}
	for _, i := range rng.Perm(len(o.Targets))[:min(n, len(o.Targets))] {
		take.Targets = append(take.Targets, o.Targets[i])
	}
	var pairs []any
	for _, p := range o.Parameters {
		switch {
		case len(p.Values) > 0:
			pairs = append(pairs, p.Name, p.Values[rng.IntN(len(p.Values))].AsInterface())
		case p.Type == "number" && p.Required:
			pairs = append(pairs, p.Name, 1)
		case p.Type == "number":
			pairs = append(pairs, p.Name, 12)
		case p.Type == "string":
			pairs = append(pairs, p.Name, "something")
		case p.Type == "path" && p.Required:
			at, feet := f.State.Creatures[o.Creature].Position, int32(f.State.Creatures[o.Creature].Counters[cMovement])
			dx := int32(rng.IntN(3) - 1)
			dy := int32(1)
			if dx != 0 {
				dy = int32(rng.IntN(3) - 1)
			}
			step := max(1, int32(rng.IntN(int(feet)+1)))
			take.Path = []*eventv1.Position{{X: at.X + dx*step, Y: at.Y + dy*step}}
		}
	}
	take.Parameters = object(pairs...)
	return &eventv1.Command{What: &eventv1.Command_Take{Take: take}}
}

func settleDecisions(f *table, rng *rand.Rand, seed uint64) {
	f.T.Helper()
	for range 100 {
		if len(f.Decisions) == 0 {
			return
		}
		d := f.Decisions[rng.IntN(len(f.Decisions))]
		if len(d.Options) == 0 {
			f.T.Fatalf("seed %d: decision %s without options", seed, d.Name)
		}
		a := &eventv1.Answer{Option: d.Options[rng.IntN(len(d.Options))].Id}
		f.Recorded = append(f.Recorded, rules.Answered(d, a, "answer"))
		if err := f.Resume(nil); err != nil {
			f.T.Fatalf("seed %d: answer %v to %s: %v", seed, a, d.Name, err)
		}
	}
	f.T.Fatalf("seed %d: questions without end", seed)
}

func checkInvariants(t *testing.T, f *table, seed uint64) {
	t.Helper()
	folded := event.Clone(f.Before)
	event.FoldAll(folded, f.Published)
	if !proto.Equal(folded, f.State) {
		t.Fatalf("seed %d: folding the events gives another state", seed)
	}
	if len(f.State.Decisions) != 0 {
		t.Fatalf("seed %d: decisions left in the state", seed)
	}
	for _, id := range rules.SortedKeys(f.State.Creatures) {
		c := f.State.Creatures[id]
		if c.GetHp() < 0 || c.GetHp() > c.GetHpMax() || (c.GetHp() == 0) != (dead(c) || unconscious(c)) && !dead(c) {
			t.Fatalf("seed %d: %s has %d of %d hit points and is %v", seed, id, c.GetHp(), c.GetHpMax(), c.Life)
		}
		for _, name := range rules.SortedKeys(c.Counters) {
			if c.Counters[name] < 0 {
				t.Fatalf("seed %d: %s has %s %d", seed, id, name, c.Counters[name])
			}
		}
		if slices.Contains(f.State.Active, id) && !up(c) {
			t.Fatalf("seed %d: %s has the turn and cannot act", seed, id)
		}
	}
	if f.State.Counters[cRunningNumber] == 0 && len(f.State.Tasks) > len(pools(f.State, nil)) {
		t.Fatalf("seed %d: effects left over: %v", seed, f.State.Tasks)
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
