package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/skaldrpg/skald/pkg/auth"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/render"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/text"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Waits between attempts to watch again, growing from the first to the last.
const (
	watchRetryFirst = 250 * time.Millisecond
	watchRetryLast  = 10 * time.Second
)

// watchSilence is how long nothing comes before a connection counts as lost, until
// a heartbeat has said how often they come.
const watchSilence = 50 * time.Second

func (a *app) watchCommand() *cobra.Command {
	var after string
	var all, once bool
	c := a.reading("watch ENCOUNTER", "Follow a fight live, from the beginning or a cursor",
		`  skald watch bridge
  skald watch bridge --as player:kim --rule-ids
  skald watch bridge --json --after "$CURSOR"`,
		cobra.ExactArgs(1), func(ctx context.Context, client encounterv1.EncounterServiceClient, as *eventv1.Principal, args []string) error {
			w := &watching{app: a, client: client, style: render.Style{Rules: a.rules, Bookkeeping: all, Labels: all}, once: once,
				req: &encounterv1.WatchRequest{As: as, Table: a.table, Encounter: args[0], After: after}}
			return w.follow(ctx)
		})
	c.Long = `Watch prints the past, then every new step as it is stored, until it is
interrupted. It reconnects by itself and goes on from the last step it printed.
With --json each line is a step or a caught-up marker; the cursor in it is what
--after takes. It ends with the token: then it says from where to go on.`
	c.Flags().StringVar(&after, "after", "", "cursor after which to begin")
	c.Flags().BoolVar(&all, "all", false, "show bookkeeping events too, and the labels of rolls")
	c.Flags().BoolVar(&once, "once", false, "end when the past has been printed")
	return c
}

// watching is a watch that survives the loss of its connection.
type watching struct {
	app    *app
	client encounterv1.EncounterServiceClient
	req    *encounterv1.WatchRequest
	style  render.Style
	once   bool
	done   bool
}

// follow watches until the context ends, which is no error.
func (w *watching) follow(ctx context.Context) error {
	wait := watchRetryFirst
	for {
		before := w.req.After
		err := w.stream(ctx)
		if ctx.Err() != nil || w.done {
			return nil
		}
		if f := faultOf(err); f == nil || f.Code != fault.Unavailable {
			if f != nil && f.Reason == auth.ReasonExpired && w.req.After != "" {
				fmt.Fprintf(w.app.err, "skald: with a new token, go on with --after %s\n", w.req.After) //nolint:errcheck // only for people
			}
			return err
		}
		if w.req.After != before {
			wait = watchRetryFirst
		}
		fmt.Fprintf(w.app.err, "skald: %s; watching again in %s\n", text.Escape(rpc.FromStatus(err).Error()), wait) //nolint:errcheck // only for people
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil
		}
		wait = min(2*wait, watchRetryLast)
	}
}

// errSilent is a connection on which nothing has come for too long.
var errSilent = fault.New(fault.Unavailable, "SILENT", "nothing came from the server for too long")

func (w *watching) stream(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silence := watchSilence
	quiet := time.AfterFunc(silence, func() { cancel(errSilent) })
	defer quiet.Stop()
	w.style.Persons = w.app.persons(ctx, w.req.As)
	stream, err := w.client.Watch(ctx, w.req)
	if err != nil {
		return err
	}
	for {
		resp, err := stream.Recv()
		if err != nil && errors.Is(context.Cause(ctx), errSilent) {
			return errSilent
		}
		if beat := resp.GetHeartbeat(); beat != nil {
			silence = max(time.Second, time.Duration(beat.IntervalSeconds)*time.Second*5/2)
		}
		quiet.Reset(silence)
		if errors.Is(err, io.EOF) {
			return fault.New(fault.Unavailable, "ENDED", "the server ended the watch")
		}
		if err != nil {
			return err
		}
		if resp.GetHeartbeat() != nil || resp.GetEnd() != nil {
			continue // the status that follows an end says why
		}
		if s := resp.GetStep(); s != nil {
			w.req.After = s.Cursor
			w.style.Learn(s.Events)
		}
		if err := w.app.answer(resp, func() string { return w.style.Step(resp.GetStep()) }); err != nil {
			return err
		}
		if resp.GetCaughtUp() != nil && w.once {
			w.done = true
			return nil
		}
	}
}
