import { randomUUID } from 'node:crypto';
import { accountInfo } from '../../contract/account.ts';
import type { Claim } from '../../contract/claims.ts';
import { pathOf, type Route } from '../../contract/route.ts';
import { accountCreate, accountUpdate, customerUsers, type Employee } from '../../contract/users.ts';
import { hashedToken } from '../../server/db/stores/token-hash.ts';
import { addAccount, addClinic, addTwoClinics, password } from './clinic.ts';
import { testDatabase } from './database.ts';
import { bearer, runServer, signIn } from './running-server.ts';

interface Asked {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly form?: FormData;
}

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a reply of any of the routes
  readonly body: any;
}

/** Right in Sweden, belongs to nobody. */
export const personalNumber = '198001019804';

/** The archive with two clinics, asked by people who are named by the first part of their e-mail address. */
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

  const ask = async (route: Route, as: string | null, asked: Asked = {}): Promise<Answer> => {
    const { params, query, body, form } = asked;
    const reply = await fetch(
      `${running.url}${pathOf(route.path, params)}${query ? `?${new URLSearchParams(query)}` : ''}`,
      {
        method: route.method,
        headers: {
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

  /** An account with that role, signed in. */
  const addPerson = async (who: string, role: string, customerId: string | null): Promise<string> => {
    const id = await addAccount(db, { email: `${who}@prov.example`, role: 'Doctor', customerId });
    await db
      .updateTable('account')
      .set({ role_id: await roleId(role) })
      .where('id', '=', id)
      .execute();
    await enter(who);
    return id;
  };

  /** What a form says of a doctor of the first clinic. */
  const fields = async (more: Readonly<Record<string, unknown>> = {}) => ({
    ...{ email: `${randomUUID()}@prov.example`, firstName: 'Åsa', lastName: 'Björk', personalNumber },
    ...{ telephone: '070-174 06 05', hiredSince: '2020-02-29', isActive: true, customerId: clinics.customerId },
    ...{ roles: [await roleId('Doctor')], azureUsername: '', avatarLink: null },
    ...more,
  });

  const create = async (as: string, more: Readonly<Record<string, unknown>> = {}): Promise<Answer> =>
    ask(accountCreate, as, { body: { ...(await fields(more)), password } });

  const created = async (more: Readonly<Record<string, unknown>> = {}): Promise<Employee> => {
    const { status, body } = await create('super', more);
    if (status !== 200) throw new Error(`not created: ${status} ${JSON.stringify(body)}`);
    return body;
  };

  /** An edit of a person as somebody saw them. */
  const edit = (seen: Employee, more: Readonly<Record<string, unknown>> = {}) => ({
    ...{ id: seen.id, securityStamp: seen.securityStamp, version: seen.version, email: seen.email },
    ...{ firstName: seen.firstName, lastName: seen.lastName, personalNumber: seen.personalNumber },
    ...{ telephone: seen.telephone, hiredSince: seen.hiredSince, isActive: seen.isActive },
    ...{ customerId: seen.customerId, roles: [seen.role.id], azureUsername: seen.azureUsername, avatarLink: null },
    ...more,
  });

  const update = (as: string, seen: Employee, more: Readonly<Record<string, unknown>> = {}): Promise<Answer> =>
    ask(accountUpdate, as, { body: edit(seen, more) });

  /** Somebody of the first clinic, as lists show them. */
  const person = async (id: string): Promise<Employee | undefined> => {
    const { body } = await ask(customerUsers, 'super', { params: clinics, query: { ppage: '500' } });
    return body.data.find((one: Employee) => one.id === id);
  };

  /** Whether the password that everybody is given opens this account. */
  const maySignIn = (email: string): Promise<boolean> =>
    signIn(running.url, email).then(
      () => true,
      () => false,
    );

  const opensSession = (token: string): Promise<boolean> =>
    fetch(`${running.url}${accountInfo.path}`, { headers: { authorization: `Bearer ${token}` } }).then(({ ok }) => ok);

  /** A link to a new password that is on its way. */
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
    ...{ db, clinics, url: running.url, ask, enter, create, created, edit, fields },
    ...{ update, person, maySignIn, opensSession, addLink, links },
    ...{ roleId, addRole, addPerson, addClinic: (name: string) => addClinic(db, name), entriesOf, close },
  };
};

export type EmployeesUnderTest = Awaited<ReturnType<typeof employeesUnderTest>>;
