package scenario

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"maps"
	"strings"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/structpb"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	rulesv1 "github.com/skaldrpg/skald/proto/skald/rules/v1"
)

// Runner runs scenarios against one set of services. It may run several at the
// same time: each has a table of its own.
type Runner struct {
	// Clients are the services.
	Clients Clients
	// Digest has results say what was decided, with digests of it; it costs a few more
	// calls for each step.
	Digest bool
}

// run is one scenario under way.
type run struct {
	clients   Clients
	s         *Scenario
	table     string
	encounter string   // of the fight that the steps are of now
	first     string   // of the fight that the scenario begins with
	fights    int      // begun after it
	packs     []string // of all its fights
	requests  int
	result    *Result
	// accepted are open rolls that a step has expected, by decision id.
	accepted map[string]bool
	// tending are the open decisions of deeds between fights, by id.
	tending map[string]*eventv1.Decision
	// numbers are the game master's numbers after each step, from step 1.
	numbers []uint64
	// seen is how far each viewer had looked before the step, by viewer.
	seen map[string]uint64
	// digester takes in what is decided; nil when nobody wants to know.
	digester *digester
	// at is where failures are noted.
	at Failure
}

// Run runs a scenario whose sheets are resolved. It stops at the first step
// that fails. An error of the services is a failure like any other; the
// context's end is one too.
func (rn *Runner) Run(ctx context.Context, s *Scenario) *Result {
	start := time.Now()
	r := &run{clients: rn.Clients, s: s, accepted: map[string]bool{}, seen: map[string]uint64{}, tending: map[string]*eventv1.Decision{},
		result: &Result{File: s.File, Line: s.Line, Title: s.Title, System: s.System, Rules: s.Rules}}
	if rn.Digest {
		r.digester = &digester{scrubber: newScrubber()}
	}
	id, err := freshID()
	if err == nil {
		r.table, r.first = "scenario-"+id, "e-"+id
		r.encounter = r.first
		r.carryOut(ctx)
	} else {
		r.fail("call", "%v", err)
	}
	r.result.Passed = len(r.result.Failures) == 0
	r.result.Duration = time.Since(start)
	return r.result
}

// freshID keeps runs apart, on a server that others use too.
func freshID() (string, error) {
	var b [8]byte
	if _, err := rand.Read(b[:]); err != nil {
		return "", fmt.Errorf("scenario: naming the run: %w", err)
	}
	return hex.EncodeToString(b[:]), nil
}

func (r *run) fail(check, format string, args ...any) {
	f := r.at
	f.Check, f.Message = check, fmt.Sprintf(format, args...)
	r.result.Failures = append(r.result.Failures, f)
}

func (r *run) failed() bool { return len(r.result.Failures) > 0 }

func (r *run) request() string {
	r.requests++
	return fmt.Sprintf("%s-%d", r.encounter, r.requests)
}

func (r *run) carryOut(ctx context.Context) {
	r.at = Failure{Title: "rules", Line: r.s.Line}
	r.checkRules(ctx)
	r.setUp(ctx)
	r.at.Step = 0
	r.digest(ctx, "setting up", outcome{})
	for i, st := range r.s.Steps {
		if r.failed() {
			return
		}
		r.at = Failure{Step: i + 1, Title: st.Title, Line: st.Line}
		r.step(ctx, st)
		r.number(ctx)
	}
	r.digestEnd(ctx)
}

// number notes where the game master's numbers stand, for rulings about steps.
func (r *run) number(ctx context.Context) {
	if !r.s.rules || r.failed() {
		return
	}
	resp, err := r.state(ctx, viewer("gm"))
	if err != nil {
		r.fail("call", "%v", err)
		return
	}
	r.numbers = append(r.numbers, resp.Number)
}

// checkRules holds that the ids that a scenario cites exist.
func (r *run) checkRules(ctx context.Context) {
	if r.clients.Rules == nil {
		return
	}
	for _, id := range r.s.Rules {
		if strings.HasPrefix(id, housePrefix) {
			continue // of a pack: see putPacks
		}
		_, err := r.clients.Rules.GetRule(ctx, &rulesv1.GetRuleRequest{Id: id})
		switch status.Code(err) {
		case codes.OK:
		case codes.NotFound:
			r.fail("rules", "there is no rule %q", id)
		default:
			r.fail("call", "asking for rule %q: %v", id, err)
			return
		}
	}
}

// patientDice makes a patient take its faces from where the scenario does.
func patientDice(policy eventv1.DicePolicy) *structpb.Struct {
	word := map[eventv1.DicePolicy]string{eventv1.DicePolicy_DICE_POLICY_SUPPLIED: "supplied",
		eventv1.DicePolicy_DICE_POLICY_EITHER: "either"}[policy]
	return &structpb.Struct{Fields: map[string]*structpb.Value{"dice_policy": structpb.NewStringValue(word)}}
}

func (r *run) setUp(ctx context.Context) {
	r.packs = r.putPacks(ctx)
	if r.failed() {
		return
	}
	for _, c := range r.s.Patients {
		r.at = Failure{Title: "enrol " + c.ID, Line: c.Line}
		deed := &eventv1.PatientCommand{Deed: "enrol", Patients: []string{c.ID}, Sheet: c.Add.Sheet, Vitals: c.Add.Vitals,
			Parameters: patientDice(r.s.DicePolicy)}
		settings := c.Settings
		if settings == nil {
			settings = r.s.Settings
		}
		_, err := r.clients.Injury.Tend(ctx, &injuryv1.TendRequest{RequestId: r.request(), As: viewer("gm"), Table: r.table,
			System: r.s.System, Settings: settings, Command: &eventv1.Command{What: &eventv1.Command_Patient{Patient: deed}}})
		if err != nil {
			r.fail("call", "%v", err)
			return
		}
	}
	if r.failed() || !r.s.needsEncounter {
		return
	}
	r.at = Failure{Title: "create", Line: r.s.Line}
	trace := Trace{Title: "set up"}
	step := func(cmd *eventv1.Command) {
		resp, err := r.execute(ctx, viewer("gm"), cmd)
		if err != nil {
			r.fail("call", "%v", err)
			return
		}
		trace.Events = append(trace.Events, resp.GetStep().GetEvents()...)
	}
	step(&eventv1.Command{What: &eventv1.Command_Create{Create: r.creation()}})
	for _, c := range r.s.Creatures {
		if r.failed() {
			break
		}
		r.at = Failure{Title: "add " + c.ID, Line: c.Line}
		add, err := r.joining(ctx, c)
		if err != nil {
			r.fail("call", "%v", err)
			break
		}
		step(&eventv1.Command{Faces: c.Dice, Answers: c.Answers, What: &eventv1.Command_Add{Add: add}})
		if !r.failed() {
			r.checkDice(ctx, &Step{})
		}
	}
	r.result.Trace = append(r.result.Trace, trace)
}

// creation is the command that creates the scenario's first fight.
func (r *run) creation() *eventv1.CreateEncounter {
	return &eventv1.CreateEncounter{Encounter: r.encounter, Table: r.table, Title: r.s.Title, System: r.s.System,
		Preset: r.s.Preset, Settings: maps.Clone(r.s.Settings), DicePolicy: r.s.DicePolicy, RepeatPolicy: r.s.RepeatPolicy, Packs: r.packs}
}

// joining is the command that adds a creature; one that is a patient and has
// no sheet in the file comes with the sheet of its record.
func (r *run) joining(ctx context.Context, c *Creature) (*eventv1.AddCreature, error) {
	if c.Add.Sheet != nil || c.Patient == "" {
		return c.Add, nil
	}
	resp, err := r.clients.Injury.GetPatient(ctx, &injuryv1.GetPatientRequest{Table: r.table, Patient: c.Patient, As: viewer("gm")})
	if err != nil {
		return nil, err
	}
	add := clone(c.Add)
	add.Sheet = clone(resp.GetPatient().GetCreature().GetSheet())
	add.Sheet.Patient = c.Patient
	add.Sheet.Controllers = nil // the record says whose it is
	if c.ID != "" {
		add.Sheet.Id = c.ID
	}
	for _, f := range c.fields {
		switch f[0] {
		case "name":
			add.Sheet.Name = f[1]
		case "side":
			add.Sheet.Side = f[1]
		}
	}
	if list, ok := c.lists["controllers"]; ok {
		add.Sheet.Controllers = list
	}
	return add, nil
}

func (r *run) execute(ctx context.Context, as *eventv1.Principal, cmd *eventv1.Command) (*encounterv1.ExecuteResponse, error) {
	return r.clients.Encounter.Execute(ctx, &encounterv1.ExecuteRequest{RequestId: r.request(), As: as,
		Table: r.table, Encounter: r.encounter, Command: cmd})
}
