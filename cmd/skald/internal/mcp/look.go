package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/render"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const (
	// maxCreatures bounds the creatures of a structured state.
	maxCreatures = 60
	// maxSteps bounds one page of history, in steps.
	maxSteps = 20
	// maxLines bounds the lines of a step.
	maxLines = 60
	// maxWait bounds how long next waits, in seconds.
	maxWait = 50
)

func (s *service) lookTools(server *sdk.Server) {
	add(s, server, &sdk.Tool{Name: "encounters", Title: "Encounters of the table",
		Description: "List the encounters of the table that you may see, with id, rule system and where each stands (open, started, ended)."},
		true, call.encounters)
	add(s, server, &sdk.Tool{Name: "state", Title: "How a fight stands",
		Description: "What you may know of an encounter: round, whose turn it is, each creature with life, hit points, position and conditions, open decisions. With creature, more of that one."},
		true, call.state)
	add(s, server, &sdk.Tool{Name: "next", Title: "What is waited for",
		Description: "Say what the encounter waits for and whether it is yours: a creature that may act, or a decision to be answered, with its id and its answers. With wait_seconds it waits until something is yours, or the fight is over."},
		true, call.next)
	add(s, server, &sdk.Tool{Name: "history", Title: "What happened",
		Description: "What happened, step by step, as far as you may see it, in your own numbers, with the rule behind each line."},
		true, call.history)
	add(s, server, &sdk.Tool{Name: "explain", Title: "Why an event came out so",
		Description: "Without event: list the events of a step with their numbers. With event: where the numbers of that one come from, line by line, with rules."},
		true, call.explain)
}

type encountersIn struct {
	After string `json:"after,omitempty" jsonschema:"encounter id to continue after"`
}

type encountersOut struct {
	head
	Encounters []encounterSummary `json:"encounters,omitempty" jsonschema:"encounters by id"`
	More       bool               `json:"more,omitempty" jsonschema:"there are more: ask again with after set to the last id"`
}

type encounterSummary struct {
	ID     string `json:"id" jsonschema:"encounter id, for the other tools"`
	System string `json:"system" jsonschema:"rule system"`
	Status string `json:"status" jsonschema:"open (being set up), started or ended"`
	Title  string `json:"title,omitempty" jsonschema:"title"`
}

func (c call) encounters(ctx context.Context, in encountersIn, out *encountersOut) (said, error) {
	ctx, cancel := c.timed(ctx)
	defer cancel()
	resp, err := c.fights.ListEncounters(ctx, &encounterv1.ListEncountersRequest{As: c.as, Table: c.Table, After: in.After, Limit: maxList})
	if err != nil {
		return said{}, err
	}
	var data strings.Builder
	for _, e := range resp.Encounters {
		one := encounterSummary{ID: e.Encounter, System: e.System, Status: lower(e.Status.String(), "STATUS_"), Title: words(e.Title)}
		out.Encounters = append(out.Encounters, one)
		fmt.Fprintf(&data, "%s  %s  %s  %s\n", one.ID, one.System, one.Status, one.Title)
	}
	out.More = resp.More
	return said{fmt.Sprintf("%d encounters%s", len(out.Encounters), andMore(resp.More)), data.String()}, nil
}

func andMore(more bool) string {
	if more {
		return ", and more"
	}
	return ""
}

// lower is an enum's word as people write it.
func lower(word, prefix string) string {
	return strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(word, prefix), "_", "-"))
}

type stateIn struct {
	Encounter string `json:"encounter" jsonschema:"encounter id"`
	Creature  string `json:"creature,omitempty" jsonschema:"creature id: more of this one"`
	At        uint64 `json:"at,omitempty" jsonschema:"your number of the step to show the state after; absent means now"`
}

type stateOut struct {
	head
	System    string        `json:"system,omitempty" jsonschema:"rule system"`
	Title     string        `json:"title,omitempty" jsonschema:"title"`
	Status    string        `json:"status,omitempty" jsonschema:"open, started or ended"`
	Round     int32         `json:"round,omitempty" jsonschema:"round"`
	Phase     string        `json:"phase,omitempty" jsonschema:"phase of the round"`
	Active    []string      `json:"active,omitempty" jsonschema:"creatures whose turn it is"`
	Creatures []creature    `json:"creatures,omitempty" jsonschema:"creatures that you know of, by id"`
	More      int           `json:"more_creatures,omitempty" jsonschema:"creatures that are not listed for length"`
	Decisions []decision    `json:"decisions,omitempty" jsonschema:"open decisions that you may know of"`
	Detail    *creatureMore `json:"detail,omitempty" jsonschema:"more of the creature that was asked for"`
	Number    uint64        `json:"number,omitempty" jsonschema:"your number of the last step"`
	Cursor    string        `json:"cursor,omitempty" jsonschema:"your cursor, for expected_cursor"`
}

type creature struct {
	ID          string    `json:"id" jsonschema:"creature id, for the other tools"`
	Name        string    `json:"name,omitempty" jsonschema:"name"`
	Side        string    `json:"side,omitempty" jsonschema:"side"`
	Controllers []string  `json:"controllers,omitempty" jsonschema:"players who play it; none: the game master"`
	Life        string    `json:"life,omitempty" jsonschema:"alive, disabled, dying, stable, unconscious or dead"`
	HP          *int32    `json:"hp,omitempty" jsonschema:"hit points, when you may know them"`
	MaxHP       *int32    `json:"hp_max,omitempty" jsonschema:"hit point maximum, when you may know it"`
	TempHP      *int32    `json:"hp_temp,omitempty" jsonschema:"temporary hit points"`
	Position    *position `json:"position,omitempty" jsonschema:"where it stands"`
	Conditions  []string  `json:"conditions,omitempty" jsonschema:"conditions"`
	Injuries    []string  `json:"injuries,omitempty" jsonschema:"injuries"`
	Staged      bool      `json:"staged,omitempty" jsonschema:"it is there unseen: others do not know of it"`
}

type creatureMore struct {
	Counters map[string]int64  `json:"counters,omitempty" jsonschema:"counters: actions left, movement, exhaustion, ..."`
	Marks    map[string]string `json:"marks,omitempty" jsonschema:"marks"`
	Items    map[string]string `json:"items,omitempty" jsonschema:"things, each with its place"`
	Orders   map[string]string `json:"standing_orders,omitempty" jsonschema:"standing orders by decision"`
	Learned  map[string]int32  `json:"learned,omitempty" jsonschema:"what was learned of it"`
}

type position struct {
	X int32 `json:"x" jsonschema:"feet east"`
	Y int32 `json:"y" jsonschema:"feet north"`
	Z int32 `json:"z,omitempty" jsonschema:"feet up"`
}

func (c call) state(ctx context.Context, in stateIn, out *stateOut) (said, error) {
	ctx, cancel := c.timed(ctx)
	defer cancel()
	resp, err := c.fights.GetState(ctx, &encounterv1.GetStateRequest{As: c.as, Table: c.Table, Encounter: in.Encounter, At: in.At})
	if err != nil {
		return said{}, err
	}
	s := resp.State
	out.System, out.Title, out.Status = s.GetSystem(), words(s.GetTitle()), lower(s.GetStatus().String(), "STATUS_")
	out.Round, out.Phase, out.Active = s.GetRound(), s.GetPhase(), s.GetActive()
	out.Number, out.Cursor = resp.Number, resp.Cursor
	if in.Creature != "" {
		one := s.GetCreatures()[in.Creature]
		if one == nil {
			return said{}, fault.New(fault.NotFound, "UNKNOWN_CREATURE", "there is no creature %q", clipped(in.Creature, maxWords))
		}
		out.Creatures, out.Detail = []creature{creatureOf(one)}, moreOf(one)
		return said{fmt.Sprintf("round %d, step %d", s.GetRound(), resp.Number), render.Style{Names: render.Names(s), Rules: true}.Creature(one)}, nil
	}
	ids, more := few(slices.Sorted(maps.Keys(s.GetCreatures())), maxCreatures)
	for _, id := range ids {
		out.Creatures = append(out.Creatures, creatureOf(s.Creatures[id]))
	}
	out.More = more
	for _, id := range slices.Sorted(maps.Keys(s.GetDecisions())) {
		if len(out.Decisions) < maxList {
			out.Decisions = append(out.Decisions, decisionOf(s.Decisions[id]))
		}
	}
	return said{fmt.Sprintf("%s, round %d, your step %d", out.Status, s.GetRound(), resp.Number), render.State(s)}, nil
}

func creatureOf(c *eventv1.Creature) creature {
	controllers, _ := few(c.Controllers, maxList)
	out := creature{ID: c.Id, Name: words(c.Name), Side: words(c.Side), Controllers: escaped(controllers), Life: lower(c.Life.String(), "LIFE_STATUS_"),
		HP: c.Hp, MaxHP: c.HpMax, TempHP: c.HpTemp, Position: positionOf(c.Position), Staged: c.Staged}
	for _, x := range c.Conditions {
		out.Conditions = append(out.Conditions, words(strings.TrimSpace(x.Name+" "+x.Variant)))
	}
	for _, x := range c.Injuries {
		out.Injuries = append(out.Injuries, words(strings.Join(strings.Fields(x.Kind+" "+x.Side+" "+x.Part), " ")))
	}
	out.Conditions, _ = few(out.Conditions, maxList)
	out.Injuries, _ = few(out.Injuries, maxList)
	return out
}

func moreOf(c *eventv1.Creature) *creatureMore {
	items := map[string]string{}
	for name, x := range c.Items { // order-free: a map again
		items[name] = x.GetPlace()
	}
	return &creatureMore{Counters: fewOf(c.Counters), Marks: spoken(c.Marks), Items: spoken(items), Orders: spoken(c.StandingOrders), Learned: fewOf(c.Learned)}
}

// fewOf is a map of a bounded size, the first names first.
func fewOf[V any](all map[string]V) map[string]V {
	names, _ := few(slices.Sorted(maps.Keys(all)), 2*maxList)
	out := map[string]V{}
	for _, name := range names {
		out[words(name)] = all[name]
	}
	return out
}

func spoken(all map[string]string) map[string]string {
	out := fewOf(all)
	for name, value := range out { // order-free: each stands for itself
		out[name] = words(value)
	}
	return out
}

func escaped(all []string) []string {
	var out []string
	for _, s := range all {
		out = append(out, words(s))
	}
	return out
}

func positionOf(p *eventv1.Position) *position {
	if p == nil {
		return nil
	}
	return &position{X: p.X, Y: p.Y, Z: p.Z}
}

type nextIn struct {
	Encounter   string `json:"encounter" jsonschema:"encounter id"`
	WaitSeconds int    `json:"wait_seconds,omitempty" jsonschema:"wait up to so many seconds (at most 50) until something is yours"`
}

type nextOut struct {
	head
	Waiting []waiting `json:"waiting,omitempty" jsonschema:"what is waited for; none: the fight is over"`
	More    int       `json:"more,omitempty" jsonschema:"things that are not listed for length"`
	Over    bool      `json:"over,omitempty" jsonschema:"the fight is over"`
	Round   int32     `json:"round,omitempty" jsonschema:"round"`
	Phase   string    `json:"phase,omitempty" jsonschema:"phase of the round"`
	Cursor  string    `json:"cursor,omitempty" jsonschema:"your cursor, for expected_cursor"`
}

type waiting struct {
	Kind       string    `json:"kind" jsonschema:"start (the fight has not begun), act, decision, unseen (nothing that you may know of), contest"`
	Yours      bool      `json:"yours,omitempty" jsonschema:"you may do it"`
	Creatures  []string  `json:"creatures,omitempty" jsonschema:"creatures that it is about"`
	Players    []string  `json:"players,omitempty" jsonschema:"players who may do it"`
	GameMaster bool      `json:"game_master,omitempty" jsonschema:"nobody but the game master may do it"`
	Decision   *decision `json:"decision,omitempty" jsonschema:"the decision, for the tool answer"`
	ByDefault  string    `json:"by_default,omitempty" jsonschema:"what happens when nobody does anything"`
}

type decision struct {
	ID       string   `json:"id" jsonschema:"id, for the tool answer"`
	Name     string   `json:"name" jsonschema:"name of the question; answers given ahead go by it"`
	Kind     string   `json:"kind" jsonschema:"option, number or dice: which field of the answer counts"`
	Creature string   `json:"creature,omitempty" jsonschema:"creature that decides"`
	Question string   `json:"question,omitempty" jsonschema:"the question"`
	Cause    string   `json:"cause,omitempty" jsonschema:"what caused it"`
	Options  []choice `json:"options,omitempty" jsonschema:"answers allowed"`
	Default  string   `json:"default,omitempty" jsonschema:"id of the answer that is taken when nobody decides"`
	Minimum  int32    `json:"minimum,omitempty" jsonschema:"for numbers: smallest"`
	Maximum  int32    `json:"maximum,omitempty" jsonschema:"for numbers: largest"`
	Dice     string   `json:"dice,omitempty" jsonschema:"for dice: the expression that somebody rolls"`
	Faces    int32    `json:"faces,omitempty" jsonschema:"for dice: how many faces it takes at first"`
	Rule     string   `json:"rule,omitempty" jsonschema:"rule id"`
}

type choice struct {
	ID   string `json:"id" jsonschema:"what the answer gives back"`
	Text string `json:"text,omitempty" jsonschema:"words"`
}

func decisionOf(d *eventv1.Decision) decision {
	out := decision{ID: d.Id, Name: d.Name, Kind: lower(d.Kind.String(), "DECISION_KIND_"), Creature: d.Creature, Question: words(d.Question), Cause: words(d.Cause),
		Default: d.DefaultOption, Minimum: d.Minimum, Maximum: d.Maximum, Dice: d.Expression, Faces: d.Faces, Rule: d.Rule}
	options, _ := few(d.Options, maxList)
	for _, o := range options {
		out.Options = append(out.Options, choice{ID: o.Id, Text: words(o.Text)})
	}
	return out
}

func (c call) next(ctx context.Context, in nextIn, out *nextOut) (said, error) {
	until := time.Now().Add(time.Duration(max(0, min(in.WaitSeconds, maxWait))) * time.Second)
	for {
		resp, err := c.waitedFor(ctx, in.Encounter)
		if err != nil {
			return said{}, err
		}
		yours := slices.ContainsFunc(resp.Waiting, func(w *encounterv1.Waiting) bool { return w.Yours })
		if !yours && len(resp.Waiting) > 0 && time.Now().Before(until) {
			if err := c.something(ctx, in.Encounter, resp.Cursor, until); err != nil {
				return said{}, err
			}
			continue
		}
		return said{nextLine(resp, yours), c.nextOf(ctx, in.Encounter, resp, out)}, nil
	}
}

func (c call) waitedFor(ctx context.Context, encounter string) (*encounterv1.GetNextResponse, error) {
	ctx, cancel := c.timed(ctx)
	defer cancel()
	return c.fights.GetNext(ctx, &encounterv1.GetNextRequest{As: c.as, Table: c.Table, Encounter: encounter})
}

// something waits until the caller can see something new, or the time has come.
func (c call) something(ctx context.Context, encounter, cursor string, until time.Time) error {
	ctx, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	w, err := c.fights.Watch(ctx, &encounterv1.WatchRequest{As: c.as, Table: c.Table, Encounter: encounter, After: cursor})
	for err == nil {
		var m *encounterv1.WatchResponse
		if m, err = w.Recv(); m.GetStep() != nil {
			return nil
		}
	}
	if errors.Is(err, io.EOF) || status.Code(err) == codes.DeadlineExceeded && !time.Now().Before(until) {
		return nil
	}
	return err
}

func nextLine(resp *encounterv1.GetNextResponse, yours bool) string {
	switch {
	case len(resp.Waiting) == 0:
		return "the fight is over"
	case yours:
		return fmt.Sprintf("round %d: something is yours (*)", resp.Round)
	}
	return fmt.Sprintf("round %d: nothing is yours now", resp.Round)
}

func (c call) nextOf(ctx context.Context, encounter string, resp *encounterv1.GetNextResponse, out *nextOut) string {
	out.Round, out.Phase, out.Cursor, out.Over = resp.Round, resp.Phase, resp.Cursor, len(resp.Waiting) == 0
	all, more := few(resp.Waiting, maxList)
	for _, w := range all {
		players, _ := few(w.Players, maxList)
		creatures, _ := few(w.Creatures, maxCreatures)
		one := waiting{Kind: lower(w.Kind.String(), "KIND_"), Yours: w.Yours, Creatures: creatures, Players: escaped(players), GameMaster: w.GameMaster, ByDefault: words(w.ByDefault)}
		if w.Decision != nil {
			d := decisionOf(w.Decision)
			one.Decision = &d
		}
		out.Waiting = append(out.Waiting, one)
	}
	out.More = more
	return c.style(ctx, encounter).Next(resp, time.Now())
}

type historyIn struct {
	Encounter string `json:"encounter" jsonschema:"encounter id"`
	After     uint64 `json:"after,omitempty" jsonschema:"only steps after this number of yours"`
	Limit     uint32 `json:"limit,omitempty" jsonschema:"at most so many steps, up to 20"`
	Within    uint64 `json:"within,omitempty" jsonschema:"your number of a ruling's step: the steps of its amended history"`
}

type historyOut struct {
	head
	Steps []step `json:"steps,omitempty" jsonschema:"steps in order"`
	More  bool   `json:"more,omitempty" jsonschema:"there are more: ask again with after set to the last number"`
}

type step struct {
	Number uint64   `json:"number" jsonschema:"your number of the step"`
	Cursor string   `json:"cursor,omitempty" jsonschema:"your cursor after it"`
	Lines  []string `json:"lines,omitempty" jsonschema:"what happened, a line each"`
	More   int      `json:"more_lines,omitempty" jsonschema:"lines that are left out: explain lists all events of the step"`
}

func (c call) history(ctx context.Context, in historyIn, out *historyOut) (said, error) {
	style := c.style(ctx, in.Encounter)
	ctx, cancel := c.timed(ctx)
	defer cancel()
	limit := min(in.Limit, maxSteps)
	if limit == 0 {
		limit = maxSteps
	}
	resp, err := c.fights.GetHistory(ctx, &encounterv1.GetHistoryRequest{As: c.as, Table: c.Table, Encounter: in.Encounter, After: in.After, Limit: limit, Within: in.Within})
	if err != nil {
		return said{}, err
	}
	var data strings.Builder
	out.More = resp.More
	for _, s := range resp.Steps {
		told := style.Step(s)
		if len(out.Steps) > 0 && data.Len()+len(told) > maxText { // the next page begins with it
			out.More = true
			break
		}
		data.WriteString(told)
		out.Steps = append(out.Steps, stepOf(s, told))
	}
	return said{fmt.Sprintf("%d steps%s", len(out.Steps), andMore(out.More)), data.String()}, nil
}

// stepOf is a step with the lines that it was told in.
func stepOf(s *encounterv1.Step, told string) step {
	out := step{Number: s.GetNumber(), Cursor: s.GetCursor()}
	for line := range strings.Lines(told) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if len(out.Lines) == maxLines {
			out.More++
			continue
		}
		out.Lines = append(out.Lines, words(line))
	}
	return out
}

type explainIn struct {
	Encounter string  `json:"encounter" jsonschema:"encounter id"`
	Step      uint64  `json:"step" jsonschema:"your number of the step"`
	Event     *uint32 `json:"event,omitempty" jsonschema:"number of the event in the step, from 0; absent lists them"`
	Within    uint64  `json:"within,omitempty" jsonschema:"your number of a ruling's step: step counts inside its amended history then"`
}

type explainOut struct {
	head
	Events []string      `json:"events,omitempty" jsonschema:"the events of the step, in the order of their numbers"`
	Lines  []explanation `json:"lines,omitempty" jsonschema:"why, line by line"`
}

type explanation struct {
	Text  string `json:"text" jsonschema:"words"`
	Rule  string `json:"rule,omitempty" jsonschema:"rule id, for the tool rules"`
	Title string `json:"rule_title,omitempty" jsonschema:"title of the rule"`
}

func (c call) explain(ctx context.Context, in explainIn, out *explainOut) (said, error) {
	if in.Event == nil {
		return c.numbered(ctx, in, out)
	}
	ctx, cancel := c.timed(ctx)
	defer cancel()
	resp, err := c.fights.Explain(ctx, &encounterv1.ExplainRequest{As: c.as, Table: c.Table, Encounter: in.Encounter, Number: in.Step, Event: *in.Event, Within: in.Within})
	if err != nil {
		return said{}, err
	}
	lines, _ := few(resp.Lines, 2*maxList)
	for _, l := range lines {
		out.Lines = append(out.Lines, explanation{Text: words(l.Text), Rule: l.Rule, Title: words(l.RuleTitle)})
	}
	return said{fmt.Sprintf("step %d, event %d", in.Step, *in.Event), render.Explain(resp)}, nil
}

// numbered lists the events of a step with their numbers.
func (c call) numbered(ctx context.Context, in explainIn, out *explainOut) (said, error) {
	if in.Step == 0 {
		return said{}, fault.Field("step", "must be the number of a step, from 1")
	}
	style := c.style(ctx, in.Encounter)
	style.Bookkeeping = true
	ctx, cancel := c.timed(ctx)
	defer cancel()
	resp, err := c.fights.GetHistory(ctx, &encounterv1.GetHistoryRequest{As: c.as, Table: c.Table, Encounter: in.Encounter, After: in.Step - 1, Within: in.Within, Limit: 1})
	if err != nil {
		return said{}, err
	}
	if len(resp.Steps) == 0 {
		return said{}, fault.New(fault.NotFound, "UNKNOWN_STEP", "there is no step %d", in.Step)
	}
	var data strings.Builder
	events, more := few(resp.Steps[0].Events, 3*maxList)
	style.Learn(resp.Steps[0].Events)
	for i, e := range events {
		line := words(strings.TrimSpace(style.Event(e)))
		out.Events = append(out.Events, line)
		fmt.Fprintf(&data, "%3d %s\n", i, line)
	}
	if more > 0 {
		fmt.Fprintf(&data, "and %d more\n", more)
	}
	return said{fmt.Sprintf("the events of step %d; ask again with event", in.Step), data.String()}, nil
}
