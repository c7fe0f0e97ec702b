#!/usr/bin/env node
// @ts-check
// skald-verify [--key KEY]... [--since HEAD]... FILE...: prints the report of an export as
// JSON; exit code 1 when it does not hold, 2 when there is no such file, key or head. With
// several files, a line of JSON for each.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isCampaign, verifyCampaign } from './campaign.mjs';
import { verify } from './verify.mjs';

/** @param {unknown} why @returns {never} */
function wrong(why) {
  console.error(why instanceof Error ? why.message : String(why));
  process.exit(2);
}

/** @param {string} name */
function read(name) {
  try {
    return readFileSync(name, 'utf8');
  } catch (err) {
    return wrong(err);
  }
}

function asked() {
  try {
    return parseArgs({ allowPositionals: true, options: { key: { type: 'string', multiple: true }, since: { type: 'string', multiple: true } } });
  } catch (err) {
    return wrong(err);
  }
}

const { positionals: names, values } = asked();
if (names.length === 0) wrong('usage: skald-verify [--key KEY]... [--since HEAD]... FILE...');
const given = { keys: values.key, since: values.since?.map(read) };
try {
  verify('', given);
} catch (err) {
  wrong(err);
}
for (const name of names) {
  const text = read(name);
  const report = isCampaign(text) ? verifyCampaign(text, given) : verify(text, given);
  console.log(names.length > 1 ? JSON.stringify(report) : JSON.stringify(report, null, 2));
  if (report.problems.length > 0) process.exitCode = 1;
}
