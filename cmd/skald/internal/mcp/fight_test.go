package mcp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/auth"
	"github.com/skaldrpg/skald/pkg/systems"
)

// longest is after how many deeds a fight is broken off.
const longest = 400

// scripted plays what is its own, by the tools alone.
type scripted struct {
	*client
	encounter string
	deeds     int
	tried     map[string]bool // in vain, since the last thing that happened
}

// act does one thing that is the client's; false when there is none, or the fight is decided.
func (p *scripted) act() bool {
	p.t.Helper()
	var next nextOut
	p.good("next", args{"encounter": p.encounter}, &next)
	for _, w := range next.Waiting {
		if !w.Yours {
			continue
		}
		if w.Decision != nil {
			p.decide(w.Decision)
			return true
		}
		if w.Kind == "act" {
			return p.move(w.Creatures)
		}
	}
	return false
}

func (p *scripted) decide(d *decision) {
	p.t.Helper()
	answer := args{}
	switch {
	case d.Kind == "number":
		answer["number"] = d.Minimum
	case d.Default != "":
		answer["option"] = d.Default
	default:
		answer["option"] = d.Options[0].ID
	}
	p.good("answer", args{"encounter": p.encounter, "request_id": p.id(), "decision": d.ID, "answer": answer}, nil)
	p.tried = map[string]bool{}
}

func (p *scripted) id() string {
	p.deeds++
	return fmt.Sprintf("deed-%d", p.deeds)
}

// move takes the best of the options of whoever may act.
func (p *scripted) move(creatures []string) bool {
	p.t.Helper()
	type deedOf struct {
		rank int
		args args
		key  string
	}
	best := deedOf{}
	for _, c := range creatures {
		call := args{"encounter": p.encounter, "creature": c}
		var list optionsOut
		if a := p.call("options", call); a.failed { // not the client's creature
			continue
		} else {
			a.read(p.t, &list)
		}
		var actions []string
		for _, g := range list.Groups {
			actions = append(actions, g.Action)
		}
		for _, o := range list.Options {
			actions = append(actions, o.Action)
		}
		if len(actions) == 0 {
			continue
		}
		slices.Sort(actions)
		var found optionsOut
		p.good("options", args{"encounter": p.encounter, "creature": c, "actions": slices.Compact(actions)}, &found)
		for _, o := range found.Options {
			d, rank := filled(o)
			key, err := json.Marshal(d)
			fatal(p.t, err)
			if rank > best.rank && !p.tried[string(key)] {
				best = deedOf{rank, d, string(key)}
			}
		}
	}
	if best.rank == 0 {
		return false
	}
	best.args["encounter"], best.args["request_id"] = p.encounter, p.id()
	if a := p.call("execute", best.args); a.failed {
		p.tried[best.key] = true
	} else {
		p.tried = map[string]bool{}
	}
	return true
}

// filled makes arguments of an option, and says how much it is wanted.
func filled(o option) (args, int) {
	if o.Action == "end-turn" {
		return args{"end_turn": args{"creature": o.Creature}}, 2
	}
	take := args{"creature": o.Creature, "action": o.Action}
	if o.Item != "" {
		take["item"] = o.Item
	}
	if len(o.Targets) < int(o.Fewest) || len(o.Choices) > 0 {
		return nil, 0
	}
	if o.Fewest > 0 {
		take["targets"] = o.Targets[:o.Fewest]
	}
	parameters := args{}
	for _, x := range o.Parameters {
		switch {
		case x.Required && len(x.Values) > 0:
			parameters[x.Name] = x.Values[0]
		case x.Required:
			return nil, 0
		}
	}
	if len(parameters) > 0 {
		take["parameters"] = parameters
	}
	rank := 1
	switch {
	case strings.Contains(o.Action, "attack") && o.Fewest > 0:
		rank = 4
	case strings.HasPrefix(o.Item, "melee"):
		rank = 3
	}
	return args{"take": take}, rank
}

// down tells whether one of the two cannot go on.
func down(c *client, encounter string) bool {
	c.t.Helper()
	var s stateOut
	c.good("state", args{"encounter": encounter}, &s)
	for _, x := range s.Creatures {
		if x.Life != "alive" && x.Life != "disabled" && x.Life != "unspecified" {
			return true
		}
	}
	return false
}

// A fight of every rule system is played by the tools alone: a player's token plays the
// player's creature, the game master's the other, until one of them is down.
func TestFightsOfEverySystem(t *testing.T) {
	s := start(t)
	for _, system := range systems.Registry().IDs() {
		t.Run(system, func(t *testing.T) {
			s.t = t
			id := "duel-" + system
			s.duel(id, system)
			s.begin(id)
			gm, player := s.client(s.token(auth.GM, "mo", nil)), s.client(s.token(auth.Player, "ann", nil))
			both := []*scripted{{client: player, encounter: id, tried: map[string]bool{}}, {client: gm, encounter: id, tried: map[string]bool{}}}
			for range longest {
				if down(gm, id) {
					break
				}
				// The player goes first, so that the game master, who may do everything, does not act for Ann.
				if !both[0].act() && !both[1].act() {
					t.Fatalf("nobody can do anything: %s", gm.call("next", args{"encounter": id}).text)
				}
			}
			if !down(gm, id) {
				t.Fatalf("nobody is down after %d deeds: %s", longest, gm.call("state", args{"encounter": id}).text)
			}
			if both[0].deeds+both[1].deeds == 0 { // one blow may decide it, whoever's it is
				t.Error("nobody did anything")
			}
			told(t, player, id)
			for _, c := range []*client{gm, player} {
				if c.longest > 128<<10 {
					t.Errorf("a result had %d bytes", c.longest)
				}
			}
		})
	}
}

// told reads the history of a fight, explains a roll of it and reads the rule.
func told(t *testing.T, c *client, encounter string) {
	t.Helper()
	var h historyOut
	steps := 0
	for after := uint64(0); ; {
		h = historyOut{}
		c.good("history", args{"encounter": encounter, "after": after, "limit": 20}, &h)
		steps += len(h.Steps)
		if !h.More {
			break
		}
		after = h.Steps[len(h.Steps)-1].Number
	}
	var state stateOut
	c.good("state", args{"encounter": encounter}, &state)
	if steps == 0 || uint64(steps) != state.Number {
		t.Errorf("%d steps, the state says %d", steps, state.Number)
	}
	for number := state.Number; number > 0; number-- {
		var e explainOut
		c.good("explain", args{"encounter": encounter, "step": number}, &e)
		at := slices.IndexFunc(e.Events, func(line string) bool { return strings.Contains(line, "attack") && strings.Contains(line, "[") })
		if at < 0 {
			continue
		}
		var why explainOut
		c.good("explain", args{"encounter": encounter, "step": number, "event": at}, &why)
		for _, l := range why.Lines {
			if l.Rule != "" {
				var r rulesOut
				c.good("rules", args{"id": l.Rule}, &r)
				if r.Rule == nil || r.Rule.ID != l.Rule || len(r.Rule.Text) < 20 {
					t.Errorf("rule %s: %+v", l.Rule, r.Rule)
				}
				return
			}
		}
		t.Errorf("no rule in %+v", why)
		return
	}
	t.Error("no roll of an attack in the whole fight")
}
