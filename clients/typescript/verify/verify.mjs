// @ts-check
// A second verifier of Skald's exports: the chain, the digests of parts, packs, what
// was committed to, every face of a revealed branch, the numbering of rolls and the
// totals of simple expressions. It is written from docs/RECORD.md and docs/DICE.md
// alone, and decides no rule: what the rules made of a command, `skald verify` decides
// again. It must never ask a server anything, and never call checked what it did not check.
import { commitment, compare, faces, sha256, simple, tapeKey } from './dice.mjs';
import { Branches } from './branch.mjs';
import { Message } from './wire.mjs';

const utf8 = new TextEncoder();
/** @param {Uint8Array} b */
const hex = (b) => Buffer.from(b).toString('hex');

/**
 * @typedef {object} Report
 * @property {string} encounter
 * @property {string} table
 * @property {number} commits
 * @property {number} steps
 * @property {string} hash of the last Commit
 * @property {number} withheld parts
 * @property {number} rolls
 * @property {number} faces that follow from revealed seeds
 * @property {number} supplied faces
 * @property {number} sealed rolls of branches that are not revealed
 * @property {number} totals that were checked
 * @property {string[]} unchecked what was not checked, and why
 * @property {string[]} problems
 */

/** Takes the lines of an export in order. */
export class Verifier {
  constructor() {
    /** @type {Report} */
    this.report = { encounter: '', table: '', commits: 0, steps: 0, hash: '', withheld: 0, rolls: 0, faces: 0, supplied: 0, sealed: 0, totals: 0, unchecked: [], problems: [] };
    this.version = 0n;
    this.previous = new Uint8Array();
    /** @type {Map<string, Uint8Array>} */ this.commitments = new Map();
    /** @type {Map<string, Uint8Array>} */ this.seeds = new Map();
    /** @type {Map<number, {who: Uint8Array, bytes: Uint8Array}[]>} */ this.entropy = new Map();
    /** @type {Map<string, bigint>} */ this.numbers = new Map();
    /** @type {{version: bigint, roll: Message}[]} */ this.rolls = [];
    /** @type {string[]} */ this.gaps = [];
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
    const { commit, step, pack, branchPart } = JSON.parse(text);
    if (branchPart) { this.branches.take(branchPart); return; }
    if (step) { this.report.steps++; return; }
    if (pack) {
      const is = hex(sha256(Buffer.from(pack.data ?? '', 'base64')));
      if (is !== pack.digest) this.problem(`pack ${pack.digest}: its digest is ${is}`);
      this.packs.push(pack.digest);
      return;
    }
    this.commit(new Uint8Array(Buffer.from(commit ?? '', 'base64')));
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
    if (header.text(1) !== 'encounter' || header.text(2) !== this.report.encounter || header.text(3) !== this.report.table) {
      this.problem(`version ${version} is of ${header.text(1)} ${header.text(2)} at table ${header.text(3)}`);
    }
    if (header.uint(11) !== 1n) this.problem(`version ${version}: format ${header.uint(11)}`);
    if (parts.length !== digests.length || parts.length < 2) this.problem(`version ${version}: ${parts.length} parts for ${digests.length} digests`);
    this.version = version;
    this.previous = hash;
    this.report.hash = hex(hash);
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
    const created = event.message(10), roll = event.message(25), epoch = event.message(44), revealed = event.message(45), amended = event.message(50);
    if (created) { this.policy = Number(created.uint(7)); this.pinned = created.list(10).map((b) => Buffer.from(b).toString()); }
    if (epoch) this.epoch(version, epoch);
    if (revealed) this.seeds.set(`${revealed.uint(1)} ${revealed.text(2)}`, revealed.bytes(3));
    if (roll) this.roll(version, roll);
    for (const command of amended ? this.branches.commands(amended) : []) for (const inner of command.messages(5)) this.event(version, new Message(inner.data));
  }

  /** @param {bigint} version @param {Message} epoch */
  epoch(version, epoch) {
    const n = Number(epoch.uint(1)) || 1;
    for (const c of epoch.messages(2)) {
      const key = `${n} ${c.text(1)}`, old = this.commitments.get(key);
      if (old && compare(old, c.bytes(2)) !== 0) this.problem(`version ${version}: epoch ${n}, branch ${c.text(1)} is committed to twice, differently`);
      if (!old && this.rolls.some(({ roll }) => `${Number(roll.uint(16)) || 1} ${roll.text(17)}` === key)) this.problem(`version ${version}: epoch ${n}, branch ${c.text(1)} was rolled under before it was committed to`);
      this.commitments.set(key, c.bytes(2));
    }
    for (const e of epoch.messages(3)) this.entropy.set(n, [...(this.entropy.get(n) ?? []), { who: e.bytes(1), bytes: e.bytes(2) }]);
  }

  /** @param {bigint} version @param {Message} roll */
  roll(version, roll) {
    this.rolls.push({ version, roll });
    const branch = roll.text(17), action = roll.uint(15), last = this.numbers.get(branch) ?? 0n;
    if (action === 0n) this.problem(`version ${version}: ${roll.text(2)} has no action number`);
    if (action > last + 1n) this.gaps.push(`version ${version}: on branch ${branch} action ${action} drew after action ${last}`);
    if (action > last) this.numbers.set(branch, action);
    const total = roll.int(7) + roll.messages(8).reduce((sum, m) => sum + m.int(1), 0);
    if (total !== roll.int(10)) this.problem(`version ${version}: roll ${roll.text(2)}: the total is ${roll.int(10)}, and value and modifiers come to ${total}`);
    if (this.policy === 1 && roll.uint(20) > 0n && !roll.bool(21)) this.problem(`version ${version}: roll ${roll.text(2)}: faces were supplied, and the policy is that the server rolls`);
    const got = simple(roll.text(4), roll.ints(19));
    if (!got) return;
    this.report.totals++;
    if (got.value !== roll.int(7)) this.problem(`version ${version}: roll ${roll.text(2)}: the value is ${roll.int(7)}, and the faces come to ${got.value}`);
  }

  /** Faces of a roll against its seed. @param {bigint} version @param {Message} roll */
  face(version, roll) {
    const epoch = Number(roll.uint(16)) || 1, key = `${epoch} ${roll.text(17)}`, rolled = roll.ints(19), given = Number(roll.uint(20));
    this.report.supplied += given;
    const seed = this.seeds.get(key);
    if (!seed) { if (given < rolled.length) this.report.sealed++; return; }
    const dice = roll.messages(5).map((d) => d.int(1));
    const sides = simple(roll.text(4), rolled)?.sides ?? (new Set(dice).size === 1 ? rolled.map(() => dice[0]) : undefined);
    if (!sides) { this.report.unchecked.push(`version ${version}: the faces of ${roll.text(2)}: ${roll.text(4)} is no simple expression`); return; }
    const at = { encounter: this.report.encounter, epoch, action: roll.uint(15), label: roll.text(2), index: Number(roll.uint(3)) };
    const derived = faces(tapeKey(seed, this.entropy.get(epoch) ?? []), at, sides);
    for (let i = given; i < rolled.length; i++) {
      this.report.faces++;
      if (rolled[i] !== derived[i]) this.problem(`version ${version}: roll ${at.label} (action ${at.action}, index ${at.index}): face ${i + 1} shows ${rolled[i]}, the tape has ${derived[i]}`);
    }
  }

  /** What was found. @returns {Report} */
  end() {
    const r = this.report;
    if (r.commits === 0 && r.steps === 0) this.problem('there are no commits');
    for (const [key, seed] of this.seeds) {
      const is = this.commitments.get(key);
      if (!is || compare(is, commitment(seed)) !== 0) this.problem(`branch ${key}: the seed is not the one committed to`);
    }
    r.rolls = this.rolls.length;
    for (const { version, roll } of this.rolls) this.face(version, roll);
    if (r.withheld === 0) r.problems.push(...this.gaps);
    if (this.packs.length > 0 && this.pinned) {
      for (const d of this.packs) if (!this.pinned.includes(d)) this.problem(`pack ${d} is in the export and not pinned`);
      for (const d of this.pinned) if (!this.packs.includes(d)) this.problem(`pack ${d} is pinned and not in the export`);
    }
    if (r.commits > 0) {
      r.unchecked.push('what the rules made of each command: skald verify decides it again');
      if (r.withheld > 0) r.unchecked.push(`${r.withheld} parts are withheld, and with them the numbering of rolls`);
      if (r.sealed > 0) r.unchecked.push(`the faces of ${r.sealed} rolls on branches that are not revealed`);
      r.unchecked.push(`whether anything came after version ${this.version}`);
    }
    return r;
  }
}

/** Verifies the text of an export file. @param {string} text @returns {Report} */
export function verify(text) {
  const v = new Verifier();
  text.split('\n').forEach((line, i) => {
    try {
      v.line(line);
    } catch (err) {
      v.problem(`line ${i + 1}: no line of an export: ${err instanceof Error ? err.message : err}`);
    }
  });
  return v.end();
}
