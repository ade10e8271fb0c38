const signature = [0, 0, 0, 12, 0x4a, 0x58, 0x4c, 0x20];
/** Width by height of the aspect ratios that a header can name (ISO/IEC 18181-1, SizeHeader). */
const ratios = [
  [1, 1],
  [12, 10],
  [4, 3],
  [3, 2],
  [16, 9],
  [5, 4],
  [2, 1],
] as const;

/** Returns where the codestream begins: at once, or in a box of a container (ISO/IEC 18181-2). -1: nowhere. */
const startOfCodestream = (bytes: Uint8Array): number => {
  if (!signature.every((byte, index) => bytes[index] === byte)) return 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + 16 <= bytes.length; ) {
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const length = view.getUint32(at);
    const isLong = length === 1;
    const content = at + (isLong ? 16 : 8);
    if (type === 'jxlc') return content;
    // A part begins with its number.
    if (type === 'jxlp') return content + 4;
    const end = isLong ? at + Number(view.getBigUint64(at + 8)) : at + length;
    if (end < content) return -1;
    at = end;
  }
  return -1;
};

/** Reads bits, the lowest of each byte first; zeros behind the end. */
const bitReader = (bytes: Uint8Array, from: number) => {
  let at = from * 8;
  return (count: number): number => {
    let value = 0;
    for (let index = 0; index < count; index += 1, at += 1)
      value += (((bytes[at >> 3] ?? 0) >> (at & 7)) & 1) * 2 ** index;
    return value;
  };
};

/** Returns the size of a JPEG XL picture from its header; null when the bytes are none. */
export const readJpegXlSize = (bytes: Uint8Array): { readonly rows: number; readonly columns: number } | null => {
  const start = startOfCodestream(bytes);
  if (start < 0 || bytes[start] !== 0xff || bytes[start + 1] !== 0x0a) return null;
  const bits = bitReader(bytes, start + 2);
  const isSmall = bits(1) === 1;
  const side = () => (isSmall ? 8 * (1 + bits(5)) : 1 + bits([9, 13, 18, 30][bits(2)] ?? 0));
  const rows = side();
  const ratio = ratios[bits(3) - 1];
  return { rows, columns: ratio ? Math.floor((rows * ratio[0]) / ratio[1]) : side() };
};
