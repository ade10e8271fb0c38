import { constants, inflateRawSync } from 'node:zlib';
import { DicomProblem } from '../../../dicom/problem.ts';
import { readElements } from '../../../dicom/read-elements.ts';
import { tags } from '../../../dicom/tags.ts';
import { transferSyntaxes } from '../../../dicom/transfer-syntax.ts';

export interface DataSetUids {
  readonly sopClassUid: string | null;
  readonly sopInstanceUid: string;
}

/** Both UIDs are among the first elements of a data set; nothing before them is long. */
const maxHeadBytes = 64 << 10;
/** Deflated bytes are at most a thousand times as long when inflated. */
const maxDeflatedBytes = 4 << 10;

const inflatedHead = (head: Buffer): Buffer => {
  try {
    return inflateRawSync(head.subarray(0, maxDeflatedBytes), { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return Buffer.alloc(0);
  }
};

const uidsIn = (bytes: Buffer, transferSyntaxUid: string): DataSetUids | null => {
  const source = {
    bytes,
    view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    explicitVr: transferSyntaxUid !== transferSyntaxes.implicitLittleEndian,
    littleEndian: transferSyntaxUid !== transferSyntaxes.explicitBigEndian,
  };
  try {
    const { dataSet } = readElements(source, 0, bytes.length, null, 0, { stopAtTag: tags.sopInstanceUid + 1 });
    const sopInstanceUid = dataSet.code(tags.sopInstanceUid);
    return sopInstanceUid ? { sopClassUid: dataSet.code(tags.sopClassUid), sopInstanceUid } : null;
  } catch (problem) {
    if (problem instanceof DicomProblem) return null;
    throw problem;
  }
};

/** Looks for the UIDs of an object in the first bytes of its data set, as they pass by. */
export const watchUids = (transferSyntaxUid: string) => {
  let head: Buffer = Buffer.alloc(0);
  let uids: DataSetUids | null = null;
  const isDeflated = transferSyntaxUid === transferSyntaxes.deflatedLittleEndian;
  const most = isDeflated ? maxDeflatedBytes : maxHeadBytes;
  return {
    add: (chunk: Buffer): void => {
      if (uids || head.length >= most) return;
      head = Buffer.concat([head, chunk.subarray(0, most - head.length)]);
      uids = uidsIn(isDeflated ? inflatedHead(head) : head, transferSyntaxUid);
    },
    /** Returns what was found; null when the data set is unreadable or has no SOP Instance UID. */
    found: (): DataSetUids | null => uids,
  };
};
