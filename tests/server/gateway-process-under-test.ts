import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { connect } from '../../server/db/client.ts';
import { readPostmaster, superuser } from '../../server/db/postmaster.ts';
import { insertDicomDevice } from '../../server/db/stores/dicom-devices.ts';
import { addTwoClinics } from './clinic.ts';

const main = path.join(import.meta.dirname, '../../server/dicom-gateway/main.ts');

export const gatewaySettings = (port: number) => ({
  DENTARIUM_DICOM_PORT: String(port),
  DENTARIUM_DICOM_HOST: '127.0.0.1',
  DENTARIUM_DICOM_AE_TITLE: 'ARCHIVE',
});

/** Connects to the bundled database of a server that runs. */
export const databaseIn = (folder: string) => {
  const { socketFolder = '' } = readPostmaster(path.join(folder, 'database')) ?? {};
  return connect({ host: socketFolder, user: superuser, database: 'dentarium' });
};

/** Lists this machine, `UNIT`, as a device of a new clinic, which may store. */
export const addStoringDevice = async (folder: string): Promise<void> => {
  const { db, close } = databaseIn(folder);
  const { customerId, adminId } = await addTwoClinics(db);
  const device = { customerId, name: 'Unit', aeTitle: 'UNIT', address: '127.0.0.1', port: null, createdBy: adminId };
  await db.transaction().execute((transaction) =>
    insertDicomDevice(transaction, {
      ...device,
      canRetrieve: true,
      canStore: true,
      atOnce: false,
      seesWorklist: false,
    }),
  );
  await close();
};

/** Starts the process for devices alone, and waits until they can connect. */
export const startGatewayProcess = async (folder: string, environment: Readonly<Record<string, string>>) => {
  const { DATABASE_URL: _, ...inherited } = process.env;
  const child = spawn(process.execPath, [main, '--data', folder], {
    env: { ...inherited, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  child.stderr.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  await vi.waitFor(
    () => {
      if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${text}`);
      expect(text).toContain('DICOM devices can connect');
    },
    { timeout: 60_000, interval: 50 },
  );
  const stop = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    return child.exitCode;
  };
  onTestFinished(async () => void (await stop('SIGKILL')));
  return { stop };
};
