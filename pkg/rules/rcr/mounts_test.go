package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/mounts"
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

func size(name string) func(*eventv1.Sheet) { return func(s *eventv1.Sheet) { s.Size = name } }

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
		{name: "medium human, trained medium ram", h: size("medium"), refused: cite.MountEligibility},
		{name: "small halfling, trained medium mastiff", a: size("small"), h: size("medium"), part: body.VariantRider},
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

// rcr.mount.reins-dropped
func TestReinsDropped(t *testing.T) {
	// full fills both hands; the reins are let go.
	full := func(f *table) { f.Must(act("a", "draw", "shield-spike", "")) }
	armed := human(rcrSheet(func(x *eventv1.RcrSheet) {
		x.Attacks = append(x.Attacks, &eventv1.RcrAttack{Name: "shield-spike", Hand: "stowed", Bonus: 5, ReachFeet: 5, Properties: []string{"light"}, Damage: []*eventv1.RcrDamage{{Dice: "1d4", Type: "piercing"}}})
	}))
	t.Run("Dash due east, then lance and shield", func(t *testing.T) {
		f := onMap(t, armed, beast(), orc(), 300, 300)
		f.Must(act("h", "dash", "", ""))
		f.Must(act("h", "move", "", "", along(60, 0)))
		full(f)
		f.End("a", 12)
		f.End("b", 3)
		wantRefused(t, f.Try(act("h", "move", "", "", along(65, 5))), cite.MountFreeHand)
		f.End("a", 12)
		f.wantAt("h", 180, 0)
		f.wantAt("a", 180, 0)
		f.wantCount("h", body.CAction, 0)
	})
	t.Run("Dash without a map", func(t *testing.T) {
		f := rides(t, armed, beast(), orc())
		f.Must(act("h", "dash", "", ""))
		f.Must(act("h", "move", "", "", feet(60, "heading", "east")))
		full(f)
		f.End("a", 12)
		f.End("b", 3)
		f.Must(act("h", "carry-on", "", ""))
		f.wantCount("h", body.CMoved, 120)
	})
	t.Run("Dodge without movement stays", func(t *testing.T) {
		f := onMap(t, armed, beast(), orc(), 300, 300)
		f.Must(act("h", "dodge", "", ""))
		full(f)
		f.End("a", 12)
		f.wantHas("h", body.CondDodging, true)
		f.End("b", 3)
		f.wantHas("h", body.CondDodging, false)
		f.End("a", 12)
		f.wantHas("h", body.CondDodging, true)
		f.wantAt("h", 0, 0)
	})
	t.Run("until something stops it", func(t *testing.T) {
		f := onMap(t, armed, beast(), orc(), 70, 0)
		f.Must(act("h", "move", "", "", along(20, 0)))
		full(f)
		f.End("a", 12)
		f.End("b", 3)
		// The orc's space is difficult ground: 60 feet do not lead beyond it, and in
		// it the mount cannot end its turn.
		f.End("a", 12)
		f.wantAt("h", 60, 0)
	})
	t.Run("the reins again and new orders", func(t *testing.T) {
		f := onMap(t, armed, beast(), orc(), 300, 300)
		f.Must(act("h", "move", "", "", along(60, 0)))
		full(f)
		f.End("a", 12)
		f.End("b", 3)
		f.Must(act("a", "drop", "shield-spike", ""))
		wantRefused(t, f.Try(act("h", "carry-on", "", "")), cite.MountReinsDropped)
		f.Must(act("h", "move", "", "", along(60, 60)))
		f.End("a", 12)
		f.wantAt("h", 60, 60)
	})
	t.Run("no orders, nothing to go on with", func(t *testing.T) {
		f := rides(t, human(rcrSheet(func(x *eventv1.RcrSheet) { x.Attacks[0].Properties = []string{"two-handed"} })), beast(), orc())
		wantRefused(t, f.Try(act("h", "carry-on", "", "")), cite.MountReinsDropped)
		f.End("a", 12)
		f.wantCount("h", body.CMoved, 0)
	})
}

// rcr.mount.buck-on-damage, rcr.mount.buck-landing, rcr.mount.stalwart-steady,
// rcr.mount.saddle-normal, rcr.mount.bareback-disadvantage, rcr.mount.military-advantage
func TestBuckOnDamage(t *testing.T) {
	// struck has b hit h for 3, and a then face the buck.
	struck := func(t *testing.T, a, h *eventv1.Sheet, faces ...int) *table {
		f := rides(t, a, h, orc())
		f.End("a", 12)
		f.Must(act("b", "attack", "sword", "h"), append([]int{15, 1}, faces...)...)
		return f
	}
	t.Run("9 + 1 meets 10; the second hit finds no reaction", func(t *testing.T) {
		f := rides(t, human(saves("dexterity", 1)), beast(), orc(rcrSheet(func(x *eventv1.RcrSheet) { x.AttacksPerAction = 2 })))
		f.End("a", 12)
		f.Must(act("b", "attack", "sword", "h"), 15, 1, 9)
		f.wantRides("a", "h", body.VariantRider)
		f.wantCount("h", body.CReaction, 0)
		f.wantHas("h", "bolting", true)
		f.Must(act("b", "attack", "sword", "h"), 15, 1)
		f.wantRides("a", "h", body.VariantRider)
	})
	t.Run("a face less is thrown", func(t *testing.T) {
		f := struck(t, human(saves("dexterity", 1)), beast(), 8)
		f.Answer(mounts.DecLanding, "feet", 7)
		f.wantRides("a", "", "")
		f.wantHas("a", body.CondProne, false)
		f.wantCount("a", body.CReaction, 0)
	})
	t.Run("prone, when it keeps its reaction", func(t *testing.T) {
		f := struck(t, human(), beast(), 9)
		f.Answer(mounts.DecLanding, "prone", 7)
		f.wantHas("a", body.CondProne, true)
		f.wantCount("a", body.CReaction, 1)
	})
	t.Run("prone, without a reaction", func(t *testing.T) {
		f := rides(t, human(), beast(), orc())
		f.End("a", 12)
		f.Count("a", body.CReaction, 0)
		f.Must(act("b", "attack", "sword", "h"), 15, 1, 9, 7)
		f.wantHas("a", body.CondProne, true)
	})
	t.Run("bareback: 14 and 6 keep 6, 9 with +3", func(t *testing.T) {
		f := struck(t, human(saves("dexterity", 3)), beast(saddle("")), 14, 6)
		f.Answer(mounts.DecLanding, "prone", 7)
		f.wantHas("a", body.CondProne, true)
	})
	t.Run("military: 3 and 11 keep 11, 10 with -1", func(t *testing.T) {
		struck(t, human(saves("dexterity", -1)), beast(saddle(body.SaddleMilitary)), 3, 11).wantRides("a", "h", body.VariantRider)
	})
	t.Run("normal: 10 stays", func(t *testing.T) {
		struck(t, human(), beast(), 10).wantRides("a", "h", body.VariantRider)
	})
	t.Run("rcr.mount.stalwart-steady", func(t *testing.T) {
		f := struck(t, human(), beast(traits("stalwart")))
		f.wantCount("h", body.CReaction, 1)
		f.wantHas("h", "bolting", false)
	})
	t.Run("rcr.mount.passenger: passengers save too", func(t *testing.T) {
		f := newTable(t).add(human(), orc(), fighter("c", "party"), beast())
		f.Must(act("a", "mount", "", "h"))
		f.Must(act("c", "mount", "", "h"))
		f.start(nil, 5, 20, 4)
		// Two on a horse squeeze: disadvantage on the Dexterity saves.
		f.Must(act("b", "attack", "sword", "h"), 15, 1, 15, 10, 9, 15)
		f.Answer(mounts.DecLanding, "prone")
		f.wantRides("a", "h", body.VariantRider)
		f.wantRides("c", "", "")
	})
	t.Run("on a map: behind on its feet, or a space of its choice", func(t *testing.T) {
		hit := func(t *testing.T) *table {
			f := onMap(t, human(), beast(), orc(), 30, 0)
			f.Must(act("h", "move", "", "", along(20, 0))) // heading east, at (20, 0) to (30, 10)
			f.End("a", 12)
			f.Must(act("b", "attack", "sword", "h"), 15, 1, 9)
			return f
		}
		f := hit(t)
		f.Answer(mounts.DecLanding, "feet", 7)
		f.wantAt("a", 15, 0)
		f.wantHas("a", body.CondProne, false)
		f = hit(t)
		f.Answer(mounts.DecLanding, "prone")
		f.Answer(mounts.DecLandingPlace, "20,10", 7)
		f.wantAt("a", 20, 10)
		f.wantHas("a", body.CondProne, true)
	})
}

// rcr.mount.buck-on-frightened
func TestBuckOnFear(t *testing.T) {
	f := rides(t, human(saves("dexterity", 4)), beast(saddle("")), orc())
	f.Must(afflicting("h", body.CondFrightened, "b"), 12, 5)
	f.Answer(mounts.DecLanding, "prone", 7, 3) // fear weighs on its initiative
	f.wantRides("a", "", "")

	f = rides(t, human(), beast(traits("stalwart")), orc())
	f.Must(afflicting("h", body.CondFrightened, "b"))
	f.wantRides("a", "h", body.VariantRider)
	f.wantHas("h", "bolting", false)

	t.Run("once for one fear", func(t *testing.T) {
		f := rides(t, human(), beast(), orc())
		f.Must(afflicting("h", body.CondFrightened, "b"), 15)
		f.Must(act("a", "calm-mount", "", "h"), 15)
		f.Must(act("a", "grant-inspiration", "", ""))
		f.wantCount("h", body.CReaction, 0)
	})
}

// rcr.mount.buck-flee
func TestBucked(t *testing.T) {
	// bucked has h hit and its rider kept its seat; the rider's turn comes.
	bucked := func(t *testing.T, h *eventv1.Sheet) *table {
		f := rides(t, human(skilled("animal handling", 6)), h, orc())
		f.End("a", 12)
		f.Must(act("b", "attack", "sword", "h"), 15, 1, 15)
		f.End("b", 3)
		f.WantActive("a", "h")
		return f
	}
	t.Run("9 + 6 calms it", func(t *testing.T) {
		f := bucked(t, beast())
		wantRefused(t, f.Try(act("h", "move", "", "", feet(10))), cite.MountBuckFlee)
		f.Must(act("a", "calm-mount", "", "h"), 9)
		f.wantRides("a", "h", body.VariantRider)
		f.Must(act("h", "move", "", "", feet(10)))
	})
	t.Run("8 + 6 does not: the rider is carried off", func(t *testing.T) {
		f := bucked(t, beast())
		f.Must(act("a", "calm-mount", "", "h"), 8, 18)
		f.wantRides("a", "h", body.VariantPassenger)
		f.WantActive("a")
		f.End("a", 12)
		f.WantActive("h") // 18 is higher than 12: straight after
		wantRefused(t, f.Try(act("h", "attack", "hooves", "b")), cite.MountBuckFlee)
		f.Must(act("h", "dash", "", ""))
		f.Must(act("h", "move", "", "", feet(120)))
		f.End("h", 6)
		f.wantHas("h", "bolting", false)
	})
	t.Run("nobody tries: it flees all the same", func(t *testing.T) {
		f := bucked(t, beast())
		f.End("a", 18, 12) // the mount's place, then the rider's of the next round
		f.wantRides("a", "h", body.VariantPassenger)
		f.WantActive("h")
	})
	t.Run("afterwards the reins again", func(t *testing.T) {
		f := bucked(t, beast())
		f.Must(act("a", "calm-mount", "", "h"), 8, 18)
		wantRefused(t, f.Try(act("a", "take-reins", "", "")), cite.MountBuckFlee)
		f.End("a", 12)
		f.End("h", 6)
		f.End("b", 3)
		f.WantActive("a")
		f.Must(act("a", "take-reins", "", ""))
		f.WantActive("a", "h")
		f.Must(act("h", "move", "", "", feet(60)))
	})
}

// rcr.mount.fierce-dismounted
func TestDismounted(t *testing.T) {
	t.Run("13 + 2 has it stay", func(t *testing.T) {
		f := rides(t, human(skilled("animal handling", 2)), beast(), orc())
		f.Must(act("a", "dismount", "", ""), 4)
		f.wantHas("h", "bolting", true)
		f.Must(act("a", "calm-mount", "", "h"), 13)
		f.wantHas("h", "bolting", false)
	})
	t.Run("without a bonus action it moves to safety", func(t *testing.T) {
		f := rides(t, human(), beast(), orc())
		f.Count("a", body.CBonus, 0)
		f.Must(act("a", "dismount", "", ""), 4)
		wantRefused(t, f.Try(act("a", "calm-mount", "", "h")), cite.BaseFifthEditionFallback)
		f.End("a", 12)
		f.End("b", 3)
		f.WantActive("h")
		wantRefused(t, f.Try(act("h", "attack", "hooves", "b")), cite.MountFierceDismounted)
		f.Must(act("h", "move", "", "", feet(60)))
		f.End("h", 6)
		f.wantHas("h", "bolting", false)
	})
	t.Run("a fierce one fights on", func(t *testing.T) {
		f := rides(t, human(), beast(traits("fierce")), orc())
		f.Must(act("a", "dismount", "", ""), 4)
		f.End("a", 12)
		f.End("b", 3)
		f.Must(act("h", "attack", "hooves", "b"), 2)
	})
}

// rcr.mount.dismount-initiative-fresh, rcr.mount.dismount-initiative-spent
func TestDismountInitiative(t *testing.T) {
	bonus := ability("dexterity", 12) // +1
	// Initiative 13 of the rider: 13 and Dexterity 10.
	set := func(t *testing.T) *table {
		f := newTable(t).add(human(), orc(), beast(bonus, traits("fierce")))
		f.Must(act("a", "mount", "", "h"))
		return f.start(nil, 13, 9)
	}
	t.Run("16: straight after the rider's turn", func(t *testing.T) {
		f := set(t)
		f.Must(act("a", "dismount", "", ""), 15)
		f.WantActive("a")
		f.End("a", 12)
		f.WantActive("h")
		f.End("h", 12)
		f.WantActive("b")
	})
	t.Run("5: in its place", func(t *testing.T) {
		f := set(t)
		f.Must(act("a", "dismount", "", ""), 4)
		f.End("a", 12)
		f.WantActive("b")
		f.End("b", 2)
		f.WantActive("h")
	})
	t.Run("13: a tie waits and comes straight after", func(t *testing.T) {
		f := set(t)
		f.Must(act("a", "dismount", "", ""), 12)
		f.End("a", 12)
		f.WantActive("h")
	})
	t.Run("20 after 20 feet: no turn this round, 20 in the next", func(t *testing.T) {
		f := set(t)
		f.Must(act("h", "move", "", "", feet(20)))
		f.Must(act("a", "dismount", "", ""), 19)
		f.End("a", 12)
		f.WantActive("b")
		if i := answers.InitiativeOf(f.Creature("h"), 2); i.GetTotal() != 20 {
			t.Fatalf("%v", f.Creature("h").Initiative)
		}
		f.End("b", 2)
		f.WantActive("h")
		if f.State.Round != 2 {
			t.Fatalf("round %d", f.State.Round)
		}
	})
	t.Run("after an action alone too", func(t *testing.T) {
		f := set(t)
		f.Must(act("h", "dodge", "", ""))
		f.Must(act("a", "dismount", "", ""), 19)
		f.End("a", 12)
		f.WantActive("b")
		f.End("b", 2)
		f.WantActive("h")
	})
	t.Run("thrown: in the same way", func(t *testing.T) {
		f := newTable(t).add(human(), orc(), beast(bonus))
		f.Must(act("a", "mount", "", "h"))
		f.start(nil, 13, 15)
		f.WantActive("b")
		f.Must(act("b", "attack", "sword", "h"), 15, 1, 9)
		f.Answer(mounts.DecLanding, "prone", 19)
		f.End("b", 2)
		f.WantActive("h") // 20 of this round, in which its rider had not had its turn
	})
}

// rcr.mount.rider-becomes-passenger, rcr.mount.intelligent-consent,
// rcr.mount.intelligent-withdraw, rcr.mount.intelligent-untrained
func TestIntelligentMount(t *testing.T) {
	pegasus := func() *eventv1.Sheet {
		return beast(ability("intelligence", 10), ability("dexterity", 12), rcrSheet(func(x *eventv1.RcrSheet) { x.MountTrained = false }))
	}
	t.Run("rcr.mount.rider-becomes-passenger: free to act", func(t *testing.T) {
		f := rides(t, human(), beast(), orc())
		f.Must(act("a", "give-up-control", "", ""), 2)
		f.wantRides("a", "h", body.VariantPassenger)
		f.End("a", 12)
		f.WantActive("b")
		f.End("b", 1)
		f.WantActive("h")
	})
	// on has a ride h as a passenger: h 17, b 11, a 9.
	on := func(t *testing.T) *table {
		f := newTable(t).add(human(), orc(), pegasus())
		f.Must(act("a", "mount", "", "h"))
		f.start(nil, 9, 11, 16)
		f.WantActive("h")
		return f
	}
	t.Run("agrees unused: acts in the rider's turn of the round", func(t *testing.T) {
		f := on(t)
		f.Must(act("h", "accept-control", "", ""))
		f.End("h")
		f.WantActive("b")
		f.End("b", 3)
		f.WantActive("a", "h")
		f.Must(act("h", "move", "", "", feet(60)))
		f.End("a", 9)
		f.WantActive("a", "h")
	})
	t.Run("agrees after 20 feet: nothing more in this round", func(t *testing.T) {
		f := on(t)
		f.Must(act("h", "move", "", "", feet(20)))
		f.Must(act("h", "accept-control", "", ""))
		f.End("h")
		f.End("b", 3)
		f.WantActive("a")
		f.wantRides("a", "h", body.VariantRider)
		f.End("a", 9)
		f.WantActive("a", "h")
	})
	t.Run("agrees before the fight: no place of its own", func(t *testing.T) {
		f := newTable(t).add(human(), orc(), pegasus())
		f.Must(act("a", "mount", "", "h"))
		f.Must(act("h", "accept-control", "", ""))
		f.start(nil, 9, 5)
		f.WantActive("a", "h")
	})
	// led has a control h: a 12, b 10.
	led := func(t *testing.T) *table {
		f := newTable(t).add(human(), orc(), pegasus())
		f.Must(act("h", "accept-control", "", ""))
		f.Must(act("a", "mount", "", "h"))
		return f.start(nil, 12, 10)
	}
	t.Run("rcr.mount.intelligent-withdraw: 15 is next", func(t *testing.T) {
		f := led(t)
		f.Must(act("h", "refuse-control", "", ""), 14)
		f.WantActive("a")
		f.wantRides("a", "h", body.VariantPassenger)
		f.End("a", 9)
		f.WantActive("h")
		wantRefused(t, f.Try(act("h", "refuse-control", "", "")), cite.MountIntelligentWithdraw)
	})
	t.Run("rcr.mount.intelligent-withdraw: 7 waits", func(t *testing.T) {
		f := led(t)
		f.Must(act("h", "refuse-control", "", ""), 6)
		f.End("a", 9)
		f.WantActive("b")
		f.End("b", 3)
		f.WantActive("h")
	})
	t.Run("rcr.mount.intelligent-withdraw: after a move not before the next round", func(t *testing.T) {
		f := led(t)
		f.Must(act("h", "move", "", "", feet(5)))
		f.Must(act("h", "refuse-control", "", ""), 14)
		f.End("a", 9)
		f.WantActive("b")
		f.End("b", 3)
		f.WantActive("h")
		if f.State.Round != 2 {
			t.Fatal("in the first round")
		}
	})
	t.Run("no reins without its consent", func(t *testing.T) {
		f := newTable(t).add(human(), orc(), pegasus())
		f.Must(act("a", "mount", "", "h"))
		f.start(nil, 20, 5, 4)
		wantRefused(t, f.Try(act("a", "take-reins", "", "")), cite.MountIntelligentConsent)
	})
}

// rcr.mount.no-provoke-rider, rcr.mount.provoke-target-choice
func TestMountedProvoking(t *testing.T) {
	caster := rcrSheet(func(x *eventv1.RcrSheet) {
		x.Spells = []*eventv1.RcrSpell{{Name: "spark", CastingTime: "action", Verbal: true}}
		x.Items = []*eventv1.RcrItem{{Name: "wand", Charges: 3, Activation: "action", Rarity: "common"}}
	})
	t.Run("casting", func(t *testing.T) {
		f := onMap(t, human(caster), beast(), orc(), 10, 0)
		f.Must(act("a", "interact", "", ""))
		f.wantAsked()
	})
	t.Run("the setting: deeds provoke as on foot", func(t *testing.T) {
		f := onMap(t, human(caster), beast(), orc(), 10, 0, body.SetMountedProvoke+"=deeds")
		f.Must(act("a", "interact", "", ""))
		f.wantAsked("b")
	})
	away := func(t *testing.T, a, h, b *eventv1.Sheet) *table {
		f := onMap(t, a, h, b, 15, 0)
		f.Must(act("h", "move", "", "", along(5, 0, 0, 0))) // into the orc's reach and out again
		return f
	}
	armoured := rcrSheet(func(x *eventv1.RcrSheet) { x.ArmorClass = 18 })
	t.Run("the orc chooses the horse: 12 hits 10, and it bucks", func(t *testing.T) {
		f := away(t, human(armoured), beast(), orc())
		f.Answer(body.DecOpportunity, "sword")
		f.Answer("opportunity-target", "h", 7, 1, 15)
		f.WantHP("h", 36)
		f.wantHas("h", "bolting", true)
	})
	t.Run("the orc chooses the rider: 12 misses 18", func(t *testing.T) {
		f := away(t, human(armoured), beast(), orc())
		f.Answer(body.DecOpportunity, "sword")
		f.Answer("opportunity-target", "a", 7)
		f.WantHP("a", 40)
		f.WantHP("h", 40)
		f.wantAt("h", 0, 0)
	})
	t.Run("without positions", func(t *testing.T) {
		f := rides(t, human(armoured), beast(), orc())
		f.Must(act("h", "move", "", "", feet(10, "enters_reach_of", []string{"b"}, "leaves_reach_of", []string{"b"})))
		f.Answer(body.DecOpportunity, "sword")
		f.Answer("opportunity-target", "a", 7)
		f.WantHP("a", 40)
	})
	t.Run("no rider in reach, no choice", func(t *testing.T) {
		f := onMap(t, human(), beast(func(s *eventv1.Sheet) { s.Size = "huge"; s.GetRcr().SaddleExotic = true }), orc(), 20, 0)
		f.Must(act("h", "move", "", "", along(5, 0, 0, 0)))
		f.Answer(body.DecOpportunity, "sword", 4)
		f.wantAsked()
	})
	t.Run("Disengage covers it", func(t *testing.T) {
		f := onMap(t, human(), beast(), orc(), 15, 0)
		f.Must(act("h", "disengage", "", ""))
		f.Must(act("h", "move", "", "", along(5, 0, 0, 0)))
		f.wantAsked()
	})
	t.Run("a thrown rider ends the way", func(t *testing.T) {
		f := away(t, human(), beast(), orc())
		f.Answer(body.DecOpportunity, "sword")
		f.Answer("opportunity-target", "h", 7, 1, 5)
		f.Answer(mounts.DecLanding, "prone")
		f.Choose("0,-5", 4)
		f.wantAt("h", 5, 0)
		f.wantAt("a", 0, -5)
	})
}

// rcr.mount.forced-move-save, rcr.mount.rider-prone-save, rcr.mount.mount-prone,
// rcr.mount.dash-slow-save
func TestThrown(t *testing.T) {
	pushed := func(t *testing.T, faces ...int) *table {
		f := rides(t, human(saves("dexterity", 2)), beast(), orc())
		f.Must(act("h", "forced-move", "", "", withParameters("feet", 10)), faces...)
		return f
	}
	t.Run("rcr.mount.forced-move-save: 8 + 2 stays", func(t *testing.T) {
		pushed(t, 8).wantRides("a", "h", body.VariantRider)
	})
	t.Run("rcr.mount.forced-move-save: 7 + 2 is prone beside the horse", func(t *testing.T) {
		f := pushed(t, 7, 4)
		f.wantRides("a", "", "")
		f.wantHas("a", body.CondProne, true)
		f.wantCount("a", body.CReaction, 1)
	})
	t.Run("rcr.mount.forced-move-save: a shove", func(t *testing.T) {
		f := onMap(t, human(), beast(), orc(size("large")), 10, 0)
		f.End("a", 12)
		f.Must(act("b", "shove", "", "h", withParameters("effect", "push")), 15, 5, 10)
		f.wantRides("a", "h", body.VariantRider)
		f.wantAt("h", -5, 0)
		f.wantAt("a", -5, 0)
	})
	t.Run("rcr.mount.rider-prone-save: military, 4 and 9 with +1 stay", func(t *testing.T) {
		f := rides(t, human(saves("dexterity", 1)), beast(saddle(body.SaddleMilitary)), orc())
		f.End("a", 12)
		f.Must(act("b", "shove", "", "a", withParameters("effect", "prone")), 15, 5, 4, 9)
		f.wantRides("a", "h", body.VariantRider)
		f.wantHas("a", body.CondProne, false)
	})
	t.Run("rcr.mount.rider-prone-save: fails", func(t *testing.T) {
		f := rides(t, human(), beast(), orc())
		f.End("a", 12)
		f.Must(act("b", "shove", "", "a", withParameters("effect", "prone")), 15, 5, 9, 4)
		f.wantRides("a", "", "")
		f.wantHas("a", body.CondProne, true)
	})
	t.Run("rcr.mount.rider-prone-save: the unconscious fail without a roll", func(t *testing.T) {
		f := rides(t, human(), beast(), orc())
		f.End("a", 12)
		f.Hurt("a", 1)
		f.Must(act("b", "attack", "sword", "a"), 15, 1, 4)
		f.wantRides("a", "", "")
		f.wantHas("a", body.CondProne, true)
	})
	tripped := func(t *testing.T, reaction int, faces ...int) *table {
		f := rides(t, human(), beast(), orc(size("large")))
		f.End("a", 12)
		f.Count("a", body.CReaction, reaction)
		f.Must(act("b", "shove", "", "h", withParameters("effect", "prone")), append([]int{15, 5}, faces...)...)
		return f
	}
	t.Run("rcr.mount.mount-prone: by its reaction on its feet", func(t *testing.T) {
		f := tripped(t, 1)
		f.Answer(mounts.DecLanding, "feet", 4)
		f.wantRides("a", "", "")
		f.wantHas("a", body.CondProne, false)
		f.wantCount("a", body.CReaction, 0)
	})
	t.Run("rcr.mount.mount-prone: without one prone", func(t *testing.T) {
		f := tripped(t, 0, 4)
		f.wantRides("a", "", "")
		f.wantHas("a", body.CondProne, true)
	})
	t.Run("rcr.mount.mount-prone: a mount that dies goes down too", func(t *testing.T) {
		f := rides(t, human(), beast(allTraits, rcrSheet(func(x *eventv1.RcrSheet) { no := false; x.WoundsEnabled = &no })), orc())
		f.End("a", 12)
		f.Hurt("h", 1)
		f.Count("a", body.CReaction, 0)
		f.State.Creatures["h"].Controllers = nil
		f.Must(act("b", "attack", "sword", "h"), 15, 8)
		f.wantRides("a", "", "")
		f.wantHas("a", body.CondProne, true)
	})
	t.Run("rcr.mount.dash-slow-save: 60 to 55 after a Dash", func(t *testing.T) {
		f := rides(t, human(), beast(), orc())
		f.Must(act("h", "dash", "", ""))
		f.End("a", 12)
		f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "h", Vitals: &eventv1.Vitals{Counters: map[string]int64{body.CExhaustion: 2}}}}}, 9, 4)
		f.wantRides("a", "", "")
		f.wantHas("a", body.CondProne, true)
	})
	t.Run("rcr.mount.dash-slow-save: no Dash, no save", func(t *testing.T) {
		f := rides(t, human(), beast(), orc(size("large")))
		f.End("a", 12)
		f.Must(act("b", "grapple", "", "h"), 15, 5)
		f.wantRides("a", "h", body.VariantRider)
	})
	t.Run("rcr.mount.dash-slow-save: grappled after a Dash; over with its next turn", func(t *testing.T) {
		f := rides(t, human(), beast(), orc(size("large")))
		f.Must(act("h", "dash", "", ""))
		f.End("a", 12)
		f.Must(act("b", "grapple", "", "h"), 15, 5, 10)
		f.wantRides("a", "h", body.VariantRider)
		f.Must(act("b", "release", "", "h"))
		f.End("b", 3)
		f.End("a", 12)
		f.Must(act("b", "grapple", "", "h"), 15, 5)
		f.wantRides("a", "h", body.VariantRider)
	})
}

// rcr.mount.rider-square, rcr.mount.reach
func TestSeat(t *testing.T) {
	exotic := rcrSheet(func(x *eventv1.RcrSheet) { x.SaddleExotic = true })
	lance := rcrSheet(func(x *eventv1.RcrSheet) { x.Attacks[0].ReachFeet = 10 })
	for _, c := range []struct {
		size             string
		x, y, side, feet int32
	}{{"medium", 0, 0, 5, 5}, {"large", 0, 0, 10, 5}, {"huge", 5, 5, 5, 10}, {"gargantuan", 5, 5, 10, 15}} {
		t.Run("rcr.mount.rider-square, "+c.size, func(t *testing.T) {
			f := newTable(t)
			f.place(human(size("small")), -5, 0)
			h := beast(size(c.size), exotic)
			f.place(h, 0, 0)
			beside := body.SpaceFeet(&eventv1.Creature{Size: c.size})
			f.place(orc(), beside, 0)
			f.Must(act("a", "mount", "", "h"))
			f.wantAt("a", c.x, c.y)
			if side := body.SpaceFeet(f.Creature("a")); side != c.side {
				t.Fatalf("a space of %d feet, want %d", side, c.side)
			}
			for _, pair := range [][2]string{{"a", "b"}, {"b", "a"}} {
				if feet := distanceOf(t, f, pair[0], pair[1]); feet != c.feet {
					t.Fatalf("%v: %d feet, want %d", pair, feet, c.feet)
				}
			}
		})
	}
	t.Run("the ledger's squares", func(t *testing.T) {
		f := newTable(t)
		f.place(human(), 10, 15)
		f.place(beast(), 15, 15) // (3,3) to (4,4)
		f.Must(act("a", "mount", "", "h"))
		f.wantAt("a", 15, 15)
	})
	elephant := func() *eventv1.Sheet { return beast(size("huge"), exotic) }
	beside := withFacts("beside_mount", true)
	for _, c := range []struct {
		name       string
		h          *eventv1.Sheet
		long       bool
		attacker   string
		outOfReach bool
	}{
		{"a longsword on a horse", beast(), false, "a", false},
		{"against the rider of a horse", beast(), false, "b", false},
		{"a longsword on an elephant", elephant(), false, "a", true},
		{"against the rider of an elephant", elephant(), false, "b", true},
		{"a lance on an elephant", elephant(), true, "a", false},
		{"a lance on a dragon", beast(size("gargantuan"), exotic), true, "a", true},
	} {
		for _, placed := range []bool{true, false} {
			name := "rcr.mount.reach, stated: " + c.name
			if placed {
				name = "rcr.mount.reach, measured: " + c.name
			}
			t.Run(name, func(t *testing.T) {
				a := human()
				if c.long {
					lance(a)
				}
				var f *table
				var more []func(*eventv1.TakeAction)
				if placed {
					f = onMap(t, a, c.h, orc(), body.SpaceFeet(&eventv1.Creature{Size: c.h.Size}), 0)
				} else {
					f, more = rides(t, a, c.h, orc()), append(more, beside)
				}
				target := "b"
				if c.attacker == "b" {
					f.End("a", 12)
					target = "a"
				}
				err := f.Try(act(c.attacker, "attack", "sword", target, more...), 2)
				if c.outOfReach {
					wantRefused(t, err, cite.BaseFifthEditionFallback)
				} else if err != nil {
					t.Fatal(err)
				}
			})
		}
	}
	t.Run("a platform: where the rider chooses", func(t *testing.T) {
		f := newTable(t)
		f.place(human(), -5, 0)
		f.place(beast(size("gargantuan"), exotic, rcrSheet(func(x *eventv1.RcrSheet) { x.SaddlePlatform = true })), 0, 0)
		f.place(orc(), 60, 0)
		if err := f.Try(act("a", "mount", "", "h", along(20, 0))); err == nil {
			t.Fatal("off the platform")
		}
		f.Must(act("a", "mount", "", "h", along(15, 0)))
		f.wantAt("a", 15, 0)
		f.start(nil, 20, 5)
		f.Must(act("h", "move", "", "", along(10, 0)))
		f.wantAt("a", 25, 0)
	})
	t.Run("it goes along wherever the mount is put", func(t *testing.T) {
		f := onMap(t, human(), beast(), orc(), 300, 0)
		f.Place("h", 50, 50)
		f.wantAt("a", 50, 50)
	})
}

// rcr.mount.overlap-move, rcr.mount.overlap-no-end
func TestRideBy(t *testing.T) {
	elephant := func(change ...func(*eventv1.Sheet)) *eventv1.Sheet {
		return beast(append([]func(*eventv1.Sheet){size("huge"), rcrSheet(func(x *eventv1.RcrSheet) { x.SaddleExotic = true })}, change...)...)
	}
	t.Run("onto the orc's square, strike and on", func(t *testing.T) {
		f := onMap(t, human(), elephant(), orc(), 15, 5)
		if feet := distanceOf(t, f, "a", "b"); feet != 10 {
			t.Fatalf("%d feet", feet)
		}
		f.Must(act("h", "move", "", "", along(5, 0))) // difficult: 10 feet
		f.Answer(body.DecOpportunity, "no")
		if feet := distanceOf(t, f, "a", "b"); feet != 5 {
			t.Fatalf("%d feet", feet)
		}
		f.Must(act("a", "attack", "sword", "b"), 2)
		wantRefused(t, f.Try(rulestest.EndTurn("a")), cite.MountOverlapNoEnd)
		f.Must(act("h", "move", "", "", along(0, 0)))
		f.End("a", 12)
	})
	t.Run("an opportunity attack on the one who enters, or its rider", func(t *testing.T) {
		f := onMap(t, human(), beast(), orc(), 10, 0)
		f.Must(act("h", "move", "", "", along(5, 0)))
		f.Answer(body.DecOpportunity, "sword")
		f.Answer("opportunity-target", "a", 2)
		f.wantAt("h", 5, 0)
	})
	t.Run("no movement to leave again", func(t *testing.T) {
		f := onMap(t, human(), elephant(func(s *eventv1.Sheet) { s.Speeds["walk"] = 10 }), orc(), 15, 5)
		wantRefused(t, f.Try(act("h", "move", "", "", along(5, 0))), cite.MountOverlapNoEnd)
		f = onMap(t, human(), elephant(func(s *eventv1.Sheet) { s.Speeds["walk"] = 15 }), orc(), 15, 5)
		f.Must(act("h", "move", "", "", along(5, 0)))
	})
	t.Run("stated alone", func(t *testing.T) {
		f := rides(t, human(), elephant(), orc())
		over := []any{"enters_space_of", []string{"b"}, "ends_in_space_of", []string{"b"}}
		wantRefused(t, f.Try(act("h", "move", "", "", feet(60, over...))), cite.MountOverlapNoEnd)
		f.Must(act("h", "move", "", "", feet(50, over...)))
		f.Answer(body.DecOpportunity, "no")
		wantRefused(t, f.Try(rulestest.EndTurn("a")), cite.MountOverlapNoEnd)
		f.Must(act("h", "move", "", "", feet(10)))
		f.End("a", 12)
	})
	t.Run("not an independent mount", func(t *testing.T) {
		f := newTable(t)
		f.place(human(), -5, 0)
		f.place(orc(), 15, 5)
		f.place(elephant(), 0, 0)
		f.Must(act("a", "mount", "", "h", withParameters("as", "passenger")))
		f.start(nil, 5, 4, 20)
		f.WantActive("h")
		wantRefused(t, f.Try(act("h", "move", "", "", along(5, 0))), cite.BaseFifthEditionFallback)
	})
}

// rcr.mount.passenger-space, rcr.mount.passenger-bigger-mount
func TestSharingASeat(t *testing.T) {
	two := func(t *testing.T, h *eventv1.Sheet) *table {
		f := newTable(t).add(human(), orc(rcrSheet(func(x *eventv1.RcrSheet) { x.ArmorClass = 14 })), fighter("c", "party"), h)
		f.Must(act("a", "mount", "", "h"))
		f.Must(act("c", "mount", "", "h"))
		return f.start(nil, 20, 5, 4)
	}
	t.Run("13 and 8 keep 8", func(t *testing.T) {
		f := two(t, beast())
		f.Must(act("a", "attack", "sword", "b"), 13, 8)
		f.WantHP("b", 40)
		f.End("a", 12)
		f.Must(act("b", "attack", "sword", "a"), 4, 5) // advantage: neither hits
		if r := f.Roll("to-hit"); r.Expression != "2d20kh1" {
			t.Fatalf("%v", r)
		}
	})
	t.Run("the saddle's advantage and squeezing cancel", func(t *testing.T) {
		f := two(t, beast(saddle(body.SaddleMilitary)))
		f.Must(act("h", "dash", "", ""))
		f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "h", Vitals: &eventv1.Vitals{Counters: map[string]int64{body.CExhaustion: 2}}}}}, 10, 10)
		f.wantRides("a", "h", body.VariantRider)
		f.wantRides("c", "h", body.VariantPassenger)
	})
	t.Run("one d20 on a platform", func(t *testing.T) {
		f := two(t, beast(size("gargantuan"), rcrSheet(func(x *eventv1.RcrSheet) { x.SaddleExotic, x.SaddlePlatform = true, true })))
		f.Must(act("a", "attack", "sword", "b"), 8)
	})
	t.Run("alone on a horse", func(t *testing.T) {
		f := rides(t, human(), beast(), orc())
		f.Must(act("a", "attack", "sword", "b"), 2)
	})
	t.Run("no platform helps on a horse", func(t *testing.T) {
		f := two(t, beast(rcrSheet(func(x *eventv1.RcrSheet) { x.SaddlePlatform = true })))
		f.Must(act("a", "attack", "sword", "b"), 13, 8)
	})
}

// rcr.mount.exotic-movement, rcr.mount.exotic-size
func TestExoticSaddles(t *testing.T) {
	griffon := func(exotic bool, name string) *eventv1.Sheet {
		return beast(func(s *eventv1.Sheet) { s.Speeds["fly"] = 80 }, rcrSheet(func(x *eventv1.RcrSheet) { x.Saddle, x.SaddleExotic = name, exotic }))
	}
	fly := withParameters("feet", 40, "mode", "fly")
	f := rides(t, human(), griffon(false, body.SaddleNormal), orc())
	wantRefused(t, f.Try(act("h", "move", "", "", fly)), cite.MountExoticMovement)
	f.Must(act("h", "move", "", "", withParameters("feet", 40, "mode", "walk")))
	rides(t, human(), griffon(true, body.SaddleMilitary), orc()).Must(act("h", "move", "", "", fly))
	rides(t, human(), griffon(false, ""), orc()).Must(act("h", "move", "", "", fly))

	for _, c := range []struct {
		name string
		s    *eventv1.Sheet
		bad  bool
	}{
		{"a plain saddle on an elephant", beast(size("huge")), true},
		{"an exotic one", beast(size("huge"), rcrSheet(func(x *eventv1.RcrSheet) { x.SaddleExotic = true })), false},
		{"a plain saddle on a horse", beast(), false},
		{"no saddle at all on a dragon", beast(size("gargantuan"), saddle("")), false},
		{"an exotic nothing", beast(saddle(""), rcrSheet(func(x *eventv1.RcrSheet) { x.SaddleExotic = true })), true},
		{"an unknown saddle", beast(saddle("milittary")), true},
		{"an unknown trait", beast(traits("bravee")), true},
		{"a strap without a shield", human(rcrSheet(func(x *eventv1.RcrSheet) { x.ShieldStrapped = true })), true},
	} {
		if out := (System{}).CheckSheet(c.s); (len(out) > 0) != c.bad {
			t.Errorf("%s: %v", c.name, out)
		}
	}
	// Should one be so all the same, it counts as bareback.
	h := &eventv1.Creature{Size: "huge", Sheet: beast(size("huge"))}
	if body.SaddleOn(h) != "" {
		t.Error("a plain saddle serves on a huge mount")
	}
}

// rcr.mount.training-daily, rcr.mount.training-check, rcr.mount.training-complete,
// rcr.mount.training-barding, rcr.mount.training-head-start
func TestTraining(t *testing.T) {
	// day is one of training of a creature by a trainer; no face for a day without a check.
	stable := func(t *testing.T, wisdom, bonus, intelligence int32, change ...func(*eventv1.RcrSheet)) *table {
		h := beast(ability("intelligence", intelligence), rcrSheet(func(x *eventv1.RcrSheet) { x.MountTrained = false }))
		for _, c := range change {
			c(h.GetRcr())
		}
		return newTable(t).add(human(ability("wisdom", wisdom), skilled("animal handling", bonus)), orc(), h)
	}
	total := func(n int32) func(*eventv1.RcrSheet) {
		return func(x *eventv1.RcrSheet) { x.TrainingTotal = n }
	}
	want := func(t *testing.T, f *table, n int32) {
		t.Helper()
		if got := body.TrainingOf(f.Creature("h")); got != n {
			t.Fatalf("%d, want %d", got, n)
		}
	}
	day := func(more ...func(*eventv1.TakeAction)) *eventv1.Command {
		return act("a", "train-mount", "", "h", more...)
	}
	t.Run("an hour, the check fails", func(t *testing.T) {
		f := stable(t, 16, 5, 2, total(14))
		f.Must(day(withParameters("minutes", 60)), 6)
		want(t, f, 16)
	})
	t.Run("40 minutes", func(t *testing.T) {
		f := stable(t, 16, 5, 2, total(14))
		f.Must(day(withParameters("minutes", 40)))
		want(t, f, 14)
	})
	t.Run("7 + 5 meets 12: Intelligence and Wisdom", func(t *testing.T) {
		f := stable(t, 16, 5, 2, total(50))
		f.Must(day(), 7)
		want(t, f, 55)
	})
	t.Run("6 + 5 does not", func(t *testing.T) {
		f := stable(t, 16, 5, 2, total(50))
		f.Must(day(), 6)
		want(t, f, 52)
	})
	t.Run("the trainer may leave its Wisdom out", func(t *testing.T) {
		f := stable(t, 16, 5, 2, total(50))
		f.Must(day(withParameters("add_wisdom", false)), 20)
		want(t, f, 52)
		f = stable(t, 6, 5, 2, total(50))
		f.Must(day(), 20)
		want(t, f, 52)
	})
	for _, c := range []struct {
		name               string
		wisdom, face, days int32
		total              int32
	}{{"every check succeeds: 102 on day 34", 12, 20, 34, 102}, {"every check fails: 100 on day 50", 12, 2, 50, 100}} {
		t.Run("rcr.mount.training-complete: "+c.name, func(t *testing.T) {
			f := stable(t, c.wisdom, 1, 2)
			for n := int32(1); n <= c.days; n++ {
				if trained := body.TrainingOf(f.Creature("h")) >= body.TrainedAt; trained {
					t.Fatalf("trained on day %d", n-1)
				}
				f.Must(day(), int(c.face))
			}
			want(t, f, c.total)
			f.Must(act("a", "mount", "", "h"))
			f.wantRides("a", "h", body.VariantRider)
		})
	}
	for _, c := range []struct {
		total int32
		want  int
	}{{100, 0}, {119, 0}, {120, 1}, {149, 1}, {150, 2}, {199, 2}, {200, 3}} {
		f := stable(t, 10, 0, 2, total(c.total))
		if got := body.TrainedForBarding(f.Creature("h")); got != c.want {
			t.Errorf("rcr.mount.training-barding: %d is trained for %d, want %d", c.total, got, c.want)
		}
	}
	t.Run("rcr.mount.training-head-start: Intelligence 7, light barding on day 3", func(t *testing.T) {
		f := stable(t, 10, 0, 7)
		for _, n := range []int32{107, 114, 121} {
			if body.TrainedForBarding(f.Creature("h")) != 0 {
				t.Fatal("too early")
			}
			f.Must(day(), 2)
			want(t, f, n)
		}
		if body.TrainedForBarding(f.Creature("h")) != 1 {
			t.Fatal("not trained")
		}
	})
	t.Run("rcr.mount.training-head-start: bought trained, 120 on day 5", func(t *testing.T) {
		f := stable(t, 14, 0, 2, func(x *eventv1.RcrSheet) { x.MountTrained = true })
		for range 5 {
			f.Must(day(), 20)
		}
		want(t, f, 120)
	})
	t.Run("not in a fight", func(t *testing.T) {
		f := stable(t, 14, 0, 2).start(nil, 20, 5, 4)
		wantRefused(t, f.Try(day()), cite.MountTrainingDaily)
	})
}

// rcr.mount.flight-bareback-damage, rcr.mount.flight-bareback-tumble,
// rcr.mount.flight-saddle-damage, rcr.mount.flight-saddle-forced-move,
// rcr.mount.flight-military-advantage, rcr.mount.flight-catch,
// rcr.mount.flight-catch-both-falling
func TestRidersInTheAir(t *testing.T) {
	// air has creatures be in the air, as the rules of flight would say.
	air := func(f *table, how string, ids ...string) {
		for _, id := range ids {
			c := f.State.Creatures[id]
			c.Conditions = append(c.Conditions, &eventv1.Condition{Id: "airborne", Name: "airborne", Variant: how})
		}
	}
	griffon := func(name string) *eventv1.Sheet {
		return beast(allTraits, func(s *eventv1.Sheet) { s.Speeds["fly"] = 80 }, rcrSheet(func(x *eventv1.RcrSheet) { x.Saddle, x.SaddleExotic = name, name != "" }))
	}
	set := func(t *testing.T, a *eventv1.Sheet, name string) *table {
		f := rides(t, a, griffon(name), orc())
		air(f, "flying", "h")
		f.End("a", 12)
		return f
	}
	hit := act("b", "attack", "sword", "a")
	t.Run("rcr.mount.flight-bareback-damage: 9 and 6 with +3", func(t *testing.T) {
		f := set(t, human(saves("constitution", 3)), "")
		f.Must(hit, 15, 5, 6, 6, 4)
		f.wantRides("a", "", "")
		f = set(t, human(saves("constitution", 3)), "")
		f.Must(hit, 15, 5, 7, 16)
		f.wantRides("a", "h", body.VariantRider)
	})
	t.Run("rcr.mount.flight-saddle-damage", func(t *testing.T) {
		f := set(t, human(), body.SaddleNormal)
		f.Must(hit, 15, 8)
		f.wantRides("a", "h", body.VariantRider)
	})
	push := act("h", "forced-move", "", "", withParameters("feet", 10))
	t.Run("rcr.mount.flight-bareback-tumble: pushed", func(t *testing.T) {
		f := set(t, human(), "")
		f.Must(push, 4)
		f.wantRides("a", "", "")
	})
	t.Run("rcr.mount.flight-saddle-forced-move: 9 + 1, in place of the Dexterity save", func(t *testing.T) {
		f := set(t, human(skilled("athletics", 1)), body.SaddleNormal)
		f.Must(push, 9)
		f.wantRides("a", "h", body.VariantRider)
		f.Must(push, 8, 4)
		f.wantRides("a", "", "")
	})
	t.Run("rcr.mount.flight-saddle-forced-move: the weather of flight", func(t *testing.T) {
		was := body.AirDC
		body.AirDC = func(*eventv1.State, *eventv1.Creature) int32 { return 4 }
		defer func() { body.AirDC = was }()
		f := set(t, human(skilled("athletics", 1)), body.SaddleNormal)
		f.Must(push, 12, 4)
		f.wantRides("a", "", "")
	})
	t.Run("rcr.mount.flight-military-advantage: 4 and 11", func(t *testing.T) {
		f := set(t, human(), body.SaddleMilitary)
		f.Must(push, 4, 11)
		f.wantRides("a", "h", body.VariantRider)
	})
	seize := act("a", "seize-mount", "", "h")
	falling := func(t *testing.T, name, how string, bonus int32) *table {
		f := newTable(t).add(human(skilled("athletics", bonus)), orc(), griffon(name)).start(nil, 20, 5, 4)
		air(f, "falling", "a")
		air(f, how, "h")
		return f
	}
	t.Run("rcr.mount.flight-catch: 8 + 2", func(t *testing.T) {
		f := falling(t, body.SaddleNormal, "flying", 2)
		f.Must(seize, 8)
		f.wantRides("a", "h", body.VariantRider)
		f.wantHas("a", "airborne", false)
	})
	t.Run("rcr.mount.flight-catch: 7 + 2", func(t *testing.T) {
		f := falling(t, body.SaddleNormal, "flying", 2)
		f.Must(seize, 7)
		f.wantRides("a", "", "")
		f.wantHas("a", "airborne", true)
	})
	t.Run("rcr.mount.flight-catch: no saddle to seize", func(t *testing.T) {
		wantRefused(t, falling(t, "", "flying", 2).Try(seize), cite.MountFlightCatch)
	})
	t.Run("rcr.mount.flight-catch: only who falls", func(t *testing.T) {
		f := newTable(t).add(human(), orc(), griffon("")).start(nil, 20, 5, 4)
		wantRefused(t, f.Try(seize), cite.MountFlightCatch)
	})
	t.Run("rcr.mount.flight-catch-both-falling: bareback too, 7 + 3", func(t *testing.T) {
		f := falling(t, "", "falling", 3)
		f.Must(seize, 7)
		f.wantRides("a", "h", body.VariantRider)
		f = falling(t, "", "falling", 3)
		f.Must(seize, 5)
		f.wantRides("a", "", "")
	})
	t.Run("rcr.mount.flight-bareback-tumble, rcr.mount.flight-saddle-damage: a mount that begins to fall", func(t *testing.T) {
		for _, c := range []struct {
			saddle, part string
			faces        []int
		}{{"", "", []int{4}}, {body.SaddleNormal, body.VariantRider, nil}} {
			f := set(t, human(), c.saddle)
			f.Resolve(func(r *rules.Resolution) error { body.Befall(r, body.OnDrop, "h", "its hover failed", 0); return nil }, c.faces...)
			if got := body.Seat(f.Creature("a")).GetVariant(); got != c.part {
				t.Errorf("saddle %q: %q", c.saddle, got)
			}
		}
	})
	t.Run("rcr.mount.reach: a large mount in flight takes the space of a huge one", func(t *testing.T) {
		lance := rcrSheet(func(x *eventv1.RcrSheet) { x.Attacks[0].ReachFeet = 10 })
		f := set(t, human(lance), body.SaddleNormal)
		f.End("b", 3)
		f.Must(act("a", "attack", "sword", "b", withFacts("beside_mount", true)), 2)
		f = set(t, human(), body.SaddleNormal)
		f.End("b", 3)
		wantRefused(t, f.Try(act("a", "attack", "sword", "b", withFacts("beside_mount", true))), cite.BaseFifthEditionFallback)
	})
}

// rcr.mount.rider, rcr.condition.replace-base: what else befalls those who ride.
func TestRidersOtherwise(t *testing.T) {
	t.Run("whoever holds the rider is left behind by the mount", func(t *testing.T) {
		f := onMap(t, human(), beast(), orc(), 10, 0)
		f.Afflict("a", body.CondGrappled+"@b")
		f.Must(act("h", "move", "", "", along(-60, 0)))
		f.wantHas("a", body.CondGrappled, false)
		f.wantAt("a", -60, 0)
	})
	t.Run("a rider that dies is off, and the mount is let go", func(t *testing.T) {
		f := rides(t, human(func(s *eventv1.Sheet) { s.Controllers = nil }, rcrSheet(func(x *eventv1.RcrSheet) { no := false; x.WoundsEnabled = &no })), beast(allTraits), orc())
		f.End("a", 12)
		f.Hurt("a", 1)
		f.Must(act("b", "attack", "sword", "a"), 15, 8, 19)
		f.wantRides("a", "", "")
		f.End("b", 3)
		f.WantActive("h")
	})
	t.Run("a mount that leaves the field", func(t *testing.T) {
		f := rides(t, human(), beast(), orc())
		f.Must(&eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: "h"}}})
		f.wantRides("a", "", "")
		f.WantActive("a")
	})
	t.Run("a rider that leaves the field", func(t *testing.T) {
		f := rides(t, human(), beast(), orc())
		f.End("a", 12)
		f.Must(&eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: "a"}}}, 4)
		f.End("b", 3)
		f.WantActive("h")
	})
	t.Run("the same again: on, off and on", func(t *testing.T) {
		f := rides(t, human(), beast(traits("fierce")), orc())
		f.Must(act("a", "dismount", "", ""), 4)
		f.Must(act("a", "mount", "", "h"))
		f.WantActive("a", "h")
		f.Must(act("h", "move", "", "", feet(60)))
		f.End("a", 12)
		f.WantActive("b")
		f.End("b", 3)
		f.WantActive("a", "h")
	})
	t.Run("mounting one that has had its turn: nothing more of it in this round", func(t *testing.T) {
		f := newTable(t).add(human(), orc(), beast()).start(nil, 10, 5, 20)
		f.End("h", 20)
		f.Must(act("a", "mount", "", "h"))
		f.WantActive("a")
		f.End("a", 12)
		f.End("b", 3)
		f.WantActive("a", "h")
	})
	t.Run("the fight over, nothing of it stays", func(t *testing.T) {
		f := rides(t, human(), beast(ability("intelligence", 2)), orc())
		h := f.Creature("h")
		h.Marks[body.MConsents] = rules.Yes
		System{}.OfTheFight().Without(h)
		if len(h.Marks) > 0 || len(h.Relations) > 0 || h.Counters[body.CDashPace] != 0 {
			t.Fatalf("%v", h)
		}
	})
}
