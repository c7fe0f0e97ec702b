// The fold: what a viewer knows, made of what the viewer was told. The rules are
// those of docs/FOLD.md, held to the vectors in clients/vectors. It must never need a
// server, rules or dice, and never throw for what an event says.

import { type Message, clone, create, fromBinary } from "@bufbuild/protobuf";

import {
  type CreatureAdded, type EncounterForked, type Event, LifeStatus, type StandingOrder,
  DecisionSchema, EntropySchema, TaskSchema,
  type DiceEpochOpened, type DiceRevealed, type EncounterCreated, type RollsOpened,
} from "./gen/skald/event/v1/event_pb.js";
import {
  type BeaconNamed, BeaconPromiseSchema, type EntropyClosed, type EntropyGiven, OpenedLeafSchema,
  SecretBranchesSchema, SettingUpSchema,
} from "./gen/skald/event/v1/entropy_pb.js";
import {
  type Creature, CreatureSchema, InitiativeSchema, ItemStateSchema, type Side, SideSchema,
  type State, StateSchema, State_Status,
} from "./gen/skald/event/v1/state_pb.js";

/** What the fold reads of a step: its events, and the state that a ruling put. */
export interface Told {
  readonly events: readonly Event[];
  readonly restored?: State | undefined;
}

/** The state before any event. */
export function newState(): State {
  return create(StateSchema);
}

/**
 * The state after a step. The state given is left as it was, and shares with the new
 * one whatever the step did not touch, so that states of the past can be kept and
 * what changed is found by comparing references. Neither may be written to.
 */
export function fold(state: State, step: Told): State {
  return step.restored ?? foldEvents(state, step.events);
}

/** The state after events that no ruling restored. */
export function foldEvents(state: State, events: readonly Event[]): State {
  const draft = new Draft(state);
  for (const event of events) foldEvent(draft, event);
  return draft.state;
}

/** The state after some steps. */
export function foldAll(steps: readonly Told[], from: State = newState()): State {
  return steps.reduce(fold, from);
}

/** The entry of a map of a message under a key, if it is the map's own. */
export function entry<V>(map: Readonly<Record<string, V>>, key: string): V | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

function put<V>(map: Record<string, V>, key: string, value: V): void {
  // A plain assignment to "__proto__" would change the map's prototype.
  Object.defineProperty(map, key, { value, writable: true, enumerable: true, configurable: true });
}

function shallow<T extends object>(of: T): T {
  const copy = Object.create(Object.getPrototypeOf(of) as object | null) as T;
  for (const key of Object.keys(of)) put(copy as Record<string, unknown>, key, (of as Record<string, unknown>)[key]);
  return copy;
}

type MapsOf<T> = { [K in keyof T]: T[K] extends Record<string, infer V> ? (T[K] extends Message ? never : V) : never };

/** A state that is written to: whatever is written is copied first. */
class Draft {
  readonly state: State;
  readonly #own = new WeakSet<object>();

  constructor(from: State) {
    this.state = this.#mine(shallow(from));
  }

  #mine<T extends object>(of: T): T {
    this.#own.add(of);
    return of;
  }

  /** A map of a message that is the draft's own, to be written to. */
  map<T extends Message, K extends keyof T & string>(of: T, name: K): Record<string, MapsOf<T>[K]> {
    const map = of[name] as Record<string, MapsOf<T>[K]>;
    if (this.#own.has(map)) return map;
    const copy = this.#mine(shallow(map));
    of[name] = copy as T[K];
    return copy;
  }

  /** A creature to be written to; undefined where there is none. */
  creature(id: string): Creature | undefined {
    const c = entry(this.state.creatures, id);
    if (c === undefined || this.#own.has(c)) return c;
    const copy = this.#mine(shallow(c));
    put(this.map(this.state, "creatures"), id, copy);
    return copy;
  }

  add(creature: Creature): void {
    put(this.map(this.state, "creatures"), creature.id, this.#mine(creature));
  }

  /** A side to be written to, made where there is none. */
  side(name: string): Side {
    const s = entry(this.state.sides, name);
    if (s !== undefined && this.#own.has(s)) return s;
    const copy = this.#mine(s === undefined ? create(SideSchema) : shallow(s));
    put(this.map(this.state, "sides"), name, copy);
    return copy;
  }
}

const sidePrefix = "side:";

/** The holder of counters and marks that a subject names. */
function subject(d: Draft, name: string): State | Side | Creature | undefined {
  if (name === "") return d.state;
  if (name.startsWith(sidePrefix) && name.length > sidePrefix.length) return d.side(name.slice(sidePrefix.length));
  return d.creature(name);
}

function foldEvent(d: Draft, event: Event): void {
  const s = d.state, what = event.what;
  switch (what.case) {
    case undefined:
      s.unknownEvents += 1n;
      return;
    case "encounterCreated":
      return foldCreated(d, what.value);
    case "packsPinned":
      s.packs = what.value.packs;
      return;
    case "settingChanged":
      put(d.map(s, "settings"), what.value.setting, what.value.value);
      return;
    case "preset": {
      s.preset = what.value.preset;
      const settings = d.map(s, "settings");
      for (const [id, value] of Object.entries(what.value.settings)) {
        if (value === "") delete settings[id];
        else put(settings, id, value);
      }
      return;
    }
    case "encounterStarted":
      s.status = State_Status.STARTED;
      return;
    case "encounterEnded":
      s.status = State_Status.ENDED;
      s.active = [];
      s.phase = "";
      s.rulingDice = false;
      return;
    case "roundStarted":
      s.round = what.value.round;
      return;
    case "roundEnded":
      s.phase = "";
      return;
    case "phaseStarted":
      s.phase = what.value.phase;
      return;
    case "turnStarted":
      s.active = what.value.creatures;
      return;
    case "turnEnded": {
      const gone = what.value.creatures;
      s.active = s.active.filter((id) => !gone.includes(id));
      return;
    }
    case "counter": {
      const of = subject(d, what.value.subject);
      if (of) put(d.map(of as State, "counters"), what.value.counter, what.value.value);
      return;
    }
    case "mark": {
      const of = subject(d, what.value.subject);
      if (!of) return;
      const marks = d.map(of as State, "marks");
      if (what.value.value === "") delete marks[what.value.mark];
      else put(marks, what.value.mark, what.value.value);
      return;
    }
    case "decisionRequested": {
      const decision = what.value.decision ?? create(DecisionSchema);
      put(d.map(s, "decisions"), decision.id, decision);
      return;
    }
    case "decisionAnswered":
      delete d.map(s, "decisions")[what.value.id];
      return;
    case "task": {
      const task = what.value.task ?? create(TaskSchema);
      put(d.map(s, "tasks"), task.id, task);
      return;
    }
    case "taskEnded":
      delete d.map(s, "tasks")[what.value.id];
      return;
    case "creatureAdded":
      return foldAdded(d, what.value);
    case "creatureRemoved":
      return foldRemoved(d, what.value.creature);
    case "roll":
    case "attack":
    case "damage":
    case "healing":
    case "action":
    case "note":
    case "reverted":
    case "amended":
      return; // they tell; the values that they led to come as events of their own
    case "forked":
      return foldForked(d, what.value);
    case "imported":
      s.imported = true;
      return;
    case "contest":
      if (what.value.contest) put(d.map(s, "contests"), what.value.contest.id, what.value.contest);
      return;
    case "savePoint": {
      const point = what.value.savePoint;
      if (!point) return;
      s.savePoints = s.savePoints.filter((p) => p.name !== point.name);
      if (point.version > 0n) s.savePoints.push(point);
      return;
    }
    case "order": {
      const order = what.value.order;
      if (!order) return;
      if (order.creature === "") s.orders = withOrder(s.orders, order);
      else if (entry(s.creatures, order.creature)) {
        const c = d.creature(order.creature)!;
        c.orders = withOrder(c.orders, order);
      }
      return;
    }
    case "diceEpoch":
      return foldEpoch(d, what.value);
    case "entropyGiven":
      return foldEntropy(s, what.value);
    case "entropyClosed":
      return foldClosed(s, what.value);
    case "beaconNamed":
      return foldBeacon(s, what.value);
    case "diceRevealed":
      return foldRevealed(s, what.value);
    case "rollsOpened":
      return foldOpened(s, what.value);
    default:
      foldCreature(d, what);
  }
}

function foldCreated(d: Draft, e: EncounterCreated): void {
  const s = d.state;
  s.encounter = e.encounter;
  s.table = e.table;
  s.title = e.title;
  s.system = e.system;
  s.systemVersion = e.systemVersion;
  s.packs = e.packs;
  s.preset = e.preset;
  const settings = d.map(s, "settings");
  for (const [id, value] of Object.entries(e.settings)) put(settings, id, value);
  s.dicePolicy = e.dicePolicy;
  s.repeatPolicy = e.repeatPolicy;
  s.decisionSeconds = e.decisionSeconds;
  s.status = State_Status.OPEN;
}

// One who is there already is only told of again: what else is known of it stays.
function foldAdded(d: Draft, e: CreatureAdded): void {
  const there = d.creature(e.creature);
  const told = { name: e.name, side: e.side, size: e.size, controllers: e.controllers, patient: e.patient };
  if (there) {
    Object.assign(there, told);
    return;
  }
  d.add(create(CreatureSchema, { id: e.creature, ...told, life: LifeStatus.ALIVE }));
  if (e.side !== "") d.side(e.side);
}

function foldRemoved(d: Draft, id: string): void {
  delete d.map(d.state, "creatures")[id];
  for (const [other, c] of Object.entries(d.state.creatures)) {
    if (c.relations.some((r) => r.to === id)) {
      d.creature(other)!.relations = c.relations.filter((r) => r.to !== id);
    }
  }
  d.state.active = d.state.active.filter((a) => a !== id);
}

// The game master alone is told the views of a fork; what cannot be read changes nothing.
function foldForked(d: Draft, e: EncounterForked): void {
  const view = entry(e.views, "gm");
  if (view === undefined) return;
  let then: State;
  try {
    then = fromBinary(StateSchema, view);
  } catch {
    return;
  }
  for (const field of StateSchema.fields) delete (d.state as unknown as Record<string, unknown>)[field.localName];
  Object.assign(d.state, then);
}

function withOrder(list: StandingOrder[], order: StandingOrder): StandingOrder[] {
  const at = list.findIndex((o) => o.creature === order.creature && o.side === order.side &&
    o.monsters === order.monsters && o.decision === order.decision && o.when === order.when);
  if (order.order === "") return list.filter((_, i) => i !== at);
  return at < 0 ? [...list, order] : list.map((o, i) => (i === at ? order : o));
}

/** The number, in addresses of faces, of the dice for what is rolled before the start. */
export function settingUpEpoch(epoch: number): number {
  return (epoch | 0x80000000) >>> 0;
}

function foldEpoch(d: Draft, e: DiceEpochOpened): void {
  const s = d.state;
  if (e.epoch < s.epoch) return;
  if (e.epoch !== s.epoch) {
    s.commitments = {};
    s.entropy = [];
    s.entropyOpen = e.open;
    s.diceFormat = e.format;
    delete s.settingUp;
    delete s.beacon;
    s.rulingDice = e.forRuling;
    if (e.open && e.settingUp.length > 0) s.settingUp = create(SettingUpSchema, { open: true });
  }
  s.epoch = e.epoch;
  const commitments = d.map(s, "commitments");
  for (const c of e.commitments) put(commitments, c.branch, c.commitment);
  if (e.entropy.length > 0) s.entropy = e.entropy;
  if (e.secret) s.secretDice = create(SecretBranchesSchema, { policy: e.secret });
}

function foldEntropy(s: State, e: EntropyGiven): void {
  if (e.epoch !== s.epoch || s.entropy.some((given) => given.contributor === e.contributor)) return;
  s.entropy = [...s.entropy, create(EntropySchema, { contributor: e.contributor, value: e.value })];
  if (e.beacon && s.beacon) {
    s.beacon = create(BeaconPromiseSchema, { ...(s.beacon.beacon ? { beacon: s.beacon.beacon } : {}), given: true });
  }
}

function foldClosed(s: State, e: EntropyClosed): void {
  if (e.epoch === s.epoch) {
    s.entropyOpen = false;
    delete s.settingUp;
    s.rulingDice = false;
  } else if (s.settingUp && e.epoch === settingUpEpoch(s.epoch)) {
    s.settingUp = create(SettingUpSchema);
  }
}

function foldBeacon(s: State, e: BeaconNamed): void {
  if (e.epoch !== s.epoch) return;
  s.beacon = create(BeaconPromiseSchema, { ...(e.beacon ? { beacon: e.beacon } : {}), waived: e.waived });
}

function foldRevealed(s: State, e: DiceRevealed): void {
  if (!s.secretDice) return;
  const now = shallow(s.secretDice);
  if (e.secretDueUnixMillis > 0n) now.dueUnixMillis = e.secretDueUnixMillis;
  if (e.branch === "gm" && !now.opened.includes(e.epoch)) now.opened = [...now.opened, e.epoch];
  s.secretDice = now;
}

function foldOpened(s: State, e: RollsOpened): void {
  const secret = s.secretDice;
  if (!secret || e.leaf.length === 0) return;
  const known = e.branch !== "everyone" && (secret.opened.includes(e.epoch & 0x7fffffff) ||
    secret.leaves.some((l) => l.epoch === e.epoch && l.branch === e.branch && l.action === e.action));
  if (known) return;
  const now = shallow(secret);
  now.leaves = [...now.leaves, create(OpenedLeafSchema, { epoch: e.epoch, branch: e.branch, action: e.action })];
  s.secretDice = now;
}

type OfCreature = Exclude<Event["what"], { case: undefined }>;

/** Events about one creature; of one that is not known they change nothing. */
function foldCreature(d: Draft, what: OfCreature): void {
  switch (what.case) {
    case "sheetSet":
      return change(d, what.value.creature, (c) => assign(c, "sheet", what.value.sheet));
    case "controllers":
      return change(d, what.value.creature, (c) => { c.controllers = what.value.controllers; });
    case "initiativeSet": {
      const { creature, round, total, tiebreak } = what.value;
      return change(d, creature, (c) => {
        c.initiative = [...initiativeWithout(c, round, d.state.round), create(InitiativeSchema, { round, total, tiebreak })];
      });
    }
    case "initiativeCleared":
      return change(d, what.value.creature, (c) => { c.initiative = initiativeWithout(c, what.value.round, d.state.round); });
    case "hitPoints":
      return change(d, what.value.creature, (c) => {
        c.hp = what.value.hp;
        c.hpMax = what.value.max;
        c.hpTemp = what.value.temp;
      });
    case "life":
      return change(d, what.value.creature, (c) => { c.life = what.value.status; });
    case "staged":
      return change(d, what.value.creature, (c) => {
        c.staged = what.value.staged;
        c.knownTo = what.value.knownTo;
      });
    case "moved":
      return change(d, what.value.creature, (c) => assign(c, "position", what.value.to));
    case "item": {
      const { creature, item, place, values, at, position } = what.value;
      return change(d, creature, (c) => {
        put(d.map(c, "items"), item, create(ItemStateSchema, { place, values, at, ...(position ? { position } : {}) }));
      });
    }
    case "standingOrder":
      return change(d, what.value.creature, (c) => put(d.map(c, "standingOrders"), what.value.decision, what.value.order));
    case "learned":
      return change(d, what.value.about, (c) => {
        const learned = d.map(c, "learned");
        for (const [fact, value] of Object.entries(what.value.facts)) put(learned, fact, value);
      });
    default:
      foldBody(d, what);
  }
}

function foldBody(d: Draft, what: OfCreature): void {
  switch (what.case) {
    case "conditionAdded": {
      const { creature, condition } = what.value;
      if (condition) change(d, creature, (c) => { c.conditions = [...c.conditions.filter((o) => o.id !== condition.id), condition]; });
      return;
    }
    case "conditionRemoved":
      return change(d, what.value.creature, (c) => { c.conditions = c.conditions.filter((o) => o.id !== what.value.id); });
    case "injuryAdded": {
      const { creature, injury } = what.value;
      if (injury) change(d, creature, (c) => { c.injuries = [...c.injuries.filter((o) => o.id !== injury.id), injury]; });
      return;
    }
    case "injuryRemoved":
      return change(d, what.value.creature, (c) => { c.injuries = c.injuries.filter((o) => o.id !== what.value.id); });
    case "relation": {
      const { creature, relation } = what.value;
      if (relation) change(d, creature, (c) => { c.relations = [...relationsWithout(c, relation.kind, relation.to), relation]; });
      return;
    }
    case "relationEnded":
      return change(d, what.value.creature, (c) => { c.relations = relationsWithout(c, what.value.kind, what.value.to); });
    case "begun": {
      const { creature, begun } = what.value;
      if (begun) change(d, creature, (c) => { c.begun = [...c.begun.filter((o) => o.id !== begun.id), begun]; });
      return;
    }
    case "begunEnded":
      return change(d, what.value.creature, (c) => { c.begun = c.begun.filter((o) => o.id !== what.value.id); });
  }
}

function change(d: Draft, id: string, how: (c: Creature) => void): void {
  const c = d.creature(id);
  if (c) how(c);
}

function assign<T extends object, K extends keyof T>(of: T, name: K, value: T[K] | undefined): void {
  if (value === undefined) delete of[name];
  else of[name] = value;
}

/** Without the place of a round, and without those of rounds that are over. */
function initiativeWithout(c: Creature, round: number, now: number): Creature["initiative"] {
  return c.initiative.filter((i) => i.round !== round && i.round >= now);
}

/** To nobody named leaves out the relations of a kind to all. */
function relationsWithout(c: Creature, kind: string, to: string): Creature["relations"] {
  return c.relations.filter((r) => r.kind !== kind || (to !== "" && r.to !== to));
}

/** A copy that may be written to. */
export function copyOf(state: State): State {
  return clone(StateSchema, state);
}
