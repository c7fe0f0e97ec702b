package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/content/pack"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/library"
	"github.com/skaldrpg/skald/pkg/library/books"
	"github.com/skaldrpg/skald/pkg/render"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/systems"
	"github.com/skaldrpg/skald/pkg/text"
	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	rulesv1 "github.com/skaldrpg/skald/proto/skald/rules/v1"
)

func (a *app) contentCommand() *cobra.Command {
	return group("content", "Check, put and list packs of a table's own content",
		`Content holds commands on packs: folders with weapons, spells, feats, conditions,
monsters, tables and house rules of a table's own. docs/PACKS.md describes the files.`,
		a.contentCheckCommand(), a.contentDigestCommand(), a.contentPutCommand(), a.contentListCommand(), a.contentShowCommand(), a.contentGetCommand())
}

// packChecked is what a check found, for --json.
type packChecked struct {
	Path     string    `json:"path"`
	Digest   string    `json:"digest,omitempty"`
	Name     string    `json:"name,omitempty"`
	System   string    `json:"system,omitempty"`
	Bytes    int       `json:"bytes,omitempty"`
	Problems []problem `json:"problems,omitempty"`
	// Undecided is what the pack has and no code decides: no mistake.
	Undecided []problem `json:"undecided,omitempty"`
	lines     []string  // the problems for people
}

// problem is one thing that is wrong with a pack, for --json.
type problem struct {
	File  string `json:"file,omitempty"`
	Line  int    `json:"line,omitempty"`
	Field string `json:"field,omitempty"`
	Text  string `json:"text"`
}

// checkPack reads and checks a pack here.
func checkPack(path string) (packChecked, error) {
	out := packChecked{Path: path}
	p, data, err := books.Checked(books.BaseOf(systems.Registry()), path)
	var problems pack.Problems
	switch {
	case errors.As(err, &problems):
		for _, p := range problems {
			out.Problems, out.lines = append(out.Problems, problem(p)), append(out.lines, p.String())
		}
		return out, nil
	case err != nil:
		return out, &usageError{err}
	}
	out.Digest, out.Name, out.System, out.Bytes = library.Digest(data), p.Name, p.System, len(data)
	out.Undecided, err = undecided(p, out.Digest)
	return out, err
}

// undecided is what the things and the creatures of a good pack have and no code decides.
func undecided(p *contentv1.Pack, digest string) (out []problem, err error) {
	sys, err := systems.Registry().System(p.System)
	if err != nil {
		return nil, err
	}
	base, err := books.BaseOf(systems.Registry())(p.System)
	if err != nil {
		return nil, err
	}
	book, err := effects.New(base, effects.Pinned{Digest: digest, Pack: p})
	if err != nil {
		return nil, err
	}
	for _, v := range rules.LeftInPack(sys, book, p) {
		out = append(out, problem{Field: v.Field, Text: v.Description})
	}
	return out, nil
}

func (c packChecked) String() string {
	var b strings.Builder
	for _, line := range c.lines {
		b.WriteString(text.Escape(line) + "\n")
	}
	if len(c.Problems) == 0 {
		fmt.Fprintf(&b, "%s: pack %s for %s, %d bytes, %s\n", text.Escape(c.Path), text.Escape(c.Name), text.Escape(c.System), c.Bytes, c.Digest)
	}
	for _, u := range c.Undecided {
		fmt.Fprintf(&b, "%s: %s: %s\n", text.Escape(c.Path), text.Escape(u.Field), text.Escape(u.Text))
	}
	return b.String()
}

func (a *app) contentCheckCommand() *cobra.Command {
	return &cobra.Command{Use: "check DIR...", Short: "Say everything that is wrong with packs, by file, line and field",
		Long: `Check reads the folders of packs and says everything that is wrong with them, and what
of their weapons and creatures no code decides, which is no mistake. It needs no
server. The exit code is 1 when anything is wrong.`,
		Example: "  skald content check ./our-table", Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			wrong := 0
			for _, path := range args {
				c, err := checkPack(path)
				if err != nil {
					return err
				}
				wrong += len(c.Problems)
				if err := a.answerValue(c, c.String); err != nil {
					return err
				}
			}
			if wrong > 0 {
				return &failedError{fmt.Sprintf("%d mistakes", wrong)}
			}
			return nil
		}}
}

func (a *app) contentDigestCommand() *cobra.Command {
	return &cobra.Command{Use: "digest DIR", Short: "Print the digest under which a pack is kept",
		Long: `Digest reads and checks a pack and prints the digest under which a table keeps
it: SHA-256 over the bytes that are stored. It needs no server.`,
		Example: "  skald content digest ./our-table", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			c, err := checkPack(args[0])
			if err != nil {
				return err
			}
			if len(c.Problems) > 0 {
				return errors.Join(a.tell(c.String()), &failedError{fmt.Sprintf("%d mistakes", len(c.Problems))})
			}
			return a.answerValue(c, func() string { return c.Digest + "\n" })
		}}
}

// content calls fn with the content service of the server.
func (a *app) content(ctx context.Context, fn func(ctx context.Context, client encounterv1.ContentServiceClient, as *eventv1.Principal) error) error {
	as, err := a.principal()
	if err != nil {
		return err
	}
	return a.connected(ctx, needServer, func(ctx context.Context, conn grpc.ClientConnInterface) error {
		ctx, cancel := a.call(ctx)
		defer cancel()
		return fn(ctx, encounterv1.NewContentServiceClient(conn), as)
	})
}

// packRow is a pack in a list for people.
func packRow(p *encounterv1.PackSummary) string {
	from := "offered"
	switch {
	case p.GetBy() != nil:
		from = "put by " + cmp.Or(p.By.Name, "the game master")
	case p.GetUnixMillis() > 0:
		from = "offered, kept"
	}
	newest := " "
	if p.GetNewest() {
		newest = "*"
	}
	return text.Escape(fmt.Sprintf("%s %-20s %-10s %-10s %s  %8d bytes  %s", newest, p.GetName(), p.GetSystem(), p.GetVersion(), p.GetDigest(), p.GetBytes(), from)) + "\n"
}

func (a *app) contentPutCommand() *cobra.Command {
	return &cobra.Command{Use: "put DIR|FILE", Short: "Keep a pack at the table and print its digest",
		Long: `Put sends a pack to the server, which checks it and keeps it at the table (--table)
under its digest. The same pack put again changes nothing. A FILE is one that
"skald content get -o" wrote. Encounters name packs by digest, or by name, which
means the newest. Only the game master of the table and administrators may put.`,
		Example: "  skald content put ./our-table\n  skald encounter create --system rcr --pack our-table --id bridge", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			req := &encounterv1.PutPackRequest{Table: a.table}
			info, err := os.Stat(args[0])
			if err != nil {
				return usage("%v", err)
			}
			if info.IsDir() {
				req.Files, err = library.ReadFolder(os.DirFS(args[0]))
			} else {
				req.Pack, err = os.ReadFile(args[0])
			}
			if err != nil {
				return &usageError{err}
			}
			return a.content(cmd.Context(), func(ctx context.Context, client encounterv1.ContentServiceClient, as *eventv1.Principal) error {
				req.As = as
				resp, err := client.PutPack(ctx, req)
				if err != nil {
					return err
				}
				return a.answer(resp, func() string { return resp.GetPack().GetDigest() + "\n" })
			})
		}}
}

func (a *app) contentListCommand() *cobra.Command {
	var system string
	c := &cobra.Command{Use: "list", Short: "List the packs of the table",
		Long: `List lists the packs of the table (--table) and those that the server offers to
every table, by name, the newest first. A star marks the pack that an encounter
gets by its name.`,
		Example: "  skald content list --system rcr", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.content(cmd.Context(), func(ctx context.Context, client encounterv1.ContentServiceClient, as *eventv1.Principal) error {
				resp, err := client.ListPacks(ctx, &encounterv1.ListPacksRequest{As: as, Table: a.table, System: system})
				if err != nil {
					return err
				}
				for _, p := range resp.Packs {
					if err := a.answer(p, func() string { return packRow(p) }); err != nil {
						return err
					}
				}
				return nil
			})
		}}
	c.Flags().StringVar(&system, "system", "", "only packs of this rule system")
	return c
}

func (a *app) contentShowCommand() *cobra.Command {
	var kind string
	c := &cobra.Command{Use: "show PACK...", Short: "List what packs offer: monsters, weapons, spells, rules",
		Long: `Show lists what packs offer by name, later packs over earlier ones, as an
encounter with these packs has it. PACK is a digest or a name.`,
		Example: "  skald content show our-table --kind monster", Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.content(cmd.Context(), func(ctx context.Context, client encounterv1.ContentServiceClient, as *eventv1.Principal) error {
				resp, err := client.ListContent(ctx, &encounterv1.ListContentRequest{As: as, Table: a.table, Packs: args, Kind: kind})
				if err != nil {
					return err
				}
				for _, e := range resp.Entries {
					if err := a.answer(e, func() string {
						return text.Escape(strings.TrimRight(fmt.Sprintf("%-10s %-32s %-40s %s", e.Kind, e.Id, e.Title, e.Rule), " ")) + "\n"
					}); err != nil {
						return err
					}
				}
				return nil
			})
		}}
	c.Flags().StringVar(&kind, "kind", "", "only this kind: weapon, armour, item, spell, feat, condition, injury, monster, table, setting, rule")
	return c
}

func (a *app) contentGetCommand() *cobra.Command {
	var file string
	c := &cobra.Command{Use: "get PACK", Short: "Read a pack of the table",
		Long: `Get reads a pack of the table by digest or name, checks it against its digest,
and prints it as JSON. With -o the stored bytes are written to a file, which
"skald content put" takes on another server: the digest stays the same.`,
		Example: "  skald content get our-table\n  skald content get our-table -o our-table.pack", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.content(cmd.Context(), func(ctx context.Context, client encounterv1.ContentServiceClient, as *eventv1.Principal) error {
				resp, err := client.GetPack(ctx, &encounterv1.GetPackRequest{As: as, Table: a.table, Pack: args[0]})
				if err != nil {
					return err
				}
				if got := library.Digest(resp.Pack); got != resp.GetSummary().GetDigest() || library.IsDigest(args[0]) && got != args[0] {
					return &failedError{fmt.Sprintf("the server sent a pack of the digest %s for %s", got, args[0])}
				}
				if file != "" {
					if err := os.WriteFile(file, resp.Pack, 0o644); err != nil {
						return fmt.Errorf("cli: content: %w", err)
					}
					return a.answer(resp.Summary, func() string { return packRow(resp.Summary) })
				}
				p, err := pack.Unmarshal(resp.Pack)
				if err != nil {
					return err
				}
				return a.value(p)
			})
		}}
	c.Flags().StringVarP(&file, "output", "o", "", "file for the stored bytes")
	return c
}

// houseRule shows a rule of a pack: of the newest of its name at the table.
func (a *app) houseRule(ctx context.Context, id string) error {
	parts := strings.Split(id, ".")
	if len(parts) != 3 {
		return usage("want house.PACK.NAME, got %q", id)
	}
	return a.content(ctx, func(ctx context.Context, client encounterv1.ContentServiceClient, as *eventv1.Principal) error {
		resp, err := client.ListContent(ctx, &encounterv1.ListContentRequest{As: as, Table: a.table, Packs: parts[1:2]})
		if err != nil {
			return err
		}
		for _, e := range resp.Entries {
			if e.Rule != id {
				continue
			}
			rule := &rulesv1.Rule{Id: id, Title: e.Title, Text: e.Text, Heading: e.Kind + " of the pack " + parts[1]}
			return a.answer(rule, func() string { return render.Rule(rule) })
		}
		return fault.New(fault.NotFound, "UNKNOWN_RULE", "there is no rule %q", id)
	})
}
