/** Bytes of the zip that were received, or of its files that were encrypted. */
export interface DownloadProgress {
  readonly step: 'downloading' | 'encrypting';
  readonly loadedBytes: number;
  /** Null if unknown. */
  readonly totalBytes: number | null;
}
export type OnDownloaded = (progress: DownloadProgress) => void;

/** Chunks of this size become Blobs, which the browser may move to disk. */
const chunkBytes = 32_000_000;

/** Reads a zip as a Blob without holding all of it in memory. */
export const readZip = async (response: Response, onDownloaded: OnDownloaded, signal: AbortSignal): Promise<Blob> => {
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  const totalBytes = Number.isSafeInteger(length) && length > 0 ? length : null;
  const reader = response.body?.getReader();
  if (!reader) return response.blob();
  signal.addEventListener('abort', () => void reader.cancel().catch(() => {}), { once: true });
  const blobs: Blob[] = [];
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let [chunkSize, loadedBytes] = [0, 0];
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    chunks.push(part.value);
    chunkSize += part.value.byteLength;
    loadedBytes += part.value.byteLength;
    if (chunkSize >= chunkBytes) {
      blobs.push(new Blob(chunks));
      [chunks, chunkSize] = [[], 0];
    }
    onDownloaded({ step: 'downloading', loadedBytes, totalBytes });
  }
  signal.throwIfAborted();
  return new Blob([...blobs, ...chunks], { type: 'application/zip' });
};
