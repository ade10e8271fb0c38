import { createHash, randomUUID } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  openAsBlob,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { importBegin } from '../../contract/import-calls.ts';
import { importPart, importPartsBegin } from '../../contract/uploads.ts';
import { defaultLimits } from '../../server/imports/limits.ts';
import { failureOfResponse } from '../../src/services/error-response.ts';
import { ServiceError, waitReasonOf } from '../../src/services/failure.ts';
import { parsedJson } from '../../src/services/parsed-json.ts';
import { sendInParts } from '../../src/services/upload-parts.ts';
import type { SendBytes } from '../../src/services/xhr-send.ts';
import { callerOf } from './aws-under-test.ts';
import { type BehindRealProxy, behindRealProxy } from './behind-real-proxy.ts';
import { findProxy } from './proxy-program.ts';
import { signIn } from './running-server.ts';
import { smallObject } from './small-object.ts';

/* Uploads through Debian's Caddy and nginx with the code of the browser, whose XMLHttpRequest is replaced by fetch. */

const megabyte = 2 ** 20;
const { fileBytes, partBytes } = defaultLimits;

const statusOf = (pid: number, file: string, name: string): number => {
  const [, value = '0'] =
    new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/${file}`, 'utf8')) ?? [];
  return Number(value);
};
const familyOf = (pid: number): number[] => {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return [pid, ...children.split(' ').filter(Boolean).map(Number)];
};
/** Peak memory of the largest of these processes, in megabytes. */
const peakMegabytes = (pids: readonly number[]) =>
  Math.max(...pids.map((pid) => statusOf(pid, 'status', 'VmHWM'))) / 1024;
const writtenBytes = (pids: readonly number[]) =>
  pids.reduce((sum, pid) => sum + statusOf(pid, 'io', 'write_bytes'), 0);

describe.each(
  await Promise.all((['caddy', 'nginx'] as const).map(async (name) => ({ name, found: await findProxy(name) }))),
)('uploads behind $name', ({ name, found }) => {
  if (typeof found === 'string') return it.skip(found);
  let test: BehindRealProxy;
  let bearer: string;

  beforeAll(async () => {
    test = await behindRealProxy(name, found);
  });
  const renew = async () => {
    bearer = (await signIn(test.url, 'doctor@prov.example')).access_token;
  };
  beforeEach(renew);
  afterAll(() => test?.close());

  const answerOf = async (reply: Response) => ({ status: reply.status, text: await reply.text() });
  const authorized = (type: string) => ({ authorization: `Bearer ${bearer}`, 'content-type': type });
  const call = callerOf((target, body) =>
    fetch(`${test.url}${target}`, {
      method: 'POST',
      headers: authorized('application/json'),
      body: JSON.stringify(body),
    }),
  );
  const putBytes = (url: string, bytes: Blob) =>
    fetch(url, { method: 'PUT', headers: authorized('application/octet-stream'), body: bytes });
  const begin = () => call(importBegin, { patientId: null, customerId: test.clinic.customerId, totalFilesCount: 1 });

  /** A file of zeros that takes no space. */
  const fileOf = async (sizeBytes: number) => {
    const file = path.join(test.proxyFolder, `${randomUUID()}.dcm`);
    writeFileSync(file, '');
    truncateSync(file, sizeBytes);
    const hash = createHash('sha256');
    await pipeline(createReadStream(file), hash);
    return { blob: (await openAsBlob(file)) as File, sha256: hash.digest('hex') };
  };

  const upload = async (
    file: File,
    { onPart, waited }: { onPart?: (offset: number) => void; waited?: string[] } = {},
  ) => {
    const { id: taskId } = await begin();
    const one = { key: randomUUID(), path: 'large.dcm', file };
    const sendBytes: SendBytes = async ({ url, bytes, onProgress }) => {
      onPart?.(Number(new URL(url).searchParams.get('offset')));
      const reply = await putBytes(url, bytes).catch(() => {
        throw new ServiceError({ kind: 'offline' });
      });
      onProgress(bytes.size);
      return answerOf(reply);
    };
    await sendInParts(
      {
        origin: test.url,
        withBearer: async (attempt) => {
          const answer = await attempt(bearer);
          if (answer.status !== 401) return answer;
          await renew();
          return attempt(bearer);
        },
        sendBytes,
        call: async (route, { body } = {}) => {
          const reply = await fetch(`${test.url}${route.path}`, {
            method: route.method,
            headers: authorized('application/json'),
            body: JSON.stringify(body),
          }).catch(() => {
            throw new ServiceError({ kind: 'offline' });
          });
          const { status, text } = await answerOf(reply);
          if (status >= 400) throw new ServiceError(failureOfResponse(status, parsedJson(text), route.path));
          return JSON.parse(text);
        },
      },
      {
        taskId,
        one,
        partBytes,
        withSlot: (work) => work(),
        onProgress: () => undefined,
        retryOptions: {
          signal: new AbortController().signal,
          network: { onOnline: () => () => undefined },
          delaysMs: [20, 20],
          onNoAnswer: (reason) => waited?.push(reason),
          onAnswer: () => undefined,
        },
      },
    );
    const { file: stored } = await call(importPartsBegin, {
      id: taskId,
      key: one.key,
      path: one.path,
      sizeBytes: file.size,
    });
    return stored;
  };

  it('a file of 1 GB passes in parts, and the proxy stores nothing of it in memory or on disk', async () => {
    const { blob, sha256 } = await fileOf(fileBytes);
    const pids = familyOf(test.proxyPid);
    const [written, serverBefore] = [writtenBytes(pids), peakMegabytes([test.serverPid()])];
    const stored = await upload(blob);
    expect(stored).toMatchObject({ sizeBytes: fileBytes, sha256 });
    expect((writtenBytes(pids) - written) / megabyte).toBeLessThan(10);
    expect(peakMegabytes(pids)).toBeLessThan(150);
    expect(peakMegabytes([test.serverPid()]) - serverBefore).toBeLessThan(300);
  }, 600_000);

  it('an object of 500 MB is stored by DICOMweb in one request, and the proxy stores nothing of it', async () => {
    const { blob } = await fileOf(500 * megabyte);
    const body = new Blob([Uint8Array.from(smallObject()), blob]);
    const pids = familyOf(test.proxyPid);
    const [written, serverBefore] = [writtenBytes(pids), peakMegabytes([test.serverPid()])];
    const reply = await fetch(`${test.url}/dicomweb/${test.clinic.customerId}/studies`, {
      method: 'POST',
      headers: authorized('application/dicom'),
      body,
    });
    expect(reply.status, await reply.text()).toBe(200);
    expect((writtenBytes(pids) - written) / megabyte).toBeLessThan(10);
    expect(peakMegabytes([test.serverPid()]) - serverBefore).toBeLessThan(150);
  }, 300_000);

  it('a request that is too large is rejected with a code that the page can show', async () => {
    const { id } = await begin();
    const { blob } = await fileOf(65 * megabyte);
    const key = randomUUID();
    await call(importPartsBegin, { id, key, path: 'large.dcm', sizeBytes: blob.size });
    const reply = await putBytes(`${test.url}${importPart.path}?id=${id}&key=${key}&offset=0`, blob);
    // Caddy has no limit of its own, and the server accepts parts of any size up to that of the file.
    expect(reply.status).toBe(name === 'nginx' ? 413 : 200);
    if (name === 'nginx')
      expect(failureOfResponse(413, parsedJson(await reply.text()), '')).toMatchObject({ code: 'too-large' });
  });

  it('while the server restarts, calls answer 502, an upload waits, and it continues where it was', async () => {
    const { blob, sha256 } = await fileOf(6 * partBytes);
    const waited: string[] = [];
    const offsets: number[] = [];
    let restarted: Promise<void> | undefined;
    const restart = async () => {
      await test.stopServer();
      const reply = await fetch(`${test.url}/health`);
      expect(reply.status).toBe(502);
      const failure = failureOfResponse(502, parsedJson(await reply.text()), '');
      expect(waitReasonOf(failure)).toBe('connection');
      await test.startServer();
    };
    const onPart = (offset: number) => {
      offsets.push(offset);
      if (offset >= 2 * partBytes) restarted ??= restart();
    };
    const stored = await upload(blob, { onPart, waited });
    await restarted;
    expect(stored).toMatchObject({ sizeBytes: 6 * partBytes, sha256 });
    expect(waited).toContain('connection');
    expect(offsets.filter((offset) => offset === 0)).toHaveLength(1);
    expect((await fetch(`${test.url}/health/ready`)).status).toBe(200);
  });

  it('leaves no temporary file of the proxy', () => {
    const folders = ['client_body', 'proxy'].map((folder) => path.join(test.proxyFolder, folder));
    for (const folder of folders) expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
  });
});
