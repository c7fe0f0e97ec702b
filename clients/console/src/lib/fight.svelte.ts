// One encounter as this viewer sees it: the steps of a watch that resumes, the
// state, what is waited for, the options of whoever acts, and the past.
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { ConnectError, Code } from '@connectrpc/connect';
import type { ExecuteResponse, GetNextResponse, PublicMark, Step, Waiting } from './types';
import { CommandSchema, type Command } from '$gen/event/v1/command_pb';
import type { Option, Orderable } from '$gen/event/v1/option_pb';
import type { Creature, State } from '$gen/event/v1/state_pb';
import { again, refusal, type Refusal } from './errors';
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

/** newId is a request id: the same id again is the same command. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
}

/** A watch that hears nothing for this long has lost its line. */
const silence = 50_000;

export class Fight {
  steps = $state.raw<Step[]>([]);
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
  drawn = $state.raw<{ option?: Option; path: { x: number; y: number; z: number }[]; targets: string[] }>({ path: [], targets: [] });

  /** shown is the state on the screen: of the past, or of now. */
  shown = $derived(this.at === undefined ? this.state : this.past);
  words = $derived.by(() => new Words(this.names()));
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
  private stop = new AbortController();
  private again = false;
  refreshing = $state(false);
  private asked = 0;

  constructor(readonly id: string) {}

  private names(): Names {
    const names: Names = {};
    const learn = new Words(names);
    for (const step of this.steps) {
      learn.learn(step.corrected?.before ?? []);
      learn.learn(step.events);
    }
    for (const s of [this.shown, this.state]) {
      for (const c of Object.values(s?.creatures ?? {})) if (c.name !== '') names[c.id] = c.name;
    }
    return names;
  }

  controls(c: Creature): boolean {
    if (!session.canAct) return false;
    return session.isGM || c.controllers.includes(session.who?.name ?? '');
  }

  /** open watches until close: it goes on from its cursor whenever the line was cut. */
  open(): void {
    void this.watch();
    addEventListener('online', this.wake);
  }

  close(): void {
    this.stop.abort();
    removeEventListener('online', this.wake);
    this.hurry();
  }

  private hurry: () => void = () => {};
  private wake = () => this.hurry();

  private async watch(): Promise<void> {
    let pause = 250;
    while (!this.stop.signal.aborted) {
      const line = new AbortController();
      const end = () => line.abort();
      this.stop.signal.addEventListener('abort', end);
      let timer = setTimeout(end, silence);
      let failed: unknown;
      try {
        const stream = session.connection.encounters.watch(
          { as: session.as, encounter: this.id, table: session.table, after: this.cursor },
          { signal: line.signal },
        );
        let batch: Step[] = [];
        for await (const m of stream) {
          clearTimeout(timer);
          timer = setTimeout(end, silence);
          if (this.link !== 'live') this.link = 'live';
          pause = 250;
          if (m.what.case === 'step') {
            this.cursor = m.what.value.cursor;
            // What was missed comes at once: it is shown at once.
            if (this.caughtUp) this.take([m.what.value]);
            else batch.push(m.what.value);
          } else if (m.what.case === 'caughtUp') {
            this.take(batch);
            batch = [];
            this.caughtUp = true;
            this.publicMark = m.what.value.public;
            this.refresh();
          } else if (m.what.case === 'heartbeat') {
            this.publicMark = m.what.value.public;
          } else if (m.what.case === 'end' && !m.what.value.again) {
            failed = new ConnectError(m.what.value.message, Code.Unauthenticated);
          }
        }
        this.take(batch);
      } catch (err) {
        failed = err;
      } finally {
        clearTimeout(timer);
        this.stop.signal.removeEventListener('abort', end);
      }
      if (this.stop.signal.aborted) return;
      if (failed !== undefined && !line.signal.aborted && !again(failed)) {
        const why = refusal(failed);
        if (why.reason === 'FORKED') {
          // The cursor is of another history: it is read anew, and people are told.
          this.cursor = '';
          this.steps = [];
          this.caughtUp = false;
          this.refused = why;
          continue;
        }
        this.broken = why;
        this.link = 'lost';
        return;
      }
      this.link = 'lost';
      await new Promise<void>((done) => {
        const timer = setTimeout(done, pause * (0.75 + Math.random() / 2));
        this.hurry = () => {
          clearTimeout(timer);
          done();
        };
      });
      pause = Math.min(pause * 2, 8000);
    }
  }

  private take(steps: Step[]): void {
    const fresh = steps.filter((s) => Number(s.number) > this.latest);
    if (fresh.length === 0) return;
    this.steps = [...this.steps, ...fresh];
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
        const [state, next] = await Promise.all([
          session.connection.encounters.getState({ ...where, notOlderThan: this.cursor }, { signal: this.stop.signal }),
          session.connection.encounters.getNext(where, { signal: this.stop.signal }),
        ]);
        this.state = state.state;
        this.publicMark = state.public;
        if (JSON.stringify(next.waiting.map((w) => w.creatures)) !== JSON.stringify(this.waiting.map((w) => w.creatures))) this.looking = false;
        this.next = next;
        await this.ask();
      } catch (err) {
        if (this.stop.signal.aborted || !again(err)) {
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
    if (at === undefined) {
      this.past = undefined;
      return;
    }
    try {
      const got = await session.connection.encounters.getState({
        as: session.as,
        encounter: this.id,
        table: session.table,
        at: BigInt(at.number),
        within: BigInt(at.within),
      });
      if (this.at === at) this.past = got.state;
    } catch (err) {
      this.refused = refusal(err);
      this.at = undefined;
    }
  }

  /**
   * execute carries out one command. The same request goes again, under the same
   * id, until its outcome is known. It answers nothing where it was refused, and
   * why stands in refused.
   */
  async execute(command: CommandInit | Command): Promise<ExecuteResponse | undefined> {
    const request = {
      requestId: newId(),
      as: session.as,
      encounter: this.id,
      table: session.table,
      command: create(CommandSchema, command as CommandInit),
    };
    this.busy++;
    this.refused = undefined;
    try {
      for (let pause = 300, tries = 0; ; pause *= 2, tries++) {
        try {
          const done = await session.connection.encounters.execute(request, { signal: this.stop.signal });
          this.refresh();
          return done;
        } catch (err) {
          if (!again(err) || tries >= 7 || this.stop.signal.aborted) {
            this.refused = refusal(err);
            return undefined;
          }
          await new Promise((done) => setTimeout(done, Math.min(pause, 4000)));
        }
      }
    } finally {
      this.busy--;
    }
  }
}
