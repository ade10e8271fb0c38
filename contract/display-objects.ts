import { z } from 'zod';

/**
 * What a mount or the display of an image has that DICOM objects for other programs cannot say. This program reads it from them
 * nevertheless, but for `note` and `not-included`.
 */
export const notExpressedParts = [
  /** A rotation that is no multiple of 90 degrees: the nearest one is written. */
  'angle',
  'gamma',
  'filters',
  'palette',
  /** A window from the pixel values, since the file has none: all values are shown. */
  'auto-window',
  /** Window or inversion of a colour image. */
  'colour-window',
  /** Lengths, angles and ratios as numbers; their lines are written. */
  'values',
  'calibration',
  /** Marks that a later version has drawn. */
  'unknown-marks',
  /** The note on a mount. */
  'note',
  /** Arrows, shapes and profiles, which a structured report does not have. */
  'graphics',
  /** A note that is not signed, which a structured report does not have. */
  'draft-note',
  /** An image of a mount that is not in the download: its box is empty. */
  'not-included',
] as const;
export type NotExpressedPart = (typeof notExpressedParts)[number];

/** Response header of a download with mounts and marks: `angle=2,filters=1`, each part with the number of objects that lack it. */
export const notExpressedHeader = 'x-not-expressed';

export const notExpressedText = (counts: ReadonlyMap<NotExpressedPart, number>): string =>
  [...counts].map(([part, count]) => `${part}=${count}`).join();

/** Reads `notExpressedText`; parts of a later version are left out. */
export const readNotExpressed = (text: string): ReadonlyMap<NotExpressedPart, number> => {
  const pairs = text.split(',').map((pair) => pair.split('='));
  return new Map(
    pairs.flatMap(([name, count]): [NotExpressedPart, number][] => {
      const part = notExpressedParts.find((one) => one === name);
      return part && Number(count) > 0 ? [[part, Number(count)]] : [];
    }),
  );
};

/** What of an imported structured display its mount does not show. */
export const notTakenParts = [
  'screens',
  'several-images',
  'box-kind',
  'box-place',
  /** Texts outside of every box. */
  'texts',
  /** Grey values of a presentation state that no display setting has. */
  'grey-values',
  /** Graphics, shutters and sections of a presentation state; they are shown by choosing it. */
  'state-parts',
  /** An image that is in an earlier box too. */
  'repeated-image',
] as const;
export type NotTakenPart = (typeof notTakenParts)[number];

/** How a mount that arrived as a structured display differs from it. */
export const mountArrival = z.object({
  /** Slots whose images have not arrived. */
  missing: z.array(z.object({ itemIndex: z.number().int(), sopInstanceUid: z.string() })),
  notTaken: z.array(z.string()),
});
