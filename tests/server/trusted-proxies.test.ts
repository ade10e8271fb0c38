import { expect, it } from 'vitest';
import { readConfig } from '../../server/config.ts';
import { StartupError } from '../../server/startup-error.ts';
import { clientAddress } from '../../server/web/client-address.ts';
import { readTrustedProxies } from '../../server/web/trusted-proxies.ts';

const trusted = (text: string, addresses: readonly string[]) =>
  addresses.map((address, hop) => readTrustedProxies(text)?.(address, hop));

it('trusts the given number of proxies, whatever their addresses', () => {
  expect(trusted('1', ['203.0.113.1', '10.0.0.1'])).toEqual([true, false]);
  expect(trusted('2', ['203.0.113.1', 'unknown', '::1'])).toEqual([true, true, false]);
});

it('trusts listed addresses and networks, at any hop', () => {
  const list = '10.0.0.2, 192.168.7.0/24,2001:db8::/32';
  expect(trusted(list, ['10.0.0.2', '::ffff:10.0.0.2', '10.0.0.3', '192.168.7.9', '192.168.8.9'])).toEqual([
    true,
    true,
    false,
    true,
    false,
  ]);
  expect(trusted(list, ['2001:db8::5', '2001:db9::5', '[2001:db8::5]:443', '10.0.0.2:51000', 'unknown'])).toEqual([
    true,
    false,
    true,
    true,
    false,
  ]);
  expect(trusted('loopback', ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.1'])).toEqual([true, true, true, false]);
});

it.each([
  'true',
  'yes',
  '-1',
  '11',
  '1.5',
  '10.0.0.0/33',
  '10.0.0.0/0',
  '10.0.0',
  'proxy.example',
  '10.0.0.1,',
  '::1/129',
])('rejects DENTARIUM_TRUST_PROXY=%s with a sentence that explains the format', (text) => {
  const read = () => readConfig({ DENTARIUM_TRUST_PROXY: text }, {});
  expect(read).toThrow(StartupError);
  expect(read).toThrow(/DENTARIUM_TRUST_PROXY.* write how many proxies .* for example 1, or their addresses/);
});

it('parses the setting as hops, addresses, or no proxy', () => {
  const read = (text?: string) => readConfig(text === undefined ? {} : { DENTARIUM_TRUST_PROXY: text }, {}).trustProxy;
  expect([read(), read('0'), read('false')]).toEqual([null, null, null]);
  expect([read('1')?.('203.0.113.1', 0), read('1')?.('203.0.113.1', 1)]).toEqual([true, false]);
  expect(read('10.0.0.1')?.('10.0.0.1', 3)).toBe(true);
});

it('accepts the origin of the public URL, and rejects one with a path', () => {
  const read = (url: string) => readConfig({ DENTARIUM_PUBLIC_URL: url }, {}).publicUrl;
  expect([read('https://Clinic.example/'), read('https://clinic.example:443')]).toEqual([
    'https://clinic.example',
    'https://clinic.example',
  ]);
  for (const url of [
    'https://clinic.example/images',
    'https://clinic.example/?a=b',
    'https://u@clinic.example',
    'clinic',
  ])
    expect(() => read(url), url).toThrow(/DENTARIUM_PUBLIC_URL/);
});

it('returns an address without port and zone, and that of the connection if a proxy reports none', () => {
  const socket = { remoteAddress: '::ffff:10.0.0.9' } as never;
  const of = (ip: string) => clientAddress({ ip, socket });
  expect(['192.0.2.1', '192.0.2.1:5000', '::ffff:192.0.2.1'].map(of)).toEqual(Array(3).fill('192.0.2.1'));
  expect(['2001:db8::1', '[2001:db8::1]', '[2001:db8::1]:443', '2001:db8::1%eth0'].map(of)).toEqual(
    Array(4).fill('2001:db8::1'),
  );
  expect(['unknown', '_hidden', '', '192.0.2.1.5', '1:2'].map(of)).toEqual(Array(5).fill('10.0.0.9'));
});
