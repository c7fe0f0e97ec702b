package injury_test

import (
	"maps"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	"github.com/skaldrpg/skald/pkg/systems"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// before is a rule system as a build before stored it: of the version before, and
// with names that today's vocabulary does not have.
type before struct{ rules.System }

// Info is that of the version before.
func (b before) Info() rules.Info {
	info := b.System.Info()
	info.Version = "2"
	return info
}

// Enter gives hit points and no numbers: those are given by hand, by their old names.
func (before) Enter(r *rules.Resolution, add *eventv1.AddCreature) error {
	r.SetHitPoints(add.Sheet.Id, add.Sheet.HitPoints, add.Sheet.HitPoints, 0)
	return nil
}

// Edited leaves what is given by hand.
func (before) Edited(*rules.Resolution, string) error { return nil }

// older are patients as builds before stored them, by system.
var older = map[string]struct {
	sheet         string
	counters      map[string]int64
	marks         map[string]string
	conditions    []string
	now           map[string]int64  // counters by the names of today
	nowMarks      map[string]string // and marks
	nowConditions []string
}{
	"rcr": {sheet: "fighter", counters: map[string]int64{"hitdice.10": 2}, marks: map[string]string{"wounds-enabled": "on", "last-seen": "3,4,0", "regeneration-stopped": "yes"},
		now: map[string]int64{"hit-dice.10": 2}, nowMarks: map[string]string{"regeneration-stopped": "true", "wounds-enabled": "on"}},
	"spark": {sheet: "archer", counters: map[string]int64{"missiles.longbow": 7, "cracked-missiles.longbow": 1, "uses.flask": 2, "hit-dice": 1, "clock": 90, "locked": 3, "package": 1},
		marks: map[string]string{"declared": "{}", "stuck.longbow": "yes"},
		now:   map[string]int64{"ammunition.longbow": 7, "cracked-ammunition.longbow": 1, "left.flask": 2, "hit-dice.8": 1, "minutes": 90}, nowMarks: map[string]string{"stuck.longbow": "true"}},
	"basic": {sheet: "elf-archer", counters: map[string]int64{"spell/sleep": 1, "item/oil": 2, "ammunition/longbow": 9, "scorched": 1}, marks: map[string]string{"silenced": "4"},
		now: map[string]int64{"left.sleep": 1, "left.oil": 2, "ammunition.longbow": 9}},
	"celesia": {sheet: "sellsword", counters: map[string]int64{"reactions": 1, "nonlethal": 3, "under-way": 2}, marks: map[string]string{"coup": "goblin", "knees": "yes"}, conditions: []string{"blind"},
		now: map[string]int64{"reaction": 1, "nonlethal": 3}, nowConditions: []string{"blinded", "guiding-with-knees"}},
	"original": {sheet: "swordsman", counters: map[string]int64{"temporary": 2, "shot.bow": 1, "tally.orc": 4}, marks: map[string]string{"one-attack": "yes"},
		now: map[string]int64{"nonlethal": 2, "loading.bow": 1}},
}

// wantToday says what is amiss with a creature that should have the names of today
// and none of those before.
func wantToday(t *testing.T, system string, c *eventv1.Creature) {
	t.Helper()
	o := older[system]
	for name, n := range o.now {
		if c.GetCounters()[name] != n {
			t.Errorf("%s is %d, want %d, in %v", name, c.GetCounters()[name], n, c.GetCounters())
		}
	}
	for name, v := range o.nowMarks {
		if c.GetMarks()[name] != v {
			t.Errorf("mark %s is %q, want %q", name, c.GetMarks()[name], v)
		}
	}
	for name := range o.counters {
		if _, there := c.GetCounters()[name]; there && o.now[name] == 0 {
			t.Errorf("the old counter %s is handed on", name)
		}
	}
	for name := range o.marks {
		if v := c.GetMarks()[name]; v != "" && o.nowMarks[name] == "" {
			t.Errorf("the old mark %s=%s is handed on", name, v)
		}
	}
	for _, name := range o.nowConditions {
		if !has(c, name) {
			t.Errorf("%s is missing in %v", name, c.GetConditions())
		}
	}
	for _, name := range o.conditions {
		if has(c, name) {
			t.Errorf("the old condition %s is handed on", name)
		}
	}
}

func has(c *eventv1.Creature, condition string) bool {
	for _, x := range c.GetConditions() {
		if x.GetName() == condition {
			return true
		}
	}
	return false
}

// A patient stored by a build before keeps its numbers when it is read, when it
// enters a fight, in the rules of that fight, and in the record that it comes home to.
func TestOlderPatientsAreReadByTheNamesOfToday(t *testing.T) {
	for _, system := range systems.Registry().IDs() {
		t.Run(system, func(t *testing.T) {
			w, now := newWorld(t), today(t, system)
			w.olderPatient(system, now)
			wantToday(t, system, w.get(gm, "old", 0).Creature)
			engaged, err := w.client.PrepareEngage(w.ctx(), &injuryv1.PrepareEngageRequest{Table: "t1", Patient: "old", Encounter: "e1", System: system, As: gm})
			if err != nil {
				t.Fatal(err)
			}
			c := engaged.Patient.Creature
			wantToday(t, system, c)
			inFight(t, now, c)

			e := &encounter{w: w, id: "e1"}
			e.commit(&eventv1.Command{What: &eventv1.Command_Add{}}, engaged.Message, &eventv1.CommitInputs{})
			home := proto.Clone(c).(*eventv1.Creature)
			home.Hp = proto.Int32(c.GetHp() - 1)
			e.leave("old", home)
			after := w.get(gm, "old", 0).Creature
			if after.GetHp() != c.GetHp()-1 {
				t.Errorf("came home with %d hit points", after.GetHp())
			}
			for name, n := range older[system].now {
				if got := after.Counters[name]; got != n && got != 0 { // 0: of the fight alone
					t.Errorf("came home with %s %d, want %d", name, got, n)
				}
			}
		})
	}
}

// A deed between fights works on the numbers by their new names, and what it
// leaves of them is what is read afterwards: not what the old name still holds.
func TestOlderPatientsAreTendedByTheNamesOfToday(t *testing.T) {
	w := newWorld(t)
	w.olderPatient("spark", today(t, "spark"))
	for _, n := range []int{5, 0} {
		w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "set", Patients: []string{"old"},
			Parameters: params(t, map[string]any{"counter": "ammunition.longbow", "value": n})}))
		c := w.get(gm, "old", 0).Creature
		if c.Counters["ammunition.longbow"] != int64(n) || c.Counters["left.flask"] != 2 {
			t.Errorf("after setting %d: %v", n, c.Counters)
		}
	}
	// The record itself stays as it was.
	if was := w.get(gm, "old", 1); was.Creature == nil {
		t.Error("the first version is gone")
	}
}

func today(t *testing.T, system string) rules.System {
	t.Helper()
	sys, err := systems.Registry().System(system)
	if err != nil {
		t.Fatal(err)
	}
	return sys
}

// olderPatient stores the system's patient as a build before did, and goes on with
// this one.
func (w *world) olderPatient(system string, now rules.System) {
	w.t.Helper()
	old, err := rules.NewRegistry(before{now})
	if err != nil {
		w.t.Fatal(err)
	}
	w.cfg.Systems = old
	w.restart()
	s, err := sheets.Get(system, older[system].sheet)
	if err != nil {
		w.t.Fatal(err)
	}
	s = proto.CloneOf(s)
	s.MadeOf = nil // no build of then read it
	req := w.deed(gm, &eventv1.PatientCommand{Deed: "enrol", Patients: []string{"old"}, Sheet: s})
	req.System = system
	w.tend(req)
	o := older[system]
	v := &eventv1.Vitals{Hp: proto.Int32(s.HitPoints - 2), Counters: o.counters, Marks: o.marks}
	for _, name := range o.conditions {
		v.Conditions = append(v.Conditions, &eventv1.Condition{Id: name, Name: name})
	}
	w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "edit", Patients: []string{"old"}, Vitals: v}))
	w.cfg.Systems = systems.Registry()
	w.restart()
}

// inFight adds a patient's creature to a fight by the rules of this build, as the
// encounter service does.
func inFight(t *testing.T, sys rules.System, c *eventv1.Creature) {
	t.Helper()
	v := &eventv1.Vitals{Hp: c.Hp, HpTemp: c.HpTemp, Counters: maps.Clone(c.Counters), Marks: maps.Clone(c.Marks), Conditions: c.Conditions, Injuries: c.Injuries}
	delete(v.Counters, "hours")
	delete(v.Marks, "encounter")
	table := rulestest.New(t, sys)
	table.Roller = func(sides int) int { return (sides + 1) / 2 }
	table.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: c.Sheet, Vitals: v}}})
	for name, n := range older[sys.Info().ID].now {
		if got := table.Creature(c.Sheet.Id).Counters[name]; got != n && name != "reaction" && name != "loading.bow" {
			t.Errorf("in the fight %s is %d, want %d", name, got, n) // but what a fight begins anew
		}
	}
}
