// Events in words, from their typed fields alone: the same lines as the command
// line's. Numbers that people may ask about are marked, so that a line can show
// them apart.
import type { Event, Roll, Damage, Relation, Begun, Modifier, Decision, Injury } from '$gen/event/v1/event_pb';
import type { Contest as ContestMessage, ContestClaim } from '$gen/event/v1/contest_pb';
import type { Principal, Position } from '$gen/event/v1/common_pb';
import type { Change, Corrected, Step } from '$gen/encounter/v1/encounter_pb';
import type { Task, StandingOrder } from '$gen/event/v1/event_pb';
import type { Factor } from '$gen/event/v1/harm_pb';
import { people } from './people.svelte';
import { safe } from './safe';
import { many, maybe, t } from './t';

export { safe };

/** Names are what creatures, injuries and tasks are called, by id. */
export type Names = Record<string, string>;

/** Line is an event for people. */
export interface Line {
  /** Words; a number that may be asked about stands between the two marks. */
  text: string;
  /** What came before the number: dice and what was added. */
  small?: string;
  /** Which sort of line it is, for how it looks. */
  kind: 'head' | 'turn' | 'action' | 'roll' | 'good' | 'bad' | 'ask' | 'plain' | 'note';
  /** It only keeps books. */
  books: boolean;
}

const open = '\u0001';
const close = '\u0002';

/** asked marks a number. */
function asked(n: number | string): string {
  return open + n + close;
}

/** pieces are a line's words and its marked numbers in order. */
export function pieces(text: string): { text: string; number: boolean }[] {
  return text
    .split(/(\u0001[^\u0002]*\u0002)/)
    .filter((piece) => piece !== '')
    .map((piece) => (piece.startsWith(open) ? { text: piece.slice(1, -1), number: true } : { text: piece, number: false }));
}

/** plain is a line without marks. */
export function plain(text: string): string {
  return text.replace(/[\u0001\u0002]/g, '');
}

/** spaced is an id of several words as people write it. */
export function spaced(id: string): string {
  return safe(id).replace(/[-_]/g, ' ');
}

export function join(...words: (string | undefined)[]): string {
  return words.filter((w) => w !== undefined && w !== '').join(' ');
}

function because(cause: string): string {
  return cause === '' ? '' : `(${cause})`;
}

function within(key: 'with' | 'from' | 'against' | 'on' | 'by', what: string): string {
  return what === '' ? '' : t(`word.${key}`, { what });
}

const lifeNames = ['alive', 'alive', 'disabled', 'dying', 'stable', 'unconscious', 'dead'] as const;

/** life is a life status in words. */
export function life(status: number): string {
  return t(`life.${lifeNames[status] ?? 'alive'}`);
}

export function place(p: Position | undefined): string {
  if (p === undefined) return '';
  return p.z === 0 ? `(${p.x}, ${p.y})` : `(${p.x}, ${p.y}, ${p.z})`;
}

export function numbers(values: { [name: string]: number | bigint }): string {
  return Object.keys(values)
    .sort()
    .map((k) => `${spaced(k)} ${values[k]}`)
    .join(', ');
}

/** optionTitle is an option in words, with its item where the title has it not. */
export function optionTitle(o: { title: string; action: string; item: string }): string {
  const title = safe(o.title || spaced(o.action));
  const item = safe(o.item);
  return item === '' || title.toLowerCase().includes(spaced(item).toLowerCase()) || title.toLowerCase().includes(item.toLowerCase()) ? title : `${title}: ${item}`;
}

export function injuryName(injury: Injury | undefined): string {
  if (injury === undefined) return '';
  let kind = spaced(injury.kind);
  const part = spaced(injury.part);
  let text = safe(injury.description);
  if (kind.toLowerCase() === part.toLowerCase() || text.toLowerCase().includes(kind.toLowerCase())) kind = '';
  if (part.toLowerCase() === text.toLowerCase()) text = '';
  return [kind, join(injury.side, part), text].filter((s) => s !== '').join(', ');
}

export function taskName(task: Task): string {
  return task.text !== '' ? safe(task.text) : spaced(task.kind);
}

/** who is a principal in words. */
export function who(p: Principal | undefined): string {
  if (p === undefined) return '';
  if (p.role === 1) return p.name === '' || p.name === 'gm' ? t('role.gm') : t('role.gmNamed', { name: people.called(p.name) });
  return p.role === 3 ? t('role.spectator') : people.called(p.name);
}

/** Words words events with the names it knows. */
export class Words {
  constructor(public names: Names = {}) {}

  /** learn takes up the names that events give. */
  learn(events: Event[]): void {
    for (const e of events) {
      if (e.what.case === 'creatureAdded') this.names[e.what.value.creature] = e.what.value.name;
      if (e.what.case === 'injuryAdded') this.names[`injury ${e.what.value.creature} ${e.what.value.injury?.id}`] = injuryName(e.what.value.injury);
      if (e.what.case === 'task' && e.what.value.task) this.names[`task ${e.what.value.task.id}`] = taskName(e.what.value.task);
    }
  }

  name(id: string): string {
    const known = this.names[id];
    return safe(known === undefined || known === '' ? id : known);
  }

  list(ids: readonly string[]): string {
    return ids.map((id) => this.name(id)).join(', ');
  }

  subject(s: string): string {
    if (s === '') return t('word.encounter');
    return s.startsWith('side:') ? t('word.side', { name: safe(s.slice(5)) }) : this.name(s);
  }

  /** line is an event in words; undefined where there is nothing to say. */
  line(e: Event): Line | undefined {
    const found = this.telling(e) ?? this.small(e);
    if (found === undefined || found.text === '') return undefined;
    return { ...found, books: found.books || e.bookkeeping };
  }

  private telling(e: Event): Line | undefined {
    const say = (kind: Line['kind'], text: string, small = '', books = false): Line => ({ kind, text, small, books });
    const w = e.what;
    switch (w.case) {
      case 'encounterCreated':
        return say('note', t('log.created', { title: safe(w.value.title || w.value.encounter), system: w.value.system, version: w.value.systemVersion }));
      case 'encounterStarted':
        return say('head', t('log.started'));
      case 'encounterEnded':
        return say('head', join(t('log.ended'), because(safe(w.value.reason))));
      case 'creatureAdded':
        return say('note', join(t('log.added', { name: this.name(w.value.creature), side: safe(w.value.side) }), w.value.controllers.length ? t('log.playedBy', { who: safe(w.value.controllers.join(', ')) }) : ''));
      case 'creatureRemoved':
        return say('note', join(t('log.leaves', { name: this.name(w.value.creature) }), because(safe(w.value.reason))));
      case 'roundStarted':
        return say('head', w.value.round === 0 ? t('log.surpriseRound') : t('log.round', { n: w.value.round }));
      case 'roundEnded':
        return say('plain', t('log.roundEnds', { n: w.value.round }), '', true);
      case 'phaseStarted':
        return say('note', t('log.phase', { phase: spaced(w.value.phase || t('word.none')) }), '', w.value.phase === '');
      case 'turnStarted':
        return say('turn', t('log.turn', { who: this.list(w.value.creatures) }));
      case 'turnEnded':
        return say('plain', t('log.turnEnds', { who: this.list(w.value.creatures) }), '', true);
      case 'action': {
        const a = w.value;
        return say('action', [join(`${this.name(a.creature)}:`, spaced(a.action), safe(a.item), a.targets.length ? `→ ${this.list(a.targets)}` : ''), ...a.notes.map(safe)].join(', '));
      }
      case 'roll':
        return { kind: 'roll', books: false, ...this.roll(w.value) };
      case 'attack': {
        const a = w.value;
        const verb = maybe(`attack.${a.outcome || 'none'}`, t('attack.other', { outcome: safe(a.outcome) }));
        const facts = a.facts.map((f) => `${spaced(f.name)}${f.value === 'true' ? '' : ` ${safe(f.value)}`} (${t(f.stated ? 'word.stated' : 'word.measured')})`).join(', ');
        return say(a.outcome === 'miss' || a.outcome === 'fumble' ? 'plain' : 'bad', join(this.name(a.attacker), verb, this.name(a.target), within('with', safe(a.weapon)), because(safe(a.note))), facts);
      }
      case 'damage':
        return { kind: 'bad', books: false, ...this.damage(w.value) };
      case 'healing':
        return say('good', t('log.heals', { name: this.name(w.value.target), n: asked(w.value.amount), of: w.value.offered, cause: within('from', safe(w.value.cause)) }).trim());
      case 'life':
        return say(w.value.status > 1 ? 'bad' : 'good', join(t('log.is', { name: this.name(w.value.creature), what: life(w.value.status) }), because(safe(w.value.cause))));
      case 'note': {
        const name = w.value.creature === '' ? '' : this.name(w.value.creature);
        return say('note', name === '' || w.value.text.startsWith(name) ? safe(w.value.text) : `${name}: ${safe(w.value.text)}`);
      }
      case 'hitPoints': {
        const h = w.value;
        return say('plain', t('log.hp', { name: this.name(h.creature), hp: asked(h.hp), max: h.max, temp: h.temp > 0 ? t('log.hpTemp', { n: h.temp }) : '' }));
      }
      case 'conditionAdded': {
        const c = w.value.condition;
        const why = [safe(c?.cause ?? ''), c?.source && c.source !== w.value.creature ? this.name(c.source) : ''].filter((s) => s !== '');
        return say('bad', join(t('log.is', { name: this.name(w.value.creature), what: spaced(c?.name ?? '') }), spaced(c?.variant ?? '').replaceAll('/', ' '), because(why.join(', '))));
      }
      case 'conditionRemoved':
        return say('good', join(t('log.noLonger', { name: this.name(w.value.creature), what: spaced(w.value.name) }), because(safe(w.value.cause))));
      case 'injuryAdded':
        return say('bad', join(t('log.suffers', { name: this.name(w.value.creature), what: injuryName(w.value.injury) }), because(safe(w.value.injury?.cause ?? ''))));
      case 'injuryRemoved':
        return say('good', join(t('log.ridOf', { name: this.name(w.value.creature), what: this.names[`injury ${w.value.creature} ${w.value.id}`] ?? w.value.id }), because(safe(w.value.cause))));
      case 'initiativeSet':
        return say('plain', t('log.initiative', { name: this.name(w.value.creature), n: asked(w.value.total), round: w.value.round }), '', e.audience?.kind !== 1);
      case 'moved': {
        const m = w.value;
        if (m.to === undefined) return say('plain', t('log.offMap', { name: this.name(m.creature) }));
        if (m.mode === 'placed') return say('plain', t('log.standsAt', { name: this.name(m.creature), place: place(m.to) }));
        return say('plain', join(t('log.moves', { name: this.name(m.creature), place: place(m.to) }), because(join(spaced(m.mode), m.feet ? t('word.feet', { n: m.feet }) : ''))));
      }
      case 'decisionRequested':
        return w.value.decision ? say('ask', this.decision(w.value.decision)) : undefined;
      case 'decisionAnswered': {
        const a = w.value;
        const said = a.answer?.faces.length ? a.answer.faces.join(' ') : a.answer?.option ? spaced(this.names[a.answer.option] ?? a.answer.option) : String(a.answer?.number ?? '');
        return say('note', join(`${join(spaced(a.name), a.creature ? this.name(a.creature) : '')}: ${said}`, because(a.by === 'answer' ? '' : maybe(`by.${a.by}`, spaced(a.by)))));
      }
      case 'learned':
        return say('plain', t('log.learns', { name: this.name(w.value.creature), about: this.name(w.value.about), what: numbers(w.value.facts) }));
      case 'item': {
        const lost = w.value.place === 'dropped' || w.value.place === 'gone';
        return say('plain', join(t('log.item', { name: this.name(w.value.creature), item: safe(w.value.item), place: spaced(w.value.place || t('word.changed')) }), because(safe(w.value.cause))), '', !lost);
      }
      case 'diceRevealed':
        return say('note', t('log.revealed', { branch: w.value.branch, epoch: w.value.epoch & 0x7fffffff }));
      case 'entropyGiven':
        return say('note', t('log.entropy', { who: safe(w.value.contributor) }));
      case 'beaconNamed':
        return say('note', t(w.value.waived ? 'log.beaconWaived' : 'log.beaconNamed', { name: safe(w.value.beacon?.name ?? '') }));
      case 'rollsOpened':
        return say('note', t('log.rollsOpened', { rolls: w.value.rolls.map((r) => `${r.expression}: ${r.faces.join(' ')}`).join('; ') }));
      case 'imported':
        return say('note', t('log.imported', { who: who(w.value.by) }));
      case 'forked':
        return say('note', t('log.forked', { origin: w.value.origin }));
      case 'contest':
        return w.value.contest ? say('ask', this.contest(w.value.contest)) : undefined;
      case 'savePoint':
        return say('note', t(w.value.savePoint?.version ? 'log.saved' : 'log.forgotten', { name: safe(w.value.savePoint?.name ?? ''), n: String(w.value.savePoint?.version ?? '') }));
      case 'reverted':
        return say('head', join(t(w.value.redo ? 'log.redone' : 'log.reverted'), w.value.version > 0n ? t('log.toStep', { n: String(w.value.version) }) : '', because(safe(w.value.reason))));
      case 'amended':
        return say('head', [w.value.version ? join(t('log.amended', { n: String(w.value.version) }), because(safe(w.value.reason))) : t('log.othersAgain'), ...w.value.notes.map(safe)].join('; '));
      case 'relation':
        return w.value.relation ? say('plain', t('log.relation', { name: this.name(w.value.creature), what: this.relation(w.value.relation) })) : undefined;
      case 'relationEnded':
        return say('plain', join(t('log.relationEnded', { name: this.name(w.value.creature), kind: spaced(w.value.kind), to: w.value.to ? this.name(w.value.to) : '' }).trim(), because(safe(w.value.cause))));
      case 'begun':
        return w.value.begun ? say('plain', t('log.begun', { name: this.name(w.value.creature), what: this.begun(w.value.begun) })) : undefined;
      case 'begunEnded':
        return say('plain', join(t('log.begunEnded', { name: this.name(w.value.creature), what: spaced(w.value.id) }), because(spaced(w.value.outcome))));
      case 'staged':
        if (!w.value.staged) return say('note', t('log.revealedCreature', { name: this.name(w.value.creature) }));
        return say('note', w.value.knownTo.length ? t('log.stagedKnown', { name: this.name(w.value.creature), to: this.list(w.value.knownTo) }) : t('log.staged', { name: this.name(w.value.creature) }));
      default:
        return undefined;
    }
  }

  private small(e: Event): Line | undefined {
    const say = (text: string): Line => ({ kind: 'plain', text, books: true });
    const w = e.what;
    switch (w.case) {
      case 'settingChanged':
        return say(t('log.setting', { id: w.value.setting, value: safe(w.value.value) }));
      case 'preset':
        return say(t('log.preset', { name: safe(w.value.preset) }));
      case 'sheetSet':
        return say(t('log.sheet', { name: this.name(w.value.creature) }));
      case 'controllers':
        return say(t('log.controllers', { name: this.name(w.value.creature), who: safe(w.value.controllers.join(', ')) || t('role.gm') }));
      case 'initiativeCleared':
        return say(t('log.initiativeCleared', { name: this.name(w.value.creature), round: w.value.round }));
      case 'counter':
        return say(join(`${this.subject(w.value.subject)} ${spaced(w.value.counter)}: ${w.value.was} → ${w.value.value}`, because(safe(w.value.cause))));
      case 'mark':
        return say(`${this.subject(w.value.subject)} ${spaced(w.value.mark)}: ${spaced(w.value.value) || t('word.none')}`);
      case 'standingOrder':
        return say(t('log.order', { who: this.name(w.value.creature), decision: spaced(w.value.decision), order: spaced(w.value.order) }));
      case 'order':
        return w.value.order ? say(this.order(w.value.order)) : undefined;
      case 'task':
        return w.value.task ? say(join(this.name(w.value.task.creature), taskName(w.value.task), spaced(w.value.task.status))) : undefined;
      case 'taskEnded':
        return say(join(t('log.taskEnded', { name: this.names[`task ${w.value.id}`] ?? w.value.id }), because(spaced(w.value.outcome))));
      case 'diceEpoch':
        return say(t('log.epoch', { n: w.value.epoch & 0x7fffffff }));
      case 'entropyClosed':
        return say(t('log.entropyClosed', { n: w.value.epoch }));
      case 'packsPinned':
        return say(t('log.packs', { n: w.value.packs.length }));
      default:
        return undefined;
    }
  }

  /** label is what a roll is for: its label without running numbers and without who rolls. */
  label(label: string, creature: string): string {
    return label
      .split('/')
      .map((part) => part.split('~')[0] ?? '')
      .filter((part) => !/^\d+$/.test(part) && part !== creature && part !== '')
      .map((part) => this.names[part] ?? spaced(part))
      .join(' ');
  }

  /** roll is a roll in a line, what made up its number apart. */
  roll(r: Roll): { text: string; small: string } {
    const dice = r.dice
      .map((d) => {
        const face = d.value !== d.face && d.kept ? t('roll.as', { face: d.face, value: d.value }) : String(d.face);
        return d.kept ? face : `(${face})`;
      })
      .join(' ');
    const edges = r.edges.map((x) => join(t(x.advantage ? 'roll.advantage' : 'roll.disadvantage'), within('from', spaced(x.source || x.kind))));
    const how = r.ruled ? t('roll.ruled') : r.fixed ? t('roll.fixed') : r.supplied ? t('roll.byHand') : '';
    const mode = r.mode === 1 ? t('roll.open') : r.mode === 2 ? t('roll.private') : r.mode === 3 ? t('roll.blind') : '';
    let text = `${join(r.creature ? this.name(r.creature) : '', this.label(r.label, r.creature))}: ${asked(r.total)}`;
    if (r.target) text += ` ${t('roll.vs', { kind: r.target.kind, value: r.target.value })}`;
    if (r.outcome !== '') text += ` – ${maybe(`outcome.${r.outcome}`, spaced(r.outcome))}`;
    if (r.degree !== 0) text += ` (${t('roll.degree', { n: r.degree })})`;
    const target = r.target && r.target.modifiers.length > 1 ? t('roll.targetParts', { kind: r.target.kind, parts: parts(r.target.modifiers) }) : '';
    const small = [join(`${r.expression} [${dice}]`, ...r.modifiers.map((m) => `${signed(m.value)} ${safe(m.source)}`)), target, ...edges, how, mode].filter((s) => s !== '').join('; ');
    return { text, small };
  }

  damage(d: Damage): { text: string; small: string } {
    const shown = d.parts.map((p) => {
      let text = join(String(p.taken), spaced(p.type));
      if (p.taken !== p.rolled) text += ` (${t('log.of', { n: p.rolled, note: p.note ? `: ${safe(p.note)}` : '' })})`;
      else if (p.note !== '') text += ` (${safe(p.note)})`;
      return text + p.factors.map((f) => ` [${factor(f)}]`).join('');
    });
    const n = asked(d.amount);
    const text = d.nature === 'loss' ? t('log.loses', { name: this.name(d.target), n }) : t('log.takes', { name: this.name(d.target), n, nature: d.nature === '' ? '' : `${spaced(d.nature)} ` });
    return { text: join(text, because(safe(d.cause))), small: [shown.join(' + '), d.soaked > 0 ? t('log.soaked', { n: d.soaked }) : ''].filter((s) => s !== '').join(', ') };
  }

  relation(r: Relation): string {
    return join(spaced(r.kind), spaced(r.variant), this.name(r.to), because(numbers(r.values)));
  }

  begun(b: Begun): string {
    let what = b.action ? join(spaced(b.action.action), within('with', safe(b.action.item)), within('against', this.list(b.action.targets))) : '';
    if (b.needed > 0) what = join(what, `(${t('log.progress', { done: b.done, needed: b.needed, counter: spaced(b.counter) })})`);
    const trigger = b.trigger || b.foe ? t('log.setOffBy', { trigger: spaced(b.trigger), foe: b.foe ? this.name(b.foe) : '' }).trim() : '';
    const rest = join(what, trigger, because(safe(b.words)), numbers(b.values));
    return rest === '' ? spaced(b.kind) : `${spaced(b.kind)}: ${rest}`;
  }

  order(o: StandingOrder): string {
    const of = o.monsters ? t('order.monsters') : o.side ? t('word.side', { name: safe(o.side) }) : this.name(o.creature);
    if (o.order === '') return t('log.orderEnds', { who: of, decision: spaced(o.decision) });
    return join(t('log.order', { who: of, decision: spaced(o.decision), order: spaced(o.order) }), o.when ? t('log.orderWhen', { when: safe(o.when) }) : '');
  }

  decision(d: Decision): string {
    const of = d.creature !== '' && !d.gmOnly ? this.name(d.creature) : t('role.gm');
    return `${of}: ${safe(d.question || d.cause || spaced(d.name))}`;
  }

  contest(c: ContestMessage): string {
    const what = c.kind === 2 ? (c.commands > 1 ? t('contest.takeBackMany', { n: c.commands }) : t('contest.takeBack')) : t(c.kind === 3 ? 'contest.ofRuling' : 'contest.ofStep');
    let line = join(who(c.by), what) + (c.words ? `: “${safe(c.words)}”` : '');
    const claimed = this.claim(c.claim);
    if (claimed !== '') line += `; ${t('contest.claimed', { what: claimed })}`;
    const status = ['', '', t('contest.upheld'), t('contest.declined'), t('contest.withdrawn')][c.status] ?? '';
    if (status !== '') line += `; ${join(status, because(safe(c.reason)))}`;
    return line;
  }

  claim(c: ContestClaim | undefined): string {
    if (c === undefined) return '';
    const out: string[] = [];
    if (c.drop) out.push(t('contest.drop'));
    if (c.clearCircumstances) out.push(t('contest.clear'));
    const a = c.change;
    if (a) {
      out.push(...[a.creature ? this.name(a.creature) : '', spaced(a.action), safe(a.item), a.targets.length ? within('against', this.list(a.targets)) : ''].filter((s) => s !== ''));
      for (const all of [a.parameters, a.facts]) for (const [k, v] of Object.entries(all ?? {})) out.push(`${spaced(k)} ${this.value(v)}`);
      out.push(...a.circumstances.map((x) => join(spaced(x.direction), because(safe(x.cause)))));
    }
    out.push(...c.rolls.map((r) => t('contest.rollShows', { label: r.label, faces: r.faces.join(' ') })));
    return out.join(', ');
  }

  /** change is a difference of a state in words. */
  change(c: Change): string {
    const parts = c.path.split('.');
    let whose = '';
    let what = parts;
    if (parts[0] === 'creatures' && parts.length > 1) [whose, what] = [`${this.name(parts[1]!)}:`, parts.slice(2)];
    else if (parts[0] === 'sides' && parts.length > 1) [whose, what] = [`${t('word.side', { name: safe(parts[1]!) })}:`, parts.slice(2)];
    else if (parts[0] === 'tasks' && parts.length > 1) [whose, what] = [`${this.names[`task ${parts[1]}`] ?? parts[1]}:`, parts.slice(2)];
    return `${join(whose, this.field(what) || t('change.itself'))} ${this.json(parts, c.before)} → ${this.json(parts, c.after)}`;
  }

  private field(path: string[]): string {
    if (path.length === 0) return '';
    const known: Record<string, string> = { hp: t('change.hp'), hp_max: t('change.hpMax'), hp_temp: t('change.hpTemp'), active: t('change.active') };
    if (known[path[0]!] !== undefined) return known[path[0]!]!;
    if (path[0] === 'settings') return t('change.setting', { id: path.slice(1).join('.') });
    const named = ['counters', 'marks', 'items', 'learned'].includes(path[0]!) && path.length > 1;
    return spaced((named ? path.slice(1) : path).join(' '));
  }

  private json(path: string[], text: string): string {
    if (text === '') return t('word.nothing');
    try {
      const v: unknown = JSON.parse(text);
      if (path.at(-1) === 'position' && v !== null && typeof v === 'object') {
        const p = v as { x?: number; y?: number; z?: number };
        return `(${p.x ?? 0}, ${p.y ?? 0}${p.z ? `, ${p.z}` : ''})`;
      }
      return this.value(v) || t('word.nothing');
    } catch {
      return safe(text);
    }
  }

  /** value is JSON without its signs. */
  value(v: unknown): string {
    if (typeof v === 'string') return v.startsWith('LIFE_STATUS_') ? spaced(v.slice(12).toLowerCase()) : this.name(v);
    if (Array.isArray(v)) return v.map((x) => this.value(x)).join(', ');
    if (v !== null && typeof v === 'object') {
      const o = v as Record<string, unknown>;
      for (const key of ['name', 'text', 'kind']) if (typeof o[key] === 'string' && o[key] !== '') return join(spaced(o[key] as string), typeof o.variant === 'string' ? spaced(o.variant) : '');
      return Object.keys(o)
        .sort()
        .map((k) => join(spaced(k), this.value(o[k])))
        .join(', ');
    }
    return String(v);
  }

  /** about is what a step is about: the action that was taken, or its first line. */
  about(events: Event[]): string {
    for (const e of events) {
      if (e.what.case !== 'action') continue;
      const a = e.what.value;
      return join(t('log.deedOf', { name: this.name(a.creature), deed: spaced(a.action) }), within('with', safe(a.item)), within('on', this.list(a.targets)));
    }
    for (const e of events) {
      const line = this.line(e);
      if (line && !line.books) return plain(line.text);
    }
    return t('log.something');
  }

  /** headline says what became of a step inside an amended history. */
  headline(c: Corrected, now: Event[]): string {
    const text = this.about(now.length ? now : c.before);
    const forced = c.forced ? `; ${t('ruling.forced')}` : '';
    if (c.kind === 1) return `${text}: ${t('ruling.same')}`;
    if (c.kind === 3) return `${text}: ${t('ruling.gone')}${forced}`;
    if (c.kind === 4) return `${text}: ${t('ruling.new')}${forced}`;
    const [was, is] = [results(c.before), results(now)];
    return (was !== is ? `${text}: ${was || t('word.nothing')} → ${is || t('word.nothing')}` : `${text}: ${t('ruling.otherwise')}`) + forced;
  }

  /** spoken are the lines of events that people read. */
  spoken(events: Event[]): string[] {
    return events.flatMap((e) => {
      const line = this.line(e);
      return line && !line.books ? [plain(line.text) + (line.small ? ` · ${line.small}` : '')] : [];
    });
  }

  /** difference are a corrected step's lines of before and now. */
  difference(step: Step): { sign: '-' | '+'; text: string }[] {
    return changed(this.spoken(step.corrected?.before ?? []), this.spoken(step.events));
  }
}

function results(events: Event[]): string {
  const attacks = events.flatMap((e) => (e.what.case === 'attack' ? [spaced(e.what.value.outcome)] : []));
  const rolls = events.flatMap((e) => (e.what.case === 'roll' && e.what.value.outcome ? [spaced(e.what.value.outcome)] : []));
  return (attacks.length ? attacks : rolls).join(', ');
}

function parts(all: Modifier[]): string {
  return all.map((m, i) => join(i === 0 ? String(m.value) : signed(m.value), safe(m.source))).join(' ');
}

export function signed(n: number): string {
  return n < 0 ? `−${-n}` : `+${n}`;
}

function factor(f: Factor): string {
  let text = String(f.before);
  if (f.times > 1 || f.times < 0) text += ` × ${f.times}`;
  if (f.over > 1) text += ` ÷ ${f.over}`;
  if (f.plus !== 0) text += f.plus > 0 ? ` + ${f.plus}` : ` − ${-f.plus}`;
  return `${text} = ${f.after}${f.source ? `: ${safe(f.source)}` : ''}`;
}

/** changed are the lines that stand in one list alone, in order. */
export function changed(a: string[], b: string[]): { sign: '-' | '+'; text: string }[] {
  while (a.length && b.length && a[0] === b[0]) [a, b] = [a.slice(1), b.slice(1)];
  const common = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  if (a.length <= 400 && b.length <= 400) {
    for (let i = a.length - 1; i >= 0; i--) for (let j = b.length - 1; j >= 0; j--) common[i]![j] = a[i] === b[j] ? common[i + 1]![j + 1]! + 1 : Math.max(common[i + 1]![j]!, common[i]![j + 1]!);
  }
  const out: { sign: '-' | '+'; text: string }[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    if (i < a.length && j < b.length && a[i] === b[j]) (i++, j++);
    else if (j === b.length || (i < a.length && common[i + 1]![j]! >= common[i]![j + 1]!)) out.push({ sign: '-', text: a[i++]! });
    else out.push({ sign: '+', text: b[j++]! });
  }
  return out;
}

