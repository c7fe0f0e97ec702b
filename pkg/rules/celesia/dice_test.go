package celesia

import (
	"strings"
	"testing"

	content "github.com/skaldrpg/skald/pkg/content/celesia"
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play/situation"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// afflicted is a creature with conditions, no sheet needed.
func afflicted(names ...string) *eventv1.Creature {
	c := &eventv1.Creature{Id: "x", Name: "x", Life: eventv1.LifeStatus_LIFE_STATUS_ALIVE}
	for _, n := range names {
		c.Conditions = append(c.Conditions, &eventv1.Condition{Id: n, Name: n})
	}
	return c
}

func TestCircumstances(t *testing.T) {
	melee := body.RollKind{Roll: checks.RollAttack}
	shot := body.RollKind{Roll: checks.RollAttack, Ranged: true}
	will := body.RollKind{Roll: checks.RollSave, Name: "will"}
	charger := afflicted()
	charger.Conditions = []*eventv1.Condition{{Id: "charging", Name: body.CondCharging, Source: "x"}}
	for _, tc := range []struct {
		rule         string
		self, target *eventv1.Creature
		k            body.RollKind
		want         int32
	}{
		{cite.DiceAdvCharging, charger, afflicted(), melee, 1},
		{cite.DiceAdvTargetCharged, afflicted(), afflicted("charged"), shot, 1},
		{cite.DiceAdvTargetBlind, afflicted(), afflicted("blinded"), shot, 1},
		{cite.DiceAdvBrokenShip, afflicted(), afflicted("broken-ship"), shot, 1},
		{cite.DiceAdvTargetCowering, afflicted(), afflicted("cowering"), melee, 1},
		{cite.DiceAdvTargetFlanked, afflicted(), afflicted("flanked"), melee, 1},
		{cite.DiceAdvTargetHelpless, afflicted(), afflicted("paralyzed"), melee, 1},
		{"celesia.dice.adv-target-helpless ranged", afflicted(), afflicted("paralyzed"), shot, 0},
		{cite.DiceAdvInvisibleAttacker, afflicted("invisible"), afflicted(), melee, 1},
		{"celesia.dice.adv-invisible-attacker, blind target", afflicted("invisible"), afflicted("blinded"), melee, 1},
		{cite.DiceAdvTargetPinned, afflicted(), afflicted("pinned"), shot, 1},
		{cite.DiceAdvTargetProneMelee, afflicted("prone"), afflicted("prone"), melee, 0},
		{cite.DiceAdvTargetStunned, afflicted(), afflicted("stunned"), body.RollKind{Roll: checks.RollManeuver, Name: "grapple"}, 1},
		{cite.DiceDisBlindSkills, afflicted("blinded"), nil, body.RollKind{Roll: checks.RollSkill, Name: "escape-artist"}, -1},
		{"celesia.dice.dis-blind-skills ability", afflicted("blinded"), nil, body.RollKind{Roll: checks.RollInitiative}, 0},
		{cite.DiceDisBrokenWeapon, afflicted(), afflicted(), body.RollKind{Roll: checks.RollAttack, Broken: true}, -1},
		{cite.DiceDisBrokenTool, afflicted(), nil, body.RollKind{Roll: checks.RollSkill, Name: "heal", Broken: true}, -1},
		{cite.DiceDisBrokenShip, afflicted("broken-ship"), nil, body.RollKind{Roll: checks.RollSave, Name: "reflex"}, -1},
		{cite.DiceDisDazzled, afflicted("dazzled"), afflicted(), melee, -1},
		{"celesia.dice.dis-dazzled by ear", afflicted("dazzled"), nil, body.RollKind{Roll: checks.RollSkill, Name: "perception"}, 0},
		{cite.DiceDisDeafened, afflicted("deafened"), nil, body.RollKind{Roll: checks.RollInitiative}, -1},
		{cite.DiceDisEntangled, afflicted("entangled"), afflicted(), melee, -1},
		{"celesia.dice.dis-entangled trip", afflicted("entangled"), afflicted(), body.RollKind{Roll: checks.RollManeuver, Name: "trip"}, 0},
		{cite.DiceDisFascinated, afflicted("fascinated"), nil, body.RollKind{Roll: checks.RollSkill, Name: "perception", Purpose: "reaction"}, -1},
		{cite.DiceDisFrightened, afflicted("frightened", "shaken"), nil, will, -1},
		{cite.DiceDisGrappled, afflicted("grappled"), afflicted(), body.RollKind{Roll: checks.RollManeuver, Name: "trip"}, -1},
		{"celesia.dice.dis-grappled grappling", afflicted("grappled"), afflicted(), body.RollKind{Roll: checks.RollManeuver, Name: "grapple"}, 0},
		{cite.DiceDisGrappleInvisible, afflicted(), afflicted("grappled", "invisible"), body.RollKind{Roll: checks.RollManeuver, Name: "grapple"}, -1},
		{cite.DiceDisPanicked, afflicted("panicked"), nil, will, -1},
		{"celesia.dice.dis-panicked attack", afflicted("panicked"), afflicted(), melee, 0},
		{cite.DiceDisProneAttacker, afflicted("prone"), afflicted(), melee, -1},
		{cite.DiceDisTargetProneRanged, afflicted(), afflicted("prone", "flanked"), shot, 0},
		{cite.DiceDisShaken, afflicted("shaken"), afflicted(), melee, -1},
		{cite.DiceDisSickened, afflicted("sickened", "shaken"), afflicted(), melee, -2},
		{cite.DiceCircumstanceTable, afflicted("grappled", "dazzled"), afflicted("prone", "flanked", "pinned"), melee, 1},
		{"celesia.dice.circumstance-table maneuver", afflicted("sickened"), afflicted("stunned"), body.RollKind{Roll: checks.RollManeuver, Name: "disarm"}, 1},
		{"celesia.dice.stack-cancel same condition twice", afflicted(), afflicted("prone", "prone"), melee, 1},
		{"celesia.initiative.check deafened and shaken", afflicted("deafened", "shaken"), nil, body.RollKind{Roll: checks.RollInitiative}, -2},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			if got := situation.Stack(strike.EdgesOf(nil, tc.self, tc.target, tc.k)); got != tc.want {
				t.Errorf("net %d, want %d: %v", got, tc.want, strike.EdgesOf(nil, tc.self, tc.target, tc.k))
			}
		})
	}
}

// celesia.dice.advantage, celesia.dice.disadvantage, celesia.dice.stack-cancel
func TestDiceOfNetAdvantage(t *testing.T) {
	for net, want := range map[int32]string{0: "1d20", 1: "2d20kh1", 2: "3d20kh1", -1: "2d20kl1", -3: "4d20kl1"} {
		if got := checks.D20s(net); got != want {
			t.Errorf("net %d: %s, want %s", net, got, want)
		}
	}
}

// wounded is a creature with injuries: "row" or "row:side".
func wounded(list ...string) *eventv1.Creature {
	c := afflicted()
	for i, in := range list {
		row, side := body.SplitChoice(in)
		c.Injuries = append(c.Injuries, &eventv1.Injury{Id: body.Itoa(i), Kind: row, Side: side})
	}
	return c
}

func TestInjuriesHamperChecks(t *testing.T) {
	fingers := []string{"finger:left", "finger:left", "finger:left", "finger:left", "finger:left"}
	for _, tc := range []struct {
		rule      string
		c         *eventv1.Creature
		k         body.RollKind
		net, plus int32
	}{
		{cite.InjuryCripplingPermanent, wounded("scar", "scar", "scar"), body.RollKind{Name: "bluff"}, 0, -3},
		{"celesia.injury.crippling-permanent intimidate", wounded("scar", "scar", "scar"), body.RollKind{Name: "intimidate"}, 0, 3},
		{"celesia.injury.crippling-permanent perform", wounded("major-scar", "major-scar"), body.RollKind{Name: "perform-dance"}, -2, 0},
		{cite.InjuryScar, wounded("scar", "scar"), body.RollKind{Name: "diplomacy"}, 0, -2},
		{cite.InjuryMajorScar, wounded("scar", "major-scar"), body.RollKind{Name: "bluff"}, -1, -1},
		{"celesia.injury.major-scar intimidate", wounded("scar", "major-scar"), body.RollKind{Name: "intimidate"}, 0, 2},
		{cite.InjuryFinger, wounded(fingers[:3]...), body.RollKind{Name: "disable-device"}, 0, -3},
		{"celesia.injury.finger swim", wounded(fingers[:3]...), body.RollKind{Name: "swim"}, 0, 0},
		{cite.InjuryFingerHandLost, wounded(fingers...), body.RollKind{Name: "climb"}, -1, -5},
		{cite.InjuryEye, wounded("eye:left"), body.RollKind{Name: "perception", Purpose: "sight"}, -1, 0},
		{"celesia.injury.eye by ear", wounded("eye:left"), body.RollKind{Name: "perception"}, 0, 0},
		{cite.InjuryHand, wounded("hand:left"), body.RollKind{Name: "swim"}, -1, 0},
		{"celesia.injury.head climb", wounded("head"), body.RollKind{Name: "climb"}, 0, 0},
		{"celesia.injury.head lore", wounded("head"), body.RollKind{Name: "lore"}, -1, 0},
		{cite.InjuryLeg, wounded("leg:left"), body.RollKind{Name: "stealth"}, -1, 0},
		{cite.InjuryArm, wounded("arm:left"), body.RollKind{Name: "acrobatics"}, -1, 0},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			tc.k.Roll = checks.RollSkill
			plus := int32(0)
			for _, m := range strike.SkillModifiers(nil, tc.c, tc.k.Name) {
				plus += m.Value
			}
			if net := situation.Stack(strike.EdgesOf(nil, tc.c, nil, tc.k)); net != tc.net || plus != tc.plus {
				t.Errorf("net %d modifier %d, want %d and %d", net, plus, tc.net, tc.plus)
			}
		})
	}
	// celesia.injury.head-ladder: two injuries and sickened are three sources on a Will save.
	c := wounded("head", "head")
	c.Conditions = []*eventv1.Condition{{Name: body.CondSickened}}
	if net := situation.Stack(strike.EdgesOf(nil, c, nil, body.RollKind{Roll: checks.RollSave, Name: "will"})); net != -3 {
		t.Errorf("Will save: net %d, want -3", net)
	}
	if net := situation.Stack(strike.EdgesOf(nil, c, afflicted(), body.RollKind{Roll: checks.RollAttack})); net != -1 {
		t.Errorf("attack: net %d, want -1", net)
	}
	// celesia.injury.arm: melee attacks against two injured arms have two advantages.
	arms := wounded("arm:left", "arm:right")
	if net := situation.Stack(strike.EdgesOf(nil, afflicted(), arms, body.RollKind{Roll: checks.RollAttack})); net != 2 {
		t.Errorf("melee against injured arms: net %d, want 2", net)
	}
	if net := situation.Stack(strike.EdgesOf(nil, afflicted(), arms, body.RollKind{Roll: checks.RollAttack, Ranged: true})); net != 0 {
		t.Errorf("shot at injured arms: net %d, want 0", net)
	}
}

// celesia.dice.circumstance-table: 11 rows of advantage, 16 of disadvantage.
// celesia.injury.crippling-table: eight rows, 1 to 20 without gap.
func TestTables(t *testing.T) {
	if err := (System{}).Validate(); err != nil {
		t.Fatal(err)
	}
	book, err := content.Book().Rules()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for _, rule := range strike.Situations.Rules() {
		if !strings.Contains(string(book), "- id: "+rule+"\n") {
			t.Errorf("a situation cites %s, which is no rule", rule)
		}
		for _, list := range []string{"celesia.dice.adv-", "celesia.dice.dis-"} {
			if strings.HasPrefix(rule, list) {
				found[list]++
			}
		}
	}
	if found["celesia.dice.adv-"] != 11 || found["celesia.dice.dis-"] != 16 {
		t.Errorf("the table of circumstances has %v", found)
	}
	for _, x := range strike.Conditions.All() {
		if x.Rule != "" && !strings.Contains(string(book), "- id: "+x.Rule+"\n") {
			t.Errorf("%s cites %s, which is no rule", x.Name, x.Rule)
		}
	}
	if len(strike.Cripples) != 8 {
		t.Errorf("%d rows of injuries", len(strike.Cripples))
	}
	for result, want := range map[int32]string{4: "scar", 8: "major-scar", 10: "finger", 12: "eye", 14: "hand", 16: "head", 18: "leg", 19: "arm", 26: "arm"} {
		if got := strike.CrippleAt(nil, result).Row; got != want {
			t.Errorf("%d gives %s, want %s", result, got, want)
		}
	}
	for _, broken := range []string{"", "h\n", "a,b,c,d,e,f\n1,4,scar,Scar,5,r\n6,20,x,X,1,r\n", "a,b,c,d,e,f\n1,19,scar,Scar,5,r\n", "a,b,c,d,e,f\n1,x,scar,Scar,5,r\n"} {
		if _, err := body.ReadCripples(broken); err == nil {
			t.Errorf("table %q was read", broken)
		}
	}
}
