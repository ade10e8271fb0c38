import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export interface Written {
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** Passes chunks on and hashes them. */
export const hashing = () => {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  return {
    through: async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of source) {
        hash.update(chunk);
        sizeBytes += chunk.byteLength;
        yield chunk;
      }
    },
    result: (): Written => ({ sha256: hash.digest('hex'), sizeBytes }),
  };
};

/**
 * Writes a file that is either absent or complete, also after a power cut. Creates no folder, because the disk of a missing one may be gone.
 * Returns hash and size of the file. `confirm`: may throw to discard it.
 */
export const writeDurably = async (
  file: string,
  content: AsyncIterable<Uint8Array> | Uint8Array | string,
  confirm: () => void = () => undefined,
): Promise<Written> => {
  const draft = `${file}.draft`;
  const hashed = hashing();
  const source =
    typeof content === 'string' || content instanceof Uint8Array ? Readable.from([Buffer.from(content)]) : content;
  try {
    await pipeline(source, hashed.through, createWriteStream(draft, { flush: true, mode: 0o600 }));
    confirm();
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  return hashed.result();
};
