// @ts-check
// A second verifier of Skald's exports: the chain, the digests of parts, packs, what
// was committed to, mixed in and opened, every face of what is opened, the numbering
// of rolls and the totals of simple expressions. It is written from docs/RECORD.md and docs/DICE.md
// alone, and decides no rule: what the rules made of a command, `skald verify` decides
// again. It must never ask a server anything, and never call checked what it did not check.
import { compare, evaluate, sha256, terms } from './dice.mjs';
import { Branches } from './branch.mjs';
import { Ledger } from './ledger.mjs';
import { base64, hex, text } from './bytes.mjs';
import { Chain, Keys, Transcript } from './heads.mjs';
import { Message } from './wire.mjs';

const utf8 = new TextEncoder();

/**
 * @typedef {object} Report
 * @property {string} encounter
 * @property {string} table
 * @property {number} commits
 * @property {number} steps
 * @property {string} hash of the last Commit
 * @property {number} withheld parts
 * @property {number} signed heads, of the file and kept, that the file comes to
 * @property {number} rolls
 * @property {number} faces that were compared with what they follow from
 * @property {number} supplied faces
 * @property {number} sealed rolls of branches and actions that are not open
 * @property {number} totals that were checked
 * @property {string[]} contributions to the dice, in the order of the record
 * @property {string[]} compare values of beacons that only the reader can look up
 * @property {string[]} unchecked what was not checked, and why
 * @property {string[]} problems
 */

/**
 * @typedef {object} Given what the reader has beside the file
 * @property {string[]} [keys] by which heads may be signed; without any it is not checked who signed
 * @property {string[]} [since] signed heads that were kept
 */

/** Takes the lines of an export in order. */
export class Verifier {
  /** @param {string} kind of the record: encounter or patient @param {Given} [given] when the record is a file of its own; throws for what is no key or no head */
  constructor(kind = 'encounter', given) {
    this.kind = kind;
    this.alone = given !== undefined;
    this.keys = new Keys(given?.keys);
    this.chain = new Chain();
    this.since = (given?.since ?? []).map((h) => this.keys.head(h));
    for (const head of this.since) if (head.viewer === 'chain') this.chain.expect(head);
    /** @type {string|undefined} */ this.ending = undefined;
    /** @type {{number: string, transcript: Uint8Array, bytes: Uint8Array}[]} */ this.steps = [];
    /** @type {Report} */
    this.report = { encounter: '', table: '', commits: 0, steps: 0, hash: '', withheld: 0, signed: 0, rolls: 0, faces: 0, supplied: 0, sealed: 0, totals: 0, contributions: [], compare: [], unchecked: [], problems: [] };
    this.version = 0n;
    /** @type {Uint8Array} */ this.previous = new Uint8Array();
    this.dice = new Ledger();
    /** @type {string[]|undefined} */ this.pinned = undefined;
    /** @type {string[]} */ this.packs = [];
    this.policy = 0;
    this.branches = new Branches();
  }

  /** @param {string} text */
  problem(text) { this.report.problems.push(text); }

  /** One line of the file. @param {string} text */
  line(text) {
    if (text.trim() === '') return;
    const { commit, step, pack, branchPart, branch_part, heads } = JSON.parse(text);
    if (heads) this.ending = heads.chain || heads.own || '';
    if (branchPart ?? branch_part) { this.branches.take(branchPart ?? branch_part); return; }
    if (step) {
      this.report.steps++;
      this.steps.push({ number: String(step.number), transcript: base64(step.transcript ?? ''), bytes: base64(step.bytes ?? '') });
      return;
    }
    if (pack) {
      const is = hex(sha256(base64(pack.data ?? '')));
      if (is !== pack.digest) this.problem(`pack ${pack.digest}: its digest is ${is}`);
      this.packs.push(pack.digest);
      return;
    }
    if (commit === undefined && heads) return;
    this.commit(base64(commit ?? ''));
  }

  /** One stored Commit. @param {Uint8Array} data */
  commit(data) {
    this.report.commits++;
    try {
      this.open(data);
    } catch (err) {
      this.problem(`commit ${this.report.commits}: ${err instanceof Error ? err.message : err}`);
    }
  }

  /** @param {Uint8Array} data */
  open(data) {
    const commit = new Message(data);
    const raw = commit.bytes(1), header = new Message(raw), parts = commit.messages(2), digests = header.list(10);
    const version = header.uint(4), hash = sha256(utf8.encode('skald/commit/v1'), raw);
    if (version !== this.version + 1n) this.problem(`version ${version} where ${this.version + 1n} must follow`);
    if (compare(header.bytes(5), this.previous) !== 0) this.problem(`version ${version} does not follow the hash before it`);
    if (this.report.commits === 1) { this.report.encounter = header.text(2); this.report.table = header.text(3); }
    if (header.text(1) !== this.kind || header.text(2) !== this.report.encounter || header.text(3) !== this.report.table) {
      this.problem(`version ${version} is of ${header.text(1)} ${header.text(2)} at table ${header.text(3)}`);
    }
    if (header.uint(11) !== 1n) this.problem(`version ${version}: format ${header.uint(11)}`);
    if (parts.length !== digests.length || parts.length < 2) this.problem(`version ${version}: ${parts.length} parts for ${digests.length} digests`);
    this.version = version;
    this.previous = hash;
    this.report.hash = hex(hash);
    const other = this.chain.commit(version, hash);
    if (other) this.problem(other);
    parts.forEach((part, i) => {
      const salt = part.bytes(1), payload = part.bytes(2);
      if (salt.length === 0) { this.report.withheld++; return; }
      if (salt.length !== 16 || compare(sha256(utf8.encode('skald/part/v1'), salt, payload), digests[i] ?? new Uint8Array()) !== 0) {
        this.problem(`version ${version}: part ${i} does not match its digest`);
        return;
      }
      if (i >= 2) this.event(version, new Message(payload));
    });
  }

  /** @param {bigint} version @param {Message} event */
  event(version, event) {
    const created = event.message(10), roll = event.message(25), amended = event.message(50), opened = event.message(63);
    if (created) { this.policy = Number(created.uint(7)); this.pinned = created.list(10).map((b) => text(b)); }
    for (const command of amended ? this.branches.commands(amended) : []) for (const inner of command.list(5)) this.event(version, new Message(inner));
    if (roll) this.total(version, roll);
    for (const r of opened?.messages(7) ?? []) this.value(version, r);
    this.dice.event(event);
  }

  /** Value, total and supplied faces of a roll. @param {bigint} version @param {Message} roll */
  total(version, roll) {
    const total = roll.int(7) + roll.messages(8).reduce((sum, m) => sum + m.int(1), 0);
    if (total !== roll.int(10)) this.problem(`version ${version}: roll ${roll.text(2)}: the total is ${roll.int(10)}, and value and modifiers come to ${total}`);
    if (this.policy === 1 && roll.uint(20) > 0n && !roll.bool(21)) this.problem(`version ${version}: roll ${roll.text(2)}: faces were supplied, and the policy is that the server rolls`);
    this.value(version, roll);
  }

  /** What the faces of a roll come to, which is all that one says that was opened. @param {bigint} version @param {Message} roll */
  value(version, roll) {
    const sum = terms(roll.text(4));
    if (!sum) return;
    this.report.totals++;
    const got = evaluate(sum, roll.ints(19));
    if (!got) this.problem(`version ${version}: roll ${roll.text(2)}: ${roll.text(4)} does not draw these faces`);
    else if (got.value !== roll.int(7)) this.problem(`version ${version}: roll ${roll.text(2)}: the value is ${roll.int(7)}, and the faces come to ${got.value}`);
  }

  /** Holds steps and Commits against the head of the file, and both against those that were kept. */
  signed() {
    const r = this.report;
    /** @type {import('./heads.mjs').Head|undefined} */
    let head;
    if (this.ending === undefined) {
      if (r.steps + r.commits > 0 && this.alone) r.unchecked.push('whether the end was cut off: the file has no signed head');
    } else try {
      head = this.keys.head(this.ending);
      if (!this.keys.known) r.unchecked.push('who signed the end of the file: no key was given');
    } catch (err) {
      this.problem(`the head of the file: ${err instanceof Error ? err.message : err}`);
    }
    if (head?.viewer === 'chain' && r.commits > 0) {
      if (head.number !== this.version || hex(head.hash) !== r.hash) this.problem(`the file ends at version ${this.version}, and is signed as ending at version ${head.number} with another Commit`);
      else r.signed++;
    }
    const told = this.transcript(head);
    for (const missing of this.chain.missing(this.version)) this.problem(missing);
    r.signed += this.chain.found;
    for (const kept of this.since) {
      if (kept.viewer === 'chain' && r.commits > 0) continue;
      if (!told || !head || kept.viewer !== head.viewer || kept.table !== head.table || kept.record !== head.record) {
        r.unchecked.push(`the head of ${kept.viewer} at ${kept.number}: the file holds nothing of it`);
        continue;
      }
      const other = told.differs(kept);
      if (other) this.problem(other);
      else r.signed++;
    }
  }

  /** The transcript that the steps come to. @param {import('./heads.mjs').Head|undefined} head @returns {Transcript|undefined} */
  transcript(head) {
    if (this.steps.length === 0) return undefined;
    if (!head || head.viewer === 'chain') {
      this.report.unchecked.push('the steps: without the head of a transcript it is not known of what they are');
      return undefined;
    }
    const told = new Transcript(head.table, head.record);
    for (const step of this.steps) {
      if (step.number !== String(told.number + 1n)) this.problem(`step ${step.number} where ${told.number + 1n} must follow`);
      const at = step.bytes.length > 0 ? told.take(step.bytes) : undefined;
      if (!at || compare(at, step.transcript) !== 0) {
        this.problem(`step ${step.number} is not the one that the transcript is over`);
        return undefined;
      }
    }
    const other = head.number === told.number ? told.differs(head) : `the file ends at step ${told.number}, and is signed as ending at step ${head.number}`;
    if (other) this.problem(other);
    else this.report.signed++;
    this.report.unchecked.push('that steps show what their bytes say: skald verify lays them side by side');
    return told;
  }

  /** What was found. @returns {Report} */
  end() {
    const r = this.report;
    if (r.commits === 0 && r.steps === 0) this.problem('there are no commits');
    this.signed();
    // A patient's deeds are numbered whether they draw or not: gaps say nothing.
    const patient = this.kind === 'patient';
    this.dice.end(patient ? `patient:${r.encounter}` : r.encounter, r.withheld === 0 && !patient);
    r.rolls = [...this.dice.branches.values()].reduce((n, b) => n + b.rolls.length, 0);
    ({ faces: r.faces, supplied: r.supplied, sealed: r.sealed, contributions: r.contributions, compare: r.compare } = this.dice);
    r.problems.push(...this.dice.problems);
    r.unchecked.push(...this.dice.unchecked);
    if (this.packs.length > 0 && this.pinned) {
      for (const d of this.packs) if (!this.pinned.includes(d)) this.problem(`pack ${d} is in the export and not pinned`);
      for (const d of this.pinned) if (!this.packs.includes(d)) this.problem(`pack ${d} is pinned and not in the export`);
    }
    if (r.commits > 0) {
      r.unchecked.push('what the rules made of each command: skald verify decides it again');
      if (r.withheld > 0) r.unchecked.push(`${r.withheld} parts are withheld, and with them the numbering of rolls`);
      if (r.sealed > 0) r.unchecked.push(`the faces of ${r.sealed} rolls on branches and actions that are not open`);
      r.unchecked.push(`whether anything came after version ${this.version}`);
    }
    return r;
  }
}

/** Verifies the text of an export file. @param {string} text @param {Given} given throws for what is no key or no head @returns {Report} */
export function verify(text, given = {}) {
  const v = new Verifier('encounter', given);
  text.split('\n').forEach((line, i) => {
    try {
      v.line(line);
    } catch (err) {
      v.problem(`line ${i + 1}: no line of an export: ${err instanceof Error ? err.message : err}`);
    }
  });
  return v.end();
}
