package answers

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	theitems "github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Readiable are the actions that can be readied: what takes acts of its own and
// no more than a turn has, and of free actions those that need no other.
var Readiable = []string{"attack", "trip", "disarm", "grapple", "bull-rush", "sunder", "steal", "dirty-trick", "feint", "demoralize",
	"cast", "draw", "stand-up", "drop-prone", "total-defense", "drink", "ready-shield", "load", "escape-grapple",
	"move", "step", "crawl", "charge", "overrun", "drag", "reposition", "multiweapon", "spell-combat", "spellstrike",
	"aid-another", "first-aid", "staunch", "treat-wound", "treat-poison", "untie", "remove-trick", "use-item", "use-ability", "redirect", "dismiss", "concentrate",
	"sheathe", "pick-up", "drop-item", "drop-shield", "prepare-flask", "lock-gauntlet", "unlock-gauntlet",
	"lower-spell-resistance", "raise-spell-resistance", "search", "recall-knowledge", "sleight-of-hand", "quick-sleight-of-hand",
	"escape-net", "extinguish", "run"}

// Befriending are those that are meant for a friend: whom they are for is said
// when they are readied, the others are for the one who sets them off.
var Befriending = []string{"aid-another", "first-aid", "staunch", "treat-wound", "treat-poison", "untie", "remove-trick"}

// Substitutes are the actions that an ability may allow in place of an attack of
// opportunity: what can be readied and is not meant for a friend.
//
// celesia.reaction.opportunity-substitute
func Substitutes() []string {
	return slices.DeleteFunc(slices.Clone(Readiable), func(id string) bool { return slices.Contains(Befriending, id) })
}

// ReadyWords are the parameters of readying itself.
var ReadyWords = []string{"action", "trigger", "foe", "text"}

// TriggerStated sets a readied action off by the game master's word.
const TriggerStated = "stated"

// LivingFor are those who can be named ahead, worked out once.
func LivingFor(at *play.At, self bool) []string {
	p, n := at.Scratch.(*theitems.Spot), 0
	if self {
		n = 1
	}
	if p.Living[n] == nil {
		p.Living[n] = make([]string, 0, len(at.State.Creatures))
		for _, id := range at.Creatures() {
			if (id != at.Actor.Id || self) && !body.Dead(at.State.Creatures[id]) {
				p.Living[n] = append(p.Living[n], id)
			}
		}
	}
	return p.Living[n]
}

// ReadyFields are the words of readying itself; those of the action that is readied
// go with them.
func ReadyFields(at *play.At) []play.Field {
	out := make([]play.Field, len(ReadyWords))
	for i, name := range ReadyWords {
		out[i] = play.Field{Name: name, Required: name == "action" || name == "trigger"}
	}
	return out
}

// TakeReadied are the ways to take the readied action.
//
// celesia.reaction.complete-readied
func TakeReadied(c *eventv1.Creature) []*eventv1.DecisionOption {
	action := rules.BegunOf(c, body.BegunReadied).GetAction().GetAction()
	out := []*eventv1.DecisionOption{{Id: "readied", Text: "Take the readied action: " + action, Rule: cite.ReactionCompleteReadied}}
	if action == "attack" {
		out = append(out, &eventv1.DecisionOption{Id: "readied-" + manners.Otherwise, Text: "Take the readied attack in a manner to choose", Rule: cite.AttackSpecialOptions})
	}
	return out
}

const (
	// DecWay asks where a readied Move, Step or crawl goes: "x,y" in feet, or
	// WayStay.
	DecWay = "readied-way"
	// WayStay answers DecWay: the creature stays where it is.
	WayStay = "stay"
	// WidestWay is how far the spaces that are listed reach, in feet; a longer
	// way is said when the Move is readied.
	WidestWay = 60
)
