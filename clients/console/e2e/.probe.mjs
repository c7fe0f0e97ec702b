import { server, browser, sit, createFight, idle, tool, act } from './harness.mjs';
const s = await server(); const b = await browser();
for (const [system, sheets] of Object.entries({spark:['blade','reaver'], basic:['sellsword','marsh-orc'], original:['swordsman','orc-spearman']})) {
const p = await sit(b, s.url, 'gm');
await createFight(p, system, {title:'x', creatures:[{sheet:sheets[0],name:'Jeera',controller:'ann',side:'party',position:'0,0'},{sheet:sheets[1],name:'Grak',side:'foes',position:'5,0'}]});
await tool(p,'act'); await p.click('button[name=start]'); await p.waitForSelector('.fight[data-status="2"]'); await idle(p);
await p.waitForTimeout(500);
console.log(system, p.errors, await p.evaluate(()=>({asks:[...document.querySelectorAll('section.ask')].map(x=>x.textContent.slice(0,90)), waits:[...document.querySelectorAll('[data-waits]')].map(x=>x.dataset.waits+x.dataset.yours+x.textContent), opts:[...document.querySelectorAll('[data-option]')].map(x=>[x.dataset.option,x.dataset.item,x.dataset.required,x.dataset.min,x.dataset.targets].join('|'))})));
await p.screenshot({path:`/tmp/probe-${system}.png`, fullPage:true}); await p.context().close(); }
await b.close(); await s.close();
