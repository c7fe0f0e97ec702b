// Options to forms and back, prompts and answers, and tokens that run out.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';

import { create, fromJson, toJson } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { FormError, answer, authorize, commandOf, formOf, problemsOf, promptOf } from '../dist/index.js';
import { CommandSchema, DecisionKind, DecisionSchema, OptionSchema } from '../dist/event.js';
import { check, forms } from './formvectors.mjs';

const dir = new URL('../../vectors/', import.meta.url), files = readdirSync(dir).filter((f) => f.startsWith('forms-'));
test('there are forms of five systems and made ones', () => assert.equal(files.length, 6));
for (const file of files) {
  test(file, () => {
    let filled = 0;
    for (const v of forms(new URL(file, dir))) {
      const [differs, n] = check(v);
      assert.equal(differs, '');
      filled += n;
    }
    assert.ok(filled > 20, `${filled} filled in`);
  });
}

test('a vector that says otherwise is found', () => {
  const [v] = forms(new URL('forms-made.jsonl.gz', dir)).filter((f) => f.fills?.some((fill) => fill.command?.take));
  v.fills.find((fill) => fill.command?.take).command.take.action = 'another';
  assert.notEqual(check(v)[0], '');
});

const option = (json) => formOf(fromJson(OptionSchema, json));
const sent = (command) => toJson(CommandSchema, command);

test('an option with targets, fields and facts', () => {
  const form = option({ creature: 'a', action: 'swing', item: 'pole', legal: true, costs: { action: 1, bonus: 0 }, targets: ['b', 'c'], minimumTargets: 1, maximumTargets: 1,
    parameters: [{ name: 'grip', type: 'string', values: ['one', 'two'], required: true, matter: 'actor' }, { name: 'feet', type: 'number', minimum: 5, maximum: 30 }],
    facts: [{ name: 'cover', type: 'string', values: ['none', 'half'], matter: 'world' }] });
  assert.deepEqual(form.costs, [{ counter: 'action', amount: 1 }]);
  const fields = (values) => problemsOf(form, values).map((p) => p.field);
  assert.deepEqual(fields({}), ['targets', 'fields.grip']);
  assert.deepEqual(fields({ targets: ['b', 'z'], fields: { grip: 'three', feet: 31, more: 1 }, facts: { cover: 3 } }), ['targets', 'targets', 'fields.grip', 'fields.feet', 'fields.more', 'facts.cover']);
  assert.throws(() => commandOf(form), FormError);
  assert.deepEqual(sent(commandOf(form, { targets: ['b'], fields: { grip: 'two', feet: 10 }, facts: { cover: 'half' }, path: [{ x: 5 }], faces: [17] })), { faces: [17],
    take: { creature: 'a', action: 'swing', item: 'pole', targets: ['b'], path: [{ x: 5 }], parameters: { grip: 'two', feet: 10 }, facts: { cover: 'half' } } });
});

test('what is chosen inside is named by the parameter action', () => {
  const form = option({ creature: 'a', action: 'ready', legal: true, parameters: [{ name: 'trigger', type: 'string', required: true }],
    choices: [{ creature: 'a', action: 'swing', item: 'pole', legal: true, targets: ['b'], minimumTargets: 1, maximumTargets: 1 }] });
  assert.deepEqual(problemsOf(form).map((p) => p.field), ['choice']);
  assert.deepEqual(sent(commandOf(form.choices[0], { targets: ['b'], fields: { trigger: 'it comes' } })),
    { take: { creature: 'a', action: 'ready', item: 'pole', targets: ['b'], parameters: { action: 'swing', trigger: 'it comes' } } });
});

test('a required way is given by the path; the end of the turn is a command of its own', () => {
  const form = option({ creature: 'a', action: 'go', legal: true, parameters: [{ name: 'path', type: 'path', required: true }] });
  assert.deepEqual(problemsOf(form).map((p) => p.field), ['fields.path']);
  assert.deepEqual(sent(commandOf(form, { path: [{ x: 5, y: 5 }] })), { take: { creature: 'a', action: 'go', path: [{ x: 5, y: 5 }] } });
  assert.deepEqual(sent(commandOf(option({ creature: 'a', action: 'end-turn', legal: true }))), { endTurn: { creature: 'a' } });
});

test('prompts take what they list', () => {
  const choose = promptOf(create(DecisionSchema, { id: 'd', kind: DecisionKind.OPTION, defaultOption: 'no', options: [{ id: 'yes' }, { id: 'no', text: 'Let it go' }] }));
  assert.equal(choose.otherwise, 'Let it go');
  assert.deepEqual(sent(answer(choose, 'yes', true)), { answer: { decision: 'd', answer: { option: 'yes' }, alike: true } });
  assert.throws(() => answer(choose, 'maybe'), FormError);
  const number = promptOf(create(DecisionSchema, { id: 'n', kind: DecisionKind.NUMBER, minimum: 1, maximum: 3 }));
  for (const bad of [0, 4, 1.5, NaN, '2']) assert.throws(() => answer(number, bad), FormError);
  const dice = promptOf(create(DecisionSchema, { id: 'r', kind: DecisionKind.DICE, faces: 2, expression: '2d6' }));
  assert.throws(() => answer(dice, [3]), FormError);
  assert.deepEqual(sent(answer(dice, [3, 4])), { answer: { decision: 'r', answer: { faces: [3, 4] } } });
});

test('a token that is not taken any more is asked for anew, once', async () => {
  const asked = [], seen = [];
  const { interceptor, renewToken } = authorize((stale) => { asked.push(stale); return stale ? 'new' : 'old'; });
  const call = interceptor(async (request) => {
    seen.push(request.header.get('authorization'));
    if (request.header.get('authorization') !== 'Bearer new') throw new ConnectError('no', Code.Unauthenticated);
    return { ok: true };
  });
  await call({ stream: false, header: new Headers() });
  assert.deepEqual([asked, seen], [[undefined, 'old'], ['Bearer old', 'Bearer new']]);
  renewToken();
  await call({ stream: true, header: new Headers() });
  assert.deepEqual(asked.at(-1), 'new');
});
