package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/client"
	"github.com/skaldrpg/skald/pkg/content/sheets"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// longest is after how many commands a fight is broken off.
const longest = 200

var (
	master = &eventv1.Principal{Role: eventv1.Principal_ROLE_GM, Name: "mo"}
	ann    = &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "ann"}
)

// table is one fight seen from the back end of a table.
type table struct {
	fights encounterv1.EncounterServiceClient
	id     string
	out    io.Writer

	refused map[string]bool // what was tried in vain since the last thing that happened
}

// Play plays a fight of two shipped creatures and tells out what ann sees of it,
// who plays the first; the game master plays the second.
func Play(ctx context.Context, conn grpc.ClientConnInterface, system string, pair []string, out io.Writer) error {
	t := &table{fights: encounterv1.NewEncounterServiceClient(conn), out: &shared{out: out}, refused: map[string]bool{}}
	if err := t.setUp(ctx, system, pair); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	watched := make(chan error, 1)
	go func() { watched <- t.watch(ctx, ann) }() // ends with the encounter
	if err := t.play(ctx); err != nil {
		cancel()
		<-watched
		return err
	}
	defer cancel()
	return <-watched
}

// play is the fight, one amendment in it, and its end.
func (t *table) play(ctx context.Context) error {
	if err := t.fight(ctx); err != nil {
		return err
	}
	if err := t.amend(ctx); err != nil {
		return err
	}
	_, err := t.do(ctx, master, &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{Reason: "enough"}}})
	return err
}

// shared is a writer for who plays and who watches at the same time.
type shared struct {
	mu  sync.Mutex
	out io.Writer
}

func (s *shared) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.Write(text)
}

// do carries out one command, once, however often it has to be sent.
func (t *table) do(ctx context.Context, as *eventv1.Principal, cmd *eventv1.Command) (*encounterv1.ExecuteResponse, error) {
	return client.Execute(ctx, t.fights, &encounterv1.ExecuteRequest{As: as, Encounter: t.id, Command: cmd})
}

// setUp creates the encounter, puts the creatures on the field and starts.
func (t *table) setUp(ctx context.Context, system string, pair []string) error {
	resp, err := t.do(ctx, master, &eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{System: system, Title: "A duel"}}})
	if err != nil {
		return err
	}
	t.id = resp.Encounter // no id was given: the server chose one
	for i, name := range pair {
		sheet, err := sheets.Get(system, name) // or one of your own: the fields of skald.event.v1.Sheet
		if err != nil {
			return err
		}
		sheet.Controllers = nil
		if i == 0 {
			sheet.Controllers = []string{ann.Name}
		}
		add := &eventv1.AddCreature{Sheet: sheet, Position: &eventv1.Position{X: int32(5 * i)}}
		if _, err := t.do(ctx, master, &eventv1.Command{What: &eventv1.Command_Add{Add: add}}); err != nil {
			return err
		}
	}
	_, err = t.do(ctx, master, &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
	return err
}

// fight goes on until somebody is down: open decisions first, then whatever the
// options offer.
func (t *table) fight(ctx context.Context) error {
	for range longest {
		resp, err := t.fights.GetState(ctx, &encounterv1.GetStateRequest{As: master, Encounter: t.id})
		if err != nil {
			return err
		}
		s := resp.State
		if over(s) {
			return nil
		}
		var as *eventv1.Principal
		var cmd *eventv1.Command
		if len(s.Decisions) > 0 {
			as, cmd = answer(s)
		} else if as, cmd, err = t.choose(ctx, s); err != nil {
			return err
		}
		_, err = t.do(ctx, as, cmd)
		switch code := status.Code(err); {
		case code == codes.FailedPrecondition || code == codes.InvalidArgument:
			t.refused[key(cmd.GetTake())] = true // it wants more than the example gives it: try something else
		case err != nil:
			return fmt.Errorf("%s: %w", cmd, err)
		default:
			clear(t.refused)
		}
	}
	return nil
}

// key is what an action is told from others by.
func key(take *eventv1.TakeAction) string {
	return strings.Join(append([]string{take.GetCreature(), take.GetAction(), take.GetItem()}, take.GetTargets()...), " ")
}

func over(s *eventv1.State) bool {
	for _, c := range s.Creatures {
		if c.Life != eventv1.LifeStatus_LIFE_STATUS_ALIVE {
			return true
		}
	}
	return false
}

// speaker is on whose behalf a creature acts: ann, where she controls it.
func speaker(s *eventv1.State, creature string) *eventv1.Principal {
	if slices.Contains(s.Creatures[creature].GetControllers(), ann.Name) {
		return ann
	}
	return master
}

// answer takes the default of a decision, or else what is least.
func answer(s *eventv1.State) (*eventv1.Principal, *eventv1.Command) {
	for _, d := range s.Decisions {
		given := &eventv1.Answer{}
		switch {
		case d.Kind == eventv1.DecisionKind_DECISION_KIND_NUMBER:
			given.Number = d.Minimum
		case d.DefaultOption != "":
			given.Option = d.DefaultOption
		default:
			given.Option = d.Options[0].Id
		}
		as := speaker(s, d.Creature)
		if d.GmOnly {
			as = master
		}
		return as, &eventv1.Command{What: &eventv1.Command_Answer{Answer: &eventv1.AnswerDecision{Decision: d.Id, Answer: given}}}
	}
	return nil, nil
}

// choose asks for the options of those whose turn it is (of everyone, where a
// rule system has all declare at the same time) and takes an attack, or the end
// of the turn, or whatever else there is.
func (t *table) choose(ctx context.Context, s *eventv1.State) (*eventv1.Principal, *eventv1.Command, error) {
	creature := ""
	if len(s.Active) > 0 {
		creature = s.Active[0]
	}
	resp, err := t.fights.GetOptions(ctx, &encounterv1.GetOptionsRequest{As: master, Encounter: t.id, Creature: creature})
	if err != nil {
		return nil, nil, err
	}
	best, rank := (*eventv1.TakeAction)(nil), 0
	for _, o := range resp.Options {
		if take, r := fill(o); o.Legal && r > rank && !t.refused[key(take)] {
			best, rank = take, r
		}
	}
	switch {
	case best == nil:
		return nil, nil, fmt.Errorf("round %d: nothing can be done", s.Round)
	case best.Action == "end-turn": // the one option that is a command of its own
		return speaker(s, best.Creature), &eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: best.Creature}}}, nil
	}
	return speaker(s, best.Creature), &eventv1.Command{What: &eventv1.Command_Take{Take: best}}, nil
}

// fill makes an action of an option, with the first value of each parameter that
// it needs, and says how much it is wanted; 0 means that it cannot be filled.
func fill(o *eventv1.Option) (*eventv1.TakeAction, int) {
	take := &eventv1.TakeAction{Creature: o.Creature, Action: o.Action, Item: o.Item}
	if len(o.Targets) < int(o.MinimumTargets) {
		return nil, 0
	}
	take.Targets = o.Targets[:o.MinimumTargets]
	fields := map[string]*structpb.Value{}
	for _, p := range o.Parameters {
		if !p.Required {
			continue
		}
		if len(p.Values) == 0 {
			return nil, 0
		}
		fields[p.Name] = p.Values[0]
	}
	if len(fields) > 0 {
		take.Parameters = &structpb.Struct{Fields: fields}
	}
	switch {
	case strings.Contains(o.Action, "attack") && len(take.Targets) > 0:
		return take, 4
	case strings.HasPrefix(o.Item, "melee"): // a declaration that it will
		return take, 3
	case o.Action == "end-turn":
		return take, 2
	}
	return take, 1
}
