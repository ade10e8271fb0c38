import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import path from 'node:path';
import { openDatabase } from '../../server/db/open-database.ts';

/** Makes the embedded database of an empty installation. Returns its folder. */
const make = async (shared: string): Promise<string> => {
  const dataFolder = mkdtempSync(path.join(shared, 'installation-'));
  const { close } = await openDatabase({ dataFolder });
  await close();
  return path.join(dataFolder, 'database');
};

/** Once in each worker: a folder that workers share would have to be made by one while the others wait. */
let made: Promise<string> | undefined;

/** Gives an installation that has no embedded database an empty one: a copy takes a twentieth of the time of the first start. */
export const giveEmptyDatabase = async (dataFolder: string): Promise<void> => {
  const shared = process.env.DENTARIUM_TEST_FOLDER;
  const target = path.join(dataFolder, 'database');
  if (!shared || existsSync(target)) return;
  mkdirSync(dataFolder, { recursive: true });
  made ??= make(shared);
  // Keeps the owner, who is another user than root.
  const { status, stderr } = spawnSync('cp', ['-a', await made, target], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`cp: ${stderr}`);
};
