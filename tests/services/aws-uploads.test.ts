import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { JSDOM } from 'jsdom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { awsBegin } from '../../contract/aws-uploads.ts';
import type { ProblemCode } from '../../contract/problem.ts';
import { createAwsUploads } from '../../src/services/aws-uploads.ts';
import type { Call } from '../../src/services/call.ts';
import { type Failure, ServiceError } from '../../src/services/failure.ts';
import type { AwsNames, FileToSend } from '../../src/services/uploads.ts';
import { xhrPut } from '../../src/services/xhr-put.ts';
import { bodyOf, listening } from './archive-double.ts';

const taskId = '8c2f6a55-4f9c-4f0e-9d0d-2f4f6b1c7d01';
const fileId = '4a2d1d6a-1c89-4cf1-a4b6-6a1e4d1b2e05';
const partBytes = 10;
const closers: (() => Promise<void>)[] = [];

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

const keyOf = (name: string): string => {
  const hex = createHash('md5').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
};

const chosen = (name: string, text: string): FileToSend => ({
  key: keyOf(name),
  path: `folder/${name}`,
  file: new File([text], name) as unknown as File,
});

const problemOf = (code: ProblemCode, status: number) =>
  new ServiceError({ kind: 'refused', status, code, errors: [{ fieldKey: 'key' }] });

type PutReply = number | 'hang up' | 'wait';

interface Upload {
  readonly parts: Map<number, string>;
  sizeBytes: number;
  isWhole: boolean;
  urlCounts: number;
}

/** A store that saves parts, and an archive that knows what it has. URLs contain a counter: each request returns new ones. */
const worldOf = async (
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

const upload = (call: Call, files: readonly FileToSend[]) => {
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
    onTaken: (key) => report('taken', key),
    onLost: (key) => report('lost', key),
    onRefused: (key, failure) => report(`refused ${failure.kind === 'refused' ? failure.code : ''}`, key),
    onWaiting: (waiting) => reported.push(waiting ? 'waiting' : 'going on'),
    onFinished: (finished) => resolve({ finished }),
    onBroken: resolve,
  });
  return { reported, progress, ended: promise, stop };
};

const text = 'one-part--two-part--three';

describe('an upload to the object store', () => {
  it('sends each part to its own URL, and notifies the archive when all parts are stored', async () => {
    const world = await worldOf();
    const files = [chosen('a', text), chosen('b', 'small'), chosen('empty', '')];
    const { reported, progress, ended } = upload(world.call, files);
    const finished = await ended;
    expect(finished).toMatchObject({ finished: { awsDirectroryKey: `imports/${taskId}` } });
    expect(reported.sort()).toEqual(['a taken', 'b taken', 'empty taken']);
    expect([world.held('a'), world.held('b'), world.held('empty')]).toEqual([text, 'small', '']);
    const last = progress.filter(({ name }) => name === 'a').at(-1);
    expect(last).toEqual({ name: 'a', loaded: text.length, before: false });
    for (const { loaded } of progress) expect(loaded).toBeLessThanOrEqual(text.length);
  });

  it('sends the store nothing but the bytes', async () => {
    const world = await worldOf();
    await upload(world.call, [chosen('Åsa Lindström', text)]).ended;
    for (const { headers, url } of world.seen) {
      expect(headers.authorization).toBeUndefined();
      expect(headers.cookie).toBeUndefined();
      expect(decodeURIComponent(`${url}${JSON.stringify(headers)}`)).not.toMatch(/Lindstr|folder/);
    }
  });

  it('limits the number of concurrent parts', async () => {
    const world = await worldOf();
    await upload(world.call, [chosen('a', text.repeat(4)), chosen('b', text.repeat(4))]).ended;
    expect(world.most()).toBeGreaterThan(1);
    expect(world.most()).toBeLessThanOrEqual(4);
    expect(world.held('b')).toBe(text.repeat(4));
  });

  it('sends a part again after a connection loss, and reports that it waits', async () => {
    const world = await worldOf((_, part, attempt) => (part === 2 && attempt < 4 ? 'hang up' : 200));
    const { reported, ended } = upload(world.call, [chosen('a', text)]);
    expect(await ended).toHaveProperty('finished');
    expect(reported[0]).toBe('waiting');
    expect(reported.slice(-2)).toEqual(['going on', 'a taken']);
    expect(world.held('a')).toBe(text);
    expect(world.attempts.get(`${keyOf('a')}/2`)).toBe(4);
    expect(world.attempts.get(`${keyOf('a')}/1`)).toBe(1);
  });

  it('sends a part again that the store could not accept', async () => {
    const world = await worldOf((_, part, attempt) => (part === 3 && attempt < 3 ? 503 : 200));
    const { ended } = upload(world.call, [chosen('a', text)]);
    expect(await ended).toHaveProperty('finished');
    expect(world.held('a')).toBe(text);
  });

  it('fails when the store never accepts a part', async () => {
    const world = await worldOf(() => 503);
    const { reported, ended } = upload(world.call, [chosen('a', text)]);
    expect(await ended).toMatchObject({ kind: 'refused', code: 'object-store-away' });
    expect(reported).toEqual([]);
  });

  it('requests new URLs when they expire, and sends only what is missing', async () => {
    const world = await worldOf((_, part, _attempt, urlCount) => (part > 1 && urlCount === 1 ? 403 : 200));
    const { ended } = upload(world.call, [chosen('a', text)]);
    expect(await ended).toHaveProperty('finished');
    expect(world.held('a')).toBe(text);
    expect(world.uploads.get(keyOf('a'))?.urlCounts).toBe(2);
  });

  it('does not request new URLs endlessly', async () => {
    const world = await worldOf(() => 403);
    expect(await upload(world.call, [chosen('a', text)]).ended).toMatchObject({ kind: 'drift' });
    expect(world.uploads.get(keyOf('a'))?.urlCounts).toBeLessThan(10);
  });

  it('sends a part that the store has lost meanwhile', async () => {
    const world = await worldOf();
    const call = (async (route: never, options: never) => {
      const parts = world.uploads.get(keyOf('a'))?.parts;
      if ((route as { path: string }).path !== awsBegin.path && world.uploads.get(keyOf('a'))?.urlCounts === 1)
        parts?.delete(2);
      return world.call(route, options);
    }) as unknown as Call;
    expect(await upload(call, [chosen('a', text)]).ended).toHaveProperty('finished');
    expect(world.held('a')).toBe(text);
    expect(world.attempts.get(`${keyOf('a')}/2`)).toBe(2);
    expect(world.attempts.get(`${keyOf('a')}/1`)).toBe(1);
  });

  it('resumes where it stopped, also in a later session', async () => {
    const reached = Promise.withResolvers<void>();
    const world = await worldOf((_, part, attempt) => {
      if (part !== 3 || attempt > 1) return 200;
      reached.resolve();
      return 'wait';
    });
    const first = upload(world.call, [chosen('a', text)]);
    await reached.promise;
    await vi.waitUntil(() => world.uploads.get(keyOf('a'))?.parts.size === 2);
    first.stop();
    const second = upload(world.call, [chosen('a', text)]);
    expect(await second.ended).toHaveProperty('finished');
    expect(second.progress[0]).toEqual({ name: 'a', loaded: 20, before: true });
    expect(world.attempts.get(`${keyOf('a')}/1`)).toBe(1);
    expect(world.held('a')).toBe(text);
    expect(first.reported).toEqual([]);
  });

  it('reports a file that the archive already has as received', async () => {
    const world = await worldOf();
    await upload(world.call, [chosen('a', text)]).ended;
    const again = upload(world.call, [chosen('a', text)]);
    expect(await again.ended).toMatchObject({ finished: { awsFileName: `name-${keyOf('a')}` } });
    expect(again.reported).toEqual(['a taken']);
    expect(world.seen).toHaveLength(3);
  });

  it('reports rejected and unreadable files, and sends the others', async () => {
    const world = await worldOf(undefined, (key, what) =>
      key === keyOf('b') && what === 'begin' ? problemOf('too-large', 413) : null,
    );
    const gone = { key: keyOf('gone'), path: 'folder/gone', file: null };
    const { reported, ended } = upload(world.call, [chosen('a', text), chosen('b', 'b'), gone, chosen('c', 'c')]);
    expect(await ended).toHaveProperty('finished');
    expect(reported.sort()).toEqual(['a taken', 'b refused too-large', 'c taken', 'gone lost']);
  });

  it('reports a file that can no longer be read', async () => {
    const world = await worldOf(() => 'hang up');
    const one = chosen('a', text);
    const unreadable = {
      slice: () => ({ arrayBuffer: () => Promise.reject(new Error('NotReadableError')), size: 10 }),
    };
    const file = Object.assign(unreadable, { size: text.length, name: 'a' }) as unknown as File;
    const call = createAwsUploads({
      call: world.call,
      delaysMs: [1],
      network: { onOnline: () => () => undefined },
      sendPart: async () => {
        throw new ServiceError({ kind: 'offline' });
      },
    });
    const lost = await new Promise((resolve) =>
      call(taskId, [{ ...one, file }], {
        onProgress: () => {},
        onTaken: () => {},
        onRefused: () => {},
        onWaiting: () => {},
        onLost: (key) => resolve(key),
        onFinished: () => {},
        onBroken: resolve,
      }),
    );
    expect(lost).toBe(keyOf('a'));
  });

  it('stops when the whole import is rejected', async () => {
    const world = await worldOf(undefined, () => problemOf('import-wrong-step', 409));
    const { reported, ended } = upload(world.call, [chosen('a', text), chosen('b', text)]);
    expect(await ended).toMatchObject({ kind: 'refused', code: 'import-wrong-step' });
    expect(reported).toEqual([]);
    expect(world.seen).toEqual([]);
  });

  it('reports nothing after it was stopped', async () => {
    const reached = Promise.withResolvers<void>();
    const world = await worldOf(() => {
      reached.resolve();
      return 'wait';
    });
    const { reported, ended, stop, progress } = upload(world.call, [chosen('a', text)]);
    await reached.promise;
    stop();
    const eventCount = progress.length;
    const silence = new Promise<string>((resolve) => setImmediate(() => setImmediate(() => resolve('silence'))));
    expect(await Promise.race([ended, silence])).toBe('silence');
    expect([reported, progress.length]).toEqual([[], eventCount]);
  });
});
