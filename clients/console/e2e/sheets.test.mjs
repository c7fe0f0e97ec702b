// Rolls of D&D Beyond sheets, as Beyond20 tells the page of them, fill the fields of an
// open question where they fit, and nothing else.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { answer, browser, createFight, idle, server, sit } from './harness.mjs';

let skald, chrome;
before(async () => {
  [skald, chrome] = await Promise.all([server(), browser()]);
});
after(async () => {
  setTimeout(() => process.exit(1), 15_000).unref();
  await chrome?.close();
  await skald?.close();
});

/** The event of a roll on somebody's sheet. */
const rolled = (page, name, sides, face) =>
  page.evaluate(
    ([name, faces, roll]) => {
      const die = { parts: [{ formula: `1d${faces}`, faces, amount: 1, rolls: [{ roll }] }, '+', 4] };
      const detail = [{ action: 'rendered-roll', rendered: 'custom', title: 'Initiative', whisper: 0, character: { name, type: 'Character', url: '', id: '1' }, request: { type: 'initiative' }, attack_rolls: [die], damage_rolls: [] }];
      document.dispatchEvent(new CustomEvent('Beyond20_RenderedRoll', { detail }));
    },
    [name, sides, face],
  );

test('dice of a sheet answer a question', { timeout: 60_000 }, async () => {
  const gm = await sit(chrome, skald.url, 'gm');
  const ann = await sit(chrome, skald.url, 'player:ann');
  const id = await createFight(gm, 'rcr', {
    title: 'The wall',
    policy: 2,
    creatures: [
      { sheet: 'fighter', name: 'Jeera', controller: 'ann', side: 'party', position: '0,0' },
      { sheet: 'orc', name: 'Grak', side: 'foes', position: '5,0' },
    ],
  });
  await ann.evaluate((id) => (location.hash = `#/fight/${id}`), id);
  await idle(ann);
  await gm.click('button[name=start]');
  const dice = ann.locator('section.ask[data-kind="3"]');
  for (let tries = 0; tries < 40 && (await dice.count()) === 0; tries++) {
    // Whatever is asked before: of her something else, of the game master the orc's dice.
    if (!(await answer(ann)) && !(await answer(gm, { hand: true }))) await ann.waitForTimeout(100);
    await idle(ann);
  }
  await dice.waitFor();
  const face = dice.locator('input[name=face]').first();
  const says = dice.locator('[role=status]');

  await rolled(ann, 'Somebody', 20, 3);
  await says.filter({ hasText: 'Somebody' }).waitFor();
  assert.equal(await face.inputValue(), '', 'a sheet that plays nobody');
  await rolled(ann, 'jeera', 6, 5);
  await says.filter({ hasText: '1d6' }).waitFor();
  assert.equal(await face.inputValue(), '', 'another die');
  await rolled(ann, 'jeera', 20, 17);
  await ann.waitForFunction((f) => f.value === '17', await face.elementHandle());

  // A sheet of another name plays the creature once that was said.
  await rolled(ann, 'Jeera the Bold', 20, 11);
  await dice.locator('button[name=sheet-plays]').click();
  await rolled(ann, 'Jeera the Bold', 20, 12);
  await ann.waitForFunction((f) => f.value === '12', await face.elementHandle());
  await ann.evaluate(() => document.dispatchEvent(new CustomEvent('Beyond20_RenderedRoll', { detail: [{ action: 'rendered-roll', attack_rolls: 'x' }] })));
  assert.equal(await face.inputValue(), '12', 'what can not be read changes nothing');
  await dice.locator('button[name=send-faces]').click();
  await gm.locator('.line', { hasText: 'Jeera initiative' }).filter({ hasText: '[12]' }).first().waitFor();
});
