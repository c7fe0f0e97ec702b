// Rolls of a sheet as faces of open rolls: what fits, what is refused, and garbage.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { create } from '@bufbuild/protobuf';
import { isUnfit, onSheetRoll, readSheetRoll, takeFaces } from '../dist/beyond20.js';
import { answer, promptOf } from '../dist/index.js';
import { DecisionKind, DecisionSchema } from '../dist/event.js';

const character = { name: 'Jeera', type: 'Character', url: 'https://example.org/characters/1', id: '1', hp: 12 };
// A DiceRoll, as the documentation has it; a face in brackets is discarded.
const dice = (formula, ...faces) => {
  const [, amount, sides, modifiers] = /^(\d+)d(\d+)(.*)$/.exec(formula);
  const rolls = faces.map((f) => (Array.isArray(f) ? { roll: f[0], discarded: true } : { roll: f }));
  return { formula, amount: Number(amount), faces: Number(sides), total: 0, modifiers, rolls };
};
const roll = (parts, more = {}) => ({ formula: 'x', parts, 'critical-limit': 20, discarded: false, type: 'to-hit', total: 99, ...more });
const message = (type, attack_rolls, damage_rolls = [], more = {}) => ({
  action: 'rendered-roll', request: { action: 'roll', type, character }, title: 'Longsword', html: '<b>no</b>', character, whisper: 0,
  play_sound: true, source: 'x', attributes: {}, attack_rolls, roll_info: [], damage_rolls, total_damages: { Total: '12' }, ...more,
});
const plays = (c) => (c.url === character.url ? 'jeera' : undefined);
const want = (expression, label, creature = 'jeera', faces) => ({ creature, expression, ...(label ? { label } : {}), ...(faces ? { faces } : {}) });

const d20 = [roll([dice('1d20', 15), '+', 5])];
const advantage = [roll([dice('1d20', 15)]), roll([dice('1d20', 9)], { discarded: true })];
const sword = [['Slashing', roll([dice('1d8', 6), '+', 3], { type: 'damage' }), 1]];
const hit = message('attack', d20, sword);

const table = [
  ['to hit', hit, [want('1d20', 'attack/to-hit')], [15]],
  ['a modifier of the sheet counts for nothing', hit, [want('d20+2', 'attack/to-hit')], [15]],
  ['to hit and damage with one command', hit, [want('1d20', 'attack/to-hit'), want('1d8+4', 'attack/damage')], [15, 6]],
  ['the damage alone', hit, [want('1d8[slashing]+4')], [6]],
  ['advantage: both faces, the rules keep one', message('attack', advantage), [want('2d20kh1', 'attack/to-hit')], [15, 9]],
  ['advantage in one roll', message('attack', [roll([dice('2d20kh1', 15, [9])])]), [want('2d20kh1')], [15, 9]],
  ['two rolls shown, for a roll that keeps the lower', message('attack', [d20[0], roll([dice('1d20', 3)])]), [want('2d20kl1')], [15, 3]],
  ['a critical hit: dice by kind', message('attack', d20, [...sword, ['Fire', roll([dice('1d6', 2)]), 4], ['Slashing', roll([dice('1d8', 7)]), 17], ['Fire', roll([dice('1d6', 5)]), 20]]),
    [want('2d8+2d6[fire]+4', 'attack/damage')], [6, 7, 2, 5]],
  ['in both hands', message('attack', d20, [...sword, ['Slashing', roll([dice('1d10', 9)]), 2], ['Fire', roll([dice('1d6', 2)]), 4]]), [want('1d10+1d6', 'attack/damage')], [9, 2]],
  ['in one hand', message('attack', d20, [...sword, ['Slashing', roll([dice('1d10', 9)]), 2], ['Fire', roll([dice('1d6', 2)]), 4]]), [want('1d8+1d6', 'attack/damage')], [6, 2]],
  ['words among the damage', message('attack', d20, [['it leaps on', {}, 0], ...sword]), [want('1d8')], [6]],
  ['what may yet happen does not count', message('attack', d20, [...sword, ['Fire', roll([dice('1d8', 1)]), 32]]), [want('1d8', 'attack/damage')], [6]],
  ['digital dice', message('digital-dice', [roll([dice('2d6', 3, 4)])]), [want('2d6', 'attack/damage', 'jeera', 2)], [3, 4]],
  ['d%', message('custom', [roll([dice('1d100', 77)])]), [want('d%')], [77]],
  ['initiative', message('initiative', d20), [want('1d20', 'initiative/jeera')], [15]],
  ['unknown fields and parts', message('attack', [roll([{ odd: true }, dice('1d20', 15), null, 4], { new: {} })], [], { newer: [1] }), [want('1d20')], [15]],
  ['the game master, for no creature', hit, [want('1d20', '', '')], [15]],

  ['one die wanted, two rolled', message('attack', advantage), [want('1d20', 'attack/to-hit')], /^1d20 is to be rolled; the sheet rolled 2d20, and set one aside/],
  ['two wanted, one rolled', hit, [want('2d20kh1', 'attack/to-hit')], /2d20kh1 is to be rolled; the sheet rolled 1d20/],
  ['a die set aside where none is dropped', message('custom', [roll([dice('2d6kh1', 5, [2])])]), [want('2d6')], /set one aside/],
  ['other dice', hit, [want('1d12', 'attack/damage')], /1d12 is to be rolled; the sheet rolled 1d8/],
  ['more dice', message('attack', d20, [...sword, ['Fire', roll([dice('1d6', 2)]), 4]]), [want('1d8', 'attack/damage')], /rolled 1d8 \+ 1d6/],
  ['rolled again on the sheet', message('attack', [roll([dice('1d20ro<=1', [1], 14)])]), [want('2d20kh1')], /one was rolled again/],
  ['an expression that rolls again', hit, [want('1d8!')], /rolls some dice again/],
  ['fewer faces than the expression', message('custom', [roll([dice('2d6', 3, 4)])]), [want('2d6', '', 'jeera', 1)], /takes another number of faces here/],
  ['fate dice', hit, [want('4dF')], /fate dice/],
  ['an initiative for an attack', message('initiative', d20), [want('1d20', 'attack/to-hit')], /the sheet rolled initiative/],
  ['an attack for the initiative', hit, [want('1d20', 'initiative/jeera')], /the sheet rolled attack/],
  ['the die to hit for damage', message('attack', d20), [want('1d20', 'attack/damage')], /no dice are left/],
  ['twice the same die', hit, [want('1d20'), want('1d20')], /1d20 is to be rolled; the sheet rolled 1d8/],
  ['two that could be it', message('custom', [roll([dice('1d8', 1)])], sword), [want('1d8')], /two rolls of the sheet could be 1d8/],
  ["another's creature", hit, [want('1d20', '', 'grak')], /Jeera's sheet, which plays jeera; grak is to roll 1d20/],
  ["a sheet that is not the user's", message('attack', d20, [], { character: { name: 'Snag', type: 'Monster', url: 'x' } }), [want('1d20')], /Snag's sheet, which plays no creature of yours/],
  ['nothing asked', hit, [want('7')], /no dice are asked for/],
];
for (const [name, given, wanted, expected] of table) {
  test(name, () => {
    const read = readSheetRoll([given]), got = isUnfit(read) ? read : takeFaces(read, wanted, { plays });
    if (expected instanceof RegExp) assert.match(got.refused, expected);
    else assert.deepEqual(got.faces, expected, got.refused);
  });
}

test('to hit now, and the damage when it is asked for; then nothing is left', () => {
  const one = takeFaces(readSheetRoll(hit), [want('1d20')], { plays });
  const prompt = promptOf(create(DecisionSchema, { id: 'd', kind: DecisionKind.DICE, creature: 'jeera', expression: '1d8+4', faces: 1, label: 'attack/damage' }));
  const two = takeFaces(one.rest, [prompt], { plays });
  assert.deepEqual([...answer(prompt, two.faces).what.value.answer.faces], [6]);
  assert.deepEqual(two.rest.groups, []);
  assert.match(takeFaces(two.rest, [prompt], { plays }).refused, /no dice are left/);
});

test('dice of the browser where only those of D&D Beyond count; a whisper is told', () => {
  const read = readSheetRoll(message('attack', d20, [], { rendered: 'fallback', whisper: 1 }));
  assert.deepEqual([read.fallback, read.whispered], [true, true]);
  assert.match(takeFaces(read, [want('1d20')], { plays, digitalOnly: true }).refused, /only those of D&D Beyond/);
  assert.deepEqual(takeFaces(read, [want('1d20')], { plays }).faces, [15]);
});

test('events of the page', () => {
  const page = new EventTarget(), told = [], stop = onSheetRoll(page, (r) => told.push(r));
  const send = (detail, name = 'RenderedRoll') => page.dispatchEvent(Object.assign(new Event(`Beyond20_${name}`), { detail }));
  send([hit]);
  send([hit], 'UpdateHP');
  send(undefined);
  page.dispatchEvent(Object.defineProperty(new Event('Beyond20_RenderedRoll'), 'detail', { get() { throw new Error('denied'); } }));
  stop();
  send([hit]);
  assert.deepEqual(told.map((r) => r.refused ?? r.type), ['attack', 'that is no roll of a sheet', 'that is no roll of a sheet']);
});

test('garbage is refused with words and never throws', () => {
  const hostile = new Proxy({}, { get() { throw new Error('gotcha'); } });
  const deep = { action: 'rendered-roll' };
  deep.request = deep.character = deep.attack_rolls = deep; // no list
  const bad = (part) => message('attack', [roll([part])]);
  const garbage = [undefined, null, 0, 'x', [], [null], [[]], {}, [hostile], hostile, deep, { action: 'roll' }, message('attack', 'x', 7), message('attack', [null, 3, 'x'], [null, 3, [1], [1, 2, 3]]),
    bad(dice('1d20', 21)), bad(dice('1d20', 0)), bad(dice('1d20', 1.5)), bad(dice('1d20', NaN)), bad(dice('1d20', '15')), bad({ faces: 20, amount: 1, rolls: [null] }), bad({ faces: 'x', amount: 1, rolls: [{ roll: 1 }] }),
    bad({ faces: 1e9, amount: 1, rolls: [{ roll: 1 }] }), bad({ faces: 20, rolls: [{ roll: 1 }] }), bad({ faces: 20, amount: {}, rolls: [{ roll: 1 }] }), bad({ faces: 6, amount: 500, rolls: Array(500).fill({ roll: 1 }) })];
  for (const g of garbage) {
    const read = readSheetRoll(g);
    assert.ok(isUnfit(read) && read.refused.length > 0 && read.refused.length < 300, `${String(read.type)}`);
  }
  const odd = readSheetRoll(message({ toString: null }, d20, [], { title: 'x'.repeat(1e6), character: 7, request: [] }));
  assert.equal(odd.title.length, 200);
  assert.match(takeFaces(odd, [want('1d20')], { plays: () => { throw new Error('no'); } }).refused, /nobody's sheet/);
  assert.match(takeFaces(readSheetRoll(hit), [want('((((')], { plays }).refused, /no dice/);
});
