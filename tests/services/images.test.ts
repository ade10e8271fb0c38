import type { RequestListener } from 'node:http';
import { afterEach, expect, it, vi } from 'vitest';
import { rendition } from '../../contract/images.ts';
import { failureOf } from '../../src/services/failure.ts';
import { createLoadBytes, lazyImages } from '../../src/services/images.ts';
import { listening } from './archive-double.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const loading = async (reply: RequestListener) => {
  const archive = await listening(reply);
  closers.push(archive.close);
  return createLoadBytes(archive.origin, (use) => use('bearer of maja'));
};

const uid = '8b0d1f5e-6f0e-4ad7-8c54-1c9f3a2b7d10';
const never = () => new AbortController().signal;
const failureBy = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('the load must fail'),
    (error: unknown) => failureOf(error),
  );

it('requests one frame of one level as in the contract, and reports the progress', async () => {
  const requests: unknown[] = [];
  const load = await loading((request, response) => {
    const url = new URL(request.url ?? '', 'http://archive');
    requests.push(
      url.pathname,
      rendition.query?.parse(Object.fromEntries(url.searchParams)),
      request.headers.authorization,
    );
    response.writeHead(200, { 'content-length': '6' }).end('abcdef');
  });
  const progress: (readonly [number, number | null])[] = [];
  const bytes = await load(uid, { frame: 7, level: 'reduced' }, never(), (...event) => progress.push(event));
  expect(new TextDecoder().decode(bytes)).toBe('abcdef');
  expect(requests).toEqual([rendition.path, { imageUID: uid, frame: 7, level: 'reduced' }, 'Bearer bearer of maja']);
  expect(progress.at(-1)).toEqual([6, 6]);
});

it('returns the code of a problem reply, and rejects an incomplete reply', async () => {
  const refused = await loading((_, response) => {
    response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify({ code: 'not-found' }));
  });
  const frame = { frame: 1, level: 'full' } as const;
  expect(await failureBy(refused(uid, frame, never()))).toMatchObject({ kind: 'refused', code: 'not-found' });
  const cut = await loading((_, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('only this', () => response.destroy());
  });
  expect(await failureBy(cut(uid, frame, never()))).toMatchObject({ kind: 'offline' });
});

it('is rejected with the reason of its abort signal', async () => {
  const load = await loading((_, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('begin');
  });
  const taken = new AbortController();
  const reason = new Error('another image is looked at');
  const work = load(uid, { frame: 1, level: 'full' }, taken.signal, () => taken.abort(reason));
  await expect(work).rejects.toBe(reason);
});

it('creates lazy images once, and forgets what they loaded only then', async () => {
  const forgetAll = vi.fn();
  const load = vi.fn(async () => ({ forgetAll }));
  const images = lazyImages(load);
  images.forgetAll();
  expect(load).not.toHaveBeenCalled();
  expect(await images.open()).toBe(await images.open());
  images.forgetAll();
  expect([load.mock.calls.length, forgetAll.mock.calls.length]).toEqual([1, 1]);
});
