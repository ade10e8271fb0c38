import { describe, expect, it } from 'vitest';
import { accountInfo } from '../../contract/account.ts';
import { readIdentitySettings } from '../../server/identity/identity-settings.ts';
import { parseEmail } from '../../server/mail/parse-email.ts';
import { password } from './clinic.ts';
import { holdBlocks } from './hold-blocks.ts';
import { codeOf, keyOf, resetUnderTest, until } from './reset-under-test.ts';
import { bearer, requestTokens, runServer, signIn } from './running-server.ts';
import { smtpProcess } from './smtp-process.ts';

const server = resetUnderTest();
const { requestReset, emailFor, choose, byPassword, newUser } = server;

const logOf = async (accountId: string) =>
  (
    await server.database.db
      .selectFrom('access_log')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('id')
      .execute()
  ).map(({ action }) => action);

describe('a new password', () => {
  it('is set by the link of an e-mail, once, and ends every session', async () => {
    const { email, id } = await newUser();
    const session = await signIn(server.url, email);
    const link = await emailFor(email.toUpperCase());
    expect(link.id).toBe(id);
    expect(link.key.length).toBeGreaterThanOrEqual(43);
    const stored = await server.database.db.selectFrom('password_reset').selectAll().execute();
    expect(stored).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toContain(link.key);

    const replies = await Promise.all([choose(link, 'Nytt-2026!'), choose(link, 'Annat-2026!')]);
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 410]);
    expect(await codeOf(await choose(link, 'Tredje-2026!'))).toEqual([410, 'link-expired']);
    const chosen = replies[0]?.status === 200 ? 'Nytt-2026!' : 'Annat-2026!';
    expect((await byPassword(email, password)).status).toBe(400);
    expect((await byPassword(email, chosen)).status).toBe(200);

    expect((await fetch(`${server.url}${accountInfo.path}`, { headers: bearer(session) })).status).toBe(401);
    const renewal = { grant_type: 'refresh_token', refresh_token: session.refresh_token ?? '' };
    expect((await requestTokens(server.url, renewal)).status).toBe(400);
    expect(await logOf(id)).toEqual(expect.arrayContaining(['password.reset-requested', 'password.changed']));
  });

  it('unblocks a user after too many failures', async () => {
    const { email } = await newUser();
    for (let index = 0; index < 6; index += 1) await byPassword(email, 'Guess-2026!');
    await holdBlocks(server.database.db);
    expect((await byPassword(email, password)).status).toBe(429);
    expect((await choose(await emailFor(email), 'Nytt-2026!')).status).toBe(200);
    expect((await byPassword(email, 'Nytt-2026!')).status).toBe(200);
  });

  it('keeps two-factor enabled', async () => {
    const { email, id } = await newUser();
    const key = { two_factor_key: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' };
    await server.database.db.updateTable('account').set(key).where('id', '=', id).execute();
    expect((await choose(await emailFor(email), 'Nytt-2026!')).status).toBe(200);
    expect((await (await byPassword(email, 'Nytt-2026!')).json()).error_description).toBe('code-needed');
  });

  it('must satisfy the password rules, and a rejected one keeps the link valid', async () => {
    const { email } = await newUser();
    const link = await emailFor(email);
    for (const weak of ['Ab1!', 'nyttlösen-1', 'NYTT-2026!', 'Nytt2026', 'Nytt-lösen']) {
      const reply = await choose(link, weak);
      expect(await reply.json()).toMatchObject({ code: 'invalid-request', errors: [{ fieldKey: 'password' }] });
    }
    expect((await choose(link, 'Nytt-2026!')).status).toBe(200);
  });

  it('is rejected with the link of another user, an old one, an expired one, and a forged one', async () => {
    const [one, two] = [await newUser(), await newUser()];
    const older = await emailFor(one.email);
    const newer = await emailFor(one.email);
    expect(await codeOf(await choose(older, 'Nytt-2026!'))).toEqual([410, 'link-expired']);
    expect((await choose({ ...newer, id: two.id }, 'Nytt-2026!')).status).toBe(410);
    expect((await choose({ ...newer, key: 'x'.repeat(43) }, 'Nytt-2026!')).status).toBe(410);
    const past = { expires_at: new Date(Date.now() - 1000) };
    await server.database.db.updateTable('password_reset').set(past).where('account_id', '=', one.id).execute();
    expect((await choose(newer, 'Nytt-2026!')).status).toBe(410);
    const last = await emailFor(one.email);
    await server.database.db.updateTable('account').set({ is_active: false }).where('id', '=', one.id).execute();
    expect((await choose(last, 'Nytt-2026!')).status).toBe(410);
    expect((await byPassword(two.email, password)).status).toBe(200);
  });

  it('is possible for an hour, or as configured', async () => {
    const { email } = await newUser();
    await emailFor(email);
    const row = await server.database.db
      .selectFrom('password_reset')
      .innerJoin('account', 'account.id', 'account_id')
      .select('expires_at')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    expect(Math.round((row.expires_at.getTime() - Date.now()) / 60_000)).toBe(60);
    expect(readIdentitySettings({ DENTARIUM_RESET_MINUTES: '15' }).passwords.resetMinutes).toBe(15);
    for (const wrong of ['0', 'soon', '100000'])
      expect(() => readIdentitySettings({ DENTARIUM_RESET_MINUTES: wrong })).toThrow('DENTARIUM_RESET_MINUTES');
  });
});

describe('with a mail server', () => {
  const started = async (port: number) => {
    const mail = { smtpUrl: `smtp://localhost:${port}`, from: 'x@prov.example', requireTls: false, caFile: null };
    return runServer(server.database.database, { mail });
  };

  it('sends the e-mail after an outage and a restart of the archive, with a working link', async () => {
    const { email } = await newUser();
    const smtp = await smtpProcess();
    const first = await started(smtp.port);
    expect((await requestReset(email, {}, {}, first.url)).status).toBe(200);
    await until(async () => {
      const row = await server.database.db.selectFrom('letter').select(['tries', 'try_at']).executeTakeFirst();
      return row && row.tries > 0 && row.try_at.getTime() < Date.now() + 60_000;
    });
    await first.close();
    expect(
      await server.database.db
        .selectFrom('password_reset')
        .innerJoin('account', 'account.id', 'account_id')
        .select('email')
        .where('email', '=', email)
        .execute(),
    ).toEqual([]);
    await smtp.start();
    await server.database.db.updateTable('letter').set({ try_at: new Date() }).execute();
    const second = await started(smtp.port);
    const [taken] = await smtp.taken(1);
    expect(taken?.to).toEqual([email]);
    const link = keyOf(parseEmail(taken?.bytes ?? '').link ?? '');
    expect((await choose(link, 'Nytt-2026!')).status).toBe(200);
    await second.close();
    await smtp.stop();
  });
});
