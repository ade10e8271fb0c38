import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { directoryKeysOf } from '../../../dicom/directory-keys.ts';
import { readDicomFile } from '../../../dicom/file.ts';
import { DicomProblem } from '../../../dicom/problem.ts';
import { transferSyntaxes } from '../../../dicom/transfer-syntax.ts';
import { lengthOf } from '../../../dicom/write/elements.ts';
import { fileMeta } from '../../../dicom/write/file-meta.ts';
import type { FileStore } from '../../storage/file-store.ts';
import { maxConvertedBytes, plainObject } from '../plain-object.ts';
import type { StoredImaging } from '../stored-imaging.ts';
import type { MediumWriter } from './dicom-medium.ts';
import { datedName } from './gathered.ts';

const transferSyntaxUid = transferSyntaxes.explicitLittleEndian;

/** Writes images decoded, in Explicit VR Little Endian, as the profile STD-GEN-CD demands (PS3.11 annex D). */
export const plainWriter = (files: FileStore, imaging: Pick<StoredImaging, 'frame'>): MediumWriter => {
  const plain = async (sha256: string) => {
    const file = readDicomFile(await buffer(await files.openRange(sha256)));
    return plainObject(imaging, { sha256, isImage: true, file }, true);
  };
  return {
    name: datedName,
    write: async ({ sha256, created_at }, header, sizeBytes) => {
      if (sizeBytes > maxConvertedBytes) throw new DicomProblem('too-large', 'the file is too large to be converted');
      const keys = directoryKeysOf(header);
      const start = fileMeta(keys.image.sopClassUid, keys.image.sopInstanceUid, transferSyntaxUid);
      const content = async function* () {
        yield* start;
        yield* (await plain(sha256)).open();
      };
      return {
        keys: { ...keys, image: { ...keys.image, transferSyntaxUid } },
        sizeBytes: lengthOf(start) + (await plain(sha256)).sizeBytes,
        modifiedAt: created_at,
        open: async () => Readable.from(content()),
      };
    },
  };
};
