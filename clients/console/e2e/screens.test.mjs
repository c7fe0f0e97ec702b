// Every screen on desk, tablet and phone, light and dark: pictures, and axe without findings.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { browser, createFight, idle, pictures, server, sit, tool } from './harness.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
let skald, chrome;
before(async () => {
  [skald, chrome] = await Promise.all([server(), browser()]);
});
after(async () => {
  setTimeout(() => process.exit(1), 15_000).unref();
  await chrome?.close();
  await skald?.close();
});

const findings = [];
async function check(page, name) {
  // The page's own policy keeps strange scripts out: axe comes by the debugger.
  if (!(await page.evaluate('!!window.axe'))) await page.evaluate(`${axe}; undefined`); // once a page: going elsewhere keeps it
  const found = await page.evaluate(`axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then((r) => r.violations.map((v) => v.id + ': ' + v.help + ' ' + v.nodes.map((n) => n.target.join(' ')).slice(0, 3).join(' | ')))`);
  findings.push(...found.map((x) => `${name}: ${x}`));
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (wide > 1) findings.push(`${name}: ${wide} px too wide`);
}

const sizes = { desk: [1280, 900], tablet: [820, 1100], phone: [390, 800] };
const schemes = ['light', 'dark'];
let fight;

/** Look takes a picture of what the page shows in each scheme, and lets axe judge it. */
async function look(page, name, fullPage = true) {
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    // Colours on their way are no colours. They are brought to their end, not waited for: without a further frame no transition says that it has ended.
    await page.evaluate(() => document.getAnimations().forEach((a) => a instanceof CSSTransition && a.finish()));
    await page.screenshot({ path: `${pictures}${name}-${colorScheme}.png`, fullPage });
    await check(page, `${name} ${colorScheme}`);
  }
}

test('a fight under way', { timeout: 60_000 }, async () => {
  const gm = await sit(chrome, skald.url, 'gm');
  const id = await createFight(gm, 'rcr', {
    title: 'The bridge',
    creatures: [
      { sheet: 'fighter', name: 'Jeera', controller: 'ann', side: 'party', position: '0,0' },
      { sheet: 'ogre', name: 'Grak', side: 'foes', position: '10,0' },
      { sheet: 'goblin', name: 'Snag', side: 'foes', position: '20,15', staged: true },
    ],
  });
  fight = `fight/${id}`;
  await look(gm, 'setup');
  await gm.click('button[name=start]');
  await gm.waitForSelector('.fight[data-status="2"]');
  for (let ask; (ask = gm.locator('section.ask [data-answer]').first()), await idle(gm), await ask.count(); ) await ask.click();
  await gm.context().close();
  assert.deepEqual(findings, []);
});

for (const [size, [width, height]] of Object.entries(sizes)) {
  test(`every screen: ${size}`, { timeout: 120_000 }, async () => {
    const page = await sit(chrome, skald.url, 'gm', { viewport: { width, height } });
    const screens = { start: '', fight, after: `${fight}/after`, rules: 'rules/rcr/rcr.base.attack-and-critical', dice: 'dice', patients: 'patients', packs: 'packs', help: 'help' };
    for (const [name, hash] of Object.entries(screens)) {
      await page.evaluate((h) => (location.hash = `#/${h}`), hash);
      await page.waitForSelector(`main[data-screen="${hash}"] h1`, { state: 'attached' });
      await page.waitForLoadState('networkidle');
      if (name === 'after') await page.waitForSelector('[data-testid=verify]');
      if (name === 'fight') {
        await idle(page);
        await page.waitForSelector('[data-option]');
        await page.locator('[data-option=move]').first().click();
      }
      if (name === 'dice') {
        await page.click('button[name=odds]');
        await page.waitForSelector('svg rect.counts');
      }
      if (name === 'rules') await page.waitForSelector('article .text');
      await look(page, `${name}-${size}`);
      if (name === 'fight' && size === 'phone') {
        for (const part of ['creatures', 'log']) {
          await page.click(`#part-${part}`);
          await look(page, `${part}-${size}`, false);
        }
      }
      if (name === 'fight' && size === 'desk') {
        for (const t of ['orders', 'ruling', 'contests', 'table', 'notes']) {
          await tool(page, t);
          await page.waitForLoadState('networkidle');
          await look(page, `tool-${t}`);
        }
      }
    }
    assert.deepEqual(page.errors, []);
    await page.context().close();
    assert.deepEqual(findings, []);
  });
}

test('the overlay', { timeout: 30_000 }, async () => {
  const stranger = await (await chrome.newContext()).newPage();
  await stranger.goto(`${skald.url}?view=overlay#/${fight}`);
  await stranger.waitForSelector('.over[data-caught-up=true]');
  assert.equal(await stranger.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgba(0, 0, 0, 0)');
  assert.ok(!(await stranger.content()).includes('Snag'), 'the overlay knows what spectators know');
  await stranger.screenshot({ path: `${pictures}overlay.png`, omitBackground: true });
});
