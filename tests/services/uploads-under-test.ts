import type { ImportKind } from '../../contract/imports.ts';
import { importLimitsGet } from '../../contract/uploads.ts';
import type { Failure } from '../../src/services/failure.ts';
import { createSemaphore } from '../../src/services/semaphore.ts';
import { createUploader } from '../../src/services/uploader.ts';
import { createUploads, type FileToSend } from '../../src/services/uploads.ts';
import { type FakeArchiveOptions, fakeArchive, type Request } from '../fake-archive.ts';

export const taskId = '8c2f6a55-4f9c-4f0e-9d0d-2f4f6b1c7d01';

export const chosen = (path: string, size = 100): FileToSend => ({
  key: crypto.randomUUID(),
  path,
  file: new File([new Uint8Array(size).fill(path.length)], path),
});

export const isUpload = (request: Request) =>
  !request.what.endsWith('/limits') && !request.what.endsWith('ImageImport');

export const archiveWith = async (options: FakeArchiveOptions = {}) => {
  const archive = fakeArchive(options);
  archive.tasks.set(taskId, {
    patientId: null,
    totalFilesCount: 1,
    step: 0,
    cancelled: false,
    files: [],
    studies: [],
  });
  const semaphore = createSemaphore(4);
  const network = { onOnline: () => () => {} };
  const timing = { network, delaysMs: [1, 1, 1] };
  const uploader = createUploader({
    ...timing,
    limits: () => archive.call(importLimitsGet),
    toArchive: createUploads({ ...timing, ...archive, origin: 'http://archive', semaphore }),
    toObjectStore: () => () => {},
  });
  const upload = (files: readonly FileToSend[], kind: ImportKind = 'dicom', id = taskId) => {
    const pathOf = new Map(files.map(({ key, path }) => [key, path]));
    const reported: string[] = [];
    const progress = new Map<string, number>();
    const { promise, resolve } = Promise.withResolvers<Failure | 'finished'>();
    const name = (key: string) => pathOf.get(key);
    const stop = uploader(kind)(id, files, {
      onProgress: (key, loaded) => progress.set(name(key) ?? '', loaded),
      onUploaded: (key) => reported.push(`${name(key)} uploaded`),
      onRefused: (key, failure) => reported.push(`${name(key)} refused ${failure.kind === 'refused' && failure.code}`),
      onLost: (key) => reported.push(`${name(key)} lost`),
      onWaiting: (waiting) => {
        if (reported.at(-1) !== 'waiting' && waiting) reported.push('waiting');
        if (reported.includes('waiting') && !waiting) reported.push('continued');
      },
      onFinished: () => resolve('finished'),
      onBroken: resolve,
    });
    return { reported, progress, ended: promise, stop };
  };
  const held = () => archive.tasks.get(taskId)?.files.map(({ path }) => path) ?? [];
  const uploads = () => archive.requests.filter(isUpload);
  return { ...archive, upload, held, uploads };
};
