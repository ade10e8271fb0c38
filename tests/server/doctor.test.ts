import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimPublicUrl } from '../../server/db/public-url-claim.ts';
import { grantServerRights } from '../../server/db/server-role.ts';
import { makeCertificates } from '../../stand-ins/bank-id/certificates.ts';
import { archiveCommand } from './archive-command.ts';
import { addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase, urlOf } from './database.ts';
import { dataFolderOf, runServer } from './running-server.ts';
import { smtpProcess } from './smtp-process.ts';
import { startedServers } from './started-servers.ts';

interface Check {
  readonly name: string;
  readonly state: string;
  readonly text: string;
  readonly cure: string | null;
}

/** Depend on the machine that runs the tests. */
const ofMachine = ['disk space', 'disk speed', 'memory', 'Node', 'open files'];

const doctor = async (environment: Readonly<Record<string, string>>, ...args: string[]) => {
  const { code, stdout, stderr } = await archiveCommand(['doctor', '--json', ...args], environment);
  const checks: readonly Check[] = stdout ? JSON.parse(stdout).checks : [];
  return {
    code,
    output: stdout + stderr,
    check: (name: string) => checks.find((one) => one.name === name),
    problems: checks.filter(({ name, state }) => state !== 'ok' && !ofMachine.includes(name)).map(({ name }) => name),
    names: checks.map(({ name }) => name),
  };
};

let folder: string;
let certificates: ReturnType<typeof makeCertificates>;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-doctor-'));
  certificates = makeCertificates(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('on a database of DATABASE_URL', () => {
  let database: TestDatabase;
  const ending: (() => Promise<unknown>)[] = [];
  beforeEach(async () => {
    database = await testDatabase();
    await addTwoClinics(database.db);
  });
  afterEach(async () => {
    for (const end of ending.splice(0).reverse()) await end();
    await database.close();
  });

  const environment = (more: Readonly<Record<string, string>> = {}) => ({
    DENTARIUM_DATA: dataFolderOf(database.database),
    DATABASE_URL: urlOf(database.address),
    ...more,
  });

  /** A running server behind a proxy with TLS. Returns the port of the proxy. */
  const behindProxy = async (served: TestDatabase = database): Promise<number> => {
    const server = await runServer(served.database);
    ending.push(server.close);
    const tls = { key: certificates.serverKey, cert: certificates.serverCertificate };
    const proxy: Server = createServer(tls, async (request, reply) => {
      const answer = await fetch(`${server.url}${request.url}`);
      reply.writeHead(answer.status).end(await answer.text());
    });
    await new Promise<void>((resolve) => proxy.listen(0, '0.0.0.0', resolve));
    ending.push(() => new Promise((resolve) => proxy.close(resolve)));
    const claim = await claimPublicUrl(database.address, 'https://localhost', { onLost: () => undefined });
    ending.push(claim.close);
    return (proxy.address() as AddressInfo).port;
  };
  const trusting = () => ({ NODE_EXTRA_CA_CERTS: certificates.caFile, DENTARIUM_TRUST_PROXY: '1' });

  it('finds nothing wrong with a complete installation, sends both test messages and prints no secret', async () => {
    const port = await behindProxy();
    const mail = await smtpProcess({ user: 'archive', password: 'mail-secret' });
    await mail.start();
    ending.push(mail.stop);
    const messages: string[] = [];
    const gateway = createHttpServer(async (request, reply) => {
      messages.push(await text(request));
      reply.end();
    });
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
    ending.push(() => new Promise((resolve) => gateway.close(resolve)));
    const settings = environment({
      ...trusting(),
      DENTARIUM_PUBLIC_URL: `https://localhost:${port}`,
      DENTARIUM_SMTP_URL: `smtp://archive:mail-secret@localhost:${mail.port}`,
      DENTARIUM_MAIL_FROM: 'dentarium@clinic.example',
      DENTARIUM_SMS_URL: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/send`,
      DENTARIUM_SMS_TOKEN: 'sms-secret',
    });
    expect((await doctor(settings)).check('backup')).toMatchObject({ state: 'warning', text: 'none' });
    await archiveCommand(['backup', '--to', path.join(folder, 'backups')], settings);
    const { code, problems, check, output } = await doctor(
      settings,
      '--mail-to',
      'eva@clinic.example',
      '--sms-to',
      '070-174 06 11',
    );
    // The database of the tests runs without fsync, and its superuser serves.
    expect(problems.filter((name) => name !== 'database settings')).toEqual(['role of the server']);
    expect([0, 3]).toContain(code);
    expect(check('archive at the public URL')?.text).toBe('leads to this archive');
    expect(check('backup')?.text).toContain(path.join(folder, 'backups'));
    const scheduled = { ...settings, DENTARIUM_BACKUP_DIR: path.join(folder, 'backups') };
    expect((await doctor(scheduled)).check('backup')?.state).toBe('ok');
    await rename(path.join(folder, 'backups'), path.join(folder, 'elsewhere'));
    for (const prepare of [async () => undefined, () => mkdir(path.join(folder, 'backups'))]) {
      await prepare();
      for (const gone of [settings, scheduled])
        expect((await doctor(gone)).check('backup')).toMatchObject({
          state: 'error',
          text: expect.stringContaining('had backups of this archive, but is now another folder'),
          cure: expect.stringMatching(/^Mount its disk/),
        });
    }
    await rm(path.join(folder, 'backups'), { recursive: true });
    await rename(path.join(folder, 'elsewhere'), path.join(folder, 'backups'));
    await sql`update backup_run set started_at = now() - interval '3 days'`.execute(database.db);
    expect((await doctor(settings)).check('backup')).toMatchObject({
      state: 'warning',
      text: expect.stringMatching(/is older than two days$/),
    });
    expect(check('certificate')?.text).toMatch(/^trusted, (29|30) days left$/);
    expect((await mail.taken(1))[0]?.to).toEqual(['eva@clinic.example']);
    expect(messages).toEqual([expect.stringContaining('to=%2B46701740611')]);
    expect(output).not.toContain('secret');
    expect((await readdir(dataFolderOf(database.database))).filter((name) => name.startsWith('.doctor'))).toEqual([]);
  });

  it('tells whether the role of the server could change the access log', async () => {
    const roleCheck = async (more = {}) => (await doctor(environment(more))).check('role of the server');
    expect(await roleCheck()).toMatchObject({ state: 'warning', cure: expect.stringContaining('DATABASE_OWNER_URL') });
    const role = `served_${randomUUID().slice(0, 8)}`;
    await sql`create role ${sql.id(role)} login`.execute(database.db);
    await grantServerRights(database.db, role);
    ending.push(async () => {
      await sql`drop owned by ${sql.id(role)}`.execute(database.db);
      await sql`drop role ${sql.id(role)}`.execute(database.db);
    });
    const url = new URL(urlOf(database.address));
    url.username = role;
    expect(await roleCheck({ DATABASE_URL: url.href })).toMatchObject({ state: 'ok' });
  });

  it('finds a certificate for another name and one that it cannot trust, and a proxy that is not trusted', async () => {
    const port = await behindProxy();
    const { DENTARIUM_TRUST_PROXY: _, ...known } = trusting();
    const elsewhere = await doctor(environment({ ...known, DENTARIUM_PUBLIC_URL: `https://127.0.0.2:${port}` }));
    expect(elsewhere.check('certificate')).toMatchObject({ state: 'error', text: 'is for another name' });
    expect(elsewhere.check('trusted proxy')?.state).toBe('warning');
    expect(elsewhere.code).toBe(3);
    const unknown = await doctor(environment({ DENTARIUM_PUBLIC_URL: `https://localhost:${port}` }));
    expect(unknown.check('certificate')).toMatchObject({
      state: 'warning',
      text: expect.stringContaining('authority is unknown'),
    });
  });

  it('finds another archive at the public URL, none at all, and that no server runs', async () => {
    const other = await testDatabase();
    const port = await behindProxy(other);
    ending.unshift(other.close);
    const urlAt = (to: number) => environment({ ...trusting(), DENTARIUM_PUBLIC_URL: `https://localhost:${to}` });
    expect((await doctor(urlAt(port))).check('archive at the public URL')).toMatchObject({
      state: 'error',
      text: 'leads to another program (status 200)',
    });
    expect((await doctor(urlAt(1))).check('archive at the public URL')).toMatchObject({
      state: 'error',
      text: 'https://localhost:1 does not answer here (ECONNREFUSED)',
    });
    await ending.pop()?.();
    expect((await doctor(urlAt(port))).check('archive at the public URL')).toMatchObject({
      state: 'warning',
      text: 'no server runs',
    });
  });

  it('finds settings that lose data, migrations of other versions, and the files of another database', async () => {
    const server = await runServer(database.database);
    await server.close();
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(database.db);
    await sql`alter database ${sql.id(rows[0]?.name ?? '')} set synchronous_commit = off`.execute(database.db);
    await sql`insert into kysely_migration (name, timestamp) values ('999-later', now()::text)`.execute(database.db);
    const { check, code } = await doctor(environment());
    expect(code).toBe(3);
    expect(check('database settings')).toMatchObject({ state: 'error', text: expect.stringContaining('synchronous') });
    expect(check('migrations')).toMatchObject({ state: 'error', text: expect.stringContaining('999-later') });
    await sql`delete from kysely_migration where name like '027%' or name = '999-later'`.execute(database.db);
    await sql`update seed_state set value = ${JSON.stringify('another')} where name = 'archive-id'`.execute(
      database.db,
    );
    const again = await doctor(environment());
    expect(again.check('migrations')).toMatchObject({ state: 'warning', text: expect.stringMatching(/^1 wait/) });
    expect(again.check('files folder')).toMatchObject({
      state: 'error',
      text: expect.stringContaining('belongs to another database'),
    });
  });

  it('finds a mail server and a database that do not answer', async () => {
    const { check, names } = await doctor({
      DENTARIUM_DATA: folder,
      DATABASE_URL: 'postgres://archive:database-secret@127.0.0.1:1/dentarium',
      DENTARIUM_SMTP_URL: 'smtp://archive:mail-secret@127.0.0.1:1',
      DENTARIUM_MAIL_FROM: 'dentarium@clinic.example',
    });
    expect(check('database')).toMatchObject({ state: 'error', text: expect.stringContaining('ECONNREFUSED') });
    expect(check('e-mail')).toMatchObject({ state: 'error', text: expect.stringContaining('127.0.0.1:1') });
    // Without its database nothing tells whether a server runs.
    expect(names).not.toContain('archive at the public URL');
  });
});

describe('without a database of its own', () => {
  const { inFolder, start, stop } = startedServers();

  it('names a setting that is not valid, without its value', async () => {
    const { code, check, output } = await doctor({ DENTARIUM_DATA: inFolder(), DATABASE_URL: 'mysql://u:secret@h/x' });
    expect(code).toBe(3);
    expect(check('configuration')).toMatchObject({ state: 'error', text: expect.stringContaining('DATABASE_URL') });
    expect(output).not.toContain('secret');
  });

  it('rejects invalid recipients', async () => {
    const environment = { DENTARIUM_DATA: inFolder() };
    expect((await doctor(environment, '--mail-to', 'nobody')).code).toBe(2);
    expect((await doctor(environment, '--sms-to', '112')).code).toBe(2);
  });

  it('creates nothing before the first start, and checks a running and a stopped embedded database', async () => {
    const environment = { DENTARIUM_DATA: inFolder() };
    const before = await doctor(environment);
    expect(before.check('database')).toMatchObject({ state: 'warning', text: 'not created yet' });
    expect(await readdir(inFolder())).toEqual([]);
    const backups = inFolder('backups');
    await mkdir(path.join(backups, '2026-11-24T02-00-00Z'), { recursive: true });
    const lost = await doctor({ DENTARIUM_DATA: inFolder('data'), DENTARIUM_BACKUP_DIR: backups });
    expect(lost.check('database')).toMatchObject({
      state: 'error',
      text: `${inFolder('data')} has no archive, but ${backups} has backups of one`,
      cure: expect.stringMatching(/^Mount the disk of the data/),
    });
    await rm(backups, { recursive: true });
    const child = await start();
    const running = await doctor({ ...environment, PORT: new URL(child.url).port });
    expect(running.problems).toEqual(['backup', 'e-mail']);
    expect(running.check('archive at the public URL')?.text).toBe('leads to this archive');
    await stop(child, 'SIGTERM');
    expect((await doctor(environment)).problems).toEqual(['backup', 'archive at the public URL', 'e-mail']);
  });
});
