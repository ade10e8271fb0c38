import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customerCreate, customerGetAll, customerUpdate } from '../../contract/customers.ts';
import type { Route } from '../../contract/route.ts';
import { customerUsers, customerUsersAny } from '../../contract/users.ts';
import { searchKey } from '../../server/domain/search-key.ts';
import { type EmployeesUnderTest, employeesUnderTest } from './employees-under-test.ts';

let test: EmployeesUnderTest;
let customerId = '';
beforeAll(async () => {
  test = await employeesUnderTest();
  customerId = await test.addClinic('Vikning');
});
afterAll(() => test?.close());

describe('the search key of the database', () => {
  const databaseKeys = async (texts: readonly string[]): Promise<string[]> => {
    const { rows } = await sql<{ words: string[] }>`
      select array_agg(folded_words(text) order by n) as words from unnest(${[...texts]}::text[]) with ordinality as each (text, n)`.execute(
      test.db,
    );
    return rows[0]?.words ?? [];
  };
  /** Returns whether this PostgreSQL decomposes a character as this Node does: their Unicode versions differ. */
  const takenApartAlike = async (texts: readonly string[]): Promise<string[]> => {
    const { rows } = await sql<{ apart: string[] }>`
      select array_agg(normalize(text, NFKD) order by n) as apart from unnest(${[...texts]}::text[]) with ordinality as each (text, n)`.execute(
      test.db,
    );
    return texts.filter((text, at) => rows[0]?.apart[at] === text.normalize('NFKD'));
  };

  it('equals that of the program for every character', async () => {
    const characters = Array.from({ length: 0x10ffff }, (_, at) => at + 1)
      .filter((point) => point < 0xd800 || point > 0xdfff)
      .map((point) => String.fromCodePoint(point))
      .filter((character) => !/\p{Co}|\p{Cn}/u.test(character))
      // A sample of the many thousands of uniform Han and Hangul characters.
      .filter(
        (character, at) => at % 16 === 0 || !/\p{Script=Han}|\p{Script=Hangul}|\p{Script=Tangut}/u.test(character),
      );
    expect(characters.length).toBeGreaterThan(40_000);
    const alike = await takenApartAlike(characters);
    expect(characters.length - alike.length).toBeLessThan(200);
    const texts = alike.map((character) => `Ab${character}C ${character}d${character}`);
    const words = await databaseKeys(texts);
    const differing = texts.filter((text, at) => words[at] !== ` ${searchKey(text)}`);
    expect(differing.map((text) => text.codePointAt(2)?.toString(16))).toEqual([]);
  });

  it('equals that of the program for names as entered', async () => {
    const names = [
      'Šárka Łukasz',
      "Åsa Björk-O'Brien",
      'A\u030asa',
      'Jón Þór',
      'Æsa Ðuro',
      'ΓΙΆΝΝΗΣ Γιάννης',
      'ЖАННА',
      '',
    ];
    expect(await databaseKeys(names)).toEqual(names.map((name) => ` ${searchKey(name)}`));
  });
});

/** A name as entered, and the text a user searches for. */
const sought: readonly (readonly [firstName: string, lastName: string, typed: readonly string[]])[] = [
  ['Šárka', 'Łukasz', ['sarka luk', 'LUKASZ', 'Šárka Łuk', 's\u030ca\u0301r lukasz', 'luk-sar']],
  ['Søren', 'Ægidius', ['soren', 'SØREN', 'sören', 'aegid']],
  ['Åsa', 'Žižka', ['asa', 'åsa', 'Ása', 'zizk', 'ŽIŽKA']],
  ['Ása', 'Þórðar', ['asa', 'åsa', 'Ása', 'thordar', 'þórð']],
  ['Brigitte', "O'Groß", ['ogross', "o'groß", 'O’GROSS']],
  ['Жанна', 'Σωτήρης', ['жанна', 'ЖАН', 'σωτηρης', 'ΣΩΤΉΡΗΣ']],
];

const usersFound = async (q: string): Promise<string[]> =>
  (await test.callRoute(customerUsers, 'super', { params: { customerId }, query: { q, ppage: '100' } })).body.data.map(
    ({ id }: { id: string }) => id,
  );

describe('users', () => {
  it.each(sought)('%s %s is found however it is typed, from the first day and after a change', async (...one) => {
    const [firstName, lastName, typed] = one;
    const email = (name: string) => `${name}.${randomUUID().slice(0, 8)}@folding.example`;
    const made = await test.created({ firstName, lastName, customerId, email: email('x') });
    const renamed = await test.created({ firstName: 'Bo', lastName: 'Ek', customerId, email: email('y') });
    for (const q of typed) {
      expect(await usersFound(q), q).toContain(made.id);
      expect(await usersFound(q), q).not.toContain(renamed.id);
    }
    expect((await test.update('super', renamed, { firstName, lastName })).status).toBe(200);
    for (const q of typed) expect(await usersFound(q), q).toEqual(expect.arrayContaining([made.id, renamed.id]));
  });

  it('are found by their whole e-mail address and by each of its words', async () => {
    const { id } = await test.created({ customerId, email: 'anna.reception@tandvard.exempel.example' });
    for (const q of ['anna.reception@tandvard', 'reception', 'anna.rec', 'tandvård', 'exempel'])
      expect(await usersFound(q), q).toEqual([id]);
  });

  it('are found by personal number by administrators only, not by colleagues', async () => {
    const { id } = await test.created({ firstName: 'Ödön', customerId: test.clinics.customerId });
    const of = async (q: string, as: string, route: Route = customerUsers) =>
      (await test.callRoute(route, as, { params: { customerId: test.clinics.customerId }, query: { q, ppage: '100' } }))
        .body.data as { id: string }[];
    expect((await of('odon 980', 'super')).length).toBe(0);
    for (const q of ['odon 198', 'odon 9804', 'odon 19800101-9804'])
      expect(
        (await of(q, 'super')).map((user) => user.id),
        q,
      ).toEqual([id]);
    expect(await of('odon', 'doctor', customerUsersAny)).toHaveLength(1);
    for (const q of ['odon 198', 'odon 19800101-9804', '198001019804'])
      expect(await of(q, 'doctor', customerUsersAny), q).toEqual([]);
  });
});

describe('clinics', () => {
  const clinicsFound = async (q: string): Promise<string[]> =>
    (await test.callRoute(customerGetAll, 'super', { query: { q, ppage: '100' } })).body.data.map(
      ({ id }: { id: string }) => id,
    );

  it.each(sought)('%s %s is found however it is typed, from the first day and after a change', async (...one) => {
    const [first, last, typed] = one;
    const form = { address: 'Storgatan 1', telephone: '031-390 06 12' };
    const create = async (organisationName: string, city: string) =>
      (await test.callRoute(customerCreate, 'super', { body: { ...form, organisationName, city } })).body;
    const made = await create(`${first} tandvård`, last);
    const { id, version, ...renamed } = await create('Kliniken', 'Orten');
    for (const q of typed) {
      expect(await clinicsFound(q), q).toContain(made.id);
      expect(await clinicsFound(q), q).not.toContain(id);
    }
    const body = { ...form, id, version, country: renamed.country, organisationName: `${first}s`, city: last };
    expect((await test.callRoute(customerUpdate, 'super', { body })).status).toBe(200);
    for (const q of typed) expect(await clinicsFound(q), q).toEqual(expect.arrayContaining([made.id, id]));
  });
});
