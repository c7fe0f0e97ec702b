// @ts-check
// Reading of protobuf messages by field numbers, as docs/RECORD.md lists them. It
// must never skip what it cannot read: malformed bytes throw.

/** @typedef {{ n: number, wire: number, int: bigint, bytes: Uint8Array }} Field */

const utf8 = new TextDecoder('utf-8', { fatal: true });
/** @type {Uint8Array} */
const none = new Uint8Array();

/**
 * Splits a message into its fields in the order in which they stand.
 * @param {Uint8Array} data
 * @returns {Field[]}
 */
export function fields(data) {
  const out = [];
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      if (at >= data.length) throw new Error('a message ends within a number');
      const b = data[at++];
      value |= BigInt(b & 0x7f) << shift;
      if (b < 0x80) return BigInt.asUintN(64, value);
    }
    throw new Error('a number of more than ten bytes');
  };
  /** @param {number} n */
  const take = (n) => {
    if (at + n > data.length) throw new Error('a message ends within a field');
    at += n;
    return data.subarray(at - n, at);
  };
  while (at < data.length) {
    const tag = Number(varint());
    /** @type {Field} */
    const field = { n: tag >>> 3, wire: tag & 7, int: 0n, bytes: none };
    switch (field.wire) {
      case 0: field.int = varint(); break;
      case 1: field.bytes = take(8); break;
      case 2: field.bytes = take(Number(varint())); break;
      case 5: field.bytes = take(4); break;
      default: throw new Error(`wire type ${field.wire}`);
    }
    out.push(field);
  }
  return out;
}

/** One message, its fields found by number; the last of a number counts. */
export class Message {
  /** @param {Uint8Array} data */
  constructor(data) {
    this.data = data;
    this.all = fields(data);
  }
  /** @param {number} n */
  last(n) { return this.all.findLast((f) => f.n === n); }
  /** @param {number} n */
  has(n) { return this.last(n) !== undefined; }
  /** @param {number} n @returns {Uint8Array} */
  bytes(n) { return this.last(n)?.bytes ?? none; }
  /** @param {number} n @returns {string} */
  text(n) { return utf8.decode(this.bytes(n)); }
  /** An unsigned number. @param {number} n @returns {bigint} */
  uint(n) { return this.last(n)?.int ?? 0n; }
  /** An unsigned number of 32 bits. @param {number} n @returns {number} */
  small(n) { return Number(BigInt.asUintN(32, this.uint(n))); }
  /** A signed number of 32 bits. @param {number} n @returns {number} */
  int(n) { return Number(BigInt.asIntN(32, this.uint(n))); }
  /** @param {number} n @returns {boolean} */
  bool(n) { return this.uint(n) !== 0n; }
  /** @param {number} n @returns {Message|undefined} */
  message(n) { const f = this.last(n); return f && new Message(f.bytes); }
  /** @param {number} n @returns {Message[]} */
  messages(n) { return this.all.filter((f) => f.n === n).map((f) => new Message(f.bytes)); }
  /** @param {number} n @returns {Uint8Array[]} */
  list(n) { return this.all.filter((f) => f.n === n).map((f) => f.bytes); }
  /** Numbers of 32 bits, packed or not. @param {number} n @returns {number[]} */
  ints(n) {
    const out = [];
    for (const f of this.all.filter((f) => f.n === n)) {
      if (f.wire === 0) { out.push(Number(BigInt.asIntN(32, f.int))); continue; }
      let value = 0n, shift = 0n;
      for (const b of f.bytes) {
        value |= BigInt(b & 0x7f) << shift;
        shift += 7n;
        if (b < 0x80) { out.push(Number(BigInt.asIntN(32, value))); value = 0n; shift = 0n; }
      }
      if (shift > 0n) throw new Error('a list ends within a number');
    }
    return out;
  }
}
