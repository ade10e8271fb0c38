import { buffer } from 'node:stream/consumers';
import { readDicomFile } from '../../dicom/file.ts';
import { transferSyntaxes } from '../../dicom/transfer-syntax.ts';
import type { DicomWebImageRow } from '../db/stores/dicomweb-images.ts';
import type { Imaging } from '../dicom/imaging.ts';
import type { FetchedObject } from '../dimse/provider/sub-operations.ts';
import { NotSendable } from '../dimse/user/open-object.ts';
import { sentObject } from '../resource/dicomweb/sent-object.ts';
import { maxConvertedBytes, plainObject } from '../resource/plain-object.ts';
import type { FileStore } from '../storage/file-store.ts';
import { dataSetOf } from './data-set-of.ts';

interface ObjectStore {
  readonly files: FileStore;
  readonly imaging: Pick<Imaging, 'frame'>;
}

/** @throws NotSendable, DicomProblem */
const converted = async ({ files, imaging }: ObjectStore, row: DicomWebImageRow, explicitVr: boolean) => {
  if (row.size_bytes > maxConvertedBytes) throw new NotSendable('The object is too large to be converted');
  const file = readDicomFile(await buffer((await sentObject(files, row)).open()));
  const frames: Parameters<typeof plainObject>[0] = {
    frame: async (sha256, ...rest) => imaging.frame({ path: await files.localPath(sha256), sha256 }, ...rest),
  };
  return (await plainObject(frames, { sha256: row.sha256, isImage: row.kind === 'image', file }, explicitVr)).open();
};

/** Returns a stored object as a device fetches it: with the patient and study of the records, as DICOMweb sends it. */
export const fetchedObject = (store: ObjectStore, row: DicomWebImageRow): FetchedObject => ({
  sopClassUid: row.sop_class_uid ?? '',
  sopInstanceUid: row.sop_instance_uid,
  transferSyntaxUid: row.transfer_syntax,
  open: async (transferSyntaxUid) => {
    await store.files.verify(row.sha256);
    if (transferSyntaxUid === row.transfer_syntax) return dataSetOf((await sentObject(store.files, row)).open());
    return converted(store, row, transferSyntaxUid === transferSyntaxes.explicitLittleEndian);
  },
});
