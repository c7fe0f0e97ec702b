// One encounter as this viewer sees it: the steps of the client's watch, the states that
// they fold to, what is waited for, and the options of whoever acts.
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { execute } from '$client/execute';
import { fold, newState } from '$client/fold';
import type { Form } from '$client/forms';
import { watch } from '$client/watch';
import { SkaldError } from '$client/errors';
import type { ExecuteResponse, GetNextResponse, PublicMark, Step, Waiting } from './types';
import { CommandSchema, type Command } from '$gen/event/v1/command_pb';
import type { Option, Orderable } from '$gen/event/v1/option_pb';
import type { Creature, State } from '$gen/event/v1/state_pb';
import { refusal, type Refusal } from './errors';
import { people } from './people.svelte';
import { session } from './session.svelte';
import { Words, type Names } from './words';

/** Place is a place of the record, in the viewer's numbers. */
export interface Place {
  number: number;
  within: number;
}

/** Link is how the connection stands. */
export type Link = 'connecting' | 'live' | 'lost';

type CommandInit = MessageInitShape<typeof CommandSchema>;

export class Fight {
  steps = $state.raw<Step[]>([]);
  /** The state after the last step; absent until all that was there is told. */
  state = $state.raw<State | undefined>(undefined);
  next = $state.raw<GetNextResponse | undefined>(undefined);
  options = $state.raw<Option[]>([]);
  orders = $state.raw<Orderable[]>([]);
  publicMark = $state.raw<PublicMark | undefined>(undefined);
  link = $state<Link>('connecting');
  caughtUp = $state(false);
  /** What the last command was refused with. */
  refused = $state.raw<Refusal | undefined>(undefined);
  /** Why the encounter can not be shown at all. */
  broken = $state.raw<Refusal | undefined>(undefined);
  busy = $state(0);
  /** Creature whose options are shown, as the person chose; empty means whoever acts. */
  chosen = $state('');
  /** Place of the past that is shown; absent means now. */
  at = $state.raw<Place | undefined>(undefined);
  /** The chosen creature is looked at although it is not its turn. */
  private looking = $state(false);
  past = $state.raw<State | undefined>(undefined);
  /** Squares, targets and path of the form that is open, for the map. */
  drawn = $state.raw<{ option?: Form; path: { x: number; y: number; z: number }[]; targets: string[] }>({ path: [], targets: [] });

  /** shown is the state on the screen: of the past, or of now. */
  shown = $derived(this.at === undefined ? this.state : this.past);
  private names = $state.raw<Names>({});
  // Names of people may change at any time: lines that have them are made anew.
  words = $derived.by(() => (void people.names, new Words(this.names)));
  mine = $derived.by(() => Object.values(this.state?.creatures ?? {}).filter((c) => this.controls(c)));
  waiting = $derived<Waiting[]>(this.next?.waiting ?? []);
  decisions = $derived(this.waiting.filter((w) => w.decision !== undefined && w.yours));
  others = $derived(this.waiting.filter((w) => !(w.decision !== undefined && w.yours)));
  /** able are those who may do something where nobody in particular has the turn. */
  able = $state.raw<string[]>([]);
  /** actors are those who may act and are this viewer's. */
  actors = $derived.by(() => {
    const ids = this.waiting.filter((w) => w.kind === 2 && w.yours).flatMap((w) => w.creatures);
    const active = (this.state?.active ?? []).filter((id) => this.mine.some((c) => c.id === id));
    const all = [...new Set([...active, ...ids])];
    return all.length ? all : this.able;
  });
  actor = $derived.by(() => {
    if (this.chosen !== '' && this.mine.some((c) => c.id === this.chosen) && (this.actors.length === 0 || this.actors.includes(this.chosen) || this.looking)) return this.chosen;
    return this.actors[0] ?? this.mine[0]?.id ?? '';
  });
  latest = $derived(this.steps.length ? Number(this.steps.at(-1)!.number) : 0);

  private cursor = '';
  /** The state after each step: they share what the step did not touch. */
  private states: State[] = [];
  private stop = new AbortController();
  private line = new AbortController();
  private again = false;
  refreshing = $state(false);
  private asked = 0;

  constructor(readonly id: string) {}

  /** learn takes up names; lines are made anew where one is new. */
  private learn(steps: Step[], state: State | undefined): void {
    const names: Names = { ...this.names };
    const learn = new Words(names);
    for (const step of steps) {
      learn.learn(step.corrected?.before ?? []);
      learn.learn(step.events);
    }
    for (const c of Object.values(state?.creatures ?? {})) if (c.name !== '') names[c.id] = c.name;
    if (Object.entries(names).some(([id, name]) => this.names[id] !== name)) this.names = names;
  }

  controls(c: Creature): boolean {
    if (!session.canAct) return false;
    return session.isGM || c.controllers.includes(session.who?.name ?? '');
  }

  /** open watches until close. */
  open(): void {
    void this.watch();
    addEventListener('online', this.wake);
  }

  close(): void {
    this.stop.abort();
    this.line.abort();
    removeEventListener('online', this.wake);
  }

  // Where the browser says that there is a network again, nothing is waited for.
  private wake = () => {
    if (this.link === 'lost') this.line.abort();
  };

  private async watch(): Promise<void> {
    while (!this.stop.signal.aborted) {
      this.line = new AbortController();
      try {
        const told = watch(session.connection, { as: session.as, encounter: this.id, table: session.table, after: this.cursor }, { signal: this.line.signal, backoff: { first: 250, most: 8000 } });
        let missed: Step[] = [];
        for await (const e of told) {
          if (e.kind === 'lost') {
            this.take(missed);
            missed = [];
            this.link = 'lost';
            continue;
          }
          if (this.link !== 'live') this.link = 'live';
          if (e.kind === 'step') {
            // What was missed comes at once: it is shown at once.
            if (this.caughtUp) this.take([e.step]);
            else missed.push(e.step);
            continue;
          }
          if (e.public) this.publicMark = e.public;
          if (e.kind === 'caughtUp') {
            this.take(missed);
            missed = [];
            this.state ??= newState();
            this.caughtUp = true;
            this.refresh();
          }
        }
      } catch (err) {
        const why = refusal(err);
        if (why.reason !== 'FORKED') {
          this.broken = why;
          this.link = 'lost';
          return;
        }
        // The cursor is of another history: it is read anew, and people are told.
        this.cursor = '';
        this.steps = [];
        this.states = [];
        this.caughtUp = false;
        this.refused = why;
      }
    }
  }

  private take(steps: Step[]): void {
    const fresh = steps.filter((s) => Number(s.number) > this.latest);
    if (fresh.length === 0) return;
    for (const step of fresh) this.states.push(fold(this.states.at(-1) ?? newState(), step));
    this.steps = [...this.steps, ...fresh];
    this.cursor = fresh.at(-1)!.cursor;
    this.state = this.states.at(-1);
    this.learn(fresh, this.state);
    this.refresh();
  }

  /** refresh asks anew what stands; calls that come meanwhile are one more. */
  refresh(): void {
    this.again = true;
    if (!this.refreshing) void this.asking();
  }

  private async asking(): Promise<void> {
    this.refreshing = true;
    let pause = 300;
    while (this.again && !this.stop.signal.aborted) {
      this.again = false;
      const where = { as: session.as, encounter: this.id, table: session.table };
      try {
        const next = await session.connection.encounters.getNext(where, { signal: this.stop.signal });
        if (JSON.stringify(next.waiting.map((w) => w.creatures)) !== JSON.stringify(this.waiting.map((w) => w.creatures))) this.looking = false;
        this.next = next;
        await this.ask();
      } catch (err) {
        if (this.stop.signal.aborted || !SkaldError.from(err).again) {
          if (!this.stop.signal.aborted) this.broken ??= refusal(err);
          break;
        }
        this.again = true;
        await new Promise((done) => setTimeout(done, pause));
        pause = Math.min(pause * 2, 5000);
      }
    }
    this.refreshing = false;
  }

  /** ask gets the options of whoever acts. */
  async ask(): Promise<void> {
    const turn = ++this.asked;
    const where = { as: session.as, encounter: this.id, table: session.table };
    if (session.canAct && this.state?.status === 2 && this.waiting.every((w) => w.kind !== 2 && w.decision === undefined) && this.state.active.length === 0) {
      const any = await session.connection.encounters.getOptions({ ...where, legalOnly: true, withoutDetails: true, withoutSquares: true }, { signal: this.stop.signal });
      this.able = [...new Set(any.options.map((o) => o.creature))].filter((id) => id !== '');
    } else this.able = [];
    const creature = this.actor;
    if (!session.canAct || creature === '' || this.state?.status !== 2) {
      this.options = [];
      this.orders = [];
      return;
    }
    const got = await session.connection.encounters.getOptions({ ...where, creature }, { signal: this.stop.signal });
    if (turn !== this.asked) return; // somebody else was chosen meanwhile
    this.options = got.options;
    this.orders = got.orders;
  }

  choose(creature: string): void {
    this.chosen = creature;
    this.looking = !this.actors.includes(creature);
    this.options = [];
    this.ask().catch((err: unknown) => (this.refused = refusal(err)));
  }

  /** go shows another place of the record; nothing means now. */
  async go(at: Place | undefined): Promise<void> {
    if (at !== undefined && at.within === 0 && at.number >= this.latest && this.latest > 0) at = undefined;
    this.at = at;
    if (at === undefined || at.within === 0) {
      this.past = at && this.states[at.number - 1];
      return;
    }
    // A corrected history is no part of what was told.
    try {
      const got = await session.connection.encounters.getState({ as: session.as, encounter: this.id, table: session.table, at: BigInt(at.number), within: BigInt(at.within) });
      if (this.at === at) {
        this.past = got.state;
        this.learn([], got.state);
      }
    } catch (err) {
      this.refused = refusal(err);
      this.at = undefined;
    }
  }

  /** mark asks where the public transcript stands, with its words. */
  async mark(): Promise<void> {
    const got = await session.connection.record.getHead({ as: session.as, encounter: this.id, table: session.table }, { signal: this.stop.signal });
    if (got.public) this.publicMark = got.public;
  }

  /**
   * execute carries out one command. It answers nothing where it was refused, and why
   * stands in refused.
   */
  async execute(command: CommandInit | Command): Promise<ExecuteResponse | undefined> {
    this.busy++;
    this.refused = undefined;
    try {
      const done = await execute(
        session.connection,
        { as: session.as, encounter: this.id, table: session.table, command: create(CommandSchema, command as CommandInit) },
        { signal: this.stop.signal, withinMillis: 45_000 },
      );
      // What comes next in order need not be waited for.
      if (done.step && Number(done.step.number) === this.latest + 1) this.take([done.step]);
      else this.refresh();
      return done;
    } catch (err) {
      this.refused = refusal(err);
      return undefined;
    } finally {
      this.busy--;
    }
  }
}
