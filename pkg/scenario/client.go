package scenario

import (
	"context"

	"google.golang.org/grpc"

	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	rulesv1 "github.com/skaldrpg/skald/proto/skald/rules/v1"
)

// Clients are the services that scenarios run against.
type Clients struct {
	// Encounter runs the fight.
	Encounter encounterv1.EncounterServiceClient
	// Content keeps packs; nil when no scenario has any.
	Content encounterv1.ContentServiceClient
	// Dice computes odds.
	Dice dicev1.DiceServiceClient
	// Injury treats patients.
	Injury injuryv1.InjuryServiceClient
	// Rules knows the rule ids; nil leaves the ids that scenarios cite unchecked.
	Rules rulesv1.RulesServiceClient
}

// NewClients makes the clients of one connection that serves everything.
func NewClients(conn grpc.ClientConnInterface) Clients {
	return Clients{
		Encounter: encounterv1.NewEncounterServiceClient(conn),
		Content:   encounterv1.NewContentServiceClient(conn),
		Dice:      dicev1.NewDiceServiceClient(conn),
		Injury:    injuryv1.NewInjuryServiceClient(conn),
		Rules:     rulesv1.NewRulesServiceClient(conn),
	}
}

// state is what a viewer knows now, with the viewer's number.
func (r *run) state(ctx context.Context, as *eventv1.Principal) (*encounterv1.GetStateResponse, error) {
	return r.clients.Encounter.GetState(ctx, &encounterv1.GetStateRequest{As: as, Table: r.table, Encounter: r.encounter})
}

// since is what a viewer saw after a number of its own.
func (r *run) since(ctx context.Context, as *eventv1.Principal, number uint64) ([]*eventv1.Event, error) {
	var out []*eventv1.Event
	for {
		page, err := r.clients.Encounter.GetHistory(ctx, &encounterv1.GetHistoryRequest{
			As: as, Table: r.table, Encounter: r.encounter, After: number, Limit: 100})
		if err != nil {
			return nil, err
		}
		for _, s := range page.Steps {
			out = append(out, s.Events...)
			number = s.Number
		}
		if !page.More || len(page.Steps) == 0 {
			return out, nil
		}
	}
}
