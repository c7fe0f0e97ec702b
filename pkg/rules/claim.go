package rules

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// DecisionClaim is the name of the question whether what a player states of the
// world is granted.
const DecisionClaim = "claim"

// Answers to DecisionClaim.
const (
	claimGrant   = "grant"    // it counts
	claimIgnore  = "ignore"   // the action goes on without it
	claimCallOff = "call-off" // the action is not taken
)

// maxForecast bounds how many rolls a forecast shows.
const maxForecast = 8

// granted is the action with what of it counts. What a player states of the
// world (facts and parameters that are the world's matter, circumstances) is the
// game master's to grant, unless the table takes it as it is or refuses it (T1).
// goOn is false when the game master called the action off.
func (r *Resolution) granted(c *eventv1.TakeAction) (take *eventv1.TakeAction, goOn bool, err error) {
	claims := r.claims(c)
	if len(claims) == 0 {
		return c, true, nil
	}
	without := r.unclaimed(c)
	var before, after []trialRoll
	var refused error // what the rules say to the action without what is claimed
	if r.Value(SettingPlayerFacts) == PlayerFactsPropose {
		if after, err = r.trial(c); err != nil {
			return nil, false, err
		}
		before, refused = r.trial(without)
	}
	answer, err := r.grant(c, claims, forecast(before, after), refused == nil)
	switch {
	case err != nil || answer == claimCallOff:
		return nil, false, err
	case answer == claimGrant:
		return c, true, nil
	}
	return without, true, nil
}

// grant finds out whether claims count, by the table's setting or by asking the
// game master, who is shown what they would change in the odds. What the rules
// refuse without the claims cannot go on without them.
func (r *Resolution) grant(c *eventv1.TakeAction, claims []*eventv1.Claim, odds []*eventv1.ClaimOdds, without bool) (string, error) {
	if r.Value(SettingPlayerFacts) == PlayerFactsFree {
		return claimGrant, nil
	}
	said := make([]string, len(claims))
	for i, cl := range claims {
		said[i] = cl.Field[strings.LastIndexByte(cl.Field, '.')+1:] + " " + cl.Value
	}
	words := strings.Join(said, ", ")
	if r.Value(SettingPlayerFacts) == PlayerFactsRefuse {
		f := fault.New(fault.Denied, "GAME_MASTERS_TO_SAY", "at this table the game master alone states matters of the world: %s", words)
		for _, cl := range claims {
			f.Violations = append(f.Violations, fault.Violation{Field: cl.Field, Description: "is the game master's to say"})
		}
		return "", f
	}
	tell := func(text string) { r.Note(event.Controllers(c.Creature), c.Creature, text+words) }
	tell("the game master is asked to grant: ")
	options := []*eventv1.DecisionOption{{Id: claimGrant, Text: "Grant it"}, {Id: claimIgnore, Text: "Go on without it"},
		{Id: claimCallOff, Text: "Call the action off"}}
	byDefault := claimIgnore
	if !without {
		options, byDefault = slices.Delete(options, 1, 2), claimCallOff
	}
	answer := r.Ask(DecisionClaim, &eventv1.Decision{Name: DecisionClaim, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION,
		Creature: c.Creature, GmOnly: true, Cause: c.Action, DefaultOption: byDefault, Claims: claims, Odds: odds,
		Question: fmt.Sprintf("Grant what is claimed for %s (%s): %s?", r.Creature(c.Creature).GetName(), c.Action, words), Options: options}).GetOption()
	switch answer {
	case claimGrant:
		tell("granted: ")
	case claimCallOff:
		tell("called off; not granted: ")
	default:
		tell("not granted: ")
	}
	return answer, nil
}

// claims lists what the caller states that is the world's, beyond what a ruling
// states.
func (r *Resolution) claims(c *eventv1.TakeAction) []*eventv1.Claim {
	if r.gameMasterCalls() {
		return nil
	}
	out := append(r.claimsOf("take.facts.", PlaceFact, c.Action, c.Facts, r.req.Ruled.GetFacts()),
		r.claimsOf("take.parameters.", PlaceParameter, c.Action, c.Parameters, r.req.Ruled.GetParameters())...)
	for i, x := range c.Circumstances[:r.unruled(c)] {
		value := x.Direction
		if x.Direction == "modifier" {
			value += fmt.Sprintf(" %+d", x.Value)
		}
		for _, word := range []string{x.Kind, x.Cause} {
			if word != "" {
				value += " (" + word + ")"
			}
		}
		if x.Target != "" {
			value += " against " + x.Target
		}
		out = append(out, &eventv1.Claim{Field: "take.circumstances[" + itoa(i) + "]", Value: value})
	}
	return out
}

// gameMasterCalls tells whether the command is the game master's.
func (r *Resolution) gameMasterCalls() bool {
	return r.req.Caller == nil || r.req.Caller.Role == eventv1.Principal_ROLE_GM
}

// claimsOf lists what an object says that is the world's.
func (r *Resolution) claimsOf(field, place, action string, said, ruled *structpb.Struct) []*eventv1.Claim {
	if r.gameMasterCalls() {
		return nil
	}
	var out []*eventv1.Claim
	for _, name := range SortedKeys(said.GetFields()) {
		if ruled.GetFields()[name] == nil && r.worlds(place, action, name) {
			out = append(out, &eventv1.Claim{Field: field + name, Value: shown(said.Fields[name])})
		}
	}
	return out
}

// unruled is how many of the circumstances are the caller's: a ruling's come after.
func (r *Resolution) unruled(c *eventv1.TakeAction) int {
	return max(0, len(c.Circumstances)-len(r.req.Ruled.GetCircumstances()))
}

// worlds tells whether a word is the world's matter. Without a vocabulary every
// fact is.
func (r *Resolution) worlds(place, action, name string) bool {
	v := VocabularyOf(r.sys)
	if v == nil {
		return place == PlaceFact
	}
	w := v.Find(place, action, name)
	return w != nil && w.Matter == MatterWorld
}

// unclaimed is the action without what the caller states of the world.
func (r *Resolution) unclaimed(c *eventv1.TakeAction) *eventv1.TakeAction {
	out := proto.Clone(c).(*eventv1.TakeAction)
	r.drop(PlaceFact, c.Action, out.Facts, r.req.Ruled.GetFacts())
	r.drop(PlaceParameter, c.Action, out.Parameters, r.req.Ruled.GetParameters())
	out.Circumstances = slices.Clone(out.Circumstances[r.unruled(c):])
	return out
}

// drop takes from an object what is the world's to say.
func (r *Resolution) drop(place, action string, object, ruled *structpb.Struct) {
	for _, name := range SortedKeys(object.GetFields()) {
		if ruled.GetFields()[name] == nil && r.worlds(place, action, name) {
			delete(object.Fields, name)
		}
	}
}

// shown is a stated value in words.
func shown(v *structpb.Value) string {
	if s, ok := v.GetKind().(*structpb.Value_StringValue); ok {
		return s.StringValue
	}
	data, err := protojson.Marshal(v)
	if err != nil {
		return "?"
	}
	return strings.ReplaceAll(string(data), " ", "")
}

// forecast is what claims would change in the odds of the first rolls of an
// action.
func forecast(before, after []trialRoll) []*eventv1.ClaimOdds {
	var out []*eventv1.ClaimOdds
	seen := map[string]bool{}
	for _, made := range slices.Concat(before, after) {
		if seen[made.Label] || len(seen) == maxForecast {
			continue
		}
		seen[made.Label] = true
		a, b := oddsAt(before, made.Label), oddsAt(after, made.Label)
		for _, outcome := range SortedKeys(union(a, b)) {
			if a[outcome] != b[outcome] {
				out = append(out, &eventv1.ClaimOdds{Label: made.Label, Creature: made.Creature, Outcome: outcome, Without: a[outcome], With: b[outcome]})
			}
		}
	}
	return out
}

func oddsAt(rolls []trialRoll, label string) map[string]string {
	for _, t := range rolls {
		if t.Label == label {
			return t.Odds
		}
	}
	return nil
}

func union(a, b map[string]string) map[string]bool {
	out := map[string]bool{}
	// order-free: a set is filled
	for k := range a {
		out[k] = true
	}
	// order-free: a set is filled
	for k := range b {
		out[k] = true
	}
	return out
}

// trialRoll is a roll of a trial and its odds by outcome.
type trialRoll struct {
	Label, Creature string
	Odds            map[string]string
}

// trial carries an action out on a copy of the state, to see which rolls it
// makes.
func (r *Resolution) trial(take *eventv1.TakeAction) ([]trialRoll, error) {
	return r.tried(func(t *Resolution) error { return t.sys.Act(t, proto.Clone(take).(*eventv1.TakeAction)) })
}

// tried does something on a copy of the state, to see which rolls it makes. It opens no tape: its dice lie in the middle. What it asks, or what a
// rule cannot do without real dice, ends it; what is refused before any die is
// an error, so that the game master is not asked in vain.
func (r *Resolution) tried(do func(*Resolution) error) (rolls []trialRoll, err error) {
	defer func() {
		if p := recover(); p != nil {
			rolls, err = nil, nil // no forecast is better than none of the action
		}
	}()
	shared := event.Share(r.state)
	t := &Resolution{ctx: r.ctx, sys: r.sys, provider: middling{}, state: shared.State, shared: shared, counts: map[address]uint32{}, tree: &dice.Room{},
		defaults: r.defaults, veils: r.veils, actor: r.actor,
		req: Request{Action: r.req.Action, Key: r.req.Key, Caller: r.req.Caller, Content: r.req.Content}}
	t.watch = func(made rollMade) {
		roll := trialRoll{Label: made.label, Creature: made.spec.Creature, Odds: map[string]string{}}
		for _, o := range fractions(oddsOf(made.spec, made.expr)) {
			roll.Odds[o.Outcome] = o.Odds
		}
		if len(roll.Odds) > 0 {
			rolls = append(rolls, roll)
		}
	}
	_, err = t.guard(do)
	if !t.drew && refusal(err) {
		return nil, err
	}
	return rolls, nil
}

// middling is a provider of dice that lie in the middle, for trials.
type middling struct{}

// Face implements dice.Source.
func (middling) Face(sides int) (int, error) { return (sides + 1) / 2, nil }

// Draw implements Provider.
func (m middling) Draw(_ context.Context, d DrawRequest) (*eventv1.Draw, error) {
	expr, err := dice.Parse(d.Expression)
	if err != nil {
		return nil, err
	}
	res, err := expr.Eval(m, dice.Limits{})
	if err != nil {
		return nil, err
	}
	draw := &eventv1.Draw{Branch: d.Branch, Expression: d.Expression}
	for _, f := range res.Faces {
		draw.Faces = append(draw.Faces, int32(f.Face)) //nolint:gosec // a face of a die
	}
	return draw, nil
}

// Deed implements Provider: what harm would do is not asked.
func (middling) Deed(context.Context, DeedRequest) (*eventv1.HarmOutcome, int, error) {
	return &eventv1.HarmOutcome{}, 0, nil
}

// Open implements Provider.
func (middling) Open(context.Context, []string, []*eventv1.Entropy) (*eventv1.DiceEpochOpened, error) {
	return &eventv1.DiceEpochOpened{}, nil
}
