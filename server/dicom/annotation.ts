import { createRequire } from 'node:module';
import { type Font, openSync } from 'fontkit';
import { exposureOf } from '../../dicom/exposure.ts';
import type { DicomFile } from '../../dicom/file.ts';
import { tags } from '../../dicom/tags.ts';

/** Texts that are burned into a picture (PS3.18 8.3.5.1.1), as the records have them; null: none. */
export interface Annotation {
  /** Lines of the upper left corner. */
  readonly patient: readonly string[] | null;
  /** The lower left corner has modality, this day and the exposure. */
  readonly technique: { readonly day: string | null } | null;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

let loaded: Font | null = null;
/** Outlines of a bundled font: a server may have no installed ones. */
const font = (): Font => {
  loaded ??= openSync(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'));
  return loaded;
};

/** Of the shorter edge; a block of three lines then takes an eighth of it. */
const linesPerEdge = 24;
const smallestPx = 11;
const lineHeight = 1.25;

const techniqueLines = ({ dataSet }: DicomFile, day: string | null): string[] => {
  const { tubeVoltageKv, tubeCurrentMa } = exposureOf(dataSet);
  const exposure = [
    tubeVoltageKv === null ? [] : `${tubeVoltageKv} kV`,
    tubeCurrentMa === null ? [] : `${tubeCurrentMa} mA`,
  ];
  return [dataSet.code(tags.modality) ?? '', day ?? '', exposure.flat().join(' ')].filter((line) => line !== '');
};

/** Returns the size in pixels in which lines fit into a width and half of a height. */
const fontSizeFor = (lines: readonly string[], { width, height }: Size): number => {
  const { unitsPerEm } = font();
  const usual = Math.max(smallestPx, Math.min(width, height) / linesPerEdge);
  const longest = Math.max(1, ...lines.map((line) => font().layout(line).advanceWidth)) / unitsPerEm;
  // A character of space at both sides.
  return Math.min(usual, width / (longest + 1), height / 2 / (lines.length * lineHeight + 0.5));
};

const outlineOf = (text: string): string => {
  const { glyphs, positions } = font().layout(text);
  let at = 0;
  return glyphs
    .map(({ path }, index) => {
      const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
      const outline = `<path transform="translate(${at + xOffset} ${yOffset})" d="${path.toSVG()}"/>`;
      at += xAdvance;
      return outline;
    })
    .join('');
};

const blockOf = (lines: readonly string[], size: Size, corner: 'top' | 'bottom'): string => {
  const px = fontSizeFor(lines, size);
  const { unitsPerEm, ascent } = font();
  const scale = px / unitsPerEm;
  const top = corner === 'top' ? px / 2 : size.height - px / 2 - lines.length * lineHeight * px;
  return lines
    .map((line, index) => {
      const baseline = top + index * lineHeight * px + ascent * scale;
      return `<g transform="translate(${px / 2} ${baseline}) scale(${scale} ${-scale})">${outlineOf(line)}</g>`;
    })
    .join('');
};

/**
 * Returns an SVG picture of the texts, white with a black edge, as large as the picture that it lies on. They shrink only where they would not fit.
 */
export const annotationSvg = (file: DicomFile, { patient, technique }: Annotation, size: Size): Buffer => {
  const blocks = [
    blockOf(patient ?? [], size, 'top'),
    blockOf(technique ? techniqueLines(file, technique.day) : [], size, 'bottom'),
  ];
  const edge = Math.round(font().unitsPerEm * 0.18);
  const style = `fill="#fff" stroke="#000" stroke-width="${edge}" stroke-linejoin="round" paint-order="stroke"`;
  const open = `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}">`;
  return Buffer.from(`${open}<g ${style}>${blocks.join('')}</g></svg>`);
};
