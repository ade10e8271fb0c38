/** Characters of five by seven dots, one number per row, highest bit on the left. */
const GLYPHS: Record<string, readonly number[]> = {
  A: [14, 17, 17, 31, 17, 17, 17],
  D: [30, 17, 17, 17, 17, 17, 30],
  E: [31, 16, 16, 30, 16, 16, 31],
  I: [14, 4, 4, 4, 4, 4, 14],
  M: [17, 27, 21, 21, 17, 17, 17],
  N: [17, 25, 21, 19, 17, 17, 17],
  O: [14, 17, 17, 17, 17, 17, 14],
  P: [30, 17, 17, 30, 16, 16, 16],
  T: [31, 4, 4, 4, 4, 4, 4],
  L: [16, 16, 16, 16, 16, 16, 31],
  R: [30, 17, 17, 30, 20, 18, 17],
  '-': [0, 0, 0, 14, 0, 0, 0],
};

/** Calls `dot` for each dot of a text, with the top left of the text at 0, 0. A character is six dots wide. */
export const eachDot = (text: string, dot: (x: number, y: number) => void): void => {
  [...text].forEach((character, index) => {
    (GLYPHS[character] ?? []).forEach((bits, y) => {
      for (let x = 0; x < 5; x++) if (bits & (16 >> x)) dot(index * 6 + x, y);
    });
  });
};

export const DEMO_LABEL = 'DEMO - NOT A PATIENT';

export interface Canvas<Pixels extends Uint16Array | Int16Array | Uint8Array> {
  readonly pixels: Pixels;
  readonly columns: number;
  readonly rows: number;
}

/**
 * Burns a text into greyscale pixels so that no copy of the picture can be mistaken for that of a real patient: bright dots with a dark edge.
 * `corner` counts from the left or right edge and from the top or bottom edge, in dots of `size` pixels.
 */
export const burnIn = (
  canvas: Canvas<Uint16Array | Int16Array>,
  text: string,
  place: { readonly right?: boolean; readonly bottom?: boolean; readonly margin?: number; readonly size: number },
  bright: number,
  dark: number,
): void => {
  const { pixels, columns, rows } = canvas;
  const margin = place.margin ?? 4;
  const left = place.right ? columns - (text.length * 6 + margin) * place.size : margin * place.size;
  const top = place.bottom ? rows - (7 + margin) * place.size : margin * place.size;
  const fill = (x: number, y: number, width: number, value: number) => {
    for (let row = Math.max(0, y); row < Math.min(rows, y + width); row++) {
      for (let column = Math.max(0, x); column < Math.min(columns, x + width); column++)
        pixels[row * columns + column] = value;
    }
  };
  const { size } = place;
  const edge = Math.ceil(size / 2);
  eachDot(text, (x, y) => fill(left + x * size - edge, top + y * size - edge, size + 2 * edge, dark));
  eachDot(text, (x, y) => fill(left + x * size, top + y * size, size, bright));
};
