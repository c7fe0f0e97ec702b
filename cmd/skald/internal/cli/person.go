package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/text"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func (a *app) personCommand() *cobra.Command {
	return group("person", "Say what people at a table are called, apart from the record", `What is stored for ever knows people by the ids of their tokens. What they are called
stands beside it and can be replaced or forgotten; steps show it where there is one.
A game master names anybody, a player oneself (--as player:ID).`, a.personNameCommand(), a.personListCommand(), a.personForgetCommand())
}

// naming makes a command about names.
func (a *app) naming(use, short, example string, args int, fn func(ctx context.Context, client encounterv1.PersonServiceClient, as *eventv1.Principal, args []string) error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Example: example, Args: cobra.ExactArgs(args),
		RunE: func(cmd *cobra.Command, args []string) error {
			as, err := a.principal()
			if err != nil {
				return err
			}
			return a.connected(cmd.Context(), needServer, func(ctx context.Context, conn grpc.ClientConnInterface) error {
				ctx, cancel := a.call(ctx)
				defer cancel()
				return fn(ctx, encounterv1.NewPersonServiceClient(conn), as, args)
			})
		}}
}

func (a *app) personNameCommand() *cobra.Command {
	return a.naming("name ID NAME", "Say what somebody is called; the name before is gone", "  skald person name p-17 \"Ann\"", 2,
		func(ctx context.Context, client encounterv1.PersonServiceClient, as *eventv1.Principal, args []string) error {
			resp, err := client.SetPerson(ctx, &encounterv1.SetPersonRequest{As: as, Table: a.table, Person: &encounterv1.Person{Id: args[0], Name: args[1]}})
			if err != nil {
				return err
			}
			return a.answer(resp, func() string { return fmt.Sprintf("%s is called %s\n", text.Escape(args[0]), text.Escape(args[1])) })
		})
}

func (a *app) personListCommand() *cobra.Command {
	return a.naming("list", "List what people are called", "  skald person list", 0,
		func(ctx context.Context, client encounterv1.PersonServiceClient, as *eventv1.Principal, _ []string) error {
			resp, err := client.ListPersons(ctx, &encounterv1.ListPersonsRequest{As: as, Table: a.table})
			if err != nil {
				return err
			}
			return a.answer(resp, func() string {
				var b strings.Builder
				for _, p := range resp.Persons {
					fmt.Fprintf(&b, "%-24s %s\n", text.Escape(p.Id), text.Escape(p.Name))
				}
				return b.String()
			})
		})
}

func (a *app) personForgetCommand() *cobra.Command {
	return a.naming("forget ID", "Remove a name for good; the id stays in the record", "  skald person forget p-17", 1,
		func(ctx context.Context, client encounterv1.PersonServiceClient, as *eventv1.Principal, args []string) error {
			resp, err := client.ForgetPerson(ctx, &encounterv1.ForgetPersonRequest{As: as, Table: a.table, Id: args[0]})
			if err != nil {
				return err
			}
			return a.answer(resp, func() string {
				if !resp.Forgotten {
					return "there was no name\n"
				}
				return "forgotten\n"
			})
		})
}

// persons are what people are called, for rendering; nothing where they can not be
// had: steps then show ids.
func (a *app) persons(ctx context.Context, as *eventv1.Principal) map[string]string {
	if a.conn == nil || a.json {
		return nil
	}
	ctx, cancel := a.call(ctx)
	defer cancel()
	resp, err := encounterv1.NewPersonServiceClient(a.conn).ListPersons(ctx, &encounterv1.ListPersonsRequest{As: as, Table: a.table})
	if err != nil {
		return nil
	}
	out := map[string]string{}
	for _, p := range resp.Persons {
		out[p.Id] = p.Name
	}
	return out
}
