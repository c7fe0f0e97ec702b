// @ts-check
// A file of a whole table or of a patient, as docs/RECORD.md has it under "A whole table
// in one file": each record in it is checked by itself, chain, digests and dice, and how the
// records of a table go on from each other. It must never call checked what hangs on the
// rules: what deeds and commands made of a creature, `skald verify` decides again.
import { base64, hex } from './bytes.mjs';
import { compare, sha256 } from './dice.mjs';
import { Keys, Transcript } from './heads.mjs';
import { Links } from './links.mjs';
import { Verifier } from './verify.mjs';
import { Message } from './wire.mjs';

const utf8 = new TextEncoder();

/** Whether the text of a file is such a one. @param {string} text */
export function isCampaign(text) {
  try {
    return 'record' in JSON.parse(text.slice(0, text.indexOf('\n')));
  } catch {
    return false;
  }
}

/** Takes the lines of such a file in order. */
class Campaign {
  /** @param {import('./verify.mjs').Given} given */
  constructor(given) {
    this.keys = new Keys(given.keys);
    this.since = (given.since ?? []).map((h) => this.keys.head(h));
    /** Heads that the file has. @type {import('./heads.mjs').Head[]} */ this.stood = [];
    /** @type {Transcript|undefined} */ this.told = undefined;
    this.untold = 0;
    /** Of an entry that is not read to its end. @type {Uint8Array[]|undefined} */ this.pieces = undefined;
    /** @type {{table?: string, patient?: string, viewer?: string, format?: number}|undefined} */ this.of = undefined;
    /** @type {Map<string, Verifier>} */ this.records = new Map();
    /** @type {string[]} */ this.problems = [];
    this.links = new Links();
    this.lines = 0;
    this.entries = 0;
    this.signed = 0;
    this.ended = false;
  }

  /** @param {string} kind @param {string} id @returns {Verifier} */
  record(kind, id) {
    const key = `${kind} ${id}`;
    let v = this.records.get(key);
    if (!v) {
      this.records.set(key, v = new Verifier(kind));
      for (const head of [...this.stood, ...this.since]) if (head.record === key && this.ofFile(head)) v.chain.expect(head);
    }
    return v;
  }

  /** Whether a head is of something that the file is about. @param {import('./heads.mjs').Head} head */
  about(head) { return head.table === this.of?.table && (!this.of?.patient || head.record === `patient ${this.of.patient}`); }
  /** Whether the file must hold the Commits that a head is of. @param {import('./heads.mjs').Head} head */
  ofFile(head) { return head.viewer === 'chain' && this.about(head) && !(this.of?.patient && this.entries > 0); }
  /** Whether a head is of the transcript of which the file holds the entries. @param {import('./heads.mjs').Head} head */
  ofTold(head) { return head.viewer === this.of?.viewer && Boolean(this.of?.patient) && this.entries > 0 && this.about(head); }

  /** Where a record stood when the export began. @param {{encounter?: string, patient?: string, heads?: {own?: string, chain?: string}}} line */
  head({ encounter, patient, heads }) {
    const record = patient ? `patient ${patient}` : `encounter ${encounter}`;
    for (const signed of [heads?.chain, heads?.own]) {
      if (!signed) continue;
      try {
        const head = this.keys.head(signed);
        if (head.record !== record || !this.about(head) || (head.viewer !== 'chain' && head.viewer !== this.of?.viewer)) throw new Error(`it is one of ${head.viewer} of ${head.table}/${head.record}`);
        this.stood.push(head);
      } catch (err) {
        this.problems.push(`the head of ${record}: ${err instanceof Error ? err.message : err}`);
      }
    }
  }

  /** What the viewer was told next: an entry, or a piece of one. @param {{number?: string, bytes?: string, more?: boolean, encounter?: string, deed?: string}} entry */
  entry(entry) {
    if (!this.pieces) this.entries++;
    else if (entry.encounter || entry.deed) this.problems.push(`entry ${entry.number} begins where it goes on`);
    this.told ??= new Transcript(this.of?.table ?? '', `patient ${this.of?.patient ?? ''}`);
    /** @type {Uint8Array[]} */
    const pieces = this.pieces ?? [];
    pieces.push(base64(entry.bytes ?? ''));
    const told = pieces.every((p) => p.length > 0);
    if (told && String(entry.number) !== String(this.told.number + 1n)) this.problems.push(`entry ${entry.number} where ${this.told.number + 1n} must follow`);
    this.pieces = entry.more ? pieces : undefined;
    if (entry.more) return;
    if (told) this.told.take(...pieces);
    else this.untold++;
  }

  /** Holds what the file has against heads, its own and those that were kept. */
  stands() {
    const { stood, since } = this, unchecked = /** @type {string[]} */ ([]);
    for (const head of [...stood, ...since]) {
      if (this.ofTold(head) && this.told) {
        const other = this.told.differs(head);
        if (other) this.problems.push(other);
        else this.signed++;
      } else if (!this.ofFile(head)) {
        if (since.includes(head)) unchecked.push(`the head of ${head.viewer} of ${head.table}/${head.record} at ${head.number}: the file holds nothing of it`);
      } else if (!this.records.has(head.record)) this.problems.push(`a head of ${head.record} at version ${head.number} was signed, and the file has nothing of it`);
    }
    if (stood.length + since.length > 0 && !this.keys.known) unchecked.push('who signed heads: no key was given');
    if (this.untold > 0) unchecked.push(`the transcript: ${this.untold} entries have no bytes that it is over`);
    if (this.entries > 0) unchecked.push('that entries show what their bytes say: skald verify lays them side by side');
    return unchecked;
  }

  /** One line of the file. @param {string} text */
  line(text) {
    const { record, commit, pack, part, entry, heads, keys, end } = JSON.parse(text);
    if (this.ended) this.problems.push(`line ${this.lines + 1}: comes after the end`);
    if (Boolean(record) !== (this.lines === 0)) this.problems.push(`line ${this.lines + 1}: the file begins with what it is, and only there`);
    if (record) {
      this.of = record;
      if (record.format !== 1) this.problems.push(`the file has the layout ${record.format}`);
    } else if (pack) {
      const is = hex(sha256(base64(pack.data ?? '')));
      if (is !== pack.digest) this.problems.push(`pack ${pack.digest}: its digest is ${is}`);
    } else if (part?.patient && part.encounter) this.problems.push(`line ${this.lines + 1}: a part of both an encounter and a patient`);
    else if (part) this.record(part.patient ? 'patient' : 'encounter', part.patient || part.encounter).branches.take(part);
    else if (entry) this.entry(entry);
    else if (heads) this.head(heads);
    else if (end) {
      this.ended = true;
      if (Number(end.lines) !== this.lines) this.problems.push(`the end says that ${end.lines} lines come before it, and there are ${this.lines}`);
    } else if (commit) this.commit(base64(commit));
    else if (keys) this.keys.list(keys.keys ?? []);
    else this.problems.push(`line ${this.lines + 1}: holds nothing that is known`);
    this.lines++;
  }

  /** @param {Uint8Array} data */
  commit(data) {
    const commit = new Message(data), header = new Message(commit.bytes(1)), kind = header.text(1);
    if (header.text(3) !== this.of?.table || (kind !== 'encounter' && kind !== 'patient')) {
      this.problems.push(`line ${this.lines + 1}: is of ${kind} ${header.text(2)} at table ${header.text(3)}`);
    }
    const v = this.record(kind, header.text(2));
    v.commit(data);
    if (!this.of?.patient) this.links.commit(header, commit.messages(2), (amended) => v.branches.commands(amended));
  }

  end() {
    if (!this.ended) this.problems.push('the file breaks off: its last line is missing');
    if (this.pieces) this.problems.push(`entry ${this.entries} breaks off`);
    const out = { table: this.of?.table ?? '', patient: this.of?.patient ?? '', viewer: this.of?.viewer ?? '', lines: this.lines, entries: this.entries,
      commits: 0, crossed: 0, signed: 0, rolls: 0, faces: 0, supplied: 0, sealed: 0, totals: 0, ends: /** @type {{record: string, version: string, hash: string}[]} */ ([]),
      compare: /** @type {string[]} */ ([]), unchecked: /** @type {string[]} */ ([]), problems: this.problems };
    for (const [name, v] of [...this.records].sort(([a], [b]) => compare(utf8.encode(a), utf8.encode(b)))) {
      const r = v.end();
      for (const count of /** @type {const} */ (['commits', 'signed', 'rolls', 'faces', 'supplied', 'sealed', 'totals'])) out[count] += r[count];
      out.ends.push({ record: name, version: String(v.version), hash: r.hash });
      for (const list of /** @type {const} */ (['problems', 'unchecked', 'compare'])) out[list].push(...r[list].map((s) => `${name}: ${s}`));
    }
    out.unchecked.push(...this.stands());
    out.signed += this.signed;
    out.problems.push(...this.links.end());
    out.crossed = this.links.crossed;
    if (this.links.lost) out.unchecked.push('how records go on from each other: some Commits can not be read whole');
    if (this.entries > 0) out.unchecked.push('entries of a history, which stand in place of Commits: their dice and totals');
    if (this.of?.patient) out.unchecked.push('what fights brought into the record, and rulings of several records: the others are not in this file');
    out.unchecked.push('counters, conditions, marks and things that patients bring and take along, what deeds and commands made of them, and the numbering of deeds: skald verify decides them again');
    return out;
  }
}

/** Verifies the text of such a file. @param {string} text @param {import('./verify.mjs').Given} given throws for what is no key or no head */
export function verifyCampaign(text, given = {}) {
  const c = new Campaign(given);
  text.split('\n').forEach((line, i) => {
    if (line.trim() === '') return;
    try {
      c.line(line);
    } catch (err) {
      c.problems.push(`line ${i + 1}: no line of a record: ${err instanceof Error ? err.message : err}`);
      c.lines++;
    }
  });
  return c.end();
}
