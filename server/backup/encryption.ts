import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { isMissing } from '../storage/storage-error.ts';
import { BackupError } from './backup-error.ts';
import { writeDurably } from './write-durably.ts';

/** The secret key of a folder of backups, encrypted with the passphrase. `age -d -i identity.age FILE` decrypts a file without this program. */
const identityName = 'identity.age';
/** The public key: whoever has it can write, but not read. */
const recipientName = 'recipient.txt';

export type Chunks = AsyncIterable<Uint8Array>;
export type Transform = (source: Chunks) => Chunks;

/** Loaded for encrypted backups only: the server starts sooner. */
const age = () => import('age-encryption');

type ByteStream = ReadableStream<Uint8Array>;

/** Runs a transformation of web streams over chunks. */
const throughWeb = (transform: (stream: ByteStream) => Promise<ByteStream>): Transform =>
  async function* (source) {
    const reader = (await transform(Readable.toWeb(Readable.from(source)) as ByteStream)).getReader();
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
    } finally {
      await reader.cancel();
    }
  };

const readText = async (file: string): Promise<string | null> =>
  readFile(file, 'utf8').catch((error) => {
    if (isMissing(error)) return null;
    throw error;
  });

/** Returns the function that encrypts for a folder of backups; null for a folder without encryption. */
export const encryptionOf = async (folder: string): Promise<Transform | null> => {
  const recipient = (await readText(path.join(folder, recipientName)))?.trim();
  if (!recipient) return null;
  const { Encrypter } = await age();
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return throughWeb((stream) => encrypter.encrypt(stream));
};

/** Creates the key of a folder of backups. All later backups in it are encrypted; only reading them needs the passphrase. */
export const createKey = async (folder: string, passphrase: string): Promise<void> => {
  const { Encrypter, generateX25519Identity, identityToRecipient } = await age();
  const identity = await generateX25519Identity();
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  await writeDurably(path.join(folder, identityName), await encrypter.encrypt(identity));
  await writeDurably(path.join(folder, recipientName), `${await identityToRecipient(identity)}\n`);
};

/** Returns the function that decrypts backups of a folder. @throws BackupError for a wrong passphrase or a missing key */
export const decryptionOf = async (folder: string, passphrase: string): Promise<Transform> => {
  const file = path.join(folder, identityName);
  const locked = await readFile(file).catch((error) => {
    if (isMissing(error)) throw new BackupError(`The key ${file} of the encrypted backups is missing`);
    throw error;
  });
  const { Decrypter } = await age();
  const byPassphrase = new Decrypter();
  byPassphrase.addPassphrase(passphrase);
  const identity = await byPassphrase.decrypt(locked, 'text').catch((cause) => {
    throw new BackupError('The passphrase of the backup is wrong', { cause });
  });
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  return throughWeb((stream) => decrypter.decrypt(stream));
};
