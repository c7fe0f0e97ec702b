package encounter_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// openedTo are the labels of the rolls that a viewer was told of by opening, and all that
// was opened for it, as text.
func (c *client) openedTo(as *eventv1.Principal, id string) (labels []string, text string) {
	c.w.t.Helper()
	for _, e := range c.steps(as, id, 0) {
		o := e.GetRollsOpened()
		text += o.String()
		for _, r := range o.GetRolls() {
			labels = append(labels, r.Label)
		}
	}
	slices.Sort(labels)
	return labels, text
}

func hexCmd(creature, target string) *eventv1.Command { return takeCmd(creature, "hex", target) }

func openRollsCmd(step uint64, label string) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_OpenRolls{OpenRolls: &eventv1.OpenRolls{Step: step, Label: label}}}
}

func opening(when eventv1.SecretDice_When) func(*eventv1.CreateEncounter) {
	return func(e *eventv1.CreateEncounter) { e.SecretDice = &eventv1.SecretDice{When: when} }
}

// DICE.md, secret branches: rolls of a creature that not everybody was told of stay
// untold when the branches are opened, and so do those whose label names one. Whoever was
// known once is known, and the rolls of a step that was decided again are told as well,
// each once.
func TestWhatIsOpenedNamesNobodyUnseen(t *testing.T) {
	c := newWorld(t).start()
	c.setUp("e", opening(eventv1.SecretDice_WHEN_END))
	c.do(gm, "e", stagedCmd("zlurker", "Zigzag"))
	c.do(gm, "e", stagedCmd("yonder", "Yonder"))
	c.do(gm, "e", addCmd("xeno", 10)) // known, gone, and back unseen
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: "xeno"}}})
	c.do(gm, "e", stagedCmd("xeno", "Xeno"))
	c.do(gm, "e", startCmd)
	known := c.do(gm, "e", hexCmd("a", "b")).Step.Number
	c.do(gm, "e", hexCmd("a", "zlurker")) // of a known one, about an unknown one
	c.do(gm, "e", hexCmd("a", "yonder"))
	c.do(gm, "e", hexCmd("a", "xeno"))
	c.do(gm, "e", revealCmd("yonder"))
	for _, id := range []string{"a", "b", "xeno", "yonder"} {
		c.do(gm, "e", endTurnCmd(id))
	}
	c.do(gm, "e", hexCmd("zlurker", "a")) // its own
	c.do(gm, "e", attackCmd("zlurker", "b"))
	c.do(gm, "e", amendCmd(&eventv1.AmendCommand{Version: known, Reason: "as it was"}))
	c.do(gm, "e", endCmd)
	labels, text := c.openedTo(spectator, "e")
	unseen(t, "what is opened", text)
	var hexes []string
	for _, l := range labels {
		if strings.HasPrefix(l, "hex-") {
			hexes = append(hexes, l)
		}
	}
	// What no creature rolled, doom, names nobody: there is one for each of the five hexes.
	if want := []string{"hex-b", "hex-xeno", "hex-yonder"}; !slices.Equal(hexes, want) {
		t.Errorf("opened are %v, want %v", hexes, want)
	}
	if n := strings.Count(strings.Join(labels, " "), "doom"); n != 5 {
		t.Errorf("doom is told of %d times: %v", n, labels)
	}
	c.holds("e")
}

// DICE.md: by the game master one step is opened, all of it or what has one label; what
// waits for a decision is not, and nothing of creatures that are staged.
func TestWhichRollsTheGameMasterOpens(t *testing.T) {
	c := newWorld(t).start()
	c.setUp("e", opening(eventv1.SecretDice_WHEN_BY_GAME_MASTER))
	c.do(gm, "e", stagedCmd("zlurker", "Zigzag"))
	c.do(gm, "e", stagedCmd("gm", "Gamma")) // staged, with the name of the branch that others roll on
	c.do(gm, "e", startCmd)
	whole := c.do(gm, "e", hexCmd("a", "b")).Step.Number
	part := c.do(gm, "e", hexCmd("a", "b")).Step.Number
	names := c.do(gm, "e", hexCmd("a", "zlurker")).Step.Number
	for _, x := range []struct {
		what, field, reason string
		cmd                 *eventv1.Command
	}{
		{"no step", "command.open_rolls.step", "INVALID_FIELD", openRollsCmd(0, "")},
		{"a step to come", "command.open_rolls.step", "INVALID_FIELD", openRollsCmd(names+1, "")},
		{"a label that it does not have", "", "NO_SECRET_ROLL", openRollsCmd(whole, "fate")},
		{"a roll that names somebody staged", "", "STAGED", openRollsCmd(names, "")},
	} {
		_, err := c.try(gm, "e", x.cmd)
		if reason(err) != x.reason || field(err) != x.field {
			t.Errorf("%s: %v, want %s of %q", x.what, err, x.reason, x.field)
		}
	}
	c.do(gm, "e", openRollsCmd(whole, ""))
	if labels, _ := c.openedTo(spectator, "e"); !slices.Equal(labels, []string{"doom", "hex-b"}) {
		t.Errorf("of the whole step are opened %v", labels)
	}
	c.do(gm, "e", openRollsCmd(part, "hex-b"))
	c.do(gm, "e", openRollsCmd(names, "doom")) // of the same step, what names nobody
	if labels, _ := c.openedTo(spectator, "e"); !slices.Equal(labels, []string{"doom", "doom", "hex-b", "hex-b"}) {
		t.Errorf("by label are opened %v", labels)
	}
	// What others rolled is opened while an action waits; what it rolled itself is not.
	before := c.do(gm, "e", hexCmd("a", "b")).Step.Number
	waits := c.do(gm, "e", takeCmd("a", "attack", "b")).Step.Number
	if _, err := c.try(gm, "e", openRollsCmd(waits, "")); reason(err) != "DECISION_PENDING" {
		t.Errorf("of what waits: %v", err)
	}
	if _, err := c.try(gm, "e", openRollsCmd(before, "")); err != nil {
		t.Errorf("of what was done before: %v", err)
	}
	for id := range c.state(gm, "e", 0).State.Decisions {
		c.do(gm, "e", early(answerCmd(id, "no"), "endure", "no"))
	}
	c.do(gm, "e", openRollsCmd(waits, ""))
	// Its own rolls, on the branch of the game master and on its own.
	for _, id := range []string{"a", "b", "gm"} {
		c.do(gm, "e", endTurnCmd(id))
	}
	own := c.do(gm, "e", hexCmd("zlurker", "b")).Step.Number
	if _, err := c.try(gm, "e", openRollsCmd(own, "hex-b")); reason(err) != "STAGED" {
		t.Errorf("what somebody staged rolled: %v", err)
	}
	blow := c.do(gm, "e", attackCmd("zlurker", "b")).Step.Number
	if _, err := c.try(gm, "e", openRollsCmd(blow, "to-hit")); reason(err) != "STAGED" {
		t.Errorf("the blow of somebody staged: %v", err)
	}
	c.do(gm, "e", revealCmd("zlurker"))
	c.do(gm, "e", openRollsCmd(own, "hex-b"))
	c.holds("e")
}

// DICE.md: after a time, or so long after the end, the later of the two; then, not before.
func TestSecretDiceAreOpenedWhenTheyAreDue(t *testing.T) {
	w := newWorld(t)
	var mu sync.Mutex
	now := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	w.clock = func() time.Time { mu.Lock(); defer mu.Unlock(); return now }
	c := w.start()
	for name, x := range map[string]struct {
		at, after int64
		open      bool
	}{
		"now":                    {now.UnixMilli(), 0, true},
		"amillisecondhence":      {now.UnixMilli() + 1, 0, false},
		"past-butnotsolongafter": {now.UnixMilli() - 10_000, 1, false},
		"past":                   {1, 0, true},
	} {
		c.setUp(name, func(e *eventv1.CreateEncounter) {
			e.SecretDice = &eventv1.SecretDice{When: eventv1.SecretDice_WHEN_AFTER, UnixMillis: x.at, SecondsAfterEnd: x.after}
		})
		c.do(gm, name, startCmd)
		c.do(gm, name, hexCmd("a", "b"))
		c.do(gm, name, endCmd)
		if labels, _ := c.openedTo(spectator, name); (len(labels) > 0) != x.open {
			t.Errorf("%s: opened with the end are %v", name, labels)
		}
	}
}
