import type { Readable } from 'node:stream';
import yazl from 'yazl';

export interface ZippedFile {
  /** As it stands in the zip. */
  readonly name: string;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
  /** Opened when its turn comes. */
  readonly open: () => Promise<Readable>;
}

export interface Zip {
  readonly stream: Readable;
  /** Of the whole zip, so that who receives it can tell a broken line from its end. */
  readonly sizeBytes: number;
}

/**
 * Files one after another in a zip, stored as they are (images do not shrink), Zip64 where it is needed. One file is open at a time, and read as fast
 * as the zip is taken; a file that fails, or turns out to have another size, breaks the stream off.
 */
export const zipFiles = (files: readonly ZippedFile[]): Zip => {
  const zip = new yazl.ZipFile();
  const stream = zip.outputStream as Readable;
  let current: Readable | null = null;
  zip.on('error', (error) => stream.destroy(error));
  stream.once('close', () => current?.destroy());

  const opened = async ({ open }: ZippedFile): Promise<Readable> => {
    const source = await open();
    current = source;
    source.once('error', (error) => stream.destroy(error));
    // Who takes the zip may have gone while the file was being opened.
    if (stream.destroyed) source.destroy();
    return source;
  };

  for (const file of files) {
    const { name, sizeBytes, modifiedAt } = file;
    zip.addReadStreamLazy(name, { size: sizeBytes, compress: false, mtime: modifiedAt, mode: 0o100644 }, (take) => {
      opened(file).then(
        (source) => take(null, source),
        (error: unknown) => stream.destroy(error instanceof Error ? error : new Error('a file cannot be opened')),
      );
    });
  }
  let total = 0;
  zip.end({ forceZip64Format: false, comment: '' }, (...[size = 0]: number[]) => {
    total = size;
  });
  if (total <= 0) throw new Error('the size of the zip is not known');
  return { stream, sizeBytes: total };
};
