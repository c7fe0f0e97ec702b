package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/catalogue"
	"github.com/skaldrpg/skald/pkg/render"
	"github.com/skaldrpg/skald/pkg/scenario"
	"github.com/skaldrpg/skald/pkg/systems"
)

func (a *app) scenarioCommand() *cobra.Command {
	return group("scenario", "Run executable rulings, and see which rules they show",
		"Scenario holds commands on scenario files; docs/SCENARIOS.md describes them.", a.scenarioRunCommand(), a.scenarioCheckCommand(), a.scenarioDigestCommand(), a.scenarioRenameCommand(), a.coverageCommand())
}

// runOptions say which scenarios are run and what is shown of them.
type runOptions struct {
	verbose   bool
	match     string
	parallel  int
	noDigests bool
}

func (a *app) scenarioRunCommand() *cobra.Command {
	var o runOptions
	c := &cobra.Command{
		Use: "run PATH...", Short: "Run the scenarios in files and folders",
		Long: `Run runs every scenario below the paths, against --server or, without it, against
services of its own. It prints a line for each, and for what failed the step,
what was expected and the nearest that came. Where a file digests.txt lies beside a
scenario or in a folder above, all that it decides is compared with the digests there,
and what came out otherwise is printed (docs/SCENARIOS.md). The exit code is 1 when any
failed.`,
		Example: "  skald scenario run scenarios\n  skald scenario run scenarios/rcr/advantage.yaml -v\n  skald scenario run scenarios --server 127.0.0.1:7700 --json",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			all, err := o.load(args)
			if err != nil {
				return err
			}
			return a.connected(cmd.Context(), needSuite, func(ctx context.Context, conn grpc.ClientConnInterface) error {
				return a.runScenarios(ctx, scenario.NewClients(conn), all, o)
			})
		},
	}
	c.Flags().BoolVarP(&o.verbose, "verbose", "v", false, "print each fight")
	c.Flags().StringVar(&o.match, "match", "", "only those with this text in file or title")
	c.Flags().IntVar(&o.parallel, "parallel", 4, "scenarios run at the same time")
	c.Flags().BoolVar(&o.noDigests, "no-digests", false, "compare with what is expected alone, not with digests of what was decided before")
	return c
}

// load reads the scenarios that are meant.
func (o runOptions) load(paths []string) ([]*scenario.Scenario, error) {
	all, err := loadScenarios(paths)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(s *scenario.Scenario) bool { return !strings.Contains(s.File+" "+s.Title, o.match) })
	if len(all) == 0 {
		return nil, usage("no scenarios there")
	}
	return all, nil
}

// loadScenarios reads every scenario below the paths; the mistakes of all
// files are one usage error.
func loadScenarios(paths []string) ([]*scenario.Scenario, error) {
	files, err := scenario.Files(paths...)
	if err != nil {
		return nil, &usageError{err}
	}
	var all []*scenario.Scenario
	var mistakes []string
	for _, f := range files {
		ss, err := scenario.Load(f, shippedSheet)
		if err != nil {
			mistakes = append(mistakes, err.Error())
		}
		all = append(all, ss...)
	}
	if len(mistakes) > 0 {
		return nil, &usageError{errors.New(strings.Join(mistakes, "\n"))}
	}
	return all, nil
}

// eachResult runs scenarios a few at a time and hands over the results in order.
func eachResult(ctx context.Context, runner *scenario.Runner, all []*scenario.Scenario, parallel int, take func(*scenario.Result) error) error {
	results := make([]chan *scenario.Result, len(all))
	slots := make(chan struct{}, max(parallel, 1))
	var wg sync.WaitGroup
	defer wg.Wait()
	for i, s := range all {
		results[i] = make(chan *scenario.Result, 1)
		wg.Go(func() { // ends with its scenario
			slots <- struct{}{}
			defer func() { <-slots }()
			results[i] <- runner.Run(ctx, s)
		})
	}
	for i := range all {
		if err := take(<-results[i]); err != nil {
			return err
		}
	}
	return nil
}

// runScenarios runs them and prints the results.
func (a *app) runScenarios(ctx context.Context, clients scenario.Clients, all []*scenario.Scenario, o runOptions) error {
	failed := 0
	known := digestsOf{}
	err := eachResult(ctx, &scenario.Runner{Clients: clients, Digest: !o.noDigests}, all, o.parallel, func(r *scenario.Result) error {
		if !o.noDigests {
			if err := known.compare(r); err != nil {
				return err
			}
		}
		if !r.Passed {
			failed++
		}
		return a.answerValue(r, func() string { return result(r, o.verbose) })
	})
	if err != nil {
		return err
	}
	if failed > 0 {
		return &failedError{fmt.Sprintf("%d of %d scenarios failed", failed, len(all))}
	}
	if a.json {
		return nil
	}
	if len(all) == 1 {
		return a.printf("1 scenario passed\n")
	}
	return a.printf("%d scenarios passed\n", len(all))
}

// result is a result for people, with the fight when it is wanted.
func result(r *scenario.Result, verbose bool) string {
	var b strings.Builder
	b.WriteString(r.String() + "\n")
	if !verbose {
		return b.String()
	}
	style := render.Style{Rules: true, Bookkeeping: true, Labels: true}
	for _, t := range r.Trace {
		style.Learn(t.Events)
		fmt.Fprintf(&b, "  [%d] %s\n", t.Step, t.Title)
		b.WriteString(indented(style.Events(t.Events)))
		if t.Err != nil {
			fmt.Fprintf(&b, "    refused: %v\n", t.Err)
		}
	}
	return b.String()
}

func indented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString("    " + line)
	}
	return b.String()
}

func (a *app) scenarioCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use: "check PATH...", Short: "Read scenario files without running them", Example: "  skald scenario check scenarios", Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			all, err := loadScenarios(args)
			if err != nil {
				return err
			}
			return a.printf("%d scenarios are well formed\n", len(all))
		},
	}
}

// coverageOptions say what counts as shown.
type coverageOptions struct {
	system  string
	rare    bool
	strict  bool
	minimum int
	tests   []string
}

func (a *app) coverageCommand() *cobra.Command {
	var o coverageOptions
	c := &cobra.Command{
		Use: "coverage [PATH...]", Short: "List the rules that no scenario shows",
		Long: `Coverage compares the catalogue of each playable rule system with the rule ids
that scenarios cite under rules, and, with --tests, with those that Go tests
name. It lists the core and optional rules that nothing shows. Paths default to
scenarios.`,
		Example: "  skald scenario coverage --system rcr --tests .\n  skald scenario coverage --strict --all",
		RunE:    func(_ *cobra.Command, args []string) error { return a.coverage(args, o) },
	}
	c.Flags().StringVar(&o.system, "system", "", "rule system; empty means every playable one")
	c.Flags().BoolVar(&o.rare, "all", false, "count rare rules too")
	c.Flags().BoolVar(&o.strict, "strict", false, "fail when any rule is missing")
	c.Flags().IntVar(&o.minimum, "min", 0, "fail when less than this percentage is shown")
	c.Flags().StringArrayVar(&o.tests, "tests", nil, "folder whose *_test.go files count too; repeat for several")
	return c
}

func (a *app) coverage(paths []string, o coverageOptions) error {
	if len(paths) == 0 {
		paths = []string{"scenarios"}
	}
	all, err := loadScenarios(paths)
	if err != nil {
		return err
	}
	cited := map[string][]string{}
	for _, dir := range o.tests {
		found, err := scenario.GoCitations(dir)
		if err != nil {
			return &usageError{err}
		}
		for id, files := range found {
			cited[id] = append(cited[id], files...)
		}
	}
	ids := systems.Registry().IDs()
	if o.system != "" {
		ids = []string{o.system}
	}
	short := false
	for _, id := range ids {
		c, err := catalogue.System(id)
		if err != nil {
			return &usageError{err}
		}
		r := scenario.Coverage(c, all, cited, o.rare)
		short = short || o.strict && len(r.Missing) > 0 || r.Percent() < o.minimum || len(r.Unknown) > 0
		if err := a.answerValue(r, func() string { return coverageText(r) }); err != nil {
			return err
		}
	}
	if short {
		return &failedError{"not every rule is shown"}
	}
	return nil
}

func coverageText(r *scenario.CoverageReport) string {
	var b strings.Builder
	for _, m := range r.Missing {
		fmt.Fprintf(&b, "%-44s %-8s %-10s %s\n", m.ID, m.Weight, m.Owner, m.Title)
	}
	for _, id := range r.Unknown {
		fmt.Fprintf(&b, "%-44s is cited and is no rule\n", id)
	}
	fmt.Fprintf(&b, "%s: %d of %d rules shown (%d%%): %d by scenarios, %d by Go tests alone\n",
		r.System, r.ByScenario+r.ByTest, r.Rules, r.Percent(), r.ByScenario, r.ByTest)
	return b.String()
}
