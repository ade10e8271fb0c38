import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import memory from '../../scripts/memory.json' with { type: 'json' };
import { insertPatient } from '../../server/db/stores/patients.ts';
import { addTwoClinics } from './clinic.ts';
import { testDatabase } from './database.ts';

/** A database, a data folder and a clinic with one patient, served by child processes that can be killed. `name` names the folder. */
export const mortalArchive = async (name: string) => {
  const database = await testDatabase();
  const dataFolder = await mkdtemp(path.join(os.tmpdir(), `dentarium-${name}-`));
  const clinics = await addTwoClinics(database.db);
  const patientId = randomUUID();
  await insertPatient(database.db, {
    id: patientId,
    customerId: clinics.customerId,
    firstName: 'Åsa',
    lastName: 'Lindström',
    personalNumber: '19800101-1234',
    birthDate: '1980-01-01',
    sex: 'F',
    comments: null,
  });
  const living = new Set<ChildProcess>();
  const kill = async (child: ChildProcess): Promise<void> => {
    living.delete(child);
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };

  return {
    database,
    db: database.db,
    dataFolder,
    clinics,
    patientId,
    /** Starts a process; `url` resolves when it listens, to the first line that it prints. `settings` are passed to the program. */
    start: (settings: object = {}, program = 'archive-process.ts', flags: readonly string[] = []) => {
      const argument = JSON.stringify({
        address: database.address,
        dataFolder,
        accountId: clinics.doctorId,
        customerId: clinics.customerId,
        ...settings,
      });
      const script = path.join(import.meta.dirname, program);
      const child = spawn(process.execPath, [...flags, script, argument], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, ...memory.environment },
      });
      living.add(child);
      const url = once(createInterface(child.stdout), 'line').then(([line]) => String(line));
      return { url, pid: child.pid ?? 0, kill: () => kill(child) };
    },
    killAll: async () => {
      for (const child of living) await kill(child);
    },
    close: async () => {
      for (const child of living) await kill(child);
      await database.close();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
};

export type MortalArchive = Awaited<ReturnType<typeof mortalArchive>>;
