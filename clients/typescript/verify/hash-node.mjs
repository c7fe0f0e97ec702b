// @ts-check
// SHA-256 and its HMAC in Node, which has them: nothing is installed for the verifier.
import { createHash, createHmac } from 'node:crypto';

/** @param {Uint8Array[]} parts @returns {Uint8Array} */
export function sha256(...parts) {
  const h = createHash('sha256');
  for (const p of parts) h.update(p);
  return new Uint8Array(h.digest());
}
/** @param {Uint8Array} key @param {Uint8Array[]} parts @returns {Uint8Array} */
export function hmac(key, ...parts) {
  const h = createHmac('sha256', key);
  for (const p of parts) h.update(p);
  return new Uint8Array(h.digest());
}
