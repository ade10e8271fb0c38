import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openid } from '../../contract/sign-in.ts';
import { readIdentitySettings } from '../../server/identity/identity-settings.ts';
import type { StandIn } from '../../stand-ins/stand-in.ts';
import { freePort } from '../free-port.ts';
import { addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { begin, comeBack, exchange } from './flow.ts';
import { type RunningServer, runServer } from './running-server.ts';
import { newFolder, until } from './sign-in-under-test.ts';
import { startStandIn } from './stand-in-process.ts';

/* The complete flow with the archive's own provider: from the authorization request to tokens. */

const redirectUri = `http://localhost${openid.callbackPath}`;
const number = '199001019802';

let database: TestDatabase;
let clinic: Awaited<ReturnType<typeof addTwoClinics>>;
let folder: Awaited<ReturnType<typeof newFolder>>;
let bankId: StandIn;
let sms: StandIn;
let running: RunningServer;
let port: number;

const run = () =>
  runServer(database.database, { identity: readIdentitySettings({ ...bankId.environment, ...sms.environment }) }, port);

beforeAll(async () => {
  database = await testDatabase();
  clinic = await addTwoClinics(database.db);
  const details = { personal_number: '900101-9802', telephone: '070-174 06 11' };
  await database.db.updateTable('account').set(details).where('id', '=', clinic.doctorId).execute();
  folder = await newFolder();
  bankId = await startStandIn('bank-id', { folder: folder.folder });
  sms = await startStandIn('sms', {});
  port = await freePort();
  running = await run();
});
afterAll(async () => {
  await running?.close();
  await bankId?.close();
  await sms?.close();
  await folder?.remove();
  await database?.close();
});

const app = async (call: string, body: object) => {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${bankId.url}/${call}`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
};

it('completes a BankID sign-in across a restart of the archive during its order', async () => {
  const started = await begin(running.url, redirectUri, { method: 'bankid' });
  expect((await started.get('')).headers.get('location')).toBe(`/authorization/bankid?interaction=${started.uid}`);
  const { qr } = await (await started.post('bankid', {})).json();
  const { id } = await app('scan', { text: qr, personalNumber: number });
  const collect = async () => (await started.post('bankid/collect', {})).json();
  await until(collect, ({ hint }) => hint === 'userSign');

  await running.close();
  running = await run();
  expect(await collect()).toMatchObject({ status: 'pending', hint: 'userSign' });
  await app('answer', { id, answer: 'yes' });
  const { next } = await until(collect, ({ status }) => status !== 'pending');
  expect(next.outcome).toBe('finished');
  const code = (await comeBack(running.url, started.jar, next.redirectTo)).get('code') ?? '';
  const tokens = await (await exchange(running.url, code, started)).json();
  expect(decodeJwt(tokens.id_token)).toMatchObject({ sub: clinic.doctorId, amr: ['mfa', 'pop'] });
});

it('issues tokens after a sign-in with a code by text message', async () => {
  const started = await begin(running.url, redirectUri, { method: 'sms' });
  expect((await started.get('')).headers.get('location')).toBe(`/authorization/sms?interaction=${started.uid}`);
  expect((await started.post('sms', { email: 'Doctor@prov.example', language: 'no' })).status).toBe(200);
  const messages = async (): Promise<{ message: string }[]> => (await fetch(`${sms.url}/messages`)).json();
  const [sent] = await until(messages, (all) => all.length > 0);
  const code = /@localhost #(\d{6})$/.exec(sent?.message ?? '')?.[1];
  const { outcome, redirectTo } = await (await started.post('sms/verify', { code })).json();
  expect(outcome).toBe('finished');
  const back = (await comeBack(running.url, started.jar, redirectTo)).get('code') ?? '';
  const tokens = await (await exchange(running.url, back, started)).json();
  expect(decodeJwt(tokens.id_token)).toMatchObject({ sub: clinic.doctorId, amr: ['sms'] });
});

it('returns the offered methods, and that their servers are test servers', async () => {
  const reply = await (await fetch(`${running.url}/api/Configuration/welcome`)).json();
  expect(reply.methods).toEqual(
    expect.arrayContaining([
      { method: 'bankid', label: null, test: true },
      { method: 'sms', label: null, test: true },
    ]),
  );
});
