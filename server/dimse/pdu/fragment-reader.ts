import type { ByteReader } from './byte-reader.ts';
import { abortReasons, type PduHeader, PduProblem, pduHeaderBytes, pduTypes, readPduHeader } from './pdu.ts';

/** A presentation data value without its payload (PS3.8 9.3.5.1, annex E.2). */
export interface Fragment {
  readonly contextId: number;
  readonly isCommand: boolean;
  readonly isLast: boolean;
}

export interface FragmentReader {
  /** Returns the next fragment, or the header of a PDU that holds none; the caller reads its body. @throws PduProblem */
  next(): Promise<Fragment | PduHeader>;
  /** Returns the next bytes of the current fragment, null at its end. */
  payload(): Promise<Buffer | null>;
}

const fragmentHeaderBytes = 6;

/** Reads P-DATA-TF PDUs fragment by fragment; a payload is passed on in the pieces in which it arrives. */
export const createFragmentReader = (
  reader: ByteReader,
  maxPduBytes: number,
  onDataPdu: () => void,
): FragmentReader => {
  let pduLeft = 0;
  let fragmentLeft = 0;

  const fragment = async (): Promise<Fragment> => {
    if (pduLeft < fragmentHeaderBytes) throw new PduProblem(abortReasons.invalidParameter, 'A fragment has no header');
    const header = await reader.take(fragmentHeaderBytes);
    const length = header.readUInt32BE(0) - 2;
    pduLeft -= fragmentHeaderBytes;
    if (length < 0 || length > pduLeft)
      throw new PduProblem(abortReasons.invalidParameter, 'The length of a fragment does not fit its PDU');
    fragmentLeft = length;
    pduLeft -= length;
    const control = header.readUInt8(5);
    return { contextId: header.readUInt8(4), isCommand: (control & 1) !== 0, isLast: (control & 2) !== 0 };
  };

  const payload = async () => {
    if (fragmentLeft === 0) return null;
    const part = await reader.chunk(fragmentLeft);
    fragmentLeft -= part.length;
    return part;
  };

  const next = async () => {
    while (await payload());
    if (pduLeft === 0) {
      const header = readPduHeader(await reader.take(pduHeaderBytes), maxPduBytes);
      if (header.type !== pduTypes.data) return header;
      onDataPdu();
      pduLeft = header.length;
    }
    return fragment();
  };
  return { next, payload };
};
