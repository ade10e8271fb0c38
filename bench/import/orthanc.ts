import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { BenchFile } from './files.ts';
import { forEachConcurrently, isSame, requestJson, send } from './http.ts';
import type { BenchServer } from './server.ts';

const program = '/usr/sbin/Orthanc';
export const hasOrthanc = (): boolean => existsSync(program);

/**
 * Orthanc as Debian sets it up (files are synced: `SyncStorageArea`), on a port and a folder of its own, with no plugins and no password.
 * `more` settings replace these.
 */
export const startOrthanc = async (
  folder: string,
  port: number,
  more: Readonly<Record<string, unknown>> = {},
): Promise<BenchServer & { readonly url: string }> => {
  await mkdir(folder, { recursive: true });
  const settings = {
    Name: 'bench',
    StorageDirectory: folder,
    IndexDirectory: folder,
    SyncStorageArea: true,
    HttpPort: port,
    RemoteAccessAllowed: false,
    AuthenticationEnabled: false,
    DicomServerEnabled: false,
    OverwriteInstances: false,
    ...more,
  };
  const settingsFile = path.join(folder, 'bench.json');
  await writeFile(settingsFile, JSON.stringify(settings));
  const child = spawn(program, [settingsFile], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`Orthanc ended with ${child.exitCode}`);
    const answers = await send('GET', `${url}/system`).then(
      () => true,
      () => false,
    );
    if (answers) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const ids = new Map<BenchFile, string>();
  return {
    name: 'Orthanc',
    url,
    take: async (_run, files, concurrency) => {
      ids.clear();
      const began = performance.now();
      // It replies when the file is stored and indexed.
      await forEachConcurrently(files, concurrency, async (file) => {
        const reply = await send('POST', `${url}/instances`, { 'content-type': 'application/dicom' }, file.pieces);
        ids.set(file, JSON.parse(reply.toString()).ID);
      });
      const imported = performance.now() - began;
      const { CountInstances } = await requestJson<{ CountInstances: number }>('GET', `${url}/statistics`, {});
      if (CountInstances < files.length) throw new Error(`Orthanc has ${CountInstances} of ${files.length} files`);
      return { acknowledged: imported, imported };
    },
    readBack: async (files, concurrency) => {
      const began = performance.now();
      await forEachConcurrently(files, concurrency, async (file) => {
        if (!isSame(await send('GET', `${url}/instances/${ids.get(file)}/file`), file.pieces))
          throw new Error('Orthanc returned other bytes');
      });
      return performance.now() - began;
    },
    rest: async () => undefined,
    close: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
};
