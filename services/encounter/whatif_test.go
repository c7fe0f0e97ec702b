package encounter_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func (c *client) whatIf() encounterv1.WhatIfServiceClient {
	return encounterv1.NewWhatIfServiceClient(c.conn)
}

func (c *client) foresee(as *eventv1.Principal, id string, cmd *eventv1.Command) *encounterv1.PreviewResponse {
	c.w.t.Helper()
	resp, err := c.whatIf().Preview(c.w.t.Context(), &encounterv1.PreviewRequest{As: as, Encounter: id, Command: cmd})
	if err != nil {
		c.w.t.Fatal(err)
	}
	return resp
}

func (c *client) compare(as *eventv1.Principal, a string, at uint64, b string, other uint64) []*encounterv1.Change {
	c.w.t.Helper()
	resp, err := c.whatIf().Compare(c.w.t.Context(), &encounterv1.CompareRequest{As: as, Encounter: a, At: at, OtherEncounter: b, OtherAt: other})
	if err != nil {
		c.w.t.Fatal(err)
	}
	return resp.Changes
}

func forkCmd(origin string, at uint64) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{Fork: &eventv1.ForkOf{Encounter: origin, Version: at}}}}
}

// The game master is told every roll of an attack with its odds, what would be asked,
// and how it may go. To hit takes 11 and more of 20; damage follows either way, since
// this system has no miss; the damage of a d4 in the middle is 2.
func TestPreviewOfACommand(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	before := c.state(gm, "e", 0)
	p := c.foresee(gm, "e", takeCmd("a", "attack", "b"))
	labels := map[string]*encounterv1.PreviewRoll{}
	for _, r := range p.Rolls {
		labels[r.Label] = r
	}
	hit := labels["to-hit"]
	if hit.GetExpression() != "1d20" || hit.GetChance() != "1" || fmt.Sprint(hit.GetOdds()) != fmt.Sprint([]*eventv1.OutcomeOdds{{Outcome: "failure", Odds: "1/2"}, {Outcome: "success", Odds: "1/2"}}) {
		t.Errorf("to hit: %v", hit)
	}
	if labels["harm/damage"].GetExpression() != "1d4" || labels["fate"] == nil {
		t.Errorf("rolls %v", p.Rolls)
	}
	if len(p.Asks) != 2 || p.Asks[0].Decision.Name != "parry" || p.Asks[0].Assumed != "no" || p.Asks[0].Decision.Id != "" {
		t.Errorf("asks %v", p.Asks)
	}
	if len(p.Ends) != 2 || p.Ends[0].Odds != "1/2" || p.Ends[0].Rolls[0].Label != "to-hit" {
		t.Fatalf("ends %v", p.Ends)
	}
	hp := ""
	for _, x := range p.Ends[0].Changes {
		if x.Path == "creatures.b.hp" {
			hp = x.After
		}
	}
	if hp != "998" {
		t.Errorf("changes %v", p.Ends[0].Changes)
	}
	if p := c.foresee(ann, "e", takeCmd("b", "attack", "a")); p.Reason != "NOT_YOUR_CREATURE" {
		t.Errorf("another's creature: %v", p)
	}
	if p := c.foresee(bob, "e", takeCmd("b", "attack", "a")); p.Reason != "NOT_YOUR_TURN" || p.Rule != "toy.turn" || p.Option.GetLegal() {
		t.Errorf("out of turn: %v", p)
	}
	if after := c.state(gm, "e", 0); !proto.Equal(after, before) {
		t.Errorf("a preview changed %v to %v", before, after)
	}
}

// A preview opens no tape, not even of dice that are none of the fight's.
func TestPreviewOpensNoTape(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	c.do(gm, "e", attackCmd("a", "b"))
	tapes := func() int {
		resp, err := c.w.dice.ListTapes(t.Context(), &dicev1.ListTapesRequest{Table: "main", Encounter: "e"})
		if err != nil {
			t.Fatal(err)
		}
		return len(resp.Tapes)
	}
	before := tapes()
	for _, as := range []*eventv1.Principal{gm, ann} {
		if p := c.foresee(as, "e", takeCmd("a", "attack", "b")); len(p.Rolls) == 0 {
			t.Errorf("nothing is rolled: %v", p)
		}
	}
	if after := tapes(); after != before || before == 0 {
		t.Errorf("%d tapes, there were %d", after, before)
	}
}

// What a player is shown is the same whatever it does not know: hit points, sheets,
// and who is there unseen.
func TestPreviewTwoWorlds(t *testing.T) {
	world := func(hp int32, staged bool) string {
		c := newWorld(t).start()
		c.do(gm, "e", createCmd(server))
		c.do(gm, "e", addCmd("a", 1000, "ann"))
		c.do(gm, "e", addCmd("b", hp, "bob"))
		if staged {
			lurk := addCmd("c", 7)
			lurk.GetAdd().Staged = true
			c.do(gm, "e", lurk)
		}
		c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
		out := ""
		for _, cmd := range []*eventv1.Command{takeCmd("a", "attack", "b"), takeCmd("a", "attack", "c"), takeCmd("a", "shove", "b"), endTurnCmd("a")} {
			p := c.foresee(ann, "e", cmd)
			for _, end := range p.Ends {
				for _, x := range end.Changes {
					if strings.HasPrefix(x.Path, "creatures.b.") {
						t.Errorf("ann is shown what becomes of %s", x.Path)
					}
				}
			}
			for _, r := range p.Rolls {
				if r.Label == "fate" {
					t.Error("ann is shown a roll of the game master")
				}
			}
			out += fmt.Sprint(p, "\n")
		}
		return out
	}
	a := world(1000, false)
	for name, b := range map[string]string{"other hit points": world(3, false), "somebody unseen": world(1000, true)} {
		if a != b {
			t.Errorf("%s:\n%s\nand without\n%s", name, b, a)
		}
	}
}

// What cannot be previewed is refused, and an end to waiting ends a preview.
func TestWhatCannotBePreviewed(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	faces := takeCmd("a", "attack", "b")
	faces.Faces = []int32{20}
	for name, x := range map[string]struct {
		as   *eventv1.Principal
		cmd  *eventv1.Command
		want string
	}{
		"by a spectator": {spectator, takeCmd("a", "attack", "b"), "NOT_ALLOWED"},
		"nothing":        {gm, nil, "INVALID_FIELD"},
		"a ruling":       {gm, lastCmd, "INVALID_FIELD"},
		"a contest":      {ann, contestCmd(1, "x", nil), "INVALID_FIELD"},
		"with faces":     {gm, faces, "INVALID_FIELD"},
	} {
		if _, err := c.whatIf().Preview(t.Context(), &encounterv1.PreviewRequest{As: x.as, Encounter: "e", Command: x.cmd}); reason(err) != x.want {
			t.Errorf("%s: %v, want %s", name, err, x.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.whatIf().Preview(ctx, &encounterv1.PreviewRequest{As: gm, Encounter: "e", Command: takeCmd("a", "attack", "b")}); status.Code(err) != codes.Canceled {
		t.Errorf("cancelled: %v", err)
	}
	c.do(gm, "e", takeCmd("a", "attack", "b"))
	if _, err := c.whatIf().Preview(t.Context(), &encounterv1.PreviewRequest{As: bob, Encounter: "e", Command: takeCmd("a", "attack", "b")}); reason(err) != "DECISION_PENDING" {
		t.Errorf("while a decision is open: %v", err)
	}
}

// A fork begins for every viewer as the other encounter stood for it, goes on with
// dice of its own, and is made again from its own record alone.
func TestFork(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	c.fight("e", server)
	c.do(gm, "e", attackCmd("a", "b")) // 5
	c.do(gm, "e", attackCmd("a", "b")) // 6
	resp := c.do(gm, "f", forkCmd("e", 5))
	if resp.Step.Restored.GetEncounter() != "f" || resp.Step.Number != 1 {
		t.Errorf("the first step: %v", resp.Step)
	}
	for _, as := range []*eventv1.Principal{gm, ann, bob, spectator} {
		at := uint64(5)
		if as != gm {
			at = c.lastOf(as, "e") - 1
		}
		if diff := c.compare(as, "e", at, "f", 0); len(diff) != 0 {
			t.Errorf("%s: differs in %v", as.Name, diff)
		}
		for _, step := range c.history(as, "f", 0) {
			for _, ev := range step.Events {
				if f := ev.GetForked(); f != nil && as != gm && (f.Origin != "e" || f.Version != 0 || len(f.Views)+len(f.Hash) > 0) {
					t.Errorf("%s is told %v", as.Name, f)
				}
			}
		}
	}
	origin, fork := c.state(gm, "e", 5).State, c.state(gm, "f", 0).State
	if fork.Epoch != 1 || len(fork.Commitments) != 5 || string(fork.Commitments["everyone"]) == string(origin.Commitments["everyone"]) {
		t.Errorf("the dice of the fork: epoch %d, %v", fork.Epoch, fork.Commitments)
	}
	c.do(ann, "f", endTurnCmd("a"))
	c.do(bob, "f", endTurnCmd("b"))
	if got := c.state(gm, "e", 0).State.Round; got != 1 {
		t.Errorf("the origin is in round %d", got)
	}
	if diff := c.compare(gm, "e", 0, "f", 0); len(diff) == 0 {
		t.Error("nothing differs after it went on")
	}
	c.do(gm, "f", lastCmd)
	c.do(gm, "f", toVersion(1))
	if diff := c.compare(gm, "f", 1, "f", 0); len(diff) != 0 {
		t.Errorf("back at the beginning: %v", diff)
	}
	was := c.state(gm, "f", 0)
	c.stop()
	w.dir = t.TempDir() // the projection is built anew from the log
	c = w.start()
	if now := c.state(gm, "f", 0); !proto.Equal(event.Clone(now.State), event.Clone(was.State)) || now.Number != was.Number {
		t.Errorf("from its record: %v, was %v", now, was)
	}
	c.do(gm, "g", forkCmd("f", 0)) // a fork of a fork
	if diff := c.compare(gm, "f", 0, "g", 0); len(diff) != 0 {
		t.Errorf("a fork of the fork: %v", diff)
	}
}

// What cannot be forked, by whom, and what a fork may not be given.
func TestWhatCannotBeForked(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	c.do(gm, "e", takeCmd("a", "attack", "b")) // 5 waits
	with := func(change func(*eventv1.CreateEncounter)) *eventv1.Command {
		cmd := forkCmd("e", 4)
		change(cmd.GetCreate())
		return cmd
	}
	for name, x := range map[string]struct {
		as   *eventv1.Principal
		cmd  *eventv1.Command
		want string
	}{
		"by a player":              {ann, forkCmd("e", 4), "NOT_ALLOWED"},
		"of nothing":               {gm, forkCmd("x", 0), "UNKNOWN_ENCOUNTER"},
		"of the future":            {gm, forkCmd("e", 9), "INVALID_FIELD"},
		"while a decision waits":   {gm, forkCmd("e", 5), "FORK_WAITS"},
		"of itself":                {gm, forkCmd("f", 0), "INVALID_FIELD"},
		"with a system":            {gm, with(func(c *eventv1.CreateEncounter) { c.System = "toy" }), "INVALID_FIELD"},
		"with settings":            {gm, with(func(c *eventv1.CreateEncounter) { c.Settings = map[string]string{"contests": "off"} }), "INVALID_FIELD"},
		"with packs":               {gm, with(func(c *eventv1.CreateEncounter) { c.Packs = []string{"x"} }), "INVALID_FIELD"},
		"with another dice policy": {gm, with(func(c *eventv1.CreateEncounter) { c.DicePolicy = supplied }), "INVALID_FIELD"},
		"with a preset":            {gm, with(func(c *eventv1.CreateEncounter) { c.Preset = "base" }), "INVALID_FIELD"},
		"that rolls anew":          {gm, with(func(c *eventv1.CreateEncounter) { c.RepeatPolicy = eventv1.RepeatPolicy_REPEAT_POLICY_FRESH }), "INVALID_FIELD"},
		"with time to decide":      {gm, with(func(c *eventv1.CreateEncounter) { c.DecisionSeconds = 60 }), "INVALID_FIELD"},
		"with a beacon":            {gm, with(func(c *eventv1.CreateEncounter) { c.Beacon = &eventv1.Beacon{} }), "INVALID_FIELD"},
		"with secret dice":         {gm, with(func(c *eventv1.CreateEncounter) { c.SecretDice = &eventv1.SecretDice{} }), "INVALID_FIELD"},
		"with faces":               {gm, &eventv1.Command{What: forkCmd("e", 4).What, Faces: []int32{1}}, "INVALID_FIELD"},
		"with answers":             {gm, early(forkCmd("e", 4), "parry", "no"), "INVALID_FIELD"},
	} {
		if _, err := c.try(x.as, "f", x.cmd); reason(err) != x.want {
			t.Errorf("%s: %v, want %s", name, err, x.want)
		}
		if _, err := c.GetState(t.Context(), &encounterv1.GetStateRequest{As: gm, Encounter: "f"}); reason(err) != "UNKNOWN_ENCOUNTER" {
			t.Errorf("%s: there is one all the same: %v", name, err)
		}
	}
	c.do(gm, "f", forkCmd("e", 4))
	if _, err := c.try(gm, "f", forkCmd("e", 4)); reason(err) != "ENCOUNTER_EXISTS" {
		t.Errorf("over another encounter: %v", err)
	}
	c.do(gm, "f", endCmd)
	if _, err := c.try(gm, "g", forkCmd("f", 2)); reason(err) != "ENCOUNTER_ENDED" {
		t.Errorf("of what is over: %v", err)
	}
}

// Comparing shows each viewer its own: hit points of others are not in it.
func TestCompareWithinAnEncounter(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	at := c.lastOf(ann, "e")
	c.do(gm, "e", attackCmd("a", "b"))
	has := func(changes []*encounterv1.Change, path string) bool {
		for _, x := range changes {
			if x.Path == path {
				return true
			}
		}
		return false
	}
	if !has(c.compare(gm, "e", 4, "", 0), "creatures.b.hp") || !has(c.compare(bob, "e", c.lastOf(bob, "e")-1, "", 0), "creatures.b.hp") {
		t.Error("hit points are not compared")
	}
	if has(c.compare(ann, "e", at, "", 0), "creatures.b.hp") {
		t.Error("ann is shown bob's hit points")
	}
	if _, err := c.whatIf().Compare(t.Context(), &encounterv1.CompareRequest{As: ann, Encounter: "e", OtherAt: 99}); field(err) != "other_at" {
		t.Errorf("beyond the end: %v", err)
	}
}
