package book

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// deciding are the lines of rules.yaml that decide something: which rules there are,
// how they stand and by what name events cite them. Words and readings are for people.
var deciding = []string{"- id:", "title:", "toggle:", "default:", "choices:", "excludes:", "requires:", "secret:"}

// Digest is the hexadecimal SHA-256 of what of the book can change a decision: its
// tables and lists whole, of rules.yaml the lines that are no prose. Demonstrations
// and old names do not count. A file that cannot be read is a fault of the build and
// counts as empty.
func (b Book) Digest() string {
	h := sha256.New()
	_ = fs.WalkDir(b.files, ".", func(name string, d fs.DirEntry, err error) error { //nolint:errcheck // the function returns none
		if err != nil || d.IsDir() || strings.HasPrefix(path.Base(name), "demo") || name == "renamed.csv" {
			return nil
		}
		text, _ := fs.ReadFile(b.files, name) //nolint:errcheck // as said above
		if name == rulesFile {
			text = decidingLines(text)
		}
		fmt.Fprintf(h, "%d %s %d\n", len(name), name, len(text))
		h.Write(text)
		return nil
	})
	return hex.EncodeToString(h.Sum(nil))
}

// decidingLines are the lines of rules.yaml that count, without what stands around them.
func decidingLines(text []byte) []byte {
	var out []byte
	for line := range bytes.Lines(text) {
		bare := bytes.TrimSpace(line)
		if slices.ContainsFunc(deciding, func(key string) bool { return len(bare) >= len(key) && string(bare[:len(key)]) == key }) {
			out = append(append(out, bare...), '\n')
		}
	}
	return out
}
