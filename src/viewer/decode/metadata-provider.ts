import { addProvider, removeProvider } from '@cornerstonejs/core/dist/esm/metaData.js';
import { modalityOf, voisOf } from '../../../dicom/grey.ts';
import type { LoadedImage } from './loaded-image.ts';

/** Cornerstone's metadata modules, filled from the attributes read by `dicom/`. */
const modules: Readonly<Record<string, (image: LoadedImage) => unknown>> = {
  imagePixelModule: ({ description }) => ({
    samplesPerPixel: description.samplesPerPixel,
    photometricInterpretation: description.photometricInterpretation,
    rows: description.rows,
    columns: description.columns,
    bitsAllocated: description.bitsAllocated,
    bitsStored: description.bitsStored,
    highBit: description.highBit,
    pixelRepresentation: description.signed ? 1 : 0,
  }),
  imagePlaneModule: ({ description: { rows, columns, spacing } }) => ({
    rows,
    columns,
    rowPixelSpacing: spacing?.rowMm ?? null,
    columnPixelSpacing: spacing?.columnMm ?? null,
    usingDefaultValues: spacing === null,
  }),
  modalityLutModule: ({ description, frame }) => {
    const modality = modalityOf(description, frame - 1);
    return modality.kind === 'rescale'
      ? { rescaleSlope: modality.slope, rescaleIntercept: modality.intercept }
      : { modalityLUTSequence: [modality.lut] };
  },
  voiLutModule: ({ description, frame }) => {
    const windows = voisOf(description, frame - 1).filter((voi) => voi.kind === 'window');
    return { windowCenter: windows.map(({ centre }) => centre), windowWidth: windows.map(({ width }) => width) };
  },
  transferSyntax: ({ description }) => ({ transferSyntaxUID: description.transferSyntaxUid }),
};

/** Registers a metadata provider for loaded images. Returns the function that unregisters it. */
export const provideMetadata = (imageOf: (imageId: string) => LoadedImage | null): (() => void) => {
  const provider = (type: string, imageId: string) => {
    const image = imageOf(imageId);
    return image ? modules[type]?.(image) : undefined;
  };
  addProvider(provider);
  return () => removeProvider(provider);
};
