import type { DataSet } from '../data-set.ts';
import { isoDate, isoTime } from '../date-time.ts';
import { tags } from '../tags.ts';
import { readAnnotations } from './annotations.ts';
import { shutterGroup } from './bitmap-shutter.ts';
import { readGreyValues } from './grey-values.ts';
import type { ImageSize, NotShownPart, StateOfImage } from './model.ts';
import { referencedImages } from './references.ts';
import { readShutters } from './shutters.ts';
import { areaFor, asDisplay, fromDisplay, readAreas, readTransform, shownAreas } from './transform.ts';

/** Grayscale Softcopy Presentation State Storage. */
export const grayscaleStateClass = '1.2.840.10008.5.1.4.1.1.11.1';
/** Color Softcopy Presentation State Storage. */
export const colourStateClass = '1.2.840.10008.5.1.4.1.1.11.2';

/** The image that a state is read for. */
export interface StateImage extends ImageSize {
  readonly sopInstanceUid: string;
}

const overlayGroups = Array.from({ length: 16 }, (_, index) => 0x6000 + index * 2);

const createdAtOf = (dataSet: DataSet): string | null => {
  const date = isoDate(dataSet.code(tags.presentationCreationDate));
  const time = isoTime(dataSet.code(tags.presentationCreationTime));
  return date && (time ? `${date}T${time}` : date);
};

/**
 * Reads what a presentation state says of one image (PS3.3 A.33.1, A.33.2); null when it does not refer to it. What cannot be shown is
 * named in `notShown`.
 * @throws DicomProblem
 */
export const readPresentationState = (dataSet: DataSet, image: StateImage): StateOfImage | null => {
  const { sopInstanceUid } = image;
  const frames = referencedImages(dataSet).get(sopInstanceUid);
  if (frames === undefined) return null;
  const transform = readTransform(dataSet);
  const areas = readAreas(dataSet, sopInstanceUid);
  const shown = shownAreas(areas, image);
  const { shutters, bitmap, colour, isComplete } = readShutters(dataSet, image);
  const annotated = readAnnotations(dataSet, sopInstanceUid, (at, partFrames) =>
    fromDisplay(at, transform, areaFor(areas, partFrames, image)),
  );
  const shutter = shutterGroup(dataSet);
  const isGrey = dataSet.code(tags.sopClassUid) === grayscaleStateClass;
  const missing: Readonly<Partial<Record<NotShownPart, boolean>>> = {
    'bitmap-shutter': !isComplete,
    overlay: overlayGroups.some((group) => group !== shutter && dataSet.has((group << 16) | 0x3000)),
    mask: dataSet.has(tags.maskSubtractionSequence),
    'displayed-area': !shown.isComplete,
    annotations: !annotated.isComplete,
    transform: !transform.isKnown,
  };
  return {
    label: dataSet.text(tags.contentLabel),
    description: dataSet.text(tags.contentDescription),
    creator: dataSet.text(tags.contentCreatorName),
    createdAt: createdAtOf(dataSet),
    frames,
    ...asDisplay(transform),
    areas: shown.areas,
    grey: isGrey ? readGreyValues(dataSet, sopInstanceUid) : null,
    shutters,
    bitmapShutter: bitmap,
    shutterColour: colour,
    annotations: annotated.annotations,
    notShown: (Object.keys(missing) as NotShownPart[]).filter((part) => missing[part]),
  };
};
