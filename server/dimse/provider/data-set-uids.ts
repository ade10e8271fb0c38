import { constants, inflateRawSync } from 'node:zlib';
import { DicomProblem } from '../../../dicom/problem.ts';
import { type ReadResult, readElements } from '../../../dicom/read-elements.ts';
import { tags } from '../../../dicom/tags.ts';
import { transferSyntaxes } from '../../../dicom/transfer-syntax.ts';

export interface DataSetUids {
  readonly sopClassUid: string | null;
  readonly sopInstanceUid: string;
  /** Null when the data set has none, or only behind long elements. */
  readonly studyInstanceUid: string | null;
}

/** Those of the object are among the first elements of a data set; private groups before that of the study may be long. */
const maxHeadBytes = 1 << 20;
/** Deflated bytes are at most a thousand times as long when inflated. */
const maxDeflatedBytes = 4 << 10;

const inflatedHead = (head: Buffer): Buffer => {
  try {
    return inflateRawSync(head.subarray(0, maxDeflatedBytes), { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return Buffer.alloc(0);
  }
};

/** Reads the elements up to a tag; null when they are not there yet, or unreadable. */
const headElements = (bytes: Buffer, transferSyntaxUid: string, lastTag: number): ReadResult | null => {
  const source = {
    bytes,
    view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    explicitVr: transferSyntaxUid !== transferSyntaxes.implicitLittleEndian,
    littleEndian: transferSyntaxUid !== transferSyntaxes.explicitBigEndian,
  };
  try {
    return readElements(source, 0, bytes.length, null, 0, { stopAtTag: lastTag + 1 });
  } catch (problem) {
    if (problem instanceof DicomProblem) return null;
    throw problem;
  }
};

/** Looks for the UIDs of an object in the first bytes of its data set, as they pass by. */
export const watchUids = (transferSyntaxUid: string) => {
  let head: Buffer = Buffer.alloc(0);
  let ofObject: Omit<DataSetUids, 'studyInstanceUid'> | null = null;
  let studyInstanceUid: string | null = null;
  /** The elements behind that of the study have begun. */
  let isDone = false;
  const isDeflated = transferSyntaxUid === transferSyntaxes.deflatedLittleEndian;
  const most = isDeflated ? maxDeflatedBytes : maxHeadBytes;

  const look = () => {
    const bytes = isDeflated ? inflatedHead(head) : head;
    if (!ofObject) {
      const { dataSet } = headElements(bytes, transferSyntaxUid, tags.sopInstanceUid) ?? {};
      const sopInstanceUid = dataSet?.code(tags.sopInstanceUid);
      if (dataSet && sopInstanceUid) ofObject = { sopClassUid: dataSet.code(tags.sopClassUid), sopInstanceUid };
    }
    const ofStudy = headElements(bytes, transferSyntaxUid, tags.studyInstanceUid);
    studyInstanceUid = ofStudy?.dataSet.code(tags.studyInstanceUid) ?? null;
    isDone = studyInstanceUid !== null || (ofStudy !== null && ofStudy.end < bytes.length);
  };

  return {
    add: (chunk: Buffer): void => {
      if (isDone || head.length >= most) return;
      head = Buffer.concat([head, chunk.subarray(0, most - head.length)]);
      look();
    },
    /** Returns what was found; null when the data set is unreadable or has no SOP Instance UID. */
    found: (): DataSetUids | null => ofObject && { ...ofObject, studyInstanceUid },
  };
};
