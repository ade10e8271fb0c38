import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { firstAdministrator } from '../../contract/account.ts';
import { getImage } from '../../contract/images.ts';
import { importBegin, importConfirm, importGet, importParse } from '../../contract/import-calls.ts';
import { type ImportTask, importSteps } from '../../contract/imports.ts';
import { openid } from '../../contract/sign-in.ts';
import { importBatch } from '../../contract/uploads.ts';
import type { BenchFile } from './files.ts';
import { ask, inLanes, isSame, send } from './http.ts';
import type { BenchServer } from './server.ts';

const root = path.join(import.meta.dirname, '../..');
const boundary = 'bench-import-boundary-7f3a';
const account = { email: 'bench@dentarium.example', password: 'Bench-2026!' };

/** Hundredths of a second that the process has worked (proc(5), utime and stime); 20 of them in a second count as rest. */
const processorTime = (pid: number | undefined): number => {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number);
  return Math.round((user + system) / 20);
};

const signIn = async (url: string, key: string): Promise<{ authorization: string }> => {
  await ask(
    'POST',
    `${url}${firstAdministrator.path}`,
    {},
    {
      ...{ key, ...account, firstName: 'Bench', lastName: 'Bench', organisationName: 'Bench' },
    },
  );
  const form = new URLSearchParams({
    client_id: openid.clientId,
    grant_type: 'password',
    username: account.email,
    password: account.password,
    scope: openid.scope,
  });
  const reply = await fetch(`${url}${openid.tokenPath}`, { method: 'POST', headers: { origin: url }, body: form });
  return { authorization: `Bearer ${(await reply.json()).access_token}` };
};

const field = (name: string, value: string) =>
  Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);

/** One request with several files. */
const formOf = (id: string, files: readonly BenchFile[]): Buffer[] => [
  field('id', id),
  ...files.flatMap((file) => [
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="files"; filename="${file.name}"\r\n\r\n`),
    ...file.pieces,
    Buffer.from('\r\n'),
  ]),
  Buffer.from(`--${boundary}--\r\n`),
];

const inGroups = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, group) => items.slice(group * size, (group + 1) * size));

/** The program as it runs in a clinic, in a process of its own, with its own PostgreSQL. */
export const startOurs = async (dataFolder: string, port: number, filesOfRequest: number): Promise<BenchServer> => {
  const flags = (process.env.DENTARIUM_BENCH_NODE_FLAGS ?? '').split(' ').filter(Boolean);
  const { DATABASE_URL: _, ...env } = process.env;
  const command = [
    ...flags,
    path.join(root, 'server', 'main.ts'),
    '--port',
    String(port),
    '--data',
    dataFolder,
    '--empty',
  ];
  const child = spawn(process.execPath, command, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let screen = '';
  child.stdout.on('data', (chunk: Buffer) => {
    screen += chunk.toString();
  });
  while (!screen.includes('Ctrl-C')) {
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    if (child.exitCode !== null) throw new Error(`our server ended with ${child.exitCode}: ${screen}`);
  }
  const url = `http://localhost:${port}`;
  const key = /\/setup#(\S+)/.exec(screen)?.[1] ?? '';
  const headers = await signIn(url, key);
  const clinics = await ask<{ data: { id: string }[] }>('GET', `${url}/api/Customer/get_all`, headers);
  const customerId = clinics.data[0]?.id;
  let images: string[] = [];

  const post = <T>(call: { readonly path: string }, body: unknown): Promise<T> =>
    ask('POST', `${url}${call.path}`, headers, body);
  const reached = async (id: string, step: number): Promise<ImportTask> => {
    for (;;) {
      const task = await ask<ImportTask>('GET', `${url}${importGet.path.replace(':id', id)}`, headers);
      if (task.error) throw new Error(`the import failed at step ${task.step}`);
      if (task.step >= step) return task;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };

  return {
    name: 'ours',
    take: async (run, files, lanes) => {
      const patient = await post<{ id: string }>(
        { path: '/resource/patient/create' },
        {
          ...{ customerId, firstName: 'Import', lastName: 'Bench', personalNumber: run },
          ...{ birthDate: null, sex: null, comments: null },
        },
      );
      const began = performance.now();
      const { id } = await post<{ id: string }>(importBegin, { patientId: patient.id, totalFilesCount: files.length });
      const type = { 'content-type': `multipart/form-data; boundary=${boundary}` };
      await inLanes(inGroups(files, filesOfRequest), lanes, async (group) => {
        await send('POST', `${url}${importBatch.path}`, { ...headers, ...type }, formOf(id, group));
      });
      const acknowledged = performance.now() - began;
      await post(importParse, { id });
      await reached(id, importSteps.validation);
      await post(importConfirm, { id, mismatchConfirmed: true });
      const done = await reached(id, importSteps.done);
      const imported = performance.now() - began;
      const byName = new Map(done.files.map((file) => [file.fileName, file]));
      images = files.map((file) => byName.get(file.name)?.imageUid ?? '');
      if (images.includes('')) throw new Error('a file is not in the index');
      return { acknowledged, imported };
    },
    readBack: async (files, lanes) => {
      const began = performance.now();
      await inLanes([...files.keys()], lanes, async (index) => {
        const body = await send('GET', `${url}${getImage.path}?imageUID=${images[index]}`, headers);
        if (!isSame(body, files[index]?.pieces ?? [])) throw new Error('we give other bytes back');
      });
      return performance.now() - began;
    },
    rest: async () => {
      for (let before = -1, now = processorTime(child.pid); before !== now; now = processorTime(child.pid)) {
        before = now;
        await new Promise((resolve) => setTimeout(resolve, 1_000));
      }
    },
    close: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
};
