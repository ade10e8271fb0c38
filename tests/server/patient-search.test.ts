import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { countLimit } from '../../contract/lists.ts';
import { searchKey } from '../../server/domain/search-key.ts';
import { namesIn, patientSearchUnderTest } from './patient-search-under-test.ts';

const { archive, newClinic, add, search, names, allPages } = patientSearchUnderTest();
let clinic: string;

describe('matching and order', () => {
  beforeAll(async () => {
    clinic = await newClinic('Ordning');
    await add('Lundberg', 'Anna');
    await add('Lund', 'Bo');
    await add('Björk-Lund', 'Åsa');
    await add('Ek', 'Lunda Lunetta');
    await add('Lund Lundin', 'Lundrik');
    await add('von Lundenstein', 'Eva');
    await add('Berg', 'Nils', { personalNumber: '19450607-2391' });
    await add('Dahl', 'Mette', { personalNumber: '0607452391' });
    await add('Ås', 'Ola', { personalNumber: '20020304-2222' });
    await add('Reserv', 'Rut', { personalNumber: '19450607-T123' });
  });

  test.each([
    // Exact names, then longer ones, then first names; each once.
    [
      'lun',
      ['Björk-Lund Åsa', 'Lund Bo', 'Lund Lundin Lundrik', 'Lundberg Anna', 'von Lundenstein Eva', 'Ek Lunda Lunetta'],
    ],
    ['bjo lun', ['Björk-Lund Åsa']],
    ['lundin lund lundrik', ['Lund Lundin Lundrik']],
    ['åsa björk-lund', ['Björk-Lund Åsa']],
    ['lund-björk', ['Björk-Lund Åsa']],
    ['berg', ['Berg Nils']],
    ['ås', ['Ås Ola', 'Björk-Lund Åsa']],
    ['19450607-2391', ['Berg Nils']],
    ['450607-2391', ['Berg Nils']],
    ['450607 2391', ['Berg Nils']],
    ['4506072391', ['Berg Nils']],
    ['2391', ['Berg Nils', 'Dahl Mette']],
    ['060745-2391', ['Dahl Mette']],
    ['nil 45', ['Berg Nils']],
    ['nil 46', []],
    ['t123', ['Reserv Rut']],
    ['450607t123', ['Reserv Rut']],
    ['22', ['Ås Ola']],
    ['undberg', []],
    [
      'lu%',
      ['Björk-Lund Åsa', 'Lund Bo', 'Lund Lundin Lundrik', 'Lundberg Anna', 'von Lundenstein Eva', 'Ek Lunda Lunetta'],
    ],
    ['-- %%', []],
  ])('%s finds %j', async (q, names) => {
    const found = await search({ q, ppage: 50 });
    expect(namesIn(found)).toEqual(names);
    expect(found).toMatchObject({ totalCount: names.length, isTotalExact: true, next: null });
  });

  test('without a text lists all by name, å, ä and ö after z', async () => {
    const all = await names('');
    expect(all).toHaveLength(10);
    expect(all.at(-1)).toBe('Ås Ola');
    expect(all.slice(0, 3)).toEqual(['Berg Nils', 'Björk-Lund Åsa', 'Dahl Mette']);
  });

  test('each patient is on one page, by cursor and by number, with the same count on each page', async () => {
    for (const [q, count] of [
      ['lun', 6],
      ['', 10],
      ['a', 5],
    ] as const) {
      const whole = await names(q);
      for (const byNumber of [false, true]) {
        const pages = await allPages({ q }, 2, byNumber);
        expect(pages.flatMap(namesIn)).toEqual(whole);
        if (q !== 'a') expect(whole).toHaveLength(count);
        expect(new Set(pages.map(({ totalCount }) => totalCount))).toEqual(new Set([whole.length]));
      }
    }
  });

  test('a cursor is invalid for another search, and cannot be forged', async () => {
    const { next } = await search({ q: 'lun', ppage: 1 });
    const page = (body: object) =>
      archive().post('/resource/patient/search', { customerId: clinic, ppage: 1, ...body }, archive().clinics.superId);
    expect((await page({ q: 'lun', after: next })).status).toBe(200);
    expect(next).not.toMatch(/lund/i);
    const others = [
      { q: 'lund', after: next },
      { q: 'lun', from: '2020-01-01', after: next },
      { q: 'lun', after: 'x' },
    ];
    for (const body of [...others, { q: 'lun', after: next, customerId: archive().clinics.customerId }])
      expect(await (await page(body)).json()).toMatchObject({
        code: 'invalid-request',
        errors: [{ fieldKey: 'after' }],
      });
  });

  test('the last study date filters with and without a text', async () => {
    const days: Readonly<Record<string, string>> = { Lundberg: '2020-01-31', Lund: '2020-02-01', Berg: '2020-02-29' };
    for (const [name, day] of Object.entries(days))
      await archive()
        .db.updateTable('patient')
        .set({ last_study_date: day })
        .where('customer_id', '=', clinic)
        .where('last_name', '=', name)
        .execute();
    const within = async (range: object, q = '') => namesIn(await search({ q, ...range }));
    expect(await within({ from: '2020-02-01', to: '2020-02-29' })).toEqual(['Berg Nils', 'Lund Bo']);
    expect(await within({ to: '2020-02-01' })).toEqual(['Lund Bo', 'Lundberg Anna']);
    expect(await within({ from: '2020-02-02' })).toEqual(['Berg Nils']);
    expect(await within({ to: '2020-02-01' }, 'lun')).toEqual(['Lund Bo', 'Lundberg Anna']);
    expect(await within({ from: '2020-02-01' }, 'lun b')).toEqual(['Lund Bo']);
  });
});

describe('access', () => {
  test('is limited to clinics that the caller may use', async () => {
    const { customerId, otherCustomerId, doctorId, otherDoctorId } = archive().clinics;
    await add('Delad', 'Här', { customerId });
    await add('Delad', 'Där', { customerId: otherCustomerId });
    const page = (customer: string, as: string) =>
      archive().post('/resource/patient/search', { customerId: customer, q: 'delad' }, as);
    expect(namesIn(await (await page(customerId, doctorId)).json())).toEqual(['Delad Här']);
    expect(namesIn(await (await page(otherCustomerId, otherDoctorId)).json())).toEqual(['Delad Där']);
    expect((await page(otherCustomerId, doctorId)).status).toBe(404);
  });

  test('logs the patients of a page, and no others', async () => {
    clinic = await newClinic('Logg');
    const [first] = [await add('Anka', 'A'), await add('Anka', 'B')];
    await search({ q: 'anka', ppage: 1 });
    const rows = await archive().db.selectFrom('access_log').selectAll().where('customer_id', '=', clinic).execute();
    expect(rows.map(({ patient_id, action }) => [patient_id, action])).toEqual([[first, 'patient.listed']]);
  });
});

describe('the word index', () => {
  const drift = async () => {
    const expected = sql`select customer_id, found.place, found.word, found.names, id, found.start
      from patient, patient_words(search_text, last_words, search_digits) as found where deleted_at is null`;
    const stored = sql`select customer_id, place, word, names, patient_id, start from patient_word`;
    const { rows } = await sql`(${expected} except all ${stored}) union all (${stored} except all ${expected})`.execute(
      archive().db,
    );
    return rows;
  };

  test('equals the patients after any change', async () => {
    clinic = await newClinic('Trohet');
    const id = await add('Gammal', 'Namn', { personalNumber: '19330303-2380' });
    const change = (set: object) => archive().db.updateTable('patient').set(set).where('id', '=', id).execute();
    expect(await names('gammal 1933')).toEqual(['Gammal Namn']);
    const edited = await archive().call('/resource/patient/update', {
      method: 'PUT',
      as: archive().clinics.superId,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        id,
        version: 1,
        firstName: 'Nytt Nytt',
        lastName: 'Helt-Nytt',
        personalNumber: '19440404-2395',
        birthDate: null,
        sex: null,
        comments: null,
      }),
    });
    expect(edited.status).toBe(200);
    expect(await names('gammal')).toEqual([]);
    expect(await names('1933')).toEqual([]);
    expect(await names('nytt 1944')).toEqual(['Helt-Nytt Nytt Nytt']);
    await change({ deleted_at: new Date() });
    expect(await names('nytt')).toEqual([]);
    expect(await drift()).toEqual([]);
    await change({ deleted_at: null });
    await change({ comments: 'Nytt' });
    expect(await names('helt')).toEqual(['Helt-Nytt Nytt Nytt']);
    expect(await drift()).toEqual([]);
    await add('Raderad', 'Utan');
    await archive().db.deleteFrom('patient').where('last_name', '=', 'Raderad').execute();
    expect(await names('raderad')).toEqual([]);
    expect(await drift()).toEqual([]);
  });

  test('accepts the longest names in any script', async () => {
    clinic = await newClinic('Långt');
    await add('ﷺ'.repeat(100), '漢 '.repeat(50).trim());
    await add('Ω'.repeat(100), 'A B '.repeat(25).trim());
    expect(await names('صلى')).toHaveLength(1);
    expect(await names('ωωω')).toHaveLength(1);
    expect(await drift()).toEqual([]);
  });
});

test('more hits than the counting limit are reported, and pages continue beyond it', async () => {
  clinic = await newClinic('Stor');
  await sql`insert into patient (id, customer_id, personal_number, first_name, last_name, search_text, search_digits)
    select gen_random_uuid(), ${clinic}, 'x' || n, 'Anna', 'Andersson', ' anna andersson', '3' || lpad(n::text, 11, '0')
    from generate_series(1, ${countLimit + 20}::integer) as n`.execute(archive().db);
  expect(await search({ q: 'anna rare' })).toMatchObject({ data: [], totalCount: 0, isTotalExact: true });
  // The last four digits of a number are found too: five digits are found in one place alone.
  for (const q of ['and', 'ann ander', '30000', '']) {
    const found = await search({ q, ppage: 500 });
    expect(found).toMatchObject({ totalCount: countLimit, isTotalExact: false });
    const pages = await allPages({ q }, 500);
    expect(new Set(pages.flatMap(({ data }) => data.map(({ id }) => id))).size).toBe(countLimit + 20);
  }
});

describe('normalization', () => {
  const characters = [
    ...'abcdefghijklmnopqrstuvwxyzåäöæøœßłđðþıéèêëáàâãíìîïóòôõúùûüçñšžčćřýÿğşțăęąńőűżźĀĒĪŌŪĻŅĢŠŽΔΩжЯ',
  ];
  let seed = 20_261_122;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const wordOf = () => {
    const word = Array.from({ length: 3 + random(6) }, () => characters[random(characters.length)]).join('');
    return random(2) ? word : word.charAt(0).toUpperCase() + word.slice(1);
  };
  /** The same word typed differently: other case, separate diacritics, or none. */
  const variants = (word: string) => [
    word,
    word.toUpperCase(),
    word.toLowerCase(),
    word.normalize('NFD'),
    searchKey(word),
  ];

  test('each word is found by every prefix, however it is typed, and nothing else is found', async () => {
    clinic = await newClinic('Vikning');
    const patients: { readonly id: string; readonly words: readonly string[] }[] = [];
    for (let at = 0; at < 30; at += 1) {
      const [lastName, firstName] = [`${wordOf()}${random(2) ? '-' : ' '}${wordOf()}`, wordOf()];
      const words = `${lastName} ${firstName}`.split(/[ -]/);
      patients.push({ id: await add(lastName, firstName), words });
    }
    for (const patient of patients)
      for (const word of patient.words)
        for (const typed of variants(word)) {
          const q = typed.slice(0, 2 + random(typed.length - 1));
          const prefix = searchKey(q);
          const expected = patients.filter(({ words }) => words.some((one) => searchKey(one).startsWith(prefix)));
          const { data } = await search({ q, ppage: 500 });
          expect(data.map(({ id }) => id).toSorted(), q).toEqual(expected.map(({ id }) => id).toSorted());
        }
  });
});
