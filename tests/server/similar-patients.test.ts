import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { maxSimilar } from '../../contract/patients.ts';
import { addClinic } from './clinic.ts';
import { namesIn, patientSearchUnderTest } from './patient-search-under-test.ts';

const { archive, newClinic, add, search } = patientSearchUnderTest();

const similar = async (q: string, more: object = {}) => {
  const reply = await search({ q, ...more });
  return { found: namesIn(reply), similar: namesIn({ ...reply, data: reply.similar }) };
};

describe('patients with similar names', () => {
  beforeAll(async () => {
    await newClinic('Stavning');
    await add('Lindqvist', 'Johanna');
    await add('Gustafsson', 'Erik');
    await add('Åkerström', 'Kristina', { personalNumber: '198505054321' });
    await add('Nguyễn', 'Thị Minh');
    await add('Berg', 'Ida');
    for (const name of ['Ek', 'Alm', 'Ask', 'Hägg', 'Lönn', 'Rönn']) await add(name, 'Annika');
    const other = await addClinic(archive().db, 'Annan klinik');
    await add('Johannson', 'Johana', { customerId: other });
  });

  test.each([
    ['a letter too few', 'johana', ['Lindqvist Johanna']],
    ['a letter too many', 'johannna', ['Lindqvist Johanna']],
    ['another letter', 'kristona', ['Åkerström Kristina']],
    ['two neighbours exchanged', 'eirk', ['Gustafsson Erik']],
    ['two errors in a long name', 'gustavson', ['Gustafsson Erik']],
    ['the beginning of a long name', 'gustavs', ['Gustafsson Erik']],
    ['letters without their marks', 'nguien', ['Nguyễn Thị Minh']],
    ['a part from the middle', 'sson', ['Gustafsson Erik']],
    ['one of two words wrong', 'kristina okerstrom', ['Åkerström Kristina']],
    ['both words wrong', 'kristna okerstrom', ['Åkerström Kristina']],
    ['a right personal number', 'kristna 4321', ['Åkerström Kristina']],
    ['a wrong digit', '198505054322', []],
    ['a wrong digit beside a wrong name', 'kristna 4322', []],
    ['too short', 'xd', []],
    ['two errors in a short name', 'borj', []],
    ['nothing like it', 'xyzxyzxyz', []],
  ])('%s: %s', async (_, q, names) => {
    expect(await similar(q)).toEqual({ found: [], similar: names });
  });

  test('are shown beside few exact hits, without repeating them', async () => {
    await add('Lindkvist', 'Ylva');
    expect(await similar('lindkvist')).toEqual({ found: ['Lindkvist Ylva'], similar: ['Lindqvist Johanna'] });
  });

  test('are left out beside many hits, and on later pages', async () => {
    expect((await similar('annika')).similar).toEqual([]);
    expect((await similar('johana', { page: 2 })).similar).toEqual([]);
  });

  test('are limited, nearest first, and within the days', async () => {
    const limited = await similar('annka');
    expect(limited.similar).toHaveLength(maxSimilar);
    expect((await similar('johana', { from: '2020-01-01' })).similar).toEqual([]);
  });

  test('are logged as read', async () => {
    const listed = () =>
      sql<{
        count: number;
      }>`select count(*)::int as count from access_log join patient on patient.id = access_log.patient_id
        where patient.first_name = 'Johanna'`
        .execute(archive().db)
        .then(({ rows }) => rows[0]?.count ?? 0);
    const before = await listed();
    await similar('johana');
    expect(await listed()).toBe(before + 1);
  });

  test('follow renaming, deletion and restoration', async () => {
    const words = async () =>
      (
        await sql<{
          word: string;
        }>`select word from patient_name_word where word in ('zetterlund', 'zetterberg') order by word`.execute(
          archive().db,
        )
      ).rows.map(({ word }) => word);
    const first = await add('Zetterlund', 'Monica');
    const second = await add('Zetterlund', 'Eva');
    const set = (id: string, column: ReturnType<typeof sql>) =>
      sql`update patient set ${column} where id = ${id}`.execute(archive().db);
    expect(await words()).toEqual(['zetterlund']);
    await set(first, sql`search_text = ' monica zetterberg'`);
    expect(await words()).toEqual(['zetterberg', 'zetterlund']);
    await set(second, sql`deleted_at = now()`);
    expect(await words()).toEqual(['zetterberg']);
    await set(second, sql`deleted_at = null`);
    expect(await words()).toEqual(['zetterberg', 'zetterlund']);
  });
});
