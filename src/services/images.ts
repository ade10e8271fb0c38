import { rendition } from '../../contract/images.ts';
import type { WithBearer } from './call.ts';
import { ServiceError } from './failure.ts';
import { memoizeAsync } from './memoize-async.ts';
import { readBody, requireSuccess } from './raw-response.ts';
import { sendRaw } from './send.ts';

/** `totalBytes` null when the reply has no length. */
export type BytesProgress = (loadedBytes: number, totalBytes: number | null) => void;
/** Frame (from 1) and resolution of an image. */
export interface RenditionRequest {
  readonly frame: number;
  readonly level: 'full' | 'reduced';
}
export type LoadBytes = (
  imageUid: string,
  request: RenditionRequest,
  signal: AbortSignal,
  onProgress?: BytesProgress,
) => Promise<ArrayBuffer>;

const read = async (response: Response, onProgress: BytesProgress): Promise<ArrayBuffer> => {
  const length = Number(response.headers.get('content-length'));
  // With a content encoding the length is that of the compressed bytes.
  const totalBytes = length > 0 && !response.headers.get('content-encoding') ? length : null;
  const reader = response.body?.getReader();
  if (!reader) return response.arrayBuffer();
  const chunks: Uint8Array[] = [];
  let loadedBytes = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    chunks.push(part.value);
    loadedBytes += part.value.length;
    onProgress(loadedBytes, totalBytes);
  }
  if (totalBytes !== null && loadedBytes !== totalBytes) throw new ServiceError({ kind: 'offline' });
  const bytes = new Uint8Array(loadedBytes);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes.buffer;
};

/**
 * Creates the loader of one frame as rendered for the viewer (dicom/rendition). `path`: of the route that returns it.
 * @throws ServiceError; the reason of `signal` when it is aborted
 */
export const createLoadBytes =
  (origin: string, withBearer: WithBearer, path: string = rendition.path): LoadBytes =>
  async (imageUid, { frame, level }, signal, onProgress = () => {}) => {
    const query = new URLSearchParams({ imageUID: imageUid, frame: String(frame), level });
    const response = await withBearer((bearer) =>
      // Images take long over a slow network; the user can close the image.
      sendRaw(`${origin}${path}`, { method: 'GET', bearer, query, signal, timeoutMs: 120_000 }),
    );
    await requireSuccess(response, `GET ${path}`);
    return readBody(() => read(response, onProgress), signal);
  };

/** Returns images that `load` creates at the first call of `open`, with the code that decodes them. */
export const lazyImages = <Images extends { readonly forgetAll: () => void }>(load: () => Promise<Images>) => {
  let images: Images | null = null;
  return {
    open: memoizeAsync(async () => {
      images = await load();
      return images;
    }),
    forgetAll: () => images?.forgetAll(),
  };
};
