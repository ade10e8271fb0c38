import { describe, expect, it } from 'vitest';
import { readKeySettings } from '../../server/identity/key-settings.ts';
import { readRelyingParties } from '../../server/identity/relying-parties.ts';
import { StartRefused } from '../../server/start-refused.ts';

describe('other programs that sign in here', () => {
  const read = (value: unknown) =>
    readRelyingParties({ DENTARIUM_OPENID_CLIENTS: typeof value === 'string' ? value : JSON.stringify(value) });
  const good = { id: 'intranet', name: 'Intranätet', redirectUris: ['https://intranet.example/cb'] };

  it('are none, or those of the list', () => {
    expect(readRelyingParties({})).toEqual([]);
    expect(read('')).toEqual([]);
    expect(read([good])).toEqual([good]);
  });

  it.each([
    ['no JSON', '{'],
    ['no list', good],
    ['no address to come back to', [{ ...good, redirectUris: [] }]],
    ['an address that runs a script', [{ ...good, redirectUris: ['javascript:alert(1)'] }]],
    ['an address with #', [{ ...good, redirectUris: ['https://intranet.example/#a'] }]],
    ['a secret that is short', [{ ...good, secret: 'short' }]],
    ['the id of our own client', [{ ...good, id: 'dentarium-web' }]],
    ['one id twice', [good, good]],
    ['a setting that nobody knows', [{ ...good, scope: 'api.read' }]],
  ])('stop the start with %s, without a secret in the message', (_, value) => {
    expect(() => read(value)).toThrow(StartRefused);
    expect(() => read(value)).toThrow(/^Setting DENTARIUM_OPENID_CLIENTS: (?!.*short$)/);
  });
});

describe('how long a key signs', () => {
  it('is 90 days, or as said', () => {
    expect(readKeySettings({}).signDays).toBe(90);
    expect(readKeySettings({ DENTARIUM_SIGNING_KEY_DAYS: '30' }).signDays).toBe(30);
  });

  it.each(['0', 'soon', '-3', '1e9'])('stops the start as %s', (value) => {
    expect(() => readKeySettings({ DENTARIUM_SIGNING_KEY_DAYS: value })).toThrow(/DENTARIUM_SIGNING_KEY_DAYS/);
  });
});
