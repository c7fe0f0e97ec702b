// The places beside the fights: a patient is treated, a bad pack says what is wrong,
// odds come as a table.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answer, browser, idle, pictures, server, sit } from './harness.mjs';

const dir = mkdtempSync(join(tmpdir(), 'skald-packs-'));
let skald, chrome;
before(async () => {
  [skald, chrome] = await Promise.all([server(), browser()]);
});
after(async () => {
  setTimeout(() => process.exit(1), 15_000).unref();
  await chrome?.close();
  await skald?.close();
  rmSync(dir, { recursive: true, force: true });
});

test('patients, packs, dice, rules', { timeout: 90_000 }, async () => {
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

  // A folder: what is wrong is said by file, line and field; mended, it is kept and offers its things.
  const folder = join(dir, 'reeds');
  mkdirSync(join(folder, 'notes'), { recursive: true });
  writeFileSync(join(folder, 'pack.yaml'), 'name: reeds\nversion: "1"\nsystem: rcr\ntitle: The reeds\nlicense: CC0-1.0\n');
  const spell = (shape) => `- id: mud-burst
  title: Mud burst
  text: It bursts.
  data: {level: 1, casting_time: action, range_feet: 60, save: {ability: dexterity, half_on_success: true}, damage: [{dice: 2d6, type: bludgeoning}]}
  area: {shape: ${shape}, feet: 10}
`;
  writeFileSync(join(folder, 'spells.yaml'), spell('blob'));
  writeFileSync(join(folder, 'notes', 'stray.yaml'), 'a: [\n');
  const problems = gm.locator('section[aria-label="Check a pack"] tbody tr');
  await gm.setInputFiles('input[name=folder]', folder);
  await problems.filter({ hasText: /notes\/.*no such file/s }).first().waitFor(); // files of folders inside keep their way
  rmSync(join(folder, 'notes'), { recursive: true });
  await gm.setInputFiles('input[name=folder]', folder);
  await problems.filter({ hasText: /spells\.yaml:5.*shape/s }).first().waitFor();
  assert.equal(await gm.locator('button[name=put]').count(), 0, 'what is wrong is not kept');
  await gm.screenshot({ path: `${pictures}pack-problems.png`, fullPage: true });
  writeFileSync(join(folder, 'spells.yaml'), spell('sphere'));
  await gm.setInputFiles('input[name=folder]', folder);
  await gm.click('button[name=put]');
  await gm.locator('section[aria-label=Packs] button', { hasText: 'The reeds' }).click();
  await gm.waitForSelector('section[aria-label=Packs] td:has-text("Mud burst")');

  // A spell with an area: its shape is on the map once it is aimed, and who stands in it is told.
  const call = async (method, body) => {
    const got = await fetch(`${skald.url}skald.encounter.v1.EncounterService/${method}`, { method: 'POST', headers: { 'content-type': 'application/json', 'connect-protocol-version': '1' }, body: JSON.stringify({ as: { role: 'ROLE_GM', name: 'gm' }, ...body }) });
    assert.equal(got.status, 200, await got.clone().text());
    return got.json();
  };
  let n = 0;
  const carry = (command) => call('Execute', { requestId: `mud${n++}`, encounter: 'mud', command });
  await carry({ create: { encounter: 'mud', system: 'rcr', packs: ['reeds'], dicePolicy: 'DICE_POLICY_EITHER' } });
  const mage = { ...sheet, id: 'jeera', name: 'Jeera', side: 'party', rcr: { ...sheet.rcr, spells: [{ use: 'mud-burst' }], spellSlots: [4], spellDc: 13 } };
  await carry({ add: { sheet: mage, position: { x: 0, y: 0 } } });
  for (const [id, x] of [['grak', 30], ['snag', 40], ['far', 80]]) await carry({ add: { sheet: { ...sheet, id, name: id, side: 'foes' }, position: { x, y: 0 } } });
  await go('fight/mud');
  await idle(gm);
  await gm.click('button[name=start]');
  await gm.waitForSelector('.fight[data-status="2"]');
  for (let tries = 0; tries < 60 && (await gm.locator('li.active').first().getAttribute('data-creature', { timeout: 500 }).catch(() => '')) !== 'jeera'; tries++) {
    await idle(gm);
    if (await answer(gm)) continue;
    await gm.locator('[data-option=end-turn]').click({ timeout: 1000 }).catch(() => {});
  }
  await idle(gm);
  await gm.locator('[data-option=cast]').click();
  const cast = gm.locator('form[data-action=cast]');
  assert.equal(await gm.getByTestId('area').count(), 0, 'nobody knows yet where it lies');
  await cast.locator('input[name=target][value=grak]').check();
  const radius = Number(await gm.getByTestId('area').locator('circle').getAttribute('r'));
  assert.equal(radius, 10 + 2.5, 'ten feet from the edge of the space on');
  await gm.screenshot({ path: `${pictures}area.png` });
  await cast.locator('button[name=preview]').click();
  const told = gm.locator('section[aria-label="What would happen"]');
  await told.waitFor();
  assert.match(await told.innerText(), /snag/i);
  assert.doesNotMatch(await told.innerText(), /\bfar\b/i);

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
