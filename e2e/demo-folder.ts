import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const variable = 'DENTARIUM_E2E_DATA';

/** The run's own data folder with the demo clinic: kept from one worker to the next, gone at the end of the run. */
export const demoFolder = (): string => {
  const folder = process.env[variable];
  if (!folder || !existsSync(folder)) throw new Error('The run has no data folder: it is made by the global set-up');
  return folder;
};

/** Playwright's global set-up: makes the folder, and hands back what takes it away. */
export default () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'dentarium-e2e-'));
  process.env[variable] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
};
