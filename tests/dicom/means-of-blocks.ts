import type { DecodedFrame, ImageDescription } from '../../dicom/image-model.ts';

/** Straightforward reference implementation of block means. */
export const meansOfBlocks = (
  frame: DecodedFrame,
  reduction: number,
  padding: ImageDescription['padding'],
): DecodedFrame => {
  const rows = Math.ceil(frame.rows / reduction);
  const columns = Math.ceil(frame.columns / reduction);
  const isPadding = (value: number) => padding !== null && value >= padding.low && value <= padding.high;
  const out: number[] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      for (let sample = 0; sample < frame.samples; sample++) {
        const block: number[] = [];
        for (let y = row * reduction; y < Math.min(frame.rows, (row + 1) * reduction); y++) {
          for (let x = column * reduction; x < Math.min(frame.columns, (column + 1) * reduction); x++) {
            block.push(Number(frame.pixels[(y * frame.columns + x) * frame.samples + sample]));
          }
        }
        const counted = block.filter((value) => !isPadding(value));
        const mean = counted.reduce((sum, value) => sum + value, 0) / counted.length;
        const fractional = frame.pixels instanceof Float32Array || frame.pixels instanceof Float64Array;
        const rounded = fractional ? mean : Math.floor(mean + 0.5);
        out.push(counted.length === 0 ? Number(block[0]) : isPadding(rounded) ? Number(counted[0]) : rounded);
      }
    }
  }
  return { ...frame, rows, columns, pixels: new Float64Array(out) };
};
