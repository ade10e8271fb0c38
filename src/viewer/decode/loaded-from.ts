import { plainDisplay } from '../../../contract/displays.ts';
import { isColour } from '../../../dicom/colour.ts';
import { isInverted } from '../../../dicom/grey.ts';
import type { Modality } from '../../../dicom/image-model.ts';
import { pixelAspectOf } from '../../../dicom/measurement.ts';
import type { Decoded } from './decode-worker.ts';
import type { EncodedImage } from './encoded-image.ts';
import type { LoadedImage } from './loaded-image.ts';

const identity: Modality = { kind: 'rescale', slope: 1, intercept: 0 };

/** Combines an encoded frame and its decoded pixels into the image for the stage. */
export const loadedFrom = (
  key: string,
  { frame, level, reduction, description, stored, coded }: Omit<EncodedImage, 'payload'>,
  decoded: Decoded,
): LoadedImage => {
  const { pixels, range, voi, overlayPlanes } = decoded;
  const colour = isColour(description);
  return {
    key,
    frame,
    level,
    width: description.columns,
    height: description.rows,
    pixels,
    pixelWidth: stored.columns,
    pixelHeight: stored.rows,
    reduction,
    pixelAspect: pixelAspectOf(description),
    description,
    overlayPlanes,
    coded: coded ?? decoded.coded,
    modality: colour ? identity : description.modality,
    voiLuts: colour ? [] : description.voiLuts,
    range,
    shownInverse: !colour && isInverted(description),
    original: { ...plainDisplay, voi },
    sizeBytes: pixels.values.byteLength,
  };
};
