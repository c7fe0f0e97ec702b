// @ts-check
// Amended histories that are too long for one Commit: their parts come before the
// Commit that names them (docs/RECORD.md). It must never give out commands of parts that
// are not the ones that were named.
import { base64 } from './bytes.mjs';
import { compare, sha256 } from './dice.mjs';
import { Message } from './wire.mjs';

const domain = new TextEncoder().encode('skald/branch/v1');

/** The parts that an export holds, by branch. */
export class Branches {
  constructor() {
    /** @type {Map<string, Uint8Array[]>} */ this.parts = new Map();
  }

  /** Takes the next part; one that is there already may come again. @param {{branch?: string, data?: string}} part */
  take({ branch = '', data = '' }) {
    const bytes = base64(data), have = this.parts.get(branch) ?? [];
    if (!have.some((b) => compare(b, bytes) === 0)) have.push(bytes);
    this.parts.set(branch, have);
  }

  /** The commands of an amendment, from its branch if it names one. Throws when they are not there. @param {Message} amended @returns {Message[]} */
  commands(amended) {
    const name = amended.text(30);
    if (name === '') return amended.messages(4);
    if (amended.has(4)) throw new Error(`an amendment has commands beside those of branch ${name}`);
    const count = Number(amended.uint(32)), parts = this.parts.get(name) ?? [];
    /** @type {Message[]} */
    const out = [];
    /** @type {Uint8Array} */
    let previous = new Uint8Array();
    for (let i = 0; i < Number(amended.uint(31)); i++) {
      if (!parts[i]) throw new Error(`part ${i} of branch ${name} is not there`);
      const part = new Message(parts[i]);
      if (Number(part.uint(1)) !== i || part.bytes(4).length !== 16 || compare(part.bytes(2), previous) !== 0) throw new Error(`part ${i} of branch ${name} does not follow the one before`);
      previous = sha256(domain, parts[i]);
      out.push(...part.messages(3));
    }
    if (compare(previous, amended.bytes(33)) !== 0 || count === 0 || out.length < count) throw new Error(`branch ${name} is not the one that was amended by`);
    return out.slice(0, count);
  }
}
