// The command set of a chat bot: text in, text out. Which chat it is does not matter: call
// `line` for every message, with the chat's own id of it, and send the answer to that user
// alone, for it may say what others must not know; `tell` gives the words for everybody.
//
// Each user has a token of the table: the server decides what the user may see and do.

import { type Connection, type Form, type FormValues, type Prompt, SkaldError, answer, commandOf, connect, execute, formOf, problemsOf, promptOf, watch } from "@skald/client";
import { type GetNextResponse, type Step, type Waiting, Waiting_Kind } from "@skald/client/encounter";
import { type Command, type Creature, type Principal, Principal_Role, type State } from "@skald/client/event";

/** A user of the chat at the table. Without keys at the server `token` is left out, and `as` alone counts. */
export interface Seat {
  readonly as: { readonly role: Principal_Role; readonly name: string };
  readonly token?: string;
}

/** The table that a bot speaks for. */
export interface Table {
  readonly url: string;
  readonly encounter: string;
  /** Who a user of the chat is, by the chat's id of the user: never by a name that users choose themselves. */
  seatOf(user: string): Seat | undefined;
  /** Who everybody is: a spectator. */
  readonly everybody: Seat;
}

const longest = 1500;

/** Words of the table as a line of a chat: nothing of them is a mention, a command or an end of a line. */
export function plain(words: string): string {
  return words.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ").replace(/[@#<>`*_~|\\[\]]/g, (c) => ({ "[": "(", "]": ")", "<": "‹", ">": "›" })[c] ?? (c === "@" ? "@\u200b" : " ")).trim();
}

/** What a user is told in place of a result. */
class Told extends Error {}

interface Session {
  readonly seat: Seat;
  readonly connection: Connection;
  /** Faces that go with the next command. */
  dice: number[];
  /** The last step that the user saw by an own command. */
  last: bigint;
}

const help = "!join, !who, !options (CREATURE), !attack TARGET (ITEM), !do ACTION (ITEM) (TARGET ...) (WORD=VALUE ...), !dice FACES, !answer ANSWER, !end, !undo, !explain (STEP (EVENT)); @CREATURE says whose deed it is";

export class Bot {
  readonly #table: Table;
  readonly #sessions = new Map<string, Session>();

  constructor(table: Table) {
    this.#table = table;
  }

  /** Answers one message; undefined where it is not for the bot. The same message again is not done again. */
  async line(user: string, text: string, message: string): Promise<string | undefined> {
    const words = text.trim().slice(0, 400).split(/\s+/), verb = words[0]?.toLowerCase() ?? "";
    if (!verb.startsWith("!")) return undefined;
    try {
      const said = await this.#carryOut(this.#session(user), verb.slice(1), words.slice(1), message);
      return said.length > longest ? `${said.slice(0, longest)} ...` : said;
    } catch (err) {
      if (err instanceof Told) return err.message;
      const refused = SkaldError.from(err);
      return refused.fromSkald ? plain(`${refused.message}${refused.rule ? ` (${refused.rule})` : ""}`) : "Skald does not answer; say it again in a moment";
    }
  }

  /** Words for everybody, as they happen, until the signal is aborted. */
  async tell(say: (words: string) => void, signal: AbortSignal): Promise<void> {
    const { encounter, everybody } = this.#table, connection = this.#connect(everybody);
    const { cursor } = await connection.encounters.getState({ encounter, as: everybody.as });
    for await (const e of watch(connection, { encounter, as: everybody.as as Principal, after: cursor }, { signal })) {
      if (e.kind === "step") for (const [, words] of await this.#words(connection, everybody, e.step)) say(words);
    }
  }

  #connect(seat: Seat): Connection {
    return connect({ url: this.#table.url, ...(seat.token === undefined ? {} : { token: seat.token }) });
  }

  #session(user: string): Session {
    const seat = this.#table.seatOf(user);
    if (seat === undefined) throw new Told("you have no seat at this table: ask the game master for one");
    let session = this.#sessions.get(user);
    if (session === undefined || session.seat.token !== seat.token) {
      session = { seat, connection: this.#connect(seat), dice: [], last: 0n };
      this.#sessions.set(user, session);
    }
    return session;
  }

  async #carryOut(s: Session, verb: string, words: string[], message: string): Promise<string> {
    switch (verb) {
      case "join": return this.#join(s);
      case "who": return this.#who(s);
      case "options": return this.#options(s, words);
      case "attack": return this.#act(s, ["attack", ...words], message);
      case "do": return this.#act(s, words, message);
      case "dice": return this.#dice(s, words, message);
      case "answer": return this.#answer(s, words.join(" "), message);
      case "end": return this.#act(s, ["end-turn", ...words], message);
      case "undo": return this.#undo(s, words.join(" "), message);
      case "explain": return this.#explain(s, words);
      case "help": return help;
    }
    throw new Told(`not a command: ${help}`);
  }

  async #join(s: Session): Promise<string> {
    const state = await this.#state(s), mine = Object.values(state.creatures).filter((c) => c.controllers.includes(s.seat.as.name)).map(named);
    const master = s.seat.as.role === Principal_Role.GM;
    return plain(`${state.title || state.encounter}: you are ${master ? "the game master" : s.seat.as.name}; yours: ${mine.join(", ") || (master ? "whatever nobody plays" : "nothing")}`);
  }

  async #who(s: Session): Promise<string> {
    const state = await this.#state(s);
    const all = Object.values(state.creatures).map((c) => {
      const hp = c.hp === undefined ? "" : `, ${c.hp} of ${c.hpMax} hp`, conditions = c.conditions.map((x) => `, ${x.name}`).join("");
      return `${state.active.includes(c.id) ? "now: " : ""}${named(c)}${hp}${conditions}`;
    });
    return [`round ${state.round}`, ...all.map(plain), ...(await this.#open(s))].join("\n");
  }

  async #options(s: Session, words: string[]): Promise<string> {
    const creature = await this.#mine(s, words), forms = await this.#forms(s, creature);
    const lines = new Map<string, string[]>();
    for (const f of forms.flatMap((f) => (f.choices.length > 0 ? f.choices : [f]))) {
      const list = lines.get(f.action) ?? [], needs = f.fields.filter((x) => x.required).map((x) => `${x.name}=...`);
      list.push([f.item, f.targets.choices.length > 0 ? `(${f.targets.choices.join(" ")})` : "", ...needs].filter((x) => x !== "").join(" "));
      lines.set(f.action, list);
    }
    return plain(`${creature}:`) + "\n" + [...lines].map(([action, items]) => plain(`${action} ${[...new Set(items)].filter((x) => x !== "").join(", ")}`)).join("\n");
  }

  /** ACTION, then in any order what it is done with, to whom, and further words as WORD=VALUE. */
  async #act(s: Session, words: string[], message: string): Promise<string> {
    const creature = await this.#mine(s, words), [action, ...rest] = words;
    if (action === undefined) throw new Told("do what? !options lists it");
    const all = (await this.#forms(s, creature, action)).flatMap((f) => (f.choices.length > 0 ? f.choices : [f]));
    if (all.length === 0) throw new Told(plain(`${creature} may not ${action} now: !options lists what it may`));
    const state = await this.#state(s), tried = all.map((form) => ({ form, filled: fill(form, rest, state) }));
    const fits = tried.filter((t) => typeof t.filled !== "string" && problemsOf(t.form, t.filled).length === 0);
    const [first] = fits;
    if (first === undefined) throw new Told(plain(why(tried)));
    const items = new Set(fits.map((t) => t.form.item));
    if (items.size > 1) throw new Told(plain(`with what? ${[...items].join(", ")}`));
    return this.#give(s, commandOf(first.form, { ...(first.filled as FormValues), faces: s.dice }), message);
  }

  /** Faces answer the open roll, or are kept for the next command. */
  async #dice(s: Session, words: string[], message: string): Promise<string> {
    const faces = words.map(Number);
    if (faces.length === 0 || faces.length > 100 || faces.some((f) => !Number.isInteger(f) || f < 0 || f > 1000)) throw new Told("!dice and then the faces, as they fell: !dice 15 4");
    const roll = (await this.#asked(s)).find((p) => p.kind === "dice");
    if (roll !== undefined) return this.#give(s, answer(roll, faces), message);
    s.dice = faces;
    return `${faces.join(", ")}: with your next command`;
  }

  async #answer(s: Session, given: string, message: string): Promise<string> {
    const asked = await this.#asked(s), number = /^\d+$/.test(given) ? Number(given) : undefined;
    for (const p of asked) {
      const option = p.options.find((o) => same(o.id, given) || same(o.text, given));
      if (p.kind === "option" && option !== undefined) return this.#give(s, answer(p, option.id), message);
      if (p.kind === "number" && number !== undefined && number >= p.minimum && number <= p.maximum) return this.#give(s, answer(p, number), message);
    }
    const contest = (await this.#next(s)).waiting.find((w) => w.yours && w.contest !== undefined)?.contest;
    const [yes, ...reason] = given.split(" "), granted = same(yes ?? "", "yes");
    if (contest !== undefined && (granted || same(yes ?? "", "no"))) {
      const settled = s.seat.as.role === Principal_Role.GM
        ? { case: "settle" as const, value: { contest: contest.id, uphold: granted, reason: reason.join(" ") || "said in the chat" } }
        : { case: "answerContest" as const, value: { contest: contest.id, grant: granted } };
      return this.#give(s, { what: settled }, message);
    }
    throw new Told(asked.length === 0 ? "nothing is asked of you" : asked.map(question).join("\n"));
  }

  /** The game master takes the last command back; a player asks for it. */
  async #undo(s: Session, words: string, message: string): Promise<string> {
    if (s.seat.as.role === Principal_Role.GM) return this.#give(s, { what: { case: "revert", value: { to: { case: "last", value: true }, reason: words } } }, message);
    return this.#give(s, { what: { case: "takeBack", value: { commands: 1, words } } }, message);
  }

  async #explain(s: Session, words: string[]): Promise<string> {
    const [step, event] = words.map((w) => (/^\d{1,9}$/.test(w) ? Number(w) : NaN));
    if (Number.isNaN(step) || Number.isNaN(event)) throw new Told("!explain, or !explain STEP, or !explain STEP EVENT");
    const number = step === undefined ? s.last : BigInt(step);
    if (number === 0n) throw new Told("which step? !explain STEP");
    const { encounter } = this.#table;
    if (event === undefined) {
      const { steps } = await s.connection.encounters.getHistory({ encounter, as: s.seat.as, after: number - 1n, limit: 1 });
      if (steps[0]?.number !== number) throw new Told(`there is no step ${number}`);
      return (await this.#words(s.connection, s.seat, steps[0])).map(([i, w]) => `${number} ${i} ${w}`).join("\n") || `nothing of step ${number} has words`;
    }
    const { lines } = await s.connection.encounters.explain({ encounter, as: s.seat.as, number, event });
    return lines.map((l) => plain(`${l.text}${l.rule ? ` (${l.rule})` : ""}`)).join("\n");
  }

  /** The events of a step in words, each with its number in the step; without what was counted. */
  async #words(connection: Connection, seat: Seat, step: Step): Promise<[number, string][]> {
    const out: [number, string][] = [];
    for (const [event, { what }] of step.events.slice(0, 40).entries()) {
      if (what.case === "counter") continue;
      const { lines } = await connection.encounters.explain({ encounter: this.#table.encounter, as: seat.as, number: step.number, event });
      const words = plain((lines[0]?.text ?? "").replace(/ \{[^{}]*\}/g, "")); // labels of rolls
      if (words !== "") out.push([event, words]);
    }
    return out;
  }

  async #give(s: Session, command: Parameters<typeof execute>[1]["command"] & object, message: string): Promise<string> {
    const done = await execute(s.connection, { requestId: message, as: s.seat.as, encounter: this.#table.encounter, command: command as Command }, { withinMillis: 20_000 });
    s.dice = [];
    if (done.step === undefined) return "done";
    s.last = done.step.number;
    const words = (await this.#words(s.connection, s.seat, done.step)).map(([, w]) => w);
    return [`#${done.step.number}`, ...words, ...(await this.#open(s))].join("\n");
  }

  /** What is waited for, as far as the user may know. */
  async #open(s: Session): Promise<string[]> {
    const line = (w: Waiting) => {
      if (w.decision !== undefined) return w.yours ? `you are asked: ${question(promptOf(w.decision, w))}` : plain(`${w.players.join(", ") || "the game master"} decides`);
      if (w.contest !== undefined) return w.yours ? "a take-back is asked of you: !answer yes, or no" : "a contest is open";
      if (w.kind === Waiting_Kind.ACT) return plain(`${w.creatures.join(", ")} may act${w.yours ? ", and is yours" : ""}`);
      return w.kind === Waiting_Kind.START ? "the fight has not begun" : "something is waited for";
    };
    const { waiting } = await this.#next(s);
    return waiting.length === 0 ? ["the fight is over"] : waiting.slice(0, 10).map(line);
  }

  async #next(s: Session): Promise<GetNextResponse> {
    return s.connection.encounters.getNext({ encounter: this.#table.encounter, as: s.seat.as });
  }

  async #asked(s: Session): Promise<Prompt[]> {
    return (await this.#next(s)).waiting.filter((w) => w.yours && w.decision !== undefined).map((w) => promptOf(w.decision!, w));
  }

  async #state(s: Session): Promise<State> {
    return (await s.connection.encounters.getState({ encounter: this.#table.encounter, as: s.seat.as })).state!;
  }

  async #forms(s: Session, creature: string, action?: string): Promise<Form[]> {
    const { options } = await s.connection.encounters.getOptions({
      encounter: this.#table.encounter, as: s.seat.as, creature, legalOnly: true, withoutSquares: true, ...(action === undefined ? {} : { actions: [action] }),
    });
    return options.map(formOf).filter((f) => f.legal);
  }

  /** Whose deed it is: the word after @, else the user's creature that may act, else the user's only one. The server decides whether it is. */
  async #mine(s: Session, words: string[]): Promise<string> {
    const state = await this.#state(s), at = words.findIndex((w) => w.startsWith("@"));
    if (at >= 0) {
      const word = words.splice(at, 1)[0]!.slice(1), creature = creatureOf(state, word);
      if (creature === undefined) throw new Told(plain(`there is no ${word}`));
      return creature;
    }
    const mine = Object.values(state.creatures).filter((c) => c.controllers.includes(s.seat.as.name) || (s.seat.as.role === Principal_Role.GM && c.controllers.length === 0));
    const acting = mine.filter((c) => state.active.includes(c.id)), [one] = acting.length === 1 ? acting : mine;
    if (one === undefined) throw new Told("no creature here is yours");
    if (acting.length !== 1 && mine.length > 1) throw new Told(plain(`whose deed? ${mine.map((c) => `@${c.id}`).join(", ")}`));
    return one.id;
  }
}

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
const named = (c: Creature) => (same(c.id, c.name) ? c.name : `${c.name} (${c.id})`);
const creatureOf = (state: State, word: string) => Object.values(state.creatures).find((c) => same(c.id, word))?.id ?? Object.values(state.creatures).find((c) => same(c.name, word))?.id;

function question(p: Prompt): string {
  const how = p.kind === "dice" ? `!dice and ${p.faces} faces` : p.kind === "number" ? `!answer ${p.minimum} to ${p.maximum}` : `!answer ${p.options.map((o) => o.id).join(", or ")}`;
  return `${plain(p.question)} ${plain(how)}`;
}

/** What words say in a form; a text where they say something that it does not ask. */
function fill(form: Form, words: string[], state: State): FormValues | string {
  const targets: string[] = [], fields: Record<string, string | number | boolean> = {}, facts: Record<string, string | number | boolean> = {}, item: string[] = [];
  for (const word of words) {
    const [, name, value] = /^([a-z][a-z0-9-]*)=(.+)$/i.exec(word) ?? [], creature = creatureOf(state, word);
    if (name !== undefined && value !== undefined) {
      const field = [...form.fields, ...form.facts].find((f) => f.name === name);
      if (field === undefined) return `${form.action} is not told ${name}; it may be told ${[...form.fields, ...form.facts].map((f) => f.name).join(", ") || "nothing"}`;
      (form.fields.includes(field) ? fields : facts)[name] = field.type === "number" ? Number(value) : field.type === "boolean" ? same(value, "true") || same(value, "yes") : value;
    } else if (creature !== undefined && !same(form.item, word)) targets.push(creature);
    else item.push(word);
  }
  if (item.length > 0 && !same(form.item, item.join(" "))) return `${form.action} with ${item.join(" ")}? there is no such thing; !options lists what there is`;
  return { targets, fields, facts };
}

/** Why nothing that may be done fits: what is wrong with the one that the words come nearest to. */
function why(tried: readonly { form: Form; filled: FormValues | string }[]): string {
  const near = tried.find((t) => typeof t.filled !== "string") ?? tried[0]!;
  if (typeof near.filled === "string") return near.filled;
  return problemsOf(near.form, near.filled).map((p) => `${p.field}: ${p.text}${p.field === "targets" ? ` (${near.form.targets.choices.join(", ") || "none in reach"})` : ""}`).join("; ");
}
