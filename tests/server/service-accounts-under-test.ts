import {
  type ServiceAccount,
  serviceAccountCreate,
  serviceAccountRevoke,
  serviceAccounts,
} from '../../contract/service-accounts.ts';
import { openid } from '../../contract/sign-in.ts';
import { type Authenticator, authenticator } from '../../server/identity/authenticate.ts';
import { openKeys } from '../../server/identity/keys.ts';
import { employeesUnderTest, type JsonReply } from './employees-under-test.ts';
import { vaultUnderTest } from './vault-under-test.ts';

export interface MadeAccount {
  readonly account: ServiceAccount;
  readonly secret: string;
}

/** How a program sends its secret. */
export type SecretIn = 'header' | 'body';

/** The archive with two clinics and functions of service accounts. */
export const serviceAccountsUnderTest = async () => {
  const test = await employeesUnderTest();
  const { customerId } = test.clinics;
  const callers: Authenticator = authenticator(test.db, await openKeys(test.db, vaultUnderTest()), 'http://localhost');

  const makeBody = (more: object = {}) => ({
    customerIds: [customerId],
    name: 'OHIF',
    scopes: ['dicomweb.read'],
    days: 90,
    ...more,
  });
  const made = async (more: object = {}, as = 'admin'): Promise<MadeAccount> => {
    const reply = await test.callRoute(serviceAccountCreate, as, { body: makeBody(more) });
    if (reply.status !== 200) throw new Error(`no account: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  const listed = async (as = 'admin', of = customerId): Promise<ServiceAccount[]> =>
    (await test.callRoute(serviceAccounts, as, { params: { customerId: of } })).body.accounts;
  const revoke = (id: string, as = 'admin', of = customerId): Promise<JsonReply> =>
    test.callRoute(serviceAccountRevoke, as, { body: { customerId: of, id } });

  const requestToken = async (
    { account: { id }, secret }: { readonly account: { readonly id: string }; readonly secret: string },
    { by = 'header', ...fields }: { readonly by?: SecretIn; readonly scope?: string } = {},
  ): Promise<JsonReply & { readonly headers: Headers }> => {
    const body = new URLSearchParams({ grant_type: 'client_credentials', ...fields });
    if (by === 'body')
      for (const [name, value] of Object.entries({ client_id: id, client_secret: secret })) body.set(name, value);
    const basic = Buffer.from(`${id}:${secret}`).toString('base64');
    const reply = await fetch(`${test.url}${openid.tokenPath}`, {
      method: 'POST',
      ...(by === 'header' && { headers: { authorization: `Basic ${basic}` } }),
      body,
    });
    return { status: reply.status, headers: reply.headers, body: await reply.json() };
  };
  /** Returns the header of calls. */
  const tokenOf = async (account: MadeAccount, scope?: string): Promise<string> => {
    const { status, body } = await requestToken(account, scope === undefined ? {} : { scope });
    if (status !== 200) throw new Error(`no token: ${status} ${JSON.stringify(body)}`);
    return `Bearer ${body.access_token}`;
  };
  const callerOf = (header: string) => callers.serviceOf(header);

  return { ...test, callers, makeBody, made, listedAccounts: listed, revoke, requestToken, tokenOf, callerOf };
};

export type ServiceAccountsUnderTest = Awaited<ReturnType<typeof serviceAccountsUnderTest>>;
