package csvtable_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/csvtable"
)

func TestRead(t *testing.T) {
	var got []string
	n, err := csvtable.Read("a,b\n1,x\n2,y\n", "a,b", func(cells []string) error {
		got = append(got, strings.Join(cells, "+"))
		return nil
	})
	if n != 2 || err != nil || strings.Join(got, " ") != "1+x 2+y" {
		t.Errorf("%d rows %v, %v", n, got, err)
	}
	wrong := errors.New("wrong")
	for name, text := range map[string]string{"another heading": "a,c\n1,2\n", "nothing": "", "a short row": "a,b\n1\n", "a wrong row": "a,b\n1,2\n"} {
		if _, err := csvtable.Read(text, "a,b", func([]string) error { return wrong }); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

func TestLines(t *testing.T) {
	if lines, err := csvtable.Lines("a,b\n1,x\n", 2); err != nil || len(lines) != 1 || lines[0][1] != "x" {
		t.Errorf("%v, %v", lines, err)
	}
	for name, text := range map[string]string{"no rows": "a,b\n", "nothing": "", "another number of columns": "a,b,c\n1,2,3\n", "a long row": "a,b\n1,2,3\n"} {
		if _, err := csvtable.Lines(text, 2); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

func TestNext(t *testing.T) {
	for _, c := range []struct {
		from, to    string
		after       int32
		first, last int32
		holds       bool
	}{{"1", "3", 0, 1, 3, true}, {"4", "4", 3, 4, 4, true}, {"5", "6", 3, 0, 0, false}, {"3", "6", 3, 0, 0, false}, {"4", "3", 3, 0, 0, false}, {"x", "3", 0, 0, 0, false}, {"1", "", 0, 0, 0, false}} {
		first, last, err := csvtable.Next(c.from, c.to, c.after)
		if (err == nil) != c.holds || first != c.first || last != c.last {
			t.Errorf("%s to %s after %d: %d %d %v", c.from, c.to, c.after, first, last, err)
		}
	}
	if csvtable.Rows(3, 3) != nil || csvtable.Rows(2, 3) == nil {
		t.Error("rows")
	}
}
