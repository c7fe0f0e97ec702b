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
