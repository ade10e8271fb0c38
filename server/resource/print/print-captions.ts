import type { PrintedPicture, PrintRequest } from '../../../contract/print.ts';
import type { PlacedPicture } from '../../../contract/print-layout.ts';
import { toothName } from '../../../contract/teeth.ts';
import type { PictureFacts, PrintFacts } from './print-facts.ts';
import type { PrintTexts } from './print-texts.ts';

/** Factors that differ by less are printed as one. */
const sameFactor = 0.005;

export const dayText = (day: string | null, { text }: PrintTexts): string =>
  day === null ? text('exposureUnknown') : text('exposed', { day });

/** Returns the common day of exposure; undefined when the images differ. */
export const commonDay = ({ pictures }: PrintFacts): string | null | undefined => {
  const [day, ...others] = new Set(pictures.map((picture) => picture.day));
  return others.length === 0 ? (day ?? null) : undefined;
};

export const teethText = (teeth: readonly number[], notation: PrintRequest['notation']): string =>
  teeth.map((iso) => toothName(iso, notation)).join(' ');

/**
 * Returns the text below a picture: its day where the days differ, its teeth, its frame, and the names of its image processing. In the slots of a
 * mount, which are small, without labels.
 */
export const captionOf = (
  picture: PrintedPicture,
  facts: PictureFacts,
  { notation, isDayCommon, texts }: { notation: PrintRequest['notation']; isDayCommon: boolean; texts: PrintTexts },
): string => {
  const isShort = facts.slot !== null;
  const teeth = teethText(facts.teeth, notation);
  const names = picture.processing.map((one) => texts.text(`processing-${one}`)).join(', ');
  const day = isShort && facts.day ? facts.day : dayText(facts.day, texts);
  const first = [
    isDayCommon ? '' : day,
    teeth && (isShort ? teeth : texts.text('teeth', { teeth })),
    facts.frames > 1 ? texts.text('frame', { frame: picture.frame }) : '',
  ];
  const second = names && (isShort ? names : texts.text('filters', { names }));
  return [first.filter(Boolean).join(' · '), second].filter(Boolean).join('\n');
};

/** Returns the scale of a print: true size with the source of the spacing, a common factor, or that there is none. */
export const scaleText = (
  { scale, pictures }: PrintRequest,
  pages: readonly (readonly PlacedPicture[])[],
  { text, number, spacing }: PrintTexts,
): string => {
  const sources = [...new Set(pictures.flatMap((picture) => (picture.spacing ? spacing(picture.spacing.source) : [])))];
  const sourceText = sources.filter(Boolean).join(', ');
  const named = (scaled: string) => (sourceText ? `${scaled} (${sourceText})` : scaled);
  if (scale === 'true-size') return named(text('trueSize'));
  const factors = pages.flat().map(({ index, picture }) => {
    const declared = pictures[index];
    return declared?.spacing ? picture.width / (declared.width * declared.spacing.mmPerPixel) : null;
  });
  const [first] = factors;
  const isCommon = first && factors.every((factor) => factor !== null && Math.abs(factor / first - 1) < sameFactor);
  return isCommon ? named(text('magnified', { factor: number(first) })) : text('notToScale');
};
