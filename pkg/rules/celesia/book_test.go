package celesia

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/catalogue"
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// tableOf is the table that a rule states, without its heading.
func tableOf(t *testing.T, rule string) [][]string {
	t.Helper()
	c, err := catalogue.System("celesia")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range c.Entries {
		if string(e.ID) != rule {
			continue
		}
		var rows [][]string
		for _, line := range strings.Split(strings.TrimSpace(e.Table), "\n")[1:] {
			rows = append(rows, strings.Split(line, ","))
		}
		return rows
	}
	t.Fatalf("there is no %s", rule)
	return nil
}

// celesia.injury.hp-bands: each band of the book's table begins and ends where the
// code has it, for several Constitution scores.
func TestBandsAreThoseOfTheBook(t *testing.T) {
	states := map[string]eventv1.LifeStatus{"functional": eventv1.LifeStatus_LIFE_STATUS_ALIVE, "disabled": eventv1.LifeStatus_LIFE_STATUS_DISABLED,
		"dying": eventv1.LifeStatus_LIFE_STATUS_DYING, "dead": eventv1.LifeStatus_LIFE_STATUS_DEAD}
	for _, con := range []int32{1, 7, 12, 20} {
		at := map[string]int32{"max": 100, "1": 1, "0": 0, "-(C-1)": -(con - 1), "-C": -con, "-(2C-1)": -(2*con - 1), "-2C": -2 * con, "any lower": -900}
		for _, row := range tableOf(t, cite.InjuryHpBands) {
			for _, cell := range row[1:3] {
				hp, known := at[cell]
				if !known {
					t.Fatalf("the table says %q", cell)
				}
				if got := mending.Band(hp, con, true); got != states[row[0]] {
					t.Errorf("Constitution %d, %d hit points: %v, the book says %s", con, hp, got, row[0])
				}
			}
		}
	}
}

// celesia.injury.head-ladder, celesia.injury.head-daze: what so many head injuries
// bring is what the book's table says.
func TestHeadInjuriesAreThoseOfTheBook(t *testing.T) {
	for _, row := range tableOf(t, cite.InjuryHeadLadder) {
		n, err := strconv.Atoi(row[0])
		if err != nil {
			t.Fatal(err)
		}
		f := newTable(t).add(fighter("p", "party"))
		v := &eventv1.Vitals{}
		for range n {
			v.Injuries = append(v.Injuries, &eventv1.Injury{Kind: "head"})
		}
		f.Put("p", v)
		for _, name := range []string{body.CondSickened, body.CondConfused, body.CondStaggered} {
			if got, want := body.Has(f.Creature("p"), name), strings.Contains(row[1], name); got != want {
				t.Errorf("%d head injuries: %s is %v", n, name, got)
			}
		}
		if got, want := mending.BodySuffers(f.Creature("p")), strings.Contains(row[1], "50% daze"); got != want {
			t.Errorf("%d head injuries: the daze is %v", n, got)
		}
	}
}

// booked are the actions of the book's tables by the words of the table; those
// whose cost hangs on a thing stand with one that takes it.
var booked = map[string]string{
	"Aid Another": "aid-another", "Attack (Melee)": "attack", "Attack (Natural)": "attack", "Attack (Ranged)": "attack", "Attack (Unarmed)": "attack",
	"Combat Maneuver: Bull Rush": "bull-rush", "Combat Maneuver: Disarm": "disarm", "Combat Maneuver: Overrun": "overrun", "Combat Maneuver: Sunder": "sunder",
	"Combat Maneuver: Trip": "trip", "Control a Frightened Mount": "control-mount", "Crawl": "crawl", "Demoralize": "demoralize",
	"Direct or Redirect a Spell": "redirect", "Dismiss a Spell": "dismiss", "Draw or Sheathe a Weapon": "draw", "Escape a Grapple": "escape-grapple",
	"Handle an Animal": "handle-animal", "Lower or Reactivate Spell Resistance": "lower-spell-resistance", "Move": "move", "Multiweapon Fighting": "multiweapon",
	"Recall Knowledge": "recall-knowledge", "Search": "search", "Spell Combat": "spell-combat", "Stand Up": "stand-up", "Steady Aim": "steady-aim", "Step": "step",
	"Charge": "charge", "Combat Maneuver: Dirty Trick": "dirty-trick", "Combat Maneuver: Drag": "drag", "Combat Maneuver: Grapple": "grapple",
	"Combat Maneuver: Grapple Continued": "grapple-continued", "Combat Maneuver: Reposition": "reposition", "Combat Maneuver: Steal": "steal",
	"Concentrate to Maintain an Active Spell": "concentrate", "Escape from a Net": "escape-net", "Extinguish Flames": "extinguish", "Feint": "feint",
	"Sleight of Hand": "sleight-of-hand", "Spellstrike": "spellstrike", "Total Defense": "total-defense", "Use a Command Word Item": "use-item",
	"Use a Spell Completion Item": "use-item", "Use a Spell Trigger Item": "use-item",
	"appraise a hoard": "appraise-hoard", "coup de grace": "coup-de-grace", "detect forgery": "detect-forgery", "light a torch": "light-torch",
	"push an animal": "push-animal", "run": "run", "touch spell on up to six allies": "touch-allies", "initiate full-attack strike": "full-strike",
	"cease concentrating on a spell": "cease-concentrating", "drop an item": "drop-item", "drop prone": "drop-prone", "fighting defensively": "fight-defensively",
	"identify a spell being cast": "identify-spell", "initiate or change stance": "change-stance", "speak": "speak",
}

// celesia.action.catalogue, celesia.action.later-catalogue: what actions take in
// acts, and whether they provoke, is what the book's tables say.
func TestActsAreThoseOfTheBook(t *testing.T) {
	f := duel(t, fighter("a", "party"), fighter("b", "foes"))
	seen := map[string]bool{}
	for rule, columns := range map[string][2]int{cite.ActionCatalogue: {1, 2}, cite.ActionLaterCatalogue: {2, 3}} {
		for _, row := range tableOf(t, rule) {
			id, judged := booked[row[0]]
			if !judged {
				continue
			}
			seen[row[0]] = true
			a := strike.ActionOf(id)
			if a == nil {
				t.Fatalf("there is no action %s", id)
			}
			take := &eventv1.TakeAction{Creature: "a", Action: id, Item: "sword", Targets: []string{"b"}}
			acts := a.Cost(&play.At{State: f.State, Actor: f.Creature("a"), Action: &a.Action, Take: take}, body.CActs)
			if want, _, _ := strings.Cut(row[columns[0]], " "); fmt.Sprint(acts) != want {
				t.Errorf("%s takes %d acts, the book says %s", id, acts, row[columns[0]])
			}
			said, hangs := row[columns[1]], id == "use-item" || id == "multiweapon" // on the item, on bare fists
			if (said == "yes" || said == "no") && !hangs {
				provokes := false
				if a.Provoke != nil {
					provokes, _ = a.Provoke(f.State, f.Creature("a"), take)
				}
				if provokes != (said == "yes") {
					t.Errorf("%s provokes: %v, the book says %s", id, provokes, said)
				}
			}
		}
	}
	for _, words := range rules.SortedKeys(booked) {
		if !seen[words] {
			t.Errorf("the book's tables do not speak of %q", words)
		}
	}
}
