// What a ruling or a contest says about a past command.
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { Event, Roll } from '$gen/event/v1/event_pb';
import type { ActionTaken } from '$gen/event/v1/event_pb';
import type { Trouble } from './types';

/** Ruled is what the menu of a step can say about it. */
export type Ruled = 'amend' | 'undo' | 'contest' | 'insert';

export interface Said {
  drop: boolean;
  clear: boolean;
  parameters: Record<string, unknown>;
  facts: Record<string, unknown>;
  targets: string[] | undefined;
  item: string;
  circumstances: { direction: string; cause: string; value: number }[];
  /** By the roll's key: faces as typed, a total, an outcome. */
  rolls: Record<string, { faces: string; total: string; outcome: string }>;
  /** Options in place of those chosen, by decision and creature. */
  answers: Record<string, string>;
}

export function nothingSaid(): Said {
  return { drop: false, clear: false, parameters: {}, facts: {}, targets: undefined, item: '', circumstances: [], rolls: {}, answers: {} };
}

export const rollKey = (r: Roll) => `${r.label}#${r.index}#${r.branch}`;

export function actionOf(events: Event[]): ActionTaken | undefined {
  for (const e of events) if (e.what.case === 'action') return e.what.value;
  return undefined;
}

export function rollsOf(events: Event[]): Roll[] {
  return events.flatMap((e) => (e.what.case === 'roll' ? [e.what.value] : []));
}

export function object(values: Record<string, unknown>): JsonObject | undefined {
  const said = Object.entries(values).filter(([, v]) => v !== undefined);
  return said.length ? (Object.fromEntries(said) as Record<string, JsonValue>) : undefined;
}

/** changeOf is the change of the action; nothing where none was said. */
export function changeOf(said: Said) {
  const [parameters, facts] = [object(said.parameters), object(said.facts)];
  const circumstances = said.circumstances.filter((c) => c.cause !== '' || c.value !== 0).map((c) => ({ ...c, value: c.direction === 'modifier' ? c.value : 0 }));
  if (!parameters && !facts && !said.targets && said.item === '' && circumstances.length === 0) return undefined;
  return { parameters, facts, circumstances, targets: said.targets ?? [], item: said.item };
}

export const digits = (text: string) => (text.match(/-?\d+/g) ?? []).map(Number);

export function rollsSaid(said: Said, rolls: Roll[]) {
  return rolls.flatMap((r) => {
    const s = said.rolls[rollKey(r)];
    if (!s || (s.faces === '' && s.total === '' && s.outcome === '')) return [];
    return [{ label: r.label, index: r.index, branch: r.branch, faces: digits(s.faces), ...(s.total === '' ? {} : { total: Number(s.total) }), outcome: s.outcome }];
  });
}

/** Settled is what is to be done about a trouble: a command that became illegal, or a question that nobody has answered. */
export type Settled = '' | 'drop' | 'force' | 'stands' | { option: string } | { number: number } | { faces: number[] };

/** troubleKey tells troubles apart; the same question has the same id in every look. */
export const troubleKey = (x: Trouble) => [x.encounter, x.patient, x.version, x.decision?.id ?? ''].join('/');

interface Place {
  encounter: string;
  patient: string;
  dropIllegal: bigint[];
  forceIllegal: bigint[];
  resolve: { decision: string; answer: Exclude<Settled, string> }[];
  stands: boolean;
}

/** settlement is what an amendment says of the troubles, those of other fights and records apart. */
export function settlement(troubles: Iterable<Trouble>, settled: Record<string, Settled>) {
  const places = new Map<string, Place>();
  const at = (encounter: string, patient: string) => {
    const key = `${encounter}/${patient}`;
    const there = places.get(key) ?? { encounter, patient, dropIllegal: [], forceIllegal: [], resolve: [], stands: false };
    places.set(key, there);
    return there;
  };
  const { dropIllegal, forceIllegal, resolve } = at('', '');
  for (const x of troubles) {
    const how = settled[troubleKey(x)] ?? '';
    if (how === '') continue;
    const place = at(x.encounter, x.patient);
    if (how === 'drop') place.dropIllegal.push(x.version);
    else if (how === 'force') place.forceIllegal.push(x.version);
    else if (how === 'stands') place.stands = true;
    else if (x.decision) place.resolve.push({ decision: x.decision.id, answer: how });
  }
  return { dropIllegal, forceIllegal, resolve, onward: [...places.values()].filter((p) => p.encounter !== '' || p.patient !== '') };
}
