package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/render"
	"github.com/skaldrpg/skald/pkg/text"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// maxRequestID bounds the request id that a client gives, in bytes.
const maxRequestID = 64

func (s *service) actTools(server *sdk.Server) {
	add(s, server, &sdk.Tool{Name: "preview", Title: "What a deed would do",
		Description: "Say what a deed would do if it were done now: what it costs, which rolls it makes with exact odds, what it would ask, how it may go. Nothing is done and no die is rolled."},
		true, call.preview)
	add(s, server, &sdk.Tool{Name: "execute", Title: "Do something in a fight",
		Description: `Take an action (take) or end a turn (end_turn): exactly one of the two. Dice are rolled by the server unless faces are given.
Repeating the call with the same request_id repeats the answer and not the deed; take a new request_id for every new deed.
It may stop at decisions: those that are yours come back, for the tool answer.`},
		false, call.execute)
	add(s, server, &sdk.Tool{Name: "answer", Title: "Answer a decision",
		Description: "Answer an open decision that is yours (next lists them): option, number or faces, as its kind says. request_id as with execute."},
		false, call.answer)
}

// deed is an action of a creature: skald.event.v1.TakeAction.
type deed struct {
	Creature      string         `json:"creature" jsonschema:"creature that acts"`
	Action        string         `json:"action" jsonschema:"action as options lists it"`
	Targets       []string       `json:"targets,omitempty" jsonschema:"creature ids of the targets"`
	Item          string         `json:"item,omitempty" jsonschema:"weapon, spell, item or power as options lists it"`
	Path          []position     `json:"path,omitempty" jsonschema:"way through space in feet; the last point is the destination"`
	Parameters    map[string]any `json:"parameters,omitempty" jsonschema:"parameters of the action as options lists them, by name"`
	Circumstances []circumstance `json:"circumstances,omitempty" jsonschema:"stated sources of advantage, disadvantage and modifiers"`
	Facts         map[string]any `json:"facts,omitempty" jsonschema:"stated facts, which beat measured ones, such as {\"cover\": \"half\"}; those of the world are the game master's to say"`
}

// circumstance is skald.event.v1.Circumstance.
type circumstance struct {
	Direction string `json:"direction" jsonschema:"advantage, disadvantage or modifier"`
	Kind      string `json:"kind,omitempty" jsonschema:"sources of one kind count once"`
	Cause     string `json:"cause,omitempty" jsonschema:"what it comes from, in words"`
	Value     int32  `json:"value,omitempty" jsonschema:"for modifiers: what it adds"`
	Target    string `json:"target,omitempty" jsonschema:"target that it is about; absent means all"`
}

// turnEnd is skald.event.v1.EndTurn.
type turnEnd struct {
	Creature string `json:"creature,omitempty" jsonschema:"creature whose turn ends; absent means the one whose turn it is"`
}

// reply is skald.event.v1.Answer.
type reply struct {
	Option string  `json:"option,omitempty" jsonschema:"for a decision of kind option: the id of the answer"`
	Number int32   `json:"number,omitempty" jsonschema:"for kind number: the number"`
	Faces  []int32 `json:"faces,omitempty" jsonschema:"for kind dice: the faces that people rolled, in order"`
}

// early is skald.event.v1.EarlyAnswer.
type early struct {
	Decision string `json:"decision" jsonschema:"name of the decision"`
	Creature string `json:"creature,omitempty" jsonschema:"creature that decides; absent means any of yours"`
	Answer   reply  `json:"answer" jsonschema:"the answer"`
}

type executeIn struct {
	Encounter string   `json:"encounter" jsonschema:"encounter id"`
	RequestID string   `json:"request_id" jsonschema:"a word of yours (letters, digits, - and _), new for every deed, the same when you repeat a call"`
	Take      *deed    `json:"take,omitempty" jsonschema:"take an action"`
	EndTurn   *turnEnd `json:"end_turn,omitempty" jsonschema:"end the turn"`
	Faces     []int32  `json:"faces,omitempty" jsonschema:"faces rolled by people, in rolling order, where the encounter takes them"`
	Answers   []early  `json:"answers,omitempty" jsonschema:"answers given ahead to decisions that it will meet"`
	RollMode  string   `json:"roll_mode,omitempty" jsonschema:"who sees the rolls, where not who the rules say: open, private or blind"`
	Expected  string   `json:"expected_cursor,omitempty" jsonschema:"refuse when more has happened than this cursor of yours has seen"`
}

type executeOut struct {
	head
	Step      *step      `json:"step,omitempty" jsonschema:"what happened, as far as you may see"`
	Decisions []decision `json:"decisions,omitempty" jsonschema:"open decisions that are yours to answer"`
	Repeated  bool       `json:"repeated,omitempty" jsonschema:"it was done before, under this request_id, and not again"`
	Cursor    string     `json:"cursor,omitempty" jsonschema:"your cursor now"`
}

func (c call) execute(ctx context.Context, in executeIn, out *executeOut) (said, error) {
	cmd, err := commandOf(in.Take, in.EndTurn, in.Answers)
	if err != nil {
		return said{}, err
	}
	cmd.Faces = in.Faces
	if in.RollMode != "" {
		mode, known := eventv1.RollMode_value["ROLL_MODE_"+strings.ToUpper(in.RollMode)]
		if !known || mode == 0 {
			return said{}, fault.Field("roll_mode", "want open, private or blind")
		}
		cmd.RollMode = eventv1.RollMode(mode)
	}
	return c.command(ctx, in.Encounter, in.RequestID, in.Expected, cmd, out)
}

type answerIn struct {
	Encounter string `json:"encounter" jsonschema:"encounter id"`
	RequestID string `json:"request_id" jsonschema:"a word of yours (letters, digits, - and _), new for every answer, the same when you repeat a call"`
	Decision  string `json:"decision" jsonschema:"id of the decision, from next or execute"`
	Answer    reply  `json:"answer" jsonschema:"the answer"`
	Alike     bool   `json:"alike,omitempty" jsonschema:"the same answer goes to every open decision of the same name that is yours"`
}

func (c call) answer(ctx context.Context, in answerIn, out *executeOut) (said, error) {
	a := &eventv1.AnswerDecision{Decision: in.Decision, Answer: answerOf(in.Answer), Alike: in.Alike}
	return c.command(ctx, in.Encounter, in.RequestID, "", &eventv1.Command{What: &eventv1.Command_Answer{Answer: a}}, out)
}

// command carries out a command under the client's request id.
func (c call) command(ctx context.Context, encounter, id, expected string, cmd *eventv1.Command, out *executeOut) (said, error) {
	if len(id) > maxRequestID || text.ID(id) != nil {
		return said{}, fault.Field("request_id", "must be 1 to %d letters, digits, '-' or '_'", maxRequestID)
	}
	if encounter == "" {
		return said{}, fault.Field("encounter", "must be the id of an encounter")
	}
	sent, cancel := c.timed(ctx)
	defer cancel()
	resp, err := c.fights.Execute(sent, &encounterv1.ExecuteRequest{RequestId: c.prefix + id, As: c.as, Table: c.Table, Encounter: encounter,
		ExpectedCursor: expected, Command: cmd})
	if err != nil {
		return said{}, err
	}
	style := c.style(ctx, encounter)
	style.Learn(resp.GetStep().GetEvents())
	told := style.Step(resp.Step)
	out.Cursor, out.Repeated = resp.Cursor, resp.Repeated
	if resp.Step != nil {
		one := stepOf(resp.Step, told)
		out.Step = &one
	}
	line := "done"
	if resp.Repeated {
		line = "done before, under the same request_id, and not again"
	}
	decisions, more := few(resp.Decisions, maxList)
	for _, d := range decisions {
		out.Decisions = append(out.Decisions, decisionOf(d))
		told += "? " + style.Decision(d) + "\n"
	}
	if len(decisions) > 0 {
		line += fmt.Sprintf("; %d decisions are yours to answer (answer)", len(decisions)+more)
	}
	return said{line, told}, nil
}

type previewIn struct {
	Encounter string   `json:"encounter" jsonschema:"encounter id"`
	Take      *deed    `json:"take,omitempty" jsonschema:"take an action"`
	EndTurn   *turnEnd `json:"end_turn,omitempty" jsonschema:"end the turn"`
	Answers   []early  `json:"answers,omitempty" jsonschema:"answers given ahead to decisions that it would meet"`
}

type previewOut struct {
	head
	WouldRefuse *refused         `json:"would_be_refused,omitempty" jsonschema:"it would be refused, and why"`
	Costs       map[string]int32 `json:"costs,omitempty" jsonschema:"what it costs, by counter"`
	Provokes    []string         `json:"provokes,omitempty" jsonschema:"creatures that it would provoke"`
	Rolls       []previewRoll    `json:"rolls,omitempty" jsonschema:"rolls that it may make"`
	Asks        []decision       `json:"asks,omitempty" jsonschema:"decisions that it may meet"`
	Ends        []previewEnd     `json:"ends,omitempty" jsonschema:"how it may go, the likeliest first"`
	More        bool             `json:"more,omitempty" jsonschema:"there are more ways than are listed"`
	Unknown     []string         `json:"unknown,omitempty" jsonschema:"creatures whose numbers you do not know: what depends on them is left out"`
}

type previewRoll struct {
	Creature string            `json:"creature,omitempty" jsonschema:"creature that rolls"`
	Label    string            `json:"label" jsonschema:"what the roll is"`
	Dice     string            `json:"dice,omitempty" jsonschema:"expression; absent where it depends on what you do not know"`
	Target   string            `json:"target,omitempty" jsonschema:"what the total is compared with"`
	Odds     map[string]string `json:"odds,omitempty" jsonschema:"exact odds of each outcome"`
	Chance   string            `json:"chance,omitempty" jsonschema:"exact odds that the roll is made at all"`
}

type previewEnd struct {
	Odds    string   `json:"odds" jsonschema:"exact odds of it"`
	Rolls   []string `json:"rolls,omitempty" jsonschema:"outcomes of rolls that lead there"`
	Changes []string `json:"changes,omitempty" jsonschema:"what would be otherwise; numbers that dice decide are those of dice in the middle"`
	Waits   bool     `json:"waits,omitempty" jsonschema:"it ends at a decision"`
}

func (c call) preview(ctx context.Context, in previewIn, out *previewOut) (said, error) {
	cmd, err := commandOf(in.Take, in.EndTurn, in.Answers)
	if err != nil {
		return said{}, err
	}
	asked, cancel := c.timed(ctx)
	defer cancel()
	resp, err := c.whatIf.Preview(asked, &encounterv1.PreviewRequest{As: c.as, Table: c.Table, Encounter: in.Encounter, Command: cmd})
	if err != nil {
		return said{}, err
	}
	style := c.style(ctx, in.Encounter)
	out.fill(resp, style)
	line := "nothing was done"
	if resp.Refused != "" {
		line += "; it would be refused, reason " + resp.Reason
	}
	return said{line, style.WhatIf(resp)}, nil
}

func (p *previewOut) fill(resp *encounterv1.PreviewResponse, style render.Style) {
	if resp.Refused != "" {
		p.WouldRefuse = &refused{Code: fault.Illegal.String(), Reason: resp.Reason, Rule: resp.Rule, Message: words(resp.Refused)}
	}
	p.Costs, p.Provokes = resp.GetOption().GetCosts(), resp.GetOption().GetProvokes()
	p.More = resp.Cut
	p.Unknown, _ = few(resp.Unknown, maxCreatures)
	rolls, _ := few(resp.Rolls, maxList)
	for _, r := range rolls {
		p.Rolls = append(p.Rolls, rollOf(r))
	}
	asks, _ := few(resp.Asks, maxList)
	for _, q := range asks {
		p.Asks = append(p.Asks, decisionOf(q.Decision))
	}
	ends, more := few(resp.Ends, maxList)
	p.More = p.More || more > 0
	for _, e := range ends {
		end := previewEnd{Odds: e.Odds, Waits: e.Waits}
		rolls, _ := few(e.Rolls, maxList)
		for _, r := range rolls {
			end.Rolls = append(end.Rolls, words(strings.TrimSpace(r.Creature+" "+r.Label+": "+r.Outcome)))
		}
		changes, _ := few(e.Changes, maxItems)
		for _, x := range changes {
			end.Changes = append(end.Changes, words(style.Change(x)))
		}
		p.Ends = append(p.Ends, end)
	}
}

func rollOf(r *encounterv1.PreviewRoll) previewRoll {
	out := previewRoll{Creature: r.Creature, Label: words(r.Label), Dice: r.Expression, Chance: r.Chance}
	if r.Target != nil {
		out.Target = fmt.Sprintf("%s %d", words(r.Target.Kind), r.Target.Value)
	}
	for _, o := range r.Odds {
		if out.Odds == nil {
			out.Odds = map[string]string{}
		}
		out.Odds[words(o.Outcome)] = o.Odds
	}
	return out
}

// commandOf is the command that a call asks for.
func commandOf(take *deed, end *turnEnd, answers []early) (*eventv1.Command, error) {
	cmd := &eventv1.Command{}
	for _, a := range answers {
		cmd.Answers = append(cmd.Answers, &eventv1.EarlyAnswer{Decision: a.Decision, Creature: a.Creature, Answer: answerOf(a.Answer)})
	}
	switch {
	case (take == nil) == (end == nil):
		return nil, fault.Field("take", "give take or end_turn, exactly one of the two")
	case end != nil:
		cmd.What = &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: end.Creature}}
		return cmd, nil
	}
	action := &eventv1.TakeAction{Creature: take.Creature, Action: take.Action, Targets: take.Targets, Item: take.Item}
	for _, p := range take.Path {
		action.Path = append(action.Path, &eventv1.Position{X: p.X, Y: p.Y, Z: p.Z})
	}
	for _, x := range take.Circumstances {
		action.Circumstances = append(action.Circumstances, &eventv1.Circumstance{Direction: x.Direction, Kind: x.Kind, Cause: x.Cause, Value: x.Value, Target: x.Target})
	}
	var err error
	if action.Parameters, err = structOf("take.parameters", take.Parameters); err != nil {
		return nil, err
	}
	if action.Facts, err = structOf("take.facts", take.Facts); err != nil {
		return nil, err
	}
	cmd.What = &eventv1.Command_Take{Take: action}
	return cmd, nil
}

func structOf(field string, values map[string]any) (*structpb.Struct, error) {
	if len(values) == 0 {
		return nil, nil
	}
	s, err := structpb.NewStruct(values)
	if err != nil {
		return nil, fault.Field(field, "cannot be read: %v", err)
	}
	return s, nil
}

func answerOf(r reply) *eventv1.Answer {
	return &eventv1.Answer{Option: r.Option, Number: r.Number, Faces: r.Faces}
}

// sizeOf is about how long a value is in a result, in bytes.
func sizeOf(v any) int {
	data, err := json.Marshal(v)
	if err != nil {
		return 0
	}
	return len(data)
}
