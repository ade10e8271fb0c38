import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import fastify from 'fastify';
import { defaultClaims } from '../../contract/claims.ts';
import type { HubEvent } from '../../contract/hub.ts';
import type { ImportTask } from '../../contract/imports.ts';
import { createAccessLog } from '../../server/access-log/access-log.ts';
import { logRefusedCalls } from '../../server/access-log/refused-calls.ts';
import { accessLogRoutes } from '../../server/access-log/routes.ts';
import { openArchive } from '../../server/archive.ts';
import { openArchiveFolder } from '../../server/archive-folder/open-folder.ts';
import type { ArchiveOptions } from '../../server/archive-options.ts';
import { insertPatient } from '../../server/db/stores/patients.ts';
import type { Principal } from '../../server/domain/policy/principal.ts';
import type { ServiceCaller } from '../../server/domain/policy/service-caller.ts';
import { ProblemError } from '../../server/domain/problem-error.ts';
import { healthRoutes } from '../../server/health-routes.ts';
import type { HubGroup } from '../../server/hub/hub.ts';
import { problemReplies } from '../../server/problem-replies.ts';
import type { Binding } from '../../server/route-binding.ts';
import { addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { openSession } from './open-session.ts';
import { vaultUnderTest } from './vault-under-test.ts';

export interface PublishedEvent {
  readonly groups: readonly HubGroup[];
  readonly event: HubEvent;
}

type NewPatientOfTest = Partial<Parameters<typeof insertPatient>[1]> & { customerId: string };

/** A database with two clinics and a data folder. */
export interface Installation {
  readonly database: TestDatabase;
  readonly dataFolder: string;
  readonly clinics: Awaited<ReturnType<typeof addTwoClinics>>;
}

const newInstallation = async (): Promise<Installation> => {
  const database = await testDatabase();
  const dataFolder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-archive-'));
  return { database, dataFolder, clinics: await addTwoClinics(database.db) };
};

/** The archive's routes on a free port with two clinics; the Authorization header contains the account id of the caller. */
export const archiveUnderTest = async (extra: Partial<ArchiveOptions> = {}, installation?: Installation) => {
  const { database: test, dataFolder, clinics } = installation ?? (await newInstallation());
  const { db } = test;
  const accounts = [
    { accountId: clinics.superId, customerId: null, role: 'SuperAdmin' },
    { accountId: clinics.adminId, customerId: clinics.customerId, role: 'CustomerAdmin' },
    { accountId: clinics.doctorId, customerId: clinics.customerId, role: 'Doctor' },
    { accountId: clinics.otherDoctorId, customerId: clinics.otherCustomerId, role: 'Doctor' },
  ] as const;
  const principals = new Map<string, Principal>();
  for (const account of accounts) {
    const grantId = await openSession(db, account.accountId);
    const permissions = defaultClaims[account.role];
    principals.set(account.accountId, { ...account, permissions, closedClinics: [], grantId });
  }
  const services = new Map<string, ServiceCaller>();
  const events: PublishedEvent[] = [];
  const failures: unknown[] = [];
  const archive = await openArchive({
    db,
    vault: vaultUnderTest(),
    filesFolder: extra.filesFolder ?? (await openArchiveFolder(db, path.join(dataFolder, 'files'))),
    dataFolder,
    hub: { publish: async (groups, event) => void events.push({ groups, event }) },
    onFailure: (error) => failures.push(error),
    leaseSeconds: 2,
    missingGraceMs: 0,
    ...extra,
  });
  const server = fastify({ forceCloseConnections: true });
  problemReplies(server, logRefusedCalls(server, db));
  const binding: Binding = {
    checkReplies: true,
    serviceOf: async (authorization) => services.get(authorization?.replace('Bearer ', '') ?? ''),
    authenticate: async (authorization) => {
      const principal = principals.get(authorization?.replace('Bearer ', '') ?? '');
      if (!principal) throw new ProblemError('not-signed-in');
      return principal;
    },
  };
  healthRoutes(server, { db, isFolderAvailable: archive.folder.isAvailable });
  archive.routes(server, binding);
  accessLogRoutes(server, { db, binding, accessLog: createAccessLog(db) });
  const url = await server.listen({ port: 0, host: '127.0.0.1' });

  /** Calls as the doctor of the first clinic by default. */
  const call = (target: string, init: RequestInit & { as?: string } = {}): Promise<Response> => {
    const { as = clinics.doctorId, headers, ...rest } = init;
    return fetch(`${url}${target}`, { ...rest, headers: { ...headers, authorization: `Bearer ${as}` } });
  };

  const post = (target: string, body: unknown, as?: string): Promise<Response> =>
    call(target, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
      ...(as === undefined ? {} : { as }),
    });

  const addPatient = async (patient: NewPatientOfTest = { customerId: clinics.customerId }): Promise<string> => {
    const id = await insertPatient(db, {
      id: randomUUID(),
      firstName: 'Åsa',
      lastName: 'Lindström',
      personalNumber: '19800101-1234',
      birthDate: '1980-01-01',
      sex: 'F',
      comments: null,
      ...patient,
    });
    if (!id) throw new Error('the clinic has this patient already');
    return id;
  };

  const send = async (taskId: string, name: string, bytes: Uint8Array, as?: string): Promise<Response> => {
    const form = new FormData();
    form.append('id', taskId);
    form.append('file', new Blob([Uint8Array.from(bytes)]), name);
    return call('/resource/ImageImport/dicom', { method: 'POST', body: form, ...(as === undefined ? {} : { as }) });
  };

  const begin = async (patientId: string, files: Readonly<Record<string, Uint8Array>>): Promise<string> => {
    const reply = await post('/resource/ImageImport', { patientId, totalFilesCount: Object.keys(files).length });
    const { id } = await reply.json();
    for (const [name, bytes] of Object.entries(files)) {
      const sent = await send(id, name, bytes);
      if (!sent.ok) throw new Error(`${name}: ${sent.status} ${await sent.text()}`);
    }
    return id;
  };

  const task = async (id: string): Promise<ImportTask> => (await call(`/resource/ImageImport/${id}`)).json();

  /** Waits until the task is in this step (or has failed). */
  const waitForStep = async (id: string, step: number): Promise<ImportTask> => {
    for (;;) {
      const now = await task(id);
      if (now.step >= step || now.error) return now;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  const parse = async (id: string): Promise<ImportTask> => {
    await post('/resource/ImageImport/dicom/parse', { id });
    return waitForStep(id, 3);
  };

  /** Uploads, parses and imports. */
  const importAll = async (patientId: string, files: Readonly<Record<string, Uint8Array>>): Promise<ImportTask> => {
    const id = await begin(patientId, files);
    const parsed = await parse(id);
    if (parsed.error) return parsed;
    const reply = await post('/resource/ImageImport/dicom/import', { id, mismatchConfirmed: true });
    if (!reply.ok) throw new Error(`import: ${reply.status} ${await reply.text()}`);
    return waitForStep(id, 5);
  };

  /** Stops the server; database and files stay. */
  const stop = async () => {
    await server.close();
    await archive.close();
  };

  const close = async () => {
    await stop();
    await test.close();
    await rm(dataFolder, { recursive: true, force: true });
  };

  /** Removes what `stop` has left. */
  const remove = async () => {
    await test.close();
    await rm(dataFolder, { recursive: true, force: true });
  };

  return {
    archive,
    clinics,
    database: test,
    dataFolder,
    db,
    failures,
    events,
    principals,
    /** Service accounts by their id, which is their token. */
    services,
    url,
    addPatient,
    begin,
    call,
    close,
    importAll,
    parse,
    post,
    waitForStep,
    remove,
    send,
    stop,
    task,
  };
};

export type ArchiveUnderTest = Awaited<ReturnType<typeof archiveUnderTest>>;
