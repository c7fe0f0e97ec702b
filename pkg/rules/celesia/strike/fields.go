package strike

import (
	"slices"
	"sync"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// Complete fills in what is the same for all actions: whom it provokes, and the
// words that it takes. Fields list what is left in a listing; of a command the
// vocabulary and the action's own check judge.
func (a *Action) Complete(words *rules.Vocabulary) {
	if a.Provoke != nil {
		a.Provokes = a.provoked
	}
	var plain, all []play.Field
	parts := false
	for _, name := range words.Names(rules.PlaceParameter, a.ID) {
		all = append(all, play.Field{Name: name})
		if name == checks.ParamCommit {
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
		commit := play.Field{Name: checks.ParamCommit, Least: 1, Most: cost - 1}
		for n := int32(1); n < cost; n++ {
			commit.Numbers = append(commit.Numbers, n)
		}
		some[cost] = []play.Field{commit.Made(words.Find(rules.PlaceParameter, a.ID, checks.ParamCommit).Parameter())}
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
		if a.inParts(at) {
			cost = a.Cost(at, body.CActs)
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
			return a.checkPart(at)
		}
	}
}

// Remaining lists the words of an action in a listing: those of the vocabulary, with
// what some of them leave. A field whose values are none is left out.
func Remaining(at *play.At, some ...play.Field) []play.Field {
	all := ActionOf(at.Action.ID).words
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

// Required are words that must be said; an action has one list of them for good.
func Required(names ...string) func(*play.At) []play.Field {
	var once sync.Once
	var out []play.Field
	return func(at *play.At) []play.Field {
		once.Do(func() {
			some := make([]play.Field, len(names))
			for i, name := range names {
				some[i] = play.Field{Name: name, Required: true}
				if name == "skill" {
					some[i].Values = rules.SortedKeys(body.SkillAbilities)
				}
				some[i] = some[i].Made(answers.WordFor(at.Action.ID, name))
			}
			out = slices.Clip(Remaining(at, some...))
		})
		return out
	}
}

// Reactive are the words of a check out of turn: awareness is settled before the
// fight alone.
//
// celesia.surprise.awareness
func Reactive() func(*play.At) []play.Field {
	all := Required("skill")
	return func(at *play.At) []play.Field {
		if at.State.Status == eventv1.State_STATUS_OPEN {
			return all(at)
		}
		return slices.DeleteFunc(slices.Clone(all(at)), func(f play.Field) bool { return f.Name == "awareness" })
	}
}

// aidFields: the friends who are in melee with each of the opponents that can be
// named; who is aided against one of them alone is asked.
func aidFields(at *play.At) []play.Field {
	s, c := at.State, at.Actor
	friends := answers.Friends(s, c)
	for _, id := range at.Creatures() {
		if t := s.Creatures[id]; !body.Dead(t) && refuseAided(s, c, at.Scratch.(*items.Spot).AimedAt(at, id)) == nil {
			engaged := aidable(s, c, t, nil)
			friends = slices.DeleteFunc(friends, func(f string) bool { return !slices.Contains(engaged, f) })
		}
	}
	return Remaining(at, play.Field{Name: "friend", Values: friends})
}

// AttackFields are the words of an attack with the weapon: how hard it strikes.
func AttackFields(at *play.At) []play.Field {
	c := at.Actor
	if at.Action.ID == "mount-attack" {
		c = at.State.Creatures[body.MountOf(c)]
	}
	return Remaining(at, answers.Traded(at, c, body.WeaponOf(c, at.Item()))...)
}

// ManeuverFields: what goes with a maneuver alone.
//
// celesia.attack.martial-power
func ManeuverFields(at *play.At) []play.Field {
	if !items.IsManeuver(items.AbilityOf(at.Actor, at.Item())) || manners.TradeOffOf(mending.OptionMartial).RefuseTo(at.State, at.Actor) != nil {
		return Remaining(at, answers.Without("options"))
	}
	return Remaining(at)
}

// MultiFields: off-hand weapons that go with the first.
//
// celesia.attack.multiweapon
func MultiFields(at *play.At) []play.Field {
	take := &eventv1.TakeAction{Creature: at.Actor.Id, Action: at.Action.ID, Item: at.Item(), Parameters: body.ParamStruct("off", "")}
	off := answers.Fitting(checks.MeleeNames(nil, at.Actor), func(word string) error {
		take.Parameters.Fields["off"] = structpb.NewStringValue(word)
		return refuseOffHand(at.Actor, take)
	})
	return Remaining(at, append(slices.Clip(answers.Traded(at, at.Actor, body.WeaponOf(at.Actor, at.Item()))), play.Field{Name: "off", Values: off})...)
}

// MagusFields: the spells that can be cast together with a blow.
func MagusFields(touch bool) func(*play.At) []play.Field {
	return func(at *play.At) []play.Field {
		some := append(slices.Clip(answers.Traded(at, at.Actor, body.WeaponOf(at.Actor, at.Item()))),
			play.Field{Name: "spell", Required: true, Values: MagusSpellsLeft(at.Actor, touch)})
		if body.MountOf(at.Actor) == "" {
			some = append(some, answers.Without(answers.ParamMoving))
		}
		return Remaining(at, some...)
	}
}

// SaddleFields: only a rider casts on the move. Which injury is healed is asked, so that
// no listing tells of others' injuries.
//
// celesia.mount.cast-while-moving
func SaddleFields(at *play.At) []play.Field {
	if body.MountOf(at.Actor) == "" {
		return Remaining(at, answers.Without(answers.ParamMoving), answers.Without("injury"))
	}
	return Remaining(at, answers.Without("injury"))
}

// TaskFields: what it is must be said.
func TaskFields(at *play.At) []play.Field {
	name := "task"
	for n := 2; at.State.Tasks[items.TaskID(at.Actor.Id, name)] != nil; n++ {
		name = "task-" + body.Itoa(n)
	}
	return Remaining(at, play.Field{Name: "task", Required: true, Values: []string{name}})
}

// StepFields: by a speed of more than 5 feet.
//
// celesia.movement.step
func StepFields(at *play.At) []play.Field {
	return Remaining(at, play.Field{Name: "mode", Values: slices.DeleteFunc(answers.Modes(at.Actor), func(mode string) bool { return body.Speed(at.Actor, mode) <= 5 })})
}

// RunFields offers the ways to move for which the sheet has a speed.
func RunFields(at *play.At) []play.Field {
	return Remaining(at, play.Field{Name: "mode", Values: rules.SortedKeys(at.Actor.GetSheet().GetSpeeds())})
}
