import { randomFrom } from './random.ts';

/** Side of a noise tile in samples; a power of two, so that `& (TILE - 1)` wraps. */
export const TILE = 512;

const fade = (t: number): number => t * t * t * (t * (t * 6 - 15) + 10);

/** Perlin noise that repeats after `cells` cells across the tile, about -0.7 to 0.7. */
const periodicNoise = (cells: number, seed: string): Float32Array => {
  const random = randomFrom('gradient', seed, cells);
  const angles = Float32Array.from({ length: cells * cells }, () => random.next() * 2 * Math.PI);
  const gradientX = angles.map(Math.cos);
  const gradientY = angles.map(Math.sin);
  const tile = new Float32Array(TILE * TILE);
  const step = cells / TILE;
  for (let row = 0; row < TILE; row++) {
    const y = row * step;
    const top = Math.floor(y);
    const dy = y - top;
    const upper = (top % cells) * cells;
    const lower = ((top + 1) % cells) * cells;
    const fadeY = fade(dy);
    for (let column = 0; column < TILE; column++) {
      const x = column * step;
      const left = Math.floor(x);
      const dx = x - left;
      const a = left % cells;
      const b = (left + 1) % cells;
      const dot = (at: number, px: number, py: number) => (gradientX[at] ?? 0) * px + (gradientY[at] ?? 0) * py;
      const fadeX = fade(dx);
      const high = dot(upper + a, dx, dy) * (1 - fadeX) + dot(upper + b, dx - 1, dy) * fadeX;
      const low = dot(lower + a, dx, dy - 1) * (1 - fadeX) + dot(lower + b, dx - 1, dy - 1) * fadeX;
      tile[row * TILE + column] = high * (1 - fadeY) + low * fadeY;
    }
  }
  return tile;
};

const normalised = (tile: Float32Array): Float32Array => {
  let sum = 0;
  let squares = 0;
  for (const value of tile) {
    sum += value;
    squares += value * value;
  }
  const mean = sum / tile.length;
  const deviation = Math.sqrt(squares / tile.length - mean * mean) || 1;
  return tile.map((value) => (value - mean) / deviation);
};

/**
 * Cancellous bone as a radiograph shows it: several layers of thin struts laid over one another. The zero lines of
 * band-limited noise form closed, curved meshes, which is what trabeculae look like in projection. Mean 0, deviation 1.
 */
const drawTrabeculae = (): Float32Array => {
  const tile = new Float32Array(TILE * TILE);
  for (const [cells, weight, sharpness] of [
    [17, 0.7, 4.5],
    [25, 1, 5.5],
    [37, 1, 6],
    [54, 0.8, 6],
    [79, 0.6, 5],
  ] as const) {
    const layer = periodicNoise(cells, 'trabeculae');
    const presence = periodicNoise(Math.round(cells / 3), `presence ${cells}`);
    for (let at = 0; at < tile.length; at++) {
      const strut = Math.exp(-Math.abs(layer[at] ?? 0) * sharpness);
      tile[at] = (tile[at] ?? 0) + weight * strut * Math.max(0, 0.55 + 1.5 * (presence[at] ?? 0));
    }
  }
  return normalised(tile);
};

/** Slow clouds: uneven thickness of soft tissue and bone. Mean 0, deviation 1. */
const drawClouds = (): Float32Array => {
  const tile = periodicNoise(4, 'clouds');
  const finer = periodicNoise(9, 'clouds');
  return normalised(tile.map((value, at) => value + 0.5 * (finer[at] ?? 0)));
};

/** Quantum noise as a sensor passes it on: white, softened over one pixel. Mean 0, deviation 1. */
const drawGrain = (): Float32Array => {
  const random = randomFrom('grain');
  const white = Float32Array.from({ length: TILE * TILE }, () => random.normal());
  const tile = new Float32Array(TILE * TILE);
  for (let row = 0; row < TILE; row++) {
    for (let column = 0; column < TILE; column++) {
      const read = (dx: number, dy: number) =>
        white[((row + dy) & (TILE - 1)) * TILE + ((column + dx) & (TILE - 1))] ?? 0;
      tile[row * TILE + column] = read(0, 0) + 0.45 * (read(1, 0) + read(0, 1)) + 0.25 * read(1, 1);
    }
  }
  return normalised(tile);
};

const once = (draw: () => Float32Array): (() => Float32Array) => {
  let tile: Float32Array | null = null;
  return () => {
    tile ??= draw();
    return tile;
  };
};

export const trabeculae = once(drawTrabeculae);
export const clouds = once(drawClouds);
export const noiseTile = once(drawGrain);
