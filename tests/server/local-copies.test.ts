import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openDerivedCache } from '../../server/resource/derived-cache.ts';
import { startTidyingCopies } from '../../server/resource/local-copies.ts';
import { homeOf } from '../../server/storage/home-of.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { smallObject } from './small-object.ts';

let archive: ArchiveUnderTest;
beforeAll(async () => {
  archive = await archiveUnderTest();
});
afterAll(() => archive?.remove());

test('a node removes thumbnails of files whose record another node has destroyed, and keeps those of images', async () => {
  const patientId = await archive.addPatient();
  await archive.importAll(patientId, { 'a.dcm': smallObject() });
  await archive.archive.thumbnails.idle();
  const { sha256 } = await archive.db.selectFrom('image').select('sha256').executeTakeFirstOrThrow();
  const thumbnails = openDerivedCache(path.join(archive.dataFolder, 'thumbnails'));
  const destroyed = 'f'.repeat(64);
  await thumbnails.write(`${destroyed}-1`, Uint8Array.of(1));
  await thumbnails.write(`${sha256}-9`, Uint8Array.of(1));
  const failures: unknown[] = [];
  const home = homeOf(path.join(archive.dataFolder, 'files'));
  const tidying = startTidyingCopies({ db: archive.db, home, caches: [thumbnails], keepMs: 0 }, (error) =>
    failures.push(error),
  );
  onTestFinished(tidying.close);
  await expect.poll(() => thumbnails.has(`${destroyed}-1`)).toBe(false);
  await tidying.close();
  expect([await thumbnails.has(`${sha256}-9`), failures]).toEqual([true, []]);
});
