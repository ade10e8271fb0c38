import { getImage } from '../../contract/images.ts';
import { importBegin, importConfirm, importGet, importParse } from '../../contract/import-calls.ts';
import { type ImportTask, importSteps } from '../../contract/imports.ts';
import { importBatch } from '../../contract/uploads.ts';
import { startOwnServer } from '../own-server.ts';
import type { BenchFile } from './files.ts';
import { forEachConcurrently, isSame, requestJson, send } from './http.ts';
import type { BenchServer } from './server.ts';

const boundary = 'bench-import-boundary-7f3a';

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
  const { url, customerId, signIn, rest, close } = await startOwnServer({ dataFolder, port, flags });
  const headers = await signIn();
  let images: string[] = [];

  const post = <T>(call: { readonly path: string }, body: unknown): Promise<T> =>
    requestJson('POST', `${url}${call.path}`, headers, body);
  const taskAt = async (id: string, step: number): Promise<ImportTask> => {
    for (;;) {
      const task = await requestJson<ImportTask>('GET', `${url}${importGet.path.replace(':id', id)}`, headers);
      if (task.error) throw new Error(`the import failed at step ${task.step}`);
      if (task.step >= step) return task;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };

  return {
    name: 'ours',
    take: async (run, files, concurrency) => {
      const patient = await post<{ id: string }>(
        { path: '/resource/patient/create' },
        {
          customerId,
          firstName: 'Import',
          lastName: 'Bench',
          personalNumber: run,
          birthDate: null,
          sex: null,
          comments: null,
        },
      );
      const began = performance.now();
      const { id } = await post<{ id: string }>(importBegin, { patientId: patient.id, totalFilesCount: files.length });
      const type = { 'content-type': `multipart/form-data; boundary=${boundary}` };
      await forEachConcurrently(inGroups(files, filesOfRequest), concurrency, async (group) => {
        await send('POST', `${url}${importBatch.path}`, { ...headers, ...type }, formOf(id, group));
      });
      const acknowledged = performance.now() - began;
      await post(importParse, { id });
      await taskAt(id, importSteps.validation);
      await post(importConfirm, { id, mismatchConfirmed: true });
      const done = await taskAt(id, importSteps.done);
      const imported = performance.now() - began;
      const byName = new Map(done.files.map((file) => [file.fileName, file]));
      images = files.map((file) => byName.get(file.name)?.imageUid ?? '');
      if (images.includes('')) throw new Error('a file is not in the index');
      return { acknowledged, imported };
    },
    readBack: async (files, concurrency) => {
      const began = performance.now();
      await forEachConcurrently([...files.keys()], concurrency, async (index) => {
        const body = await send('GET', `${url}${getImage.path}?imageUID=${images[index]}`, headers);
        if (!isSame(body, files[index]?.pieces ?? [])) throw new Error('the archive returned other bytes');
      });
      return performance.now() - began;
    },
    rest,
    close,
  };
};
