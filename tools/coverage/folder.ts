import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { WalkedFile } from './record.ts';

/** Returns the folder of the records; undefined when coverage is off. */
export const coverFolder = (): string | undefined => process.env.DENTARIUM_COVER;

/** Writes one record per test file and kind; a later run replaces it. */
export const writeWalked = (folder: string, walked: WalkedFile): void => {
  mkdirSync(folder, { recursive: true });
  const name = `${walked.kind}-${walked.file}`.replaceAll(/[^\w.]+/g, '-');
  writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(walked, null, 1));
};

export const readWalked = (folder: string): readonly WalkedFile[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as WalkedFile);
