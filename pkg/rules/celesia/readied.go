package celesia

import (
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// readiable are the actions that can be readied: what takes acts of its own and
// no more than a turn has, and of free actions those that need no other.
var readiable = []string{"attack", "trip", "disarm", "grapple", "bull-rush", "sunder", "steal", "dirty-trick", "feint", "demoralize",
	"cast", "draw", "stand-up", "drop-prone", "total-defense", "drink", "ready-shield", "load", "escape-grapple",
	"move", "step", "crawl", "charge", "overrun", "drag", "reposition", "multiweapon", "spell-combat", "spellstrike",
	"aid-another", "first-aid", "staunch", "untie", "remove-trick", "use-item", "use-ability", "redirect", "dismiss", "concentrate",
	"sheathe", "pick-up", "drop-item", "drop-shield", "prepare-flask", "lock-gauntlet", "unlock-gauntlet",
	"lower-spell-resistance", "raise-spell-resistance", "search", "recall-knowledge", "sleight-of-hand", "quick-sleight-of-hand",
	"escape-net", "extinguish", "run"}

// befriending are those that are meant for a friend: whom they are for is said
// when they are readied, the others are for the one who sets them off.
var befriending = []string{"aid-another", "first-aid", "staunch", "untie", "remove-trick"}

// readyWords are the parameters of readying itself.
var readyWords = []string{"action", "trigger", "foe", "words"}

// triggerStated sets a readied action off by the game master's word.
const triggerStated = "stated"

// readied is the action of that name when it can be readied.
func readied(id string) *action {
	if !slices.Contains(readiable, id) {
		return nil
	}
	return actionOf(id)
}

// innerOf is the readied action and its command, as a command to ready says it;
// nil when it names none.
func innerOf(take *eventv1.TakeAction) (*action, *eventv1.TakeAction) {
	a := readied(spoken.Word(take.GetParameters(), "action"))
	if a == nil {
		return nil, nil
	}
	inner := &eventv1.TakeAction{Creature: take.Creature, Action: a.id, Item: take.Item, Targets: take.Targets, Path: take.Path,
		Facts: take.Facts, Circumstances: take.Circumstances}
	for _, key := range rules.SortedKeys(take.Parameters.Fields) {
		if slices.Contains(readyWords, key) {
			continue
		}
		if inner.Parameters == nil {
			inner.Parameters = &structpb.Struct{Fields: map[string]*structpb.Value{}}
		}
		inner.Parameters.Fields[key] = take.Parameters.Fields[key]
	}
	return a, inner
}

// readyCost is one act and those of the action readied.
//
// celesia.action.ready
func readyCost(c *eventv1.Creature, take *eventv1.TakeAction) int32 {
	a, inner := innerOf(take)
	if a == nil {
		return 1
	}
	return 1 + a.costOf(c, inner)
}

// readyTargets is how many targets can be named ahead.
func readyTargets(c *eventv1.Creature, take *eventv1.TakeAction) int32 {
	a, inner := innerOf(take)
	if a == nil || !a.targeted {
		return 0
	}
	return a.targets(c, inner)
}

// forFriend tells whether the target of a readied action has to be named ahead.
func forFriend(c *eventv1.Creature, a *action, item string) bool {
	return slices.Contains(befriending, a.id) || (a.id == "cast" || a.id == "use-item") && spellUsed(c, &eventv1.TakeAction{Item: item}).GetHealing() != ""
}

// readyOptions lists what can be readied, one option for each action and item.
func readyOptions(a *action, s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	var out []*eventv1.Option
	for _, id := range readiable {
		inner := actionOf(id)
		items := []string{""}
		if inner.items != nil {
			items = inner.items(s, c)
		}
		for _, item := range items {
			out = append(out, readyOption(a, inner, s, c, item))
		}
	}
	return out
}

func readyOption(a, inner *action, s *eventv1.State, c *eventv1.Creature, item string) *eventv1.Option {
	take := &eventv1.TakeAction{Creature: c.Id, Action: "ready", Item: item, Parameters: paramStruct("action", inner.id)}
	o := &eventv1.Option{Creature: c.Id, Action: "ready", Title: a.title + ": " + inner.title, Item: item, Rule: a.rule, Legal: true,
		Costs: map[string]int32{cActs: readyCost(c, take)},
		Parameters: []*eventv1.Parameter{choice("action", "the action readied", true, inner.id),
			choice("trigger", "what sets it off", true, triggers...), {Name: "foe", Type: rules.TypeCreature, Text: "the foe who sets it off; any when not given"},
			{Name: "words", Type: "string", Text: "the trigger in words"}}}
	if inner.parameters != nil {
		o.Parameters = append(o.Parameters, inner.fitting(s, c, item, inner.parameters(s, c))...)
	}
	if inner.targeted {
		o.MaximumTargets = readyTargets(c, take)
		o.Targets = slices.DeleteFunc(rules.SortedKeys(s.Creatures), func(id string) bool {
			return inner.mayTarget(s, c, &eventv1.TakeAction{Creature: c.Id, Action: inner.id, Item: item, Targets: []string{id}}) != nil
		})
		if forFriend(c, inner, item) {
			o.MinimumTargets = 1
			take.Targets = o.Targets[:min(1, len(o.Targets))]
		}
	}
	if err := a.mayTake(s, c, take); err != nil {
		rules.Forbid(o, err)
	}
	return o
}

// refuseReady says why an action cannot be readied: what it needs must be there.
// Whether it reaches its target is judged when it is set off.
//
// celesia.action.ready
func refuseReady(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	a, inner := innerOf(take)
	if a == nil {
		return fault.Field("take.parameters.action", "missing")
	}
	if len(inner.Targets) > 0 {
		if err := a.mayTarget(s, c, inner); err != nil {
			return err
		}
	} else if forFriend(c, a, inner.Item) {
		return refuse("NO_TARGET", cite.ActionReady, "whom it is for must be said")
	}
	inner.Targets = nil
	switch {
	case a.id == "attack" && weaponOf(c, inner.Item) != nil:
		return refuseWeapon(c, weaponOf(c, inner.Item), inner)
	case a.id == "cast" && spellOf(c, inner.Item) != nil:
		return refuseReadiedSpell(c, spellOf(c, inner.Item))
	case a.refuse == nil:
		return nil
	}
	return a.refuse(s, c, inner)
}

func refuseReadiedSpell(c *eventv1.Creature, sp *eventv1.CelesiaSpell) error {
	if err := refuseSpell(c, sp); err != nil {
		return err
	}
	if sp.Casting == "1-round" {
		return refuse("TOO_LONG", cite.ActionReady, "a 1-round spell cannot be readied")
	}
	return nil
}

func checkReady(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if spoken.Word(take.Parameters, "trigger") == "" {
		return refuse("NO_TRIGGER", cite.ActionReady, "a definite trigger must be named")
	}
	a, inner := innerOf(take)
	if a == nil {
		return nil // refused for that
	}
	if err := checkReadied(a, inner); err != nil || a.check == nil {
		return err
	}
	inner.Targets = nil // where they are then is not known now
	return a.check(s, c, inner)
}

// doReady prepares the action and ends the turn at once; what was readied is
// known to nobody else.
func doReady(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	for _, key := range readyWords {
		r.Mark(c.Id, mReady+key, spoken.Word(take.Parameters, key), cite.ActionReady)
	}
	r.Mark(c.Id, mReady+"item", take.Item, cite.ActionReady)
	if _, inner := innerOf(take); inner != nil {
		r.Mark(c.Id, mReady+"command", pack(inner), cite.ActionReady)
	}
	r.Mark(c.Id, mOver, "ready")
	return nil
}

// readiedTake is the readied action as it is taken: at whom it was readied for,
// else at the one who set it off.
func readiedTake(c *eventv1.Creature, foe string) *eventv1.TakeAction {
	take := unpack(c.Marks[mReady+"command"])
	if take == nil {
		take = &eventv1.TakeAction{Creature: c.Id, Action: c.Marks[mReady+"action"], Item: c.Marks[mReady+"item"]}
	}
	if a := readied(take.Action); a != nil && a.targeted && len(take.Targets) == 0 {
		take.Targets = []string{foe}
	}
	return take
}

// readiedFits tells whether a creature's readied action is set off by an act
// and can be taken.
//
// celesia.reaction.complete-readied
func readiedFits(s *eventv1.State, c, actor *eventv1.Creature, p provocation) bool {
	a := readied(c.Marks[mReady+"action"])
	if a == nil {
		return false
	}
	if foe := c.Marks[mReady+"foe"]; foe != "" && foe != actor.Id {
		return false
	}
	trigger := c.Marks[mReady+"trigger"]
	if trigger != p.kind && (trigger != "any" || p.kind == "approach" || p.kind == "" || p.kind == triggerStated) {
		return false
	}
	if p.kind == "approach" && !cameNear(c, actor, p) {
		return false
	}
	take := readiedTake(c, actor.Id)
	if a.fits(s, c, take) != nil {
		return false
	}
	return a.check == nil || a.check(s, c, take) == nil
}

// takeReadied are the ways to take the readied action.
//
// celesia.reaction.complete-readied
func takeReadied(c *eventv1.Creature) []*eventv1.DecisionOption {
	out := []*eventv1.DecisionOption{{Id: "readied", Text: "Take the readied action: " + c.Marks[mReady+"action"], Rule: cite.ReactionCompleteReadied}}
	if c.Marks[mReady+"action"] == "attack" {
		out = append(out, &eventv1.DecisionOption{Id: "readied-" + otherwise, Text: "Take the readied attack in a manner to choose", Rule: cite.AttackSpecialOptions})
	}
	return out
}

// completeReadied takes the readied action; where a Move, Step or crawl goes is
// asked when it was not said, and in what manner an attack is made when its
// attacker chooses so.
//
// celesia.reaction.complete-readied
func completeReadied(r *rules.Resolution, id string, p provocation, choose bool) {
	take := readiedTake(r.Creature(id), p.by)
	if choose {
		take.Parameters = askManner(r, id, weaponOf(r.Creature(id), take.Item), "readied/"+id)
	}
	forget(r, id, "taken")
	a := actionOf(take.Action)
	if to := readiedWay(r, a, take); to != nil {
		take.Path = []*eventv1.Position{to}
	}
	reactWith(r, a, take, cite.ReactionCompleteReadied)
}

const (
	// decWay asks where a readied Move, Step or crawl goes: "x,y" in feet, or
	// wayStay.
	decWay  = "readied-way"
	wayStay = "stay"
	// widestWay is how far the spaces that are listed reach, in feet; a longer
	// way is said when the Move is readied.
	widestWay = 60
)

// readiedWay asks for the space to which a readied movement goes; nil when it
// was said before, without a map, or to stay.
func readiedWay(r *rules.Resolution, a *action, take *eventv1.TakeAction) *eventv1.Position {
	c := r.Creature(take.Creature)
	if !slices.Contains([]string{"move", "step", "crawl"}, a.id) || len(take.Path) > 0 || c.Position == nil {
		return nil
	}
	d := &eventv1.Decision{Name: decWay, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: c.Id, Cause: "the readied " + a.id,
		Question: "Where does " + c.Name + " go?", DefaultOption: wayStay, Rule: cite.ReactionCompleteReadied,
		Options: []*eventv1.DecisionOption{{Id: wayStay, Text: "Stay here"}}}
	spaces := map[string]*eventv1.Position{}
	far := int32(5)
	if a.id == "move" {
		far = min(widestWay, speed(c, wayOf(c, take)))
	}
	for y := c.Position.Y - far; y <= c.Position.Y+far; y += 5 {
		for x := c.Position.X - far; x <= c.Position.X+far; x += 5 {
			to := &eventv1.Position{X: x, Y: y, Z: c.Position.Z}
			way := proto.CloneOf(take)
			way.Path = []*eventv1.Position{to}
			if proto.Equal(to, c.Position) || a.check(r.State(), c, way) != nil {
				continue
			}
			name := itoa(x) + "," + itoa(y)
			spaces[name] = to
			d.Options = append(d.Options, &eventv1.DecisionOption{Id: name, Text: name})
		}
	}
	return spaces[r.Ask("readied-way/"+c.Id, d).Option]
}

// refuseSetOff says why the game master cannot say that a trigger has come about.
//
// celesia.action.ready, celesia.turn.reaction-timing
func refuseSetOff(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	switch {
	case c.Marks[mReady+"trigger"] != triggerStated:
		return refuse("NOT_READIED", cite.ActionReady, "%s has readied nothing that is set off by word", c.Name)
	case !mayReact(s, c):
		return refuse("NO_REACTION", cite.TurnReactionTiming, "%s cannot react now", c.Name)
	}
	t := s.Creatures[target(take)]
	if t == nil || readiedFits(s, c, t, provocation{by: t.Id, kind: triggerStated, take: take}) {
		return nil
	}
	return refuse("DOES_NOT_FIT", cite.ReactionCompleteReadied, "what %s has readied cannot be done now", c.Name)
}

// doSetOff asks whether a creature takes what it has readied, now that its
// trigger has come about.
//
// celesia.action.ready, celesia.reaction.complete-readied
func doSetOff(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := r.Creature(target(take))
	d := &eventv1.Decision{Name: decReaction, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: c.Id, Cause: t.Name + ": the trigger",
		Question: c.Name + " may take what it has readied", DefaultOption: "no", Rule: cite.ActionReady,
		Options: append([]*eventv1.DecisionOption{{Id: "no", Text: "Let it pass"}}, takeReadied(c)...)}
	if answer := r.Ask("reaction/"+t.Id+"/"+c.Id, d).Option; answer != "no" {
		react(r, c.Id, provocation{by: t.Id, kind: triggerStated, take: take}, answer)
	}
	return nil
}
