#!/usr/bin/env node
// @ts-check
// vectors.mjs DICE.md VECTORS.json: holds dice.mjs to the test vectors of the
// documentation and of pkg/dice/tape/testdata/vectors.json, and prints how many it
// compared; exit code 1 when one differs.
import { readFileSync } from 'node:fs';
import { address, commitment0, commitment2, commitmentOfLeaf, creatureSeed, faces, leaf, leafKey, path, seed0, seed2, seedHash, tapeKey } from './dice.mjs';

const [page, file] = process.argv.slice(2);
if (!file) {
  console.error('usage: vectors.mjs DICE.md VECTORS.json');
  process.exit(2);
}
const utf8 = new TextEncoder();
/** @param {string} s */
const unhex = (s) => new Uint8Array(Buffer.from(s, 'hex'));
/** @param {Uint8Array} b */
const hex = (b) => Buffer.from(b).toString('hex');
let compared = 0;
/** @param {string} what @param {unknown} got @param {unknown} want */
function same(what, got, want) {
  compared++;
  if (String(got) === String(want)) return;
  console.error(`${what}: ${got}, want ${want}`);
  process.exitCode = 1;
}
/** @param {{encounter: string, epoch: number, action: number|string, label: string, index: number}} a */
const addressOf = (a) => ({ ...a, action: BigInt(a.action) });

// The file, of format 0.
const v = JSON.parse(readFileSync(file, 'utf8').replace(/: *(\d{16,})/g, ': "$1"')); // numbers beyond what JSON.parse holds
for (const b of v.branches) {
  const seed = seed0(unhex(b.root), b.encounter, b.epoch, b.audience);
  same('seed', hex(seed), b.seed);
  same('commitment', hex(commitment0(seed)), b.commitment);
}
for (const k of v.keys) {
  /** @type {{contributor: string, bytes: string}[]} */
  const given = k.entropy;
  same('key', hex(tapeKey(unhex(k.seed), given.map((c) => ({ who: utf8.encode(c.contributor), bytes: unhex(c.bytes) })))), k.key);
}
for (const a of v.addresses) same('address', hex(address(addressOf(a.address))), a.bytes);
for (const t of v.tapes) same('faces', faces(unhex(t.key), addressOf(t.address), t.sides, t.purpose), t.faces);

// The page: the lines of its two blocks, each the name of a value and the value.
const text = readFileSync(page, 'utf8').split('## Vectors')[1] ?? '';
const [first, second] = [...text.matchAll(/```\n([\s\S]*?)```/g)].map((m) => m[1]);
/** @param {string|undefined} block @param {string} name @param {string} [after] what the line goes on with */
function printed(block, name, after = '') {
  for (const line of (block ?? '').split('\n')) {
    const rest = line.startsWith(`${name} `) ? line.slice(name.length).trim() : '';
    if (rest !== '' && rest.endsWith(after)) return rest.split(/ {2,}/)[0];
  }
  throw new Error(`${page} has no ${name} ${after}`);
}
const root = unhex(printed(first, 'root')), encounter = 'emberfall', label = 'attack/1/to-hit';
const every0 = seed0(root, encounter, 0, 'everyone'), key0 = tapeKey(every0, []), at0 = { encounter, epoch: 0, action: 1n, label, index: 0 };
same('seed', hex(every0), printed(first, 'seed'));
same('commitment', hex(commitment0(every0)), printed(first, 'commitment'));
same('key', hex(key0), printed(first, 'key'));
same('address', hex(address(at0)), printed(first, 'address'));
same('2d20', faces(key0, at0, [20, 20]).join(' '), printed(first, '2d20'));

const every = seed2(root, encounter, 1, 'everyone'), creatures = seed2(root, encounter, 1, 'creatures'), orc = creatureSeed(creatures, 'orc');
same('everyone', hex(every), printed(second, 'everyone', 'seed'));
same('creatures', hex(creatures), printed(second, 'creatures', 'seed'));
same('creature/orc', hex(orc), printed(second, 'creature/orc', 'seed'));
same('commitment of everyone', hex(commitment2('everyone', every)), printed(second, 'everyone', 'commitment'));
same('commitment of creatures', hex(commitment2('creatures', creatures)), printed(second, 'creatures', 'commitment'));
same('commitment of creature/orc', hex(commitment2('creature/orc', orc)), printed(second, 'creature/orc', 'commitment'));
const third = leaf(every, 3n), way = path(every, 3), key3 = leafKey(third, [{ who: utf8.encode('player/ann'), bytes: utf8.encode('seven of swords') }]);
same('leaf(3)', hex(third), printed(second, 'leaf(3)'));
same('path, row 0', hex(way[0]), printed(second, 'path, row 0'));
same('path, row 9', hex(way[9]), printed(second, 'path, row 9'));
same('seed hash', hex(seedHash(every)), printed(second, 'seed hash'));
same('the way from leaf(3)', hex(commitmentOfLeaf(third, 3, way, seedHash(every))), printed(second, 'everyone', 'commitment'));
same('key(3)', hex(key3), printed(second, 'key(3)'));
same('setting up', hex(seed2(root, encounter, 2 ** 31 + 1, 'everyone')), printed(second, 'setting up'));
same('2d20, 1d6', faces(key3, { encounter, epoch: 1, action: 3n, label, index: 0 }, [20, 20, 6]).join(' '), printed(second, '2d20, 1d6'));
console.log(compared);
