#!/usr/bin/env node
// formvectors.mjs FILE...: makes forms and prompts of the options and decisions of files
// of vectors, fills them in as written down, and prints how many it filled in; exit code
// 1 when the form, the command or what is wrong is another than the one written down.
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';

import { fromJson, toJson } from '@bufbuild/protobuf';
import { FormError, answer, commandOf, formOf, problemsOf, promptOf } from '../dist/index.js';
import { WaitingSchema } from '../dist/encounter.js';
import { CommandSchema, DecisionSchema, OptionSchema } from '../dist/event.js';

/** Lines of a file. */
export function forms(name) {
  return gunzipSync(readFileSync(name)).toString().split('\n').filter((line) => line !== '').map((line) => JSON.parse(line));
}

function bare({ squares: _, choices, ...form }) {
  return { ...form, choices: choices.map(bare) };
}

const plain = (value) => JSON.parse(JSON.stringify(value));

/** What comes of filling in: problems, or a command. */
function made(how) {
  try {
    return { command: toJson(CommandSchema, how()) };
  } catch (err) {
    if (!(err instanceof FormError)) throw err;
    return { problems: err.problems };
  }
}

/** Says what differs, empty when nothing does, and how much was filled in. */
export function check(v) {
  const differs = [];
  const hold = (what, got, want) => { if (!isDeepStrictEqual(plain(got), plain(want))) differs.push(`${what}: ${JSON.stringify(got)}, want ${JSON.stringify(want)}`); };
  const wanted = ({ problems, command }) => (problems ? { problems } : { command });
  if (v.option) {
    const form = formOf(fromJson(OptionSchema, v.option));
    hold('form', bare(form), v.form);
    for (const fill of v.fills) {
      const one = fill.choice < 0 ? form : form.choices[fill.choice];
      hold(`filled in with ${JSON.stringify(fill.values)}`, made(() => commandOf(one, fill.values)), wanted(fill));
      hold('problems', problemsOf(one, fill.values), fill.problems ?? []);
    }
    return [differs.join('\n'), v.fills.length];
  }
  const prompt = promptOf(fromJson(DecisionSchema, v.decision), v.waiting && fromJson(WaitingSchema, v.waiting)), { deadline, ...rest } = prompt;
  hold('prompt', rest, v.prompt);
  hold('deadline', deadline?.getTime() ?? 0, v.deadline ?? 0);
  for (const reply of v.replies) hold(`answered ${JSON.stringify(reply.given)}`, made(() => answer(prompt, reply.given, reply.alike ?? false)), wanted(reply));
  return [differs.join('\n'), v.replies.length];
}

if (import.meta.url === `file://${process.argv[1]}`) {
  let filled = 0;
  for (const name of process.argv.slice(2)) {
    for (const v of forms(name)) {
      const [differs, n] = check(v);
      filled += n;
      if (differs !== '') { console.error(`${name}: ${differs}`.slice(0, 2000)); process.exitCode = 1; }
    }
  }
  if (filled === 0) process.exitCode = 1;
  console.log(filled);
}
