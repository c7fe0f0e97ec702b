// @ts-check
// Bytes as texts, with what browsers and Node both have.
const utf8 = new TextDecoder();

/** @param {Uint8Array} b */
export function hex(b) { return Array.from(b, (n) => n.toString(16).padStart(2, '0')).join(''); }
/** Throws for what is no base64. @param {string} s @returns {Uint8Array} */
export function base64(s) { return Uint8Array.from(atob(s), (c) => c.charCodeAt(0)); }
/** @param {Uint8Array} b */
export function text(b) { return utf8.decode(b); }
/** @param {Uint8Array} a @param {Uint8Array} b */
export function compare(a, b) {
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) if (a[i] !== b[i]) return a[i] < b[i] ? -1 : 1;
  return Math.sign(a.length - b.length);
}
