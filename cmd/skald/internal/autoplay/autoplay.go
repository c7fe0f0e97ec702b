package autoplay

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/fault"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Limits on a fight, so that every one ends.
const (
	maxSteps = 2000 // commands in all
	maxDeeds = 12   // deeds in one turn
)

// Player plays an encounter as the game master.
type Player struct {
	// Client of the encounter service.
	Client encounterv1.EncounterServiceClient
	// Table and Encounter to play.
	Table, Encounter string
	// Rounds after which the fight counts as decided.
	Rounds int32
	// Show is told of each step; may be nil.
	Show func(*encounterv1.Step)

	steps int
}

// master is on whose behalf everything is done.
var master = &eventv1.Principal{Role: eventv1.Principal_ROLE_GM, Name: "gm"}

// Play plays from the start of the fight until it is decided, and returns how.
// The encounter is still open then: see Do.
func (p *Player) Play(ctx context.Context) (string, error) {
	if err := p.start(ctx); err != nil {
		return "", err
	}
	for p.steps < maxSteps {
		s, err := p.settled(ctx)
		if err != nil {
			return "", err
		}
		if reason := p.over(s); reason != "" {
			return reason, nil
		}
		id := ""
		if len(s.Active) > 0 {
			id = s.Active[0]
		}
		if err := p.turn(ctx, id); err != nil {
			return "", err
		}
	}
	return "", fmt.Errorf("autoplay: the fight did not end within %d steps", maxSteps)
}

// start begins the fight unless it has begun.
func (p *Player) start(ctx context.Context) error {
	resp, err := p.Client.GetState(ctx, &encounterv1.GetStateRequest{As: master, Table: p.Table, Encounter: p.Encounter})
	if err != nil {
		return err
	}
	if resp.State.GetStatus() == eventv1.State_STATUS_STARTED {
		return nil
	}
	return p.Do(ctx, &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
}

// Do sends a command for the game master and shows what it did.
func (p *Player) Do(ctx context.Context, cmd *eventv1.Command) error {
	p.steps++
	resp, err := p.Client.Execute(ctx, &encounterv1.ExecuteRequest{RequestId: fmt.Sprintf("auto-%d", p.steps), As: master,
		Table: p.Table, Encounter: p.Encounter, Command: cmd})
	if err != nil {
		return err
	}
	if p.Show != nil && resp.Step != nil {
		p.Show(resp.Step)
	}
	return nil
}

// settled answers every open decision and returns the state then.
func (p *Player) settled(ctx context.Context) (*eventv1.State, error) {
	for p.steps < maxSteps {
		resp, err := p.Client.GetState(ctx, &encounterv1.GetStateRequest{As: master, Table: p.Table, Encounter: p.Encounter})
		if err != nil {
			return nil, err
		}
		d := firstDecision(resp.State)
		if d == nil {
			return resp.State, nil
		}
		answer := &eventv1.AnswerDecision{Decision: d.Id, Answer: choose(d)}
		if err := p.Do(ctx, &eventv1.Command{What: &eventv1.Command_Answer{Answer: answer}}); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("autoplay: decisions without end")
}

func firstDecision(s *eventv1.State) *eventv1.Decision {
	var first *eventv1.Decision
	for id, d := range s.Decisions {
		if first == nil || id < first.Id {
			first = d
		}
	}
	return first
}

// choose takes the default, or else the first or smallest answer.
func choose(d *eventv1.Decision) *eventv1.Answer {
	switch {
	case d.Kind == eventv1.DecisionKind_DECISION_KIND_NUMBER:
		return &eventv1.Answer{Number: d.Minimum}
	case d.DefaultOption != "":
		return &eventv1.Answer{Option: d.DefaultOption}
	case len(d.Options) > 0:
		return &eventv1.Answer{Option: d.Options[0].Id}
	}
	return &eventv1.Answer{}
}

// over says why the fight is over; empty while it is not.
func (p *Player) over(s *eventv1.State) string {
	standing := map[string]bool{}
	for _, c := range s.Creatures {
		if up(c) {
			standing[c.Side] = true
		}
	}
	switch {
	case len(standing) == 0:
		return "nobody is left standing"
	case len(standing) == 1:
		for side := range standing {
			return side + " won"
		}
	case s.Round > p.Rounds:
		return fmt.Sprintf("%d rounds passed", p.Rounds)
	}
	return ""
}

func up(c *eventv1.Creature) bool {
	return c.GetLife() == eventv1.LifeStatus_LIFE_STATUS_ALIVE || c.GetLife() == eventv1.LifeStatus_LIFE_STATUS_DISABLED
}

// turn plays one creature's turn and ends it; with no creature, what the game
// asks of all of them before anyone's turn, such as declarations.
func (p *Player) turn(ctx context.Context, id string) error {
	refused := map[string]bool{}
	for deeds := 0; ; deeds++ {
		s, err := p.settled(ctx)
		if err != nil {
			return err
		}
		if p.over(s) != "" || !p.still(s, id) {
			return nil
		}
		resp, err := p.Client.GetOptions(ctx, &encounterv1.GetOptionsRequest{As: master, Table: p.Table, Encounter: p.Encounter, Creature: id,
			LegalOnly: true, WithoutSquares: true})
		if err != nil {
			return err
		}
		cmd := p.next(s, id, Flat(resp.Options), refused, deeds < maxDeeds)
		if cmd == nil {
			return fmt.Errorf("autoplay: round %d, phase %q: nothing that %q may do is of use", s.Round, s.Phase, id)
		}
		err = p.Do(ctx, cmd)
		if fault.Is(err, fault.Illegal) || fault.Is(err, fault.Invalid) {
			refused[key(cmd.GetTake())] = true
			continue
		}
		if err != nil || cmd.GetEndTurn() != nil {
			return err
		}
	}
}

// still tells whether it is still the creature's turn; with none, whether still
// nobody has one.
func (p *Player) still(s *eventv1.State, id string) bool {
	if id == "" {
		return len(s.Active) == 0
	}
	return slices.Contains(s.Active, id)
}

// next is the next command: a deed worth doing, the end of the turn, or
// whatever else goes on.
func (p *Player) next(s *eventv1.State, id string, options []*eventv1.Option, refused map[string]bool, deeds bool) *eventv1.Command {
	if c := s.Creatures[id]; c != nil && deeds {
		if take := decide(s, c, options, refused); take != nil {
			return &eventv1.Command{What: &eventv1.Command_Take{Take: take}}
		}
	}
	for _, o := range options {
		if o.Legal && o.Action == "end-turn" && !refused[key(nil)] {
			return &eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: o.Creature}}}
		}
	}
	if take := anything(s, options, refused); take != nil {
		return &eventv1.Command{What: &eventv1.Command_Take{Take: take}}
	}
	return nil
}

// anything is an option that can be filled in: one against an enemy if there
// is any, and never the same twice.
func anything(s *eventv1.State, options []*eventv1.Option, refused map[string]bool) *eventv1.TakeAction {
	var fallback *eventv1.TakeAction
	for _, o := range byIntent(s, options) {
		take := &eventv1.TakeAction{Creature: o.Creature, Action: o.Action, Item: o.Item}
		me := s.Creatures[o.Creature]
		for _, t := range byDistance(s, me, o.Targets) {
			if len(take.Targets) < int(o.MinimumTargets) && (up(s.Creatures[t]) && s.Creatures[t].Side != me.GetSide()) {
				take.Targets = append(take.Targets, t)
			}
		}
		if len(take.Targets) < int(o.MinimumTargets) || !fill(take, o) || refused[key(take)] {
			continue
		}
		if len(take.Targets) > 0 {
			return take
		}
		if fallback == nil {
			fallback = take
		}
	}
	return fallback
}

// byIntent puts options that announce a fight before others: shots while no
// enemy is near, blows otherwise. What is illegal or ends the turn is left out.
func byIntent(s *eventv1.State, options []*eventv1.Option) []*eventv1.Option {
	var out []*eventv1.Option
	for _, o := range options {
		if o.Legal && o.Action != "end-turn" {
			out = append(out, o)
		}
	}
	rank := func(o *eventv1.Option) int {
		enemy := nearestEnemy(s, s.Creatures[o.Creature])
		near := enemy != nil && feet(s.Creatures[o.Creature], enemy) <= 4*square
		switch {
		case strings.HasPrefix(o.Item, "ranged") && !near, strings.HasPrefix(o.Item, "melee") && near:
			return 0
		case strings.HasPrefix(o.Item, "melee"):
			return 1
		}
		return 2
	}
	slices.SortStableFunc(out, func(a, b *eventv1.Option) int { return rank(a) - rank(b) })
	return out
}

// fill gives an option's parameters values: the required ones, and "attack"
// wherever that is a choice. It answers false when one cannot be filled.
func fill(take *eventv1.TakeAction, o *eventv1.Option) bool {
	fields := map[string]*structpb.Value{}
	for _, x := range o.Parameters {
		at := slices.IndexFunc(x.Values, func(v *structpb.Value) bool { return v.GetStringValue() == "attack" })
		switch {
		case at >= 0:
			fields[x.Name] = x.Values[at]
		case x.Required && len(x.Values) > 0:
			fields[x.Name] = x.Values[0]
		case x.Required && ranged(x):
			fields[x.Name] = structpb.NewNumberValue(float64(x.Minimum))
		case x.Required:
			return false
		}
	}
	if len(fields) > 0 {
		take.Parameters = &structpb.Struct{Fields: fields}
	}
	return true
}

// walks tells whether an option takes a way to go.
func walks(o *eventv1.Option) bool {
	return slices.ContainsFunc(o.Parameters, func(p *eventv1.Parameter) bool { return p.Type == "path" })
}

// key is what is not tried a second time in one turn.
func key(t *eventv1.TakeAction) string {
	return strings.Join(append([]string{t.GetCreature(), t.GetAction(), t.GetItem()}, t.GetTargets()...), "\x00")
}

// decide picks a deed from the options; nil ends the turn.
func decide(s *eventv1.State, c *eventv1.Creature, options []*eventv1.Option, refused map[string]bool) *eventv1.TakeAction {
	enemy := nearestEnemy(s, c)
	if enemy == nil {
		return nil
	}
	for _, o := range options {
		if !o.Legal || !strings.HasPrefix(o.Action, "attack") && !strings.HasSuffix(o.Action, "attack") {
			continue
		}
		for _, t := range byDistance(s, c, o.Targets) {
			take := &eventv1.TakeAction{Creature: c.Id, Action: o.Action, Item: o.Item, Targets: []string{t}}
			if fill(take, o) && up(s.Creatures[t]) && s.Creatures[t].Side != c.Side && !refused[key(take)] {
				if walks(o) { // the attack may begin with a move
					take.Path = way(s, c, s.Creatures[t])
				}
				return take
			}
		}
	}
	for _, action := range []string{"stand", "move"} {
		for _, o := range options {
			take := &eventv1.TakeAction{Creature: c.Id, Action: o.Action}
			if !o.Legal || o.Action != action || refused[key(take)] {
				continue
			}
			if action == "move" {
				if take.Path = way(s, c, enemy); take.Path == nil {
					continue
				}
				refused[key(take)] = true // one walk a turn
			}
			return take
		}
	}
	return nil
}
