import type { QueryClient } from '@tanstack/query-core';
import { type GalleryPage, imageDownload, imageSearchPrivate } from '../../contract/gallery.ts';
import { mostCounted } from '../../contract/lists.ts';
import type { BodyOf } from '../../contract/route.ts';
import type { Call, WithBearer } from './call.ts';
import { failureOf, ServiceError } from './failure.ts';
import { type Query, query } from './query.ts';
import { queryRoots } from './query-roots.ts';
import { refusalOf } from './refusal.ts';
import { sendRaw } from './send.ts';

/** A list of images: whose, which, in which order, and how many to a page. */
export type GalleryAsked = Omit<BodyOf<typeof imageSearchPrivate>, 'page' | 'after'> & {
  readonly customerId: string;
  readonly ppage: number;
};

/** A page, and how many rows the whole list has where its end was met on the way; null where it was not. */
export interface PageOfImages extends GalleryPage {
  readonly end: number | null;
}

/** How much of a download is here. `totalBytes` is null where nobody said how much there will be. */
export type OnDownloaded = (loadedBytes: number, totalBytes: number | null) => void;

const where = `${imageDownload.method} ${imageDownload.path}`;

/** The archive writes hundreds of entries into its log before the first byte goes out. */
const timeoutMs = 120_000;

/** So many bytes are given to the browser to keep (it may put them on disk) at a time. */
const keptAtOnce = 32_000_000;

/** The body as a file, without holding more of it in the page's memory than it must. */
const fileOf = async (response: Response, onDownloaded: OnDownloaded, signal: AbortSignal): Promise<Blob> => {
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  const totalBytes = Number.isSafeInteger(length) && length > 0 ? length : null;
  const reader = response.body?.getReader();
  if (!reader) return response.blob();
  signal.addEventListener('abort', () => void reader.cancel().catch(() => {}), { once: true });
  const kept: Blob[] = [];
  let held: Uint8Array<ArrayBuffer>[] = [];
  let [heldBytes, loadedBytes] = [0, 0];
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    held.push(part.value);
    heldBytes += part.value.byteLength;
    loadedBytes += part.value.byteLength;
    if (heldBytes >= keptAtOnce) {
      kept.push(new Blob(held));
      [held, heldBytes] = [[], 0];
    }
    onDownloaded(loadedBytes, totalBytes);
  }
  signal.throwIfAborted();
  return new Blob([...kept, ...held], { type: 'application/zip' });
};

/** The images of a clinic, page by page, and their originals as a file. */
export const createGallery = (origin: string, call: Call, client: QueryClient, withBearer: WithBearer) => {
  // Where pages begin, as far as the archive has said it, of the list that was read last.
  let known: { readonly list: string; readonly begins: Map<number, string> } = { list: '', begins: new Map() };
  const beginsOf = (asked: GalleryAsked): Map<number, string> => {
    const list = JSON.stringify(asked);
    if (known.list !== list) known = { list, begins: new Map() };
    return known.begins;
  };

  const fetchPage = async (
    asked: GalleryAsked,
    index: number,
    begins: Map<number, string>,
    signal: AbortSignal,
  ): Promise<PageOfImages> => {
    const byNumber = (index + 1) * asked.ppage <= mostCounted;
    const after = begins.get(index);
    const ask = (from: { readonly after: string } | { readonly page: number }) =>
      call(imageSearchPrivate, { body: { ...asked, ...from }, signal });
    const page = async () => {
      if (after === undefined) return ask({ page: index + 1 });
      try {
        return await ask({ after });
      } catch (error) {
        const failure = failureOf(error);
        // A place that the archive no longer knows: pages by number need none.
        if (!byNumber || failure.kind !== 'refused' || failure.code !== 'invalid-request') throw error;
        begins.clear();
        return ask({ page: index + 1 });
      }
    };
    const reply = await page();
    if (reply.next !== null) begins.set(index + 1, reply.next);
    return { ...reply, end: reply.next === null ? index * asked.ppage + reply.data.length : null };
  };

  /** Down to the `mostCounted`-th row any page is had at once; deeper ones are walked to from the last page whose end is known. */
  const pageOf = async (asked: GalleryAsked, index: number, signal: AbortSignal): Promise<PageOfImages> => {
    const begins = beginsOf(asked);
    const reach = Math.floor(mostCounted / asked.ppage) - 1;
    let at = index;
    while (at > reach && !begins.has(at)) at -= 1;
    for (; at < index; at += 1) {
      const before = await fetchPage(asked, at, begins, signal);
      if (before.next === null) return { ...before, data: [] };
    }
    return fetchPage(asked, index, begins, signal);
  };

  const page = (asked: GalleryAsked, index: number): Query<PageOfImages> =>
    query([queryRoots.gallery, asked, index], (signal) => pageOf(asked, index, signal));

  return {
    /** A page of a list, the first is 0. One that nobody waits for any more is no longer fetched. */
    page,
    /** The page if it was fetched before, however long ago. */
    knownPage: (asked: GalleryAsked, index: number): PageOfImages | undefined =>
      client.getQueryData([queryRoots.gallery, asked, index]),
    /** The page, fetched if it is not known. Throws ServiceError. */
    readPage: (asked: GalleryAsked, index: number): Promise<PageOfImages> =>
      client.fetchQuery({ ...page(asked, index), staleTime: 60_000 }),
    /**
     * The originals in one zip, whole: one that was broken off on its way is none.
     * @throws ServiceError; the reason of `signal` when it is aborted
     */
    download: async (imageUIDs: readonly string[], onDownloaded: OnDownloaded, signal: AbortSignal): Promise<Blob> => {
      const url = `${origin}${imageDownload.path}`;
      const response = await withBearer((bearer) =>
        sendRaw(url, { method: 'POST', bearer, json: { imageUIDs }, signal, timeoutMs }),
      );
      if (response.status >= 400) {
        const body: unknown = await response.json().catch(() => null);
        throw new ServiceError(refusalOf(response.status, body, where));
      }
      try {
        return await fileOf(response, onDownloaded, signal);
      } catch (cause) {
        if (signal.aborted) throw cause;
        throw new ServiceError({ kind: 'offline' }, { cause });
      }
    },
  };
};

export type Gallery = ReturnType<typeof createGallery>;
