// Rolls of a D&D Beyond sheet, as the browser extension Beyond20 tells a page of them by
// DOM events, taken as the faces of an open roll where they fit. What a page is told is
// read as its documented messages (docs/api.md there): unknown fields are passed over,
// and whatever is something else is refused with words; nothing here throws.
//
// Dice alone are taken. Modifiers, totals and kept dice of the sheet count for nothing:
// the rules decide what is added and which die stands.

/** Whose sheet a roll was made on. */
export interface SheetCharacter {
  readonly name: string;
  /** `Character`, `Monster`, `Creature`, `spell`, ... */
  readonly type: string;
  readonly url: string;
  /** Id of the sheet; empty where there is none. */
  readonly id: string;
}

/** One die. `dropped` says that the sheet set it aside, as with advantage. */
export interface SheetDie {
  readonly sides: number;
  readonly face: number;
  readonly dropped: boolean;
}

/** Dice of a sheet that are one roll. */
export interface SheetGroup {
  /**
   * `roll`: to hit, a check, a save, a roll of one's own. `damage`: all that counts, healing
   * and the dice of a critical hit too; `other-grip`: the same with a weapon in both hands.
   * `conditional`: what comes only if something else happens.
   */
  readonly use: "roll" | "damage" | "other-grip" | "conditional";
  readonly dice: readonly SheetDie[];
}

/** A roll that a sheet told of. */
export interface SheetRoll {
  readonly character: SheetCharacter;
  /** `attack`, `saving-throw`, `initiative`, `digital-dice`, ... */
  readonly type: string;
  readonly title: string;
  /** Beyond20 rolled it in the browser; the dice are not those of D&D Beyond. */
  readonly fallback: boolean;
  /** The player wants it to be seen by few. */
  readonly whispered: boolean;
  readonly groups: readonly SheetGroup[];
}

/** What was not taken, and why, for people. */
export interface Unfit {
  readonly refused: string;
}

/** A roll that is wanted: a prompt of the kind dice, a decision, or an expression that a command is about to roll. */
export interface WantedRoll {
  /** Creature that rolls; empty for the game master. */
  readonly creature: string;
  readonly expression: string;
  /** How many faces it takes at first; the expression tells where it is left out. */
  readonly faces?: number;
  /** Label of the roll, such as `attack/to-hit`. */
  readonly label?: string;
}

/** What is taken of whom. */
export interface TakeRules {
  /** Creature that a sheet plays; undefined for none of the user's own. For rolls of the game master without a creature any id will do. */
  readonly plays: (character: SheetCharacter) => string | undefined;
  /** Take dice of D&D Beyond alone, none that Beyond20 rolled in their place. */
  readonly digitalOnly?: boolean;
}

/** Faces in the order in which the command takes them, and what of the roll is left for the next one. */
export interface Taken {
  readonly faces: readonly number[];
  /** The same roll without the dice that were used; a die counts once. */
  readonly rest: SheetRoll;
}

const maxDice = 200, maxWords = 200;
const damageFlag = { regular: 1, otherGrip: 2, conditional: 32 }; // others go with these

/** What was refused. */
export function isUnfit(x: object): x is Unfit {
  return "refused" in x;
}

/** Calls back for every roll that Beyond20 tells the page of. The function returned ends it. */
export function onSheetRoll(page: EventTarget, told: (roll: SheetRoll | Unfit) => void): () => void {
  const listener = (event: Event) => {
    let detail: unknown;
    try {
      detail = (event as CustomEvent<unknown>).detail;
    } catch {
      detail = undefined; // of another context, which may not be read
    }
    told(readSheetRoll(detail));
  };
  page.addEventListener("Beyond20_RenderedRoll", listener);
  return () => page.removeEventListener("Beyond20_RenderedRoll", listener);
}

/** Reads the detail of an event `Beyond20_RenderedRoll`, or the request in it. */
export function readSheetRoll(detail: unknown): SheetRoll | Unfit {
  try {
    return read(Array.isArray(detail) ? (detail[0] as unknown) : detail);
  } catch (err) {
    return { refused: err instanceof Unreadable ? err.message : "the roll of the sheet can not be read" };
  }
}

class Unreadable extends Error {}

type Fields = Record<string, unknown>;

const fieldsOf = (x: unknown): Fields => (typeof x === "object" && x !== null && !Array.isArray(x) ? (x as Fields) : {});
const text = (x: unknown): string => (typeof x === "string" ? x.slice(0, maxWords) : typeof x === "number" ? String(x) : "");
const list = (x: unknown): readonly unknown[] => (Array.isArray(x) ? (x as unknown[]) : []);

function read(given: unknown): SheetRoll | Unfit {
  const message = fieldsOf(given), request = fieldsOf(message["request"]);
  if (message["action"] !== "rendered-roll") return { refused: "that is no roll of a sheet" };
  const who = fieldsOf(message["character"] ?? request["character"]);
  const groups: SheetGroup[] = [];
  const rolls = list(message["attack_rolls"]).flatMap((r) => diceOf(r));
  if (rolls.length > 0) groups.push({ use: "roll", dice: rolls });
  const damage: { flag: number; dice: SheetDie[] }[] = [];
  for (const info of list(message["damage_rolls"])) {
    const [, roll, flags] = list(info), flag = typeof flags === "number" ? flags : damageFlag.regular;
    if (flag !== 0) damage.push({ flag, dice: diceOf(roll) }); // 0 is words for people
  }
  const group = (use: SheetGroup["use"], has: (flag: number) => boolean) => {
    const dice = damage.filter(({ flag }) => has(flag)).flatMap((d) => d.dice);
    if (dice.length > 0) groups.push({ use, dice });
  };
  const certain = damage.filter(({ flag }) => !(flag & damageFlag.conditional));
  group("damage", (flag) => !(flag & (damageFlag.conditional | damageFlag.otherGrip)));
  if (certain.some(({ flag }) => flag & damageFlag.otherGrip)) group("other-grip", (flag) => !(flag & (damageFlag.conditional | damageFlag.regular)));
  group("conditional", (flag) => (flag & damageFlag.conditional) !== 0);
  const total = groups.reduce((n, g) => n + g.dice.length, 0);
  if (total > maxDice) return { refused: `the sheet rolled ${total} dice; at most ${maxDice} are read` };
  if (total === 0) return { refused: "the sheet rolled no dice" };
  return {
    character: { name: text(who["name"]), type: text(who["type"]), url: text(who["url"]), id: text(who["id"]) },
    type: text(request["type"]), title: text(message["title"]), fallback: message["rendered"] === "fallback",
    whispered: message["whisper"] === 1 || message["whisper"] === 3, groups,
  };
}

/** The dice of a Roll: of its parts those that are dice, in order. */
function diceOf(given: unknown): SheetDie[] {
  const roll = fieldsOf(given), aside = roll["discarded"] === true, out: SheetDie[] = [];
  for (const given of list(roll["parts"])) {
    const part = fieldsOf(given);
    if (!Array.isArray(part["rolls"])) continue; // a number, or a sign
    const sides = part["faces"], rolls = part["rolls"] as unknown[], amount = part["amount"];
    if (!whole(sides, 1, 1000)) throw new Unreadable("the sheet rolled a die whose sides can not be read");
    if (rolls.length !== amount) throw new Unreadable(`the sheet shows ${rolls.length} dice where it rolled ${text(amount) || "some"}d${sides}: one was rolled again; type the faces in`);
    for (const one of rolls) {
      const die = fieldsOf(one), face = die["roll"];
      if (!whole(face, 1, sides)) throw new Unreadable(`the sheet shows a d${sides} with ${text(face) || "no face"}`);
      out.push({ sides, face, dropped: aside || die["discarded"] === true });
    }
  }
  return out;
}

function whole(x: unknown, from: number, to: number): x is number {
  return typeof x === "number" && Number.isInteger(x) && x >= from && x <= to;
}

/**
 * Takes the faces of rolls that are wanted, in this order, from what a sheet rolled:
 * one prompt, or the rolls of a command, such as to hit and then damage. All must fit.
 */
export function takeFaces(roll: SheetRoll, wanted: readonly WantedRoll[], rules: TakeRules): Taken | Unfit {
  const name = roll.character.name || "nobody";
  if (rules.digitalOnly && roll.fallback) return { refused: "Beyond20 rolled these dice itself; only those of D&D Beyond are taken here" };
  let mine: string | undefined;
  try {
    mine = rules.plays(roll.character);
  } catch {
    mine = undefined;
  }
  if (mine === undefined) return { refused: `the roll is of ${name}'s sheet, which plays no creature of yours` };
  const faces: number[] = [];
  let rest = roll;
  for (const want of wanted) {
    if (want.creature !== "" && want.creature !== mine) return { refused: `the roll is of ${name}'s sheet, which plays ${mine}; ${want.creature} is to roll ${want.expression}` };
    const one = takeOne(rest, want);
    if (isUnfit(one)) return one;
    faces.push(...one.faces);
    rest = one.rest;
  }
  return { faces, rest };
}

function takeOne(roll: SheetRoll, want: WantedRoll): Taken | Unfit {
  const dice = wantedDice(want), kind = strangeKind(roll, want.label ?? "");
  if (isUnfit(dice)) return dice;
  if (kind !== undefined) return kind;
  const fits: { group: SheetGroup; faces: readonly number[] }[] = [], reasons: string[] = [];
  for (const group of roll.groups) {
    if (!mayBe(group, roll, want.label ?? "")) continue;
    const faces = matched(group, dice, want.expression);
    if (isUnfit(faces)) reasons.push(faces.refused);
    else fits.push({ group, faces });
  }
  if (fits.some((f) => f.group.use !== "conditional")) fits.splice(0, fits.length, ...fits.filter((f) => f.group.use !== "conditional"));
  const [first, second] = fits;
  if (first === undefined) return { refused: reasons[0] ?? `of that roll of the sheet no dice are left that may be ${want.expression}` };
  if (second !== undefined && second.faces.join() !== first.faces.join()) return { refused: `two rolls of the sheet could be ${want.expression}: type the faces in` };
  const used = first.group.use === "damage" || first.group.use === "other-grip" ? ["damage", "other-grip"] : [first.group.use];
  return { faces: first.faces, rest: { ...roll, groups: roll.groups.filter((g) => !used.includes(g.use)) } };
}

interface Term { readonly sides: number; readonly count: number; readonly drops: boolean }

/** The dice that an expression of Skald's notation takes at first, in rolling order. */
function wantedDice(want: WantedRoll): Term[] | Unfit {
  const bare = want.expression.toLowerCase().replace(/\[[^\]]*\]/g, "").replace(/\s+/g, ""), out: Term[] = [];
  const pool = /\}[^,+\-*/)]*(k|d[hl])/.test(bare);
  for (const [, count, sides, modifiers] of bare.matchAll(/(\d*)d(\d+|%|f)([^+\-*/(){},]*)/g)) {
    if (sides === "f") return { refused: `${want.expression} has fate dice, which a sheet does not roll` };
    if (/r[roa]|!(?!=\d)|!=/.test(modifiers!)) return { refused: `${want.expression} rolls some dice again: type the faces in` };
    out.push({ sides: sides === "%" ? 100 : Number(sides), count: count === "" ? 1 : Number(count), drops: pool || /k|d[hl]/.test(modifiers!) });
  }
  const all = out.reduce((n, t) => n + t.count, 0);
  if (all === 0) return { refused: `no dice are asked for: ${want.expression || "nothing"}` };
  if (want.faces !== undefined && want.faces > 0 && want.faces !== all) return { refused: `${want.expression} takes another number of faces here (${want.faces}): type them in` };
  return out;
}

/** The faces of a group in the order of the terms; all its dice must be used. */
function matched(group: SheetGroup, terms: readonly Term[], expression: string): readonly number[] | Unfit {
  const left = [...group.dice], faces: number[] = [];
  const unfit = (why = "") => ({ refused: `${expression} is to be rolled; the sheet rolled ${shown(group.dice)}${why}` });
  for (const term of terms) {
    for (let n = 0; n < term.count; n++) {
      const at = left.findIndex((d) => d.sides === term.sides);
      if (at < 0) return unfit();
      const [die] = left.splice(at, 1);
      if (die!.dropped && !term.drops) return unfit(", and set one aside");
      faces.push(die!.face);
    }
  }
  return left.length > 0 ? unfit(left.some((d) => d.dropped) ? ", and set one aside" : "") : faces;
}

/** Dice as people write them: 2d20 + 1d4. */
function shown(dice: readonly SheetDie[]): string {
  const counts = new Map<number, number>();
  for (const d of dice) counts.set(d.sides, (counts.get(d.sides) ?? 0) + 1);
  return [...counts].map(([sides, n]) => `${n}d${sides}`).join(" + ");
}

const checks: readonly string[] = ["initiative", "ability", "skill", "saving-throw", "death-save", "hit-dice"];
const attacks: readonly string[] = ["attack", "spell-attack"];

const isAttack = (label: string) => /(^|\/)to-hit(\/|$)/.test(label);
const isDamage = (label: string) => /(^|\/)damage(\/|$)/.test(label);

/** A roll of the sheet that says itself that it is another one than is wanted. */
function strangeKind(roll: SheetRoll, label: string): Unfit | undefined {
  const initiative = /^initiative(\/|$)/.test(label);
  if ((isAttack(label) || isDamage(label)) && checks.includes(roll.type) || initiative && (attacks.includes(roll.type) || roll.type !== "initiative" && roll.type !== "ability" && checks.includes(roll.type))) {
    return { refused: `${label} is to be rolled; the sheet rolled ${roll.type}` };
  }
  return undefined;
}

/** Whether dice of a group may be what a label names; without a label the dice alone tell. */
function mayBe(group: SheetGroup, roll: SheetRoll, label: string): boolean {
  if (isAttack(label) || /^initiative(\/|$)/.test(label)) return group.use === "roll";
  return !(isDamage(label) && group.use === "roll" && attacks.includes(roll.type));
}
