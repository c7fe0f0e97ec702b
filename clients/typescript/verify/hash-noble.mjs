// @ts-check
// SHA-256 and its HMAC where there is no Node: WebCrypto has them only as promises,
// and a record takes some hundred thousand of them.
import { hmac as keyed } from '@noble/hashes/hmac.js';
import { sha256 as hash } from '@noble/hashes/sha2.js';

/** @param {Uint8Array[]} parts @returns {Uint8Array} */
export function sha256(...parts) {
  const h = hash.create();
  for (const p of parts) h.update(p);
  return h.digest();
}
/** @param {Uint8Array} key @param {Uint8Array[]} parts @returns {Uint8Array} */
export function hmac(key, ...parts) {
  const h = keyed.create(hash, key);
  for (const p of parts) h.update(p);
  return h.digest();
}
