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

/** A signed-in browser with an archive that replies to colour calls with `answer`. */
const signedInCall = async (reply: (giver: ReturnType<typeof tokenGiver>) => RequestListener) => {
  const giver = tokenGiver();
  const listener = reply(giver);
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
  const call = createCall({
    origin: archive.origin,
    tokens,
    language: () => 'da',
    onTokenRefused: (failure) => refused.push(failure),
  });
  const callColour = () => call(colour, { params: { id: 'a/b' }, query: { page: 2 }, body: { name: 'röd' } });
  return { ...archive, giver, tokens, refused, call, callColour, sleep };
};

const failureBy = async (work: Promise<unknown>): Promise<Failure> =>
  work.then(
    () => expect.unreachable('the call must fail'),
    (error: unknown) => failureOf(error),
  );

it('sends what the route defines, with the access token, and returns the reply', async () => {
  const received: unknown[] = [];
  const { callColour } = await signedInCall((giver) => async (request, response) => {
    const body = Buffer.from(await bodyOf(request), 'latin1').toString('utf8');
    const { method, url, headers } = request;
    const language = headers['accept-language'];
    received.push({ method, url, good: giver.isGood(request), language, body: JSON.parse(body) });
    response.end(JSON.stringify({ name: 'blå', unknownField: 1 }));
  });
  expect(await callColour()).toEqual({ name: 'blå' });
  expect(received).toEqual([
    { method: 'POST', url: '/api/colours/a%2Fb?page=2', good: true, language: 'da', body: { name: 'röd' } },
  ]);
});

it('renews a rejected token once and repeats the call', async () => {
  const { callColour, giver, refused } = await signedInCall((giver) => (request, response) => {
    if (!giver.isGood(request)) return response.writeHead(401).end(JSON.stringify({ code: 'not-signed-in' }));
    response.end(JSON.stringify({ name: 'blå' }));
  });
  giver.spoil();
  expect(await callColour()).toEqual({ name: 'blå' });
  expect(giver.renewals()).toBe(1);
  expect(refused).toEqual([]);
});

it('renews once for many calls that were rejected together', async () => {
  const { callColour, giver, refused } = await signedInCall((giver) => (request, response) => {
    if (!giver.isGood(request)) return response.writeHead(401).end(JSON.stringify({ code: 'not-signed-in' }));
    response.end(JSON.stringify({ name: 'blå' }));
  });
  giver.spoil();
  await Promise.all(Array.from({ length: 20 }, callColour));
  expect(giver.renewals()).toBe(1);
  expect(refused).toEqual([]);
});

it('renews before it calls when the token expired during sleep: no call fails', async () => {
  let rejections = 0;
  const { callColour, giver, sleep, refused } = await signedInCall((giver) => (request, response) => {
    if (!giver.isGood(request)) rejections += 1;
    response.end(JSON.stringify({ name: 'blå' }));
  });
  giver.spoil();
  sleep(8 * 3_600_000);
  await Promise.all(Array.from({ length: 20 }, callColour));
  expect(rejections).toBe(0);
  expect(giver.renewals()).toBe(1);
  expect(refused).toEqual([]);
});

it('ends the session when the token cannot be renewed', async () => {
  const { callColour, giver, refused } = await signedInCall(() => (_, response) => {
    response.writeHead(401).end(JSON.stringify({ code: 'not-signed-in' }));
  });
  giver.revoke();
  expect(await failureBy(callColour())).toMatchObject({ kind: 'refused', code: 'not-signed-in' });
  expect(refused).toHaveLength(1);
});

it('ends the session when the new token is rejected too', async () => {
  const { callColour, refused } = await signedInCall(() => (_, response) => {
    response.writeHead(401).end(JSON.stringify({ code: 'not-signed-in' }));
  });
  expect(await failureBy(callColour())).toMatchObject({ kind: 'refused', status: 401 });
  expect(refused).toHaveLength(1);
});

it('returns the code and the fields of a problem reply', async () => {
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

it('reports 5xx replies and replies of other servers as a server error', async () => {
  const { callColour } = await signedInCall(() => (_, response) => {
    response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
  });
  expect(await failureBy(callColour())).toEqual({ kind: 'refused', status: 502, code: 'internal', errors: [] });
});

it('distinguishes a reply that breaks the contract from everything else', async () => {
  const { callColour } = await signedInCall(() => (_, response) => {
    response.end(JSON.stringify({ name: 7 }));
  });
  expect(await failureBy(callColour())).toEqual({ kind: 'drift', where: 'POST /api/colours/:id' });
});

it('is offline when no server replies, and when the reply breaks off', async () => {
  const { callColour, close } = await signedInCall(() => (_, response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{"name":', () => response.destroy());
  });
  expect(await failureBy(callColour())).toEqual({ kind: 'offline' });
  await close();
  closers.length = 0;
  expect(await failureBy(callColour())).toEqual({ kind: 'offline' });
});

it('aborts on its signal, and is not offline then', async () => {
  const controller = new AbortController();
  const { call } = await signedInCall(() => () => controller.abort(new Error('closed by the person')));
  const work = call(guarded, { signal: controller.signal });
  await expect(work).rejects.not.toMatchObject({ failure: expect.anything() });
});
