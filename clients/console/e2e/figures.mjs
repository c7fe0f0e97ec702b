// Figures of the console, on this machine: bytes and time to the first view, time from
// the answer of a command to the screens of 1 and of 20 pages, and what a page holds
// after a long fight. Not a test: `node e2e/figures.mjs` prints a table. COMMANDS, EVENTS
// and PAGES change how much is done.
import { browser, server } from './harness.mjs';

const commands = Number(process.env.COMMANDS ?? 600);
const events = Number(process.env.EVENTS ?? 60);
const crowds = (process.env.PAGES ?? '1,20').split(',').map(Number);
const skald = await server();
const chrome = await browser();
const started = Date.now();

const call = async (method, body) => {
  const got = await fetch(`${skald.url}skald.encounter.v1.EncounterService/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'connect-protocol-version': '1' },
    body: JSON.stringify({ as: { role: 'ROLE_GM', name: 'gm' }, encounter: 'long', ...body }),
  });
  const answer = await got.json();
  if (!got.ok) throw new Error(`${method}: ${JSON.stringify(answer)}`);
  return answer;
};
let carried = 0;
const execute = async (command) => {
  const done = await call('Execute', { requestId: `c${carried++}`, command });
  return { number: Number(done.step?.number ?? 0), at: Date.now() };
};
const at = (all, p) => [...all].sort((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * p))];
const ms = (n) => `${Math.round(n)} ms`;
const row = (...cells) => console.log(`| ${cells.join(' | ')} |`);

async function open(hash = '#as=gm&encounter=long') {
  const context = await chrome.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const began = Date.now();
  await page.goto(skald.url + hash, { waitUntil: 'commit' });
  await page.waitForSelector('.fight[data-caught-up=true][data-idle=true]', { timeout: 60_000 });
  page.took = Date.now() - began;
  return page;
}

async function heap(page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('HeapProfiler.enable');
  for (let i = 0; i < 3; i++) await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  const { nodes } = await cdp.send('Memory.getDOMCounters');
  await cdp.detach();
  return { mb: (usedSize / 2 ** 20).toFixed(1), nodes };
}

// A fight of four against four.
const [fighter] = (await (await fetch(`${skald.url}sheets/rcr.json`)).json()).filter((s) => s.id === 'fighter');
await execute({ create: { encounter: 'long', system: 'rcr', title: 'A long fight', dicePolicy: 'DICE_POLICY_SERVER' } });
const names = [...Array(8).keys()].map((i) => `c${i}`);
for (const [i, id] of names.entries()) await execute({ add: { sheet: { ...fighter, id, name: `Fighter ${i + 1}`, side: i % 2 ? 'foes' : 'party' }, position: { x: 5 * (i % 2), y: 5 * Math.floor(i / 2) } } });
await execute({ start: {} });

async function move() {
  const { waiting = [] } = await call('GetNext', {});
  const asked = waiting.find((w) => w.decision)?.decision;
  if (asked) return execute({ answer: { decision: asked.id, answer: { option: asked.defaultOption || asked.options[0].id } } });
  const { state } = await call('GetState', {});
  const weak = Object.values(state.creatures).find((c) => (c.hp ?? 0) < 20);
  if (weak) return execute({ edit: { creature: weak.id, vitals: { hp: 44 } } });
  const active = state.active[0];
  const { options = [] } = await call('GetOptions', { creature: active, legalOnly: true, actions: ['attack'] });
  const blow = options.find((o) => o.targets?.some((id) => state.creatures[id].side !== state.creatures[active].side));
  if (!blow) return execute({ endTurn: { creature: active } });
  return execute({ take: { creature: active, action: 'attack', item: blow.item, targets: [blow.targets.find((id) => state.creatures[id].side !== state.creatures[active].side)] } });
}

row('what', 'figure');
row('---', '---');
// The first view: a browser that has nothing of it yet.
{
  const all = [];
  for (let i = 0; i < 5; i++) {
    const page = await open();
    const got = await page.evaluate(() => {
      const loaded = [performance.getEntriesByType('navigation')[0], ...performance.getEntriesByType('resource').filter((r) => /\/assets\//.test(r.name))];
      return { bytes: loaded.reduce((n, r) => n + r.encodedBodySize, 0), paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN };
    });
    all.push({ ...got, whole: page.took });
    await page.context().close();
  }
  row('bytes of the page with a fight open, compressed', at(all.map((x) => x.bytes), 0.5));
  row('first paint, median of 5', ms(at(all.map((x) => x.paint), 0.5)));
  row('a fight of 10 steps on the screen with its options, median of 5', ms(at(all.map((x) => x.whole), 0.5)));
}

// From the answer of a command to the next frame that has its step.
for (const crowd of crowds) {
  const pages = [];
  for (let i = 0; i < crowd; i++) pages.push(await open());
  for (const page of pages) {
    await page.evaluate(() => {
      window.seen = {};
      const fight = document.querySelector('.fight');
      new MutationObserver(() => {
        const number = fight.dataset.latest;
        requestAnimationFrame(() => (window.seen[number] ??= performance.timeOrigin + performance.now()));
      }).observe(fight, { attributes: true, attributeFilter: ['data-latest'] });
    });
  }
  const late = [];
  for (let n = 0; n < events; n++) {
    const done = await execute({ edit: { creature: 'c0', vitals: { hp: 30 + (n % 10) } } });
    const shown = await Promise.all(pages.map((page) => page.waitForFunction((number) => window.seen[number], String(done.number)).then((h) => h.jsonValue())));
    late.push(...shown.map((t) => Math.max(0, t - done.at)));
  }
  row(`from the answer to the screen, ${crowd} ${crowd === 1 ? 'page' : 'pages'}, ${events} commands: p50, p99`, `${ms(at(late, 0.5))}, ${ms(at(late, 0.99))}`);
  for (const page of pages) await page.context().close();
}

// A long fight in one page.
{
  const page = await open();
  const before = await heap(page);
  let number = 0;
  for (let n = 0; n < commands; n++) ({ number } = await move());
  await page.waitForFunction((n) => Number(document.querySelector('.fight')?.dataset.latest) >= n, number, { timeout: 60_000 });
  await page.waitForSelector('.fight[data-idle=true]');
  const after = await heap(page);
  row('heap of a page after garbage collection, before', `${before.mb} MiB, ${before.nodes} nodes`);
  row(`the same after ${commands} commands (${number} steps)`, `${after.mb} MiB, ${after.nodes} nodes`);
  await page.context().close();
  const again = await open();
  const fresh = await heap(again);
  row('the same fight opened anew', `${ms(again.took)}, ${fresh.mb} MiB`);
  const jumps = await again.evaluate(async () => {
    const bar = document.querySelector('.scrub input[type=range]');
    const out = [];
    for (let i = 1; i <= 20; i++) {
      const from = performance.now();
      bar.value = String(Math.floor((Number(bar.max) * i) / 21));
      bar.dispatchEvent(new Event('input', { bubbles: true }));
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      out.push(performance.now() - from);
    }
    return out;
  });
  row('a jump to another step of it, p50, p99', `${ms(at(jumps, 0.5))}, ${ms(at(jumps, 0.99))}`);
}
console.log(`\n${Math.round((Date.now() - started) / 1000)} s in all`);
await chrome.close();
await skald.close();
