package kills

import (
	"errors"
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/systems"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// script goes through every kind of command that there is.
func (r *recorder) script() {
	r.t.Helper()
	r.tending()
	r.fight()
	r.byHand()
	r.late()
}

func (r *recorder) sheet(n int, id, side string, controllers ...string) *eventv1.Sheet {
	r.t.Helper()
	names := sheets.List(r.system)
	sheet, err := sheets.Get(r.system, names[n%len(names)])
	if err != nil {
		r.t.Fatal(err)
	}
	sheet = proto.CloneOf(sheet)
	sheet.Id, sheet.Side, sheet.Controllers = id, side, controllers
	return sheet
}

func params(r *recorder, m map[string]any) *structpb.Struct {
	s, err := structpb.NewStruct(m)
	if err != nil {
		r.t.Fatal(err)
	}
	return s
}

func (r *recorder) enrol(n int, id, policy string) {
	r.t.Helper()
	if !slices.Contains(r.patients, id) {
		r.patients = append(r.patients, id)
	}
	c := &eventv1.PatientCommand{Deed: "enrol", Patients: []string{id}, Sheet: r.sheet(n, id, "left", "ann")}
	if policy != "" {
		c.Parameters = params(r, map[string]any{"dice_policy": policy})
	}
	resp := r.deed("enrol", c)
	if resp == nil {
		r.t.Fatalf("%s: nobody can be enrolled: %v", r.system, r.refused)
	}
	r.answerAll(resp)
}

// tending is what happens to patients between fights.
func (r *recorder) tending() {
	r.t.Helper()
	r.enrol(0, "p0", "")
	r.enrol(1, "p1", "")
	on := func(deed, item string, m map[string]any, ids ...string) *eventv1.PatientCommand {
		return &eventv1.PatientCommand{Deed: deed, Item: item, Patients: ids, Parameters: params(r, m)}
	}
	hp := int32(2)
	for _, id := range []string{"p0", "p1"} {
		r.deed("tend: edit", &eventv1.PatientCommand{Deed: "edit", Patients: []string{id}, Vitals: &eventv1.Vitals{Hp: &hp}})
	}
	r.deed("tend: treatment", on("treat", "cure wounds", map[string]any{"via": "spell", "slot": 1, "amount": 5}, "p0"),
		on("heal", "", map[string]any{"amount": 5}, "p0"), on("heal", "spell", map[string]any{"amount": 5}, "p0"))
	r.deed("tend: treatment", on("heal", "", map[string]any{"amount": 5}, "p1"), on("revive", "", nil, "p1"))
	r.deed("tend: harm", on("harm", "trap", map[string]any{"amount": 1, "critical": true}, "p0"), on("harm", "", map[string]any{"amount": 1}, "p0"))
	r.deed("tend: rest", on("rest", "", map[string]any{"kind": "short", "dice": 1}, "p0", "p1"), on("rest", "", map[string]any{"hours": 8}, "p0", "p1"),
		on("rest", "", map[string]any{"turns": 3}, "p0", "p1"))
	r.deed("tend: time", on("pass-time", "", map[string]any{"hours": 5}, "p0", "p1"))
	// Deeds that wait: the dice are rolled by people.
	for i, id := range []string{"w0", "w1"} {
		r.enrol(i, id, "supplied")
		r.deed("tend: edit", &eventv1.PatientCommand{Deed: "edit", Patients: []string{id}, Vitals: &eventv1.Vitals{Hp: &hp}})
	}
	r.waiting("tend: deed that waits", on("rest", "", map[string]any{"kind": "short", "dice": 1}, "w0", "w1"), on("rest", "", map[string]any{"hours": 8}, "w0", "w1"))
	r.waiting("tend: deed that waits", on("harm", "trap", map[string]any{"amount": 2, "critical": true}, "w1"))
}

// waiting does something that rolls, and answers what is asked.
func (r *recorder) waiting(kind string, deeds ...*eventv1.PatientCommand) {
	r.t.Helper()
	r.answerAll(r.deed(kind, deeds...))
}

// answerAll answers what a deed asks, and what comes of that.
func (r *recorder) answerAll(resp *injuryv1.TendResponse) {
	r.t.Helper()
	for len(resp.GetPatient().GetDecisions()) > 0 {
		resp = r.answerDeed(resp.Patient.Decisions[0])
	}
}

// fight has patients, others and somebody unseen, and rulings.
func (r *recorder) fight() {
	r.t.Helper()
	const e = "e"
	r.given = map[uint64]*eventv1.Command{}
	r.must(e, "create", create(&eventv1.CreateEncounter{System: r.system}))
	r.answers(e, r.must(e, "add a patient", add(&eventv1.AddCreature{Sheet: &eventv1.Sheet{Patient: "p0", Side: "left"}})))
	r.answers(e, r.must(e, "add a patient", add(&eventv1.AddCreature{Sheet: &eventv1.Sheet{Patient: "p1", Side: "left"}})))
	for i := range 3 {
		r.answers(e, r.must(e, "add", add(&eventv1.AddCreature{Sheet: r.sheet(i+1, fmt.Sprint("c", i), "right")})))
	}
	r.answers(e, r.must(e, "add somebody staged", add(&eventv1.AddCreature{Sheet: r.sheet(2, "unseen", "right"), Staged: true})))
	r.answers(e, r.must(e, "start", &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}}))
	r.turns(e, 14)
	if so := r.rules().StandingOrders(); len(so) > 0 {
		r.may(e, "order", &eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: "c0", Decision: so[0].Decision, Order: "ask"}}})
	}
	for _, s := range r.rules().Settings() {
		if s.Default != "" {
			r.may(e, "set", &eventv1.Command{What: &eventv1.Command_Set{Set: &eventv1.SetSetting{Setting: s.ID, Value: s.Default}}})
			break
		}
	}
	hp := int32(2)
	r.may(e, "edit", &eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "c1", Vitals: &eventv1.Vitals{Hp: &hp}}}})
	r.settle(e)
	r.may(e, "reveal", &eventv1.Command{What: &eventv1.Command_Reveal{Reveal: &eventv1.RevealCreature{Creature: "unseen"}}})
	r.settle(e)
	r.amend(e)
	r.settle(e)
	r.may(e, "revert", &eventv1.Command{What: &eventv1.Command_Revert{Revert: &eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Last{Last: true}}}})
	r.may(e, "redo", &eventv1.Command{What: &eventv1.Command_Redo{Redo: &eventv1.RedoEncounter{}}})
	r.may(e, "remove", &eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: "c1"}}})
	r.settle(e)
	r.may(e, "remove a patient", &eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: "p1"}}})
	r.settle(e)
	r.must(e, "end with patients", &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
}

// byHand is a fight whose dice people roll: whatever is done waits. Its end is
// taken back.
func (r *recorder) byHand() {
	r.t.Helper()
	const e = "hand"
	r.given = map[uint64]*eventv1.Command{}
	r.must(e, "create", create(&eventv1.CreateEncounter{System: r.system, DicePolicy: eventv1.DicePolicy_DICE_POLICY_SUPPLIED}))
	for i := range 2 {
		r.answers(e, r.must(e, "add", add(&eventv1.AddCreature{Sheet: r.sheet(i, fmt.Sprint("h", i), fmt.Sprint(i))})))
	}
	r.answers(e, r.must(e, "start", &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}}))
	r.turns(e, 4)
	r.must(e, "end", &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	r.may(e, "reopen", &eventv1.Command{What: &eventv1.Command_Revert{Revert: &eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Last{Last: true}}}})
}

// late is a fight in which nobody answers in time.
func (r *recorder) late() {
	r.t.Helper()
	const e = "late"
	if r.wants != nil && !r.wants("deadline") {
		return
	}
	if !r.untilAsked(e) {
		r.refused = append(r.refused, "deadline: nothing is asked that has a default")
		return
	}
	s := &step{waits: true}
	_, err := r.carryOut(s, named("deadline"))
	if err == nil && asksByDefault(r.state(e)) != nil {
		err = errors.New("one default leads to another question")
		r.steps = slices.DeleteFunc(r.steps, func(x *step) bool { return x == s })
	}
	if err != nil {
		r.refused = append(r.refused, fmt.Sprintf("deadline: %v", err))
	}
}

// untilAsked begins a fight and goes on until something is asked that is
// answered by itself after two seconds.
func (r *recorder) untilAsked(e string) bool {
	r.t.Helper()
	r.given = map[uint64]*eventv1.Command{}
	r.must(e, "create", create(&eventv1.CreateEncounter{System: r.system, DecisionSeconds: 2}))
	for i := range 6 {
		r.must(e, "add", add(&eventv1.AddCreature{Sheet: r.sheet(i, fmt.Sprint("l", i), fmt.Sprint(i%2))}))
		r.settle(e)
	}
	r.must(e, "start", &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
	done := map[string]int{}
	for range 60 {
		s := r.state(e)
		if asksByDefault(s) != nil {
			return true
		}
		if ids := rules.SortedKeys(s.Decisions); len(ids) > 0 {
			d := s.Decisions[ids[0]]
			r.may(e, "answer", &eventv1.Command{What: &eventv1.Command_Answer{Answer: &eventv1.AnswerDecision{Decision: d.Id, Answer: r.answer(d)}}})
			continue
		}
		o := r.next(e, done)
		if o == nil {
			return false
		}
		done[o.Action]++
		r.n++
		act := &step{exec: &encounterv1.ExecuteRequest{RequestId: fmt.Sprint("r", r.n), As: gm, Encounter: e, Command: r.command(o)}}
		act.call(r.t.Context(), r.p) //nolint:errcheck // a refusal leads nowhere
	}
	return false
}

// asksByDefault is a question that is answered by itself; nil when there is none.
func asksByDefault(s *eventv1.State) *eventv1.Decision {
	for _, id := range rules.SortedKeys(s.Decisions) {
		if s.Decisions[id].DefaultOption != "" {
			return s.Decisions[id]
		}
	}
	return nil
}

func (r *recorder) rules() rules.System {
	sys, err := systems.Registry().System(r.system)
	if err != nil {
		r.t.Fatal(err)
	}
	return sys
}

func create(c *eventv1.CreateEncounter) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Create{Create: c}}
}

func add(a *eventv1.AddCreature) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Add{Add: a}}
}

func (r *recorder) state(id string) *eventv1.State {
	r.t.Helper()
	resp, err := r.p.GetState(r.t.Context(), &encounterv1.GetStateRequest{As: gm, Encounter: id})
	if err != nil {
		r.t.Fatal(err)
	}
	return resp.State
}

// answers answers whatever a command asked.
func (r *recorder) answers(id string, _ *encounterv1.ExecuteResponse) { r.settle(id) }

// settle answers what is open.
func (r *recorder) settle(id string) {
	r.t.Helper()
	for range 60 {
		s := r.state(id)
		if len(s.Decisions) == 0 {
			return
		}
		d := s.Decisions[rules.SortedKeys(s.Decisions)[0]]
		r.must(id, "answer", &eventv1.Command{What: &eventv1.Command_Answer{Answer: &eventv1.AnswerDecision{Decision: d.Id, Answer: r.answer(d)}}})
	}
	r.t.Fatalf("%s: questions without end", r.system)
}

func (r *recorder) answer(d *eventv1.Decision) *eventv1.Answer {
	r.t.Helper()
	switch {
	case d.Kind == eventv1.DecisionKind_DECISION_KIND_NUMBER:
		return &eventv1.Answer{Number: d.Minimum + r.rng.Int32N(d.Maximum-d.Minimum+1)}
	case d.Kind == eventv1.DecisionKind_DECISION_KIND_DICE:
		expr, err := dice.Parse(d.Expression)
		if err != nil {
			r.t.Fatal(err)
		}
		res, err := expr.Eval(hand{r}, dice.Limits{})
		if err != nil {
			r.t.Fatal(err)
		}
		a := &eventv1.Answer{}
		for _, f := range res.Faces {
			a.Faces = append(a.Faces, int32(f.Face)) //nolint:gosec // of a die
		}
		return a
	case len(d.Options) == 0:
		r.t.Fatalf("a decision that cannot be answered: %v", d)
	}
	return &eventv1.Answer{Option: d.Options[r.rng.IntN(len(d.Options))].Id}
}

// hand rolls dice.
type hand struct{ r *recorder }

func (h hand) Face(sides int) (int, error) { return 1 + h.r.rng.IntN(sides), nil }

// turns does what can be done a number of times.
func (r *recorder) turns(id string, n int) {
	r.t.Helper()
	done := map[string]int{}
	for range n {
		r.settle(id)
		o := r.next(id, done)
		if o == nil {
			return
		}
		done[o.Action]++
		if _, err := r.do(id, acted(o), r.command(o)); err != nil {
			r.refused = append(r.refused, fmt.Sprintf("%s: %v", o.Action, err))
		}
	}
	r.settle(id)
}

// next is what is to be done next; nil when nothing can be.
func (r *recorder) next(id string, done map[string]int) *eventv1.Option {
	r.t.Helper()
	s := r.state(id)
	resp, err := r.p.GetOptions(r.t.Context(), &encounterv1.GetOptionsRequest{As: gm, Encounter: id})
	if err != nil {
		r.t.Fatal(err)
	}
	var legal []*eventv1.Option
	for _, o := range resp.Options {
		if o.Legal && !slices.ContainsFunc(o.Parameters, func(x *eventv1.Parameter) bool {
			return x.Type == "path" || x.Required && len(x.Values) == 0
		}) {
			legal = append(legal, o)
		}
	}
	if s.Status != eventv1.State_STATUS_STARTED || len(legal) == 0 {
		return nil
	}
	// Attacks first: they roll, harm and ask.
	slices.SortStableFunc(legal, func(a, b *eventv1.Option) int { return rank(done, a) - rank(done, b) })
	return legal[0]
}

// rank is lower for what was done less often, and for what is done to others.
func rank(done map[string]int, o *eventv1.Option) int {
	n := 4 * done[o.Action]
	if o.MinimumTargets == 0 {
		n += 2
	}
	return n
}

// acted tells an action that asks from one that does not.
func acted(o *eventv1.Option) kindOf {
	return func(m proto.Message) string {
		if m == nil && o.Action == "end-turn" {
			return "end of turn"
		}
		if m == nil {
			return ""
		}
		resp := m.(*encounterv1.ExecuteResponse)
		rolled := slices.ContainsFunc(resp.GetStep().GetEvents(), func(e *eventv1.Event) bool { return e.GetRoll() != nil })
		switch {
		case o.Action == "end-turn":
			return "end of turn"
		case len(resp.Decisions) > 0:
			return "action that waits"
		case rolled:
			return "action with dice"
		}
		return "action"
	}
}

func (r *recorder) command(o *eventv1.Option) *eventv1.Command {
	if o.Action == "end-turn" {
		return &eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: o.Creature}}}
	}
	take := &eventv1.TakeAction{Creature: o.Creature, Action: o.Action, Item: o.Item, Targets: o.Targets[:min(int(o.MinimumTargets), len(o.Targets))]}
	fields := map[string]*structpb.Value{}
	for _, x := range o.Parameters {
		if x.Required {
			fields[x.Name] = x.Values[0]
		}
	}
	if len(fields) > 0 {
		take.Parameters = &structpb.Struct{Fields: fields}
	}
	return &eventv1.Command{What: &eventv1.Command_Take{Take: take}}
}

// amend changes past actions so that dice are rolled anew, and drops one, with
// everything after them decided again.
func (r *recorder) amend(id string) {
	r.t.Helper()
	var versions []uint64
	for v, cmd := range r.given {
		if cmd.GetTake() != nil {
			versions = append(versions, v)
		}
	}
	slices.Sort(versions)
	changed, dropped := false, false
	for _, v := range versions {
		if !changed {
			am := &eventv1.AmendCommand{Version: v, TakeDefaults: true, Change: &eventv1.TakeAction{Circumstances: []*eventv1.Circumstance{{Direction: "advantage", Kind: "advantage", Cause: "ruled"}}}}
			if fresh, ok := r.solved(id, am); ok && fresh > 0 {
				r.may(id, "amendment with dice", &eventv1.Command{What: &eventv1.Command_Amend{Amend: am}})
				r.settle(id)
				changed = true
			}
		}
		if !dropped {
			am := &eventv1.AmendCommand{Version: v, TakeDefaults: true, Drop: true}
			if _, ok := r.solved(id, am); ok {
				r.may(id, "amendment", &eventv1.Command{What: &eventv1.Command_Amend{Amend: am}})
				r.settle(id)
				dropped = true
			}
		}
	}
}

// solved previews an amendment until nothing stands in its way; fresh is how many
// rolls it makes anew.
func (r *recorder) solved(id string, am *eventv1.AmendCommand) (fresh int, ok bool) {
	r.t.Helper()
	for range 100 {
		dry, err := r.p.PreviewRuling(r.t.Context(), &encounterv1.PreviewRulingRequest{As: gm, Encounter: id, Command: &eventv1.Command{What: &eventv1.Command_Amend{Amend: am}}})
		if err != nil {
			return 0, false
		}
		if len(dry.Troubles) == 0 {
			return len(dry.Fresh), true
		}
		for _, t := range dry.Troubles {
			switch {
			case t.Decision != nil:
				am.Resolve = append(am.Resolve, &eventv1.AnswerDecision{Decision: t.Decision.Id, Answer: r.answer(t.Decision)})
			case t.Kind == encounterv1.Trouble_KIND_ILLEGAL && !slices.Contains(am.DropIllegal, t.Version):
				am.DropIllegal = append(am.DropIllegal, t.Version)
			default:
				return 0, false
			}
		}
	}
	return 0, false
}
