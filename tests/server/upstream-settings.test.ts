import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isMultiFactor } from '../../server/identity/upstream/strength.ts';
import { readUpstreamSettings } from '../../server/identity/upstream/upstream-settings.ts';
import { StartupError } from '../../server/startup-error.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-upstream-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const fileOf = (name: string, text: string | Buffer): string => {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
};
const pem = { type: 'pkcs8', format: 'pem' } as const;
const good = fileOf('rsa.pem', generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export(pem));
const curve = fileOf('ec.pem', generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export(pem));
const small = fileOf('small.pem', generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export(pem));
const noKey = fileOf('none.pem', 'no key');

const siths = {
  DENTARIUM_SITHS_ISSUER: 'https://idp.ineratest.org:443/oidc',
  DENTARIUM_SITHS_CLIENT_ID: 'the-client',
  DENTARIUM_SITHS_CLIENT_SECRET: 'a-secret-that-is-never-printed',
};
const openid = { DENTARIUM_OPENID_ISSUER: 'https://login.clinic.example', DENTARIUM_OPENID_CLIENT_ID: 'the-client' };

describe('settings of external providers', () => {
  it('are empty by default, except for the address of Azure AD', () => {
    expect(readUpstreamSettings({ PORT: '1', DENTARIUM_OPENID_CLIENTS: '[]' })).toEqual({
      siths: null,
      openid: null,
      azureAuthority: 'https://login.microsoftonline.com',
      azureClientSecret: null,
    });
  });

  it('have defaults', () => {
    const read = readUpstreamSettings({ ...siths, ...openid });
    expect(read.siths).toMatchObject({
      issuer: siths.DENTARIUM_SITHS_ISSUER,
      scope: 'openid personal_identity_number',
      claims: ['credentialPersonalIdentityNumber', 'personalIdentityNumber'],
    });
    expect(read.openid).toMatchObject({ clientSecret: null, claim: 'email', accountField: 'email', label: null });
  });

  it('accept a key in place of a secret', () => {
    const { DENTARIUM_SITHS_CLIENT_SECRET: _, ...rest } = siths;
    for (const file of [good, curve])
      expect(readUpstreamSettings({ ...rest, DENTARIUM_SITHS_PRIVATE_KEY_FILE: file }).siths?.privateKey).toBeTruthy();
  });

  it('accept http on this machine only', () => {
    for (const host of ['localhost:1', '127.0.0.1:1', '[::1]:1'])
      expect(readUpstreamSettings({ ...openid, DENTARIUM_OPENID_ISSUER: `http://${host}/x` }).openid?.issuer).toContain(
        host,
      );
  });

  it.each([
    [{ ...siths, DENTARIUM_SITHS_ISSUER: 'http://idp.example' }, 'DENTARIUM_SITHS_ISSUER'],
    [{ ...siths, DENTARIUM_SITHS_ISSUER: 'http://localhost.evil.example' }, 'DENTARIUM_SITHS_ISSUER'],
    [{ ...siths, DENTARIUM_SITHS_ISSUER: 'idp' }, 'DENTARIUM_SITHS_ISSUER'],
    [{ ...siths, DENTARIUM_SITHS_CLIENT_ID: '' }, 'DENTARIUM_SITHS_CLIENT_ID'],
    [{ ...siths, DENTARIUM_SITHS_CLIENT_SECRET: '' }, 'DENTARIUM_SITHS_CLIENT_SECRET'],
    [{ ...siths, DENTARIUM_SITHS_PRIVATE_KEY_FILE: '/x' }, 'DENTARIUM_SITHS_PRIVATE_KEY_FILE'],
    [
      { ...siths, DENTARIUM_SITHS_CLIENT_SECRET: '', DENTARIUM_SITHS_PRIVATE_KEY_FILE: noKey },
      'DENTARIUM_SITHS_PRIVATE_KEY_FILE',
    ],
    [
      { ...siths, DENTARIUM_SITHS_CLIENT_SECRET: '', DENTARIUM_SITHS_PRIVATE_KEY_FILE: small },
      'DENTARIUM_SITHS_PRIVATE_KEY_FILE',
    ],
    [{ ...siths, DENTARIUM_SITHS_SCOPE: 'profile' }, 'DENTARIUM_SITHS_SCOPE'],
    [{ ...siths, DENTARIUM_SITHS_CLAIM: 'a b"c' }, 'DENTARIUM_SITHS_CLAIM'],
    [{ DENTARIUM_OPENID_LABEL: 'Klinikens' }, 'DENTARIUM_OPENID_ISSUER'],
    [{ ...openid, DENTARIUM_OPENID_ISSUER: 'https://x.example/?a=b' }, 'DENTARIUM_OPENID_ISSUER'],
    [{ ...openid, DENTARIUM_OPENID_ACCOUNT_FIELD: 'name' }, 'DENTARIUM_OPENID_ACCOUNT_FIELD'],
    [{ DENTARIUM_AZURE_AUTHORITY: 'http://login.example' }, 'DENTARIUM_AZURE_AUTHORITY'],
  ])('that are invalid are named, never quoted: %o', (environment, name) => {
    const read = () => readUpstreamSettings(environment);
    expect(read).toThrow(StartupError);
    expect(read).toThrow(name);
    expect(read).not.toThrow(/a-secret|evil|no key/);
  });
});

describe('two factors', () => {
  it.each([
    [{ amr: ['pwd', 'mfa'] }, true],
    [{ amr: ['pwd', 'otp'] }, true],
    [{ amr: ['pin', 'hwk'] }, true],
    [{ acr: 'http://id.sambi.se/loa/loa3' }, true],
    [{ acr: 'https://refeds.org/profile/mfa' }, true],
    [{ amr: ['pwd'] }, false],
    [{ amr: ['otp', 'sms'] }, false],
    [{ amr: 'mfa' }, false],
    [{ amr: ['pwd', 7] }, false],
    [{ acr: 'http://id.sambi.se/loa/loa2' }, false],
    [{ acr: '1' }, false],
    [{ acr: 'https://evil.example/?http://id.sambi.se/loa/loa3' }, false],
    [{}, false],
  ])('%o: %s', (claims, expected) => {
    expect(isMultiFactor(claims)).toBe(expected);
  });
});
