/** A filled area in pixels of the canvas, with a grey value of 0-255. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly grey: number;
}

export const backgroundGrey = 128;
/** Grey values of 5 % and 95 %. */
export const darkGrey = 13;
export const lightGrey = 242;
/** Steps of grey, 3 %, by which a letter differs from its field. */
export const letterContrast = 8;
export const rampValues = 256;
const patchCount = 16;

/** Letters of similar legibility (Sloan), five by seven dots; each number is a row, its highest bit the left dot. */
const glyphs = [
  [0b11110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b11110], // D
  [0b10001, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001], // H
  [0b10001, 0b10010, 0b10100, 0b11000, 0b10100, 0b10010, 0b10001], // K
  [0b10001, 0b11001, 0b10101, 0b10101, 0b10101, 0b10011, 0b10001], // N
  [0b11110, 0b10001, 0b10001, 0b11110, 0b10100, 0b10010, 0b10001], // R
  [0b01111, 0b10000, 0b10000, 0b01110, 0b00001, 0b00001, 0b11110], // S
  [0b01110, 0b10001, 0b10000, 0b10000, 0b10000, 0b10001, 0b01110], // C
  [0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01010, 0b00100], // V
  [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b10000, 0b11111], // Z
];
const lettersInField = 3;
/** Dots of the letters of a field with the space around them, and of a line with that above and below. */
const fieldDots = 6 * lettersInField + 1;
const lineDots = 9;

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

/** Four fields of whole line pairs: vertical and horizontal lines of one pixel, and below them of two. */
const linePairs = (left: number, top: number, field: number): readonly Rectangle[] =>
  [1, 2].flatMap((thickness, row) =>
    ['vertical', 'horizontal'].flatMap((direction, column) => {
      const x = left + column * (field + field / 4);
      const y = top + row * (field + field / 4);
      const lines = range(field / (2 * thickness)).map((pair): Rectangle => {
        const offset = 2 * thickness * pair;
        return direction === 'vertical'
          ? { x: x + offset, y, width: thickness, height: field, grey: 0 }
          : { x, y: y + offset, width: field, height: thickness, grey: 0 };
      });
      return [{ x, y, width: field, height: field, grey: 255 }, ...lines];
    }),
  );

const square = (x: number, y: number, size: number, outer: number, inner: number): readonly Rectangle[] => [
  { x, y, width: size, height: size, grey: outer },
  { x: x + size / 4, y: y + size / 4, width: size / 2, height: size / 2, grey: inner },
];

/** Columns of equal width, centred in the width of the canvas. */
const columns = (
  greys: readonly number[],
  space: number,
  area: Omit<Rectangle, 'grey' | 'x'>,
): readonly Rectangle[] => {
  const column = Math.max(1, Math.floor(space / greys.length));
  const left = Math.floor((area.width - column * greys.length) / 2);
  return greys.map((grey, index) => ({ ...area, x: left + index * column, width: column, grey }));
};

const glyph = (rows: readonly number[], x: number, y: number, dot: number, grey: number): readonly Rectangle[] =>
  rows.flatMap((bits, row) =>
    range(5)
      .filter((column) => bits & (0b10000 >> column))
      .map((column) => ({ x: x + column * dot, y: y + row * dot, width: dot, height: dot, grey })),
  );

/** Letters on a dark, a mid and a light field. */
const letterLine = (left: number, top: number, width: number, height: number): readonly Rectangle[] => {
  const fieldWidth = Math.floor(width / 3);
  const dot = Math.floor(Math.min(fieldWidth / fieldDots, height / lineDots));
  const fields = [
    { field: darkGrey, letter: darkGrey + letterContrast },
    { field: backgroundGrey, letter: backgroundGrey + letterContrast },
    { field: lightGrey, letter: lightGrey - letterContrast },
  ];
  return fields.flatMap(({ field, letter }, index) => {
    const x = left + index * fieldWidth;
    const firstX = x + Math.floor((fieldWidth - fieldDots * dot) / 2) + dot;
    const firstY = top + Math.floor((height - lineDots * dot) / 2) + dot;
    return [
      { x, y: top, width: fieldWidth, height, grey: field },
      ...glyphs
        .slice(index * lettersInField, (index + 1) * lettersInField)
        .flatMap((rows, position) => glyph(rows, firstX + 6 * dot * position, firstY, dot, letter)),
    ];
  });
};

/**
 * Returns the test pattern for a canvas of at least 272 x 200 pixels, in the order of painting. An own pattern with what DIN 6868-157 asks
 * to look at: line pairs in the centre and the corners, 5 % in 0 % and 95 % in 100 %, grey patches, a ramp and faint letters.
 */
export const testPattern = (width: number, height: number): readonly Rectangle[] => {
  const shorter = Math.min(width, height);
  const margin = Math.max(4, Math.floor(shorter / 40));
  // A multiple of four holds whole pairs of both kinds of lines.
  const field = 4 * Math.max(4, Math.floor(shorter / 80));
  const block = 2 * field + field / 4;
  const [right, bottom] = [width - margin - block, height - margin - block];
  const [middleX, middleY] = [Math.floor((width - block) / 2), Math.floor((height - block) / 2)];
  const size = 4 * Math.floor(Math.min(height / 4, middleX - 3 * margin) / 4);
  const squareX = Math.floor((margin + middleX - size) / 2);
  const squareY = Math.floor((height - size) / 2);
  const strip = Math.floor(height / 9);
  const stripY = Math.floor((margin + block + squareY - strip) / 2);
  const inner = { left: 2 * margin + block, width: width - 2 * (2 * margin + block) };
  const space = width - 2 * margin;
  return [
    { x: 0, y: 0, width, height, grey: backgroundGrey },
    ...[margin, right].flatMap((x) => [margin, bottom].flatMap((y) => linePairs(x, y, field))),
    ...linePairs(middleX, middleY, field),
    ...square(squareX, squareY, size, 0, darkGrey),
    ...square(width - squareX - size, squareY, size, 255, lightGrey),
    ...columns(
      range(patchCount).map((index) => index * 17),
      space,
      { y: stripY, width, height: strip },
    ),
    ...columns(range(rampValues), space, { y: height - stripY - strip, width, height: strip }),
    ...[margin, bottom].flatMap((y) => letterLine(inner.left, y, inner.width, block)),
  ];
};
