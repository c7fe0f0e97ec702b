// What was forgotten: a command that is put into the past.
import { create, fromJson, type JsonValue } from '@bufbuild/protobuf';
import { CommandSchema, type Command } from '$gen/event/v1/command_pb';
import { digits, object } from './change';

/** The sorts of command that the form has; any other is given as JSON. */
export const sorts = ['take', 'edit', 'end-turn', 'json'] as const;

export interface Forgotten {
  sort: (typeof sorts)[number];
  creature: string;
  action: string;
  item: string;
  targets: string[];
  parameters: Record<string, unknown>;
  facts: Record<string, unknown>;
  path: string;
  /** Of an edit; empty keeps what is. */
  hp: string;
  hpTemp: string;
  position: string;
  conditions: string;
  removed: string;
  text: string;
}

export function nothingForgotten(): Forgotten {
  return { sort: 'take', creature: '', action: '', item: '', targets: [], parameters: {}, facts: {}, path: '', hp: '', hpTemp: '', position: '', conditions: '', removed: '', text: '' };
}

/** points are the places of a text such as "10,5 15,5,10", in feet. */
export function points(text: string): { x: number; y: number; z: number }[] {
  return [...text.matchAll(/(-?\d+)\s*,\s*(-?\d+)(?:\s*,\s*(-?\d+))?/g)].map((m) => ({ x: Number(m[1]), y: Number(m[2]), z: Number(m[3] ?? 0) }));
}

const list = (text: string) => text.split(',').map((s) => s.trim()).filter((s) => s !== '');
const number = (text: string) => digits(text)[0];

/** forgotten is the command; it throws where the JSON of one is none. */
export function forgotten(f: Forgotten): Command {
  const { creature } = f;
  switch (f.sort) {
    case 'json':
      return fromJson(CommandSchema, JSON.parse(f.text) as JsonValue);
    case 'end-turn':
      return create(CommandSchema, { what: { case: 'endTurn', value: { creature } } });
    case 'edit': {
      const [hp, hpTemp] = [number(f.hp), number(f.hpTemp)];
      const vitals = { ...(hp === undefined ? {} : { hp }), ...(hpTemp === undefined ? {} : { hpTemp }), conditions: list(f.conditions).map((name) => ({ name })) };
      return create(CommandSchema, { what: { case: 'edit', value: { creature, vitals, removeConditions: list(f.removed), position: points(f.position)[0] } } });
    }
    case 'take':
      return create(CommandSchema, {
        what: { case: 'take', value: { creature, action: f.action, item: f.item, targets: f.targets, path: points(f.path), parameters: object(f.parameters), facts: object(f.facts) } },
      });
  }
}
