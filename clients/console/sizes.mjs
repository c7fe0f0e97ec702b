// Prints what the built page weighs, and fails when the first view is over its bound.
import { readFileSync, readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const dist = new URL('../../cmd/skald/internal/console/dist/', import.meta.url);
const bound = 150_000;
const html = readFileSync(new URL('index.html', dist), 'utf8');
const first = new Set(html.match(/assets\/[^"]+/g));
let sum = gzipSync(html).length;
for (const name of readdirSync(new URL('assets/', dist)).sort()) {
  const data = readFileSync(new URL(`assets/${name}`, dist));
  const packed = gzipSync(data, { level: 9 }).length;
  const early = first.has(`assets/${name}`);
  if (early) sum += packed;
  console.log(`${early ? 'first ' : 'later '} ${String(data.length).padStart(8)} ${String(packed).padStart(8)} ${name}`);
}
console.log(`first view: ${sum} bytes compressed, bound ${bound}`);
if (sum > bound) process.exit(1);
