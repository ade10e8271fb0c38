import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { HttpTransportType, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { hubPath } from '../../contract/hub.ts';
import { beginBackupRun, endBackupRun } from '../../server/db/stores/backup-runs.ts';
import { insertPatient } from '../../server/db/stores/patients.ts';
import { failedMethods, failureReasons, lockoutKinds } from '../../server/domain/sign-in-failure.ts';
import { readMetrics } from './read-metrics.ts';
import { bearer, requestTokens, signIn } from './running-server.ts';
import { smallObject } from './small-object.ts';
import { unavailableDatabase } from './unavailable-database.ts';

const under = unavailableDatabase();
const email = 'doctor@prov.example';
const scrape = async () => readMetrics(await under.server().metrics.text());
let tokens: Awaited<ReturnType<typeof signIn>>;

beforeAll(async () => {
  tokens = await signIn(under.server().url, email);
});

const call = (path: string, init: RequestInit = {}) =>
  fetch(`${under.server().url}${path}`, { ...init, headers: { ...init.headers, ...bearer(tokens) } });
const post = async (path: string, body: unknown) => {
  const reply = await call(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
  return reply;
};

/** Sends the files and waits until they wait for a decision. */
const parsedImport = async (patientId: string, files: readonly Uint8Array[]): Promise<string> => {
  const { id } = await (await post('/resource/ImageImport', { patientId, totalFilesCount: files.length })).json();
  const form = new FormData();
  form.append('id', id);
  for (const [index, bytes] of files.entries()) {
    form.append('path', `${index}.dcm`);
    form.append('files', new Blob([Uint8Array.from(bytes)]), `${index}.dcm`);
  }
  expect((await call('/resource/ImageImport/batch', { method: 'POST', body: form })).status).toBe(200);
  await post('/resource/ImageImport/dicom/parse', { id });
  await vi.waitFor(async () => expect((await (await call(`/resource/ImageImport/${id}`)).json()).step).toBe(3), 20_000);
  return id;
};

const imported = async (id: string) => {
  await post('/resource/ImageImport/dicom/import', { id, mismatchConfirmed: true });
  const task = async () => (await call(`/resource/ImageImport/${id}`)).json();
  await vi.waitFor(async () => expect((await task()).step).toBe(5), 20_000);
  return task();
};

const addPatient = async (): Promise<string> => {
  const id = randomUUID();
  await insertPatient(under.database().db, {
    id,
    customerId: under.clinics().customerId,
    firstName: 'Åsa',
    lastName: 'Lindström',
    personalNumber: '19800101-1234',
    birthDate: '1980-01-01',
    sex: 'F',
    comments: null,
  });
  return id;
};

const filesCounted = async () => {
  const { value } = await scrape();
  const count = (outcome: string) => value('dentarium_import_files_total', { outcome });
  return ['received', 'imported', 'duplicate', 'refused'].map(count);
};

describe('the metrics count', () => {
  it('files of imports by what became of them', async () => {
    const patientId = await addPatient();
    const [one, other] = ['2.25.71', '2.25.72'].map((SOPInstanceUID) => smallObject({ SOPInstanceUID }));
    if (!one || !other) throw new Error('no files');
    expect(await filesCounted()).toEqual([0, 0, 0, 0]);
    const first = await imported(await parsedImport(patientId, [one, other, Buffer.from('no image')]));
    expect(await filesCounted()).toEqual([3, 2, 0, 1]);
    await imported(await parsedImport(patientId, [one]));
    expect(await filesCounted()).toEqual([4, 2, 1, 1]);

    // A file that vanished, and an import that waits for a decision.
    const file = first.files.find(({ status }: { status: string }) => status === 'imported');
    const { sha256 } = await under
      .database()
      .db.selectFrom('image')
      .select('sha256')
      .where('id', '=', file.imageUid)
      .executeTakeFirstOrThrow();
    await rm(await under.server().archive.files.localPath(sha256));
    expect((await post('/resource/image/download', { imageUIDs: [file.imageUid] })).status).toBe(422);
    await parsedImport(patientId, [smallObject({ SOPInstanceUID: '2.25.73' })]);
    // A good backup of an hour ago, and a later one that failed.
    expect((await scrape()).value('dentarium_backup_age_seconds')).toBeUndefined();
    const { db } = under.database();
    for (const [result, minutes] of [
      ['good', 60],
      ['failed', 30],
    ] as const) {
      const at = new Date(Date.now() - minutes * 60_000);
      const id = await beginBackupRun(db, { started_at: at, is_automatic: true, folder: '/backup' });
      await endBackupRun(db, id, { ended_at: at, result });
    }
    // Counts of tables are used for 15 seconds.
    await vi.waitFor(
      async () => {
        const { value } = await scrape();
        expect(value('dentarium_stored_file_errors', { kind: 'missing' })).toBe(1);
        expect(value('dentarium_stored_file_errors', { kind: 'damaged' })).toBe(0);
        expect(value('dentarium_imports', { state: 'validation' })).toBe(1);
        expect(value('dentarium_file_check_progress_ratio')).toBeGreaterThanOrEqual(0);
        expect(value('dentarium_backup_age_seconds')).toBeGreaterThan(3_590);
        expect(value('dentarium_backup_age_seconds')).toBeLessThan(3_900);
      },
      { timeout: 30_000, interval: 500 },
    );
  });

  it('failed sign-ins by method and reason, and lockouts', async () => {
    const before = await scrape();
    const username = `${randomUUID()}@prov.example`;
    const guess = async () =>
      (await requestTokens(under.server().url, { grant_type: 'password', username, password: 'wrong' })).status;
    const statuses = [];
    while (statuses.at(-1) !== 429) statuses.push(await guess());
    const after = await scrape();
    const failures = { method: 'password', reason: 'incorrect-login' };
    const difference = (name: string, labels: Record<string, string>) =>
      (after.value(name, labels) ?? Number.NaN) - (before.value(name, labels) ?? Number.NaN);
    expect(difference('dentarium_sign_in_failures_total', failures)).toBe(statuses.length - 1);
    expect(difference('dentarium_sign_in_lockouts_total', { kind: 'account' })).toBe(1);
    expect(difference('dentarium_sign_in_lockouts_total', { kind: 'address' })).toBe(0);
  });

  it('calls by pattern, method and status', async () => {
    const labels = { method: 'GET', route: '/resource/ImageImport/:id', status: '404' };
    const count = async () => (await scrape()).value('dentarium_http_request_duration_seconds_count', labels) ?? 0;
    const before = await count();
    for (let index = 0; index < 3; index += 1) await call(`/resource/ImageImport/${randomUUID()}`);
    await vi.waitFor(async () => expect(await count()).toBe(before + 3), 20_000);
    expect((await scrape()).value('dentarium_http_request_duration_seconds_bucket', { ...labels, le: '+Inf' })).toBe(
      before + 3,
    );
  });

  it('connections to the hub', async () => {
    const connections = async () => (await scrape()).value('dentarium_hub_connections');
    expect(await connections()).toBe(0);
    const connection = new HubConnectionBuilder()
      .withUrl(`${under.server().url}${hubPath}`, {
        transport: HttpTransportType.WebSockets,
        accessTokenFactory: () => tokens.access_token,
      })
      .configureLogging(LogLevel.None)
      .build();
    await connection.start();
    expect(await connections()).toBe(1);
    await connection.stop();
    await vi.waitFor(async () => expect(await connections()).toBe(0), 20_000);
  });

  it('the space of the disk and the connections of the database', async () => {
    const { value } = await scrape();
    const free = value('dentarium_disk_free_bytes') ?? 0;
    expect(free).toBeGreaterThan(0);
    expect(value('dentarium_disk_size_bytes')).toBeGreaterThan(free);
    expect(value('dentarium_disk_reserved_bytes')).toBeGreaterThan(0);
    expect(value('dentarium_database_pool_limit')).toBe(10);
    expect(value('dentarium_database_pool_connections', { state: 'idle' })).toBeGreaterThan(0);
    expect(value('dentarium_database_pool_waiting')).toBe(0);
  });
});

describe('no label', () => {
  const closed: Readonly<Record<string, readonly string[]>> = {
    method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', '(other)', ...failedMethods],
    reason: failureReasons,
    kind: [...lockoutKinds, 'damaged', 'missing', 'major', 'minor', 'incremental', 'weakcb'],
    outcome: ['received', 'imported', 'duplicate', 'ignored', 'refused'],
    state: ['used', 'idle', 'uploading', 'preparing', 'parsing', 'validation', 'importing', 'failed'],
    queue: ['imports', 'thumbnails', 'renditions', 'mails', 'hashing'],
    commit: ['test'],
  };
  const isOpen: Readonly<Record<string, (value: string) => boolean>> = {
    le: (value) => value === '+Inf' || Number(value) > 0,
    status: (value) => /^[1-5]\d\d$/.test(value),
    version: (value) => /^v?\d+\.\d+\.\d+$/.test(value),
    route: (value) =>
      ['(none)', '/assets/*'].includes(value) ||
      (['GET', 'POST'] as const).some((method) => under.server().server.hasRoute({ method, url: value })),
    // Of the version of Node.js.
    ...Object.fromEntries(['major', 'minor', 'patch'].map((part) => [part, (value: string) => /^\d+$/.test(value)])),
    // The parts of V8's heap.
    space: (value) => /^[a-z_]+$/.test(value),
  };

  it('holds anything but words of closed lists and patterns of routes', async () => {
    const secret = 'Lindström-19800101-1234';
    const paths = ['/', `/patient/${secret}`, `/api/${secret}?q=${secret}`, `/resource/${secret}`, `/health/${secret}`];
    for (const path of paths)
      for (const method of ['GET', 'POST', 'PUT', 'PROPFIND']) await call(encodeURI(path), { method });
    under.server().metrics.observeProcess();
    await vi.waitFor(
      async () => expect((await scrape()).value('process_resident_memory_bytes')).toBeGreaterThan(1e6),
      20_000,
    );
    const { samples } = await scrape();
    const labels = samples.flatMap((sample) => Object.entries(sample.labels));
    const others = labels.filter(([label, value]) => !closed[label]?.includes(value) && !isOpen[label]?.(value));
    expect(others).toEqual([]);
    expect(labels.some(([label]) => label === 'route')).toBe(true);
    expect(await under.server().metrics.text()).not.toMatch(/Lindstr|19800101-|prov\.example/);
  });

  it('is added by unknown paths', async () => {
    const series = async () => (await scrape()).samples.filter(({ name }) => name.includes('http')).length;
    await call(`/${randomUUID()}`);
    const before = await vi.waitFor(async () => {
      const count = await series();
      expect(count).toBeGreaterThan(0);
      return count;
    }, 20_000);
    for (let index = 0; index < 50; index += 1) await call(`/${randomUUID()}/${index}`);
    expect(await series()).toBe(before);
  });
});

describe('without a database', () => {
  it('the metrics answer, and what they cannot read is absent', async () => {
    const before = await scrape();
    expect(before.value('dentarium_database_up')).toBe(1);
    expect(before.value('dentarium_queue_length', { queue: 'mails' })).toBe(0);
    await under.postgres().stop('SIGKILL');
    await vi.waitFor(async () => expect((await scrape()).value('dentarium_database_up')).toBe(0), 20_000);
    const away = await scrape();
    const stored = ['dentarium_imports', 'dentarium_stored_file_errors', 'dentarium_file_check_progress_ratio'];
    expect(away.samples.filter(({ name }) => stored.includes(name))).toEqual([]);
    expect(away.value('dentarium_queue_length', { queue: 'mails' })).toBeUndefined();
    expect(away.value('dentarium_queue_length', { queue: 'hashing' })).toBe(0);
    expect(away.value('dentarium_disk_free_bytes')).toBeGreaterThan(0);
    await under.postgres().start();
    await under.isReady();
    await vi.waitFor(async () => expect((await scrape()).value('dentarium_database_up')).toBe(1), 20_000);
    expect((await scrape()).value('dentarium_queue_length', { queue: 'mails' })).toBe(0);
  });
});
