import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Route } from '../../../contract/route.ts';
import { routes } from '../../../contract/routes.ts';
import type { ServiceScope } from '../../../contract/service-scopes.ts';
import { serviceScopes } from '../../../contract/service-scopes.ts';
import { type ServiceAccountsUnderTest, serviceAccountsUnderTest } from '../service-accounts-under-test.ts';
import { smallObject } from '../small-object.ts';
import { callRoute } from './call-route.ts';
import { addRecord, madeUp, type RecordIds, versionsOf } from './record.ts';
import type { RequestInput } from './scene.ts';
import { sceneOf } from './scenes.ts';

type Name = keyof typeof routes;
const callers = ['own', 'other', 'both', 'without'] as const;

/** Tokens by scope: of an account of the first clinic, of the other one, of both, and of the first with all other scopes. */
const tokens = new Map<ServiceScope, Record<(typeof callers)[number], string>>();
let test: ServiceAccountsUnderTest;
let own: RecordIds;
let other: RecordIds;

beforeAll(async () => {
  test = await serviceAccountsUnderTest();
  const { customerId, otherCustomerId } = test.clinics;
  const tokenOf = async (customerIds: readonly string[], scopes: readonly ServiceScope[]) =>
    (await test.tokenOf(await test.made({ customerIds, scopes }, 'super'))).replace('Bearer ', '');
  for (const scope of serviceScopes)
    tokens.set(scope, {
      own: await tokenOf([customerId], [scope]),
      other: await tokenOf([otherCustomerId], [scope]),
      both: await tokenOf([customerId, otherCustomerId], [scope]),
      without: await tokenOf(
        [customerId],
        serviceScopes.filter((one) => one !== scope),
      ),
    });
});
beforeEach(async () => {
  const { files, db, clinics } = test;
  const stored = await files.put(Readable.from([Buffer.from(smallObject())]));
  own = await addRecord(db, clinics.customerId, stored);
  other = await addRecord(db, clinics.otherCustomerId, stored);
});
afterAll(() => test?.close());

const ofService = (Object.keys(routes) as Name[]).flatMap((name) => {
  const route: Route = routes[name];
  return route.service ? [[name, route, route.service] as const] : [];
});

describe.each(ofService)('%s for service accounts', (name, route, scope) => {
  const { requestOf, allowed = [200] } = sceneOf(name);
  const call = (who: (typeof callers)[number], input: RequestInput) =>
    callRoute(test.url, route, input, tokens.get(scope)?.[who] ?? '');

  it('answers for the own clinic', async () => {
    for (const who of ['own', 'both'] as const) {
      const { status, text } = await call(who, requestOf(own));
      expect(allowed, `${who}: ${status} ${text.slice(0, 200)}`).toContain(status);
    }
  });

  it('answers about another clinic as if it did not exist, and changes nothing there', async () => {
    const before = [await versionsOf(test.db, own), await versionsOf(test.db, other)];
    expect((await call('own', requestOf(other))).status).toBe(404);
    expect(await call('own', requestOf(other))).toEqual(await call('own', requestOf(madeUp())));
    expect(await call('other', requestOf(own))).toEqual(await call('other', requestOf(madeUp())));
    // What another clinic has, asked for as of the own one, also by an account of both. Replies to objects name them.
    const withoutNames = async (who: (typeof callers)[number], ids: RecordIds) => {
      const { status, text } = await call(who, requestOf({ ...ids, customerId: own.customerId }));
      return { status, text: text.replaceAll(ids.studyUid, 'STUDY') };
    };
    for (const who of ['own', 'both'] as const) {
      const foreign = await withoutNames(who, other);
      expect(foreign, who).toEqual(await withoutNames(who, madeUp()));
      expect(foreign.text, who).not.toMatch(/Hemlig/);
    }
    expect(await versionsOf(test.db, other)).toEqual(before[1]);
    if (route.service !== 'dicomweb.write') expect(await versionsOf(test.db, own)).toEqual(before[0]);
  });

  it('challenges calls without a token and with a wrong one', async () => {
    for (const [token, challenge] of [
      [null, 'Bearer'],
      ['x', 'Bearer error="invalid_token"'],
    ] as const)
      expect(await callRoute(test.url, route, requestOf(own), token)).toMatchObject({ status: 401, challenge });
  });

  it('is refused without the scope, and changes nothing', async () => {
    const before = await versionsOf(test.db, own);
    const challenge = `Bearer error="insufficient_scope", scope="${scope}"`;
    expect(await call('without', requestOf(own))).toMatchObject({ status: 403, challenge });
    expect(await call('without', requestOf(other))).toEqual(await call('without', requestOf(madeUp())));
    expect((await call('without', requestOf(other))).status).toBe(404);
    expect(await versionsOf(test.db, own)).toEqual(before);
  });
});

it('has no route for service accounts beside those of a clinic', () => {
  expect(ofService.length).toBeGreaterThan(25);
  for (const [, { path }] of ofService) expect(path).toContain(':clinic');
});

it('refuses service accounts on every other route', async () => {
  const token = tokens.get('dicomweb.read')?.both ?? '';
  for (const name of Object.keys(routes) as Name[]) {
    const route: Route = routes[name];
    if (route.service || route.access === 'anyone') continue;
    const { status } = await callRoute(test.url, route, sceneOf(name).requestOf(own), token);
    expect([401, 403], name).toContain(status);
  }
});
