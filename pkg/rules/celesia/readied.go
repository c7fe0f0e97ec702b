package celesia

import (
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
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
var readyWords = []string{"action", "trigger", "foe", "text"}

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
	inner := aimedAt(take, take.Targets)
	inner.Action, inner.Parameters = a.ID, nil
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

// innerAt is where the readied action stands; nil when the command names none, as
// in a listing.
func innerAt(at *play.At) *play.At {
	a, inner := innerOf(at.Take)
	if a == nil {
		return nil
	}
	return at.Of(&a.Action, inner)
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

// readyTargets is how many targets can be named ahead: none have to be.
func readyTargets(at *play.At) (least, most int32) {
	if in := innerAt(at); in != nil {
		_, most = in.Action.Targets(in)
	}
	return 0, most
}

// readyItems is what the action that is named can be done with; of a listing they
// are told by the choices.
func readyItems(at *play.At) []string {
	if in := innerAt(at); in != nil && in.Action.Items != nil {
		return in.Action.Items(in)
	}
	return []string{""}
}

// forFriend tells whether the target of a readied action has to be named ahead.
func forFriend(c *eventv1.Creature, a *action, item string) bool {
	return slices.Contains(befriending, a.ID) || (a.ID == "cast" || a.ID == "use-item") && spellUsed(c, &eventv1.TakeAction{Item: item}).GetHealing() != ""
}

// readyChoices lists what can be readied now, each with the words that it takes
// beside those of readying.
//
// celesia.action.ready
func readyChoices(at *play.At) []*eventv1.Option {
	var out []*eventv1.Option
	take := &eventv1.TakeAction{Creature: at.Actor.Id}
	for _, id := range readiable {
		a := actionOf(id)
		take.Action, take.Item = id, ""
		in := at.Of(&a.Action, take)
		items := []string{""}
		if a.Items != nil {
			items = a.Items(in)
		}
		for _, item := range items {
			take.Item = item
			if o := readyChoice(in, a); o != nil {
				out = append(out, o)
			}
		}
	}
	return out
}

// readyChoice is one thing that can be readied; nil when it cannot be.
func readyChoice(in *play.At, a *action) *eventv1.Option {
	cost := 1 + a.Cost(in, cActs)
	if int64(cost) > in.Actor.Counters[cActs] || refuseReadying(in, a) != nil {
		return nil
	}
	o := in.NewOption()
	o.Creature, o.Action, o.Title, o.Item, o.Rule, o.Legal = in.Actor.Id, a.ID, a.Title, in.Item(), a.Rule, true
	o.Group, o.Costs = string(a.Group), frame().Price(acts(cost))
	if _, o.MaximumTargets = a.Targets(in); o.MaximumTargets > 0 {
		o.Targets = livingFor(in, a.Self)
		o.MaximumTargets = min(o.MaximumTargets, int32(len(o.Targets)))
		if forFriend(in.Actor, a, in.Item()) {
			o.MinimumTargets = 1
		}
		if o.MaximumTargets < o.MinimumTargets {
			return nil
		}
	}
	o.Parameters, o.Facts = frame().Takes(in)
	o.Parameters = slices.DeleteFunc(o.Parameters, func(p *eventv1.Parameter) bool { return p.Name == paramCommit }) // readying ends the turn
	return o
}

// livingFor are those who can be named ahead, worked out once.
func livingFor(at *play.At, self bool) []string {
	p, n := at.Scratch.(*spot), 0
	if self {
		n = 1
	}
	if p.living[n] == nil {
		p.living[n] = make([]string, 0, len(at.State.Creatures))
		for _, id := range at.Creatures() {
			if (id != at.Actor.Id || self) && !dead(at.State.Creatures[id]) {
				p.living[n] = append(p.living[n], id)
			}
		}
	}
	return p.living[n]
}

// refuseReady says why an action cannot be readied: what it needs must be there.
// Whether it reaches its target is judged when it is set off.
//
// celesia.action.ready
func refuseReady(at *play.At) error {
	in := innerAt(at)
	switch {
	case in == nil && at.Listing:
		return nil // the choices tell
	case in == nil:
		return fault.Field("take.parameters.action", "missing")
	case len(at.Take.Targets) == 0 && forFriend(at.Actor, byID[in.Action.ID], at.Item()):
		return refuse("NO_TARGET", cite.ActionReady, "whom it is for must be said")
	}
	return refuseReadying(in, byID[in.Action.ID])
}

// refuseReadyTarget judges those who are named ahead.
func refuseReadyTarget(at *play.At, t *eventv1.Creature) error {
	in := innerAt(at)
	switch {
	case in == nil || t == nil:
		return fault.Field("take.targets", "there is no such creature")
	case t.Id == at.Actor.Id && !in.Action.Self:
		return refuse("NO_TARGET", in.Action.Rule, "%s cannot be aimed at oneself", in.Action.Title)
	case dead(t):
		return refuse("TARGET_DEAD", in.Action.Rule, "%s is dead", t.Name)
	}
	return nil
}

// refuseReadying says why an action cannot be readied, whatever its target.
func refuseReadying(in *play.At, a *action) error {
	switch c, item := in.Actor, in.Item(); {
	case a.ID == "attack" && weaponOf(c, item) != nil:
		return refuseWeapon(c, weaponOf(c, item), in.Take)
	case a.ID == "cast" && spellOf(c, item) != nil:
		return refuseReadiedSpell(c, spellOf(c, item))
	case a.Refuse == nil:
		return nil
	}
	return a.Refuse(in)
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

// checkReady judges the words. Where the targets are when it is set off is not known
// now.
func checkReady(at *play.At) error {
	if at.Word("trigger") == "" {
		return refuse("NO_TRIGGER", cite.ActionReady, "a definite trigger must be named")
	}
	a, inner := innerOf(at.Take)
	if a == nil {
		return nil // refused for that
	}
	if err := checkReadied(a, inner); err != nil || a.Check == nil {
		return err
	}
	inner.Targets = nil
	return a.Check(at.Of(&a.Action, inner))
}

// readyFields are the words of readying itself; those of the action that is readied
// go with them.
func readyFields(at *play.At) []play.Field {
	out := make([]play.Field, len(readyWords))
	for i, name := range readyWords {
		out[i] = play.Field{Name: name, Required: name == "action" || name == "trigger"}
	}
	return out
}

// doReady prepares the action and ends the turn at once; what was readied is
// known to nobody else.
func doReady(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	_, inner := innerOf(take)
	r.Begin(c.Id, &eventv1.Begun{Kind: begunReadied, Action: inner, Trigger: spoken.Word(take.Parameters, "trigger"),
		Foe: spoken.Word(take.Parameters, "foe"), Words: spoken.Word(take.Parameters, "text"), Until: untilStart(c.Id), Rule: cite.ActionReady}, cite.ActionReady)
	r.Mark(c.Id, mOver, "ready")
	return nil
}

// readiedTake is the readied action as it is taken: at whom it was readied for,
// else at the one who set it off.
func readiedTake(c *eventv1.Creature, foe string) *eventv1.TakeAction {
	take := &eventv1.TakeAction{}
	if begun := rules.BegunOf(c, begunReadied); begun.GetAction() != nil {
		take = proto.CloneOf(begun.Action)
	}
	if a := readied(take.Action); a != nil && a.RefuseTarget != nil && len(take.Targets) == 0 {
		take.Targets = []string{foe}
	}
	return take
}

// readiedFits tells whether a creature's readied action is set off by an act
// and can be taken.
//
// celesia.reaction.complete-readied
func readiedFits(s *eventv1.State, c, actor *eventv1.Creature, p provocation) bool {
	begun := rules.BegunOf(c, begunReadied)
	a := readied(begun.GetAction().GetAction())
	if a == nil {
		return false
	}
	if begun.Foe != "" && begun.Foe != actor.Id {
		return false
	}
	trigger := begun.Trigger
	if trigger != p.kind && (trigger != "any" || p.kind == "approach" || p.kind == "" || p.kind == triggerStated) {
		return false
	}
	if p.kind == "approach" && !cameNear(c, actor, p) {
		return false
	}
	return fits(s, readiedTake(c, actor.Id)) == nil
}

// takeReadied are the ways to take the readied action.
//
// celesia.reaction.complete-readied
func takeReadied(c *eventv1.Creature) []*eventv1.DecisionOption {
	action := rules.BegunOf(c, begunReadied).GetAction().GetAction()
	out := []*eventv1.DecisionOption{{Id: "readied", Text: "Take the readied action: " + action, Rule: cite.ReactionCompleteReadied}}
	if action == "attack" {
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
	if !slices.Contains([]string{"move", "step", "crawl"}, a.ID) || len(take.Path) > 0 || c.Position == nil {
		return nil
	}
	d := &eventv1.Decision{Name: decWay, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: c.Id, Cause: "the readied " + a.ID,
		Question: "Where does " + c.Name + " go?", DefaultOption: wayStay, Rule: cite.ReactionCompleteReadied,
		Options: []*eventv1.DecisionOption{{Id: wayStay, Text: "Stay here"}}}
	spaces := map[string]*eventv1.Position{}
	far := int32(5)
	if a.ID == "move" {
		far = min(widestWay, speed(c, wayOf(c, take)))
	}
	for y := c.Position.Y - far; y <= c.Position.Y+far; y += 5 {
		for x := c.Position.X - far; x <= c.Position.X+far; x += 5 {
			to := &eventv1.Position{X: x, Y: y, Z: c.Position.Z}
			way := proto.CloneOf(take)
			way.Path = []*eventv1.Position{to}
			if proto.Equal(to, c.Position) || fits(r.State(), way) != nil {
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
	case rules.BegunOf(c, begunReadied).GetTrigger() != triggerStated:
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
