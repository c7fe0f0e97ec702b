package celesia

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/maneuvers"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// held is a, with CMB 9, holding b, with CMD 20, at the start of a's turn.
func held9(t *testing.T, b *eventv1.Sheet, change ...func(*eventv1.Sheet)) *table {
	t.Helper()
	f := grappled(t, fighter("a", "party", append([]func(*eventv1.Sheet){cmb(9), unarmed()}, change...)...), b, 20)
	f.End("a")
	f.End("b")
	return f
}

func captive(change ...func(*eventv1.Sheet)) *eventv1.Sheet {
	return fighter("b", "foes", append([]func(*eventv1.Sheet){cmd(20), unarmed()}, change...)...)
}

// round lets both turns pass to a's next.
func (f *table) round() {
	f.T.Helper()
	f.End("a")
	f.End("b")
}

func TestChokehold(t *testing.T) {
	ways := func(f *table) (out []string) {
		f.T.Helper()
		for _, o := range f.Decisions[0].Options {
			if len(o.Id) > 6 && o.Id[:6] == "choke:" {
				out = append(out, o.Id)
			}
		}
		return out
	}
	t.Run(cite.ManeuverChokeholdApply, func(t *testing.T) {
		f := held9(t, captive())
		f.Must(act("a", "grapple-continued", "", ""), 8) // 8 + 9 + 5 = 22
		f.Answer(body.DecHold, "choke:air", 10)          // 10 + 9 = 19: no chokehold, the pin stands
		if b := f.Creature("b"); !body.Has(b, body.CondPinned) || body.Has(b, body.CondChoked) || !body.Has(f.Creature("a"), body.CondPinning) {
			t.Errorf("conditions %v", b.Conditions)
		}
		if got := f.Roll("chokehold"); got.Total != 19 {
			t.Errorf("total %d, want 19 without the bonus", got.Total)
		}
		f.round()
		f.Must(act("a", "grapple-continued", "", ""), 6)
		f.Answer(body.DecHold, "choke:air", 11) // 20
		if x := body.Condition(f.Creature("b"), body.CondChoked); x.GetVariant() != maneuvers.ChokeAir || x.Source != "a" {
			t.Errorf("choked %v", x)
		}
	})
	t.Run(cite.ManeuverChokeholdMaintainEnd, func(t *testing.T) {
		for face, want := range map[int]bool{5: false, 6: true} {
			f := held9(t, captive())
			f.Must(act("a", "grapple-continued", "", ""), 8)
			f.Answer(body.DecHold, "choke:air", 11)
			f.round()
			f.Must(act("a", "grapple-continued", "", ""), face)
			if want {
				if got := ways(f); len(got) != 0 {
					t.Errorf("a second chokehold is offered: %v", got)
				}
				f.Answer(body.DecHold, "move")
			}
			if got := body.Has(f.Creature("b"), body.CondChoked); got != want || body.Has(f.Creature("b"), body.CondPinned) != want || (answers.Holds(f.Creature("a")) != "") != want {
				t.Errorf("face %d: choked %v, want %v", face, got, want)
			}
		}
	})
	t.Run("celesia.maneuver.chokehold-maintain-end released", func(t *testing.T) {
		f := held9(t, captive())
		f.Must(act("a", "grapple-continued", "", ""), 8)
		f.Answer(body.DecHold, "choke:air", 11)
		f.End("a") // b begins a turn without breath
		if f.Creature("b").Counters[answers.CBreath] != 1 {
			t.Errorf("%d turns without breath", f.Creature("b").Counters[answers.CBreath])
		}
		f.End("b")
		f.Must(act("a", "release-grapple", "", ""))
		if b := f.Creature("b"); body.Has(b, body.CondChoked) || b.Counters[answers.CBreath] != 0 {
			t.Error("the chokehold outlives the grapple")
		}
	})
	t.Run(cite.ManeuverChokeholdEffects, func(t *testing.T) {
		f := held9(t, captive(spell(&eventv1.CelesiaSpell{Name: "s", Casting: "standard", Dice: "1d6", RangeFeet: 30, Verbal: true})))
		f.Must(act("a", "grapple-continued", "", ""), 8)
		f.Answer(body.DecHold, "choke:air", 11)
		wantRefused(t, f.Try(act("b", "speak", "", "", withParameters("text", "help"))), cite.ManeuverChokeholdEffects) // celesia.action.speak
		f.End("a")
		wantRefused(t, f.Try(act("b", "cast", "s", "a")), cite.ManeuverChokeholdEffects)
	})
	for _, what := range []string{body.ImmuneBreath, body.ImmuneBleed, body.ImmuneCritical} {
		t.Run("celesia.maneuver.chokehold-immunity "+what, func(t *testing.T) {
			f := held9(t, captive(immuneTo(what)))
			f.Must(act("a", "grapple-continued", "", ""), 8)
			f.Answer(body.DecHold, "choke:air", 11)
			if b := f.Creature("b"); !body.Has(b, body.CondPinned) || body.Has(b, body.CondChoked) {
				t.Error("want it pinned and not choked")
			}
		})
	}
	t.Run(cite.ManeuverChokeholdGreaterGrapple, func(t *testing.T) {
		f := held9(t, captive())
		f.Must(act("a", "grapple-continued", "", ""), 8)
		if got := ways(f); !slices.Equal(got, []string{"choke:air"}) {
			t.Errorf("without the feat: %v", got)
		}
		f = held9(t, captive(), features(body.FeatGreaterGrapple))
		f.Must(act("a", "grapple-continued", "", ""), 8)
		f.Answer(body.DecHold, "choke:blood", 11)
		if !body.Has(f.Creature("b"), body.CondSuffocating) {
			t.Error("suffocation begins at once")
		}
		f.End("a")
		for _, e := range f.Events {
			if e.GetNote() != nil && slices.Contains(e.Rules, cite.ManeuverChokeholdEffects) {
				t.Errorf("holding its breath is useless: %v", e)
			}
		}
		f.End("b")
		f.Must(act("a", "release-grapple", "", ""))
		if body.Has(f.Creature("b"), body.CondSuffocating) {
			t.Error("still suffocating")
		}
	})
}

func TestSpeech(t *testing.T) {
	f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
	f.Must(act("b", "speak", "", "", withParameters("text", "behind you"))) // celesia.action.speak: in another's turn
	if f.acts("a") != 3 || f.Creature("b").Counters[body.CReactions] != 1 {
		t.Error("words cost something")
	}
	said := false
	for _, e := range f.SeenBy(player("a-player")) {
		said = said || e.GetNote().GetText() == "b says: behind you"
	}
	if !said {
		t.Error("nobody heard it")
	}
	if err := f.Try(act("b", "speak", "", "", withParameters("text", string(make([]byte, maneuvers.MaxWords+1))))); err == nil {
		t.Error("a speech is no free action") // celesia.action.free-gm-limit
	}
	f.Hurt("b", -13)
	wantRefused(t, f.Try(act("b", "speak", "", "")), cite.ActionSpeak)
}

func TestSpellcastersKeepTheirSpells(t *testing.T) {
	some := spell(&eventv1.CelesiaSpell{Name: "s", Casting: "standard", Dice: "1d6", RangeFeet: 30, Uses: 4})
	for _, tc := range []struct {
		rule  string
		down  func(f *table)
		again func(f *table)
	}{
		{cite.HealingSpellcasterRetains, func(f *table) { f.Medicine(hit("a", 30, "")); f.Choose("none") },
			func(f *table) { f.Medicine(&eventv1.Harm{Deed: body.DeedHeal, Target: "a", Amount: 17}) }},
		{cite.ConditionNonlethalCasterRetains, func(f *table) { f.Medicine(hit("a", 18, body.NatureNonlethal)) },
			func(f *table) { f.Medicine(&eventv1.Harm{Deed: body.DeedHeal, Target: "a", Amount: 10}) }},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := duel(t, fighter("a", "party", hitPoints(15), some), fighter("b", "foes", unarmed(), hitPoints(90)))
			f.Must(act("a", "cast", "s", "b"), 1)
			tc.down(f)
			if !body.Down(f.Creature("a")) {
				t.Fatal("still up")
			}
			tc.again(f)
			if c := f.Creature("a"); body.Down(c) || c.Counters[body.CLeft+"s"] != 3 {
				t.Errorf("%v, %d spells left, want 3", c.Life, c.Counters[body.CLeft+"s"])
			}
		})
	}
}

// celesia.injury.hand-all-lost
func TestComponents(t *testing.T) {
	both := []string{"hand", "arm"}
	for _, row := range both {
		hurt := slices.Concat(several(1, row, "left", 0), several(1, "hand", "right", 0))
		for _, tc := range []struct {
			name     string
			sp       *eventv1.CelesiaSpell
			features []string
			allowed  bool
		}{
			{"verbal and somatic", &eventv1.CelesiaSpell{Verbal: true, Somatic: true}, nil, false},
			{"with Still Spell", &eventv1.CelesiaSpell{Verbal: true, Somatic: true}, []string{body.FeatStillSpell}, true},
			{"verbal only", &eventv1.CelesiaSpell{Verbal: true}, nil, true},
		} {
			t.Run(row+" "+tc.name, func(t *testing.T) {
				tc.sp.Name, tc.sp.Casting, tc.sp.Dice, tc.sp.RangeFeet = "s", "standard", "1d6", 30
				f := duel(t, fighter("a", "party", spell(tc.sp), features(tc.features...)), fighter("b", "foes", unarmed()))
				f.Put("a", &eventv1.Vitals{Injuries: hurt[:1]})
				f.Must(act("a", "cast", "s", "b"), 1) // one hand is enough
				f.round()
				f.Put("a", &eventv1.Vitals{Injuries: hurt[1:]})
				if tc.allowed {
					f.Must(act("a", "cast", "s", "b"), 1)
					return
				}
				wantRefused(t, f.Try(act("a", "cast", "s", "b")), cite.InjuryHandAllLost)
			})
		}
	}
}
