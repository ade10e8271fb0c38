import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  passkeyAdd,
  passkeyOptions,
  passkeyProof,
  passkeyRemove,
  passkeyRename,
  passkeysGet,
} from '../../contract/passkeys.ts';
import { ownPassword } from '../../contract/passwords.ts';
import { pinRemove, pinSet } from '../../contract/pins.ts';
import type { Route } from '../../contract/route.ts';
import { sessionsEnd } from '../../contract/sessions.ts';
import type { TokenReply } from '../../contract/sign-in.ts';
import { twoFactorDisable, twoFactorSetup, twoFactorVerify } from '../../contract/two-factor.ts';
import { codeOf } from './authenticator.ts';
import { addAccount, addTwoClinics, password } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { bearer, type RunningServer, runServer, signIn } from './running-server.ts';
import { smtpProcess } from './smtp-process.ts';
import { softwarePasskey } from './software-passkey.ts';

const email = 'doctor@prov.example';

let database: TestDatabase;
let smtp: Awaited<ReturnType<typeof smtpProcess>>;
let server: RunningServer;
let clinic: Awaited<ReturnType<typeof addTwoClinics>>;

beforeAll(async () => {
  database = await testDatabase();
  clinic = await addTwoClinics(database.db);
  smtp = await smtpProcess();
  await smtp.start();
  const mail = { smtpUrl: `smtp://localhost:${smtp.port}`, from: 'x@prov.example', requireTls: false, caFile: null };
  server = await runServer(database.database, { mail });
});
afterAll(async () => {
  await server.close();
  await smtp.stop();
  await database.close();
});

/** Passkeys do not work at an IP address. */
const atLocalhost = () => server.url.replace('127.0.0.1', 'localhost');

const call = async (tokens: TokenReply, route: Route, body?: object, language = 'en') => {
  const reply = await fetch(`${atLocalhost()}${route.path}`, {
    method: route.method,
    headers: { ...bearer(tokens), 'accept-language': language, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(reply.status).toBe(200);
  return reply.json();
};

it('users get an e-mail about each change of password, two-factor authentication and sessions, without a link', async () => {
  const tokens = await signIn(server.url, email);
  const { data } = await call(tokens, twoFactorSetup);
  const { data: on } = await call(tokens, twoFactorVerify, { verificationCode: codeOf(data.sharedKey) });
  await call(tokens, twoFactorDisable, { verificationCode: on.recoveryCodes[0] });
  await call(tokens, sessionsEnd, { id: null }, 'nb-NO');
  await call(tokens, ownPassword, { current: password, password: 'Ny-vinter-2026!' }, 'da');
  const taken = await smtp.taken(4);
  expect(taken.map(({ to }) => to)).toEqual(Array(4).fill([email]));
  const emails = taken.map(({ bytes }) => String(bytes));
  for (const subject of [
    // Subjects that are not ASCII are quoted-printable.
    'Two-factor authentication was turned on',
    'Two-factor authentication was turned off',
    'Du_er_logget_ut',
    'Din_adgangskode',
  ])
    expect(emails.filter((one) => one.includes(subject))).toHaveLength(1);
  for (const one of emails) {
    expect(one).not.toMatch(/https?:\/\/localhost\/|href=/);
    expect(one).not.toContain('Ny-vinter-2026!');
  }
});

it('users get an e-mail about each change of their passkeys', async () => {
  const owner = 'passkeys@prov.example';
  await addAccount(database.db, { email: owner, role: 'Doctor', customerId: clinic.customerId });
  const tokens = await signIn(server.url, owner);
  await call(tokens, passkeyProof, { kind: 'password', password });
  const response = softwarePasskey(atLocalhost()).create(await call(tokens, passkeyOptions, {}));
  await call(tokens, passkeyAdd, { name: 'Office', response });
  const { passkeys } = await call(tokens, passkeysGet);
  await call(tokens, passkeyRename, { id: passkeys[0].id, name: 'Home' }, 'sv');
  await call(tokens, passkeyRemove, { id: passkeys[0].id }, 'nb');
  const emails = (await smtp.taken(7)).slice(4);
  expect(emails.map(({ to }) => to)).toEqual(Array(3).fill([owner]));
  const texts = emails.map(({ bytes }) => String(bytes)).join('\n');
  for (const subject of ['A passkey was added', 'har_bytt_namn', 'er_fjernet']) expect(texts).toContain(subject);
  expect(texts).not.toMatch(/Office|Home|href=/);
});

it('users get an e-mail about each change of their PIN', async () => {
  const owner = 'pins@prov.example';
  await addAccount(database.db, { email: owner, role: 'Doctor', customerId: clinic.customerId });
  const tokens = await signIn(server.url, owner);
  await call(tokens, passkeyProof, { kind: 'password', password });
  await call(tokens, pinSet, { pin: '730182' });
  await call(tokens, pinSet, { pin: '826403' }, 'sv');
  await call(tokens, pinRemove, {}, 'da');
  const emails = (await smtp.taken(10)).slice(7);
  expect(emails.map(({ to }) => to)).toEqual(Array(3).fill([owner]));
  const texts = emails.map(({ bytes }) => String(bytes)).join('\n');
  for (const subject of ['A PIN was set', 'har_=C3=A4ndrats', 'Din PIN-kode er fjernet'])
    expect(texts).toContain(subject);
  expect(texts).not.toMatch(/730182|826403|href=/);
});
