#!/usr/bin/env node
// From connect to the first attack: node examples/first-attack.mjs [URL] beside a `skald up`.
import { answer, commandOf, connect, execute, follow, formOf, promptOf } from '@skald/client';
import { Principal_Role as Role } from '@skald/client/event';

const table = connect({ url: process.argv[2] ?? 'http://127.0.0.1:7780' }); // with keys: token
const gm = { role: Role.GM, name: 'mo' }, kim = { role: Role.PLAYER, name: 'kim' };
const say = async (as, what) => execute(table, { as, encounter, command: 'what' in what ? what : { what } });

// The server chooses an id for the fight.
let encounter = '';
({ encounter } = await say(gm, { case: 'create', value: { system: 'rcr', title: 'The bridge' } }));

const abilities = { strength: 15, dexterity: 12, constitution: 12, intelligence: 10, wisdom: 10, charisma: 10 };
const axe = { name: 'Axe', bonus: 5, reachFeet: 5, damage: [{ dice: '1d12+3', type: 'slashing' }], hand: 'main' };
const rcr = { level: 2, proficiencyBonus: 2, armorClass: 14, attacks: [axe] };
const sheet = { size: 'medium', speeds: { walk: 30 }, hitPoints: 20, abilities, section: { case: 'rcr', value: rcr } };
await say(gm, { case: 'add', value: { position: { x: 0 }, sheet: { ...sheet, id: 'jeera', name: 'Jeera', side: 'party', controllers: ['kim'] } } });
await say(gm, { case: 'add', value: { position: { x: 5 }, sheet: { ...sheet, id: 'snag', name: 'Snag', side: 'monsters' } } });
let { decisions } = await say(gm, { case: 'start', value: {} });

// What the rules ask: initiative with which ability? The game master may answer for anyone.
while (decisions.length > 0) {
  const prompt = promptOf(decisions[0]);
  console.log(`${prompt.question} (${prompt.options.map((o) => o.id).join(', ')})`);
  ({ decisions } = await say(gm, answer(prompt, prompt.options[0].id)));
}

// Kim follows the fight; Jeera attacks when her turn comes.
const stop = new AbortController();
for await (const { state, event } of follow(table, { encounter, as: kim }, { signal: stop.signal })) {
  const attack = event.kind === 'step' && event.step.events.find((e) => e.what.case === 'attack')?.what.value;
  if (attack) {
    console.log(`Jeera attacks Snag with the ${attack.weapon}: ${attack.outcome}`);
    stop.abort();
  } else if (state.active.includes('snag')) {
    if (event.kind !== 'caughtUp') await say(gm, { case: 'endTurn', value: { creature: 'snag' } });
  } else if (event.kind === 'caughtUp' || event.kind === 'step') {
    const { options } = await table.encounters.getOptions({ encounter, as: kim, creature: 'jeera', actions: ['attack'], legalOnly: true });
    const form = options.map(formOf).find((f) => f.item === 'Axe' && f.targets.choices.includes('snag'));
    if (form) await say(kim, commandOf(form, { targets: ['snag'] }));
  }
}
