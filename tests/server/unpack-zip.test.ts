import { readdir } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { ImportLimits } from '../../contract/uploads.ts';
import type { ImportFileRow } from '../../server/db/stores/imports.ts';
import type { FileStore } from '../../server/storage/file-store.ts';
import { encrypted, unicodePath, type ZipPart, zipOf } from '../dicom/build-zip.ts';
import { noise, zipUnpacking } from './zip-unpacking.ts';

const { received, unpackRow, unpack, taskId, files, temporaryFolder } = zipUnpacking();

const good: ZipPart = { name: 'good.dcm', bytes: noise(3000) };
const outcome = ({ path, status, problem }: ImportFileRow) => [path, status, problem];

describe('a zip is unpacked', () => {
  it('into a row for each file, with its bytes in the store, in the order of its directory', async () => {
    const parts = Array.from({ length: 40 }, (_, index) => ({
      name: `DICOM/IM${String((index * 7) % 40).padStart(4, '0')}`,
      // The first is the slowest.
      bytes: noise(index === 0 ? 4_000_000 : 1000 + index, index + 1),
      stored: index % 2 === 0,
    }));
    const counts: number[] = [];
    const { zip, entries } = await unpack(zipOf([{ name: 'DICOM/', stored: true }, ...parts]), {
      onEntry: (done, total) => counts.push(done, total),
    });
    expect(zip).toMatchObject({ status: 'unpacked', problem: null });
    expect(entries.map((row) => row.path)).toEqual(parts.map(({ name }) => name));
    expect(new Set(counts)).toEqual(new Set(Array.from({ length: 40 }, (_, index) => index + 1)));
    for (const [index, row] of entries.entries()) {
      expect(row).toMatchObject({ status: 'received', file_name: parts[index]?.name.slice(6), task_id: taskId() });
      const bytes = await buffer(await files().openRange(row.sha256 ?? ''));
      expect(bytes.equals(parts[index]?.bytes ?? Buffer.alloc(0))).toBe(true);
      expect(row.size_bytes).toBe(bytes.length);
    }
  });

  it('in the 64-bit format too', async () => {
    const { zip, entries } = await unpack(
      zipOf([good, { name: 'b', bytes: noise(10), stored: true }], { zip64: true }),
    );
    expect(zip.status).toBe('unpacked');
    expect(entries.map(outcome)).toEqual([
      ['good.dcm', 'received', null],
      ['b', 'received', null],
    ]);
  });

  it('without folders and system files', async () => {
    const litter = ['__MACOSX/._good.dcm', 'a/.DS_Store', 'a/Thumbs.db', 'a/desktop.ini', '._x', 'a/', 'a\\b\\'];
    const { entries } = await unpack(zipOf([...litter.map((name) => ({ name, bytes: noise(10) })), good]));
    expect(entries.map(outcome)).toEqual([['good.dcm', 'received', null]]);
  });

  it('with the names that it has, in any encoding', async () => {
    const cp437 = Buffer.from([0x52, 0x94, 0x6e, 0x74, 0x67, 0x65, 0x6e]);
    const { entries } = await unpack(
      zipOf([
        { name: 'Bild Åäö.dcm', bytes: noise(9, 1) },
        { name: Buffer.from('Käke/øre.dcm'), flags: 0, bytes: noise(9, 2) },
        { name: cp437, flags: 0, bytes: noise(9, 3) },
        { name: Buffer.from('R_nt'), flags: 0, extra: unicodePath(Buffer.from('R_nt'), 'Rönt'), bytes: noise(9, 4) },
        { name: 'Mapp\\under\\fil.dcm', bytes: noise(9, 5) },
      ]),
    );
    expect(entries.map(({ path }) => path)).toEqual([
      'Bild Åäö.dcm',
      'Käke/øre.dcm',
      'Röntgen',
      'Rönt',
      'Mapp/under/fil.dcm',
    ]);
  });

  it('with all files of the same name, numbered', async () => {
    const { entries } = await unpack(zipOf([1, 2, 3].map((seed) => ({ name: 'a/IM1', bytes: noise(50, seed) }))));
    expect(entries.map(outcome)).toEqual([
      ['a/IM1', 'received', null],
      ['a/IM1 (2)', 'received', null],
      ['a/IM1 (3)', 'received', null],
    ]);
    expect(new Set(entries.map(({ sha256 }) => sha256)).size).toBe(3);
  });
});

describe('an invalid entry is rejected with its problem and does not affect others', () => {
  const large = 2 ** 25;
  it.each<[string, ZipPart, string, Partial<ImportLimits>?]>([
    ['has a path outside the zip', { name: '../../etc/passwd', bytes: noise(9) }, 'zip-unsafe-entry'],
    ['has a path outside the zip by backslashes', { name: '..\\..\\evil.dcm', bytes: noise(9) }, 'zip-unsafe-entry'],
    ['has a path outside the zip through a folder', { name: 'a/../../b', bytes: noise(9) }, 'zip-unsafe-entry'],
    ['is absolute', { name: '/etc/passwd', bytes: noise(9) }, 'zip-unsafe-entry'],
    ['is on a share', { name: '\\\\server\\x', bytes: noise(9) }, 'zip-unsafe-entry'],
    ['is on a drive', { name: 'C:evil.dcm', bytes: noise(9) }, 'zip-unsafe-entry'],
    ['has NUL in its name', { name: 'a.dcm\0.txt', bytes: noise(9) }, 'zip-unsafe-entry'],
    ['has no name', { name: '', bytes: noise(9) }, 'zip-unsafe-entry'],
    ['is a link', { name: 'link', bytes: Buffer.from('/etc/passwd'), mode: 0o120777 }, 'zip-unsafe-entry'],
    ['is a device', { name: 'tty', bytes: noise(9), mode: 0o020666 }, 'zip-unsafe-entry'],
    ['is encrypted', { name: 'secret', bytes: noise(9), flags: encrypted }, 'zip-encrypted'],
    [
      'is strongly encrypted',
      { name: 'secret', bytes: noise(9), claims: { method: 99 }, flags: encrypted },
      'zip-encrypted',
    ],
    ['has an unsupported compression method', { name: 'lzma', bytes: noise(9), claims: { method: 14 } }, 'zip-damaged'],
    ['lies too deep', { name: 'a/b/c/d/e', bytes: noise(9) }, 'too-deep', { folderDepth: 3 }],
    ['is too large', { name: 'large', bytes: noise(9000) }, 'too-large', { fileBytes: 8999 }],
    ['packs too well', { name: 'zeros', bytes: new Uint8Array(large) }, 'zip-bomb'],
    ['declares a smaller size', { name: 'liar', bytes: noise(9000), claims: { size: 100 } }, 'zip-damaged'],
    ['declares a larger size', { name: 'liar', bytes: noise(9000), claims: { size: 9001 } }, 'zip-damaged'],
    ['has two sizes', { name: 'two', bytes: noise(90), stored: true, claims: { size: 91 } }, 'zip-damaged'],
    ['is cut off', { name: 'cut', bytes: noise(9000), claims: { packed: 4000 } }, 'zip-damaged'],
    ['has other bytes', { name: 'rot', bytes: noise(9000), stored: true, claims: { crc32: 7 } }, 'zip-damaged'],
    ['lies elsewhere', { name: 'far', bytes: noise(9), claims: { offset: 2 ** 31 } }, 'zip-damaged'],
    ['is no deflate', { name: 'rubbish', bytes: noise(900), stored: true, claims: { method: 8 } }, 'zip-damaged'],
  ])('that %s', async (_, part, problem, limits) => {
    const before = process.memoryUsage().rss;
    const { zip, entries } = await unpack(zipOf([part, good]), limits ? { limits } : {});
    expect(zip).toMatchObject({ status: 'unpacked', problem: null });
    expect(entries.map(({ status, problem }) => [status, problem])).toEqual([
      ['refused', problem],
      ['received', null],
    ]);
    const [rejected] = entries;
    expect(rejected?.detail).toMatch(/\w{3}/);
    expect(rejected?.sha256).toBeNull();
    expect(rejected?.path).not.toBe('');
    expect(process.memoryUsage().rss - before).toBeLessThan(100e6);
    expect(await readdir(temporaryFolder())).toEqual([]);
  });

  it('but a blank picture, which compresses a thousand to one, is accepted', async () => {
    const { entries } = await unpack(zipOf([{ name: 'blank', bytes: new Uint8Array(4_000_000) }]));
    expect(entries.map(outcome)).toEqual([['blank', 'received', null]]);
  });

  it('also one whose bytes cannot be stored', async () => {
    const full: FileStore = {
      ...files(),
      put: async (source, limit) => {
        const stored = await files().put(source, limit);
        const full = Object.assign(new Error('no space'), { code: 'ENOSPC', syscall: 'write' });
        if (stored.sizeBytes === 5) throw full;
        return stored;
      },
    };
    await expect(unpack(zipOf([{ name: 'a', bytes: noise(5) }, good]), { store: full })).rejects.toThrow('no space');
  });
});

describe('an invalid zip is rejected as a whole, before any entry is unpacked', () => {
  const parts = Array.from({ length: 12 }, (_, index) => ({ name: `f${index}`, bytes: noise(2000, index + 1) }));
  const whole = zipOf(parts);
  const quoted = zipOf(parts.map((part) => ({ ...part, claims: { offset: 0, packed: 20_000 } })));
  it.each<[string, Buffer, string, Partial<ImportLimits>?]>([
    ['has too many entries', whole, 'zip-too-many-entries', { zipEntries: 11 }],
    ['declares an absurd number of entries', zipOf(parts, { zip64: true, entries: 2 ** 52 }), 'zip-too-many-entries'],
    ['has more entries than declared', zipOf(parts, { entries: 3 }), 'zip-damaged'],
    ['has fewer entries than declared', zipOf(parts, { entries: 13 }), 'zip-damaged'],
    ['is too large unpacked', whole, 'zip-too-large', { zipBytes: 23_999 }],
    [
      'has entries that each compress too well',
      zipOf(Array.from({ length: 20 }, (_, index) => ({ name: `z${index}`, bytes: new Uint8Array(2 ** 20) }))),
      'zip-bomb',
    ],
    ['has overlapping entries', quoted, 'zip-bomb'],
    [
      'has two entries of the same bytes',
      zipOf([parts[0], { ...parts[0], name: 'b', claims: { offset: 0 } }, parts[1]].flatMap((part) => part ?? [])),
      'zip-damaged',
    ],
    ['is encrypted', zipOf(parts.map((part) => ({ ...part, flags: encrypted }))), 'zip-encrypted'],
    ['is strongly encrypted', zipOf(parts.map((part) => ({ ...part, flags: 0x41 }))), 'zip-encrypted'],
    ['is cut off', whole.subarray(0, whole.length - 100), 'zip-damaged'],
    ['lacks its middle', Buffer.concat([whole.subarray(0, 9000), whole.subarray(12_000)]), 'zip-damaged'],
    ['is cut off in its directory', Buffer.concat([whole.subarray(0, -300), whole.subarray(-22)]), 'zip-damaged'],
    ['has a directory at a wrong offset', zipOf(parts, { offset: 2 ** 31 }), 'zip-damaged'],
    ['has an end record beyond the safe integers', zipOf(parts, { zip64: true, zip64At: 2 ** 63 }), 'zip-damaged'],
    ['has a directory beyond the safe integers', zipOf(parts, { zip64: true, offset: 2 ** 63 }), 'zip-damaged'],
    ['holds nothing', zipOf([]), 'empty'],
    ['holds only folders', zipOf([{ name: 'a/' }, { name: '__MACOSX/._a' }]), 'empty'],
    ['is no zip', noise(5000), 'zip-damaged'],
    ['has no bytes', Buffer.alloc(0), 'zip-damaged'],
  ])('that %s', async (_, bytes, problem, limits) => {
    const { zip, entries } = await unpack(bytes, limits ? { limits } : {});
    expect(zip).toMatchObject({ status: 'refused', problem });
    expect(zip.detail).toMatch(/\w{3}/);
    expect(entries).toEqual([]);
  });

  it('also one that exceeds the limits together with the other zips of its import', async () => {
    await unpack(whole);
    const second = zipOf([{ name: 'more', bytes: noise(2000, 99) }]);
    expect((await unpack(second, { limits: { zipEntries: 12 } })).zip.problem).toBe('zip-too-many-entries');
    expect((await unpack(second, { limits: { zipBytes: 25_999 } })).zip.problem).toBe('zip-too-large');
    expect((await unpack(second, { limits: { zipBytes: 26_000, zipEntries: 13 } })).zip.status).toBe('unpacked');
  });

  it('also one whose bytes are lost', async () => {
    const row = await received(whole);
    const { zip } = await unpackRow({ ...row, sha256: 'f'.repeat(64) });
    expect(zip).toMatchObject({ status: 'refused', problem: 'storage-failed' });
  });
});
