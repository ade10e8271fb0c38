import { expect } from 'vitest';
import { awsBegin } from '../../contract/aws-uploads.ts';
import { importBegin } from '../../contract/import-calls.ts';
import type { BodyOf } from '../../contract/route.ts';
import { defaultLimits } from '../../server/imports/limits.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { callerOf } from './aws-under-test.ts';
import { type ObjectStoreProcess, startObjectStore } from './object-store-process.ts';

export const partBytes = 5 * 2 ** 20;
export const waitOptions = { timeout: 30_000, interval: 50 };

export interface AwsArchive {
  readonly archive: ArchiveUnderTest;
  readonly objectStore: ObjectStoreProcess;
  readonly patientId: string;
}

/** Starts an object store and an archive that uses it, with one patient. */
export const startAwsArchive = async (): Promise<AwsArchive> => {
  const objectStore = await startObjectStore();
  const limits = { ...defaultLimits, partBytes, fileBytes: 40 * 2 ** 20, filesPerImport: 5 };
  const archive = await archiveUnderTest({ objectStore: objectStore.config, limits });
  return { archive, objectStore, patientId: await archive.addPatient() };
};

/** Calls of an import through the object store. */
export const awsImports = (running: () => AwsArchive) => {
  const call = (as?: string) => callerOf((target, body) => running().archive.post(target, body, as));
  const beginImport = async (changes: Partial<BodyOf<typeof importBegin>> = {}): Promise<string> => {
    const { id } = await call()(importBegin, { patientId: running().patientId, totalFilesCount: 1, ...changes });
    return id;
  };
  const begin = (id: string, key: string, sizeBytes: number, path = 'a.dcm', as?: string) =>
    call(as)(awsBegin, { id, key, path, sizeBytes });
  const cancel = async (id: string) =>
    expect((await running().archive.post('/resource/ImageImport/cancel', { id })).ok).toBe(true);
  /** Fetched objects are removed at once, those of cancelled imports soon. */
  const expectEmptyStore = async () => {
    await expect.poll(() => running().objectStore.objects(), waitOptions).toEqual([]);
    await expect.poll(() => running().objectStore.uploads(), waitOptions).toEqual([]);
  };
  return { call, beginImport, begin, cancel, expectEmptyStore };
};
