package rules_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

var (
	gm  = &eventv1.Principal{Role: eventv1.Principal_ROLE_GM, Name: "gm"}
	ann = &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "ann"}
	bob = &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "bob"}
)

// try carries out a command on a state; what is refused leaves it as it was.
func try(s *eventv1.State, caller *eventv1.Principal, cmd *eventv1.Command) (*rules.Outcome, error) {
	return rules.Run(context.Background(), toy{}, rules.Request{State: s, Action: 3, Caller: caller}, &committing{}, rules.Resolve(toy{}, cmd))
}

// committing is a table whose dice take entropy once they are committed to.
type committing struct{ table }

func (c *committing) Open(ctx context.Context, branches []string, given []*eventv1.Entropy) (*eventv1.DiceEpochOpened, error) {
	d, err := c.table.Open(ctx, branches, given)
	d.Open = slices.Contains(branches, "everyone")
	return d, err
}

// then carries out commands one after the other.
func then(t *testing.T, s *eventv1.State, list ...*eventv1.Command) *eventv1.State {
	t.Helper()
	for _, cmd := range list {
		out, err := try(s, gm, cmd)
		if err != nil {
			t.Fatalf("%v: %v", cmd, err)
		}
		s = out.State
	}
	return s
}

// wrong is the reason of a refusal, or the first field that is wrong; empty for none.
func wrong(err error) string {
	f, ok := fault.As(err)
	switch {
	case !ok && err != nil:
		return err.Error()
	case !ok:
		return ""
	case len(f.Violations) > 0:
		return f.Violations[0].Field
	case f.Reason == "UNKNOWN_CREATURE":
		field, _, _ := strings.Cut(f.Message, ":")
		return field
	}
	return f.Reason
}

func create(c *eventv1.CreateEncounter) *eventv1.Command {
	c.Encounter, c.Table, c.System = "e", "main", "toy"
	return &eventv1.Command{What: &eventv1.Command_Create{Create: c}}
}

func addOf(c *eventv1.AddCreature) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Add{Add: c}}
}

func editOf(c *eventv1.EditCreature) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Edit{Edit: c}}
}

func orderOf(c *eventv1.SetStandingOrder) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Order{Order: c}}
}

func takeOf(c *eventv1.TakeAction) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Take{Take: c}}
}

func sheetOf(id string, change ...func(*eventv1.Sheet)) *eventv1.Sheet {
	s := &eventv1.Sheet{Id: id, Name: "C", Side: "x", HitPoints: 5}
	for _, c := range change {
		c(s)
	}
	return s
}

// What a fight is in decides what it takes: before it begins, while it is on, and when
// it is over.
func TestCommandsBeforeAndAfterAFight(t *testing.T) {
	open := then(t, event.NewState(), create(&eventv1.CreateEncounter{}), addOf(&eventv1.AddCreature{Sheet: sheetOf("a")}))
	on := then(t, open, &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
	over := then(t, on, &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{Reason: "done"}}})
	empty := then(t, event.NewState(), create(&eventv1.CreateEncounter{}))
	hp := int32(4)
	for name, c := range map[string]struct {
		cmd            *eventv1.Command
		open, on, over string
	}{
		"start":    {&eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}}, "", "ALREADY_STARTED", "ENCOUNTER_ENDED"},
		"add":      {addOf(&eventv1.AddCreature{Sheet: sheetOf("b")}), "", "", "ENCOUNTER_ENDED"},
		"remove":   {&eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: "a"}}}, "", "", "ENCOUNTER_ENDED"},
		"edit":     {editOf(&eventv1.EditCreature{Creature: "a", Vitals: &eventv1.Vitals{Hp: &hp}}), "", "", "ENCOUNTER_ENDED"},
		"set":      {&eventv1.Command{What: &eventv1.Command_Set{Set: &eventv1.SetSetting{Setting: "toy.loud", Value: "on"}}}, "", "", "ENCOUNTER_ENDED"},
		"order":    {orderOf(&eventv1.SetStandingOrder{Creature: "a", Decision: "parry", Order: "no"}), "", "", "ENCOUNTER_ENDED"},
		"take":     {takeOf(&eventv1.TakeAction{Creature: "a", Action: "attack", Targets: []string{"nobody"}}), "NOT_STARTED", "take.targets[0]", "ENCOUNTER_ENDED"},
		"end turn": {&eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: "a"}}}, "NOT_STARTED", "NOT_YOUR_TURN", "ENCOUNTER_ENDED"},
		"end":      {&eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}}, "", "", "ENCOUNTER_ENDED"},
		"nothing":  {&eventv1.Command{}, "command", "command", "command"},
	} {
		for when, at := range map[string]struct {
			s    *eventv1.State
			want string
		}{"before": {open, c.open}, "while": {on, c.on}, "after": {over, c.over}} {
			if _, err := try(at.s, gm, c.cmd); wrong(err) != at.want {
				t.Errorf("%s, %s it: %v, want %q", name, when, err, at.want)
			}
		}
	}
	if _, err := try(empty, gm, &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}}); wrong(err) != "NO_CREATURES" {
		t.Errorf("a fight of nobody: %v", err)
	}
	if over.Status != eventv1.State_STATUS_ENDED || on.Status != eventv1.State_STATUS_STARTED {
		t.Errorf("%v, %v", on.Status, over.Status)
	}
}

// What of a command names something that is not there, or more than there may be, is
// refused with its field.
func TestFieldsOfCommands(t *testing.T) {
	s := fightState(t)
	long := strings.Repeat("x", limits.NameBytes+1)
	hp, less := int32(3), int32(-1)
	edit := func(c *eventv1.EditCreature) *eventv1.Command { c.Creature = "a"; return editOf(c) }
	for name, c := range map[string]struct {
		cmd  *eventv1.Command
		want string
	}{
		"a setting that there is not": {create(&eventv1.CreateEncounter{Settings: map[string]string{"toy.quiet": "on"}}), "settings[toy.quiet]"},
		"a pack that is not there":    {create(&eventv1.CreateEncounter{Packs: []string{"p"}}), "create.packs"},
		"a preset that there is not":  {create(&eventv1.CreateEncounter{Preset: "none"}), "create.preset"},

		"no sheet":                    {addOf(&eventv1.AddCreature{}), "sheet"},
		"an id of two words":          {addOf(&eventv1.AddCreature{Sheet: sheetOf("a b")}), "sheet.id"},
		"no name":                     {addOf(&eventv1.AddCreature{Sheet: sheetOf("c", func(s *eventv1.Sheet) { s.Name = "" })}), "sheet.name"},
		"too long a name":             {addOf(&eventv1.AddCreature{Sheet: sheetOf("c", func(s *eventv1.Sheet) { s.Name = long })}), "sheet.name"},
		"no side":                     {addOf(&eventv1.AddCreature{Sheet: sheetOf("c", func(s *eventv1.Sheet) { s.Side = "" })}), "sheet.side"},
		"no hit points":               {addOf(&eventv1.AddCreature{Sheet: sheetOf("c", func(s *eventv1.Sheet) { s.HitPoints = 0 })}), "sheet.hit_points"},
		"one hit point":               {addOf(&eventv1.AddCreature{Sheet: sheetOf("c", func(s *eventv1.Sheet) { s.HitPoints = 1 })}), ""},
		"a million hit points":        {addOf(&eventv1.AddCreature{Sheet: sheetOf("c", func(s *eventv1.Sheet) { s.HitPoints = 1_000_000 })}), ""},
		"one more":                    {addOf(&eventv1.AddCreature{Sheet: sheetOf("c", func(s *eventv1.Sheet) { s.HitPoints = 1_000_001 })}), "sheet.hit_points"},
		"as many controllers":         {addOf(&eventv1.AddCreature{Sheet: sheetOf("c", func(s *eventv1.Sheet) { s.Controllers = slices.Repeat([]string{"ann"}, limits.Controllers) })}), ""},
		"one controller more":         {addOf(&eventv1.AddCreature{Sheet: sheetOf("c", func(s *eventv1.Sheet) { s.Controllers = slices.Repeat([]string{"ann"}, limits.Controllers+1) })}), "sheet.controllers"},
		"a controller without name":   {addOf(&eventv1.AddCreature{Sheet: sheetOf("c", func(s *eventv1.Sheet) { s.Controllers = []string{"ann", ""} })}), "sheet.controllers[1]"},
		"a patient of two words":      {addOf(&eventv1.AddCreature{Sheet: sheetOf("c", func(s *eventv1.Sheet) { s.Patient = "a b" })}), "sheet.patient"},
		"a creature that is there":    {addOf(&eventv1.AddCreature{Sheet: sheetOf("a")}), "CREATURE_EXISTS"},
		"nobody removed":              {&eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: "c"}}}, "remove.creature"},
		"nobody edited":               {editOf(&eventv1.EditCreature{Creature: "c"}), "edit.creature"},
		"a sheet of somebody else":    {edit(&eventv1.EditCreature{Sheet: sheetOf("b")}), "edit.sheet.id"},
		"a sheet that is wrong":       {edit(&eventv1.EditCreature{Sheet: sheetOf("a", func(s *eventv1.Sheet) { s.Name = "" })}), "sheet.name"},
		"a condition that it has not": {edit(&eventv1.EditCreature{RemoveConditions: []string{"prone"}}), "edit.remove_conditions[0]"},
		"an injury that it has not":   {edit(&eventv1.EditCreature{RemoveInjuries: []string{"scar"}}), "edit.remove_injuries[0]"},
		"temporary points":            {edit(&eventv1.EditCreature{Vitals: &eventv1.Vitals{HpTemp: &hp}}), ""},
		"less than none":              {edit(&eventv1.EditCreature{Vitals: &eventv1.Vitals{HpTemp: &less}}), "vitals.hp_temp"},
		"a counter at its end":        {edit(&eventv1.EditCreature{Vitals: &eventv1.Vitals{Counters: map[string]int64{"n": 1_000_000, "m": -1_000_000}}}), ""},
		"a counter beyond":            {edit(&eventv1.EditCreature{Vitals: &eventv1.Vitals{Counters: map[string]int64{"n": 1_000_001}}}), "vitals.counters[n]"},
		"a counter below":             {edit(&eventv1.EditCreature{Vitals: &eventv1.Vitals{Counters: map[string]int64{"n": -1_000_001}}}), "vitals.counters[n]"},
		"a condition without a name":  {edit(&eventv1.EditCreature{Vitals: &eventv1.Vitals{Conditions: []*eventv1.Condition{{Cause: "x"}}}}), "vitals.conditions[0].name"},
		"an injury without a kind":    {edit(&eventv1.EditCreature{Vitals: &eventv1.Vitals{Injuries: []*eventv1.Injury{{Cause: "x"}}}}), "vitals.injuries[0].kind"},
		"a tie to itself":             {edit(&eventv1.EditCreature{Vitals: &eventv1.Vitals{Relations: []*eventv1.Relation{{Kind: "k", To: "a"}}}}), "vitals.relations[0].to"},
		"a tie to nobody":             {edit(&eventv1.EditCreature{Vitals: &eventv1.Vitals{Relations: []*eventv1.Relation{{Kind: "k", To: "c"}}}}), "vitals.relations[0].to"},
		"a tie to another":            {edit(&eventv1.EditCreature{Vitals: &eventv1.Vitals{Relations: []*eventv1.Relation{{Kind: "k", To: "b"}}}}), ""},

		"an action of nobody":       {takeOf(&eventv1.TakeAction{Creature: "c", Action: "attack"}), "take.creature"},
		"a circumstance of no sort": {takeOf(&eventv1.TakeAction{Creature: "a", Action: "attack", Circumstances: []*eventv1.Circumstance{{Direction: "luck"}}}), "take.circumstances[0].direction"},
		"a circumstance of nobody":  {takeOf(&eventv1.TakeAction{Creature: "a", Action: "attack", Circumstances: []*eventv1.Circumstance{{Direction: "advantage", Target: "c"}}}), "take.circumstances[0].target"},
		"the turn of nobody":        {&eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: "c"}}}, "end_turn.creature"},
		"a turn, and nobody acts":   {&eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{}}}, "end_turn.creature"},

		"an order to nobody":         {orderOf(&eventv1.SetStandingOrder{Decision: "parry", Order: "no"}), "order.creature"},
		"an order to two":            {orderOf(&eventv1.SetStandingOrder{Creature: "a", Monsters: true, Decision: "parry", Order: "no"}), "order.creature"},
		"an order to one unknown":    {orderOf(&eventv1.SetStandingOrder{Creature: "c", Decision: "parry", Order: "no"}), "order.creature"},
		"an order to some unknown":   {orderOf(&eventv1.SetStandingOrder{Creatures: []string{"a", "c"}, Decision: "parry", Order: "no"}), "order.creatures[1]"},
		"an order to two creatures":  {orderOf(&eventv1.SetStandingOrder{Creatures: []string{"a", "b"}, Decision: "parry", Order: "no"}), ""},
		"an order to no side":        {orderOf(&eventv1.SetStandingOrder{Side: "z", Decision: "parry", Order: "no"}), "order.side"},
		"an order to a side":         {orderOf(&eventv1.SetStandingOrder{Side: "y", Decision: "parry", Order: "no"}), ""},
		"an order of what none asks": {orderOf(&eventv1.SetStandingOrder{Creature: "a", Decision: "tea", Order: "no"}), "order.decision"},
		"an order that is none":      {orderOf(&eventv1.SetStandingOrder{Creature: "a", Decision: "parry", Order: "perhaps"}), "order.order"},
		"a condition that is none":   {orderOf(&eventv1.SetStandingOrder{Creature: "a", Decision: "parry", Order: "no", When: "(("}), "order.when"},
		"taken back, never given":    {orderOf(&eventv1.SetStandingOrder{Monsters: true, Decision: "parry"}), "NO_SUCH_ORDER"},
		"as many creatures":          {orderOf(&eventv1.SetStandingOrder{Creatures: slices.Repeat([]string{"a"}, rules.MaxCreatures), Decision: "parry", Order: "no"}), ""},
		"more creatures":             {orderOf(&eventv1.SetStandingOrder{Creatures: slices.Repeat([]string{"a"}, rules.MaxCreatures+1), Decision: "parry", Order: "no"}), "LIMIT"},
	} {
		at := s
		if c.cmd.GetCreate() != nil {
			at = event.NewState()
		}
		_, err := try(at, gm, c.cmd)
		got := wrong(err)
		if f, ok := fault.As(err); ok && f.Code == fault.Exhausted {
			got = "LIMIT"
		}
		if got != c.want {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// No more creatures, and no more orders of a kind, than the limits say.
func TestLimitsOfAFight(t *testing.T) {
	s := fightState(t)
	for i := len(s.Creatures); i < rules.MaxCreatures; i++ {
		id := "c" + string(rune('a'+i/26%26)) + string(rune('a'+i%26)) + string(rune('a'+i/676))
		event.Fold(s, event.New(event.Everyone(), &eventv1.CreatureAdded{Creature: id}))
		if s.Creatures[id] == nil {
			event.Fold(s, event.New(event.Everyone(), &eventv1.SheetSet{Creature: id, Sheet: sheetOf(id)}))
		}
	}
	if len(s.Creatures) != rules.MaxCreatures {
		t.Fatalf("%d creatures", len(s.Creatures))
	}
	if _, err := try(s, gm, addOf(&eventv1.AddCreature{Sheet: sheetOf("more")})); err == nil {
		t.Error("one more came in")
	}
	s = fightState(t)
	for i := range limits.StandingOrders {
		event.Fold(s, event.New(event.GM(), &eventv1.OrderGiven{Order: &eventv1.StandingOrder{Monsters: true, Decision: "parry", Order: "no", When: "round > " + string(rune('0'+i%10)) + strings.Repeat("0", i/10)}}))
	}
	one := func(when string) error {
		_, err := try(s, gm, orderOf(&eventv1.SetStandingOrder{Monsters: true, Decision: "parry", Order: "yes", When: when}))
		return err
	}
	if n := len(s.Orders); n != limits.StandingOrders {
		t.Fatalf("%d orders", n)
	}
	if f, ok := fault.As(one("")); !ok || f.Code != fault.Exhausted {
		t.Error("one order more is kept")
	}
	if err := one(s.Orders[3].When); err != nil {
		t.Errorf("an order in place of one: %v", err)
	}
}

// Whoever comes to control a creature is told all that it is and has.
func TestWhatNewControllersAreTold(t *testing.T) {
	s := fightState(t)
	s = then(t, s, editOf(&eventv1.EditCreature{Creature: "a", Vitals: &eventv1.Vitals{Counters: map[string]int64{"n": 2}, Marks: map[string]string{"m": "x"},
		Conditions: []*eventv1.Condition{{Name: "prone"}}, Injuries: []*eventv1.Injury{{Kind: "scar"}}, Relations: []*eventv1.Relation{{Kind: "holds", To: "b"}}}}))
	event.Fold(s, event.New(event.Everyone(), &eventv1.BegunSet{Creature: "a", Begun: &eventv1.Begun{Id: "w", Kind: "work"}}))
	out, err := try(s, gm, editOf(&eventv1.EditCreature{Creature: "a", SetControllers: true, Controllers: []string{"bob"}}))
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]bool{}
	for _, e := range out.Events {
		told["controllers"] = told["controllers"] || e.GetControllers() != nil
		told["sheet"] = told["sheet"] || proto.Equal(e.GetSheetSet().GetSheet(), s.Creatures["a"].Sheet)
		told["hit points"] = told["hit points"] || e.GetHitPoints().GetHp() == 20 && e.GetHitPoints().GetMax() == 20
		told["counter"] = told["counter"] || e.GetCounter().GetCounter() == "n" && e.GetCounter().GetValue() == 2 && e.GetCounter().GetWas() == 2
		told["mark"] = told["mark"] || e.GetMark().GetMark() == "m" && e.GetMark().GetValue() == "x"
		told["condition"] = told["condition"] || e.GetConditionAdded().GetCondition().GetName() == "prone"
		told["injury"] = told["injury"] || e.GetInjuryAdded().GetInjury().GetKind() == "scar"
		told["tie"] = told["tie"] || e.GetRelation().GetRelation().GetTo() == "b"
		told["begun"] = told["begun"] || e.GetBegun().GetBegun().GetKind() == "work"
	}
	for _, what := range rules.SortedKeys(told) {
		if !told[what] {
			t.Errorf("%s: not told", what)
		}
	}
	if got := out.State.Creatures["a"].Controllers; !slices.Equal(got, []string{"bob"}) {
		t.Errorf("%v control it", got)
	}
}

// What a new sheet gives more of the maximum is there at once; what it gives less is
// taken off; the dead gain nothing.
func TestANewSheetsHitPoints(t *testing.T) {
	for name, c := range map[string]struct {
		before, hp, most, after int32
		dead                    bool
		wantHP, wantMost        int32
	}{
		"more":                      {20, 20, 20, 25, false, 25, 25},
		"more, hurt":                {20, 7, 20, 25, false, 12, 25},
		"more, a lowered maximum":   {20, 7, 15, 25, false, 12, 20},
		"less":                      {20, 20, 20, 12, false, 12, 12},
		"less, hurt":                {20, 7, 20, 12, false, 7, 12},
		"less, a lowered maximum":   {20, 5, 5, 1, false, 1, 1},
		"the same":                  {20, 7, 15, 20, false, 7, 15},
		"more, for one who is dead": {20, 0, 20, 25, true, 0, 25},
	} {
		s := fightState(t)
		event.Fold(s, event.New(event.Everyone(), &eventv1.HitPoints{Creature: "a", Hp: c.hp, Max: c.most}))
		if c.dead {
			event.Fold(s, event.New(event.Everyone(), &eventv1.LifeChanged{Creature: "a", Status: eventv1.LifeStatus_LIFE_STATUS_DEAD}))
		}
		out, err := try(s, gm, editOf(&eventv1.EditCreature{Creature: "a", Sheet: sheetOf("a", func(x *eventv1.Sheet) { x.HitPoints = c.after })}))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if a := out.State.Creatures["a"]; a.GetHp() != c.wantHP || a.GetHpMax() != c.wantMost {
			t.Errorf("%s: %d of %d, want %d of %d", name, a.GetHp(), a.GetHpMax(), c.wantHP, c.wantMost)
		}
	}
}
