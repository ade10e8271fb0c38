/** cos((2x + 1) u pi / 16) * c(u) / 2 for u (row) and x (column): T.81 A.3.3, separable. */
const basis = Float64Array.from({ length: 64 }, (_, index) => {
  const u = index >> 3;
  const x = index & 7;
  return (Math.cos(((2 * x + 1) * u * Math.PI) / 16) * (u === 0 ? Math.SQRT1_2 : 1)) / 2;
});

const temporary = new Float64Array(64);

/** One row or column of 8: even and odd coefficients apart, since the basis is (anti)symmetric about the middle. */
const transformLine = (from: Float64Array, fromAt: number, to: Float64Array, toAt: number, step: number): void => {
  for (let x = 0; x < 4; x++) {
    let even = 0;
    let odd = 0;
    for (let u = 0; u < 8; u += 2) {
      even += (from[fromAt + u * step] ?? 0) * (basis[u * 8 + x] ?? 0);
      odd += (from[fromAt + (u + 1) * step] ?? 0) * (basis[u * 8 + 8 + x] ?? 0);
    }
    to[toAt + x * step] = even + odd;
    to[toAt + (7 - x) * step] = even - odd;
  }
};

/**
 * Computes the inverse DCT of one dequantised block in floating point. Nothing is rounded here: the caller rounds once, so no bias builds up.
 * @param block 64 coefficients in natural order; overwritten with samples before the level shift
 */
export const inverseDct = (block: Float64Array): void => {
  let flat = true;
  for (let index = 1; index < 64 && flat; index++) flat = block[index] === 0;
  if (flat) {
    block.fill((block[0] ?? 0) / 8);
    return;
  }
  for (let column = 0; column < 8; column++) transformLine(block, column, temporary, column, 8);
  for (let row = 0; row < 8; row++) transformLine(temporary, row * 8, block, row * 8, 1);
};
