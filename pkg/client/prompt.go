package client

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// PromptKind is what a prompt is answered by.
type PromptKind string

// The kinds of prompts.
const (
	PromptOption PromptKind = "option"
	PromptNumber PromptKind = "number"
	PromptDice   PromptKind = "dice"
)

// PromptChoice is an answer that a prompt lists.
type PromptChoice struct {
	ID        string `json:"id"`
	Text      string `json:"text"`
	Rule      string `json:"rule"`
	IsDefault bool   `json:"isDefault"`
}

// Prompt is a decision as what people are asked.
type Prompt struct {
	// Decision is its id, Name that of the question, by which standing orders go.
	Decision string `json:"decision"`
	Name     string `json:"name"`
	// Creature that it is about, and whether the game master alone may answer.
	Creature string `json:"creature"`
	GMOnly   bool   `json:"gmOnly"`
	// Question, what caused it, and the rule behind it.
	Question string     `json:"question"`
	Cause    string     `json:"cause"`
	Rule     string     `json:"rule"`
	Kind     PromptKind `json:"kind"`
	// Options to choose from.
	Options []PromptChoice `json:"options"`
	// Minimum and Maximum of a number.
	Minimum int32 `json:"minimum"`
	Maximum int32 `json:"maximum"`
	// Expression of dice, how many faces it takes before anything explodes, and the
	// label of the roll, such as "attack/to-hit".
	Expression string `json:"expression"`
	Faces      int32  `json:"faces"`
	Label      string `json:"label"`
	// Deadline is when the default is taken; the zero time is never.
	Deadline time.Time `json:"-"`
	// Otherwise is the answer taken when nobody decides, in words; empty where it
	// waits for ever or nothing is told of it.
	Otherwise string `json:"otherwise"`
}

// PromptOf is a decision as a prompt; what GetNext says of it makes it whole, and may
// be nil.
func PromptOf(d *eventv1.Decision, w *encounterv1.Waiting) Prompt {
	p := Prompt{
		Decision: d.GetId(), Name: d.GetName(), Creature: d.GetCreature(), GMOnly: d.GetGmOnly(), Question: d.GetQuestion(), Cause: d.GetCause(), Rule: d.GetRule(),
		Kind: PromptOption, Options: []PromptChoice{}, Minimum: d.GetMinimum(), Maximum: d.GetMaximum(), Expression: d.GetExpression(), Faces: d.GetFaces(), Label: d.GetLabel(),
	}
	switch d.GetKind() {
	case eventv1.DecisionKind_DECISION_KIND_NUMBER:
		p.Kind = PromptNumber
	case eventv1.DecisionKind_DECISION_KIND_DICE:
		p.Kind = PromptDice
	}
	usual := ""
	for _, o := range d.GetOptions() {
		is := o.GetId() == d.GetDefaultOption()
		if is && usual == "" {
			usual = cmp.Or(o.GetText(), o.GetId())
		}
		p.Options = append(p.Options, PromptChoice{o.GetId(), o.GetText(), o.GetRule(), is})
	}
	if ms := d.GetDeadlineUnixMillis(); ms > 0 {
		p.Deadline = time.UnixMilli(ms)
	}
	p.Otherwise = cmp.Or(w.GetByDefault(), w.GetOtherwise(), usual)
	return p
}

// Choose answers with an option of the prompt. alike gives the answer to every open
// decision of the same name that allows it. The error is a [*FormError] for what the
// prompt does not take, here and in the methods below.
func (p Prompt) Choose(option string, alike bool) (*eventv1.Command, error) {
	if p.Kind != PromptOption || !slices.ContainsFunc(p.Options, func(o PromptChoice) bool { return o.ID == option }) {
		return nil, p.refuse()
	}
	return p.answer(&eventv1.Answer{Option: option}, alike), nil
}

// Number answers with a number.
func (p Prompt) Number(n int32, alike bool) (*eventv1.Command, error) {
	if p.Kind != PromptNumber || n < p.Minimum || n > p.Maximum {
		return nil, p.refuse()
	}
	return p.answer(&eventv1.Answer{Number: n}, alike), nil
}

// Roll answers with faces of dice, in rolling order.
func (p Prompt) Roll(faces []int32, alike bool) (*eventv1.Command, error) {
	if p.Kind != PromptDice || len(faces) < max(1, int(p.Faces)) || slices.ContainsFunc(faces, func(f int32) bool { return f < 0 }) {
		return nil, p.refuse()
	}
	return p.answer(&eventv1.Answer{Faces: slices.Clone(faces)}, alike), nil
}

func (p Prompt) answer(a *eventv1.Answer, alike bool) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Answer{Answer: &eventv1.AnswerDecision{Decision: p.Decision, Answer: a, Alike: alike}}}
}

// refuse says what the prompt takes.
func (p Prompt) refuse() error {
	text := fmt.Sprintf("a number from %d to %d", p.Minimum, p.Maximum)
	switch p.Kind {
	case PromptOption:
		ids := make([]string, 0, len(p.Options))
		for _, o := range p.Options {
			ids = append(ids, o.ID)
		}
		text = "one of " + strings.Join(ids, ", ")
	case PromptDice:
		text = fmt.Sprintf("%d faces of %s", p.Faces, p.Expression)
	}
	return &FormError{[]Problem{{"answer", text}}}
}
