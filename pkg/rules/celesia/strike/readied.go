package strike

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

// readied is the action of that name when it can be readied.
func readied(id string) *Action {
	if !slices.Contains(answers.Readiable, id) {
		return nil
	}
	return ActionOf(id)
}

// innerOf is the readied action and its command, as a command to ready says it;
// nil when it names none.
func innerOf(take *eventv1.TakeAction) (*Action, *eventv1.TakeAction) {
	a := readied(spoken.Word(take.GetParameters(), "action"))
	if a == nil {
		return nil, nil
	}
	inner := body.AimedAt(take, take.Targets)
	inner.Action, inner.Parameters = a.ID, nil
	for _, key := range rules.SortedKeys(take.Parameters.Fields) {
		if slices.Contains(answers.ReadyWords, key) {
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

// ReadyCost is one act and those of the action readied.
//
// celesia.action.ready
func ReadyCost(at *play.At) []play.Cost {
	in := innerAt(at)
	if in == nil {
		return body.Acts(1)
	}
	return body.Acts(1 + in.Action.Cost(in, body.CActs))
}

// ReadyTargets is how many targets can be named ahead: none have to be.
func ReadyTargets(at *play.At) (least, most int32) {
	if in := innerAt(at); in != nil {
		_, most = in.Action.Targets(in)
	}
	return 0, most
}

// ReadyItems is what the action that is named can be done with; of a listing they
// are told by the choices.
func ReadyItems(at *play.At) []string {
	if in := innerAt(at); in != nil && in.Action.Items != nil {
		return in.Action.Items(in)
	}
	return []string{""}
}

// forFriend tells whether the target of a readied action has to be named ahead.
func forFriend(c *eventv1.Creature, a *Action, item string) bool {
	return slices.Contains(answers.Befriending, a.ID) || (a.ID == "cast" || a.ID == "use-item") && answers.SpellUsed(c, &eventv1.TakeAction{Item: item}).GetHealing() != ""
}

// ReadyChoices lists what can be readied now, each with the words that it takes
// beside those of readying.
//
// celesia.action.ready
func ReadyChoices(at *play.At) []*eventv1.Option {
	var out []*eventv1.Option
	take := &eventv1.TakeAction{Creature: at.Actor.Id}
	for _, id := range answers.Readiable {
		a := ActionOf(id)
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
			if at.Enough(len(out)) {
				return out
			}
		}
	}
	return out
}

// readyChoice is one thing that can be readied; nil when it cannot be.
func readyChoice(in *play.At, a *Action) *eventv1.Option {
	cost := 1 + a.Cost(in, body.CActs)
	if int64(cost) > in.Actor.Counters[body.CActs] || refuseReadying(in, a) != nil {
		return nil
	}
	o := in.NewOption()
	o.Creature, o.Action, o.Title, o.Item, o.Rule, o.Legal = in.Actor.Id, a.ID, a.Title, in.Item(), a.Rule, true
	o.Group, o.Costs = string(a.Group), checks.Frame().Price(body.Acts(cost))
	if _, o.MaximumTargets = a.Targets(in); o.MaximumTargets > 0 {
		o.Targets = answers.LivingFor(in, a.Self)
		o.MaximumTargets = min(o.MaximumTargets, int32(len(o.Targets)))
		if forFriend(in.Actor, a, in.Item()) {
			o.MinimumTargets = 1
		}
		if o.MaximumTargets < o.MinimumTargets {
			return nil
		}
	}
	o.Parameters, o.Facts = checks.Frame().Takes(in)
	o.Parameters = slices.DeleteFunc(o.Parameters, func(p *eventv1.Parameter) bool { return p.Name == checks.ParamCommit }) // readying ends the turn
	return o
}

// RefuseReady says why an action cannot be readied: what it needs must be there.
// Whether it reaches its target is judged when it is set off.
//
// celesia.action.ready
func RefuseReady(at *play.At) error {
	in := innerAt(at)
	switch {
	case at.Listing:
		return nil // the choices tell
	case in == nil:
		return fault.Field("take.parameters.action", "missing")
	case len(at.Take.Targets) == 0 && forFriend(at.Actor, ActionOf(in.Action.ID), at.Item()):
		return body.Refuse("NO_TARGET", cite.ActionReady, "whom it is for must be said")
	}
	return refuseReadying(in, ActionOf(in.Action.ID))
}

// RefuseReadyTarget judges those who are named ahead.
func RefuseReadyTarget(at *play.At, t *eventv1.Creature) error {
	in := innerAt(at)
	switch {
	case t.GetId() == at.Actor.Id && !in.Action.Self:
		return body.Refuse("NO_TARGET", in.Action.Rule, "%s cannot be aimed at oneself", in.Action.Title)
	case body.Dead(t):
		return body.Refuse("TARGET_DEAD", in.Action.Rule, "%s is dead", t.GetName())
	}
	return nil
}

// refuseReadying says why an action cannot be readied, whatever its target.
func refuseReadying(in *play.At, a *Action) error {
	if err := in.Barred(); err != nil {
		return err
	}
	switch c, item := in.Actor, in.Item(); {
	case a.ID == "attack" && body.WeaponOf(c, item) != nil:
		return RefuseWeapon(c, body.WeaponOf(c, item), in.Take)
	case a.ID == "cast" && body.SpellOf(c, item) != nil:
		return refuseReadiedSpell(c, body.SpellOf(c, item))
	case a.Refuse == nil:
		return nil
	}
	return a.Refuse(in)
}

func refuseReadiedSpell(c *eventv1.Creature, sp *eventv1.CelesiaSpell) error {
	if err := RefuseSpell(c, sp); err != nil {
		return err
	}
	if sp.Casting == "1-round" {
		return body.Refuse("TOO_LONG", cite.ActionReady, "a 1-round spell cannot be readied")
	}
	return nil
}

// CheckReady judges the words. Where the targets are when it is set off is not known
// now.
func CheckReady(at *play.At) error {
	if at.Word("trigger") == "" {
		return body.Refuse("NO_TRIGGER", cite.ActionReady, "a definite trigger must be named")
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

// DoReady prepares the action and ends the turn at once; what was readied is
// known to nobody else.
func DoReady(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	_, inner := innerOf(take)
	r.Begin(c.Id, &eventv1.Begun{Kind: body.BegunReadied, Action: inner, Trigger: spoken.Word(take.Parameters, "trigger"),
		Foe: spoken.Word(take.Parameters, "foe"), Words: spoken.Word(take.Parameters, "text"), Until: checks.UntilStart(c.Id), Rule: cite.ActionReady}, cite.ActionReady)
	r.Mark(c.Id, body.MOver, "ready")
	return nil
}

// ReadiedTake is the readied action as it is taken: at whom it was readied for,
// else at the one who set it off.
func ReadiedTake(c *eventv1.Creature, foe string) *eventv1.TakeAction {
	take := &eventv1.TakeAction{}
	if begun := rules.BegunOf(c, body.BegunReadied); begun.GetAction() != nil {
		take = proto.CloneOf(begun.Action)
	}
	if readied(take.Action).RefuseTarget != nil && len(take.Targets) == 0 {
		take.Targets = []string{foe}
	}
	return take
}

// readiedFits tells whether a creature's readied action is set off by an act
// and can be taken.
//
// celesia.reaction.complete-readied
func readiedFits(s *eventv1.State, c, actor *eventv1.Creature, p checks.Provocation) bool {
	begun := rules.BegunOf(c, body.BegunReadied)
	a := readied(begun.GetAction().GetAction())
	if a == nil {
		return false
	}
	if begun.Foe != "" && begun.Foe != actor.Id {
		return false
	}
	trigger := begun.Trigger
	if trigger != p.Kind && (trigger != "any" || p.Kind == "approach" || p.Kind == "") {
		return false
	}
	if p.Kind == "approach" && !answers.CameNear(c, actor, p) {
		return false
	}
	return answers.Fits(s, ReadiedTake(c, actor.Id)) == nil
}

// ReadiedWay asks for the space to which a readied movement goes; nil when it
// was said before, without a map, or to stay.
func ReadiedWay(r *rules.Resolution, a *Action, take *eventv1.TakeAction) *eventv1.Position {
	c := r.Creature(take.Creature)
	if !slices.Contains([]string{"move", "step", "crawl"}, a.ID) || len(take.Path) > 0 || c.Position == nil {
		return nil
	}
	d := &eventv1.Decision{Name: answers.DecWay, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: c.Id, Cause: "the readied " + a.ID,
		Question: "Where does " + c.Name + " go?", DefaultOption: answers.WayStay, Rule: cite.ReactionCompleteReadied,
		Options: []*eventv1.DecisionOption{{Id: answers.WayStay, Text: "Stay here"}}}
	spaces := map[string]*eventv1.Position{}
	far := int32(5)
	if a.ID == "move" {
		far = min(answers.WidestWay, body.Speed(c, body.WayOf(c, take)))
	}
	for y := c.Position.Y - far; y <= c.Position.Y+far; y += 5 {
		for x := c.Position.X - far; x <= c.Position.X+far; x += 5 {
			to := &eventv1.Position{X: x, Y: y, Z: c.Position.Z}
			way := proto.CloneOf(take)
			way.Path = []*eventv1.Position{to}
			if proto.Equal(to, c.Position) || answers.Fits(r.State(), way) != nil {
				continue
			}
			name := body.Itoa(x) + "," + body.Itoa(y)
			spaces[name] = to
			d.Options = append(d.Options, &eventv1.DecisionOption{Id: name, Text: name})
		}
	}
	return spaces[r.Ask("readied-way/"+c.Id, d).Option]
}

// RefuseSetOff says why the game master cannot say that a trigger has come about.
//
// celesia.action.ready, celesia.turn.reaction-timing
func RefuseSetOff(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	switch {
	case rules.BegunOf(c, body.BegunReadied).GetTrigger() != answers.TriggerStated:
		return body.Refuse("NOT_READIED", cite.ActionReady, "%s has readied nothing that is set off by word", c.Name)
	case !MayReact(s, c):
		return body.Refuse("NO_REACTION", cite.TurnReactionTiming, "%s cannot react now", c.Name)
	}
	t := s.Creatures[body.Target(take)]
	if t == nil || readiedFits(s, c, t, checks.Provocation{By: t.Id, Kind: answers.TriggerStated, Take: take}) {
		return nil
	}
	return body.Refuse("DOES_NOT_FIT", cite.ReactionCompleteReadied, "what %s has readied cannot be done now", c.Name)
}
