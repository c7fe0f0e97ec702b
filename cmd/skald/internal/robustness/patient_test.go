package robustness

import (
	"fmt"
	"io"
	"log/slog"
	"slices"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/cmd/skald/internal/autoplay"
	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/systems"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// A patient comes out of a fight with wounds and spent spells, not with the
// turns it has had there: in the next fight it has one in every round again.
func TestPatientsLeaveTurnsOfAFightBehind(t *testing.T) {
	for _, system := range systems.Registry().IDs() {
		t.Run(system, func(t *testing.T) {
			stack, err := allinone.Start(t.Context(), allinone.Config{DataDir: t.TempDir(), Random: newRandom(9),
				Clock:  func() time.Time { return time.Unix(9, 0) },
				Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
			if err != nil {
				t.Fatal(err)
			}
			defer stack.Close() //nolint:errcheck // the test is over
			f := &campaign{t: t, system: system, fights: encounterv1.NewEncounterServiceClient(stack.Conn()), records: injuryv1.NewInjuryServiceClient(stack.Conn())}
			first := f.fight("first")
			for _, id := range []string{"p0", "p1"} {
				kept := f.patient(id)
				known := append(f.known[id], "encounter", "hours", "survivors") // what time and the men of a unit came to
				for _, name := range append(rules.SortedKeys(kept.Counters), rules.SortedKeys(kept.Marks)...) {
					if !slices.Contains(known, name) {
						t.Errorf("%s brings %q out of the fight: counters %v, marks %v", id, name, kept.Counters, kept.Marks)
					}
				}
			}
			if second := f.fight("second"); !slices.Equal(first, second) {
				t.Errorf("turns of the first fight %v, of the second %v", first, second)
			}
		})
	}
}

// campaign is two patients who meet in several fights.
type campaign struct {
	t       *testing.T
	system  string
	fights  encounterv1.EncounterServiceClient
	records injuryv1.InjuryServiceClient
	n       int
	known   map[string][]string // counters and marks of a creature as it enters
}

func (f *campaign) do(id string, cmd *eventv1.Command) *encounterv1.ExecuteResponse {
	f.t.Helper()
	f.n++
	resp, err := f.fights.Execute(f.t.Context(), &encounterv1.ExecuteRequest{RequestId: fmt.Sprint("c", f.n), As: gm, Encounter: id, Command: cmd})
	if err != nil {
		f.t.Fatalf("%v: %v", cmd, err)
	}
	return resp
}

func (f *campaign) state(id string) *eventv1.State {
	f.t.Helper()
	resp, err := f.fights.GetState(f.t.Context(), &encounterv1.GetStateRequest{As: gm, Encounter: id})
	if err != nil {
		f.t.Fatal(err)
	}
	return resp.State
}

func (f *campaign) patient(id string) *eventv1.Creature {
	f.t.Helper()
	resp, err := f.records.GetPatient(f.t.Context(), &injuryv1.GetPatientRequest{As: gm, Patient: id})
	if err != nil {
		f.t.Fatal(err)
	}
	return resp.Patient.Creature
}

// fight has the two do nothing but end their turns for three rounds, and says
// who had a turn in which.
func (f *campaign) fight(id string) []string {
	f.t.Helper()
	f.do(id, &eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{System: f.system}}})
	first := f.known == nil
	for i, side := range []string{"left", "right"} {
		name := fmt.Sprint("p", i)
		sheet, err := sheets.Get(f.system, sheets.List(f.system)[0])
		if err != nil {
			f.t.Fatal(err)
		}
		sheet = proto.CloneOf(sheet)
		sheet.Id, sheet.Side, sheet.Patient = name, side, name
		if first {
			cmd := &eventv1.Command{What: &eventv1.Command_Patient{Patient: &eventv1.PatientCommand{Deed: "enrol", Patients: []string{name}, Sheet: sheet}}}
			if _, err := f.records.Tend(f.t.Context(), &injuryv1.TendRequest{RequestId: name, As: gm, System: f.system, Command: cmd}); err != nil {
				f.t.Fatal(err)
			}
		}
		f.do(id, &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: sheet}}})
	}
	if first {
		f.known = map[string][]string{}
		for name, c := range f.state(id).Creatures {
			f.known[name] = append(rules.SortedKeys(c.Counters), rules.SortedKeys(c.Marks)...)
		}
	}
	f.do(id, &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
	var turns []string
	for range 100 {
		s := f.state(id)
		if s.Round > 3 {
			break
		}
		if ids := rules.SortedKeys(s.Decisions); len(ids) > 0 {
			d := s.Decisions[ids[0]]
			answer := &eventv1.Answer{Option: d.DefaultOption}
			if answer.Option == "" && len(d.Options) > 0 {
				answer.Option = d.Options[0].Id
			}
			f.do(id, &eventv1.Command{What: &eventv1.Command_Answer{Answer: &eventv1.AnswerDecision{Decision: d.Id, Answer: answer}}})
			continue
		}
		if len(s.Active) == 0 { // something is to be done before anybody has a turn: a declaration
			f.do(id, &eventv1.Command{What: &eventv1.Command_Take{Take: f.any(id)}})
			continue
		}
		who := slices.Min(s.Active)
		if turn := fmt.Sprintf("%d %s", s.Round, who); s.Round > 0 && !slices.Contains(turns, turn) {
			turns = append(turns, turn)
		}
		f.do(id, &eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: who}}})
	}
	slices.Sort(turns) // the order is the dice's
	f.do(id, &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	return turns
}

// any is the first thing that somebody may do without a target or a word more.
func (f *campaign) any(id string) *eventv1.TakeAction {
	f.t.Helper()
	for _, name := range []string{"p0", "p1"} {
		resp, err := f.fights.GetOptions(f.t.Context(), &encounterv1.GetOptionsRequest{As: gm, Encounter: id, Creature: name})
		if err != nil {
			f.t.Fatal(err)
		}
		for _, o := range autoplay.Flat(resp.Options) {
			asks := slices.ContainsFunc(o.Parameters, func(p *eventv1.Parameter) bool { return p.Required })
			if o.Legal && o.MinimumTargets == 0 && !asks {
				return &eventv1.TakeAction{Creature: name, Action: o.Action, Item: o.Item}
			}
		}
	}
	f.t.Fatal("nobody has the turn, and nothing can be done")
	return nil
}
