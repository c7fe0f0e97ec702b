#!/usr/bin/env node
// @ts-check
// skald-verify FILE: prints the report of an export as JSON; exit code 1 when it does
// not hold, 2 when there is no such file. With several files, a line of JSON for each.
import { readFileSync } from 'node:fs';
import { isCampaign, verifyCampaign } from './campaign.mjs';
import { verify } from './verify.mjs';

const names = process.argv.slice(2);
if (names.length === 0) {
  console.error('usage: skald-verify FILE...');
  process.exit(2);
}
for (const name of names) {
  let text;
  try {
    text = readFileSync(name, 'utf8');
  } catch (err) {
    console.error(String(err));
    process.exit(2);
  }
  const report = isCampaign(text) ? verifyCampaign(text) : verify(text);
  console.log(names.length > 1 ? JSON.stringify(report) : JSON.stringify(report, null, 2));
  if (report.problems.length > 0) process.exitCode = 1;
}
