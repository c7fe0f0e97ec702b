package basic

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

// answer answers the open decision of a name and goes on.
func (f *table) Answer(name, option string, faces ...int) {
	f.T.Helper()
	for _, d := range f.Decisions {
		if d.Name != name {
			continue
		}
		a := &eventv1.Answer{Option: option}
		if err := rules.CheckAnswer(d, a); err != nil {
			f.T.Fatal(err)
		}
		f.Recorded = append(f.Recorded, rules.Answered(d, a, "answer"))
		if err := f.Resume(faces); err != nil {
			f.T.Fatal(err)
		}
		return
	}
	f.T.Fatalf("no decision %q open: %v", name, f.Decisions)
}

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

// make1 makes a plain creature: armour class 12, 10 hit points, movement 30, a
// sword d8 and nothing added to rolls.
func make1(id, side string, change ...func(*eventv1.Sheet, *eventv1.BasicSheet)) *eventv1.Sheet {
	b := &eventv1.BasicSheet{ArmorClass: 12, ArmorMaterial: "leather", Weapons: []*eventv1.BasicWeapon{{Name: "sword", Damage: "1d8", Kind: "melee"}}}
	s := &eventv1.Sheet{Id: id, Name: id, Side: side, Size: "medium", HitPoints: 10, Speeds: map[string]int32{"walk": 30},
		Abilities: map[string]int32{"constitution": 9}, Section: &eventv1.Sheet_Basic{Basic: b}}
	for _, c := range change {
		c(s, b)
	}
	return s
}

type change = func(*eventv1.Sheet, *eventv1.BasicSheet)

func hp(n int32) change { return func(s *eventv1.Sheet, _ *eventv1.BasicSheet) { s.HitPoints = n } }
func ac(n int32) change { return func(_ *eventv1.Sheet, b *eventv1.BasicSheet) { b.ArmorClass = n } }
func bonus(n int32) change {
	return func(_ *eventv1.Sheet, b *eventv1.BasicSheet) { b.AttackBonus = n }
}
func abilities(str, dex int32) change {
	return func(_ *eventv1.Sheet, b *eventv1.BasicSheet) { b.StrengthModifier, b.DexterityModifier = str, dex }
}
func section(do func(*eventv1.BasicSheet)) change {
	return func(_ *eventv1.Sheet, b *eventv1.BasicSheet) { do(b) }
}
func wields(list ...*eventv1.BasicWeapon) change {
	return section(func(b *eventv1.BasicSheet) { b.Weapons = list })
}
func blade(damage string) change {
	return wields(&eventv1.BasicWeapon{Name: "sword", Damage: damage, Kind: "melee"})
}
func spear() *eventv1.BasicWeapon {
	return &eventv1.BasicWeapon{Name: "spear", Damage: "1d6", Kind: "melee", LongReach: true, Charge: true, Brace: true}
}
func bow() *eventv1.BasicWeapon {
	return &eventv1.BasicWeapon{Name: "bow", Damage: "1d6", Kind: "bow", TwoHanded: true, ShortFeet: 50, MediumFeet: 100, LongFeet: 150}
}

// add puts creatures on the field, the i-th at x = at[i] when given.
func (f *table) add(at []int32, sheets ...*eventv1.Sheet) *table {
	f.T.Helper()
	for i, s := range sheets {
		a := &eventv1.AddCreature{Sheet: s}
		if i < len(at) {
			a.Position = &eventv1.Position{X: at[i]}
		}
		f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: a}})
	}
	return f
}

func (f *table) start(facts *structpb.Struct, faces ...int) *table {
	f.T.Helper()
	f.Must(&eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{Facts: facts}}}, faces...)
	return f
}

func act(id, action, item, target string, change ...func(*eventv1.TakeAction)) *eventv1.Command {
	t := &eventv1.TakeAction{Creature: id, Action: action, Item: item}
	if target != "" {
		t.Targets = strings.Split(target, ",")
	}
	for _, c := range change {
		c(t)
	}
	return &eventv1.Command{What: &eventv1.Command_Take{Take: t}}
}

func facts(pairs ...any) func(*eventv1.TakeAction) {
	return func(t *eventv1.TakeAction) { t.Facts = object(pairs...) }
}
func parameters(pairs ...any) func(*eventv1.TakeAction) {
	return func(t *eventv1.TakeAction) { t.Parameters = object(pairs...) }
}
func to(x ...int32) func(*eventv1.TakeAction) {
	return func(t *eventv1.TakeAction) {
		for _, n := range x {
			t.Path = append(t.Path, &eventv1.Position{X: n})
		}
	}
}
func plus(n int32) func(*eventv1.TakeAction) {
	return func(t *eventv1.TakeAction) {
		t.Circumstances = append(t.Circumstances, &eventv1.Circumstance{Direction: "modifier", Cause: "test", Value: n})
	}
}

// declare declares "id=kind" in order; the faces roll initiative, by id.
func (f *table) declare(faces []int, list ...string) *table {
	f.T.Helper()
	for i, d := range list {
		id, kind, _ := strings.Cut(d, "=")
		var use []int
		if i == len(list)-1 {
			use = faces
		}
		f.Must(act(id, "declare", kind, ""), use...)
	}
	return f
}

func (f *table) end(ids ...string) {
	f.T.Helper()
	for _, id := range ids {
		f.Must(endTurn(id))
	}
}

func endTurn(id string) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: id}}}
}

func (f *table) Put(id string, v *eventv1.Vitals) {
	f.T.Helper()
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: id, Vitals: v}}})
}

func (f *table) Afflict(id string, names ...string) {
	f.T.Helper()
	v := &eventv1.Vitals{}
	for _, n := range names {
		v.Conditions = append(v.Conditions, &eventv1.Condition{Name: n})
	}
	f.Put(id, v)
}

func (f *table) WantActive(ids ...string) {
	f.T.Helper()
	if !slices.Equal(f.State.Active, ids) {
		f.T.Fatalf("active %v, want %v", f.State.Active, ids)
	}
}

func (f *table) WantHP(id string, want int32) {
	f.T.Helper()
	if got := f.State.Creatures[id].GetHp(); got != want {
		f.T.Fatalf("%s has %d hit points, want %d", id, got, want)
	}
}

func (f *table) WantLife(id string, want eventv1.LifeStatus) {
	f.T.Helper()
	if got := f.State.Creatures[id].Life; got != want {
		f.T.Fatalf("%s is %v, want %v", id, got, want)
	}
}

func (f *table) Total(suffix string) int32 {
	f.T.Helper()
	for _, e := range f.Events {
		if r := e.GetRoll(); r != nil && strings.HasSuffix(r.Label, suffix) {
			return r.Total
		}
	}
	f.T.Fatalf("no roll %q", suffix)
	return 0
}

func (f *table) outcome() string {
	f.T.Helper()
	for _, e := range f.Events {
		if a := e.GetAttack(); a != nil {
			return a.Outcome
		}
	}
	f.T.Fatal("no attack")
	return ""
}

func wantRefused(t *testing.T, err error, rule string) {
	t.Helper()
	fe, ok := fault.As(err)
	if !ok || fe.Rule != rule {
		t.Fatalf("got %v, want a refusal by %s", err, rule)
	}
}

// tend carries out a deed between fights; a trailing []int are its faces.
func (f *table) tend(id, deed string, pairs ...any) {
	f.T.Helper()
	var faces []int
	if n := len(pairs) - 1; n%2 == 0 {
		faces, pairs = pairs[n].([]int), pairs[:n]
	}
	cmd := &eventv1.PatientCommand{Deed: deed, Patients: []string{id}, Parameters: object(pairs...)}
	f.Action++
	f.Before, f.Command, f.Recorded, f.Published = event.Clone(f.State), &eventv1.Command{}, nil, nil
	f.fn = func(r *rules.Resolution) error { return System{}.Medicine().Tend(r, cmd) }
	if err := f.Resume(faces); err != nil {
		f.T.Fatal(err)
	}
}
