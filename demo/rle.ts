/** PackBits of one row (DICOM PS3.5 G.3.1): literal runs of 1-128 bytes, repeat runs of 2-128. */
const packRow = (row: Uint8Array, out: Uint8Array, start: number): number => {
  let at = start;
  let from = 0;
  while (from < row.length) {
    let run = 1;
    while (run < 128 && from + run < row.length && row[from + run] === row[from]) run++;
    if (run >= 3) {
      out[at++] = 257 - run;
      out[at++] = row[from] ?? 0;
      from += run;
      continue;
    }
    let end = from;
    while (end < row.length && end - from < 128) {
      if (row[end] === row[end + 1] && row[end] === row[end + 2] && end + 2 < row.length) break;
      end++;
    }
    out[at++] = end - from - 1;
    out.set(row.subarray(from, end), at);
    at += end - from;
    from = end;
  }
  return at;
};

/**
 * One frame as DICOM RLE (PS3.5 annex G): a header of sixteen words, then one segment per byte of a sample, most significant
 * first. Rows are packed one by one, as G.3.1 asks. `bytes` holds little endian samples of `bytesPerSample` bytes.
 */
export const encodeRle = (bytes: Uint8Array, columns: number, bytesPerSample: 1 | 2 | 3): Uint8Array => {
  const samples = bytes.length / bytesPerSample;
  const out = new Uint8Array(64 + bytesPerSample * (samples + Math.ceil(samples / 64) + (samples / columns) * 2 + 2));
  const header = new DataView(out.buffer);
  header.setUint32(0, bytesPerSample, true);
  const row = new Uint8Array(columns);
  let at = 64;
  for (let segment = 0; segment < bytesPerSample; segment++) {
    header.setUint32(4 + 4 * segment, at, true);
    // Two bytes are one little endian number, whose high byte comes first; three are red, green and blue.
    const plane = bytesPerSample === 3 ? segment : bytesPerSample - 1 - segment;
    for (let start = 0; start < samples; start += columns) {
      for (let column = 0; column < columns; column++)
        row[column] = bytes[(start + column) * bytesPerSample + plane] ?? 0;
      at = packRow(row, out, at);
    }
    at += at % 2;
  }
  return out.slice(0, at);
};
