// A fight by lines of a chat, at the server of SKALD_URL with the tokens of SKALD_TOKENS:
// the encounter "bridge", as cmd/skald/internal/cli/examples_test.go makes it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { connect, execute } from "@skald/client";
import { Principal_Role } from "@skald/client/event";

import { Bot, type Seat, plain } from "./bot.js";

const tokens = JSON.parse(process.env["SKALD_TOKENS"]!) as Record<string, string>;
const url = process.env["SKALD_URL"]!, encounter = "bridge";
const seat = (name: string, role: Principal_Role): Seat => ({ as: { role, name }, token: tokens[name]! });
const seats: Record<string, Seat> = {
  "id-mo": seat("mo", Principal_Role.GM), "id-ann": seat("ann", Principal_Role.PLAYER), "id-bob": seat("bob", Principal_Role.PLAYER),
  "id-liar": { as: { role: Principal_Role.GM, name: "mo" }, token: tokens["bob"]! }, // says more than its token does
  "id-forged": { as: { role: Principal_Role.GM, name: "mo" }, token: "x.y.z" },
};
const everybody = seat("everybody", Principal_Role.SPECTATOR);

test("a fight by lines of a chat", { timeout: 60_000 }, async () => {
  const bot = new Bot({ url, encounter, seatOf: (user) => seats[user], everybody }), stop = new AbortController(), heard: string[] = [];
  let heardMore = (): void => undefined;
  const telling = bot.tell((words) => { heard.push(words); heardMore(); }, stop.signal);
  let messages = 0;
  const lines: string[] = [];
  const say = async (user: string, line: string, message = `m${++messages}`) => {
    const said = (await bot.line(`id-${user}`, line, message)) ?? "";
    lines.push(`${user}: ${line}\n${said}`);
    return said;
  };
  const master = connect({ url, token: tokens["mo"]! });
  const state = async () => (await master.encounters.getState({ encounter })).state!;
  const hp = async (creature: string) => (await state()).creatures[creature]?.hp;
  try {
    assert.equal(await say("ann", "good evening"), "");
    assert.match(await say("nobody", "!join"), /no seat/);
    assert.match(await say("forged", "!join"), /token/i);
    assert.match(await say("liar", "!who"), /can only narrow it/);
    assert.match(await say("ann", "!join"), /^The bridge: you are ann; yours: Jeera \(fighter\)$/);
    assert.match(await say("mo", "!join"), /the game master/);
    const who = await say("ann", "!who");
    assert.match(who, /^now: Jeera \(fighter\), 44 of 44 hp$/m, who);
    assert.match(who, /^Grak$/m); // of whom she may not know the hit points
    assert.match(who, /fighter may act, and is yours/);
    assert.match(await say("ann", "!options"), /^attack .*longsword \(grak\)/m);

    // Another's creature, in every way.
    for (const line of ["!attack @fighter grak longsword", "!end @fighter", "!options @fighter", "!do @fighter dodge"]) {
      assert.match(await say("bob", line), /you do not control "fighter"/, line);
    }
    assert.match(await say("bob", "!attack fighter"), /^grak may not attack now/);
    assert.match(await say("bob", "!answer yes"), /nothing is asked of you/);

    // Faces typed, a hit, the same message again.
    assert.match(await say("ann", "!dice 9 8"), /with your next command/);
    assert.match(await say("ann", "!attack grak bow"), /no such thing/);
    const hit = await say("ann", "!attack GRAK longsword", "once");
    assert.match(hit, /Jeera attack to hit: 1d20 \(9\) .* = 16 vs AC 13/);
    assert.doesNotMatch(hit, /of 15 hit points/);
    assert.equal(await hp("grak"), 3);
    await say("ann", "!attack grak longsword", "once");
    assert.equal(await hp("grak"), 3);
    assert.match(await say("mo", "!who"), /Grak, 3 of 15 hp, bloodied/);
    while (!heard.some((w) => /Jeera hits Grak/.test(w))) {
      await new Promise<void>((resolve, reject) => {
        heardMore = resolve;
        AbortSignal.timeout(20_000).addEventListener("abort", () => reject(new Error(heard.join("\n"))), { once: true });
      });
    }
    assert.ok(!heard.some((w) => /of 15 hit points/.test(w)), heard.join("\n"));
    const told = await say("ann", "!explain"), [, step, event] = /^(\d+) (\d+) Jeera attack to hit/m.exec(told) ?? [];
    assert.match(await say("ann", `!explain ${step} ${event}`), /rcr\.base\.attack-and-critical/);

    // Taken back: asked for, granted.
    assert.match(await say("bob", "!undo it was not so"), /./);
    assert.equal(await hp("grak"), 3);
    assert.match(await say("ann", "!undo I meant to talk"), /asks to take the last command back/);
    assert.match(await say("mo", "!who"), /a take-back is asked of you/);
    assert.match(await say("mo", "!answer maybe"), /nothing is asked of you/);
    assert.match(await say("mo", "!answer yes"), /granted|upheld|back/);
    assert.equal(await hp("grak"), 15);

    // A decision across users: who stands up in reach of a foe gives an opening.
    await execute(master, { encounter, command: { what: { case: "edit", value: { creature: "grak", vitals: { conditions: [{ id: "p", name: "prone" }] } } } } });
    assert.match(await say("ann", "!end"), /!answer dexterity, or intelligence/);
    assert.match(await say("bob", "!answer dexterity"), /nothing is asked of you/); // it is asked of Ann
    await say("ann", "!answer dexterity");
    assert.match(await say("bob", "!do stand"), /ann decides|something is waited for/);
    assert.match(await say("ann", "!answer a poem"), /!answer .*longsword/);
    assert.match(await say("ann", "!attack grak longsword"), /may not attack/);
    assert.match(await say("ann", "!answer longsword"), /Jeera opportunity to hit/);

    // Garbage changes nothing.
    const before = (await master.encounters.getState({ encounter })).number;
    for (const line of ["!", "!!", "!attack", "!attack nobody", "!attack grak grak grak grak", "!do", "!do __proto__", "!do constructor x=y", "!do attack cover=__proto__", "!dice", "!dice x", "!dice 1e9", "!dice -1",
      "!dice 1.5", `!dice ${"6 ".repeat(150)}`, "!answer", "!explain x", "!explain 0", "!explain 99999", "!explain 1 99", "!explain -1 -1", "!options @", "!options @nobody", "!options constructor", "!end @__proto__", `!do ${"x".repeat(5000)}`, "!do attack \u0000\u202e=1", "!drop table"]) {
      for (const user of ["ann", "bob"]) {
        const said = await say(user, line);
        assert.ok(said.length > 0 && said.length < 2000 && !/[\u0000\u202e]/.test(said), `${line}: ${said}`);
      }
    }
    const after = (await master.encounters.getState({ encounter })).number;
    assert.equal(after, before);

    // On to the end, with the server's dice.
    for (let n = 0; n < 80 && (await state()).creatures["grak"]?.life === 1 && (await state()).creatures["fighter"]?.life === 1; n++) {
      for (const [user, foe, item] of [["mo"], ["ann", "grak", "longsword"], ["bob", "fighter", "greataxe"]] as const) {
        const asked = /!answer (\S+?),? /.exec(`${await say(user, "!answer ?")} `)?.[1]; // the master is asked where initiatives are equal
        if (asked !== undefined) await say(user, `!answer ${asked}`);
        if (foe === undefined) continue;
        if (/may not|no such/.test(await say(user, `!attack ${foe} ${item}`))) await say(user, "!end");
      }
    }
    const now = await state();
    assert.ok(now.creatures["grak"]?.life !== 1 || now.creatures["fighter"]?.life !== 1, `nobody fell\n${await say("mo", "!who")}\n${lines.slice(-20).join("\n")}`);
  } finally {
    stop.abort();
    await telling;
  }
});

test("words of the table are words in a chat", () => {
  assert.equal(plain("@everyone [x](http://y) <b>`#\n!end\u202e*_"), "@\u200beveryone (x)(http://y) ‹b›   !end");
});
