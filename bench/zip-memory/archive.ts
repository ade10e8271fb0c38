import { once } from 'node:events';
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { importBegin, importConfirm, importGet, importParse } from '../../contract/import-calls.ts';
import { type ImportTask, importSteps } from '../../contract/imports.ts';
import { importZip } from '../../contract/uploads.ts';
import memory from '../../scripts/memory.json' with { type: 'json' };
import { requestJson } from '../import/http.ts';
import { type OwnServer, startOwnServer } from '../own-server.ts';

const boundary = 'bench-zip-boundary-52d1';

export interface ZipArchive {
  /** Uploads and imports a zip; `onStep` is called when a step begins. Resolves with the number of imported files. */
  readonly importZip: (run: string, file: string, onStep: (step: string) => void) => Promise<number>;
  /** Resident bytes of the server's process, its worker threads in it; PostgreSQL is a process of its own. */
  readonly residentBytes: () => number;
  /** Waits until it is idle. */
  readonly rest: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const renewedMs = 60_000;

/** The headers of a call, with a new sign-in each minute: an import may outlast the access token. */
const signedIn = (signIn: OwnServer['signIn']) => {
  let headers = { authorization: '' };
  let until = 0;
  return async () => {
    if (performance.now() < until) return headers;
    headers = { ...(await signIn()) };
    until = performance.now() + renewedMs;
    return headers;
  };
};

const part = (disposition: string, value = '') =>
  Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n${value}`);

/** Sends the zip as a browser does, from the disk. */
const upload = async (url: string, headers: Readonly<Record<string, string>>, id: string, file: string) => {
  const before = Buffer.concat([part('name="id"', `${id}\r\n`), part('name="file"; filename="disc.zip"')]);
  const after = Buffer.from(`\r\n--${boundary}--\r\n`);
  const type = `multipart/form-data; boundary=${boundary}`;
  const length = before.length + statSync(file).size + after.length;
  const call = request(`${url}${importZip.path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': type, 'content-length': length },
  });
  const answered = once(call, 'response');
  await pipeline(async function* () {
    yield before;
    yield* createReadStream(file, { highWaterMark: 2 ** 20 });
    yield after;
  }, call);
  const [reply] = await answered;
  let text = '';
  for await (const chunk of reply) text += chunk;
  if (reply.statusCode !== 200) throw new Error(`the upload was answered with ${reply.statusCode}: ${text}`);
};

/** The program as it runs in a clinic, in a process of its own. */
export const startZipArchive = async (dataFolder: string, port: number): Promise<ZipArchive> => {
  // As scripts/start.mjs starts it.
  const server = await startOwnServer({ dataFolder, port, ...memory });
  const { url, customerId } = server;
  const headers = signedIn(server.signIn);
  const post = async <T>(to: string, body: unknown): Promise<T> =>
    requestJson('POST', `${url}${to}`, await headers(), body);
  const stepNames = Object.keys(importSteps);

  const taskAt = async (id: string, step: number, onStep: (step: string) => void): Promise<ImportTask> => {
    for (let last = -1; ; ) {
      const task = await requestJson<ImportTask>('GET', `${url}${importGet.path.replace(':id', id)}`, await headers());
      if (task.error) throw new Error(`the import failed at step ${task.step}`);
      if (task.step !== last) onStep(stepNames[task.step] ?? '');
      last = task.step;
      if (task.step >= step) return task;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  };

  return {
    importZip: async (run, file, onStep) => {
      const facts = { customerId, firstName: 'Zip', lastName: 'Bench', personalNumber: run };
      const more = { birthDate: null, sex: null, comments: null };
      const patient = await post<{ id: string }>('/resource/patient/create', { ...facts, ...more });
      const begin = { patientId: patient.id, kind: 'dicomdir', name: 'disc.zip', totalFilesCount: 1 };
      const { id } = await post<{ id: string }>(importBegin.path, begin);
      onStep('uploading');
      await upload(url, await headers(), id, file);
      await post(importParse.path, { id });
      await taskAt(id, importSteps.validation, onStep);
      await post(importConfirm.path, { id, mismatchConfirmed: true });
      const done = await taskAt(id, importSteps.done, onStep);
      return done.files.filter(({ status }) => status === 'imported').length;
    },
    residentBytes: () =>
      Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) * 1024,
    rest: server.rest,
    close: server.close,
  };
};
