// The bridge against a stand-in of Foundry's documents, over a fight at the server of
// SKALD_URL: the encounter "bridge", as cmd/skald/internal/cli/examples_test.go makes it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { connect, execute } from "@skald/client";
import { Principal_Role } from "@skald/client/event";

import { type CombatDocument, type CombatantDocument, bridge } from "./bridge.js";

type Data = Record<string, unknown> & { flags?: Record<string, Record<string, unknown>> };

class FakeCombatant implements CombatantDocument {
  constructor(readonly id: string, readonly data: Data) {}
  getFlag(scope: string, key: string): unknown { return this.data.flags?.[scope]?.[key]; }
}

/** As Foundry does, it takes no document that is not there. */
class FakeCombat implements CombatDocument {
  readonly all = new Map<string, FakeCombatant>();
  data: Data = {};
  writes = 0;
  #ids = 0;
  #changed: () => void = () => undefined;
  get combatants() { return this.all.values(); }
  get turns() { return [...this.all.values()].sort((a, b) => Number(b.data["initiative"] ?? -Infinity) - Number(a.data["initiative"] ?? -Infinity)); }
  async update(change: Data) { this.data = { ...this.data, ...change }; this.#wrote(); }
  async createEmbeddedDocuments(_type: "Combatant", data: Data[]) {
    for (const d of data) { const id = `doc${++this.#ids}`; this.all.set(id, new FakeCombatant(id, d)); }
    this.#wrote();
  }
  async updateEmbeddedDocuments(_type: "Combatant", changes: Data[]) {
    for (const { _id, ...change } of changes) {
      const old = this.all.get(String(_id));
      assert.ok(old, `no document ${String(_id)}`);
      this.all.set(old.id, new FakeCombatant(old.id, { ...old.data, ...change }));
    }
    this.#wrote();
  }
  async deleteEmbeddedDocuments(_type: "Combatant", ids: string[]) {
    for (const id of ids) assert.ok(this.all.delete(id), `no document ${id}`);
    this.#wrote();
  }
  of(creature: string) { return [...this.all.values()].find((c) => c.getFlag("skald", "creature") === creature); }
  /** Waits until something holds. */
  async until(what: string, holds: () => boolean) {
    const end = AbortSignal.timeout(20_000);
    while (!holds()) {
      await new Promise<void>((resolve, reject) => {
        this.#changed = resolve;
        end.addEventListener("abort", () => reject(new Error(`not so in time: ${what}`)), { once: true });
      });
    }
  }
  #wrote() { this.writes++; this.#changed(); }
}

test("a fight is mirrored, with what its viewer may know and nothing else", async () => {
  const connection = connect({ url: process.env["SKALD_URL"]! });
  const gm = { role: Principal_Role.GM, name: "gm" }, encounter = "bridge";
  const give = (command: NonNullable<Parameters<typeof execute>[1]["command"]>) => execute(connection, { as: gm, encounter, command });
  const stop = new AbortController(), mine = new FakeCombat(), theirs = new FakeCombat();
  theirs.all.set("own", new FakeCombatant("own", { name: "a token of the table's own" }));
  const both = [
    bridge(connection, { encounter, as: gm } as never, mine, stop.signal),
    bridge(connection, { encounter, as: { role: Principal_Role.SPECTATOR, name: "" } } as never, theirs, stop.signal),
  ];
  try {
    await mine.until("two combatants, and Jeera's turn", () => mine.all.size === 2 && mine.turns[Number(mine.data["turn"])]?.data["name"] === "Jeera");
    await theirs.until("the same for a spectator", () => theirs.all.size === 3 && theirs.data["turn"] === 0);
    assert.equal(mine.data["round"], 1);
    assert.equal(mine.of("grak")?.getFlag("skald", "hp"), 15);
    assert.equal(theirs.of("grak")?.getFlag("skald", "hp"), undefined);

    await give({ faces: [9, 8], what: { case: "take", value: { creature: "fighter", action: "attack", targets: ["grak"], item: "longsword" } } });
    await mine.until("the hit", () => mine.of("grak")?.getFlag("skald", "hp") === 3);
    await give({ what: { case: "revert", value: { to: { case: "last", value: true }, reason: "a mistake" } } });
    await mine.until("the hit taken back", () => mine.of("grak")?.getFlag("skald", "hp") === 15);

    await give({ what: { case: "edit", value: { creature: "grak", vitals: { conditions: [{ id: "p", name: "prone" }] } } } });
    await theirs.until("the condition", () => JSON.stringify(theirs.of("grak")?.getFlag("skald", "conditions")) === '["prone"]');

    await give({ what: { case: "remove", value: { creature: "grak", reason: "fled" } } });
    await theirs.until("one less, and the table's own", () => theirs.of("grak") === undefined && theirs.all.has("own"));
    await give({ what: { case: "end", value: { reason: "enough" } } });
    await mine.until("the end", () => mine.data["active"] === false);
    const writes = mine.writes;
    await give({ what: { case: "save", value: { name: "after" } } }).catch(() => undefined);
    assert.ok(mine.writes - writes <= 1, "what changes nothing is not written");
  } finally {
    stop.abort();
    await Promise.all(both);
  }
});
