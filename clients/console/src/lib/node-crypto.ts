// What the package's verifier takes from Node, in a browser: SHA-256, HMAC and the
// few ways in which it uses Buffer.
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';

interface Hashing {
  update(data: Uint8Array): Hashing;
  digest(): Uint8Array;
}

function of(h: { update(data: Uint8Array): unknown; digest(): Uint8Array }): Hashing {
  const out: Hashing = {
    update(data) {
      h.update(data);
      return out;
    },
    digest: () => h.digest(),
  };
  return out;
}

export function createHash(name: string): Hashing {
  if (name !== 'sha256') throw new Error(`no ${name} here`);
  return of(sha256.create());
}

export function createHmac(name: string, key: Uint8Array): Hashing {
  if (name !== 'sha256') throw new Error(`no ${name} here`);
  return of(hmac.create(sha256, key));
}

class Bytes extends Uint8Array {
  override toString(form = 'utf8'): string {
    if (form === 'hex') return Array.from(this, (b) => b.toString(16).padStart(2, '0')).join('');
    return new TextDecoder().decode(this);
  }
}

export const Buffer = {
  from(data: string | Uint8Array, form = 'utf8'): Bytes {
    if (typeof data !== 'string') return new Bytes(data);
    if (form === 'base64') return Bytes.from(atob(data.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0)) as Bytes;
    return new Bytes(new TextEncoder().encode(data));
  },
  compare(a: Uint8Array, b: Uint8Array): number {
    for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i]! < b[i]! ? -1 : 1;
    return Math.sign(a.length - b.length);
  },
};
