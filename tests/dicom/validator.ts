import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const program = '/usr/bin/dciodvfy';

/** Whether dciodvfy of dicom3tools is installed. */
export const hasValidator = existsSync(program);

/** Returns the errors that dciodvfy finds in a DICOM file, sorted. */
export const validatorErrors = async (bytes: Uint8Array): Promise<readonly string[]> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-validator-'));
  const file = path.join(folder, 'object.dcm');
  await writeFile(file, bytes);
  const { stdout, stderr } = await promisify(execFile)(program, ['-new', file]).catch(
    (error) => error as { stdout: string; stderr: string },
  );
  await rm(folder, { recursive: true });
  const lines = `${stdout}\n${stderr}`.split('\n');
  return lines.filter((line) => /^(E:|Error|Abort)/.test(line)).toSorted();
};
