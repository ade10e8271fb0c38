import { expect, it } from 'vitest';
import { importAwsDirectoryParse, importAwsParse } from '../../contract/aws-uploads.ts';
import {
  importBegin,
  importCancel,
  importConfirm,
  importDecide,
  importDirectoryConfirm,
  importDirectoryParse,
  importParse,
} from '../../contract/import-calls.ts';
import type { Call } from '../../src/services/call.ts';
import { type Failure, ServiceError } from '../../src/services/failure.ts';
import { createImportCalls } from '../../src/services/import-calls.ts';

const { signal } = new AbortController();
const aws = { awsFileName: 'file', awsDirectroryKey: 'key' };

/** Records the calls; `answer` replies to them. */
const recorded = (answer: (options: { readonly body?: unknown }) => unknown = () => ({})) => {
  const calls: unknown[] = [];
  const call = (async (route: unknown, options: { readonly body?: unknown }) => {
    calls.push([route, options]);
    return answer(options);
  }) as unknown as Call;
  return { calls, imports: createImportCalls(call) };
};

it('begins an import with its id, or lets the archive choose one', async () => {
  const { calls, imports } = recorded();
  const facts = { patientId: null, customerId: 'clinic', kind: 'dicom', name: 'folder', totalFilesCount: 2 } as const;
  await imports.begin({ ...facts, id: 'one' }, signal);
  await imports.begin({ ...facts, id: null }, signal);
  expect(calls).toEqual([
    [importBegin, { body: { ...facts, id: 'one' }, signal }],
    [importBegin, { body: facts, signal }],
  ]);
});

it.each([
  [{ folder: false, aws: null }, importParse, {}],
  [{ folder: true, aws: null }, importDirectoryParse, {}],
  [{ folder: false, aws }, importAwsParse, { awsFileName: 'file' }],
  [{ folder: true, aws }, importAwsDirectoryParse, { awsDirectroryKey: 'key' }],
])('requests parsing of %j by its own route', async (given, route, names) => {
  const { calls, imports } = recorded();
  await imports.parse({ taskId: 'task', ...given }, signal);
  expect(calls).toEqual([[route, { body: { id: 'task', ...names }, signal }]]);
});

it('confirms an import without confirming other patients', async () => {
  const { calls, imports } = recorded();
  await imports.confirm('task', 'dicom', signal);
  await imports.confirm('task', 'dicomdir', signal);
  const body = { id: 'task', mismatchConfirmed: false };
  expect(calls).toEqual([
    [importConfirm, { body, signal }],
    [importDirectoryConfirm, { body, signal }],
  ]);
});

it('returns the outcome of each decision, and sends all although one is rejected', async () => {
  const failure: Failure = { kind: 'refused', status: 409, code: 'conflict', errors: [] };
  const { calls, imports } = recorded(({ body }) => {
    if ((body as { key: string }).key === 'two') throw new ServiceError(failure);
    return { key: 'one' };
  });
  const outcomes = await imports.decide('task', [
    { key: 'one', decision: { leftOut: true } },
    { key: 'two', decision: {} },
  ]);
  expect(outcomes).toEqual([{ study: { key: 'one' } }, { key: 'two', failure }]);
  expect(calls).toEqual([
    [importDecide, { body: { leftOut: true, id: 'task', key: 'one' } }],
    [importDecide, { body: { id: 'task', key: 'two' } }],
  ]);
});

it('withdraws an import by a request that outlives the page', async () => {
  const { calls, imports } = recorded();
  await imports.withdraw('task');
  expect(calls).toEqual([[importCancel, { body: { id: 'task' }, keepalive: true }]]);
});
