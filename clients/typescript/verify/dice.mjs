// @ts-check
// Faces from seeds, and totals of simple expressions, as docs/DICE.md has them.
import { createHash, createHmac } from 'node:crypto';

const utf8 = new TextEncoder();

/** @param {Uint8Array[]} parts */
export function sha256(...parts) {
  const h = createHash('sha256');
  for (const p of parts) h.update(p);
  return new Uint8Array(h.digest());
}
/** @param {Uint8Array} key @param {Uint8Array[]} parts */
function hmac(key, ...parts) {
  const h = createHmac('sha256', key);
  for (const p of parts) h.update(p);
  return new Uint8Array(h.digest());
}
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

/** @param {Uint8Array} a @param {Uint8Array} b */
export function compare(a, b) { return Buffer.compare(a, b); }

/** @param {Uint8Array} seed */
export function commitment(seed) { return sha256(str('skald.dice.v1.commitment'), seed); }

/** @param {Uint8Array} seed @param {{who: Uint8Array, bytes: Uint8Array}[]} contributions */
export function tapeKey(seed, contributions) {
  const sorted = [...contributions].sort((a, b) => compare(a.who, b.who));
  const entropy = sha256(str('skald.dice.v1.entropy'), u32(sorted.length), ...sorted.flatMap((c) => [str(c.who), str(c.bytes)]));
  return hmac(seed, str('skald.dice.v1.tape-key'), entropy);
}

/**
 * The faces at an address, one for each of the sides in rolling order.
 * @param {Uint8Array} key
 * @param {{encounter: string, epoch: number, action: bigint, label: string, index: number}} at
 * @param {number[]} sides
 */
export function faces(key, at, sides) {
  const message = concat(str('skald.dice.v1.faces'), str('real'), str(at.encounter), u32(at.epoch), u64(at.action), str(at.label), u32(at.index));
  let block = new DataView(new ArrayBuffer(0)), j = 0n, next = 0;
  const word = () => {
    if (next === block.byteLength) { block = new DataView(hmac(key, message, u64(j++)).buffer); next = 0; }
    next += 4;
    return block.getUint32(next - 4);
  };
  return sides.map((s) => {
    let w = word();
    while (w >= 2 ** 32 - (2 ** 32 % s)) w = word();
    return (w % s) + 1;
  });
}

/**
 * Sides in rolling order and value of an expression that is a sum of dice with keeps
 * and drops, and of numbers; undefined for any other, or when the faces are not as many.
 * @param {string} expression
 * @param {number[]} rolled
 * @returns {{sides: number[], value: number}|undefined}
 */
export function simple(expression, rolled) {
  const terms = expression.match(/[+-]?[^+-]+/g);
  if (!terms || terms.join('') !== expression) return undefined;
  let at = 0, value = 0;
  /** @type {number[]} */
  const sides = [];
  for (const term of terms) {
    const m = /^([+-]?)(?:(\d*)d(\d+|%|F)((?:(?:kh|kl|dh|dl)\d*)*)|(\d+))(?:\[[^\]]*\])?$/.exec(term);
    if (!m) return undefined;
    const sign = m[1] === '-' ? -1 : 1;
    if (m[5] !== undefined) { value += sign * Number(m[5]); continue; }
    const count = m[2] === '' ? 1 : Number(m[2]);
    const s = m[3] === '%' ? 100 : m[3] === 'F' ? 3 : Number(m[3]);
    let dice = rolled.slice(at, at + count);
    if (dice.length < count || dice.some((f) => f < 1 || f > s)) return undefined;
    at += count;
    for (let i = 0; i < count; i++) sides.push(s);
    if (m[3] === 'F') dice = dice.map((f) => f - 2);
    for (const [, how, n] of m[4].matchAll(/(kh|kl|dh|dl)(\d*)/g)) {
      const many = n === '' ? 1 : Number(n);
      const up = [...dice].sort((a, b) => a - b);
      dice = how === 'kh' ? up.slice(Math.max(0, up.length - many)) : how === 'kl' ? up.slice(0, many)
        : how === 'dh' ? up.slice(0, Math.max(0, up.length - many)) : up.slice(many);
    }
    value += sign * dice.reduce((a, b) => a + b, 0);
  }
  return at === rolled.length ? { sides, value } : undefined;
}
