// @ts-check
// Faces from seeds, and totals of simple expressions, as docs/DICE.md has them.
import { hmac, sha256 } from '#hash';
import { compare, hex } from './bytes.mjs';

export { compare, sha256 };

const utf8 = new TextEncoder();

/** @param {number} n */
function u32(n) { const b = new Uint8Array(4); new DataView(b.buffer).setUint32(0, n); return b; }
/** @param {bigint} n */
function u64(n) { const b = new Uint8Array(8); new DataView(b.buffer).setBigUint64(0, n); return b; }
/** @param {Uint8Array[]} parts */
function concat(...parts) {
  const out = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const p of parts) { out.set(p, at); at += p.length; }
  return out;
}
/** @param {string|Uint8Array} s */
function str(s) { const b = typeof s === 'string' ? utf8.encode(s) : s; return concat(u32(b.length), b); }

/** @typedef {{who: Uint8Array, bytes: Uint8Array}} Contribution */

// Format 0: a branch has one key.

/** @param {Uint8Array} root @param {string} encounter @param {number} epoch @param {string} branch */
export function seed0(root, encounter, epoch, branch) {
  return hmac(root, str('skald.dice.v1.branch'), str(encounter), u32(epoch), str(branch));
}
/** @param {Uint8Array} seed */
export function commitment0(seed) { return sha256(str('skald.dice.v1.commitment'), seed); }

/** The hash of what was contributed. @param {Contribution[]} contributions */
export function entropy(contributions) {
  const sorted = [...contributions].sort((a, b) => compare(a.who, b.who));
  return sha256(str('skald.dice.v1.entropy'), u32(sorted.length), ...sorted.flatMap((c) => [str(c.who), str(c.bytes)]));
}
/** @param {Uint8Array} seed @param {Contribution[]} contributions */
export function tapeKey(seed, contributions) { return hmac(seed, str('skald.dice.v1.tape-key'), entropy(contributions)); }

// Format 2: an action has a key, and a tree of hashes over the leaves of all.

// What a tree hashes three thousand times.
const leafDomain = str('skald.dice.v2.leaf'), leafHashDomain = str('skald.dice.v2.leaf-hash'), nodeDomain = str('skald.dice.v2.node');

/** Height of the tree, and how many actions have a place in it. */
export const height = 10, leaves = 1 << height;

/** @param {Uint8Array} root @param {string} encounter @param {number} epoch @param {string} branch */
export function seed2(root, encounter, epoch, branch) {
  return hmac(root, str('skald.dice.v2.branch'), str(encounter), u32(epoch), str(branch));
}
/** @param {Uint8Array} parent seed of `creatures` @param {string} id */
export function creatureSeed(parent, id) { return hmac(parent, str('skald.dice.v2.creature'), str(id)); }
/** @param {Uint8Array} seed @param {bigint} action */
export function leaf(seed, action) { return hmac(seed, concat(leafDomain, u64(action))); }
/** @param {Uint8Array} of */
function leafHash(of) { return sha256(leafHashDomain, of); }
/** @param {Uint8Array} left @param {Uint8Array} right */
function node(left, right) { return sha256(concat(nodeDomain, left, right)); }
/** @param {Uint8Array} seed */
export function seedHash(seed) { return sha256(str('skald.dice.v2.seed-hash'), seed); }
/** @param {Uint8Array} hashed @param {Uint8Array} top */
function commit(hashed, top) { return sha256(str('skald.dice.v2.commitment'), hashed, top); }

/** Rows of the tree, from the leaves to the top. @param {Uint8Array} seed */
function rows(seed) {
  let row = Array.from({ length: leaves }, (_, i) => leafHash(leaf(seed, BigInt(i + 1))));
  const out = [row];
  while (row.length > 1) {
    const below = row;
    row = Array.from({ length: below.length / 2 }, (_, i) => node(below[2 * i], below[2 * i + 1]));
    out.push(row);
  }
  return out;
}
/** Tops of trees that were built, by seed: a tree is some 3000 hashes. @type {Map<string, Uint8Array>} */
const tops = new Map();
/** @param {Uint8Array} seed @returns {Uint8Array} */
function top(seed) {
  const key = hex(seed);
  let is = tops.get(key);
  if (!is) {
    if (tops.size >= 10_000) tops.clear();
    tops.set(key, is = rows(seed)[height][0]);
  }
  return is;
}
/** @param {string} branch @param {Uint8Array} seed */
export function commitment2(branch, seed) {
  return commit(seedHash(seed), branch === 'creatures' ? new Uint8Array(32) : top(seed));
}
/** The neighbours on the way from an action's leaf to the top. @param {Uint8Array} seed @param {number} action */
export function path(seed, action) {
  return rows(seed).slice(0, height).map((row, h) => row[((action - 1) >>> h) ^ 1]);
}
/** What a leaf leads to. @param {Uint8Array} of @param {number} action @param {Uint8Array[]} beside @param {Uint8Array} hashed */
export function commitmentOfLeaf(of, action, beside, hashed) {
  return commit(hashed, beside.reduce((here, other, h) => ((action - 1) >>> h) & 1 ? node(other, here) : node(here, other), leafHash(of)));
}
/** @param {Uint8Array} of @param {Contribution[]} contributions */
export function leafKey(of, contributions) { return hmac(of, str('skald.dice.v2.tape-key'), entropy(contributions)); }

/** @typedef {{encounter: string, epoch: number, action: bigint, label: string, index: number}} Address */

/** @param {Address} at */
export function address(at) { return concat(str(at.encounter), u32(at.epoch), u64(at.action), str(at.label), u32(at.index)); }

/**
 * The faces at an address, one for each of the sides in rolling order.
 * @param {Uint8Array} key
 * @param {Address} at
 * @param {number[]} sides
 * @param {string} purpose
 */
export function faces(key, at, sides, purpose = 'real') {
  const message = concat(str('skald.dice.v1.faces'), str(purpose), address(at));
  let block = new DataView(new ArrayBuffer(0)), j = 0n, next = 0;
  const word = () => {
    if (next === block.byteLength) { block = new DataView(hmac(key, message, u64(j++)).slice().buffer); next = 0; }
    next += 4;
    return block.getUint32(next - 4);
  };
  return sides.map((s) => {
    let w = word();
    while (w >= 2 ** 32 - (2 ** 32 % s)) w = word();
    return (w % s) + 1;
  });
}

/** @typedef {{sign: number, count: number, sides: number, fate: boolean, keeps: [string, number][], number: number}} Term */

/**
 * The terms of an expression that is a sum of dice with keeps and drops, and of
 * numbers; undefined for any other. A number is a term of no dice.
 * @param {string} expression
 * @returns {Term[]|undefined}
 */
export function terms(expression) {
  const parts = expression.match(/[+-]?[^+-]+/g);
  if (!parts || parts.join('') !== expression) return undefined;
  const out = [];
  for (const part of parts) {
    const m = /^([+-]?)(?:(\d*)d(\d+|%|F)((?:(?:kh|kl|dh|dl)\d*)*)|(\d+))(?:\[[^\]]*\])?$/.exec(part);
    if (!m) return undefined;
    const term = { sign: m[1] === '-' ? -1 : 1, count: 0, sides: 0, fate: m[3] === 'F', keeps: /** @type {[string, number][]} */ ([]), number: Number(m[5] ?? 0) };
    if (m[5] === undefined) {
      term.count = m[2] === '' ? 1 : Number(m[2]);
      term.sides = m[3] === '%' ? 100 : term.fate ? 3 : Number(m[3]);
      term.keeps = [...m[4].matchAll(/(kh|kl|dh|dl)(\d*)/g)].map(([, how, n]) => [how, n === '' ? 1 : Number(n)]);
    }
    out.push(term);
  }
  return out;
}

/**
 * Sides in rolling order and value of such an expression; undefined when the faces
 * are not as many as it draws, or not on its dice.
 * @param {Term[]} sum
 * @param {number[]} rolled
 * @returns {{sides: number[], value: number}|undefined}
 */
export function evaluate(sum, rolled) {
  let at = 0, value = 0;
  /** @type {number[]} */
  const sides = [];
  for (const term of sum) {
    let dice = rolled.slice(at, at + term.count);
    if (dice.length < term.count || dice.some((f) => f < 1 || f > term.sides)) return undefined;
    at += term.count;
    for (let i = 0; i < term.count; i++) sides.push(term.sides);
    if (term.fate) dice = dice.map((f) => f - 2);
    for (const [how, n] of term.keeps) {
      const up = [...dice].sort((a, b) => a - b), rest = Math.max(0, up.length - n);
      dice = how === 'kh' ? up.slice(rest) : how === 'kl' ? up.slice(0, n) : how === 'dh' ? up.slice(0, rest) : up.slice(n);
    }
    value += term.sign * (term.number + dice.reduce((a, b) => a + b, 0));
  }
  return at === rolled.length ? { sides, value } : undefined;
}
