import http from 'node:http';
import { describe, expect, it } from 'vitest';
import { welcome } from '../../contract/about.ts';
import { demoAccounts, resetUnderTest } from './reset-under-test.ts';
import { runServer } from './running-server.ts';

const server = resetUnderTest();
const { emailFor, newUser } = server;

describe('the outbox page', () => {
  /** `fetch` sets Host itself. */
  const statusWith = (where: string, headers: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      http
        .get(`${where}/api/outbox`, { headers }, (reply) => {
          reply.resume();
          resolve(reply.statusCode ?? 0);
        })
        .on('error', reject);
    });

  it('is announced to the sign-in page, and shows the e-mails without a script', async () => {
    const { email } = await newUser();
    await emailFor(email);
    expect((await (await fetch(`${server.url}${welcome.path}`)).json()).outbox).toBe('/api/outbox');
    const reply = await fetch(`${server.url}/api/outbox?language=en`);
    const text = await reply.text();
    expect(reply.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(text).toContain('<html lang="en">');
    expect(text).toContain(email);
    expect(text).not.toMatch(/<script|<img|<link/);
  });

  it('is available on this machine only, not through a proxy or under another host name', async () => {
    const { host } = new URL(server.url);
    expect(await statusWith(server.url, { host })).toBe(200);
    for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])
      expect(await statusWith(server.url, { host, [header]: '127.0.0.1' })).toBe(404);
    expect(await statusWith(server.url, { host: 'elsewhere.example' })).toBe(404);
  });

  it('is not available without the demo clinic or with a mail server', async () => {
    const mail = { smtpUrl: 'smtp://localhost:1', from: 'x@prov.example', requireTls: false, caFile: null };
    for (const extra of [{}, { demoAccounts, mail }]) {
      const other = await runServer(server.database.database, extra);
      const { host } = new URL(other.url);
      expect(await statusWith(other.url, { host })).toBe(404);
      expect((await (await fetch(`${other.url}${welcome.path}`)).json()).outbox).toBeNull();
      await other.close();
    }
  });
});
