// A transcript is computed from what was told, and finds whatever does not go with it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';

import { create, toBinary } from '@bufbuild/protobuf';
import { Transcript, TranscriptError, connect, execute, watch, wordsOf } from '../dist/index.js';
import { StepSchema } from '../dist/encounter.js';
import { Principal_Role as Role } from '../dist/event.js';
import { skip, up } from './server.mjs';

const gm = { role: Role.GM, name: 'mo' }, anyone = { role: Role.SPECTATOR };
let server;
before(async () => { if (!skip) server = await up(); });
after(() => server?.stop());

test('the words are those of the server', () => {
  const list = readFileSync(new URL('../../../pkg/attest/words.txt', import.meta.url), 'utf8').split(/\s+/).filter(Boolean);
  assert.equal(list.length, 256);
  for (let byte = 0; byte < 256; byte++) assert.equal(wordsOf(new Uint8Array(8).fill(byte)), Array(8).fill(list[byte]).join(' '));
  assert.equal(wordsOf(new Uint8Array(7)), '');
});

test('a step that was changed, left out, told twice or shown otherwise is found; what was kept is gone on from', { skip, timeout: 60_000 }, async () => {
  const table = connect({ url: server.web }), encounter = 'heard', say = (what) => execute(table, { as: gm, encounter, command: { what } });
  await say({ case: 'create', value: { system: 'rcr', title: 'Heard' } });
  await say({ case: 'add', value: { sheet: { id: 'a', name: 'Ann', side: 'x', size: 'medium', speeds: { walk: 30 }, hitPoints: 20,
    abilities: { strength: 15, dexterity: 12, constitution: 12, intelligence: 10, wisdom: 10, charisma: 10 }, section: { case: 'rcr', value: { level: 2, proficiencyBonus: 2, armorClass: 14 } } } } });
  await say({ case: 'edit', value: { creature: 'a', vitals: { hp: 7 } } });
  await say({ case: 'revert', value: { to: { case: 'last', value: true }, reason: 'no' } });
  const steps = [], transcript = new Transcript(encounter);
  let mark;
  for await (const e of watch(table, { encounter, as: anyone, withBytes: true })) {
    if (e.kind === 'step') { transcript.take(e.step); steps.push(e.step); }
    if (e.kind === 'caughtUp') { mark = e.public; break; }
  }
  assert.ok(steps.length > 1);
  assert.equal(transcript.words, mark.words);
  assert.equal(transcript.agrees(mark), true);
  assert.equal(transcript.agrees({ ...mark, transcript: transcript.at(mark.number - 1n).transcript }), false);
  assert.equal(transcript.agrees({ ...mark, words: 'other words' }), false);
  assert.equal(transcript.agrees({ ...mark, number: mark.number + 1n }), undefined);

  const first = steps[0], later = steps[1];
  const refused = (step, on = new Transcript(encounter)) => {
    const was = on.hash;
    assert.throws(() => on.take(step), (err) => err instanceof TranscriptError && err.number === step.number);
    assert.deepEqual(on.hash, was);
  };
  refused(later);
  refused({ ...first, bytes: new Uint8Array() });
  refused({ ...first, bytes: Uint8Array.of(...first.bytes, 0x18, 1) });
  refused({ ...first, transcript: later.transcript });
  refused({ ...first, unixMillis: first.unixMillis + 1n });
  refused({ ...first, events: [] });
  refused({ ...first, restored: { $typeName: 'skald.event.v1.State', ...{} } });
  refused(first, new Transcript('another'));
  refused(first, new Transcript(encounter, 'attic'));
  const on = new Transcript(encounter);
  on.take(first);
  refused(first, on);

  // A server that forges both the bytes and the transcript has other words.
  const other = create(StepSchema, { unixMillis: 1n });
  const forged = { ...create(StepSchema, { number: 1n, unixMillis: 1n }), bytes: toBinary(StepSchema, other) };
  refused(forged);

  const resumed = new Transcript(encounter, 'main', transcript.at(1n));
  for (const step of steps.slice(1)) resumed.take(step);
  assert.deepEqual([resumed.number, resumed.hash], [transcript.number, transcript.hash]);
  assert.equal(resumed.at(0n), undefined);
  assert.deepEqual(resumed.at(1n), transcript.at(1n));
});
