package rulestest

import (
	"fmt"
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
	h.found = append(h.found, fmt.Sprintf(format, args...))
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
		"nothing is read":         {`package p`, "the scan is blind"},
	} {
		t.Run(name, func(t *testing.T) {
			h := &heard{}
			Words(h, worded{words: words}, fstest.MapFS{"a.go": {Data: []byte(c.source)}, "a_test.go": {Data: []byte("no Go")}}, map[string]int{"told": 1})
			found := strings.Join(h.found, "; ")
			if c.want == "" && found != "" || !strings.Contains(found, c.want) {
				t.Errorf("found %q, want %q", found, c.want)
			}
		})
	}
}

// tending is a system with the deeds bandage and rest.
type tending struct{ worded }

func (tending) Medicine() rules.Medicine { return tendings{} }

type tendings struct{ rules.Medicine }

func (tendings) Deeds() []string { return []string{"bandage", "rest"} }

// What the functions on patients look up is found, and nothing else.
func TestDeeds(t *testing.T) {
	const heading = "place,actions,name,type,values,sides,least,most,matter,rule,text\n"
	const table = heading + "deed,bandage|rest,hours,number,,,,,world,,how long\ndeed,bandage,kit,string,,,,,actor,,with what\n"
	const all = `package p
const word = "kit"
var do = func(c *eventv1.PatientCommand) { spoken.Number(c.Parameters, "hours") }
func bandage(r *rules.Resolution, c *eventv1.PatientCommand) { _ = c.Parameters.Fields[word] }
func strike(r *rules.Resolution, c *eventv1.TakeAction) { spoken.Truth(c.Parameters, "hard") }`
	for name, c := range map[string]struct {
		table, source string
		computed      []string
		want          string
	}{
		"everything is read":          {table, all, nil, ""},
		"a word is not read":          {table, strings.Replace(all, "_ = c.Parameters.Fields[word]", "", 1), nil, "is in the table and read nowhere"},
		"a word is computed":          {table, strings.Replace(all, "_ = c.Parameters.Fields[word]", "", 1), []string{"kit"}, ""},
		"nothing computes it":         {table, all, []string{"splint"}, "is read and no word of a deed"},
		"what is read is no word":     {table, strings.Replace(all, "hours", "huors", 1), nil, "is read and no word of a deed"},
		"a word of no deed":           {strings.Replace(table, "bandage,kit", "amputate,kit", 1), all, nil, "there is no such deed"},
		"an action's word is no read": {table, strings.Replace(all, "eventv1.PatientCommand", "eventv1.TakeAction", 2), nil, "the scan is blind"},
	} {
		t.Run(name, func(t *testing.T) {
			words, err := rules.ReadVocabulary(c.table, nil)
			if err != nil {
				t.Fatal(err)
			}
			h := &heard{}
			Deeds(h, tending{worded{words: words}}, fstest.MapFS{"a.go": {Data: []byte(c.source)}}, c.computed...)
			found := strings.Join(h.found, "; ")
			if c.want == "" && found != "" || !strings.Contains(found, c.want) {
				t.Errorf("found %q, want %q", found, c.want)
			}
		})
	}
}
