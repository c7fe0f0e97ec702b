package book_test

import (
	"testing"
	"testing/fstest"

	"github.com/skaldrpg/skald/pkg/content/book"
)

// The digest of a book follows what decides, and no prose.
func TestDigest(t *testing.T) {
	with := func(name, text string) string {
		files := fstest.MapFS{
			"rules.yaml":      {Data: []byte("rules:\n  - id: toy.a\n    default: \"on\"\n    text: >-\n      Words.\n")},
			"tables/hits.csv": {Data: []byte("roll,hit\n1,no\n")},
			"demo.yaml":       {Data: []byte("a: demo\n")},
			"renamed.csv":     {Data: []byte("old,new\n")},
		}
		if name != "" {
			files[name] = &fstest.MapFile{Data: []byte(text)}
		}
		return book.New("toy", files).Digest()
	}
	was := with("", "")
	if len(was) != 64 || was != with("", "") {
		t.Fatalf("the digest is %q, then %q", was, with("", ""))
	}
	for name, tt := range map[string]struct {
		file, text string
		same       bool
	}{
		"a table":         {"tables/hits.csv", "roll,hit\n1,yes\n", false},
		"another table":   {"tables/more.csv", "a\n", false},
		"a default":       {"rules.yaml", "rules:\n  - id: toy.a\n    default: \"off\"\n    text: >-\n      Words.\n", false},
		"a rule":          {"rules.yaml", "rules:\n  - id: toy.b\n    default: \"on\"\n    text: >-\n      Words.\n", false},
		"words":           {"rules.yaml", "rules:\n  - id: toy.a\n    default: \"on\"\n    text: >-\n      Better words.\n", true},
		"a demonstration": {"demo.yaml", "b: demo\n", true},
		"old names":       {"renamed.csv", "older,new\n", true},
	} {
		if same := with(tt.file, tt.text) == was; same != tt.same {
			t.Errorf("%s: the digest stays the same: %v", name, same)
		}
	}
}
