package celesia

import (
	"context"
	"math/rand"
	"os"
	"slices"
	"strconv"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// field is a fight of two against two that have a bit of everything.
func field() []*eventv1.Sheet {
	spells := section(func(c *eventv1.CelesiaSheet) {
		c.Spells = []*eventv1.CelesiaSpell{{Name: "bolt", Casting: "standard", Attack: "ranged-touch", DicePerLevel: "1d6", CasterLevel: 3, RangeFeet: 60},
			{Name: "cure", Casting: "standard", Healing: "1d8+3", Uses: 4}, {Name: "storm", Casting: "1-round", DicePerLevel: "1d6", CasterLevel: 6, RangeFeet: 100, Save: "reflex", SaveDc: 15, SaveEffect: "half"}}
		c.Spells = append(c.Spells, &eventv1.CelesiaSpell{Name: "glue", Casting: "swift", Condition: "entangled", RangeFeet: 60, Concentration: true, Dismissible: true, Redirectable: true, Targets: 2},
			&eventv1.CelesiaSpell{Name: "shock", Casting: "standard", Attack: "melee-touch", DicePerLevel: "1d6", CasterLevel: 2, Magus: true, Level: 1})
		c.Features = []string{featCounterspell, featSpellCombat, featSpellstrike}
		c.SpellResistance, c.Concentration = 12, 5
		c.Things = []*eventv1.CelesiaThing{{Name: "wand", Kind: thingTrigger, Place: "pack", Spell: &eventv1.CelesiaSpell{Name: "spark", Casting: "standard", Dice: "1d4", RangeFeet: 30, Uses: 5}},
			{Name: "scroll", Kind: thingCompletion, Spell: &eventv1.CelesiaSpell{Name: "blast", Casting: "standard", Attack: "ranged-touch", Dice: "2d6", RangeFeet: 30, Level: 1, Uses: 1}}, {Name: "pouch", Fastened: 5}}
		c.SpecialAbilities = []*eventv1.CelesiaAbility{{Name: "dodge", Time: timeFree, Supports: "move"}, {Name: "focus", Time: timeSwift, OncePerTurn: true},
			{Name: "surge", Time: timeSwift, Kind: kindBoost, Readied: true}, {Name: "gust", Time: timeStandard, Kind: kindSpellLike, Uses: 2}}
	})
	gear := section(func(c *eventv1.CelesiaSheet) {
		c.Things = []*eventv1.CelesiaThing{{Name: "shield", Kind: thingShield, ShieldBonus: 2, Hardness: 10, HitPoints: 20}, {Name: "rope", Kind: thingRope},
			{Name: "mail", Place: placeWorn, Hardness: 5, HitPoints: 30}, {Name: "gauntlet", Kind: thingGauntlet, Place: placeWorn}}
		c.Weapons[0].HitPoints, c.Weapons[0].Hardness = 5, 2
		c.Weapons = append(c.Weapons, &eventv1.CelesiaWeapon{Name: "dagger", Kind: "melee", Dice: "1d4", Hands: 1, Light: true, Hand: "stowed"},
			&eventv1.CelesiaWeapon{Name: "crossbow", Kind: "projectile", Dice: "1d8", Hands: 2, RangeFeet: 80, Hand: "stowed", Load: loadHeavy},
			&eventv1.CelesiaWeapon{Name: "flask", Kind: "thrown", Dice: "1d3", Hands: 1, RangeFeet: 10, Hand: "stowed", Load: loadFlask, Splash: true})
		c.Trained = []string{"sense-motive"}
	})
	potions := section(func(c *eventv1.CelesiaSheet) {
		c.Potions = []*eventv1.CelesiaPotion{{Name: "potion", Healing: "1d8+1", Count: 2}}
	})
	beast := section(func(c *eventv1.CelesiaSheet) {
		c.Humanoid, c.Body = false, &eventv1.CelesiaBody{Eyes: 2, Legs: 4, Head: true}
		c.Features = []string{featImprovedGrapple, featOpportunityHold}
		c.Weapons = []*eventv1.CelesiaWeapon{{Name: "bite", Kind: "natural", Dice: "1d8", Limb: "mouth"}, {Name: "claw", Kind: "natural", Dice: "3d6", Limb: "paw"}}
	})
	return []*eventv1.Sheet{
		fighter("a", "party", ability("strength", 18, "dexterity", 14), potions, gear, features(featCombatReflexes, featBullRush, featTwoWeapon)),
		fighter("b", "party", hitPoints(25), spells, potions),
		fighter("c", "foes", beast, ability("strength", 18), hitPoints(60)),
		fighter("d", "foes", gear, ability("dexterity", 16), features(featUncannyDodge, featFeint, featDrag), hitPoints(30)),
	}
}

// TestRandomPlay plays fights of random legal options and answers, and holds
// after each step what must always hold.
func TestRandomPlay(t *testing.T) {
	rounds := int32(0)
	for seed := int64(1); seed <= 20*length(t); seed++ {
		rounds += playFight(t, seed)
	}
	if rounds < 100 {
		t.Errorf("only %d rounds were played", rounds)
	}
}

// length is how many times its default length random play runs, from
// SKALD_RANDOM_PLAY.
func length(t *testing.T) int64 {
	text := os.Getenv("SKALD_RANDOM_PLAY")
	if text == "" {
		return 1
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 {
		t.Fatalf("SKALD_RANDOM_PLAY is %q, want a whole number from 1", text)
	}
	return n
}

func playFight(t *testing.T, seed int64) int32 {
	rng := rand.New(rand.NewSource(seed))
	f := newTable(t).add(field()...)
	f.Roller = func(sides int) int { return 1 + rng.Intn(sides) }
	for i, id := range []string{"a", "b", "c", "d"} {
		f.at(id, int32(i/2*10), int32(i%2*5))
	}
	var unaware []string
	if rng.Intn(3) == 0 {
		unaware = []string{"c"}
	}
	f.start(unaware)
	view, full, seen := event.NewState(), event.NewState(), 0
	for step := 0; step < 220 && len(f.State.Active) > 0; step++ {
		holdInvariants(t, seed, step, f)
		for ; seen < len(f.Log); seen++ {
			event.FoldAll(view, event.Visible(full, f.Log[seen:seen+1], player("a-player")))
			event.Fold(full, f.Log[seen])
		}
		id := f.State.Active[0]
		if id == "a" {
			sameOptions(t, seed, step, f.State, view)
		}
		options := System{}.Options(rules.Query{State: f.State, Creature: id})
		legal := slices.DeleteFunc(slices.Clone(options), func(o *eventv1.Option) bool { return !o.Legal })
		unlisted(t, seed, step, f, rng, options)
		o := legal[rng.Intn(len(legal))]
		before := event.Clone(f.State)
		if err := f.Try(randomTake(rng, f.State, o)); err != nil && !parameterFault(err, o) {
			t.Fatalf("seed %d step %d: option %v refused: %v", seed, step, o, err)
		}
		for n := 0; len(f.Decisions) > 0; n++ {
			if n > 60 {
				t.Fatalf("seed %d step %d: decisions without end: %v", seed, step, f.Decisions)
			}
			answerRandomly(t, f, rng)
		}
		folded := before
		event.FoldAll(folded, f.Published)
		if len(f.Published) > 0 && !proto.Equal(folded, f.State) {
			t.Fatalf("seed %d step %d: the fold of the events is not the state", seed, step)
		}
	}
	return f.State.Round
}

// parameterFault tells whether an option was refused for a way that the test
// made up, not for the option itself.
func parameterFault(err error, o *eventv1.Option) bool {
	fe, ok := fault.As(err)
	return ok && (o.Action == "move" || o.Action == "run" || o.Action == "step" || o.Action == "crawl") &&
		(fe.Reason == "TOO_FAR" || fe.Reason == "OCCUPIED" || fe.Reason == "FOE_IN_THE_WAY")
}

func randomTake(rng *rand.Rand, s *eventv1.State, o *eventv1.Option) *eventv1.Command {
	if o.Action == "end-turn" {
		return endTurn(o.Creature)
	}
	take := &eventv1.TakeAction{Creature: o.Creature, Action: o.Action, Item: o.Item}
	if len(o.Targets) > 0 {
		take.Targets = []string{o.Targets[rng.Intn(len(o.Targets))]}
	}
	give := func(p *eventv1.Parameter, v *structpb.Value) {
		if take.Parameters == nil {
			take.Parameters = &structpb.Struct{Fields: map[string]*structpb.Value{}}
		}
		take.Parameters.Fields[p.Name] = v
	}
	var free []*eventv1.Parameter // optional, with words to choose from; one at a time goes with anything
	for _, p := range o.Parameters {
		switch {
		case len(p.Values) == 0:
		case p.Required:
			give(p, p.Values[rng.Intn(len(p.Values))])
		case p.Name != "second": // goes with another
			free = append(free, p)
		}
	}
	if len(free) > 0 && rng.Intn(3) == 0 {
		p := free[rng.Intn(len(free))]
		give(p, p.Values[rng.Intn(len(p.Values))])
	}
	d := map[string]int32{"move": 5 * int32(1+rng.Intn(3)), "run": 15, "step": 5, "crawl": 5, "drop-item": 5, "drag": 15}[o.Action]
	if at := s.Creatures[o.Creature].Position; at != nil && d > 0 {
		take.Path = []*eventv1.Position{{X: at.X + d*int32(rng.Intn(3)-1), Y: at.Y + d*int32(rng.Intn(3)-1)}}
	}
	return &eventv1.Command{What: &eventv1.Command_Take{Take: take}}
}

func answerRandomly(t *testing.T, f *table, rng *rand.Rand) {
	d := f.Decisions[rng.Intn(len(f.Decisions))]
	if len(d.Options) == 0 {
		t.Fatalf("decision without options: %v", d)
	}
	a := &eventv1.Answer{Option: d.Options[rng.Intn(len(d.Options))].Id}
	f.Recorded = append(f.Recorded, rules.Answered(d, a, "answer"))
	out, err := rules.Run(context.Background(), System{}, rules.Request{State: f.Before, Action: f.Action, Recorded: f.Recorded,
		Published: f.Published}, f, rules.Resolve(System{}, f.Command))
	if err != nil {
		t.Fatalf("answering %v: %v", d, err)
	}
	f.Recorded = append(f.Recorded, out.Inputs...)
	f.Published, f.Events, f.Decisions, f.State = out.Events, out.Fresh, out.Open, out.State
	if len(out.Open) == 0 {
		f.Log = append(f.Log, out.Events...)
	}
}

// unlisted takes a sample of what is not listed as legal: it must be refused.
func unlisted(t *testing.T, seed int64, step int, f *table, rng *rand.Rand, options []*eventv1.Option) {
	o := options[rng.Intn(len(options))]
	if o.Legal && (o.MinimumTargets == 0 || len(o.Targets) == len(f.State.Creatures)) || o.Action == "end-turn" {
		return
	}
	cmd := randomTake(rng, f.State, o)
	if o.MinimumTargets > 0 {
		var others []string
		for _, id := range rules.SortedKeys(f.State.Creatures) {
			if !slices.Contains(o.Targets, id) {
				others = append(others, id)
			}
		}
		cmd.GetTake().Targets = []string{others[rng.Intn(len(others))]}
	}
	if o.Action == "skill-check" || o.Action == "saving-throw" {
		return
	}
	was := *f
	if err := f.Try(cmd); err == nil {
		t.Fatalf("seed %d step %d: not listed, yet allowed: %v", seed, step, cmd)
	}
	*f = was
}

// holdInvariants checks what must hold after every step.
func holdInvariants(t *testing.T, seed int64, step int, f *table) {
	t.Helper()
	for _, id := range f.State.Active {
		if c := f.Creature(id); !able(c) {
			t.Fatalf("seed %d step %d: %s has the turn and cannot act", seed, step, id)
		}
	}
	for _, id := range rules.SortedKeys(f.State.Creatures) {
		c := f.Creature(id)
		con, scored := constitution(c)
		if c.GetHp() > c.GetHpMax() || c.Counters[cActs] < 0 || c.Counters[cReactions] < 0 || c.Counters[cNonlethal] < 0 || c.Counters[cBleed] < 0 || c.Counters[cSpent] < 0 {
			t.Fatalf("seed %d step %d: %s out of range: %v", seed, step, id, c)
		}
		life := band(c.GetHp(), con, scored)
		if life == eventv1.LifeStatus_LIFE_STATUS_DEAD && !dead(c) || life == eventv1.LifeStatus_LIFE_STATUS_DYING && !down(c) && !dead(c) {
			t.Fatalf("seed %d step %d: %s at %d hit points is %v", seed, step, id, c.GetHp(), c.Life)
		}
		if foe := holds(c); foe != "" && heldBy(f.Creature(foe)) != id {
			t.Fatalf("seed %d step %d: %s holds %s, who is not held", seed, step, id, foe)
		}
		for _, row := range cripples {
			for _, side := range sides(parts(c, row.row)) {
				if row.row != "finger" && injuries(c, row.row, side, true) > 1 {
					t.Fatalf("seed %d step %d: %s lost %s %s twice", seed, step, id, row.row, side)
				}
			}
		}
	}
}

// sameOptions holds that a player is offered what the game master is.
func sameOptions(t *testing.T, seed int64, step int, full, view *eventv1.State) {
	t.Helper()
	want := System{}.Options(rules.Query{State: full, Creature: "a"})
	got := System{}.Options(rules.Query{State: view, Creature: "a"})
	if len(got) != len(want) {
		t.Fatalf("seed %d step %d: the player sees %d options, the game master %d", seed, step, len(got), len(want))
	}
	for i := range want {
		if !proto.Equal(got[i], want[i]) {
			t.Fatalf("seed %d step %d: the player sees %v, the game master %v", seed, step, got[i], want[i])
		}
	}
}
