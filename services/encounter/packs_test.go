package encounter_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/content/pack"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rpc"
	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// house is a pack whose one rule adds to every attack and every damage.
func house(name, version string, attack int) []byte {
	add := func(to string, n int) *contentv1.Effect {
		return &contentv1.Effect{What: &contentv1.Effect_Modifier{Modifier: &contentv1.Modifier{To: to, Amount: fmt.Sprint(n)}}}
	}
	data, err := pack.Marshal(&contentv1.Pack{Name: name, Version: version, System: "toy", Title: "Our table",
		Monsters: []*eventv1.Sheet{{Id: "goblin-king", Name: "Goblin King", Side: "monsters", HitPoints: 40,
			Section: &eventv1.Sheet_Rcr{Rcr: &eventv1.RcrSheet{}}}},
		Rules: []*contentv1.HouseRule{{Id: "fury", Title: "Fury", Text: "Everybody hits harder.", Effects: []*contentv1.Effect{add("attack", attack), add("damage", 100)}}}})
	if err != nil {
		panic(err)
	}
	return data
}

func (c *client) put(data []byte) *encounterv1.PackSummary {
	c.w.t.Helper()
	resp, err := c.PutPack(context.Background(), &encounterv1.PutPackRequest{As: gm, Pack: data})
	if err != nil {
		c.w.t.Fatal(err)
	}
	return resp.Pack
}

func createWith(packs ...string) *eventv1.Command {
	cmd := createCmd(eventv1.DicePolicy_DICE_POLICY_SUPPLIED)
	cmd.GetCreate().Packs = packs
	return cmd
}

// fightWith begins a fight with packs.
func (c *client) fightWith(id string, packs ...string) {
	c.w.t.Helper()
	c.do(gm, id, createWith(packs...))
	c.do(gm, id, addCmd("a", 1000, "ann"))
	c.do(gm, id, addCmd("b", 1000, "bob"))
	c.do(gm, id, &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
}

// blow is an attack with its faces: fate, to-hit, damage.
func blow(faces ...int32) *eventv1.Command {
	cmd := early(takeCmd("a", "attack", "b"), "parry", "no", "endure", "no")
	cmd.Faces = faces
	return cmd
}

// rolled is the total of the roll of a label in a step, and the rules behind it.
func rolled(s *encounterv1.Step, label string) (int32, []string) {
	for _, e := range s.GetEvents() {
		if r := e.GetRoll(); r != nil && strings.HasSuffix(r.Label, label) {
			var cited []string
			for _, m := range r.Modifiers {
				cited = append(cited, m.Rule)
			}
			return r.Total, cited
		}
	}
	return 0, nil
}

func (c *client) list(as *eventv1.Principal) []*encounterv1.PackSummary {
	c.w.t.Helper()
	resp, err := c.ListPacks(context.Background(), &encounterv1.ListPacksRequest{As: as})
	if err != nil {
		c.w.t.Fatal(err)
	}
	return resp.Packs
}

// A pack is put once, listed, read back as it was put, and found by its name: the
// newest counts.
func TestPutListGet(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	first := c.put(house("table", "1", 10))
	again, err := c.PutPack(t.Context(), &encounterv1.PutPackRequest{As: gm, Pack: house("table", "1", 10)})
	if err != nil || !again.Repeated || !proto.Equal(again.Pack, first) {
		t.Fatalf("put again: %v, %v", again, err)
	}
	second := c.put(house("table", "2", 20))
	if first.Digest == second.Digest || first.Digest != pack.Digest(house("table", "1", 10)) || first.By.GetRole() != gm.Role {
		t.Fatalf("%v and %v", first, second)
	}
	for _, as := range []*eventv1.Principal{gm, ann} {
		got := c.list(as)
		if len(got) != 2 || got[0].Version != "2" || !got[0].Newest || got[1].Newest || got[1].Name != "table" || got[1].System != "toy" {
			t.Errorf("listed %v", got)
		}
		for name, want := range map[string]*encounterv1.PackSummary{first.Digest: first, second.Digest: second, "table": second} {
			resp, err := c.GetPack(t.Context(), &encounterv1.GetPackRequest{As: as, Pack: name})
			if err != nil || resp.Summary.Digest != want.Digest || pack.Digest(resp.Pack) != want.Digest {
				t.Errorf("%s: %v, %v", name, resp.GetSummary(), err)
			}
		}
	}
	entries, err := c.ListContent(t.Context(), &encounterv1.ListContentRequest{As: ann, Packs: []string{"table"}})
	if err != nil || len(entries.Entries) != 2 || entries.Entries[0].Kind != "monster" || entries.Entries[0].Id != "goblin-king" ||
		entries.Entries[1].Rule != "house.table.fury" || entries.Entries[1].Pack != second.Digest {
		t.Errorf("content %v, %v", entries, err)
	}
	elsewhere, err := c.ListPacks(t.Context(), &encounterv1.ListPacksRequest{As: gm, Table: "other"})
	if err != nil || len(elsewhere.Packs) != 0 {
		t.Errorf("another table lists %v, %v", elsewhere, err)
	}
	if _, err := c.GetPack(t.Context(), &encounterv1.GetPackRequest{As: gm, Table: "other", Pack: first.Digest}); reason(err) != "UNKNOWN_PACK" {
		t.Errorf("another table reads it: %v", err)
	}
}

// messages counts the records of the log.
func (w *world) messages() uint64 {
	w.t.Helper()
	info, err := w.journal.Info(context.Background())
	if err != nil {
		w.t.Fatal(err)
	}
	return info.Messages
}

// What may not be put is refused, and nothing of it is appended.
func TestPutRefused(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	wrong := func(change func(*contentv1.Pack)) *encounterv1.PutPackRequest {
		p, err := pack.Unmarshal(house("table", "1", 1))
		if err != nil {
			t.Fatal(err)
		}
		change(p)
		data, err := pack.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		return &encounterv1.PutPackRequest{As: gm, Pack: data}
	}
	files := func(path, text string) *encounterv1.PutPackRequest {
		return &encounterv1.PutPackRequest{As: gm, Files: []*encounterv1.PackFile{{Path: path, Content: []byte(text)}}}
	}
	for name, tt := range map[string]struct {
		req  *encounterv1.PutPackRequest
		code codes.Code
		want string // reason, or field
	}{
		"a player":          {&encounterv1.PutPackRequest{As: ann, Pack: house("p", "1", 1)}, codes.PermissionDenied, "NOT_ALLOWED"},
		"a spectator":       {&encounterv1.PutPackRequest{As: spectator, Pack: house("p", "1", 1)}, codes.PermissionDenied, "NOT_ALLOWED"},
		"nobody":            {&encounterv1.PutPackRequest{Pack: house("p", "1", 1)}, codes.InvalidArgument, "as.role"},
		"nothing":           {&encounterv1.PutPackRequest{As: gm}, codes.InvalidArgument, "files"},
		"twice":             {&encounterv1.PutPackRequest{As: gm, Pack: house("p", "1", 1), Files: []*encounterv1.PackFile{{Path: "pack.yaml"}}}, codes.InvalidArgument, "pack"},
		"no pack":           {&encounterv1.PutPackRequest{As: gm, Pack: []byte{0xff, 0xfe}}, codes.InvalidArgument, "INVALID_PACK"},
		"too large":         {&encounterv1.PutPackRequest{As: gm, Pack: make([]byte, limits.PackBytes+1)}, codes.ResourceExhausted, "LIMIT"},
		"a path out of it":  {files("../pack.yaml", "name: x"), codes.InvalidArgument, "files[0].path"},
		"a bad table":       {&encounterv1.PutPackRequest{As: gm, Table: "a.b", Pack: house("p", "1", 1)}, codes.InvalidArgument, "table"},
		"another system":    {wrong(func(p *contentv1.Pack) { p.System = "chess" }), codes.InvalidArgument, "system"},
		"a bad name":        {wrong(func(p *contentv1.Pack) { p.Name = "Our Table" }), codes.InvalidArgument, "name"},
		"a bad amount":      {wrong(func(p *contentv1.Pack) { p.Rules[0].Effects[0].GetModifier().Amount = "1 +" }), codes.InvalidArgument, "rules[0].effects[0].modifier.amount"},
		"an unknown point":  {wrong(func(p *contentv1.Pack) { p.Rules[0].Effects[0].GetModifier().To = "atack" }), codes.InvalidArgument, "rules[0].effects[0].modifier.to"},
		"an unseen side":    {wrong(func(p *contentv1.Pack) { p.Monsters[0].Side = "__proto__" }), codes.InvalidArgument, "monsters[0].side"},
		"an unseen number":  {wrong(func(p *contentv1.Pack) { p.Monsters[0].Abilities = map[string]int32{"__proto__": 1} }), codes.InvalidArgument, "monsters[0].abilities"},
		"files without one": {files("weapons.yaml", "[]"), codes.InvalidArgument, "PACK_PROBLEMS"},
	} {
		t.Run(name, func(t *testing.T) {
			before := w.messages()
			_, err := c.PutPack(t.Context(), tt.req)
			if status.Code(err) != tt.code || tt.want != reason(err) && tt.want != field(err) {
				t.Errorf("%v (%s, %s)", err, reason(err), field(err))
			}
			if n := w.messages(); n != before {
				t.Errorf("%d records were appended", n-before)
			}
		})
	}
}

// Mistakes come back with file, line and field, in the answer of a check and in
// the details of a refusal.
func TestMistakesByLine(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	files := []*encounterv1.PackFile{{Path: "pack.yaml", Content: []byte("name: table\nsystem: toy\nversion: \"1\"\ntitel: x\n")}}
	check, err := c.CheckPack(t.Context(), &encounterv1.CheckPackRequest{As: gm, Files: files})
	if err != nil || len(check.Problems) == 0 || check.Count == 0 {
		t.Fatalf("check: %v, %v", check, err)
	}
	p := check.Problems[0]
	if p.File != "pack.yaml" || p.Line != 4 || !strings.Contains(p.Field+p.Text, "titel") {
		t.Errorf("problem %v", p)
	}
	_, err = c.PutPack(t.Context(), &encounterv1.PutPackRequest{As: gm, Files: files})
	var detail *encounterv1.PackProblems
	for _, d := range status.Convert(err).Details() {
		if found, ok := d.(*encounterv1.PackProblems); ok {
			detail = found
		}
	}
	if len(detail.GetProblems()) == 0 || !proto.Equal(detail.Problems[0], p) {
		t.Errorf("detail %v of %v", detail, err)
	}
	if f := rpc.FromStatus(err); f.Reason != "PACK_PROBLEMS" || f.Violations[0].Line != 4 {
		t.Errorf("fault %+v", f)
	}
	if _, err := c.CheckPack(t.Context(), &encounterv1.CheckPackRequest{As: ann, Files: files}); status.Code(err) != codes.PermissionDenied {
		t.Errorf("a player checks: %v", err)
	}
}

// An encounter is decided by the packs that it was created with: live, in its
// options, amended, after a restart and by a rebuilt projection, whatever comes
// under their names later.
func TestPinned(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	first := c.put(house("table", "1", 10))
	c.fightWith("e", "table")
	c.put(house("table", "2", 20))
	c.fightWith("later", "table")
	c.fightWith("plain")
	check := func(c *client, id string, attack int32, cited []string) {
		t.Helper()
		step := c.do(gm, id, blow(50, 7, 2)).Step
		if total, by := rolled(step, "to-hit"); total != 7+attack || !slices.Equal(by, cited) {
			t.Errorf("%s: to-hit %d by %v", id, total, by)
		}
		damage := int32(2)
		if len(cited) > 0 {
			damage += 100
		}
		if total, _ := rolled(step, "damage"); total != damage { // decided in the injury service
			t.Errorf("%s: damage %d", id, total)
		}
		options, err := c.GetOptions(t.Context(), &encounterv1.GetOptionsRequest{As: ann, Encounter: id, Creature: "a"})
		if err != nil || options.Options[0].Title != fmt.Sprintf("attack %+d", attack) {
			t.Errorf("%s: options %v, %v", id, options, err)
		}
	}
	fury := []string{"house.table.fury"}
	check(c, "e", 10, fury)
	check(c, "later", 20, fury)
	check(c, "plain", 0, nil)
	if got := c.state(ann, "e", 0).State.Packs; !slices.Equal(got, []string{first.Digest}) {
		t.Errorf("pinned %v", got)
	}
	history, err := c.GetHistory(t.Context(), &encounterv1.GetHistoryRequest{As: gm, Encounter: "e"})
	if err != nil {
		t.Fatal(err)
	}
	last := history.Steps[len(history.Steps)-1]
	why := c.explain(gm, "e", last.Number, "to-hit")
	if !slices.ContainsFunc(why, func(l *encounterv1.ExplainLine) bool { return l.Rule == fury[0] && l.RuleTitle == "Fury" }) {
		t.Errorf("explained %v", why)
	}
	am := &eventv1.Command{What: &eventv1.Command_Amend{Amend: &eventv1.AmendCommand{Version: last.Number, Reason: "a better blow",
		Rolls: []*eventv1.FixedRoll{{Label: "to-hit", Faces: []int32{15}}}}}}
	preview, err := c.PreviewRuling(t.Context(), &encounterv1.PreviewRulingRequest{As: gm, Encounter: "e", Command: am})
	if err != nil || preview.State.Creatures["a"].Counters["score"] != 25 {
		t.Fatalf("preview %v, %v", preview, err)
	}
	c.do(gm, "e", am)
	if score := c.state(gm, "e", 0).State.Creatures["a"].Counters["score"]; score != 25 {
		t.Errorf("amended to %d", score)
	}

	before, err := c.svc.ContentHash()
	if err != nil {
		t.Fatal(err)
	}
	c.stop()
	c = w.start()
	check(c, "e", 10, fury)
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Revert{Revert: &eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Last{Last: true}}}})
	check(c, "e", 10, fury)
	fresh := w.replica(t.TempDir(), w.log) // folds everything anew
	check(fresh, "e", 10, fury)
	check(fresh, "later", 20, fury)
	if got := fresh.list(gm); len(got) != 2 || got[1].Digest != first.Digest {
		t.Errorf("a rebuilt projection lists %v", got)
	}
	if len(before) == 0 {
		t.Error("no content hash")
	}
}

// explain finds the explanation of a roll in a step.
func (c *client) explain(as *eventv1.Principal, id string, number uint64, label string) []*encounterv1.ExplainLine {
	c.w.t.Helper()
	for i := range uint32(50) {
		resp, err := c.Explain(context.Background(), &encounterv1.ExplainRequest{As: as, Encounter: id, Number: number, Event: i})
		if err != nil {
			c.w.t.Fatal(err)
		}
		if strings.HasSuffix(resp.Event.GetRoll().GetLabel(), label) {
			return resp.Lines
		}
	}
	return nil
}

// What an encounter names must be there, once, and of its system.
func TestPinRefused(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	known := c.put(house("table", "1", 10))
	many := make([]string, limits.Packs+1)
	for name, tt := range map[string]struct {
		packs []string
		want  string
	}{
		"unknown digest": {[]string{known.Digest, strings.Repeat("0", 64)}, "command.create.packs[1]"},
		"unknown name":   {[]string{"tabel"}, "command.create.packs[0]"},
		"twice":          {[]string{"table", known.Digest}, "command.create.packs[1]"},
		"too many":       {many, "LIMIT"},
	} {
		before := w.messages()
		_, err := c.try(gm, "e", createWith(tt.packs...))
		if tt.want != field(err) && tt.want != reason(err) {
			t.Errorf("%s: %v", name, err)
		}
		if name == "unknown name" && !strings.Contains(err.Error(), "table") {
			t.Errorf("no hint in %v", err)
		}
		if n := w.messages(); n != before {
			t.Errorf("%s: %d records were appended", name, n-before)
		}
	}
	if _, err := c.Execute(t.Context(), &encounterv1.ExecuteRequest{RequestId: "x", As: gm, Encounter: "e", Table: "other", Command: createWith(known.Digest)}); field(err) != "command.create.packs[0]" {
		t.Errorf("another table pins it: %v", err)
	}
}

// Monsters of the packs come by name; what the sheet says stands.
func TestMonsterByName(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	c.put(house("table", "1", 10))
	c.fightWith("e", "table")
	use := func(id, monster string) *eventv1.Command {
		return &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: &eventv1.Sheet{Id: id, Use: monster, HitPoints: 12}}}}
	}
	c.do(gm, "e", use("king", "goblin-king"))
	if got := c.state(gm, "e", 0).State.Creatures["king"]; got.GetName() != "Goblin King" || got.GetHp() != 12 || got.GetSide() != "monsters" {
		t.Errorf("came as %v", got)
	}
	if _, err := c.try(gm, "e", use("x", "goblin-kin")); field(err) != "sheet.use" || !strings.Contains(err.Error(), "goblin-king") {
		t.Errorf("unknown monster: %v", err)
	}
}

// A command that is repeated, and two that race for one id, pin once.
func TestCreateRepeated(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	first := c.put(house("table", "1", 10))
	req := &encounterv1.ExecuteRequest{RequestId: "once", As: gm, Encounter: "e", Command: createWith("table")}
	if _, err := c.Execute(t.Context(), proto.CloneOf(req)); err != nil {
		t.Fatal(err)
	}
	c.put(house("table", "2", 20))
	resp, err := c.Execute(t.Context(), proto.CloneOf(req))
	if err != nil || !resp.Repeated {
		t.Fatalf("repeated: %v, %v", resp, err)
	}
	if got := c.state(gm, "e", 0).State.Packs; !slices.Equal(got, []string{first.Digest}) {
		t.Errorf("pinned %v", got)
	}
}

// Two servers put the same pack at once, and each uses what the other put.
func TestTwoServersShareAShelf(t *testing.T) {
	w := newWorld(t)
	a, b := w.start(), w.replica(t.TempDir(), w.log)
	type put struct {
		resp *encounterv1.PutPackResponse
		err  error
	}
	results := make(chan put, 2)
	for _, c := range []*client{a, b} {
		go func() {
			resp, err := c.PutPack(context.Background(), &encounterv1.PutPackRequest{As: gm, Pack: house("table", "1", 10)})
			results <- put{resp, err}
		}()
	}
	repeated := 0
	for range 2 {
		r := <-results
		if r.err != nil {
			t.Fatal(r.err)
		}
		if r.resp.Repeated {
			repeated++
		}
	}
	// The same bytes at the same moment are one record: the log may take both for one
	// message, and then neither is told that it was there.
	if repeated > 1 {
		t.Errorf("%d of two puts were repeated", repeated)
	}
	for _, c := range []*client{a, b} {
		list, err := c.ListPacks(context.Background(), &encounterv1.ListPacksRequest{As: gm})
		if err != nil || len(list.Packs) != 1 {
			t.Errorf("%d packs are listed (%v), want one", len(list.GetPacks()), err)
		}
	}
	for i := range 5 { // the name is found on the other server at once
		put := a.put(house("table", fmt.Sprint(2+i), 11+i))
		b.do(gm, fmt.Sprintf("e%d", i), createWith("table"))
		if got := a.state(gm, fmt.Sprintf("e%d", i), 0).State.Packs; !slices.Equal(got, []string{put.Digest}) {
			t.Errorf("pinned %v, want %s", got, put.Digest)
		}
	}
}

// Packs that the server offers are every table's: the first encounter that names
// one puts it into the table's log, where it stays when the server offers another.
func TestOffered(t *testing.T) {
	w := newWorld(t)
	w.packs = [][]byte{house("srd", "1", 10)}
	c := w.start()
	if got := c.list(gm); len(got) != 1 || !got[0].Base || !got[0].Newest || got[0].UnixMillis != 0 {
		t.Fatalf("offered %v", got)
	}
	if resp, err := c.GetPack(t.Context(), &encounterv1.GetPackRequest{As: ann, Pack: "srd"}); err != nil || pack.Digest(resp.Pack) != resp.Summary.Digest {
		t.Errorf("offered and read as %v, %v", resp, err)
	}
	before := w.messages()
	c.fightWith("e", "srd")
	old := c.list(gm)[0]
	if old.UnixMillis == 0 || w.messages() <= before {
		t.Errorf("not kept: %v", old)
	}
	c.stop()
	w.packs = [][]byte{house("srd", "2", 20)}
	c = w.start()
	c.fightWith("f", "srd")
	for id, want := range map[string]int32{"e": 17, "f": 27} {
		if total, _ := rolled(c.do(gm, id, blow(50, 7, 2)).Step, "to-hit"); total != want {
			t.Errorf("%s: %d, want %d", id, total, want)
		}
	}
	c.stop()
	w.packs = [][]byte{house("srd", "3", 25), house("srd", "2", 20)} // of one name the last counts, kept or not
	c = w.start()
	c.do(gm, "h", createWith("srd"))
	if got := c.state(gm, "h", 0).State.Packs; !slices.Equal(got, []string{pack.Digest(house("srd", "2", 20))}) {
		t.Errorf("pinned %v", got)
	}
	c.stop()
	w.packs = nil
	c = w.start()
	if total, _ := rolled(c.do(gm, "f", &eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: "a"}}}).Step, "to-hit"); total != 0 {
		t.Error("no turn")
	}
	own := c.put(house("srd", "own", 30))
	c.fightWith("g", "srd")
	if got := c.state(gm, "g", 0).State.Packs; !slices.Equal(got, []string{own.Digest}) {
		t.Errorf("the table's own does not come first: %v", got)
	}
}

// A sheet is checked as an encounter with the packs would take it, and nothing is
// kept.
func TestCheckSheetWithPacks(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	c.put(house("table", "1", 10))
	check := func(as *eventv1.Principal, monster string, packs ...string) (*encounterv1.CheckSheetResponse, error) {
		return c.ContentServiceClient.CheckSheet(t.Context(), &encounterv1.CheckSheetRequest{As: as, System: "toy", Packs: packs,
			Sheet: &eventv1.Sheet{Id: "king", Use: monster}})
	}
	for _, as := range []*eventv1.Principal{gm, ann} {
		resp, err := check(as, "goblin-king", "table")
		if err != nil || len(resp.Problems) != 0 || resp.Sheet.GetName() != "Goblin King" {
			t.Errorf("checked as %v, %v", resp, err)
		}
	}
	resp, err := check(gm, "goblin-kin", "table")
	if err != nil || len(resp.Problems) == 0 || resp.Problems[0].Field != "sheet.use" || !strings.Contains(resp.Problems[0].Text, "goblin-king") || resp.Sheet != nil {
		t.Errorf("unknown monster: %v, %v", resp, err)
	}
	if _, err := check(gm, "goblin-king"); field(err) != "packs" {
		t.Errorf("without a pack: %v", err)
	}
	if _, err := check(gm, "goblin-king", "tabel"); reason(err) != "UNKNOWN_PACK" {
		t.Errorf("unknown pack: %v", err)
	}
	if _, err := check(spectator, "goblin-king", "table"); reason(err) != "NOT_ALLOWED" {
		t.Errorf("a spectator: %v", err)
	}
	if _, err := c.ContentServiceClient.CheckSheet(t.Context(), &encounterv1.CheckSheetRequest{As: gm, System: "toy", Packs: []string{"table"}}); field(err) != "sheet" {
		t.Errorf("no sheet: %v", err)
	}
}

// The odds that the game master is shown of a claim are those by the packs.
func TestClaimOddsByPacks(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	c.put(house("table", "1", 4))
	cmd := createCmd(either)
	cmd.GetCreate().Packs = []string{"table"}
	c.do(gm, "e", cmd)
	c.do(gm, "e", addCmd("a", 1000, "ann"))
	c.do(gm, "e", addCmd("b", 1000, "bob"))
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
	c.do(ann, "e", fact(t, takeCmd("a", "attack", "b"), "high", true))
	want := []*eventv1.ClaimOdds{ // 7 and more of 1d20, with the 4 of the pack; of the better of two 1 - 6/20 * 6/20
		{Label: "to-hit", Creature: "a", Outcome: "failure", Without: "3/10", With: "9/100"},
		{Label: "to-hit", Creature: "a", Outcome: "success", Without: "7/10", With: "91/100"}}
	for _, d := range c.state(gm, "e", 0).State.Decisions {
		if !slices.EqualFunc(d.Odds, want, func(a, b *eventv1.ClaimOdds) bool { return proto.Equal(a, b) }) {
			t.Errorf("odds %v", d.Odds)
		}
		return
	}
	t.Error("nothing is asked")
}
