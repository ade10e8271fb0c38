import { afterAll, beforeAll, expect, it } from 'vitest';
import { ownPassword } from '../../contract/passwords.ts';
import type { Route } from '../../contract/route.ts';
import { sessionsEnd } from '../../contract/sessions.ts';
import type { TokenReply } from '../../contract/sign-in.ts';
import { twoFactorDisable, twoFactorSetup, twoFactorVerify } from '../../contract/two-factor.ts';
import { codeOf } from './authenticator.ts';
import { addTwoClinics, password } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { bearer, type RunningServer, runServer, signIn } from './running-server.ts';
import { smtpProcess } from './smtp-process.ts';

const email = 'doctor@prov.example';

let database: TestDatabase;
let smtp: Awaited<ReturnType<typeof smtpProcess>>;
let server: RunningServer;

beforeAll(async () => {
  database = await testDatabase();
  await addTwoClinics(database.db);
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

const call = async (tokens: TokenReply, route: Route, body?: object, language = 'en') => {
  const reply = await fetch(`${server.url}${route.path}`, {
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
