import { jpegProblem } from './header.ts';
import { BitReader, type HuffmanTable } from './huffman.ts';

/** The coefficients of one component: 64 per block, in natural (not zig-zag) order. */
export interface ComponentPlane {
  readonly id: number;
  readonly horizontal: number;
  readonly vertical: number;
  readonly quantisation: number;
  /** Blocks that the picture covers, and blocks kept, rounded up to whole MCUs. */
  readonly blocksWide: number;
  readonly blocksHigh: number;
  readonly storedWide: number;
  readonly coefficients: Int16Array;
}

export interface ScanComponent {
  readonly plane: ComponentPlane;
  readonly dc: HuffmanTable | null;
  readonly ac: HuffmanTable | null;
}

export interface Scan {
  readonly components: readonly ScanComponent[];
  readonly progressive: boolean;
  readonly spectralStart: number;
  readonly spectralEnd: number;
  readonly successiveHigh: number;
  readonly successiveLow: number;
  readonly restartInterval: number;
  readonly mcusWide: number;
  readonly mcusHigh: number;
}

/** Natural index of each zig-zag position (T.81 figure 5). */
export const zigZag = Uint8Array.from([
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
  35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47,
  55, 62, 63,
]);

const tableOf = (table: HuffmanTable | null): HuffmanTable => {
  if (!table) throw jpegProblem('a scan names a Huffman table that is not there');
  return table;
};

interface State {
  readonly reader: BitReader;
  readonly predictors: Int32Array;
  endOfBandRun: number;
}

type DecodeBlock = (state: State, component: number, base: number) => void;

const sequentialBlock =
  ({ components }: Scan): DecodeBlock =>
  (state, index, base) => {
    const component = components[index];
    if (!component) return;
    const { coefficients } = component.plane;
    const ac = tableOf(component.ac);
    const { reader, predictors } = state;
    const dc = (predictors[index] ?? 0) + reader.signed(reader.symbol(tableOf(component.dc)));
    predictors[index] = dc;
    coefficients[base] = dc;
    for (let k = 1; k < 64; k++) {
      const symbol = reader.symbol(ac);
      const size = symbol & 15;
      const run = symbol >> 4;
      if (size === 0) {
        if (run < 15) break;
        k += 15;
        continue;
      }
      k += run;
      if (k > 63) throw jpegProblem('a block has too many coefficients');
      coefficients[base + (zigZag[k] ?? 0)] = reader.signed(size);
    }
  };

/** Progressive DC (T.81 G.1.2.1). */
const dcBlock =
  ({ components, successiveHigh, successiveLow }: Scan): DecodeBlock =>
  (state, index, base) => {
    const component = components[index];
    if (!component) return;
    const { coefficients } = component.plane;
    const { reader, predictors } = state;
    if (successiveHigh > 0) {
      coefficients[base] = (coefficients[base] ?? 0) | (reader.bit() << successiveLow);
      return;
    }
    const dc = (predictors[index] ?? 0) + reader.signed(reader.symbol(tableOf(component.dc)));
    predictors[index] = dc;
    coefficients[base] = dc << successiveLow;
  };

/** Progressive AC, first pass of a band (T.81 G.1.2.2). */
const acFirstBlock =
  ({ components, spectralStart, spectralEnd, successiveLow }: Scan): DecodeBlock =>
  (state, index, base) => {
    const component = components[index];
    if (!component) return;
    if (state.endOfBandRun > 0) {
      state.endOfBandRun--;
      return;
    }
    const { coefficients } = component.plane;
    const ac = tableOf(component.ac);
    for (let k = spectralStart; k <= spectralEnd; k++) {
      const symbol = state.reader.symbol(ac);
      const size = symbol & 15;
      const run = symbol >> 4;
      if (size === 0) {
        if (run < 15) {
          state.endOfBandRun = (1 << run) - 1 + state.reader.take(run);
          return;
        }
        k += 15;
        continue;
      }
      k += run;
      if (k > 63) throw jpegProblem('a block has too many coefficients');
      coefficients[base + (zigZag[k] ?? 0)] = state.reader.signed(size) * (1 << successiveLow);
    }
  };

/** Progressive AC, refinement of a band (T.81 G.1.2.3). */
const acRefineBlock =
  ({ components, spectralStart, spectralEnd, successiveLow }: Scan): DecodeBlock =>
  (state, index, base) => {
    const component = components[index];
    if (!component) return;
    const { coefficients } = component.plane;
    const ac = tableOf(component.ac);
    const one = 1 << successiveLow;
    const { reader } = state;
    const refine = (at: number) => {
      const value = coefficients[at] ?? 0;
      if (reader.bit() === 1 && (Math.abs(value) & one) === 0) coefficients[at] = value + (value > 0 ? one : -one);
    };
    let k = spectralStart;
    if (state.endOfBandRun === 0) {
      for (; k <= spectralEnd; k++) {
        const symbol = reader.symbol(ac);
        let run = symbol >> 4;
        let value = 0;
        if ((symbol & 15) !== 0) value = reader.bit() === 1 ? one : -one;
        else if (run < 15) {
          state.endOfBandRun = (1 << run) + reader.take(run);
          break;
        }
        for (; k <= spectralEnd; k++) {
          const at = base + (zigZag[k] ?? 0);
          if (coefficients[at] !== 0) refine(at);
          else if (run-- === 0) {
            coefficients[at] = value;
            break;
          }
        }
      }
    }
    if (state.endOfBandRun > 0) {
      for (; k <= spectralEnd; k++) {
        const at = base + (zigZag[k] ?? 0);
        if (coefficients[at] !== 0) refine(at);
      }
      state.endOfBandRun--;
    }
  };

const blockDecoderOf = (scan: Scan): DecodeBlock => {
  if (!scan.progressive) return sequentialBlock(scan);
  if (scan.spectralStart === 0) return dcBlock(scan);
  return scan.successiveHigh === 0 ? acFirstBlock(scan) : acRefineBlock(scan);
};

/** Decodes the entropy coded data of one scan into its planes; returns the place behind them. */
export const decodeScan = (bytes: Uint8Array, at: number, scan: Scan): number => {
  const reader = new BitReader(bytes, at);
  const state: State = { reader, predictors: new Int32Array(scan.components.length), endOfBandRun: 0 };
  const decodeBlock = blockDecoderOf(scan);
  const [only] = scan.components;
  const alone = scan.components.length === 1 ? only?.plane : undefined;
  // A scan of one component has one block per MCU and covers only the picture (T.81 A.2.2).
  const wide = alone ? alone.blocksWide : scan.mcusWide;
  const high = alone ? alone.blocksHigh : scan.mcusHigh;
  for (let mcu = 0; mcu < wide * high; mcu++) {
    if (scan.restartInterval > 0 && mcu > 0 && mcu % scan.restartInterval === 0) {
      if (!reader.restart()) throw jpegProblem('a restart marker is missing');
      state.predictors.fill(0);
      state.endOfBandRun = 0;
    }
    const column = mcu % wide;
    const row = (mcu - column) / wide;
    if (alone) {
      decodeBlock(state, 0, (row * alone.storedWide + column) * 64);
      continue;
    }
    for (let index = 0; index < scan.components.length; index++) {
      const plane = scan.components[index]?.plane;
      if (!plane) continue;
      for (let v = 0; v < plane.vertical; v++) {
        for (let h = 0; h < plane.horizontal; h++) {
          const block = (row * plane.vertical + v) * plane.storedWide + column * plane.horizontal + h;
          decodeBlock(state, index, block * 64);
        }
      }
    }
  }
  return reader.position;
};
