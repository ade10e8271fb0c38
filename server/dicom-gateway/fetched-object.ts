import { buffer } from 'node:stream/consumers';
import { type DicomFile, readDicomFile } from '../../dicom/file.ts';
import { tags } from '../../dicom/tags.ts';
import { isAlwaysLossy, isVideo, pixelEncodingOf, transferSyntaxes } from '../../dicom/transfer-syntax.ts';
import { elementHeader } from '../../dicom/write/elements.ts';
import type { DicomWebImageRow } from '../db/stores/dicomweb-images.ts';
import type { Imaging } from '../dicom/imaging.ts';
import type { FetchedObject } from '../dimse/provider/sub-operations.ts';
import { NotSendable } from '../dimse/user/open-object.ts';
import { sentObject } from '../resource/dicomweb/sent-object.ts';
import type { FileStore } from '../storage/file-store.ts';
import { dataSetOf } from './data-set-of.ts';
import { plainElements } from './plain-data-set.ts';

interface ObjectStore {
  readonly files: FileStore;
  readonly imaging: Pick<Imaging, 'frame'>;
}

/** Larger objects are sent as they are stored, or not at all. */
const maxConvertedBytes = 1 << 28;

const iconImageSequence = 0x00880200;
const lossyImageCompression = 0x00282110;
const planarConfiguration = 0x00280006;
const text = (value: string): Uint8Array => Buffer.from(value.length % 2 === 0 ? value : `${value} `, 'latin1');

/** What decoded pixels make untrue of a compressed data set (PS3.5 8.2). */
const changesByDecoding = ({ dataSet, transferSyntaxUid }: DicomFile) => {
  const changes: Map<number, { readonly vr: string; readonly value: Uint8Array }> = new Map();
  if (dataSet.number(tags.samplesPerPixel, 'US') === 3) {
    changes.set(tags.photometricInterpretation, { vr: 'CS', value: text('RGB') });
    changes.set(planarConfiguration, { vr: 'US', value: Buffer.alloc(2) });
  }
  if (isAlwaysLossy(transferSyntaxUid)) changes.set(lossyImageCompression, { vr: 'CS', value: text('01') });
  return changes;
};

/** Decodes the frames of an object, one after another. */
async function* pixelData(
  { files, imaging }: ObjectStore,
  row: DicomWebImageRow,
  file: DicomFile,
  explicitVr: boolean,
) {
  const source = { path: await files.localPath(row.sha256), sha256: row.sha256 };
  const frameAt = (frame: number) => imaging.frame(source, { frame, form: 'decoded' }, 'waited-for');
  const first = await frameAt(0);
  const length = first.length * row.frames;
  const padding = length % 2;
  if (length + padding >= 0xffffffff) throw new NotSendable('The decoded pixels are too long');
  const vr = (file.dataSet.number(tags.bitsAllocated, 'US') ?? 8) > 8 ? 'OW' : 'OB';
  yield elementHeader(tags.pixelData, vr, length + padding, { explicitVr, littleEndian: true }, 'Pixel data');
  yield first;
  for (let frame = 1; frame < row.frames; frame += 1) {
    const next = await frameAt(frame);
    if (next.length !== first.length) throw new NotSendable('The frames are of different lengths');
    yield next;
  }
  if (padding > 0) yield new Uint8Array(padding);
}

const ensureConvertible = (row: DicomWebImageRow): void => {
  const encoding = pixelEncodingOf(row.transfer_syntax);
  if (row.size_bytes > maxConvertedBytes) throw new NotSendable('The object is too large to be converted');
  if (
    isVideo(row.transfer_syntax) ||
    encoding === 'unsupported' ||
    row.transfer_syntax === transferSyntaxes.explicitBigEndian
  )
    throw new NotSendable('The transfer syntax of the object cannot be converted');
};

/** Converts an object to Explicit or Implicit VR Little Endian, with decoded pixels. @throws NotSendable, DicomProblem */
const converted = async (store: ObjectStore, row: DicomWebImageRow, explicitVr: boolean) => {
  ensureConvertible(row);
  const file = readDicomFile(await buffer((await sentObject(store.files, row)).open()));
  const { dataSet, transferSyntaxUid } = file;
  const isCompressed = !['native', 'deflated'].includes(pixelEncodingOf(transferSyntaxUid)) && row.kind === 'image';
  const replaced = isCompressed ? changesByDecoding(file) : new Map();
  const removed = new Set(isCompressed ? [iconImageSequence] : []);
  const { before, after } = plainElements(dataSet, { explicitVr, replaced, removed });
  const native = dataSet.elements.get(tags.pixelData);
  return (async function* () {
    yield* before;
    if (isCompressed) yield* pixelData(store, row, file, explicitVr);
    else if (native) {
      const value = dataSet.bytes(tags.pixelData) ?? new Uint8Array(0);
      yield elementHeader(
        tags.pixelData,
        native.vr ?? 'OW',
        value.length,
        { explicitVr, littleEndian: true },
        'Pixel data',
      );
      yield value;
    }
    yield* after;
  })();
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
