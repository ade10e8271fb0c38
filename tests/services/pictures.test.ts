import { describe, expect, it, vi } from 'vitest';
import type { PrintRequest } from '../../contract/print.ts';
import type { Call, WithBearer } from '../../src/services/call.ts';
import { createPictures } from '../../src/services/pictures.ts';
import { sendRaw } from '../../src/services/send.ts';

vi.mock('../../src/services/send.ts', () => ({ sendRaw: vi.fn() }));

const withBearer: WithBearer = (attempt) => attempt('token');
const request = { paper: 'a4', pictures: [] } as unknown as PrintRequest;
const { signal } = new AbortController();
const pngs = [1, 2].map((length) => new Blob(['x'.repeat(length)], { type: 'image/png' }));

const printing = (reply: Partial<Response>) => {
  vi.mocked(sendRaw)
    .mockReset()
    .mockResolvedValue(reply as Response);
  return createPictures('http://archive.example', vi.fn() as unknown as Call, withBearer).print(request, pngs, signal);
};
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: { failure: unknown }) => error.failure,
  );

describe('a print', () => {
  it('sends the request before the pictures, in their order, with the token', async () => {
    const pdf = new Blob(['%PDF']);
    expect(await printing({ status: 200, blob: async () => pdf })).toBe(pdf);
    const [url, options] = vi.mocked(sendRaw).mock.calls[0] ?? [];
    expect([url, options?.method, options?.bearer]).toEqual([
      'http://archive.example/resource/image/print',
      'POST',
      'token',
    ]);
    const parts = options?.body instanceof FormData ? [...options.body.entries()] : [];
    expect(parts.map(([name]) => name)).toEqual(['print', 'files', 'files']);
    expect(JSON.parse(String(parts[0]?.[1]))).toEqual(request);
    expect(parts.slice(1).map(([, file]) => (file instanceof Blob ? file.size : null))).toEqual([1, 2]);
  });

  it('fails with the code of the archive, or offline when the connection is lost while reading', async () => {
    const refused = printing({ status: 409, json: async () => ({ code: 'conflict' }) });
    expect(await failure(refused)).toMatchObject({ kind: 'refused', status: 409, code: 'conflict' });
    const lost = printing({ status: 200, blob: () => Promise.reject(new TypeError('network error')) });
    expect(await failure(lost)).toEqual({ kind: 'offline' });
  });
});
