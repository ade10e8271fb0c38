import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bankId } from '../../server/identity/bank-id/bank-id.ts';
import { bankIdOrders } from '../../server/identity/bank-id/bank-id-orders.ts';
import { isTestBankId, readBankIdSettings } from '../../server/identity/bank-id/bank-id-settings.ts';
import { visibleText } from '../../server/identity/bank-id/visible-text.ts';
import { StartupError } from '../../server/startup-error.ts';
import { makeCertificates } from '../../stand-ins/bank-id/certificates.ts';
import type { StandIn } from '../../stand-ins/stand-in.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { newFolder, type SignInNode, signInNode, until } from './sign-in-under-test.ts';
import { startStandIn } from './stand-in-process.ts';

let database: TestDatabase;
let standIn: StandIn;
let folder: Awaited<ReturnType<typeof newFolder>>;
let other: ReturnType<typeof makeCertificates>;

const openNode = (environment: Readonly<Record<string, string>>): Promise<SignInNode> =>
  signInNode((interactions) =>
    bankId({
      db: database.db,
      orders: bankIdOrders({
        db: database.db,
        settings: readBankIdSettings(environment),
        issuer: 'https://archive.example',
      }),
      interactions,
      checkReplies: true,
    }),
  );

beforeAll(async () => {
  database = await testDatabase();
  folder = await newFolder();
  const timings = { start: 1, answer: 1 };
  standIn = await startStandIn('bank-id', { folder: path.join(folder.folder, 'own'), timings });
  other = makeCertificates(path.join(folder.folder, 'other'));
});
afterAll(async () => {
  await standIn?.close();
  await folder?.remove();
  await database?.close();
});

/** Status, or the code of the connection error. */
const authWith = (tls: object): Promise<number | string> =>
  new Promise((resolve) => {
    const url = `${standIn.environment.DENTARIUM_BANKID_URL}/auth`;
    const headers = { 'content-type': 'application/json' };
    const call = request(url, { method: 'POST', headers, ...tls }, (reply) => {
      reply.resume();
      resolve(reply.statusCode ?? 0);
    });
    call.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    call.end(JSON.stringify({ endUserIp: '192.0.2.1' }));
  });

describe('the test server', () => {
  const own = () => ({
    ca: readFileSync(standIn.environment.DENTARIUM_BANKID_CA ?? ''),
    pfx: readFileSync(standIn.environment.DENTARIUM_BANKID_CERTIFICATE ?? ''),
    passphrase: standIn.environment.DENTARIUM_BANKID_PASSPHRASE,
  });

  it('accepts a relying party with its certificate', async () => {
    expect(await authWith(own())).toBe(200);
  });

  it('rejects clients without a certificate', async () => {
    expect(await authWith({ ca: own().ca })).toMatch(/CERTIFICATE_REQUIRED|ECONNRESET|HANDSHAKE/);
  });

  it('rejects a certificate of another authority', async () => {
    const pfx = readFileSync(other.clientFile);
    expect(await authWith({ ca: own().ca, pfx, passphrase: other.passphrase })).toMatch(
      /UNKNOWN_CA|ECONNRESET|HANDSHAKE/,
    );
  });
});

describe('the archive', () => {
  it('rejects a server with a certificate of another authority', async () => {
    const node = await openNode({ ...standIn.environment, DENTARIUM_BANKID_CA: other.caFile });
    expect(await node.post(randomUUID(), 'bankid')).toMatchObject({ status: 503, body: { code: 'method-away' } });
    expect(node.log()).toMatch(/UNABLE_TO_VERIFY|SELF_SIGNED|CERT/);
    await node.close();
  });

  it('reports method-away when BankID does not answer', async () => {
    const node = await openNode({ ...standIn.environment, DENTARIUM_BANKID_URL: 'https://127.0.0.1:1/rp/v6.0' });
    expect(await node.post(randomUUID(), 'bankid')).toMatchObject({ status: 503, body: { code: 'method-away' } });
    await node.close();
  });

  it.each([
    ['never opened in an app', false, 'startFailed'],
    ['never answered', true, 'expiredTransaction'],
  ])('reports an order that was %s', async (_, isOpened, hint) => {
    const node = await openNode(standIn.environment);
    const uid = randomUUID();
    const { qr } = (await node.post(uid, 'bankid')).body;
    const headers = { 'content-type': 'application/json' };
    if (isOpened) await fetch(`${standIn.url}/scan`, { method: 'POST', headers, body: JSON.stringify({ text: qr }) });
    const ended = await until(
      () => node.post(uid, 'bankid/collect'),
      ({ body }) => body.status !== 'pending',
    );
    expect(ended.body).toEqual({ status: 'failed', hint });
    await node.close();
  });
});

describe('settings', () => {
  const given = () => ({ ...standIn.environment });

  it('disable BankID when missing', () => {
    expect(readBankIdSettings({})).toBeNull();
  });

  it('default to the real service', () => {
    const { DENTARIUM_BANKID_URL: _, ...rest } = given();
    const settings = readBankIdSettings(rest);
    expect(settings?.url).toBe('https://appapi2.bankid.com/rp/v6.0');
    expect(settings && isTestBankId(settings)).toBe(false);
  });

  it.each([
    'https://127.0.0.1:4000/rp/v6.0',
    'https://localhost/rp/v6.0',
    'https://[::1]:1/rp/v6.0',
    'https://appapi2.test.bankid.com/rp/v6.0',
  ])('%s is a test server', (url) => {
    expect(isTestBankId({ url })).toBe(true);
  });

  it.each([
    ['DENTARIUM_BANKID_CERTIFICATE', '/no/such/file.p12', /DENTARIUM_BANKID_CERTIFICATE: the file cannot be read/],
    ['DENTARIUM_BANKID_CERTIFICATE', '', /DENTARIUM_BANKID_CERTIFICATE: is missing/],
    ['DENTARIUM_BANKID_CERTIFICATE', 'text', /DENTARIUM_BANKID_CERTIFICATE: the file is no PKCS #12/],
    ['DENTARIUM_BANKID_PASSPHRASE', 'wrong', /DENTARIUM_BANKID_PASSPHRASE: does not open/],
    ['DENTARIUM_BANKID_CA', 'text', /DENTARIUM_BANKID_CA: the file holds no certificate/],
    ['DENTARIUM_BANKID_URL', 'http://appapi2.bankid.com/rp/v6.0', /DENTARIUM_BANKID_URL/],
    ['DENTARIUM_BANKID_POLICIES', '1.2.752.78.1.5, none', /DENTARIUM_BANKID_POLICIES/],
  ])('an invalid %s (%s) prevents startup and is named', (name, value, fault) => {
    const text = path.join(folder.folder, 'text');
    writeFileSync(text, 'no certificate');
    const environment = { ...given(), [name]: value === 'text' ? text : value };
    expect(() => readBankIdSettings(environment)).toThrow(StartupError);
    expect(() => readBankIdSettings(environment)).toThrow(fault);
    expect(() => readBankIdSettings(environment)).not.toThrow(given().DENTARIUM_BANKID_PASSPHRASE);
  });
});

it.each([
  ['sign-in', null, /^Du loggar in/],
  ['sign-in', 'en-GB sv', /^You are signing in/],
  ['sign-in', 'nb-NO', /^Du logger inn/],
  ['sign-in', 'da', /^Du logger ind/],
  ['sign-in', 'fi', /^Du loggar in/],
  ['unlock', 'sv', /^Du låser upp/],
  ['unlock', 'en', /^You are unlocking/],
  ['unlock', 'nb', /^Du låser opp/],
  ['unlock', 'da', /^Du låser en låst side op/],
] as const)(
  'the text of the app for %s in %s names the host and warns, within the limit of BankID',
  (action, language, words) => {
    const text = visibleText('bilder.tandkliniken-i-ljungheden.example', action, language);
    expect(text).toMatch(words);
    expect(text).toContain('bilder.tandkliniken-i-ljungheden.example');
    expect(Buffer.from(text).toString('base64').length).toBeLessThanOrEqual(1_500);
  },
);
