import type { Kysely } from 'kysely';
import { readDicomFile } from '../../../dicom/file.ts';
import { tags } from '../../../dicom/tags.ts';
import type { Schema } from '../../db/schema.ts';
import { findPatient } from '../../db/stores/patients.ts';
import { type PictureImage, pictureImagesOf, replaceObject } from '../../db/stores/picture-images.ts';
import { makeObject } from '../read/picture-object.ts';
import type { Reading } from '../read/read-file.ts';

type Remaking = Pick<Reading, 'files' | 'imaging'> & { readonly db: Kysely<Schema> };

const remake = async ({ db, files, imaging }: Remaking, sha256: string, image: PictureImage): Promise<void> => {
  const patient = await findPatient(db, image.patient_id);
  if (!patient) return;
  const picture = { path: await files.localPath(image.original_sha256), sha256: image.original_sha256 };
  const place = {
    studyUid: image.study_uid,
    studyDate: image.study_date,
    studyDescription: image.description,
    // A picture without a date uses that of its study.
    acquiredAt: image.acquired_at === image.study_date ? null : image.acquired_at,
  };
  const bytes = await makeObject(imaging, picture, patient, place, picture.sha256);
  const { dataSet } = readDicomFile(bytes, { stopAtPixelData: true });
  // For a patient merged into another one the object would differ.
  if (dataSet.code(tags.sopInstanceUid) !== image.sop_instance_uid) return;
  const source = async function* () {
    yield bytes;
  };
  const stored = await files.put(source());
  if (stored.sha256 !== sha256) await replaceObject(db, image.id, sha256, stored);
};

/**
 * Recreates a damaged or missing object from its picture, if the archive still has it. Its header holds the current patient and study data.
 * @throws DicomProblem, StorageError
 */
export const remakePictureObject = async (remaking: Remaking, sha256: string): Promise<void> => {
  for (const image of await pictureImagesOf(remaking.db, sha256)) await remake(remaking, sha256, image);
};
