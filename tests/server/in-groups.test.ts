import { expect, it } from 'vitest';
import { inGroups } from '../../server/imports/receive/in-groups.ts';

/** Work that waits until it is released, and what it was called with. */
const heldWork = () => {
  const groups: (readonly string[])[] = [];
  const release: (() => void)[] = [];
  const work = async (items: readonly string[]) => {
    groups.push(items);
    await new Promise<void>((resolve) => release.push(resolve));
    if (items.includes('bad')) throw new Error('bad');
    return items.map((item) => item.toUpperCase());
  };
  const releaseAll = async () => {
    for (;;) {
      const next = release.shift();
      if (!next) return;
      next();
      await new Promise(setImmediate);
    }
  };
  return { groups, work, releaseAll };
};

it('works on what arrives meanwhile together, in order, at most so many at once', async () => {
  const { groups, work, releaseAll } = heldWork();
  const add = inGroups(2, work);
  const results = Promise.all(['a', 'b', 'c', 'd'].map((item) => add('study', item)));
  expect(groups).toEqual([['a']]);
  await releaseAll();
  expect(await results).toEqual(['A', 'B', 'C', 'D']);
  expect(groups).toEqual([['a'], ['b', 'c'], ['d']]);
  const later = add('study', 'e');
  await releaseAll();
  expect(await later).toBe('E');
});

it('lets no key wait for another one', async () => {
  const { groups, work, releaseAll } = heldWork();
  const add = inGroups(2, work);
  const results = Promise.all([add('one', 'a'), add('other', 'b')]);
  expect(groups).toEqual([['a'], ['b']]);
  await releaseAll();
  expect(await results).toEqual(['A', 'B']);
});

it('fails all items of a group, and none after it', async () => {
  const { work, releaseAll } = heldWork();
  const add = inGroups(2, work);
  const results = Promise.allSettled(['a', 'bad', 'b', 'c'].map((item) => add('study', item)));
  await releaseAll();
  expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
});
