package encounter_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/pack"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rules"
	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// chess is another system beside the toy.
type chess struct{ toy }

func (chess) Info() rules.Info { return rules.Info{ID: "chess", Title: "Chess", Version: "1"} }

// of is a pack of a system.
func of(system, name, version string) []byte {
	p, err := pack.Unmarshal(house(name, version, 1))
	if err != nil {
		panic(err)
	}
	p.System = system
	data, err := pack.Marshal(p)
	if err != nil {
		panic(err)
	}
	return data
}

// two is a world with two systems.
func twoSystems(t *testing.T) *world {
	w := newWorld(t)
	var err error
	if w.systems, err = rules.NewRegistry(toy{}, chess{}); err != nil {
		t.Fatal(err)
	}
	return w
}

// A name stands for the newest pack of the name and the system: what is put for one system
// is neither pinned, checked nor called the newest for another.
func TestPacksOfOneNameForTwoSystems(t *testing.T) {
	w := twoSystems(t)
	c := w.start()
	for _, x := range []string{"toy 1", "chess 1", "toy 2", "chess 2", "chess 3"} {
		system, version, _ := strings.Cut(x, " ")
		c.put(of(system, "table", version))
	}
	c.put(of("chess", "board", "1"))
	list := func(system string) (out []string) {
		resp, err := c.ListPacks(t.Context(), &encounterv1.ListPacksRequest{As: gm, System: system})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range resp.Packs {
			out = append(out, fmt.Sprintf("%s %s %s %v", p.Name, p.System, p.Version, p.Newest))
		}
		return out
	}
	board, ofChess, ofToy := "board chess 1 true", []string{"table chess 3 true", "table chess 2 false", "table chess 1 false"}, []string{"table toy 2 true", "table toy 1 false"}
	for system, want := range map[string][]string{"": slices.Concat([]string{board}, ofChess, ofToy), "toy": ofToy, "chess": append([]string{board}, ofChess...), "go": nil} {
		if got := list(system); !slices.Equal(got, want) {
			t.Errorf("of %q are listed %q, want %q", system, got, want)
		}
	}
	for system, want := range map[string]string{"toy": "2", "chess": "3"} {
		cmd := createWith("table")
		cmd.GetCreate().System = system
		c.do(gm, system, cmd)
		if got := c.state(gm, system, 0).State.Packs; !slices.Equal(got, []string{pack.Digest(of(system, "table", want))}) {
			t.Errorf("%s pins %v", system, got)
		}
		resp, err := c.ContentServiceClient.CheckSheet(t.Context(), &encounterv1.CheckSheetRequest{As: gm, System: system, Packs: []string{"table"}, Sheet: &eventv1.Sheet{Id: "king", Use: "goblin-king"}})
		if err != nil || len(resp.Problems) > 0 || resp.Sheet.GetName() != "Goblin King" {
			t.Errorf("%s checks %v, %v", system, resp, err)
		}
	}
	// Where no system is named, the newest of all.
	for _, put := range []string{"toy 4", "chess 5"} {
		system, version, _ := strings.Cut(put, " ")
		summary := c.put(of(system, "table", version))
		if got, err := c.GetPack(t.Context(), &encounterv1.GetPackRequest{As: gm, Pack: "table"}); err != nil || got.Summary.UnixMillis < summary.UnixMillis {
			t.Errorf("of the name comes %v, %v; put was %v", got.GetSummary(), err, summary)
		}
	}
}

// What is for another system is refused, by digest and by name, whether the table has it or
// the server offers it; nothing is appended.
func TestAPackOfAnotherSystem(t *testing.T) {
	w := twoSystems(t)
	w.packs = [][]byte{of("chess", "offered", "1"), of("toy", "offered-too", "1")}
	c := w.start()
	c.put(of("chess", "board", "1"))
	c.put(of("toy", "boards", "1"))
	for name, x := range map[string]struct{ pack, says string }{
		"by name":            {"board", `the table has no pack "board" for toy, did you mean boards?`},
		"by digest":          {pack.Digest(of("chess", "board", "1")), `pack "board" is for the system chess, not toy`},
		"offered, by name":   {"offered", `the table has no pack "offered" for toy`},
		"offered, by digest": {pack.Digest(of("chess", "offered", "1")), `pack "offered" is for the system chess, not toy`},
		"of no name":         {"castle", `the table has no pack "castle" for toy`},
	} {
		before := w.messages()
		_, err := c.try(gm, "e", createWith("boards", x.pack))
		if field(err) != "command.create.packs[1]" || !strings.Contains(err.Error(), x.says) {
			t.Errorf("%s: %v, want %q", name, err, x.says)
		}
		if n := w.messages(); n != before {
			t.Errorf("%s: %d records were appended", name, n-before)
		}
		_, err = c.ContentServiceClient.CheckSheet(t.Context(), &encounterv1.CheckSheetRequest{As: gm, System: "toy", Packs: []string{"boards", x.pack}, Sheet: &eventv1.Sheet{Id: "king", Use: "goblin-king"}})
		if name == "of no name" {
			if reason(err) != "UNKNOWN_PACK" {
				t.Errorf("%s checked: %v", name, err)
			}
		} else if field(err) != "packs[1]" || !strings.Contains(err.Error(), "is for the system chess, not toy") {
			t.Errorf("%s checked: %v", name, err)
		}
	}
	// What is offered for the system is pinned by its digest as well.
	for i, name := range []string{"offered-too", pack.Digest(of("toy", "offered-too", "1"))} {
		c.do(gm, fmt.Sprint("e", i), createWith("boards", name))
	}
}

// As many packs as may be are pinned and checked by, and not one more.
func TestHowManyPacks(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	var names []string
	for i := range limits.Packs + 1 {
		p := &contentv1.Pack{Name: fmt.Sprintf("p%d", i), Version: "1", System: "toy", Title: "One of many",
			Monsters: []*eventv1.Sheet{{Id: fmt.Sprintf("m%d", i), Name: "M", Side: "m", HitPoints: 5, Section: &eventv1.Sheet_Rcr{Rcr: &eventv1.RcrSheet{}}}}}
		data, err := pack.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, c.put(data).Name)
	}
	check := func(names []string) error {
		_, err := c.ContentServiceClient.CheckSheet(t.Context(), &encounterv1.CheckSheetRequest{As: gm, System: "toy", Packs: names, Sheet: &eventv1.Sheet{Id: "x", Use: "m0"}})
		return err
	}
	listed := func(names []string) error {
		_, err := c.ListContent(t.Context(), &encounterv1.ListContentRequest{As: gm, Packs: names})
		return err
	}
	if err := check(names[1:]); err != nil {
		t.Errorf("checked by as many as may be: %v", err)
	}
	if err := listed(names[1:]); err != nil {
		t.Errorf("listed of as many as may be: %v", err)
	}
	for what, err := range map[string]error{"checked by": check(names), "listed of": listed(names)} {
		if reason(err) != "LIMIT" {
			t.Errorf("%s one more: %v", what, err)
		}
	}
	if _, err := c.try(gm, "e", createWith(names...)); reason(err) != "LIMIT" {
		t.Errorf("pinned one more: %v", err)
	}
	c.do(gm, "e", createWith(names[1:]...))
}

// A check says what the pack is, with the digest that it would have; with mistakes there is
// no digest, all are counted, and as many as may be are listed.
func TestWhatACheckSays(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	check := func(req *encounterv1.CheckPackRequest) *encounterv1.CheckPackResponse {
		req.As = gm
		resp, err := c.CheckPack(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		return resp
	}
	before := w.messages()
	whole := house("table", "1", 10)
	if got := check(&encounterv1.CheckPackRequest{Pack: whole}); got.Count != 0 || len(got.Problems) > 0 || got.Pack.GetDigest() != pack.Digest(whole) ||
		int(got.Pack.GetBytes()) != len(whole) || got.Pack.GetName() != "table" {
		t.Errorf("a pack: %v", got)
	}
	file := func(path, text string) *encounterv1.PackFile {
		return &encounterv1.PackFile{Path: path, Content: []byte(text)}
	}
	main := file("pack.yaml", "name: table\nsystem: toy\nversion: \"1\"\ntitle: Ours\n")
	got := check(&encounterv1.CheckPackRequest{Files: []*encounterv1.PackFile{main}})
	put, err := c.PutPack(t.Context(), &encounterv1.PutPackRequest{As: gm, Files: []*encounterv1.PackFile{main}})
	if err != nil || got.Count != 0 || got.Pack.GetDigest() != put.Pack.Digest || got.Pack.GetBytes() != put.Pack.Bytes || put.Pack.Bytes == 0 {
		t.Errorf("files: %v; put they are %v, %v", got, put, err)
	}
	if n := w.messages(); n != before+1 {
		t.Errorf("checking appended %d records", n-before-1)
	}
	wrong := func(n int) (text string) {
		for i := range n {
			text += fmt.Sprintf("- {id: r%d, title: R, text: T, effects: [{modifier: {to: nowhere, amount: \"1\"}}]}\n", i)
		}
		return text
	}
	for _, n := range []int{1, limits.PackProblems, limits.PackProblems + 5} {
		got := check(&encounterv1.CheckPackRequest{Files: []*encounterv1.PackFile{main, file("rules.yaml", wrong(n))}})
		if int(got.Count) != n || len(got.Problems) != min(n, limits.PackProblems) || got.Pack.GetName() != "table" || got.Pack.GetDigest() != "" || got.Pack.GetBytes() != 0 {
			t.Errorf("%d mistakes: counted %d, listed %d, %v", n, got.Count, len(got.Problems), got.Pack)
		}
	}
	// A pack as bytes with a mistake has no digest either.
	p, err := pack.Unmarshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	p.Rules[0].Effects[0].GetModifier().To = "nowhere"
	bad, err := pack.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	if got := check(&encounterv1.CheckPackRequest{Pack: bad}); got.Count != 1 || got.Pack.GetDigest() != "" || got.Pack.GetBytes() != 0 {
		t.Errorf("a pack with a mistake: %v", got)
	}
	// What is no pack at all is not described.
	if got := check(&encounterv1.CheckPackRequest{Files: []*encounterv1.PackFile{file("pack.yaml", "[]")}}); got.Count == 0 || got.Pack.GetName() != "" {
		t.Errorf("no pack: %v", got)
	}
	for _, problem := range check(&encounterv1.CheckPackRequest{Pack: of("go", "table", "1")}).Problems {
		if problem.File != "pack.yaml" || problem.Field != "system" {
			t.Errorf("for a system that is not there: %v", problem)
		}
	}
}
