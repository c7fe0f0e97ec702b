package cli

import (
	"context"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/render"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
)

func (a *app) rollCommand() *cobra.Command {
	var supplied, request string
	c := &cobra.Command{
		Use:   "roll EXPRESSION",
		Short: "Roll dice outside any fight",
		Long:  "Roll evaluates dice notation (docs/DICE.md) and shows every die.",
		Example: `  skald roll 4d6kh3
  skald roll "2d6+1d8[fire]" --json
  skald roll 2d20kh1+5 --dice 4,17`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := isText(args[0]); err != nil {
				return err
			}
			list, err := faces("dice", supplied)
			if err != nil {
				return err
			}
			id, err := requestID(request)
			if err != nil {
				return err
			}
			return a.connected(cmd.Context(), needNothing, func(ctx context.Context, conn grpc.ClientConnInterface) error {
				ctx, cancel := a.call(ctx)
				defer cancel()
				resp, err := dicev1.NewDiceServiceClient(conn).Roll(ctx, &dicev1.RollRequest{Expression: args[0], Faces: list, RequestId: id})
				if err != nil {
					return err
				}
				return a.answer(resp, func() string { return render.Result(resp.Result) })
			})
		},
	}
	c.Flags().StringVar(&supplied, "dice", "", "faces that were rolled by hand, such as 4,17")
	c.Flags().StringVar(&request, "request-id", "", "id of the request: the same id gives the same roll")
	return c
}

func (a *app) oddsCommand() *cobra.Command {
	var atLeast int64
	var outcomes int32
	c := &cobra.Command{
		Use:   "odds EXPRESSION",
		Short: "Exact odds of a dice expression",
		Example: `  skald odds 2d20kh1+5 --at-least 15
  skald odds 3d6`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := isText(args[0]); err != nil {
				return err
			}
			req := &dicev1.OddsRequest{Expression: args[0], Outcomes: outcomes}
			if cmd.Flags().Changed("at-least") {
				req.AtLeast = &atLeast
			}
			return a.connected(cmd.Context(), needNothing, func(ctx context.Context, conn grpc.ClientConnInterface) error {
				ctx, cancel := a.call(ctx)
				defer cancel()
				resp, err := dicev1.NewDiceServiceClient(conn).Odds(ctx, req)
				if err != nil {
					return err
				}
				return a.answer(resp, func() string { return render.Odds(resp, req.AtLeast) })
			})
		},
	}
	c.Flags().Int64Var(&atLeast, "at-least", 0, "also give the chance to reach this number or more")
	c.Flags().Int32Var(&outcomes, "outcomes", 0, "most outcomes listed; 0 means 1000, -1 none")
	return c
}

// isText refuses an expression that no message can hold.
func isText(expression string) error {
	if !utf8.ValidString(expression) {
		return usage("the expression is not UTF-8")
	}
	return nil
}
