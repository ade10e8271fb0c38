import path from 'node:path';
import { parseArgs } from 'node:util';
import { openDataFolder } from '../data-folder.ts';
import { openDatabase } from '../db/open-database.ts';
import { ensureBuiltInRoles } from '../db/stores/role-store.ts';
import { mostPeople } from '../demo/many.ts';
import { progressOn } from '../progress.ts';
import { ensureStandardTemplates } from '../resource/standard-templates.ts';
import { StartRefused } from '../start-refused.ts';
import { seedMany } from './seed-many.ts';

/** `npm run demo`: a second data folder with as many clinics, people and patients as are wanted. */
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
    throw new StartRefused(error instanceof Error ? error.message : String(error));
  }
};

const numberOf = (name: string, text: string, [least, most]: readonly [number, number]): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least || value > most)
    throw new StartRefused(`--${name} is a number from ${least} to ${most}`);
  return value;
};

const run = async (): Promise<void> => {
  const asked = options();
  const clinics = numberOf('clinics', asked.clinics, [1, 100_000]);
  const users = numberOf('users', asked.users, [0, mostPeople.users]);
  const patients = numberOf('patients', asked.patients, [0, mostPeople.patients]);
  const dataFolder = path.resolve(asked.data);
  const { release } = openDataFolder(dataFolder, { alone: true });
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
  process.stdout.write(`\n  Ready. Open it by: npm start -- --data ${asked.data}\n\n`);
};

await run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof StartRefused ? error.message : (error as Error).stack}\n`);
  process.exitCode = 1;
});
