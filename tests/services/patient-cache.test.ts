import { type QueryClient, QueryObserver } from '@tanstack/query-core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { patientGet } from '../../contract/patients.ts';
import type { Call } from '../../src/services/call.ts';
import { createPatientCache } from '../../src/services/patient-cache.ts';
import { createQueries, createQueryClient } from '../../src/services/queries.ts';
import { createQueryInvalidation } from '../../src/services/query-invalidation.ts';
import { createViewsets } from '../../src/services/viewsets.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const allStudies = { page: 1, ppage: 50 } as const;
const mountOf = (patientId: string) => `mount-${patientId}`;

/** The page as a user walks through patients. */
const page = (limit?: number) => {
  const requests: string[] = [];
  const call = (async (route: typeof patientGet, { params }: { params: { id: string } }) => {
    requests.push(`${route.path} ${params.id}`);
    const patientId = params.id.replace('mount-', '');
    return { patientId, viewSetUuid: params.id, version: 1 };
  }) as unknown as Call;
  const client = createQueryClient();
  const cache = createPatientCache(client, limit);
  cache.setAnnounced(true);
  const queries = createQueries(call, client, () => Promise.reject(new Error('nothing is written here')));
  const invalidation = createQueryInvalidation(client);
  const viewsets = createViewsets({ call, client, queries, invalidation, patientCache: cache });
  /** Opens the page of a patient with a mount; returns how it is left. */
  const enter = async (patientId: string) => {
    const shown = [queries.patient(patientId), queries.studies(patientId, allStudies)];
    const leave = shown.map((query) => new QueryObserver<unknown>(client, query).subscribe(() => {}));
    await viewsets.open(mountOf(patientId), new AbortController().signal);
    await vi.advanceTimersByTimeAsync(0);
    leave.push(viewsets.watch(mountOf(patientId), () => {}));
    return () => {
      for (const stop of leave) stop();
    };
  };
  const visit = async (patientId: string) => (await enter(patientId))();
  return { client, cache, requests, viewsets, invalidation, enter, visit };
};

const patients = Array.from({ length: 10 }, (_, number) => `patient-${number}`);

it('opens ten patients again without a request', async () => {
  const { requests, visit } = page();
  for (const patient of patients) await visit(patient);
  expect(requests).toHaveLength(30);
  await vi.advanceTimersByTimeAsync(14 * 60_000);
  for (const patient of patients.toReversed()) await visit(patient);
  expect(requests).toHaveLength(30);
});

it('fetches again what the hub announced as changed, and nothing else', async () => {
  const { requests, visit, invalidation } = page();
  for (const patient of patients) await visit(patient);
  requests.length = 0;
  invalidation.onHubEvent({ name: 'PatientChanged', body: { patientId: 'patient-3' } });
  await vi.advanceTimersByTimeAsync(400);
  for (const patient of patients) await visit(patient);
  expect(requests.map((request) => request.split(' ').at(-1)).toSorted()).toEqual([
    'mount-patient-3',
    'patient-3',
    'patient-3',
  ]);
});

it('fetches again after 30 seconds while changes are not announced, and after 15 minutes in any case', async () => {
  const { requests, visit, cache } = page();
  await visit('one');
  await vi.advanceTimersByTimeAsync(31_000);
  await visit('one');
  expect(requests).toHaveLength(3);
  cache.setAnnounced(false);
  await visit('one');
  expect(requests).toHaveLength(6);
  cache.setAnnounced(true);
  await vi.advanceTimersByTimeAsync(16 * 60_000);
  await visit('one');
  expect(requests).toHaveLength(9);
});

it('fetches an open mount each time that its state is asked for', async () => {
  const { requests, enter, viewsets } = page();
  await enter('one');
  requests.length = 0;
  await viewsets.open(mountOf('one'), new AbortController().signal);
  expect(requests).toHaveLength(1);
});

describe('beyond the limit', () => {
  const keptOf = (client: QueryClient) =>
    [
      ...new Set(
        client
          .getQueryCache()
          .getAll()
          .map(({ queryKey }) => `${queryKey[1]}`.replace('mount-', '')),
      ),
    ].sort();

  it('removes the patients that were left first, with studies and mounts, and no other data', async () => {
    const { client, visit } = page(3);
    client.setQueryData(['patients', 'list'], {});
    for (const patient of ['a', 'b', 'c', 'a', 'd']) await visit(patient);
    expect(keptOf(client)).toEqual(['a', 'c', 'd', 'list']);
    expect(client.getQueryCache().getAll()).toHaveLength(10);
  });

  it('never removes what is on the page', async () => {
    const { client, enter, visit } = page(2);
    const leave = await enter('a');
    for (const patient of ['b', 'c', 'd']) await visit(patient);
    expect(keptOf(client)).toEqual(['a', 'd']);
    leave();
    await visit('b');
    expect(keptOf(client)).toEqual(['b', 'd']);
  });
});
