import { argon2, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { isDeepStrictEqual, promisify } from 'node:util';
import { noPasswordHash } from '../db/stores/password-hashes.ts';
import { inHashingQueue } from './hashing-queue.ts';

/** OWASP Password Storage Cheat Sheet, Argon2id: 19 MiB, two passes, one lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 };
const keyBytes = 32;
const saltBytes = 16;

/** NFKC: different keyboards may produce different code points for the same password. */
const bytesOf = (password: string): Buffer => Buffer.from(password.normalize('NFKC'), 'utf8');

const argon2Key = promisify(argon2);
const scryptKey = promisify<Buffer, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** Derives 32 bytes with Argon2id (RFC 9106). About 0.04 s of one core, off the main thread. */
export const deriveKey = (password: string, salt: Buffer, parameters = cost): Promise<Buffer> =>
  inHashingQueue(() =>
    argon2Key('argon2id', { message: bytesOf(password), nonce: salt, tagLength: keyBytes, ...parameters }),
  );

interface Hash {
  readonly key: Buffer;
  derive(password: string): Promise<Buffer>;
  /** Uses the current parameters. */
  readonly isCurrent: boolean;
}

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

/** Parses the PHC string format: `$argon2id$v=19$m=19456,t=2,p=1$salt$key`. */
const written = (salt: Buffer, key: Buffer): string =>
  `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(salt)}$${base64(key)}`;

const readArgon2 = (stored: string): Hash | null => {
  const found = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(stored);
  if (!found) return null;
  const [, memory, passes, parallelism, salt = '', key = ''] = found;
  const parameters = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  return {
    key: Buffer.from(key, 'base64'),
    derive: (password) => deriveKey(password, Buffer.from(salt, 'base64'), parameters),
    isCurrent: isDeepStrictEqual(parameters, cost),
  };
};

/** Parses the earlier format of this archive: `scrypt$log2N$r$p$salt$key`. */
const readScrypt = (stored: string): Hash | null => {
  const [scheme, log2N, r, p, salt = '', key = ''] = stored.split('$');
  if (scheme !== 'scrypt') return null;
  const N = 2 ** Number(log2N);
  const options = { N, r: Number(r), p: Number(p), maxmem: 256 * N * Number(r) };
  return {
    key: Buffer.from(key, 'base64url'),
    derive: (password) =>
      inHashingQueue(() => scryptKey(bytesOf(password), Buffer.from(salt, 'base64url'), keyBytes, options)),
    isCurrent: false,
  };
};

const read = (stored: string): Hash | null => readArgon2(stored) ?? readScrypt(stored);

export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(saltBytes);
  return written(salt, await deriveKey(password, salt));
};

/** As `noPasswordHash` in the earlier format. */
const dummyScryptHash = `scrypt$15$8$3$${base64(Buffer.alloc(saltBytes))}$${base64(Buffer.alloc(keyBytes))}`;

/** Returns whether the hash has another format or other parameters than current ones, so it should be replaced. */
export const isOutdated = (stored: string): boolean => !read(stored)?.isCurrent;

const matches = async (password: string, hash: Hash | null): Promise<boolean> => {
  if (!hash) return false;
  const found = await hash.derive(password);
  return hash.key.length === found.length && timingSafeEqual(hash.key, found);
};

/**
 * Compares in constant time. Without a stored hash (unknown account) it does the same work and returns false. `olderOnesExist`: some accounts still
 * have an earlier hash, so failures do the work of both kinds to hide which accounts exist.
 */
export const verifyPassword = async (
  password: string,
  stored: string | undefined,
  { olderOnesExist = false }: { readonly olderOnesExist?: boolean } = {},
): Promise<boolean> => {
  if ((await matches(password, read(stored ?? noPasswordHash))) && stored !== undefined) return true;
  if (olderOnesExist) await matches(password, read(readScrypt(stored ?? '') ? noPasswordHash : dummyScryptHash));
  return false;
};
