package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/render"
	rulesv1 "github.com/skaldrpg/skald/proto/skald/rules/v1"
)

func (a *app) rulesCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "rules ID",
		Short:   "Read a rule, or search and list them",
		Long:    "Rules shows one rule of the catalogue; its subcommands search and list.",
		Example: "  skald rules rcr.injury.con-allowance\n  skald rules search advantage --system rcr\n  skald rules list rcr --weight optional",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.catalogue(cmd.Context(), func(ctx context.Context, client rulesv1.RulesServiceClient) error {
				resp, err := client.GetRule(ctx, &rulesv1.GetRuleRequest{Id: args[0]})
				if err != nil {
					return err
				}
				return a.answer(resp.Rule, func() string { return render.Rule(resp.Rule) })
			})
		},
	}
	c.AddCommand(a.rulesSearchCommand(), a.rulesListCommand(), a.systemsCommand(), a.settingsCommand())
	return c
}

func (a *app) catalogue(ctx context.Context, fn func(ctx context.Context, client rulesv1.RulesServiceClient) error) error {
	return a.connected(ctx, needNothing, func(ctx context.Context, conn grpc.ClientConnInterface) error {
		return fn(ctx, rulesv1.NewRulesServiceClient(conn))
	})
}

func (a *app) rulesSearchCommand() *cobra.Command {
	var system string
	c := &cobra.Command{
		Use: "search WORD...", Short: "Find the rules with these words in id, title or text",
		Example: "  skald rules search opportunity attack\n  skald rules search wounds --system rcr", Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.catalogue(cmd.Context(), func(ctx context.Context, client rulesv1.RulesServiceClient) error {
				systems := []string{system}
				if system == "" {
					resp, err := client.ListSystems(ctx, &rulesv1.ListSystemsRequest{})
					if err != nil {
						return err
					}
					systems = nil
					for _, s := range resp.Systems {
						systems = append(systems, s.Id)
					}
				}
				for _, s := range systems {
					if err := a.listRules(ctx, client, &rulesv1.ListRulesRequest{System: s, Search: strings.Join(args, " ")}); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	c.Flags().StringVar(&system, "system", "", "rule system; empty means all")
	return c
}

func (a *app) rulesListCommand() *cobra.Command {
	var weight string
	c := &cobra.Command{
		Use: "list SYSTEM", Short: "List the rules of a system", Example: "  skald rules list rcr --weight core", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.catalogue(cmd.Context(), func(ctx context.Context, client rulesv1.RulesServiceClient) error {
				return a.listRules(ctx, client, &rulesv1.ListRulesRequest{System: args[0], Weight: weight})
			})
		},
	}
	c.Flags().StringVar(&weight, "weight", "", "only core, optional, rare or advice")
	return c
}

func (a *app) listRules(ctx context.Context, client rulesv1.RulesServiceClient, req *rulesv1.ListRulesRequest) error {
	for {
		resp, err := client.ListRules(ctx, req)
		if err != nil {
			return err
		}
		for _, r := range resp.Rules {
			req.After = r.Id
			if err := a.answer(r, func() string {
				r := render.Safe(r)
				return fmt.Sprintf("%-44s %-8s %s\n", r.Id, r.Weight, r.Title)
			}); err != nil {
				return err
			}
		}
		if !resp.More || len(resp.Rules) == 0 {
			return nil
		}
	}
}

func (a *app) systemsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "systems", Short: "List the rule systems", Example: "  skald rules systems", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.catalogue(cmd.Context(), func(ctx context.Context, client rulesv1.RulesServiceClient) error {
				resp, err := client.ListSystems(ctx, &rulesv1.ListSystemsRequest{})
				if err != nil {
					return err
				}
				for _, s := range resp.Systems {
					err := a.answer(s, func() string {
						s := render.Safe(s)
						playable := "catalogue only"
						if s.Playable {
							playable = "playable, version " + s.Version
						}
						return fmt.Sprintf("%-10s %4d rules  %-24s %s\n", s.Id, s.Rules, playable, s.Title)
					})
					if err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
}

func (a *app) settingsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "settings SYSTEM", Short: "List what a table may choose, with the defaults", Example: "  skald rules settings rcr", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.catalogue(cmd.Context(), func(ctx context.Context, client rulesv1.RulesServiceClient) error {
				resp, err := client.ListSettings(ctx, &rulesv1.ListSettingsRequest{System: args[0]})
				if err != nil {
					return err
				}
				for _, s := range resp.Settings {
					err := a.answer(s, func() string {
						s, values := render.Safe(s), "a number"
						if len(s.Values) > 0 {
							values = strings.Join(s.Values, "|")
						}
						return fmt.Sprintf("%-44s %-10s (%s)  %s\n", s.Id, s.Default, values, s.Title)
					})
					if err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
}
