package spark

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	"github.com/skaldrpg/skald/pkg/rules/spark/resolving"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/proto"
)

// swordLies puts ara's sword on the ground at a place on the line.
func (f *table) swordLies(x int32) {
	f.T.Helper()
	f.Put("ara", &eventv1.Vitals{Items: map[string]*eventv1.ItemState{"sword": {Place: "dropped", Values: map[string]int32{"feet": max(x, -x), "x": x, "y": 0}}}})
}

// spark.fumble.weapon-flies, spark.turn.movement-first: whoever is stopped on the way to its weapon, or put out, or loses its turn as it stoops, does not
// pick it up; whoever merely falls short is told that it is not reached
func TestStoppedBeforeTheWeapon(t *testing.T) {
	const notReached = "sword is not reached"
	const slow = "- id: hobbled\n  effects:\n    - {speed: {feet: feet - 20}}\n"
	loses := []string{"rules.yaml", ruled(`{when: 'self.side == "monsters"', trigger: hit, hook: {name: lose-turn}}`)}
	for _, c := range []struct {
		name  string
		files []string
		hp    int32
		stops []string // what each of those asked does
		told  bool
		place string
		x     int32
	}{
		{"reached", loses, 30, []string{"orc no", "imp no"}, false, "main", -30},
		{"turn lost on the way", loses, 30, []string{"orc sword"}, false, "dropped", 0},
		{"turn lost at the weapon", loses, 30, []string{"orc no", "imp sword"}, false, "dropped", -30},
		{"put out on the way", nil, 5, []string{"orc sword"}, false, "dropped", 0},
		{"put out at the weapon", nil, 5, []string{"orc no", "imp sword"}, false, "dropped", -30},
		{"slowed on the way", []string{"conditions.yaml", slow, "rules.yaml", ruled(`{when: 'self.id == "orc"', trigger: hit, condition: {condition: hobbled, rounds: "1"}}`)}, 30, []string{"orc sword"}, true, "dropped", -10},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := eachCase{files: c.files}.field(t)
			f.at(-35, fighter("imp", "monsters"))
			f.swordLies(-30)
			f.Hurt("ara", c.hp)
			f.Must(act("ara", declaring.KindMove, "", "", to(-30), withParameters("bonus", "pick-up:sword")))
			f.End("imp")
			f.End("orc")
			for _, s := range c.stops {
				who, what, _ := strings.Cut(s, " ")
				f.Answer(body.DecOpportunity+"/"+who, what)
			}
			ara := f.Creature("ara")
			if len(f.Decisions) > 0 || f.hasNote(notReached) != c.told || ara.Items["sword"].Place != c.place || ara.Position.X != c.x {
				t.Errorf("asked %v, told %v, %v at %v", f.Decisions, f.hasNote(notReached), ara.Items["sword"], ara.Position)
			}
		})
	}
}

// spark.initiative.other-deeds, spark.fumble.weapon-flies: a way that somebody races comes too late to fetch a weapon, as a contested one does
func TestRacedToTheWeapon(t *testing.T) {
	for _, raced := range []bool{true, false} {
		f := newTable(t).add(fighter("ara", "party"), fighter("orc", "monsters")).start()
		f.Put("ara", &eventv1.Vitals{Items: map[string]*eventv1.ItemState{"sword": {Place: "dropped", Values: map[string]int32{"feet": 20}}}})
		f.Must(act("ara", declaring.KindMove, "", "", withParameters("feet", 20, "bonus", "pick-up:sword")))
		words := []any{"text", "kicks it away"}
		dice := []int{10}
		if raced {
			words, dice = append(words, "rival", "ara"), []int{10, 5}
		}
		f.Must(act("orc", declaring.KindDeed, "", "", withParameters(words...)), dice...)
		place := f.Creature("ara").Items["sword"].Place
		if f.hasNote("sword is not reached") != raced || (place == "dropped") != raced {
			t.Errorf("raced %v: %s", raced, place)
		}
	}
}

// spark.action.move: a length that is stated beats the speeds of content as it beats what the path measures
func TestStatedWayAndSpeeds(t *testing.T) {
	f := eachCase{files: []string{"rules.yaml", ruled(`{when: 'self.id == "orc"', speed: {feet: feet + 5}}`)}}.field(t)
	f.Place("orc", 50, 0)
	wantRefused(t, f.Try(act("ara", declaring.KindMove, "", "", to(-40))), cite.ActionMove)
	f.Must(act("ara", declaring.KindMove, "", "", to(-40), withFacts("feet", 10)))
	f.End("orc")
	if x := f.Creature("ara").Position.X; x != -40 {
		t.Errorf("at %d", x)
	}
}

// spark.reaction.opportunity-attack: that content keeps somebody from provoking is told where somebody could have answered
func TestQuietWhereSomebodyCouldAnswer(t *testing.T) {
	for reactions, told := range []int{0, 1} {
		f := eachCase{files: []string{"rules.yaml", ruled("{" + onAra + "no_provoke: {}}")}}.field(t)
		f.Count("orc", body.CReaction, reactions)
		f.Must(act("ara", declaring.KindMove, "", "", to(-30)))
		f.End("orc")
		if n := f.notes("provokes nobody: R"); n != told || len(f.Decisions) > 0 {
			t.Errorf("%d reactions: told %d times", reactions, n)
		}
	}
}

// spark.fumble.timing: whoever has lost its turn does itself the damage of its critical fail all the same: only whoever is put out does not
func TestFumbleOfALostTurn(t *testing.T) {
	for hp, taken := range map[int32]int32{30: 3, 5: 0} {
		f := houseTable(t, written(onHit(`hook: {name: lose-turn}`)...)).at(0, fighter("ara", "party")).at(5, fighter("orc", "monsters", armedWith(mace))).start()
		f.Hurt("orc", hp)
		f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
		dice := []int{15, 1, 1, 2, 4}
		if taken > 0 {
			dice = append(dice, 3)
		}
		f.Must(act("orc", declaring.KindAttack, "mace", "ara"), dice...) // its own head
		f.WantHP("orc", max(0, hp-7-taken))
	}
}

// spark.spell.countered-mana-lost: a spell of a turn that is lost costs no mana, neither is it ruined nor countered
func TestSpellOfALostTurn(t *testing.T) {
	for _, lost := range []bool{true, false} {
		what := `use: {resource: draught}`
		if lost {
			what = `hook: {name: lose-turn}`
		}
		f := houseTable(t, written(onHit(what)...)).at(0, fighter("ara", "party")).at(30, fighter("orc", "monsters", mage)).start()
		f.Must(act("ara", declaring.KindAttack, "bow", "orc"))
		dice := []int{15, 5, 4}
		if !lost {
			dice = append(dice, 20, 1, 1) // the save, and 2d6 halved
		}
		f.Must(act("orc", declaring.KindCast, "fire", "ara"), dice...)
		if n := f.Creature("orc").Counters[body.CMana]; n != map[bool]int64{true: 20, false: 14}[lost] || f.hasNote("fire is lost: its turn has ended") != lost {
			t.Errorf("lost %v: %d mana", lost, n)
		}
	}
}

// What ends a condition by a throw is a saving throw that there is.
func TestEndedByASaveThereIs(t *testing.T) {
	for name, saves := range map[string]int{body.VSaveEnds + "will": 1, body.VSaveEnds + "luck": 0, "will": 0} {
		f := eachCase{files: []string{"conditions.yaml", reeling}}.field(t)
		f.Put("ara", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: "reeling", Values: map[string]int32{name: 10, body.VRound: 1}}}})
		f.pass()
		if n := len(f.Rolls("ends/ara")); n != saves || body.Has(f.Creature("ara"), "reeling") == (saves > 0) {
			t.Errorf("%s: %d saves, %v", name, n, f.Creature("ara").Conditions)
		}
	}
}

// spark.dice.drop-to-zero: who is put out as the round begins has nothing to declare in it
func TestPutOutAtDawn(t *testing.T) {
	f := eachCase{files: []string{"rules.yaml", ruled(`{when: 'self.id == "orc" && round == 2', trigger: round-start, damage: {amount: "40"}}`)}}.field(t)
	f.pass()
	f.WantLife("orc", eventv1.LifeStatus_LIFE_STATUS_DEAD)
	for _, e := range f.Events {
		if s := e.GetTurnStarted(); s != nil && !slices.Equal(s.Creatures, []string{"ara"}) {
			t.Errorf("%v", s)
		}
	}
	f.WantActive("ara")
}

const reeling = "- id: reeling\n  implies: [prone]\n"

// What a condition brings is kept off whoever is immune to it, and the bringer is not.
func TestBroughtAndKeptOff(t *testing.T) {
	for _, kept := range []bool{true, false} {
		list := []string{"{" + onAra + `trigger: hit, condition: {condition: reeling}}`}
		if kept {
			list = append(list, `{when: 'self.id == "orc"', immunity: {conditions: [prone]}}`)
		}
		f := eachCase{files: []string{"conditions.yaml", reeling, "rules.yaml", ruled(list...)}}.field(t)
		f.strikes("sword")
		f.pass()
		if len(f.named("orc", "reeling")) != 1 || (len(f.named("orc", body.CondProne)) == 0) != kept {
			t.Errorf("kept off %v: %v", kept, f.Creature("orc").Conditions)
		}
	}
}

// What a condition of so many rounds brings lasts as many rounds, and is told to end by them, wherever in the content it is laid.
func TestBroughtForRounds(t *testing.T) {
	f := eachCase{files: []string{"conditions.yaml", reeling, "rules.yaml", ruled("{" + onAra + `trigger: hit, save: {save: will, dc: "20", failed: [{condition: {condition: reeling, rounds: "1"}}]}}`)}}.field(t)
	f.strikes("sword")
	if len(f.Creature("orc").Conditions) != 2 {
		t.Fatalf("%v", f.Creature("orc").Conditions)
	}
	f.pass()
	if len(f.Creature("orc").Conditions) != 0 {
		t.Errorf("%v", f.Creature("orc").Conditions)
	}
	for _, e := range f.Events {
		if x := e.GetConditionRemoved(); x != nil && x.Cause != "its rounds are over" {
			t.Errorf("%v", x)
		}
	}
}

// Two conditions that one creature lays on another are two, whatever they have in common.
func TestConditionsOfOneSource(t *testing.T) {
	f := eachCase{files: []string{"rules.yaml", ruled("{"+onAra+`trigger: hit, condition: {condition: shaken, rounds: "3"}}`, "{"+onAra+`trigger: hit, condition: {condition: bleeding, rounds: "3"}}`)}}.field(t)
	f.strikes("sword")
	if len(f.named("orc", body.CondShaken)) != 1 || len(f.named("orc", body.CondBleeding)) != 1 {
		t.Errorf("%v", f.Creature("orc").Conditions)
	}
}

// Dice of a hook take mana, be they a number; an amount gives, or takes below 0. It is as large as two bytes hold.
func TestManaOfHooks(t *testing.T) {
	for _, c := range []struct {
		values string
		left   int64
	}{{`dice: "5"`, 15}, {`dice: 1d4`, 16}, {`amount: "5"`, 20}, {`amount: "-5"`, 15}, {`amount: "-32768"`, 0}} {
		f := eachCase{files: onHit(`hook: {name: mana, values: {` + c.values + `}}`)}.field(t)
		roller := f.Roller
		f.Roller = func(sides int) int { return min(4, roller(sides)) + 11*(sides/20) } // 15 of a d20
		f.strikes("sword")
		if n := f.Creature("orc").Counters[body.CMana]; n != c.left {
			t.Errorf("%s: %d left", c.values, n)
		}
	}
	for amount, taken := range map[string]bool{"32767": true, "32768": false, "-32768": true, "-32769": false, "0": false} {
		if err := resolving.CheckHook(resolving.HookMana, map[string]string{"amount": amount}); (err == nil) != taken {
			t.Errorf("%s: %v", amount, err)
		}
	}
}

// spark.action.bull-rush: whom one without a place pushes is told to be pushed, and moves nowhere; nor does whom one does not push a foot
func TestPushedFromNowhere(t *testing.T) {
	f := houseTable(t, written(onHit(`hook: {name: push, values: {feet: "10"}}`)...)).add(fighter("ara", "party")).at(5, fighter("orc", "monsters")).start()
	f.strikes("sword", 15, 4)
	if x := f.Creature("orc").Position.X; x != 5 || !f.hasNote("pushed 10 ft: R") {
		t.Errorf("at %d", x)
	}
}

// spark.fumble.drop-weapon: what the off hand holds is dropped too
func TestDroppedOfTheOffHand(t *testing.T) {
	f := eachCase{files: onHit(`hook: {name: drop, values: {weapon: dagger}}`)}.field(t)
	f.newSheet(fighter("orc", "monsters", twoHanded))
	f.strikes("sword")
	if c := f.Creature("orc"); c.Items["dagger"].Place != "dropped" || c.Items["sword"].Place != "main" {
		t.Errorf("%v", c.Items)
	}
	f = eachCase{files: onHit(`hook: {name: drop}`)}.field(t) // what has grown to a creature is not, though it was held before
	f.newSheet(fighter("orc", "monsters", armedWith(&eventv1.SparkWeapon{Name: "sword", FumbleClasses: []string{"F"}, ReachFeet: 5, Natural: true})))
	f.strikes("sword")
	if c := f.Creature("orc"); c.Items["sword"].Place != "main" {
		t.Errorf("%v", c.Items)
	}
}

// spark.attack.roll: what content adds to a blow of the same type is part of the blow, and so is whatever takes away; what adds of another type is a part
// of its own
func TestPartsOfABlow(t *testing.T) {
	for _, c := range []struct {
		what  string
		parts []int32
	}{
		{`amount: "2"`, []int32{13}},
		{`amount: "2", type: slashing`, []int32{13}},
		{`amount: "2", type: fire`, []int32{11, 2}},
		{`dice: 1d4, type: slashing`, []int32{15}},
		{`dice: 1d4, type: fire`, []int32{11, 4}},
		{`amount: "-2", type: fire`, []int32{9}},
		{`dice: -1d4, type: fire`, []int32{7}},
		{`dice: 1d4, amount: "-2", type: fire`, []int32{11, 2}},
	} {
		f := eachCase{files: []string{"rules.yaml", ruled("{" + onAra + "modifier: {to: damage, " + c.what + "}}")}}.field(t)
		f.newSheet(fighter("ara", "party", func(s *eventv1.SparkSheet) { s.Weapons[0].DamageType = "slashing" }))
		f.strikes("sword") // 8 + 3
		var parts []int32
		for _, e := range f.Events {
			for _, p := range e.GetDamage().GetParts() {
				parts = append(parts, p.Rolled)
			}
		}
		if !slices.Equal(parts, c.parts) {
			t.Errorf("%s: %v, want %v", c.what, parts, c.parts)
		}
	}
}

// Damage of which nothing is taken sets off nothing.
func TestHurtByNothing(t *testing.T) {
	for kind, hp := range map[string]int32{"slashing": 30, "fire": 28} {
		f := eachCase{files: []string{"rules.yaml", ruled(`{when: 'self.id == "orc"', immunity: {types: [slashing]}}`, `{when: 'self.id == "orc"', trigger: hurt, whom: actor, damage: {amount: "2"}}`)}}.field(t)
		f.newSheet(fighter("ara", "party", func(s *eventv1.SparkSheet) { s.Weapons[0].DamageType = kind }))
		f.strikes("sword")
		f.WantHP("ara", hp)
	}
}

// Who puts itself out has killed nobody.
func TestKilledByOneself(t *testing.T) {
	for _, c := range []struct {
		dice []int
		mana int64
	}{{[]int{1, 1, 2, 3}, 20}, {[]int{15, 4}, 17}} { // its own head for 3; the orc for 8
		f := houseTable(t, written("rules.yaml", ruled("{"+onAra+`trigger: kill, use: {resource: mana, amount: "3"}}`))).at(0, fighter("ara", "party", mage, armedWith(mace))).at(5, fighter("orc", "monsters")).start()
		f.Hurt("ara", 3)
		f.Hurt("orc", 8)
		f.Must(act("ara", declaring.KindAttack, "mace", "orc"))
		f.End("orc", c.dice...)
		if n := f.Creature("ara").Counters[body.CMana]; n != c.mana {
			t.Errorf("%v: %d mana", c.dice, n)
		}
	}
}

// spark.fumble.missile-broken: what content takes of the missiles in the middle of a volley is not there for its second shot, and never less than none
func TestMissilesTakenInAVolley(t *testing.T) {
	for have, want := range map[int]int64{2: 0, 4: 0, 5: 1} {
		f := houseTable(t, written(onHit("use: {resource: ammunition.bow}")...)).at(0, fighter("ara", "party", func(s *eventv1.SparkSheet) { s.AttacksPerRound = 2 })).at(5, fighter("orc", "monsters")).start()
		f.Count("ara", body.CAmmunition+"bow", have)
		f.Must(act("ara", declaring.KindAttack, "bow", "orc,orc"))
		f.End("orc", 15, 15, 1, 1)
		c := f.Creature("ara").Counters
		if c[body.CAmmunition+"bow"] != want || c[body.CSpent+"bow"] != min(2, int64(have)/2) {
			t.Errorf("of %d: %d left, %d on the ground", have, c[body.CAmmunition+"bow"], c[body.CSpent+"bow"])
		}
	}
	// A weapon that counts no missiles shoots without them, whatever is counted.
	f := duel(t, armedWith(&eventv1.SparkWeapon{Name: "sling", FumbleClasses: []string{"M"}, AttackModifier: 5, DamageDice: "1d4", RangeFeet: 40, Launcher: true}))
	f.Count("ara", body.CAmmunition+"sling", 3)
	f.strikes("sling", 15, 1)
	if c := f.Creature("ara").Counters; c[body.CAmmunition+"sling"] != 3 || c[body.CSpent+"sling"] != 0 {
		t.Errorf("%v", c)
	}
}

// nova is a spell of an area; with an attack it strikes its target alone.
func nova(data string) []string {
	return []string{"spells.yaml", "- id: nova\n  data: {mana_cost: 1, dc: 10, delivery: ranged, range_feet: 60, damage_dice: 1d4" + data + "}\n  area: {shape: sphere, feet: 10}\n"}
}

// spark.action.spell-fills-round, spark.turn.declare: a spell with an area takes effect on all who stand in it; one that must hit on its target alone, and
// one whose target is out of range on nobody
func TestAreaOfASpell(t *testing.T) {
	caster := func(s *eventv1.SparkSheet) {
		mage(s)
		s.Sparks, s.Spells = nil, []*eventv1.SparkSpell{{Use: "nova"}}
	}
	for _, c := range []struct {
		name, data string
		facts      []any
		area       bool
		orc, imp   int32
	}{
		{"an area", "", nil, true, 26, 26},
		{"an attack", ", attack: true, attack_modifier: 9, targets: 1", nil, false, 26, 30},
		{"out of range", "", []any{"distance", 61}, true, 30, 30},
		{"just in range", "", []any{"distance", 60}, true, 26, 26},
	} {
		f := houseTable(t, written(nova(c.data)...))
		f.Roller = tens
		f.at(0, fighter("ara", "party", caster)).at(40, fighter("orc", "monsters")).at(45, fighter("imp", "monsters")).start()
		o := f.listed("ara", declaring.KindCast, "nova")["Cast a spell"]
		if !o.GetLegal() || (o.GetArea() != nil) != c.area {
			t.Errorf("%s: %v", c.name, o)
		}
		f.Must(act("ara", declaring.KindCast, "nova", "orc", withFacts(c.facts...)))
		f.pass()
		if orc, imp := f.Creature("orc").GetHp(), f.Creature("imp").GetHp(); orc != c.orc || imp != c.imp {
			t.Errorf("%s: %d and %d", c.name, orc, imp)
		}
	}
	// A new sheet may make of a spell on oneself one that needs a target: it finds nobody.
	for _, of := range []string{"other", "ranged"} {
		f := houseTable(t, written(nova("")...))
		f.Roller = tens
		spell := func(delivery string) *eventv1.Sheet {
			return fighter("ara", "party", caster, func(s *eventv1.SparkSheet) {
				s.Spells = []*eventv1.SparkSpell{{Name: "nova", Use: "nova", Delivery: delivery, ManaCost: 1, DamageDice: "1d4", DamageBonus: 1}}
			})
		}
		f.at(0, spell("other")).at(5, fighter("orc", "monsters")).start()
		f.Must(act("ara", declaring.KindCast, "nova", ""))
		f.newSheet(spell(of))
		f.pass()
		if hurt := f.Creature("ara").GetHp() < 30; hurt != (of == "other") {
			t.Errorf("%s: %d", of, f.Creature("ara").GetHp())
		}
	}
}

// Temporary hit points that are as many as there are change nothing and are not told.
func TestAsManyTemporaryHitPoints(t *testing.T) {
	f := eachCase{files: onHit(`whom: self, temporary_hit_points: {amount: "4"}`)}.field(t)
	f.Put("ara", &eventv1.Vitals{HpTemp: proto.Int32(4)})
	f.strikes("sword")
	if slices.ContainsFunc(f.Events, func(e *eventv1.Event) bool { return e.GetHitPoints().GetCreature() == "ara" }) || f.Creature("ara").GetHpTemp() != 4 {
		t.Errorf("%d", f.Creature("ara").GetHpTemp())
	}
}
