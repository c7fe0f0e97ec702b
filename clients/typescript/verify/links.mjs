// @ts-check
// How the records of a table go on from each other, as docs/RECORD.md has it under "Links
// between records": patients come into fights with what their records say and leave with what
// the fight made of them, and rulings name all the records that they are part of. It must
// never call checked what hangs on the rules: what a deed or a command made of a creature.
import { compare, hex } from './bytes.mjs';
import { Message, fields } from './wire.mjs';

/** @typedef {{kind: string, id: string, version: bigint}} At */
/** @typedef {{encounter: string, patient: string, version: bigint}} Part */

/** What is followed of a creature. */
class Creature {
  /** @param {string} patient */
  constructor(patient) {
    this.patient = patient;
    /** @type {Uint8Array|undefined} */ this.sheet = undefined;
    /** Current, temporary, maximum. @type {string} */ this.points = '';
    /** @type {ReadonlyMap<string, string>} */ this.injuries = new Map();
    this.life = 1;
    this.encounter = '';
  }
  /** @param {Partial<Creature>} change @returns {Creature} */
  with(change) { return Object.assign(Object.create(Creature.prototype), this, change); }
}

/** What is followed of a fight or a record: creatures that are patients, and whether it is over. */
class Facts {
  /** @param {Map<string, Creature>} creatures @param {boolean} over */
  constructor(creatures = new Map(), over = false) { this.creatures = creatures; this.over = over; }
  copy() { return new Facts(new Map(this.creatures), this.over); }
  /** Patients who are in the fight, with their creatures. @returns {Map<string, Creature>} */
  present() { return new Map(this.over ? [] : [...this.creatures.values()].map((c) => [c.patient, c])); }
}

/** The course of one record: what is followed of it after each of its Commits. */
class Course {
  constructor() {
    this.now = new Facts();
    /** @type {Map<bigint, Facts>} */ this.after = new Map();
    /** Creatures as they were taken off the field by the last Commit. @type {Map<string, Creature>} */ this.gone = new Map();
  }

  /** @param {bigint} version @param {Message[]} events @param {(amended: Message) => Message[]} commands @param {string} own id of a record's patient */
  commit(version, events, commands, own) {
    this.gone = new Map();
    this.now = this.now.copy();
    for (const event of events) {
      const reverted = event.message(47), amended = event.message(50);
      if (reverted) this.back(reverted.uint(1));
      if (amended) {
        this.back(amended.uint(3));
        for (const command of commands(amended)) for (const inner of command.list(5)) this.fold(new Message(inner), own);
      }
      if (!reverted && !amended) this.fold(event, own);
    }
    this.after.set(version, this.now);
  }

  /** @param {bigint} version */
  back(version) {
    const then = this.after.get(version);
    if (!then) throw new Error(`it goes back to version ${version}, which is not before it`);
    this.now = then.copy();
  }

  /** @param {Message} event @param {string} own */
  fold(event, own) {
    const { creatures } = this.now;
    const added = event.message(14), removed = event.message(16), sheet = event.message(15), points = event.message(29);
    const life = event.message(30), mark = event.message(32), injured = event.message(35), healed = event.message(36);
    if (event.has(13)) this.now.over = true;
    /** @param {string} id @param {(c: Creature) => Partial<Creature>} change */
    const set = (id, change) => {
      const c = creatures.get(id);
      if (c) creatures.set(id, c.with(change(c)));
    };
    if (added) {
      const id = added.text(1), patient = own === '' ? added.text(6) : id === own ? own : '';
      if (patient !== '' && !creatures.has(id)) creatures.set(id, new Creature(patient));
    }
    if (removed) {
      const id = removed.text(1), c = creatures.get(id);
      if (c) this.gone.set(c.patient, c);
      creatures.delete(id);
    }
    if (sheet) set(sheet.text(1), () => ({ sheet: sheet.bytes(2) }));
    if (points) set(points.text(1), () => ({ points: `${points.int(2)}/${points.int(4)}/${points.int(3)}` }));
    if (life) set(life.text(1), () => ({ life: Number(life.uint(2)) }));
    if (mark && mark.text(2) === 'encounter') set(mark.text(1), () => ({ encounter: mark.text(3) }));
    if (injured) set(injured.text(1), (c) => ({ injuries: new Map([...c.injuries, [injured.message(2)?.text(1) ?? '', normal(injured.bytes(2))]]) }));
    if (healed) set(healed.text(1), (c) => ({ injuries: new Map([...c.injuries].filter(([id]) => id !== healed.text(2))) }));
  }
}

/** Bytes of a message whatever the order of its fields, those of messages in it likewise. @param {Uint8Array} data @param {number[]} without fields that do not count @returns {string} */
function normal(data, without = []) {
  return fields(data).filter((f) => !without.includes(f.n)).map((f) => `${f.n}:${f.wire === 0 ? f.int : f.wire === 2 ? inner(f.bytes) : hex(f.bytes)}`).sort().join(',');
}
/** @param {Uint8Array} data @returns {string} */
function inner(data) {
  if (data.length > 0) {
    try {
      return `{${normal(data)}}`;
    } catch { /* a text, or bytes */ }
  }
  return hex(data);
}

/** A sheet, but for id, side, controllers and patient, which a fight may give another way. @param {Uint8Array|undefined} data */
const sheetOf = (data) => data && normal(data, [1, 3, 4, 9]);
/** @param {ReadonlyMap<string, string>} injuries */
const list = (injuries) => [...injuries.values()].sort().join(';');

/** @param {At} at */
const place = (at) => `${at.kind} ${at.id}, version ${at.version}`;
/** @param {Part} p */
const partAt = (p) => place({ kind: p.encounter ? 'encounter' : 'patient', id: p.encounter || p.patient, version: p.version });

/** A Commit of a fight, while those of the patients who crossed with it are read. */
class Crossing {
  /** @param {At} at @param {string} request @param {Message|undefined} add @param {Facts} before @param {Course} course */
  constructor(at, request, add, before, course) {
    const was = before.present(), is = course.now.present();
    this.at = at;
    this.request = request;
    this.add = add;
    this.engage = new Set([...is.keys()].filter((p) => !was.has(p)));
    /** As each leaves. @type {Map<string, Creature>} */
    this.release = new Map([...was].filter(([p]) => !is.has(p)).map(([p, c]) => [p, course.gone.get(p) ?? [...course.now.creatures.values()].find((x) => x.patient === p) ?? c]));
  }
}

/** Takes the Commits of a table's file in order. */
export class Links {
  constructor() {
    /** @type {Map<string, Course>} */ this.courses = new Map();
    /** @type {Crossing|undefined} */ this.crossing = undefined;
    /** Rulings by where they are, with the parts that each names. @type {Map<string, Part[]>} */ this.rulings = new Map();
    /** Encounters of other servers: the records of their patients are there. @type {Set<string>} */ this.imported = new Set();
    /** @type {{of: string, text: string}[]} */ this.found = [];
    /** Patients whose crossings were followed. */ this.crossed = 0;
    this.lost = false;
  }

  /** @param {string} text @param {string} of encounter that it hangs on */
  problem(text, of = '') { this.found.push({ of, text }); }

  /** @param {Message} header @param {Message[]} parts @param {(amended: Message) => Message[]} commands of an amendment */
  commit(header, parts, commands) {
    const at = { kind: header.text(1), id: header.text(2), version: header.uint(4) };
    if (this.lost || parts.length < 2 || parts.some((p) => p.bytes(1).length === 0)) { this.lost = true; return; }
    try {
      const [cause, , ...events] = parts.map((p) => new Message(p.bytes(2)));
      this.take(at, cause, events, commands);
    } catch (err) {
      this.problem(`${place(at)}: ${err instanceof Error ? err.message : err}`);
      this.lost = true;
    }
  }

  /** @param {At} at @param {Message} cause @param {Message[]} events @param {(amended: Message) => Message[]} commands */
  take(at, cause, events, commands) {
    const command = cause.message(3), who = cause.message(2), deed = command?.message(21);
    const request = JSON.stringify([cause.text(1), String(who?.uint(1) ?? 0n), who?.text(2) ?? '']);
    const key = `${at.kind} ${at.id}`, course = this.courses.get(key) ?? new Course();
    this.courses.set(key, course);
    if (events.some((e) => e.has(73))) this.imported.add(at.id);
    const word = deed?.text(1) ?? '', crosses = at.kind === 'patient' && (word === 'engage' || word === 'release');
    if (!crosses) this.settle();
    const before = course.now;
    course.commit(at.version, events, commands, at.kind === 'patient' ? at.id : '');
    this.ruling(at, events, word);
    if (at.kind === 'encounter') this.crossing = new Crossing(at, request, command?.message(11), before, course);
    else if (crosses && deed) this.cross(at, request, deed, before.creatures.get(at.id), course.now.creatures.get(at.id));
  }

  /** A patient comes into a fight or leaves one. @param {At} at @param {string} request @param {Message} deed @param {Creature|undefined} was @param {Creature|undefined} is */
  cross(at, request, deed, was, is) {
    const with_ = this.crossing, word = deed.text(1);
    this.crossed++;
    if (!with_ || with_.request !== request) {
      this.problem(`${place(at)}: no command of a fight comes before it that lets a patient in or out`);
      return;
    }
    const of = with_.at.id, comes = word === 'engage', left = with_.release.get(at.id);
    if (deed.text(8) !== of) this.problem(`${place(at)}: is of encounter ${deed.text(8)}, and stands behind a Commit of encounter ${of}`, of);
    if (comes ? !with_.engage.delete(at.id) : !left) this.problem(`${place(at)}: the fight's Commit lets nobody ${comes ? 'in' : 'out'} who is this patient`, of);
    if (is?.encounter !== (comes ? of : '')) this.problem(`${place(at)}: the record is ${is?.encounter ? `in encounter ${is.encounter}` : 'in no encounter'} after it`, of);
    if (comes && was && with_.add) this.comes(with_, at, with_.add, was);
    if (!comes && left && is) {
      with_.release.delete(at.id);
      this.leaves(at, of, left, is);
    }
  }

  /** With what a patient comes in: its record's, which the command holds. @param {Crossing} with_ @param {At} at @param {Message} add @param {Creature} was */
  comes(with_, at, add, was) {
    const sheet = add.message(1), vitals = add.message(3);
    if (sheet?.text(9) !== at.id) return;
    const points = vitals?.has(1) ? `${vitals.int(1)}/${vitals.int(2)}/${vitals.int(8)}` : '';
    const injuries = new Map(vitals?.messages(6).map((i) => [i.text(1), normal(i.data)]));
    /** @param {string} what @param {unknown} said @param {unknown} has */
    const same = (what, said, has) => {
      if (said !== has) this.problem(`${place(with_.at)}: patient ${at.id} comes in with other ${what} than its record has: ${said}, not ${has}`, with_.at.id);
    };
    same('hit points', points, was.points);
    same('injuries', list(injuries), list(was.injuries));
    if (sheetOf(sheet?.data) !== sheetOf(was.sheet)) this.problem(`${place(with_.at)}: patient ${at.id} comes in with another sheet than its record has`, with_.at.id);
  }

  /** With what a patient leaves: what the fight made of it. @param {At} at @param {string} of @param {Creature} left @param {Creature} is */
  leaves(at, of, left, is) {
    if (left.points !== '' && left.points !== is.points) this.problem(`${place(at)}: the record has the hit points ${is.points} after the fight, and the fight ${left.points}`, of);
    if (list(left.injuries) !== list(is.injuries)) this.problem(`${place(at)}: the record has other injuries after the fight than the fight`, of);
    if (left.life !== is.life) this.problem(`${place(at)}: the record has the life status ${is.life} after the fight, and the fight ${left.life}`, of);
    if (left.sheet && sheetOf(left.sheet) !== sheetOf(is.sheet)) this.problem(`${place(at)}: the record has another sheet after the fight than the fight`, of);
  }

  /** Whoever came in or left with the last Commit of a fight has been read. */
  settle() {
    const c = this.crossing;
    this.crossing = undefined;
    for (const patient of c?.engage ?? []) this.problem(`${place(/** @type {Crossing} */ (c).at)}: patient ${patient} comes in, and its record says nothing of it`, c?.at.id);
    for (const patient of c?.release.keys() ?? []) {
      // One that was taken out while the fight was closed is in it no more.
      if (this.courses.get(`patient ${patient}`)?.now.creatures.get(patient)?.encounter === c?.at.id) {
        this.problem(`${place(/** @type {Crossing} */ (c).at)}: patient ${patient} leaves, and its record says nothing of it`, c?.at.id);
      }
    }
  }

  /** What a Commit says of the records that its ruling is part of. @param {At} at @param {Message[]} events @param {string} deed */
  ruling(at, events, deed) {
    const event = events.find((e) => e.has(47) || e.has(50));
    if (!event) return;
    const parts = (event.has(50) ? event.message(50)?.messages(40) : event.message(47)?.messages(20)) ?? [];
    if (parts.length > 0 || (at.kind === 'patient' && deed === 'ruling')) {
      this.rulings.set(place(at), parts.map((p) => ({ encounter: p.text(1), patient: p.text(2), version: p.uint(3) })));
    }
  }

  /** Whether all parts of rulings are there and name the same. */
  together() {
    const named = new Set([...this.rulings.values()].flat().map(partAt));
    /** @param {Part[]} parts */
    const names = (parts) => parts.map(partAt).sort().join(';');
    for (const [at, parts] of this.rulings) {
      if (parts.length === 0) {
        if (!named.has(at)) this.problem(`${at}: a ruling of fights that no fight has`);
        continue;
      }
      if (!parts.some((p) => partAt(p) === at)) this.problem(`${at}: the ruling is part of records of which this is none`);
      for (const p of parts) {
        const other = this.rulings.get(partAt(p));
        if (!other) this.problem(`${at}: the ruling has a part in ${partAt(p)}, which has none`);
        else if (other.length > 0 && names(parts) !== names(other)) this.problem(`${at}: the ruling has other parts than in ${partAt(p)}`);
      }
    }
  }

  /** What was found. @returns {string[]} */
  end() {
    if (!this.lost) {
      this.settle();
      this.together();
    }
    const utf8 = new TextEncoder();
    return this.found.filter((p) => !this.imported.has(p.of)).map((p) => p.text).sort((a, b) => compare(utf8.encode(a), utf8.encode(b)));
  }
}
