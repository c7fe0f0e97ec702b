package celesia

import (
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Every table that content may change decides as it was changed, cited where the
// row decided; a row of the book beside it stays the book's.
func TestEveryTableOfContent(t *testing.T) {
	t.Run("situations", func(t *testing.T) {
		f := plain(t, packed(t, map[string]string{"pack.yaml": "tables: [{name: situations, key_columns: 5}]\n",
			"tables/situations.csv": "rolls,who,condition,variant,limit,gives,kind,source,rule\n" +
				"attack,target,prone,,melee,disadvantage,,WHO prone,celesia.dice.adv-target-prone-melee\n" +
				"save,self,dazzled,,,advantage,,WHO dazzled,celesia.dice.dis-dazzled\n"}))
		f.Afflict("b", body.CondProne, "dazzled")
		f.Must(act("a", "attack", "sword", "b"), 15, 2) // the lower: prone is a disadvantage now
		f.wantCited("house.t.table-situations")
		if f.Roll("/to-hit").Total != 7 {
			t.Error(f.Roll("/to-hit"))
		}
		f.Resolve(func(r *rules.Resolution) error {
			strike.RollSaving(r, "probe", r.Creature("b"), nil, "will", 10, "probe", nil, "")
			return nil
		}, 3, 12)
		if f.Roll("probe").Total != 12 {
			t.Error(f.Roll("probe"))
		}
		f.Afflict("b", body.CondCowering)
		f.Must(act("a", "attack", "sword", "b"), 2) // cancelled by the book's row
		f.wantCited("house.t.table-situations", cite.DiceAdvTargetCowering)
	})
	t.Run("multiweapon", func(t *testing.T) {
		two := section(func(c *eventv1.CelesiaSheet) {
			c.Weapons = []*eventv1.CelesiaWeapon{{Name: "sword", Kind: "melee", Dice: "1d8", Hands: 1}, {Name: "knife", Kind: "melee", Dice: "1d4", Hands: 1, Light: true, Hand: "off"}}
		})
		for text, want := range map[string][2]int32{"": {-4, -8}, "yes,no,-1,-3\n": {-1, -3}} {
			files := map[string]string{"pack.yaml": "text: none\n"}
			if text != "" {
				files = map[string]string{"pack.yaml": "tables: [{name: multiweapon, key_columns: 2}]\n", "tables/multiweapon.csv": "light,feat,main,off\n" + text}
			}
			f := by(t, packed(t, files))
			f.AddAt(0, 0, fighter("a", "party", two))
			f.AddAt(5, 0, fighter("b", "foes", unarmed()))
			f.set(15, 5)
			f.Must(act("a", "multiweapon", "sword", "b"), 2, 2)
			rolls := f.Rolls("/to-hit")
			if rolls[0].Total != 7+want[0] || rolls[1].Total != 7+want[1] {
				t.Errorf("%q: %d and %d", text, rolls[0].Total, rolls[1].Total)
			}
			if text != "" {
				f.wantCited("house.t.table-multiweapon")
			}
		}
	})
	t.Run("crippling", func(t *testing.T) {
		f := plain(t, packed(t, map[string]string{"pack.yaml": "tables: [{name: crippling}]\n",
			"tables/crippling.csv": "from,to,row,title,negated,rule\n1,4,scar,A long scar,9,celesia.injury.scar\n"}))
		f.Hurt("b", 3)
		f.Must(act("a", "attack", "sword", "b"), 15, 8)
		f.Answer(body.DecCrippling, "scar")
		f.WantHP("b", 3) // all 8 are cancelled, as 9 would be
		f.wantCited("house.t.table-crippling")
	})
	t.Run("trade-offs", func(t *testing.T) {
		f := by(t, packed(t, map[string]string{"pack.yaml": "tables: [{name: trade-offs}]\n",
			"tables/trade-offs.csv": "bab,standard_steps,penalty,plus2_bonus,two_handed_power_attack,off_hand_or_secondary,combat_expertise_dodge,martial_steps,martial_penalty,martial_temp_hp,martial_temp_hp_with_shield\n" +
				"5,2,-3,7,9,2,6,3,-3,6,9\n"}))
		f.AddAt(0, 0, fighter("a", "party", ability("strength", 14)))
		f.AddAt(5, 0, fighter("b", "foes", unarmed()))
		f.set(15, 5)
		f.Must(act("a", "attack", "sword", "b", with(mending.OptionPower)), 15, 4)
		f.wantCited("house.t.table-trade-offs")
		if f.Roll("/to-hit").Total != 15+5+2-3 {
			t.Error(f.Roll("/to-hit"))
		}
		f.WantHP("b", 40-(4+2+7))
	})
	for name, text := range map[string]string{
		"trade-offs":  "bab,standard_steps,penalty,plus2_bonus,two_handed_power_attack,off_hand_or_secondary,combat_expertise_dodge,martial_steps,martial_penalty,martial_temp_hp,martial_temp_hp_with_shield\n22,6,-6,12,18,6,18,11,-11,22,33\n",
		"crippling":   "from,to,row,title,negated,rule\n1,5,scar,Scar,5,celesia.injury.scar\n",
		"multiweapon": "light,feat,main,off\nno,no,6,-10\n",
		"situations":  "rolls,who,condition,variant,limit,gives,kind,source,rule\nattack,self,shaken,,drunk,advantage,,x,celesia.dice.dis-shaken\n",
	} {
		if got := problems(t, map[string]string{"tables/" + name + ".csv": text}); !strings.Contains(got, name) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// problems are what is wrong with a pack of files.
func problems(t *testing.T, files map[string]string) string {
	t.Helper()
	if _, wrong := rulestest.Check(t, System{}, rulestest.Written(System{}, "t", files)); wrong != nil {
		return wrong.Error()
	}
	return ""
}

// What this system does not know is refused, with what is near.
func TestContentIsChecked(t *testing.T) {
	for effect, word := range map[string]string{
		`modifier: {to: attack/mele, amount: "1"}`: "attack/melee",
		`edge: {to: damage, direction: advantage}`: "damage",
		`bar: {action: atack}`:                     "attack",
		`extra_action: {counter: action}`:          "counter",
		`{trigger: hit, save: {save: reflexes, dc: "10", failed: [{damage: {amount: "1"}}]}}`: "reflex",
		`{trigger: hit, condition: {condition: shakened}}`:                                    "shaken",
		`{trigger: hit, hook: {name: pusch}}`:                                                 "push",
		`{trigger: hit, hook: {name: push, values: {feet: far}}}`:                             "whole number",
		`{trigger: hit, hook: {name: bleed, values: {point: "1"}}}`:                           "points",
	} {
		if got := problems(t, map[string]string{"rules.yaml": "- id: it\n  title: It\n  effects:\n    - " + effect + "\n"}); !strings.Contains(got, word) {
			t.Errorf("%s: %q, want a word of %q", effect, got, word)
		}
	}
}

// Injuries and conditions of content come with a sheet and by the game master's
// word, and count while they are there; what a condition brings goes with it.
func TestWhatTheGameMasterLays(t *testing.T) {
	book := packed(t, map[string]string{
		"injuries.yaml":   "- id: jaw\n  title: Broken jaw\n  effects:\n    - bar: {action: speak}\n    - modifier: {to: check/bluff, amount: \"-3\"}\n",
		"conditions.yaml": "- id: soaked\n  title: Soaked\n  implies: [shaken]\n"})
	f := plain(t, book)
	f.Put("b", &eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: "jaw", Description: "Broken jaw"}}, Conditions: []*eventv1.Condition{{Name: "soaked"}}})
	wantRefused(t, f.Try(act("b", "speak", "", "", withParameters("text", "ow"))), "house.t.jaw")
	if b := f.Creature("b"); !body.Has(b, body.CondShaken) {
		t.Errorf("b %v", b.Conditions)
	}
	b := f.Creature("b")
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "b", RemoveInjuries: []string{b.Injuries[0].Id},
		RemoveConditions: []string{body.Condition(b, "soaked").Id}}}})
	if b := f.Creature("b"); body.Has(b, "soaked") || body.Has(b, body.CondShaken) {
		t.Errorf("b %v", b.Conditions)
	}
	f.Must(act("b", "speak", "", "", withParameters("text", "ah")))
}
