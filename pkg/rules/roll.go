package rules

import (
	"errors"
	"fmt"

	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// RollSpec describes a roll.
type RollSpec struct {
	// Label names the roll within the action, such as "attack/1/to-hit".
	Label string
	// Creature that rolls; empty when none does.
	Creature string
	// Expression in dice notation.
	Expression string
	// Reason in words, for prompts and explanations.
	Reason string
	// Audience of the roll; nil means everyone.
	Audience *eventv1.Audience
	// Modifiers added to the value.
	Modifiers []*eventv1.Modifier
	// Edges are the sources of advantage and disadvantage already weighed into
	// the expression; they are recorded for explanation.
	Edges []*eventv1.Edge
	// Target the total is compared with; nil for none.
	Target *eventv1.TargetNumber
	// Judge names the outcome and degree from the natural face and the total;
	// nil means "success" from the target number on, else "failure".
	Judge func(natural, total int32) (outcome string, degree int32)
	// Rules behind the roll.
	Rules []string
	// RuleOf is a rule that only the roll tells, such as that of the row of a table
	// that content changed; empty for none. Nil means none ever.
	RuleOf func(natural, total int32) string
}

// Rolled is a roll's result.
type Rolled struct {
	// Natural is the first kept face.
	Natural int32
	// Kept are the kept faces in order.
	Kept []int32
	// Value of the expression.
	Value int32
	// Total is value plus modifiers.
	Total int32
	// Outcome and Degree as judged.
	Outcome string
	// Degree of success.
	Degree int32
	// Audience that saw the roll: what is said of its outcome alone is for it too.
	Audience *eventv1.Audience
	// Ref names the roll to events of the same action; see Told.
	Ref *eventv1.RollRef

	expr  *dice.Expr
	faces []int32
}

// Tree is the whole evaluation of a roll that was made, worked out anew; nil of one that
// was not.
func (r Rolled) Tree() *dice.Result {
	if r.expr == nil {
		return nil
	}
	tree, err := r.expr.Eval(dice.List(ints(r.faces)...), dice.Limits{})
	if err != nil {
		return nil // it was evaluated with these faces before
	}
	return tree
}

// Success tells whether the outcome is "success" or "critical".
func (r Rolled) Success() bool { return r.Outcome == "success" || r.Outcome == "critical" }

// Roll rolls dice at an address of their own, emits the roll and returns it.
func (r *Resolution) Roll(spec RollSpec) Rolled {
	mode := r.setAudience(&spec)
	branch := event.Branch(spec.Audience)
	label, index := r.rollAddress(spec.Label, branch)
	expr, err := dice.Parse(spec.Expression)
	if err != nil {
		r.fail(fmt.Errorf("rules: roll %s: %w", label, err))
	}
	draw := r.draw(spec, expr, branch, label, index)
	result, err := expr.EvalIn(r.tree, r.source(draw.Faces), dice.Limits{})
	if err != nil {
		r.fail(fmt.Errorf("rules: roll %s: recorded faces: %w", label, err))
	}
	out := Rolled{Value: int32(result.Total), Total: int32(result.Total), Audience: spec.Audience, expr: expr, faces: draw.Faces}
	made := &rollEvent{}
	msg := &made.roll
	msg.Creature, msg.Label, msg.Index, msg.Expression, msg.Mode, msg.Reason = spec.Creature, label, index, expr.String(), mode, spec.Reason
	msg.Modifiers, msg.Edges, msg.Target = spec.Modifiers, spec.Edges, spec.Target
	msg.Supplied, msg.SuppliedFaces, msg.Fixed = draw.Supplied > 0 && !draw.Fixed, draw.Supplied, draw.Fixed
	msg.Action, msg.Epoch, msg.Branch, msg.Faces = draw.Action, max(draw.Epoch, 1), draw.Branch, draw.Faces
	msg.Dice, msg.Kept = Faces(result)
	for _, m := range spec.Modifiers {
		out.Total += m.Value
	}
	if len(msg.Kept) > 0 {
		out.Natural = msg.Kept[0]
	}
	out.Kept = msg.Kept
	out.judge(spec)
	r.byWord(draw, spec, &out, msg)
	out.Ref = &made.ref
	out.Ref.Label, out.Ref.Index, out.Ref.Branch = label, index, draw.Branch
	msg.Value, msg.Total, msg.Outcome, msg.Degree = out.Value, out.Total, out.Outcome, out.Degree
	if r.watch != nil {
		r.watch(rollMade{spec: spec, expr: expr, label: label, index: index})
	}
	behind := spec.Rules
	if spec.RuleOf != nil {
		if more := spec.RuleOf(out.Natural, out.Total); more != "" {
			behind = append(behind[:len(behind):len(behind)], more)
		}
	}
	made.what.Roll = msg
	made.event.Audience, made.event.Rules, made.event.What = spec.Audience, behind, &made.what
	r.add(&made.event)
	return out
}

// rollEvent is a roll with its event and what names it, made at once.
type rollEvent struct {
	event eventv1.Event
	what  eventv1.Event_Roll
	roll  eventv1.Roll
	ref   eventv1.RollRef
}

// source gives the faces of the roll that is being made.
func (r *Resolution) source(faces []int32) *dice.FaceList {
	r.ints = r.ints[:0]
	for _, f := range faces {
		r.ints = append(r.ints, int(f))
	}
	r.given = *dice.List(r.ints...)
	return &r.given
}

func (r *Rolled) judge(spec RollSpec) {
	switch {
	case spec.Judge != nil:
		r.Outcome, r.Degree = spec.Judge(r.Natural, r.Total)
	case spec.Target == nil:
	case r.Total >= spec.Target.Value:
		r.Outcome = "success"
	default:
		r.Outcome = "failure"
	}
}

// draw takes the faces from the record or from the provider. When people must
// supply faces and there are none, it asks for them.
func (r *Resolution) draw(spec RollSpec, expr *dice.Expr, branch, label string, index uint32) *eventv1.Draw {
	given := r.askedFaces(spec, expr, branch, label, index)
	if in := r.recorded(func(in *eventv1.Input) bool {
		return in.Label == label && in.Index == index && in.GetDraw().GetBranch() == branch && in.GetDraw().GetExpression() == expr.String()
	}); in != nil {
		r.closes(in.GetDraw())
		r.drew = r.drew || r.req.Again && Drew([]*eventv1.Input{in})
		return in.GetDraw()
	}
	if r.pick != nil {
		d := r.pick(spec, expr, branch, label, index)
		r.drew = true
		r.recordDraw(label, index, d)
		return d
	}
	asked := given != nil
	if !asked && r.maySupply(spec) {
		given = r.faces()
		if !onTheirDice(expr, given) {
			// A face that its die does not have: no refusal, which would tell that the
			// roll came up, but the question what was rolled.
			r.suspend(r.facesDecision(spec, expr, branch, label, index))
		}
	}
	d, err := r.provider.Draw(r.ctx, DrawRequest{Label: label, Index: index, Branch: branch, Expression: expr.String(), Supplied: given,
		SettingUp: event.SettingUp(r.state)})
	switch {
	case errors.Is(err, ErrNeedFaces) && !asked:
		r.suspend(r.facesDecision(spec, expr, branch, label, index))
	case errors.Is(err, ErrNeedFaces):
		r.fail(fault.Field("answer.faces", "%s needs more faces than the %d given; give those that explosions and rerolls take as well", expr, len(given)))
	case err != nil:
		r.broke = true
		r.fail(err)
	}
	if !asked {
		r.facesUsed += int(d.Supplied)
	}
	r.drew = r.drew || int(d.Supplied) < len(d.Faces)
	r.addOdds(spec, expr, branch, label, index)
	r.recordDraw(label, index, d)
	r.closes(d)
	return d
}

// maySupply tells whether the speaker's faces count for a roll: the game
// master's for any, a player's for those of the player's own creatures that the
// player may see (T1).
func (r *Resolution) maySupply(spec RollSpec) bool {
	p := r.req.Speaker
	if p == nil || p.Role == eventv1.Principal_ROLE_GM {
		return true
	}
	return spec.Audience.GetKind() != eventv1.Audience_KIND_GM && event.Controls(r.state.Creatures[spec.Creature], p)
}

// onTheirDice tells whether faces are on the dice that an expression rolls
// first, as far as they go.
func onTheirDice(expr *dice.Expr, faces []int32) bool {
	if len(faces) == 0 {
		return true
	}
	_, err := expr.Eval(dice.List(ints(faces)...), dice.Limits{})
	var off *dice.ErrFaceRange
	return !errors.As(err, &off)
}

// setAudience settles who sees a roll: who the rules say, unless the command
// calls for other and its caller may. It returns the mode that counted.
func (r *Resolution) setAudience(spec *RollSpec) eventv1.RollMode {
	if spec.Audience == nil {
		spec.Audience = event.Everyone()
	}
	mode := r.called(spec)
	// The branch that the faces come from follows from the audience: dice of one
	// that is staged count nowhere else.
	spec.Audience = event.Narrow(r.state, spec.Audience, spec.Creature)
	return mode
}

func (r *Resolution) called(spec *RollSpec) eventv1.RollMode {
	caller, mode := r.req.Caller, r.req.Mode
	gm := caller == nil || caller.Role == eventv1.Principal_ROLE_GM
	if mode == eventv1.RollMode_ROLL_MODE_UNSPECIFIED || !gm && !event.Controls(r.state.Creatures[spec.Creature], caller) {
		return eventv1.RollMode_ROLL_MODE_UNSPECIFIED
	}
	secret := spec.Audience.Kind == eventv1.Audience_KIND_GM
	switch {
	case mode == eventv1.RollMode_ROLL_MODE_BLIND:
		spec.Audience = event.GM()
	case secret && !gm: // what the rules keep from the player
		return eventv1.RollMode_ROLL_MODE_UNSPECIFIED
	case mode == eventv1.RollMode_ROLL_MODE_OPEN:
		spec.Audience = event.Everyone()
	case secret || r.Creature(spec.Creature) == nil: // as private as can be
		spec.Audience = event.GM()
	default:
		spec.Audience = event.Controllers(spec.Creature)
	}
	return mode
}

// askedFaces returns the faces that were answered to a request for this roll;
// nil when none was made.
func (r *Resolution) askedFaces(spec RollSpec, expr *dice.Expr, branch, label string, index uint32) []int32 {
	if len(r.req.Recorded) == 0 {
		return nil // nothing can have been asked: most rolls
	}
	d := r.facesDecision(spec, expr, branch, label, index)
	if !r.hasRecordedAnswer(d) {
		return nil
	}
	return r.Decide(d).Faces
}

// facesDecision asks for the faces of one roll of one expression: faces rolled
// for another expression are no answer to it.
func (r *Resolution) facesDecision(spec RollSpec, expr *dice.Expr, branch, label string, index uint32) *eventv1.Decision {
	who := ""
	if c := r.Creature(spec.Creature); c != nil {
		who = " for " + c.Name
	}
	d := &eventv1.Decision{Id: r.decisionID("faces/"+branch+"/"+label, index, expr.String(), ""), Name: "roll", Kind: eventv1.DecisionKind_DECISION_KIND_DICE,
		Creature: spec.Creature, Expression: expr.String(), Label: label, Cause: spec.Reason, Faces: int32(len(expr.Needs())), //nolint:gosec // bounded by the limits of expressions
		Question: fmt.Sprintf("Roll %s%s: %s (%s)", expr, who, spec.Reason, wanted(expr))}
	// Dice that only the game master may see are the game master's to roll.
	d.GmOnly = spec.Audience.GetKind() == eventv1.Audience_KIND_GM
	return d
}

// Faces lists every die of a result as the contracts have it, and the kept faces.
func Faces(res *dice.Result) (all []*eventv1.Die, kept []int32) {
	var f faces
	switch n := diceOf(&res.Root); n {
	case 0:
	case 1: // as most
		one := &oneFace{}
		f = faces{made: one.made[:], all: one.all[:0], kept: one.kept[:0]}
	default:
		f = faces{made: make([]eventv1.Die, n), all: make([]*eventv1.Die, 0, n), kept: make([]int32, 0, n)}
	}
	f.take(&res.Root, true)
	return f.all, f.kept
}

// faces are dice as the contracts have them, in lists that were made for them.
type faces struct {
	made []eventv1.Die // that are left
	all  []*eventv1.Die
	kept []int32
}

// oneFace has the lists of one die, made at once.
type oneFace struct {
	made [1]eventv1.Die
	all  [1]*eventv1.Die
	kept [1]int32
}

// diceOf is how many dice a part has.
func diceOf(n *dice.Node) int {
	count := len(n.Dice)
	for i := range n.Children {
		count += diceOf(&n.Children[i])
	}
	return count
}

func (f *faces) take(n *dice.Node, counts bool) {
	counts = counts && n.Kept
	for i := range n.Dice {
		d, die := &n.Dice[i], &f.made[0]
		f.made = f.made[1:]
		die.Sides, die.Face, die.Value, die.Kept = int32(d.Sides), int32(d.Face), int32(d.Value), d.Kept && counts
		for _, note := range d.Notes {
			die.Notes = append(die.Notes, string(note.Effect))
		}
		f.all = append(f.all, die)
		if die.Kept {
			f.kept = append(f.kept, die.Face)
		}
	}
	for i := range n.Children {
		f.take(&n.Children[i], counts)
	}
}

func ints(faces []int32) []int {
	out := make([]int, len(faces))
	for i, f := range faces {
		out[i] = int(f)
	}
	return out
}
