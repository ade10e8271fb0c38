import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problem } from '../../contract/problem.ts';
import { addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { type RunningServer, runServer } from './running-server.ts';

let database: TestDatabase;
let running: RunningServer;

beforeAll(async () => {
  database = await testDatabase();
  await addTwoClinics(database.db);
  running = await runServer(database.database);
});
afterAll(async () => {
  await running?.close();
  await database?.close();
});

/** Sends bytes over a connection of their own, and returns the reply once the server has closed it. */
const exchange = (sent: string): Promise<string> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(running.url);
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(sent));
    socket.on('data', (chunk) => {
      received += chunk.toString();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received));
  });

const get = 'GET /api/Account/info HTTP/1.1\r\nhost: localhost\r\n';

describe('what is not HTTP', () => {
  it.each([
    ['no request at all', 'Lena Hemlig\r\n\r\n', 400],
    ['an unknown method', 'FETCH / HTTP/1.1\r\nhost: localhost\r\n\r\n', 400],
    ['a header without a name', `${get}: Hemlig\r\n\r\n`, 400],
    ['a header with a control character', `${get}x-name: Hem\0lig\r\n\r\n`, 400],
    ['a length that is no number', `${get}content-length: Hemlig\r\n\r\n`, 400],
    ['two lengths', `${get}content-length: 1\r\ncontent-length: 2\r\n\r\n`, 400],
    ['a length and chunks', `${get}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n`, 400],
    ['headers that are too long', `${get}x-name: ${'Hemlig'.repeat(4_000)}\r\n\r\n`, 431],
  ])('is answered with a problem: %s', async (_, sent, status) => {
    const reply = await exchange(sent);
    const [head = '', body = ''] = reply.split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head).toContain('cache-control: no-store');
    expect(problem.parse(JSON.parse(body)).code).toBe('invalid-request');
    expect(reply).not.toContain('Hemlig');
  });
});
