import type { DataSet } from '../../dicom/write/data-set.ts';
import { TRANSFER_SYNTAX } from '../../dicom/write/transfer-syntax.ts';
import { writeDicom } from '../../dicom/write/write-dicom.ts';
import { contentTimeIfKnown, dicomDate, dicomTime, identityAttributes } from './identity-attributes.ts';
import type { PictureIdentity } from './picture-identity.ts';
import { type PicturePixels, readPicture } from './picture-pixels.ts';
import { type FileToRead, readWholeFile } from './whole-file.ts';

const SECONDARY_CAPTURE = '1.2.840.10008.5.1.4.1.1.7';
const VL_PHOTOGRAPHIC = '1.2.840.10008.5.1.4.1.1.77.1.4';

const greyPixels = (bits: 8 | 16, pixels: Uint8Array | Uint16Array): DataSet => ({
  SamplesPerPixel: 1,
  PhotometricInterpretation: 'MONOCHROME2',
  BitsAllocated: bits,
  BitsStored: bits,
  HighBit: bits - 1,
  PixelRepresentation: 0,
  PixelData: pixels,
});

const colourPixels = (photometric: string, pixelData: NonNullable<DataSet['PixelData']>): DataSet => ({
  SamplesPerPixel: 3,
  PhotometricInterpretation: photometric,
  PlanarConfiguration: 0,
  BitsAllocated: 8,
  BitsStored: 8,
  HighBit: 7,
  PixelRepresentation: 0,
  PixelData: pixelData,
});

const pixelsOf = (picture: PicturePixels): DataSet => {
  if (picture.kind === 'grey') return greyPixels(picture.bits, picture.pixels);
  if (picture.kind === 'rgb') return colourPixels('RGB', picture.pixels);
  // The photographic classes have no YBR_FULL (PS3.3 C.8.12.1.1.1): how far colours are sampled is in the codestream alone.
  const pixels = colourPixels('YBR_FULL_422', { frames: [picture.codestream] });
  return picture.profile ? { ...pixels, ICCProfile: picture.profile } : pixels;
};

/** Attributes that only one of the two SOP classes has (PS3.3 A.8.1, A.32.4). */
const classOf = (picture: PicturePixels, { instance }: PictureIdentity): DataSet =>
  picture.kind === 'grey'
    ? { SOPClassUID: SECONDARY_CAPTURE, ConversionType: 'WSD' }
    : { SOPClassUID: VL_PHOTOGRAPHIC, AcquisitionContextSequence: [], ...contentTimeIfKnown(instance) };

/** PS3.3 C.7.6.1.1.5: an image that was ever lossy stays marked as lossy. */
const lossOf = (picture: PicturePixels, sourceBytes: number): DataSet => {
  const method = picture.kind === 'jpeg' ? 'ISO_10918_1' : picture.lossyMethod;
  if (method === null) return { LossyImageCompression: '00' };
  const samples = picture.kind === 'grey' ? 1 : 3;
  const ratio = Math.max(1, (picture.rows * picture.columns * samples) / sourceBytes);
  return {
    LossyImageCompression: '01',
    LossyImageCompressionRatio: Math.round(ratio * 100) / 100,
    LossyImageCompressionMethod: method,
  };
};

/**
 * Makes a DICOM file of a jpg, png, TIFF or HEIC with its own pixels: grey as Secondary Capture, colour as VL Photographic Image.
 * @throws DicomProblem as `openPicture`, 'too-large'; StorageError 'damaged'; RangeError naming the keyword of an invalid identity value
 */
export const pictureToDicom = async (
  file: FileToRead,
  identity: PictureIdentity,
  maxFileBytes: number,
): Promise<Uint8Array> => {
  const bytes = await readWholeFile(file, maxFileBytes);
  const picture = await readPicture(bytes);
  const dataSet: DataSet = {
    ...identityAttributes(identity),
    AcquisitionDate: dicomDate(identity.instance.acquiredDate),
    AcquisitionTime: dicomTime(identity.instance.acquiredTime),
    PatientOrientation: null,
    ...classOf(picture, identity),
    ImageType: ['DERIVED', 'SECONDARY'],
    Manufacturer: null,
    Laterality: null,
    Rows: picture.rows,
    Columns: picture.columns,
    BurnedInAnnotation: null,
    ...pixelsOf(picture),
    ...lossOf(picture, bytes.length),
  };
  const transferSyntax = picture.kind === 'jpeg' ? TRANSFER_SYNTAX.jpegBaseline : TRANSFER_SYNTAX.explicitLittle;
  return writeDicom(dataSet, { transferSyntax });
};
