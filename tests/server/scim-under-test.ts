import { directoryTokenCreate } from '../../contract/directory.ts';
import { employeesUnderTest, type JsonReply } from './employees-under-test.ts';

export const mediaType = 'application/scim+json';
export const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** The archive with two clinics, of which the first has a directory. */
export const scimUnderTest = async () => {
  const test = await employeesUnderTest();

  /** Makes a token of a clinic, and returns its secret. */
  const addToken = async (more: object = {}, as = 'admin'): Promise<string> => {
    const body = { customerId: test.clinics.customerId, name: 'Entra ID', days: 365, invitesIn: null, ...more };
    const reply = await test.callRoute(directoryTokenCreate, as, { body });
    if (reply.status !== 200) throw new Error(`no token: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body.secret;
  };
  let secret = await addToken();

  const call = async (
    method: string,
    path: string,
    body?: unknown,
    options: { readonly token?: string | null; readonly clinic?: string; readonly type?: string } = {},
  ): Promise<JsonReply & { readonly headers: Headers }> => {
    const { token = secret, clinic = test.clinics.customerId, type = mediaType } = options;
    const reply = await fetch(`${test.url}/scim/v2/${clinic}${path}`, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': type }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await reply.text();
    return { status: reply.status, headers: reply.headers, body: text === '' ? null : JSON.parse(text) };
  };
  const patch = (path: string, ...operations: readonly object[]) =>
    call('PATCH', path, { schemas: [patchSchema], Operations: operations });

  let number = 0;
  /** A user as Microsoft Entra ID sends it. */
  const aUser = (more: Readonly<Record<string, unknown>> = {}) => {
    number += 1;
    const address = `scim${number}@prov.example`;
    return {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: address,
      externalId: `id-${number}`,
      active: true,
      name: { givenName: 'Sanna', familyName: 'Katalog', formatted: 'Sanna Katalog' },
      emails: [{ primary: true, type: 'work', value: address }],
      ...more,
    };
  };
  const created = async (more: Readonly<Record<string, unknown>> = {}) => {
    const { status, body } = await call('POST', '/Users', aUser(more));
    if (status !== 201) throw new Error(`not created: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  const groupId = (name: string) => test.roleId(name);

  return {
    ...test,
    addToken,
    useToken: (next: string) => {
      secret = next;
    },
    call,
    patch,
    aUser,
    createdUser: created,
    groupId,
  };
};

export type ScimUnderTest = Awaited<ReturnType<typeof scimUnderTest>>;
