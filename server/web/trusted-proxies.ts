import { BlockList, isIP } from 'node:net';
import { normalizeAddress } from './normalize-address.ts';

/** Decides whether a proxy is trusted, by its address and its number of hops from the archive. */
export type TrustedProxies = (address: string, hop: number) => boolean;

const maxHops = 10;

/** Named private networks, as in nginx, Express and Fastify. */
const ranges: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

const addTo = (list: BlockList, text: string): boolean => {
  const [address = '', prefix, ...more] = text.split('/');
  const bits = Number(prefix);
  const maxBits = isIP(address) === 6 ? 128 : 32;
  if (isIP(address) === 0 || more.length > 0) return false;
  if (prefix === undefined) list.addAddress(address, familyOf(address));
  else if (/^\d+$/.test(prefix) && bits >= 1 && bits <= maxBits) list.addSubnet(address, bits, familyOf(address));
  else return false;
  return true;
};

const namedProxies = (names: readonly string[]): TrustedProxies | null => {
  const list = new BlockList();
  const isRead = names.flatMap((name) => ranges[name] ?? [name]).every((text) => addTo(list, text));
  if (!isRead) return null;
  return (text) => {
    const address = normalizeAddress(text);
    return isIP(address) !== 0 && list.check(address, familyOf(address));
  };
};

/**
 * Parses a number of proxies, or a comma-separated list of addresses and networks; null for anything else. A number becomes a function, because
 * Fastify does not trust proxies given as a number.
 */
export const readTrustedProxies = (text: string): TrustedProxies | null => {
  if (!/^\d+$/.test(text)) return namedProxies(text.split(',').map((name) => name.trim()));
  const hops = Number(text);
  return hops >= 1 && hops <= maxHops ? (_address, hop) => hop < hops : null;
};
