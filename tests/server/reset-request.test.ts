import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { resetUnderTest, until } from './reset-under-test.ts';

const server = resetUnderTest();
const { requestReset, outbox, allSettled, shown, newestLink, emailFor, choose, newUser } = server;

describe('requesting a reset e-mail', () => {
  it('is answered alike for every name, after the same work', async () => {
    const inactive = await newUser({ isActive: false });
    const { email } = await newUser();
    const before = await outbox();
    const answers: [number, unknown, string[]][] = [];
    for (const name of [email, 'nobody@prov.example', inactive.email]) {
      // The account table is locked meanwhile: the reply does not wait for it, the e-mail does.
      await server.database.db.transaction().execute(async (transaction) => {
        await sql`lock table account in access exclusive mode`.execute(transaction);
        const reply = await requestReset(name);
        answers.push([reply.status, await reply.json(), [...reply.headers.keys()].sort()]);
      });
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    expect(answers[0]?.slice(0, 2)).toEqual([200, {}]);
    await allSettled();
    expect((await outbox()).length).toBe(before.length + 1);
    const queued = await server.database.db.selectFrom('letter').select('email').execute();
    expect(queued).toEqual([{ email: null }]);
  });

  it('sends three e-mails an hour, and is answered alike after that', async () => {
    const { email } = await newUser();
    const before = (await outbox()).length;
    for (let index = 0; index < 5; index += 1) {
      expect((await requestReset(email)).status).toBe(200);
      await allSettled();
    }
    expect((await outbox()).length).toBe(before + 3);
    await server.database.db
      .updateTable('letter')
      .set({ sent_at: new Date(Date.now() - 3_700_000) })
      .execute();
    await emailFor(email);
  });

  it('several times at once sends one e-mail with a working link', async () => {
    const { email } = await newUser();
    const before = (await outbox()).length;
    await Promise.all(Array.from({ length: 6 }, () => requestReset(email)));
    await allSettled();
    expect((await outbox()).length).toBeLessThanOrEqual(before + 3);
    expect((await choose(await newestLink(), 'Nytt-2026!')).status).toBe(200);
  });

  it.each([
    'https://elsewhere.example/authorization/newpassword',
    'http://localhost.elsewhere.example/',
    'http://localhost@elsewhere.example/',
    'http://user@localhost/',
    'https://localhost/',
    'http://localhost:8080/',
    'javascript:alert(1)',
  ])('for a page at %s is rejected with its field', async (redirectUrl) => {
    const reply = await requestReset('doctor@prov.example', { redirectUrl });
    expect([reply.status, await reply.json()]).toMatchObject([
      400,
      { code: 'invalid-request', errors: [{ fieldKey: 'redirectUrl' }] },
    ]);
  });

  it('never leads to another host by a path that looks like one', async () => {
    const { email } = await newUser();
    const before = (await outbox()).length;
    expect((await requestReset(email, { redirectUrl: 'http://localhost//elsewhere.example/x' })).status).toBe(200);
    await until(async () => (await outbox()).length > before);
    await allSettled();
    expect(await shown()).toContain('href="http://localhost//elsewhere.example/x#');
  });

  it('by 127.0.0.1 leads to localhost, the same archive', async () => {
    const { email } = await newUser();
    const before = (await outbox()).length;
    expect((await requestReset(email, { redirectUrl: 'http://127.0.0.1/authorization/newpassword' })).status).toBe(200);
    await until(async () => (await outbox()).length > before);
    await allSettled();
    await newestLink();
  });

  it('sends the e-mail in the requested language', async () => {
    const { email } = await newUser();
    const before = (await outbox()).length;
    await requestReset(email, { language: 'da' });
    await until(async () => (await outbox()).length > before);
    await allSettled();
    expect(await shown()).toMatch(/<html lang="da">.*Vælg en ny adgangskode til Dentarium/s);
  });
});
