import { expect, it } from 'vitest';
import { createSemaphore } from '../../src/services/semaphore.ts';
import { createUploads } from '../../src/services/uploads.ts';
import { fakeArchive, type Request } from '../fake-archive.ts';
import { archiveWith, chosen, isUpload, taskId } from './uploads-under-test.ts';

const many = (count: number, size = 100) => Array.from({ length: count }, (_, index) => chosen(`${index}.dcm`, size));

it('sends many small files in one request, each with its path, and reports the progress of each', async () => {
  const archive = await archiveWith();
  const { reported, progress, ended } = archive.upload(many(45));
  expect(await ended).toBe('finished');
  expect(archive.uploads().map(({ what, paths }) => [what, paths.length])).toEqual([
    ['/resource/ImageImport/batch', 20],
    ['/resource/ImageImport/batch', 20],
    ['/resource/ImageImport/batch', 5],
  ]);
  expect(archive.held()).toHaveLength(45);
  expect(reported.filter((what) => what.endsWith('uploaded'))).toHaveLength(45);
  expect(new Set(progress.values())).toEqual(new Set([100]));
});

it('sends no more than about 8 MB at once', async () => {
  const archive = await archiveWith({ limits: { partBytes: 10_000_000, fileBytes: 10_000_000 } });
  expect(await archive.upload(many(6, 3_000_000)).ended).toBe('finished');
  expect(archive.uploads().map(({ paths }) => paths.length)).toEqual([2, 2, 2]);
});

it('sends a folder with a DICOMDIR and a zip by their own calls', async () => {
  const archive = await archiveWith();
  expect(await archive.upload([chosen('DICOMDIR'), chosen('IM/1')], 'dicomdir').ended).toBe('finished');
  expect(await archive.upload([chosen('disc.zip')], 'dicomdir').ended).toBe('finished');
  expect(archive.uploads().map(({ what }) => what.split('/').at(-1))).toEqual(['dir', 'zip']);
});

it('isolates a rejected file from the others of its request', async () => {
  const archive = await archiveWith();
  const files = [...many(12), chosen('refused.dcm'), ...many(7).map(({ path }) => chosen(`x${path}`))];
  const { reported, ended } = archive.upload(files);
  expect(await ended).toBe('finished');
  expect(reported.filter((what) => !what.endsWith('uploaded'))).toEqual(['refused.dcm refused too-large']);
  expect(archive.held()).toHaveLength(19);
});

it('reports files that are too large or that the browser lost before it sends bytes', async () => {
  const archive = await archiveWith({ limits: { fileBytes: 1_000, partBytes: 2_000 } });
  const { reported, ended } = archive.upload([
    chosen('huge.dcm', 1_001),
    { ...chosen('gone.dcm'), file: null },
    chosen('a'),
  ]);
  expect(await ended).toBe('finished');
  expect(reported).toEqual(['huge.dcm refused too-large', 'gone.dcm lost', 'a uploaded']);
});

it('waits while the network is down, reports that, and continues automatically', async () => {
  let lost = 12;
  const archive = await archiveWith({ outcomeOf: () => (lost-- > 0 ? 'request-lost' : 'processed') });
  const { reported, ended } = archive.upload(many(2));
  expect(await ended).toBe('finished');
  expect(reported).toContain('waiting');
  expect(reported.lastIndexOf('continued')).toBeGreaterThan(reported.lastIndexOf('waiting'));
  expect(archive.held()).toHaveLength(2);
});

it('continues at once when the browser is online again', async () => {
  let isUp = false;
  const archive = fakeArchive({ outcomeOf: () => (isUp ? 'processed' : 'request-lost') });
  archive.tasks.set(taskId, {
    patientId: null,
    totalFilesCount: 1,
    step: 0,
    cancelled: false,
    files: [],
    studies: [],
  });
  const up = Promise.withResolvers<() => void>();
  const network = {
    onOnline: (listener: () => void) => {
      up.resolve(listener);
      return () => {};
    },
  };
  const ended = Promise.withResolvers<string>();
  createUploads({
    ...archive,
    network,
    delaysMs: [3_600_000],
    origin: 'http://archive',
    semaphore: createSemaphore(1),
  })('dicom', {
    partBytes: 500,
  })(taskId, [chosen('a')], {
    onProgress: () => {},
    onUploaded: () => {},
    onRefused: () => {},
    onLost: () => {},
    onWaiting: () => {},
    onFinished: () => ended.resolve('finished'),
    onBroken: ({ kind }) => ended.resolve(kind),
  });
  const listener = await up.promise;
  isUp = true;
  listener();
  expect(await ended.promise).toBe('finished');
});

it('does not duplicate what arrived when only the reply was lost', async () => {
  let first = true;
  const archive = await archiveWith({
    outcomeOf: (request) => {
      if (!isUpload(request) || !first) return 'processed';
      first = false;
      return 'reply-lost';
    },
  });
  const { reported, ended } = archive.upload(many(3));
  expect(await ended).toBe('finished');
  expect(reported.filter((what) => what.endsWith('uploaded'))).toHaveLength(3);
  expect(archive.held()).toHaveLength(3);
  expect(archive.uploads()).toHaveLength(2);
});

it('fails once when the archive replies with an internal error', async () => {
  const archive = await archiveWith({ outcomeOf: (request) => (isUpload(request) ? 500 : 'processed') });
  const { reported, ended } = archive.upload(many(2));
  expect(await ended).toMatchObject({ kind: 'refused', status: 500 });
  expect(reported).toEqual([]);
  expect(archive.uploads()).toHaveLength(4);
});

it('does not retry when the whole import is rejected', async () => {
  const archive = await archiveWith({ outcomeOf: (request) => (isUpload(request) ? 409 : 'processed') });
  expect(await archive.upload(many(2)).ended).toMatchObject({ kind: 'refused', code: 'import-wrong-step' });
  expect(archive.uploads()).toHaveLength(1);
});

const isPart = ({ what, paths }: Request) => what.endsWith('/part') && paths.length > 0;

it('sends a large file in parts, and resumes where it stopped after a connection loss', async () => {
  let requests = 0;
  const archive = await archiveWith({
    outcomeOf: (request) => {
      if (!isPart(request)) return 'processed';
      requests += 1;
      if (requests === 2) return 'request-lost';
      return requests === 3 ? 'reply-lost' : 'processed';
    },
  });
  const large = chosen('large.dcm', 2_300);
  const { ended, reported } = archive.upload([large]);
  expect(await ended).toBe('finished');
  expect(reported.filter((what) => what.endsWith('uploaded'))).toEqual(['large.dcm uploaded']);
  // Five parts of up to 500 bytes. The lost one is sent again; the one whose reply was lost is not.
  expect(requests).toBe(6);
  expect(archive.parts.get(large.key)?.map(({ length }) => length)).toEqual([500, 500, 500, 500, 300]);
});

it('continues a large file where another session stopped', async () => {
  let requests = 0;
  const reached = Promise.withResolvers<void>();
  const archive = await archiveWith({
    outcomeOf: (request) => {
      if (!isPart(request)) return 'processed';
      requests += 1;
      if (requests !== 3) return 'processed';
      reached.resolve();
      return new Promise(() => {});
    },
  });
  const large = chosen('large.dcm', 2_300);
  const first = archive.upload([large]);
  await reached.promise;
  first.stop();
  expect(archive.parts.get(large.key)).toHaveLength(2);
  const again = archive.upload([large]);
  expect(await again.ended).toBe('finished');
  expect(again.reported.at(-1)).toBe('large.dcm uploaded');
  expect(archive.parts.get(large.key)?.map(({ length }) => length)).toEqual([500, 500, 500, 500, 300]);
  expect(first.reported).toEqual([]);
});

it('detects a file that was moved since it was chosen', async () => {
  const archive = await archiveWith({
    outcomeOf: (request) => (request.paths.some((path) => path.includes('moved')) ? 'request-lost' : 'processed'),
  });
  const moved = chosen('moved.dcm');
  Object.defineProperty(moved.file, 'slice', {
    value: () => ({ arrayBuffer: () => Promise.reject(new DOMException('', 'NotReadableError')) }),
  });
  const { reported, ended } = archive.upload([chosen('a'), moved, chosen('b')]);
  expect(await ended).toBe('finished');
  expect(reported.filter((what) => !/waiting|continued/.test(what)).sort()).toEqual([
    'a uploaded',
    'b uploaded',
    'moved.dcm lost',
  ]);
});

it('reports nothing after it was stopped', async () => {
  const held = Promise.withResolvers<'processed'>();
  const reached = Promise.withResolvers<void>();
  const archive = await archiveWith({
    outcomeOf: (request) => {
      if (!isUpload(request)) return 'processed';
      reached.resolve();
      return held.promise;
    },
  });
  const { reported, ended, stop } = archive.upload(many(1));
  await reached.promise;
  stop();
  held.resolve('processed');
  // The reply is delivered within two turns of the event loop.
  const silence = new Promise<string>((resolve) => setImmediate(() => setImmediate(() => resolve('silence'))));
  expect(await Promise.race([ended, silence])).toBe('silence');
  expect(reported).toEqual([]);
});

it('runs four concurrent requests over all imports, and starves none of them', async () => {
  const archive = await archiveWith({
    outcomeOf: () => new Promise((resolve) => setImmediate(() => resolve('processed'))),
  });
  const ids = Array.from({ length: 6 }, () => crypto.randomUUID());
  for (const id of ids)
    archive.tasks.set(id, {
      patientId: null,
      totalFilesCount: 300,
      step: 0,
      cancelled: false,
      files: [],
      studies: [],
    });
  const ends = await Promise.all(ids.map((id) => archive.upload(many(300), 'dicom', id).ended));
  expect(new Set(ends)).toEqual(new Set(['finished']));
  expect(archive.maxConcurrent()).toBe(4);
  const order = archive.uploads().map(({ taskId: of }) => of);
  expect(order).toHaveLength(90);
  // At any time the imports differ by at most four sent requests.
  const counts = new Map<string, number>(ids.map((id) => [id, 0]));
  let maxDifference = 0;
  for (const id of order) {
    counts.set(id ?? '', (counts.get(id ?? '') ?? 0) + 1);
    const values = [...counts.values()];
    maxDifference = Math.max(maxDifference, Math.max(...values) - Math.min(...values));
  }
  expect(maxDifference).toBeLessThanOrEqual(4);
});
