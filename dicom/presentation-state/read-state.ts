import type { DataSet } from '../data-set.ts';
import { isoDate, isoTime } from '../date-time.ts';
import { tags } from '../tags.ts';
import { readAnnotations } from './annotations.ts';
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

/** Overlay Data (60xx,3000) of the 16 groups. */
const overlayTags = Array.from({ length: 16 }, (_, index) => 0x60003000 + index * 0x20000);

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
  const { shutters, colour, isComplete } = readShutters(dataSet);
  const annotated = readAnnotations(dataSet, sopInstanceUid, (at, partFrames) =>
    fromDisplay(at, transform, areaFor(areas, partFrames, image)),
  );
  const isGrey = dataSet.code(tags.sopClassUid) === grayscaleStateClass;
  const missing: Readonly<Partial<Record<NotShownPart, boolean>>> = {
    'bitmap-shutter': !isComplete,
    overlay: overlayTags.some((tag) => dataSet.has(tag)),
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
    shutterColour: colour,
    annotations: annotated.annotations,
    notShown: (Object.keys(missing) as NotShownPart[]).filter((part) => missing[part]),
  };
};
