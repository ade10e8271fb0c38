import { createHash, createHmac } from 'node:crypto';

const uidOf = (digest: Buffer): string => {
  const bytes = digest.subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return `2.25.${BigInt(`0x${bytes.toString('hex')}`)}`;
};

/**
 * Returns a UID under 2.25 (DICOM PS3.5 B.2: decimal UUID) derived from `seed`, for objects without one. The UUID is version 8 (RFC 9562
 * section 5.8). Seeds: SOP instance = SHA-256 of the file (of a picture, with the patient id), so a second import finds the same image;
 * series = study and modality; study = import task.
 */
export const derivedUid = (kind: 'sop-instance' | 'series' | 'study', seed: string): string =>
  uidOf(createHash('sha256').update(`${kind} ${seed}`).digest());

/** Returns a UID under 2.25 derived from another: the same for the same key; without the key it tells nothing about the other. */
export const replacedUid = (key: Buffer, uid: string): string => uidOf(createHmac('sha256', key).update(uid).digest());
