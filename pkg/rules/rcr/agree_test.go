package rcr

import (
	"slices"
	"strconv"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// offered is the option of a creature's action; nil when it is not listed.
func offered(s *eventv1.State, id, action, item string) *eventv1.Option {
	for _, o := range (System{}).Options(rules.Query{State: s, Creature: id}) {
		if o.Action == action && o.Item == item {
			return o
		}
	}
	return nil
}

// valuesOf are the words that an option lists for a parameter; nil when it does
// not list the parameter.
func valuesOf(o *eventv1.Option, name string) []string {
	for _, p := range o.GetParameters() {
		if p.Name != name {
			continue
		}
		words := []string{}
		for _, v := range p.Values {
			word := v.GetStringValue()
			if b, is := v.Kind.(*structpb.Value_BoolValue); is {
				word = strconv.FormatBool(b.BoolValue)
			}
			words = append(words, word)
		}
		return words
	}
	return nil
}

// wantReason holds that a refusal has a reason and the rule that an option lists.
func wantReason(t *testing.T, err error, reason string, o *eventv1.Option) {
	t.Helper()
	why, ok := fault.As(err)
	if !ok || why.Reason != reason || why.Rule != o.GetRule() || why.Message != o.GetReason() {
		t.Fatalf("refused with %v (%+v), want %s as in %v", err, why, reason, o)
	}
}

// rcr.death.secret-saves: whoever is stable by its death saves is treated as one
// that is dying, whatever the options and the deed are asked of.
func TestStabiliseTellsNothing(t *testing.T) {
	// The player's view of the table is built from what the player sees.
	watch := func(t *testing.T) (*table, *eventv1.State) {
		f := newTable(t).add(fighter("a", "party", skilled("medicine", 5)), fighter("friend", "party"), fighter("b", "monsters")).start(nil, 20, 5, 4)
		f.Hurt("friend", 0)
		return f, event.NewState()
	}
	var told [2][]*eventv1.Event
	for i, successes := range []int{0, 2} {
		f, view := watch(t)
		f.Count("friend", body.CDeathSuccesses, successes)
		f.Medicine(turnBegins("friend"), 15)
		want := eventv1.LifeStatus_LIFE_STATUS_DYING
		if successes == 2 {
			want = eventv1.LifeStatus_LIFE_STATUS_STABLE
		}
		f.WantLife("friend", want)
		full := event.NewState()
		for _, e := range f.Log {
			event.FoldAll(view, event.Visible(full, []*eventv1.Event{e}, player("a-player")))
			event.Fold(full, e)
		}
		for name, s := range map[string]*eventv1.State{"player": view, "game master": f.State} {
			if o := offered(s, "a", "stabilise", ""); o == nil || !o.Legal || !slices.Equal(o.Targets, []string{"friend"}) {
				t.Fatalf("%d successes: the %s is offered %v", successes, name, o)
			}
		}
		f.Must(act("a", "stabilise", "", "friend"), 10)
		f.WantLife("friend", eventv1.LifeStatus_LIFE_STATUS_STABLE)
		told[i] = f.SeenBy(player("a-player"))
		// Everybody knows now.
		if o := offered(f.State, "a", "stabilise", ""); o.Legal || len(o.Targets) > 0 {
			t.Fatalf("stable for all to see, and offered %v", o)
		}
		f.Count("a", body.CAction, 1)
		wantRefused(t, f.Try(act("a", "stabilise", "", "friend")), cite.BaseDeathSaveFrame)
	}
	if len(told[0]) == 0 || len(told[0]) != len(told[1]) {
		t.Fatalf("stabilising the dying shows %v\nstabilising the stable %v", told[0], told[1])
	}
	for i := range told[0] {
		if a, b := told[0][i], told[1][i]; (a.GetLife() == nil) != (b.GetLife() == nil) || a.GetLife().GetStatus() != b.GetLife().GetStatus() {
			t.Fatalf("stabilising the dying shows %v\nstabilising the stable %v", a, b)
		}
	}
}

// Who has no action left is told so, whoever the target is.
func TestActionBeforeTarget(t *testing.T) {
	f := newTable(t, "rcr.action.skill-bonus-search=on").add(fighter("a", "party"), fighter("friend", "party"), fighter("b", "monsters")).start(nil, 20, 5, 4)
	f.Count("a", body.CAction, 0, body.CBonus, 0)
	for _, target := range []string{"a", "friend", "b"} {
		wantReason(t, f.Try(act("a", "stabilise", "", target)), "NO_ACTION", offered(f.State, "a", "stabilise", ""))
		wantReason(t, f.Try(act("a", "search", "perception", target)), "NO_BONUS_ACTION", offered(f.State, "a", "search", "perception"))
	}
}

// rcr.condition.terrified: Dodge is offered for one that is cornered, and for no
// other; without an action neither.
func TestDodgeOfTheTerrified(t *testing.T) {
	f := duel(t)
	f.Afflict("a", body.CondTerrified+"@b")
	cornered := func(is bool) *eventv1.Command { return act("a", "dodge", "", "", withParameters("cornered", is)) }
	o := offered(f.State, "a", "dodge", "")
	if len(o.Parameters) != 1 || !o.Parameters[0].Required || len(o.Parameters[0].Values) != 1 || !o.Parameters[0].Values[0].GetBoolValue() {
		t.Fatalf("offered %v", o)
	}
	wantRefused(t, f.Try(cornered(false)), cite.ConditionTerrified)
	f.Must(cornered(true))
	for _, is := range []bool{true, false} {
		wantReason(t, f.Try(cornered(is)), "NO_ACTION", offered(f.State, "a", "dodge", ""))
	}
	for _, action := range []string{"shove", "grapple"} {
		for _, target := range []string{"a", "b"} {
			wantReason(t, f.Try(act("a", action, "", target)), "TERRIFIED", offered(f.State, "a", action, ""))
		}
	}
}

// rcr.base.inspiration-held: advantage by inspiration is offered to who has it.
func TestInspirationOffered(t *testing.T) {
	f := duel(t)
	for _, n := range []int{0, 1} {
		f.Count("a", body.CInspiration, n)
		for _, action := range []string{"hide", "called-check", "called-save", "task-check"} {
			if listed := valuesOf(offered(f.State, "a", action, ""), "inspiration") != nil; listed != (n == 1) {
				t.Errorf("%d inspiration: %s lists it: %v", n, action, listed)
			}
		}
	}
}

// rcr.base.movement-cost-additive: a mode is offered as long as there is a foot
// to go by it, and a creature as long as it can be dragged a foot.
func TestModesOffered(t *testing.T) {
	f := duel(t)
	f.Afflict("b", body.CondGrappled+"@a")
	for _, c := range []struct {
		left  int
		modes []string
		drag  []string
	}{
		{2, []string{"walk", "climb", "swim"}, []string{"b"}}, // a foot of climbing costs two, of dragging too
		{1, []string{"walk"}, nil},
	} {
		f.Count("a", body.CMovement, c.left)
		o := offered(f.State, "a", "move", "")
		if got := valuesOf(o, "mode"); !slices.Equal(got, c.modes) {
			t.Errorf("%d feet left: modes %v, want %v", c.left, got, c.modes)
		}
		if got := valuesOf(o, "drag"); !slices.Equal(got, c.drag) {
			t.Errorf("%d feet left: drags %v, want %v", c.left, got, c.drag)
		}
		for _, mode := range []string{"walk", "climb", "swim"} {
			err := f.Peek(act("a", "move", "", "", withParameters("feet", 1, "mode", mode)))
			if (err == nil) != slices.Contains(c.modes, mode) {
				t.Errorf("%d feet left: %s: %v", c.left, mode, err)
			}
		}
	}
}

// rcr.base.fifth-edition-fallback: a weapon is thrown at whoever is in range; to
// strike with it, it must reach.
func TestThrownModesOffered(t *testing.T) {
	f := newTable(t)
	spear := rcrSheet(func(s *eventv1.RcrSheet) {
		s.Attacks = []*eventv1.RcrAttack{{Name: "spear", Bonus: 5, ReachFeet: 5, RangeFeet: 20, LongRangeFeet: 60, Properties: []string{"thrown"},
			Damage: []*eventv1.RcrDamage{{Dice: "1d6", Type: "piercing"}}}}
	})
	f.AddAt(0, 0, fighter("a", "party", spear))
	f.AddAt(5, 0, fighter("b", "monsters"))
	f.AddAt(30, 0, fighter("c", "monsters"))
	f.start(nil, 20, 5, 4)
	if got := valuesOf(offered(f.State, "a", "attack", "spear"), "throw"); !slices.Equal(got, []string{"true"}) {
		t.Errorf("one in reach and one in range: %v", got)
	}
	f.Place("c", 0, 5)
	if got := valuesOf(offered(f.State, "a", "attack", "spear"), "throw"); got == nil || len(got) > 0 {
		t.Errorf("both in reach: %v", got)
	}
}

// rcr.base.fifth-edition-fallback: what was readied is offered as long as it can
// be done.
func TestReadiedEscapeWithoutAHold(t *testing.T) {
	f := duel(t)
	f.Afflict("a", body.CondGrappled+"@b")
	f.Must(act("a", "ready", "", "", withParameters("action", "escape", "trigger", "b looks away")))
	if o := offered(f.State, "a", "use-ready", ""); o == nil || !o.Legal {
		t.Fatalf("held: offered %v", o)
	}
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a", RemoveConditions: []string{body.CondGrappled}}}})
	o := offered(f.State, "a", "use-ready", "")
	if o.GetLegal() {
		t.Fatalf("held no more: offered %v", o)
	}
	wantReason(t, f.Try(act("a", "use-ready", "", "")), "NOT_READY", o)
}

// Only the spell that is concentrated on can be let go.
func TestEndConcentrationItem(t *testing.T) {
	f := duel(t)
	f.Resolve(func(r *rules.Resolution) error {
		dice.Concentrate(r, "a", "bless")
		return nil
	})
	if why, ok := fault.As(f.Try(act("a", "end-concentration", "fly", ""))); !ok || why.Code != fault.Invalid {
		t.Fatalf("another spell: %v", why)
	}
	f.Must(act("a", "end-concentration", "bless", ""))
	if body.Concentration(f.Creature("a")) != "" {
		t.Fatal("it still concentrates")
	}
}

// rcr.base.movement-cost-additive: a legendary move climbs without a speed for
// it, at double the cost, and crawls when prone.
func TestLegendaryModes(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), fighter("d", "monsters", rcrSheet(func(s *eventv1.RcrSheet) {
		s.LegendaryActions = 3
		s.Legendary = []*eventv1.RcrLegendary{{Name: "stride", MovePercent: 50}}
	}))).start(nil, 5, 20)
	f.End("d", 20)
	f.End("a", 5)
	stride := func(n int, mode string) *eventv1.Command {
		return act("d", "legendary", "stride", "", withParameters("feet", n, "mode", mode))
	}
	open := func() {
		f.Resolve(func(r *rules.Resolution) error { r.Flag("d", body.MLegendary, true); return nil })
	}
	open()
	if got := valuesOf(offered(f.State, "d", "legendary", "stride"), "mode"); !slices.Equal(got, []string{"walk", "climb", "swim"}) {
		t.Fatalf("modes %v", got)
	}
	// Half of 30 feet is 15: 7 feet of climbing cost 14.
	wantRefused(t, f.Try(stride(8, "climb")), cite.BaseMovementCostAdditive)
	f.Must(stride(7, "climb"))
	open()
	f.Afflict("d", body.CondProne)
	if got := valuesOf(offered(f.State, "d", "legendary", "stride"), "mode"); !slices.Equal(got, []string{"walk"}) {
		t.Fatalf("prone: modes %v", got)
	}
}
