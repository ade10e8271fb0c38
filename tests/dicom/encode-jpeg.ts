import { bytesOf } from './build-dicom.ts';

/*
 * Small JPEG encoders for what no package writes: lossless with any predictor, and 12-bit sequential. Their Huffman codes
 * all have one length, which is legal and simple.
 */

class BitWriter {
  readonly #bytes: number[] = [];
  #bits = 0;
  #count = 0;

  write(value: number, count: number): void {
    for (let bit = count - 1; bit >= 0; bit--) {
      this.#bits = (this.#bits << 1) | ((value >> bit) & 1);
      if (++this.#count === 8) {
        this.#bytes.push(this.#bits);
        if (this.#bits === 0xff) this.#bytes.push(0);
        this.#bits = 0;
        this.#count = 0;
      }
    }
  }

  /** Pads with ones to the next byte. */
  flush(): void {
    while (this.#count > 0) this.write(1, 1);
  }

  marker(code: number): void {
    this.flush();
    this.#bytes.push(0xff, code);
  }

  get bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}

const sizeOf = (value: number): number => 32 - Math.clz32(Math.abs(value));
const extraBits = (value: number, size: number): number => (value < 0 ? value + (1 << size) - 1 : value);

const segment = (marker: number, ...body: readonly (Uint8Array | readonly number[])[]): Uint8Array => {
  const content = bytesOf(...body);
  return bytesOf([0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 255], content);
};

/** A table that gives `values[n]` the code n of `length` bits. */
const huffman = (selector: number, length: number, values: readonly number[]): Uint8Array => {
  const counts = Array.from({ length: 16 }, (_, index) => (index + 1 === length ? values.length : 0));
  return segment(0xc4, [selector], counts, values);
};

const frameHeader = (process: number, precision: number, rows: number, columns: number, components: number) =>
  segment(
    process,
    [precision, rows >> 8, rows & 255, columns >> 8, columns & 255, components],
    Array.from({ length: components }, (_, index) => [index + 1, 0x11, 0]).flat(),
  );

export interface Raster {
  readonly rows: number;
  readonly columns: number;
  readonly components: number;
  readonly precision: number;
  readonly samples: ArrayLike<number>;
}

const predictors = [
  (a: number) => a,
  (_a: number, b: number) => b,
  (_a: number, _b: number, c: number) => c,
  (a: number, b: number, c: number) => a + b - c,
  (a: number, b: number, c: number) => a + ((b - c) >> 1),
  (a: number, b: number, c: number) => b + ((a - c) >> 1),
  (a: number, b: number) => (a + b) >> 1,
];

/** Lossless JPEG, process 14; a restart marker behind every `restartRows` rows when given. */
export const encodeLossless = (raster: Raster, predictor: number, restartRows = 0): Uint8Array => {
  const { rows, columns, components, precision, samples } = raster;
  const writer = new BitWriter();
  const at = (row: number, column: number, component: number) =>
    samples[(row * columns + column) * components + component] ?? 0;
  let origin = 0;
  for (let row = 0; row < rows; row++) {
    if (restartRows > 0 && row > 0 && row % restartRows === 0) {
      writer.marker(0xd0 + ((row / restartRows - 1) % 8));
      origin = row;
    }
    for (let column = 0; column < columns; column++) {
      for (let component = 0; component < components; component++) {
        let prediction = predictors[predictor - 1]?.(
          at(row, column - 1, component),
          at(row - 1, column, component),
          at(row - 1, column - 1, component),
        );
        if (row === origin) prediction = column === 0 ? 1 << (precision - 1) : at(row, column - 1, component);
        else if (column === 0) prediction = at(row - 1, column, component);
        const wrapped = (at(row, column, component) - (prediction ?? 0)) & 0xffff;
        const difference = wrapped > 32768 ? wrapped - 65536 : wrapped;
        const size = sizeOf(difference);
        writer.write(size, 5);
        if (size < 16) writer.write(extraBits(difference, size), size);
      }
    }
  }
  writer.flush();
  return bytesOf(
    [0xff, 0xd8],
    huffman(
      0,
      5,
      Array.from({ length: 17 }, (_, size) => size),
    ),
    frameHeader(0xc3, precision, rows, columns, components),
    restartRows > 0 ? segment(0xdd, [(restartRows * columns) >> 8, (restartRows * columns) & 255]) : [],
    segment(0xda, [components], Array.from({ length: components }, (_, index) => [index + 1, 0]).flat(), [
      predictor,
      0,
      0,
    ]),
    writer.bytes,
    [0xff, 0xd9],
  );
};

const zigZag = Array.from({ length: 64 }, (_, index) => index).sort((one, other) => {
  const [r1, c1, r2, c2] = [one >> 3, one & 7, other >> 3, other & 7];
  if (r1 + c1 !== r2 + c2) return r1 + c1 - (r2 + c2);
  return (r1 + c1) % 2 === 0 ? c1 - c2 : r1 - r2;
});

const forwardDct = (block: readonly number[]): number[] =>
  Array.from({ length: 64 }, (_, index) => {
    const [v, u] = [index >> 3, index & 7];
    let sum = 0;
    for (let y = 0; y < 8; y++) {
      for (let x = 0; x < 8; x++) {
        const wave = Math.cos(((2 * x + 1) * u * Math.PI) / 16) * Math.cos(((2 * y + 1) * v * Math.PI) / 16);
        sum += (block[y * 8 + x] ?? 0) * wave;
      }
    }
    return (sum / 4) * (u === 0 ? Math.SQRT1_2 : 1) * (v === 0 ? Math.SQRT1_2 : 1);
  });

/** Grey extended sequential JPEG, 8 or 12 bits, every coefficient divided by `step`. */
export const encodeSequential = (raster: Raster, step: number): Uint8Array => {
  const { rows, columns, precision, samples } = raster;
  const writer = new BitWriter();
  const symbols = Array.from({ length: 16 * 15 }, (_, index) => (Math.floor(index / 15) << 4) | (index % 15));
  let previous = 0;
  for (let top = 0; top < rows; top += 8) {
    for (let left = 0; left < columns; left += 8) {
      const block = Array.from({ length: 64 }, (_, index) => {
        const row = Math.min(rows - 1, top + (index >> 3));
        const column = Math.min(columns - 1, left + (index & 7));
        return (samples[row * columns + column] ?? 0) - (1 << (precision - 1));
      });
      const coefficients = forwardDct(block).map((value) => Math.round(value / step));
      const difference = (coefficients[0] ?? 0) - previous;
      previous = coefficients[0] ?? 0;
      writer.write(sizeOf(difference), 5);
      writer.write(extraBits(difference, sizeOf(difference)), sizeOf(difference));
      let run = 0;
      for (let k = 1; k < 64; k++) {
        const value = coefficients[zigZag[k] ?? 0] ?? 0;
        if (value === 0 && zigZag.slice(k).every((place) => coefficients[place] === 0)) {
          writer.write(symbols.indexOf(0), 8);
          break;
        }
        if (value === 0 && run < 15) run++;
        else {
          writer.write(symbols.indexOf((run << 4) | sizeOf(value)), 8);
          writer.write(extraBits(value, sizeOf(value)), sizeOf(value));
          run = 0;
        }
      }
    }
  }
  writer.flush();
  return bytesOf(
    [0xff, 0xd8],
    segment(0xdb, [0], new Uint8Array(64).fill(step)),
    frameHeader(0xc1, precision, rows, columns, 1),
    huffman(
      0x00,
      5,
      Array.from({ length: 16 }, (_, size) => size),
    ),
    huffman(0x10, 8, symbols),
    segment(0xda, [1, 1, 0x00, 0, 63, 0]),
    writer.bytes,
    [0xff, 0xd9],
  );
};
