// Who sits at this browser, where the server is, and how the page is shown.
// What must not be shared between tabs (role, token) is kept for the tab alone.
import { create } from '@bufbuild/protobuf';
import { connect, type Connection } from '$client/connect';
import { PrincipalSchema, type Principal } from '$gen/event/v1/common_pb';

export type Role = 'gm' | 'player' | 'spectator';

export interface Who {
  role: Role;
  name: string;
  table: string;
  token: string;
}

const store = 'skald.who';

/** base is where this page, and the API beside it, is served. */
export const base = new URL('.', document.baseURI).href.replace(/\/$/, '');

function read(): Who | undefined {
  try {
    const kept = sessionStorage.getItem(store);
    return kept === null ? undefined : (JSON.parse(kept) as Who);
  } catch {
    return undefined;
  }
}

/** claims are what a token says of itself; the server alone judges whether it holds. */
export function claims(token: string): { sub?: string; exp?: number; skald?: { role?: string; table?: string; encounters?: string[] } } {
  try {
    const part = (token.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/');
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(part), (c) => c.charCodeAt(0)))) as ReturnType<typeof claims>;
  } catch {
    return {};
  }
}

class Session {
  who = $state<Who | undefined>(read());
  /** seeAs narrows a game master's view to what a player sees. */
  seeAs = $state<{ role: Role; name: string } | undefined>(undefined);
  readonly connection: Connection = connect({ url: base, token: () => this.who?.token || undefined });

  get table(): string {
    return this.who?.table ?? '';
  }

  get isGM(): boolean {
    return this.who?.role === 'gm' && this.seeAs === undefined;
  }

  get canAct(): boolean {
    return this.who !== undefined && this.who.role !== 'spectator' && this.seeAs === undefined;
  }

  /** as is on whose behalf calls are made. */
  get as(): Principal | undefined {
    const who = this.seeAs ?? this.who;
    if (who === undefined) return undefined;
    if (this.who?.token && this.seeAs === undefined && who.role !== 'spectator') return undefined;
    const role = who.role === 'gm' ? 1 : who.role === 'player' ? 2 : 3;
    return create(PrincipalSchema, { role, name: who.role === 'spectator' ? '' : who.name });
  }

  enter(who: Who): void {
    this.who = who;
    this.seeAs = undefined;
    sessionStorage.setItem(store, JSON.stringify(who));
  }

  leave(): void {
    this.who = undefined;
    this.seeAs = undefined;
    sessionStorage.removeItem(store);
  }

  /**
   * invited takes an invitation from the address: `#token=TOKEN` or, at a server
   * without keys, `#as=player:NAME`, with `encounter` and `table`. It returns the
   * encounter, empty for none; whoever asks puts its address in the place of the
   * invitation's at once, so that no token stays there.
   */
  invited(): string | undefined {
    const hash = new URLSearchParams(location.hash.replace(/^#\/?/, ''));
    const [token, as] = [hash.get('token'), hash.get('as')];
    if (token === null && as === null) return undefined;
    const encounter = hash.get('encounter') ?? '';
    if (token !== null) {
      const said = claims(token);
      const role = said.skald?.role === 'gm' || said.skald?.role === 'spectator' ? said.skald.role : 'player';
      this.enter({ role, name: said.sub ?? '', table: said.skald?.table ?? '', token });
      const only = said.skald?.encounters;
      return encounter || (only?.length === 1 ? only[0] : '');
    }
    const [role = '', name = ''] = as!.split(/:(.*)/s);
    this.enter({ role: role === 'gm' || role === 'spectator' ? role : 'player', name: role === 'gm' ? name || 'gm' : name, table: hash.get('table') ?? '', token: '' });
    return encounter;
  }
}

export const session = new Session();

class Look {
  theme = $state<'auto' | 'light' | 'dark'>((localStorage.getItem('skald.theme') as 'light' | 'dark' | null) ?? 'auto');
  books = $state(localStorage.getItem('skald.books') === 'yes');

  setTheme(theme: 'auto' | 'light' | 'dark'): void {
    this.theme = theme;
    if (theme === 'auto') {
      localStorage.removeItem('skald.theme');
      delete document.documentElement.dataset.theme;
    } else {
      localStorage.setItem('skald.theme', theme);
      document.documentElement.dataset.theme = theme;
    }
  }

  setBooks(books: boolean): void {
    this.books = books;
    localStorage.setItem('skald.books', books ? 'yes' : 'no');
  }
}

export const look = new Look();
look.setTheme(look.theme);
