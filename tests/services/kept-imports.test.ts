import { IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { beforeEach, expect, it, vi } from 'vitest';
import { createImportFiles } from '../../src/services/import-files.ts';
import { createKeptImports, type KeptImportFacts } from '../../src/services/kept-imports.ts';
import { createTabHolds } from '../../src/services/tab-holds.ts';

const facts = (id: string): KeptImportFacts => ({
  ...{ id, patientId: null, customerId: 'clinic', kind: 'dicom', name: 'folder', taskId: null, paused: false },
});
const fileOf = (key: string, sizeBytes = 3) => ({
  ...{ key, path: `folder/${key}`, name: key, sizeBytes, status: 'waiting' as const, failure: null },
});
const day = 24 * 60 * 60 * 1_000;

beforeEach(() => vi.stubGlobal('indexedDB', new IDBFactory()));

it('keeps an import with its files and their bytes, in their order, until it is forgotten', async () => {
  const kept = createKeptImports();
  await kept.keep('anna', facts('one'), [fileOf('b'), fileOf('a'), fileOf('c')]);
  expect(await kept.putAside('one', [['a', new File(['aaa'], 'a')]])).toBe(true);
  await kept.change('one', { taskId: 'task', paused: true });
  const again = createKeptImports();
  const [restored, ...others] = await again.restore('anna');
  expect(others).toEqual([]);
  expect(restored).toMatchObject({ ...facts('one'), taskId: 'task', paused: true });
  // What was not put aside must be chosen again.
  expect(restored?.files.map(({ key, status }) => [key, status])).toEqual([
    ['b', 'lost'],
    ['a', 'waiting'],
    ['c', 'lost'],
  ]);
  const bytes = await again.bytesOf('one', ['a', 'b']);
  expect([...bytes.keys()]).toEqual(['a']);
  expect(await bytes.get('a')?.text()).toBe('aaa');
  await again.forget('one');
  expect(await again.restore('anna')).toEqual([]);
  expect((await again.bytesOf('one', ['a'])).size).toBe(0);
});

it('lets the bytes go as soon as the archive has them, and does not take them in afterwards', async () => {
  const kept = createKeptImports();
  await kept.keep('anna', facts('one'), [fileOf('a'), fileOf('b')]);
  await kept.putAside('one', [['a', new File(['aaa'], 'a')]]);
  const refusal = { kind: 'refused', status: 413, code: 'too-large', errors: [] } as const;
  await kept.settle('one', [
    { key: 'a', status: 'uploaded' },
    { key: 'b', status: 'refused', failure: refusal },
  ]);
  await kept.putAside('one', [['b', new File(['bbb'], 'b')]]);
  expect((await kept.bytesOf('one', ['a', 'b'])).size).toBe(0);
  const [restored] = await kept.restore('anna');
  expect(restored?.files.map(({ status, failure }) => [status, failure])).toEqual([
    ['uploaded', null],
    ['refused', refusal],
  ]);
});

it('never shows one account what another left, and lets go what is older than a week', async () => {
  let now = 0;
  const kept = createKeptImports('store', () => now);
  await kept.keep('anna', facts('one'), [fileOf('a')]);
  await kept.putAside('one', [['a', new File(['aaa'], 'a')]]);
  now = day;
  await kept.keep('anna', facts('two'), []);
  expect(await kept.restore('erik')).toEqual([]);
  now = 7 * day + 1;
  expect((await kept.restore('erik')).length).toBe(0);
  expect((await kept.restore('anna')).map(({ id }) => id)).toEqual(['two']);
  expect((await kept.bytesOf('one', ['a'])).size).toBe(0);
});

it('does without a store: a private window, or no room', async () => {
  const none = new IDBFactory();
  none.open = () => {
    throw new DOMException('', 'SecurityError');
  };
  vi.stubGlobal('indexedDB', none);
  const kept = createKeptImports();
  await kept.keep('anna', facts('one'), [fileOf('a')]);
  expect(await kept.restore('anna')).toEqual([]);
  expect(await kept.putAside('one', [['a', new File(['aaa'], 'a')]])).toBe(false);

  vi.stubGlobal('indexedDB', new IDBFactory());
  const full = createKeptImports();
  await full.keep('anna', facts('one'), [fileOf('a')]);
  const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementationOnce(() => {
    throw new DOMException('', 'QuotaExceededError');
  });
  expect(await full.putAside('one', [['a', new File(['aaa'], 'a')]])).toBe(false);
  put.mockRestore();
  const [restored] = await full.restore('anna');
  expect(restored?.files.map(({ status }) => status)).toEqual(['lost']);
});

/** Locks as browsers have them, over the tabs that share it. */
const lockManager = (): LockManager => {
  const held = new Set<string>();
  const request = async (name: string, _: unknown, work: (lock: unknown) => unknown) => {
    if (held.has(name)) return work(null);
    held.add(name);
    try {
      return await work({ name });
    } finally {
      held.delete(name);
    }
  };
  return { request, query: async () => ({}) } as unknown as LockManager;
};

const filesFor = (account: { now: string | null }, locks = lockManager()) =>
  createImportFiles({
    ...{ kept: createKeptImports(), holds: createTabHolds('import.', locks), graceMs: 0 },
    account: () => account.now,
  });
const chosen = (...names: string[]) => names.map((name) => ({ file: new File([name], name), path: name }));

it('puts files aside, the last first, and warns of closing the tab only as long as bytes are nowhere else', async () => {
  const files = filesFor({ now: 'anna' });
  await files.restore();
  const facts0 = files.choose(chosen('a', 'b', 'c'));
  expect(files.wouldLose()).toBe(true);
  const order = vi.spyOn(IDBObjectStore.prototype, 'put');
  files.begin(facts('one'), facts0);
  await vi.waitUntil(() => !files.wouldLose());
  const copied = order.mock.calls.flatMap(([value]) => (value instanceof File ? [value.name] : []));
  expect(copied).toEqual(['c', 'b', 'a']);
  order.mockRestore();
});

it('has the files again after signing in as the same person, and not as another', async () => {
  const account = { now: 'anna' as string | null };
  const files = filesFor(account);
  await files.restore();
  const mine = files.choose(chosen('a', 'b'));
  files.begin(facts('one'), mine);
  await vi.waitUntil(() => !files.wouldLose());
  files.leave();
  account.now = 'erik';
  expect(await files.restore()).toEqual([]);
  files.leave();
  account.now = 'anna';
  const [restored] = await files.restore();
  expect(restored?.files.map(({ status }) => status)).toEqual(['waiting', 'waiting']);
  const keys = mine.map(({ key }) => key);
  const found = await files.filesOf('one', keys);
  expect(await Promise.all(keys.map((key) => found.get(key)?.text()))).toEqual(['a', 'b']);
});

it('gives an import to one tab alone, and to the next when that one lets go', async () => {
  const locks = lockManager();
  const [first, second] = [filesFor({ now: 'anna' }, locks), filesFor({ now: 'anna' }, locks)];
  await first.restore();
  first.begin(facts('one'), first.choose(chosen('a')));
  await vi.waitUntil(() => !first.wouldLose());
  expect(await second.restore()).toEqual([]);
  first.leave();
  await vi.waitFor(async () => expect((await second.restore()).map(({ id }) => id)).toEqual(['one']));
});

it('has a lost file again under its old key when a person chooses it again', async () => {
  const files = filesFor({ now: 'anna' });
  await createKeptImports().keep('anna', facts('one'), [fileOf('a')]);
  const [restored] = await files.restore();
  expect(restored?.files[0]?.status).toBe('lost');
  files.bringBack('one', new Map([['a', new File(['aaa'], 'a')]]));
  await vi.waitUntil(() => !files.wouldLose());
  expect((await createKeptImports().restore('anna'))[0]?.files[0]?.status).toBe('waiting');
  files.forget('one');
  await vi.waitFor(async () => expect(await createKeptImports().restore('anna')).toEqual([]));
  expect((await files.filesOf('one', ['a'])).size).toBe(0);
});
