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
import { accountId, bodyOf, listening, storage, tokenGiver, tokenOf, tokensIn } from './archive-double.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const clinicId = 'b1f7a1de-5a58-4a58-9b3b-0c8e6d3b3f01';
const user = { customerId: null, customerRights: { super_admin: true } };
const offline: Failure = { kind: 'offline' };

/** An archive that fails a number of times before it replies, with the calls that it received. */
const archive = (failures: readonly Failure[] = []) => {
  const left = [...failures];
  const requests: string[] = [];
  const call = async ({ path }: Route) => {
    requests.push(path);
    const failure = left.shift();
    if (failure) throw new ServiceError(failure);
    if (path === roleClaims.path || path === roles.path) return [];
    return path === customerGet.path ? { name: 'Solrosen' } : user;
  };
  return { call: call as Call, requests };
};

interface BrowserOptions {
  readonly address?: string;
  readonly states?: Storage;
  readonly store?: Storage;
  readonly now?: () => number;
  readonly chosenClinicId?: string;
}

/** A page of this program in a browser: its URL and its stores. */
const page = (origin: string, call: Call, options: BrowserOptions = {}) => {
  const { address = '/', states = storage(), store = storage(), now } = options;
  const seen = { current: `${origin}${address}`, requestedPath: null as string | null };
  const tokens = tokensIn(origin, store, now);
  const client = createQueryClient();
  const dictionaries = createDictionaries(call);
  const session = createSession({
    tokens,
    call,
    codeFlow: async () => createCodeFlow(origin, states),
    passkeyCalls: async () => ({ askForPasskey: () => Promise.reject(new Error('no passkey')) }),
    language: () => 'sv',
    delaysMs: [1, 1],
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
      returnPath: () => seen.requestedPath,
      setReturnPath: (place) => {
        seen.requestedPath = place;
      },
    },
  });
  return { session, tokens, seen, store, states };
};

const tokensOf = (permission: readonly string[], customer_id: string | null = null) => {
  const claims = { sub: accountId, exp: 0, role: [], permission, customer_id };
  const access_token = `.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`;
  return { access_token, refresh_token: 'r', token_type: 'Bearer', expires_in: 300 };
};

const signedInPage = (call: Call, permission: readonly string[] = [], options: BrowserOptions = {}) => {
  const made = page('http://localhost', call, options);
  made.tokens.save(tokensOf(permission));
  return made;
};

/** The archive's provider: codes are `code-1`, and valid once. */
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
    const idToken = tokenOf(accountId, 1);
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify(isCode && isGood ? { ...body, id_token: idToken } : body));
  });
  closers.push(server.close);
  return { ...server, giver, verifiers, answering };
};

/** What is stored in the browser when it has left for the provider. */
const leftFor = (origin: string, place: string | null) => {
  const states = storage();
  const state = {
    id: 'state-1',
    created: Math.floor(Date.now() / 1000),
    request_type: 'si:r',
    data: { place },
    code_verifier: 'v'.repeat(43),
    authority: origin,
    client_id: openid.clientId,
    scope: openid.scope,
    redirect_uri: `${origin}${openid.callbackPath}`,
    response_mode: 'query',
  };
  states.setItem('oidc.state-1', JSON.stringify(state));
  return states;
};
const back = `${openid.callbackPath}?code=code-1&state=state-1`;

it('resolves an account in spite of short connection losses, as when a page is reloaded twice in a row', async () => {
  const { call, requests } = archive([offline, offline]);
  expect(await signedInPage(call).session.resolve()).toMatchObject({ user, clinic: null });
  expect(requests).toEqual([roleClaims.path, accountInfo.path, roleClaims.path, accountInfo.path]);
});

it('fetches dictionaries, clinic and account in this order, and the roles only with the right to read them', async () => {
  const { call, requests } = archive();
  const account = await signedInPage(call, ['role.get', 'customer.get'], {
    chosenClinicId: clinicId,
  }).session.resolve();
  expect(account.clinic).toEqual({ id: clinicId, name: 'Solrosen' });
  expect(requests).toEqual([roleClaims.path, roles.path, customerGet.path, accountInfo.path]);
});

it('gives up when there is no reply in the end, and at once when the archive rejects the call', async () => {
  const silent = archive(Array.from({ length: 9 }, () => offline));
  await expect(signedInPage(silent.call).session.resolve()).rejects.toMatchObject({ failure: { kind: 'offline' } });
  expect(silent.requests).toHaveLength(6);
  const refusing = archive([{ kind: 'refused', status: 403, code: 'account-inactive', errors: [] }]);
  await expect(signedInPage(refusing.call).session.resolve()).rejects.toMatchObject({ failure: { status: 403 } });
  expect(refusing.requests).toHaveLength(2);
});

it('fetches all of it at once, and reports the first failure in the order of the calls', async () => {
  const answers = Promise.withResolvers<void>();
  const requests: string[] = [];
  const call = async ({ path }: Route) => {
    requests.push(path);
    // The later ones fail sooner.
    if (path !== roleClaims.path)
      throw new ServiceError({ kind: 'refused', status: 404, code: 'not-found', errors: [] });
    await answers.promise;
    throw new ServiceError({ kind: 'refused', status: 403, code: 'account-inactive', errors: [] });
  };
  const resolving = signedInPage(call as Call).session.resolve();
  expect(requests).toEqual([roleClaims.path, accountInfo.path]);
  answers.resolve();
  await expect(resolving).rejects.toMatchObject({ failure: { code: 'account-inactive' } });
});

it('completes the code flow, and opens the requested path without the code', async () => {
  const { origin, verifiers } = await provider();
  const states = leftFor(origin, '/patient/7?tab=2');
  const { session, seen, tokens, store } = page(origin, archive().call, { address: back, states });
  expect((await session.restore())?.renewInMs).toBeGreaterThan(280_000);
  expect(seen.current).toBe(`${origin}/patient/7?tab=2`);
  expect(verifiers).toEqual(['v'.repeat(43)]);
  expect(states.length).toBe(0);
  // The record is oidc-client-ts's own.
  expect(JSON.parse(store.getItem(tokens.storageKey) ?? '')).toMatchObject({
    access_token: tokenOf(accountId, 1),
    refresh_token: 'refresh-1',
    id_token: tokenOf(accountId, 1),
    profile: { sub: accountId },
  });
});

it('redeems a code once when called twice, and retries while the archive is unavailable', async () => {
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

it('rejects the state of another browser, and signs in no user', async () => {
  const { origin, giver } = await provider();
  for (const [address, code] of [
    [`${openid.callbackPath}?code=code-1&state=state-2`, 'sign-in-expired'],
    [`${openid.callbackPath}?code=code-1`, 'sign-in-expired'],
    [`${openid.callbackPath}?code=code-9&state=state-1`, 'sign-in-expired'],
    [`${openid.callbackPath}?error=access_denied&state=state-1`, 'sign-in-cancelled'],
    [`${openid.callbackPath}?error=access_denied&error_description=no-account&state=state-1`, 'no-account'],
  ] as const) {
    const { session, seen, tokens } = page(origin, archive().call, { address, states: leftFor(origin, null) });
    seen.requestedPath = '/patient/7';
    expect(await session.restore().then(() => null, failureOf), address).toMatchObject({ kind: 'refused', code });
    expect(tokens.current(), address).toBeNull();
    // The next sign-in still opens the requested path.
    expect(seen.current, address).toBe(`${origin}/patient/7`);
  }
  expect(giver.renewals()).toBe(0);
});

it('continues when a redirect that was completed already is loaded again', async () => {
  const { origin } = await provider();
  const first = page(origin, archive().call, { address: back, states: leftFor(origin, null) });
  await first.session.restore();
  const { states, store } = first;
  const again = page(origin, archive().call, { address: back, states, store });
  expect((await again.session.restore())?.renewInMs).toBeGreaterThan(280_000);
  expect(again.seen.current).toBe(`${origin}/`);
});

it('restores a sign-in after hours of sleep, and ends one that the archive no longer accepts', async () => {
  const { origin, giver } = await provider();
  let now = Date.now();
  const { session, tokens } = page(origin, archive().call, { now: () => now });
  await session.signIn('a@example.test', 'right', { code: null, passkey: null });
  now += 8 * 3_600_000;
  expect(session.current()).toEqual({ renewInMs: 0 });
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

it('keeps a sign-in that cannot be renewed because there is no reply', async () => {
  const { origin, answering } = await provider();
  let now = Date.now();
  const { session, tokens } = page(origin, archive().call, { now: () => now });
  await session.signIn('a@example.test', 'right', { code: null, passkey: null });
  now += 600_000;
  answering.isAway = true;
  expect(await session.restore().then(() => null, failureOf)).toEqual(offline);
  expect(tokens.current()).not.toBeNull();
  answering.isAway = false;
  expect(await session.restore()).not.toBeNull();
});

it('does not leave for an unavailable archive', async () => {
  const { session, seen } = page('http://localhost', archive([offline]).call);
  expect(await session.startRedirect('bankid', '/patient/7').then(() => null, failureOf)).toEqual(offline);
  expect(seen.requestedPath).toBe('/patient/7');
});

it('an account waits for what is fetched beside its clinic', async () => {
  const { call } = archive();
  let come: () => void = () => {};
  const load = createLoadAccount({
    call,
    client: createQueryClient(),
    dictionaries: createDictionaries(call),
    chosenClinicId: () => null,
    onClinicRequested: () =>
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
