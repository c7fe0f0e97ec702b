package encounter_test

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/systems"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func (c *client) next(as *eventv1.Principal, id string) []*encounterv1.Waiting {
	c.w.t.Helper()
	resp, err := c.GetNext(c.w.t.Context(), &encounterv1.GetNextRequest{As: as, Encounter: id})
	if err != nil {
		c.w.t.Fatal(err)
	}
	return resp.Waiting
}

// one is the only thing that is waited for.
func (c *client) one(as *eventv1.Principal, id string, kind encounterv1.Waiting_Kind) *encounterv1.Waiting {
	c.w.t.Helper()
	got := c.next(as, id)
	if len(got) != 1 || got[0].Kind != kind {
		c.w.t.Fatalf("%s waits for %v, want one %v", as.GetName(), got, kind)
	}
	return got[0]
}

// What is waited for is said to each as far as it may know.
func TestNext(t *testing.T) {
	c := newWorld(t).start()
	create := createCmd(either)
	create.GetCreate().DecisionSeconds = 3600
	c.do(gm, "e", create)
	c.do(gm, "e", addCmd("a", 1000, "ann"))
	c.do(gm, "e", addCmd("b", 1000, "bob"))
	for _, as := range []*eventv1.Principal{gm, ann, spectator} {
		if w := c.one(as, "e", encounterv1.Waiting_KIND_START); !w.GameMaster || w.Yours != (as == gm) || w.SinceUnixMillis == 0 {
			t.Errorf("before the start %v", w)
		}
	}
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
	for _, as := range []*eventv1.Principal{gm, ann, bob, spectator} {
		w := c.one(as, "e", encounterv1.Waiting_KIND_ACT)
		if !slices.Equal(w.Creatures, []string{"a"}) || !slices.Equal(w.Players, []string{"ann"}) || w.GameMaster || w.Yours != (as == gm || as == ann) {
			t.Errorf("at the first turn %v", w)
		}
	}
	if resp, err := c.GetNext(t.Context(), &encounterv1.GetNextRequest{As: bob, Encounter: "e"}); err != nil || !slices.Equal(resp.DiceOrder, []string{"a", "b"}) {
		t.Errorf("dice come in the order of %v, %v", resp.GetDiceOrder(), err)
	}
	cmd := takeCmd("a", "attack", "b")
	cmd.Faces = []int32{19}
	c.do(ann, "e", cmd)
	for _, as := range []*eventv1.Principal{gm, bob} {
		w := c.one(as, "e", encounterv1.Waiting_KIND_DECISION)
		if w.Decision.GetName() != "parry" || !w.Yours || !slices.Equal(w.Players, []string{"bob"}) || !strings.HasPrefix(w.ByDefault, "No, at 2") || w.Decision.DeadlineUnixMillis == 0 {
			t.Errorf("while it waits %v", w)
		}
		if (w.Action != nil) != (as == gm) { // bob answers, but it is not his
			t.Errorf("%s is told that %v waits", as.Name, w.Action)
		}
	}
	for _, as := range []*eventv1.Principal{ann, spectator} {
		if w := c.one(as, "e", encounterv1.Waiting_KIND_UNSEEN); len(w.Creatures) != 0 || len(w.Players) != 0 || w.Decision != nil || w.Yours {
			t.Errorf("who may not see it is told %v", w)
		} else if a := w.Action; (a != nil) != (as == ann) || as == ann && (a.Creature != "a" || a.Action != "attack" || !slices.Equal(a.Targets, []string{"b"})) {
			t.Errorf("%s is told that %v waits", as.Name, a)
		}
	}
	for id := range c.state(bob, "e", 0).State.Decisions {
		c.do(bob, "e", early(answerCmd(id, "no"), "endure", "no"))
	}
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	if got := c.next(gm, "e"); len(got) != 0 {
		t.Errorf("after the end %v", got)
	}
}

// Whoever acted is told that the own action waits, and nothing of whom or what it waits
// for: two worlds that differ in nothing else look alike.
func TestNextOfOnesOwnAction(t *testing.T) {
	c := newWorld(t).start()
	var told []*encounterv1.Waiting
	var refused []string
	for id, player := range map[string]string{"e": "bob", "f": ""} {
		c.do(gm, id, createCmd(either))
		c.do(gm, id, addCmd("a", 1000, "ann"))
		if player == "" {
			c.do(gm, id, addCmd("b", 1000))
		} else {
			c.do(gm, id, addCmd("b", 1000, player))
		}
		c.do(gm, id, &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
		cmd := takeCmd("a", "attack", "b")
		cmd.Faces = []int32{19}
		c.do(ann, id, cmd)
		w := c.one(ann, id, encounterv1.Waiting_KIND_UNSEEN)
		w.SinceUnixMillis = 0
		told = append(told, w)
		_, err := c.try(ann, id, takeCmd("a", "attack", "b"))
		refused = append(refused, err.Error())
	}
	if !proto.Equal(told[0], told[1]) || told[0].Action.GetAction() != "attack" {
		t.Errorf("one is told %v, the other %v", told[0], told[1])
	}
	if refused[0] != refused[1] || !strings.Contains(refused[0], "what you did last waits for a decision that is not yours") {
		t.Errorf("one is refused with %q, the other with %q", refused[0], refused[1])
	}
}

// What would settle a decision from now on, and what its default would be, is said to
// those who may answer it.
func TestNextSaysWhatWouldSettleIt(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", either)
	cmd := takeCmd("a", "attack", "b")
	cmd.Faces = []int32{60, 19}
	c.do(gm, "e", cmd)
	for _, as := range []*eventv1.Principal{gm, bob} {
		w := c.one(as, "e", encounterv1.Waiting_KIND_DECISION)
		if w.Otherwise != "No" || w.Alike != 0 {
			t.Errorf("%s: otherwise %q, alike %d", as.Name, w.Otherwise, w.Alike)
		}
		if o := w.Order; o.GetDecision() != "parry" || !slices.Equal(o.GetOrders(), []string{"ask", "default", "yes", "no"}) || o.GetNow() != "" {
			t.Errorf("%s: %v", as.Name, o)
		}
	}
	if w := c.one(ann, "e", encounterv1.Waiting_KIND_UNSEEN); w.Otherwise != "" || w.Order != nil {
		t.Errorf("who may not see it is told %v", w)
	}
}

// Orders for monsters are the game master's, are told to nobody else, hold for nobody
// who is played, and go with an undo.
func TestOrdersForMonsters(t *testing.T) {
	c := newWorld(t).start()
	c.do(gm, "e", createCmd(supplied))
	c.do(gm, "e", addCmd("a", 1000, "ann"))
	c.do(gm, "e", addCmd("b", 1000))
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
	order := &eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Monsters: true, Decision: "parry", Order: "no", When: "self.hp > 10"}}}
	c.refused(ann, "e", "NOT_ALLOWED", order)
	c.do(gm, "e", order)
	for _, as := range []*eventv1.Principal{ann, spectator} {
		if s := c.state(as, "e", 0).State; len(s.Orders) != 0 {
			t.Errorf("%s sees %v", as.Name, s.Orders)
		}
	}
	asked := func(by, on string) bool {
		cmd := takeCmd(by, "attack", on)
		cmd.Faces = []int32{60, 19, 1} // fate, to-hit, damage
		c.do(gm, "e", early(cmd, "endure", "no"))
		return len(c.state(gm, "e", 0).State.Decisions) > 0
	}
	if asked("a", "b") {
		t.Error("the order does not settle it")
	}
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{}}})
	if !asked("b", "a") {
		t.Error("it settles what is a player's")
	}
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Revert{Revert: &eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Version{Version: 4}}}})
	if s := c.state(gm, "e", 0).State; len(s.Orders) != 0 {
		t.Errorf("put back to before it, there is %v", s.Orders)
	}
	if !asked("a", "b") {
		t.Error("it settles what came before it")
	}
}

// Where nobody has the turn and each is to say what it means to do, those are waited for
// who have not: to each caller as far as it knows of them.
func TestNextBeforeAnybodysTurn(t *testing.T) {
	w := newWorld(t)
	w.systems = systems.Registry()
	c := w.start()
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{System: "basic"}}})
	for i, id := range []string{"a", "b", "c"} {
		sheet, err := sheets.Get("basic", "spearwife")
		if err != nil {
			t.Fatal(err)
		}
		sheet.Id, sheet.Name, sheet.Side, sheet.Controllers = id, id, id, nil
		if id != "c" {
			sheet.Controllers = []string{map[string]string{"a": "ann", "b": "bob"}[id]}
		}
		add := &eventv1.AddCreature{Sheet: sheet, Position: &eventv1.Position{X: int32(5 * i)}, Staged: id == "c"} //nolint:gosec // small
		c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Add{Add: add}})
	}
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
	want := func(as *eventv1.Principal, ids ...string) {
		t.Helper()
		var got []string
		for _, w := range c.next(as, "e") {
			got = append(got, w.Creatures...)
			own := len(w.Players) == 1 && w.Players[0] == as.Name && as.Name != ""
			if w.Kind != encounterv1.Waiting_KIND_ACT || w.GameMaster != (len(w.Players) == 0) || w.Yours != (own || as == gm) {
				t.Errorf("%v is told %v", as, w)
			}
		}
		if !slices.Equal(got, ids) {
			t.Errorf("%v is told of %v, want %v", as, got, ids)
		}
	}
	declare := func(as *eventv1.Principal, id string) {
		t.Helper()
		c.do(as, "e", &eventv1.Command{What: &eventv1.Command_Take{Take: &eventv1.TakeAction{Creature: id, Action: "declare", Item: "move"}}})
	}
	want(gm, "a", "b", "c")
	for _, as := range []*eventv1.Principal{ann, bob, spectator} {
		want(as, "a", "b")
	}
	declare(ann, "a")
	want(gm, "b", "c")
	for _, as := range []*eventv1.Principal{ann, bob, spectator} {
		want(as, "b")
	}
	declare(bob, "b")
	want(gm, "c") // of whom the others do not know
	for _, as := range []*eventv1.Principal{ann, bob, spectator} {
		if w := c.one(as, "e", encounterv1.Waiting_KIND_UNSEEN); w.Yours || len(w.Creatures) > 0 {
			t.Errorf("%v is told %v", as, w)
		}
	}
	declare(gm, "c")
	// Now somebody acts, as the dice of initiative have it: one who is unseen is not named.
	acting := func(as *eventv1.Principal) (ids []string) {
		for _, w := range c.next(as, "e") {
			if w.Kind == encounterv1.Waiting_KIND_ACT {
				ids = append(ids, w.Creatures...)
			}
		}
		return ids
	}
	seen := slices.DeleteFunc(acting(gm), func(id string) bool { return id == "c" })
	if got := acting(ann); len(acting(gm)) == 0 || !slices.Equal(got, seen) {
		t.Errorf("when all have declared and %v act, ann is told of %v", acting(gm), got)
	}
	if len(seen) == 0 {
		c.one(ann, "e", encounterv1.Waiting_KIND_UNSEEN)
	}
}
