import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countLimit } from '../../contract/lists.ts';
import {
  customerUsers,
  customerUsersAny,
  type Employee,
  employeeSorts,
  superAdministrators,
  usersAll,
} from '../../contract/users.ts';
import { type EmployeesUnderTest, employeesUnderTest } from './employees-under-test.ts';

let test: EmployeesUnderTest;
let customerId: string;
let emptyId: string;

const lastNames = ['Ek', 'Öst', 'Åkerblom', 'Ärlig', 'Zetterlund', 'ek', 'Ék'];

beforeAll(async () => {
  test = await employeesUnderTest();
  customerId = await test.addClinic('Den stora');
  emptyId = await test.addClinic('Den tomma');
  await test.addRole('Assistent', 2, []);
  const roles = await test.db.selectFrom('role').select('id').where('name', '<>', 'SuperAdmin').execute();
  await test.db
    .insertInto('account')
    .values(
      Array.from({ length: 83 }, (_, index) => ({
        id: randomUUID(),
        email: `${index % 2 ? 'P' : 'p'}${index}@stora.example`,
        customer_id: customerId,
        first_name: index % 5 === 0 ? 'Åsa' : 'Bo',
        last_name: lastNames[index % lastNames.length] ?? '',
        hired_since: index % 4 === 0 ? null : `20${10 + (index % 10)}-01-01`,
        is_active: index % 3 !== 0,
        role_id: roles[index % roles.length]?.id ?? '',
        personal_number: `19800101${1000 + index}`,
        password_hash: '',
        security_stamp: randomUUID(),
      })),
    )
    .execute();
});
afterAll(() => test?.close());

const page = async (query: Readonly<Record<string, string>>, of = customerId) =>
  (await test.callRoute(customerUsers, 'super', { params: { customerId: of }, query })).body;
const ids = (data: readonly Employee[]) => data.map(({ id }) => id);

/** Returns all rows, following the cursor of each page. */
const allRows = async (query: Readonly<Record<string, string>>): Promise<Employee[]> => {
  const found: Employee[] = [];
  let after: string | null = null;
  do {
    const { data, next }: { data: Employee[]; next: string | null } = await page({
      ...query,
      ppage: '10',
      ...(after === null ? {} : { after }),
    });
    found.push(...data);
    after = next;
  } while (after !== null);
  return found;
};

describe.each(employeeSorts)('users by %s', (sort) => {
  it('contain each user once, by cursor and by page number, in both directions', async () => {
    const upwards = await allRows({ sort });
    expect(new Set(ids(upwards)).size).toBe(83);
    expect(ids(await allRows({ sort, order: 'desc' }))).toEqual(ids(upwards).reverse());
    const numbered = await Promise.all(
      Array.from({ length: 9 }, (_, index) => page({ sort, page: String(index + 1), ppage: '10' })),
    );
    expect(numbered.flatMap(({ data }) => ids(data))).toEqual(ids(upwards));
    expect(numbered.at(-1)).toMatchObject({ totalCount: 83, isTotalExact: true, next: null });
    expect(numbered[0].next).not.toBeNull();
  });
});

describe('the order', () => {
  const inOrder = async (sort: string) => allRows({ sort });

  it('by name follows the Swedish alphabet: å, ä and ö last, other marks and case ignored', async () => {
    const names = (await inOrder('name')).map(({ lastName }) => lastName);
    const firsts = names.filter(
      (name, index) =>
        names.findIndex((other) => other.toLowerCase().replace('é', 'e') === name.toLowerCase().replace('é', 'e')) ===
        index,
    );
    expect(firsts.map((name) => name.toLowerCase().replace('é', 'e'))).toEqual([
      'ek',
      'zetterlund',
      'åkerblom',
      'ärlig',
      'öst',
    ]);
  });

  it('by role follows rank, then name; by status active first; by hiring date unknown dates last', async () => {
    const roles = (await inOrder('role')).map(({ role }) => role.name);
    expect([...new Set(roles)]).toEqual(['CustomerAdmin', 'Assistent', 'Doctor']);
    expect(roles).toEqual(
      [...roles].sort(
        (a, b) =>
          ['CustomerAdmin', 'Assistent', 'Doctor'].indexOf(a) - ['CustomerAdmin', 'Assistent', 'Doctor'].indexOf(b),
      ),
    );
    const rankOf = (rank: number) =>
      test.db.updateTable('role').set({ rank }).where('name', '=', 'Assistent').execute();
    const { rank } = await test.db
      .selectFrom('role')
      .select('rank')
      .where('name', '=', 'Assistent')
      .executeTakeFirstOrThrow();
    await rankOf(9);
    expect([...new Set((await inOrder('role')).map(({ role }) => role.name))].at(-1)).toBe('Assistent');
    await rankOf(rank);
    const active = (await inOrder('status')).map(({ isActive }) => isActive);
    expect(active).toEqual([...active].sort((a, b) => Number(b) - Number(a)));
    const days = (await inOrder('hiredSince')).map(({ hiredSince }) => hiredSince ?? '9999');
    expect(days).toEqual([...days].sort());
    const emails = (await inOrder('email')).map(({ email }) => email.toLowerCase());
    expect(emails).toEqual([...emails].sort());
  });
});

describe('a search', () => {
  const find = async (q: string) => (await page({ q, ppage: '100' })).totalCount;

  it('matches the beginning of words in names and e-mail addresses, ignoring case and diacritics', async () => {
    expect(await find('åkerb')).toBe(await find('AKERBLOM'));
    expect(await find('akerb')).toBeGreaterThan(0);
    expect(await find('kerblom')).toBe(0);
    expect(await find('asa p5')).toBe(
      (await allRows({ q: 'p5' })).filter(({ firstName }) => firstName === 'Åsa').length,
    );
    expect(await find('p17@stora.example')).toBe(1);
    expect(await find('P17@STORA')).toBe(1);
  });

  it('matches personal numbers by any of their digits', async () => {
    expect(await find('198001011017')).toBe(1);
    expect(await find('19800101-1017')).toBe(1);
    expect(await find('0101-1017')).toBe(1);
    expect(await find('800101 ek')).toBe(await find('ek'));
  });

  it('treats wildcards as plain characters', async () => {
    for (const q of ['%', '_', '\\', '%%%%', "'", '100%']) expect(await find(q), q).toBe(0);
    expect(await find('   ')).toBe(83);
    expect(
      (await test.callRoute(customerUsers, 'super', { params: { customerId }, query: { q: 'x'.repeat(31) } })).status,
    ).toBe(400);
  });

  it('accepts its own cursors only', async () => {
    const [first, whole] = [await page({ q: 'bo', ppage: '10' }), await page({ ppage: '10' })];
    expect((await page({ q: 'bo', ppage: '10', after: first.next })).data).toHaveLength(10);
    const invalidCursor = { code: 'invalid-request', errors: [{ fieldKey: 'after' }] };
    for (const [query, of] of [
      [{ q: 'ek', after: first.next }, customerId],
      [{ after: first.next }, customerId],
      [{ after: whole.next, order: 'desc' }, customerId],
      [{ after: whole.next, sort: 'email' }, customerId],
      [{ after: whole.next, status: 'active' }, customerId],
      [{ after: whole.next }, emptyId],
      [{ after: `${whole.next.slice(0, -4)}AAAA` }, customerId],
      [{ after: 'x' }, customerId],
    ] as const)
      expect(await page(query, of), JSON.stringify(query)).toMatchObject(invalidCursor);
    expect(
      (await test.callRoute(customerUsersAny, 'super', { params: { customerId }, query: { after: whole.next } })).body,
    ).toMatchObject(invalidCursor);
    expect(Buffer.from((await page({ sort: 'email' })).next, 'base64url').toString()).not.toContain('stora');
  });
});

describe('a filter', () => {
  it('by status shows and counts the active or the inactive users', async () => {
    const [active, inactive] = [await page({ status: 'active' }), await page({ status: 'inactive' })];
    expect(active.totalCount + inactive.totalCount).toBe(83);
    expect(inactive.data.every(({ isActive }: Employee) => !isActive)).toBe(true);
    expect((await allRows({ status: 'inactive', sort: 'hiredSince' })).length).toBe(inactive.totalCount);
  });

  it('without matches gives an empty page, as does a page after the last', async () => {
    const emptyPage = { data: [], totalCount: 0, isTotalExact: true, next: null };
    expect(await page({}, emptyId)).toEqual(emptyPage);
    expect(await page({ page: '100' })).toEqual({ ...emptyPage, totalCount: 83 });
  });
});

it('lists super administrators in pages of 7', async () => {
  for (let index = 0; index < 8; index++) await test.addUser(`sa${index}`, 'SuperAdmin', null);
  const list = async (query: Readonly<Record<string, string>>) =>
    (await test.callRoute(superAdministrators, 'super', { query: { PPage: '7', ...query } })).body;
  const first = await list({});
  expect([first.data.length, first.totalCount]).toEqual([7, 9]);
  const rest = await list({ after: first.next });
  expect(ids(rest.data)).toEqual(ids((await list({ Page: '2' })).data));
  expect([rest.data.length, rest.next]).toEqual([2, null]);
});

it('reports when there are more users than are counted', async () => {
  await sql`insert into account (id, email, first_name, last_name, customer_id, role_id, password_hash, security_stamp)
    select gen_random_uuid(), 'many' || n || '@prov.example', 'Många', 'Många', ${emptyId}::uuid, ${await test.roleId('Doctor')}::uuid, '',
      gen_random_uuid() from generate_series(1, ${countLimit + 1}::int) as many(n)`.execute(test.db);
  expect(await page({ ppage: '1' }, emptyId)).toMatchObject({ totalCount: countLimit, isTotalExact: false });
  const { body } = await test.callRoute(usersAll, 'super', { query: { q: 'många', ppage: '2', page: '5001' } });
  expect(body).toMatchObject({ totalCount: countLimit, isTotalExact: false, next: null });
  expect(body.data).toHaveLength(1);
});
