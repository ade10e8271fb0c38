import { JSDOM } from 'jsdom';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { importDicom } from '../../contract/uploads.ts';
import type { Failure } from '../../src/services/failure.ts';
import { createUploads, type FileToSend } from '../../src/services/uploads.ts';
import { xhrSend } from '../../src/services/xhr-send.ts';
import { bodyOf, listening } from './archive-double.ts';

const taskId = '8c2f6a55-4f9c-4f0e-9d0d-2f4f6b1c7d01';
const fileId = '4a2d1d6a-1c89-4cf1-a4b6-6a1e4d1b2e05';
const closers: (() => Promise<void>)[] = [];
const cross = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };

let browser: JSDOM;
beforeEach(() => {
  browser = new JSDOM('', { url: 'http://127.0.0.1/' });
  const { XMLHttpRequest, FormData, File, Blob } = browser.window;
  for (const [name, value] of Object.entries({ XMLHttpRequest, FormData, File, Blob })) vi.stubGlobal(name, value);
});
afterEach(async () => {
  vi.unstubAllGlobals();
  browser.window.close();
  for (const close of closers.splice(0)) await close();
});

const chosen = (key: string, text = `bytes of ${key}`): FileToSend => ({
  key,
  file: new File([text], `${key}.dcm`) as unknown as File,
});

/** An archive that answers each file by its name and the number of the attempt. */
const archiveOf = async (answer: (name: string, attempt: number) => number | 'hang up' | 'wait') => {
  const attempts = new Map<string, number>();
  const bodies: string[] = [];
  let [underWay, most] = [0, 0];
  const archive = await listening(async (request, response) => {
    if (request.method === 'OPTIONS') return response.writeHead(204, cross).end();
    underWay += 1;
    most = Math.max(most, underWay);
    const body = await bodyOf(request);
    await new Promise(setImmediate);
    underWay -= 1;
    bodies.push(body);
    const name = /filename="([^"]+)"/.exec(body)?.[1] ?? '';
    const attempt = (attempts.get(name) ?? 0) + 1;
    attempts.set(name, attempt);
    const status = answer(name, attempt);
    if (status === 'wait') return;
    if (status === 'hang up') return request.socket.destroy();
    const taken = { fileId, sizeBytes: 1, sha256: 'ab' };
    response.writeHead(status, cross).end(JSON.stringify(status < 400 ? taken : { code: codeOf(status) }));
  });
  closers.push(archive.close);
  return { ...archive, attempts, bodies, most: () => most };
};
const codeOf = (status: number) =>
  ({ 401: 'not-signed-in', 409: 'import-wrong-step', 413: 'too-large' })[status] ?? 'internal';

const upload = (origin: string, files: readonly FileToSend[], bearers: string[] = ['token']) => {
  const said: string[] = [];
  const progress = new Map<string, number>();
  const { promise, resolve } = Promise.withResolvers<Failure | 'finished'>();
  const stop = createUploads({
    origin,
    sendMultipart: xhrSend,
    parallel: 2,
    pausesMs: [1, 1],
    withBearer: async (attempt) => {
      const answer = await attempt(bearers[0] ?? null);
      return answer.status === 401 && bearers[1] ? attempt(bearers[1]) : answer;
    },
  })(taskId, files, {
    onProgress: (key, loaded) => progress.set(key, loaded),
    onTaken: (key) => said.push(`${key} taken`),
    onRefused: (key, failure) => said.push(`${key} refused ${failure.kind === 'refused' ? failure.code : ''}`),
    onFinished: () => resolve('finished'),
    onBroken: resolve,
  });
  return { said, progress, ended: promise, stop };
};

it('sends the id before the file, two files at a time, and tells how far it is', async () => {
  const archive = await archiveOf(() => 200);
  const { said, progress, ended } = upload(
    archive.origin,
    ['a', 'b', 'c', 'd'].map((key) => chosen(key)),
  );
  expect(await ended).toBe('finished');
  expect(said.sort()).toEqual(['a taken', 'b taken', 'c taken', 'd taken']);
  expect(archive.most()).toBe(2);
  for (const body of archive.bodies) {
    expect(body.indexOf('name="id"')).toBeLessThan(body.indexOf('name="file"'));
    expect(body).toContain(taskId);
  }
  expect(archive.bodies.join()).toContain('bytes of c');
  expect(progress.get('a')).toBeGreaterThan('bytes of a'.length);
  expect(importDicom.path).toBe('/resource/ImageImport/dicom');
});

it('lets one refused file harm none of the others', async () => {
  const archive = await archiveOf((name) => (name === 'b.dcm' ? 413 : 200));
  const { said, ended } = upload(archive.origin, [chosen('a'), chosen('b'), { key: 'lost', file: null }, chosen('c')]);
  expect(await ended).toBe('finished');
  expect(said.sort()).toEqual(['a taken', 'b refused too-large', 'c taken', 'lost refused invalid-request']);
});

it('sends a file again when the line was lost', async () => {
  const archive = await archiveOf((_, attempt) => (attempt < 3 ? 'hang up' : 200));
  const { said, ended } = upload(archive.origin, [chosen('a')]);
  expect(await ended).toBe('finished');
  expect(said).toEqual(['a taken']);
  expect(archive.attempts.get('a.dcm')).toBe(3);
});

it('gives up after the last pause, and says so once', async () => {
  const archive = await archiveOf(() => 503);
  const { said, ended } = upload(archive.origin, [chosen('a'), chosen('b')]);
  expect(await ended).toMatchObject({ kind: 'refused', status: 503 });
  expect(said).toEqual([]);
});

it('does not insist when the whole import is refused', async () => {
  const archive = await archiveOf(() => 409);
  const { ended } = upload(archive.origin, [chosen('a')]);
  expect(await ended).toMatchObject({ kind: 'refused', code: 'import-wrong-step' });
  expect(archive.attempts.get('a.dcm')).toBe(1);
});

it('builds the request anew when the token was renewed on the way', async () => {
  const archive = await archiveOf((_, attempt) => (attempt === 1 ? 401 : 200));
  const { ended } = upload(archive.origin, [chosen('a')], ['old', 'new']);
  expect(await ended).toBe('finished');
  expect(archive.bodies.every((body) => body.includes('bytes of a'))).toBe(true);
});

it('is silent after it was stopped', async () => {
  const reached = Promise.withResolvers<void>();
  const archive = await archiveOf(() => {
    reached.resolve();
    return 'wait';
  });
  const { said, ended, stop } = upload(archive.origin, [chosen('a')]);
  await reached.promise;
  stop();
  const silence = new Promise<string>((resolve) => setImmediate(() => setImmediate(() => resolve('silence'))));
  expect(await Promise.race([ended, silence])).toBe('silence');
  expect(said).toEqual([]);
});
