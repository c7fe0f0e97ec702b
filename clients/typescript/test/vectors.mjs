#!/usr/bin/env node
// vectors.mjs FILE...: folds every run of files of vectors (docs/FOLD.md), and prints
// how many steps it compared; exit code 1 when a state is another than the one written
// down, or when a fold wrote to the state before it.
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';

import { fromJson, toJson } from '@bufbuild/protobuf';
import { fold, newState } from '../dist/index.js';
import { StepSchema } from '../dist/encounter.js';
import { StateSchema } from '../dist/event.js';

/** Runs of a file, in order. */
export function* runs(name) {
  for (const line of gunzipSync(readFileSync(name)).toString().split('\n')) if (line !== '') yield JSON.parse(line);
}

/** The document after changes; the one given is written to. */
export function apply(doc, changes) {
  for (const { at, set } of changes) {
    if (at.length === 0) { doc = structuredClone(set); continue; }
    let here = doc;
    for (const key of at.slice(0, -1)) here = here[key];
    if (set === undefined) delete here[at.at(-1)];
    else here[at.at(-1)] = structuredClone(set);
  }
  return doc;
}

/** Folds a run; says what differs, empty when nothing does. */
export function check(run, by = fold) {
  let state = newState(), want = {}, n = 0;
  for (const { step, changes } of run.steps) {
    n++;
    const before = state, kept = want;
    state = by(state, fromJson(StepSchema, step));
    const was = structuredClone(kept);
    want = apply(want, changes);
    const got = toJson(StateSchema, state);
    if (!isDeepStrictEqual(got, want)) return `${run.name}, ${run.viewer}, step ${n}: ${JSON.stringify(differing(got, want))}`;
    if (!isDeepStrictEqual(toJson(StateSchema, before), was)) return `${run.name}, ${run.viewer}, step ${n}: the fold wrote to the state before`;
  }
  return '';
}

function differing(got, want) {
  const keys = new Set([...Object.keys(got), ...Object.keys(want)]);
  return Object.fromEntries([...keys].filter((k) => !isDeepStrictEqual(got[k], want[k])).map((k) => [k, { got: got[k], want: want[k] }]));
}

if (import.meta.url === `file://${process.argv[1]}`) {
  let steps = 0;
  for (const name of process.argv.slice(2)) {
    for (const run of runs(name)) {
      const wrong = check(run);
      steps += run.steps.length;
      if (wrong !== '') { console.error(wrong.slice(0, 2000)); process.exitCode = 1; }
    }
  }
  if (steps === 0) process.exitCode = 1;
  console.log(steps);
}
