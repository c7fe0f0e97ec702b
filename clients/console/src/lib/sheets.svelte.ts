// Rolls of D&D Beyond sheets, told to the page by the browser extension Beyond20, as
// faces of an open question for dice. They only fill the fields: whoever sits here sends.
// One roll answers one question, the first on the page that it fits.
import { isUnfit, onSheetRoll, takeFaces, type SheetCharacter, type WantedRoll } from '$client/beyond20';

/** Wanted is an open question for dice, and what is to be done with the dice of a sheet. */
export interface Wanted extends WantedRoll {
  /** Name of the creature, which a sheet of the same name plays. */
  readonly creatureName: string;
  readonly fill: (faces: readonly number[]) => void;
  /** The dice did not fit; the character, where its sheet plays nobody yet. */
  readonly refuse: (why: string, unknown: string | undefined) => void;
}

const store = 'skald.sheets';
const open: Wanted[] = [];
let end: (() => void) | undefined;

function kept(): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(store) ?? '{}') as Record<string, string>;
  } catch {
    return {};
  }
}

const same = (a: string, b: string) => a.localeCompare(b, undefined, { sensitivity: 'base' }) === 0;

/** plays says that the sheet of a character plays a creature, from now on, in this browser. */
export function plays(character: string, creature: string): void {
  try {
    localStorage.setItem(store, JSON.stringify({ ...kept(), [character]: creature }));
  } catch {
    // A browser that keeps nothing asks again.
  }
}

/** want listens for a question until the function returned is called. */
export function want(w: Wanted): () => void {
  open.push(w);
  end ??= onSheetRoll(document, (roll) => {
    if (isUnfit(roll)) return open[0]?.refuse(roll.refused, undefined);
    const creatureOf = (c: SheetCharacter) => {
      const told = kept();
      return Object.hasOwn(told, c.name) ? told[c.name] : open.find((w) => w.creatureName !== '' && same(w.creatureName, c.name))?.creature;
    };
    const mine = open.filter((w) => w.creature === creatureOf(roll.character));
    for (const w of mine) {
      const taken = takeFaces(roll, [w], { plays: creatureOf });
      if (!isUnfit(taken)) return w.fill(taken.faces);
    }
    const first = mine[0] ?? open[0];
    if (first === undefined) return;
    const taken = takeFaces(roll, [first], { plays: creatureOf });
    if (isUnfit(taken)) first.refuse(taken.refused, creatureOf(roll.character) === undefined ? roll.character.name : undefined);
  });
  return () => {
    open.splice(open.indexOf(w), 1);
    if (open.length === 0) {
      end?.();
      end = undefined;
    }
  };
}
