import { IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { beforeEach, expect, it, vi } from 'vitest';
import { createImportFiles } from '../../src/services/import-files.ts';
import { createImportStore, type StoredImportFacts } from '../../src/services/import-store.ts';
import { createTabLocks } from '../../src/services/tab-locks.ts';

const facts = (id: string): StoredImportFacts => ({
  id,
  patientId: null,
  customerId: 'clinic',
  kind: 'dicom',
  name: 'folder',
  taskId: null,
  paused: false,
});
const fileOf = (key: string, sizeBytes = 3) => ({
  key,
  path: `folder/${key}`,
  name: key,
  sizeBytes,
  status: 'waiting' as const,
  failure: null,
});
const day = 24 * 60 * 60 * 1_000;

beforeEach(() => vi.stubGlobal('indexedDB', new IDBFactory()));

it('stores an import with its files and their bytes, in order, until it is removed', async () => {
  const store = createImportStore();
  await store.save('anna', facts('one'), [fileOf('b'), fileOf('a'), fileOf('c')]);
  expect(await store.saveBytes('one', [['a', new File(['aaa'], 'a')]])).toBe(true);
  await store.update('one', { taskId: 'task', paused: true });
  const again = createImportStore();
  const [restored, ...others] = await again.restore('anna');
  expect(others).toEqual([]);
  expect(restored).toMatchObject({ ...facts('one'), taskId: 'task', paused: true });
  // Files that were not stored must be chosen again.
  expect(restored?.files.map(({ key, status }) => [key, status])).toEqual([
    ['b', 'lost'],
    ['a', 'waiting'],
    ['c', 'lost'],
  ]);
  const bytes = await again.bytesOf('one', ['a', 'b']);
  expect([...bytes.keys()]).toEqual(['a']);
  expect(await bytes.get('a')?.text()).toBe('aaa');
  await again.remove('one');
  expect(await again.restore('anna')).toEqual([]);
  expect((await again.bytesOf('one', ['a'])).size).toBe(0);
});

it('deletes the bytes as soon as the archive has them, and does not store them afterwards', async () => {
  const store = createImportStore();
  await store.save('anna', facts('one'), [fileOf('a'), fileOf('b')]);
  await store.saveBytes('one', [['a', new File(['aaa'], 'a')]]);
  const tooLarge = { kind: 'refused', status: 413, code: 'too-large', errors: [] } as const;
  await store.updateFiles('one', [
    { key: 'a', status: 'uploaded' },
    { key: 'b', status: 'refused', failure: tooLarge },
  ]);
  await store.saveBytes('one', [['b', new File(['bbb'], 'b')]]);
  expect((await store.bytesOf('one', ['a', 'b'])).size).toBe(0);
  const [restored] = await store.restore('anna');
  expect(restored?.files.map(({ status, failure }) => [status, failure])).toEqual([
    ['uploaded', null],
    ['refused', tooLarge],
  ]);
});

it('never shows one account what another left, and deletes what is older than a week', async () => {
  let now = 0;
  const store = createImportStore('store', () => now);
  await store.save('anna', facts('one'), [fileOf('a')]);
  await store.saveBytes('one', [['a', new File(['aaa'], 'a')]]);
  now = day;
  await store.save('anna', facts('two'), []);
  expect(await store.restore('erik')).toEqual([]);
  now = 7 * day + 1;
  expect((await store.restore('erik')).length).toBe(0);
  expect((await store.restore('anna')).map(({ id }) => id)).toEqual(['two']);
  expect((await store.bytesOf('one', ['a'])).size).toBe(0);
});

it('works without a store: a private window, or a full disk', async () => {
  const none = new IDBFactory();
  none.open = () => {
    throw new DOMException('', 'SecurityError');
  };
  vi.stubGlobal('indexedDB', none);
  const store = createImportStore();
  await store.save('anna', facts('one'), [fileOf('a')]);
  expect(await store.restore('anna')).toEqual([]);
  expect(await store.saveBytes('one', [['a', new File(['aaa'], 'a')]])).toBe(false);

  vi.stubGlobal('indexedDB', new IDBFactory());
  const full = createImportStore();
  await full.save('anna', facts('one'), [fileOf('a')]);
  const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementationOnce(() => {
    throw new DOMException('', 'QuotaExceededError');
  });
  expect(await full.saveBytes('one', [['a', new File(['aaa'], 'a')]])).toBe(false);
  put.mockRestore();
  const [restored] = await full.restore('anna');
  expect(restored?.files.map(({ status }) => status)).toEqual(['lost']);
});

/** Locks as in browsers, shared by tabs. */
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
    store: createImportStore(),
    locks: createTabLocks('import.', locks),
    graceMs: 0,
    account: () => account.now,
  });
const chosen = (...names: string[]) => names.map((name) => ({ file: new File([name], name), path: name }));

it('stores files, the last first, and warns of closing the tab only until all bytes are stored', async () => {
  const files = filesFor({ now: 'anna' });
  await files.restore();
  const facts0 = files.choose(chosen('a', 'b', 'c'));
  expect(files.hasUnsavedBytes()).toBe(true);
  const order = vi.spyOn(IDBObjectStore.prototype, 'put');
  files.begin(facts('one'), facts0);
  await vi.waitUntil(() => !files.hasUnsavedBytes());
  const copied = order.mock.calls.flatMap(([value]) => (value instanceof File ? [value.name] : []));
  expect(copied).toEqual(['c', 'b', 'a']);
  order.mockRestore();
});

it('restores the files after signing in as the same user, and not as another', async () => {
  const account = { now: 'anna' as string | null };
  const files = filesFor(account);
  await files.restore();
  const mine = files.choose(chosen('a', 'b'));
  files.begin(facts('one'), mine);
  await vi.waitUntil(() => !files.hasUnsavedBytes());
  files.signOut();
  account.now = 'erik';
  expect(await files.restore()).toEqual([]);
  files.signOut();
  account.now = 'anna';
  const [restored] = await files.restore();
  expect(restored?.files.map(({ status }) => status)).toEqual(['waiting', 'waiting']);
  const keys = mine.map(({ key }) => key);
  const found = await files.filesOf('one', keys);
  expect(await Promise.all(keys.map((key) => found.get(key)?.text()))).toEqual(['a', 'b']);
});

it('gives an import to one tab, and to the next tab when the first releases it', async () => {
  const locks = lockManager();
  const [first, second] = [filesFor({ now: 'anna' }, locks), filesFor({ now: 'anna' }, locks)];
  await first.restore();
  first.begin(facts('one'), first.choose(chosen('a')));
  await vi.waitUntil(() => !first.hasUnsavedBytes());
  expect(await second.restore()).toEqual([]);
  first.signOut();
  await vi.waitFor(async () => expect((await second.restore()).map(({ id }) => id)).toEqual(['one']));
});

it('assigns a lost file its old key when the user chooses it again', async () => {
  const files = filesFor({ now: 'anna' });
  await createImportStore().save('anna', facts('one'), [fileOf('a')]);
  const [restored] = await files.restore();
  expect(restored?.files[0]?.status).toBe('lost');
  files.restoreFiles('one', new Map([['a', new File(['aaa'], 'a')]]));
  await vi.waitUntil(() => !files.hasUnsavedBytes());
  expect((await createImportStore().restore('anna'))[0]?.files[0]?.status).toBe('waiting');
  files.remove('one');
  await vi.waitFor(async () => expect(await createImportStore().restore('anna')).toEqual([]));
  expect((await files.filesOf('one', ['a'])).size).toBe(0);
});

it('commits a deletion explicitly, so that a reload cannot abort it', async () => {
  const store = createImportStore();
  await store.save('anna', facts('one'), [fileOf('a')]);
  const commit = vi.spyOn(IDBTransaction.prototype, 'commit');
  await store.remove('one');
  expect(commit).toHaveBeenCalledTimes(1);
  expect(await store.restore('anna')).toEqual([]);
  commit.mockRestore();
});
