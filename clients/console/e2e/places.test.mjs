// The places beside the fights: a patient is treated, a bad pack says what is wrong,
// odds come as a table.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { browser, server, sit } from './harness.mjs';

let skald, chrome;
before(async () => {
  [skald, chrome] = await Promise.all([server(), browser()]);
});
after(async () => {
  setTimeout(() => process.exit(1), 15_000).unref();
  await chrome?.close();
  await skald?.close();
});

test('patients, packs, dice, rules', { timeout: 60_000 }, async () => {
  const gm = await sit(chrome, skald.url, 'gm');
  const go = (hash) => gm.evaluate((h) => (location.hash = h), `#/${hash}`);
  const [sheet] = (await (await fetch(`${skald.url}sheets/rcr.json`)).json()).filter((s) => s.id === 'fighter');
  const enrolled = await fetch(`${skald.url}skald.injury.v1.InjuryService/Tend`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'connect-protocol-version': '1' },
    body: JSON.stringify({ requestId: 'enrol', as: { role: 'ROLE_GM', name: 'gm' }, system: 'rcr', command: { patient: { deed: 'enrol', patients: ['jeera'], sheet: { ...sheet, id: 'jeera', name: 'Jeera' }, vitals: { hp: 12 } } } }),
  });
  assert.equal(enrolled.status, 200, await enrolled.text());
  await go('patients/jeera');
  await gm.selectOption('select[name=deed]', 'long-rest');
  await gm.click('text=What would happen?');
  await gm.waitForSelector('form .diff li:has-text("hit points 12 → 44")');
  assert.match(await gm.locator('main').innerText(), /12\/44 hp/, 'a look changes nothing');
  await gm.click('button[name=tend]');
  await gm.waitForSelector('main:has-text("44/44 hp")');

  await go('packs');
  await gm.setInputFiles('input[name=files]', { name: 'pack.yaml', mimeType: 'text/yaml', buffer: Buffer.from('name: x\nsystem: nosuch\n') });
  await gm.waitForSelector('td:has-text("no rule system")');

  await go('dice');
  await gm.fill('input[name=expression]', '2d6');
  await gm.fill('input[name=at-least]', '10');
  await gm.click('button[name=odds]');
  await gm.waitForSelector('text=(1/6)');
  await gm.click('button[name=roll]');
  await gm.waitForSelector('section[aria-label=Rolls] li');

  await go('rules/spark');
  await gm.fill('input[name=search]', 'attack');
  await gm.waitForSelector('main li a[href^="#/rules/spark/spark."]');
  await gm.locator('main li a[href^="#/rules/spark/spark."]').first().click();
  await gm.waitForSelector('article .text');
  assert.deepEqual(gm.errors, []);
});
