package injury_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/systems"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// realWorld is a world of the five systems.
func realWorld(t *testing.T) *world {
	w := newWorld(t)
	w.cfg.Systems = systems.Registry()
	w.restart()
	return w
}

// ship enrols a shipped sheet for a player, with settings and parameters.
func (w *world) ship(system, name, id, player string, settings map[string]string, parameters map[string]any) {
	w.t.Helper()
	s, err := sheets.Get(system, name)
	if err != nil {
		w.t.Fatal(err)
	}
	s.Controllers = []string{player}
	req := w.deed(gm, &eventv1.PatientCommand{Deed: "enrol", Patients: []string{id}, Sheet: s, Parameters: params(w.t, parameters)})
	req.System, req.Settings = system, settings
	w.tend(req)
}

// does makes a request of a deed on one patient.
func (w *world) does(as *eventv1.Principal, deed, id string, parameters map[string]any) *injuryv1.TendRequest {
	w.t.Helper()
	return w.deed(as, &eventv1.PatientCommand{Deed: deed, Patients: []string{id}, Parameters: params(w.t, parameters)})
}

// asked is the one decision of a patient that is open for the game master.
func (w *world) asked(id string) *eventv1.Decision {
	w.t.Helper()
	var last *eventv1.Decision
	for _, e := range w.history(gm, id, 0, 0).Entries {
		for _, ev := range e.Events {
			if d := ev.GetDecisionRequested(); d != nil {
				last = d.Decision
			}
		}
	}
	if last == nil {
		w.t.Fatal("nothing is asked")
	}
	return last
}

type claimed struct {
	system, sheet string
	// before are deeds of the game master.
	before []*eventv1.PatientCommand
	deed   string
	said   map[string]any
	// fields claimed.
	fields []string
	// count is read of the patient; want is what it must be by the answer, 0 of
	// "ignore" where that is no answer.
	count func(*eventv1.Creature) int64
	want  map[string]int64
}

func counter(name string) func(*eventv1.Creature) int64 {
	return func(c *eventv1.Creature) int64 { return c.Counters[name] }
}

func hurt(t *testing.T, deed string, said map[string]any) *eventv1.PatientCommand {
	return &eventv1.PatientCommand{Deed: deed, Parameters: params(t, said)}
}

func claims(t *testing.T) []claimed {
	level := func(system, sheet string, of func(*eventv1.Sheet) int32) int64 {
		s, err := sheets.Get(system, sheet)
		if err != nil {
			t.Fatal(err)
		}
		return int64(of(s))
	}
	celesian := level("celesia", "sellsword", func(s *eventv1.Sheet) int32 { return s.GetCelesia().Level })
	return []claimed{
		// rcr.condition.exhaustion-scale
		{"rcr", "cleric", []*eventv1.PatientCommand{hurt(t, "exhaust", map[string]any{"levels": 2})}, "long-rest", map[string]any{"no_food": true},
			[]string{"no_food"}, counter("exhaustion"), map[string]int64{"grant": 2, "ignore": 1, "call-off": 2}},
		// spark.rest.activity
		{"spark", "", nil, "rest", map[string]any{"kind": "long", "interrupted": true, "minutes": 5},
			[]string{"interrupted", "minutes"}, counter("minutes"), map[string]int64{"grant": 5, "ignore": 480, "call-off": 0}},
		// How much is healed the rules must be told.
		{"basic", "sellsword", []*eventv1.PatientCommand{hurt(t, "harm", map[string]any{"amount": 3})}, "treat", map[string]any{"amount": 2},
			[]string{"amount"}, func(c *eventv1.Creature) int64 { return int64(c.GetHpMax() - c.GetHp()) }, map[string]int64{"grant": 1, "call-off": 3}},
		// celesia.healing.nonlethal-hourly: a level's worth each hour.
		{"celesia", "sellsword", []*eventv1.PatientCommand{hurt(t, "harm", map[string]any{"amount": 9 * celesian, "nature": "nonlethal"})}, "rest",
			map[string]any{"hours": 1}, []string{"hours"}, counter("nonlethal"),
			map[string]int64{"grant": 8 * celesian, "ignore": celesian, "call-off": 9 * celesian}},
		// original.healing.temporary-damage: of a level, a point each Turn.
		{"original", "orc-spearman", []*eventv1.PatientCommand{hurt(t, "harm", map[string]any{"amount": 1, "type": "temporary"})}, "rest",
			map[string]any{"turns": 1}, []string{"turns"}, counter("nonlethal"), map[string]int64{"grant": 0, "call-off": 1}},
	}
}

// What a player states of the world in a deed the game master grants, passes
// over or calls the deed off for; nobody else answers, before or after.
func TestClaimsInDeeds(t *testing.T) {
	w := realWorld(t)
	for _, c := range claims(t) {
		if c.sheet == "" {
			c.sheet = sheets.List(c.system)[0]
		}
		for _, answer := range []string{"grant", "ignore", "call-off"} {
			t.Run(c.system+"/"+answer, func(t *testing.T) {
				id := c.system + "-" + answer
				w.t = t
				w.ship(c.system, c.sheet, id, "ann", nil, nil)
				for _, cmd := range c.before {
					cmd.Patients = []string{id}
					w.tend(w.deed(gm, cmd))
				}
				before := c.count(w.get(gm, id, 0).Creature)
				req := w.does(ann, c.deed, id, c.said)
				req.Command.Answers = []*eventv1.EarlyAnswer{{Decision: "claim", Creature: id, Answer: &eventv1.Answer{Option: "grant"}}}
				for _, e := range w.tend(req).Events {
					if e.GetDecisionRequested() != nil {
						t.Errorf("the player is shown the game master's question: %v", e)
					}
				}
				d := w.asked(id)
				var fields []string
				for _, cl := range d.Claims {
					fields = append(fields, cl.Field)
				}
				var want []string
				for _, f := range c.fields {
					want = append(want, "command.patient.parameters."+f)
				}
				if d.Name != "claim" || !d.GmOnly || d.Creature != id || !slices.Equal(fields, want) {
					t.Fatalf("asked %v, want a claim of %v", d, want)
				}
				if now := c.count(w.get(gm, id, 0).Creature); now != before {
					t.Errorf("%d while it is asked, want %d", now, before)
				}
				grant := &eventv1.Answer{Option: "grant"}
				w.refused(w.answer(ann, d.Id, grant), fault.NotFound, "UNKNOWN_DECISION")
				w.refused(w.answer(bob, d.Id, grant), fault.NotFound, "UNKNOWN_DECISION")
				w.restart()
				after, is := c.want[answer]
				if !is { // the rules refuse the deed without it
					w.refused(w.answer(gm, d.Id, &eventv1.Answer{Option: answer}), fault.Invalid, "INVALID_FIELD")
					if d.DefaultOption != "call-off" {
						t.Errorf("by default %s", d.DefaultOption)
					}
					return
				}
				w.tend(w.answer(gm, d.Id, &eventv1.Answer{Option: answer}))
				if now := c.count(w.get(gm, id, 0).Creature); now != after {
					t.Errorf("%d after %s, want %d", now, answer, after)
				}
				if answer != "call-off" {
					return
				}
				// The game master states what it likes, and no deed waits any more.
				w.tend(w.does(gm, c.deed, id, c.said))
				if now := c.count(w.get(gm, id, 0).Creature); now != c.want["grant"] {
					t.Errorf("%d by the game master's word, want %d", now, c.want["grant"])
				}
			})
		}
	}
}

// A table may take what players state as it is, or refuse it.
func TestClaimsByTheTablesSetting(t *testing.T) {
	w := realWorld(t)
	for _, c := range claims(t) {
		if c.sheet == "" {
			c.sheet = sheets.List(c.system)[0]
		}
		for _, setting := range []string{"free", "refuse"} {
			t.Run(c.system+"/"+setting, func(t *testing.T) {
				id := c.system + "-" + setting
				w.t = t
				w.ship(c.system, c.sheet, id, "ann", map[string]string{"player_facts": setting}, nil)
				for _, cmd := range c.before {
					cmd.Patients = []string{id}
					w.tend(w.deed(gm, cmd))
				}
				version := w.get(gm, id, 0).Version
				if setting == "refuse" {
					w.refused(w.does(ann, c.deed, id, c.said), fault.Denied, "GAME_MASTERS_TO_SAY")
					if now := w.get(gm, id, 0).Version; now != version {
						t.Error("a refusal was stored")
					}
					return
				}
				w.tend(w.does(ann, c.deed, id, c.said))
				if now := c.count(w.get(gm, id, 0).Creature); now != c.want["grant"] {
					t.Errorf("%d, want %d", now, c.want["grant"])
				}
			})
		}
	}
}

// What is the actor's own is asked of nobody, and words that no deed knows are
// refused in every system, by field.
func TestWordsOfDeeds(t *testing.T) {
	w := realWorld(t)
	w.ship("rcr", "cleric", "jeera", "ann", nil, nil)
	w.tend(w.does(ann, "rest", "jeera", map[string]any{"kind": "short", "dice": 0}))
	for _, c := range []struct {
		deed, field string
		said        map[string]any
	}{
		{"rest", "kid", map[string]any{"kid": "short"}},
		{"rest", "kind", map[string]any{"kind": true}},
		{"rest", "kind", map[string]any{"kind": "shrot"}},
		{"treat", "underwater", map[string]any{"underwater": "yes"}},
		{"pass-time", "hours", map[string]any{"hours": 1.5}},
		{"pass-time", "hour", map[string]any{"hours": 1, "hour": 1}},
		{"edit", "remove_condition", map[string]any{"remove_condition": []any{"prone"}}},
		{"edit", "controllers", map[string]any{"controllers": 3}},
		{"abandon", "reason", map[string]any{"reason": "x"}},
	} {
		_, err := w.client.Tend(w.ctx(), w.does(gm, c.deed, "jeera", c.said))
		f, _ := fault.As(err)
		if f == nil || !slices.ContainsFunc(f.Violations, func(v fault.Violation) bool { return v.Field == "command.patient.parameters."+c.field }) {
			t.Errorf("%s %v: %v, want %s", c.deed, c.said, err, c.field)
		}
	}
	s, err := sheets.Get("rcr", "cleric")
	if err != nil {
		t.Fatal(err)
	}
	for _, policy := range []any{"nobody", 3, true} {
		req := w.deed(gm, &eventv1.PatientCommand{Deed: "enrol", Patients: []string{"kesh"}, Sheet: s, Parameters: params(t, map[string]any{"dice_policy": policy})})
		req.System = "rcr"
		w.refused(req, fault.Invalid, "INVALID_FIELD")
	}
	// One name alone is a list of one.
	w.tend(w.does(gm, "edit", "jeera", map[string]any{"controllers": "bob"}))
	if got := w.get(gm, "jeera", 0).Creature.Controllers; !slices.Equal(got, []string{"bob"}) {
		t.Errorf("controlled by %v", got)
	}
}

// Of the deeds that players may do, these words are the actor's; all others are
// the world's.
func TestMattersOfDeeds(t *testing.T) {
	want := map[string][]string{
		"rcr":   {"long-rest dice", "rest dice", "rest kind", "short-rest dice", "treat slot", "treat via", "treat wounds"},
		"spark": {"rest ability", "rest dice", "rest kind"}, "basic": nil, "celesia": nil, "original": nil,
	}
	registry := systems.Registry()
	for _, id := range registry.IDs() {
		sys, err := registry.System(id)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, w := range rules.VocabularyOf(sys).Words {
			for _, deed := range w.Actions {
				if w.Place == rules.PlaceDeed && w.Matter == rules.MatterActor && (deed == "treat" || strings.HasSuffix(deed, "rest")) {
					got = append(got, deed+" "+w.Name)
				}
			}
		}
		if slices.Sort(got); !slices.Equal(got, want[id]) {
			t.Errorf("%s: %v, want %v", id, got, want[id])
		}
	}
}

// Nobody answers ahead for another's patient, rests with it or rolls for it.
func TestDeedsAreOnesOwn(t *testing.T) {
	w := realWorld(t)
	either := map[string]any{"dice_policy": "either"}
	w.ship("rcr", "cleric", "jeera", "ann", nil, either)
	w.ship("rcr", "cleric", "kesh", "bob", nil, either)
	for _, id := range []string{"jeera", "kesh"} {
		w.tend(w.does(gm, "harm", id, map[string]any{"amount": 5}))
	}
	before := len(w.commits("kesh")) + len(w.commits("jeera"))
	ahead := w.does(ann, "short-rest", "jeera", nil)
	ahead.Command.Answers = []*eventv1.EarlyAnswer{{Decision: "hit-die", Creature: "kesh", Answer: &eventv1.Answer{Option: "stop"}}}
	w.refused(ahead, fault.Denied, "NOT_YOUR_DECISION")
	ahead.Command.Answers[0].Creature = "nobody"
	w.refused(ahead, fault.Denied, "NOT_YOUR_DECISION")
	with := w.does(ann, "short-rest", "jeera", nil)
	with.Command.GetPatient().User = "kesh" // whose kit would count
	w.refused(with, fault.Denied, "NOT_YOURS")
	if now := len(w.commits("kesh")) + len(w.commits("jeera")); now != before {
		t.Errorf("refusals stored %d commits", now-before)
	}

	// One's own hit die may be rolled by hand.
	rest := w.does(ann, "short-rest", "jeera", map[string]any{"dice": 1})
	rest.Command.Faces = []int32{1}
	if got := supplied(w.tend(rest).Events); got != 1 {
		t.Errorf("%d faces of an own hit die, want 1", got)
	}
	// Of a potion the dice are the drinker's, the check of the potion is not.
	w.tend(w.does(gm, "harm", "jeera", map[string]any{"amount": 9}))
	w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "edit", Patients: []string{"jeera"}, Vitals: &eventv1.Vitals{Counters: map[string]int64{"wounds": 1}}}))
	potion := w.deed(ann, &eventv1.PatientCommand{Deed: "treat", Patients: []string{"jeera"}, Item: "potion of healing"})
	potion.Command.Faces = []int32{4, 4, 20}
	w.tape.script["wound-check"] = []int32{2}
	events := w.tend(potion).Events
	var aside, check []int32
	for _, e := range events {
		aside = append(aside, e.GetNote().GetFacesSetAside()...)
		if r := e.GetRoll(); r.GetLabel() == "wound-check" {
			check = r.Faces
		}
	}
	if got := supplied(events); got != 2 || !slices.Equal(aside, []int32{20}) || !slices.Equal(check, []int32{2}) {
		t.Errorf("%d faces supplied, %v set aside, the check rolled %v", got, aside, check)
	}
	// Faces come with the command that they are rolled in: those of one that
	// waits for the game master are set aside. Another's healer treats nobody.
	treat := func(as *eventv1.Principal, user string) *injuryv1.TendRequest {
		return w.deed(as, &eventv1.PatientCommand{Deed: "treat", Patients: []string{"kesh"}, User: user, Item: "healing",
			Parameters: params(t, map[string]any{"via": "ability", "healing": "1d4"})})
	}
	own := treat(ann, "jeera")
	own.Command.Faces = []int32{1}
	w.tend(own)
	d := w.asked("kesh")
	if len(d.Claims) != 1 || d.Claims[0].Field != "command.patient.parameters.healing" {
		t.Fatalf("asked %v", d)
	}
	reply := w.tend(w.answer(gm, d.Id, &eventv1.Answer{Option: "grant"}))
	if got := supplied(reply.Events); got != 0 {
		t.Errorf("faces of a deed that waited were kept: %d", got)
	}
	w.refused(treat(bob, "jeera"), fault.Denied, "NOT_YOURS")
}

// supplied counts the faces of rolls that people supplied.
func supplied(events []*eventv1.Event) (n uint32) {
	for _, e := range events {
		n += e.GetRoll().GetSuppliedFaces()
	}
	return n
}
