import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import openapiTypes, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertPatient } from '../../server/db/stores/patients.ts';
import { addTwoClinics, password } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { type RunningServer, runServer } from './running-server.ts';
import { smallObject } from './small-object.ts';

const root = path.join(import.meta.dirname, '..', '..');
// Below the repository, so that the client finds its package.
const results = path.join(root, 'test-results');
let folder: string;
let database: TestDatabase;
let running: RunningServer;

beforeAll(async () => {
  mkdirSync(results, { recursive: true });
  folder = mkdtempSync(path.join(results, 'openapi-client-'));
  cpSync(path.join(import.meta.dirname, 'openapi-client', 'client.txt'), path.join(folder, 'client.ts'));
  database = await testDatabase();
  running = await runServer(database.database);
  const served = await (await fetch(`${running.url}/openapi.json`)).json();
  writeFileSync(path.join(folder, 'schema.ts'), astToString(await openapiTypes(served)));
});
afterAll(async () => {
  await running?.close();
  await database?.close();
  rmSync(folder, { recursive: true, force: true });
});

it('compiles a client generated from the served document', () => {
  const program = ts.createProgram([path.join(folder, 'client.ts')], {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  });
  const messages = ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  expect(messages).toEqual([]);
});

it('signs in, uploads a file and finds it with the generated client', async () => {
  const { customerId } = await addTwoClinics(database.db);
  const patientId = await insertPatient(database.db, {
    id: crypto.randomUUID(),
    firstName: 'Åsa',
    lastName: 'Lindström',
    personalNumber: '19800101-1234',
    birthDate: '1980-01-01',
    sex: 'F',
    comments: null,
    customerId,
  });
  const bytes = Uint8Array.from(smallObject({}));
  const { upload } = await import(pathToFileURL(path.join(folder, 'client.ts')).href);
  const { acknowledged, files, email } = await upload(
    running.url,
    'doctor@prov.example',
    password,
    patientId,
    new File([bytes], 'one.dcm'),
  );
  expect(acknowledged).toMatchObject({
    sizeBytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
  expect(files).toHaveLength(1);
  expect(email).toBe('doctor@prov.example');
});
