import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mostCounted } from '../../contract/lists.ts';
import type { Patient } from '../../contract/patients.ts';
import { foldText } from '../../server/resource/fold-text.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { addClinic } from './clinic.ts';

let archive: ArchiveUnderTest;
let clinic: string;
let numbers = 0;

interface Found {
  readonly data: readonly Patient[];
  readonly totalCount: number;
  readonly isTotalExact: boolean;
  readonly next: string | null;
}

const add = (lastName: string, firstName: string, more: { personalNumber?: string; customerId?: string } = {}) => {
  numbers += 1;
  const personalNumber = `1912${String(numbers).padStart(8, '7')}`;
  return archive.addPatient({ customerId: clinic, personalNumber, birthDate: null, ...more, lastName, firstName });
};

const search = async (asked: object): Promise<Found> => {
  const reply = await archive.post(
    '/resource/patient/search',
    { customerId: clinic, ...asked },
    archive.clinics.superId,
  );
  if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`);
  return reply.json();
};
const namesIn = ({ data }: Found) => data.map(({ mainInfo }) => `${mainInfo.lastName} ${mainInfo.firstName}`);
const names = async (q: string) => namesIn(await search({ q, ppage: 500 }));

/** All pages, one after the other by what the one before says, or by their numbers. */
const walked = async (asked: object, ppage: number, byNumber = false): Promise<Found[]> => {
  const pages = [await search({ ...asked, ppage })];
  for (let last = pages[0]; last?.next; last = pages.at(-1)) {
    const place = byNumber ? { page: pages.length + 1 } : { after: last.next };
    pages.push(await search({ ...asked, ppage, ...place }));
  }
  return pages;
};

beforeAll(async () => {
  archive = await archiveUnderTest();
});
afterAll(() => archive.close());

describe('how hits are found and ordered', () => {
  beforeAll(async () => {
    clinic = await addClinic(archive.db, 'Ordning');
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
    // Who is called so, who is called longer, first names; each once.
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
  ])('%s finds %j', async (q, found) => {
    const answered = await search({ q, ppage: 50 });
    expect(namesIn(answered)).toEqual(found);
    expect(answered).toMatchObject({ totalCount: found.length, isTotalExact: true, next: null });
  });

  test('without a text all are listed by name, å, ä and ö after z', async () => {
    const all = await names('');
    expect(all).toHaveLength(10);
    expect(all.at(-1)).toBe('Ås Ola');
    expect(all.slice(0, 3)).toEqual(['Berg Nils', 'Björk-Lund Åsa', 'Dahl Mette']);
  });

  test('every page has its own patients, by its place and by its number, with the same count on each', async () => {
    for (const [q, count] of [
      ['lun', 6],
      ['', 10],
      ['a', 5],
    ] as const) {
      const whole = await names(q);
      for (const byNumber of [false, true]) {
        const pages = await walked({ q }, 2, byNumber);
        expect(pages.flatMap(namesIn)).toEqual(whole);
        if (q !== 'a') expect(whole).toHaveLength(count);
        expect(new Set(pages.map(({ totalCount }) => totalCount))).toEqual(new Set([whole.length]));
      }
    }
  });

  test('a place opens no other search, and none can be made up', async () => {
    const { next } = await search({ q: 'lun', ppage: 1 });
    const ask = (body: object) =>
      archive.post('/resource/patient/search', { customerId: clinic, ppage: 1, ...body }, archive.clinics.superId);
    expect((await ask({ q: 'lun', after: next })).status).toBe(200);
    expect(next).not.toMatch(/lund/i);
    const others = [
      { q: 'lund', after: next },
      { q: 'lun', from: '2020-01-01', after: next },
      { q: 'lun', after: 'x' },
    ];
    for (const body of [...others, { q: 'lun', after: next, customerId: archive.clinics.customerId }])
      expect(await (await ask(body)).json()).toMatchObject({
        code: 'invalid-request',
        errors: [{ fieldKey: 'after' }],
      });
  });

  test('the day of the last study bounds what is listed, with and without a text', async () => {
    const days: Readonly<Record<string, string>> = { Lundberg: '2020-01-31', Lund: '2020-02-01', Berg: '2020-02-29' };
    for (const [name, day] of Object.entries(days))
      await archive.db
        .updateTable('patient')
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

describe('whose patients', () => {
  test('of one clinic alone, and of no clinic that one may not use', async () => {
    const { customerId, otherCustomerId, doctorId, otherDoctorId } = archive.clinics;
    await add('Delad', 'Här', { customerId });
    await add('Delad', 'Där', { customerId: otherCustomerId });
    const ask = (customer: string, as: string) =>
      archive.post('/resource/patient/search', { customerId: customer, q: 'delad' }, as);
    expect(namesIn(await (await ask(customerId, doctorId)).json())).toEqual(['Delad Här']);
    expect(namesIn(await (await ask(otherCustomerId, otherDoctorId)).json())).toEqual(['Delad Där']);
    expect((await ask(otherCustomerId, doctorId)).status).toBe(404);
  });

  test('one page notes whom it listed, and nobody else', async () => {
    clinic = await addClinic(archive.db, 'Logg');
    const [first] = [await add('Anka', 'A'), await add('Anka', 'B')];
    await search({ q: 'anka', ppage: 1 });
    const rows = await archive.db.selectFrom('access_log').selectAll().where('customer_id', '=', clinic).execute();
    expect(rows.map(({ patient_id, action }) => [patient_id, action])).toEqual([[first, 'patient.listed']]);
  });
});

describe('the index of words', () => {
  const drift = async () => {
    const wanted = sql`select customer_id, found.place, found.word, found.names, id, found.start
      from patient, patient_words(search_text, last_words, search_digits) as found where deleted_at is null`;
    const kept = sql`select customer_id, place, word, names, patient_id, start from patient_word`;
    const { rows } = await sql`(${wanted} except all ${kept}) union all (${kept} except all ${wanted})`.execute(
      archive.db,
    );
    return rows;
  };

  test('is what the patients are, whatever is done to them', async () => {
    clinic = await addClinic(archive.db, 'Trohet');
    const id = await add('Gammal', 'Namn', { personalNumber: '19330303-2380' });
    const change = (set: object) => archive.db.updateTable('patient').set(set).where('id', '=', id).execute();
    expect(await names('gammal 1933')).toEqual(['Gammal Namn']);
    const edited = await archive.call('/resource/patient/update', {
      method: 'PUT',
      as: archive.clinics.superId,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ id, version: 1, firstName: 'Nytt Nytt', lastName: 'Helt-Nytt', personalNumber: '19440404-2395' },
        ...{ birthDate: null, sex: null, comments: null },
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
    await archive.db.deleteFrom('patient').where('id', '=', id).execute();
    expect(await names('helt')).toEqual([]);
    expect(await drift()).toEqual([]);
  });

  test('takes the longest names there are, in any script', async () => {
    clinic = await addClinic(archive.db, 'Långt');
    await add('ﷺ'.repeat(100), '漢 '.repeat(50).trim());
    await add('Ω'.repeat(100), 'A B '.repeat(25).trim());
    expect(await names('صلى')).toHaveLength(1);
    expect(await names('ωωω')).toHaveLength(1);
    expect(await drift()).toEqual([]);
  });
});

test('more hits than are counted: the count says so, and pages go on behind it', async () => {
  clinic = await addClinic(archive.db, 'Stor');
  await sql`insert into patient (id, customer_id, personal_number, first_name, last_name, search_text, search_digits)
    select gen_random_uuid(), ${clinic}, 'x' || n, 'Anna', 'Andersson', ' anna andersson', '3' || lpad(n::text, 11, '0')
    from generate_series(1, ${mostCounted + 20}::integer) as n`.execute(archive.db);
  expect(await search({ q: 'anna rare' })).toMatchObject({ data: [], totalCount: 0, isTotalExact: true });
  for (const q of ['and', 'ann ander', '30', '']) {
    const found = await search({ q, ppage: 500 });
    expect(found).toMatchObject({ totalCount: mostCounted, isTotalExact: false });
    const pages = await walked({ q }, 500);
    expect(new Set(pages.flatMap(({ data }) => data.map(({ id }) => id))).size).toBe(mostCounted + 20);
  }
});

describe('folding', () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyzåäöæøœßłđðþıéèêëáàâãíìîïóòôõúùûüçñšžčćřýÿğşțăęąńőűżźĀĒĪŌŪĻŅĢŠŽΔΩжЯ'];
  let seed = 20_261_122;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const wordOf = () => {
    const word = Array.from({ length: 3 + random(6) }, () => letters[random(letters.length)]).join('');
    return random(2) ? word : word.charAt(0).toUpperCase() + word.slice(1);
  };
  /** The same word as somebody else types it: other case, marks apart, or none. */
  const variants = (word: string) => [
    word,
    word.toUpperCase(),
    word.toLowerCase(),
    word.normalize('NFD'),
    foldText(word),
  ];

  test('each word is found by every beginning, however it is typed; and nothing is found that does not begin so', async () => {
    clinic = await addClinic(archive.db, 'Vikning');
    const people: { readonly id: string; readonly words: readonly string[] }[] = [];
    for (let at = 0; at < 30; at += 1) {
      const [lastName, firstName] = [`${wordOf()}${random(2) ? '-' : ' '}${wordOf()}`, wordOf()];
      const words = `${lastName} ${firstName}`.split(/[ -]/);
      people.push({ id: await add(lastName, firstName), words });
    }
    for (const person of people)
      for (const word of person.words)
        for (const typed of variants(word)) {
          const q = typed.slice(0, 2 + random(typed.length - 1));
          const prefix = foldText(q);
          const expected = people.filter(({ words }) => words.some((one) => foldText(one).startsWith(prefix)));
          const { data } = await search({ q, ppage: 500 });
          expect(data.map(({ id }) => id).toSorted(), q).toEqual(expected.map(({ id }) => id).toSorted());
        }
  });
});
