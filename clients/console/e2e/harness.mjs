// A real server on free ports, a real browser, and lines between them that the test
// records and cuts.
import { spawn, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('../../../', import.meta.url));
export const pictures = fileURLToPath(new URL('../pictures/', import.meta.url));
mkdirSync(pictures, { recursive: true });

const freePort = () => new Promise((done) => {
  const s = createServer().listen(0, '127.0.0.1', () => {
    const { port } = s.address();
    s.close(() => done(port));
  });
});

/** A server in a folder of its own. */
export async function server(flags = []) {
  const dir = mkdtempSync(join(tmpdir(), 'skald-console-'));
  let bin = process.env.SKALD_BIN;
  if (!bin) {
    bin = join(dir, 'skald');
    execFileSync('go', ['build', '-o', bin, './cmd/skald'], { cwd: root, stdio: 'inherit' });
  }
  const [listen, web] = [await freePort(), await freePort()];
  const child = spawn(bin, ['up', '--data', join(dir, 'data'), '--listen', `127.0.0.1:${listen}`, '--web', `127.0.0.1:${web}`, ...flags], { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.on('data', (d) => (log += d));
  const url = `http://127.0.0.1:${web}/`;
  for (let tries = 0; ; tries++) {
    if (child.exitCode !== null || tries > 600) throw new Error(`the server did not come up:\n${log}`);
    try {
      if ((await fetch(url)).ok) break;
    } catch {
      await new Promise((done) => setTimeout(done, 50));
    }
  }
  return {
    url, port: web, log: () => log,
    close: () => new Promise((done) => {
      child.on('exit', () => (rmSync(dir, { recursive: true, force: true }), done()));
      child.kill('SIGTERM');
    }),
  };
}

/** A line to the server that keeps all that came, and can be cut. */
export async function line(port) {
  const open = new Set();
  const got = [];
  let cut = false;
  const s = createServer((from) => {
    if (cut) return from.destroy();
    const to = connect(port, '127.0.0.1');
    open.add(from), open.add(to);
    // What came is to be read: no compression.
    from.on('data', (d) => to.write(Buffer.from(d.toString('latin1').replace(/accept-encoding:/gi, 'x-ignored-codec:'), 'latin1')));
    to.on('data', (d) => (got.push(d), from.write(d)));
    for (const [a, b] of [[from, to], [to, from]]) {
      a.on('error', () => b.destroy());
      a.on('close', () => (open.delete(a), b.destroy()));
    }
  });
  await new Promise((done) => s.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${s.address().port}/`,
    received: () => Buffer.concat(got),
    cut: () => ((cut = true), open.forEach((x) => x.destroy())),
    mend: () => (cut = false),
    close: () => (open.forEach((x) => x.destroy()), new Promise((done) => s.close(done))),
  };
}

export function browser() {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  if (!existsSync(executablePath)) throw new Error(`no Chromium at ${executablePath}`);
  return chromium.launch({ executablePath, headless: true, args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'] });
}

/** Sit opens a browser of its own for somebody. */
export async function sit(chrome, url, as, options = {}) {
  const context = await chrome.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.errors = [];
  page.on('pageerror', (e) => page.errors.push(String(e)));
  page.on('console', (m) => m.type() === 'error' && !/Failed to load resource/.test(m.text()) && page.errors.push(m.text()));
  page.setDefaultTimeout(8_000);
  await page.goto(`${url}#as=${as}`);
  return page;
}

export const idle = (page) => page.waitForSelector('.fight[data-caught-up=true][data-idle=true]');
export const latest = async (page) => Number(await page.getAttribute('.fight', 'data-latest'));

export async function tool(page, name) {
  const button = page.locator(`[data-tool=${name}]`);
  if ((await button.getAttribute('aria-pressed')) !== 'true') await button.click();
}

/** Create makes a fight through the page and returns its id. */
export async function createFight(gm, system, { title, policy = 3, creatures }) {
  await gm.selectOption('select[name=system]', system);
  await gm.fill('input[name=title]', title);
  await gm.selectOption('select[name=policy]', String(policy));
  await gm.click('button[name=create]');
  await idle(gm);
  const id = decodeURIComponent(new URL(gm.url()).hash.split('/')[2]);
  for (const c of creatures) {
    const form = gm.locator('form[data-form=add]');
    await form.locator('input[name=search]').fill('');
    await form.locator('select[name=sheet]').selectOption(`sheet:${c.sheet}`);
    for (const field of ['name', 'controller', 'side', 'position']) await form.locator(`input[name=${field}]`).fill(c[field] ?? '');
    await form.locator('input[name=staged]').setChecked(c.staged ?? false);
    const before = await latest(gm);
    await form.locator('button[name=add]').click();
    await gm.waitForFunction((n) => Number(document.querySelector('.fight')?.dataset.latest) > n, before);
    await idle(gm);
  }
  return id;
}

/** Answer settles the first open question; true when there was one. */
export async function answer(page, { hand = false, less = 0 } = {}) {
  const ask = page.locator('section.ask').first();
  if ((await ask.count()) === 0) return undefined;
  const name = await ask.getAttribute('data-decision');
  const kind = await ask.getAttribute('data-kind');
  try {
    if (kind === '3') {
      const fields = ask.locator('input[name=face]');
      if (hand) {
        // Typed by hand; the focus moves on by itself.
        const n = await fields.count();
        for (let i = 0; i < n; i++) await fields.nth(i).fill(String(Math.max(1, Number(await fields.nth(i).getAttribute('max')) - i - less)));
      } else {
        await ask.locator('button[name=roll-faces]').click();
        await page.waitForFunction(() => [...document.querySelectorAll('section.ask:first-of-type input[name=face]')].every((f) => f.value !== ''));
      }
      await ask.locator('button[name=send-faces]').click({ timeout: 3000 });
    } else if (kind === '2') {
      await ask.locator('button.primary').click({ timeout: 3000 });
    } else {
      const preferred = ask.locator('button.default');
      await ((await preferred.count()) ? preferred.first() : ask.locator('[data-answer]').first()).click({ timeout: 3000 });
    }
  } catch (err) {
    if (!/Timeout|detached|not attached/.test(String(err))) throw err; // somebody else answered
  }
  await idle(page);
  return name;
}

/** Act takes a deed with whoever may act on this page, or ends the turn. */
export async function act(page, memory) {
  const found = await page.evaluate(() => {
    const mine = [...document.querySelectorAll('[data-option]')].filter((b) => !b.disabled);
    const down = new Set([...document.querySelectorAll('li.down[data-creature]')].map((li) => li.dataset.creature));
    const who = document.querySelector('button.who[aria-pressed=true]')?.dataset.actor ?? '';
    return { who, down: [...down], latest: document.querySelector('.fight')?.dataset.latest, options: mine.map((b, i) => ({ i, action: b.dataset.option, item: b.dataset.item, required: Number(b.dataset.required), min: Number(b.dataset.min), targets: b.dataset.targets.split(' ').filter(Boolean) })) };
  });
  if (found.options.length === 0) return false;
  const key = (o) => `${found.who} ${o.action} ${o.item}`;
  const foes = (o) => o.targets.filter((id) => memory.foes(found.who || memory.self, id) && !found.down.includes(id));
  const rank = (o) => (/attack/.test(o.action) || /melee-attack/.test(o.item) ? 0 : /^(declare|strike|shoot)/.test(o.action) ? 1 : 9);
  const deeds = found.options.filter((o) => rank(o) < 9 && o.required === 0 && !memory.refused.has(key(o)) && (o.min === 0 || foes(o).length)).sort((a, b) => rank(a) - rank(b));
  const end = found.options.find((o) => o.action === 'end-turn');
  const o = deeds[0] ?? end ?? found.options.find((x) => x.required === 0 && x.min === 0 && !memory.refused.has(key(x)));
  if (!o) return false;
  memory.refused.add(key(o)); // no deed twice in a turn
  if (o.action === 'end-turn') memory.refused.clear();
  const button = page.locator(`[data-option="${o.action}"][data-item="${o.item}"]`).first();
  try {
    await button.click({ timeout: 3000 });
    if (o.action !== 'end-turn') {
      const form = page.locator(`form[data-action="${o.action}"]`);
      const target = foes(o)[0];
      if (o.min > 0 && target) await form.locator(`input[name=target][value="${target}"]`).check({ timeout: 3000 });
      await form.locator('button[name=do]').click({ timeout: 3000 });
      await page.waitForFunction(() => document.querySelector('.fight')?.dataset.idle === 'true');
      const close = form.locator('button.quiet').first();
      if (await close.count()) await close.click({ timeout: 1000 }).catch(() => {}); // refused: it stays open
    }
  } catch (err) {
    if (!/Timeout|detached|not attached/.test(String(err))) throw err;
  }
  await idle(page);
  return true;
}

/** Play goes on with all pages until a side is down, and gives up after so many deeds. */
export async function play(gm, players, { most = 40, hand = false, foes }) {
  const memory = { foes, self: '', refused: new Set() };
  const asked = new Set();
  let deeds = 0;
  for (let round = 0; deeds < most && round < most * 3; round++) {
    const standing = await gm.evaluate(() => ({ over: document.querySelector('.fight').dataset.status === '3', up: [...document.querySelectorAll('li[data-creature]:not(.down)')].map((li) => li.dataset.creature) }));
    if (standing.over || !standing.up.some((a) => standing.up.some((b) => foes(a, b)))) break;
    let done = false;
    for (const page of [...players, gm]) {
      await idle(page);
      const name = await answer(page, { hand });
      if (name) {
        asked.add(name);
        done = true;
        deeds++;
        break;
      }
      memory.self = page.self ?? '';
      const turn = await page.evaluate(() => !document.querySelector('[data-waits="3"]') && document.querySelectorAll('[data-option]').length > 0);
      if (turn && (await act(page, memory))) {
        done = true;
        deeds++;
        break;
      }
    }
    if (!done) await gm.waitForTimeout(60);
  }
  return { asked, deeds };
}

export async function endFight(gm, reason) {
  await idle(gm);
  for (let tries = 0; tries < 40 && (await answer(gm)); tries++); // an action that waits is brought to its end first
  await tool(gm, 'table');
  await gm.fill('input[name=end-reason]', reason);
  await gm.click('button[name=end]');
  await gm.waitForSelector('.fight[data-status="3"]', { timeout: 20_000 });
}
