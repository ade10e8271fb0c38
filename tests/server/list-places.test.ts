import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ListOrder, mostCounted } from '../../contract/lists.ts';
import { type ListPage, listPage } from '../../server/db/list-page.ts';
import { listPlaces } from '../../server/db/list-places.ts';
import { wordsIn } from '../../server/db/list-search.ts';
import { Refusal } from '../../server/refusal.ts';
import { type TestDatabase, testDatabase } from './database.ts';

const places = listPlaces('a secret of this installation');
const refusal = new Refusal('invalid-request', [{ fieldKey: 'after' }]);

describe('a sealed place', () => {
  const keys = ['åkerblom göran', 7, true, randomUUID()];

  it('opens as it was, and never looks the same twice', () => {
    const place = places.seal('users', keys);
    expect(places.open('users', place)).toEqual(keys);
    expect(places.seal('users', keys)).not.toBe(place);
  });

  it('shows nothing of what it holds', () => {
    const place = places.seal('users', keys);
    expect(Buffer.from(place, 'base64url').toString('latin1')).not.toContain('kerblom');
  });

  it('fits the query even when a name is as long as it may be', () => {
    expect(places.seal('users', ['字'.repeat(201), randomUUID()]).length).toBeLessThan(2_000);
  });

  it('opens for no other list, under no other secret, and with no bit changed', () => {
    const place = places.seal('users', keys);
    expect(() => places.open('customers', place)).toThrow(refusal);
    expect(() => listPlaces('another secret').open('users', place)).toThrow(refusal);
    const bytes = Buffer.from(place, 'base64url');
    for (const [at, byte] of bytes.entries()) {
      const changed = Buffer.from(bytes);
      changed[at] = byte ^ 1;
      expect(() => places.open('users', changed.toString('base64url'))).toThrow(refusal);
    }
  });

  it.each(['', 'x', 'null', Buffer.alloc(28).toString('base64url'), '../../etc/passwd'])('is not %j', (text) => {
    expect(() => places.open('users', text)).toThrow(refusal);
  });
});

describe('a page of a list', () => {
  let test: TestDatabase;
  const clinics = 47;

  beforeAll(async () => {
    test = await testDatabase();
    const rows = Array.from({ length: clinics }, (_, at) => ({
      id: randomUUID(),
      name: `Klinik ${['Åre', 'Ärla', 'Öster', 'Zinken', 'Aarhus', 'ærø'][at % 6]}`,
      city: at % 3 ? `Stad ${at % 5}` : null,
    }));
    await test.db.insertInto('customer').values(rows).execute();
  });
  afterAll(() => test.close());

  const keys = {
    name: [sql`customer.name_key`],
    city: [sql`coalesce(list_key(customer.city), '')`, sql`customer.name_key`],
    length: [sql`length(customer.name)`],
  };
  const ask = (
    asked: { sort?: keyof typeof keys; order?: ListOrder; page?: number; ppage?: number; after?: string; q?: string },
    list = 'clinics',
  ): Promise<ListPage> => {
    const found = wordsIn(sql`customer.search_text`, asked.q).reduce(
      (query, condition) => query.where(condition),
      test.db.selectFrom('customer').where('deleted_at', 'is', null),
    );
    const request = { page: 1, ppage: 10, sort: 'name' as const, order: 'asc' as const, ...asked };
    return listPage(test.db, found, { places, list, keys, id: sql`customer.id` }, request);
  };

  it.each(
    (['name', 'city', 'length'] as const).flatMap((sort) =>
      (['asc', 'desc'] as const).map((order) => [sort, order] as const),
    ),
  )('by %s %s is the same from place to place as by number, each row once', async (sort, order) => {
    const walked: string[] = [];
    const numbered: string[] = [];
    let after: string | undefined;
    for (let page = 1; page <= 5; page++) {
      const byPlace = await ask({ sort, order, ...(after !== undefined && { after }) });
      walked.push(...byPlace.ids);
      numbered.push(...(await ask({ sort, order, page })).ids);
      expect(byPlace).toMatchObject({ totalCount: clinics, isTotalExact: true });
      expect(byPlace.next === null).toBe(page === 5);
      after = byPlace.next ?? undefined;
    }
    expect(walked).toEqual(numbered);
    expect(new Set(walked).size).toBe(clinics);
  });

  it('goes on where it was when rows come and go before it', async () => {
    const first = await ask({});
    const second = await ask({ page: 2 });
    const id = randomUUID();
    await test.db.insertInto('customer').values({ id, name: 'AAA' }).execute();
    expect((await ask({ after: first.next ?? '' })).ids).toEqual(second.ids);
    await test.db.deleteFrom('customer').where('id', '=', id).execute();
  });

  it('refuses a place of another order, search or list', async () => {
    const after = (await ask({})).next ?? '';
    await expect(ask({ after, order: 'desc' })).rejects.toThrow(refusal);
    await expect(ask({ after, sort: 'city' })).rejects.toThrow(refusal);
    await expect(ask({ after, q: 'klinik' })).rejects.toThrow(refusal);
    await expect(ask({ after }, 'others')).rejects.toThrow(refusal);
  });

  it('finds words by their beginnings, whatever their order, case and marks', async () => {
    const found = async (q: string) => (await ask({ q })).totalCount;
    const all = await found('klin');
    expect(all).toBe(clinics);
    expect(await found('ARE')).toBe(8);
    expect(await found('åre klinik')).toBe(8);
    expect(await found('aero')).toBe(7);
    expect(await found('linik')).toBe(0);
    expect(await found('% _')).toBe(0);
    expect(await found('Клиника')).toBe(0);
  });

  it('counts no further than it says', async () => {
    await sql`insert into customer (id, name) select gen_random_uuid(), 'Viele ' || n from generate_series(1, ${sql.lit(mostCounted + 1)}) as n`.execute(
      test.db,
    );
    expect(await ask({ q: 'viele' })).toMatchObject({ totalCount: mostCounted, isTotalExact: false });
    expect(await ask({ q: 'viele 77' })).toMatchObject({ isTotalExact: true });
  });
});
