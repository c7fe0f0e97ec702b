package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skaldrpg/skald/cmd/skald/internal/backup"
	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/tombstone"
	"github.com/skaldrpg/skald/services/encounter"
)

func (a *app) archiveEraseCommand() *cobra.Command {
	var dir, file string
	c := &cobra.Command{
		Use:   "erase",
		Short: "Remove deleted tables from an archive or a backup",
		Long: `Erase writes an archive, or a backup, anew without the records that the tombstones
in it list, reads it back and puts it in the old one's place. It believes the
tombstones that the keys sign (--keys, by default heads.key beside the archive or
in it). Nothing may write to the archive meanwhile: stop the server, or skald archive.
A backup from before a deletion has no tombstone and stays as it is: delete it.`,
		Example: "  skald archive erase --archive /var/lib/skald/archive\n  skald archive erase --archive backup --keys heads.key",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if dir == "" {
				return usage("archive erase wants --archive")
			}
			keys, err := keysBeside(dir, file)
			if err != nil {
				return usage("--keys: %v", err)
			}
			done, err := backup.Erase(cmd.Context(), filepath.Clean(dir), tombstone.ByKeys(keys))
			if err != nil {
				return err
			}
			return a.answerValue(done, func() string {
				var b strings.Builder
				for _, d := range done {
					fmt.Fprintf(&b, "%s: %d records removed, of %d deleted tables; %d kept\n", d.Stream, d.Dropped, d.Tables, d.Kept)
				}
				return b.String()
			})
		},
	}
	c.Flags().StringVar(&dir, "archive", "", "folder of the archive or the backup")
	c.Flags().StringVar(&file, "keys", "", "file of the keys that sign heads")
	return c
}

// keysBeside reads the keys in a file, or those that lie in a folder or beside it.
func keysBeside(dir, file string) (*attest.Keys, error) {
	if file != "" {
		return attest.ReadKeys(file)
	}
	keys, err := attest.ReadKeys(filepath.Join(dir, encounter.KeysFile))
	if err != nil {
		keys, err = attest.ReadKeys(filepath.Join(filepath.Dir(filepath.Clean(dir)), encounter.KeysFile))
	}
	return keys, err
}
