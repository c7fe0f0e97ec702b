import { server, browser, sit } from '/work/wt-console/clients/console/e2e/harness.mjs';
const s = await server(); const b = await browser();
const p = await sit(b, s.url, 'gm'); await p.waitForTimeout(800); await p.screenshot({path:'/tmp/probe0.png'});
await p.waitForTimeout(1500);
console.log(p.url(), p.errors, (await p.content()).slice(0, 1500));
await p.screenshot({path:'/tmp/probe.png'});
await b.close(); await s.close();
