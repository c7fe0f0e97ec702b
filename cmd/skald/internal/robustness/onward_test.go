package robustness

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/cmd/skald/internal/proof"
	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/systems"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// wounded is a play of three fights with the same patients and deeds between them.
type wounded struct {
	*play
	records injuryv1.InjuryServiceClient
	exports injuryv1.PatientRecordServiceClient
	fights  []string
	fates   map[string]*fate
	dice    map[string]map[string]string // what was drawn, by fight
	ruled   map[string]int
}

// TestRandomCampaigns plays three fights of the same patients in every system, with
// deeds between them, and rules on any of the fights: a ruling without a change is
// identity everywhere, its undo is, and so is redoing it; each consequence that a dry
// run lists is what happens.
func TestRandomCampaigns(t *testing.T) {
	rulings := number("SKALD_CAMPAIGN_RULINGS", 12)
	if testing.Short() {
		rulings = 5
	}
	for _, system := range systems.Registry().IDs() {
		t.Run(system, func(t *testing.T) {
			seed := uint64(number(envSeed, int(time.Now().UnixNano()&0x7fffffff)))
			inline := 0
			if seed%2 == 1 { // parts of rulings in fights and records of more than some commands stand on branches
				inline = 2 << 10
			}
			stack, err := allinone.Start(t.Context(), allinone.Config{DataDir: t.TempDir(), Random: newRandom(seed), InlineBytes: inline,
				Clock:  func() time.Time { return time.Unix(int64(seed), 0) },
				Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
			if err != nil {
				t.Fatal(err)
			}
			defer stack.Close() //nolint:errcheck // the test is over
			p := &play{t: t, system: system, rng: rand.New(rand.NewPCG(seed, 1)), done: map[string]int{},
				client: encounterv1.NewEncounterServiceClient(stack.Conn()), actions: map[string]bool{}}
			w := &wounded{play: p, records: injuryv1.NewInjuryServiceClient(stack.Conn()),
				exports: injuryv1.NewPatientRecordServiceClient(stack.Conn()), fates: map[string]*fate{}, dice: map[string]map[string]string{}, ruled: map[string]int{}}
			defer func() {
				if t.Failed() {
					t.Logf("repeat with %s=%d -run RandomCampaigns/%s; history: %v", envSeed, seed, system, p.log[max(0, len(p.log)-6):])
				}
			}()
			w.enrol()
			for n := 1; n <= 3 && !t.Failed(); n++ {
				w.battle(n, n < 3)
				w.deeds()
			}
			for range rulings {
				if t.Failed() {
					return
				}
				w.rule()
			}
			t.Logf("%d commands; rulings %v", p.n, w.ruled)
			if !t.Failed() {
				p.prove(systems.Registry())
				w.proveAll()
			}
		})
	}
}

var patients = []string{"p0", "p1", "p2", "p3"}

func (w *wounded) tend(cmd *eventv1.Command) error {
	w.n++
	w.log = append(w.log, fmt.Sprint(cmd))
	req := &injuryv1.TendRequest{RequestId: fmt.Sprint("deed", w.n), As: gm, Command: cmd}
	if cmd.GetPatient().GetDeed() == "enrol" {
		req.System = w.system
	}
	resp, err := w.records.Tend(w.t.Context(), req)
	for err == nil && len(resp.Patient.GetDecisions()) > 0 {
		d := resp.Patient.Decisions[0]
		w.n++
		resp, err = w.records.Tend(w.t.Context(), &injuryv1.TendRequest{RequestId: fmt.Sprint("deed", w.n), As: gm,
			Command: &eventv1.Command{What: &eventv1.Command_Answer{Answer: &eventv1.AnswerDecision{Decision: d.Id, Answer: w.answer(d)}}}})
	}
	return err
}

func (w *wounded) enrol() {
	names := sheets.List(w.system)
	for _, id := range patients {
		sheet, err := sheets.Get(w.system, names[w.rng.IntN(len(names))])
		if err != nil {
			w.t.Fatal(err)
		}
		sheet = proto.CloneOf(sheet)
		sheet.Id, sheet.Patient = id, id
		if err := w.tend(&eventv1.Command{What: &eventv1.Command_Patient{Patient: &eventv1.PatientCommand{Deed: "enrol", Patients: []string{id}, Sheet: sheet}}}); err != nil {
			w.t.Fatal(err)
		}
	}
}

// battle is one fight of those of the patients who can fight.
func (w *wounded) battle(n int, end bool) {
	w.fight = n
	w.id = fmt.Sprintf("play-%s-%d", w.system, n)
	w.fights = append(w.fights, w.id)
	w.fate = &fate{given: map[uint64]*eventv1.Command{}, asked: map[uint64][]*eventv1.Decision{}}
	w.fates[w.id], w.dice[w.id] = w.fate, map[string]string{}
	w.drawn = w.dice[w.id]
	create := &eventv1.CreateEncounter{System: w.system}
	if w.rng.IntN(4) == 0 {
		create.DicePolicy = eventv1.DicePolicy_DICE_POLICY_SUPPLIED
	}
	w.must(&eventv1.Command{What: &eventv1.Command_Create{Create: create}})
	for i, id := range patients {
		resp, err := w.try(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: &eventv1.Sheet{Patient: id, Side: []string{"left", "right"}[i%2]}}}})
		if f := rpc.FromStatus(err); err != nil && f.Reason != "PATIENT_DEAD" {
			w.t.Fatal(err)
		}
		for err == nil && len(resp.Decisions) > 0 {
			resp = w.reply(resp.Decisions[0])
		}
	}
	acts := 25
	if _, err := w.try(&eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}}); err != nil {
		if rpc.FromStatus(err).Code != fault.Illegal { // all are down by now
			w.t.Fatal(err)
		}
		acts = 0
	}
	for range acts {
		if _, going := w.act(w.state().State); !going {
			break
		}
	}
	for s := w.state().State; end && len(s.Decisions) > 0; s = w.state().State {
		w.reply(s.Decisions[rules.SortedKeys(s.Decisions)[0]])
	}
	if !end {
		return
	}
	if w.rng.IntN(3) == 0 && len(w.state().State.Creatures) > 2 { // one leaves before the end
		w.try(&eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: rules.SortedKeys(w.state().State.Creatures)[0]}}}) //nolint:errcheck // it may be refused
		for s := w.state().State; len(s.Decisions) > 0; s = w.state().State {
			w.reply(s.Decisions[rules.SortedKeys(s.Decisions)[0]])
		}
	}
	w.must(proto.CloneOf(endCommand))
	for s := w.state().State; len(s.Decisions) > 0; s = w.state().State { // the end may ask
		w.reply(s.Decisions[rules.SortedKeys(s.Decisions)[0]])
	}
}

// deeds are some of those that the system has, on whom they suit.
func (w *wounded) deeds() {
	sys, err := systems.Registry().System(w.system)
	if err != nil {
		w.t.Fatal(err)
	}
	all := append(slices.Clone(sys.Medicine().Deeds()), "rest", "short-rest", "long-rest", "reveal")
	for range 12 {
		cmd := &eventv1.PatientCommand{Deed: all[w.rng.IntN(len(all))], Patients: []string{patients[w.rng.IntN(4)]}}
		if other := patients[w.rng.IntN(4)]; other != cmd.Patients[0] && w.rng.IntN(2) == 0 {
			cmd.Patients = append(cmd.Patients, other)
		}
		if cmd.Deed == "enrol" || cmd.Deed == "edit" {
			continue
		}
		if err := w.tend(&eventv1.Command{What: &eventv1.Command_Patient{Patient: cmd}}); err == nil {
			w.ruled["deeds"]++
		} else if f := rpc.FromStatus(err); f.Code == fault.Internal {
			w.t.Errorf("%v: %v", cmd, err)
		}
	}
}

// all is everything that counts: fights and records, but for the dice, which no ruling
// takes back.
func (w *wounded) all() map[string]*eventv1.State {
	w.t.Helper()
	out := map[string]*eventv1.State{}
	for _, id := range w.fights {
		resp, err := w.client.GetState(w.t.Context(), &encounterv1.GetStateRequest{As: gm, Encounter: id})
		if err != nil {
			w.t.Fatal(err)
		}
		s := event.Clone(resp.State)
		event.KeepDice(s, event.NewState())
		for _, d := range s.Decisions {
			d.DeadlineUnixMillis = 0
		}
		out[id] = s
	}
	for _, id := range patients {
		resp, err := w.records.GetPatient(w.t.Context(), &injuryv1.GetPatientRequest{As: gm, Patient: id})
		if err != nil {
			w.t.Fatal(err)
		}
		out[id] = &eventv1.State{Creatures: map[string]*eventv1.Creature{id: resp.Patient.Creature}, Packs: resp.Patient.Packs}
	}
	return out
}

func (w *wounded) holds(what string, got, want map[string]*eventv1.State) {
	w.t.Helper()
	for _, id := range rules.SortedKeys(want) {
		changes, err := event.Difference(want[id], got[id])
		if err != nil {
			w.t.Fatal(err)
		}
		if len(changes) > 0 {
			w.t.Errorf("%s: %s: %v", what, id, changes)
		}
	}
}

// opened waits until the dice of a fight that is over are opened: the service does that
// after the end, or after a ruling, by itself.
func (w *wounded) opened(id string) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), time.Minute)
	defer cancel()
	resp, err := w.client.GetState(ctx, &encounterv1.GetStateRequest{As: gm, Encounter: id})
	if err != nil {
		w.t.Fatal(err)
	}
	if resp.State.Status != eventv1.State_STATUS_ENDED || resp.State.RulingDice {
		return
	}
	stream, err := w.client.Watch(ctx, &encounterv1.WatchRequest{As: gm, Encounter: id})
	for err == nil {
		var m *encounterv1.WatchResponse
		if m, err = stream.Recv(); err != nil {
			break
		}
		for _, e := range m.GetStep().GetEvents() {
			if r := e.GetDiceRevealed(); r != nil && r.Epoch == resp.State.Epoch && r.Branch == "everyone" {
				return
			}
		}
	}
	w.t.Fatalf("%s: the dice of epoch %d are not opened: %v", id, resp.State.Epoch, err)
}

// goTo goes to a fight.
func (w *wounded) goTo(id string) { w.id, w.fate, w.drawn = id, w.fates[id], w.dice[id] }

// rule rules on some command of some fight.
func (w *wounded) rule() {
	w.goTo(w.fights[max(0, w.rng.IntN(len(w.fights)+2)-2)]) // mostly the first
	was := w.all()
	steps := rules.SortedKeys(stepNames(w.fate.given))
	if len(steps) == 0 { // nobody was up to fight
		return
	}
	step := numberOf(steps[w.rng.IntN(len(steps))])
	am := &eventv1.AmendCommand{Version: step, TakeDefaults: w.rng.IntN(2) == 0}
	switch n := w.rng.IntN(4); {
	case n == 0: // without a change
	case n == 1: // hit points that somebody had at that place: what follows goes on into records
		hp := 1 + w.rng.Int32N(20)
		am = &eventv1.AmendCommand{InsertAfter: step, TakeDefaults: am.TakeDefaults, Command: &eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{
			Creature: patients[w.rng.IntN(len(patients))], Reason: "it was so", Vitals: &eventv1.Vitals{Hp: &hp}}}}}
	default:
		for range 10 {
			if other := w.change(w.state()); other != nil && w.fate.given[other.Version] != nil {
				am = other
				break
			}
		}
	}
	unchanged := am.Command == nil && am.Change == nil && !am.Drop && len(am.Answers)+len(am.Rolls)+len(am.Resolve) == 0
	cmd := &eventv1.Command{What: &eventv1.Command_Amend{Amend: am}}
	var dry *encounterv1.PreviewRulingResponse
	for made, tries := false, 0; !made; tries++ {
		if dry = w.clear(cmd); dry == nil {
			w.ruled["refused"]++
			return
		}
		w.holds("a dry run changed something", w.all(), was)
		_, err := w.try(cmd)
		switch made = err == nil; {
		case err == nil:
		case tries < 20 && (strings.Contains(err.Error(), "are revealed: open new dice first") || strings.Contains(err.Error(), "was revealed and draws no more")):
			w.ruled["revealed meanwhile"]++ // after the dry run
			for _, id := range w.fights {
				w.opened(id)
			}
		default:
			w.t.Fatalf("%v: %v", cmd, err)
		}
	}
	w.ruled["made"]++
	now := w.all()
	if unchanged && len(am.ForceIllegal)+len(am.DropIllegal) == 0 {
		w.ruled["without a change"]++
		w.holds("amending without a change is not identity", now, was)
	}
	if len(dry.Onward) > 0 {
		w.ruled["onward"]++
	}
	if len(dry.Fresh) == 0 {
		w.foretold(dry, was, now)
	}
	w.must(lastCommand)
	w.holds("taking a ruling back is not identity", w.all(), was)
	w.must(redo)
	w.holds("making it again is not identity", w.all(), now)
	if w.rng.IntN(2) == 0 || len(am.ForceIllegal) > 0 {
		w.must(lastCommand)
		w.holds("taking it back once more is not identity", w.all(), was)
	}
}

var lastCommand = revert(&eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Last{Last: true}})

// stepNames and numberOf put steps in order.
func stepNames(given map[uint64]*eventv1.Command) map[string]bool {
	out := map[string]bool{}
	for v := range given {
		if v > 1 {
			out[fmt.Sprintf("%06d", v)] = true
		}
	}
	return out
}

func numberOf(name string) (n uint64) {
	fmt.Sscanf(name, "%d", &n) //nolint:errcheck // it was printed
	return n
}

// clear gives a ruling what stands in its way; nil when that cannot be.
func (w *wounded) clear(cmd *eventv1.Command) *encounterv1.PreviewRulingResponse {
	w.t.Helper()
	am := cmd.GetAmend()
	for range 100 {
		dry, err := w.client.PreviewRuling(w.t.Context(), &encounterv1.PreviewRulingRequest{As: gm, Encounter: w.id, Command: cmd})
		if err != nil {
			f := rpc.FromStatus(err)
			w.ruled[f.Reason]++
			if f.Code != fault.Invalid && f.Code != fault.Illegal && f.Code != fault.NotFound {
				w.t.Errorf("dry run of %v: %v", am, err)
			}
			return nil
		}
		if len(dry.Troubles) == 0 {
			return dry
		}
		for _, id := range dry.NeedsDice {
			here := w.id
			w.goTo(id)
			w.must(&eventv1.Command{What: &eventv1.Command_OpenDice{OpenDice: &eventv1.OpenDice{}}})
			w.ruled["opened dice"]++
			w.goTo(here)
		}
		if len(dry.NeedsDice) > 0 {
			continue
		}
		for _, t := range dry.Troubles {
			if !w.helps(am, t) {
				return nil
			}
		}
	}
	w.t.Errorf("no end of troubles with %v", am)
	return nil
}

// helps says what is to be done with a trouble.
func (w *wounded) helps(am *eventv1.AmendCommand, t *encounterv1.Trouble) bool {
	drop, force, resolve := &am.DropIllegal, &am.ForceIllegal, &am.Resolve
	if t.Encounter != "" || t.Patient != "" {
		at := slices.IndexFunc(am.Onward, func(o *eventv1.Onward) bool { return o.Encounter == t.Encounter && o.Patient == t.Patient })
		if at < 0 {
			am.Onward = append(am.Onward, &eventv1.Onward{Encounter: t.Encounter, Patient: t.Patient})
			at = len(am.Onward) - 1
		}
		o := am.Onward[at]
		w.ruled["helped elsewhere"]++
		if t.Encounter != "" && w.rng.IntN(4) == 0 {
			o.Stands = true
			return true
		}
		drop, force, resolve = &o.DropIllegal, &o.ForceIllegal, &o.Resolve
	}
	switch {
	case t.Decision != nil:
		*resolve = append(*resolve, &eventv1.AnswerDecision{Decision: t.Decision.Id, Answer: w.answer(t.Decision)})
	case slices.Contains(*drop, t.Version):
		return false // nor can it be dropped
	case slices.Contains(*force, t.Version) || t.Reason != "PATIENT_CANNOT_ENTER" && w.rng.IntN(2) == 0:
		*force = slices.DeleteFunc(*force, func(v uint64) bool { return v == t.Version })
		*drop = append(*drop, t.Version)
	default:
		*force = append(*force, t.Version)
	}
	return true
}

// proveAll exports the table and decides all of it again, links between fights and
// records and the parts of rulings included.
func (w *wounded) proveAll() {
	w.t.Helper()
	stream, err := w.exports.ExportTable(w.t.Context(), &injuryv1.ExportTableRequest{As: gm})
	if err != nil {
		w.t.Fatal(err)
	}
	f, err := proof.NewFile(systems.Registry(), nil)
	if err != nil {
		w.t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // the test is over
	var lines []*injuryv1.RecordLine
	for {
		resp, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			w.t.Fatal(err)
		}
		f.Look(resp.Line)
		lines = append(lines, resp.Line)
	}
	for _, line := range lines {
		if err := f.Add(w.t.Context(), line); err != nil {
			w.t.Fatal(err)
		}
	}
	r, err := f.Report(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	if !r.OK() {
		w.t.Errorf("the table's file does not hold: %s", r)
	}
	if r.Decided != r.Commits || r.Deeds+r.Crossings != r.PatientCommits {
		w.t.Errorf("not all of it was decided again: %s", r)
	}
}
