// @ts-check
// Ed25519 where there is no Node: WebCrypto has it only as promises, and not everywhere.
import { hashes, verify } from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';

hashes.sha512 = sha512;

/** @param {Uint8Array} key @param {Uint8Array} message @param {Uint8Array} signature @returns {boolean} */
export function verifySignature(key, message, signature) {
  return verify(signature, message, key, { zip215: false });
}
