import type { ImageDescription } from '../image-model.ts';
import { DicomProblem } from '../problem.ts';
import { tags } from '../tags.ts';
import { pixelEncodingOf } from '../transfer-syntax.ts';
import { concat, itemHeader } from '../write/elements.ts';
import { beginsCodestream, cleanCodestream } from './clean-codestream.ts';

/** Reads exact numbers of bytes from a stream of chunks. */
const exactReader = (source: AsyncIterable<Uint8Array>) => {
  const chunks = source[Symbol.asyncIterator]();
  let rest = new Uint8Array(0);
  return {
    /** Returns a copy of the next bytes. @throws DicomProblem 'truncated' */
    read: async (length: number): Promise<Uint8Array> => {
      const parts: Uint8Array[] = [];
      for (let missing = length; missing > 0; ) {
        if (rest.length === 0) {
          const next = await chunks.next();
          if (next.done) throw new DicomProblem('truncated', 'the file ends inside the pixel data');
          rest = Uint8Array.from(next.value);
        }
        const part = rest.subarray(0, missing);
        parts.push(part);
        rest = rest.subarray(part.length);
        missing -= part.length;
      }
      return concat(parts);
    },
    close: async () => {
      await chunks.return?.();
    },
  };
};

/** Entries are offsets of fragments that begin frames (PS3.5 A.4). Anything else is no table. */
const requireOffsets = (table: Uint8Array, starts: ReadonlySet<number>): void => {
  const view = new DataView(table.buffer, table.byteOffset, table.byteLength);
  for (let at = 0; at < table.length; at += 4) {
    if (table.length % 4 !== 0 || !starts.has(view.getUint32(at, true)))
      throw new DicomProblem('malformed', 'the offset table of the pixel data is invalid');
  }
};

/** Cleans the fragments of one frame, and returns them with their item headers. */
const cleanedFrame = (fragments: readonly Uint8Array[], description: ImageDescription): Uint8Array[] => {
  if (fragments.length === 0) return [];
  const frame = concat([...fragments]);
  cleanCodestream(frame, description);
  let at = 0;
  return fragments.flatMap(({ length }) => {
    at += length;
    return [itemHeader(0xe000, length, true), frame.subarray(at - length, at)];
  });
};

/**
 * Yields encapsulated pixel data (PS3.5 A.4) without the comments in its frames; offsets and lengths do not change. At most one frame is in
 * memory.
 * @param source the bytes of the file from the first item, the offset table, on; what follows the pixel data is not read
 * @throws DicomProblem 'malformed' or 'truncated', an invalid offset table only at the end: read all before sending any
 */
export async function* cleanedFragments(
  source: AsyncIterable<Uint8Array>,
  description: ImageDescription,
): AsyncGenerator<Uint8Array> {
  const encoding = pixelEncodingOf(description.transferSyntaxUid);
  const reader = exactReader(source);
  const readItem = async (): Promise<Uint8Array | null> => {
    const header = await reader.read(8);
    const view = new DataView(header.buffer, header.byteOffset, 8);
    const tag = view.getUint16(0, true) * 0x10000 + view.getUint16(2, true);
    if (tag === tags.sequenceDelimiter) return null;
    if (tag !== tags.item) throw new DicomProblem('malformed', 'the pixel data hold something that is no fragment');
    return reader.read(view.getUint32(4, true));
  };
  try {
    const table = await readItem();
    if (!table) throw new DicomProblem('malformed', 'the pixel data have no offset table');
    yield* [itemHeader(0xe000, table.length, true), table];
    let frame: Uint8Array[] = [];
    let end = 0;
    const starts = new Set<number>();
    for (let fragment = await readItem(); fragment; fragment = await readItem()) {
      if (beginsCodestream(fragment, encoding)) {
        yield* cleanedFrame(frame, description);
        frame = [];
        starts.add(end);
        if (starts.size > description.numberOfFrames)
          throw new DicomProblem('malformed', 'the pixel data have more frames than the image');
      }
      frame.push(fragment);
      end += 8 + fragment.length;
    }
    yield* cleanedFrame(frame, description);
    requireOffsets(table, starts);
    yield itemHeader(0xe0dd, 0, true);
  } finally {
    await reader.close();
  }
}
