import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

/** OWASP Password Storage Cheat Sheet, scrypt: N 2^15, r 8, p 3. */
const cost = { log2N: 15, r: 8, p: 3 };
const keyBytes = 32;

const derive = (password: string, salt: Buffer, { log2N, r, p }: typeof cost): Promise<Buffer> => {
  const options: ScryptOptions = { N: 2 ** log2N, r, p, maxmem: 256 * 2 ** log2N * r };
  return new Promise((resolve, reject) => {
    // NFKC: the same password typed on another keyboard may come as other code points.
    scrypt(password.normalize('NFKC'), salt, keyBytes, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
};

const written = (salt: Buffer, key: Buffer): string =>
  ['scrypt', cost.log2N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');

/** Password -> `scrypt$log2N$r$p$salt$key`, its parameters kept beside it. About 0.2 s of one core, off the main thread. */
export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(16);
  return written(salt, await derive(password, salt, cost));
};

/** A hash that no password has: checking against it costs what a real check costs. */
const nobody = written(Buffer.alloc(16), Buffer.alloc(keyBytes));

/** Compares in constant time. Without a stored hash (unknown account) it does equal work and says false. */
export const verifyPassword = async (password: string, stored: string | undefined): Promise<boolean> => {
  const [scheme, log2N, r, p, salt = '', key = ''] = (stored ?? nobody).split('$');
  if (scheme !== 'scrypt') return false;
  const expected = Buffer.from(key, 'base64url');
  const found = await derive(password, Buffer.from(salt, 'base64url'), {
    log2N: Number(log2N),
    r: Number(r),
    p: Number(p),
  });
  return expected.length === found.length && timingSafeEqual(expected, found) && stored !== undefined;
};
