// The log as headings: rounds, in them turns, in them steps with their lines.
import type { Event } from '$gen/event/v1/event_pb';
import type { Step } from './types';
import type { Line, Words } from './words';

export interface LogLine extends Line {
  event: number;
  what: Event;
}

export interface Entry {
  step: Step;
  number: number;
  lines: LogLine[];
}

export interface Turn {
  key: string;
  title: string;
  entries: Entry[];
}

export interface Round {
  key: string;
  title: string;
  number: number;
  first: number;
  turns: Turn[];
}

/** Fate is what a later ruling made of a step. */
export interface Fate {
  kind: 'gone' | 'changed';
  ruling: number;
}

const kept = new WeakMap<Step, { words: Words; entry: Entry }>();

/** entry is a step with its lines. */
export function entryOf(step: Step, words: Words): Entry {
  const known = kept.get(step);
  if (known?.words === words) return known.entry;
  const seen = new Map<string, number>();
  step.events.forEach((e, i) => {
    if (e.what.case === 'contest') seen.set(e.what.value.contest?.id ?? '', i);
  });
  const lines: LogLine[] = [];
  step.events.forEach((what, event) => {
    // Each audience is told of a contest apart; who hears several hears the most last.
    if (what.what.case === 'contest' && seen.get(what.what.value.contest?.id ?? '') !== event) return;
    // What a ruling says of itself stands in its difference.
    if (step.ruling && (what.what.case === 'reverted' || what.what.case === 'roll' || (what.what.case === 'amended' && what.what.value.notes.length === 0))) return;
    const line = words.line(what);
    if (line) lines.push({ ...line, event, what });
  });
  const entry = { step, number: Number(step.number), lines };
  kept.set(step, { words, entry });
  return entry;
}

/** chronicle puts steps under headings. A step that goes over a heading has its lines on both sides. */
export function chronicle(steps: Step[], words: Words, begin: string): Round[] {
  const rounds: Round[] = [];
  let round: Round = { key: 'begin', title: begin, number: -1, first: 1, turns: [] };
  let turn: Turn = { key: 'begin', title: '', entries: [] };
  const newTurn = (key: string, title: string) => {
    if (turn.entries.length || turn.title !== '') round.turns.push(turn);
    turn = { key, title, entries: [] };
  };
  for (const step of steps) {
    const { number, lines } = entryOf(step, words);
    let part: LogLine[] = [];
    let put = false;
    const flush = (last: boolean) => {
      if (part.length || (last && !put)) {
        turn.entries.push({ step, number, lines: part });
        put = true;
      }
      part = [];
    };
    for (const line of lines) {
      const w = line.what.what;
      if (w.case === 'roundStarted') {
        flush(false);
        newTurn(`t${number}.${line.event}`, '');
        if (round.turns.length) rounds.push(round);
        round = { key: `r${number}.${line.event}`, title: line.text, number: w.value.round, first: number, turns: [] };
        put = true;
      } else if (w.case === 'turnStarted') {
        flush(false);
        newTurn(`t${number}.${line.event}`, line.text);
        put = true;
      } else {
        part.push(line);
      }
    }
    flush(true);
  }
  newTurn('end', '');
  if (round.turns.length) rounds.push(round);
  return rounds;
}

/** fates are what later rulings made of steps, by the step's number. */
export function fates(steps: Step[]): Map<number, Fate> {
  const out = new Map<number, Fate>();
  for (const step of steps) {
    const ruling = Number(step.number);
    for (const e of step.events) {
      if (e.what.case !== 'reverted' || e.what.value.redo || e.what.value.version === 0n) continue;
      // The game master alone is told how far it goes back.
      for (let n = Number(e.what.value.version) + 1; n < ruling; n++) out.set(n, { kind: 'gone', ruling });
    }
    if (!step.ruling) continue;
    if (step.ruling.kind === 3) for (const [n, fate] of out) if (fate.kind === 'gone' && fate.ruling === ruling - 1) out.delete(n);
    for (const s of step.ruling.steps) {
      const n = Number(s.corrected?.step ?? 0);
      if (n === 0) continue;
      if (s.corrected!.kind === 3) out.set(n, { kind: 'gone', ruling });
      else if (s.corrected!.kind === 2) out.set(n, { kind: 'changed', ruling });
      else if (s.corrected!.kind === 4) out.delete(n);
    }
  }
  return out;
}
