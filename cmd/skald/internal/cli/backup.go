package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/skaldrpg/skald/cmd/skald/internal/backup"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/text"
	"github.com/skaldrpg/skald/pkg/tombstone"
	"github.com/skaldrpg/skald/services/encounter"
)

// credentialFlags are those for a NATS server elsewhere.
func credentialFlags(f *pflag.FlagSet, url *string, o *journal.ConnectOptions) {
	f.StringVar(url, "nats", "", "URL of a NATS server elsewhere, or several after commas")
	f.StringVar(&o.CredsFile, "nats-creds", "", "credentials file for it")
	f.StringVar(&o.Username, "nats-user", "", "user name for it")
	f.StringVar(&o.Password, "nats-password", "", "password for it; better given by the environment: other users can see flags")
	f.StringVar(&o.CAFile, "nats-ca", "", "PEM file of the authorities that sign it")
	f.StringVar(&o.CertFile, "nats-cert", "", "PEM file of the client certificate for it")
	f.StringVar(&o.KeyFile, "nats-key", "", "PEM file of the client key for it")
}

func (a *app) backupCommand() *cobra.Command {
	var cfg backup.Config
	c := &cobra.Command{
		Use:   "backup",
		Short: "Copy the log into a folder that restore takes",
		Long: `Backup copies every record of the log into plain files with checksums, reads them
again, and says where the copy ends: the sequence of the last record and a digest
over all. What runs on --data is copied from its archive, which is a second
behind at most; a data folder that nobody uses is copied from its log, as is a
NATS server elsewhere (--nats). A second run into the same folder adds what is
new, and refuses another log.

The master key of the dice is a secret, and without it no past roll can be
proved: --with-dice-key copies it too, and with it the keys that sign heads.`,
		Example: `  skald backup --data /var/lib/skald --to /mnt/backup/skald
  skald backup --nats nats://nats:4222 --nats-user archive --to /mnt/backup/skald`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.backup(cmd.Context(), cfg) },
	}
	f := c.Flags()
	f.StringVar(&cfg.DataDir, "data", "data", "data folder of the server")
	f.StringVar(&cfg.Archive, "archive", "", "archive of the running server (default archive in --data)")
	f.StringVar(&cfg.To, "to", "", "folder of the backup")
	f.BoolVar(&cfg.Key, "with-dice-key", false, "copy the master key of the dice and the keys that sign heads too")
	credentialFlags(f, &cfg.NATSURL, &cfg.NATS)
	cfg.NATS.Name = "skald-backup"
	return c
}

func (a *app) backup(ctx context.Context, cfg backup.Config) (err error) {
	switch {
	case cfg.To == "":
		return usage("--to: missing")
	case cfg.Key && cfg.NATSURL != "":
		return usage("--with-dice-key: a NATS server has no master key; copy the file from where the dice service has it")
	}
	if cfg.Logger, err = a.logger("error", false); err != nil {
		return err
	}
	copied, err := backup.Backup(ctx, cfg)
	wrong := 0
	for _, c := range copied {
		wrong += len(c.Wrong)
		if err := a.answerValue(c, func() string { return copiedLines(c) }); err != nil {
			return err
		}
	}
	if err == nil && wrong > 0 {
		err = &failedError{"the backup is not sound"}
	}
	return err
}

func copiedLines(c backup.Copied) string {
	out := fmt.Sprintf("%s to sequence %d, from the %s\n  stream %s\n  digest %s\n", c.Stream, c.Sequence, c.Source, c.StreamID, c.Digest)
	for _, w := range c.Wrong {
		out += "  WRONG " + w + "\n"
	}
	return out
}

func (a *app) restoreCommand() *cobra.Command {
	var cfg backup.RestoreConfig
	var kept []string
	c := &cobra.Command{
		Use:   "restore",
		Short: "Make the log again from an archive or a backup",
		Long: `Restore makes the stream again as it was: under its id, each record at its
sequence, read back and compared. --data makes a data folder, which appears when
all is done; --nats makes the stream on a server that has none of that name, and
needs an administrator's credentials. Nothing is laid over what exists; run again,
a restore that broke off is gone on with.

What was written after the archive ended is not in it. Sequences that the archive
leaves out, such as those of purged tables, are filled with records that nobody
reads.

A table that was deleted after the backup was made is there again, and has to be
deleted again. Give the tombstones that you kept by --tombstone to be told which.`,
		Example: `  skald restore --from /mnt/backup/skald --data /var/lib/skald
  skald restore --from /mnt/backup/skald --nats nats://nats:4222 --nats-user admin --nats-replicas 3`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.restore(cmd.Context(), cfg, kept) },
	}
	f := c.Flags()
	f.StringArrayVar(&kept, "tombstone", nil, "file of the tombstone of a deleted table, as it was kept (skald table tombstone); repeat for several: then it says which of them are back")
	f.StringVar(&cfg.From, "from", "", "the archive or backup")
	f.StringVar(&cfg.DataDir, "data", "", "data folder to make")
	f.IntVar(&cfg.Replicas, "nats-replicas", 1, "replicas that the stream gets there")
	credentialFlags(f, &cfg.NATSURL, &cfg.NATS)
	cfg.NATS.Name = "skald-restore"
	return c
}

func (a *app) restore(ctx context.Context, cfg backup.RestoreConfig, kept []string) (err error) {
	stones, err := readTombstones(kept)
	if err != nil {
		return err
	}
	if cfg.From == "" || (cfg.DataDir == "") == (cfg.NATSURL == "") {
		return usage("restore wants --from and one of --data and --nats")
	}
	if cfg.Logger, err = a.logger("error", false); err != nil {
		return err
	}
	restored, err := backup.Restore(ctx, cfg)
	for _, r := range restored {
		if e := a.answerValue(r, func() string { return restoredLines(r) }); e != nil {
			return errors.Join(err, e)
		}
	}
	if err == nil && cfg.DataDir != "" {
		a.wanted("the master key of the dice", filepath.Join(cfg.DataDir, backup.KeyFile))
		a.wanted("the keys that sign heads", filepath.Join(cfg.DataDir, encounter.KeysFile))
	}
	if err != nil {
		return err
	}
	return a.returned(ctx, cfg.From, stones)
}

// returned tells of deleted tables that a restore brought back.
func (a *app) returned(ctx context.Context, from string, stones []tombstone.Tombstone) error {
	if len(stones) == 0 {
		_, err := fmt.Fprintln(a.err, "a table that was deleted after the backup was made is there again: delete it again (--tombstone says which)")
		return err
	}
	tables, err := backup.Returned(ctx, from, stones)
	for _, t := range tables {
		fmt.Fprintf(a.err, "the table %s was deleted, and is there again: skald table delete %s\n", text.Escape(t), text.Escape(t)) //nolint:errcheck // advice
	}
	return err
}

// readTombstones reads files that people kept. Who signed them is not asked: they say
// what to look for, and nothing is deleted by them.
func readTombstones(files []string) ([]tombstone.Tombstone, error) {
	var out []tombstone.Tombstone
	for _, file := range files {
		data, err := os.ReadFile(filepath.Clean(file))
		if err != nil {
			return nil, usage("--tombstone: %v", err)
		}
		t, err := tombstone.Unchecked(string(data))
		if err != nil {
			return nil, usage("--tombstone: %s: %v", file, err)
		}
		out = append(out, t)
	}
	return out, nil
}

// wanted says that a file is to be put into a restored folder, if it is not there.
func (a *app) wanted(what, path string) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintf(a.err, "put %s into %s before the start: the backup has no copy\n", what, path) //nolint:errcheck // advice
	}
}

func restoredLines(r backup.Restored) string {
	out := fmt.Sprintf("%s to sequence %d, %d records, read back and equal\n  stream %s\n  digest %s\n", r.Stream, r.Sequence, r.Records, r.StreamID, r.Digest)
	if r.Fillers > 0 {
		out += fmt.Sprintf("  %d sequences were not in the archive and are filled\n", r.Fillers)
	}
	if r.Torn > 0 {
		out += fmt.Sprintf("  the archive ends in %d bytes of a record that was never written whole\n", r.Torn)
	}
	return out
}
