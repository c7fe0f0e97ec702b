// What a fight came to, counted over the steps that still count.
import type { Roll } from '$gen/event/v1/event_pb';
import { fates } from './log';
import type { Step } from './types';
import type { Event } from '$gen/event/v1/event_pb';

export interface Source {
  dealt: number;
  taken: number;
  hits: number;
  misses: number;
  healed: number;
}

export interface Summary {
  by: Map<string, Source>;
  rolls: Roll[];
  /** Milliseconds that each creature had the turn, and how often. */
  time: Map<string, { millis: number; turns: number }>;
}

/** standing are the events that count: corrected ones in place of those that do not. */
export function standing(steps: Step[]): { at: number; events: Event[] }[] {
  const fate = fates(steps);
  const corrected = new Map<number, Event[]>();
  for (const s of steps) for (const c of s.ruling?.steps ?? []) if (c.corrected && c.corrected.step > 0n && c.corrected.kind !== 3) corrected.set(Number(c.corrected.step), c.events);
  return steps.flatMap((s) => {
    const n = Number(s.number);
    if (fate.get(n)?.kind === 'gone') return [];
    const put = (s.ruling?.steps ?? []).filter((c) => c.corrected?.step === 0n && c.corrected.kind === 4).flatMap((c) => c.events);
    const own = s.ruling ? put : (corrected.get(n) ?? s.events);
    return [{ at: Number(s.unixMillis), events: own }];
  });
}

export function summarize(steps: Step[]): Summary {
  const by = new Map<string, Source>();
  const of = (id: string) => {
    let one = by.get(id);
    if (!one) by.set(id, (one = { dealt: 0, taken: 0, hits: 0, misses: 0, healed: 0 }));
    return one;
  };
  const rolls: Roll[] = [];
  const time = new Map<string, { millis: number; turns: number }>();
  let acting: string[] = [];
  let since = 0;
  for (const { at, events } of standing(steps)) {
    for (const e of events) {
      const w = e.what;
      if (w.case === 'damage') {
        of(w.value.source).dealt += w.value.amount;
        of(w.value.target).taken += w.value.amount;
      } else if (w.case === 'healing') of(w.value.source || w.value.target).healed += w.value.amount;
      else if (w.case === 'attack') {
        if (w.value.outcome === 'hit' || w.value.outcome === 'critical') of(w.value.attacker).hits++;
        else of(w.value.attacker).misses++;
      } else if (w.case === 'roll') rolls.push(w.value);
      else if (w.case === 'turnStarted' || w.case === 'encounterEnded') {
        for (const id of acting) {
          const one = time.get(id) ?? { millis: 0, turns: 0 };
          time.set(id, { millis: one.millis + Math.max(0, at - since), turns: one.turns + 1 });
        }
        acting = w.case === 'turnStarted' ? w.value.creatures : [];
        since = at;
      }
    }
  }
  return { by, rolls, time };
}
