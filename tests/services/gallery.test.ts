import { QueryClient } from '@tanstack/query-core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ServiceError } from '../../src/services/failure.ts';
import { createGallery } from '../../src/services/gallery.ts';
import { aGalleryOf, clinicId } from '../views/gallery/gallery-fixture.tsx';
import { idOf } from '../views/records.ts';

const search = { customerId: clinicId, ppage: 100, sort: 'date', order: 'desc' } as const;

const over = (archive: ReturnType<typeof aGalleryOf>) => {
  const client = new QueryClient();
  return createGallery('http://archive.example', archive.call, client, async (attempt) => attempt('token'));
};

describe('a page of the gallery', () => {
  it('is requested by number after a jump, and by cursor for the next page', async () => {
    const archive = aGalleryOf(5_000);
    const gallery = over(archive);
    expect((await gallery.readPage(search, 30)).data[0]?.uid).toBe(idOf(3_000));
    expect((await gallery.readPage(search, 31)).data[0]?.uid).toBe(idOf(3_100));
    expect(archive.requests.map(({ page, after }) => [page, after])).toEqual([
      [31, undefined],
      [undefined, 'after 3100'],
    ]);
    expect(gallery.knownPage(search, 31)?.data).toHaveLength(100);
    expect(gallery.knownPage(search, 32)).toBeUndefined();
  });

  it('is reached through cursors beyond the pages that numbers can reach', async () => {
    const archive = aGalleryOf(10_450);
    const gallery = over(archive);
    const last = await gallery.readPage(search, 104);
    expect(last.data).toHaveLength(50);
    expect(last.data[0]?.uid).toBe(idOf(10_400));
    expect(archive.requests.map(({ page, after }) => page ?? after)).toEqual([
      100,
      'after 10000',
      'after 10100',
      'after 10200',
      'after 10300',
      'after 10400',
    ]);
    // Past the end there is nothing.
    expect((await gallery.readPage(search, 107)).data).toEqual([]);
  });

  it('is requested by number when the archive no longer knows the cursor', async () => {
    const archive = aGalleryOf(500, ({ after }) => {
      if (after !== undefined)
        throw new ServiceError({ kind: 'refused', status: 400, code: 'invalid-request', errors: [] });
    });
    const gallery = over(archive);
    await gallery.readPage(search, 0);
    expect((await gallery.readPage(search, 1)).data[0]?.uid).toBe(idOf(100));
    expect(archive.requests.at(-1)?.page).toBe(2);
  });

  it('is requested by page number after the order changes, as a cursor belongs to one order', async () => {
    const archive = aGalleryOf(500);
    const gallery = over(archive);
    await gallery.readPage(search, 0);
    await gallery.readPage({ ...search, sort: 'size' }, 1);
    expect(archive.requests.at(-1)).toMatchObject({ page: 2, sort: 'size' });
  });
});

describe('a download', () => {
  const reply = vi.fn<(request: Request) => Response>();
  beforeEach(() => {
    vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) =>
      reply(input instanceof Request ? input : new Request(input, init)),
    );
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    reply.mockReset();
  });
  const gallery = () => over(aGalleryOf(0));

  it('is returned whole, and reports its progress', async () => {
    const bytes = new Uint8Array(300_000).map((_, index) => index % 251);
    let sent: unknown;
    reply.mockImplementation((request) => {
      sent = request.json();
      return new Response(bytes, { headers: { 'content-length': String(bytes.length), 'x-left-out': '1' } });
    });
    const progress: (readonly [number, number | null])[] = [];
    const signal = new AbortController().signal;
    const { content, leftOut } = await gallery().download(
      { imageUIDs: [idOf(1), idOf(2)], recipient: 'Specialist' },
      ({ loadedBytes, totalBytes }) => progress.push([loadedBytes, totalBytes]),
      signal,
    );
    expect(new Uint8Array(await content.arrayBuffer())).toEqual(bytes);
    expect(content.type).toBe('application/zip');
    expect(leftOut).toBe(1);
    expect(await sent).toEqual({ imageUIDs: [idOf(1), idOf(2)], recipient: 'Specialist' });
    expect(progress.at(-1)).toEqual([300_000, 300_000]);
    const loaded = progress.map(([bytesHere]) => bytesHere);
    expect(loaded).toEqual(loaded.toSorted((one, other) => one - other));
  });

  it('that breaks off is rejected', async () => {
    const broken = new ReadableStream({
      start: (controller) => controller.enqueue(new Uint8Array(10)),
      pull: (controller) => controller.error(new TypeError('network error')),
    });
    reply.mockReturnValue(new Response(broken, { headers: { 'content-length': '100' } }));
    const going = gallery().download({ imageUIDs: [idOf(1)] }, () => {}, new AbortController().signal);
    await expect(going).rejects.toMatchObject({ failure: { kind: 'offline' } });
  });

  it("is rejected with the archive's problem code", async () => {
    reply.mockReturnValue(Response.json({ code: 'no-right', errors: [], claims: ['disable.open'] }, { status: 403 }));
    const going = gallery().download({ imageUIDs: [idOf(1)] }, () => {}, new AbortController().signal);
    await expect(going).rejects.toMatchObject({ failure: { kind: 'refused', code: 'no-right' } });
  });

  it('can be aborted', async () => {
    const stop = new AbortController();
    const endless = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(10)) });
    reply.mockReturnValue(new Response(endless));
    const given = new Error('given up');
    const going = gallery().download({ imageUIDs: [idOf(1)] }, () => stop.abort(given), stop.signal);
    await expect(going).rejects.toBe(given);
  });
});
