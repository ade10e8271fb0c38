import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ServiceError } from '../../src/services/failure.ts';
import { createSharedAccess } from '../../src/services/shared-access.ts';
import { idOf } from '../views/records.ts';

const content = {
  clinic: 'Provkliniken',
  recipient: 'Käkkirurgen',
  purpose: null,
  question: null,
  expiresAt: '2026-12-04T12:00:00.000Z',
  patient: null,
  images: [],
};
const link = { id: idOf(1), secret: 's'.repeat(43) };

const requests: Request[] = [];
let reply: () => Response = () => Response.json({ ...content, bearer: 'opened' });
beforeEach(() => {
  requests.length = 0;
  reply = () => Response.json({ ...content, bearer: 'opened' });
  vi.stubGlobal('fetch', async (request: Request) => {
    requests.push(request.clone());
    return reply();
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const access = () => createSharedAccess('http://archive.example');
const signal = () => new AbortController().signal;
const sent = () => requests.map(({ url, headers }) => [new URL(url).pathname, headers.get('authorization')]);

it('opens a link, keeps the bearer to itself, and reads with it', async () => {
  const calls = access();
  expect(await calls.open(link, 'ABCD-EFGH')).toEqual(content);
  expect(await requests[0]?.json()).toEqual({ ...link, code: 'ABCD-EFGH' });
  reply = () => new Response(Uint8Array.of(1, 2, 3), { headers: { 'content-length': '3', 'x-left-out': '2' } });
  await calls.thumbnail(idOf(2), signal());
  await calls.loadBytes(idOf(2), { frame: 3, level: 'full' }, signal());
  const { content: zip, leftOut } = await calls.download(() => {}, signal());
  expect([zip.size, leftOut]).toEqual([3, 2]);
  expect(sent()).toEqual([
    ['/resource/shared/open', null],
    ['/resource/shared/thumbnail', 'Bearer opened'],
    ['/resource/shared/rendition', 'Bearer opened'],
    ['/resource/shared/download', 'Bearer opened'],
  ]);
  expect(new URL(requests[2]?.url ?? '').search).toBe(`?imageUID=${idOf(2)}&frame=3&level=full`);
  // Neither secret nor code is in an address.
  for (const { url } of requests) expect(url).not.toMatch(/sss|ABCD/);
  calls.leave();
  await calls.thumbnail(idOf(2), signal());
  expect(sent().at(-1)).toEqual(['/resource/shared/thumbnail', null]);
});

it('reports the code of a rejected call, and a reply that breaks the contract', async () => {
  const calls = access();
  const failureOf = async (call: Promise<unknown>) => {
    const error = await call.catch((reason: unknown) => reason);
    if (!(error instanceof ServiceError)) throw new Error('no ServiceError');
    return error.failure;
  };
  reply = () => Response.json({ code: 'shared-link-invalid' }, { status: 404 });
  const invalid = { kind: 'refused', status: 404, code: 'shared-link-invalid' };
  expect(await failureOf(calls.open(link, 'x'))).toMatchObject(invalid);
  expect(await failureOf(calls.thumbnail(idOf(2), signal()))).toMatchObject(invalid);
  expect(await failureOf(calls.loadBytes(idOf(2), { frame: 1, level: 'full' }, signal()))).toMatchObject(invalid);
  expect(await failureOf(calls.download(() => {}, signal()))).toMatchObject(invalid);
  reply = () => Response.json({ ...content, bearer: 'opened', images: 'none' });
  expect(await failureOf(calls.open(link, 'x'))).toEqual({ kind: 'drift', where: 'POST /resource/shared/open' });
});
