package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/scenario"
)

// digestsOf are the digests files that were read, by their names.
type digestsOf map[string]*scenario.Digests

func (d digestsOf) of(file string) (*scenario.Digests, error) {
	if d[file] == nil {
		read, err := scenario.ReadDigests(file)
		if err != nil {
			return nil, &usageError{err}
		}
		d[file] = read
	}
	return d[file], nil
}

// compare adds to a result what was decided otherwise than its digests say.
func (d digestsOf) compare(r *scenario.Result) error {
	file, err := scenario.FindDigests(r.File)
	if err != nil || file == "" || !r.Passed {
		return err
	}
	known, err := d.of(file)
	if err != nil {
		return err
	}
	return known.Check(r)
}

func (a *app) scenarioDigestCommand() *cobra.Command {
	o := runOptions{}
	c := &cobra.Command{
		Use: "digest PATH...", Short: "Write down digests of what scenarios decide",
		Long: `Digest runs every scenario below the paths and writes a digest of each step to the
digests.txt beside it or in the nearest folder above; where there is none, one is begun
in the folder that is named. It says what came out otherwise than the digests there
said. A digest is what came out, not what a rule says: see what has changed, and why,
before it is kept. Scenarios that fail are not written down.`,
		Example: "  skald scenario digest scenarios\n  skald scenario digest scenarios/rcr", Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, path := range args {
				if err := beginDigests(path); err != nil {
					return err
				}
			}
			all, err := o.load(args)
			if err != nil {
				return err
			}
			return a.connected(cmd.Context(), needSuite, func(ctx context.Context, conn grpc.ClientConnInterface) error {
				return a.digestScenarios(ctx, scenario.NewClients(conn), all, o)
			})
		},
	}
	c.Flags().IntVar(&o.parallel, "parallel", 4, "scenarios run at the same time")
	return c
}

// beginDigests begins a digests file in a folder that has none, in it, above or below.
func beginDigests(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return &usageError{err}
	}
	if !info.IsDir() {
		path = filepath.Dir(path)
	}
	files, err := scenario.Files(path)
	if err != nil {
		return &usageError{err}
	}
	for _, f := range files {
		found, err := scenario.FindDigests(f)
		if err != nil {
			return &usageError{err}
		}
		if found == "" {
			return (&scenario.Digests{File: filepath.Join(path, scenario.DigestsName)}).Write()
		}
	}
	return nil
}

func (a *app) digestScenarios(ctx context.Context, clients scenario.Clients, all []*scenario.Scenario, o runOptions) error {
	known := digestsOf{}
	var results []*scenario.Result
	failed, changed := 0, 0
	err := eachResult(ctx, &scenario.Runner{Clients: clients, Digest: true}, all, o.parallel, func(r *scenario.Result) error {
		results = append(results, r)
		if !r.Passed {
			failed++
			return a.printf("%s", result(r, false))
		}
		if err := known.compare(r); err != nil {
			return err
		}
		if r.Passed {
			return nil
		}
		changed++
		return a.printf("%s", result(r, false))
	})
	if err != nil {
		return err
	}
	if failed > 0 {
		return &failedError{fmt.Sprintf("%d of %d scenarios failed: nothing is written", failed, len(all))}
	}
	files, by, err := scenario.ByDigests(results)
	if err != nil {
		return err
	}
	for _, file := range files {
		d, err := known.of(file)
		if err == nil {
			err = d.Put(by[file])
		}
		if err == nil {
			err = d.Write()
		}
		if err != nil {
			return err
		}
	}
	return a.printf("%d scenarios are written down, %d of them were not or came out otherwise\n", len(all), changed)
}
