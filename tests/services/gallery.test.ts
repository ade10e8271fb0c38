import { QueryClient } from '@tanstack/query-core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ServiceError } from '../../src/services/failure.ts';
import { createGallery } from '../../src/services/gallery.ts';
import { aGalleryOf, clinicId, id } from '../views/gallery/gallery-of.tsx';

const asked = { customerId: clinicId, ppage: 100, sort: 'date', order: 'desc' } as const;

const over = (archive: ReturnType<typeof aGalleryOf>) => {
  const client = new QueryClient();
  return createGallery('http://archive.example', archive.call, client, async (attempt) => attempt('token'));
};

describe('a page of the gallery', () => {
  it('is asked for by number where it is jumped to, and from the end of the page before where one goes on', async () => {
    const archive = aGalleryOf(5_000);
    const gallery = over(archive);
    expect((await gallery.readPage(asked, 30)).data[0]?.uid).toBe(id(3_000));
    expect((await gallery.readPage(asked, 31)).data[0]?.uid).toBe(id(3_100));
    expect(archive.asked.map(({ page, after }) => [page, after])).toEqual([
      [31, undefined],
      [undefined, 'after 3100'],
    ]);
    expect(gallery.knownPage(asked, 31)?.data).toHaveLength(100);
    expect(gallery.knownPage(asked, 32)).toBeUndefined();
  });

  it('is walked to where it lies deeper than pages by number reach', async () => {
    const archive = aGalleryOf(10_450);
    const gallery = over(archive);
    const last = await gallery.readPage(asked, 104);
    expect(last.data).toHaveLength(50);
    expect(last.data[0]?.uid).toBe(id(10_400));
    expect(archive.asked.map(({ page, after }) => page ?? after)).toEqual([
      ...[100, 'after 10000', 'after 10100', 'after 10200', 'after 10300', 'after 10400'],
    ]);
    // What lies beyond the end is nothing.
    expect((await gallery.readPage(asked, 107)).data).toEqual([]);
  });

  it('is asked for by number when the archive no longer knows the place', async () => {
    const archive = aGalleryOf(500, ({ after }) => {
      if (after !== undefined)
        throw new ServiceError({ kind: 'refused', status: 400, code: 'invalid-request', errors: [] });
    });
    const gallery = over(archive);
    await gallery.readPage(asked, 0);
    expect((await gallery.readPage(asked, 1)).data[0]?.uid).toBe(id(100));
    expect(archive.asked.at(-1)?.page).toBe(2);
  });

  it('of another order begins elsewhere', async () => {
    const archive = aGalleryOf(500);
    const gallery = over(archive);
    await gallery.readPage(asked, 0);
    await gallery.readPage({ ...asked, sort: 'size' }, 1);
    expect(archive.asked.at(-1)).toMatchObject({ page: 2, sort: 'size' });
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

  it('comes whole, and tells how much of it is here', async () => {
    const bytes = new Uint8Array(300_000).map((_, index) => index % 251);
    let sent: unknown;
    reply.mockImplementation((request) => {
      sent = request.json();
      return new Response(bytes, { headers: { 'content-length': String(bytes.length) } });
    });
    const told: (readonly [number, number | null])[] = [];
    const signal = new AbortController().signal;
    const blob = await gallery().download([id(1), id(2)], (loaded, total) => told.push([loaded, total]), signal);
    expect(new Uint8Array(await blob.arrayBuffer())).toEqual(bytes);
    expect(blob.type).toBe('application/zip');
    expect(await sent).toEqual({ imageUIDs: [id(1), id(2)] });
    expect(told.at(-1)).toEqual([300_000, 300_000]);
    const loaded = told.map(([bytesHere]) => bytesHere);
    expect(loaded).toEqual(loaded.toSorted((one, other) => one - other));
  });

  it('that breaks off on its way is none', async () => {
    const broken = new ReadableStream({
      start: (controller) => controller.enqueue(new Uint8Array(10)),
      pull: (controller) => controller.error(new TypeError('network error')),
    });
    reply.mockReturnValue(new Response(broken, { headers: { 'content-length': '100' } }));
    const going = gallery().download([id(1)], () => {}, new AbortController().signal);
    await expect(going).rejects.toMatchObject({ failure: { kind: 'offline' } });
  });

  it('is refused in the words of the archive', async () => {
    reply.mockReturnValue(Response.json({ code: 'no-right', errors: [], claims: ['disable.open'] }, { status: 403 }));
    const going = gallery().download([id(1)], () => {}, new AbortController().signal);
    await expect(going).rejects.toMatchObject({ failure: { kind: 'refused', code: 'no-right' } });
  });

  it('can be given up', async () => {
    const stop = new AbortController();
    const endless = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(10)) });
    reply.mockReturnValue(new Response(endless));
    const given = new Error('given up');
    const going = gallery().download([id(1)], () => stop.abort(given), stop.signal);
    await expect(going).rejects.toBe(given);
  });
});
