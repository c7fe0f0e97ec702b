package cli

import (
	"context"
	"io"
	"time"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// lookEvery is how often a ruling that is being made is asked how far it is.
const lookEvery = 200 * time.Millisecond

// made has a command carried out; how far a ruling is stands on the bar meanwhile.
func (a *app) made(ctx context.Context, client encounterv1.EncounterServiceClient, req *encounterv1.ExecuteRequest) (*encounterv1.ExecuteResponse, error) {
	b := a.bar("")
	b.unit = "commands"
	if _, amends := req.Command.What.(*eventv1.Command_Amend); !amends || b.out == io.Discard {
		return client.Execute(ctx, req)
	}
	looking, stop := context.WithCancel(ctx)
	gone := make(chan struct{})
	go func() { // ends with the call
		defer close(gone)
		follow(looking, client, &encounterv1.GetProgressRequest{As: req.As, Table: req.Table, Encounter: req.Encounter}, b.ruling)
	}()
	resp, err := client.Execute(ctx, req)
	stop()
	<-gone
	b.finish()
	return resp, err
}

// follow shows how far a ruling is until the context ends. A server that cannot say is
// asked no more.
func follow(ctx context.Context, client encounterv1.EncounterServiceClient, req *encounterv1.GetProgressRequest, show func(*encounterv1.Progress)) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		resp, err := client.GetProgress(ctx, req)
		if err != nil {
			return
		}
		if resp.Progress != nil {
			show(resp.Progress)
		}
	}
}

// ruling shows how far a ruling is.
func (b *bar) ruling(p *encounterv1.Progress) {
	name := map[encounterv1.Progress_Phase]string{encounterv1.Progress_PHASE_DECIDING: "decided again", encounterv1.Progress_PHASE_TELLING: "told",
		encounterv1.Progress_PHASE_WRITING: "written"}[p.Phase]
	if name == "" {
		return
	}
	if p.Elsewhere {
		name += " (another fight)"
	}
	if name != b.name || b.total != p.Total {
		b.finish()
		b.name, b.pb = name, nil
	}
	b.progress(p.Done, p.Total)
}
