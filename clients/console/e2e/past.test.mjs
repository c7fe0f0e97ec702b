// What is said about the past and ahead: words for the dice, names of people, a forgotten
// command with the questions that it raises, a take-back that is granted, standing
// orders, and the way through time at speed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { answer, browser, createFight, idle, latest, pictures, server, sit, tool } from './harness.mjs';

let skald, chrome;
before(async () => {
  [skald, chrome] = await Promise.all([server(), browser()]);
});
after(async () => {
  setTimeout(() => process.exit(1), 15_000).unref();
  await chrome?.close();
  await skald?.close();
});

/** Answers whatever is open on these pages until nothing is, and says what was asked. */
async function settle(pages, hands = {}) {
  const asked = [];
  for (let quiet = 0; quiet < 3; ) {
    let any = false;
    for (const page of pages) {
      await idle(page);
      const name = await answer(page, { hand: true, less: hands[page.who] ?? 0 });
      if (name) (asked.push(`${page.who} ${name}`), (any = true));
    }
    quiet = any ? 0 : quiet + 1;
    if (!any) await pages[0].waitForTimeout(80);
  }
  return asked;
}

/** Goes on until somebody has the turn: what is asked is answered, and others end theirs. */
async function until(creature, own, pages, asked = []) {
  const [gm] = pages;
  for (let n = 0; n < 30; n++) {
    for (const page of pages) await idle(page);
    if ((await gm.locator('section.ask').count()) > 0) asked.push(...(await settle(pages.slice(1), { bob: 12 })));
    const active = await gm.locator('li.active').first().getAttribute('data-creature', { timeout: 1000 }).catch(() => undefined);
    if (active === creature) return idle(own[creature]);
    const page = own[active];
    if (!page) continue;
    await tool(page, 'act');
    await idle(page);
    await page.locator('[data-option=end-turn]').click({ timeout: 2000 }).catch(() => {});
  }
  assert.fail(`${creature} never had the turn`);
}

test('the past and what is said ahead', { timeout: 120_000 }, async () => {
  const [gm, ann, bob] = await Promise.all([sit(chrome, skald.url, 'gm'), sit(chrome, skald.url, 'player:ann'), sit(chrome, skald.url, 'player:bob')]);
  [gm.who, ann.who, bob.who] = ['gm', 'ann', 'bob'];
  const id = await createFight(gm, 'rcr', {
    title: 'The ford',
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

  // Each adds words to the dice once, and everybody sees them.
  await ann.fill('input[name=entropy]', 'a pinch of salt');
  await ann.click('button[name=mix]');
  await gm.waitForSelector('[data-testid=entropy] [data-contributor="player/ann"]:has-text("a pinch of salt")');
  assert.equal(await ann.locator('button[name=mix]').count(), 0, 'nobody gives twice');
  await gm.fill('input[name=entropy]', 'rain');
  await gm.click('button[name=mix]');
  await bob.waitForSelector('[data-testid=entropy] [data-contributor^="gm/"]:has-text("rain")');
  assert.equal(await bob.locator('button[name=close-entropy]').count(), 0, "closing it is the game master's");
  await gm.screenshot({ path: `${pictures}entropy.png` });

  // The game master names a player, who sees it beside the id; a player names nobody else.
  await tool(gm, 'table');
  await gm.fill('form[data-person=ann] input', 'Anneke');
  await gm.click('form[data-person=ann] button[name=name]');
  await gm.waitForSelector('li[data-creature=jeera]:has-text("Anneke (ann)")');
  await tool(bob, 'table');
  await bob.waitForSelector('[data-person]');
  assert.deepEqual(await bob.locator('[data-person]').evaluateAll((all) => all.map((f) => f.dataset.person)), ['bob']);
  await gm.click('form[data-person=ann] button[name=forget]');
  await gm.waitForSelector('li[data-creature=jeera]:not(:has-text("Anneke"))');

  await tool(gm, 'act');
  await gm.click('button[name=start]');
  await gm.waitForSelector('.fight[data-status="2"]');
  await gm.waitForSelector('[data-testid=entropy]', { state: 'detached' });
  await settle([ann, bob], { bob: 12 });
  await ann.waitForSelector('li.active[data-creature=jeera]');

  // Jeera guards herself, Grak does nothing, Jeera looks about.
  await tool(ann, 'act');
  await ann.locator('[data-option=dodge]').first().click();
  await ann.locator('form[data-action=dodge] button[name=do]').click();
  await ann.waitForSelector('article .line.action:has-text("dodge")');
  const own = { jeera: ann, grak: bob };
  await until('grak', own, [gm, ann, bob]);
  await until('jeera', own, [gm, ann, bob]);

  // It was forgotten that she struck first: what then can not be is settled, and the dice of
  // the blow are asked for; only then it may be done.
  const start = Number(await gm.locator('article[data-step]', { hasText: 'The fight begins' }).first().getAttribute('data-step'));
  const before = await latest(gm);
  const text = await gm.locator('.log').innerText();
  await gm.locator(`article[data-step="${start}"] button.menu`).first().click();
  await gm.locator(`article[data-step="${start}"] button[name=insert]`).first().click();
  await gm.selectOption('select[name=forgotten-creature]', 'jeera');
  await gm.waitForSelector('select[name=forgotten-action] option[value=attack]', { state: 'attached' });
  await gm.selectOption('select[name=forgotten-action]', 'attack');
  await gm.locator('select[name=forgotten-item]').selectOption({ index: 1 });
  await gm.locator('input[name=forgotten-target][value=grak]').check();
  await gm.fill('input[name=reason]', 'the blow was forgotten');
  await gm.click('button[name=dry-run]');
  const kinds = new Set();
  for (let n = 0; n < 12; n++) {
    await gm.waitForSelector('[data-testid=dry-run]');
    await gm.waitForSelector('button[name=dry-run]:not([disabled])');
    const trouble = gm.locator('[data-testid=dry-run] [data-trouble]').first();
    if ((await trouble.count()) === 0) break;
    assert.ok(await gm.locator('button[name=rule]').isDisabled(), 'not before it is settled');
    kinds.add(await trouble.getAttribute('data-trouble'));
    const said = await trouble.innerText();
    if ((await trouble.locator('input[name=face]').count()) > 0) {
      if (n < 3) await gm.screenshot({ path: `${pictures}troubles.png`, fullPage: true });
      const fields = trouble.locator('input[name=face]');
      for (let i = 0; i < (await fields.count()); i++) await fields.nth(i).fill(String(Math.min(18, Number(await fields.nth(i).getAttribute('max')))));
      await trouble.locator('button[name=send-faces]').click();
    } else if ((await trouble.getAttribute('data-trouble')) === '1') await trouble.locator('select[name=settle]').selectOption('drop');
    else await trouble.locator('select[name=settle]').selectOption({ index: 1 });
    await gm.waitForFunction((said) => {
      const now = document.querySelector('[data-testid=dry-run] [data-trouble]');
      return document.querySelector('[data-testid=dry-run]') && document.querySelector('button[name=dry-run]:not([disabled])') && now?.innerText !== said;
    }, said);
  }
  assert.ok(kinds.has('1') && kinds.has('2'), `a command that became illegal, and a question: ${[...kinds]}`);
  await gm.waitForSelector('[data-testid=dry-run] .plus:has-text("attack")');
  assert.equal(await latest(gm), before, 'a look stores nothing');
  await gm.screenshot({ path: `${pictures}insert.png`, fullPage: true });
  await gm.click('button[name=rule]');
  await ann.waitForSelector('article .ruling:has-text("the blow was forgotten")');
  await bob.waitForSelector('article .difference .plus:has-text("attack")');
  assert.notEqual(await gm.locator('.log').innerText(), text);

  // Ann takes her last command back, asked and granted; hers alone is the asking.
  await idle(ann);
  await tool(ann, 'act');
  await ann.locator('[data-option=disengage]').first().click();
  await ann.locator('form[data-action=disengage] button[name=do]').click();
  await gm.waitForSelector('article .line.action:has-text("disengage")');
  await idle(ann);
  await tool(ann, 'contests');
  await ann.fill('section[aria-label=Contests] input', 'wrong button');
  await ann.click('button[name=take-back]');
  await gm.waitForSelector('[data-tool=contests] .chip');
  await tool(gm, 'contests');
  await gm.waitForSelector('li.contest[data-open=true]:has-text("wrong button")');
  assert.equal(await ann.locator('li.contest button[name=uphold]').count(), 0);
  await gm.screenshot({ path: `${pictures}take-back.png`, fullPage: true });
  await gm.fill('input[name=settle-reason]', 'go ahead');
  await gm.locator('li.contest[data-open=true] button[name=uphold]').click();
  await ann.waitForSelector('li.contest[data-open=false]:has-text("wrong button")');
  await ann.waitForSelector('article.gone .line.action:has-text("disengage")');
  await tool(ann, 'act');
  await idle(ann);
  await ann.waitForSelector('[data-option=disengage]');

  // A question is settled from now on: the next time it is not asked.
  const question = ann.locator('section.ask[data-decision=initiative-ability]');
  await tool(ann, 'act');
  await idle(ann);
  await ann.locator('[data-option=end-turn]').click();
  await question.waitFor();
  await question.locator('select[name=from-now-on]').selectOption('dexterity');
  const asked = [];
  await until('grak', own, [gm, ann, bob]);
  await tool(ann, 'orders');
  await ann.waitForSelector('section[aria-label=Orders] li[data-order=initiative-ability]:has-text("dexterity")');
  assert.equal(await ann.locator('section[aria-label=Orders] select[aria-label="initiative ability"]').inputValue(), 'dexterity');
  await ann.screenshot({ path: `${pictures}orders.png`, fullPage: true });
  await until('jeera', own, [gm, ann, bob], asked);
  await until('grak', own, [gm, ann, bob], asked);
  assert.ok(asked.includes('ann initiative') || asked.some((x) => x.startsWith('ann ')), `she still rolls: ${asked}`);
  assert.ok(!asked.includes('ann initiative-ability'), `she is not asked again: ${asked}`);
  // Taken back, it is asked again.
  await tool(ann, 'orders');
  await ann.locator('section[aria-label=Orders] select[aria-label="initiative ability"]').selectOption('ask');
  await until('jeera', own, [gm, ann, bob], asked);
  await until('grak', own, [gm, ann, bob], asked);
  assert.ok(asked.includes('ann initiative-ability'), `asked again: ${asked}`);

  // The way through time at speed: every step once, the past on the screen, and back to now.
  const replay = gm.locator('.scrub');
  await replay.locator('select').selectOption('8');
  const seen = gm.evaluate(
    () =>
      new Promise((done) => {
        const bar = document.querySelector('.scrub input[type=range]');
        const out = [];
        const past = [];
        const timer = setInterval(() => {
          if (out.at(-1)?.step !== Number(bar.value)) out.push({ step: Number(bar.value), at: performance.now() });
          if (document.body.innerText.includes('This is the past')) past.push(bar.value);
          if (out.length > 2 && Number(bar.value) === Number(bar.max)) (clearInterval(timer), done({ out, past: past.length }));
        }, 10);
      }),
  );
  await replay.getByText('Replay').click();
  const { out, past } = await seen;
  const steps = out.map((x) => x.step).filter((x, i) => i > 0 || x === 1);
  assert.deepEqual(steps, [...Array(steps.length).keys()].map((i) => i + steps[0]), 'each step once and in order');
  assert.ok(steps.length > 10 && past > 10);
  const each = (out.at(-1).at - out.find((x) => x.step === 2).at) / (out.at(-1).step - 2);
  assert.ok(each >= 150 && each < 800, `eight times as fast: ${each} ms a step`);
  await gm.waitForSelector('text=This is the past', { state: 'detached' });
  for (const page of [gm, ann, bob]) assert.deepEqual(page.errors, []);
});
