package rulestest

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/skaldrpg/skald/pkg/rules"
)

// worded is a system of one action and the words of a table.
type worded struct {
	toy
	words *rules.Vocabulary
}

func (w worded) Vocabulary() *rules.Vocabulary { return w.words }

// heard collects what a check finds.
type heard struct {
	testing.TB
	found []string
}

func (*heard) Helper() {}
func (h *heard) Errorf(format string, args ...any) {
	h.found = append(h.found, strings.ReplaceAll(format, "%q", args[len(args)-1].(string)))
}
func (h *heard) Error(args ...any) { h.found = append(h.found, args[0].(string)) }

// What the source looks up is found in every way that rules look things up.
func TestWords(t *testing.T) {
	const table = "place,actions,name,type,values,sides,least,most,matter,rule,text\n" +
		"parameter,strike,hard,boolean,,,,,actor,,how\nfact,strike,cover,number,,,,,world,,how\nparameter,strike,way,path,,,,,actor,,where\n"
	words, err := rules.ReadVocabulary(table, []string{"strike"})
	if err != nil {
		t.Fatal(err)
	}
	const all = `package p
const key = "cover"
func f() { spoken.Truth(p, "hard"); told(p, key) }`
	for name, c := range map[string]struct{ source, want string }{
		"everything is read":      {all, ""},
		"a field is read":         {`package p; func f() { _ = p.GetFields()["hard"]; spoken.Number(p, "cover") }`, ""},
		"a word is not read":      {`package p; func f() { spoken.Truth(p, "hard") }`, "is in the table and read nowhere"},
		"what is read is no word": {strings.Replace(all, "hard", "hrad", 1), "is read and no word of the table"},
		"what is aside is no word either": {all + `
func g() { spoken.Word(p, "amount") }`, ""},
		"nothing is read": {`package p`, "the scan is blind"},
	} {
		t.Run(name, func(t *testing.T) {
			h := &heard{}
			Words(h, worded{words: words}, fstest.MapFS{"a.go": {Data: []byte(c.source)}, "a_test.go": {Data: []byte("no Go")}}, map[string]int{"told": 1}, "amount")
			found := strings.Join(h.found, "; ")
			if c.want == "" && found != "" || !strings.Contains(found, c.want) {
				t.Errorf("found %q, want %q", found, c.want)
			}
		})
	}
}
