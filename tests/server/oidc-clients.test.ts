import { InMemoryWebStorage, OidcClient, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import * as client from 'openid-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openid } from '../../contract/sign-in.ts';
import { freePort } from '../free-port.ts';
import { addTwoClinics, password } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { cookieJar } from './flow.ts';
import { type RunningServer, runServer } from './running-server.ts';

let database: TestDatabase;
let running: RunningServer;
let clinic: Awaited<ReturnType<typeof addTwoClinics>>;
let issuer: string;
let redirectUri: string;

beforeAll(async () => {
  database = await testDatabase();
  clinic = await addTwoClinics(database.db);
  const port = await freePort();
  issuer = `http://127.0.0.1:${port}`;
  redirectUri = `${issuer}${openid.callbackPath}`;
  running = await runServer(database.database, { publicUrl: issuer }, port);
});
beforeEach(() => database.db.deleteFrom('sign_in_attempt').execute());
afterAll(async () => {
  await running?.close();
  await database?.close();
});

/** What the user does in the browser: from the authorization URL to the callback URL. */
const signInAsUser = async (address: string): Promise<string> => {
  const jar = cookieJar();
  const uid = (await jar.fetch(address)).headers.get('location')?.split('/').at(-1);
  const finished = await jar.fetch(`${issuer}/interaction/${uid}/password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'doctor@prov.example', password }),
  });
  const { redirectTo } = await finished.json();
  return (await jar.fetch(new URL(redirectTo, issuer).href)).headers.get('location') ?? '';
};

describe('openid-client', () => {
  const discovered = () =>
    client.discovery(new URL(issuer), openid.clientId, undefined, client.None(), {
      execute: [client.allowInsecureRequests],
    });

  const signIn = async (config: client.Configuration) => {
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const expectedState = client.randomState();
    const expectedNonce = client.randomNonce();
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: openid.scope,
      prompt: 'login',
      ui_locales: 'sv',
      state: expectedState,
      nonce: expectedNonce,
      code_challenge_method: 'S256',
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    });
    const back = new URL(await signInAsUser(address.href));
    const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true };
    return { back, checks, tokens: await client.authorizationCodeGrant(config, back, checks) };
  };

  it('uses discovery, signs in, renews, reads userinfo and signs out', async () => {
    const config = await discovered();
    expect(config.serverMetadata().supportsPKCE()).toBe(true);
    const { tokens } = await signIn(config);
    expect(tokens.claims()).toMatchObject({ iss: issuer, aud: openid.clientId, sub: clinic.doctorId });
    const renewed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(renewed.claims()?.auth_time).toBe(tokens.claims()?.auth_time);
    const who = await client.fetchUserInfo(config, renewed.access_token, clinic.doctorId);
    expect(who.name).toBe('Anna Prov');
    await client.tokenRevocation(config, renewed.refresh_token ?? '');
    await expect(client.refreshTokenGrant(config, renewed.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    await expect(client.fetchUserInfo(config, renewed.access_token, clinic.doctorId)).rejects.toThrow();
  });

  it('loses the session when it uses a refresh token or a code twice', async () => {
    const config = await discovered();
    const first = await signIn(config);
    const renewed = await client.refreshTokenGrant(config, first.tokens.refresh_token ?? '');
    for (const token of [first.tokens.refresh_token, renewed.refresh_token])
      await expect(client.refreshTokenGrant(config, token ?? '')).rejects.toMatchObject({ error: 'invalid_grant' });

    const second = await signIn(config);
    const again = client.authorizationCodeGrant(config, second.back, second.checks);
    await expect(again).rejects.toMatchObject({ error: 'invalid_grant' });
    const over = client.refreshTokenGrant(config, second.tokens.refresh_token ?? '');
    await expect(over).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  it('repeats an attempt whose reply was lost', async () => {
    const config = await discovered();
    const { tokens } = await signIn(config);
    const attempt = { [openid.attemptParameter]: client.randomState() };
    const lost = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', attempt);
    const again = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', attempt);
    expect(again.refresh_token).toBe(lost.refresh_token);
  });
});

describe('oidc-client-ts', () => {
  const settingsOf = () => {
    const store = new InMemoryWebStorage();
    return {
      authority: issuer,
      client_id: openid.clientId,
      redirect_uri: redirectUri,
      scope: openid.scope,
      response_type: 'code',
      loadUserInfo: true,
      automaticSilentRenew: false,
      userStore: new WebStorageStateStore({ store }),
      stateStore: new WebStorageStateStore({ store }),
    };
  };
  const signedIn = async () => {
    const settings = settingsOf();
    const manager = new UserManager(settings);
    // The manager itself would open a window there.
    const request = await new OidcClient(settings).createSigninRequest({
      request_type: 'si:r',
      prompt: 'login',
      ui_locales: 'sv',
      state: { place: '/search' },
    });
    const user = await manager.signinRedirectCallback(await signInAsUser(request.url));
    return { manager, user };
  };

  it('signs in, renews silently, and signs out', async () => {
    const { manager, user } = await signedIn();
    expect(user.profile).toMatchObject({ sub: clinic.doctorId, name: 'Anna Prov' });
    expect(user.state).toEqual({ place: '/search' });
    const renewed = await manager.signinSilent();
    expect(renewed?.access_token).not.toBe(user.access_token);
    expect(renewed?.refresh_token).not.toBe(user.refresh_token);
    expect(renewed?.profile.sub).toBe(clinic.doctorId);
    const call = () =>
      fetch(`${issuer}/api/Account/info`, { headers: { authorization: `Bearer ${renewed?.access_token}` } });
    expect((await call()).status).toBe(200);
    await manager.revokeTokens(['refresh_token']);
    expect((await call()).status).toBe(401);
    await manager.removeUser();
  });

  it('repeats an attempt whose reply was lost, and loses the session without one', async () => {
    const { manager, user } = await signedIn();
    const extraTokenParams = { [openid.attemptParameter]: client.randomState() };
    const lost = await manager.signinSilent({ extraTokenParams });
    await manager.storeUser(user);
    const again = await manager.signinSilent({ extraTokenParams });
    expect(again?.refresh_token).toBe(lost?.refresh_token);
    await manager.storeUser(user);
    await expect(manager.signinSilent()).rejects.toMatchObject({ error: 'invalid_grant' });
    await manager.storeUser(again);
    await expect(manager.signinSilent()).rejects.toMatchObject({ error: 'invalid_grant' });
    await manager.removeUser();
  });

  it('is notified when the user cancelled', async () => {
    const settings = settingsOf();
    const request = await new OidcClient(settings).createSigninRequest({ request_type: 'si:r' });
    const jar = cookieJar();
    const uid = (await jar.fetch(request.url)).headers.get('location')?.split('/').at(-1);
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    const { redirectTo } = await (await jar.fetch(`${issuer}/interaction/${uid}/abort`, init)).json();
    const back = (await jar.fetch(new URL(redirectTo, issuer).href)).headers.get('location') ?? '';
    await expect(new UserManager(settings).signinRedirectCallback(back)).rejects.toMatchObject({
      error: 'access_denied',
    });
  });
});
