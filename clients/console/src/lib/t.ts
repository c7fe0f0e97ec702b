// Every text that people read comes from one table. Another language is another
// table with the same keys.
import { en } from './en';

export type Key = keyof typeof en;
type Values = Record<string, string | number | undefined>;

let table: Record<Key, string> = en;

/** useTable puts another language in place. */
export function useTable(other: Record<Key, string>): void {
  table = other;
}

/** t is a text with its places filled in. A key of which only a part is fixed goes by maybe. */
export function t(key: Key, values: Values = {}): string {
  return table[key].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
}

/** maybe is the text of a key that is made up at run time, or what stands in for it. */
export function maybe(key: string, otherwise: string): string {
  return key in table ? table[key as Key] : otherwise;
}

/** many chooses between one and several. */
export function many(one: Key, several: Key, n: number): string {
  return t(n === 1 ? one : several, { n });
}
