// A stream overlay: whose turn it is, who is hurt, and the last rolls, as any
// spectator may see them. index.html beside it shows how a page uses it.

import { type Connection, type WatchRequest, follow } from "@skald/client";
import { Principal_Role, PrincipalSchema, type State } from "@skald/client/event";
import { create } from "@bufbuild/protobuf";

/** What the overlay shows. */
export interface View {
  round: number;
  order: { name: string; now: boolean; conditions: string[] }[];
  rolls: string[];
}

const rollsShown = 5;

/** Watches a fight as a spectator, and tells each view of it, until the signal is aborted. */
export async function overlay(connection: Connection, encounter: string, show: (view: View) => void, signal: AbortSignal): Promise<void> {
  const request: WatchRequest = { encounter, as: create(PrincipalSchema, { role: Principal_Role.SPECTATOR }) };
  let rolls: string[] = [];
  for await (const { state, event } of follow(connection, request, { signal })) {
    if (event.kind === "step") {
      if (event.step.restored !== undefined) rolls = []; // a ruling: what was rolled may not count any more
      for (const e of event.step.events) {
        if (e.what.case !== "roll") continue;
        const r = e.what.value, who = state.creatures[r.creature]?.name ?? r.creature;
        rolls.unshift([who, r.label.replaceAll(/\/(\d+\/)?/g, " "), `${r.total}`, r.outcome].filter((x) => x !== "").join(" "));
      }
      rolls = rolls.slice(0, rollsShown);
    }
    show({ round: state.round, order: order(state), rolls: [...rolls] });
  }
}

/** The creatures in the order of the round. */
export function order(state: State): View["order"] {
  const place = (id: string): number => state.creatures[id]?.initiative.filter((i) => i.round <= state.round).at(-1)?.total ?? -Infinity;
  return Object.keys(state.creatures).sort((a, b) => place(b) - place(a)).map((id) => {
    const c = state.creatures[id]!;
    return { name: c.name, now: state.active.includes(id), conditions: c.conditions.map((x) => x.name) };
  });
}

/** Puts a view into a page. Names come from the table: they go in as text, never as HTML. */
export function paint(view: View, page: Pick<Document, "createElement" | "getElementById">): void {
  const list = (id: string, lines: { text: string; now: boolean }[]): void => {
    page.getElementById(id)?.replaceChildren(...lines.map(({ text, now }) => {
      const item = page.createElement("li");
      item.textContent = text;
      item.className = now ? "now" : "";
      return item;
    }));
  };
  list("order", view.order.map((o) => ({ text: [o.name, ...o.conditions].join(" · "), now: o.now })));
  list("rolls", view.rolls.map((text) => ({ text, now: false })));
}
