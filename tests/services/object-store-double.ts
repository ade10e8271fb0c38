import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { JSDOM } from 'jsdom';
import { afterEach, beforeEach, vi } from 'vitest';
import { awsBegin } from '../../contract/aws-uploads.ts';
import type { ProblemCode } from '../../contract/problem.ts';
import { createAwsUploads } from '../../src/services/aws-uploads.ts';
import type { Call } from '../../src/services/call.ts';
import { type Failure, ServiceError } from '../../src/services/failure.ts';
import type { AwsNames, FileToSend } from '../../src/services/uploads.ts';
import { xhrPut } from '../../src/services/xhr-put.ts';
import { bodyOf, listening } from './archive-double.ts';

export const taskId = '8c2f6a55-4f9c-4f0e-9d0d-2f4f6b1c7d01';
const fileId = '4a2d1d6a-1c89-4cf1-a4b6-6a1e4d1b2e05';
const partBytes = 10;
const closers: (() => Promise<void>)[] = [];

export const keyOf = (name: string): string => {
  const hex = createHash('md5').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
};

export const chosen = (name: string, text: string): FileToSend => ({
  key: keyOf(name),
  path: `folder/${name}`,
  file: new File([text], name) as unknown as File,
});

export const problemOf = (code: ProblemCode, status: number) =>
  new ServiceError({ kind: 'refused', status, code, errors: [{ fieldKey: 'key' }] });

type PutReply = number | 'hang up' | 'wait';

interface Upload {
  readonly parts: Map<number, string>;
  sizeBytes: number;
  isWhole: boolean;
  urlCounts: number;
}

/** A store that saves parts, and an archive that knows what it has. URLs contain a counter: each request returns new ones. */
export const objectStoreOf = async (
  reply: (key: string, part: number, attempt: number, urlCount: number) => PutReply = () => 200,
  rejectionOf: (key: string, what: 'begin' | 'complete', attempt: number) => Error | null = () => null,
) => {
  const uploads = new Map<string, Upload>();
  const attempts = new Map<string, number>();
  const seen: IncomingMessage[] = [];
  let [underWay, most] = [0, 0];
  const tried = (what: string): number => {
    const attempt = (attempts.get(what) ?? 0) + 1;
    attempts.set(what, attempt);
    return attempt;
  };
  const cross = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'content-type' };
  const store = await listening(async (request, response) => {
    if (request.method === 'OPTIONS')
      return response.writeHead(204, { ...cross, 'access-control-allow-methods': 'PUT' }).end();
    seen.push(request);
    underWay += 1;
    most = Math.max(most, underWay);
    const body = await bodyOf(request);
    await new Promise(setImmediate);
    underWay -= 1;
    const [, key = '', part = '', urlCount = ''] = (request.url ?? '').split('/');
    const status = reply(key, Number(part), tried(`${key}/${part}`), Number(urlCount));
    if (status === 'wait') return;
    if (status === 'hang up') return request.socket.destroy();
    if (status === 200) uploads.get(key)?.parts.set(Number(part), body);
    response.writeHead(status, cross).end();
  });
  closers.push(store.close);

  const call = (async (
    route: { path: string },
    { body, signal }: { body: { key: string; sizeBytes: number }; signal: AbortSignal },
  ) => {
    await new Promise(setImmediate);
    signal.throwIfAborted();
    const { key, sizeBytes } = body;
    const isBegin = route.path === awsBegin.path;
    const what = isBegin ? 'begin' : 'complete';
    const refused = rejectionOf(key, what, tried(`${what}/${key}`));
    if (refused) throw refused;
    const upload = uploads.get(key) ?? { parts: new Map(), sizeBytes, isWhole: false, urlCounts: 0 };
    uploads.set(key, upload);
    const count = Math.max(1, Math.ceil(upload.sizeBytes / partBytes));
    const missing = Array.from({ length: count }, (_, index) => index + 1).filter((part) => !upload.parts.has(part));
    if (!isBegin) {
      if (missing.length > 0) throw problemOf('conflict', 409);
      upload.isWhole = true;
      return { fileId, awsFileName: `name-${key}` };
    }
    upload.urlCounts += 1;
    const arrived = [...upload.parts.values()].reduce((sum, text) => sum + text.length, 0);
    return {
      awsFileName: `name-${key}`,
      awsDirectroryKey: `imports/${taskId}`,
      partBytes,
      receivedBytes: arrived,
      fileId: upload.isWhole ? fileId : null,
      missing: missing.map((number) => ({ number, url: `${store.origin}/${key}/${number}/${upload.urlCounts}` })),
    };
  }) as unknown as Call;

  const held = (name: string): string => {
    const parts = [...(uploads.get(keyOf(name))?.parts ?? [])].sort(([a], [b]) => a - b);
    return parts.map(([, text]) => text).join('');
  };
  return { call, held, uploads, seen, attempts, most: () => most };
};

export const upload = (call: Call, files: readonly FileToSend[]) => {
  const reported: string[] = [];
  const names = new Map(files.map(({ key, path }) => [key, path.replace('folder/', '')]));
  const progress: { name: string | undefined; loaded: number; before: boolean }[] = [];
  const { promise, resolve } = Promise.withResolvers<Failure | { finished: AwsNames | null }>();
  const report = (what: string, key: string) => reported.push(`${names.get(key)} ${what}`);
  const stop = createAwsUploads({
    call,
    sendPart: xhrPut,
    delaysMs: [1, 1, 1],
    network: { onOnline: () => () => undefined },
  })(taskId, files, {
    onProgress: (key, loaded, before = false) => progress.push({ name: names.get(key), loaded, before }),
    onUploaded: (key) => report('uploaded', key),
    onLost: (key) => report('lost', key),
    onRefused: (key, failure) => report(`refused ${failure.kind === 'refused' ? failure.code : ''}`, key),
    onWaiting: (waiting) => reported.push(waiting ? 'waiting' : 'going on'),
    onFinished: (finished) => resolve({ finished }),
    onBroken: resolve,
  });
  return { reported, progress, ended: promise, stop };
};

/** Gives each test the XMLHttpRequest and files of jsdom, and closes its stores. Call it once in a test file. */
export const withBrowserUploads = () => {
  let browser: JSDOM;
  beforeEach(() => {
    browser = new JSDOM('', { url: 'http://127.0.0.1/' });
    const { XMLHttpRequest, File, Blob } = browser.window;
    for (const [name, value] of Object.entries({ XMLHttpRequest, File, Blob })) vi.stubGlobal(name, value);
  });
  afterEach(async () => {
    vi.unstubAllGlobals();
    browser.window.close();
    for (const close of closers.splice(0)) await close();
  });
};
