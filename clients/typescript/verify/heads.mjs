// @ts-check
// Signed heads and transcripts, as docs/RECORD.md has them: who signed, of what, and
// whether a file comes to it. It must never take a head for signed because it looks like
// one, nor a step or an entry for told because another line says so.
import { verifySignature } from '#sign';
import { base64, compare, hex } from './bytes.mjs';
import { sha256 } from './dice.mjs';

const utf8 = new TextEncoder();
/** @param {string} line */
const domain = (line) => utf8.encode(`${line}\n`);

/**
 * @typedef {object} Head where a transcript or a chain stands
 * @property {string} table
 * @property {string} record such as `encounter bridge` or `patient kara`
 * @property {string} viewer `gm`, `spectator`, `player/NAME` or `chain`
 * @property {bigint} number of the last step or entry, or version of the last Commit
 * @property {Uint8Array} hash
 */

/** Splits a signed note into what was signed and who signed. Throws for what is none. @param {string} note */
function open(note) {
  const at = note.lastIndexOf('\n\n');
  if (at < 0) throw new Error('it is no signed note');
  const signatures = note.slice(at + 2).split('\n');
  if (signatures.pop() !== '' || signatures.length === 0) throw new Error('its signatures break off');
  return { said: note.slice(0, at + 1), signatures: signatures.map((line) => {
    const m = /^— (\S+) (\S+)$/.exec(line);
    const bytes = m ? base64(m[2]) : new Uint8Array();
    if (!m || bytes.length <= 4) throw new Error('a signature can not be read');
    return { name: m[1], key: hex(bytes.subarray(0, 4)), signature: bytes.subarray(4) };
  }) };
}

/** A key by which notes are signed: NAME+HASH+KEY. */
class Key {
  /** Throws for what is no such key. @param {string} verifier */
  constructor(verifier) {
    const m = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/.exec(verifier);
    const key = m ? base64(m[3]) : new Uint8Array();
    if (!m || key.length !== 33 || key[0] !== 1 || hex(sha256(utf8.encode(`${m[1]}\n`), key).subarray(0, 4)) !== m[2]) throw new Error(`no key: ${verifier}`);
    this.verifier = verifier;
    this.name = m[1];
    this.hash = m[2];
    this.key = key.subarray(1);
  }
  /** Whether it signed a note. @param {ReturnType<typeof open>} note */
  signed(note) {
    const own = note.signatures.filter((s) => s.name === this.name && s.key === this.hash);
    return own.length > 0 && own.every((s) => s.signature.length === 64 && verifySignature(this.key, utf8.encode(note.said), s.signature));
  }
}

/** Keys that are believed: those that were given, and those that they endorse. */
export class Keys {
  /** Throws for what is no key. @param {string[]} verifiers */
  constructor(verifiers = []) {
    this.all = verifiers.map((v) => new Key(v));
  }
  /** Whether any was given. */
  get known() { return this.all.length > 0; }
  /** Takes the keys that a server lists, the oldest first. @param {{verifier?: string, endorsement?: string}[]} listed */
  list(listed) {
    listed.forEach(({ verifier = '', endorsement = '' }, i) => {
      const before = this.all.find((k) => k.verifier === listed[i - 1]?.verifier);
      if (!before || !endorsement || this.all.some((k) => k.verifier === verifier)) return;
      const note = open(endorsement);
      if (!before.signed(note) || note.said !== `skald/key/v1\n${verifier}\n`) throw new Error(`the key ${verifier} is not endorsed by the one before it`);
      this.all.push(new Key(verifier));
    });
  }
  /** Reads a head. Throws when it is none, or, where keys are known, when none of them signed it. @param {string} signed @returns {Head} */
  head(signed) {
    const note = open(signed), lines = note.said.split('\n');
    const [, table, of] = /^skald\/head\/v1 ([^/]+)\/(.+)$/.exec(lines[0]) ?? [];
    const patient = of?.startsWith('patient/');
    const hash = /^[A-Za-z0-9+/]{43}=$/.test(lines[3] ?? '') ? base64(lines[3]) : undefined;
    if (!of || lines.length !== 5 || lines[4] !== '' || !/^(0|[1-9]\d*)$/.test(lines[2]) || !hash) throw new Error('it is no head');
    if (this.known && !this.all.some((k) => k.signed(note))) throw new Error('no key that was given signed it');
    return { table: decodeURIComponent(table), record: patient ? `patient ${decodeURIComponent(of.slice(8))}` : `encounter ${decodeURIComponent(of)}`,
      viewer: lines[1].startsWith('player/') ? `player/${decodeURIComponent(lines[1].slice(7))}` : lines[1], number: BigInt(lines[2]), hash };
  }
}

/** What a viewer was told, in its order: steps of an encounter, or entries of a patient. */
export class Transcript {
  /** @param {string} table @param {string} record */
  constructor(table, record) {
    const [kind, id] = [record.slice(0, record.indexOf(' ')), record.slice(record.indexOf(' ') + 1)];
    /** @type {Uint8Array[]} */
    this.marks = [sha256(domain('skald/transcript/begin/v1'), utf8.encode(`${table}/${kind === 'patient' ? 'patient/' : ''}${id}\n`))];
  }
  /** The number of the last one. */
  get number() { return BigInt(this.marks.length - 1); }
  /** Takes the next one, and returns the transcript after it. @param {Uint8Array[]} bytes its pieces, one behind the other */
  take(...bytes) {
    const n = new Uint8Array(8);
    new DataView(n.buffer).setBigUint64(0, this.number + 1n);
    const next = sha256(domain('skald/transcript/v1'), this.marks[this.marks.length - 1], n, sha256(domain('skald/step/v1'), ...bytes));
    this.marks.push(next);
    return next;
  }
  /** How it is another than a head of it says; empty when it goes on from there. @param {Head} head */
  differs(head) {
    if (head.number > this.number) return `the file ends at ${this.number}, and ${head.viewer} was signed as standing at ${head.number}`;
    return compare(this.marks[Number(head.number)], head.hash) === 0 ? '' : `two histories: what ${head.viewer} was told up to ${head.number} is not what was signed`;
  }
}

/** A chain's Commits against heads of it. */
export class Chain {
  constructor() {
    /** @type {Map<bigint, Head[]>} */ this.heads = new Map();
    this.found = 0;
  }
  /** Takes a head before the Commits. @param {Head} head */
  expect(head) {
    this.heads.set(head.number, [...(this.heads.get(head.number) ?? []), head]);
  }
  /** A Commit; empty when heads of its version are of it. @param {bigint} version @param {Uint8Array} hash */
  commit(version, hash) {
    const of = this.heads.get(version) ?? [];
    this.heads.delete(version);
    if (of.some((h) => compare(h.hash, hash) !== 0)) return `two histories: version ${version} is not the one that was signed`;
    this.found += of.length;
    return '';
  }
  /** What was signed and did not come. @param {bigint} version of the last Commit */
  missing(version) {
    return [...this.heads.keys()].filter((n) => n > 0n).map((n) => `the file ends at version ${version}, and was signed as standing at version ${n}`);
  }
}

