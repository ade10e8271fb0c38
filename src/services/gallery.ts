import type { QueryClient } from '@tanstack/query-core';
import { type NotExpressedPart, notExpressedHeader, readNotExpressed } from '../../contract/display-objects.ts';
import {
  type DownloadScope,
  type GalleryPage,
  imageDownload,
  imageDownloadPreview,
  imageSearchPrivate,
  leftOutHeader,
} from '../../contract/gallery.ts';
import { gradeReport, gradeSample } from '../../contract/grade-report.ts';
import { getDocument } from '../../contract/images.ts';
import { countLimit } from '../../contract/lists.ts';
import type { BodyOf, QueryOf, ReplyOf } from '../../contract/route.ts';
import { sharedLinkCreate, sharedLinkEnd, sharedLinkList } from '../../contract/shared-links.ts';
import type { Call, WithBearer } from './call.ts';
import { failureOf } from './failure.ts';
import { lazyService } from './lazy-service.ts';
import { type Query, query } from './query.ts';
import { queryRoots } from './query-roots.ts';
import { readBody, requireSuccess } from './raw-response.ts';
import { type OnDownloaded, readZip } from './read-zip.ts';
import { sendRaw } from './send.ts';

/** Clinic, filters, order and page size of a list of images. */
export type GalleryQuery = Omit<BodyOf<typeof imageSearchPrivate>, 'page' | 'after'> & {
  readonly customerId: string;
  readonly ppage: number;
};

/** A page; `end` is the total number of rows if this is the last page, else null. */
export interface PageOfImages extends GalleryPage {
  readonly end: number | null;
}

/** Images that are fetched, how, for whom and what for. */
export type DownloadRequest = BodyOf<typeof imageDownload> & {
  /** Encrypts the files in the browser; the archive never learns it. */
  readonly password?: string;
};

/** Images that are shared by a link, for whom and what for. */
export type LinkRequest = BodyOf<typeof sharedLinkCreate>;

/** Images in a zip. `leftOut`: how many are not in it; the zip lists them with the reasons. */
export interface Download {
  readonly content: Blob;
  readonly leftOut: number;
  /** What its mounts and marks cannot say, with the number of objects that lack it. */
  readonly notExpressed: ReadonlyMap<NotExpressedPart, number>;
}

const routeName = `${imageDownload.method} ${imageDownload.path}`;

/** The archive writes hundreds of log entries before the first byte. */
const timeoutMs = 120_000;

const encryption = lazyService(
  () => import('./encrypt-zip.ts'),
  ({ encryptZip }) => encryptZip,
);

/** Creates the gallery service: pages of images, their quality, and downloads. */
export const createGallery = (origin: string, call: Call, client: QueryClient, withBearer: WithBearer) => {
  // Cursors of the last list by page, known from the replies so far.
  let pages: { readonly list: string; readonly cursors: Map<number, string> } = { list: '', cursors: new Map() };
  const cursorsOf = (params: GalleryQuery): Map<number, string> => {
    const list = JSON.stringify(params);
    if (pages.list !== list) pages = { list, cursors: new Map() };
    return pages.cursors;
  };

  const fetchPage = async (
    params: GalleryQuery,
    index: number,
    cursors: Map<number, string>,
    signal: AbortSignal,
  ): Promise<PageOfImages> => {
    // The archive accepts page numbers up to this row; deeper pages need a cursor.
    const hasPageNumber = (index + 1) * params.ppage <= countLimit;
    const after = cursors.get(index);
    const request = (from: { readonly after: string } | { readonly page: number }) =>
      call(imageSearchPrivate, { body: { ...params, ...from }, signal });
    const page = async () => {
      if (after === undefined) return request({ page: index + 1 });
      try {
        return await request({ after });
      } catch (error) {
        const failure = failureOf(error);
        // The cursor is no longer valid: fetch the page by its number.
        if (!hasPageNumber || failure.kind !== 'refused' || failure.code !== 'invalid-request') throw error;
        cursors.clear();
        return request({ page: index + 1 });
      }
    };
    const reply = await page();
    if (reply.next !== null) cursors.set(index + 1, reply.next);
    return { ...reply, end: reply.next === null ? index * params.ppage + reply.data.length : null };
  };

  /** Pages up to row `countLimit` are fetched by number; deeper ones by cursor, starting at the last known one. */
  const pageOf = async (params: GalleryQuery, index: number, signal: AbortSignal): Promise<PageOfImages> => {
    const cursors = cursorsOf(params);
    const lastCountedPage = Math.floor(countLimit / params.ppage) - 1;
    let cursorPage = index;
    while (cursorPage > lastCountedPage && !cursors.has(cursorPage)) cursorPage -= 1;
    for (; cursorPage < index; cursorPage += 1) {
      const before = await fetchPage(params, cursorPage, cursors, signal);
      if (before.next === null) return { ...before, data: [] };
    }
    return fetchPage(params, index, cursors, signal);
  };

  const page = (params: GalleryQuery, index: number): Query<PageOfImages> =>
    query([queryRoots.gallery, params, index], (signal) => pageOf(params, index, signal));

  return {
    /** Returns the query of a page, counted from 0. */
    page,
    /** Returns the cached page, of any age. */
    knownPage: (params: GalleryQuery, index: number): PageOfImages | undefined =>
      client.getQueryData([queryRoots.gallery, params, index]),
    /** Returns the page, fetched if not cached. Throws ServiceError. */
    readPage: (params: GalleryQuery, index: number): Promise<PageOfImages> =>
      client.fetchQuery({ ...page(params, index), staleTime: 60_000 }),
    /** Returns the query of the images to grade. */
    gradeSample: (body: BodyOf<typeof gradeSample>): Query<ReplyOf<typeof gradeSample>> =>
      query([queryRoots.gallery, 'sample', body], (signal) => call(gradeSample, { body, signal })),
    /** Returns the query of the report on grades. */
    gradeReport: (customerId: string, period: QueryOf<typeof gradeReport>): Query<ReplyOf<typeof gradeReport>> =>
      query([queryRoots.gallery, 'report', customerId, period], (signal) =>
        call(gradeReport, { params: { customerId }, query: period, signal }),
      ),
    /** Returns the query of the number and size of the files of a download. */
    preview: (scope: DownloadScope & Pick<DownloadRequest, 'content'>): Query<ReplyOf<typeof imageDownloadPreview>> =>
      query([queryRoots.download, scope], (signal) => call(imageDownloadPreview, { body: scope, signal })),
    /** Makes a link to the images for a recipient. */
    makeLink: async (body: LinkRequest): Promise<ReplyOf<typeof sharedLinkCreate>> => {
      const made = await call(sharedLinkCreate, { body });
      void client.invalidateQueries({ queryKey: [queryRoots.sharedLinks] });
      return made;
    },
    /** Returns the query of the links of a patient. Recipients change them without an event. */
    sharedLinks: (patientId: string) => ({
      ...query<ReplyOf<typeof sharedLinkList>>([queryRoots.sharedLinks, patientId], (signal) =>
        call(sharedLinkList, { params: { id: patientId }, signal }),
      ),
      staleTime: 0,
    }),
    endLink: async (id: string): Promise<void> => {
      await call(sharedLinkEnd, { params: { id } });
      await client.invalidateQueries({ queryKey: [queryRoots.sharedLinks] });
    },
    /**
     * Returns the PDF of a document.
     * @throws ServiceError; the reason of `signal` when it is aborted
     */
    document: async (imageUID: string, signal: AbortSignal): Promise<Blob> => {
      const { method, path } = getDocument;
      const query = new URLSearchParams({ imageUID });
      const response = await withBearer((bearer) =>
        sendRaw(`${origin}${path}`, { method, bearer, query, signal, timeoutMs }),
      );
      await requireSuccess(response, `${method} ${path}`);
      return readBody(() => response.blob(), signal);
    },
    /**
     * Returns the images in one zip; rejects if the connection is lost.
     * @throws ServiceError; the reason of `signal` when it is aborted
     */
    download: async (
      { password, ...body }: DownloadRequest,
      onDownloaded: OnDownloaded,
      signal: AbortSignal,
    ): Promise<Download> => {
      // Loaded first: without it nothing is downloaded and logged.
      const encrypt = password === undefined ? null : await encryption();
      const url = `${origin}${imageDownload.path}`;
      const response = await withBearer((bearer) =>
        sendRaw(url, { method: 'POST', bearer, json: body, signal, timeoutMs }),
      );
      await requireSuccess(response, routeName);
      return readBody(async () => {
        const zip = await readZip(response, onDownloaded, signal);
        const onEncrypted = (loadedBytes: number) =>
          onDownloaded({ step: 'encrypting', loadedBytes, totalBytes: zip.size });
        const content = encrypt && password !== undefined ? await encrypt(zip, password, onEncrypted, signal) : zip;
        const { headers } = response;
        const notExpressed = readNotExpressed(headers.get(notExpressedHeader) ?? '');
        return { content, leftOut: Number(headers.get(leftOutHeader) ?? 0), notExpressed };
      }, signal);
    },
  };
};

export type Gallery = ReturnType<typeof createGallery>;
