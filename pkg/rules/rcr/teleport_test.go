package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// stepper has a spell and a power that take it elsewhere.
func stepper(s *eventv1.Sheet) {
	caster(s)
	s.GetRcr().Spells = append(s.GetRcr().Spells, &eventv1.RcrSpell{Name: "misty step", Level: 2, CastingTime: "bonus", Verbal: true, TeleportFeet: 30})
	s.GetRcr().Powers = append(s.GetRcr().Powers, &eventv1.RcrPower{Name: "fey step", Cost: "bonus", TeleportFeet: 30})
}

// rcr.base.opportunity-frame: teleportation provokes nothing and spends no
// movement.
func TestTeleporting(t *testing.T) {
	for action, item := range map[string]string{"cast": "misty step", "use-power": "fey step"} {
		begin := func(t *testing.T, bx int32) *table {
			f := newTable(t)
			f.place(fighter("a", "party", stepper), 0, 0)
			f.place(fighter("b", "monsters"), bx, 0)
			return f.start(nil, 20, 5)
		}
		t.Run(item+": out of a reach", func(t *testing.T) {
			f := begin(t, 5)
			f.Afflict("a", body.CondBlinded) // who leaves a reach blinded provokes; not so
			f.Must(act("a", action, item, "", along(-30, 0)))
			f.wantAsked()
			if at := f.Creature("a").Position; at.X != -30 {
				t.Fatalf("at %v", at)
			}
			f.wantCount("a", body.CMovement, 30)
			f.wantCount("a", body.CMoved, 0)
		})
		t.Run("rcr.opportunity.enter-and-leave: "+item+" into a reach, and out of it on foot", func(t *testing.T) {
			f := begin(t, 30)
			f.Must(act("a", action, item, "", along(25, 0)))
			f.wantAsked()
			f.Must(act("a", "move", "", "", along(15, 0)))
			f.wantAsked("b")
		})
		t.Run("rcr.opportunity.start-in-reach-leave: "+item+" within the reach that the turn began in", func(t *testing.T) {
			f := begin(t, 5)
			f.Must(act("a", action, item, "", along(5, 5)))
			f.Must(act("a", "move", "", "", along(5, 20)))
			f.wantAsked()
		})
		t.Run("rcr.condition.replace-base: "+item+" out of a hold", func(t *testing.T) {
			f := begin(t, 5)
			f.Afflict("a", body.CondGrappled+"@b")
			f.Must(act("a", action, item, "", along(-15, 0)))
			if body.Has(f.Creature("a"), body.CondGrappled) {
				t.Fatal("held from afar")
			}
		})
		t.Run(item+": too far, onto somebody, nowhere named", func(t *testing.T) {
			f := begin(t, 5)
			for _, way := range [][]int32{{35, 0}, {5, 0}, nil} {
				if f.Try(act("a", action, item, "", along(way...))) == nil {
					t.Fatalf("to %v", way)
				}
			}
			f.wantCount("a", body.CBonus, 1)
		})
		t.Run(item+": without a map", func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", stepper), fighter("b", "monsters")).start(nil, 20, 5)
			f.Must(act("a", action, item, ""))
			f.wantCount("a", body.CBonus, 0)
		})
	}
}

// sphinx casts and teleports at the end of others' turns.
func sphinx(s *eventv1.Sheet) {
	caster(s)
	s.GetRcr().LegendaryActions = 3
	s.GetRcr().Legendary = []*eventv1.RcrLegendary{
		{Name: "cast a spell", Cost: 3, Casts: eventv1.RcrLegendary_CASTS_ANY},
		{Name: "cantrip", Casts: eventv1.RcrLegendary_CASTS_CANTRIP},
		{Name: "teleport", Cost: 2, TeleportFeet: 120},
	}
}

// rcr.base.fifth-edition-fallback: legendary actions that cast a spell or
// teleport.
func TestLegendaryCasting(t *testing.T) {
	begin := func(t *testing.T, bx int32) *table {
		f := newTable(t)
		f.place(fighter("a", "party"), bx, 0)
		f.place(fighter("s", "monsters", sphinx), 0, 0)
		f.start(nil, 5, 20)
		f.WantActive("s")
		f.End("s", 1)
		return f
	}
	cast := func(spell, target string, more ...func(*eventv1.TakeAction)) *eventv1.Command {
		return act("s", "legendary", "cast a spell", target, append(more, withParameters("spell", spell))...)
	}
	t.Run("a spell with its slot", func(t *testing.T) {
		f := begin(t, 60)
		wantRefused(t, f.Try(cast("missile", "a")), body.Fallback) // nobody else's turn has ended
		f.End("a", 20)
		f.WantActive("a") // twice in a row
		f.Must(cast("missile", "a,a,a"), 1, 2, 3)
		if f.Creature("a").GetHp() != 31 || f.Creature("s").Counters[body.CSlot+"1"] != 3 || f.Creature("s").Counters[body.CLegendary] != 0 {
			t.Fatalf("%d, %v", f.Creature("a").GetHp(), f.Creature("s").Counters)
		}
		wantRefused(t, f.Try(act("s", "legendary", "cantrip", "a", withParameters("spell", "bolt"))), body.Fallback)
	})
	own := func(t *testing.T, bx int32) *table {
		f := begin(t, bx)
		f.End("a", 20)
		return f
	}
	t.Run("rcr.opportunity.cast-spell: it provokes", func(t *testing.T) {
		f := own(t, 5)
		f.Must(cast("missile", "a"))
		f.wantAsked("a")
		f.Answer(body.DecOpportunity, "no", 1)
		f.wantCount("s", body.CSlot+"1", 3)
	})
	t.Run("rcr.condition.grappled-somatic: no action of its own, no check", func(t *testing.T) {
		f := own(t, 60)
		f.Afflict("s", body.CondGrappled+"@a")
		f.Must(cast("missile", "a"), 1)
	})
	t.Run("rcr.condition.restrained-somatic, rcr.condition.deafened-verbal: as ever", func(t *testing.T) {
		f := own(t, 60)
		f.Afflict("s", body.CondRestrained)
		wantRefused(t, f.Try(cast("missile", "a")), cite.ConditionRestrainedSomatic)
		f = own(t, 60)
		f.Afflict("s", body.CondDeafened)
		f.Must(cast("missile", "a"), 3) // 10 against 11
		if f.Creature("s").Counters[body.CSlot+"1"] != 4 || f.Creature("s").Counters[body.CLegendary] != 0 {
			t.Fatalf("%v", f.Creature("s").Counters)
		}
	})
	t.Run("a cantrip alone by the one, by the other any with the time of an action", func(t *testing.T) {
		f := own(t, 60)
		spells := map[string][]string{}
		for _, o := range (System{}).Options(queryOf(f, "s")) {
			if o.Action == "legendary" {
				spells[o.Item] = append(spells[o.Item], valuesOf(o, "spell")...)
			}
		}
		if !slices.Equal(spells["cantrip"], []string{"bolt", "grasp", "blade", "gesture"}) || slices.Contains(spells["cast a spell"], "healing word") ||
			slices.Contains(spells["cast a spell"], "ritual") || !slices.Contains(spells["cast a spell"], "ball") {
			t.Fatalf("%v", spells)
		}
		if f.Try(act("s", "legendary", "cantrip", "a", withParameters("spell", "missile"))) == nil {
			t.Fatal("a spell for a cantrip")
		}
	})
	t.Run("rcr.base.opportunity-frame: it teleports", func(t *testing.T) {
		f := own(t, 5)
		f.Must(act("s", "legendary", "teleport", "", along(-120, 0)))
		f.wantAsked()
		if at := f.Creature("s").Position; at.X != -120 || f.Creature("s").Counters[body.CLegendary] != 1 {
			t.Fatalf("at %v", at)
		}
		f = own(t, 5)
		wantRefused(t, f.Try(act("s", "legendary", "teleport", "", along(-125, 0))), body.Fallback)
		f.wantCount("s", body.CLegendary, 3)
	})
}
