import { randomUUID } from 'node:crypto';
import { type HubConnection, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { hubPath } from '../../contract/hub.ts';
import { type Viewset, viewsetCreate, viewsetUpdate } from '../../contract/viewsets.ts';
import { insertPatient } from '../../server/db/stores/patients.ts';
import { ensureStandardTemplates } from '../../server/db/stores/templates.ts';
import { addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { bearer, type RunningServer, runServer, signIn } from './running-server.ts';

let database: TestDatabase;
/** Two nodes on one database, with one user on each. */
let node: RunningServer;
let otherNode: RunningServer;
let clinic: Awaited<ReturnType<typeof addTwoClinics>>;
const open: HubConnection[] = [];

beforeAll(async () => {
  database = await testDatabase();
  clinic = await addTwoClinics(database.db);
  await ensureStandardTemplates(database.db);
  node = await runServer(database.database);
  otherNode = await runServer(database.database);
});
afterAll(async () => {
  await Promise.all(open.map((connection) => connection.stop()));
  await node?.close();
  await otherNode?.close();
  await database?.close();
});

const listen = async (email: string) => {
  const { access_token: token } = await signIn(node.url, email);
  const connection = new HubConnectionBuilder()
    .withUrl(`${node.url}${hubPath}`, { accessTokenFactory: () => token })
    .configureLogging(LogLevel.None)
    .build();
  const received: unknown[] = [];
  for (const name of ['ViewsetChanged', 'PatientChanged']) connection.on(name, (body) => received.push({ name, body }));
  open.push(connection);
  await connection.start();
  return received;
};

it('a change is published to the clinic on every node, and to no other clinic', async () => {
  const patientId = randomUUID();
  const names = { firstName: 'Åsa', lastName: 'Lindström', personalNumber: '19800101-1234' };
  const born = { birthDate: '1980-01-01', sex: 'F', comments: null } as const;
  await insertPatient(database.db, { id: patientId, customerId: clinic.customerId, ...names, ...born });
  const doctor = await listen('doctor@prov.example');
  const otherClinic = await listen('other@prov.example');
  // A super administrator belongs to no clinic, and gets the events of their own changes.
  const superior = await listen('super@prov.example');
  const headers = bearer(await signIn(otherNode.url, 'super@prov.example'));
  const send = async (method: string, path: string, body: object): Promise<Viewset> => {
    const json = { ...headers, 'content-type': 'application/json' };
    const reply = await fetch(`${otherNode.url}${path}`, { method, headers: json, body: JSON.stringify(body) });
    expect(reply.status).toBe(200);
    return reply.json();
  };
  const request = { patientUID: patientId, currentStudyUID: null, currentViewsetUID: null };
  const { viewSetUuid, version } = await send('POST', viewsetCreate.path, request);
  await send('PUT', viewsetUpdate.path, { viewSetUuid, version, name: 'Kontroll', comments: null });
  const eventsAt = (now: number) => [
    { name: 'ViewsetChanged', body: { patientId, viewsetId: viewSetUuid, version: now } },
    { name: 'PatientChanged', body: { patientId } },
  ];
  const all = [...eventsAt(1), ...eventsAt(2)];
  await vi.waitFor(() => expect([doctor, superior]).toEqual([all, all]), 20_000);
  expect(otherClinic).toEqual([]);
});
