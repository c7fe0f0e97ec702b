// A real server for tests: the program that SKALD names, on free ports of this machine,
// ended with the test.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export const skip = process.env.SKALD ? false : 'SKALD does not name a server program';

/** Starts a server; `stop` ends it and removes its data. */
export async function up() {
  const dir = mkdtempSync(join(tmpdir(), 'skald-client-'));
  const child = spawn(process.env.SKALD, ['up', '--data', join(dir, 'data'), '--listen', '127.0.0.1:0', '--web', '127.0.0.1:0'], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const at = await new Promise((resolve, reject) => {
    let said = '';
    ended.then(() => reject(new Error(`the server ended: ${said}`)));
    for (const out of [child.stdout, child.stderr]) {
      createInterface({ input: out }).on('line', (line) => {
        said += `${line}\n`;
        const grpc = /"?grpc"?[=:]"?([\d.]+:\d+)/.exec(line), web = /"?web"?[=:]"?(https?:[^"\s]+?)\/?["\s]/.exec(line + ' ');
        if (grpc && web) resolve({ grpc: grpc[1], web: web[1] });
      });
    }
  });
  return { ...at, stop: async () => { child.kill(); await ended; rmSync(dir, { recursive: true, force: true }); } };
}

/** A TCP proxy that can cut what goes through it, and hold answers back. */
export async function proxy(target) {
  const { hostname, port } = new URL(target), open = new Set();
  const p = { silent: false, cuts: 0, url: '' };
  const server = net.createServer((client) => {
    const far = net.connect(Number(port), hostname);
    open.add(client).add(far);
    client.pipe(far);
    let watching = false; // a stream that never ends, which a proxy that buffers holds back for ever
    client.on('data', (data) => { watching ||= data.includes('EncounterService/Watch'); });
    far.on('data', (data) => { if (!(p.silent && watching)) client.write(data); });
    far.on('end', () => client.end());
    for (const s of [client, far]) s.on('error', () => {}).on('close', () => { open.delete(s); client.destroy(); far.destroy(); });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  p.url = `http://127.0.0.1:${server.address().port}`;
  p.cut = () => { p.cuts++; for (const s of open) s.destroy(); };
  p.close = () => { p.cut(); server.close(); };
  return p;
}
