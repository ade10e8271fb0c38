import type { Point } from './camera.ts';

/** Height of the text and of a line, in CSS pixels. */
export const textHeight = 13;
export const lineHeight = 17;
/** Approximate maximum character width at `textHeight`. */
export const characterWidth = 7.2;
/** Distance of the text from the edges of the image. */
const margin = 4;
/** Longer lines are broken between words. */
const maxLineLength = 34;

/** Returns the lines of a text; words longer than a line are broken. */
export const linesOf = (text: string): readonly string[] =>
  text.split('\n').flatMap((paragraph) => {
    const lines: string[] = [''];
    for (const word of paragraph
      .split(' ')
      .flatMap((one) => one.match(new RegExp(`.{1,${maxLineLength}}`, 'gsu')) ?? [''])) {
      const line = lines.at(-1) ?? '';
      const joined = line === '' ? word : `${line} ${word}`;
      if (joined.length > maxLineLength && line !== '') lines.push(word);
      else lines[lines.length - 1] = joined;
    }
    return lines;
  });

export const widthOf = (lines: readonly string[]): number =>
  Math.max(...lines.map((line) => line.length)) * characterWidth;

/** Returns the top left corner of a text mark: at its point, or so far aside that the text stays on the image. In CSS pixels. */
export const textCorner = (
  { x, y }: Point,
  lines: readonly string[],
  { width, height }: { readonly width: number; readonly height: number },
): Point => ({
  x: Math.max(margin, Math.min(x, width - widthOf(lines) - margin)),
  y: Math.max(margin, Math.min(y, height - lines.length * lineHeight - margin)),
});
