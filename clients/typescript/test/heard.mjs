#!/usr/bin/env node
// heard.mjs URL ENCOUNTER...: watches encounters as every sort of viewer, computes their
// transcripts from the bytes of the steps, and prints how many steps went with what the
// server says, by its steps, its list of digests and the words to compare; exit code 1
// when something does not.
import { Transcript, connect, watch } from '../dist/index.js';
import { Principal_Role as Role } from '../dist/event.js';

const [, , url, ...encounters] = process.argv;
const table = connect({ url });
const viewers = { gm: { role: Role.GM, name: 'gm' }, ann: { role: Role.PLAYER, name: 'ann' }, spectator: { role: Role.SPECTATOR } };
let heard = 0;

/** What the record service lists, to its end. */
async function listed(as, encounter) {
  const out = [];
  for (let more = true; more;) {
    const page = await table.record.getTranscript({ as, encounter, after: BigInt(out.length), limit: 1000 });
    out.push(...page.steps);
    more = page.more;
  }
  return out;
}

for (const encounter of encounters) {
  for (const [name, as] of Object.entries(viewers)) {
    const transcript = new Transcript(encounter), wrong = (why) => { console.error(`${encounter} as ${name}: ${why}`); process.exitCode = 1; };
    for await (const e of watch(table, { encounter, as, withBytes: true })) {
      if (e.kind === 'step') transcript.take(e.step);
      if (e.kind !== 'caughtUp') continue;
      if (e.number !== transcript.number) wrong(`told to ${transcript.number} of ${e.number}`);
      if (name === 'spectator' && (transcript.agrees(e.public) !== true || transcript.words !== e.public.words)) wrong(`its words are ${transcript.words}, the server's ${e.public.words}`);
      break;
    }
    const steps = await listed(as, encounter);
    if (BigInt(steps.length) !== transcript.number) wrong(`${steps.length} are listed of ${transcript.number}`);
    for (const step of steps) {
      if (Buffer.compare(transcript.at(step.number).transcript, step.transcript) !== 0) wrong(`step ${step.number} is listed with another transcript`);
      heard++;
    }
  }
}
if (heard === 0) process.exitCode = 1;
console.log(heard);
