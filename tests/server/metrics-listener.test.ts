import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../server/config.ts';
import { createMetrics } from '../../server/metrics/metrics.ts';
import { type MetricsListener, openMetricsListener } from '../../server/metrics/metrics-listener.ts';
import { StartupError } from '../../server/startup-error.ts';
import { freePort } from '../free-port.ts';
import { runToEnd, startChild } from './child-server.ts';
import { readMetrics } from './read-metrics.ts';
import { startedServers } from './started-servers.ts';

const { inFolder } = startedServers();
let listener: MetricsListener | null = null;
afterEach(async () => {
  await listener?.close();
  listener = null;
});

const listen = async () => {
  const metrics = createMetrics({ version: '1.2.3', commit: 'abc1234' });
  listener = await openMetricsListener(metrics, { host: '127.0.0.1', port: 0 }, (error) => {
    throw error;
  });
  return `http://127.0.0.1:${listener.port}`;
};

describe('the address of the metrics', () => {
  it('answers GET /metrics in the format of Prometheus', async () => {
    const reply = await fetch(`${await listen()}/metrics`);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(readMetrics(await reply.text()).value('dentarium_build_info', { version: '1.2.3', commit: 'abc1234' })).toBe(
      1,
    );
  });

  it.each(['/', '/metrics/', '/health', '/api/About', '/index.html'])('answers 404 for %s', async (target) => {
    expect((await fetch(`${await listen()}${target}`)).status).toBe(404);
  });

  it('answers 404 for other methods', async () => {
    expect((await fetch(`${await listen()}/metrics`, { method: 'POST', body: 'x' })).status).toBe(404);
  });
});

describe('DENTARIUM_METRICS_ADDRESS', () => {
  const read = (text?: string) => readConfig(text === undefined ? {} : { DENTARIUM_METRICS_ADDRESS: text }, {}).metrics;

  it('is off when it is not set', () => {
    expect([read(), read('')]).toEqual([null, null]);
  });

  it('is an address and a port', () => {
    expect(read('127.0.0.1:9464')).toEqual({ host: '127.0.0.1', port: 9464 });
    expect(read('[::1]:9464')).toEqual({ host: '::1', port: 9464 });
    expect(read('monitoring.clinic.example:9464')).toEqual({ host: 'monitoring.clinic.example', port: 9464 });
  });

  it.each(['9464', ':9464', '127.0.0.1', '127.0.0.1:65536', '127.0.0.1:x', '::1:9464', '[::1', 'http://a:1', 'a b:1'])(
    'prevents a start with %s',
    (text) => {
      expect(() => read(text)).toThrow(StartupError);
      expect(() => read(text)).toThrow(/DENTARIUM_METRICS_ADDRESS: an address and a port/);
    },
  );

  it('prevents a start with one sentence when it is in use or not of this machine', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const start = (text: string) =>
      runToEnd(['--data', inFolder(), '--port', '0', '--empty'], { DENTARIUM_METRICS_ADDRESS: text });
    const [taken, foreign] = [await start(`127.0.0.1:${port}`), await start('192.0.2.1:9464')];
    other.close();
    const setting = 'choose one with DENTARIUM_METRICS_ADDRESS';
    expect(taken).toEqual({ code: 1, lines: [`Port ${port} is in use by another program: ${setting}`] });
    expect(foreign).toEqual({ code: 1, lines: [`This machine has no address 192.0.2.1: ${setting}`] });
  });
});

it('a started server serves its metrics there only, and its log on standard output holds nothing but JSON', async () => {
  const port = await freePort();
  const child = await startChild(inFolder(), [], {
    DENTARIUM_METRICS_ADDRESS: `127.0.0.1:${port}`,
    DENTARIUM_LOG: 'stdout',
  });
  try {
    const metrics = readMetrics(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
    expect(metrics.value('dentarium_database_up')).toBe(1);
    expect(metrics.value('process_resident_memory_bytes')).toBeGreaterThan(1e6);
    const own = await fetch(`${child.url}/metrics`);
    expect(own.status).toBe(404);
    const id = own.headers.get('x-request-id');
    const lines = () =>
      child
        .standardOutput()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    await expect
      .poll(lines)
      .toEqual(
        expect.arrayContaining([
          expect.objectContaining({ level: 30, msg: 'server started' }),
          expect.objectContaining({ requestId: id, msg: 'call', status: 404, route: '(none)' }),
        ]),
      );
    // The message for people, with the link that creates the first administrator, is not in the log.
    expect(child.output()).toContain('setup#');
    expect(child.standardOutput()).not.toContain('setup#');
  } finally {
    expect(await child.stop('SIGTERM')).toBe(0);
  }
  await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow();
});
