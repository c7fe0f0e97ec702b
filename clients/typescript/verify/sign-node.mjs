// @ts-check
// Ed25519 in Node, which has it.
import { createPublicKey, verify } from 'node:crypto';

// How a key of 32 bytes begins as a SubjectPublicKeyInfo (RFC 8410).
const spki = Buffer.from('302a300506032b6570032100', 'hex');

/** @param {Uint8Array} key @param {Uint8Array} message @param {Uint8Array} signature @returns {boolean} */
export function verifySignature(key, message, signature) {
  return verify(null, message, createPublicKey({ key: Buffer.concat([spki, key]), format: 'der', type: 'spki' }), signature);
}
