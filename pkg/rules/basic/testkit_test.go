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
	t     *testing.T
	state *eventv1.State
	// faces still to be rolled; roller, when set, rolls in their place.
	faces  []int
	roller func(sides int) int
	// events of the last command, all of them.
	events []*eventv1.Event
	// open decisions of the action under way.
	open []*eventv1.Decision

	action    uint64
	before    *eventv1.State
	cmd       *eventv1.Command
	fn        func(*rules.Resolution) error
	recorded  []*eventv1.Input
	published []*eventv1.Event
}

// Face pops the next face: the table is a source of dice.
func (f *table) Face(sides int) (int, error) {
	if f.roller != nil {
		return f.roller(sides), nil
	}
	if len(f.faces) == 0 {
		return 0, dice.ErrFacesExhausted
	}
	n := f.faces[0]
	if n < 1 || n > sides {
		return 0, fmt.Errorf("face %d of a d%d", n, sides)
	}
	f.faces = f.faces[1:]
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
	out, err := rules.Run(ctx, System{}, rules.Request{State: d.State, Action: f.action, Prefix: d.Label, Recorded: d.Inputs,
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
	f := &table{t: t, state: event.NewState()}
	set := map[string]string{}
	for _, s := range settings {
		k, v, _ := strings.Cut(s, "=")
		set[k] = v
	}
	f.must(&eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{Encounter: "e", Table: "t", Settings: set}}})
	return f
}

// try carries out a command with faces; an error leaves the state as it was.
func (f *table) try(cmd *eventv1.Command, faces ...int) error {
	f.t.Helper()
	if len(f.open) > 0 {
		f.t.Fatalf("decision open: %v", f.open)
	}
	f.action++
	f.before, f.cmd, f.recorded, f.published, f.fn = event.Clone(f.state), cmd, nil, nil, nil
	return f.resume(faces)
}

func (f *table) resume(faces []int) error {
	f.t.Helper()
	f.faces = faces
	fn := f.fn
	if fn == nil {
		fn = rules.Resolve(System{}, f.cmd)
	}
	out, err := rules.Run(context.Background(), System{}, rules.Request{State: f.before, Action: f.action, Recorded: f.recorded,
		Published: f.published, Early: f.cmd.Answers}, f, fn)
	if err != nil {
		return err
	}
	if len(f.faces) > 0 {
		f.t.Fatalf("%d faces left over: %v", len(f.faces), f.faces)
	}
	f.recorded = append(f.recorded, out.Inputs...)
	f.published = out.Events
	f.events, f.open, f.state = out.Fresh, out.Open, out.State
	return nil
}

// must is try that fails the test on an error.
func (f *table) must(cmd *eventv1.Command, faces ...int) {
	f.t.Helper()
	if err := f.try(cmd, faces...); err != nil {
		f.t.Fatalf("%v: %v", cmd, err)
	}
}

// answer answers the open decision of a name and goes on.
func (f *table) answer(name, option string, faces ...int) {
	f.t.Helper()
	for _, d := range f.open {
		if d.Name != name {
			continue
		}
		a := &eventv1.Answer{Option: option}
		if err := rules.CheckAnswer(d, a); err != nil {
			f.t.Fatal(err)
		}
		f.recorded = append(f.recorded, rules.Answered(d, a, "answer"))
		if err := f.resume(faces); err != nil {
			f.t.Fatal(err)
		}
		return
	}
	f.t.Fatalf("no decision %q open: %v", name, f.open)
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
	f.t.Helper()
	for i, s := range sheets {
		a := &eventv1.AddCreature{Sheet: s}
		if i < len(at) {
			a.Position = &eventv1.Position{X: at[i]}
		}
		f.must(&eventv1.Command{What: &eventv1.Command_Add{Add: a}})
	}
	return f
}

func (f *table) start(facts *structpb.Struct, faces ...int) *table {
	f.t.Helper()
	f.must(&eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{Facts: facts}}}, faces...)
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
	f.t.Helper()
	for i, d := range list {
		id, kind, _ := strings.Cut(d, "=")
		var use []int
		if i == len(list)-1 {
			use = faces
		}
		f.must(act(id, "declare", kind, ""), use...)
	}
	return f
}

func (f *table) end(ids ...string) {
	f.t.Helper()
	for _, id := range ids {
		f.must(endTurn(id))
	}
}

func endTurn(id string) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: id}}}
}

func (f *table) put(id string, v *eventv1.Vitals) {
	f.t.Helper()
	f.must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: id, Vitals: v}}})
}

func (f *table) afflict(id string, names ...string) {
	f.t.Helper()
	v := &eventv1.Vitals{}
	for _, n := range names {
		v.Conditions = append(v.Conditions, &eventv1.Condition{Name: n})
	}
	f.put(id, v)
}

func (f *table) wantActive(ids ...string) {
	f.t.Helper()
	if !slices.Equal(f.state.Active, ids) {
		f.t.Fatalf("active %v, want %v", f.state.Active, ids)
	}
}

func (f *table) wantHP(id string, want int32) {
	f.t.Helper()
	if got := f.state.Creatures[id].GetHp(); got != want {
		f.t.Fatalf("%s has %d hit points, want %d", id, got, want)
	}
}

func (f *table) wantLife(id string, want eventv1.LifeStatus) {
	f.t.Helper()
	if got := f.state.Creatures[id].Life; got != want {
		f.t.Fatalf("%s is %v, want %v", id, got, want)
	}
}

func (f *table) total(suffix string) int32 {
	f.t.Helper()
	for _, e := range f.events {
		if r := e.GetRoll(); r != nil && strings.HasSuffix(r.Label, suffix) {
			return r.Total
		}
	}
	f.t.Fatalf("no roll %q", suffix)
	return 0
}

func (f *table) outcome() string {
	f.t.Helper()
	for _, e := range f.events {
		if a := e.GetAttack(); a != nil {
			return a.Outcome
		}
	}
	f.t.Fatal("no attack")
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
	f.t.Helper()
	var faces []int
	if n := len(pairs) - 1; n%2 == 0 {
		faces, pairs = pairs[n].([]int), pairs[:n]
	}
	cmd := &eventv1.PatientCommand{Deed: deed, Patients: []string{id}, Parameters: object(pairs...)}
	f.action++
	f.before, f.cmd, f.recorded, f.published = event.Clone(f.state), &eventv1.Command{}, nil, nil
	f.fn = func(r *rules.Resolution) error { return System{}.Medicine().Tend(r, cmd) }
	if err := f.resume(faces); err != nil {
		f.t.Fatal(err)
	}
}
