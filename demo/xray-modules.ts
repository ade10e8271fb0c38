import { toothCode } from '../dicom/tooth-code.ts';
import type { DataSet } from '../dicom/write/data-set.ts';
import { lateralityOf } from './laterality-of.ts';
import type { Raster } from './raster.ts';
import type { ImageIdentity, IntraOralRecipe, Recipe } from './recipe.ts';

const code = (value: string, meaning: string): DataSet => ({
  CodeValue: value,
  CodingSchemeDesignator: 'SCT',
  CodeMeaning: meaning,
});
const JAW = code('661005', 'Jaw region');
const HEAD = code('69536005', 'Head');

/** Millimetres of receptor per pixel. */
export const spacingOf = (recipe: Recipe): number => {
  const longMm = recipe.kind === 'intra-oral' ? 36 : recipe.kind === 'panoramic' ? 300 : 240;
  return Number((longMm / Math.max(recipe.columns, recipe.rows)).toFixed(5));
};

/** Image Pixel module of a grey picture (DICOM PS3.3 C.7.6.3). */
export const greyPixels = (raster: Raster & { kind: 'grey' }): DataSet => ({
  SamplesPerPixel: 1,
  Rows: raster.rows,
  Columns: raster.columns,
  BitsAllocated: 16,
  BitsStored: raster.bitsStored,
  HighBit: raster.bitsStored - 1,
  PixelRepresentation: raster.pixels instanceof Int16Array ? 1 : 0,
});

/** DX Series, Anatomy Imaged, Image, Detector and Acquisition Context modules (PS3.3 C.8.11.1 to C.8.11.4, C.7.6.14). */
export const digitalXRay = (
  photometric: 'MONOCHROME1' | 'MONOCHROME2',
  bitsStored: number,
  spacing: number,
): DataSet => {
  const scale = 2 ** bitsStored;
  const dark = photometric === 'MONOCHROME1';
  return {
    ImageType: ['ORIGINAL', 'PRIMARY', ''],
    PresentationIntentType: 'FOR PRESENTATION',
    PhotometricInterpretation: photometric,
    KVP: 65,
    DetectorType: 'SCINTILLATOR',
    DetectorConditionsNominalFlag: 'YES',
    PositionerType: 'NONE',
    ImagerPixelSpacing: [spacing, spacing],
    PixelIntensityRelationship: 'LOG',
    // C.8.11.3.1.2: 1 where lower values mean less beam, -1 where higher values mean less beam.
    PixelIntensityRelationshipSign: dark ? 1 : -1,
    WindowCenter: [scale / 2, dark ? scale * 0.58 : scale * 0.42],
    WindowWidth: [scale, scale * 0.7],
    WindowCenterWidthExplanation: ['Whole range', 'Dentine and bone'],
    RescaleIntercept: 0,
    RescaleSlope: 1,
    RescaleType: 'US',
    LossyImageCompression: '00',
    AcquisitionContextSequence: [],
    PresentationLUTShape: dark ? 'INVERSE' : 'IDENTITY',
  };
};

/** Rows run from the viewer's left to right, columns from top to bottom (PS3.3 C.7.6.1.1.1). */
const orientationOf = (teeth: readonly number[]): readonly [string, string] => {
  const posterior = teeth.some((tooth) => tooth % 10 >= 4);
  if (!posterior) return ['L', 'F'];
  return [lateralityOf(teeth) === 'R' ? 'A' : 'P', 'F'];
};

/** Intra-Oral Image module and what a sensor or plate adds (PS3.3 C.8.11.9; Modality IO, or CR for a plate). */
export const intraOral = (recipe: IntraOralRecipe, identity: ImageIdentity): DataSet => {
  const { teeth } = identity.image;
  const spacing = spacingOf(recipe);
  const anatomy: DataSet = {
    PatientOrientation: orientationOf(teeth),
    ImageLaterality: lateralityOf(teeth),
    AnatomicRegionSequence: [JAW],
    PrimaryAnatomicStructureSequence: teeth.map(toothCode),
    BodyPartExamined: 'JAW',
  };
  if (recipe.receptor === 'phosphor-plate') {
    const { photometric } = recipe;
    return {
      ...anatomy,
      SOPClassUID: '1.2.840.10008.5.1.4.1.1.1',
      Modality: 'CR',
      ImageType: ['ORIGINAL', 'PRIMARY'],
      PhotometricInterpretation: photometric,
      KVP: 65,
      PlateID: 'DEMO-PLATE',
      ViewPosition: null,
      ImagerPixelSpacing: [spacing, spacing],
      WindowCenter: 2048,
      WindowWidth: 4096,
      RescaleIntercept: 0,
      RescaleSlope: 1,
      RescaleType: 'US',
      PresentationLUTShape: photometric === 'MONOCHROME1' ? 'INVERSE' : 'IDENTITY',
    };
  }
  return {
    ...digitalXRay(recipe.photometric, 12, spacing),
    ...anatomy,
    SOPClassUID: '1.2.840.10008.5.1.4.1.1.1.3',
    Modality: 'IO',
    XRayTubeCurrent: 7,
    ExposureTime: 100,
    ImageAndFluoroscopyAreaDoseProduct: '0.24',
  };
};

/** A panoramic image under the DX IOD. */
export const panoramic = (bitsStored: number, spacing: number): DataSet => ({
  ...digitalXRay('MONOCHROME2', bitsStored, spacing),
  SOPClassUID: '1.2.840.10008.5.1.4.1.1.1.1',
  Modality: 'PX',
  XRayTubeCurrent: 8,
  ExposureTime: 14_000,
  ImageAndFluoroscopyAreaDoseProduct: '0.9',
  PatientOrientation: ['L', 'F'],
  ImageLaterality: 'B',
  AnatomicRegionSequence: [JAW],
  BodyPartExamined: 'JAW',
});

/** A lateral skull image under the DX IOD, the face to the right of the viewer. */
export const cephalometric = (spacing: number): DataSet => ({
  ...digitalXRay('MONOCHROME2', 12, spacing),
  SOPClassUID: '1.2.840.10008.5.1.4.1.1.1.1',
  Modality: 'DX',
  PositionerType: 'CEPHALOSTAT',
  PatientOrientation: ['A', 'F'],
  ImageLaterality: 'B',
  AnatomicRegionSequence: [HEAD],
  BodyPartExamined: 'SKULL',
});
