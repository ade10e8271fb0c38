import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { ImportFileRow } from '../../server/db/stores/imports.ts';
import type { FileStore } from '../../server/storage/file-store.ts';
import { zipOf } from '../dicom/build-zip.ts';
import { noise, zipUnpacking } from './zip-unpacking.ts';

const { received, rowsIn, rowOf, unpackRow, files, temporaryFolder } = zipUnpacking();

const outcome = ({ path, status, problem }: ImportFileRow) => [path, status, problem];

describe('unpacking resumes where it was stopped', () => {
  const parts = Array.from({ length: 30 }, (_, index) => ({ name: `f${index}`, bytes: noise(2000, index + 1) }));

  it('and unpacks nothing twice', async () => {
    const row = await received(zipOf([...parts, { name: '../x', bytes: noise(5) }]));
    const stop = new AbortController();
    const stopped = unpackRow(row, {
      signal: stop.signal,
      onEntry: (done) => {
        if (done === 10) stop.abort(new Error('the lease was lost'));
      },
    });
    await expect(stopped).rejects.toThrow('the lease was lost');
    expect((await rowOf(row.id)).status).toBe('received');
    const before = await rowsIn(row);
    expect(before.length).toBeGreaterThanOrEqual(10);
    expect(before.length).toBeLessThan(20);

    let puts = 0;
    const store: FileStore = {
      ...files(),
      put: (source, limit) => {
        puts += 1;
        return files().put(source, limit);
      },
    };
    const counts: number[] = [];
    const { zip, entries } = await unpackRow(row, { store, onEntry: (done) => counts.push(done) });
    expect(zip.status).toBe('unpacked');
    expect(puts).toBe(30 - before.length);
    expect(counts[0]).toBe(before.length + 1);
    expect(entries.map((entry) => entry.path)).toEqual([...parts.map(({ name }) => name), '../x']);
    expect(entries.slice(0, before.length).map(({ id }) => id)).toEqual(
      entries.filter(({ id }) => before.some((row) => row.id === id)).map(({ id }) => id),
    );
  });

  it('also when two processes run it at once', async () => {
    const row = await received(zipOf(parts));
    await Promise.all([unpackRow(row), unpackRow(row)]);
    expect((await rowsIn(row)).map((entry) => entry.path)).toEqual(parts.map(({ name }) => name));
    expect((await rowOf(row.id)).status).toBe('unpacked');
  });

  it('after a stop in the middle of a file, of which nothing remains', async () => {
    const row = await received(zipOf([{ name: 'large', bytes: noise(8_000_000), stored: true }]));
    const stop = new AbortController();
    const store: FileStore = {
      ...files(),
      put: (source, limit) =>
        files().put(
          (async function* () {
            for await (const chunk of source) {
              yield chunk;
              stop.abort(new Error('closing'));
            }
          })(),
          limit,
        ),
    };
    await expect(unpackRow(row, { store, signal: stop.signal })).rejects.toThrow('closing');
    expect(await rowsIn(row)).toEqual([]);
    expect(await readdir(temporaryFolder())).toEqual([]);
    expect((await unpackRow(row)).entries.map(outcome)).toEqual([['large', 'received', null]]);
  });
});
