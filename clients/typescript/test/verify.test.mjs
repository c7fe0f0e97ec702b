// The verifier has the documents' vectors, with Node's hashes and with a browser's.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { verify } from '@skald/client/verify';
import * as browser from '../verify/hash-noble.mjs';
import * as node from '../verify/hash-node.mjs';

const at = (name) => new URL(name, import.meta.url).pathname;
test('the vectors of docs/DICE.md', () => {
  assert.ok(Number(execFileSync(process.execPath, [at('../verify/vectors.mjs'), at('../../../docs/DICE.md'), at('../../../pkg/dice/tape/testdata/vectors.json')])) >= 50);
});
test('both hashes are the same', () => {
  const bytes = new Uint8Array(readFileSync(at('../verify/verify.mjs')));
  for (const n of [0, 1, 63, 64, 65, 1000]) {
    assert.deepEqual(browser.sha256(bytes.subarray(0, n), bytes), node.sha256(bytes.subarray(0, n), bytes));
    assert.deepEqual(browser.hmac(bytes.subarray(0, n), bytes), node.hmac(bytes.subarray(0, n), bytes));
  }
});
test('what is no export does not hold', () => assert.ok(verify('{"commit": "AAAA"}').problems.length > 0));
