package original

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

// resolve runs a function of the rules as an action of its own.
func (f *table) resolve(fn func(*rules.Resolution) error, faces ...int) {
	f.t.Helper()
	f.action++
	f.before, f.fn, f.recorded, f.published = event.Clone(f.state), fn, nil, nil
	f.cmd = &eventv1.Command{}
	if err := f.resume(faces); err != nil {
		f.t.Fatal(err)
	}
}

// must is try that fails the test on an error.
func (f *table) must(cmd *eventv1.Command, faces ...int) {
	f.t.Helper()
	if err := f.try(cmd, faces...); err != nil {
		f.t.Fatalf("%v: %v", cmd, err)
	}
}

// answer answers the open decision of a name (and creature, when given as
// "name/creature") and goes on.
func (f *table) answer(name, option string, faces ...int) {
	f.t.Helper()
	name, creature, _ := strings.Cut(name, "/")
	for i, d := range f.open {
		if d.Name != name || creature != "" && d.Creature != creature {
			continue
		}
		a := &eventv1.Answer{Option: option}
		if err := rules.CheckAnswer(d, a); err != nil {
			f.t.Fatal(err)
		}
		f.recorded = append(f.recorded, rules.Answered(d, a, "answer"))
		f.open = slices.Delete(slices.Clone(f.open), i, i+1)
		if len(f.open) > 0 && len(faces) == 0 {
			left := f.open
			if err := f.resume(nil); err != nil {
				f.t.Fatal(err)
			}
			if len(f.open) != len(left) {
				f.t.Fatalf("decisions open: %v, want %d", f.open, len(left))
			}
			return
		}
		if err := f.resume(faces); err != nil {
			f.t.Fatal(err)
		}
		return
	}
	f.t.Fatalf("no open decision %s of %q among %v", name, creature, f.open)
}

// add puts creatures on the field.
func (f *table) add(sheets ...*eventv1.Sheet) *table {
	f.t.Helper()
	for _, s := range sheets {
		f.must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: s}}})
	}
	return f
}

// start begins the fight; faces are those of initiative, by creature id.
func (f *table) start(facts *structpb.Struct, faces ...int) *table {
	f.t.Helper()
	start := &eventv1.StartEncounter{Facts: facts}
	f.must(&eventv1.Command{What: &eventv1.Command_Start{Start: start}}, faces...)
	return f
}

// end ends the turn of a creature.
func (f *table) end(id string, faces ...int) {
	f.t.Helper()
	f.must(endTurn(id), faces...)
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

// put changes a creature by the game master's word.
func (f *table) put(id string, v *eventv1.Vitals) {
	f.t.Helper()
	f.must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: id, Vitals: v}}})
}

// afflict puts conditions on a creature: "name", "name=variant" or "name@source".
func (f *table) afflict(id string, names ...string) {
	f.t.Helper()
	v := &eventv1.Vitals{}
	for _, n := range names {
		n, source, _ := strings.Cut(n, "@")
		n, variant, _ := strings.Cut(n, "=")
		v.Conditions = append(v.Conditions, &eventv1.Condition{Name: n, Variant: variant, Source: source, Cause: "test"})
	}
	f.put(id, v)
}

func (f *table) creature(id string) *eventv1.Creature { return f.state.Creatures[id] }

// rolls are the rolls of the last command whose label ends so.
func (f *table) rolls(suffix string) []*eventv1.Roll {
	var out []*eventv1.Roll
	for _, e := range f.events {
		if r := e.GetRoll(); r != nil && strings.HasSuffix(r.Label, suffix) {
			out = append(out, r)
		}
	}
	return out
}

// roll is the one roll of the last command whose label ends so.
func (f *table) roll(suffix string) *eventv1.Roll {
	f.t.Helper()
	all := f.rolls(suffix)
	if len(all) != 1 {
		f.t.Fatalf("%d rolls %q, want one", len(all), suffix)
	}
	return all[0]
}

// attack is the one attack of the last command.
func (f *table) attack() *eventv1.Attack {
	f.t.Helper()
	var found *eventv1.Attack
	for _, e := range f.events {
		if a := e.GetAttack(); a != nil {
			if found != nil {
				f.t.Fatal("more than one attack")
			}
			found = a
		}
	}
	if found == nil {
		f.t.Fatal("no attack")
	}
	return found
}

func player(name string) *eventv1.Principal {
	return &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: name}
}

// outcomes are the outcomes of the attacks of the last command, in order.
func (f *table) outcomes() (list []string) {
	for _, e := range f.events {
		if a := e.GetAttack(); a != nil {
			list = append(list, a.Attacker+" "+a.Outcome)
		}
	}
	return list
}

func (f *table) wantActive(ids ...string) {
	f.t.Helper()
	if !slices.Equal(f.state.Active, ids) {
		f.t.Fatalf("active %v, want %v", f.state.Active, ids)
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

func asFault(err error) (*fault.Fault, bool) {
	f, ok := fault.As(err)
	if !ok {
		return &fault.Fault{}, false
	}
	return f, true
}

// one makes a plain sheet that tests shape with changes: 20 hit points, no
// class, 1 hit die, armour class 5, a sword for 1d6+1.
func one(id, side string, change ...func(*eventv1.Sheet)) *eventv1.Sheet {
	ac := int32(5)
	s := &eventv1.Sheet{Id: id, Name: id, Side: side, Size: "medium", HitPoints: 20, Speeds: map[string]int32{"walk": 120}, Abilities: map[string]int32{},
		Section: &eventv1.Sheet_Original{Original: &eventv1.OriginalSheet{HitDice: 1, ArmorAc: &ac, Group: id,
			Weapons: []*eventv1.OriginalWeapon{{Name: "sword"}}}}}
	if side == "party" {
		s.Controllers = []string{id + "-player"}
		s.GetOriginal().IsPc, s.GetOriginal().Level, s.GetOriginal().HitDice = true, 1, 0
	}
	for _, c := range change {
		c(s)
	}
	return s
}

// with changes the system's section.
func with(change func(o *eventv1.OriginalSheet)) func(*eventv1.Sheet) {
	return func(s *eventv1.Sheet) { change(s.GetOriginal()) }
}

func points(n int32) func(*eventv1.Sheet) { return func(s *eventv1.Sheet) { s.HitPoints = n } }

func ability(name string, score int32) func(*eventv1.Sheet) {
	return func(s *eventv1.Sheet) { s.Abilities[name] = score }
}

func class(name string, level int32) func(*eventv1.Sheet) {
	return with(func(o *eventv1.OriginalSheet) { o.Class, o.Level, o.HitDice = name, level, 0 })
}

func str(n int32) func(*eventv1.Sheet) {
	return with(func(o *eventv1.OriginalSheet) { o.StrBonus = &n })
}
func dex(n int32) func(*eventv1.Sheet) {
	return with(func(o *eventv1.OriginalSheet) { o.DexBonus = &n })
}
func ac(n int32) func(*eventv1.Sheet)  { return with(func(o *eventv1.OriginalSheet) { o.ArmorAc = &n }) }
func ac0(n int32) func(*eventv1.Sheet) { return with(func(o *eventv1.OriginalSheet) { o.HitAc0 = &n }) }

func arms(list ...*eventv1.OriginalWeapon) func(*eventv1.Sheet) {
	return with(func(o *eventv1.OriginalSheet) { o.Weapons = list })
}

var (
	spear   = &eventv1.OriginalWeapon{Name: "spear", Kind: "spear", ShortFeet: 20, MediumFeet: 40, LongFeet: 60}
	dagger  = &eventv1.OriginalWeapon{Name: "dagger", Kind: "dagger", Damage: "1d4", Size: "small", ShortFeet: 10, MediumFeet: 20, LongFeet: 30}
	bow     = &eventv1.OriginalWeapon{Name: "bow", Kind: "bow", Hands: 2, Damage: "1d6", ShortFeet: 70, MediumFeet: 140, LongFeet: 210}
	great   = &eventv1.OriginalWeapon{Name: "great bow", Kind: "great-bow", Hands: 2, ShortFeet: 70, MediumFeet: 140, LongFeet: 210}
	javelin = &eventv1.OriginalWeapon{Name: "javelin", Kind: "thrown", Damage: "1d6", ShortFeet: 20, MediumFeet: 40, LongFeet: 60}
)

// at adds a creature at a place, in feet east.
func (f *table) at(x int32, s *eventv1.Sheet) *table {
	f.t.Helper()
	f.must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: s, Position: &eventv1.Position{X: x}}}})
	return f
}

// damageTo is what a creature took in the last command.
func (f *table) damageTo(id string) (total int32) {
	for _, e := range f.events {
		if d := e.GetDamage(); d != nil && d.Target == id {
			total += d.Amount
		}
	}
	return total
}
