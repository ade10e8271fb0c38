import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type NamedKey, newKey, textOfKey } from '../../server/domain/named-key.ts';
import {
  MasterKeyMissing,
  openMasterKey,
  unusedKeyFile,
  useKeyFile,
  writeKeyFile,
} from '../../server/secrets/master-key.ts';
import { readMasterKeySource } from '../../server/secrets/master-key-settings.ts';
import { StartupError } from '../../server/startup-error.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-master-key-'));
  file = path.join(folder, 'master.key');
});
afterEach(() => rm(folder, { recursive: true }));

const written = async (key: NamedKey, name = file): Promise<NamedKey> => {
  await writeFile(name, `${textOfKey(key)}\n`, { mode: 0o600 });
  return key;
};

describe('the file of the master key', () => {
  it('is made once, readable by its owner only, also by two servers at once', async () => {
    const keys = await Promise.all([1, 2, 3].map(() => openMasterKey({ file }, null)));
    expect(new Set(keys.map(({ id }) => id)).size).toBe(1);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['master.key']);
    expect((await openMasterKey({ file }, keys[0]?.id ?? '')).bytes).toEqual(keys[0]?.bytes);
  });

  it('is not made for secrets that another key encrypted', async () => {
    const opening = openMasterKey({ file }, 'aaaabbbbccccdddd');
    await expect(opening).rejects.toThrow(MasterKeyMissing);
    await expect(opening).rejects.toThrow(`the master key aaaabbbbccccdddd, but there is no ${file}`);
    expect(await readdir(folder)).toEqual([]);
  });

  it('that everybody can read is refused', async () => {
    const { id } = await written(newKey());
    await chmod(file, 0o604);
    const opening = openMasterKey({ file }, id);
    await expect(opening).rejects.toThrow(`chmod 600 ${file}`);
    await expect(opening).rejects.not.toThrow(MasterKeyMissing);
  });

  it('without a key is refused, and stays', async () => {
    await writeFile(file, 'no key\n', { mode: 0o600 });
    await expect(openMasterKey({ file }, null)).rejects.toThrow(`${file} is not a master key`);
    expect(await readFile(file, 'utf8')).toBe('no key\n');
  });

  it('that cannot be written is named', async () => {
    const nowhere = path.join(folder, 'missing', 'master.key');
    await expect(openMasterKey({ file: nowhere }, null)).rejects.toThrow(`${nowhere} cannot be written (ENOENT)`);
  });

  it('never replaces another one', async () => {
    const known = await written(newKey());
    expect(await writeKeyFile(file, newKey())).toBe(false);
    expect((await openMasterKey({ file }, null)).id).toBe(known.id);
  });
});

describe('a change of the master key', () => {
  it('keeps the earlier one beside the new one', async () => {
    const [earlier, next] = [await written(newKey()), newKey()];
    await writeKeyFile(unusedKeyFile(file, next), next);
    await useKeyFile(file, earlier, next);
    expect((await openMasterKey({ file }, next.id)).id).toBe(next.id);
    expect(await readFile(unusedKeyFile(file, earlier), 'utf8')).toBe(`${textOfKey(earlier)}\n`);
  });

  it.each(['before', 'after'])('that ended %s its file was renamed goes on at the next start', async (when) => {
    const [earlier, next] = [await written(newKey()), newKey()];
    await written(next, unusedKeyFile(file, next));
    if (when === 'after') {
      await written(earlier, unusedKeyFile(file, earlier));
      await rm(file);
    }
    expect((await openMasterKey({ file }, next.id)).id).toBe(next.id);
    expect(await readFile(file, 'utf8')).toBe(`${textOfKey(next)}\n`);
    expect(await readFile(unusedKeyFile(file, earlier), 'utf8')).toBe(`${textOfKey(earlier)}\n`);
  });

  it('that was not committed leaves the earlier one in use', async () => {
    const [earlier, next] = [await written(newKey()), newKey()];
    await written(next, unusedKeyFile(file, next));
    expect((await openMasterKey({ file }, earlier.id)).id).toBe(earlier.id);
  });

  it('is undone by restoring a backup of the time before', async () => {
    const [earlier, next] = [newKey(), await written(newKey())];
    await written(earlier, unusedKeyFile(file, earlier));
    expect((await openMasterKey({ file }, earlier.id)).id).toBe(earlier.id);
    expect((await openMasterKey({ file }, next.id)).id).toBe(next.id);
  });
});

describe('the settings of the master key', () => {
  it('name a file in the data folder, another file, or the key', async () => {
    const key = newKey();
    expect(readMasterKeySource({}, folder)).toEqual({ file });
    expect(readMasterKeySource({ DENTARIUM_MASTER_KEY_FILE: '/run/keys/dentarium' }, folder)).toEqual({
      file: '/run/keys/dentarium',
    });
    const base64 = Buffer.from(key.bytes).toString('base64');
    for (const text of [textOfKey(key), base64, ` ${base64}\n`]) {
      const source = readMasterKeySource({ DENTARIUM_MASTER_KEY: text }, folder);
      expect(await openMasterKey(source, key.id)).toEqual({ id: key.id, bytes: Buffer.from(key.bytes) });
    }
  });

  it.each(['short', 'x'.repeat(44), Buffer.alloc(33).toString('base64')])(
    'refuse %s as a key, without showing it',
    (text) => {
      const read = () => readMasterKeySource({ DENTARIUM_MASTER_KEY: text }, folder);
      expect(read).toThrow(StartupError);
      expect(read).toThrow('Setting DENTARIUM_MASTER_KEY: not 32 bytes in base64');
      expect(read).not.toThrow(text);
    },
  );

  it('name both keys when the given one is another', async () => {
    const key = newKey();
    await expect(openMasterKey({ key }, 'aaaabbbbccccdddd')).rejects.toThrow(
      `aaaabbbbccccdddd, but DENTARIUM_MASTER_KEY is ${key.id}`,
    );
  });
});
