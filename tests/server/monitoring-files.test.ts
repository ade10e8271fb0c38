import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { beginBackupRun, endBackupRun } from '../../server/db/stores/backup-runs.ts';
import { addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { readMetrics } from './read-metrics.ts';
import { type RunningServer, runServer } from './running-server.ts';

const root = path.join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
/** The table of docs/monitoring.md is between these lines. */
const [begin, end] = ['<!-- metrics -->\n', '<!-- /metrics -->'];

let database: TestDatabase;
let running: RunningServer;
let exported: ReturnType<typeof readMetrics>;

beforeAll(async () => {
  database = await testDatabase();
  await addTwoClinics(database.db);
  const run = await beginBackupRun(database.db, { started_at: new Date(), is_automatic: true, folder: '/backup' });
  await endBackupRun(database.db, run, { ended_at: new Date(), result: 'good' });
  running = await runServer(database.database);
  await fetch(`${running.url}/health`);
  running.metrics.observeProcess();
  await vi.waitFor(async () => {
    exported = readMetrics(await running.metrics.text());
    expect(exported.value('dentarium_http_request_duration_seconds_count')).toBe(1);
  }, 20_000);
});
afterAll(async () => {
  await running?.close();
  await database?.close();
});

it.each(['deploy/grafana-dashboard.json', 'deploy/prometheus-alerts.yml'])(
  '%s names only metrics that exist',
  (file) => {
    const named = new Set(read(file).match(/\b(dentarium|process|nodejs)_[a-z0-9_]+/g));
    const known = new Set(exported.samples.map(({ name }) => name));
    expect(named.size).toBeGreaterThan(10);
    expect([...named].filter((name) => !known.has(name))).toEqual([]);
  },
);

it('docs/monitoring.md lists every metric of the product (UPDATE_MONITORING=1 writes the table)', () => {
  const own = exported.families.filter(({ name }) => name.startsWith('dentarium_'));
  const labelsOf = (family: string) => {
    const names = exported.samples.filter(({ name }) => name.replace(/_bucket$/, '') === family);
    return [...new Set(names.flatMap(({ labels }) => Object.keys(labels)))].filter((label) => label !== 'le');
  };
  const rows = own
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .map(({ name, type, help }) => {
      const labels = labelsOf(name).map((label) => `\`${label}\``);
      return `| \`${name}\` | ${type} | ${labels.join(', ')} | ${help} |`;
    });
  const table = ['| metric | type | labels | value |', '|---|---|---|---|', ...rows, ''].join('\n');
  const text = read('docs/monitoring.md');
  const [before = '', rest = ''] = text.split(begin);
  const [documented = '', after = ''] = rest.split(end);
  if (process.env.UPDATE_MONITORING)
    writeFileSync(path.join(root, 'docs/monitoring.md'), [before, begin, table, end, after].join(''));
  else expect(documented).toBe(table);
});
