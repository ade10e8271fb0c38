import { hangingProtocolClass } from '../../../dicom/hanging-protocol/model.ts';
import type { DicomSummary } from '../../../dicom/identity.ts';
import { isVideo } from '../../../dicom/transfer-syntax.ts';
import type { Inspection } from '../../dicom/imaging.ts';
import { derivedUid } from '../../domain/derived-uid.ts';
import { cleanText } from './clean-text.ts';
import { FileError, fileErrorOfProblem } from './file-error.ts';
import type { ParsedFile } from './parsed-file.ts';

const maxUidLength = 64;

const uidOr = (uid: string | null, derived: () => string): string => {
  const written = cleanText(uid);
  return written && written.length <= maxUidLength ? written : derived();
};

const lateralityOf = (code: string | null): ParsedFile['laterality'] =>
  code === 'L' || code === 'R' || code === 'B' ? code : null;

const integer = (value: number | null): number | null =>
  value !== null && Number.isInteger(value) && Math.abs(value) < 2 ** 31 ? value : null;

const momentOf = ({ acquiredDate, acquiredTime }: DicomSummary['instance']): string | null =>
  acquiredDate && (acquiredTime ? `${acquiredDate}T${acquiredTime}` : acquiredDate);

/**
 * Returns what the archive stores of an inspected object. Missing identifiers are derived, see `derivedUid`. An object with an unsupported
 * transfer syntax is stored as a document, so that the original is not lost; so is a video.
 * @throws FileError
 */
export const readObject = (
  inspection: Inspection,
  stored: { readonly sha256: string; readonly sizeBytes: number },
  taskId: string,
): ParsedFile => {
  const { summary, image, problems } = inspection;
  const blocking = problems.find((problem) => problem.code !== 'transfer-syntax-unsupported');
  if (blocking) throw fileErrorOfProblem(blocking);
  if (!summary) throw new FileError('not-dicom', 'the file holds no DICOM object');
  const { study, series, instance, equipment } = summary;
  if (instance.sopClassUid === hangingProtocolClass)
    throw new FileError('hanging-protocol', 'a Hanging Protocol is a layout without images');
  const studyUid = uidOr(study.instanceUid, () => derivedUid('study', taskId));
  const modality = cleanText(series.modality)?.slice(0, 16) ?? 'OT';
  return {
    objectSha256: stored.sha256,
    objectSizeBytes: stored.sizeBytes,
    originalSha256: null,
    source: 'dicom',
    kind: image && problems.length === 0 && !isVideo(summary.transferSyntaxUid) ? 'image' : 'document',
    studyUid,
    studyDescription: cleanText(study.description) ?? '',
    studyDate: study.date,
    accessionNumber: cleanText(study.accessionNumber),
    seriesUid: uidOr(series.instanceUid, () => derivedUid('series', `${studyUid} ${modality}`)),
    seriesNumber: integer(series.number),
    seriesDescription: cleanText(series.description),
    modality,
    sopInstanceUid: uidOr(instance.sopInstanceUid, () => derivedUid('sop-instance', stored.sha256)),
    sopClassUid: cleanText(instance.sopClassUid),
    instanceNumber: integer(instance.number),
    rows: image?.rows ?? 0,
    columns: image?.columns ?? 0,
    frames: image?.frames ?? 0,
    transferSyntaxUid: cleanText(summary.transferSyntaxUid) ?? '',
    compression: image?.compression ?? 'none',
    teeth: [...instance.teeth],
    laterality: lateralityOf(instance.laterality),
    region: cleanText(instance.anatomicRegion),
    acquiredAt: momentOf(instance),
    comments: cleanText(instance.comments),
    sensorType: cleanText(equipment.detector),
  };
};
