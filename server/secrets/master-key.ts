import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { keyOfText, type NamedKey, newKey, textOfKey } from '../domain/named-key.ts';
import { program } from '../program-name.ts';
import { StartupError } from '../startup-error.ts';
import { codeOf, isMissing } from '../storage/storage-error.ts';
import { type MasterKeySource, masterKeyVariables } from './master-key-settings.ts';

/** Returns the file of a key that is not in use: of earlier backups, or of a change that was interrupted. */
export const unusedKeyFile = (file: string, { id }: Pick<NamedKey, 'id'>): string => `${file}.${id}`;

/** A group may read it: an access list, as of a systemd credential, shows as one. */
const others = 0o007;

/** Returns null when there is no file. @throws StartupError for a file that everybody can read, or without a key */
const readKeyFile = async (file: string): Promise<NamedKey | null> => {
  try {
    const { mode } = await stat(file);
    if (process.platform !== 'win32' && (mode & others) !== 0)
      throw new StartupError(`The master key ${file} can be read by everybody: chmod 600 ${file}`);
    const key = keyOfText(await readFile(file, 'utf8'));
    if (!key) throw new StartupError(`${file} is not a master key: 32 bytes in base64`);
    return key;
  } catch (error) {
    if (error instanceof StartupError) throw error;
    if (isMissing(error)) return null;
    throw new StartupError(`The master key ${file} cannot be read (${codeOf(error)})`);
  }
};

/** Writes a key to a new file, which is either absent or complete. Returns false when there is a file already. @throws StartupError */
export const writeKeyFile = async (file: string, key: NamedKey): Promise<boolean> => {
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, `${textOfKey(key)}\n`, { mode: 0o600, flag: 'wx', flush: true });
    await link(draft, file);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw new StartupError(`The master key ${file} cannot be written (${codeOf(error)})`);
  } finally {
    await rm(draft, { force: true });
  }
};

/** Makes an unused key the one in use. The earlier one stays beside it, for backups of its time. */
export const useKeyFile = async (file: string, earlier: NamedKey | null, key: NamedKey): Promise<void> => {
  if (earlier) await rename(file, unusedKeyFile(file, earlier));
  await rename(unusedKeyFile(file, key), file);
};

/** Thrown when the secrets in the database are encrypted with a master key that is not there. */
export class MasterKeyMissing extends StartupError {
  constructor(keyId: string, found: string) {
    super(
      `The secrets in the database are encrypted with the master key ${keyId}, but ${found}. ` +
        `Give that key (see docs/operate.md), or run "${program} keys discard" if it is lost`,
    );
    this.name = 'MasterKeyMissing';
  }
}

/**
 * Returns the master key. Its file is created while the database has no encrypted secrets.
 * @param keyId the master key that the secrets are encrypted with; null while there are none
 * @throws MasterKeyMissing, and StartupError for a file that cannot be used
 */
export const openMasterKey = async (source: MasterKeySource, keyId: string | null): Promise<NamedKey> => {
  if ('key' in source) {
    if (keyId === null || source.key.id === keyId) return source.key;
    throw new MasterKeyMissing(keyId, `${masterKeyVariables.key.variable} is ${source.key.id}`);
  }
  const { file } = source;
  const key = await readKeyFile(file);
  if (keyId === null) {
    if (key) return key;
    await writeKeyFile(file, newKey());
    return openMasterKey(source, keyId);
  }
  if (key?.id === keyId) return key;
  const other = await readKeyFile(unusedKeyFile(file, { id: keyId }));
  if (other?.id !== keyId) throw new MasterKeyMissing(keyId, key ? `${file} is ${key.id}` : `there is no ${file}`);
  await useKeyFile(file, key, other);
  return other;
};
