import type { DataSet } from '../../dicom/write/data-set.ts';
import { writeDicom } from '../../dicom/write/write-dicom.ts';
import { contentTimeIfKnown, dicomDate, dicomTime, identityAttributes } from './identity-attributes.ts';
import type { PictureIdentity } from './picture-identity.ts';
import { openVideo, toMp4, type VideoCoding } from './video-file.ts';
import { type FileToRead, readWholeFile } from './whole-file.ts';

const VIDEO_PHOTOGRAPHIC = '1.2.840.10008.5.1.4.1.1.77.1.4.1';

/** The module requires a region of a video; what it shows of the patient is not known (PS3.16 CID 4031). */
const wholeBody: DataSet = { CodeValue: '38266002', CodingSchemeDesignator: 'SCT', CodeMeaning: 'Entire body' };

/** PS3.5 8.2.7 and 8.2.8. */
const pixelsOf = ({ bitsStored }: VideoCoding, mp4: Uint8Array): DataSet => ({
  SamplesPerPixel: 3,
  PhotometricInterpretation: 'YBR_PARTIAL_420',
  PlanarConfiguration: 0,
  BitsAllocated: bitsStored === 8 ? 8 : 16,
  BitsStored: bitsStored,
  HighBit: bitsStored - 1,
  PixelRepresentation: 0,
  PixelData: { frames: [mp4] },
});

/**
 * Makes a Video Photographic Image object (PS3.3 A.32.7) with the coded frames of a video file, unchanged, in an MP4 file.
 * @throws DicomProblem 'video-unsupported', 'malformed', 'truncated', 'too-large'; StorageError 'damaged'; RangeError naming the keyword of an
 * invalid identity value
 */
export const videoToDicom = async (
  file: FileToRead,
  identity: PictureIdentity,
  maxFileBytes: number,
): Promise<Uint8Array> => {
  const video = await openVideo(await readWholeFile(file, maxFileBytes));
  const { track, coding } = video;
  const { packetCount, averagePacketRate } = await track.computePacketStats();
  const [rows, columns] = [await track.getCodedHeight(), await track.getCodedWidth()];
  const mp4 = await toMp4(video);
  video.input.dispose();
  // 4:2:0 has one and a half samples per pixel.
  const ratio = Math.max(1, (rows * columns * 1.5 * packetCount) / mp4.length);
  const dataSet: DataSet = {
    ...identityAttributes(identity),
    ...contentTimeIfKnown(identity.instance),
    SOPClassUID: VIDEO_PHOTOGRAPHIC,
    AcquisitionDate: dicomDate(identity.instance.acquiredDate),
    AcquisitionTime: dicomTime(identity.instance.acquiredTime),
    PatientOrientation: null,
    AnatomicRegionSequence: [wholeBody],
    AcquisitionContextSequence: [],
    ImageType: ['DERIVED', 'SECONDARY'],
    Manufacturer: null,
    Rows: rows,
    Columns: columns,
    NumberOfFrames: packetCount,
    FrameTime: Math.round(1_000_000 / averagePacketRate) / 1000,
    // Frame Time
    FrameIncrementPointer: 0x00181063,
    BurnedInAnnotation: null,
    ...pixelsOf(coding, mp4),
    LossyImageCompression: '01',
    LossyImageCompressionRatio: Math.round(ratio * 100) / 100,
    LossyImageCompressionMethod: coding.method,
  };
  return writeDicom(dataSet, { transferSyntax: coding.transferSyntaxUid });
};
