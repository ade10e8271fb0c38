import { readFileSync } from 'node:fs';
import os from 'node:os';
import packageFile from '../../../package.json' with { type: 'json' };
import { type Check, ok, warning } from './check.ts';

const minBytes = 2e9;
const minFiles = 4_096;

const memory = (): Check => {
  const name = 'memory';
  const limit = process.constrainedMemory();
  const bytes = limit > 0 && limit < os.totalmem() ? limit : os.totalmem();
  const text = `${(bytes / 1e9).toFixed(1)} GB`;
  const cure = 'Give the machine or container at least 2 GB: large images are decoded in memory';
  return bytes < minBytes ? warning(name, text, cure) : ok(name, text);
};

const node = (): Check => {
  const tested = packageFile.dependencies.node;
  const { node: own } = process.versions;
  if (own === tested) return ok('Node', own);
  return warning('Node', `${own}; tested with ${tested}`, 'Start the programs through npm or the installed commands');
};

/** Null where the system does not tell. */
const openFiles = (): Check | null => {
  const name = 'open files';
  try {
    const [, soft = ''] = /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    const cure = 'Raise it: LimitNOFILE= in the unit of systemd, or ulimit -n';
    const text = `at most ${soft}`;
    return Number(soft) < minFiles ? warning(name, text, cure) : ok(name, text);
  } catch {
    return null;
  }
};

/** Checks memory, Node and limits of this machine. */
export const checkMachine = (): readonly Check[] => {
  const files = openFiles();
  return [memory(), node(), ...(files ? [files] : [])];
};
