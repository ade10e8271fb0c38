import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TokenReply } from '../../contract/sign-in.ts';
import { twoFactorReset } from '../../contract/two-factor.ts';
import { codeOf } from './authenticator.ts';
import { addAccount, password } from './clinic.ts';
import { type RunningServer, runServer, signIn } from './running-server.ts';
import { smtpProcess } from './smtp-process.ts';
import { later, twoFactorUnderTest } from './two-factor-under-test.ts';

const bench = twoFactorUnderTest();
const { call, withTwoFactor, byPassword, renewed } = bench;
const admin = 'admin@prov.example';

const reset = async (tokens: TokenReply, id: string, proof: string) => {
  const reply = await call(twoFactorReset, tokens, { id, proof, language: 'en' });
  return [reply.status, (await reply.json()).code];
};
const logOfObject = async (id: string) =>
  (
    await bench.database.db.selectFrom('access_log').selectAll().where('object_id', '=', id).orderBy('id').execute()
  ).map(({ action, account_id, detail }) => [action, account_id, detail]);

describe('an administrator turns off the two-factor authentication of a user', () => {
  it('with the own password: the sessions of the user end, and the password alone signs in', async () => {
    const { email, id, first } = await withTwoFactor();
    const own = await signIn(bench.running.url, admin);
    expect(await reset(own, id, password)).toEqual([200, undefined]);
    expect((await renewed(first)).status).toBe(400);
    expect((await byPassword(email)).status).toBe(200);
    const { id: adminId } = await bench.database.db
      .selectFrom('account')
      .select('id')
      .where('email', '=', admin)
      .executeTakeFirstOrThrow();
    expect(await logOfObject(id)).toEqual([['user.two-factor-reset', adminId, `Anna Prov <${email}>`]]);
  });

  it('not with a wrong password, which counts as a failed sign-in', async () => {
    const { id } = await withTwoFactor();
    const own = await signIn(bench.running.url, admin);
    expect(await reset(own, id, 'Guess-2026!')).toEqual([400, 'incorrect-password']);
    expect(await logOfObject(id)).toEqual([]);
    const refused = bench.database.db
      .selectFrom('access_log')
      .select('address')
      .where('action', '=', 'sign-in.refused');
    expect(await refused.execute()).toEqual([{ address: '127.0.0.1' }]);
    const statuses: number[] = [];
    for (let guess = 0; guess < 12; guess += 1) statuses.push(Number((await reset(own, id, 'Guess-2026!'))[0]));
    expect(statuses).toContain(429);
  });

  it('with a code instead, who has two-factor authentication', async () => {
    const email = 'chief@prov.example';
    await addAccount(bench.database.db, { email, role: 'CustomerAdmin', customerId: bench.customerId });
    const own = await signIn(bench.running.url, email);
    const key = await bench.keyFor(own);
    expect((await bench.verify(own, codeOf(key))).status).toBe(200);
    const { id } = await withTwoFactor();
    later();
    expect(await reset(own, id, password)).toEqual([400, 'incorrect-code']);
    expect(await reset(own, id, codeOf(key))).toEqual([200, undefined]);
  });

  it('not of the own account, of a higher rank, of another clinic, or where it is off', async () => {
    const own = await signIn(bench.running.url, admin);
    const rows = await bench.database.db.selectFrom('account').select(['id', 'email']).execute();
    const idOf = (email: string) => rows.find((row) => row.email === email)?.id ?? '';
    expect(await reset(own, idOf(admin), password)).toEqual([409, 'own-account']);
    expect((await reset(own, idOf('super@prov.example'), password))[0]).toBeGreaterThanOrEqual(403);
    expect(await reset(own, idOf('other@prov.example'), password)).toEqual([404, 'user-not-found']);
    expect(await reset(own, idOf('doctor@prov.example'), password)).toEqual([409, 'conflict']);
    const doctor = await signIn(bench.running.url, 'doctor@prov.example');
    const { id } = await withTwoFactor();
    expect(await reset(doctor, id, password)).toEqual([403, 'no-right']);
    expect(await logOfObject(id)).toEqual([]);
  });
});

describe('with a mail server', () => {
  let smtp: Awaited<ReturnType<typeof smtpProcess>>;
  let mailing: RunningServer;

  beforeEach(async () => {
    smtp = await smtpProcess();
    await smtp.start();
    const mail = { smtpUrl: `smtp://localhost:${smtp.port}`, from: 'x@prov.example', requireTls: false, caFile: null };
    mailing = await runServer(bench.database.database, { mail });
  });
  afterEach(async () => {
    await mailing.close();
    await smtp.stop();
  });

  it('both get an e-mail about it, without a link', async () => {
    const { email, id } = await withTwoFactor();
    const own = await signIn(mailing.url, admin);
    const reply = await fetch(`${mailing.url}${twoFactorReset.path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${own.access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ id, proof: password, language: 'en' }),
    });
    expect(reply.status).toBe(200);
    const taken = await smtp.taken(2);
    expect(taken.map(({ to }) => to).sort()).toEqual([[admin], [email]].sort());
    for (const { bytes } of taken) {
      expect(String(bytes)).toMatch(/two-factor authentication/i);
      expect(String(bytes)).not.toMatch(/https?:\/\/localhost\/|href=/);
    }
  });
});
