package celesia

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Every trigger sets something off, for the one whom it is about.
func TestEveryTriggerOfContent(t *testing.T) {
	shown := []string{}
	for _, tc := range []struct {
		trigger, bearer string
		do              func(f *table)
	}{
		{effects.TriggerHit, "a", func(f *table) { f.Must(act("a", "attack", "sword", "b"), 15, 4) }},
		{effects.TriggerHit, "a", func(f *table) { f.Must(act("a", "cast", "jolt", "b"), 20, 4) }},
		{effects.TriggerMiss, "a", func(f *table) { f.Must(act("a", "attack", "sword", "b"), 2) }},
		{effects.TriggerMiss, "a", func(f *table) { f.Must(act("a", "cast", "jolt", "b"), 2) }},
		{effects.TriggerCritical, "a", func(f *table) { f.Must(act("a", "attack", "sword", "b"), 20, 4) }},
		{effects.TriggerHurt, "b", func(f *table) { f.Must(act("a", "attack", "sword", "b"), 15, 4) }},
		{effects.TriggerHurt, "b", func(f *table) { f.Must(act("a", "cast", "burst", "b"), 4) }},
		{effects.TriggerKill, "a", func(f *table) {
			f.Hurt("b", -23)
			f.Must(act("a", "cast", "burst", "b"), 4)
			f.Answer(body.DecCrippling, "none")
		}},
		{effects.TriggerCast, "a", func(f *table) { f.Must(act("a", "cast", "burst", "b"), 4) }},
		{effects.TriggerSaveFailed, "b", func(f *table) { f.Must(act("a", "cast", "wave", "b"), 9, 4) }},
		{effects.TriggerSavePassed, "b", func(f *table) { f.Must(act("a", "cast", "wave", "b"), 10, 4) }},
		{effects.TriggerTurnStart, "b", func(f *table) { f.End("a") }},
		{effects.TriggerTurnEnd, "a", func(f *table) { f.End("a") }},
		{effects.TriggerRoundStart, "b", func(f *table) {
			f.End("a")
			f.End("b")
		}},
		{effects.TriggerEnter, "c", func(f *table) { f.Add(fighter("c", "foes")) }},
	} {
		shown = append(shown, tc.trigger)
		book := ruling(t, `{when: 'self.id == "`+tc.bearer+`" && (self.id == "c" || self.hp < 100)', trigger: `+tc.trigger+`, whom: self, temporary_hit_points: {amount: "7"}}`)
		f := plain(t, book)
		if tc.bearer == "c" {
			f.Roller = func(int) int { return 3 }
		}
		if tc.trigger == effects.TriggerRoundStart {
			f.End("a")
			if f.Creature("b").GetHpTemp() != 0 {
				t.Errorf("%s: before its time", tc.trigger)
			}
			f.End("b")
		} else {
			if f.Creature(tc.bearer).GetHpTemp() != 0 {
				t.Errorf("%s: before its time", tc.trigger)
			}
			tc.do(f)
		}
		want := map[string]int32{effects.TriggerSaveFailed: 7 - 4, effects.TriggerSavePassed: 7 - 2}[tc.trigger] // the wave comes after
		if want == 0 {
			want = 7
		}
		if got := f.Creature(tc.bearer).GetHpTemp(); got != want {
			t.Errorf("%s: %d temporary hit points of %s, want %d", tc.trigger, got, tc.bearer, want)
		}
		f.wantCited(it)
		if other := map[string]string{"a": "b", "b": "a", "c": "a"}[tc.bearer]; f.Creature(other).GetHpTemp() != 0 {
			t.Errorf("%s: %s has some as well", tc.trigger, other)
		}
	}
	for _, trigger := range (System{}).Content().Triggers {
		if !slices.Contains(shown, trigger) {
			t.Errorf("nothing shows %s", trigger)
		}
	}
}

// kindCase is content with what comes of it.
type kindCase struct {
	kind   effects.Kind
	effect string
	do     func(f *table)
	holds  func(f *table) bool
}

func strikes(faces ...int) func(f *table) {
	return func(f *table) { f.Must(act("a", "attack", "sword", "b"), faces...) }
}

func hp(id string, n int32) func(f *table) bool {
	return func(f *table) bool { return f.Creature(id).GetHp() == n }
}

// Every kind of effect changes what comes of a deed.
func TestEveryKindOfContent(t *testing.T) {
	shown := []effects.Kind{effects.KindModifier, effects.KindEdge, effects.KindReroll, effects.KindSet, effects.KindCriticalRange} // by the points
	later := ` && (round > 1 || self.hp < 100)`
	for _, tc := range []kindCase{
		{effects.KindDamage, `{when: 'self.id == "a"', trigger: hit, damage: {dice: 1d4, amount: "1", type: fire}}`, strikes(15, 4, 3), hp("b", 99-4-4)},
		{effects.KindDamage, `{when: 'self.id == "b"', trigger: hurt, whom: actor, damage: {amount: "2"}}`, strikes(15, 4), hp("a", 99-2)},
		{effects.KindSave, `{when: 'self.id == "a"', trigger: hit, save: {save: will, dc: "12", half: true, failed: [{damage: {dice: 1d6}}]}}`, strikes(15, 4, 11, 5), hp("b", 99-4-5)},
		{effects.KindSave, `{when: 'self.id == "a"', trigger: hit, save: {save: will, dc: "12", half: true, failed: [{damage: {dice: 1d6}}]}}`, strikes(15, 4, 12, 5), hp("b", 99-4-2)},
		{effects.KindSave, `{when: 'self.id == "a"', trigger: miss, whom: actor, save: {save: fortitude, dc: "5", failed: [{damage: {amount: "9"}}], passed: [{damage: {amount: "1"}}]}}`, strikes(2, 5), hp("a", 99-1)},
		{effects.KindCondition, `{when: 'self.id == "a"', trigger: hit, condition: {condition: shaken, rounds: "1"}}`, strikes(15, 4), func(f *table) bool {
			was := body.Has(f.Creature("b"), body.CondShaken)
			f.End("a")
			still := body.Has(f.Creature("b"), body.CondShaken)
			f.End("b")
			return was && still && !body.Has(f.Creature("b"), body.CondShaken)
		}},
		{effects.KindCondition, `{when: 'self.id == "a"', trigger: miss, whom: self, condition: {condition: shaken, remove: true}}`, func(f *table) {
			f.Afflict("a", body.CondShaken)
			strikes(2, 2)(f)
		}, func(f *table) bool { return !body.Has(f.Creature("a"), body.CondShaken) }},
		{effects.KindCondition, `{when: 'self.id == "a"', trigger: hit, save: {save: will, dc: "12", failed: [{condition: {condition: stunned, save_ends: true}}]}}`, strikes(15, 4, 11), func(f *table) bool {
			was := body.Has(f.Creature("b"), body.CondStunned)
			f.End("a", 5) // b cannot act: its turn is over, and it throws at its end
			still := body.Has(f.Creature("b"), body.CondStunned)
			f.End("a", 12)
			return was && still && !body.Has(f.Creature("b"), body.CondStunned)
		}},
		{effects.KindHealing, `{when: 'self.id == "a"', trigger: hit, whom: self, healing: {dice: 1d4, amount: "-1"}}`, func(f *table) {
			f.Hurt("a", 20)
			strikes(15, 4, 3)(f)
		}, hp("a", 22)},
		{effects.KindTemporaryHitPoints, `{when: 'self.id == "a"', trigger: hit, whom: self, temporary_hit_points: {dice: 1d4}}`, func(f *table) {
			strikes(15, 4, 3)(f)
			strikes(15, 4, 1)(f) // the most of several
		}, func(f *table) bool { return f.Creature("a").GetHpTemp() == 3 }},
		{effects.KindUse, `{when: 'self.id == "a"', trigger: hit, use: {resource: spite, amount: "2"}}`, func(f *table) {
			f.Count("a", body.CLeft+"spite", 3)
			strikes(15, 4)(f)
		}, func(f *table) bool { return f.Creature("a").Counters[body.CLeft+"spite"] == 1 }},
		{effects.KindSpeed, `{when: 'self.id == "a"` + later + `', speed: {mode: walk, feet: feet + 10}}`, func(f *table) { f.Must(act("a", "move", "", "", way(-40, 0))) },
			func(f *table) bool {
				return f.Creature("a").Position.X == -40 && body.Speed(f.Creature("b"), "walk") == 30
			}},
		{effects.KindResistance, `{when: 'self.id == "b"', resistance: {types: [slashing]}}`, strikes(15, 5), hp("b", 99-2)},
		{effects.KindResistance, `{when: 'self.id == "b"', resistance: {types: [all], less: "4"}}`, strikes(15, 5), hp("b", 99-1)},
		{effects.KindResistance, `{when: 'self.id == "b"', resistance: {types: [slashing], vulnerable: true}}`, strikes(15, 5), hp("b", 99-10)},
		{effects.KindResistance, `{when: 'self.id == "b"', resistance: {types: [fire]}}`, strikes(15, 5), hp("b", 99-5)},
		{effects.KindImmunity, `{when: 'self.id == "b"', immunity: {types: [slashing]}}`, strikes(15, 5), hp("b", 99)},
		{effects.KindImmunity, `{when: 'self.id == "b"', immunity: {conditions: [prone]}}`, func(f *table) { f.Must(act("a", "trip", "", "b"), 15) },
			func(f *table) bool { return !body.Has(f.Creature("b"), body.CondProne) }},
		{effects.KindImmunity, `{when: 'self.id == "b"', immunity: {conditions: [grappled]}}`, func(f *table) {
			f.Must(act("a", "grapple", "", "b", withFacts("threatened_by", []string{})), 15)
		}, func(f *table) bool {
			return !body.Has(f.Creature("b"), body.CondGrappled) && !body.Has(f.Creature("a"), body.CondGrappled)
		}},
		{effects.KindExtraAction, `{when: 'self.id == "b"', extra_action: {counter: acts}}`, func(f *table) { f.End("a") }, func(f *table) bool { return f.acts("b") == 4 && f.acts("a") == 0 }},
		{effects.KindExtraAction, `{when: 'self.id == "b"', extra_action: {counter: acts, amount: "-1"}}`, func(f *table) { f.End("a") }, func(f *table) bool { return f.acts("b") == 2 }},
		{effects.KindExtraAction, `{when: 'self.id == "a"', extra_action: {counter: reaction}}`, func(f *table) { f.End("a") }, func(f *table) bool { return f.Creature("a").Counters[body.CReactions] == 2 }},
		{effects.KindAura, `{when: 'self.id == "a"', aura: {feet: "10", who: enemies, effects: [{modifier: {to: armor-class, amount: "-3"}}]}}`, strikes(7, 5), hp("b", 99-5)},
		{effects.KindAura, `{when: 'self.id == "a"', aura: {feet: "10", who: enemies, effects: [{resistance: {types: [slashing], vulnerable: true}}]}}`, strikes(15, 5), hp("b", 99-10)},
		{effects.KindCost, `{when: 'self.id == "a"', cost: {action: total-defense, counter: acts, amount: cost - 1}}`, func(f *table) { f.Must(act("a", "total-defense", "", "")) },
			func(f *table) bool { return f.acts("a") == 2 }},
		{effects.KindCost, `{when: 'self.id == "a"', cost: {action: attack, counter: acts, amount: cost + 1}}`, strikes(2), func(f *table) bool { return f.acts("a") == 1 }},
		{effects.KindCost, `{when: 'self.id == "a"', cost: {action: attack, counter: acts, amount: cost + 1}}`, func(f *table) {
			f.Must(act("a", "ready", "sword", "b", withParameters("action", "attack", "trigger", "move")))
		}, func(f *table) bool { return f.State.Active[0] == "b" && f.Creature("a").Counters[body.CSpent] == 3 }},
		{effects.KindBar, `{when: 'self.id == "a"', bar: {action: attack}}`, func(f *table) { wantRefused(f.T.(*testing.T), f.Try(act("a", "attack", "sword", "b")), it) }, func(f *table) bool {
			return !slices.ContainsFunc(f.options("a"), func(o *eventv1.Option) bool {
				return o.Legal && (o.Action == "attack" || slices.ContainsFunc(o.Choices, func(c *eventv1.Option) bool { return c.Action == "attack" }))
			})
		}},
		{effects.KindReplace, `{when: 'self.id == "a"', replace: {action: stand-up, by: drop-prone}}`, func(f *table) { f.Must(act("a", "stand-up", "", "")) },
			func(f *table) bool { return body.Has(f.Creature("a"), body.CondProne) && f.acts("a") == 3 }},
		{effects.KindHook, `{when: 'self.id == "a"', trigger: hit, hook: {name: push, values: {feet: "15"}}}`, strikes(15, 4), func(f *table) bool { return f.Creature("b").Position.X == 20 }},
		{effects.KindHook, `{when: 'self.id == "a"', trigger: hit, whom: self, hook: {name: disarm}}`, strikes(15, 4), func(f *table) bool { return f.Creature("a").Items["sword"].Place == body.PlaceDropped }},
		{effects.KindHook, `{when: 'self.id == "a"', trigger: hit, hook: {name: lose-acts, values: {acts: "2"}}}`, func(f *table) {
			strikes(15, 4)(f)
			strikes(15, 4)(f) // of one source it counts once
			f.End("a")
		}, func(f *table) bool {
			was := f.acts("b")
			f.End("b")
			f.End("a")
			return was == 1 && f.acts("b") == 3
		}},
		{effects.KindHook, `{when: 'self.id == "a"', trigger: hit, hook: {name: cripple, values: {row: eye}}}`, strikes(15, 4, 2), func(f *table) bool {
			in := f.Creature("b").Injuries
			return len(in) == 1 && in[0].Kind == "eye" && in[0].Side == "right"
		}},
		{effects.KindHook, `{when: 'self.id == "a"', trigger: hit, hook: {name: cripple, values: {plus: "2"}}}`, strikes(15, 4, 3), func(f *table) bool { return f.Creature("b").Injuries[0].Kind == "major-scar" }},
		{effects.KindHook, `{when: 'self.id == "a"', trigger: hit, hook: {name: bleed, values: {points: "3"}}}`, func(f *table) {
			strikes(15, 4)(f)
			f.End("a")
		}, hp("b", 99-4-3)},
		{effects.KindHook, `{when: 'self.id == "b"` + later + `', trigger: turn-start, hook: {name: provoke}}`, func(f *table) {
			f.End("a")
			f.Answer(body.DecReaction+"/a", "attack:sword", 15, 4)
		}, hp("b", 99-4)},
	} {
		shown = append(shown, tc.kind)
		f := plain(t, ruling(t, tc.effect))
		tc.do(f)
		if !tc.holds(f) {
			t.Errorf("%s: a %v, b %v", tc.effect, f.Creature("a"), f.Creature("b"))
		}
		if !slices.ContainsFunc(f.Log, func(e *eventv1.Event) bool { return citing(e, it) }) && tc.kind != effects.KindCost && tc.kind != effects.KindBar && tc.kind != effects.KindUse && tc.effect[len(tc.effect)-9:] != "provoke}}" &&
			tc.effect != `{when: 'self.id == "b"', resistance: {types: [fire]}}` {
			t.Errorf("%s is not cited", tc.effect)
		}
	}
	t.Run("no_provoke", func(t *testing.T) {
		shown = append(shown, effects.KindNoProvoke)
		for effect, asked := range map[string]int{`{when: 'self.id == "c"', no_provoke: {action: crawl}}`: 1, `{when: 'self.id == "a"', no_provoke: {action: crawl}}`: 0, `{when: 'self.id == "a"', no_provoke: {action: stand-up}}`: 1, `{when: 'self.id == "a"', no_provoke: {}}`: 0} {
			f := by(t, ruling(t, effect))
			f.AddAt(0, 0, fighter("a", "party"))
			f.AddAt(5, 0, fighter("b", "foes"))
			f.set(15, 5)
			f.Afflict("a", body.CondProne)
			for _, o := range f.options("a") {
				if o.Action == "crawl" && len(o.Provokes) != asked {
					t.Errorf("%s: the option provokes %v", effect, o.Provokes)
				}
			}
			f.Must(act("a", "crawl", "", "", way(0, 5)))
			if len(f.Decisions) != asked {
				t.Errorf("%s: %d are asked, want %d", effect, len(f.Decisions), asked)
			}
		}
	})
	for kind := range (System{}).Content().Kinds {
		if !slices.Contains(shown, kind) {
			t.Errorf("nothing shows %s", kind)
		}
	}
}

// options are what a creature may do with the content of the fight.
func (f *table) options(id string) []*eventv1.Option {
	return System{}.Options(rules.Query{State: f.State, Creature: id, Content: f.Content})
}
