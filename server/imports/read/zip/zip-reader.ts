import type { FileHandle } from 'node:fs/promises';
import yauzl from 'yauzl';

const windowBytes = 2 ** 18;

/**
 * Random access reader for yauzl. The built-in one passes any claimed offset to the file system, which throws an uncaught error for unsafe
 * integers, and reads a directory of 50,000 entries in 100,000 small reads. This one reads through a window.
 */
export class ZipReader extends yauzl.RandomAccessReader {
  readonly #file: FileHandle;
  readonly #size: number;
  #window = Buffer.alloc(0);
  #start = 0;

  constructor(file: FileHandle, size: number) {
    super();
    this.#file = file;
    this.#size = size;
  }

  async #fill(position: number, length: number): Promise<void> {
    if (position >= this.#start && position + length <= this.#start + this.#window.length) return;
    const windowLength = Math.min(Math.max(length, windowBytes), this.#size - position);
    const { buffer, bytesRead } = await this.#file.read(Buffer.alloc(windowLength), 0, windowLength, position);
    this.#window = buffer.subarray(0, bytesRead);
    this.#start = position;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    if (!(position >= 0 && position + length <= this.#size)) {
      setImmediate(() => callback(new Error('an offset leads out of the zip')));
      return;
    }
    this.#fill(position, length).then(
      () => {
        const from = position - this.#start;
        const bytes = this.#window.copy(buffer, offset, from, from + length);
        // Outside the promise, so that errors thrown by yauzl do not count as read failures.
        setImmediate(() => callback(null, bytes));
      },
      (error: Error) => setImmediate(() => callback(error)),
    );
  }
}
