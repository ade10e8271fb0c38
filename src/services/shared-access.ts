import { leftOutHeader } from '../../contract/gallery.ts';
import {
  type SharedContent,
  sharedDownload,
  sharedOpen,
  sharedRendition,
  sharedThumbnail,
} from '../../contract/shared-links.ts';
import type { WithBearer } from './call.ts';
import { failureOfResponse } from './error-response.ts';
import { ServiceError } from './failure.ts';
import { createLoadBytes } from './images.ts';
import { readBody, requireSuccess } from './raw-response.ts';
import { type OnDownloaded, readZip } from './read-zip.ts';
import { send, sendRaw } from './send.ts';

/** The archive verifies each file before the first byte. */
const downloadTimeoutMs = 120_000;

/** Creates the calls of a recipient of a link. The bearer is in the memory of the page only. They throw ServiceError. */
export const createSharedAccess = (origin: string) => {
  let bearer: string | null = null;
  const withBearer: WithBearer = (attempt) => attempt(bearer);

  return {
    /** Opens a link by its code. */
    open: async (link: { readonly id: string; readonly secret: string }, code: string): Promise<SharedContent> => {
      const where = `${sharedOpen.method} ${sharedOpen.path}`;
      const { status, body } = await send(`${origin}${sharedOpen.path}`, { method: 'POST', json: { ...link, code } });
      if (status >= 400) throw new ServiceError(failureOfResponse(status, body, where));
      const reply = sharedOpen.reply.safeParse(body);
      if (!reply.success) throw new ServiceError({ kind: 'drift', where }, { cause: reply.error });
      const { bearer: opened, ...content } = reply.data;
      bearer = opened;
      return content;
    },
    /** Forgets the bearer. */
    leave: (): void => {
      bearer = null;
    },
    loadBytes: createLoadBytes(origin, withBearer, sharedRendition.path),
    thumbnail: async (imageUID: string, signal: AbortSignal): Promise<Blob> => {
      const query = new URLSearchParams({ imageUID });
      const response = await sendRaw(`${origin}${sharedThumbnail.path}`, { method: 'GET', bearer, query, signal });
      await requireSuccess(response, `GET ${sharedThumbnail.path}`);
      return readBody(() => response.blob(), signal);
    },
    download: async (onDownloaded: OnDownloaded, signal: AbortSignal) => {
      const options = { method: 'POST', bearer, json: {}, signal, timeoutMs: downloadTimeoutMs };
      const response = await sendRaw(`${origin}${sharedDownload.path}`, options);
      await requireSuccess(response, `POST ${sharedDownload.path}`);
      return readBody(async () => {
        const content = await readZip(response, onDownloaded, signal);
        return { content, leftOut: Number(response.headers.get(leftOutHeader) ?? 0) };
      }, signal);
    },
  };
};

export type SharedCalls = ReturnType<typeof createSharedAccess>;
