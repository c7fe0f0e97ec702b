package house

import "testing"

func TestValues(t *testing.T) {
	v := Values{"push": {"feet": {Least: 1, Most: 60}, "way": {}}}
	for _, c := range []struct {
		hook, name, given string
		good              bool
	}{
		{"push", "feet", "1", true}, {"push", "feet", "60", true}, {"push", "way", "back", true},
		{"push", "feet", "0", false}, {"push", "feet", "61", false}, {"push", "feet", "ten", false}, {"push", "feet", "", false},
		{"push", "feets", "10", false}, {"drop", "feet", "10", false},
	} {
		if err := v.Check(c.hook, map[string]string{c.name: c.given}); (err == nil) != c.good {
			t.Errorf("%v: %v", c, err)
		}
	}
	if err := v.Check("drop", nil); err != nil {
		t.Errorf("nothing given: %v", err)
	}
}
