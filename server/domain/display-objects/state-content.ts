import type { NotExpressedPart } from '../../../contract/display-objects.ts';
import type { Calibration, Display, Measurement, StoredAnnotation } from '../../../contract/displays.ts';
import type { StateContent } from '../../../dicom/display-objects/model.ts';
import { isInverted, modalityOf, voisOf } from '../../../dicom/grey.ts';
import type { ImageDescription, Voi } from '../../../dicom/image-model.ts';
import { markGraphics } from './mark-graphics.ts';

/** An image as it is displayed. */
export interface DisplayedImage {
  readonly description: ImageDescription;
  readonly display: Display;
  readonly marks: readonly Measurement[];
  readonly annotations: readonly StoredAnnotation[];
  readonly calibration: Calibration | null;
}

const quarters = [0, 90, 180, 270] as const;

/** Rotation before the flip, as presentation states have it: displays flip first. */
const transformOf = ({ rotation, horizontalFlip }: Display): Pick<StateContent, 'rotation' | 'flip'> => {
  const quarter = Math.round(rotation / 90) % 4;
  return { rotation: quarters[horizontalFlip ? (4 - quarter) % 4 : quarter] ?? 0, flip: horizontalFlip };
};

const isGrey = ({ samplesPerPixel, photometricInterpretation }: ImageDescription): boolean =>
  samplesPerPixel === 1 && photometricInterpretation !== 'PALETTE COLOR';

const voiOf = ({ description, display: { voi } }: DisplayedImage): Voi | null => {
  if (voi?.kind === 'window') return { ...voi, explanation: null };
  const chosen = voi?.kind === 'lut' ? description.voiLuts[voi.index] : undefined;
  return chosen ?? voisOf(description, 0)[0] ?? null;
};

const greyOf = (image: DisplayedImage): StateContent['grey'] =>
  isGrey(image.description)
    ? {
        modality: modalityOf(image.description, 0),
        voi: voiOf(image),
        inverted: isInverted(image.description) !== image.display.inverted,
      }
    : null;

/** Returns what a presentation state says of an image as it is displayed, and what it cannot say (PS3.3 A.33.1, A.33.2). */
export const stateContentOf = (
  image: DisplayedImage,
): { readonly content: StateContent; readonly notExpressed: readonly NotExpressedPart[] } => {
  const { display, calibration } = image;
  const { marks, hasValues, hasUnknown } = markGraphics(image.marks, image.annotations);
  const grey = greyOf(image);
  const { noise, sharpness, equalisation } = display;
  const missing: Readonly<Partial<Record<NotExpressedPart, boolean>>> = {
    angle: display.rotation % 90 !== 0,
    gamma: display.gamma !== 1,
    filters: (noise.kind !== 'none' && noise.strength > 0) || sharpness !== 0 || equalisation > 0,
    palette: display.palette !== 'grey',
    'auto-window': grey !== null && grey.voi === null,
    'colour-window': grey === null && (display.voi !== null || display.inverted),
    values: hasValues,
    calibration: calibration !== null,
    'unknown-marks': hasUnknown,
  };
  return {
    content: { ...transformOf(display), grey, marks },
    notExpressed: (Object.keys(missing) as NotExpressedPart[]).filter((part) => missing[part]),
  };
};
