import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customerGetAll, customerSorts } from '../../contract/customers.ts';
import { type AdministrationBench, administrationBench } from './administration-bench.ts';
import { addAccount } from './clinic.ts';

let bench: AdministrationBench;
/** Swedish collation: å, ä, ö last, with their variants next to them; case and other marks are ignored. */
const names = ['aarhus', 'Élan', 'elin', 'Östra', 'Ærø', 'Ängen', 'ålen', 'zon', 'Øvre'];

beforeAll(async () => {
  bench = await administrationBench();
  await bench.db
    .updateTable('customer')
    .set({ deleted_at: new Date() })
    .where('id', '=', bench.clinics.otherCustomerId)
    .execute();
  for (const [at, name] of names.entries()) {
    const id = randomUUID();
    await bench.db
      .insertInto('customer')
      .values({
        id,
        name,
        city: at % 2 ? 'Åre' : null,
        organisation_number: `556${at}00-123${at}`,
        customer_number: at % 3 ? `K${at}` : null,
      })
      .execute();
    for (let index = 0; index < at % 4; index++)
      await addAccount(bench.db, { email: `${randomUUID()}@prov.example`, role: 'Doctor', customerId: id });
  }
});
afterAll(() => bench?.close());

const list = async (query: Record<string, string | number> = {}) =>
  (await bench.call(customerGetAll, 'super', { query: { ppage: 100, ...query } })).body;
const namesOf = ({ data }: { data: { name: string }[] }) => data.map(({ name }) => name);

describe('the list of clinics', () => {
  it('is sorted by Swedish collation', async () => {
    const sorted = ['aarhus', 'Élan', 'elin', 'Provkliniken', 'zon', 'ålen', 'Ærø', 'Ängen', 'Östra', 'Øvre'];
    const found = namesOf(await list());
    // Equal names only need a stable order.
    const beside = (name: string) => name.replace('Æ', 'Ä').replace('Ø', 'Ö').slice(0, 1).toLowerCase();
    expect(found.map(beside)).toEqual(sorted.map(beside));
    expect(namesOf(await list({ order: 'desc' }))).toEqual(found.toReversed());
  });

  it.each(customerSorts)('by %s is walked page by page, each clinic once, both ways', async (sort) => {
    for (const order of ['asc', 'desc']) {
      const whole = namesOf(await list({ sort, order }));
      const walked: string[] = [];
      for (let after: string | null = ''; after !== null; ) {
        const page = await list({ sort, order, ppage: 3, ...(after && { after }) });
        walked.push(...namesOf(page));
        expect(page).toMatchObject({ totalCount: names.length + 1, isTotalExact: true });
        after = page.next;
      }
      expect(walked).toEqual(whole);
      expect(new Set(walked).size).toBe(names.length + 1);
    }
  });

  it('counts the users of each, and sorts by the count', async () => {
    const { data } = await list({ sort: 'users', order: 'desc' });
    const users = data.map((clinic: { users: number }) => clinic.users);
    expect(users).toEqual(users.toSorted((one: number, other: number) => other - one));
    expect(data.find((clinic: { name: string }) => clinic.name === 'Provkliniken').users).toBe(2);
  });

  it.each([
    ['OST', ['Östra']],
    ['aere åre', []],
    ['aero are', []],
    ['aero', ['Ærø']],
    ['556100-1231', ['Élan']],
    ['5561001231', ['Élan']],
    ['k4', ['Ærø']],
    ['are z', ['zon']],
    ['%', []],
  ])('finds %s', async (q, expected) => {
    const page = await list({ q });
    expect(namesOf(page)).toEqual(expected);
    expect(page).toMatchObject({ totalCount: expected.length, next: null });
  });

  it('rejects a foreign cursor, and hides the content of a cursor', async () => {
    const { next } = await list({ ppage: 2 });
    expect(next).toMatch(/^[\w-]+$/);
    expect(Buffer.from(next, 'base64url').toString('latin1')).not.toMatch(/lan/);
    const foreign: Record<string, string>[] = [{ after: next, order: 'desc' }, { after: next, q: 'e' }, { after: 'x' }];
    for (const query of foreign)
      expect(await bench.call(customerGetAll, 'super', { query })).toMatchObject({
        status: 400,
        body: { code: 'invalid-request', errors: [{ fieldKey: 'after' }] },
      });
  });

  it('requires the right to list clinics', async () => {
    expect(await bench.call(customerGetAll, 'admin')).toMatchObject({
      status: 403,
      body: { code: 'no-right', claims: ['customer.get'] },
    });
  });

  it('has no page after the last', async () => {
    expect(await list({ page: 1_000_000, ppage: 500 })).toMatchObject({
      data: [],
      totalCount: names.length + 1,
      next: null,
    });
  });
});
