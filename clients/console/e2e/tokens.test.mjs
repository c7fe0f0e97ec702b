// A server with keys: an invitation is a token in the address, which the page takes out.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createHmac, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browser, createFight, idle, server } from './harness.mjs';

const dir = mkdtempSync(join(tmpdir(), 'skald-token-'));
const secret = randomBytes(48).toString('base64url');
let skald, chrome;
before(async () => {
  writeFileSync(join(dir, 'secret'), secret, { mode: 0o600 });
  [skald, chrome] = await Promise.all([server(['--auth-secret', join(dir, 'secret')]), browser()]);
});
after(async () => {
  setTimeout(() => process.exit(1), 15_000).unref();
  await chrome?.close();
  await skald?.close();
  rmSync(dir, { recursive: true, force: true });
});

function token(sub, role, more = {}) {
  const part = (o) => Buffer.from(JSON.stringify(o)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  const said = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ aud: 'skald', sub, iat: now, exp: now + 1800, jti: randomBytes(8).toString('hex'), skald: { v: 1, table: 'main', role, ...more } })}`;
  return `${said}.${createHmac('sha256', secret).update(said).digest('base64url')}`;
}

test('invitations by token', { timeout: 60_000 }, async () => {
  const enter = async (hash) => {
    const page = await (await chrome.newContext()).newPage();
    page.setDefaultTimeout(8000);
    await page.goto(`${skald.url}#${hash}`);
    return page;
  };
  const gm = await enter(`token=${token('mo', 'gm')}`);
  const id = await createFight(gm, 'rcr', { title: 'Invited', creatures: [{ sheet: 'fighter', name: 'Jeera', controller: 'kim', side: 'party' }, { sheet: 'goblin', name: 'Snag', side: 'foes' }] });
  const kim = await enter(`token=${token('kim', 'player', { encounters: [id] })}`);
  await idle(kim);
  assert.ok(!kim.url().includes('token='), 'the token is out of the address');
  assert.equal(decodeURIComponent(kim.url().split('#')[1]), `/fight/${id}`, 'the one fight of the token is opened');
  assert.equal(await kim.locator('li[data-creature=snag] [data-hp]').count(), 0);
  // A player who makes the page believe that a game master sits there is still a player.
  await kim.evaluate(() => {
    const who = JSON.parse(sessionStorage.getItem('skald.who'));
    sessionStorage.setItem('skald.who', JSON.stringify({ ...who, role: 'gm' }));
  });
  await kim.reload();
  await idle(kim);
  assert.equal(await kim.locator('li[data-creature=snag] [data-hp]').count(), 0);
  await kim.click('button[name=start]');
  await kim.waitForSelector('.refusal code');
  assert.equal(await kim.locator('.fight').getAttribute('data-status'), '1');
  // Without a token the server tells nothing.
  const nobody = await enter('as=gm');
  await nobody.waitForSelector('.refusal:has-text("TOKEN_MISSING")');
});
