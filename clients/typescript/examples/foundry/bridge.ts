// The core of a module for Foundry VTT: a fight of Skald mirrored into a Combat
// document. What the viewer may know goes in, and nothing comes out: Skald decides,
// the document shows. Names are text of the table: show them as text, never as HTML.

import { type Connection, type WatchRequest, follow } from "@skald/client";
import { type Creature, LifeStatus, type State, State_Status } from "@skald/client/event";

/** What is used of Foundry's Combatant document. */
export interface CombatantDocument {
  readonly id: string;
  getFlag(scope: string, key: string): unknown;
}

/** What is used of Foundry's Combat document. */
export interface CombatDocument {
  readonly combatants: Iterable<CombatantDocument>;
  /** Combatants in the order of their initiative. */
  readonly turns: readonly CombatantDocument[];
  update(change: Record<string, unknown>): Promise<unknown>;
  createEmbeddedDocuments(type: "Combatant", data: Record<string, unknown>[]): Promise<unknown>;
  updateEmbeddedDocuments(type: "Combatant", changes: Record<string, unknown>[]): Promise<unknown>;
  deleteEmbeddedDocuments(type: "Combatant", ids: string[]): Promise<unknown>;
}

const scope = "skald";

/** Writes states into a Combat document, and only what differs from the state before. */
export class Mirror {
  readonly #combat: CombatDocument;
  readonly #written = new Map<string, string>(); // by creature
  #turn = "";

  constructor(combat: CombatDocument) {
    this.#combat = combat;
  }

  /** Makes the document show a state: any state, so that undo and amendments need no code of their own. */
  async show(state: State): Promise<void> {
    const there = this.#byCreature();
    const gone = [...there].filter(([creature]) => state.creatures[creature] === undefined);
    if (gone.length > 0) await this.#combat.deleteEmbeddedDocuments("Combatant", gone.map(([, c]) => c.id));
    const fresh: Record<string, unknown>[] = [], changed: Record<string, unknown>[] = [];
    for (const [id, creature] of Object.entries(state.creatures)) {
      const data = combatant(creature, state), text = JSON.stringify(data), old = there.get(id);
      if (old === undefined) fresh.push(data);
      else if (this.#written.get(id) !== text) changed.push({ _id: old.id, ...data });
      this.#written.set(id, text);
    }
    for (const [creature] of gone) this.#written.delete(creature);
    if (fresh.length > 0) await this.#combat.createEmbeddedDocuments("Combatant", fresh);
    if (changed.length > 0) await this.#combat.updateEmbeddedDocuments("Combatant", changed);
    await this.#showTurn(state);
  }

  async #showTurn(state: State): Promise<void> {
    const at = this.#combat.turns.findIndex((c) => c.getFlag(scope, "creature") === state.active[0]);
    const change = {
      round: state.round,
      turn: state.active.length === 0 || at < 0 ? null : at,
      active: state.status === State_Status.STARTED,
      flags: { [scope]: { encounter: state.encounter, phase: state.phase, waiting: Object.values(state.decisions).map((d) => d.question) } },
    };
    const text = JSON.stringify(change);
    if (text === this.#turn) return;
    await this.#combat.update(change);
    this.#turn = text;
  }

  #byCreature(): Map<string, CombatantDocument> {
    const out = new Map<string, CombatantDocument>();
    for (const c of this.#combat.combatants) {
      const creature = c.getFlag(scope, "creature");
      if (typeof creature === "string") out.set(creature, c); // others are the table's own
    }
    return out;
  }
}

/** A creature as data of a Combatant. */
export function combatant(c: Creature, state: State): Record<string, unknown> {
  return {
    name: c.name,
    initiative: initiative(c, state.round),
    defeated: c.life === LifeStatus.DEAD || c.life === LifeStatus.DYING || c.life === LifeStatus.UNCONSCIOUS,
    hidden: c.staged,
    flags: {
      [scope]: {
        creature: c.id, side: c.side,
        // Absent where the viewer may not know them: that is not 0.
        ...(c.hp === undefined ? {} : { hp: c.hp, hpMax: c.hpMax }),
        conditions: c.conditions.map((x) => x.name),
        ...(c.position === undefined ? {} : { x: c.position.x, y: c.position.y }),
      },
    },
  };
}

/** The place in the order of a round; null before there is one. */
function initiative(c: Creature, round: number): number | null {
  const now = c.initiative.find((i) => i.round === round) ?? c.initiative.at(-1);
  return now === undefined ? null : now.total + now.tiebreak / 1000;
}

/** Mirrors a fight until the signal is aborted, or the server refuses the viewer for good. */
export async function bridge(connection: Connection, request: WatchRequest, combat: CombatDocument, signal: AbortSignal): Promise<void> {
  const mirror = new Mirror(combat);
  for await (const { state } of follow(connection, request, { signal })) await mirror.show(state);
}
