import { createHash } from 'node:crypto';

/**
 * A unique identifier under 2.25 (DICOM PS3.5 B.2: the decimal form of a UUID) that follows from `seed` alone, for objects that come
 * without one: equal seeds give equal identifiers, so that importing a file again finds what the first time made.
 * The UUID is of version 8 (RFC 9562 section 5.8).
 *
 * Seeds in use: SOP instance = the file's SHA-256 (for a picture, with the patient's id), series = study and modality,
 * study = the import task.
 */
export const derivedUid = (kind: 'sop-instance' | 'series' | 'study', seed: string): string => {
  const bytes = createHash('sha256').update(`${kind} ${seed}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return `2.25.${BigInt(`0x${bytes.toString('hex')}`)}`;
};
