package catalogue

import (
	"reflect"
	"strings"
	"testing"
)

// What tools/generate wrote down is what the books say.
func TestShippedIsTheBook(t *testing.T) {
	for _, b := range books {
		raw, err := b.Rules()
		if err != nil {
			t.Fatal(err)
		}
		if was := shipped[b.System()]; was == nil || was.from != Sum(raw) {
			t.Errorf("%s: shipped_%[1]s.go is missing or not of this rules.yaml: run tools/generate", b.System())
			continue
		}
		got, err := load(b)
		if err != nil {
			t.Fatal(err)
		}
		want, err := Parse(b)
		if err != nil {
			t.Fatal(err)
		}
		for i := range min(len(got.Entries), len(want.Entries)) {
			if !reflect.DeepEqual(got.Entries[i], want.Entries[i]) {
				t.Errorf("%s: shipped is\n%+v\nand the book says\n%+v", b.System(), got.Entries[i], want.Entries[i])
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: what is shipped differs from the book", b.System())
		}
	}
}

// What was written down from another text is left aside, and what was written down is
// checked as what is read.
func TestLoadHoldsWhatIsShippedAgainstTheBook(t *testing.T) {
	one := Entry{ID: "test.dice.one", Title: "Old", Heading: "H", Weight: Core, Owner: OwnerDice, Status: StatusOpen, Text: "T"}
	with := func(from string, entries ...Entry) {
		shipped["test"] = &compiled{from: from, title: "Test", entries: entries}
	}
	t.Cleanup(func() { delete(shipped, "test") })
	title := func() string {
		t.Helper()
		c, err := load(bookOf(good))
		if err != nil {
			t.Fatal(err)
		}
		return c.Entries[0].Title
	}
	if with("of something else", one); title() != "One" {
		t.Error("an entry of another text counts")
	}
	if with(Sum([]byte(good)), one); title() != "Old" {
		t.Error("the entry of this text does not count")
	}
	tabled := one
	tabled.TableFile = "two"
	with(Sum([]byte(good)), tabled)
	if c, err := load(bookOf(good)); err != nil || c.Entries[0].Table != "a,b\n1,2\n" || shipped["test"].entries[0].Table != "" {
		t.Errorf("the table of the book: %v, %v", c, err)
	}
	for wrong, change := range map[string]func(*Entry){
		"unknown weight": func(e *Entry) { e.Weight = "heavy" },
		"nowhere":        func(e *Entry) { e.TableFile = "nowhere" },
		"not an id":      func(e *Entry) { e.ID = "other.dice.one" },
	} {
		bad := one
		change(&bad)
		with(Sum([]byte(good)), bad)
		if _, err := load(bookOf(good)); err == nil || !strings.Contains(err.Error(), wrong) {
			t.Errorf("%s: %v", wrong, err)
		}
	}
	with(Sum([]byte(good)), one, one)
	if _, err := load(bookOf(good)); err == nil || !strings.Contains(err.Error(), "defined twice") {
		t.Errorf("an entry that is there twice: %v", err)
	}
}

// BenchmarkLoad reads a catalogue as programs do, beside the reading of its YAML.
func BenchmarkLoad(b *testing.B) {
	for _, book := range books {
		b.Run(book.System(), func(b *testing.B) {
			for b.Loop() {
				if _, err := load(book); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(book.System()+"/yaml", func(b *testing.B) {
			for b.Loop() {
				if _, err := Parse(book); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
