import { HttpTransportType, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type HubEvent, hubPath } from '../../contract/hub.ts';
import { addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { type RunningServer, runServer, signIn } from './running-server.ts';

let database: TestDatabase;
let node: RunningServer;
let clinic: Awaited<ReturnType<typeof addTwoClinics>>;
let authorization: string;

beforeAll(async () => {
  database = await testDatabase();
  clinic = await addTwoClinics(database.db);
  node = await runServer(database.database, { hubPingMilliseconds: 100 });
  authorization = `Bearer ${(await signIn(node.url, 'doctor@prov.example')).access_token}`;
});
afterAll(async () => {
  await node?.close();
  await database?.close();
});

const event: HubEvent = { name: 'preparing', body: { taskId: '3f0a3c1e-6d0b-4d8e-9d55-0a6f6f6f6f6f' } };

const connectionByPolls = (url: string) =>
  new HubConnectionBuilder()
    .withUrl(`${url}${hubPath}`, {
      transport: HttpTransportType.LongPolling,
      accessTokenFactory: () => authorization.replace('Bearer ', ''),
    })
    .configureLogging(LogLevel.None)
    .build();

const negotiate = async (url: string) =>
  (
    await fetch(`${url}${hubPath}/negotiate?negotiateVersion=1`, { method: 'POST', headers: { authorization } })
  ).json() as Promise<{ connectionToken: string; availableTransports: { transport: string }[] }>;

it('a single node sends events to clients that poll', async () => {
  const connection = connectionByPolls(node.url);
  const received: unknown[] = [];
  connection.on('preparing', (body) => received.push(body));
  await connection.start();
  await expect(connection.invoke('deleteEverything')).rejects.toThrow(/no methods/);
  await node.hub.publish([`user:${clinic.doctorId}`], event);
  await vi.waitFor(() => expect(received).toEqual([event.body]), 20_000);
  await connection.stop();
});

it('of several nodes none offers polls, and a client that polls loses its connection instead of events', async () => {
  const { connectionToken } = await negotiate(node.url);
  const otherNode = await runServer(database.database);
  const { availableTransports } = await negotiate(node.url);
  expect(availableTransports.map(({ transport }) => transport)).toEqual(['WebSockets', 'ServerSentEvents']);
  const poll = (url: string) => fetch(`${url}${hubPath}?id=${connectionToken}`, { headers: { authorization } });
  expect((await poll(otherNode.url)).status).toBe(404);
  expect((await poll(node.url)).status).toBe(200);
  await expect(connectionByPolls(node.url).start()).rejects.toThrow(/Unable to connect/);
  await otherNode.close();
  const again = await negotiate(node.url);
  expect(again.availableTransports.map(({ transport }) => transport)).toContain('LongPolling');
});
