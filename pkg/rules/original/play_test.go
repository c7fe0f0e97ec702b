package original

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// TestRandomPlay plays fights out of what Options lists and holds what must
// hold after every command.
func TestRandomPlay(t *testing.T) {
	// SKALD_RANDOM_PLAY is how many times its default length it runs.
	rounds, seeds := 0, uint64(24)
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
	if uint64(rounds) < 3*seeds {
		t.Fatalf("only %d rounds were played", rounds)
	}
}

// cast is the sheets that random fights draw from.
func cast() []*eventv1.Sheet {
	return []*eventv1.Sheet{
		one("fay", "party", class("fighter", 3), points(18), arms(&eventv1.OriginalWeapon{Name: "sword"}, bow), with(func(o *eventv1.OriginalSheet) { o.LightArmor, o.ShieldBonus = true, 1 }), dex(2)),
		one("tam", "party", class("thief", 2), points(9), arms(dagger, first, sling), dex(2)),
		one("cal", "party", class("cleric", 3), points(12), ability("strength", 16), arms(halberd, whip, crossbow), with(func(o *eventv1.OriginalSheet) {
			o.Spells = []*eventv1.OriginalSpell{{Name: "bolt", Damage: "1d6", Prepared: 2}, {Name: "light"}}
		})),
		one("eli", "party", class("elf", 2), points(8), arms(blade, stab, bow), with(func(o *eventv1.OriginalSheet) { o.LightArmor = true })),
		one("orc-1", "orcs", points(5), arms(spear), with(func(o *eventv1.OriginalSheet) { o.Group = "orcs" })),
		one("orc-2", "orcs", points(4), arms(dagger), with(func(o *eventv1.OriginalSheet) { o.Group = "orcs" })),
		one("orc-3", "orcs", points(6), with(func(o *eventv1.OriginalSheet) { o.Group, o.RollHitPoints = "orcs", true })),
		one("ogre", "orcs", points(19), with(func(o *eventv1.OriginalSheet) {
			o.HitDice, o.HitDicePlus, o.SpecialFace, o.SpecialEffect = 4, 1, 19, "prone"
		})),
		one("unit", "orcs", with(func(o *eventv1.OriginalSheet) { o.UnitSize = 5 })),
		one("rider", "orcs", points(9), arms(&eventv1.OriginalWeapon{Name: "lance", Kind: "lance"}), with(func(o *eventv1.OriginalSheet) { o.Mounted, o.ChargingBeast = true, true })),
	}
}

func playOut(t *testing.T, seed uint64) int {
	rng := rand.New(rand.NewPCG(seed, 11))
	flip := func(id string) string { return id + "=" + []string{"on", "off"}[rng.IntN(2)] }
	f := newTable(t, flip(setShortcut), flip(setFumble), flip(setReroll), flip(setPartyDie), flip(setMassSlain), flip(setMassThrow), flip(setMassDamage))
	f.Roller = func(sides int) int { return rng.IntN(sides) + 1 }
	view := event.NewState()
	see(f, view)
	for _, s := range cast() {
		if rng.IntN(4) == 0 && s.Id != "fay" && s.Id != "orc-1" {
			continue
		}
		add := &eventv1.AddCreature{Sheet: s}
		if seed%3 != 0 {
			add.Position = &eventv1.Position{X: int32(rng.IntN(12) * 10), Y: int32(rng.IntN(3) * 5)}
		}
		f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: add}})
		see(f, view)
	}
	start := &eventv1.StartEncounter{}
	switch seed % 4 {
	case 1:
		start.Facts = object("unaware", []string{"party", "orcs"})
	case 2:
		start.Facts = object("surprised", []string{[]string{"party", "orcs"}[seed/4%2]}, "engaged", true)
	}
	f.Must(&eventv1.Command{What: &eventv1.Command_Start{Start: start}})
	for range 150 {
		settleDecisions(f, rng, seed)
		checkInvariants(t, f, seed)
		see(f, view)
		checkView(t, f, view, seed)
		if len(f.State.Active) == 0 {
			break
		}
		id := f.State.Active[rng.IntN(len(f.State.Active))]
		sampleRefused(t, f, rng, seed)
		cmd := randomCommand(f, rng, id)
		err := f.Try(cmd)
		if fault.Is(err, fault.Illegal) && len(cmd.GetTake().GetPath()) > 0 {
			f.Command = nil
			continue // no option can list where a path leads
		}
		if err != nil {
			t.Fatalf("seed %d: %v was listed as legal: %v", seed, cmd, err)
		}
	}
	return int(f.State.Round)
}

// settleDecisions answers what is open at random.
func settleDecisions(f *table, rng *rand.Rand, seed uint64) {
	f.T.Helper()
	for range 200 {
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

// randomCommand takes one of the legal options, or ends the turn.
func randomCommand(f *table, rng *rand.Rand, id string) *eventv1.Command {
	var legal []*eventv1.Option
	for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: id}) {
		if o.Legal && o.Action != "end-turn" {
			legal = append(legal, o)
			if o.Action == "attack" || o.Action == "charge" || o.Action == "grapple" {
				legal = append(legal, o, o)
			}
		}
	}
	if len(legal) == 0 || rng.IntN(4) == 0 {
		return endTurn(id)
	}
	o := legal[rng.IntN(len(legal))]
	take := &eventv1.TakeAction{Creature: id, Action: o.Action, Item: o.Item}
	n := int(o.MinimumTargets)
	if more := min(int(o.MaximumTargets), len(o.Targets)) - n; more > 0 {
		n += rng.IntN(more + 1)
	}
	for _, i := range rng.Perm(len(o.Targets))[:min(n, len(o.Targets))] {
		take.Targets = append(take.Targets, o.Targets[i])
	}
	if p := f.State.Creatures[id].Position; p != nil && slices.ContainsFunc(o.Parameters, func(p *eventv1.Parameter) bool { return p.Type == "path" }) {
		take.Path = []*eventv1.Position{{X: p.X + int32(rng.IntN(9)-4)*10, Y: p.Y}}
	}
	var pairs []any
	for _, p := range o.Parameters {
		if !p.Required && rng.IntN(3) > 0 {
			continue
		}
		switch {
		case p.Type == "boolean" && p.Name != "throw":
			pairs = append(pairs, p.Name, true)
		case p.Type == "string":
			pairs = append(pairs, p.Name, p.Values[rng.IntN(len(p.Values))].AsInterface())
		}
	}
	take.Parameters = object(pairs...)
	return &eventv1.Command{What: &eventv1.Command_Take{Take: take}}
}

// sampleRefused holds that what is listed as illegal is refused for the rule
// listed, and that a target that is not listed is refused.
func sampleRefused(t *testing.T, f *table, rng *rand.Rand, seed uint64) {
	t.Helper()
	ids := rules.SortedKeys(f.State.Creatures)
	id := ids[rng.IntN(len(ids))]
	all := (System{}).Options(rules.Query{State: f.State, Creature: id})
	o := all[rng.IntN(len(all))]
	target := ids[rng.IntN(len(ids))]
	if o.Legal && (o.MinimumTargets == 0 || slices.Contains(o.Targets, target)) {
		return
	}
	if !o.Legal && o.Reason == "" {
		t.Fatalf("seed %d: %v is illegal without a reason", seed, o)
	}
	cmd := act(id, o.Action, o.Item, target)
	if o.Action == "end-turn" {
		cmd = endTurn(id)
	}
	if err := f.Try(cmd); err == nil {
		t.Fatalf("seed %d: %v was not listed and is allowed; option %v", seed, cmd, o)
	}
	f.Command = nil
	sameReason(t, f, id, o, seed)
}

// sameReason holds that a deed is refused for the reason that its option
// states: that of the first foe where there are several.
func sameReason(t *testing.T, f *table, id string, o *eventv1.Option, seed uint64) {
	t.Helper()
	first := ""
	if o.MinimumTargets > 0 {
		if list := foes(f.State, f.Creature(id)); len(list) > 0 {
			first = list[0]
		}
	}
	if o.Legal || o.Action == "end-turn" || o.MinimumTargets > 0 && first == "" {
		return
	}
	err := f.Try(act(id, o.Action, o.Item, first))
	f.Command = nil
	if x, ok := fault.As(err); !ok || x.Rule != o.Rule || x.Message != o.Reason {
		t.Fatalf("seed %d: %s %s of %s at %q is refused by %s with %v, the option says %s: %s", seed, o.Action, o.Item, id, first, x.Rule, err, o.Rule, o.Reason)
	}
}

func checkInvariants(t *testing.T, f *table, seed uint64) {
	t.Helper()
	for _, id := range rules.SortedKeys(f.State.Creatures) {
		c := f.State.Creatures[id]
		if c.GetHp() < 0 || c.GetHp() > c.GetHpMax() || int64(c.GetHp()) != int64(c.GetHpMax())-c.Counters[cActual]-c.Counters[cTemporary] {
			t.Fatalf("seed %d: %s has %d of %d hit points, %v", seed, id, c.GetHp(), c.GetHpMax(), c.Counters)
		}
		if c.GetHp() == 0 && !out(c) {
			t.Fatalf("seed %d: %s stands at 0 hit points", seed, id)
		}
		for _, name := range rules.SortedKeys(c.Counters) {
			if c.Counters[name] < 0 {
				t.Fatalf("seed %d: %s has %s %d", seed, id, name, c.Counters[name])
			}
		}
		if slices.Contains(f.State.Active, id) && !able(f.State, c) && len(f.Decisions) == 0 {
			t.Fatalf("seed %d: %s has the turn and cannot have one", seed, id)
		}
		if c.Counters[cAttacks] > int64(max(attacksAgainstNormal(f.State, c), attacksAgainstStrong(f.State, c))) {
			t.Fatalf("seed %d: %s made %d attacks", seed, id, c.Counters[cAttacks])
		}
	}
	if len(f.Decisions) == 0 && len(f.State.Decisions) != 0 {
		t.Fatalf("seed %d: decisions left in the state: %v", seed, f.State.Decisions)
	}
	if len(f.State.Active) == 0 && len(f.Decisions) == 0 && len(f.State.Tasks) != 0 {
		t.Fatalf("seed %d: blows held back for ever: %v", seed, f.State.Tasks)
	}
}

// see folds what the player of "fay" may see of the last action.
func see(f *table, view *eventv1.State) {
	if f.Command != nil {
		event.FoldAll(view, event.Visible(event.Clone(f.Before), f.Published, player("fay-player")))
	}
}

// checkView holds that a player is told the same options as the game master
// is, from what the player may see alone.
func checkView(t *testing.T, f *table, view *eventv1.State, seed uint64) {
	t.Helper()
	mine := (System{}).Options(rules.Query{State: view, Creature: "fay"})
	all := (System{}).Options(rules.Query{State: f.State, Creature: "fay"})
	for i := range all {
		if len(mine) != len(all) || mine[i].Legal != all[i].Legal || !slices.Equal(mine[i].Targets, all[i].Targets) {
			t.Fatalf("seed %d: the player is told %v, the game master %v", seed, mine[i], all[i])
		}
	}
}
