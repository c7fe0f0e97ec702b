// The verifier has the documents' vectors, with Node's hashes and with a browser's.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { verify } from '@skald/client/verify';
import * as browser from '../verify/hash-noble.mjs';
import * as node from '../verify/hash-node.mjs';
import * as signsBrowser from '../verify/sign-noble.mjs';
import * as signsNode from '../verify/sign-node.mjs';

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
test('both judge signatures alike', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const key = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32));
  for (const n of [0, 1, 100]) {
    const message = new Uint8Array(randomBytes(n)), signature = new Uint8Array(sign(null, message, privateKey));
    const other = signature.slice();
    other[n % 64] ^= 1;
    for (const { verifySignature } of [signsNode, signsBrowser]) {
      assert.ok(verifySignature(key, message, signature));
      assert.ok(!verifySignature(key, message, other));
      assert.ok(!verifySignature(key, new Uint8Array([...message, 0]), signature));
      assert.ok(!verifySignature(key.map((b, i) => (i === 3 ? b ^ 1 : b)), message, signature));
    }
  }
});
test('what is no export does not hold', () => assert.ok(verify('{"commit": "AAAA"}').problems.length > 0));
