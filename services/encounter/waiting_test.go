package encounter_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// volley asks all its targets at once whether they duck, and the first of them whether it
// parries as the game master alone decides ("wind"), or something of nobody's ("omen").
func volley(r *rules.Resolution, take *eventv1.TakeAction) error {
	asked, labels := map[string]*eventv1.Decision{}, []string{}
	add := func(label string, d *eventv1.Decision) {
		asked[label], labels = d, append(labels, label)
	}
	for _, id := range take.Targets {
		d := rules.YesNo("duck", id, "hit", "Duck?", "", "")
		if id == "c" {
			d.Options = d.Options[1:] // c is on its knees: there is but one answer
		}
		add("duck-"+id, d)
	}
	if take.Item == "wind" {
		d := rules.YesNo("parry", take.Targets[0], "hit", "By the wind?", "no", "")
		d.GmOnly = true
		d.Options[1].Text = ""
		add("wind", d)
	}
	if take.Item == "omen" {
		add("omen", rules.YesNo("parry", "", "hit", "An omen?", "no", ""))
	}
	answers := r.AskAll(asked, labels)
	for _, id := range take.Targets {
		r.Note(event.Everyone(), id, answers["duck-"+id].Option)
	}
	return nil
}

func volleyCmd(item string, targets ...string) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Take{Take: &eventv1.TakeAction{Creature: "a", Action: "volley", Item: item, Targets: targets}}}
}

// four begins a fight: a is ann's, b and c are bob's, d is nobody's.
func (c *client) four(id string) {
	c.w.t.Helper()
	c.do(gm, id, createCmd(server))
	for name, player := range map[string][]string{"a": {"ann"}, "b": {"bob"}, "c": {"bob"}, "d": nil} {
		c.do(gm, id, addCmd(name, 1000, player...))
	}
	c.do(gm, id, &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
}

// open are the decisions that a caller sees, by name and creature.
func (c *client) open(as *eventv1.Principal, id string) map[string]*eventv1.Decision {
	out := map[string]*eventv1.Decision{}
	for _, d := range c.state(as, id, 0).State.Decisions {
		out[d.Name+" "+d.Creature] = d
	}
	return out
}

// Each is told of what it may answer and of nothing else: whose it is, how many are alike,
// what the default is in words, and what an order would settle from now on.
func TestWhoIsToldWhichDecisionWaits(t *testing.T) {
	c := newWorld(t).start()
	c.four("e")
	c.four("f")
	c.do(ann, "e", volleyCmd("wind", "b", "c", "d"))
	c.do(ann, "f", volleyCmd("omen", "b", "d"))
	type told struct {
		decision, players  string
		master             bool
		alike              uint32
		otherwise, ordered string
	}
	for name, x := range map[string]struct {
		as    *eventv1.Principal
		fight string
		want  []told
	}{
		"the game master": {gm, "e", []told{
			{"duck b", "bob", false, 3, "", ""}, {"parry b", "", true, 0, "no", ""}, {"duck c", "bob", false, 3, "", ""}, {"duck d", "", true, 3, "", ""},
		}},
		"the player of two": {bob, "e", []told{{"duck b", "bob", false, 2, "", ""}, {"duck c", "bob", false, 2, "", ""}}},
		// What is nobody's is the game master's, and of no creature; as it is asked of all
		// tables it may be ordered.
		"of nobody":         {gm, "f", []told{{"parry ", "", true, 0, "No", "parry"}, {"duck b", "bob", false, 2, "", ""}, {"duck d", "", true, 2, "", ""}}},
		"the player of one": {bob, "f", []told{{"duck b", "bob", false, 0, "", ""}}},
	} {
		var got []told
		for _, w := range c.next(x.as, x.fight) {
			if w.Kind != encounterv1.Waiting_KIND_DECISION || !w.Yours || w.SinceUnixMillis == 0 || w.ByDefault != "" {
				t.Errorf("%s: %v", name, w)
			}
			if of := strings.Join(w.Creatures, ""); of != w.Decision.GetCreature() {
				t.Errorf("%s: of %q, the decision of %q", name, of, w.Decision.GetCreature())
			}
			got = append(got, told{w.Decision.GetName() + " " + w.Decision.GetCreature(), strings.Join(w.Players, ","), w.GameMaster, w.Alike, w.Otherwise, w.Order.GetDecision()})
		}
		if !slices.Equal(got, x.want) {
			t.Errorf("%s is told\n%+v, want\n%+v", name, got, x.want)
		}
	}
	for _, as := range []*eventv1.Principal{ann, spectator} {
		if w := c.one(as, "e", encounterv1.Waiting_KIND_UNSEEN); w.Yours || w.GameMaster || w.Alike != 0 || (w.Action != nil) != (as == ann) {
			t.Errorf("%v is told %v", as, w)
		}
	}
}

// The action that waits is told to whoever gave it and to the game master: another of the
// same name, who is no player or not of that role, did not give it.
func TestToWhomTheActionThatWaitsIsTold(t *testing.T) {
	master := &eventv1.Principal{Role: eventv1.Principal_ROLE_GM, Name: "ann"}
	watching := &eventv1.Principal{Role: eventv1.Principal_ROLE_SPECTATOR, Name: "ann"}
	for name, by := range map[string]*eventv1.Principal{"the player's": ann, "the game master's": master} {
		c := newWorld(t).start()
		c.four("e")
		c.do(by, "e", volleyCmd("", "b", "d"))
		for _, as := range []*eventv1.Principal{gm, master, ann, bob, watching, spectator} {
			want := as.Role == eventv1.Principal_ROLE_GM || as == ann && by == ann
			for _, w := range c.next(as, "e") {
				if (w.Action.GetAction() == "volley") != want || (w.Action != nil) != want {
					t.Errorf("%s command: %v is told of %v", name, as, w.Action)
				}
			}
		}
	}
}

// A command that answers one decision answers others beside it: those of its name when it
// says so, and those that it names with their creature or without. What the caller may not
// answer, and what does not allow that answer, stays open.
func TestAnswersToSeveralAtOnce(t *testing.T) {
	answer := func(option string, alike bool, more ...*eventv1.EarlyAnswer) func(id string) *eventv1.Command {
		return func(id string) *eventv1.Command {
			cmd := answerCmd(id, option)
			cmd.GetAnswer().Alike, cmd.Answers = alike, more
			return cmd
		}
	}
	other := func(decision, creature, option string) *eventv1.EarlyAnswer {
		return &eventv1.EarlyAnswer{Decision: decision, Creature: creature, Answer: &eventv1.Answer{Option: option}}
	}
	for name, x := range map[string]struct {
		as   *eventv1.Principal
		cmd  func(id string) *eventv1.Command
		left string // open then, in order
	}{
		"one alone":                           {gm, answer("no", false), "duck c,duck d,parry b"},
		"alike":                               {gm, answer("no", true), "parry b"},
		"alike, by a player":                  {bob, answer("no", true), "duck d,parry b"},
		"alike, where one does not allow it":  {gm, answer("yes", true), "duck c,parry b"},
		"beside another, by name":             {gm, answer("no", false, other("parry", "", "yes")), "duck c,duck d"},
		"by name and creature":                {gm, answer("no", false, other("duck", "d", "yes")), "duck c,parry b"},
		"of another creature":                 {gm, answer("no", false, other("parry", "d", "yes")), "duck c,duck d,parry b"},
		"another name":                        {gm, answer("no", false, other("dodge", "d", "yes")), "duck c,duck d,parry b"},
		"what it does not allow":              {gm, answer("no", false, other("duck", "c", "yes")), "duck c,duck d,parry b"},
		"by name, where one does not":         {gm, answer("no", false, other("duck", "", "yes")), "duck c,parry b"},
		"then another word for it":            {gm, answer("no", false, other("duck", "", "yes"), other("duck", "c", "no")), "parry b"},
		"alike, and otherwise for one":        {gm, answer("no", true, other("duck", "d", "yes")), "parry b"},
		"of a player, what is not the player": {bob, answer("no", false, other("duck", "", "no"), other("parry", "", "no")), "duck d,parry b"},
	} {
		c := newWorld(t).start()
		c.four("e")
		c.do(gm, "e", volleyCmd("wind", "b", "c", "d"))
		c.do(x.as, "e", x.cmd(c.open(gm, "e")["duck b"].Id))
		if left := strings.Join(slices.Sorted(maps.Keys(c.open(gm, "e"))), ","); left != x.left {
			t.Errorf("%s: %q are left, want %q", name, left, x.left)
		}
	}
}

// What each said in the end is what it answered.
func TestEachHasItsOwnAnswer(t *testing.T) {
	c := newWorld(t).start()
	c.four("e")
	c.do(gm, "e", volleyCmd("", "b", "c", "d"))
	cmd := answerCmd(c.open(gm, "e")["duck b"].Id, "no")
	cmd.GetAnswer().Alike = true
	cmd.Answers = []*eventv1.EarlyAnswer{{Decision: "duck", Creature: "d", Answer: &eventv1.Answer{Option: "yes"}}}
	got := map[string]string{}
	for _, ev := range c.do(gm, "e", cmd).Step.Events {
		if n := ev.GetNote(); n != nil {
			got[n.Creature] = n.Text
		}
	}
	if want := map[string]string{"b": "no", "c": "no", "d": "yes"}; !maps.Equal(got, want) {
		t.Errorf("they said %v, want %v", got, want)
	}
}

// A command while decisions are open is refused with what the caller may answer, and of
// whom; another learns only that something waits, and that it is its own where it gave it.
func TestWhomACommandIsToldToWaitFor(t *testing.T) {
	c := newWorld(t).start()
	c.four("e")
	c.do(ann, "e", volleyCmd("wind", "b", "d"))
	namesake := &eventv1.Principal{Role: eventv1.Principal_ROLE_GM, Name: "ann"}
	const none = "waits for a decision that is not yours"
	for name, x := range map[string]struct {
		as        *eventv1.Principal
		says, not []string
	}{
		"the game master":  {gm, []string{"the encounter waits for a decision: ", "] waits for bob (b)", "Duck? [duck ", "By the wind? [parry ", "] waits for the game master"}, nil},
		"the player of b":  {bob, []string{"the encounter waits for a decision: Duck? [duck ", "] waits for bob (b)"}, []string{"wind", "game master", ";"}},
		"whoever gave it":  {ann, []string{"what you did last " + none}, []string{"Duck", "bob"}},
		"of the same name": {namesake, []string{"the encounter waits for a decision: "}, []string{"what you did last"}},
	} {
		cmd := takeCmd("a", "attack", "b")
		if x.as == bob {
			cmd = takeCmd("b", "attack", "a")
		}
		_, err := c.try(x.as, "e", cmd)
		if reason(err) != "DECISION_PENDING" {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, word := range x.says {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("%s: %v, does not say %q", name, err, word)
			}
		}
		for _, word := range x.not {
			if strings.Contains(err.Error(), word) {
				t.Errorf("%s: %v, says %q", name, err, word)
			}
		}
	}
	// b's two are told of two, d's and the wind's are the game master's.
	_, err := c.try(gm, "e", takeCmd("a", "attack", "b"))
	if got := strings.Count(err.Error(), "waits for the game master"); got != 2 {
		t.Errorf("%d wait for the game master, want d's and the wind's: %v", got, err)
	}
}
