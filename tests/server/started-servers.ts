import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { firstAdministrator } from '../../contract/account.ts';
import { readPostmaster } from '../../server/db/postmaster.ts';
import { isAlive } from '../../server/process-identity.ts';
import { type ChildServer, startChild } from './child-server.ts';
import { password } from './clinic.ts';

/** A new data folder for each test, whose servers end with it. */
export const startedServers = () => {
  let folder: string;
  const running: ChildServer[] = [];

  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-start-'));
  });
  afterEach(async () => {
    for (const child of running.splice(0)) await child.stop('SIGTERM');
    const left = readPostmaster(path.join(folder, 'database'));
    if (left && isAlive(left.pid)) throw new Error('a database was left running');
    rmSync(folder, { recursive: true, force: true });
  });

  const inFolder = (...parts: readonly string[]) => path.join(folder, ...parts);
  return {
    inFolder,
    postmaster: () => readPostmaster(inFolder('database')),
    start: async () => {
      const child = await startChild(folder);
      running.push(child);
      return child;
    },
    /** Without a signal: waits for it to exit. */
    stop: (child: ChildServer, signal?: NodeJS.Signals) => {
      running.splice(running.indexOf(child), 1);
      return child.stop(signal);
    },
  };
};

export const becomeAdministrator = async (child: ChildServer): Promise<void> => {
  const key = /setup#(\S+)/.exec(child.output())?.[1];
  const reply = await fetch(`${child.url}${firstAdministrator.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      key,
      email: 'first@prov.example',
      firstName: 'Eva',
      lastName: 'Först',
      password,
      organisationName: 'Första kliniken',
    }),
  });
  expect(reply.status).toBe(200);
};
