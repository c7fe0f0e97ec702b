// What a watch does with a server that only keeps its stream open.
import assert from 'node:assert/strict';
import http from 'node:http';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { create, toBinary } from '@bufbuild/protobuf';
import { connect, watch } from '@skald/client';
import { WatchResponseSchema } from '@skald/client/encounter';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

/** A server whose answer is a heartbeat every 20 ms, for ever. */
async function beating() {
  const message = toBinary(WatchResponseSchema, create(WatchResponseSchema, { what: { case: 'heartbeat', value: { intervalSeconds: 15 } } }));
  const frame = Buffer.concat([Buffer.from([0, 0, 0, 0, message.length]), message]);
  let closed;
  const gone = new Promise((resolve) => { closed = resolve; });
  const server = http.createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/connect+proto' }).write(frame);
      const beat = setInterval(() => response.write(frame), 20);
      response.on('close', () => { clearInterval(beat); closed(); });
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, gone, close: () => server.close() };
}

test('a watch that is aborted ends, and its connection too, whatever memory was collected', { timeout: 30_000 }, async () => {
  const server = await beating(), stop = new AbortController();
  let beats = 0;
  const watching = (async () => {
    for await (const event of watch(connect({ url: server.url }), { encounter: 'bridge' }, { signal: stop.signal })) {
      assert.equal(event.kind, 'alive');
      beats++;
    }
  })();
  while (beats < 20) {
    collect();
    await pause(10);
  }
  stop.abort();
  await watching;
  const before = beats;
  await server.gone;
  assert.equal(beats, before);
  server.close();
});

test('a watch that is left ends its connection', { timeout: 30_000 }, async () => {
  const server = await beating();
  for await (const event of watch(connect({ url: server.url }), { encounter: 'bridge' })) {
    collect();
    if (event.kind === 'alive') break;
  }
  await server.gone;
  server.close();
});
