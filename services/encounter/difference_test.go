package encounter_test

import (
	"fmt"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

func (c *client) difference(req *encounterv1.GetDifferenceRequest) (*encounterv1.GetDifferenceResponse, error) {
	req.Encounter = "e"
	if req.As == nil {
		req.As = gm
	}
	return c.GetDifference(c.w.t.Context(), req)
}

// Two places are compared, or what one step made; a place is one of the caller's numbers,
// and 0 is now.
func TestBetweenWhichPlaces(t *testing.T) {
	c := newWorld(t).start()
	c.do(gm, "e", createCmd(server)) // 1
	for i, hp := range []int32{10, 20, 30} {
		c.do(gm, "e", addCmd(string(rune('a'+i)), hp)) // 2, 3, 4
	}
	at := func(n uint64) *encounterv1.Place { return &encounterv1.Place{Number: n} }
	creatures := func(d *encounterv1.GetDifferenceResponse) (out []string) {
		for _, x := range d.GetChanges() {
			if id, of := cutCreature(x.Path); of && !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
		return out
	}
	for name, x := range map[string]struct {
		req   *encounterv1.GetDifferenceRequest
		want  []string // creatures that differ
		field string   // of a refusal
	}{
		"from one to another":    {&encounterv1.GetDifferenceRequest{From: at(2), To: at(3)}, []string{"b"}, ""},
		"back":                   {&encounterv1.GetDifferenceRequest{From: at(3), To: at(2)}, []string{"b"}, ""},
		"to now":                 {&encounterv1.GetDifferenceRequest{From: at(2)}, []string{"b", "c"}, ""},
		"to 0, which is now":     {&encounterv1.GetDifferenceRequest{From: at(2), To: at(0)}, []string{"b", "c"}, ""},
		"to the last number":     {&encounterv1.GetDifferenceRequest{From: at(2), To: at(4)}, []string{"b", "c"}, ""},
		"from now":               {&encounterv1.GetDifferenceRequest{From: at(0), To: at(3)}, []string{"c"}, ""},
		"to itself":              {&encounterv1.GetDifferenceRequest{From: at(3), To: at(3)}, nil, ""},
		"to what is to come":     {&encounterv1.GetDifferenceRequest{From: at(3), To: at(5)}, nil, "to.number"},
		"from what is to come":   {&encounterv1.GetDifferenceRequest{From: at(5)}, nil, "from.number"},
		"from nowhere":           {&encounterv1.GetDifferenceRequest{To: at(3)}, nil, "from"},
		"nothing at all":         {&encounterv1.GetDifferenceRequest{}, nil, "from"},
		"of a step":              {&encounterv1.GetDifferenceRequest{Of: 3}, []string{"b"}, ""},
		"of the last":            {&encounterv1.GetDifferenceRequest{Of: 4}, []string{"c"}, ""},
		"of one to come":         {&encounterv1.GetDifferenceRequest{Of: 5}, nil, "to.number"},
		"of a step, and from":    {&encounterv1.GetDifferenceRequest{Of: 3, From: at(1)}, nil, "of"},
		"of a step, and to":      {&encounterv1.GetDifferenceRequest{Of: 3, To: at(1)}, nil, "of"},
		"of a step, and between": {&encounterv1.GetDifferenceRequest{Of: 3, From: at(1), To: at(2)}, nil, "of"},
	} {
		got, err := c.difference(x.req)
		if !slices.Equal(creatures(got), x.want) || field(err) != x.field || (err != nil) != (x.field != "") {
			t.Errorf("%s: %v, %v; want %v, %q", name, creatures(got), err, x.want, x.field)
		}
	}
	// Before the first step nothing was.
	got, err := c.difference(&encounterv1.GetDifferenceRequest{Of: 1})
	if err != nil || !slices.ContainsFunc(got.Changes, func(x *encounterv1.Change) bool { return x.Path == "title" && x.Before == "" }) || len(creatures(got)) > 0 {
		t.Errorf("of the first: %v, %v", got, err)
	}
	if names := got.GetNames(); len(names) != 0 {
		t.Errorf("of the first, the names %v", names)
	}
	if got, err = c.difference(&encounterv1.GetDifferenceRequest{From: at(2), To: at(3)}); err != nil || len(got.Names) != 2 || got.Names["b"] != "b" {
		t.Errorf("names of both states: %v, %v", got.GetNames(), err)
	}
}

// cutCreature is the creature that a path of a state is about.
func cutCreature(path string) (id string, of bool) {
	if n, _ := fmt.Sscanf(path, "creatures.%1s", &id); n == 1 {
		return id, true
	}
	return "", false
}

// Pages of differences hold what is asked for and 64 KiB, go on after a path, and come
// together as the whole.
func TestPagesOfADifference(t *testing.T) {
	c := newWorld(t).start()
	c.do(gm, "e", createCmd(server))
	for i := range 110 {
		add := addCmd(fmt.Sprintf("c%03d", i), 10)
		add.GetAdd().Sheet.Controllers = slices.Repeat([]string{""}, 20)
		for k := range 20 {
			add.GetAdd().Sheet.Controllers[k] = fmt.Sprintf("player-%d-with-a-name-of-some-length-to-fill-it", k)
		}
		c.do(gm, "e", add)
	}
	from := &encounterv1.Place{Number: 2} // where there is a creature, each further is a place of its own
	read := func(limit uint32) (all []*encounterv1.Change, pages int) {
		after := ""
		for {
			d, err := c.difference(&encounterv1.GetDifferenceRequest{From: from, After: after, Limit: limit})
			if err != nil {
				t.Fatal(err)
			}
			size := 0
			for i, x := range d.Changes {
				size += proto.Size(x)
				if i > 0 && x.Path <= d.Changes[i-1].Path {
					t.Errorf("%q after %q", x.Path, d.Changes[i-1].Path)
				}
			}
			want := int(limit)
			if limit == 0 {
				want = 100
			}
			if len(d.Changes) > want || size > 64<<10 && len(d.Changes) > 1 || d.More && len(d.Changes) == 0 {
				t.Fatalf("a page of %d, %d bytes", len(d.Changes), size)
			}
			all, pages = append(all, d.Changes...), pages+1
			if !d.More {
				return all, pages
			}
			after = d.Changes[len(d.Changes)-1].Path
		}
	}
	whole, pages := read(1000)
	if len(whole) < 109 || pages < 2 {
		t.Fatalf("%d changes on %d pages: nothing is bounded by bytes", len(whole), pages)
	}
	for _, limit := range []uint32{0, 1, 7, uint32(len(whole))} { //nolint:gosec // small
		got, pages := read(limit)
		if !slices.EqualFunc(got, whole, func(a, b *encounterv1.Change) bool { return proto.Equal(a, b) }) {
			t.Errorf("by %d: %d changes, want %d", limit, len(got), len(whole))
		}
		if limit == 1 && pages != len(whole) {
			t.Errorf("one by one: %d pages for %d changes", pages, len(whole))
		}
	}
	// As many as there are is no page with more behind it.
	one, err := c.difference(&encounterv1.GetDifferenceRequest{From: &encounterv1.Place{Number: 110}})
	if err != nil {
		t.Fatal(err)
	}
	exact, err := c.difference(&encounterv1.GetDifferenceRequest{From: &encounterv1.Place{Number: 110}, Limit: uint32(len(one.Changes))}) //nolint:gosec // small
	if err != nil || exact.More || !proto.Equal(exact, one) {
		t.Errorf("as many as there are: %v, %v", exact, err)
	}
	if d, err := c.difference(&encounterv1.GetDifferenceRequest{From: from, After: whole[len(whole)-1].Path}); err != nil || len(d.Changes) > 0 || d.More {
		t.Errorf("after the last: %v, %v", d, err)
	}
}
