package roller

import (
	"errors"

	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/recent"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// parsedKept is how many expressions stay parsed. A fight uses a few dozen.
const parsedKept = limits.ExpressionsParsed

// Roller parses and rolls. It is safe for concurrent use.
type Roller struct {
	parsed *recent.Cache[string, *dice.Expr]
}

// New makes a roller.
func New() *Roller {
	return &Roller{parsed: recent.NewCache(recent.Bounds[string, *dice.Expr]{Count: parsedKept})}
}

// Parse reads notation. Its errors are faults that name the field.
func (r *Roller) Parse(field, text string) (*dice.Expr, error) {
	if e, ok := r.parsed.Get(text); ok {
		return e, nil
	}
	e, err := dice.Parse(text)
	if err != nil {
		return nil, Fault(field, err)
	}
	r.parsed.Put(text, e)
	return e, nil
}

// Rolled is a roll and where its faces came from.
type Rolled struct {
	// Result in the words of the contract.
	Result *dicev1.Result
	// Supplied is how many of the faces people supplied: the first ones.
	Supplied int
	// Taped is how many of the faces the tape gave: those after.
	Taped int
}

// Roll evaluates the expression over the supplied faces and then, when they
// run out, over the tape; a nil tape means that only people roll. field names
// the request's field of faces for faults. Faults: Illegal NEED_FACES, Invalid
// for a face that its die does not have, Exhausted for limits, Invalid for what
// can not be computed.
func Roll(e *dice.Expr, field string, supplied []int32, tape dice.Source) (Rolled, error) {
	src := &mixed{field: field, supplied: supplied, tape: tape}
	res, err := e.Eval(src, dice.Limits{})
	if err != nil {
		return Rolled{}, Fault("expression", err)
	}
	return Rolled{Result: Result(e, res), Supplied: src.used, Taped: len(res.Faces) - src.used}, nil
}

// mixed gives the supplied faces first. Face i of a roll is face i of its tape
// whoever rolled those before it, so that one player rolling real dice never
// shifts the faces of others: a supplied face spends the tape's as well.
type mixed struct {
	field    string
	supplied []int32
	used     int
	passed   []int // sides of the supplied faces that the tape has not spent yet
	tape     dice.Source
}

// Face implements dice.Source.
func (m *mixed) Face(sides int) (int, error) {
	if m.used < len(m.supplied) {
		f := m.supplied[m.used]
		if f < 1 || int(f) > sides {
			return 0, fault.Field(suppliedField(m.field, m.used), "%d is not on a die of %d sides", f, sides)
		}
		m.used++
		if m.tape != nil {
			m.passed = append(m.passed, sides)
		}
		return int(f), nil
	}
	if m.tape == nil {
		return 0, &fault.Fault{Code: fault.Illegal, Reason: ReasonNeedFaces,
			Message: "the roll takes more faces than were supplied, and only people may roll it"}
	}
	for _, s := range m.passed {
		if _, err := m.tape.Face(s); err != nil {
			return 0, err
		}
	}
	m.passed = nil
	return m.tape.Face(sides)
}

// ReasonNeedFaces says that people must roll more dice before the roll can be.
const ReasonNeedFaces = "NEED_FACES"

// Fault puts an error of pkg/dice into a fault; field is the field that held
// the expression. A fault inside the error stays what it is.
func Fault(field string, err error) error {
	if f, ok := fault.As(err); ok {
		return f
	}
	var syntax *dice.SyntaxError
	var limit *dice.LimitError
	var endless *dice.EndlessError
	var faces *dice.ErrFaceRange
	switch {
	case errors.As(err, &limit):
		return fault.Limit("dice."+limit.Limit, limit.Max, limit.Got)
	case errors.As(err, &syntax):
		return invalid(field, "SYNTAX", syntax)
	case errors.As(err, &endless):
		return invalid(field, "ENDLESS", endless)
	case errors.As(err, &faces):
		return fault.Field(suppliedField("faces", faces.Index), "%d is not on a die of %d sides", faces.Face, faces.Sides)
	case errors.Is(err, dice.ErrDivisionByZero):
		return invalid(field, "DIVISION_BY_ZERO", dice.ErrDivisionByZero)
	case errors.Is(err, dice.ErrOverflow):
		return invalid(field, "OVERFLOW", dice.ErrOverflow)
	case errors.Is(err, dice.ErrFacesExhausted):
		return fault.New(fault.Illegal, ReasonNeedFaces, "the roll takes more faces than there are")
	}
	return fault.Wrap(fault.Internal, "DICE", err, "dice failed")
}

func invalid(field, reason string, err error) error {
	f := fault.Field(field, "%v", err)
	f.Reason = reason
	return f
}

// Result puts a result into the words of the contract.
func Result(e *dice.Expr, res *dice.Result) *dicev1.Result {
	out := &dicev1.Result{Expression: e.String(), Total: res.Total, Root: node(&res.Root), Faces: make([]int32, len(res.Faces))}
	for i, f := range res.Faces {
		out.Faces[i] = int32(f.Face)
	}
	for _, l := range res.ByLabel() {
		out.Labels = append(out.Labels, &dicev1.LabelSum{Label: l.Label, Value: l.Sum})
	}
	return out
}

// kinds are the contract's names of the kinds of nodes.
var kinds = map[dice.Kind]string{
	dice.KindNumber: "number", dice.KindDice: "dice", dice.KindPool: "pool", dice.KindGroup: "group",
	dice.KindNegate: "negation", dice.KindAdd: "sum", dice.KindSubtract: "difference",
	dice.KindMultiply: "product", dice.KindDivide: "quotient",
}

func node(n *dice.Node) *dicev1.Node {
	out := &dicev1.Node{Kind: kinds[n.Kind], Text: n.Text, Value: n.Value, Label: n.Label, Kept: n.Kept}
	if len(n.Dice) > 0 {
		out.Dice = make([]*eventv1.Die, len(n.Dice))
		flat := make([]eventv1.Die, len(n.Dice))
		for i := range n.Dice {
			d := &n.Dice[i]
			flat[i].Sides, flat[i].Face, flat[i].Value, flat[i].Kept = int32(d.Sides), int32(d.Face), int32(d.Value), d.Kept
			for _, note := range d.Notes {
				flat[i].Notes = append(flat[i].Notes, string(note.Effect))
			}
			out.Dice[i] = &flat[i]
		}
	}
	for i := range n.Children {
		out.Children = append(out.Children, node(&n.Children[i]))
	}
	return out
}
