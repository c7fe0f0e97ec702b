package srd5e

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/sheet"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// record is a monster with the fields given, in JSON.
func record(more string) string {
	return `{"index":"drake","name":"Drake","size":"Large","type":"dragon","armor_class":[{"type":"dex","value":15}],"hit_points":50,"hit_dice":"10d10",
	"speed":{"walk":"40 ft.","fly":"80 ft."},"strength":18,"dexterity":14,"constitution":16,"intelligence":10,"wisdom":12,"charisma":12,"challenge_rating":5,"proficiency_bonus":3,
	"actions":[{"name":"Tail","desc":"Melee Weapon Attack: +7 to hit, reach 10 ft., one target. Hit: 9 (2d4 + 4) bludgeoning damage.","attack_bonus":7,
	"damage":[{"damage_type":{"index":"bludgeoning","name":"Bludgeoning","url":"/api/2014/damage-types/bludgeoning"},"damage_dice":"2d4+4"}]},
	{"name":"Bite (Drake Form Only)","desc":"Melee Weapon Attack: +7 to hit, reach 5 ft., one target. Hit: 9 (2d4 + 4) piercing damage.","attack_bonus":7,
	"damage":[{"damage_type":{"index":"piercing","name":"Piercing","url":"/api/2014/damage-types/piercing"},"damage_dice":"2d4+4"}]},
	{"name":"Dreadful Glare","desc":"The drake targets one creature within 60 feet of it. The target must succeed on a DC 15 Wisdom saving throw or become frightened for 1 minute.",
	"dc":{"dc_type":{"index":"wis","name":"WIS","url":"/api/2014/ability-scores/wis"},"dc_value":15,"success_type":"none"}}]` + more + `}`
}

func importOne(t *testing.T, more string) *eventv1.RcrSheet {
	t.Helper()
	got, _, err := Import([]byte(record(more)))
	if err != nil {
		t.Fatal(err)
	}
	return got[0].GetRcr()
}

// Legendary actions by the words of the records.
func TestLegendary(t *testing.T) {
	for _, c := range []struct{ name, desc, want string }{
		{"Detect", "The drake makes a Wisdom (Perception) check.", `{name: detect, skill: perception}`},
		{"Tail Attack", "The drake makes a tail attack.", `{name: tail attack, attack: tail}`},
		{"Bite (Costs 2 Actions)", "The drake makes one bite attack.", `{name: bite, attack: bite (drake form only), cost: 2}`},
		{"Glare (Costs 3 Actions)", "The drake uses its Dreadful Glare.", `{name: glare, power: dreadful glare, cost: 3}`},
		{"Move", "The drake moves up to half its speed.", `{name: move, move_percent: 50}`},
		{"Move", "The drake moves up to its speed without provoking opportunity attacks.", `{name: move, move_percent: 100, unprovoking: true}`},
		{"Teleport", "The drake magically teleports up to 120 feet to an unoccupied space it can see.", `{name: teleport, teleport_feet: 120}`},
		{"Cast a Spell (Costs 3 Actions)", "The drake casts a spell from its list of prepared spells, using a spell slot as normal.", `{name: cast a spell, cost: 3, casts: CASTS_ANY}`},
		{"Cantrip", "The drake casts a cantrip.", `{name: cantrip, casts: CASTS_CANTRIP}`},
		{"Sweep", "The drake sweeps its tail in silence.", `{name: sweep}`},
	} {
		got := importOne(t, `,"legendary_actions":[{"name":"`+c.name+`","desc":"`+c.desc+`"}]`)
		want, err := sheet.Parse([]byte("id: x\nname: x\nrcr: {legendary_actions: 3, legendary: [" + c.want + "]}"))
		if err != nil {
			t.Fatal(err)
		}
		if got.LegendaryActions != 3 || len(got.Legendary) != 1 || got.Legendary[0].String() != want.GetRcr().Legendary[0].String() {
			t.Errorf("%s: %s\ngot %v\nwant %v", c.name, c.desc, got.Legendary, want.GetRcr().Legendary)
		}
	}
	two := importOne(t, `,"legendary_actions":[{"name":"Attack","desc":"The drake makes one tail attack or uses its Dreadful Glare."}]`)
	if len(two.Legendary) != 2 || two.Legendary[0].Attack != "tail" || two.Legendary[1].Power != "dreadful glare" || two.Legendary[0].Name == two.Legendary[1].Name {
		t.Errorf("either of two: %v", two.Legendary)
	}
	wing := importOne(t, `,"legendary_actions":[{"name":"Wing Attack (Costs 2 Actions)","desc":"The drake beats its wings. Each creature within 10 ft. of the drake must succeed on a DC 19 Dexterity saving throw or take 13 (2d6 + 6) bludgeoning damage and be knocked prone.",
		"dc":{"dc_type":{"index":"dex","name":"DEX","url":"/api/2014/ability-scores/dex"},"dc_value":19,"success_type":"none"},
		"damage":[{"damage_type":{"index":"bludgeoning","name":"Bludgeoning","url":"/api/2014/damage-types/bludgeoning"},"damage_dice":"2d6+6"}]}]`)
	p := wing.Powers[slices.IndexFunc(wing.Powers, func(p *eventv1.RcrPower) bool { return p.Cost == "legendary" })]
	if wing.Legendary[0].Power != p.Name || wing.Legendary[0].Cost != 2 || p.Save.GetDc() != 19 || p.Damage[0].Dice != "2d6+6" || p.Effects[0].Condition != "prone" || p.RangeFeet != 10 {
		t.Errorf("a power of its own: %v, %v", wing.Legendary, p)
	}
}

func TestRegenerationAndParry(t *testing.T) {
	regain := func(desc string) *eventv1.RcrRegeneration {
		return importOne(t, `,"special_abilities":[{"name":"Regeneration","desc":"`+desc+`"}]`).Regeneration
	}
	if g := regain("The drake regains 10 hit points at the start of its turn. If the drake takes acid or fire damage, this trait doesn't function at the start of the drake's next turn. The drake dies only if it starts its turn with 0 hit points and doesn't regenerate."); g.GetAmount() != 10 || !slices.Equal(g.StoppedBy, []string{"acid", "fire"}) || !g.AtZero {
		t.Errorf("%v", g)
	}
	if g := regain("The drake regains 20 hit points at the start of its turn if it has at least 1 hit point and isn't in sunlight. If the drake takes radiant damage or damage from holy water, this trait doesn't function at the start of the drake's next turn."); g.GetAmount() != 20 || !slices.Equal(g.StoppedBy, []string{"radiant"}) || g.AtZero {
		t.Errorf("%v", g)
	}
	s := importOne(t, `,"reactions":[{"name":"Parry","desc":"The drake adds 3 to its AC against one melee attack that would hit it. To do so, the drake must see the attacker and be wielding a melee weapon."}]`)
	if p := s.Powers[len(s.Powers)-1]; p.Name != "parry" || p.Cost != "reaction" || p.Effects[0].Changes["armor-class"] != 3 || !p.Effects[0].Once {
		t.Errorf("%v", p)
	}
}

// Spells that are known do what they do, by the caster's level and ability.
func TestKnownSpells(t *testing.T) {
	casting := func(level, ability, spell string) *eventv1.RcrSpell {
		s := importOne(t, `,"special_abilities":[{"name":"Spellcasting","desc":"x","spellcasting":{"level":`+level+`,"dc":15,"modifier":7,
		"ability":{"index":"`+ability+`","name":"X","url":"/api/2014/ability-scores/`+ability+`"},"components_required":["V","S"],"slots":{"1":4},"spells":[`+spell+`]}}]`)
		return s.Spells[0]
	}
	for level, dice := range map[string]string{"1": "1d10", "4": "1d10", "5": "2d10", "10": "2d10", "11": "3d10", "17": "4d10"} {
		if sp := casting(level, "int", `{"name":"Fire Bolt","level":0}`); sp.Attack != "ranged" || sp.Damage[0].Dice != dice {
			t.Errorf("level %s: %v", level, sp)
		}
	}
	if sp := casting("5", "wis", `{"name":"Cure Wounds","level":1}`); sp.Healing != "1d8+1" || sp.UpcastDice != "1d8" {
		t.Errorf("%v", sp)
	}
	if sp := casting("5", "wis", `{"name":"Bless","level":1}`); sp.Material || !sp.Concentration || sp.Effects[0].Changes["attack.d4"] != 1 {
		t.Errorf("no material component by the record: %v", sp)
	}
	if sp := casting("5", "wis", `{"name":"Hold Person","level":2,"usage":{"type":"per day","times":3}}`); !sp.Innate || sp.Usage.GetUses() != 3 || sp.Usage.Recharge != "day" {
		t.Errorf("%v", sp)
	}
	if sp := casting("5", "wis", `{"name":"Thaumaturgy","level":0,"usage":{"type":"at will"}}`); !sp.Innate || sp.Usage != nil {
		t.Errorf("%v", sp)
	}
}
