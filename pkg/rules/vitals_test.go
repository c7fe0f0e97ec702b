package rules_test

import (
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Vitals hold the maximum, a life that is stable and standing orders; what makes no
// sense is refused with its field.
func TestVitals(t *testing.T) {
	const stable, dying, dead = eventv1.LifeStatus_LIFE_STATUS_STABLE, eventv1.LifeStatus_LIFE_STATUS_DYING, eventv1.LifeStatus_LIFE_STATUS_DEAD
	for name, tt := range map[string]struct {
		v     *eventv1.Vitals
		field string // that is refused
		hp    int32
		most  int32
		life  eventv1.LifeStatus
	}{
		"a lower maximum takes hit points along": {&eventv1.Vitals{HpMax: proto.Int32(3)}, "", 3, 3, 0},
		"both":                                   {&eventv1.Vitals{Hp: proto.Int32(4), HpMax: proto.Int32(30)}, "", 4, 30, 0},
		"more than the maximum":                  {&eventv1.Vitals{Hp: proto.Int32(31), HpMax: proto.Int32(30)}, "vitals.hp", 0, 0, 0},
		"a maximum below nothing":                {&eventv1.Vitals{HpMax: proto.Int32(-1)}, "vitals.hp_max", 0, 0, 0},
		"stable":                                 {&eventv1.Vitals{Hp: proto.Int32(0), Life: stable}, "", 0, 10, stable},
		"stable, and nobody knows":               {&eventv1.Vitals{Hp: proto.Int32(0), Life: stable, LifeSecret: true}, "", 0, 10, stable},
		"stable with hit points":                 {&eventv1.Vitals{Life: stable}, "vitals.life", 0, 0, 0},
		"dying":                                  {&eventv1.Vitals{Hp: proto.Int32(0), Life: dying}, "", 0, 10, dying},
		"dying with hit points":                  {&eventv1.Vitals{Life: dying}, "vitals.life", 0, 0, 0},
		"another life":                           {&eventv1.Vitals{Hp: proto.Int32(0), Life: dead}, "vitals.life", 0, 0, 0},
		"an order that nobody takes":             {&eventv1.Vitals{StandingOrders: map[string]string{"tea": "yes"}}, "vitals.standing_orders[tea]", 0, 0, 0},
	} {
		out, err := runs(t, rules.Request{}, &table{}, func(r *rules.Resolution) error {
			r.SetHitPoints("a", 10, 10, 0)
			return r.ApplyVitals("a", tt.v)
		})
		if tt.field != "" {
			if f, ok := fault.As(err); !ok || len(f.Violations) == 0 || f.Violations[0].Field != tt.field {
				t.Errorf("%s: %v, want a fault about %s", name, err, tt.field)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if c := out.State.Creatures["a"]; c.GetHp() != tt.hp || c.GetHpMax() != tt.most || tt.life != 0 && c.Life != tt.life {
			t.Errorf("%s: %d of %d, %v", name, c.GetHp(), c.GetHpMax(), c.Life)
		}
		secret := 0
		for _, e := range out.Events {
			if e.GetLife().GetStatus() == stable && e.Audience.GetKind() == eventv1.Audience_KIND_GM {
				secret++
			}
		}
		if (secret == 1) != tt.v.LifeSecret {
			t.Errorf("%s: told in secret %d times", name, secret)
		}
	}
}

// Orders with a condition that come with vitals are the creature's own: whoever gave them is
// kept, and where nobody is named it is whoever gives the vitals. What stands behind them in
// the vitals is taken too.
func TestOrdersInVitals(t *testing.T) {
	gm := &eventv1.Principal{Role: eventv1.Principal_ROLE_GM, Name: "gm"}
	ann := &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "ann"}
	apply := func(o *eventv1.StandingOrder) (*rules.Outcome, error) {
		return runs(t, rules.Request{Caller: gm}, &table{}, func(r *rules.Resolution) error {
			r.SetHitPoints("a", 10, 10, 0)
			return r.ApplyVitals("a", &eventv1.Vitals{Orders: []*eventv1.StandingOrder{o}, Counters: map[string]int64{"luck": 3}})
		})
	}
	for name, tt := range map[string]struct{ by, want *eventv1.Principal }{"nobody named": {nil, gm}, "a player's": {ann, ann}} {
		out, err := apply(&eventv1.StandingOrder{Decision: "parry", Order: "no", When: "self.hp > 3", By: tt.by})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		a := out.State.Creatures["a"]
		if len(a.Orders) != 1 || a.Orders[0].Creature != "a" || !proto.Equal(a.Orders[0].By, tt.want) {
			t.Errorf("%s: %v, want one of a's by %v", name, a.Orders, tt.want)
		}
		if a.Counters["luck"] != 3 {
			t.Errorf("%s: what follows the orders is lost: %v", name, a.Counters)
		}
	}
	for name, o := range map[string]*eventv1.StandingOrder{
		"without a condition": {Decision: "parry", Order: "no"},
		"of a side":           {Decision: "parry", Order: "no", When: "self.hp > 3", Side: "party"},
		"of the monsters":     {Decision: "parry", Order: "no", When: "self.hp > 3", Monsters: true},
		"of somebody else":    {Decision: "parry", Order: "no", When: "self.hp > 3", Creature: "b"},
	} {
		_, err := apply(o)
		if f, ok := fault.As(err); !ok || len(f.Violations) == 0 || f.Violations[0].Field != "vitals.orders[0]" {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := apply(&eventv1.StandingOrder{Decision: "tea", Order: "no", When: "self.hp > 3"})
	if f, ok := fault.As(err); !ok || len(f.Violations) == 0 || f.Violations[0].Field != "vitals.orders[0].decision" {
		t.Errorf("an order that nobody takes: %v", err)
	}
}
