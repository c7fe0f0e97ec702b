package journal

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/skaldrpg/skald/pkg/limits"
)

// maxToken is the longest subject token and message ID, in bytes.
const maxToken = limits.TokenBytes

// Token checks that an id may stand as one token of a subject: 1 to 128 bytes of
// UTF-8 without '.', '*', '>', spaces and control characters.
func Token(s string) error {
	switch {
	case s == "":
		return fmt.Errorf("%w: empty token", ErrInvalid)
	case len(s) > maxToken:
		return fmt.Errorf("%w: token of %d bytes, limit %d", ErrInvalid, len(s), maxToken)
	case !utf8.ValidString(s):
		return fmt.Errorf("%w: token is not UTF-8: %q", ErrInvalid, s)
	}
	for _, r := range s {
		if r == '.' || r == '*' || r == '>' || unicode.IsSpace(r) || unicode.IsControl(r) {
			return fmt.Errorf("%w: token %q may not hold %q", ErrInvalid, s, r)
		}
	}
	return nil
}

// Partition is where a table that is new goes when there are n streams: FNV-1a 32
// of its id modulo n, as the server's {{partition(n,token)}} mapping computes it.
// Where a table is stands in the directory alone ([Set.Place]): n may have been
// another one when the table was new. Patients and encounters of one table share
// a stream, since an atomic batch needs both in one. n below 1 counts as 1.
func Partition(table string, n int) int {
	if n <= 1 {
		return 0
	}
	h := fnv.New32a()
	h.Write([]byte(table)) //nolint:errcheck // never fails
	return int(h.Sum32() % uint32(n))
}

// SubjectIn names the aggregate id of the given kind ("encounter", "patient", ...)
// at a table that is in stream p: skald.<p>.<table>.<kind>.<id>... Further tokens
// may follow the id, for instance the number of a branch.
func SubjectIn(p int, table, kind string, id ...string) (string, error) {
	if len(id) == 0 || p < 0 {
		return "", fmt.Errorf("%w: subject without an id, or in stream %d", ErrInvalid, p)
	}
	tokens := append([]string{"skald", strconv.Itoa(p), table, kind}, id...)
	for _, t := range tokens {
		if err := Token(t); err != nil {
			return "", err
		}
	}
	return strings.Join(tokens, "."), nil
}

// SplitSubject takes apart a subject of the form that [Subject] makes with one
// id; false for any other.
func SplitSubject(subject string) (table, kind, id string, ok bool) {
	parts := strings.Split(subject, ".")
	if len(parts) != 5 || parts[0] != "skald" {
		return "", "", "", false
	}
	return parts[2], parts[3], parts[4], true
}

// packsOf stands where an encounter's id stands in the subjects of packs. It is
// no encounter's id, and behind it readers of encounters find a token too many:
// so one filter and one permission are for encounters and what they pin.
const packsOf = "@packs"

// PackSubject names the record of a pack of a table that is in stream p, by the
// digest of the pack: skald.<p>.<table>.encounter.@packs.<digest>.
func PackSubject(p int, table, digest string) (string, error) {
	return SubjectIn(p, table, "encounter", packsOf, digest)
}

// PackFilter matches the packs of a table that is in stream p.
func PackFilter(p int, table string) (string, error) {
	if err := Token(table); err != nil {
		return "", err
	}
	return "skald." + strconv.Itoa(p) + "." + table + ".encounter." + packsOf + ".*", nil
}

// SplitPack takes apart a subject that PackSubject made; false for any other.
func SplitPack(subject string) (table, digest string, ok bool) {
	parts := strings.Split(subject, ".")
	if len(parts) != 6 || parts[0] != "skald" || parts[3] != "encounter" || parts[4] != packsOf {
		return "", "", false
	}
	return parts[2], parts[5], true
}

// branchesOf stands where an encounter's or a patient's id stands in the subjects of
// branches, as packsOf does in those of packs.
const branchesOf = "@branch"

// Branch is a branch of what a table holds.
type Branch struct {
	// Table that it belongs to.
	Table string
	// Kind of what it is a branch of: "encounter" or "patient".
	Kind string
	// ID of that.
	ID string
	// Name of the branch.
	Name string
}

// Subject is where the records of the branch are when its table is in stream p:
// skald.<p>.<table>.<kind>.@branch.<id>.<name>.
func (b Branch) Subject(p int) (string, error) {
	if !branches(b.Kind) {
		return "", fmt.Errorf("%w: a branch of a %q", ErrInvalid, b.Kind)
	}
	return SubjectIn(p, b.Table, b.Kind, branchesOf, b.ID, b.Name)
}

// branches tells whether there are branches of a kind.
func branches(kind string) bool { return kind == "encounter" || kind == "patient" }

// SplitBranch takes apart the subject of a branch; false for any other.
func SplitBranch(subject string) (Branch, bool) {
	parts := strings.Split(subject, ".")
	if len(parts) != 7 || parts[0] != "skald" || !branches(parts[3]) || parts[4] != branchesOf {
		return Branch{}, false
	}
	return Branch{Table: parts[2], Kind: parts[3], ID: parts[5], Name: parts[6]}, true
}

// PartitionFilter matches every subject of partition p.
func PartitionFilter(p int) string { return "skald." + strconv.Itoa(p) + ".>" }

// KindFilter matches every subject of one kind in partition p, all tables.
func KindFilter(p int, kind string) string { return "skald." + strconv.Itoa(p) + ".*." + kind + ".>" }

// TableFilterIn matches everything of one table that is in stream p; it is what
// an administrator purges to delete a table's data. The table's entry in the
// directory is not among it: a table stays where it is for ever.
func TableFilterIn(p int, table string) (string, error) {
	if err := Token(table); err != nil {
		return "", err
	}
	return "skald." + strconv.Itoa(p) + "." + table + ".>", nil
}

// literal checks a whole subject: tokens joined by dots, no wildcards.
func literal(subject string) error {
	for t := range strings.SplitSeq(subject, ".") {
		if err := Token(t); err != nil {
			return fmt.Errorf("subject %q: %w", subject, err)
		}
	}
	return nil
}

// Matches tells whether a literal subject matches a filter with the wildcards
// '*' (one token) and '>' (one or more, at the end). An empty filter matches all.
func Matches(filter, subject string) bool {
	if filter == "" || filter == ">" {
		return true
	}
	for {
		f, restF, moreF := strings.Cut(filter, ".")
		s, restS, moreS := strings.Cut(subject, ".")
		if f == ">" {
			return true
		}
		if f != "*" && f != s || moreF != moreS {
			return false
		}
		if !moreF {
			return true
		}
		filter, subject = restF, restS
	}
}

// validFilter accepts tokens, '*' for one and '>' for the rest.
func validFilter(filter string) error {
	tokens := strings.Split(filter, ".")
	for i, t := range tokens {
		if t == "*" || t == ">" && i == len(tokens)-1 {
			continue
		}
		if err := Token(t); err != nil {
			return fmt.Errorf("filter %q: %w", filter, err)
		}
	}
	return nil
}
