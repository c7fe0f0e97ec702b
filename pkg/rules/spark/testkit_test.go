package spark

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// table is a fight under test: faces are given in rolling order and every one
// of them must be used.
type table struct {
	T     *testing.T
	State *eventv1.State
	// faces still to be rolled; roller, when set, rolls in their place.
	Faces  []int
	Roller func(sides int) int
	// events of the last command, all of them.
	Events []*eventv1.Event
	// open decisions of the action under way.
	Decisions []*eventv1.Decision

	Action    uint64
	Before    *eventv1.State
	Command   *eventv1.Command
	fn        func(*rules.Resolution) error
	Recorded  []*eventv1.Input
	Published []*eventv1.Event
}

// Face pops the next face: the table is a source of dice.
func (f *table) Face(sides int) (int, error) {
	if f.Roller != nil {
		return f.Roller(sides), nil
	}
	if len(f.Faces) == 0 {
		return 0, dice.ErrFacesExhausted
	}
	n := f.Faces[0]
	if n < 1 || n > sides {
		return 0, fmt.Errorf("face %d of a d%d", n, sides)
	}
	f.Faces = f.Faces[1:]
	return n, nil
}

// recordingDice notes what was drawn.
type recordingDice struct {
	from  dice.Source
	drawn []int32
}

func (s *recordingDice) Face(sides int) (int, error) {
	n, err := s.from.Face(sides)
	if err == nil {
		s.drawn = append(s.drawn, int32(n))
	}
	return n, err
}

func (f *table) Draw(_ context.Context, d rules.DrawRequest) (*eventv1.Draw, error) {
	expr, err := dice.Parse(d.Expression)
	if err != nil {
		return nil, err
	}
	src := &recordingDice{from: f}
	if _, err := expr.Eval(src, dice.Limits{}); err != nil {
		if errors.Is(err, dice.ErrFacesExhausted) {
			return nil, fmt.Errorf("no face left for %s: %s", d.Label, d.Expression)
		}
		return nil, err
	}
	return &eventv1.Draw{Branch: d.Branch, Expression: d.Expression, Faces: src.drawn}, nil
}

func (f *table) Deed(ctx context.Context, d rules.DeedRequest) (*eventv1.HarmOutcome, int, error) {
	out, err := rules.Run(ctx, System{}, rules.Request{State: d.State, Action: f.Action, Prefix: d.Label, Recorded: d.Inputs,
		Early: d.Early, Faces: d.Supplied, KeepFaces: true}, f,
		func(r *rules.Resolution) error { return System{}.Medicine().Deed(r, d.Harm) })
	if err != nil {
		return nil, 0, err
	}
	res := &eventv1.HarmOutcome{Inputs: out.Inputs, Decisions: out.Open, Results: out.Results}
	for _, e := range out.Events {
		b, err := proto.MarshalOptions{Deterministic: true}.Marshal(e)
		if err != nil {
			return nil, 0, err
		}
		res.Events = append(res.Events, b)
	}
	return res, out.FacesUsed, nil
}

func (f *table) Open(context.Context, []string, []*eventv1.Entropy) (*eventv1.DiceEpochOpened, error) {
	return &eventv1.DiceEpochOpened{Epoch: 1}, nil
}

func (f *table) Reveal(_ context.Context, branch string) (*eventv1.DiceRevealed, error) {
	return &eventv1.DiceRevealed{Branch: branch}, nil
}

// newTable makes an encounter with settings; "id=value" each.
func newTable(t *testing.T, settings ...string) *table {
	t.Helper()
	f := &table{T: t, State: event.NewState()}
	set := map[string]string{}
	for _, s := range settings {
		k, v, _ := strings.Cut(s, "=")
		set[k] = v
	}
	f.Must(&eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{Encounter: "e", Table: "t", Settings: set}}})
	return f
}

// try carries out a command with faces; an error leaves the state as it was.
func (f *table) Try(cmd *eventv1.Command, faces ...int) error {
	f.T.Helper()
	if len(f.Decisions) > 0 {
		f.T.Fatalf("decision open: %v", f.Decisions)
	}
	f.Action++
	f.Before, f.Command, f.Recorded, f.Published, f.fn = event.Clone(f.State), cmd, nil, nil, nil
	return f.Resume(faces)
}

func (f *table) Resume(faces []int) error {
	f.T.Helper()
	f.Faces = faces
	fn := f.fn
	if fn == nil {
		fn = rules.Resolve(System{}, f.Command)
	}
	out, err := rules.Run(context.Background(), System{}, rules.Request{State: f.Before, Action: f.Action, Recorded: f.Recorded,
		Published: f.Published, Early: f.Command.Answers}, f, fn)
	if err != nil {
		return err
	}
	if len(f.Faces) > 0 {
		f.T.Fatalf("%d faces left over: %v", len(f.Faces), f.Faces)
	}
	f.Recorded = append(f.Recorded, out.Inputs...)
	f.Published = out.Events
	f.Events, f.Decisions, f.State = out.Fresh, out.Open, out.State
	return nil
}

// must is try that fails the test on an error.
func (f *table) Must(cmd *eventv1.Command, faces ...int) {
	f.T.Helper()
	if err := f.Try(cmd, faces...); err != nil {
		f.T.Fatalf("%v: %v", cmd, err)
	}
}

// answer answers the open decision of a name (and creature, when given as
// "name/creature") and goes on.
func (f *table) Answer(name, option string, faces ...int) {
	f.T.Helper()
	name, creature, _ := strings.Cut(name, "/")
	for i, d := range f.Decisions {
		if d.Name != name || creature != "" && d.Creature != creature {
			continue
		}
		a := &eventv1.Answer{Option: option}
		if err := rules.CheckAnswer(d, a); err != nil {
			f.T.Fatal(err)
		}
		f.Recorded = append(f.Recorded, rules.Answered(d, a, "answer"))
		f.Decisions = slices.Delete(slices.Clone(f.Decisions), i, i+1)
		if len(f.Decisions) > 0 && len(faces) == 0 {
			left := f.Decisions
			if err := f.Resume(nil); err != nil {
				f.T.Fatal(err)
			}
			if len(f.Decisions) != len(left) {
				f.T.Fatalf("decisions open: %v, want %d", f.Decisions, len(left))
			}
			return
		}
		if err := f.Resume(faces); err != nil {
			f.T.Fatal(err)
		}
		return
	}
	f.T.Fatalf("no open decision %s of %q among %v", name, creature, f.Decisions)
}

// add puts creatures on the field.
func (f *table) add(sheets ...*eventv1.Sheet) *table {
	f.T.Helper()
	for _, s := range sheets {
		f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: s}}})
	}
	return f
}

// start begins the fight.
func (f *table) start(faces ...int) *table {
	f.T.Helper()
	f.Must(&eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}}, faces...)
	return f
}

// end ends the turn of a creature.
func (f *table) End(id string, faces ...int) {
	f.T.Helper()
	f.Must(endTurn(id), faces...)
}

func endTurn(id string) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: id}}}
}

// act makes a take of a creature: item and targets, then changes to it.
func act(creature, action, item, target string, change ...func(*eventv1.TakeAction)) *eventv1.Command {
	take := &eventv1.TakeAction{Creature: creature, Action: action, Item: item}
	if target != "" {
		take.Targets = strings.Split(target, ",")
	}
	for _, c := range change {
		c(take)
	}
	return &eventv1.Command{What: &eventv1.Command_Take{Take: take}}
}

// object makes a Struct of keys and values.
func object(pairs ...any) *structpb.Struct {
	s := &structpb.Struct{Fields: map[string]*structpb.Value{}}
	for i := 0; i < len(pairs); i += 2 {
		v := pairs[i+1]
		if list, ok := v.([]string); ok {
			var anys []any
			for _, e := range list {
				anys = append(anys, e)
			}
			v = anys
		}
		pv, err := structpb.NewValue(v)
		if err != nil {
			panic(err)
		}
		s.Fields[pairs[i].(string)] = pv
	}
	return s
}

func withFacts(pairs ...any) func(*eventv1.TakeAction) {
	return func(t *eventv1.TakeAction) { t.Facts = object(pairs...) }
}

func withParameters(pairs ...any) func(*eventv1.TakeAction) {
	return func(t *eventv1.TakeAction) { t.Parameters = object(pairs...) }
}

// circumstances adds stated sources: "advantage:kind" or "disadvantage:kind".
func circumstances(list ...string) func(*eventv1.TakeAction) {
	return func(t *eventv1.TakeAction) {
		for _, s := range list {
			d, k, _ := strings.Cut(s, ":")
			t.Circumstances = append(t.Circumstances, &eventv1.Circumstance{Direction: d, Kind: k, Cause: k})
		}
	}
}

// put changes a creature by the game master's word.
func (f *table) Put(id string, v *eventv1.Vitals) {
	f.T.Helper()
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: id, Vitals: v}}})
}

// afflict puts conditions on a creature: "name", "name=variant" or "name@source".
func (f *table) Afflict(id string, names ...string) {
	f.T.Helper()
	v := &eventv1.Vitals{}
	for _, n := range names {
		n, source, _ := strings.Cut(n, "@")
		n, variant, _ := strings.Cut(n, "=")
		v.Conditions = append(v.Conditions, &eventv1.Condition{Name: n, Variant: variant, Source: source, Cause: "test"})
	}
	f.Put(id, v)
}

// count sets counters by the game master's word: "name", value pairs.
func (f *table) Count(id string, pairs ...any) {
	f.T.Helper()
	v := &eventv1.Vitals{Counters: map[string]int64{}}
	for i := 0; i < len(pairs); i += 2 {
		v.Counters[pairs[i].(string)] = int64(pairs[i+1].(int))
	}
	f.Put(id, v)
}

// hurt sets hit points.
func (f *table) Hurt(id string, hp int32) {
	f.T.Helper()
	f.Put(id, &eventv1.Vitals{Hp: &hp})
}

func (f *table) Creature(id string) *eventv1.Creature { return f.State.Creatures[id] }

// rolls are the rolls of the last command whose label ends so.
func (f *table) Rolls(suffix string) []*eventv1.Roll {
	var out []*eventv1.Roll
	for _, e := range f.Events {
		if r := e.GetRoll(); r != nil && strings.HasSuffix(r.Label, suffix) {
			out = append(out, r)
		}
	}
	return out
}

// roll is the one roll of the last command whose label ends so.
func (f *table) Roll(suffix string) *eventv1.Roll {
	f.T.Helper()
	all := f.Rolls(suffix)
	if len(all) != 1 {
		f.T.Fatalf("%d rolls %q, want one", len(all), suffix)
	}
	return all[0]
}

// seenBy is what a principal may see of the last command's events.
func (f *table) SeenBy(p *eventv1.Principal) []*eventv1.Event {
	return event.Visible(event.Clone(f.Before), f.Events, p)
}

func player(name string) *eventv1.Principal {
	return &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: name}
}

func (f *table) WantActive(ids ...string) {
	f.T.Helper()
	if !slices.Equal(f.State.Active, ids) {
		f.T.Fatalf("active %v, want %v", f.State.Active, ids)
	}
}

func wantRefused(t *testing.T, err error, rule string) {
	t.Helper()
	if err == nil {
		t.Fatal("allowed, want a refusal")
	}
	if fe, ok := asFault(err); !ok || fe.Rule != rule {
		t.Fatalf("refused with %v (rule %q), want rule %s", err, fe.Rule, rule)
	}
}

// fighter makes a plain sheet that tests shape with changes: armour class 14,
// 30 hit points, a sword +5 for 1d8+3, a bow +5 for 1d8+1 with 12 arrows.
func fighter(id, side string, change ...func(*eventv1.SparkSheet)) *eventv1.Sheet {
	s := &eventv1.SparkSheet{Level: 4, HitDie: 8, ArmorClass: 14, Initiative: 1, AttacksPerRound: 1,
		Weapons: []*eventv1.SparkWeapon{
			{Name: "sword", FumbleClasses: []string{"S"}, AttackModifier: 5, DamageDice: "1d8", DamageBonus: 3, ReachFeet: 5},
			{Name: "bow", FumbleClasses: []string{"M"}, AttackModifier: 5, DamageDice: "1d8", DamageBonus: 1, RangeFeet: 80, LongRangeFeet: 160, Launcher: true, Missiles: proto.Int32(12)},
		}}
	for _, c := range change {
		c(s)
	}
	sheet := &eventv1.Sheet{Id: id, Name: id, Side: side, Size: "medium", HitPoints: 30, Speeds: map[string]int32{"walk": 30},
		Section: &eventv1.Sheet_Spark{Spark: s}}
	if side == "party" {
		sheet.Controllers = []string{id + "-player"}
	}
	return sheet
}

// armedWith puts one weapon in place of the others.
func armedWith(w *eventv1.SparkWeapon) func(*eventv1.SparkSheet) {
	return func(s *eventv1.SparkSheet) { s.Weapons = []*eventv1.SparkWeapon{w} }
}

// at adds creatures at places on a line: x in feet.
func (f *table) at(x int32, sheet *eventv1.Sheet) *table {
	f.T.Helper()
	return f.atXY(x, 0, sheet)
}

func (f *table) atXY(x, y int32, sheet *eventv1.Sheet) *table {
	f.T.Helper()
	f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: sheet, Position: &eventv1.Position{X: x, Y: y}}}})
	return f
}

// to gives a take a path along the line.
func to(points ...int32) func(*eventv1.TakeAction) {
	return func(t *eventv1.TakeAction) {
		for _, x := range points {
			t.Path = append(t.Path, &eventv1.Position{X: x})
		}
	}
}

// wantHP holds the hit points of a creature.
func (f *table) WantHP(id string, hp int32) {
	f.T.Helper()
	if got := f.Creature(id).GetHp(); got != hp {
		f.T.Fatalf("%s has %d hit points, want %d", id, got, hp)
	}
}

// attacks lists the attacks of the last command as "attacker outcome".
func (f *table) Attacks() []string {
	var out []string
	for _, e := range f.Events {
		if a := e.GetAttack(); a != nil {
			out = append(out, a.Attacker+" "+a.Outcome)
		}
	}
	return out
}

func (f *table) WantAttacks(want ...string) {
	f.T.Helper()
	if got := f.Attacks(); !slices.Equal(got, want) {
		f.T.Fatalf("attacks %v, want %v", got, want)
	}
}

func asFault(err error) (*fault.Fault, bool) {
	f, ok := fault.As(err)
	if !ok {
		return &fault.Fault{}, false
	}
	return f, true
}
