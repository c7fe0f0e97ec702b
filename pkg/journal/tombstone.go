package journal

import (
	"strconv"
	"strings"
)

// tombstones stand where an aggregate's id stands in the subjects of what is left
// of a deleted table, as packsOf does in those of packs. They are among the
// encounters and, once more, among the dice, so that whoever reads one kind alone
// reads them in the order of the log.
const tombstones = "@tombstone"

// TombstoneSubject names the tombstone of a table that is in stream p, among the
// records of a kind: skald.<p>.<table>.<kind>.@tombstone.
func TombstoneSubject(p int, table, kind string) (string, error) {
	return SubjectIn(p, table, kind, tombstones)
}

// TombstoneFilter matches the tombstones of a kind in stream p, all tables.
func TombstoneFilter(p int, kind string) string {
	return "skald." + strconv.Itoa(p) + ".*." + kind + "." + tombstones
}

// SplitTombstone tells the table of a tombstone; false for any other subject.
func SplitTombstone(subject string) (table string, ok bool) {
	parts := strings.Split(subject, ".")
	if len(parts) != 5 || parts[0] != "skald" || parts[4] != tombstones {
		return "", false
	}
	return parts[2], true
}

// TableOf tells the table and the kind of a record by its subject; false for what
// is no table's: entries of the directory, and marks of lost records.
func TableOf(subject string) (table, kind string, ok bool) {
	parts := strings.SplitN(subject, ".", 5)
	if len(parts) != 5 || parts[0] != "skald" || parts[2] == directoryTable || IsLost(subject) {
		return "", "", false
	}
	return parts[2], parts[3], true
}
