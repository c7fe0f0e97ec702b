// Against a real server: commands once, watches whole, over connections that are cut.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';

import { equals } from '@bufbuild/protobuf';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { Code, SkaldError, connect, execute, fold, newState, requestId, watch } from '../dist/index.js';
import { Principal_Role as Role, StateSchema } from '../dist/event.js';
import { proxy, skip, up } from './server.mjs';

const gm = { role: Role.GM, name: 'mo' }, kim = { role: Role.PLAYER, name: 'kim' }, anyone = { role: Role.SPECTATOR };
const fast = { first: 5, most: 50 };
let server, direct, id = 0;
const limit = { skip, timeout: 60_000 };

before(async () => {
  if (skip) return;
  server = await up();
  direct = connect({ url: server.web });
});
after(() => server?.stop());

async function fight(on = direct) {
  const encounter = `f${++id}`, say = (what, as = gm) => execute(on, { as, encounter, command: { what } }, { backoff: fast });
  await say({ case: 'create', value: { system: 'rcr', title: 'A fight' } });
  const sheet = { size: 'medium', speeds: { walk: 30 }, hitPoints: 20, abilities: { strength: 15, dexterity: 12, constitution: 12, intelligence: 10, wisdom: 10, charisma: 10 },
    section: { case: 'rcr', value: { level: 2, proficiencyBonus: 2, armorClass: 14 } } };
  await say({ case: 'add', value: { sheet: { ...sheet, id: 'a', name: 'Ann', side: 'x', controllers: ['kim'] } } });
  await say({ case: 'add', value: { sheet: { ...sheet, id: 'b', name: 'Bo', side: 'y' } } });
  return { encounter, say };
}

const edit = (hp) => ({ case: 'edit', value: { creature: hp % 2 ? 'a' : 'b', vitals: { hp } } });

test('every viewer is told everything once while connections are cut, rulings included', limit, async () => {
  const way = await proxy(server.web), { encounter, say } = await fight(), stop = new AbortController();
  try {
    const watchers = [gm, kim, anyone].map(async (as) => {
      const seen = { as, state: newState(), numbers: [], lost: 0, restored: 0 };
      for await (const e of watch(connect({ url: way.url }), { encounter, as }, { signal: stop.signal, backoff: fast })) {
        if (e.kind === 'lost') seen.lost++;
        if (e.kind !== 'step') continue;
        seen.numbers.push(e.step.number);
        seen.state = fold(seen.state, e.step);
        if (e.step.restored) seen.restored++;
        if (e.step.events.some((x) => x.what.case === 'encounterEnded')) break;
      }
      return seen;
    });
    for (let n = 1; n <= 40; n++) {
      await say(edit(1 + (n % 19)));
      if (n % 5 === 0) await say({ case: 'revert', value: { to: { case: 'last', value: true }, reason: 'no' } });
      if (n % 10 === 0) await say({ case: 'redo', value: { reason: 'yes' } });
      if (n % 4 === 0) way.cut();
    }
    await say({ case: 'end', value: {} });
    for (const seen of await Promise.all(watchers)) {
      assert.ok(seen.lost > 0 && seen.restored > 0, `${seen.lost} lost, ${seen.restored} restored`);
      assert.deepEqual(seen.numbers, seen.numbers.map((_, i) => BigInt(i + 1)));
      const at = seen.numbers.at(-1), shown = await direct.encounters.getState({ encounter, as: seen.as, at });
      assert.ok(equals(StateSchema, seen.state, shown.state));
    }
  } finally {
    stop.abort();
    way.close();
  }
});

test('a proxy that holds streams back: histories are asked for, and nothing is missed', limit, async () => {
  const way = await proxy(server.web), { encounter, say } = await fight(), stop = new AbortController();
  way.silent = true;
  const numbers = [];
  let polling = false;
  try {
    for await (const e of watch(connect({ url: way.url }), { encounter, as: gm }, { signal: stop.signal, backoff: fast, firstMillis: 100, pollMillis: 20 })) {
      if (e.kind === 'step') numbers.push(e.step.number);
      if (e.kind === 'caughtUp') {
        polling = e.polling;
        await say(edit(7));
      }
      if (numbers.length === 4) stop.abort();
    }
    assert.deepEqual([numbers, polling], [[1n, 2n, 3n, 4n], true]);
  } finally {
    way.close();
  }
});

test('a command whose answer is lost is carried out once', limit, async () => {
  const way = await proxy(server.web), { encounter } = await fight(), on = connect({ url: way.url });
  try {
    const before = (await direct.encounters.getState({ encounter, as: gm })).number, jobs = [];
    const cutter = setInterval(way.cut, 7);
    for (let n = 0; n < 30; n++) jobs.push(await execute(on, { as: gm, encounter, command: { what: edit(1 + (n % 19)) } }, { backoff: fast }));
    clearInterval(cutter);
    const after = (await direct.encounters.getState({ encounter, as: gm })).number;
    assert.equal(after - before, 30n);
  } finally {
    way.close();
  }
});

test('errors say code, reason, rule and fields', limit, async () => {
  const { encounter, say } = await fight();
  await assert.rejects(execute(direct, { as: gm, encounter: 'nowhere', command: { what: { case: 'start', value: {} } } }),
    (err) => err instanceof SkaldError && err.code === Code.NotFound && err.reason === 'UNKNOWN_ENCOUNTER' && !err.again);
  await assert.rejects(say({ case: 'edit', value: { creature: 'a', vitals: { relations: [{ kind: '', to: 'zz' }] } } }),
    (err) => err.code === Code.InvalidArgument && err.violations.length > 0 && err.violations[0].field.startsWith('edit.vitals'));
  const once = requestId(), first = { requestId: once, as: gm, encounter, command: { what: edit(3) } };
  assert.equal((await execute(direct, first)).repeated, false);
  assert.equal((await execute(direct, first)).repeated, true);
  await assert.rejects(execute(direct, { ...first, command: { what: edit(4) } }), (err) => err.reason === 'REQUEST_ID_REUSED');
});

test('nobody there: the command gives up in time, and the signal ends it at once', limit, async () => {
  const nobody = connect({ url: 'http://127.0.0.1:1' }), request = { as: gm, encounter: 'x', command: { what: { case: 'start', value: {} } } };
  await assert.rejects(execute(nobody, request, { backoff: fast, withinMillis: 200 }), (err) => err instanceof SkaldError && err.again);
  await assert.rejects(execute(nobody, request, { signal: AbortSignal.timeout(50) }), { name: 'TimeoutError' });
});

test('a cursor of another fight ends a watch', limit, async () => {
  const { encounter } = await fight(), other = await fight();
  const { cursor } = await direct.encounters.getState({ encounter, as: gm });
  await assert.rejects(async () => { for await (const _ of watch(direct, { encounter: other.encounter, as: gm, after: cursor })) assert.fail(); }, SkaldError);
});

test('the same over gRPC from Node', limit, async () => {
  const grpc = connect({ transport: (interceptors) => createGrpcTransport({ baseUrl: `http://${server.grpc}`, interceptors }) });
  const { encounter } = await fight(grpc), numbers = [];
  for await (const e of watch(grpc, { encounter, as: kim })) {
    if (e.kind === 'step') numbers.push(e.step.number);
    if (e.kind === 'caughtUp') break;
  }
  assert.deepEqual(numbers, numbers.map((_, i) => BigInt(i + 1)));
  assert.ok(numbers.length > 0);
});

test('the example comes from connect to the first attack', limit, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [new URL('../examples/first-attack.mjs', import.meta.url).pathname, server.web], { timeout: 30_000 });
  assert.match(stdout, /Jeera attacks Snag with the Axe: (hit|miss|critical|fumble)/);
});
