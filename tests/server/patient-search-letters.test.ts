import { beforeAll, describe, expect, test } from 'vitest';
import { namesIn, patientSearchUnderTest } from './patient-search-under-test.ts';

const { newClinic, add, names, allPages } = patientSearchUnderTest();

describe('letters that a keyboard does not have', () => {
  beforeAll(async () => {
    await newClinic('Tangentbord');
    await add('Åkesson', 'Jörgen');
    await add('Sørensen', 'Jørgen');
    await add('Aakjær', 'Bo');
    await add('Säve', 'Göran');
    await add('Müller', 'Eva');
    for (let count = 0; count < 5; count += 1) await add('Øby', `Åse ${count}`);
  });

  test.each([
    ['joergen', ['Sørensen Jørgen', 'Åkesson Jörgen']],
    ['Aakesson joergen', ['Åkesson Jörgen']],
    ['soerensen', ['Sørensen Jørgen']],
    ['saeve', ['Säve Göran']],
    ['mueller', ['Müller Eva']],
    // What is written so is found alone.
    ['aak', ['Aakjær Bo']],
    ['aakx', []],
  ])('%s', async (q, found) => {
    expect((await names(q)).toSorted()).toEqual([...found].toSorted());
  });

  test('pages by cursor and by number', async () => {
    for (const byNumber of [false, true]) {
      const pages = await allPages({ q: 'oeby aase' }, 2, byNumber);
      expect(pages.map(({ data }) => data.length)).toEqual([2, 2, 1]);
      expect(new Set(pages.flatMap(namesIn)).size).toBe(5);
      expect(pages.map(({ totalCount }) => totalCount)).toEqual([5, 5, 5]);
    }
  });
});
