package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/render"
	"github.com/skaldrpg/skald/pkg/rules"
	rulesv1 "github.com/skaldrpg/skald/proto/skald/rules/v1"
)

func (a *app) rulesCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "rules ID",
		Short:   "Read a rule, or search and list them",
		Long:    "Rules shows one rule of the catalogue; its subcommands search and list. A rule of a\npack, house.PACK.NAME, is that of the newest pack of the name at the table (--table)\nof the server.",
		Example: "  skald rules rcr.injury.con-allowance\n  skald rules search advantage --system rcr\n  skald rules list rcr --weight optional",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if strings.HasPrefix(args[0], "house.") {
				return a.houseRule(cmd.Context(), args[0])
			}
			return a.catalogue(cmd.Context(), func(ctx context.Context, client rulesv1.RulesServiceClient) error {
				resp, err := client.GetRule(ctx, &rulesv1.GetRuleRequest{Id: args[0]})
				if err != nil {
					return err
				}
				return a.answer(resp.Rule, func() string { return render.Rule(resp.Rule) })
			})
		},
	}
	c.AddCommand(a.rulesSearchCommand(), a.rulesListCommand(), a.systemsCommand(), a.settingsCommand(), a.wordsCommand())
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
	var weight, status string
	c := &cobra.Command{
		Use: "list SYSTEM", Short: "List the rules of a system", Example: "  skald rules list rcr --weight core\n  skald rules list rcr --status open", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.catalogue(cmd.Context(), func(ctx context.Context, client rulesv1.RulesServiceClient) error {
				return a.listRules(ctx, client, &rulesv1.ListRulesRequest{System: args[0], Weight: weight, Status: status})
			})
		},
	}
	c.Flags().StringVar(&weight, "weight", "", "only core, optional, rare or advice")
	c.Flags().StringVar(&status, "status", "", "only decided, advice or open (not decided by any code)")
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
				return fmt.Sprintf("%-44s %-8s %-7s %s\n", r.Id, r.Weight, r.Status, r.Title)
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
		Use: "settings SYSTEM", Short: "List what a table may choose, with the defaults and the presets",
		Long: "Settings lists what a table may choose in a rule system, each with its default, then the\n" +
			"presets: settings of the document under one name, with what each changes. A preset is\n" +
			"chosen with skald encounter create --preset and skald encounter set --preset; single\n" +
			"settings lie over it.",
		Example: "  skald rules settings rcr", Args: cobra.ExactArgs(1),
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
				return a.presets(resp.Presets)
			})
		},
	}
}

// presets prints presets and what each changes.
func (a *app) presets(all []*rulesv1.Preset) error {
	for _, p := range all {
		if err := a.answer(p, func() string {
			p := render.Safe(p)
			out := fmt.Sprintf("\npreset %s: %s\n  %s\n", p.Name, p.Title, p.Text)
			for _, id := range slices.Sorted(maps.Keys(p.Settings)) {
				out += fmt.Sprintf("  %-42s %s\n", id, p.Settings[id])
			}
			if len(p.Settings) == 0 {
				out += "  (everything at its default)\n"
			}
			return out
		}); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) wordsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "words SYSTEM [ACTION]", Short: "List what commands may say beyond their fixed fields",
		Long: "Words lists the vocabulary of a rule system by place: parameters and facts of actions, facts of joining and starting,\n" +
			"parameters of deeds between fights, counters, marks, conditions and injuries. Each has its type, its values or bounds,\n" +
			"whose it is to say, and the rule behind it. With an action: what that one takes. A name that ends in a point or a\n" +
			"slash is the beginning of names.",
		Example: "  skald rules words rcr\n  skald rules words rcr attack\n  skald rules words spark cast --json", Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.catalogue(cmd.Context(), func(ctx context.Context, client rulesv1.RulesServiceClient) error {
				req := &rulesv1.ListWordsRequest{System: args[0]}
				if len(args) > 1 {
					req.Action = args[1]
				}
				resp, err := client.ListWords(ctx, req)
				if err != nil {
					return err
				}
				place := ""
				for _, w := range resp.Words {
					if err := a.answer(w, func() string {
						heading := ""
						if w.Place != place {
							place, heading = w.Place, wordPlace(w.Place)+"\n"
						}
						return heading + wordLines(render.Safe(w), req.Action == "")
					}); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
}

// wordPlace is the heading of the words of a place.
func wordPlace(place string) string {
	headings := map[string]string{
		rules.PlaceParameter: "parameters of actions (take --parameter)",
		rules.PlaceFact:      "facts of actions (take --fact)",
		rules.PlaceJoin:      "facts of joining (add --fact)",
		rules.PlaceStart:     "facts of starting (start --fact)",
		rules.PlaceDeed:      "parameters of deeds between fights (patient --parameter)",
		rules.PlaceCounter:   "counters (edit --counter)",
		rules.PlaceMark:      "marks (edit --mark)",
		rules.PlaceCondition: "conditions (edit --condition)",
		rules.PlaceInjury:    "injuries (vitals.injuries; the values are parts of the body)",
		rules.PlaceRelation:  "relations (vitals.relations)",
		rules.PlaceBegun:     "things begun",
	}
	if h := headings[place]; h != "" {
		return h
	}
	return place
}

// wordLines shows a word: what it is, what it means, and who takes it.
func wordLines(w *rulesv1.Word, actions bool) string {
	p, whose := w.Word, "the game master's to say"
	if p.GetMatter() == rules.MatterActor {
		whose = "the actor's to say"
	}
	kind := p.GetType()
	if p.GetMinimum() != 0 || p.GetMaximum() != 0 {
		kind += fmt.Sprintf(" from %d to %d", p.Minimum, p.Maximum)
	}
	out := fmt.Sprintf("  %-24s %s, %s", p.GetName(), kind, whose)
	if w.Rule != "" {
		out += "  (" + w.Rule + ")"
	}
	out += "\n      " + p.GetText() + "\n"
	var values []string
	for _, v := range p.GetValues() {
		values = append(values, v.GetStringValue())
	}
	for _, list := range []struct {
		name  string
		words []string
		shown bool
	}{{"values", values, true}, {"sides", w.Sides, true}, {"for", w.Actions, actions}} {
		if list.shown && len(list.words) > 0 {
			out += "      " + list.name + ": " + strings.Join(list.words, ", ") + "\n"
		}
	}
	return out
}
