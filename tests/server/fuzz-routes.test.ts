import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { defaultClaims, type RoleName } from '../../contract/claims.ts';
import type { Route } from '../../contract/route.ts';
import { routes } from '../../contract/routes.ts';
import { openLog } from '../../server/log.ts';
import { firstSeed, randomFrom } from '../dicom/mutate.ts';
import { addRecord, type RecordIds } from './authorization/record.ts';
import type { RequestInput, Scene } from './authorization/scene.ts';
import { sceneOf } from './authorization/scenes.ts';
import { addAccount, addTwoClinics, password } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { type CallerName, callerOf, callersOf, unknownCallers } from './route-fuzz/callers.ts';
import { faultOf, ofAbsentServices, otherFaultOf } from './route-fuzz/check-reply.ts';
import { changedTables, digestOf, settledDigest, tableNames } from './route-fuzz/digest.ts';
import { type Given, type GivenScene, givens, tablesOfGuesses } from './route-fuzz/given.ts';
import { type HostileRequest, hostileRequest } from './route-fuzz/hostile-request.ts';
import { marker } from './route-fuzz/hostile-values.ts';
import { partsOf } from './route-fuzz/mutate-form.ts';
import { otherRoutes } from './route-fuzz/other-routes.ts';
import { closeAgents, type Reply, send } from './route-fuzz/send.ts';
import { type RunningServer, runServer } from './running-server.ts';
import { smallObject } from './small-object.ts';

const total = Number(process.env.DENTARIUM_FUZZ_REQUESTS ?? 50_000);
const onlyRoute = process.env.DENTARIUM_FUZZ_ROUTE;
const concurrency = 8;
const groupSize = 300;

interface Target {
  readonly name: string;
  readonly route: Route;
  readonly scene: Scene;
  readonly isForm: boolean;
  readonly isOther: boolean;
}

const targets: readonly Target[] = [
  ...Object.entries(routes as Readonly<Record<string, Route>>).map(([name, route]) => {
    return { name, route, scene: sceneOf(name as keyof typeof routes), isForm: false, isOther: false };
  }),
  ...Object.entries(otherRoutes).map(([name, { route, scene, isForm = false }]) => {
    return { name, route, scene, isForm, isOther: true };
  }),
].filter(({ name }) => !onlyRoute || name === onlyRoute);

let database: TestDatabase;
let running: RunningServer;
let clinic: Awaited<ReturnType<typeof addTwoClinics>>;
let stored: { sha256: string; sizeBytes: number };
let other: RecordIds;
let tables: readonly string[];
/** Tables that refused requests of the current route must not change. */
let watched: readonly string[];
let callers: ReturnType<typeof callersOf>;
const logFolder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-fuzz-'));
const logFile = path.join(logFolder, 'log');
const namedIds = new Set<string>();

const newRecord = async (customerId: string): Promise<RecordIds> => {
  const record = await addRecord(database.db, customerId, stored);
  for (const id of Object.values(record)) namedIds.add(id);
  return record;
};

beforeAll(async () => {
  database = await testDatabase();
  clinic = await addTwoClinics(database.db);
  const otherAdmin = {
    email: 'otheradmin@prov.example',
    role: 'CustomerAdmin',
    customerId: clinic.otherCustomerId,
  } as const;
  await addAccount(database.db, otherAdmin);
  running = await runServer(database.database, { log: openLog(logFile, 'info') });
  callers = callersOf(database, running.url);
  stored = await running.archive.files.put(Readable.from([Buffer.from(smallObject())]));
  other = await newRecord(clinic.otherCustomerId);
  tables = await tableNames(database.db);
});
afterAll(async () => {
  closeAgents();
  await running?.close();
  await database?.close();
  rmSync(logFolder, { recursive: true });
});

interface Planned {
  readonly target: Target;
  readonly index: number;
  readonly caller: CallerName;
  readonly hostile: HostileRequest;
}

const seedOf = (name: string, index: number): number =>
  createHash('sha256').update(`${firstSeed} ${name} ${index}`).digest().readUInt32LE();

const withGiven = (input: RequestInput, { params, query, body }: Given): RequestInput => ({
  ...input,
  ...(params && { params: { ...input.params, ...params } }),
  ...(query && { query: { ...input.query, ...query } }),
  ...(body && { body: Object.assign({}, input.body, body) }),
});

const plan = async (target: Target, index: number, own: RecordIds, given: Given): Promise<Planned> => {
  const { name, route, scene, isForm } = target;
  const random = randomFrom(seedOf(name, index));
  const caller = callerOf(random);
  const input = withGiven(scene.requestOf(random(8) === 0 ? other : own), given);
  const form = input.form ? await partsOf(input.form) : null;
  const ids = [...Object.values(own), ...Object.values(other)].filter((id) => id !== own.doctorRoleId);
  const built = hostileRequest(route, input, form, random, ids);
  const [url = '', query = ''] = isForm ? built.url.split(/\?(.*)/s) : [built.url];
  const body = isForm ? Buffer.from(query) : built.body;
  const type: Record<string, string> = isForm ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
  const headers = { ...callers.headersOf(caller, random), ...given.headers, ...type, ...built.headers };
  return { target, index, caller, hostile: { ...built, url, headers, body } };
};

/** One line that names a request and how to send it again. */
const lineOf = ({ target, index, caller, hostile }: Planned): string => {
  const { authorization: _, ...headers } = hostile.headers;
  const body = hostile.body?.subarray(0, 600).toString().replaceAll('\0', '\\0') ?? '';
  return `DENTARIUM_FUZZ_SEED=${firstSeed} DENTARIUM_FUZZ_ROUTE=${target.name} DENTARIUM_FUZZ_REQUESTS=${index + 1} by ${caller}: ${hostile.method} ${hostile.url.slice(0, 400)} ${JSON.stringify(headers).slice(0, 300)} ${body}`;
};

interface Answered extends Planned {
  readonly reply: Reply;
}

const sent = new Map<number, number>();
/** The first request of each kind of fault. */
const faults = new Map<string, string>();
const note = (planned: Planned, fault: string, requestId = ''): void => {
  const key = `${planned.target.name}: ${fault}`;
  if (!faults.has(key)) faults.set(key, `${key} ${requestId}\n  ${lineOf(planned)}`);
};

const sendAll = async (planned: readonly Planned[]): Promise<Answered[]> => {
  const answered: Answered[] = [];
  const waiting = [...planned];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { target, hostile, index } = next;
      const reply = await send(running.url, index, hostile).catch((error: Error) => error);
      if (reply instanceof Error) {
        note(next, `no reply: ${reply.message}`);
        continue;
      }
      sent.set(reply.status, (sent.get(reply.status) ?? 0) + 1);
      const fault = target.isOther ? otherFaultOf({ hostile, reply }) : faultOf(target.route, { hostile, reply });
      if (fault) note(next, fault, String(reply.headers['x-request-id']));
      answered.push({ ...next, reply });
    }
  };
  // A part that arrives again ends the connection of the one before (server/imports/receive/receive-parts.ts).
  const atOnce = planned[0]?.target.name === 'importPart' ? 1 : concurrency;
  await Promise.all(Array.from({ length: atOnce }, work));
  return answered;
};

const isRefused = ({ reply }: Answered): boolean => reply.status >= 400 && reply.status < 500;

/** Returns whether refused requests that are sent again change data; jobs that still run would too, so it waits for them. */
const changesOf = async (refused: readonly Planned[]): Promise<readonly string[]> => {
  const before = await settledDigest(database.db, watched);
  const again = await sendAll(refused);
  // Some are accepted now.
  return again.every(isRefused) ? changedTables(before, await digestOf(database.db, watched)) : [];
};

/** Sends refused requests again one by one, and notes the first that changes data. */
const narrowDown = async (refused: readonly Planned[]): Promise<void> => {
  let before = await settledDigest(database.db, watched);
  for (const planned of refused) {
    await sendAll([planned]);
    const after = await digestOf(database.db, watched);
    const changed = changedTables(before, after).length > 0 ? await changesOf([planned]) : [];
    if (changed.length > 0) return note(planned, `refused, but ${changed.join(', ')} changed`);
    before = after;
  }
};

/** Sends a group; where data has changed, sends those again that were refused. */
const sendGroup = async (planned: readonly Planned[]): Promise<void> => {
  const before = await digestOf(database.db, watched);
  const answered = await sendAll(planned);
  if (changedTables(before, await digestOf(database.db, watched)).length === 0) return;
  let refused = answered.filter(isRefused);
  for (const digest of [digestOf, settledDigest]) {
    const unchanged = await digest(database.db, watched);
    refused = (await sendAll(refused)).filter(isRefused);
    if (changedTables(unchanged, await digestOf(database.db, watched)).length === 0) return;
  }
  await narrowDown(refused);
};

/** Undoes what accepted requests may have changed for the next ones. */
const restore = async (): Promise<void> => {
  const { db } = database;
  await db.deleteFrom('sign_in_attempt').execute();
  await db.updateTable('customer').set({ deleted_at: null, account_policy: '{}' }).execute();
  await db.updateTable('role').set({ account_policy: '{}' }).execute();
  for (const [name, claims] of Object.entries(defaultClaims))
    await db
      .updateTable('role')
      .set({ claims: [...claims] })
      .where('name', '=', name as RoleName)
      .execute();
};

const isCertainlyRefused = ({ caller, hostile, target }: Planned): boolean =>
  hostile.isInvalid || (target.route.access !== 'anyone' && unknownCallers.includes(caller));

const secrets: string[] = [];
const secretsIn = ({ params: _, query = {}, body = {}, headers = {} }: Given): string[] =>
  [query, body, headers]
    .flatMap((part) => Object.values(part))
    .filter((text): text is string => typeof text === 'string' && text.length > 12);

const sceneFor = (own: RecordIds): GivenScene => {
  const headers = callers.headersOf('admin', randomFrom(0));
  return { database, url: running.url, own, accountId: clinic.adminId, headers };
};

const fuzz = async (target: Target, requests: number): Promise<void> => {
  watched = tables.filter((table) => !tablesOfGuesses[target.name]?.includes(table));
  for (let from = 0; from < requests; from += groupSize) {
    await restore();
    await callers.signInAgain();
    const own = await newRecord(clinic.customerId);
    const given = (await givens[target.name]?.(sceneFor(own))) ?? {};
    secrets.push(...secretsIn(given));
    const length = Math.min(groupSize, requests - from);
    const planned = await Promise.all(Array.from({ length }, (_, index) => plan(target, from + index, own, given)));
    await sendGroup(planned.filter(isCertainlyRefused));
    await sendGroup(planned.filter((one) => !isCertainlyRefused(one)));
  }
};

interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly requestId?: string;
  readonly route?: string;
  readonly err?: { readonly message?: string; readonly code?: string; readonly stack?: unknown };
}

const causeOf = (fault: string, lines: readonly LogLine[]): string => {
  const line = lines.find(({ level, requestId }) => level >= 50 && requestId && fault.includes(requestId));
  return line ? `${fault}\n  ${JSON.stringify(line.err).slice(0, 1_500)}` : fault;
};

/** Each call of these takes long, as it hashes a password, draws a PDF or asks the system. */
const slowTargets = [
  'tokenByPassword',
  'imagePrint',
  'systemDetails',
  'systemStatus',
  'setPassword',
  'accountCreate',
  'sharedOpen',
  'sharedLinkCreate',
  'openapiDocument',
  'twoFactorReset',
  'damagedImages',
];

const logLines = (): LogLine[] =>
  readFileSync(logFile, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const title = `${total} hostile requests of all routes, of seed ${firstSeed}, are answered by the contract, and refused ones change nothing`;
it(title, { timeout: 900_000 }, async () => {
  const isSlow = ({ name }: Target) => !onlyRoute && slowTargets.includes(name);
  const shares = targets.reduce((sum, target) => sum + (isSlow(target) ? 0.25 : 1), 0);
  for (const target of targets) await fuzz(target, Math.ceil((total / shares) * (isSlow(target) ? 0.25 : 1)));
  const lines = logLines();
  expect([...faults.values()].map((fault) => causeOf(fault, lines)).join('\n\n')).toBe('');
  const answered = [...sent.values()].reduce((sum, count) => sum + count, 0);
  expect(answered).toBeGreaterThanOrEqual(total);
  // Otherwise the callers have lost their rights or sessions, and the rest tests nothing.
  if (!onlyRoute) expect(sent.get(200), JSON.stringify([...sent])).toBeGreaterThan(total / 8);
});

it('the log of these requests has no errors, and nothing of what was sent', () => {
  const text = readFileSync(logFile, 'utf8');
  const isUnexpected = ({ level, err }: LogLine) =>
    level >= 50 && !ofAbsentServices.some((code) => code === err?.message);
  expect(
    logLines()
      .filter(isUnexpected)
      .map(({ msg, route, err }) => [msg, route, err?.code, err?.message]),
  ).toEqual([]);
  const unwelcome = [marker, 'Hemlig', 'prov.example', password, ...callers.secrets(), ...secrets];
  expect(unwelcome.filter((secret) => text.includes(secret))).toEqual([]);
  const ids = text.match(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/gi) ?? [];
  expect(ids.filter((id) => namedIds.has(id.toLowerCase()))).toEqual([]);
});
