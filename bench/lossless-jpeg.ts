/** Lengths of the codes of the 17 sizes of a difference, the most frequent first: legal for any order (their Kraft sum stays below 1). */
const lengths = [2, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 16];

const segment = (marker: number, body: readonly number[]): number[] => {
  const length = body.length + 2;
  return [0xff, marker, length >> 8, length & 255, ...body];
};

/** Greyscale lossless JPEG of 16 bits (T.81 process 14); selection value 1 makes it one of DICOM's .70. */
export const encodeLosslessJpeg = (
  pixels: Uint16Array,
  columns: number,
  rows: number,
  predictor: 1 | 7,
): Uint8Array => {
  const predicted = (at: number): number => {
    const column = at % columns;
    const left = pixels[at - 1] ?? 0;
    if (at < columns) return column === 0 ? 32768 : left;
    const above = pixels[at - columns] ?? 0;
    if (column === 0) return above;
    return predictor === 1 ? left : (left + above) >> 1;
  };
  const differences = Int32Array.from(pixels, (value, at) => {
    const wrapped = (value - predicted(at)) & 0xffff;
    return wrapped > 32768 ? wrapped - 65536 : wrapped;
  });
  const sizeOf = (value: number) => 32 - Math.clz32(Math.abs(value));
  const counts = new Array<number>(17).fill(0);
  for (const value of differences) counts[sizeOf(value)] = (counts[sizeOf(value)] ?? 0) + 1;
  const order = counts.map((_, size) => size).sort((one, other) => (counts[other] ?? 0) - (counts[one] ?? 0));
  const codes = new Map<number, { readonly code: number; readonly length: number }>();
  let code = 0;
  order.forEach((size, index) => {
    const length = lengths[index] ?? 16;
    code <<= length - (lengths[index - 1] ?? length);
    codes.set(size, { code: code++, length });
  });

  const out = new Uint8Array(pixels.length * 8 + 1024);
  let end = 0;
  let bits = 0;
  let count = 0;
  const write = (value: number, length: number) => {
    bits = (bits << length) | value;
    for (count += length; count >= 8; count -= 8) {
      const byte = (bits >>> (count - 8)) & 255;
      out[end++] = byte;
      if (byte === 255) out[end++] = 0;
    }
    bits &= (1 << count) - 1;
  };
  const header = [
    0xff,
    0xd8,
    ...segment(0xc4, [
      0,
      ...Array.from({ length: 16 }, (_, at) => lengths.filter((each) => each === at + 1).length),
      ...order,
    ]),
    ...segment(0xc3, [16, rows >> 8, rows & 255, columns >> 8, columns & 255, 1, 1, 0x11, 0]),
    ...segment(0xda, [1, 1, 0, predictor, 0, 0]),
  ];
  out.set(header);
  end = header.length;
  for (const value of differences) {
    const size = sizeOf(value);
    const word = codes.get(size);
    if (!word) throw new Error('no code');
    write(word.code, word.length);
    if (size < 16) write(value < 0 ? value + (1 << size) - 1 : value, size);
  }
  while (count > 0) write(1, 1);
  out.set([0xff, 0xd9], end);
  return out.slice(0, end + 2);
};
