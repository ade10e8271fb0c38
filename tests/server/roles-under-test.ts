import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Claim } from '../../contract/claims.ts';
import { type Role, roleCreate, role as roleSchema, roles } from '../../contract/roles.ts';
import { addAccount, addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { bearer, type RunningServer, runServer, signIn } from './running-server.ts';

export const administering: readonly Claim[] = ['role.get', 'role.create', 'role.update', 'role.delete'];
export const everywhere: readonly Claim[] = [...administering, 'customer.get_byid'];

/** Starts a server with two clinics and returns the calls of an administrator of roles. */
export const rolesUnderTest = () => {
  let database: TestDatabase;
  let running: RunningServer;
  let clinic: Awaited<ReturnType<typeof addTwoClinics>>;
  let root: Record<string, string>;

  beforeAll(async () => {
    database = await testDatabase();
    clinic = await addTwoClinics(database.db);
    running = await runServer(database.database);
    root = await as('super');
  });

  beforeEach(() => database.db.deleteFrom('sign_in_attempt').execute());

  afterAll(async () => {
    await running?.close();
    await database?.close();
  });

  const as = async (name: string) => bearer(await signIn(running.url, `${name}@prov.example`));

  const post = async (path: string, body: object, who = root) => {
    const reply = await fetch(`${running.url}${path}`, {
      method: 'POST',
      headers: { ...who, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: reply.status, body: await reply.json() };
  };

  const get = async (path: string, who = root) => {
    const reply = await fetch(`${running.url}${path}`, { headers: who });
    return { status: reply.status, body: await reply.json() };
  };

  const listed = async (who = root): Promise<Role[]> => (await get(roles.path, who)).body;

  const builtIn = async (name: string): Promise<Role> => {
    const found = (await listed()).find((one) => one.name === name);
    if (!found) throw new Error(`no role ${name}`);
    return found;
  };

  const made = async (
    role: { name?: string; rank?: number; roleClaims?: readonly Claim[] } = {},
    who = root,
  ): Promise<Role> => {
    const reply = await post(
      roleCreate.path,
      { name: `Tandhygienist ${randomUUID()}`, rank: 3, roleClaims: ['user.get_any'], ...role },
      who,
    );
    if (reply.status !== 200) throw new Error(JSON.stringify(reply));
    return roleSchema.parse(reply.body);
  };

  const give = (accountId: string, roleId: string) =>
    database.db.updateTable('account').set({ role_id: roleId }).where('id', '=', accountId).execute();

  /** Creates a user with a new role of these claims and this rank. */
  const userWithRole = async (
    rank: number,
    claims: readonly Claim[],
    customerId: string | null = clinic.customerId,
  ) => {
    const name = `p${randomUUID()}`;
    const id = await addAccount(database.db, { email: `${name}@prov.example`, role: 'Doctor', customerId });
    const own = await made({ rank, roleClaims: claims });
    await give(id, own.id);
    return { id, name, own, headers: await as(name) };
  };

  return {
    get database() {
      return database;
    },
    get clinic() {
      return clinic;
    },
    as,
    post,
    get,
    listed,
    builtIn,
    made,
    give,
    userWithRole,
  };
};
