package oracle

import (
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	"github.com/skaldrpg/skald/pkg/systems"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// seeds are those of the environment: one, or so many times the usual number.
func seeds(t *testing.T, usual int) []uint64 {
	t.Helper()
	if text := os.Getenv(rulestest.EnvSeed); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatalf("%s is %q, want a whole number", rulestest.EnvSeed, text)
		}
		return []uint64{n}
	}
	if text := os.Getenv(rulestest.EnvLength); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			t.Fatalf("%s is %q, want a whole number from 1", rulestest.EnvLength, text)
		}
		usual *= n
	} else if testing.Short() {
		usual /= 8
	}
	all := make([]uint64, usual)
	for i := range all {
		all[i] = uint64(i)
	}
	return all
}

// system finds a rule system of the build.
func system(t *testing.T, id string) rules.System {
	t.Helper()
	sys, err := systems.Registry().System(id)
	if err != nil {
		t.Fatal(err)
	}
	return sys
}

// faces draws what the oracle throws and keeps it for the rules.
type faces struct {
	chance *rulestest.Chance
	thrown []int
}

func (f *faces) roll(sides int) int {
	n := f.chance.Die(sides)
	f.thrown = append(f.thrown, n)
	return n
}

func (f *faces) take() []int {
	out := f.thrown
	f.thrown = nil
	return out
}

var abilities = []string{"strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"}

var damageTypes = []string{"slashing", "piercing", "fire", "cold", "poison", "force"}

// defenses draws a few.
func defenses(c *rulestest.Chance) []Defense {
	var out []Defense
	for _, t := range rulestest.Some(c, damageTypes, c.N(3)) {
		out = append(out, Defense{Type: t, Nonmagical: c.OneIn(3)})
	}
	return out
}

// creature draws one, as the oracle has it.
func creature(c *rulestest.Chance, id string, character bool) *Creature {
	one := &Creature{ID: id, Character: character, Level: 1 + c.N(20), AC: 8 + c.N(14), HitDie: rulestest.Pick(c, []int{6, 8, 10, 12}),
		Max: rulestest.Pick(c, []int{8, 15, 31, 60, 120}), Life: Alive, Scores: map[string]int{}, SaveBonus: map[string]int{}, Conditions: map[string]string{}}
	one.HP = one.Max
	one.Shield = rulestest.Pick(c, []string{"", "shield", "buckler", "arm guard"})
	for _, a := range abilities {
		one.Scores[a] = 3 + c.N(18)
	}
	if id == "z" { // acts last
		one.Scores["dexterity"], one.Scores["intelligence"] = 1, 1
	}
	for _, a := range rulestest.Some(c, abilities, 2) {
		one.SaveBonus[a] = c.N(12) - 1
	}
	if c.OneIn(2) {
		one.Resist, one.Vulnerable = defenses(c), defenses(c)
	}
	if c.OneIn(4) {
		one.Immune = defenses(c)
	}
	return one
}

var shields = map[string]eventv1.RcrSheet_Shield{"shield": eventv1.RcrSheet_SHIELD_SHIELD, "buckler": eventv1.RcrSheet_SHIELD_BUCKLER,
	"arm guard": eventv1.RcrSheet_SHIELD_ARM_GUARD}

// sheet is the creature as the rules are told of it.
func sheet(c *Creature, attacks ...*eventv1.RcrAttack) *eventv1.Sheet {
	said := func(list []Defense) (out []*eventv1.RcrDefense) {
		for _, d := range list {
			out = append(out, &eventv1.RcrDefense{Type: d.Type, NonmagicalOnly: d.Nonmagical})
		}
		return out
	}
	numbers := func(m map[string]int) map[string]int32 {
		out := map[string]int32{}
		for k, v := range m {
			out[k] = int32(v)
		}
		return out
	}
	own := &eventv1.RcrSheet{ProficiencyBonus: 2, ArmorClass: int32(c.AC), CreatureType: "humanoid", Saves: numbers(c.SaveBonus),
		Resistances: said(c.Resist), Immunities: said(c.Immune), Vulnerabilities: said(c.Vulnerable), Shield: shields[c.Shield],
		HitDice: []*eventv1.RcrHitDice{{Size: int32(c.HitDie), Total: 1}}, Attacks: attacks, AttacksPerAction: 4}
	s := &eventv1.Sheet{Id: c.ID, Name: c.ID, Side: c.ID, Size: "medium", HitPoints: int32(c.Max), Speeds: map[string]int32{"walk": 30},
		Abilities: numbers(c.Scores), Section: &eventv1.Sheet_Rcr{Rcr: own}}
	if c.Character {
		own.Level, s.Controllers = int32(c.Level), []string{"player-" + c.ID}
	} else {
		own.ChallengeRating = "2"
	}
	return s
}

// words names conditions as a table is told of them.
func words(c *Creature) []string {
	var out []string
	for _, name := range rules.SortedKeys(c.Conditions) {
		word := name
		if name == "paralyzed" {
			word += "=stricken"
		}
		if s := c.Conditions[name]; s != "" {
			word += "@" + s
		}
		out = append(out, word)
	}
	return out
}

// place puts creatures on a table and begins; the attacker acts first.
func place(t *testing.T, party int, sheets ...*eventv1.Sheet) *rulestest.Table {
	t.Helper()
	f := rulestest.New(t, system(t, "rcr"), "rcr.setting.initiative-choice=best", "rcr.setting.tie-break=dexterity",
		"rcr.setting.initiative-is-check=off", fmt.Sprintf("rcr.setting.party-level=%d", party))
	f.Add(sheets...)
	var order []int
	for range sheets {
		order = append(order, 10)
	}
	order[0], order[len(order)-1] = 20, 1
	f.Start(nil, order...)
	f.WantActive(sheets[0].Id)
	return f
}

// put tells the table what a creature is like by now.
func put(f *rulestest.Table, c *Creature) {
	f.T.Helper()
	f.Put(c.ID, &eventv1.Vitals{Hp: proto.Int32(int32(c.HP)), HpTemp: proto.Int32(int32(c.Temp)),
		Counters: map[string]int64{"exhaustion": int64(c.Exhaustion), "wounds": int64(c.Wounds)}})
	if len(c.Conditions) > 0 {
		f.Afflict(c.ID, words(c)...)
	}
}

var lives = map[eventv1.LifeStatus]Life{eventv1.LifeStatus_LIFE_STATUS_UNSPECIFIED: Alive, eventv1.LifeStatus_LIFE_STATUS_ALIVE: Alive, eventv1.LifeStatus_LIFE_STATUS_DYING: Dying,
	eventv1.LifeStatus_LIFE_STATUS_STABLE: Stable, eventv1.LifeStatus_LIFE_STATUS_DEAD: Dead}

// same holds a creature of the table against the oracle's.
func same(f *rulestest.Table, want *Creature) {
	f.T.Helper()
	got := f.Creature(want.ID)
	if life := lives[got.Life]; life != want.Life {
		f.T.Fatalf("%s is %q (%v), the oracle says %q", want.ID, life, got.Life, want.Life)
	}
	compare := func(what string, a int64, b int) {
		f.T.Helper()
		if a != int64(b) {
			f.T.Fatalf("%s of %s: %d, the oracle says %d", what, want.ID, a, b)
		}
	}
	compare("wounds", got.Counters["wounds"], want.Wounds)
	compare("maximum", int64(got.GetHpMax()), want.Max)
	compare("hit points", int64(got.GetHp()), want.HP)
	compare("temporary hit points", int64(got.GetHpTemp()), want.Temp)
	if want.Life == Dead {
		return // what is counted of the dead weighs on nothing
	}
	compare("exhaustion", got.Counters["exhaustion"], want.Exhaustion)
	compare("successes", got.Counters["death.successes"], want.Successes)
	compare("failures", got.Counters["death.failures"], want.Failures)
	for _, name := range []string{"prone", "crouching"} {
		has := false
		for _, c := range got.Conditions {
			has = has || c.Name == name
		}
		if has != want.Has(name) {
			f.T.Fatalf("%s %s: %t, the oracle says %t", want.ID, name, has, want.Has(name))
		}
	}
}

// each plays a situation of every seed, and on a failure says how to repeat it.
func each(t *testing.T, usual int, play func(t *testing.T, c *rulestest.Chance, note func(string, ...any))) {
	for _, seed := range seeds(t, usual) {
		t.Run(fmt.Sprintf("seed-%d", seed), func(t *testing.T) {
			var notes []string
			defer func() {
				if t.Failed() {
					t.Logf("to repeat it: %s=%d\n%s", rulestest.EnvSeed, seed, strings.Join(notes, "\n"))
				}
			}()
			play(t, rulestest.NewChance(seed), func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) })
		})
	}
}

// afflict draws conditions that may go together.
func afflict(c *rulestest.Chance, on *Creature, most int, names ...string) {
	for _, n := range rulestest.Some(c, names, c.N(most+1)) {
		n, source, _ := strings.Cut(n, "@")
		on.Conditions[n] = source
	}
	if on.Has("prone") || on.Has("unconscious") {
		delete(on.Conditions, "crouching")
	}
	if on.Has("unconscious") {
		on.Conditions["prone"] = ""
	}
}

// hurt draws what has befallen a creature before.
func hurt(c *rulestest.Chance, on *Creature) {
	if c.OneIn(2) {
		on.HP = 1 + c.N(on.Max)
	}
	if c.OneIn(4) {
		on.Temp = 1 + c.N(12)
	}
	if c.OneIn(3) {
		on.Exhaustion = c.N(9)
	}
	if c.OneIn(3) && on.Character {
		on.Wounds = c.N(max(1, on.Modifier("constitution")+6))
	}
}

// blow draws an attack, and says it as a sheet does.
func blow(c *rulestest.Chance, name string) (Attack, *eventv1.RcrAttack) {
	a := Attack{Bonus: c.N(14) - 1, Ranged: c.OneIn(2), Magical: c.OneIn(3), CriticalFrom: rulestest.Pick(c, []int{20, 20, 20, 19, 18}), Normal: 60}
	for range 1 + c.N(3) {
		a.Parts = append(a.Parts, Part{Count: 1 + c.N(3), Sides: rulestest.Pick(c, []int{4, 6, 8, 10, 12}), Bonus: c.N(8) - 2, Type: rulestest.Pick(c, damageTypes)})
	}
	said := &eventv1.RcrAttack{Name: name, Bonus: int32(a.Bonus), Natural: true, Magical: a.Magical, CriticalFrom: int32(a.CriticalFrom)}
	if a.Ranged {
		said.RangeFeet, said.LongRangeFeet = 60, 120
		a.Distance = rulestest.Pick(c, []int{5, 10, 60, 65, 120})
	} else {
		said.ReachFeet = 10
		a.Distance = rulestest.Pick(c, []int{5, 10})
	}
	for _, p := range a.Parts {
		said.Damage = append(said.Damage, &eventv1.RcrDamage{Dice: diceText(p), Type: p.Type})
	}
	return a, said
}

// diceText writes dice as a sheet does.
func diceText(p Part) string { return fmt.Sprintf("%dd%d%+d", p.Count, p.Sides, p.Bonus) }

// about draws what else is so of an attack.
func about(c *rulestest.Chance, a *Attack) {
	a.Cover = rulestest.Pick(c, []string{"", "", "half", "three-quarters"})
	a.Between = c.OneIn(3)
	a.Crowded = a.Ranged && c.OneIn(4)
	if c.OneIn(3) {
		a.Advantage = rulestest.Some(c, []string{"luck", "height", "guide"}, 1+c.N(3))
	}
	if c.OneIn(3) {
		a.Disadvantage = rulestest.Some(c, []string{"mud", "wind"}, 1+c.N(2))
	}
}

// stated says what is so of an attack as a command does.
func stated(a Attack) []func(*eventv1.TakeAction) {
	cover := a.Cover
	if cover == "" {
		cover = "none"
	}
	facts := []any{"distance", a.Distance, "cover", cover, "between", a.Between}
	if a.Crowded {
		facts = append(facts, "close_enemy", true)
	}
	var all []string
	for _, k := range a.Advantage {
		all = append(all, "advantage:"+k)
	}
	for _, k := range a.Disadvantage {
		all = append(all, "disadvantage:"+k)
	}
	sort.Strings(all)
	return []func(*eventv1.TakeAction){rulestest.WithFacts(facts...), rulestest.Stated(all...)}
}

// TestAttacks attacks somebody up to four times and then lets it have its turn.
func TestAttacks(t *testing.T) {
	each(t, 1000, func(t *testing.T, c *rulestest.Chance, note func(string, ...any)) {
		by, at := creature(c, "a", true), creature(c, "b", !c.OneIn(4))
		party := rulestest.Pick(c, []int{2, 3, 9})
		a, said := blow(c, "blow")
		f := place(t, party, sheet(by, said), sheet(at), sheet(creature(c, "z", false)))
		hurt(c, by)
		by.Wounds = min(by.Wounds, max(0, by.Modifier("constitution")+2)) // to be crippled is enough
		hurt(c, at)
		afflict(c, by, 3, "blinded", "prone", "restrained", "poisoned", "invisible", "crouching", rulestest.Pick(c, []string{"grappled@b", "grappled@z"}))
		afflict(c, at, 3, "blinded", "prone", "restrained", "invisible", "crouching", "shackled", "dodging", "poisoned",
			rulestest.Pick(c, []string{"paralyzed", "stunned", "unconscious", "petrified", "helpless", "incapacitated"}), "grappled@z")
		note("by %+v\nat %+v\nattack %+v, party %d", *by, *at, a, party)
		put(f, by)
		put(f, at)
		same(f, at)
		dice := &faces{chance: c}
		for range 1 + c.N(4) {
			if at.Life == Dead {
				return
			}
			about(c, &a)
			outcome := a.Make(by, at, party, dice.roll)
			thrown := dice.take()
			note("%+v\nfaces %v: %s; then %+v", a, thrown, outcome, *at)
			f.Must(rulestest.Act("a", "attack", "blow", "b", stated(a)...), thrown...)
			if len(f.Decisions) > 0 {
				t.Fatalf("asked %v", f.Decisions)
			}
			if got := f.Attack().Outcome; got != outcome {
				t.Fatalf("%s, the oracle says %s", got, outcome)
			}
			same(f, at)
		}
	})
}

// TestTurns lets somebody who is down or bleeds have its turn.
func TestTurns(t *testing.T) {
	each(t, 600, func(t *testing.T, c *rulestest.Chance, note func(string, ...any)) {
		at := creature(c, "b", true)
		party := rulestest.Pick(c, []int{2, 3, 9})
		f := place(t, party, sheet(creature(c, "a", false)), sheet(at), sheet(creature(c, "z", false)))
		hurt(c, at)
		if c.OneIn(2) {
			at.HP, at.Temp, at.Life = 0, 0, Dying
			at.Conditions["prone"] = ""
			at.Successes, at.Failures = c.N(3), c.N(3)
		}
		put(f, at)
		if at.Life == Dying {
			f.Count("b", "death.successes", at.Successes, "death.failures", at.Failures)
		}
		note("%+v, party %d", *at, party)
		same(f, at)
		dice := &faces{chance: c}
		at.StartTurn(party, dice.roll)
		thrown := append([]int{2}, dice.take()...) // the initiative of who went before
		if at.lies() {
			thrown = append(thrown, 2) // its own: its turn ends by itself
		}
		note("faces %v; then %+v", thrown, *at)
		f.End("a", thrown...)
		same(f, at)
	})
}

// TestSaves calls for saving throws.
func TestSaves(t *testing.T) {
	each(t, 600, func(t *testing.T, c *rulestest.Chance, note func(string, ...any)) {
		at := creature(c, "b", true)
		f := place(t, 3, sheet(at), sheet(creature(c, "z", false)))
		hurt(c, at)
		afflict(c, at, 3, "blinded", "prone", "restrained", "poisoned", "invisible", "crouching", "dodging", "grappled@z",
			rulestest.Pick(c, []string{"paralyzed", "stunned", "unconscious", "petrified", "helpless", "incapacitated"}))
		put(f, at)
		v := Save{Ability: rulestest.Pick(c, abilities), DC: 5 + c.N(20), Cover: rulestest.Pick(c, []string{"", "half", "three-quarters"})}
		if c.OneIn(3) {
			v.Advantage = []string{"luck"}
		}
		if c.OneIn(3) {
			v.Disadvantage = []string{"mud", "wind"}
		}
		dice := &faces{chance: c}
		passed := v.Make(at, dice.roll)
		thrown := dice.take()
		cover := v.Cover
		if cover == "" {
			cover = "none"
		}
		note("%+v\n%+v, faces %v: %t", *at, v, thrown, passed)
		said := stated(Attack{Advantage: v.Advantage, Disadvantage: v.Disadvantage})
		f.Must(rulestest.Act("b", "called-save", "", "", rulestest.WithParameters("ability", v.Ability, "dc", v.DC), rulestest.WithFacts("cover", cover), said[1]), thrown...)
		if len(thrown) == 0 {
			return // it failed without a roll, or a face would be missing
		}
		if got := f.Roll("").Outcome; (got == "success") != passed {
			t.Fatalf("%q, the oracle says %t", got, passed)
		}
	})
}
