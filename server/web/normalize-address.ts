import { isIP } from 'node:net';

/** Returns an address without port, brackets and zone, with IPv4-mapped IPv6 as IPv4. Other text is returned unchanged. */
export const normalizeAddress = (text: string): string => {
  const host = /^\[([^\]]+)\](:\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  const address = host.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(address) === 0 ? text : address;
};
