/** Side that the teeth lie on: R (quadrants 1 and 4), L (2 and 3), B for both (DICOM PS3.3 C.8.11.9). */
export const lateralityOf = (teeth: readonly number[]): 'R' | 'L' | 'B' => {
  const right = teeth.some((tooth) => [1, 4].includes(Math.floor(tooth / 10)));
  const left = teeth.some((tooth) => [2, 3].includes(Math.floor(tooth / 10)));
  return right && left ? 'B' : right ? 'R' : left ? 'L' : 'B';
};
