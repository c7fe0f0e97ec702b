// Decisions across browsers, dice typed by hand, rulings, contests, a line that is cut.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { answer, browser, createFight, idle, latest, line, pictures, server, sit, tool } from './harness.mjs';

let skald, chrome;
before(async () => {
  [skald, chrome] = await Promise.all([server(), browser()]);
});
after(async () => {
  setTimeout(() => process.exit(1), 15_000).unref();
  await chrome?.close();
  await skald?.close();
});

test('dice by hand, an undo, an amendment, a contest, a cut line', { timeout: 120_000 }, async () => {
  const wire = await line(skald.port);
  const gm = await sit(chrome, skald.url, 'gm');
  const ann = await sit(chrome, wire.url, 'player:ann');
  const bob = await sit(chrome, skald.url, 'player:bob');
  const id = await createFight(gm, 'rcr', {
    title: 'The wall',
    policy: 2,
    creatures: [
      { sheet: 'fighter', name: 'Jeera', controller: 'ann', side: 'party', position: '0,0' },
      { sheet: 'orc', name: 'Grak', controller: 'bob', side: 'foes', position: '5,0' },
    ],
  });
  for (const page of [ann, bob]) {
    await page.evaluate((id) => (location.hash = `#/fight/${id}`), id);
    await idle(page);
  }
  await gm.click('button[name=start]');
  await gm.waitForSelector('.fight[data-status="2"]');

  // Each player is asked for the own dice, and nobody else's: faces are typed.
  const asked = { ann: 0, bob: 0 };
  const settle = async (hands) => {
    for (let quiet = 0; quiet < 3; ) {
      let any = false;
      for (const [who, page] of Object.entries(hands)) {
        await idle(page);
        if (who === 'gm' && (await page.locator('section.ask').first().getAttribute('data-kind', { timeout: 200 }).catch(() => '3')) === '3') continue;
        const kind = await page.locator('section.ask').first().getAttribute('data-kind', { timeout: 400 }).catch(() => undefined);
        if (kind && (await answer(page, { hand: true, less: who === 'bob' ? 6 : 0 }))) {
          any = true;
          if (kind === '3' && who in asked) asked[who]++;
        }
      }
      quiet = any ? 0 : quiet + 1;
      if (!any) await gm.waitForTimeout(120);
    }
  };
  await settle({ ann, bob, gm });
  assert.ok(asked.ann > 0 && asked.bob > 0, `each rolled by hand: ${JSON.stringify(asked)}`);

  // Whoever is first strikes; what the dice show is typed by whose they are.
  const first = (await gm.locator('li.active').getAttribute('data-creature')) === 'jeera' ? ann : bob;
  const target = first === ann ? 'grak' : 'jeera';
  await idle(first);
  await first.locator('[data-option=attack]').first().click();
  const form = first.locator('form[data-action=attack]');
  await form.locator(`input[name=target][value=${target}]`).check();
  await form.locator('button[name=preview]').click();
  await first.waitForSelector('section[aria-label="What would happen"]');
  await first.screenshot({ path: `${pictures}option-form.png` });
  await form.locator('button[name=do]').click();
  await settle({ ann, bob, gm });
  const hit = gm.locator('article', { has: gm.locator('.line.bad', { hasText: /takes/ }) }).last();
  await hit.waitFor();
  assert.match(await gm.locator('.log').innerText(), /rolled by hand/);

  // A number opens into its parts, each with its rule.
  const roll = gm.locator('article .line.roll button.value').last();
  await roll.click();
  await gm.waitForSelector('ul.parts li:has-text("total")');

  // An amendment shows its difference before it is done.
  const step = Number(await gm.locator('article', { has: gm.locator('.line.action') }).first().getAttribute('data-step'));
  const before = await latest(gm);
  await gm.locator(`article[data-step="${step}"] button.menu`).click();
  await gm.locator(`article[data-step="${step}"] button[name=amend]`).click();
  await gm.waitForSelector('select[name=cover]');
  await gm.locator('[data-tool=ruling]').scrollIntoViewIfNeeded();
  await gm.selectOption('select[name=cover]', '"three-quarters"');
  await gm.fill('input[name=reason]', 'there was a wall');
  await gm.click('button[name=dry-run]');
  await gm.waitForSelector('[data-testid=dry-run] .plus');
  assert.match(await gm.locator('[data-testid=dry-run]').innerText(), /three-quarters/);
  assert.equal(await latest(gm), before, 'a look stores nothing');
  await gm.screenshot({ path: `${pictures}amend.png`, fullPage: true });
  await gm.click('button[name=rule]');
  await ann.waitForSelector('article .ruling:has-text("there was a wall")');
  assert.ok((await ann.locator('article .difference .plus').count()) > 0, 'the player is told what came out otherwise');

  // The ruling is taken back.
  await tool(gm, 'ruling');
  await gm.selectOption('select[name=back]', 'last');
  await gm.fill('input[name=reason]', 'the wall was lower');
  await gm.click('button[name=dry-run]');
  await gm.click('button[name=rule]');
  await bob.waitForSelector('article .ruling:has-text("the wall was lower")');

  // A contest is filed by a player and upheld by the game master.
  await idle(ann);
  const seen = Number(await ann.locator('article', { has: ann.locator('.line.action') }).first().getAttribute('data-step'));
  await ann.locator(`article[data-step="${seen}"] button.menu`).click();
  await ann.locator(`article[data-step="${seen}"] button[name=contest]`).click();
  await ann.waitForSelector('form[data-form=contest] select[name=cover]');
  await ann.fill('input[name=words]', 'half a wall');
  await ann.selectOption('form[data-form=contest] select[name=cover]', '"half"');
  await ann.click('button[name=file]');
  await gm.waitForSelector('[data-tool=contests] .chip');
  await tool(gm, 'contests');
  await gm.waitForSelector('li.contest[data-open=true] [data-testid=dry-run]');
  await gm.screenshot({ path: `${pictures}contest.png`, fullPage: true });
  await gm.fill('input[name=settle-reason]', 'so it was');
  await gm.click('button[name=uphold]');
  await gm.waitForSelector('li.contest[data-open=false]');
  await ann.waitForSelector('li.contest:has-text("upheld")');

  // The line is cut, the fight goes on, and nothing is missed once it is back.
  wire.cut();
  await ann.waitForSelector('.fight[data-link=lost]');
  await tool(gm, 'table');
  await gm.fill('input[name=end-reason]', 'night fell');
  await gm.click('button[name=end]');
  await gm.waitForSelector('.fight[data-status="3"]');
  wire.mend();
  await ann.waitForSelector('.fight[data-link=live]', { timeout: 15_000 });
  await ann.waitForSelector('article .line:has-text("night fell")');
  await ann.waitForSelector('.fight[data-status="3"]');
  const numbers = await ann.locator('article[data-step]').evaluateAll((all) => [...new Set(all.map((a) => Number(a.dataset.step)))]);
  assert.ok(numbers.every((n, i) => i === 0 || n > numbers[i - 1]), 'steps come once and in order');

  // Everybody sees the same words, and the way through time leads back.
  for (const page of [gm, ann, bob]) {
    await page.waitForSelector('.fight[data-status="3"]');
    await tool(page, 'table');
  }
  const words = () => Promise.all([gm, ann, bob].map((page) => page.getByTestId('words').innerText()));
  let said = await words();
  // What a page shows when the tool is opened is asked for again at once.
  for (const end = Date.now() + 10_000; Date.now() < end && !(said[0] && said.every((w) => w === said[0])); said = await words()) await gm.waitForTimeout(50);
  assert.ok(said[0] && said.every((w) => w === said[0]), said.join(' | '));
  await gm.evaluate((id) => (location.hash = `#/fight/${id}/3`), id);
  await gm.waitForSelector('text=This is the past');
  await gm.keyboard.press('Escape');
  await gm.waitForSelector('text=This is the past', { state: 'detached' });

  // After the fight: the record holds, checked in the browser.
  await gm.evaluate((id) => (location.hash = `#/fight/${id}/after`), id);
  await gm.click('button[name=verify]');
  await gm.waitForSelector('[data-testid=verify] [role=status]');
  assert.match(await gm.locator('[data-testid=verify] [role=status]').innerText(), /It holds/);
  assert.match(await gm.locator('[data-testid=verify]').innerText(), /signed 1/, 'the end is signed by a key that the server lists');
  await gm.screenshot({ path: `${pictures}after.png`, fullPage: true });
  for (const page of [gm, ann, bob]) assert.deepEqual(page.errors, []);
  await wire.close();
});
