import type { Readable } from 'node:stream';
import yazl from 'yazl';

export interface ZippedFile {
  /** Name in the zip. */
  readonly name: string;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
  /** Opened when its data is needed. */
  readonly open: () => Promise<Readable>;
}

export interface Zip {
  readonly stream: Readable;
  /** Size of the whole zip, so that the receiver can detect a truncated download. */
  readonly sizeBytes: number;
}

/**
 * Streams files as an uncompressed zip (images do not shrink), with Zip64 where needed. One file is open at a time, read as fast as the zip is
 * consumed; a file that fails or has another size aborts the stream.
 */
export const zipFiles = (files: readonly ZippedFile[]): Zip => {
  const zip = new yazl.ZipFile();
  const stream = zip.outputStream as Readable;
  let current: Readable | null = null;
  zip.on('error', (error) => stream.destroy(error));
  stream.once('close', () => current?.destroy());

  const openEntry = async ({ open }: ZippedFile): Promise<Readable> => {
    const source = await open();
    current = source;
    source.once('error', (error) => stream.destroy(error));
    // The receiver may have disconnected while the file was being opened.
    if (stream.destroyed) source.destroy();
    return source;
  };

  for (const file of files) {
    const { name, sizeBytes, modifiedAt } = file;
    zip.addReadStreamLazy(name, { size: sizeBytes, compress: false, mtime: modifiedAt, mode: 0o100644 }, (callback) => {
      openEntry(file).then(
        (source) => callback(null, source),
        (error: unknown) => stream.destroy(error instanceof Error ? error : new Error('a file cannot be opened')),
      );
    });
  }
  let total = 0;
  // yazl calls back before `end` returns, as all sizes are known; its types omit the argument.
  zip.end({ forceZip64Format: false, comment: '' }, (...[size = 0]: number[]) => {
    total = size;
  });
  if (total <= 0) throw new Error('the size of the zip is unknown');
  return { stream, sizeBytes: total };
};
