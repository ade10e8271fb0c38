interface TiffPage {
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  /** Bytes of the one strip, in the byte order of the file. */
  readonly strip: Buffer;
  /** Further entries: tag and LONG value. They replace the usual ones. */
  readonly tags?: Readonly<Record<number, number>>;
}

/** Writes an uncompressed grey TIFF (TIFF 6.0) of one page, or of this many equal ones. */
export const tiffOf = (page: TiffPage, { little = true, pages = 1 } = {}): Buffer => {
  const head = Buffer.from(little ? '49492a0000000000' : '4d4d002a00000000', 'hex');
  const writer = (buffer: Buffer) => ({
    short: (value: number, at: number) => (little ? buffer.writeUInt16LE(value, at) : buffer.writeUInt16BE(value, at)),
    long: (value: number, at: number) => (little ? buffer.writeUInt32LE(value, at) : buffer.writeUInt32BE(value, at)),
  });
  const stripAt = head.length;
  const entries = Object.entries({
    256: page.width,
    257: page.height,
    258: page.bits,
    259: 1,
    262: 1,
    273: stripAt,
    277: 1,
    278: page.height,
    279: page.strip.length,
    ...page.tags,
  });
  const directoryBytes = 2 + entries.length * 12 + 4;
  const directoryAt = (index: number): number => stripAt + page.strip.length + index * directoryBytes;
  const directories = Array.from({ length: pages }, (_, index) => {
    const directory = Buffer.alloc(directoryBytes);
    const { short, long } = writer(directory);
    short(entries.length, 0);
    for (const [order, [tag, value]] of entries.entries()) {
      const at = 2 + order * 12;
      short(Number(tag), at);
      short(4, at + 2);
      long(1, at + 4);
      long(value, at + 8);
    }
    long(index + 1 < pages ? directoryAt(index + 1) : 0, directoryBytes - 4);
    return directory;
  });
  writer(head).long(directoryAt(0), 4);
  return Buffer.concat([head, page.strip, ...directories]);
};
