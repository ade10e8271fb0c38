import type { RequestListener } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { needs, route, signedIn } from '../../contract/route.ts';
import { openid } from '../../contract/sign-in.ts';
import { createCall } from '../../src/services/call.ts';
import { type Failure, failureOf } from '../../src/services/failure.ts';
import { bodyOf, listening, memoryStore, tokenGiver, tokensIn } from './archive-double.ts';

const colour = route({
  method: 'POST',
  path: '/api/colours/:id',
  params: z.object({ id: z.string() }),
  query: z.object({ page: z.number(), q: z.string().optional() }),
  body: z.object({ name: z.string() }),
  access: signedIn,
  reply: z.object({ name: z.string() }),
});
const guarded = route({ method: 'GET', path: '/api/guarded', access: needs('role.get'), reply: z.object({}) });

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A signed-in browser before an archive that answers colour calls by `answer`. */
const signedInCall = async (answer: (giver: ReturnType<typeof tokenGiver>) => RequestListener) => {
  const giver = tokenGiver();
  const listener = answer(giver);
  const archive = await listening(async (request, response) => {
    if (request.url !== openid.tokenPath) return listener(request, response);
    const { status, body } = giver.give(new URLSearchParams(await bodyOf(request)));
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  closers.push(archive.close);
  let now = Date.now();
  const tokens = tokensIn(archive.origin, memoryStore(), () => now);
  const sleep = (ms: number) => {
    now += ms;
  };
  await tokens.grant('a@example.test', 'right');
  const refused: Failure[] = [];
  const call = createCall({ origin: archive.origin, tokens, onTokenRefused: (failure) => refused.push(failure) });
  const ask = () => call(colour, { params: { id: 'a/b' }, query: { page: 2 }, body: { name: 'röd' } });
  return { ...archive, giver, tokens, refused, call, ask, sleep };
};

const failureBy = async (work: Promise<unknown>): Promise<Failure> =>
  work.then(
    () => expect.unreachable('the call must fail'),
    (error: unknown) => failureOf(error),
  );

it('sends what the route asks for, with the bearer, and gives the reply', async () => {
  const heard: unknown[] = [];
  const { ask } = await signedInCall((giver) => async (request, response) => {
    const body = Buffer.from(await bodyOf(request), 'latin1').toString('utf8');
    heard.push({ method: request.method, url: request.url, good: giver.isGood(request), body: JSON.parse(body) });
    response.end(JSON.stringify({ name: 'blå', unknownField: 1 }));
  });
  expect(await ask()).toEqual({ name: 'blå' });
  expect(heard).toEqual([{ method: 'POST', url: '/api/colours/a%2Fb?page=2', good: true, body: { name: 'röd' } }]);
});

it('renews a refused token once and asks again', async () => {
  const { ask, giver, refused } = await signedInCall((giver) => (request, response) => {
    if (!giver.isGood(request)) return response.writeHead(401).end(JSON.stringify({ code: 'not-signed-in' }));
    response.end(JSON.stringify({ name: 'blå' }));
  });
  giver.spoil();
  expect(await ask()).toEqual({ name: 'blå' });
  expect(giver.renewals()).toBe(1);
  expect(refused).toEqual([]);
});

it('renews once for many calls that were refused together', async () => {
  const { ask, giver, refused } = await signedInCall((giver) => (request, response) => {
    if (!giver.isGood(request)) return response.writeHead(401).end(JSON.stringify({ code: 'not-signed-in' }));
    response.end(JSON.stringify({ name: 'blå' }));
  });
  giver.spoil();
  await Promise.all(Array.from({ length: 20 }, ask));
  expect(giver.renewals()).toBe(1);
  expect(refused).toEqual([]);
});

it('renews before it calls when the token ran out while the computer slept: no call fails', async () => {
  let refusals = 0;
  const { ask, giver, sleep, refused } = await signedInCall((giver) => (request, response) => {
    if (!giver.isGood(request)) refusals += 1;
    response.end(JSON.stringify({ name: 'blå' }));
  });
  giver.spoil();
  sleep(8 * 3_600_000);
  await Promise.all(Array.from({ length: 20 }, ask));
  expect(refusals).toBe(0);
  expect(giver.renewals()).toBe(1);
  expect(refused).toEqual([]);
});

it('says that the session is over when the token cannot be renewed', async () => {
  const { ask, giver, refused } = await signedInCall(() => (_, response) => {
    response.writeHead(401).end(JSON.stringify({ code: 'not-signed-in' }));
  });
  giver.revoke();
  expect(await failureBy(ask())).toMatchObject({ kind: 'refused', code: 'not-signed-in' });
  expect(refused).toHaveLength(1);
});

it('says so too when even the new token is refused', async () => {
  const { ask, refused } = await signedInCall(() => (_, response) => {
    response.writeHead(401).end(JSON.stringify({ code: 'not-signed-in' }));
  });
  expect(await failureBy(ask())).toMatchObject({ kind: 'refused', status: 401 });
  expect(refused).toHaveLength(1);
});

it('tells a refusal by its code and its fields', async () => {
  const { call, refused } = await signedInCall(() => (_, response) => {
    response.writeHead(403).end(JSON.stringify({ code: 'no-right', errors: [{ fieldKey: 'name' }] }));
  });
  expect(await failureBy(call(guarded))).toEqual({
    kind: 'refused',
    status: 403,
    code: 'no-right',
    errors: [{ fieldKey: 'name' }],
  });
  expect(refused).toEqual([]);
});

it('tells a broken server, whoever answers in its place', async () => {
  const { ask } = await signedInCall(() => (_, response) => {
    response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
  });
  expect(await failureBy(ask())).toEqual({ kind: 'refused', status: 502, code: 'internal', errors: [] });
});

it('tells a reply that breaks the contract from everything else', async () => {
  const { ask } = await signedInCall(() => (_, response) => {
    response.end(JSON.stringify({ name: 7 }));
  });
  expect(await failureBy(ask())).toEqual({ kind: 'drift', where: 'POST /api/colours/:id' });
});

it('is offline when nobody answers, and when the answer breaks off', async () => {
  const { ask, close } = await signedInCall(() => (_, response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{"name":', () => response.destroy());
  });
  expect(await failureBy(ask())).toEqual({ kind: 'offline' });
  await close();
  closers.length = 0;
  expect(await failureBy(ask())).toEqual({ kind: 'offline' });
});

it('stops when it is told to, and is not offline then', async () => {
  const controller = new AbortController();
  const { call } = await signedInCall(() => () => controller.abort(new Error('closed by the person')));
  const work = call(guarded, { signal: controller.signal });
  await expect(work).rejects.not.toMatchObject({ failure: expect.anything() });
});
