package proof

import (
	"fmt"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/cmd/skald/internal/autoplay"
	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/fault"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// tablePlay plays a campaign of two patients with the server's dice.
type tablePlay struct {
	t             *testing.T
	conn          grpc.ClientConnInterface
	system, table string
	n, done       int
}

func (p *tablePlay) request() string {
	p.n++
	return fmt.Sprint("play-", p.n)
}

func (p *tablePlay) tend(as *eventv1.Principal, deed *eventv1.PatientCommand) (*injuryv1.TendResponse, error) {
	return p.answerable(&injuryv1.TendRequest{RequestId: p.request(), Table: p.table, As: as,
		Command: &eventv1.Command{What: &eventv1.Command_Patient{Patient: deed}}})
}

// answerable tends, and answers whatever the deed asks with its default or first option.
func (p *tablePlay) answerable(req *injuryv1.TendRequest) (*injuryv1.TendResponse, error) {
	client := injuryv1.NewInjuryServiceClient(p.conn)
	resp, err := client.Tend(p.t.Context(), req)
	for range 5 {
		if err != nil || len(resp.GetPatient().GetDecisions()) == 0 {
			break
		}
		d := resp.Patient.Decisions[0]
		a := &eventv1.Answer{Option: d.DefaultOption}
		if a.Option == "" && len(d.Options) > 0 {
			a.Option = d.Options[0].Id
		}
		resp, err = client.Tend(p.t.Context(), &injuryv1.TendRequest{RequestId: p.request(), Table: p.table, As: gm,
			Command: &eventv1.Command{What: &eventv1.Command_Answer{Answer: &eventv1.AnswerDecision{Decision: d.Id, Answer: a}}}})
	}
	if err == nil {
		p.done++
	}
	return resp, err
}

func (p *tablePlay) execute(encounter string, cmd *eventv1.Command) {
	p.t.Helper()
	_, err := encounterv1.NewEncounterServiceClient(p.conn).Execute(p.t.Context(), &encounterv1.ExecuteRequest{RequestId: p.request(), As: gm, Table: p.table,
		Encounter: encounter, Command: cmd})
	if f, ok := fault.As(err); ok && f.Reason == "PATIENT_DEAD" {
		return // the fight goes on without it
	}
	if err != nil {
		p.t.Fatalf("%s, %s: %v: %v", p.table, encounter, cmd, err)
	}
}

func (p *tablePlay) sheet(id, side string, player string) *eventv1.Sheet {
	p.t.Helper()
	s, err := sheets.Get(p.system, sheets.List(p.system)[0])
	if err != nil {
		p.t.Fatal(err)
	}
	s = proto.CloneOf(s)
	s.Id, s.Side = id, side
	if player != "" {
		s.Controllers = []string{player}
	}
	return s
}

func words(m map[string]any) *structpb.Struct {
	s, _ := structpb.NewStruct(m) //nolint:errcheck // plain values
	return s
}

// between are deeds of all sorts; a system refuses those that it does not know.
func (p *tablePlay) between(patients ...string) {
	p.t.Helper()
	for _, c := range []struct {
		as *eventv1.Principal
		*eventv1.PatientCommand
	}{
		{gm, &eventv1.PatientCommand{Deed: "harm", Patients: patients[:1], Parameters: words(map[string]any{"amount": 3, "type": "fire"})}},
		{gm, &eventv1.PatientCommand{Deed: "harm", Patients: patients, Parameters: words(map[string]any{"amount": 2})}},
		{gm, &eventv1.PatientCommand{Deed: "damage", Patients: patients[:1], Parameters: words(map[string]any{"amount": 2})}},
		{ann, &eventv1.PatientCommand{Deed: "rest", Patients: patients[:1], Parameters: words(map[string]any{"kind": "short", "dice": 1})}},
		{gm, &eventv1.PatientCommand{Deed: "rest", Patients: patients, Parameters: words(map[string]any{"kind": "short", "dice": 1})}},
		{ann, &eventv1.PatientCommand{Deed: "treat", Patients: patients[len(patients)-1:], User: patients[0]}},
		{gm, &eventv1.PatientCommand{Deed: "treat", Patients: patients[:1], Item: "potion", Parameters: words(map[string]any{"amount": 2})}},
		{gm, &eventv1.PatientCommand{Deed: "heal", Patients: patients, Parameters: words(map[string]any{"amount": 1})}},
		{gm, &eventv1.PatientCommand{Deed: "rest", Patients: patients, Parameters: words(map[string]any{"turns": 3})}},
		{gm, &eventv1.PatientCommand{Deed: "rest", Patients: patients, Parameters: words(map[string]any{"kind": "long"})}},
		{gm, &eventv1.PatientCommand{Deed: "pass-time", Patients: patients, Parameters: words(map[string]any{"hours": 5})}},
		{gm, &eventv1.PatientCommand{Deed: "edit", Patients: patients[:1], Parameters: words(map[string]any{"reason": "a wish"}), Vitals: &eventv1.Vitals{Hp: proto.Int32(4)}}},
		{gm, &eventv1.PatientCommand{Deed: "revert", Patients: patients[:1], Parameters: words(map[string]any{"reason": "no wishes"})}},
		{gm, &eventv1.PatientCommand{Deed: "redo", Patients: patients[:1]}},
		{gm, &eventv1.PatientCommand{Deed: "revert", Patients: patients[:1]}},
		{gm, &eventv1.PatientCommand{Deed: "revert", Patients: patients[:1]}}, // of both
		{gm, &eventv1.PatientCommand{Deed: "reveal", Patients: patients[:1]}},
		{bob, &eventv1.PatientCommand{Deed: "rest", Patients: patients[len(patients)-1:]}},
		{gm, &eventv1.PatientCommand{Deed: "pass-time", Patients: patients, Parameters: words(map[string]any{"hours": 1})}},
		{gm, &eventv1.PatientCommand{Deed: "rest", Patients: patients, Parameters: words(map[string]any{"kind": "short", "dice": 1})}},
	} {
		_, _ = p.tend(c.as, c.PatientCommand) //nolint:errcheck // some systems refuse it
	}
}

// fight brings both into a fight and plays a round; one of them is taken out of it.
func (p *tablePlay) fight(id string, remove bool) {
	p.t.Helper()
	p.execute(id, &eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{System: p.system}}})
	for i, patient := range []string{"kara", "wim"} {
		p.execute(id, &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: &eventv1.Sheet{Patient: patient, Side: "party"},
			Position: &eventv1.Position{Y: int32(5 * i)}}}}) //nolint:gosec // two
	}
	p.execute(id, &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: p.sheet("foe", "foes", ""), Position: &eventv1.Position{X: 5}}}})
	player := &autoplay.Player{Client: encounterv1.NewEncounterServiceClient(p.conn), Table: p.table, Encounter: id, Rounds: 2}
	if _, err := player.Play(p.t.Context()); err != nil {
		p.t.Fatal(p.table, err)
	}
	if remove && p.there(id, "wim") {
		p.execute(id, &eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: "wim"}}})
	}
	end := &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}}
	p.execute(id, end)
	p.execute(id, &eventv1.Command{What: &eventv1.Command_Revert{Revert: &eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Last{Last: true}}}})
	p.execute(id, &eventv1.Command{What: &eventv1.Command_Redo{Redo: &eventv1.RedoEncounter{}}})
}

// there tells whether a creature is in a fight.
func (p *tablePlay) there(encounter, creature string) bool {
	p.t.Helper()
	s, err := encounterv1.NewEncounterServiceClient(p.conn).GetState(p.t.Context(), &encounterv1.GetStateRequest{As: gm, Table: p.table, Encounter: encounter})
	if err != nil {
		p.t.Fatal(err)
	}
	return s.State.Creatures[creature] != nil
}

// enrol brings the records of both.
func (p *tablePlay) enrol() {
	p.t.Helper()
	for id, player := range map[string]string{"kara": "ann", "wim": "bob"} {
		cmd := &eventv1.PatientCommand{Deed: "enrol", Patients: []string{id}, Sheet: p.sheet(id, "party", player)}
		if _, err := p.answerable(&injuryv1.TendRequest{RequestId: "enrol-" + id, Table: p.table, As: gm, System: p.system,
			Command: &eventv1.Command{What: &eventv1.Command_Patient{Patient: cmd}}}); err != nil {
			p.t.Fatal(p.table, err)
		}
	}
}

// play plays all of it.
func (p *tablePlay) play() []*injuryv1.RecordLine {
	p.t.Helper()
	p.enrol()
	p.between("kara", "wim")
	p.fight("first", true)
	p.between("wim", "kara")
	p.fight("second", false)
	p.between("kara")
	p.execute("what-if", &eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{Fork: &eventv1.ForkOf{Encounter: "first", Version: 3}}}})
	p.execute("what-if", &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	if p.done < 15 {
		p.t.Errorf("%s: %d deeds came to anything", p.table, p.done)
	}
	return exportTable(p.t, p.conn, p.table)
}

// short is a fight of both in which the game master sets hit points, and nobody strikes.
func (p *tablePlay) short(id string, hp int32) {
	p.t.Helper()
	p.execute(id, &eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{System: p.system}}})
	for _, patient := range []string{"kara", "wim"} {
		p.execute(id, &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: &eventv1.Sheet{Patient: patient, Side: "party"}}}})
	}
	p.execute(id, hurt(hp))
	p.execute(id, &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
}

func hurt(hp int32) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "kara", Reason: "a rock", Vitals: &eventv1.Vitals{Hp: proto.Int32(hp)}}}}
}

// ruled plays two fights with deeds between them, and rules on the first, takes that
// back, and rules again: all of it goes on into records and the second fight.
func (p *tablePlay) ruled() []*injuryv1.RecordLine {
	p.t.Helper()
	p.enrol()
	p.short("first", 3)
	for _, c := range []*eventv1.PatientCommand{
		{Deed: "rest", Patients: []string{"kara", "wim"}, Parameters: words(map[string]any{"kind": "short", "dice": 1})},
		{Deed: "heal", Patients: []string{"kara"}, Parameters: words(map[string]any{"amount": 1})},
		{Deed: "treat", Patients: []string{"kara"}, User: "wim"},
		{Deed: "reveal", Patients: []string{"kara"}},
		{Deed: "pass-time", Patients: []string{"kara", "wim"}, Parameters: words(map[string]any{"hours": 5})},
	} {
		_, _ = p.tend(gm, c) //nolint:errcheck // some systems refuse it
	}
	p.short("second", 2)
	amend := func(hp int32) *eventv1.Command {
		return &eventv1.Command{What: &eventv1.Command_Amend{Amend: &eventv1.AmendCommand{Version: 4, Command: hurt(hp), Reason: "a pebble", TakeDefaults: true}}}
	}
	p.execute("first", amend(4))
	p.execute("first", &eventv1.Command{What: &eventv1.Command_Revert{Revert: &eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Last{Last: true}}}})
	p.execute("first", &eventv1.Command{What: &eventv1.Command_Redo{Redo: &eventv1.RedoEncounter{}}})
	return exportTable(p.t, p.conn, p.table)
}
