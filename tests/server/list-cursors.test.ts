import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countLimit, type ListOrder } from '../../contract/lists.ts';
import { createListCursors } from '../../server/db/list-cursors.ts';
import { type ListPage, listPage } from '../../server/db/list-page.ts';
import { wordsIn } from '../../server/db/list-search.ts';
import { ProblemError } from '../../server/domain/problem-error.ts';
import { type TestDatabase, testDatabase } from './database.ts';

const places = createListCursors('a secret of this installation');
const invalidCursor = new ProblemError('invalid-request', [{ fieldKey: 'after' }]);

describe('a cursor', () => {
  const keys = ['åkerblom göran', 7, true, randomUUID()];

  it('decrypts to its keys, and each encryption differs', () => {
    const place = places.seal('users', keys);
    expect(places.open('users', place)).toEqual(keys);
    expect(places.seal('users', keys)).not.toBe(place);
  });

  it('does not reveal its keys', () => {
    const place = places.seal('users', keys);
    expect(Buffer.from(place, 'base64url').toString('latin1')).not.toContain('kerblom');
  });

  it('fits into the query even with the longest name', () => {
    expect(places.seal('users', ['字'.repeat(201), randomUUID()]).length).toBeLessThan(2_000);
  });

  it('is invalid for another list, with another secret, and with any bit changed', () => {
    const place = places.seal('users', keys);
    expect(() => places.open('customers', place)).toThrow(invalidCursor);
    expect(() => createListCursors('another secret').open('users', place)).toThrow(invalidCursor);
    const bytes = Buffer.from(place, 'base64url');
    for (const [at, byte] of bytes.entries()) {
      const changed = Buffer.from(bytes);
      changed[at] = byte ^ 1;
      expect(() => places.open('users', changed.toString('base64url'))).toThrow(invalidCursor);
    }
  });

  it.each(['', 'x', 'null', Buffer.alloc(28).toString('base64url'), '../../etc/passwd'])('is not %j', (text) => {
    expect(() => places.open('users', text)).toThrow(invalidCursor);
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
    name: [{ nameKey: sql<string>`customer.name_key` }],
    city: [sql`coalesce(list_key(customer.city), '')`, { nameKey: sql<string>`customer.name_key` }],
    length: [sql`length(customer.name)`],
  };
  const pageOf = (
    search: { sort?: keyof typeof keys; order?: ListOrder; page?: number; ppage?: number; after?: string; q?: string },
    list = 'clinics',
  ): Promise<ListPage> => {
    const found = wordsIn(sql`customer.search_text`, search.q).reduce(
      (query, condition) => query.where(condition),
      test.db.selectFrom('customer').where('deleted_at', 'is', null),
    );
    const request = {
      page: 1,
      ppage: 10,
      sort: 'name' as const,
      order: 'asc' as const,
      language: 'sv' as const,
      ...search,
    };
    return listPage(test.db, found, { cursors: places, list, keys, id: sql`customer.id` }, request);
  };

  it.each(
    (['name', 'city', 'length'] as const).flatMap((sort) =>
      (['asc', 'desc'] as const).map((order) => [sort, order] as const),
    ),
  )('by %s %s lists the same rows by cursor as by page number, each once', async (sort, order) => {
    const walked: string[] = [];
    const numbered: string[] = [];
    let after: string | undefined;
    for (let page = 1; page <= 5; page++) {
      const byCursor = await pageOf({ sort, order, ...(after !== undefined && { after }) });
      walked.push(...byCursor.ids);
      numbered.push(...(await pageOf({ sort, order, page })).ids);
      expect(byCursor).toMatchObject({ totalCount: clinics, isTotalExact: true });
      expect(byCursor.next === null).toBe(page === 5);
      after = byCursor.next ?? undefined;
    }
    expect(walked).toEqual(numbered);
    expect(new Set(walked).size).toBe(clinics);
  });

  it('continues at the same row when earlier rows are added or removed', async () => {
    const first = await pageOf({});
    const second = await pageOf({ page: 2 });
    const id = randomUUID();
    await test.db.insertInto('customer').values({ id, name: 'AAA' }).execute();
    expect((await pageOf({ after: first.next ?? '' })).ids).toEqual(second.ids);
    await test.db.deleteFrom('customer').where('id', '=', id).execute();
  });

  it('rejects a cursor of another order, search or list', async () => {
    const after = (await pageOf({})).next ?? '';
    await expect(pageOf({ after, order: 'desc' })).rejects.toThrow(invalidCursor);
    await expect(pageOf({ after, sort: 'city' })).rejects.toThrow(invalidCursor);
    await expect(pageOf({ after, q: 'klinik' })).rejects.toThrow(invalidCursor);
    await expect(pageOf({ after }, 'others')).rejects.toThrow(invalidCursor);
  });

  it('matches words by prefix in any order, case and diacritics', async () => {
    const found = async (q: string) => (await pageOf({ q })).totalCount;
    const all = await found('klin');
    expect(all).toBe(clinics);
    expect(await found('ARE')).toBe(8);
    expect(await found('åre klinik')).toBe(8);
    expect(await found('aero')).toBe(7);
    expect(await found('linik')).toBe(0);
    expect(await found('% _')).toBe(0);
    expect(await found('Клиника')).toBe(0);
  });

  it('counts no further than the limit', async () => {
    await sql`insert into customer (id, name) select gen_random_uuid(), 'Viele ' || n from generate_series(1, ${sql.lit(countLimit + 1)}) as n`.execute(
      test.db,
    );
    expect(await pageOf({ q: 'viele' })).toMatchObject({ totalCount: countLimit, isTotalExact: false });
    expect(await pageOf({ q: 'viele 77' })).toMatchObject({ isTotalExact: true });
  });
});
