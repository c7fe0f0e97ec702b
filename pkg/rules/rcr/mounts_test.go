package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// beast is a trained large mount of the party with a plain saddle: speed 60, armour
// class 10, 40 hit points, Intelligence 2, hooves +5 for 2d4, no traits.
func beast(change ...func(*eventv1.Sheet)) *eventv1.Sheet {
	s := fighter("h", "party", ability("intelligence", 2), func(s *eventv1.Sheet) {
		s.Size, s.Speeds = "large", map[string]int32{"walk": 60}
	}, rcrSheet(func(x *eventv1.RcrSheet) {
		x.Level, x.CreatureType, x.ArmorClass, x.MountTrained, x.Saddle, x.ProficiencyBonus = 0, "beast", 10, true, body.SaddleNormal, 2
		x.Attacks = []*eventv1.RcrAttack{{Name: "hooves", Bonus: 5, ReachFeet: 5, Natural: true, Damage: []*eventv1.RcrDamage{{Dice: "2d4", Type: "bludgeoning"}}}}
	}))
	for _, c := range change {
		c(s)
	}
	return s
}

// rides makes a fight in which a (party) rides h against b: a has 20, b 5. Before it
// begins a mounts; on the map at (0, 0), or without positions.
func rides(t *testing.T, a, h *eventv1.Sheet, b *eventv1.Sheet, settings ...string) *table {
	t.Helper()
	f := newTable(t, settings...).add(a, b, h)
	f.Must(act("a", "mount", "", "h"))
	return f.start(nil, 20, 5)
}

// onMap puts everybody where they stand: the mount at (0, 0), b at a place.
func onMap(t *testing.T, a, h, b *eventv1.Sheet, x, y int32, settings ...string) *table {
	t.Helper()
	f := newTable(t, settings...)
	f.place(a, -5, 0)
	f.place(b, x, y)
	f.place(h, 0, 0)
	f.Must(act("a", "mount", "", "h"))
	return f.start(nil, 20, 5)
}

func human(change ...func(*eventv1.Sheet)) *eventv1.Sheet { return fighter("a", "party", change...) }
func orc(change ...func(*eventv1.Sheet)) *eventv1.Sheet   { return fighter("b", "monsters", change...) }

func traits(list ...string) func(*eventv1.Sheet) {
	return rcrSheet(func(x *eventv1.RcrSheet) { x.MountTraits = list })
}

func saddle(name string) func(*eventv1.Sheet) {
	return rcrSheet(func(x *eventv1.RcrSheet) { x.Saddle = name })
}

func saves(ability string, bonus int32) func(*eventv1.Sheet) {
	return rcrSheet(func(x *eventv1.RcrSheet) { x.Saves = map[string]int32{ability: bonus} })
}

func ofSize(name string) func(*eventv1.Sheet) { return func(s *eventv1.Sheet) { s.Size = name } }

// afflicting lays a condition by the game master's word.
func afflicting(id, condition, source string) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: id,
		Vitals: &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: condition, Source: source, Cause: "test"}}}}}}
}

var allTraits = traits(body.MountBrave, body.MountFierce, body.MountStalwart)

func (f *table) wantRides(id, mount, part string) {
	f.T.Helper()
	if seat := body.Seat(f.Creature(id)); seat.GetTo() != mount || seat.GetVariant() != part {
		f.T.Fatalf("%s rides %q as %q, want %q as %q", id, seat.GetTo(), seat.GetVariant(), mount, part)
	}
}

func (f *table) wantHas(id, condition string, want bool) {
	f.T.Helper()
	if body.Has(f.Creature(id), condition) != want {
		f.T.Fatalf("%s %s: %v, want %v", id, condition, !want, want)
	}
}

func (f *table) wantAt(id string, x, y int32) {
	f.T.Helper()
	if p := f.Creature(id).Position; p.GetX() != x || p.GetY() != y {
		f.T.Fatalf("%s at %v, want %d, %d", id, p, x, y)
	}
}

// legalFor are the actions that a creature may take now, as listed.
func legalFor(f *table, id string) (out []string) {
	for _, o := range (System{}).Options(queryOf(f, id)) {
		if o.Legal && !slices.Contains(out, o.Action) {
			out = append(out, o.Action)
		}
	}
	return out
}

// rcr.mount.eligibility, rcr.mount.rider, rcr.mount.passenger, rcr.mount.untrained-passenger,
// rcr.mount.intelligent-untrained, rcr.mount.control-allowed
func TestWhoRides(t *testing.T) {
	for _, c := range []struct {
		name    string
		a, h    func(*eventv1.Sheet)
		more    []func(*eventv1.TakeAction)
		part    string
		refused string
	}{
		{name: "medium human, trained large horse", part: body.VariantRider},
		{name: "medium human, trained medium ram", h: ofSize("medium"), refused: cite.MountEligibility},
		{name: "small halfling, trained medium mastiff", a: ofSize("small"), h: ofSize("medium"), part: body.VariantRider},
		{name: "two sizes larger", h: func(s *eventv1.Sheet) { s.Size = "huge"; s.GetRcr().SaddleExotic = true }, part: body.VariantRider},
		{name: "a wild bear at 40", h: rcrSheet(func(x *eventv1.RcrSheet) { x.MountTrained, x.TrainingTotal, x.Saddle = false, 40, "" }), part: body.VariantPassenger},
		{name: "one point short", h: rcrSheet(func(x *eventv1.RcrSheet) { x.MountTrained, x.TrainingTotal = false, 99 }), part: body.VariantPassenger},
		{name: "trained by its total", h: rcrSheet(func(x *eventv1.RcrSheet) { x.MountTrained, x.TrainingTotal = false, 100 }), part: body.VariantRider},
		{name: "the game master lets it serve", h: rcrSheet(func(x *eventv1.RcrSheet) { x.MountTrained = false }), more: []func(*eventv1.TakeAction){withFacts("may_control", true)}, part: body.VariantRider},
		{name: "Intelligence 5, untrained, willing", h: func(s *eventv1.Sheet) { s.GetRcr().MountTrained = false; s.Abilities["intelligence"] = 5 }, part: body.VariantPassenger},
		{name: "Intelligence 10 that has not consented", h: ability("intelligence", 10), part: body.VariantPassenger},
		{name: "not willing", more: []func(*eventv1.TakeAction){withFacts("willing", false)}, refused: cite.MountEligibility},
		{name: "an enemy's", h: func(s *eventv1.Sheet) { s.Side = "monsters" }, refused: cite.MountEligibility},
		{name: "an enemy's that is willing", h: func(s *eventv1.Sheet) { s.Side = "monsters" }, more: []func(*eventv1.TakeAction){withFacts("willing", true)}, part: body.VariantRider},
		{name: "ten feet away", more: []func(*eventv1.TakeAction){withFacts("distance", 10)}, refused: cite.MountMountingCost},
		{name: "as a passenger by choice", more: []func(*eventv1.TakeAction){withParameters("as", "passenger")}, part: body.VariantPassenger},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t)
			a, h := human(), beast()
			for s, change := range map[*eventv1.Sheet]func(*eventv1.Sheet){a: c.a, h: c.h} {
				if change != nil {
					change(s)
				}
			}
			f.add(a, orc(), h)
			cmd := act("a", "mount", "", "h", c.more...)
			if c.refused != "" {
				wantRefused(t, f.Try(cmd), c.refused)
				return
			}
			f.Must(cmd)
			f.wantRides("a", "h", c.part)
		})
	}
	t.Run("pegasus, Intelligence 10, untrained, consents", func(t *testing.T) {
		f := newTable(t).add(human(), orc(), beast(ability("intelligence", 10), rcrSheet(func(x *eventv1.RcrSheet) { x.MountTrained = false })))
		f.Must(act("h", "accept-control", "", ""))
		f.Must(act("a", "mount", "", "h"))
		f.wantRides("a", "h", body.VariantRider)
	})
	t.Run("rcr.mount.rider: the first has the reins, the second is a passenger", func(t *testing.T) {
		f := newTable(t).add(human(), orc(), fighter("c", "party"), beast())
		f.Must(act("a", "mount", "", "h"))
		f.Must(act("c", "mount", "", "h"))
		f.wantRides("a", "h", body.VariantRider)
		f.wantRides("c", "h", body.VariantPassenger)
		f.start(nil, 10, 5, 20) // the passenger acts first
		f.WantActive("c")
		wantRefused(t, f.Try(act("c", "take-reins", "", "")), cite.MountRider)
		wantRefused(t, f.Try(act("c", "give-up-control", "", "")), cite.MountPassenger)
	})
	t.Run("rcr.mount.passenger: a passenger asks for a Dash", func(t *testing.T) {
		f := newTable(t).add(human(), orc(), beast(rcrSheet(func(x *eventv1.RcrSheet) { x.MountTrained = false })))
		f.Must(act("a", "mount", "", "h"))
		f.start(nil, 20, 5, 4)
		f.WantActive("a")
		wantRefused(t, f.Try(act("h", "dash", "", "")), cite.MountPassenger)
	})
	t.Run("nobody rides two mounts, or on one who rides", func(t *testing.T) {
		f := rides(t, human(), beast(), orc())
		wantRefused(t, f.Try(act("a", "mount", "", "h")), cite.MountRider)
		wantRefused(t, f.Try(act("a", "move", "", "", withParameters("feet", 5))), cite.MountRiderSquare)
	})
}

// rcr.mount.mounting-cost
func TestMountingCost(t *testing.T) {
	f := newTable(t).add(human(), orc(), beast()).start(nil, 20, 5, 4)
	f.Must(act("a", "move", "", "", feet(15)))
	f.Must(act("a", "mount", "", "h", withFacts("distance", 5)))
	f.wantCount("a", body.CMovement, 0)
	f.wantRides("a", "h", body.VariantRider)
	wantRefused(t, f.Try(act("a", "dismount", "", "")), cite.MountMountingCost)

	f = newTable(t).add(human(), orc(), beast()).start(nil, 20, 5, 4)
	f.Must(act("a", "move", "", "", feet(20)))
	wantRefused(t, f.Try(act("a", "mount", "", "h")), cite.MountMountingCost)

	t.Run("a Dash adds movement, not to the cost", func(t *testing.T) {
		f := newTable(t).add(human(), orc(), beast()).start(nil, 20, 5, 4)
		f.Must(act("a", "dash", "", ""))
		f.Must(act("a", "mount", "", "h"))
		f.wantCount("a", body.CMovement, 45)
	})
	t.Run("speed 25 gets off for 12", func(t *testing.T) {
		f := rides(t, human(func(s *eventv1.Sheet) { s.Speeds["walk"] = 25 }), beast(traits(body.MountFierce)), orc())
		f.Must(act("a", "dismount", "", ""), 1)
		f.wantCount("a", body.CMovement, 13)
		f.wantRides("a", "", "")
	})
}

// rcr.mount.shared-initiative
func TestSharedTurn(t *testing.T) {
	f := rides(t, human(rcrSheet(func(x *eventv1.RcrSheet) { x.AttacksPerAction = 2 })), beast(), orc())
	f.WantActive("a", "h")
	if answers.InitiativeOf(f.Creature("h"), 1) != nil {
		t.Fatal("the mount has a place of its own")
	}
	f.Must(act("a", "attack", "sword", "b"), 2)
	f.Must(act("h", "move", "", "", feet(30)))
	f.Must(act("a", "attack", "sword", "b"), 2)
	f.Must(act("h", "move", "", "", feet(30)))
	wantRefused(t, f.Try(act("h", "move", "", "", feet(5))), cite.BaseFifthEditionFallback)
	if err := f.Try(rulestest.EndTurn("h")); err == nil {
		t.Fatal("the mount ended the turn")
	}
	f.End("a", 12)
	f.WantActive("b")
	if answers.InitiativeOf(f.Creature("h"), 2) != nil {
		t.Fatal("the mount rolled for the next round")
	}
	f.End("b", 3)
	f.WantActive("a", "h")
	f.wantCount("h", body.CMovement, 60)
}

// rcr.mount.traits, rcr.mount.action-menu, rcr.mount.brave-overrun, rcr.mount.fierce-attack,
// rcr.mount.stalwart-help
func TestMenu(t *testing.T) {
	menu := []string{"dash", "disengage", "dodge", "overrun", "attack", "help"}
	for _, c := range []struct {
		name   string
		traits []string
		want   []string
	}{
		{"a war horse", []string{"brave", "fierce", "stalwart"}, menu},
		{"a mule", nil, menu[:3]},
		{"brave only", []string{"brave"}, []string{"dash", "disengage", "dodge", "overrun"}},
		{"fierce only", []string{"fierce"}, []string{"dash", "disengage", "dodge", "attack"}},
		{"stalwart only", []string{"stalwart"}, []string{"dash", "disengage", "dodge", "help"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			legal := legalFor(rides(t, human(), beast(traits(c.traits...)), orc()), "h")
			for _, a := range menu {
				if slices.Contains(legal, a) != slices.Contains(c.want, a) {
					t.Errorf("%s: %v", a, legal)
				}
			}
			for _, a := range []string{"hide", "ready", "search", "use-object", "tumble", "check"} {
				if slices.Contains(legal, a) {
					t.Errorf("may %s", a)
				}
			}
			if !slices.Contains(legal, "move") {
				t.Error("may not move")
			}
		})
	}
	t.Run("rcr.mount.action-menu: no Help without the trait", func(t *testing.T) {
		wantRefused(t, rides(t, human(), beast(), orc()).Try(act("h", "help", "", "a", withParameters("against", "b"))), cite.MountStalwartHelp)
	})
	t.Run("rcr.mount.action-menu: one action", func(t *testing.T) {
		f := rides(t, human(), beast(traits("fierce")), orc())
		f.Must(act("h", "dash", "", ""))
		wantRefused(t, f.Try(act("h", "attack", "hooves", "b")), cite.BaseFifthEditionFallback)
	})
	t.Run("rcr.mount.action-menu: nothing as a bonus action", func(t *testing.T) {
		f := rides(t, human(), beast(traits("brave")), orc())
		wantRefused(t, f.Try(act("h", "overrun", "", "b", withParameters("cost", "bonus"))), cite.MountActionMenu)
	})
	t.Run("rcr.mount.fierce-attack: 8 + 5 hits 13", func(t *testing.T) {
		f := rides(t, human(), beast(traits("fierce")), orc(rcrSheet(func(x *eventv1.RcrSheet) { x.ArmorClass = 13 })))
		f.Must(act("h", "attack", "hooves", "b"), 8, 2, 2)
		f.WantHP("b", 36)
	})
	t.Run("rcr.mount.fierce-attack: a riding horse", func(t *testing.T) {
		wantRefused(t, rides(t, human(), beast(traits("brave")), orc()).Try(act("h", "attack", "hooves", "b")), cite.MountFierceAttack)
	})
	t.Run("rcr.mount.stalwart-help: the rider's next attack has advantage", func(t *testing.T) {
		f := rides(t, human(), beast(traits("stalwart")), orc())
		f.Must(act("h", "help", "", "a", withParameters("against", "b")))
		f.Must(act("a", "attack", "sword", "b"), 3, 4)
	})
	t.Run("rcr.mount.brave-overrun: the larger has advantage", func(t *testing.T) {
		f := rides(t, human(), beast(traits("brave")), orc())
		f.Must(act("h", "overrun", "", "b"), 3, 14, 13)
		if rules.RelationTo(f.Creature("h"), body.RelThrough, "b") == nil {
			t.Fatal("not through")
		}
	})
	t.Run("rcr.mount.brave-overrun: not without the trait", func(t *testing.T) {
		wantRefused(t, rides(t, human(), beast(), orc()).Try(act("h", "overrun", "", "b")), cite.MountBraveOverrun)
	})
	t.Run("rcr.mount.independent: no limit", func(t *testing.T) {
		f := newTable(t).add(human(), orc(), beast(rcrSheet(func(x *eventv1.RcrSheet) { x.MountTrained = false })))
		f.Must(act("a", "mount", "", "h"))
		f.start(nil, 5, 4, 20)
		f.WantActive("h")
		if legal := legalFor(f, "h"); !slices.Contains(legal, "attack") || !slices.Contains(legal, "ready") {
			t.Fatalf("%v", legal)
		}
	})
}

// rcr.mount.brave-approach
func TestTowardDanger(t *testing.T) {
	toward := func(f *table) error {
		return f.Try(act("h", "move", "", "", feet(20, "toward_danger", true)))
	}
	handler := human(skilled("animal handling", 4))
	f := rides(t, handler, beast(), orc())
	wantRefused(t, toward(f), cite.MountBraveApproach)
	f.Must(act("a", "urge-mount", "", ""), 11)
	if err := toward(f); err != nil {
		t.Fatal(err)
	}
	f.wantCount("a", body.CBonus, 0)
	f.End("a", 12)
	f.End("b", 3)
	wantRefused(t, toward(f), cite.MountBraveApproach) // for that turn alone

	f = rides(t, handler, beast(), orc())
	f.Must(act("a", "urge-mount", "", ""), 10)
	wantRefused(t, toward(f), cite.MountBraveApproach)
	f.wantCount("a", body.CBonus, 0)
	f.Must(act("h", "move", "", "", feet(20)))

	t.Run("with Brave", func(t *testing.T) {
		f := rides(t, handler, beast(traits("brave")), orc())
		if err := toward(f); err != nil {
			t.Fatal(err)
		}
		wantRefused(t, f.Try(act("a", "urge-mount", "", "")), cite.MountBraveApproach)
	})
	t.Run("on a map, said once", func(t *testing.T) {
		f := onMap(t, human(), beast(), orc(), 60, 0)
		f.Must(act("b", "perceived-danger", "", ""))
		wantRefused(t, f.Try(act("h", "move", "", "", along(5, 0))), cite.MountBraveApproach)
		f.Must(act("h", "move", "", "", along(-5, 0)))
		f.Must(act("b", "perceived-danger", "", "", withParameters("over", true)))
		f.Must(act("h", "move", "", "", along(5, 0)))
	})
}

// rcr.mount.free-hand, rcr.mount.hands-free-control, rcr.mount.military-hands-free,
// rcr.mount.shield-strapped
func TestReins(t *testing.T) {
	both := rcrSheet(func(x *eventv1.RcrSheet) { x.Attacks[0].Properties = []string{"two-handed"} })
	shield := rcrSheet(func(x *eventv1.RcrSheet) {
		x.Shield, x.ShieldStrapped, x.ArmorClass = eventv1.RcrSheet_SHIELD_SHIELD, true, 18
	})
	loose := func(f *table) *table { return f }
	for _, c := range []struct {
		name string
		a, h []func(*eventv1.Sheet)
		rule string
	}{
		{"one weapon, the other hand free", nil, nil, ""},
		{"a shield and a weapon", []func(*eventv1.Sheet){shield}, nil, cite.MountFreeHand},
		{"a bond", []func(*eventv1.Sheet){shield, rcrSheet(func(x *eventv1.RcrSheet) { x.Bonds = []string{"h"} })}, nil, ""},
		{"a bond of the mount's", []func(*eventv1.Sheet){shield}, []func(*eventv1.Sheet){rcrSheet(func(x *eventv1.RcrSheet) { x.Bonds = []string{"a"} })}, ""},
		{"a shared language", []func(*eventv1.Sheet){shield, rcrSheet(func(x *eventv1.RcrSheet) { x.Languages = []string{"Celestial"} })},
			[]func(*eventv1.Sheet){rcrSheet(func(x *eventv1.RcrSheet) { x.Languages = []string{"celestial"} })}, ""},
		{"different languages", []func(*eventv1.Sheet){shield, rcrSheet(func(x *eventv1.RcrSheet) { x.Languages = []string{"Common"} })},
			[]func(*eventv1.Sheet){rcrSheet(func(x *eventv1.RcrSheet) { x.Languages = []string{"celestial"} })}, cite.MountFreeHand},
		{"a military saddle", []func(*eventv1.Sheet){shield}, []func(*eventv1.Sheet){saddle(body.SaddleMilitary)}, ""},
		{"bareback", []func(*eventv1.Sheet){shield}, []func(*eventv1.Sheet){saddle("")}, cite.MountFreeHand},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := loose(rides(t, human(c.a...), beast(c.h...), orc()))
			err := f.Try(act("h", "move", "", "", feet(10)))
			if c.rule == "" && err != nil {
				t.Fatal(err)
			} else if c.rule != "" {
				wantRefused(t, err, c.rule)
			}
		})
	}
	t.Run("rcr.mount.free-hand: a sword in both hands", func(t *testing.T) {
		f := rides(t, human(both), beast(), orc())
		wantRefused(t, f.Try(act("h", "move", "", "", feet(10))), cite.MountFreeHand)
		f = rides(t, human(both), beast(saddle(body.SaddleMilitary)), orc())
		f.Must(act("h", "move", "", "", feet(10)))
	})
	t.Run("rcr.mount.shield-strapped: armour class 16 until the next turn", func(t *testing.T) {
		f := rides(t, human(shield), beast(allTraits), orc())
		f.Must(act("a", "rein-with-shield", "", ""))
		f.Must(act("h", "move", "", "", feet(10)))
		wantRefused(t, f.Try(act("a", "rein-with-shield", "", "")), cite.MountShieldStrapped)
		f.End("a", 12)
		f.Must(act("b", "attack", "sword", "a"), 11, 1)
		f.WantHP("a", 36)
		f.End("b", 3)
		f.wantHas("a", "reining", false)
		f.End("a", 12)
		f.Must(act("b", "attack", "sword", "a"), 12)
		f.WantHP("a", 36)
	})
	t.Run("rcr.mount.shield-strapped: only with one strapped", func(t *testing.T) {
		wantRefused(t, rides(t, human(), beast(), orc()).Try(act("a", "rein-with-shield", "", "")), cite.MountShieldStrapped)
	})
}
