// A game master and two players, each in a browser of their own, play a fight of every
// rule system through the console alone, until by its rules a side is down.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { browser, createFight, endFight, idle, latest, line, pictures, play, server, sit, tool } from './harness.mjs';

let skald, chrome;
before(async () => {
  [skald, chrome] = await Promise.all([server(), browser()]);
});
after(async () => {
  setTimeout(() => process.exit(1), 15_000).unref();
  await chrome?.close();
  await skald?.close();
});

const fights = {
  rcr: ['fighter', 'rogue', 'goblin'],
  spark: ['blade', 'spearman', 'reaver'],
  basic: ['sellsword', 'spearwife', 'hedge-witch'],
  celesia: ['sellsword', 'marauder', 'moor-hound'],
  original: ['swordsman', 'spearmaiden', 'orc-spearman'],
};
const secret = 'Qwyxelith the Unheard';

for (const [system, [first, second, foe]] of Object.entries(fights)) {
  test(`a fight of ${system} in three browsers`, { timeout: 120_000 }, async () => {
    const lines = [await line(skald.port), await line(skald.port)];
    const gm = await sit(chrome, skald.url, 'gm');
    const [ann, bob] = [await sit(chrome, lines[0].url, 'player:ann'), await sit(chrome, lines[1].url, 'player:bob')];
    const id = await createFight(gm, system, {
      title: `The ${system} fight`,
      creatures: [
        { sheet: first, name: 'Jeera', controller: 'ann', side: 'party', position: '0,0' },
        { sheet: second, name: 'Tam', controller: 'bob', side: 'party', position: '0,5' },
        { sheet: foe, name: 'Grak', side: 'foes', position: '5,0' },
        { sheet: foe, name: secret, side: 'foes', position: '60,60', staged: true },
      ],
    });
    for (const [page, self] of [[ann, 'jeera'], [bob, 'tam']]) {
      page.self = self;
      await page.evaluate((id) => (location.hash = `#/fight/${id}`), id);
      await idle(page);
    }
    gm.self = 'grak';
    await tool(gm, 'act');
    await gm.click('button[name=start]');
    await gm.waitForSelector('.fight[data-status="2"]');
    const party = (c) => c === 'jeera' || c === 'tam';
    const { deeds } = await play(gm, [ann, bob], { most: 160, foes: (a, b) => party(a) !== party(b) && !/qwyx/.test(a) && !/qwyx/.test(b) });
    const down = await gm.locator('li.down[data-creature]').evaluateAll((all) => all.map((li) => li.dataset.creature));
    assert.ok(down.includes('grak') || (down.includes('jeera') && down.includes('tam')), `after ${deeds} deeds nobody has won: down are ${down}`);
    assert.ok((await latest(gm)) > 6, 'the fight went on');
    await gm.screenshot({ path: `${pictures}${system}-gm.png` });
    await ann.screenshot({ path: `${pictures}${system}-player.png` });
    const acted = await gm.locator('article .line.action').allTextContents();
    assert.ok(acted.some((x) => /^\s*(Jeera|Tam):/.test(x)), `the party acted: ${acted.join(' | ')}`);
    await endFight(gm, 'a side is down');
    await ann.waitForSelector('.fight[data-status="3"]');
    // Nobody is told of who is unseen, and of foes' hit points.
    for (const [i, page] of [ann, bob].entries()) {
      const got = lines[i].received();
      assert.ok(got.length > 20_000, 'the line was recorded');
      assert.ok(got.includes('Grak'), 'what is known came over it');
      assert.ok(!got.includes(secret) && !got.includes('Qwyxelith') && !got.includes('qwyxelith'), 'the unseen stays unseen');
      assert.equal(await page.locator('li[data-creature=grak] [data-hp]').count(), 0);
    }
    assert.ok((await gm.locator('li[data-creature=grak] [data-hp]').count()) > 0);
    for (const page of [gm, ann, bob]) {
      assert.deepEqual(page.errors, []);
      await page.context().close();
    }
    await Promise.all(lines.map((l) => l.close()));
  });
}
