// The fold equals the server's, for every viewer, over every step of the vectors; and the
// vectors find a reader who does not know the rules.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';

import { create } from '@bufbuild/protobuf';
import { entry, fold, foldEvents, newState } from '../dist/index.js';
import { EventSchema } from '../dist/event.js';
import { check, runs } from './vectors.mjs';

const dir = new URL('../../vectors/', import.meta.url);
const files = readdirSync(dir).filter((f) => f.startsWith('fold-')).map((f) => new URL(f, dir).pathname);
const event = (name, value) => create(EventSchema, { what: { case: name, value } });

test('there are vectors of five systems and made ones', () => assert.equal(files.length, 6));
for (const file of files) {
  test(file.split('/').at(-1), () => {
    let steps = 0;
    for (const run of runs(file)) {
      assert.equal(check(run), '');
      steps += run.steps.length;
    }
    assert.ok(steps > 100, `${steps} steps`);
  });
}

// Each of these readers makes one mistake of docs/FOLD.md.
const naive = {
  'folds the events of a ruling': (state, step) => foldEvents(state, step.events),
  'takes removal for all there is': (state, step) => fold(state, { ...step, events: step.events.filter((e) => e.what.case !== 'conditionRemoved') }),
  'lets the phase stand': (state, step) => fold(state, { ...step, events: step.events.filter((e) => e.what.case !== 'roundEnded') }),
  'ends turns with the round alone': (state, step) => fold(state, { ...step, events: step.events.filter((e) => e.what.case !== 'turnEnded') }),
};
for (const [mistake, by] of Object.entries(naive)) {
  test(`the vectors find who ${mistake}`, () => {
    assert.ok(files.some((file) => [...runs(file)].some((run) => check(run, by) !== '')));
  });
}

test('ids that an object knows of itself are ids as others', () => {
  let state = foldEvents(newState(), ['constructor', 'toString', 'hasOwnProperty'].map((id) => event('hitPoints', { creature: id, hp: 1 })));
  assert.deepEqual(Object.keys(state.creatures), []);
  state = foldEvents(state, [event('creatureAdded', { creature: '__proto__', side: '__proto__' }), event('hitPoints', { creature: '__proto__', hp: 7 })]);
  assert.equal(entry(state.creatures, '__proto__')?.hp, 7);
  assert.equal({}.hp, undefined);
});

test('what a step does not touch is shared with the state before', () => {
  const one = foldEvents(newState(), [event('creatureAdded', { creature: 'a' }), event('creatureAdded', { creature: 'b' })]);
  const two = foldEvents(one, [event('hitPoints', { creature: 'a', hp: 3 })]);
  assert.equal(one.creatures.a.hp, undefined);
  assert.notEqual(one.creatures.a, two.creatures.a);
  assert.equal(one.creatures.b, two.creatures.b);
});
