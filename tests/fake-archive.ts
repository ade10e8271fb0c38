import type { HubEvent } from '../contract/hub.ts';
import {
  importBegin,
  importCancel,
  importConfirm,
  importDecide,
  importDirectoryConfirm,
  importDirectoryParse,
  importGet,
  importParse,
  importRetry,
} from '../contract/import-calls.ts';
import { type ImportFile, type ImportStudy, type ImportTask, importSteps } from '../contract/imports.ts';
import type { ProblemCode } from '../contract/problem.ts';
import { type ImportLimits, importLimitsGet, importPart, importPartsBegin } from '../contract/uploads.ts';
import type { Call, WithBearer } from '../src/services/call.ts';
import { ServiceError } from '../src/services/failure.ts';
import type { SendBytes, SendMultipart, Sent } from '../src/services/xhr-send.ts';
import { anImportFile, anImportStudy, anImportTask } from './an-import.ts';

/** Outcome of one request: it is processed, it is lost, its reply is lost, or the archive replies with this HTTP status. */
export type RequestOutcome = 'processed' | 'request-lost' | 'reply-lost' | number;

export interface Request {
  readonly what: string;
  readonly taskId: string | null;
  readonly paths: readonly string[];
}

export interface FakeArchiveOptions {
  readonly outcomeOf?: (request: Request) => RequestOutcome | Promise<RequestOutcome>;
  readonly limits?: Partial<ImportLimits>;
  readonly onHubEvent?: (event: HubEvent) => void;
}

interface StoredTask {
  readonly patientId: string | null;
  readonly totalFilesCount: number;
  step: ImportTask['step'];
  cancelled: boolean;
  files: ImportFile[];
  studies: ImportStudy[];
}

const someUuid = '4a2d1d6a-1c89-4cf1-a4b6-6a1e4d1b2e05';
const reject = (status: number, code: ProblemCode): never => {
  throw new ServiceError({ kind: 'refused', status, code, errors: [] });
};
const offline = (): never => {
  throw new ServiceError({ kind: 'offline' });
};
const codes: Readonly<Record<number, ProblemCode>> = {
  400: 'invalid-request',
  409: 'import-wrong-step',
  413: 'too-large',
  503: 'internal',
};

/**
 * Creates an archive in memory that follows the contract: a file sent again is not added again; a file named `refused` makes its request fail,
 * one named `broken` is rejected when it is parsed. `work` does what the server does in the background.
 */
export const fakeArchive = ({ outcomeOf = () => 'processed', limits, onHubEvent }: FakeArchiveOptions = {}) => {
  const tasks = new Map<string, StoredTask>();
  const parts = new Map<string, Uint8Array[]>();
  const requests: Request[] = [];
  let [running, maxConcurrent] = [0, 0];

  const taskOf = (id: string): StoredTask => {
    const task = tasks.get(id) ?? reject(404, 'import-not-found');
    if (task.cancelled) reject(409, 'import-wrong-step');
    return task;
  };
  const uploading = (id: string): StoredTask => {
    const task = taskOf(id);
    if (task.step !== importSteps.uploading) reject(409, 'import-wrong-step');
    return task;
  };

  /** Handles a request with its outcome; a reply is lost after the work is done. */
  const withOutcome = async <Result>(request: Request, work: () => Result): Promise<Result> => {
    requests.push(request);
    const isUpload = request.paths.length > 0;
    if (isUpload) running += 1;
    maxConcurrent = Math.max(maxConcurrent, running);
    try {
      const now = await outcomeOf(request);
      if (now === 'request-lost') return offline();
      if (typeof now === 'number') return reject(now, codes[now] ?? 'conflict');
      const result = work();
      return now === 'reply-lost' ? offline() : result;
    } finally {
      if (isUpload) running -= 1;
    }
  };

  const addFile = (task: StoredTask, path: string, sizeBytes: number): ImportFile => {
    const known = task.files.find((file) => file.path === path && file.sizeBytes === sizeBytes);
    if (known) return known;
    const fileName = path.slice(path.lastIndexOf('/') + 1);
    const file = anImportFile({ id: crypto.randomUUID(), fileName, path, sizeBytes, status: 'received' });
    task.files.push(file);
    return file;
  };
  const acknowledgement = ({ id, sizeBytes, fileName, path }: ImportFile) => ({
    fileId: id,
    sizeBytes,
    fileName,
    path,
    sha256: 'ab',
    dicomDirSystemName: someUuid,
  });

  const answered = async (work: () => Promise<unknown>): Promise<Sent> => {
    try {
      return { status: 200, text: JSON.stringify(await work()) };
    } catch (error) {
      if (!(error instanceof ServiceError) || error.failure.kind !== 'refused') throw error;
      return { status: error.failure.status, text: JSON.stringify({ code: error.failure.code }) };
    }
  };

  const sendMultipart: SendMultipart = ({ url, form, signal, onProgress }) =>
    answered(async () => {
      const taskId = String(form.get('id'));
      const paths = form.getAll('path').map(String);
      const files = [...form.getAll('files'), ...form.getAll('file')].filter((one) => one instanceof File);
      const bytes = files.reduce((sum, { size }) => sum + size, 0);
      onProgress(Math.ceil(bytes / 2));
      const result = await withOutcome({ what: new URL(url).pathname, taskId, paths }, () => {
        const task = uploading(taskId);
        if (paths.some((path) => path.includes('refused'))) reject(413, 'too-large');
        const kept = files.map((file, index) => acknowledgement(addFile(task, paths[index] ?? '', file.size)));
        return url.endsWith('/zip') ? kept[0] : { files: kept, dicomDirSystemName: someUuid };
      });
      signal.throwIfAborted();
      onProgress(bytes + 200);
      return result;
    });

  const received = (key: string) => (parts.get(key) ?? []).reduce((sum, part) => sum + part.length, 0);

  const sendBytes: SendBytes = ({ url, bytes, signal }) =>
    answered(async () => {
      const query = new URL(url).searchParams;
      const [id, key, offset] = [query.get('id') ?? '', query.get('key') ?? '', Number(query.get('offset'))];
      const body = new Uint8Array(await bytes.arrayBuffer());
      const result = await withOutcome({ what: new URL(url).pathname, taskId: id, paths: [key] }, () => {
        const task = uploading(id);
        if (offset !== received(key)) return reject(409, 'conflict');
        parts.set(key, [...(parts.get(key) ?? []), body]);
        const { path, sizeBytes } = begunParts.get(key) ?? reject(404, 'not-found');
        const whole = received(key) === sizeBytes;
        return { receivedBytes: received(key), file: whole ? acknowledgement(addFile(task, path, sizeBytes)) : null };
      });
      signal.throwIfAborted();
      return result;
    });
  const begunParts = new Map<string, { path: string; sizeBytes: number }>();

  const viewOf = (id: string, { patientId, totalFilesCount, step, files, studies }: StoredTask): ImportTask =>
    structuredClone(anImportTask(step, { id, patientId, totalFilesCount, files, studies }));

  const decidedStudy = (task: StoredTask, study: ImportStudy): ImportStudy => ({
    ...study,
    obstacles: study.decision.patientId === null ? ['patient-missing'] : [],
    match: study.decision.patientId === task.patientId ? 'same' : 'unknown',
  });

  // biome-ignore lint/suspicious/noExplicitAny: bodies of many routes, distinguished by the route
  type Work = (body: any, params: any) => unknown;
  const handlers = new Map<unknown, Work>([
    [
      importBegin,
      ({ id = crypto.randomUUID(), patientId, totalFilesCount }) => {
        if (!tasks.has(id))
          tasks.set(id, { patientId, totalFilesCount, step: 0, cancelled: false, files: [], studies: [] });
        return { id };
      },
    ],
    ...[importParse, importDirectoryParse].map((route): [unknown, Work] => [
      route,
      ({ id }: { id: string }) => {
        const task = taskOf(id);
        if (task.step > importSteps.validation) reject(409, 'import-wrong-step');
        if (task.step === importSteps.uploading) task.step = importSteps.parsing;
        return { id };
      },
    ]),
    [
      importDecide,
      ({ id, key, ...decision }: { id: string; key: string }) => {
        const task = taskOf(id);
        if (task.step !== importSteps.validation) reject(409, 'import-wrong-step');
        task.studies = task.studies.map((study) =>
          study.key === key ? decidedStudy(task, { ...study, decision: { ...study.decision, ...decision } }) : study,
        );
        return task.studies.find((study) => study.key === key) ?? reject(404, 'not-found');
      },
    ],
    ...[importConfirm, importDirectoryConfirm].map((route): [unknown, Work] => [
      route,
      ({ id }: { id: string }) => {
        const task = taskOf(id);
        if (task.step === importSteps.importing || task.step === importSteps.done) return { id };
        if (task.step !== importSteps.validation) reject(409, 'import-wrong-step');
        if (task.studies.some(({ obstacles }) => obstacles.length > 0)) reject(409, 'mismatch-not-confirmed');
        task.step = importSteps.importing;
        return { id };
      },
    ]),
    [importRetry, ({ id }: { id: string }) => ({ id: taskOf(id) && id })],
    [
      importCancel,
      ({ id }: { id: string }) => {
        const task = tasks.get(id) ?? reject(404, 'import-not-found');
        if (task.step > importSteps.validation) reject(409, 'import-wrong-step');
        task.cancelled = true;
        return { id };
      },
    ],
    [importGet, (_: unknown, { id }: { id: string }) => viewOf(id, taskOf(id))],
    [
      importLimitsGet,
      () => ({
        fileBytes: 1_000_000,
        filesPerImport: 10_000,
        zipEntries: 10,
        zipBytes: 10,
        zipRatio: 10,
        zipDepth: 1,
        folderDepth: 10,
        partBytes: 500,
        aws: false,
        ...limits,
      }),
    ],
    [
      importPartsBegin,
      ({ id, key, path, sizeBytes }: { id: string; key: string; path: string; sizeBytes: number }) => {
        const task = uploading(id);
        if (path.includes('refused')) reject(413, 'too-large');
        begunParts.set(key, { path, sizeBytes });
        const whole = received(key) === sizeBytes;
        return { receivedBytes: received(key), file: whole ? acknowledgement(addFile(task, path, sizeBytes)) : null };
      },
    ],
  ]);

  const call = (async (route: { path: string }, options: { body?: { id?: string }; params?: { id: string } } = {}) => {
    const { body, params } = options;
    const work = handlers.get(route);
    if (!work) throw new Error(`${route.path} has no handler`);
    const taskId = body?.id ?? params?.id ?? null;
    // Events about a task arrive later than the reply.
    await Promise.resolve();
    return withOutcome({ what: route.path, taskId, paths: [] }, () => work(structuredClone(body), params));
  }) as unknown as Call;

  const withBearer: WithBearer = (attempt) => attempt('token');

  return {
    call,
    withBearer,
    sendMultipart,
    sendBytes,
    tasks,
    parts,
    requests,
    /** Returns the largest number of concurrent uploads. */
    maxConcurrent: () => maxConcurrent,
    partPath: importPart.path,
    /** Parses uploaded files and imports confirmed tasks. */
    work: () => {
      for (const [id, task] of tasks) {
        if (task.cancelled) continue;
        const outcome = { succeeded: true, result: { taskId: id } };
        if (task.step === importSteps.parsing) {
          task.files = task.files.map((file) =>
            file.path.includes('broken')
              ? { ...file, status: 'refused', problem: 'truncated' }
              : { ...file, status: 'parsed', studyKey: '2.25.1' },
          );
          const study = anImportStudy();
          task.studies = task.files.some(({ status }) => status === 'parsed')
            ? [decidedStudy(task, { ...study, decision: { ...study.decision, patientId: task.patientId } })]
            : [];
          task.step = importSteps.validation;
          onHubEvent?.({ name: 'parsed', body: outcome });
        } else if (task.step === importSteps.importing) {
          task.files = task.files.map((file) =>
            file.status === 'parsed' ? { ...file, status: 'imported', imageUid: someUuid } : file,
          );
          task.step = importSteps.done;
          onHubEvent?.({ name: 'imported', body: outcome });
        }
      }
    },
  };
};
