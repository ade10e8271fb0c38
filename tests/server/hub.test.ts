import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import {
  HttpTransportType,
  type HubConnection,
  HubConnectionBuilder,
  HubConnectionState,
  LogLevel,
} from '@microsoft/signalr';
import { decodeJwt } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type HubEvent, hubPath } from '../../contract/hub.ts';
import { endSessions } from '../../server/db/stores/sessions.ts';
import { addAccount, addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { type RunningServer, runServer, signIn } from './running-server.ts';

let database: TestDatabase;
/** Two nodes on one database: browsers connect to the first, events are published on either. */
let node: RunningServer;
let otherNode: RunningServer;
let clinic: Awaited<ReturnType<typeof addTwoClinics>>;
const tokens = new Map<string, string>();
const open: HubConnection[] = [];

beforeAll(async () => {
  database = await testDatabase();
  clinic = await addTwoClinics(database.db);
  const settings = { hubPingMilliseconds: 100 };
  node = await runServer(database.database, settings);
  otherNode = await runServer(database.database, settings);
  for (const email of ['doctor@prov.example', 'other@prov.example', 'super@prov.example'])
    tokens.set(email, (await signIn(node.url, email)).access_token);
});
afterEach(() => Promise.all(open.splice(0).map((connection) => connection.stop())));
afterAll(async () => {
  await node?.close();
  await otherNode?.close();
  await database?.close();
});

const taskId = '3f0a3c1e-6d0b-4d8e-9d55-0a6f6f6f6f6f';
const progress: HubEvent = { name: 'progress', body: { taskId, percent: 40, step: 2 } };
const done: HubEvent = { name: 'imported', body: { succeeded: true, result: { taskId } } };

const listen = async (email: string, transport: HttpTransportType, url = node.url) => {
  const connection = new HubConnectionBuilder()
    .withUrl(`${url}${hubPath}`, { transport, accessTokenFactory: () => tokens.get(email) ?? '' })
    .configureLogging(LogLevel.None)
    .build();
  const received: unknown[] = [];
  for (const name of ['progress', 'imported']) connection.on(name, (body) => received.push({ name, body }));
  open.push(connection);
  await connection.start();
  return { connection, received };
};

/** Reads a stream until it has the text, and ends it. */
const readUntil = async (reply: Response, expected: RegExp): Promise<string> => {
  let text = '';
  for await (const chunk of reply.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (expected.test(text)) break;
  }
  return text;
};

describe.each([
  ['WebSockets', HttpTransportType.WebSockets],
  ['server-sent events', HttpTransportType.ServerSentEvents],
])('the hub over %s', (_, transport) => {
  it('notifies a user and a clinic, in order, from any node, and no other client', async () => {
    const doctor = await listen('doctor@prov.example', transport);
    const other = await listen('other@prov.example', transport);
    await otherNode.hub.publish([`user:${clinic.doctorId}`, `clinic:${clinic.customerId}`], progress);
    await otherNode.hub.publish([`clinic:${clinic.customerId}`], done);
    await vi.waitFor(() => expect(doctor.received).toEqual([progress, done]), 20_000);
    await node.hub.publish([`user:${clinic.otherDoctorId}`], done);
    await vi.waitFor(() => expect(other.received).toEqual([done]), 20_000);
    expect(doctor.received).toHaveLength(2);
  });

  it('answers a call of an unknown method with an error', async () => {
    const { connection } = await listen('doctor@prov.example', transport);
    await expect(connection.invoke('deleteEverything')).rejects.toThrow(/no methods/);
  });

  it('rejects an invalid token', async () => {
    tokens.set('unknown', 'x');
    await expect(listen('unknown', transport)).rejects.toThrow(/401/);
  });

  it('disconnects a deactivated user', async () => {
    const email = `leaving-${transport}@prov.example`;
    const id = await addAccount(database.db, { email, role: 'Doctor', customerId: clinic.customerId });
    tokens.set(email, (await signIn(node.url, email)).access_token);
    const { connection } = await listen(email, transport);
    const closed = new Promise<void>((resolve) => connection.onclose(() => resolve()));
    await database.db.updateTable('account').set({ is_active: false }).where('id', '=', id).execute();
    await closed;
  });

  it('disconnects when its session ends, and not with another session of the same user', async () => {
    const email = `twice-${transport}@prov.example`;
    const id = await addAccount(database.db, { email, role: 'Doctor', customerId: clinic.customerId });
    const [stored, ended] = [await signIn(node.url, email), await signIn(node.url, email)];
    tokens.set(email, stored.access_token);
    const other = await listen(email, transport);
    tokens.set(email, ended.access_token);
    const { connection } = await listen(email, transport);
    const closed = new Promise<void>((resolve) => connection.onclose(() => resolve()));
    await endSessions(database.db, id, {
      reason: 'password-changed',
      exceptGrant: String(decodeJwt(stored.access_token).grant),
    });
    await closed;
    expect(other.connection.state).toBe(HubConnectionState.Connected);
  });
});

it('the token of another user’s connection gives none of its events', async () => {
  const negotiate = (email: string) =>
    fetch(`${node.url}${hubPath}/negotiate?negotiateVersion=1`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.get(email)}` },
    });
  const { connectionToken } = await (await negotiate('doctor@prov.example')).json();
  const stream = async (email: string, method: 'GET' | 'POST', body?: string) =>
    fetch(`${node.url}${hubPath}?id=${connectionToken}`, {
      method,
      headers: { authorization: `Bearer ${tokens.get(email)}`, accept: 'text/event-stream' },
      ...(body === undefined ? {} : { body }),
    });
  const streams = [await stream('doctor@prov.example', 'GET'), await stream('other@prov.example', 'GET')];
  const greeting = `${JSON.stringify({ protocol: 'json', version: 1 })}\x1e`;
  for (const email of ['doctor@prov.example', 'other@prov.example']) await stream(email, 'POST', greeting);
  await node.hub.publish([`user:${clinic.doctorId}`], progress);
  await node.hub.publish([`user:${clinic.otherDoctorId}`], done);
  const [own, theirs] = await Promise.all(streams.map((reply) => readUntil(reply, /"target":"\w+"/)));
  expect(own).toContain('"target":"progress"');
  expect(theirs).toContain('"target":"imported"');
  expect(theirs).not.toContain('progress');
});

it('rejects a parameter that is repeated', async () => {
  const headers = { authorization: `Bearer ${tokens.get('doctor@prov.example')}` };
  const negotiated = await fetch(`${node.url}${hubPath}/negotiate?negotiateVersion=1&negotiateVersion=1`, {
    method: 'POST',
    headers,
  });
  const polled = await fetch(`${node.url}${hubPath}?id=x&id=y`, { headers });
  for (const reply of [negotiated, polled])
    expect([reply.status, (await reply.json()).code]).toEqual([400, 'invalid-request']);
});

it('opens a WebSocket for pages of its own and for programs, and for no page of another site', async () => {
  const token = encodeURIComponent(tokens.get('doctor@prov.example') ?? '');
  /** Status of the reply to a handshake (RFC 6455 section 4.1). */
  const opening = (origin: string | undefined) =>
    new Promise<number>((resolve, reject) => {
      const handshake = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
      const headers = {
        ...handshake,
        'sec-websocket-key': randomBytes(16).toString('base64'),
        ...(origin && { origin }),
      };
      const call = request(`${node.url}${hubPath}?access_token=${token}`, { headers });
      call.on('response', ({ statusCode }) => resolve(statusCode ?? 0));
      call.on('upgrade', ({ statusCode }, socket) => {
        socket.destroy();
        resolve(statusCode ?? 0);
      });
      call.on('error', reject);
      call.end();
    });
  // The public URL of the tests, and the address that the browser asks.
  for (const origin of ['http://localhost', new URL(node.url).origin, undefined])
    expect(await opening(origin)).toBe(101);
  for (const origin of ['https://other.example', 'http://localhost.other.example', 'null'])
    expect(await opening(origin)).toBe(403);
});

it('rejects events that are too long for NOTIFY', async () => {
  const event: HubEvent = { name: 'preparing', body: { taskId: 'x'.repeat(9_000) } };
  await expect(node.hub.publish(['user:x'], event)).rejects.toThrow(RangeError);
});

it('disconnects its clients when listening was interrupted, and then continues', async () => {
  const { connection } = await listen('doctor@prov.example', HttpTransportType.WebSockets);
  const closed = new Promise<void>((resolve) => connection.onclose(() => resolve()));
  await database.database.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen%'",
  );
  await closed;
  const again = await listen('doctor@prov.example', HttpTransportType.WebSockets);
  await node.hub.publish([`user:${clinic.doctorId}`], done);
  await vi.waitFor(() => expect(again.received).toEqual([done]), 20_000);
});
