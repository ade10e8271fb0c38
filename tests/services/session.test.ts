import { afterEach, expect, it } from 'vitest';
import { accountInfo } from '../../contract/account.ts';
import { customerGet } from '../../contract/customers.ts';
import { roleClaims, roles } from '../../contract/roles.ts';
import type { Route } from '../../contract/route.ts';
import { openid } from '../../contract/sign-in.ts';
import { createLoadAccount } from '../../src/services/account.ts';
import type { Call } from '../../src/services/call.ts';
import { createDictionaries } from '../../src/services/dictionaries.ts';
import { type Failure, failureOf, ServiceError } from '../../src/services/failure.ts';
import { createCodeFlow } from '../../src/services/oidc.ts';
import { createQueryClient } from '../../src/services/queries.ts';
import { createSession } from '../../src/services/session.ts';
import { bodyOf, listening, person, storage, tokenGiver, tokenOf, tokensIn } from './archive-double.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const clinicId = 'b1f7a1de-5a58-4a58-9b3b-0c8e6d3b3f01';
const user = { customerId: null, customerRights: { super_admin: true } };
const offline: Failure = { kind: 'offline' };

/** An archive that fails so often before it answers; what it was asked. */
const archive = (failures: readonly Failure[] = []) => {
  const left = [...failures];
  const asked: string[] = [];
  const call = async ({ path }: Route) => {
    asked.push(path);
    const failure = left.shift();
    if (failure) throw new ServiceError(failure);
    if (path === roleClaims.path || path === roles.path) return [];
    return path === customerGet.path ? { name: 'Solrosen' } : user;
  };
  return { call: call as Call, asked };
};

interface BrowserOptions {
  readonly address?: string;
  readonly states?: Storage;
  readonly store?: Storage;
  readonly now?: () => number;
  readonly chosenClinicId?: string;
}

/** A page of this program in a browser: its address, its stores. */
const page = (origin: string, call: Call, options: BrowserOptions = {}) => {
  const { address = '/', states = storage(), store = storage(), now } = options;
  const seen = { current: `${origin}${address}`, wanted: null as string | null };
  const tokens = tokensIn(origin, store, now);
  const client = createQueryClient();
  const dictionaries = createDictionaries(call);
  const session = createSession({
    ...{ tokens, call, codeFlow: async () => createCodeFlow(origin, states), language: () => 'sv', pausesMs: [1, 1] },
    loadAccount: createLoadAccount({
      call,
      client,
      dictionaries,
      chosenClinicId: () => options.chosenClinicId ?? null,
    }),
    address: {
      current: () => seen.current,
      replace: (place) => {
        seen.current = `${origin}${place}`;
      },
      wanted: () => seen.wanted,
      want: (place) => {
        seen.wanted = place;
      },
    },
  });
  return { session, tokens, seen, store, states };
};

const tokensOf = (permission: readonly string[], customer_id: string | null = null) => {
  const claims = { sub: person, exp: 0, role: [], permission, customer_id };
  const access_token = `.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`;
  return { access_token, refresh_token: 'r', token_type: 'Bearer', expires_in: 300 };
};

const signedInPage = (call: Call, permission: readonly string[] = [], options: BrowserOptions = {}) => {
  const made = page('http://localhost', call, options);
  made.tokens.keep(tokensOf(permission));
  return made;
};

/** The archive's provider: codes are `code-1`, and good once. */
const provider = async () => {
  const giver = tokenGiver();
  const codes = new Set(['code-1']);
  const verifiers: (string | null)[] = [];
  const answering = { isAway: false };
  const server = await listening(async (request, response) => {
    const form = new URLSearchParams(await bodyOf(request));
    if (request.url !== openid.tokenPath) return response.end('{}');
    if (answering.isAway) return response.writeHead(502, { 'content-type': 'text/html' }).end('away');
    const isCode = form.get('grant_type') === 'authorization_code';
    if (isCode) verifiers.push(form.get('code_verifier'));
    const isGood = !isCode || codes.delete(form.get('code') ?? '');
    const { status, body } = isGood ? giver.give(form) : { status: 400, body: { error: 'invalid_grant' } };
    const idToken = tokenOf(person, 1);
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify(isCode && isGood ? { ...body, id_token: idToken } : body));
  });
  closers.push(server.close);
  return { ...server, giver, verifiers, answering };
};

/** What lies in the browser when it has left for the provider. */
const leftFor = (origin: string, place: string | null) => {
  const states = storage();
  const state = {
    ...{ id: 'state-1', created: Math.floor(Date.now() / 1000), request_type: 'si:r', data: { place } },
    ...{ code_verifier: 'v'.repeat(43), authority: origin, client_id: openid.clientId, scope: openid.scope },
    ...{ redirect_uri: `${origin}${openid.callbackPath}`, response_mode: 'query' },
  };
  states.setItem('oidc.state-1', JSON.stringify(state));
  return states;
};
const back = `${openid.callbackPath}?code=code-1&state=state-1`;

it('resolves an account although the line blinks, as when a page is loaded twice in a row', async () => {
  const { call, asked } = archive([offline, offline]);
  expect(await signedInPage(call).session.resolve()).toMatchObject({ user, clinic: null });
  expect(asked).toEqual([roleClaims.path, accountInfo.path, roleClaims.path, accountInfo.path]);
});

it('asks for dictionaries, clinic and account in this order, the roles only of who may read them', async () => {
  const { call, asked } = archive();
  const account = await signedInPage(call, ['role.get', 'customer.get'], {
    chosenClinicId: clinicId,
  }).session.resolve();
  expect(account.clinic).toEqual({ id: clinicId, name: 'Solrosen' });
  expect(asked).toEqual([roleClaims.path, roles.path, customerGet.path, accountInfo.path]);
});

it('gives up when nobody answers in the end, and at once when the archive refuses', async () => {
  const silent = archive(Array.from({ length: 9 }, () => offline));
  await expect(signedInPage(silent.call).session.resolve()).rejects.toMatchObject({ failure: { kind: 'offline' } });
  expect(silent.asked).toHaveLength(6);
  const refusing = archive([{ kind: 'refused', status: 403, code: 'account-inactive', errors: [] }]);
  await expect(signedInPage(refusing.call).session.resolve()).rejects.toMatchObject({ failure: { status: 403 } });
  expect(refusing.asked).toHaveLength(2);
});

it('asks for all of it at once, and tells of the first that failed in the order of asking', async () => {
  const answers = Promise.withResolvers<void>();
  const asked: string[] = [];
  const call = async ({ path }: Route) => {
    asked.push(path);
    // The later ones fail sooner.
    if (path !== roleClaims.path)
      throw new ServiceError({ kind: 'refused', status: 404, code: 'not-found', errors: [] });
    await answers.promise;
    throw new ServiceError({ kind: 'refused', status: 403, code: 'account-inactive', errors: [] });
  };
  const resolving = signedInPage(call as Call).session.resolve();
  expect(asked).toEqual([roleClaims.path, accountInfo.path]);
  answers.resolve();
  await expect(resolving).rejects.toMatchObject({ failure: { code: 'account-inactive' } });
});

it('finishes the way back of the code flow, and is where the person wanted to be, without the code', async () => {
  const { origin, verifiers } = await provider();
  const states = leftFor(origin, '/patient/7?tab=2');
  const { session, seen, tokens, store } = page(origin, archive().call, { address: back, states });
  expect((await session.restore())?.renewInMs).toBeGreaterThan(280_000);
  expect(seen.current).toBe(`${origin}/patient/7?tab=2`);
  expect(verifiers).toEqual(['v'.repeat(43)]);
  expect(states.length).toBe(0);
  // The record is oidc-client-ts's own.
  expect(JSON.parse(store.getItem(tokens.storageKey) ?? '')).toMatchObject({
    ...{ access_token: tokenOf(person, 1), refresh_token: 'refresh-1', id_token: tokenOf(person, 1) },
    profile: { sub: person },
  });
});

it('asks once when it is asked twice, and goes on trying when the archive is away on the way back', async () => {
  const { origin, verifiers, answering } = await provider();
  const { session, seen } = page(origin, archive().call, { address: back, states: leftFor(origin, null) });
  answering.isAway = true;
  expect(await session.restore().then(() => null, failureOf)).toEqual(offline);
  expect(seen.current).toBe(`${origin}${back}`);
  answering.isAway = false;
  await Promise.all([session.restore(), session.restore()]);
  expect(verifiers).toHaveLength(1);
  expect(seen.current).toBe(`${origin}/`);
});

it('says so when the state is another browser’s, and takes nobody in', async () => {
  const { origin, giver } = await provider();
  for (const [address, code] of [
    [`${openid.callbackPath}?code=code-1&state=state-2`, 'sign-in-expired'],
    [`${openid.callbackPath}?code=code-1`, 'sign-in-expired'],
    [`${openid.callbackPath}?code=code-9&state=state-1`, 'sign-in-expired'],
    [`${openid.callbackPath}?error=access_denied&state=state-1`, 'sign-in-cancelled'],
    [`${openid.callbackPath}?error=access_denied&error_description=no-account&state=state-1`, 'no-account'],
  ] as const) {
    const { session, seen, tokens } = page(origin, archive().call, { address, states: leftFor(origin, null) });
    seen.wanted = '/patient/7';
    expect(await session.restore().then(() => null, failureOf), address).toMatchObject({ kind: 'refused', code });
    expect(tokens.current(), address).toBeNull();
    // Whoever signs in now still goes where they wanted to.
    expect(seen.current, address).toBe(`${origin}/patient/7`);
  }
  expect(giver.renewals()).toBe(0);
});

it('goes on when a way back that was walked already is loaded again', async () => {
  const { origin } = await provider();
  const first = page(origin, archive().call, { address: back, states: leftFor(origin, null) });
  await first.session.restore();
  const { states, store } = first;
  const again = page(origin, archive().call, { address: back, states, store });
  expect((await again.session.restore())?.renewInMs).toBeGreaterThan(280_000);
  expect(again.seen.current).toBe(`${origin}/`);
});

it('takes up a sign-in after a night of sleep, and ends one that the archive takes no more', async () => {
  const { origin, giver } = await provider();
  let now = Date.now();
  const { session, tokens } = page(origin, archive().call, { now: () => now });
  await session.signIn('a@example.test', 'right', null);
  now += 8 * 3_600_000;
  expect(session.now()).toEqual({ renewInMs: 0 });
  await session.restore();
  expect(giver.renewals()).toBe(1);
  // What another tab, or a call, has renewed is not renewed again.
  await session.renew();
  expect(giver.renewals()).toBe(1);
  giver.revoke();
  now += 15 * 86_400_000;
  expect(await session.restore().then(() => null, failureOf)).toMatchObject({ code: 'not-signed-in' });
  expect(tokens.current()).toBeNull();
});

it('keeps a sign-in that cannot be renewed because nobody answers', async () => {
  const { origin, answering } = await provider();
  let now = Date.now();
  const { session, tokens } = page(origin, archive().call, { now: () => now });
  await session.signIn('a@example.test', 'right', null);
  now += 600_000;
  answering.isAway = true;
  expect(await session.restore().then(() => null, failureOf)).toEqual(offline);
  expect(tokens.current()).not.toBeNull();
  answering.isAway = false;
  expect(await session.restore()).not.toBeNull();
});

it('does not leave for an archive that is away', async () => {
  const { session, seen } = page('http://localhost', archive([offline]).call);
  expect(await session.leaveFor('bankid', '/patient/7').then(() => null, failureOf)).toEqual(offline);
  expect(seen.wanted).toBe('/patient/7');
});

it('an account waits for what is asked beside its clinic', async () => {
  const { call } = archive();
  let come: () => void = () => {};
  const load = createLoadAccount({
    ...{ call, client: createQueryClient(), dictionaries: createDictionaries(call), chosenClinicId: () => null },
    onClinicAsked: () =>
      new Promise<void>((resolve) => {
        come = resolve;
      }),
  });
  const loaded = load({ sub: 'x', permission: ['customer.get'], customer_id: clinicId } as never);
  const early = await Promise.race([loaded, new Promise((resolve) => void setImmediate(resolve, 'waits'))]);
  expect(early).toBe('waits');
  come();
  expect(await loaded).toMatchObject({ clinic: { id: clinicId, name: 'Solrosen' } });
});
