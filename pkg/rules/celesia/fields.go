package celesia

import (
	"slices"
	"sync"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// complete fills in what is the same for all actions: whom it provokes, and the
// words that it takes. Fields list what is left in a listing; of a command the
// vocabulary and the action's own check judge.
func (a *action) complete(words *rules.Vocabulary) {
	if a.provoke != nil {
		a.Provokes = a.provoked
	}
	var plain, all []play.Field
	parts := false
	for _, name := range words.Names(rules.PlaceParameter, a.ID) {
		all = append(all, play.Field{Name: name})
		if name == paramCommit {
			parts = true
			continue
		}
		plain = append(plain, play.Field{Name: name}.Made(words.Find(rules.PlaceParameter, a.ID, name).Parameter()))
	}
	a.words = plain
	listed, judge := a.Fields, a.Check
	if listed == nil && !parts {
		return
	}
	var some [4][]play.Field // those of an action of so many acts that begins with a part of them
	for cost := int32(2); cost <= 3 && parts; cost++ {
		commit := play.Field{Name: paramCommit, Least: 1, Most: cost - 1}
		for n := int32(1); n < cost; n++ {
			commit.Numbers = append(commit.Numbers, n)
		}
		some[cost] = []play.Field{commit.Made(words.Find(rules.PlaceParameter, a.ID, paramCommit).Parameter())}
	}
	whole := slices.Concat(plain, nil)
	var plainly [4][]play.Field
	for cost := range plainly {
		plainly[cost] = slices.Concat(whole, some[cost])
	}
	a.Fields = func(at *play.At) []play.Field {
		if !at.Listing {
			return all
		}
		cost := int32(0)
		if parts && a.inParts(at.Actor, at.Take) {
			cost = a.Cost(at, cActs)
		}
		if listed == nil {
			return plainly[cost]
		}
		return append(listed(at), some[cost]...)
	}
	if parts {
		a.Check = func(at *play.At) error {
			if judge != nil {
				if err := judge(at); err != nil {
					return err
				}
			}
			return a.checkPart(at.Actor, at.Take)
		}
	}
}

// remaining lists the words of an action in a listing: those of the vocabulary, with
// what some of them leave. A field whose values are none is left out.
func remaining(at *play.At, some ...play.Field) []play.Field {
	all := byID[at.Action.ID].words
	out := make([]play.Field, 0, len(all)+1)
	for _, f := range all {
		for i := range some {
			if some[i].Name == f.Name {
				f = some[i]
				break
			}
		}
		if f.Values == nil || len(f.Values) > 0 {
			out = append(out, f)
		}
	}
	return out
}

// without are the words that a way does not take.
func without(name string) play.Field { return play.Field{Name: name, Values: []string{}} }

// fitting keeps of words those that nothing refuses.
func fitting(all []string, refused func(word string) error) []string {
	out := make([]string, 0, len(all))
	for _, word := range all {
		if refused(word) == nil {
			out = append(out, word)
		}
	}
	return out
}

// required are words that must be said; an action has one list of them for good.
func required(names ...string) func(*play.At) []play.Field {
	var once sync.Once
	var out []play.Field
	return func(at *play.At) []play.Field {
		once.Do(func() {
			some := make([]play.Field, len(names))
			for i, name := range names {
				some[i] = play.Field{Name: name, Required: true}
				if name == "skill" {
					some[i].Values = rules.SortedKeys(skillAbilities)
				}
				some[i] = some[i].Made(wordFor(at.Action.ID, name))
			}
			out = slices.Clip(remaining(at, some...))
		})
		return out
	}
}

// reactive are the words of a check out of turn: awareness is settled before the
// fight alone.
//
// celesia.surprise.awareness
func reactive() func(*play.At) []play.Field {
	all := required("skill")
	return func(at *play.At) []play.Field {
		if at.State.Status == eventv1.State_STATUS_OPEN {
			return all(at)
		}
		return slices.DeleteFunc(slices.Clone(all(at)), func(f play.Field) bool { return f.Name == "awareness" })
	}
}

// aidFields: the friend must be named.
func aidFields(at *play.At) []play.Field {
	return remaining(at, play.Field{Name: "friend", Required: true, Values: friends(at.State, at.Actor)})
}

// attackFields are the words of an attack with the weapon: how hard it strikes.
func attackFields(at *play.At) []play.Field {
	c := at.Actor
	if at.Action.ID == "mount-attack" {
		c = at.State.Creatures[mountOf(c)]
	}
	return remaining(at, traded(at, c, weaponOf(c, at.Item()))...)
}

// traded are the nature of an attack's damage and the trade-offs that are left,
// worked out once for attacks in melee and once for those at range.
//
// celesia.attack.special-options, celesia.attack.nonlethal-with-lethal-weapon
func traded(at *play.At, c *eventv1.Creature, w *eventv1.CelesiaWeapon) []play.Field {
	if w == nil {
		return nil
	}
	p, far := at.Scratch.(*spot), 0
	if ranged(w) {
		far = 1
	}
	if p.trades[far] == nil || c != at.Actor {
		options := make([]string, 0, len(tradeOffs))
		for i := range tradeOffs {
			if o := &tradeOffs[i]; o.refuse(at.State, c, w) == nil {
				options = append(options, o.id)
			}
		}
		p.trades[far] = []play.Field{play.Field{Name: "options", Values: options}.Made(wordFor("attack", "options"))}
	}
	out := p.trades[far]
	if ranged(w) && !w.Nonlethal {
		out = append(slices.Clip(out), lethalAlone)
	}
	return out
}

// lethalAlone: nothing that shoots is turned to nonlethal damage.
var lethalAlone = play.Field{Name: "damage", Values: []string{"lethal"}}.Made(&eventv1.Parameter{Name: "damage", Type: rules.TypeString, Matter: rules.MatterActor,
	Text: "what shoots or is thrown deals lethal damage"})

// wordFor is a parameter of an action as options show it.
func wordFor(action, name string) *eventv1.Parameter {
	if w := frame().Words.Find(rules.PlaceParameter, action, name); w != nil {
		return w.Parameter()
	}
	return nil
}

// maneuverFields: what goes with a maneuver alone.
//
// celesia.attack.martial-power
func maneuverFields(at *play.At) []play.Field {
	if !isManeuver(abilityOf(at.Actor, at.Item())) || tradeOffOf(optionMartial).refuseTo(at.State, at.Actor) != nil {
		return remaining(at, without("options"))
	}
	return remaining(at)
}

// multiFields: off-hand weapons that go with the first.
//
// celesia.attack.multiweapon
func multiFields(at *play.At) []play.Field {
	take := &eventv1.TakeAction{Creature: at.Actor.Id, Action: at.Action.ID, Item: at.Item(), Parameters: paramStruct("off", "")}
	off := fitting(meleeNames(nil, at.Actor), func(word string) error {
		take.Parameters.Fields["off"] = structpb.NewStringValue(word)
		return refuseOffHand(at.Actor, take)
	})
	return remaining(at, append(slices.Clip(traded(at, at.Actor, weaponOf(at.Actor, at.Item()))), play.Field{Name: "off", Values: off})...)
}

// magusFields: the spells that can be cast together with a blow.
func magusFields(touch bool) func(*play.At) []play.Field {
	return func(at *play.At) []play.Field {
		some := append(slices.Clip(traded(at, at.Actor, weaponOf(at.Actor, at.Item()))),
			play.Field{Name: "spell", Required: true, Values: magusSpellsLeft(at.Actor, touch)})
		if mountOf(at.Actor) == "" {
			some = append(some, without(paramMoving))
		}
		return remaining(at, some...)
	}
}

// saddleFields: only a rider casts on the move.
//
// celesia.mount.cast-while-moving
func saddleFields(at *play.At) []play.Field {
	if mountOf(at.Actor) == "" {
		return remaining(at, without(paramMoving))
	}
	return remaining(at)
}

// taskFields: what it is must be said.
func taskFields(at *play.At) []play.Field {
	name := "task"
	for n := 2; at.State.Tasks[taskID(at.Actor.Id, name)] != nil; n++ {
		name = "task-" + itoa(n)
	}
	return remaining(at, play.Field{Name: "task", Required: true, Values: []string{name}})
}

// drawFields: how many hands there are for it, and what is drawn with it.
//
// celesia.equipment.draw-two
func drawFields(at *play.At) []play.Field {
	hands := play.Field{Name: "hands"}
	if freeHands(at.Actor) < 2 {
		hands.Values = []string{"one"}
	}
	second := without("second")
	if feature(at.Actor, featTwoWeapon) {
		second.Values = fitting(loose(at.State, at.Actor), func(word string) error { return refuseSecond(at.State, at.Actor, at.Item(), word, false) })
	}
	return remaining(at, hands, second)
}

// modes are the ways of moving that a creature has a speed for; on legs that carry
// it.
func modes(c *eventv1.Creature) []string {
	return slices.DeleteFunc(rules.SortedKeys(c.GetSheet().GetSpeeds()), func(mode string) bool { return mode == "walk" && legless(c) })
}

// moveFields: what is drawn, or strapped on, on the way.
//
// celesia.equipment.draw-with-move, celesia.equipment.shield
func moveFields(at *play.At) []play.Field {
	s, c := at.State, at.Actor
	draws := without("draw")
	if sheetOf(c).BaseAttack >= 1 {
		draws.Values = fitting(loose(s, c), func(word string) error { return refuseDrawOnTheWay(s, c, word) })
	}
	shield := play.Field{Name: "shield", Values: fitting(shields(s, c), func(word string) error { return refuseShieldOnMove(s, c, word) })}
	return remaining(at, play.Field{Name: "mode", Values: modes(c)}, draws, shield, without("second"))
}

// drawingTwo are the Moves on which two weapons are drawn: the second goes with the
// first alone.
//
// celesia.equipment.draw-two, celesia.equipment.draw-with-move
func drawingTwo(at *play.At) []*eventv1.Option {
	s, c := at.State, at.Actor
	if !feature(c, featTwoWeapon) || sheetOf(c).BaseAttack < 1 {
		return nil
	}
	var out []*eventv1.Option
	for _, first := range loose(s, c) {
		if refuseDrawOnTheWay(s, c, first) != nil {
			continue
		}
		seconds := fitting(loose(s, c), func(word string) error { return refuseSecond(s, c, first, word, false) })
		if len(seconds) == 0 {
			continue
		}
		o := frame().Option(at)
		if !o.Legal {
			return nil
		}
		o.Title = "Move, drawing " + first + " and another"
		o.Parameters = slices.DeleteFunc(o.Parameters, func(p *eventv1.Parameter) bool { return p.Name == "draw" || p.Name == "shield" })
		o.Parameters = append(o.Parameters, pickOne("draw", first), pickOne("second", seconds...))
		out = append(out, o)
	}
	return out
}

// pickOne is a word of a Move that must be one of some.
func pickOne(name string, values ...string) *eventv1.Parameter {
	p := wordFor("move", name)
	p.Required, p.Values = true, nil
	for _, v := range values {
		p.Values = append(p.Values, structpb.NewStringValue(v))
	}
	return p
}

// stepFields: by a speed of more than 5 feet.
//
// celesia.movement.step
func stepFields(at *play.At) []play.Field {
	return remaining(at, play.Field{Name: "mode", Values: slices.DeleteFunc(modes(at.Actor), func(mode string) bool { return speed(at.Actor, mode) <= 5 })})
}

func runFields(at *play.At) []play.Field {
	return remaining(at, play.Field{Name: "mode", Values: rules.SortedKeys(at.Actor.GetSheet().GetSpeeds())})
}

// rideFields: the gaits and ways of moving of the mount.
func rideFields(at *play.At) []play.Field {
	s, c := at.State, at.Actor
	fits := func(name string, words ...string) play.Field {
		return play.Field{Name: name, Values: fitting(words, func(word string) error {
			return checkRide(s, c, &eventv1.TakeAction{Creature: c.Id, Action: at.Action.ID, Parameters: paramStruct(name, word)})
		})}
	}
	return remaining(at, fits("gait", gaitSingle, gaitDouble, gaitRun), fits("mode", rules.SortedKeys(s.Creatures[mountOf(c)].GetSheet().GetSpeeds())...))
}
