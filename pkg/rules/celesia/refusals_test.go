package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/saddle"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// wantReason holds that a command is refused for a reason by a rule; without a
// reason, that it is allowed.
func wantReason(t *testing.T, err error, reason, rule string) {
	t.Helper()
	f, ok := fault.As(err)
	switch {
	case reason == "" && err == nil:
	case reason == "":
		t.Errorf("refused with %v, want it allowed", err)
	case !ok || f.Reason != reason || f.Rule != rule:
		t.Errorf("refused with %v, want %s by %s", err, reason, rule)
	}
}

// refusal is something that is refused, or just not; with what is between.
type refusal struct {
	name         string
	do           func(f *table)
	more         []func(*eventv1.TakeAction)
	reason, rule string
}

// laid afflicts a creature before.
func laid(id string, conditions ...string) func(*table) {
	return func(f *table) { f.Afflict(id, conditions...) }
}

// put stands a creature elsewhere before.
func put(id string, x, y int32) func(*table) { return func(f *table) { f.at(id, x, y) } }

// wantRefusals tries one command under many circumstances.
func wantRefusals(t *testing.T, build func(t *testing.T) *table, cmd func(more ...func(*eventv1.TakeAction)) *eventv1.Command, rows []refusal) {
	t.Helper()
	for _, c := range rows {
		t.Run(c.name, func(t *testing.T) {
			f := build(t)
			f.Roller = func(sides int) int { return (sides + 1) / 2 } // what it comes to is no matter here
			if c.do != nil {
				c.do(f)
			}
			err := f.Try(cmd(c.more...))
			wantReason(t, err, c.reason, c.rule)
		})
	}
}

// celesia.action.demoralize: within 30 feet, it must see and hear.
func TestDemoralizeRefused(t *testing.T) {
	build := func(t *testing.T) *table {
		return crowd(t, [][2]int32{{0, 0}, {30, 0}, {5, 5}}, fighter("a", "party"), fighter("b", "foes"), fighter("c", "party"))
	}
	cmd := func(more ...func(*eventv1.TakeAction)) *eventv1.Command {
		return act("a", "demoralize", "", "b", append([]func(*eventv1.TakeAction){withParameters("dc", 40.0)}, more...)...)
	}
	wantRefusals(t, build, cmd, []refusal{
		{name: "at 30 feet"},
		{name: "at 35", do: put("b", 35, 0), reason: "OUT_OF_REACH", rule: cite.ActionDemoralize},
		{name: "deaf", do: laid("b", "deafened"), reason: "CANNOT_HEAR", rule: cite.ActionDemoralize},
		{name: "said not to hear", more: []func(*eventv1.TakeAction){withFacts("hears", false)}, reason: "CANNOT_HEAR", rule: cite.ActionDemoralize},
		{name: "said to hear and see", more: []func(*eventv1.TakeAction){withFacts("hears", true, "sees", true)}},
		{name: "blind", do: laid("b", body.CondBlind), reason: "CANNOT_SEE", rule: cite.ActionDemoralize},
		{name: "helpless", do: laid("b", body.CondParalyzed), reason: "CANNOT_SEE", rule: cite.ActionDemoralize},
		{name: "who does it is unseen", do: laid("a", body.CondInvisible), reason: "CANNOT_SEE", rule: cite.ActionDemoralize},
		{name: "said not to see", more: []func(*eventv1.TakeAction){withFacts("sees", false)}, reason: "CANNOT_SEE", rule: cite.ActionDemoralize},
		{name: "a friend", more: []func(*eventv1.TakeAction){func(take *eventv1.TakeAction) { take.Targets = []string{"c"} }}, reason: "NO_FOE", rule: cite.ActionDemoralize},
	})
}

// celesia.mount.mount-dismount: on foot and free, beside a mount of one's own side that
// is larger, bears nobody and can stand.
func TestMountRefused(t *testing.T) {
	build := func(t *testing.T) *table {
		return crowd(t, [][2]int32{{0, 10}, {50, 0}, {0, 0}, {10, 0}}, fighter("a", "party"), fighter("b", "foes"), horse(),
			fighter("p", "party", func(s *eventv1.Sheet) { s.Size = "small" }))
	}
	cmd := func(more ...func(*eventv1.TakeAction)) *eventv1.Command { return act("a", "mount", "", "h", more...) }
	on := func(target string) []func(*eventv1.TakeAction) {
		return []func(*eventv1.TakeAction){func(take *eventv1.TakeAction) { take.Targets = []string{target} }}
	}
	const rule = cite.MountMountDismount
	wantRefusals(t, build, cmd, []refusal{
		{name: "beside"},
		{name: "10 feet off", do: put("a", 0, 15), reason: "OUT_OF_REACH", rule: rule},
		{name: "prone", do: laid("a", body.CondProne), reason: "PRONE", rule: cite.MovementStandUp},
		{name: "a pinned one", do: laid("a", body.CondPinned), reason: "PINNED", rule: cite.ManeuverPin},
		{name: "the mount is prone", do: laid("h", body.CondProne), reason: "UNABLE", rule: rule},
		{name: "the mount is held", do: laid("h", body.CondGrappled), reason: "UNABLE", rule: rule},
		{name: "the mount cannot act", do: laid("h", body.CondStunned), reason: "UNABLE", rule: rule},
		{name: "no larger than the rider", do: put("p", 5, 15), more: on("p"), reason: "TOO_SMALL", rule: rule},
		{name: "of another side", do: func(f *table) { f.at("b", 5, 10) }, more: on("b"), reason: "NO_MOUNT", rule: rule},
		{name: "who bears a rider", do: func(f *table) {
			f.at("p", -5, 0)
			f.Resolve(func(r *rules.Resolution) error { return saddle.EnterMounted(r, "p", object("mounted_on", "h")) })
		}, reason: "RIDDEN", rule: rule},
	})
	t.Run("who is mounted", func(t *testing.T) {
		f := cavalry(t, fighter("a", "party"), horse(), fighter("b", "foes"))
		wantReason(t, f.Try(act("a", "mount", "", "h")), "MOUNTED", rule)
	})
	t.Run("who bears a rider mounts nothing", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), horse(func(s *eventv1.Sheet) { s.Controllers = []string{"a-player"} }),
			fighter("g", "party", func(s *eventv1.Sheet) { s.Size = "huge" }))
		f.Resolve(func(r *rules.Resolution) error {
			if err := saddle.EnterMounted(r, "a", object("mounted_on", "h")); err != nil {
				return err
			}
			wantReason(t, saddle.EnterMounted(r, "h", object("mounted_on", "g")), "MOUNTED", rule)
			wantReason(t, saddle.EnterMounted(r, "g", object("mounted_on", "h")), "TOO_SMALL", rule)
			return nil
		})
	})
}

// celesia.mount.mount-dismount, celesia.mount.own-acts, celesia.mount.guide-with-knees,
// celesia.mount.control-check: what takes a mount.
func TestNotMounted(t *testing.T) {
	f := duel(t, fighter("a", "party"), fighter("b", "foes"))
	for action, rule := range map[string]string{"dismount": cite.MountMountDismount, "quick-dismount": cite.MountMountDismount, "guide-with-knees": cite.MountGuideWithKnees,
		"direct-mount": cite.MountOwnActs, "ride": cite.MountSharedInitiative} {
		wantReason(t, f.Try(act("a", action, "", "")), "NOT_MOUNTED", rule)
	}
	wantReason(t, f.Try(act("a", "control-mount", "", "")), "IN_HAND", cite.MountControlCheck)
	g := cavalry(t, fighter("a", "party", skilled("ride", 30)), horse(), fighter("b", "foes"))
	g.Must(act("a", "direct-mount", "", ""))
	wantReason(t, g.Try(act("a", "direct-mount", "", "")), "ALREADY", cite.MountOwnActs)
	g.Must(act("a", "guide-with-knees", "", ""), 2)
	wantReason(t, g.Try(act("a", "guide-with-knees", "", "")), "TRIED", cite.MountGuideWithKnees)
	wantReason(t, g.Try(act("a", "mount-attack", "hoof", "h")), "NO_TARGET", cite.MountOwnActs)
}

// celesia.mount.charge, celesia.movement.charge-conditions, celesia.mount.own-acts,
// celesia.mount.moved-two-acts: a charge on a mount.
func TestRideChargeRefused(t *testing.T) {
	build := func(t *testing.T) *table {
		f := cavalry(t, fighter("a", "party"), horse(), fighter("b", "foes", unarmed()))
		f.at("b", 105, 0)
		return f
	}
	cmd := func(more ...func(*eventv1.TakeAction)) *eventv1.Command {
		return act("a", "ride-charge", "sword", "b", more...)
	}
	to := func(x int32) func(*table) { return put("b", x, 0) }
	wantRefusals(t, build, cmd, []refusal{
		{name: "over twice the speed of 50"},
		{name: "beyond twice the speed", do: to(120), reason: "TOO_FAR", rule: cite.MovementCharge},
		{name: "as far as twice the speed reaches", do: to(110)},
		{name: "within 10 feet", do: to(10), reason: "TOO_NEAR", rule: cite.MovementChargeConditions},
		{name: "at 10 feet", do: to(15)},
		{name: "said to be hindered", more: []func(*eventv1.TakeAction){withFacts("difficult", true)}, reason: "NOT_CLEAR", rule: cite.MovementChargeConditions},
		{name: "said to be blocked", more: []func(*eventv1.TakeAction){withFacts("blocked", true)}, reason: "NOT_CLEAR", rule: cite.MovementChargeConditions},
		{name: "the mount is pinned", do: laid("h", body.CondPinned), reason: "PINNED", rule: cite.ManeuverPin},
		{name: "the mount cannot act", do: laid("h", body.CondStunned), reason: "UNABLE", rule: cite.MountSharedInitiative},
		{name: "with one act of the mount", do: func(f *table) { f.Count("h", body.CSpent, 2) }, reason: "NO_ACTS", rule: cite.MountOwnActs},
		{name: "with two acts of the mount", do: func(f *table) { f.Count("h", body.CSpent, 1) }},
		{name: "after three acts of the rider", do: func(f *table) { f.Count("a", body.CSpent, 3) }, reason: "ACTS_USED", rule: cite.MountMovedTwoActs},
		{name: "after two acts of the rider", do: func(f *table) { f.Count("a", body.CSpent, 2) }},
		{name: "at the mount itself", more: []func(*eventv1.TakeAction){func(take *eventv1.TakeAction) { take.Targets = []string{"h"} }}, reason: "NO_TARGET", rule: cite.MountCharge},
		{name: "with an injured leg of the mount", do: func(f *table) { f.Put("h", &eventv1.Vitals{Injuries: several(1, "leg", "1", 0)}) }, reason: "LEG_INJURED", rule: cite.InjuryLeg},
	})
}

// celesia.mount.shared-initiative, celesia.movement.run: how far a mount goes.
func TestRideRefused(t *testing.T) {
	build := func(t *testing.T) *table {
		return cavalry(t, fighter("a", "party"), horse(), fighter("b", "foes", unarmed()))
	}
	cmd := func(more ...func(*eventv1.TakeAction)) *eventv1.Command { return act("a", "ride", "", "", more...) }
	wantRefusals(t, build, cmd, []refusal{
		{name: "50 feet in one act", more: gait("single", 50, 0)},
		{name: "55 in one", more: gait("single", 55, 0), reason: "TOO_FAR", rule: cite.MountSharedInitiative},
		{name: "100 in a double move", more: gait("double", 100, 0)},
		{name: "105 in a double move", more: gait("double", 105, 0), reason: "TOO_FAR", rule: cite.MountSharedInitiative},
		{name: "200 at a run", more: gait("run", -200, 0)},
		{name: "205 at a run", more: gait("run", -205, 0), reason: "TOO_FAR", rule: cite.MountSharedInitiative},
		{name: "a run around a corner", more: []func(*eventv1.TakeAction){withParameters("gait", "run"), path([2]int32{0, -20}, [2]int32{-20, -20})}, reason: "NOT_STRAIGHT", rule: cite.MovementRun},
		{name: "a double move around a corner", more: []func(*eventv1.TakeAction){withParameters("gait", "double"), path([2]int32{0, -20}, [2]int32{-20, -20})}},
		{name: "a double move with one act", do: func(f *table) { f.Count("h", body.CSpent, 2) }, more: gait("double", 60, 0), reason: "NO_ACTS", rule: cite.MountOwnActs},
		{name: "with no acts", do: func(f *table) { f.Count("h", body.CSpent, 3) }, more: gait("single", 50, 0), reason: "NO_ACTS", rule: cite.MountOwnActs},
		{name: "5 feet after three acts", do: func(f *table) { f.Count("a", body.CSpent, 3) }, more: gait("single", 5, 0)},
		{name: "10 feet after three acts", do: func(f *table) { f.Count("a", body.CSpent, 3) }, more: gait("single", 10, 0), reason: "ACTS_USED", rule: cite.MountMovedTwoActs},
		{name: "10 feet after two acts", do: func(f *table) { f.Count("a", body.CSpent, 2) }, more: gait("single", 10, 0)},
		{name: "swimming", more: []func(*eventv1.TakeAction){withParameters("mode", "swim")}, reason: "NO_SPEED", rule: cite.MountSharedInitiative},
		{name: "on one that is stunned", do: laid("h", body.CondStunned), more: gait("single", 50, 0), reason: "UNABLE", rule: cite.MountSharedInitiative},
		{name: "a run on an injured leg", do: func(f *table) { f.Put("h", &eventv1.Vitals{Injuries: several(1, "leg", "1", 0)}) }, more: gait("run", 20, 0), reason: "LEG_INJURED", rule: cite.InjuryLeg},
	})
}

// celesia.action.speak, celesia.maneuver.chokehold-effects: who cannot speak.
func TestSpeechRefused(t *testing.T) {
	build := func(t *testing.T) *table { return duel(t, fighter("a", "party"), fighter("b", "foes")) }
	cmd := func(more ...func(*eventv1.TakeAction)) *eventv1.Command {
		return act("a", "speak", "", "", append([]func(*eventv1.TakeAction){withParameters("text", "Help!")}, more...)...)
	}
	wantRefusals(t, build, cmd, []refusal{
		{name: "free to speak"},
		{name: "the dying", do: func(f *table) { f.Hurt("a", -12) }, reason: "UNABLE", rule: cite.ActionSpeak},
		{name: "the paralyzed", do: laid("a", body.CondParalyzed), reason: "UNABLE", rule: cite.ActionSpeak},
	})
}

// celesia.attack.combat-expertise and the other trade-offs: the score and the base
// attack bonus that each takes, on both sides of the border.
func TestTradeOffNeeds(t *testing.T) {
	for _, c := range []struct {
		option, ability, rule, item string
		base                        int32
	}{
		{"combat-expertise", "intelligence", cite.AttackCombatExpertise, "sword", 0},
		{"deadly-aim", "dexterity", cite.AttackDeadlyAim, "bow", 1},
		{"martial-power", "constitution", cite.AttackMartialPower, "sword", 0},
		{"power-attack", "strength", cite.AttackPowerAttack, "sword", 1},
		{"precision-strike", "dexterity", cite.AttackPrecisionStrike, "sword", 1},
		{"reckless-offense", "", cite.AttackRecklessOffense, "sword", 1},
	} {
		for _, score := range []int{12, 13} {
			for _, base := range []int32{c.base - 1, c.base} {
				if base < 0 || c.ability == "" && score == 12 {
					continue
				}
				reason := ""
				switch {
				case c.ability != "" && score < 13:
					reason = "ABILITY"
				case base < c.base:
					reason = "BASE_ATTACK"
				}
				a := fighter("a", "party", attacks(base), section(func(s *eventv1.CelesiaSheet) {
					s.Stances = []string{"iron"}
					s.Weapons[2].Hand = ""
					s.Weapons[0].Hand = "stowed"
					if c.item == "sword" {
						s.Weapons[2].Hand, s.Weapons[0].Hand = "stowed", ""
					}
				}))
				if c.ability != "" {
					a.Abilities[c.ability] = int32(score)
				}
				f := duel(t, a, fighter("b", "foes", unarmed()))
				if c.item == "bow" {
					f.at("b", 20, 0)
				}
				f.Roller = func(int) int { return 2 }
				t.Run(c.option, func(t *testing.T) {
					wantReason(t, f.Try(act("a", "attack", c.item, "b", with(c.option))), reason, c.rule)
				})
			}
		}
	}
}

// celesia.turn.three-acts: only in one's own turn is there something to end.
func TestEndTurnOffered(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), fighter("b", "foes"))
	offered := func(id string) *eventv1.Option { return optionsOf(f, id, "end-turn")[0] }
	before := func(id string) {
		t.Helper()
		if o := offered(id); o.Legal || o.Rule != cite.TurnThreeActs {
			t.Errorf("%s: %v", id, o)
		}
	}
	before("a")
	f.start(nil, 15, 5)
	before("b")
	if !offered("a").Legal {
		t.Errorf("a: %v", offered("a"))
	}
	f.Must(&eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	before("a")
}
