import assert from "node:assert/strict";
import { test } from "node:test";

import { connect, execute } from "@skald/client";
import { Principal_Role } from "@skald/client/event";

import { type View, overlay, paint } from "./overlay.js";

test("the overlay shows the order and the last rolls, and after an undo none that do not count", async () => {
  const connection = connect({ url: process.env["SKALD_URL"]! });
  const stop = new AbortController(), views: View[] = [];
  let changed = (): void => undefined;
  const ended = overlay(connection, "bridge", (v) => { views.push(v); changed(); }, stop.signal);
  const until = async (what: string, holds: (v: View) => boolean): Promise<View> => {
    const end = AbortSignal.timeout(20_000);
    for (;;) {
      const last = views.at(-1);
      if (last !== undefined && holds(last)) return last;
      await new Promise<void>((resolve, reject) => {
        changed = resolve;
        end.addEventListener("abort", () => reject(new Error(`not so in time: ${what}: ${JSON.stringify(last)}`)), { once: true });
      });
    }
  };
  const give = (command: NonNullable<Parameters<typeof execute>[1]["command"]>) =>
    execute(connection, { as: { role: Principal_Role.GM, name: "gm" }, encounter: "bridge", command });
  try {
    const first = await until("the order", (v) => v.order.length === 2);
    assert.deepEqual(first.order.map((o) => [o.name, o.now]), [["Jeera", true], ["Grak", false]]);
    await give({ faces: [9, 8], what: { case: "take", value: { creature: "fighter", action: "attack", targets: ["grak"], item: "longsword" } } });
    const hit = await until("the rolls", (v) => v.rolls.length > 0);
    assert.ok(hit.rolls.some((r) => r.startsWith("Jeera attack to-hit 16 ")), hit.rolls.join("; "));
    assert.ok(!JSON.stringify(views).includes('"hp"'));
    const items: { textContent: string; className: string }[] = [];
    const page = {
      createElement: () => ({ textContent: "", className: "" }),
      getElementById: () => ({ replaceChildren: (...all: typeof items) => { items.push(...all); } }),
    };
    paint(hit, page as unknown as Document);
    assert.deepEqual(items.slice(0, 2).map((i) => i.className), ["now", ""]);
    assert.ok(items[0]?.textContent.startsWith("Jeera"));
    await give({ what: { case: "revert", value: { to: { case: "last", value: true }, reason: "a mistake" } } });
    await until("no rolls", (v) => v.rolls.length === 0);
  } finally {
    stop.abort();
    await ended;
  }
});
