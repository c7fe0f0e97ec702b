// Program outside is a module of somebody else: of Skald it imports the client and the
// messages, and nothing more. Its arguments are the address of a server and the place
// of an encounter in which ann's fighter and a foe stand.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/skaldrpg/skald/pkg/client"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func main() {
	if err := run(context.Background(), os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, server, encounter string) error {
	conn, err := client.Dial(server, client.Options{})
	if err != nil {
		return err
	}
	defer conn.Close()
	fights := encounterv1.NewEncounterServiceClient(conn)
	gm := &eventv1.Principal{Role: eventv1.Principal_ROLE_GM, Name: "gm"}
	if err := untilTurn(ctx, fights, gm, encounter); err != nil {
		return err
	}
	resp, err := fights.GetOptions(ctx, &encounterv1.GetOptionsRequest{As: gm, Encounter: encounter, LegalOnly: true, Actions: []string{"attack"}})
	if err != nil {
		return err
	}
	for _, o := range resp.Options {
		form := client.FormOf(o)
		cmd, err := form.Command(client.Values{Targets: form.Targets.Choices[:form.Targets.Minimum]})
		if refused := (*client.FormError)(nil); errors.As(err, &refused) {
			continue // it asks more than this program knows
		}
		if err != nil {
			return err
		}
		if _, err := client.Execute(ctx, fights, &encounterv1.ExecuteRequest{As: gm, Encounter: encounter, Command: cmd}); err != nil {
			return err
		}
		return told(ctx, fights, gm, encounter)
	}
	return errors.New("no attack can be made")
}

// untilTurn answers what is asked, by the default, until somebody has the turn.
func untilTurn(ctx context.Context, fights encounterv1.EncounterServiceClient, as *eventv1.Principal, encounter string) error {
	for {
		next, err := fights.GetNext(ctx, &encounterv1.GetNextRequest{As: as, Encounter: encounter})
		if err != nil {
			return err
		}
		open := false
		for _, w := range next.Waiting {
			if w.Decision == nil {
				continue
			}
			prompt := client.PromptOf(w.Decision, w)
			cmd, err := prompt.Choose(prompt.Options[0].ID, false)
			if err == nil {
				_, err = client.Execute(ctx, fights, &encounterv1.ExecuteRequest{As: as, Encounter: encounter, Command: cmd})
			}
			if err != nil {
				return err
			}
			open = true
			break
		}
		if !open {
			return nil
		}
	}
}

// told follows the fight from its beginning and says what its last roll was.
func told(ctx context.Context, fights encounterv1.EncounterServiceClient, as *eventv1.Principal, encounter string) error {
	state, roll := client.NewState(), ""
	err := client.Watch(ctx, fights, &encounterv1.WatchRequest{As: as, Encounter: encounter}, func(m *encounterv1.WatchResponse) error {
		if m.GetCaughtUp() != nil {
			return client.ErrStop
		}
		state = client.Fold(state, m.GetStep())
		for _, e := range m.GetStep().GetEvents() {
			if e.GetRoll() != nil {
				roll = e.GetRoll().Label
			}
		}
		return nil
	})
	fmt.Println(state.Encounter, len(state.Creatures), roll)
	return err
}
