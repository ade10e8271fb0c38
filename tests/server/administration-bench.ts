import type { RoleName } from '../../contract/claims.ts';
import { pathOf, type Route } from '../../contract/route.ts';
import { addAccount, addTwoClinics } from './clinic.ts';
import { testDatabase } from './database.ts';
import { bearer, runServer, signIn } from './running-server.ts';

export interface CallInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
}

export interface JsonReply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: replies of many routes; each test knows which
  readonly body: any;
}

/** The real server with two clinics; callers are identified by the local part of their e-mail address. */
export const administrationBench = async () => {
  const test = await testDatabase();
  const clinics = await addTwoClinics(test.db);
  const running = await runServer(test.database);
  const headers = new Map<string, Record<string, string>>();

  const signedIn = async (name: string): Promise<Record<string, string>> => {
    const known = headers.get(name);
    if (known) return known;
    const fresh = bearer(await signIn(running.url, `${name}@prov.example`));
    headers.set(name, fresh);
    return fresh;
  };

  const call = async (route: Route, who: string, { params = {}, query, body }: CallInput = {}): Promise<JsonReply> => {
    const search = query
      ? `?${new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))}`
      : '';
    const reply = await fetch(`${running.url}${pathOf(route.path, params)}${search}`, {
      method: route.method,
      headers: {
        ...(await signedIn(who)),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const type = reply.headers.get('content-type') ?? '';
    return { status: reply.status, body: type.includes('json') ? await reply.json() : null };
  };

  const add = async (name: string, role: RoleName, customerId: string | null): Promise<string> =>
    addAccount(test.db, { email: `${name}@prov.example`, role, customerId });

  const logged = async () =>
    test.db
      .selectFrom('access_log')
      .select(['action', 'account_id', 'customer_id', 'object_id', 'detail'])
      .orderBy('id')
      .execute();

  return {
    db: test.db,
    clinics,
    running,
    call,
    add,
    logged,
    signedIn,
    close: async () => {
      await running.close();
      await test.close();
    },
  };
};

export type AdministrationBench = Awaited<ReturnType<typeof administrationBench>>;
