import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { HttpTransportType, type HubConnection, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type HubEvent, hubPath } from '../../contract/hub.ts';
import { freePort } from '../free-port.ts';
import { addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { startProxy, type TestProxy } from './proxy.ts';
import { findProxy } from './proxy-program.ts';
import { type RunningServer, runServer, signIn } from './running-server.ts';

/* Two nodes behind a proxy that gives each request to the next one. */

let database: TestDatabase;
let clinic: Awaited<ReturnType<typeof addTwoClinics>>;
let nodes: RunningServer[];
let token: string;
const open: HubConnection[] = [];

beforeAll(async () => {
  database = await testDatabase();
  clinic = await addTwoClinics(database.db);
  const start = () => runServer(database.database, { hubPingMilliseconds: 100 });
  nodes = [await start(), await start()];
  token = (await signIn(nodes[0]?.url ?? '', 'doctor@prov.example')).access_token;
});
afterEach(() => Promise.all(open.splice(0).map((connection) => connection.stop())));
afterAll(async () => {
  for (const node of nodes ?? []) await node.close();
  await database?.close();
});

const startHaproxy = async (program: string, urls: readonly string[]): Promise<TestProxy> => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-haproxy-'));
  const port = await freePort();
  const file = path.join(folder, 'haproxy.cfg');
  const lines = [
    'defaults',
    '  mode http',
    '  timeout connect 5s',
    '  timeout client 120s',
    '  timeout server 120s',
    '  timeout tunnel 1h',
    'frontend public',
    `  bind 127.0.0.1:${port}`,
    '  default_backend nodes',
    'backend nodes',
    '  balance roundrobin',
    ...urls.map((url, index) => `  server node${index} ${new URL(url).host}`),
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  const child = spawn(program, ['-f', file], { stdio: 'ignore' });
  const exit = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  const isAnswering = () =>
    fetch(`${url}/health/live`).then(
      ({ ok }) => ok,
      () => false,
    );
  await vi.waitFor(async () => expect([child.exitCode, await isAnswering()]).toEqual([null, true]), 20_000);
  return {
    url,
    close: async () => {
      child.kill('SIGTERM');
      await exit;
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const found = await findProxy('haproxy');

describe.each([
  { name: 'a proxy', start: (urls: readonly string[]) => startProxy({ target: urls }) },
  {
    name: 'haproxy',
    start: typeof found === 'string' ? found : (urls: readonly string[]) => startHaproxy(found.program, urls),
  },
])('behind $name without sticky sessions', ({ start }) => {
  if (typeof start === 'string') return it.skip(start);
  let proxy: TestProxy;
  beforeAll(async () => {
    proxy = await start(nodes.map(({ url }) => url));
  });
  afterAll(() => proxy?.close());

  it.each([
    ['WebSockets', HttpTransportType.WebSockets],
    ['server-sent events', HttpTransportType.ServerSentEvents],
  ])('clients connect over %s each time, and get the events of every node', async (_, transport) => {
    const event: HubEvent = { name: 'preparing', body: { taskId: '3f0a3c1e-6d0b-4d8e-9d55-0a6f6f6f6f6f' } };
    const connections = [];
    for (let count = 0; count < 4; count += 1) {
      const connection = new HubConnectionBuilder()
        .withUrl(`${proxy.url}${hubPath}`, { transport, accessTokenFactory: () => token })
        .configureLogging(LogLevel.None)
        .build();
      // Longer than a node keeps a connection without pings.
      connection.keepAliveIntervalInMilliseconds = 500;
      const received: unknown[] = [];
      connection.on('preparing', (body) => received.push(body));
      open.push(connection);
      await connection.start();
      await expect(connection.invoke('deleteEverything')).rejects.toThrow(/no methods/);
      // An odd number of requests, so that the next client begins at the other node.
      await fetch(`${proxy.url}/health/live`);
      connections.push(received);
    }
    for (const node of nodes) await node.hub.publish([`user:${clinic.doctorId}`], event);
    for (const received of connections)
      await vi.waitFor(() => expect(received).toEqual([event.body, event.body]), 20_000);
  });
});
