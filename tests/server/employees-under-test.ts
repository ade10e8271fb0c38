import { randomUUID } from 'node:crypto';
import { accountInfo } from '../../contract/account.ts';
import type { Claim } from '../../contract/claims.ts';
import { pathOf, type Route } from '../../contract/route.ts';
import { accountCreate, accountUpdate, customerUsers, type Employee } from '../../contract/users.ts';
import { hashedToken } from '../../server/db/stores/token-hash.ts';
import { addAccount, addClinic, addTwoClinics, password } from './clinic.ts';
import { testDatabase } from './database.ts';
import { bearer, runServer, signIn } from './running-server.ts';

interface RequestInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly form?: FormData;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface JsonReply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a reply of any of the routes
  readonly body: any;
}

/** Valid in Sweden, without owner. */
export const personalNumber = '198001019804';

/** The archive with two clinics; users are identified by the local part of their e-mail address. */
export const employeesUnderTest = async () => {
  const test = await testDatabase();
  const { db } = test;
  const clinics = await addTwoClinics(db);
  const running = await runServer(test.database);
  const tokens = new Map<string, Record<string, string>>();

  const enter = async (who: string): Promise<void> => {
    tokens.set(who, bearer(await signIn(running.url, `${who}@prov.example`)));
  };
  for (const who of ['super', 'admin', 'doctor', 'other']) await enter(who);

  const callRoute = async (route: Route, as: string | null, input: RequestInput = {}): Promise<JsonReply> => {
    const { params, query, body, form, headers } = input;
    const reply = await fetch(
      `${running.url}${pathOf(route.path, params)}${query ? `?${new URLSearchParams(query)}` : ''}`,
      {
        method: route.method,
        headers: {
          ...headers,
          ...(as === null ? {} : tokens.get(as)),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(form ? { body: form } : body === undefined ? {} : { body: JSON.stringify(body) }),
      },
    );
    return { status: reply.status, body: await reply.json().catch(() => null) };
  };

  const roleId = async (name: string): Promise<string> =>
    (await db.selectFrom('role').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id;

  const addRole = async (name: string, rank: number, claims: readonly Claim[]): Promise<string> => {
    const id = randomUUID();
    await db
      .insertInto('role')
      .values({ id, name, rank, claims: [...claims] })
      .execute();
    return id;
  };

  /** Creates an account with that role and signs in. */
  const addUser = async (who: string, role: string, customerId: string | null): Promise<string> => {
    const id = await addAccount(db, { email: `${who}@prov.example`, role: 'Doctor', customerId });
    await db
      .updateTable('account')
      .set({ role_id: await roleId(role) })
      .where('id', '=', id)
      .execute();
    await enter(who);
    return id;
  };

  /** The form of a doctor of the first clinic. */
  const fields = async (more: Readonly<Record<string, unknown>> = {}) => ({
    email: `${randomUUID()}@prov.example`,
    firstName: 'Åsa',
    lastName: 'Björk',
    personalNumber,
    telephone: '070-174 06 05',
    hiredSince: '2020-02-29',
    isActive: true,
    customerId: clinics.customerId,
    roles: [await roleId('Doctor')],
    azureUsername: '',
    avatarLink: null,
    ...more,
  });

  const create = async (as: string, more: Readonly<Record<string, unknown>> = {}): Promise<JsonReply> =>
    callRoute(accountCreate, as, { body: { ...(await fields(more)), password } });

  const created = async (more: Readonly<Record<string, unknown>> = {}): Promise<Employee> => {
    const { status, body } = await create('super', more);
    if (status !== 200) throw new Error(`not created: ${status} ${JSON.stringify(body)}`);
    return body;
  };

  /** An edit of a user as last read. */
  const edit = (seen: Employee, more: Readonly<Record<string, unknown>> = {}) => ({
    id: seen.id,
    securityStamp: seen.securityStamp,
    version: seen.version,
    email: seen.email,
    firstName: seen.firstName,
    lastName: seen.lastName,
    personalNumber: seen.personalNumber,
    telephone: seen.telephone,
    hiredSince: seen.hiredSince,
    isActive: seen.isActive,
    customerId: seen.customerId,
    roles: [seen.role.id],
    azureUsername: seen.azureUsername,
    avatarLink: null,
    ...more,
  });

  const update = (as: string, seen: Employee, more: Readonly<Record<string, unknown>> = {}): Promise<JsonReply> =>
    callRoute(accountUpdate, as, { body: edit(seen, more) });

  /** A user of the first clinic as lists show them. */
  const listed = async (id: string): Promise<Employee | undefined> => {
    const { body } = await callRoute(customerUsers, 'super', { params: clinics, query: { ppage: '500' } });
    return body.data.find((one: Employee) => one.id === id);
  };

  /** Returns whether the default test password opens this account. */
  const maySignIn = (email: string): Promise<boolean> =>
    signIn(running.url, email).then(
      () => true,
      () => false,
    );

  const opensSession = (token: string): Promise<boolean> =>
    fetch(`${running.url}${accountInfo.path}`, { headers: { authorization: `Bearer ${token}` } }).then(({ ok }) => ok);

  /** Creates a pending password reset link. */
  const addLink = async (accountId: string): Promise<void> => {
    const link = { key_hash: hashedToken(randomUUID()), account_id: accountId };
    await db
      .insertInto('password_reset')
      .values({ ...link, expires_at: new Date(Date.now() + 60_000) })
      .execute();
  };
  const links = (accountId: string) =>
    db.selectFrom('password_reset').select('key_hash').where('account_id', '=', accountId).execute();

  const entriesOf = (objectId: string) =>
    db
      .selectFrom('access_log')
      .select(['action', 'account_id', 'customer_id', 'detail'])
      .where('object_id', '=', objectId)
      .orderBy('id')
      .execute();

  const close = async () => {
    await running.close();
    await test.close();
  };

  return {
    db,
    clinics,
    files: running.archive.files,
    url: running.url,
    callRoute,
    enter,
    create,
    created,
    edit,
    fields,
    update,
    listed,
    maySignIn,
    opensSession,
    addLink,
    links,
    roleId,
    addRole,
    addUser,
    addClinic: (name: string) => addClinic(db, name),
    entriesOf,
    close,
  };
};

export type EmployeesUnderTest = Awaited<ReturnType<typeof employeesUnderTest>>;
