package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
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
	melee := rollKind{roll: rollAttack}
	shot := rollKind{roll: rollAttack, ranged: true}
	will := rollKind{roll: rollSave, name: "will"}
	charger := afflicted()
	charger.Conditions = []*eventv1.Condition{{Id: "charging", Name: condCharging, Source: "x"}}
	for _, tc := range []struct {
		rule         string
		self, target *eventv1.Creature
		k            rollKind
		want         int32
	}{
		{cite.DiceAdvCharging, charger, afflicted(), melee, 1},
		{cite.DiceAdvTargetCharged, afflicted(), afflicted("charged"), shot, 1},
		{cite.DiceAdvTargetBlind, afflicted(), afflicted("blind"), shot, 1},
		{cite.DiceAdvBrokenShip, afflicted(), afflicted("broken-ship"), shot, 1},
		{cite.DiceAdvTargetCowering, afflicted(), afflicted("cowering"), melee, 1},
		{cite.DiceAdvTargetFlanked, afflicted(), afflicted("flanked"), melee, 1},
		{cite.DiceAdvTargetHelpless, afflicted(), afflicted("paralyzed"), melee, 1},
		{"celesia.dice.adv-target-helpless ranged", afflicted(), afflicted("paralyzed"), shot, 0},
		{cite.DiceAdvInvisibleAttacker, afflicted("invisible"), afflicted(), melee, 1},
		{"celesia.dice.adv-invisible-attacker, blind target", afflicted("invisible"), afflicted("blind"), melee, 1},
		{cite.DiceAdvTargetPinned, afflicted(), afflicted("pinned"), shot, 1},
		{cite.DiceAdvTargetProneMelee, afflicted("prone"), afflicted("prone"), melee, 0},
		{cite.DiceAdvTargetStunned, afflicted(), afflicted("stunned"), rollKind{roll: rollManeuver, name: "grapple"}, 1},
		{cite.DiceDisBlindSkills, afflicted("blind"), nil, rollKind{roll: rollSkill, name: "escape-artist"}, -1},
		{"celesia.dice.dis-blind-skills ability", afflicted("blind"), nil, rollKind{roll: rollInitiative}, 0},
		{cite.DiceDisBrokenWeapon, afflicted(), afflicted(), rollKind{roll: rollAttack, broken: true}, -1},
		{cite.DiceDisBrokenTool, afflicted(), nil, rollKind{roll: rollSkill, name: "heal", broken: true}, -1},
		{cite.DiceDisBrokenShip, afflicted("broken-ship"), nil, rollKind{roll: rollSave, name: "reflex"}, -1},
		{cite.DiceDisDazzled, afflicted("dazzled"), afflicted(), melee, -1},
		{"celesia.dice.dis-dazzled by ear", afflicted("dazzled"), nil, rollKind{roll: rollSkill, name: "perception"}, 0},
		{cite.DiceDisDeafened, afflicted("deafened"), nil, rollKind{roll: rollInitiative}, -1},
		{cite.DiceDisEntangled, afflicted("entangled"), afflicted(), melee, -1},
		{"celesia.dice.dis-entangled trip", afflicted("entangled"), afflicted(), rollKind{roll: rollManeuver, name: "trip"}, 0},
		{cite.DiceDisFascinated, afflicted("fascinated"), nil, rollKind{roll: rollSkill, name: "perception", purpose: "reaction"}, -1},
		{cite.DiceDisFrightened, afflicted("frightened", "shaken"), nil, will, -1},
		{cite.DiceDisGrappled, afflicted("grappled"), afflicted(), rollKind{roll: rollManeuver, name: "trip"}, -1},
		{"celesia.dice.dis-grappled grappling", afflicted("grappled"), afflicted(), rollKind{roll: rollManeuver, name: "grapple"}, 0},
		{cite.DiceDisGrappleInvisible, afflicted(), afflicted("grappled", "invisible"), rollKind{roll: rollManeuver, name: "grapple"}, -1},
		{cite.DiceDisPanicked, afflicted("panicked"), nil, will, -1},
		{"celesia.dice.dis-panicked attack", afflicted("panicked"), afflicted(), melee, 0},
		{cite.DiceDisProneAttacker, afflicted("prone"), afflicted(), melee, -1},
		{cite.DiceDisTargetProneRanged, afflicted(), afflicted("prone", "flanked"), shot, 0},
		{cite.DiceDisShaken, afflicted("shaken"), afflicted(), melee, -1},
		{cite.DiceDisSickened, afflicted("sickened", "shaken"), afflicted(), melee, -2},
		{cite.DiceCircumstanceTable, afflicted("grappled", "dazzled"), afflicted("prone", "flanked", "pinned"), melee, 1},
		{"celesia.dice.circumstance-table maneuver", afflicted("sickened"), afflicted("stunned"), rollKind{roll: rollManeuver, name: "disarm"}, 1},
		{"celesia.dice.stack-cancel same condition twice", afflicted(), afflicted("prone", "prone"), melee, 1},
		{"celesia.initiative.check deafened and shaken", afflicted("deafened", "shaken"), nil, rollKind{roll: rollInitiative}, -2},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			if got := weigh(edgesOf(tc.self, tc.target, tc.k)); got != tc.want {
				t.Errorf("net %d, want %d: %v", got, tc.want, edgesOf(tc.self, tc.target, tc.k))
			}
		})
	}
}

// celesia.dice.advantage, celesia.dice.disadvantage, celesia.dice.stack-cancel
func TestDiceOfNetAdvantage(t *testing.T) {
	for net, want := range map[int32]string{0: "1d20", 1: "2d20kh1", 2: "3d20kh1", -1: "2d20kl1", -3: "4d20kl1"} {
		if got := d20s(net); got != want {
			t.Errorf("net %d: %s, want %s", net, got, want)
		}
	}
}

// wounded is a creature with injuries: "row" or "row:side".
func wounded(list ...string) *eventv1.Creature {
	c := afflicted()
	for i, in := range list {
		row, side := splitChoice(in)
		c.Injuries = append(c.Injuries, &eventv1.Injury{Id: itoa(i), Kind: row, Side: side})
	}
	return c
}

func TestInjuriesHamperChecks(t *testing.T) {
	fingers := []string{"finger:left", "finger:left", "finger:left", "finger:left", "finger:left"}
	for _, tc := range []struct {
		rule      string
		c         *eventv1.Creature
		k         rollKind
		net, plus int32
	}{
		{cite.InjuryCripplingPermanent, wounded("scar", "scar", "scar"), rollKind{name: "bluff"}, 0, -3},
		{"celesia.injury.crippling-permanent intimidate", wounded("scar", "scar", "scar"), rollKind{name: "intimidate"}, 0, 3},
		{"celesia.injury.crippling-permanent perform", wounded("major-scar", "major-scar"), rollKind{name: "perform-dance"}, -2, 0},
		{cite.InjuryScar, wounded("scar", "scar"), rollKind{name: "diplomacy"}, 0, -2},
		{cite.InjuryMajorScar, wounded("scar", "major-scar"), rollKind{name: "bluff"}, -1, -1},
		{"celesia.injury.major-scar intimidate", wounded("scar", "major-scar"), rollKind{name: "intimidate"}, 0, 2},
		{cite.InjuryFinger, wounded(fingers[:3]...), rollKind{name: "disable-device"}, 0, -3},
		{"celesia.injury.finger swim", wounded(fingers[:3]...), rollKind{name: "swim"}, 0, 0},
		{cite.InjuryFingerHandLost, wounded(fingers...), rollKind{name: "climb"}, -1, -5},
		{cite.InjuryEye, wounded("eye:left"), rollKind{name: "perception", purpose: "sight"}, -1, 0},
		{"celesia.injury.eye by ear", wounded("eye:left"), rollKind{name: "perception"}, 0, 0},
		{cite.InjuryHand, wounded("hand:left"), rollKind{name: "swim"}, -1, 0},
		{"celesia.injury.head climb", wounded("head"), rollKind{name: "climb"}, 0, 0},
		{"celesia.injury.head lore", wounded("head"), rollKind{name: "lore"}, -1, 0},
		{cite.InjuryLeg, wounded("leg:left"), rollKind{name: "stealth"}, -1, 0},
		{cite.InjuryArm, wounded("arm:left"), rollKind{name: "acrobatics"}, -1, 0},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			tc.k.roll = rollSkill
			plus := int32(0)
			for _, m := range skillModifiers(tc.c, tc.k.name) {
				plus += m.Value
			}
			if net := weigh(edgesOf(tc.c, nil, tc.k)); net != tc.net || plus != tc.plus {
				t.Errorf("net %d modifier %d, want %d and %d", net, plus, tc.net, tc.plus)
			}
		})
	}
	// celesia.injury.head-ladder: two injuries and sickened are three sources on a Will save.
	c := wounded("head", "head")
	c.Conditions = []*eventv1.Condition{{Name: condSickened}}
	if net := weigh(edgesOf(c, nil, rollKind{roll: rollSave, name: "will"})); net != -3 {
		t.Errorf("Will save: net %d, want -3", net)
	}
	if net := weigh(edgesOf(c, afflicted(), rollKind{roll: rollAttack})); net != -1 {
		t.Errorf("attack: net %d, want -1", net)
	}
	// celesia.injury.arm: melee attacks against two injured arms have two advantages.
	arms := wounded("arm:left", "arm:right")
	if net := weigh(edgesOf(afflicted(), arms, rollKind{roll: rollAttack})); net != 2 {
		t.Errorf("melee against injured arms: net %d, want 2", net)
	}
	if net := weigh(edgesOf(afflicted(), arms, rollKind{roll: rollAttack, ranged: true})); net != 0 {
		t.Errorf("shot at injured arms: net %d, want 0", net)
	}
}

// celesia.dice.circumstance-table: 11 rows of advantage, 16 of disadvantage.
// celesia.injury.crippling-table: eight rows, 1 to 20 without gap.
func TestTables(t *testing.T) {
	if err := (System{}).Validate(); err != nil {
		t.Fatal(err)
	}
	adv := 0
	for _, c := range circumstances {
		if c.advantage {
			adv++
		}
	}
	if adv != 11 || len(circumstances)-adv != 16 {
		t.Errorf("%d advantages, %d disadvantages", adv, len(circumstances)-adv)
	}
	if len(cripples) != 8 {
		t.Errorf("%d rows of injuries", len(cripples))
	}
	for result, want := range map[int32]string{4: "scar", 8: "major-scar", 10: "finger", 12: "eye", 14: "hand", 16: "head", 18: "leg", 19: "arm", 26: "arm"} {
		if got := crippleAt(result).row; got != want {
			t.Errorf("%d gives %s, want %s", result, got, want)
		}
	}
	for _, broken := range []string{"", "h\n", "a,b,c,d,e,f\n1,4,scar,Scar,5,r\n6,20,x,X,1,r\n", "a,b,c,d,e,f\n1,19,scar,Scar,5,r\n", "a,b,c,d,e,f\n1,x,scar,Scar,5,r\n"} {
		if _, err := readCripples(broken); err == nil {
			t.Errorf("table %q was read", broken)
		}
	}
	for _, broken := range []string{"a,b,c,d,e,f\nup,self,attack,x,,r\n", "a,b,c,d,e,f\nadvantage,self,dance,x,,r\n", "a,b,c,d,e,f\nadvantage,self,attack,x,maybe,r\n"} {
		if _, err := readCircumstances(broken); err == nil {
			t.Errorf("table %q was read", broken)
		}
	}
}
