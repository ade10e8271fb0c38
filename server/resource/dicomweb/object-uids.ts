import { constants, inflateRawSync } from 'node:zlib';
import { DicomProblem } from '../../../dicom/problem.ts';
import { readElements } from '../../../dicom/read-elements.ts';
import { tags } from '../../../dicom/tags.ts';
import { transferSyntaxes } from '../../../dicom/transfer-syntax.ts';

/** UIDs of an object; null where its data set has none. */
export interface ObjectUids {
  readonly sopClassUid: string | null;
  readonly sopInstanceUid: string | null;
  readonly studyInstanceUid: string | null;
  readonly seriesInstanceUid: string | null;
}

/** They are among the first elements of a file; private groups before them may be long. */
const maxHeadBytes = 2 ** 20;
/** Deflated bytes are at most a thousand times as long when inflated. */
const maxDeflatedBytes = 2 ** 12;
const metaStart = 132;
/** Some devices write UIDs that are none. */
const isStorable = /^[\x20-\x7e]{1,64}$/;

const sourceOf = (bytes: Buffer, explicitVr: boolean, littleEndian: boolean) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { bytes, view, explicitVr, littleEndian };
};

const inflatedHead = (deflated: Buffer): Buffer => {
  try {
    return inflateRawSync(deflated.subarray(0, maxDeflatedBytes), { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return Buffer.alloc(0);
  }
};

const uidsIn = (head: Buffer): ObjectUids | null => {
  if (head.toString('latin1', 128, metaStart) !== 'DICM') return null;
  const meta = readElements(sourceOf(head, true, true), metaStart, head.length, null, 0, { onlyGroup: 2 });
  const syntax = meta.dataSet.code(tags.transferSyntaxUid);
  if (syntax === null) return null;
  const rest = head.subarray(meta.end);
  const bytes = syntax === transferSyntaxes.deflatedLittleEndian ? inflatedHead(rest) : rest;
  const explicitVr = syntax !== transferSyntaxes.implicitLittleEndian;
  const source = sourceOf(bytes, explicitVr, syntax !== transferSyntaxes.explicitBigEndian);
  const { dataSet } = readElements(source, 0, bytes.length, null, 0, { stopAtTag: tags.seriesInstanceUid + 1 });
  const uid = (tag: number) => {
    const text = dataSet.code(tag);
    return text !== null && isStorable.test(text) ? text : null;
  };
  return {
    sopClassUid: uid(tags.sopClassUid),
    sopInstanceUid: uid(tags.sopInstanceUid),
    studyInstanceUid: uid(tags.studyInstanceUid),
    seriesInstanceUid: uid(tags.seriesInstanceUid),
  };
};

/** Watches the first bytes of a DICOM file (PS3.10) that pass by. */
export const watchHead = () => {
  const chunks: Buffer[] = [];
  let length = 0;
  return {
    passing: async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
      for await (const chunk of source) {
        // Copied, since the store may free the chunk.
        const part = Buffer.from(chunk.subarray(0, maxHeadBytes - length));
        if (part.length > 0) chunks.push(part);
        length += part.length;
        yield chunk;
      }
    },
    /** Returns the UIDs; null when it is no DICOM file, or unreadable up to them. */
    uids: (): ObjectUids | null => {
      try {
        return uidsIn(Buffer.concat(chunks));
      } catch (problem) {
        if (problem instanceof DicomProblem) return null;
        throw problem;
      }
    },
  };
};
