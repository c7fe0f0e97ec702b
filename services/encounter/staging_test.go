package encounter_test

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func stagedCmd(id, name string, knownTo ...string) *eventv1.Command {
	cmd := addCmd(id, 500)
	add := cmd.GetAdd()
	add.Sheet.Name, add.Staged, add.KnownTo = name, true, knownTo
	add.Position = &eventv1.Position{X: 5}
	return cmd
}

func revealCmd(id string, to ...string) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Reveal{Reveal: &eventv1.RevealCreature{Creature: id, To: to}}}
}

// everything is all that a viewer can read of an encounter, as text.
func (c *client) everything(as *eventv1.Principal, id string) string {
	c.w.t.Helper()
	var b strings.Builder
	say := func(m proto.Message) {
		text, err := protojson.Marshal(m)
		if err != nil {
			c.w.t.Fatal(err)
		}
		b.Write(text)
		b.WriteByte('\n')
	}
	say(c.state(as, id, 0))
	for _, e := range c.steps(as, id, 0) {
		say(e)
	}
	if o, err := c.GetOptions(c.w.t.Context(), &encounterv1.GetOptionsRequest{As: as, Encounter: id}); err == nil {
		say(o)
	}
	return b.String()
}

// An ambush: nothing of a staged creature is told to anybody who is not to know,
// whatever it and others do; once revealed it is there as it is by then.
func TestAnAmbush(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	before := map[string]uint64{}
	viewers := map[string]*eventv1.Principal{"ann": ann, "bob": bob, "spectator": spectator}
	for name, v := range viewers {
		before[name] = c.state(v, "e", 0).Number
	}
	c.do(gm, "e", stagedCmd("zlurker", "Zigzag"))
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "zlurker", Position: &eventv1.Position{X: 40},
		Vitals: &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: "hidden"}}, Counters: map[string]int64{"arrows": 7}}}}})
	for name, v := range viewers {
		if n := c.state(v, "e", 0).Number; n != before[name] {
			t.Errorf("%s counts %d steps, %d before", name, n, before[name])
		}
		if text := c.everything(v, "e"); strings.Contains(text, "zlurker") || strings.Contains(text, "Zigzag") {
			t.Errorf("%s is told: %s", name, text)
		}
	}
	// It is as if it were not there, for those who do not know.
	nobody := c.refused(ann, "e", "UNKNOWN_CREATURE", takeCmd("a", "attack", "znobody"))
	staged := c.refused(ann, "e", "UNKNOWN_CREATURE", takeCmd("a", "attack", "zlurker"))
	if strings.ReplaceAll(nobody.Error(), "znobody", "zlurker") != staged.Error() {
		t.Errorf("%v\n%v", nobody, staged)
	}
	c.refused(ann, "e", "UNKNOWN_CREATURE", takeCmd("zlurker", "attack", "a"))
	c.refused(ann, "e", "NOT_ALLOWED", revealCmd("zlurker"))
	c.refused(gm, "e", "NOT_STAGED", revealCmd("a"))
	// Its turn and its blow from ambush: the victim learns what happens to it alone.
	end := func(id string) {
		c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: id}}})
	}
	end("a")
	end("b")
	if active := c.state(gm, "e", 0).State.Active; !slices.Equal(active, []string{"zlurker"}) {
		t.Fatalf("active: %v", active)
	}
	if active := c.state(ann, "e", 0).State.Active; len(active) != 0 {
		t.Errorf("ann sees whose turn it is: %v", active)
	}
	from := c.state(bob, "e", 0).Number
	c.do(gm, "e", attackCmd("zlurker", "b"))
	for name, v := range viewers {
		if text := c.everything(v, "e"); strings.Contains(text, "zlurker") || strings.Contains(text, "Zigzag") {
			t.Errorf("%s is told: %s", name, text)
		}
	}
	if c.state(bob, "e", 0).State.Creatures["b"].GetHp() == 1000 {
		t.Error("the victim does not learn of its wound")
	}
	if rollOf(c.steps(bob, "e", from), "to-hit") != nil {
		t.Error("the roll from ambush is told")
	}
	for _, e := range c.steps(gm, "e", 0) {
		if r := e.GetRoll(); r.GetCreature() == "zlurker" && r.Branch == "everyone" {
			t.Errorf("an unseen roll counts on the public branch: %v", r)
		}
	}
	// Revealed to bob alone, then to all.
	c.do(gm, "e", revealCmd("zlurker", "b"))
	if got := c.state(bob, "e", 0).State.Creatures["zlurker"]; !got.GetStaged() || got.Position.GetX() != 40 || got.Hp != nil || got.Counters["arrows"] != 7 || len(got.Conditions) != 1 {
		t.Errorf("bob sees %v", got)
	}
	if text := c.everything(ann, "e"); strings.Contains(text, "zlurker") || strings.Contains(text, "Zigzag") {
		t.Errorf("ann is told: %s", text)
	}
	c.do(gm, "e", revealCmd("zlurker"))
	for name, v := range viewers {
		s := c.state(v, "e", 0).State
		if got := s.Creatures["zlurker"]; got == nil || got.Staged || got.Position.GetX() != 40 || !slices.Equal(s.Active, []string{"zlurker"}) || len(s.Commitments["creature/zlurker"]) == 0 {
			t.Errorf("%s sees %v, active %v", name, got, s.Active)
		}
	}
	if hp := c.state(gm, "e", 0).State.Creatures["zlurker"].GetHp(); hp != 500 {
		t.Errorf("revealing changed it: %d hit points", hp)
	}
	// An undo of all of it takes it from view again.
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Revert{Revert: &eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Version{Version: 5}}}})
	if c.state(ann, "e", 0).State.Creatures["zlurker"] != nil || c.state(gm, "e", 0).State.Creatures["zlurker"] == nil {
		t.Error("after the undo")
	}
}

// Its own players and those who know of it see a staged creature.
func TestStagedForSome(t *testing.T) {
	c := newWorld(t).start()
	c.do(gm, "e", createCmd(server))
	c.do(gm, "e", addCmd("a", 1000, "ann"))
	c.do(gm, "e", addCmd("b", 1000, "bob"))
	cmd := stagedCmd("scout", "Scout", "b")
	cmd.GetAdd().Sheet.Controllers = []string{"ann"}
	c.do(gm, "e", cmd)
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
	for _, v := range []*eventv1.Principal{ann, bob} {
		if s := c.state(v, "e", 0).State.Creatures["scout"]; s == nil || (s.Hp != nil) != (v == ann) {
			t.Errorf("%v sees %v", v, s)
		}
	}
	if c.state(spectator, "e", 0).State.Creatures["scout"] != nil {
		t.Error("a spectator sees it")
	}
	c.refused(gm, "e", "UNKNOWN_CREATURE", stagedCmd("x", "X", "nobody"))
	bad := addCmd("y", 10)
	bad.GetAdd().KnownTo = []string{"a"}
	c.refused(gm, "e", "INVALID_FIELD", bad)
}
