import { expect, it } from 'vitest';
import { filesOfDialog, filesOfEntries } from '../../src/views/ui/dropped-files.ts';

type Tree = { readonly [name: string]: Tree | string | Error };

/** A directory entry that lists its files in batches of 100, like browsers. */
const entryOf = (name: string, tree: Tree | string | Error, above = ''): FileSystemEntry => {
  const fullPath = `${above}/${name}`;
  if (tree instanceof Error || typeof tree === 'string') {
    const file = (resolve: (file: File) => void, reject: (error: Error) => void) =>
      tree instanceof Error ? reject(tree) : resolve(new File([tree], name));
    return { isFile: true, isDirectory: false, name, fullPath, file } as unknown as FileSystemEntry;
  }
  const createReader = () => {
    const rest = Object.entries(tree).map(([inner, below]) => entryOf(inner, below, fullPath));
    return {
      readEntries: (resolve: (entries: FileSystemEntry[]) => void, reject: (error: Error) => void) =>
        name === 'locked' ? reject(new Error('locked')) : setTimeout(() => resolve(rest.splice(0, 100))),
    };
  };
  return { isFile: false, isDirectory: true, name, fullPath, createReader } as unknown as FileSystemEntry;
};

it('reads nested folders with more than a hundred files, keeping paths', async () => {
  const many = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`IM${index}`, 'x']));
  const counts: number[] = [];
  const { files, unreadable, emptyFolders } = await filesOfEntries(
    [entryOf('CD', { DICOMDIR: 'd', IMAGES: many, deep: { a: { b: { c: 'x' } } } }), entryOf('loose.dcm', 'x')],
    (count) => counts.push(count),
  );
  expect(files).toHaveLength(253);
  expect(files.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['CD/DICOMDIR', 'CD/IMAGES/IM249', 'CD/deep/a/b/c', 'loose.dcm']),
  );
  expect(counts.at(-1)).toBe(253);
  expect([unreadable, emptyFolders]).toEqual([[], []]);
});

it('reports unreadable entries and continues', async () => {
  const { files, unreadable, emptyFolders } = await filesOfEntries([
    entryOf('A', { good: 'x', bad: new Error('gone'), locked: {} }),
    entryOf('B', { inner: {} }),
  ]);
  expect(files.map(({ path }) => path)).toEqual(['A/good']);
  expect(unreadable).toEqual(['A/bad', 'A/locked']);
  expect(emptyFolders).toEqual(['B']);
});

it('reads deeply nested folders', async () => {
  let tree: Tree = { end: 'x' };
  for (let depth = 0; depth < 200; depth += 1) tree = { f: tree };
  const { files } = await filesOfEntries([entryOf('top', tree)]);
  expect(files).toHaveLength(1);
});

it('keeps the paths within a chosen folder', () => {
  const file = new File(['x'], 'I1');
  Object.defineProperty(file, 'webkitRelativePath', { value: 'CD/IMAGES/I1' });
  expect(filesOfDialog([file, new File(['x'], 'a.dcm')]).files.map(({ path }) => path)).toEqual([
    'CD/IMAGES/I1',
    'a.dcm',
  ]);
});
