package celesia

import (
	"os"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
)

// wild is content that does a bit of everything to everybody.
func wild(t testing.TB) *effects.Book {
	t.Helper()
	return packed(t, map[string]string{"rules.yaml": `
- id: rolls
  title: The rolls
  effects:
    - modifier: {to: attack, dice: 1d4}
    - modifier: {to: damage, dice: 1d4, type: cold}
    - when: self.hp * 2 < self.hp_max
      edge: {to: save, direction: advantage}
    - reroll: {to: check, up_to: 2}
    - critical_range: {from: from - 2}
    - modifier: {to: armor-class, amount: "-2"}
- id: bodies
  title: The bodies
  effects:
    - when: self.side == "foes"
      resistance: {types: [cold], less: "1"}
    - when: self.id == "b"
      immunity: {conditions: [prone, shaken]}
    - speed: {feet: feet + 5}
    - when: round > 2
      extra_action: {counter: acts}
    - when: self.id == "c"
      extra_action: {counter: acts, amount: "-1"}
    - aura: {feet: "5", who: others, effects: [{modifier: {to: save, amount: "1", kind: aura}}]}
- id: deeds
  title: The deeds
  effects:
    - cost: {action: stand-up, counter: acts, amount: cost - 1}
    - cost: {action: charge, counter: acts, amount: cost + 1}
    - no_provoke: {action: draw}
    - when: self.id == "d"
      bar: {action: trip}
    - when: self.id == "a"
      replace: {action: total-defense, by: fight-defensively}
- id: comes
  title: The comes
  effects:
    - trigger: critical
      hook: {name: push, values: {feet: "10"}}
    - trigger: critical
      hook: {name: cripple}
    - trigger: miss
      whom: self
      hook: {name: disarm}
    - trigger: hurt
      save: {save: fortitude, dc: "12", failed: [{condition: {condition: soaked, rounds: 2}}, {hook: {name: lose-acts}}], passed: [{temporary_hit_points: {amount: "1"}}]}
    - trigger: kill
      whom: self
      healing: {dice: 1d6}
    - trigger: cast
      save: {save: will, dc: "14", half: true, failed: [{damage: {dice: 1d6, type: fire}}, {condition: {condition: shaken, save_ends: true}}]}
    - trigger: save-failed
      hook: {name: bleed}
    - trigger: save-passed
      use: {resource: luck}
    - trigger: turn-start
      damage: {amount: "1"}
    - trigger: turn-end
      condition: {condition: soaked, remove: true}
    - trigger: round-start
      temporary_hit_points: {amount: "2"}
    - trigger: enter
      condition: {condition: soaked, rounds: 1}
`, "conditions.yaml": "- id: soaked\n  title: Soaked\n  implies: [entangled]\n  effects:\n    - speed: {feet: feet / 2}\n    - edge: {to: attack, direction: disadvantage}\n"})
}

// Fights at random with content keep what the rules promise, and what content bars,
// prices and replaces is listed as it is done.
func TestRandomPlayWithContent(t *testing.T) {
	book := wild(t)
	rulestest.Game{Env: os.Getenv, Seeds: 2, Steps: 90, Rounds: 3, Viewer: "a", Secret: secret, Signed: []string{body.CFirst, house.CounterSpeed + "walk"},
		Meddle: true, Set: func(t *testing.T, c *rulestest.Chance) *rulestest.Table { return skirmishBy(t, c, book) }, Beyond: beyondOptions}.Play(t)
}
