import { createHmac } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Decodes base32 (RFC 4648); spaces and padding are ignored. */
const bytesOf = (base32: string): Buffer => {
  const bits = [...base32.replace(/[\s=]/g, '').toUpperCase()]
    .map((character) => alphabet.indexOf(character).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((octet) => Number.parseInt(octet, 2)));
};

const stepSeconds = 30;
export const timeStep = (atMs = Date.now()): number => Math.floor(atMs / 1000 / stepSeconds);

/** Returns the code of an authenticator for this time step (RFC 6238, SHA-1, six digits), implemented independently of the product. */
export const oneTimeCode = (sharedKey: string, step = timeStep()): string => {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', bytesOf(sharedKey)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
};
