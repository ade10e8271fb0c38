import { describe, expect, it } from 'vitest';
import { readKeySettings } from '../../server/identity/key-settings.ts';
import { readRelyingParties } from '../../server/identity/relying-parties.ts';
import { StartupError } from '../../server/startup-error.ts';

describe('other programs that sign in here', () => {
  const read = (value: unknown) =>
    readRelyingParties({ DENTARIUM_OPENID_CLIENTS: typeof value === 'string' ? value : JSON.stringify(value) });
  const good = { id: 'intranet', name: 'Intranätet', redirectUris: ['https://intranet.example/cb'] };

  it('are none by default, or those of the setting', () => {
    expect(readRelyingParties({})).toEqual([]);
    expect(read('')).toEqual([]);
    const reader = { ...good, id: 'ohif', scopes: ['dicomweb.read'] };
    expect(read([good, reader])).toEqual([{ ...good, scopes: [] }, reader]);
  });

  it.each([
    ['no JSON', '{'],
    ['no list', good],
    ['no redirect address', [{ ...good, redirectUris: [] }]],
    ['an address that runs a script', [{ ...good, redirectUris: ['javascript:alert(1)'] }]],
    ['an address with #', [{ ...good, redirectUris: ['https://intranet.example/#a'] }]],
    ['a secret that is short', [{ ...good, secret: 'short' }]],
    ['the id of our own client', [{ ...good, id: 'dentarium-web' }]],
    ['one id twice', [good, good]],
    ['an unknown setting', [{ ...good, scope: 'api.read' }]],
    ['a scope beyond DICOMweb', [{ ...good, scopes: ['api.read'] }]],
  ])('prevent startup with %s, without a secret in the message', (_, value) => {
    expect(() => read(value)).toThrow(StartupError);
    expect(() => read(value)).toThrow(/^Setting DENTARIUM_OPENID_CLIENTS: (?!.*short$)/);
  });
});

describe('the lifetime of signing keys', () => {
  it('is 90 days, or as configured', () => {
    expect(readKeySettings({}).signDays).toBe(90);
    expect(readKeySettings({ DENTARIUM_SIGNING_KEY_DAYS: '30' }).signDays).toBe(30);
  });

  it.each(['0', 'soon', '-3', '1e9'])('prevents startup as %s', (value) => {
    expect(() => readKeySettings({ DENTARIUM_SIGNING_KEY_DAYS: value })).toThrow(/DENTARIUM_SIGNING_KEY_DAYS/);
  });
});
