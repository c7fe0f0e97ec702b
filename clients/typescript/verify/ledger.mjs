// @ts-check
// What a record says of its dice, in its order, as docs/RECORD.md has it under
// "Dice": commitments, entropy, rolls, and what is opened. It must never take a face,
// or what it follows from, for granted because another event agrees with it.
import { commitment0, commitment2, commitmentOfLeaf, compare, creatureSeed, evaluate, faces, leaf, leafKey, leaves, height, tapeKey, terms } from './dice.mjs';
import { hex, text } from './bytes.mjs';
import { Message } from './wire.mjs';

/** @typedef {import('./dice.mjs').Contribution} Contribution */
/** @typedef {{name: string, round: bigint}} Beacon */
/** @typedef {{branch: Branch, action: bigint, leaf: Uint8Array, path: Uint8Array[], hashed: Uint8Array}} Opened */

/** The number of the setting-up dice of an epoch. @param {number} epoch */
const settingUp = (epoch) => (epoch | 0x80000000) >>> 0;
const parent = 'creatures', child = 'creature/';

/** A branch of the dice with one number. */
class Branch {
  /** @param {number} epoch @param {string} name */
  constructor(epoch, name) {
    this.epoch = epoch;
    this.name = name;
    /** @type {Uint8Array|undefined} */ this.commitment = undefined;
    /** @type {Uint8Array|undefined} */ this.seed = undefined;
    /** @type {Roll[]} */ this.rolls = [];
  }
  toString() { return `epoch ${this.epoch}, branch ${this.name}`; }
}

/** The dice with one number: those of an epoch, or its setting-up dice. */
class Epoch {
  constructor() {
    this.format = 0;
    this.open = false;
    /** @type {Contribution[]} */ this.contributions = [];
    /** @type {Beacon & {waived: boolean}|undefined} */ this.promised = undefined;
  }
}

/** A roll as it is recorded. */
export class Roll {
  /** @param {Message} m */
  constructor(m) {
    this.label = m.text(2);
    this.index = m.small(3);
    this.expression = m.text(4);
    this.dice = m.messages(5).map((d) => d.int(1));
    this.action = m.uint(15);
    this.epoch = m.small(16);
    this.branch = m.text(17);
    this.faces = m.ints(19);
    this.given = m.small(20);
  }
  toString() { return `epoch ${this.epoch}, branch ${this.branch}, action ${this.action}, ${this.label}#${this.index}`; }
  /** Whether another is the same roll. @param {Roll} r */
  is(r) {
    return this.action === r.action && this.label === r.label && this.index === r.index && this.expression === r.expression &&
      this.given === r.given && String(this.faces) === String(r.faces);
  }
}

/** Takes the events of a record in their order. */
export class Ledger {
  constructor() {
    /** @type {Map<number, Epoch>} */ this.epochs = new Map();
    /** @type {Set<number>} */ this.known = new Set();
    /** @type {Map<string, Branch>} */ this.branches = new Map();
    /** @type {Map<string, Opened>} */ this.leaves = new Map();
    /** @type {Map<string, bigint>} */ this.numbers = new Map();
    /** @type {string[]} */ this.problems = [];
    /** @type {string[]} */ this.gaps = [];
    /** @type {string[]} */ this.contributions = [];
    /** @type {string[]} */ this.compare = [];
    /** @type {string[]} */ this.unchecked = [];
    this.faces = 0;
    this.supplied = 0;
    this.sealed = 0;
  }

  /** @param {number} number @returns {Epoch} */
  at(number) {
    let e = this.epochs.get(number);
    if (!e) this.epochs.set(number, e = new Epoch());
    return e;
  }
  /** @param {number} epoch @param {string} name @returns {Branch} */
  branch(epoch, name) {
    const key = `${epoch} ${name}`;
    let b = this.branches.get(key);
    if (!b) this.branches.set(key, b = new Branch(epoch, name));
    return b;
  }
  /** @param {unknown} place @param {string} what */
  problem(place, what) { this.problems.push(`${place}: ${what}`); }

  /** One event, whatever it is. @param {Message} event */
  event(event) {
    const epoch = event.message(44), revealed = event.message(45), roll = event.message(25);
    const given = event.message(60), closed = event.message(61), named = event.message(62), opened = event.message(63);
    if (epoch) this.epoch(epoch);
    if (revealed) this.revealed(revealed);
    if (given) this.given(given);
    if (closed) this.closed(closed.small(1));
    if (named) this.at(named.small(1)).promised = { ...beacon(named.message(2)), waived: named.bool(3) };
    if (opened) this.opened(opened);
    if (roll) this.roll(new Roll(roll));
  }

  /** @param {Message} event */
  epoch(event) {
    const n = event.small(1), fight = this.at(n), setting = this.at(settingUp(n)), format = event.small(22);
    if (!this.known.has(n)) {
      this.known.add(n);
      fight.format = setting.format = format;
      fight.open ||= event.bool(21);
      setting.open ||= event.bool(21) && event.has(20);
    }
    if (format !== 0 && format !== 2) this.problem(`epoch ${n}`, `there is no format ${format}`);
    const entropy = event.messages(3);
    if (fight.format !== 0 && entropy.length > 0) this.problem(`epoch ${n}`, 'entropy stands beside its commitments');
    for (const e of entropy) fight.contributions.push({ who: e.bytes(1), bytes: e.bytes(2) });
    for (const c of event.messages(2)) this.commit(this.branch(n, c.text(1)), c.bytes(2));
    for (const c of event.messages(20)) this.commit(this.branch(settingUp(n), c.text(1)), c.bytes(2));
  }

  /** @param {Branch} b @param {Uint8Array} commitment */
  commit(b, commitment) {
    if (b.commitment && compare(b.commitment, commitment) !== 0) this.problem(b, 'it is committed to twice, differently');
    else if (!b.commitment && b.rolls.length > 0) this.problem(b, 'it was rolled on before it was committed to');
    b.commitment = commitment;
  }

  /** @param {Message} event */
  revealed(event) {
    const n = event.small(1), name = event.text(2);
    this.branch(n, name).seed = event.bytes(3);
    if (event.has(21)) this.branch(settingUp(n), name).seed = event.bytes(21);
  }

  /** @param {Message} event */
  given(event) {
    const n = event.small(1), who = event.bytes(2), bytes = event.bytes(3), of = event.message(4), fight = this.at(n);
    this.contributions.push(`epoch ${n}, ${text(who)}: ${hex(bytes)}`);
    if (!fight.open || n === settingUp(n)) {
      this.problem(`epoch ${n}`, `what ${text(who)} gave does not stand between its commitments and the closing of its entropy`);
      return;
    }
    for (const dice of [fight, this.at(settingUp(n))]) if (dice.open) dice.contributions.push({ who, bytes });
    if (!of) return;
    const b = beacon(of), promised = fight.promised, round = `round ${b.round} of ${b.name}`;
    if (text(who) !== `beacon/${b.name}/${b.round}`) this.problem(`epoch ${n}`, `${round} counts as ${text(who)}`);
    if (!promised || promised.waived || promised.name !== b.name || promised.round !== b.round) this.problem(`epoch ${n}`, `${round} was not promised`);
    fight.promised = undefined;
    this.compare.push(`${round} with ${hex(bytes)}`);
  }

  /** @param {number} n */
  closed(n) {
    const { open, promised } = this.at(n);
    if (open && promised) {
      const what = `round ${promised.round} of ${promised.name} was promised for epoch ${n} and is not mixed in`;
      if (promised.waived) this.contributions.push(`${what}: waived`);
      else this.problem(`epoch ${n}`, what);
    }
    this.at(n).open = false;
    this.at(settingUp(n)).open = false;
  }

  /** @param {Roll} roll */
  roll(roll) {
    const last = this.numbers.get(roll.branch) ?? 0n;
    this.branch(roll.epoch, roll.branch).rolls.push(roll);
    if (roll.action > last + 1n) this.gaps.push(`epoch ${roll.epoch}, branch ${roll.branch}, action ${roll.action}: it drew after action ${last}`);
    if (roll.action === 0n) this.problem(roll, 'it has no action number');
    if (roll.action > last) this.numbers.set(roll.branch, roll.action);
    if (this.at(roll.epoch).open && roll.given < roll.faces.length) this.problem(roll, 'it is rolled before the entropy of its dice is closed');
  }

  /** @param {Message} event */
  opened(event) {
    const branch = this.branch(event.small(1), event.text(2)), action = event.uint(3), secret = event.bytes(4), place = `${branch}, action ${action}`;
    if (secret.length > 0) this.leaves.set(place, { branch, action, leaf: secret, path: event.list(5), hashed: event.bytes(6) });
    for (const m of event.messages(7)) {
      const roll = new Roll(m);
      if (roll.epoch !== branch.epoch || roll.branch !== branch.name || secret.length > 0 && roll.action !== action) this.problem(place, `what is opened holds ${roll}`);
      else if (!branch.rolls.some((had) => had.is(roll))) branch.rolls.push(roll);
    }
  }

  /**
   * Checks everything that is opened, and counts.
   * @param {string} encounter
   * @param {boolean} whole nothing is withheld
   */
  end(encounter, whole) {
    if (whole) this.problems.push(...this.gaps);
    this.creatures();
    for (const [place, of] of this.leaves) this.leaf(encounter, place, of);
    for (const b of this.branches.values()) {
      for (const roll of b.rolls) {
        this.supplied += roll.given;
        if (!b.seed && !this.leaves.has(`${b}, action ${roll.action}`) && roll.given < roll.faces.length) this.sealed++;
      }
      if (b.seed) this.whole(encounter, b, b.seed);
    }
  }

  /** Seeds of creatures' branches that follow from that of their parent. */
  creatures() {
    for (const b of this.branches.values()) {
      const seed = this.branches.get(`${b.epoch} ${parent}`)?.seed;
      if (!b.name.startsWith(child) || seed?.length !== 32 || !b.commitment && b.rolls.length === 0) continue;
      b.seed = creatureSeed(seed, b.name.slice(child.length));
      b.commitment ??= this.commitment(b, b.seed);
    }
  }

  /** @param {Branch} b @param {Uint8Array} seed */
  commitment(b, seed) { return this.at(b.epoch).format === 0 ? commitment0(seed) : commitment2(b.name, seed); }

  /** A branch that is open as a whole. @param {string} encounter @param {Branch} b @param {Uint8Array} seed */
  whole(encounter, b, seed) {
    const { format, contributions } = this.at(b.epoch);
    if (seed.length !== 32 || !b.commitment || compare(b.commitment, this.commitment(b, seed)) !== 0) {
      this.problem(b, 'the seed is not the one committed to');
      return;
    }
    if (this.twice(b, contributions)) return;
    for (const roll of b.rolls) this.check(encounter, roll, format === 0 ? tapeKey(seed, contributions) : leafKey(leaf(seed, roll.action), contributions));
  }

  /** An action that is open. @param {string} encounter @param {string} place @param {Opened} of */
  leaf(encounter, place, of) {
    const { branch, action } = of, { contributions } = this.at(branch.epoch);
    const sound = of.leaf.length === 32 && of.hashed.length === 32 && of.path.length === height && of.path.every((p) => p.length === 32);
    if (!sound || action < 1n || action > BigInt(leaves) || !branch.commitment ||
      compare(commitmentOfLeaf(of.leaf, Number(action), of.path, of.hashed), branch.commitment) !== 0) {
      this.problem(place, 'the leaf does not lead to what was committed to');
      return;
    }
    if (branch.seed || this.twice(place, contributions)) return;
    const key = leafKey(of.leaf, contributions);
    for (const roll of branch.rolls) if (roll.action === action) this.check(encounter, roll, key);
  }

  /** Whether somebody contributed twice. @param {unknown} place @param {Contribution[]} contributions */
  twice(place, contributions) {
    const who = contributions.map((c) => hex(c.who)), again = contributions.find((_, i) => who.indexOf(who[i]) !== i);
    if (again) this.problem(place, `${text(again.who)} contributed twice`);
    return again !== undefined;
  }

  /** Faces of a roll. @param {string} encounter @param {Roll} roll @param {Uint8Array} key */
  check(encounter, roll, key) {
    const sum = terms(roll.expression);
    let sides;
    if (sum) {
      sides = evaluate(sum, roll.faces)?.sides;
      if (!sides) { this.problem(roll, `${roll.expression} does not draw these faces`); return; }
    } else if (new Set(roll.dice).size === 1) sides = roll.faces.map(() => roll.dice[0]);
    else { this.unchecked.push(`the faces of ${roll}: ${roll.expression} is no simple expression`); return; }
    faces(key, { encounter, epoch: roll.epoch, action: roll.action, label: roll.label, index: roll.index }, sides).forEach((derived, i) => {
      if (i < roll.given) return;
      this.faces++;
      if (roll.faces[i] !== derived) this.problem(`${roll}, face ${i + 1}`, `shows ${roll.faces[i]}, the tape has ${derived}`);
    });
  }
}

/** @param {Message|undefined} m @returns {Beacon} */
function beacon(m) { return { name: m?.text(1) ?? '', round: m?.uint(2) ?? 0n }; }
