// What people at the table are called. The record knows them by ids alone; names stand
// beside it and may change or go at any time, so that they are asked for and never kept.
import { createClient } from '@connectrpc/connect';
import { PersonService } from '$gen/encounter/v1/person_pb';
import { session } from './session.svelte';
import { safe } from './safe';

class People {
  names = $state.raw<Record<string, string>>({});
  private client = createClient(PersonService, session.connection.transport);

  /** called is a name with its id, as the record has it; the id alone where there is no name. */
  called(id: string): string {
    const name = Object.hasOwn(this.names, id) ? this.names[id]! : '';
    return name === '' || name === id ? safe(id) : `${safe(name)} (${safe(id)})`;
  }

  async list(): Promise<void> {
    if (!session.who) return;
    const got = await this.client.listPersons({ as: session.as, table: session.table });
    this.names = Object.fromEntries(got.persons.map((p) => [p.id, p.name]));
  }

  /** name says what somebody is called; nothing forgets it. */
  async name(id: string, name: string): Promise<void> {
    const where = { as: session.as, table: session.table };
    if (name === '') await this.client.forgetPerson({ ...where, id });
    else await this.client.setPerson({ ...where, person: { id, name } });
    await this.list();
  }
}

export const people = new People();
