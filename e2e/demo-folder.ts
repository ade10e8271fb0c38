import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { openUnmigrated } from '../server/db/open-database.ts';
import { stockholmDay } from '../server/domain/stockholm-time.ts';
import { newDataFolder, startArchive } from './archive.ts';

const root = path.dirname(import.meta.dirname);
const cache = path.join(root, 'node_modules', '.cache', 'demo-clinic');
const sources = ['package-lock.json', 'contract/**/*', 'demo/**/*', 'dicom/**/*', 'server/**/*'];

/** The demo clinic depends on its sources and on the day: its images are imported on the day for which the archive lists them as of today. */
const cachedFolder = (): string => {
  const hash = createHash('sha256').update(stockholmDay(new Date()));
  for (const file of globSync(sources, { cwd: root }).sort()) {
    const place = path.join(root, file);
    if (statSync(place).isFile()) hash.update(file).update('\0').update(readFileSync(place));
  }
  return path.join(cache, hash.digest('hex').slice(0, 16));
};

const filesIn = (folder: string): number => (existsSync(folder) ? readdirSync(folder, { recursive: true }).length : 0);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until every image has its thumbnail: only then does the archive begin to make renditions. */
const thumbnailsAreMade = async (folder: string): Promise<void> => {
  while (filesIn(path.join(folder, 'renditions')) === 0) await pause(500);
};

/** Leaves the other renditions to the journeys that open an image: all of them would take a minute, and time of each copy. */
const endRenditions = async (folder: string): Promise<void> => {
  const { database, close } = await openUnmigrated({ dataFolder: folder });
  await database.db.updateTable('image').set({ rendition_status: 'ready' }).execute();
  await close();
};

/** Names the cached folder for the whole run, also when a source or the day changes meanwhile. */
const current = path.join(cache, 'current');

/** Draws the demo clinic into the cache unless it is there. */
export const drawDemoFolder = async (): Promise<void> => {
  const folder = cachedFolder();
  if (existsSync(folder)) return writeFileSync(current, folder);
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  const draft = `${folder}-draft`;
  const archive = await startArchive(draft);
  await thumbnailsAreMade(draft).finally(archive.stop);
  await endRenditions(draft);
  renameSync(draft, folder);
  writeFileSync(current, folder);
};

/** Copies the demo clinic into a new data folder. `cp -a` keeps the owner, without whom PostgreSQL does not start. */
export const copyDemoFolder = async (): Promise<string> => {
  const folder = await newDataFolder();
  await promisify(execFile)('cp', ['-a', `${readFileSync(current, 'utf8')}/.`, folder]);
  return folder;
};
