import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { customerGetAll, customerSorts } from '../contract/customers.ts';
import { pathOf, type Route } from '../contract/route.ts';
import { openid } from '../contract/sign-in.ts';
import { statisticsGet, statisticsOfCustomer } from '../contract/statistics.ts';
import { customerUsers, employeeSorts, usersAll } from '../contract/users.ts';
import { DEMO_PASSWORD, USERS } from '../demo/users.ts';
import { openArchiveFolder } from '../server/archive-folder/open-folder.ts';
import { buildServer } from '../server/build.ts';
import { openDatabase } from '../server/db/open-database.ts';
import { ensureBuiltInRoles } from '../server/db/stores/role-store.ts';
import { seedMany } from '../server/demo-seed/seed-many.ts';
import { openLog } from '../server/log.ts';
import { openVault } from '../server/secrets/open-vault.ts';

const limitMs = 100;
const calls = Number(process.env.DENTARIUM_BENCH_CALLS ?? 60);
const many = { clinics: 2_000, users: 100_000, patients: 100_000 };
const versions = { adminVersion: 'bench', gitCommitNumber: 'bench', dataLibraryVersion: 'bench' };

type Query = Readonly<Record<string, string | number>>;
interface Reply {
  readonly data: readonly { readonly id: string; readonly users?: number }[];
  readonly next: string | null;
}

const percentile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;

const start = async (dataFolder: string) => {
  const { database, close } = await openDatabase({ dataFolder });
  await ensureBuiltInRoles(database.db);
  if (!(await database.db.selectFrom('customer').select('id').limit(1).executeTakeFirst()))
    await seedMany(database.db, many, () => undefined);
  const { server } = await buildServer({
    database,
    vault: await openVault(database.db, { file: path.join(dataFolder, 'master.key') }),
    filesFolder: await openArchiveFolder(database.db, path.join(dataFolder, 'files')),
    dataFolder,
    versions,
    publicUrl: 'http://localhost',
    trustProxy: null,
    browserFolder: null,
    log: openLog(null, 'info'),
    checkReplies: false,
    demoAccounts: async () => [],
  });
  const url = await server.listen({ port: 0, host: '127.0.0.1' });
  const credentials = { username: USERS[0]?.email ?? '', password: DEMO_PASSWORD, scope: openid.scope };
  const body = new URLSearchParams({ client_id: openid.clientId, grant_type: 'password', ...credentials });
  const tokens = await fetch(`${url}${openid.tokenPath}`, { method: 'POST', headers: { origin: url }, body });
  const { access_token: token } = (await tokens.json()) as { access_token: string };
  const request = async (route: Route, query: Query = {}, params = {}): Promise<Reply> => {
    const text = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]));
    const reply = await fetch(`${url}${pathOf(route.path, params)}?${text}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    if (!reply.ok) throw new Error(`${route.path}: ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as Reply;
  };
  return {
    request,
    close: async () => {
      await server.close();
      await close();
    },
  };
};

/** Searched texts: frequent, rare, short, several words, digits, none. */
const searches = ['lind', 'söderqvist', 'a', 'anna berg', '1980', 'zzzz'];

/** Pages of 10 among 100,000 users and 2,000 clinics over HTTP: p50 and p95, and whether p95 stays below the limit. */
export const benchLists = async (): Promise<void> => {
  const given = process.env.DENTARIUM_BENCH_DATA;
  const dataFolder = given ?? (await mkdtemp(path.join(tmpdir(), 'bench-lists-')));
  const { request, close } = await start(dataFolder);
  let slow = 0;
  const measure = async (name: string, call: () => Promise<unknown>): Promise<void> => {
    const times: number[] = [];
    for (let at = -5; at < calls; at++) {
      const from = performance.now();
      await call();
      if (at >= 0) times.push(performance.now() - from);
    }
    times.sort((one, other) => one - other);
    const [middle, high] = [percentile(times, 0.5), percentile(times, 0.95)];
    if (high >= limitMs) slow++;
    console.log(
      `  ${name.padEnd(44)} p50 ${middle.toFixed(1)} ms, p95 ${high.toFixed(1)} ms${high < limitMs ? '' : '  SLOW'}`,
    );
  };
  const ofList = async (name: string, route: Route, sorts: readonly string[], deep: number, params = {}) => {
    for (const sort of sorts)
      for (const order of ['asc', 'desc']) {
        await measure(`${name} by ${sort} ${order}, first`, () => request(route, { sort, order }, params));
        const { next } = await request(route, { sort, order, page: deep }, params);
        if (next)
          await measure(`${name} by ${sort} ${order}, deep, by cursor`, () =>
            request(route, { sort, order, after: next }, params),
          );
      }
    await measure(`${name}, page ${deep} by number`, () => request(route, { page: deep }, params));
    for (const q of searches) await measure(`${name}, search "${q}"`, () => request(route, { q }, params));
  };
  try {
    console.log(`lists: ${many.users} users, ${many.clinics} clinics, ${calls} calls each, limit ${limitMs} ms at p95`);
    await ofList('users of all clinics', usersAll, employeeSorts, 9_000);
    await ofList('clinics', customerGetAll, customerSorts, 150);
    const largest = (await request(customerGetAll, { sort: 'users', order: 'desc' })).data[0];
    const params = { customerId: largest?.id ?? '' };
    await ofList(
      `one clinic of ${largest?.users}`,
      customerUsers,
      employeeSorts,
      Math.floor((largest?.users ?? 0) / 20),
      params,
    );
    await measure('statistics of all clinics', () => request(statisticsGet));
    await measure('statistics of one clinic', () => request(statisticsOfCustomer, {}, params));
    console.log(slow === 0 ? '  all below the limit' : `  ${slow} over the limit`);
  } finally {
    await close();
    if (given === undefined) await rm(dataFolder, { recursive: true, force: true });
  }
};
