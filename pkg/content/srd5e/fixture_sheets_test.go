package srd5e

// fixtureSheets are the sheets that testdata/monsters.json should become,
// written from its records by hand.
var fixtureSheets = map[string]string{
	"reed-skirmisher": `
id: reed-skirmisher
name: Reed Skirmisher
size: small
speeds: {walk: 30, swim: 20}
hit_points: 7
abilities: {strength: 8, dexterity: 14, constitution: 10, intelligence: 10, wisdom: 8, charisma: 8}
made_of: [{number: armor-class, parts: [{source: leather armour, value: 11}, {source: Dexterity, value: 2}, {source: shield, value: 2}]}]
rcr:
  challenge_rating: 1/4
  creature_type: humanoid
  proficiency_bonus: 2
  armor_class: 15
  shield: SHIELD_SHIELD
  saves: {dexterity: 4}
  skills: [{name: stealth, bonus: 6, proficient: true}, {name: sleight of hand, bonus: 4, proficient: true}]
  languages: [Common, Reedspeech]
  senses: {darkvision: 60}
  passive_perception: 9
  hit_dice: [{size: 6, total: 2}]
  attacks:
    - {name: scimitar, bonus: 4, reach_feet: 5, damage: [{dice: 1d6+2, type: slashing}], properties: [one-handed, light, finesse], hand: main}
    - {name: shortbow, bonus: 4, range_feet: 80, long_range_feet: 320, damage: [{dice: 1d6+2, type: piercing}], properties: [two-handed, ammunition], hand: stowed}
    - {name: javelin, bonus: 1, reach_feet: 5, range_feet: 30, long_range_feet: 120, damage: [{dice: 1d6-1, type: piercing}], properties: [one-handed, thrown], hand: stowed}
`,
	"marsh-hound": `
id: marsh-hound
name: Marsh Hound
size: medium
speeds: {walk: 40}
hit_points: 11
abilities: {strength: 12, dexterity: 15, constitution: 12, intelligence: 3, wisdom: 12, charisma: 6}
made_of: [{number: armor-class, parts: [{source: unarmoured, value: 10}, {source: Dexterity, value: 2}, {source: natural armour, value: 1}]}]
rcr:
  challenge_rating: 1/8
  creature_type: beast
  proficiency_bonus: 2
  armor_class: 13
  skills: [{name: perception, bonus: 3, proficient: true}]
  passive_perception: 13
  hit_dice: [{size: 8, total: 2}]
  resources: [{name: relentless, current: 1, max: 1, recharge: short rest}]
  features: [{name: relentless, number: 5}]
  attacks:
    - {name: bite, bonus: 4, reach_feet: 5, damage: [{dice: 2d4+2, type: piercing}], natural: true, save: {ability: strength, dc: 11}, effects: [{condition: prone}]}
`,
	"cinder-drake": `
id: cinder-drake
name: Cinder Drake
size: huge
speeds: {walk: 40, fly: 80}
hit_points: 256
abilities: {strength: 27, dexterity: 10, constitution: 25, intelligence: 16, wisdom: 13, charisma: 21}
made_of: [{number: armor-class, parts: [{source: unarmoured, value: 10}, {source: natural armour, value: 9}]}]
rcr:
  challenge_rating: 17
  creature_type: dragon
  proficiency_bonus: 6
  armor_class: 19
  saves: {dexterity: 6, constitution: 13}
  skills: [{name: perception, bonus: 13, proficient: true}]
  languages: [Common, Draconic]
  senses: {blindsight: 60, darkvision: 120}
  passive_perception: 23
  immunities: [{type: fire}]
  hit_dice: [{size: 12, total: 19}]
  traits: [legendary resistance]
  features: [{name: death throes, feet: 10, dice: 2d6, type: fire, save: {ability: dexterity, dc: 20, half_on_success: true}}]
  resources: [{name: legendary resistance, current: 3, max: 3, recharge: long rest}]
  attacks:
    - {name: bite, bonus: 14, reach_feet: 10, damage: [{dice: 2d10+8, type: piercing}, {dice: 2d6, type: fire}], natural: true}
    - {name: claw, bonus: 14, reach_feet: 5, damage: [{dice: 2d6+8, type: slashing}], natural: true}
  multiattack:
    - name: 1 frightful presence, 1 bite, 2 claw
      parts: [{name: frightful presence, count: 1}, {name: bite, count: 1}, {name: claw, count: 2}]
  powers:
    - name: frightful presence
      cost: action
      save: {ability: wisdom, dc: 19}
      effects: [{condition: frightened, rounds: 10, save_ends: true}]
      range_feet: 120
      targets: 20
    - name: cinder breath
      cost: action
      save: {ability: dexterity, dc: 21, half_on_success: true}
      damage: [{dice: 18d6, type: fire}]
      usage: {uses: 1, recharge: recharge, recharge_from: 5}
      range_feet: 60
      targets: 20
    - {name: tail sweep, cost: legendary, save: {ability: dexterity, dc: 22}, damage: [{dice: 2d6+8, type: bludgeoning}]}
  legendary_actions: 3
  legendary: [{name: tail sweep, power: tail sweep}]
`,
	"bright-wyrmling": `
id: bright-wyrmling
name: Bright Wyrmling
size: medium
speeds: {walk: 30, fly: 60, burrow: 15}
hit_points: 60
abilities: {strength: 19, dexterity: 14, constitution: 17, intelligence: 14, wisdom: 11, charisma: 16}
made_of: [{number: armor-class, parts: [{source: unarmoured, value: 10}, {source: Dexterity, value: 2}, {source: natural armour, value: 5}]}]
rcr:
  challenge_rating: 3
  creature_type: dragon
  proficiency_bonus: 2
  armor_class: 17
  passive_perception: 10
  hit_dice: [{size: 8, total: 8}]
  powers:
    - name: fire breath
      cost: action
      save: {ability: dexterity, dc: 13, half_on_success: true}
      damage: [{dice: 4d10, type: fire}]
      usage: {uses: 1, recharge: recharge, recharge_from: 6, shared: breath weapons}
      range_feet: 15
      targets: 20
    - name: sleep breath
      cost: action
      save: {ability: constitution, dc: 13}
      effects: [{condition: unconscious, rounds: 10}]
      usage: {uses: 1, recharge: recharge, recharge_from: 6, shared: breath weapons}
      range_feet: 15
      targets: 20
    - name: first roar
      cost: action
      save: {ability: wisdom, dc: 13}
      effects: [{condition: frightened, rounds: 10, save_ends: true}]
      usage: {uses: 1, recharge: day}
      range_feet: 100
      targets: 20
    - name: second roar
      cost: action
      save: {ability: constitution, dc: 13, half_on_success: true}
      damage: [{dice: 2d8, type: thunder}]
      effects: [{condition: prone}]
      usage: {uses: 1, recharge: day}
      range_feet: 100
      targets: 20
`,
	"ashen-shade": `
id: ashen-shade
name: Ashen Shade
size: medium
speeds: {walk: 40}
hit_points: 1
abilities: {strength: 6, dexterity: 14, constitution: 3, intelligence: 6, wisdom: 10, charisma: 8}
made_of: [{number: armor-class, parts: [{source: unarmoured, value: 10}, {source: Dexterity, value: 2}]}]
rcr:
  challenge_rating: 1/2
  creature_type: undead
  proficiency_bonus: 2
  armor_class: 12
  languages: ["understands Abyssal, Common, and Infernal but can't speak", telepathy 60 ft. (works only in the dark)]
  senses: {truesight: 30, tremorsense: 10}
  passive_perception: 10
  vulnerabilities: [{type: radiant}]
  resistances:
    - {type: acid}
    - {type: bludgeoning, nonmagical_only: true, except_silvered: true, note: "bludgeoning, piercing, and slashing from nonmagical weapons that aren't silvered"}
    - {type: piercing, nonmagical_only: true, except_silvered: true, note: "bludgeoning, piercing, and slashing from nonmagical weapons that aren't silvered"}
    - {type: slashing, nonmagical_only: true, except_silvered: true, note: "bludgeoning, piercing, and slashing from nonmagical weapons that aren't silvered"}
  immunities:
    - {type: poison}
    - {type: piercing, nonmagical_only: true, except_adamantine: true, note: "piercing and slashing from nonmagical weapons that aren't adamantine"}
    - {type: slashing, nonmagical_only: true, except_adamantine: true, note: "piercing and slashing from nonmagical weapons that aren't adamantine"}
    - {type: bludgeoning, nonmagical_only: true, note: "bludgeoning, piercing, and slashing from nonmagical attacks (from stoneskin)"}
    - {type: piercing, nonmagical_only: true, note: "bludgeoning, piercing, and slashing from nonmagical attacks (from stoneskin)"}
    - {type: slashing, nonmagical_only: true, note: "bludgeoning, piercing, and slashing from nonmagical attacks (from stoneskin)"}
  condition_immunities: [exhaustion, frightened, poisoned]
  hit_dice: [{size: 8, total: 1}]
  traits: [magic weapons]
  attacks:
    - {name: strength drain, bonus: 4, reach_feet: 5, damage: [{dice: "1", type: piercing}], natural: true, magical: true}
    - name: withering mark
      bonus: 4
      range_feet: 60
      spell: true
      natural: true
      magical: true
      damage: [{dice: 2d4, type: necrotic}]
      save: {ability: constitution, dc: 12}
      save_damage: [{dice: 2d4, type: poison}]
      effects: [{condition: poisoned, rounds: 3, save_ends: true}]
`,
	"hedge-witch": `
id: hedge-witch
name: Hedge Witch
size: medium
speeds: {walk: 30}
hit_points: 40
abilities: {strength: 9, dexterity: 14, constitution: 11, intelligence: 17, wisdom: 12, charisma: 11}
made_of: [{number: armor-class, parts: [{source: unarmoured, value: 10}, {source: Dexterity, value: 2}]}]
rcr:
  challenge_rating: 6
  creature_type: humanoid
  proficiency_bonus: 3
  armor_class: 12
  saves: {intelligence: 6, wisdom: 4}
  skills: [{name: arcana, bonus: 6, proficient: true}]
  languages: [any four languages]
  passive_perception: 10
  spell_dc: 14
  spell_attack_bonus: 6
  spell_slots: [4, 2]
  hit_dice: [{size: 8, total: 9}]
  spells:
    - {name: fire bolt, casting_time: action, verbal: true, somatic: true, range_feet: 120, attack: ranged, damage: [{dice: 1d10, type: fire}]}
    - {name: mage armor, level: 1, casting_time: action, verbal: true, somatic: true, material: true, effects: [{condition: armored, changes: {armor-class-at-least: 15}}]}
    - name: blindness/deafness
      level: 2
      casting_time: action
      verbal: true
      range_feet: 30
      save: {ability: constitution}
      effects: [{condition: blinded, rounds: 10, save_ends: true}]
      upcast_targets: 1
    - {name: detect magic, level: 1, verbal: true, somatic: true, innate: true}
    - {name: fly, level: 3, verbal: true, somatic: true, innate: true, usage: {uses: 1, recharge: day}}
  attacks:
    - name: storm dagger
      bonus: 5
      reach_feet: 5
      range_feet: 20
      long_range_feet: 60
      damage: [{dice: 1d4+2, type: piercing}, {dice: 1d6, type: lightning}]
      properties: [one-handed, light, finesse, thrown]
      hand: main
  powers:
    - {name: healing touch, cost: action, healing: 2d8+2, usage: {uses: 3, recharge: day}, range_feet: 5}
    - name: hex
      cost: action
      save: {ability: wisdom, dc: 14}
      effects: [{condition: charmed, rounds: 1}]
      usage: {uses: 1, recharge: long rest}
      range_feet: 60
`,
	"hill-sentinel": `
id: hill-sentinel
name: Hill Sentinel
size: medium
speeds: {walk: 30, climb: 30}
hit_points: 45
abilities: {strength: 16, dexterity: 12, constitution: 16, intelligence: 10, wisdom: 12, charisma: 10}
rcr:
  challenge_rating: 2
  creature_type: humanoid
  proficiency_bonus: 2
  armor_class: 15
  shield: SHIELD_SHIELD
  skills: [{name: athletics, bonus: 5, proficient: true}]
  languages: [Common, Giant]
  passive_perception: 10
  hit_dice: [{size: 8, total: 6}]
  attacks:
    - name: longsword
      bonus: 5
      reach_feet: 5
      damage: [{dice: 1d8+3, type: slashing}, {dice: 1d6, type: fire}]
      two_handed_damage: [{dice: 1d10+3, type: slashing}, {dice: 1d6, type: fire}]
      properties: [one-handed, versatile]
      hand: main
    - {name: hand axe, bonus: 5, reach_feet: 5, range_feet: 20, long_range_feet: 60, damage: [{dice: 1d6+3, type: slashing}], properties: [one-handed, thrown], hand: stowed}
    - {name: shield bash, bonus: 5, reach_feet: 5, damage: [{dice: 2d4+3, type: bludgeoning}], properties: [one-handed], hand: "off", save: {ability: strength, dc: 13}, effects: [{condition: prone}]}
    - name: poisoned shortsword
      bonus: 5
      reach_feet: 5
      damage: [{dice: 1d6+3, type: piercing}]
      properties: [one-handed, light, finesse]
      hand: stowed
      save: {ability: constitution, dc: 12, half_on_success: true}
      save_damage: [{dice: 3d6, type: poison}]
  multiattack:
    - {name: "1 longsword, 1 shield bash", parts: [{name: longsword, count: 1}, {name: shield bash, count: 1}]}
    - {name: 2 hand axe, parts: [{name: hand axe, count: 2}]}
    - {name: 2 longsword, parts: [{name: longsword, count: 2}]}
  powers:
    - {name: parry, cost: reaction, effects: [{condition: parrying, once: true, changes: {armor-class: 2}}]}
    - {name: unnerving mask, cost: reaction, save: {ability: wisdom, dc: 11}, effects: [{condition: frightened}], range_feet: 30}
`,
	"gloom-spinner": `
id: gloom-spinner
name: Gloom Spinner
size: large
speeds: {walk: 30, climb: 30}
hit_points: 26
abilities: {strength: 14, dexterity: 16, constitution: 12, intelligence: 2, wisdom: 11, charisma: 4}
made_of: [{number: armor-class, parts: [{source: unarmoured, value: 10}, {source: Dexterity, value: 3}, {source: natural armour, value: 1}]}]
rcr:
  challenge_rating: 1
  creature_type: monstrosity
  proficiency_bonus: 2
  armor_class: 14
  senses: {blindsight: 10}
  passive_perception: 10
  hit_dice: [{size: 10, total: 4}]
  attacks:
    - name: bite
      bonus: 5
      reach_feet: 5
      natural: true
      damage: [{dice: 1d8+3, type: piercing}]
      save: {ability: constitution, dc: 11, half_on_success: true}
      save_damage: [{dice: 2d8, type: poison}]
    - {name: web, bonus: 5, range_feet: 30, long_range_feet: 60, natural: true, effects: [{condition: restrained, escape_dc: 12}], usage: {uses: 1, recharge: recharge, recharge_from: 5}}
    - {name: tendril, bonus: 4, reach_feet: 50, natural: true, effects: [{condition: grappled, escape_dc: 13}, {condition: restrained, escape_dc: 13}]}
    - name: fangs
      bonus: 5
      reach_feet: 5
      natural: true
      damage: [{dice: 1d6+3, type: piercing}]
      save: {ability: constitution, dc: 13}
      effects: [{condition: poisoned, rounds: 600}, {condition: paralyzed, rounds: 600}]
  multiattack:
    - {name: "1 bite, 1 reel", parts: [{name: bite, count: 1}, {name: reel, count: 1}]}
  powers:
    - {name: reel, cost: action, range_feet: 25, targets: 20}
`,
	"many-headed-eel": `
id: many-headed-eel
name: Many-Headed Eel
size: huge
speeds: {walk: 0, swim: 50}
hit_points: 172
abilities: {strength: 20, dexterity: 12, constitution: 20, intelligence: 2, wisdom: 10, charisma: 7}
made_of: [{number: armor-class, parts: [{source: unarmoured, value: 10}, {source: Dexterity, value: 1}, {source: natural armour, value: 4}]}]
rcr:
  challenge_rating: 8
  creature_type: monstrosity
  proficiency_bonus: 3
  armor_class: 15
  passive_perception: 10
  hit_dice: [{size: 12, total: 15}]
  traits: [multiple heads]
  attacks:
    - {name: bite, bonus: 8, reach_feet: 10, natural: true, damage: [{dice: 1d10+5, type: piercing}], effects: [{condition: grappled, escape_dc: 16}]}
  multiattack:
    - {name: 4 bite, parts: [{name: bite, count: 4}]}
  powers:
    - {name: swallow, cost: action}
    - name: engulf
      cost: action
      save: {ability: dexterity, dc: 12}
      damage: [{dice: 3d6, type: acid}]
      effects: [{condition: restrained, escape_dc: 12}]
      range_feet: 10
`,
	"swarm-of-moths": `
id: swarm-of-moths
name: Swarm of Moths
size: medium
speeds: {fly: 30}
hit_points: 22
abilities: {strength: 3, dexterity: 15, constitution: 10, intelligence: 1, wisdom: 12, charisma: 2}
made_of: [{number: armor-class, parts: [{source: unarmoured, value: 10}, {source: Dexterity, value: 2}]}]
rcr:
  challenge_rating: 0
  creature_type: swarm of tiny beasts
  proficiency_bonus: 2
  armor_class: 12
  passive_perception: 10
  hit_dice: [{size: 8, total: 5}]
  attacks:
    - {name: bites, bonus: 4, reach_feet: 5, natural: true, damage: [{dice: 2d4, type: piercing}]}
  multiattack:
    - {name: 1 bites, parts: [{name: bites, count: 1}]}
    - {name: 2 bites, parts: [{name: bites, count: 2}]}
    - {name: 3 bites, parts: [{name: bites, count: 3}]}
  powers:
    - {name: dust cloud, cost: action, usage: {uses: 1, recharge: short rest}, range_feet: 5}
`,
	"pond-frog": `
id: pond-frog
name: Pond Frog
size: tiny
speeds: {walk: 20, swim: 20}
hit_points: 1
abilities: {strength: 1, dexterity: 13, constitution: 8, intelligence: 1, wisdom: 8, charisma: 3}
made_of: [{number: armor-class, parts: [{source: unarmoured, value: 10}, {source: Dexterity, value: 1}]}]
rcr:
  challenge_rating: 0
  creature_type: beast
  proficiency_bonus: 2
  armor_class: 11
  hit_dice: [{size: 4, total: 1}]
`,
}
