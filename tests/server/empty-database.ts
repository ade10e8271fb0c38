import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { openDatabase } from '../../server/db/open-database.ts';

/** Makes the embedded database of an empty installation once in a run of the tests. Returns its folder. */
const emptyDatabase = async (shared: string): Promise<string> => {
  const made = path.join(shared, 'empty-database');
  if (!existsSync(made)) {
    const dataFolder = path.join(shared, `installation-${process.pid}`);
    mkdirSync(dataFolder);
    const { close } = await openDatabase({ dataFolder });
    await close();
    // Another worker may have made it meanwhile.
    if (!existsSync(made)) renameSync(path.join(dataFolder, 'database'), made);
    rmSync(dataFolder, { recursive: true, force: true });
  }
  return made;
};

/** Gives an installation that has no embedded database an empty one: a copy takes a twentieth of the time of the first start. */
export const giveEmptyDatabase = async (dataFolder: string): Promise<void> => {
  const shared = process.env.DENTARIUM_TEST_FOLDER;
  const target = path.join(dataFolder, 'database');
  if (!shared || existsSync(target)) return;
  mkdirSync(dataFolder, { recursive: true });
  // Keeps the owner, who is another user than root.
  const { status, stderr } = spawnSync('cp', ['-a', await emptyDatabase(shared), target], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`cp: ${stderr}`);
};
