import path from 'node:path';
import { parseArgs } from 'node:util';
import { maximumCounts } from '../../demo/many.ts';
import { openDataFolder } from '../data-folder.ts';
import { openDatabase } from '../db/open-database.ts';
import { ensureBuiltInRoles } from '../db/stores/role-store.ts';
import { ensureStandardTemplates } from '../db/stores/templates.ts';
import { progressOn } from '../progress.ts';
import { StartupError } from '../startup-error.ts';
import { seedMany } from './seed-many.ts';

/** `npm run demo`: creates a second data folder with the given numbers of clinics, users and patients. */
const options = () => {
  try {
    return parseArgs({
      options: {
        data: { type: 'string', default: 'data-many' },
        clinics: { type: 'string', default: '2000' },
        users: { type: 'string', default: '100000' },
        patients: { type: 'string', default: '100000' },
      },
    }).values;
  } catch (error) {
    throw new StartupError(error instanceof Error ? error.message : String(error));
  }
};

const numberOf = (name: string, text: string, [least, most]: readonly [number, number]): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least || value > most)
    throw new StartupError(`--${name} is a number from ${least} to ${most}`);
  return value;
};

const run = async (): Promise<void> => {
  const values = options();
  const clinics = numberOf('clinics', values.clinics, [1, 100_000]);
  const users = numberOf('users', values.users, [0, maximumCounts.users]);
  const patients = numberOf('patients', values.patients, [0, maximumCounts.patients]);
  const dataFolder = path.resolve(values.data);
  const { release } = openDataFolder(dataFolder, { exclusive: true, by: 'command' });
  process.umask(0o077);
  const progress = progressOn(process.stdout);
  try {
    const { database, close } = await openDatabase({ dataFolder }, { progress: progress.step });
    try {
      await ensureBuiltInRoles(database.db);
      await ensureStandardTemplates(database.db);
      await seedMany(database.db, { clinics, users, patients }, progress.count);
    } finally {
      await close();
    }
  } finally {
    release();
  }
  process.stdout.write(`\n  Ready. Open it by: npm start -- --data ${values.data}\n\n`);
};

await run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof StartupError ? error.message : (error as Error).stack}\n`);
  process.exitCode = 1;
});
