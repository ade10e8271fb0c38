import { crc32, deflateRawSync } from 'node:zlib';

/** Writes zips, including malformed ones. */
export interface ZipPart {
  readonly name: string | Buffer;
  readonly bytes?: Uint8Array;
  readonly stored?: boolean;
  /** Values of the central directory that differ from the actual ones. */
  readonly claims?: {
    readonly size?: number;
    readonly packed?: number;
    readonly crc32?: number;
    readonly offset?: number;
    readonly method?: number;
  };
  readonly flags?: number;
  /** A Unix mode, such as 0o120777 of a link. */
  readonly mode?: number;
  readonly extra?: Buffer;
}

export const utf8 = 0x800;
export const encrypted = 1;

const numbers = (...fields: readonly (readonly [2 | 4 | 8, number])[]): Buffer => {
  const out = Buffer.alloc(fields.reduce((sum, [size]) => sum + size, 0));
  let at = 0;
  for (const [size, value] of fields) {
    if (size === 2) out.writeUInt16LE(value & 0xffff, at);
    else if (size === 4) out.writeUInt32LE(value >>> 0, at);
    else out.writeBigUInt64LE(BigInt(value), at);
    at += size;
  }
  return out;
};

const prepared = (part: ZipPart) => {
  const bytes = Buffer.from(part.bytes ?? []);
  const packed = part.stored ? bytes : deflateRawSync(bytes);
  const name = typeof part.name === 'string' ? Buffer.from(part.name) : part.name;
  const isAscii = typeof part.name !== 'string' || name.length === part.name.length;
  return { bytes, packed, name, flags: part.flags ?? (isAscii ? 0 : utf8), extra: part.extra ?? Buffer.alloc(0) };
};

/** Info-ZIP Unicode Path Extra Field (APPNOTE.TXT 4.6.9). */
export const unicodePath = (name: Buffer, unicode: string): Buffer => {
  const path = Buffer.from(unicode);
  return Buffer.concat([numbers([2, 0x7075], [2, 5 + path.length]), Buffer.of(1), numbers([4, crc32(name)]), path]);
};

export interface ZipEnd {
  /** Declared values of the end of the directory. */
  readonly entries?: number;
  readonly offset?: number;
  /** Sizes, offsets and the count in 64 bits; `zip64At`: declared offset of the end of the directory. */
  readonly zip64?: boolean;
  readonly zip64At?: number;
}

const most32 = 0xffffffff;

export const zipOf = (parts: readonly ZipPart[], end: ZipEnd = {}): Buffer => {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const { bytes, packed, name, flags, extra } = prepared(part);
    const { claims = {} } = part;
    const method = claims.method ?? (part.stored ? 0 : 8);
    const checksum = claims.crc32 ?? crc32(bytes);
    const [size, packedSize] = [claims.size ?? bytes.length, claims.packed ?? packed.length];
    const at = claims.offset ?? offset;
    const wide = end.zip64 ? numbers([2, 1], [2, 24], [8, size], [8, packedSize], [8, at]) : Buffer.alloc(0);
    const local = Buffer.concat([
      numbers([4, 0x04034b50], [2, 45], [2, flags], [2, method], [2, 0], [2, 0x21], [4, checksum]),
      numbers([4, packedSize], [4, size], [2, name.length], [2, 0]),
      name,
      packed,
    ]);
    directory.push(
      Buffer.concat([
        numbers([4, 0x02014b50], [2, 0x031e], [2, 45], [2, flags], [2, method], [2, 0], [2, 0x21], [4, checksum]),
        numbers([4, end.zip64 ? most32 : packedSize], [4, end.zip64 ? most32 : size]),
        numbers([2, name.length], [2, wide.length + extra.length], [2, 0], [2, 0], [2, 0]),
        numbers([4, (part.mode ?? 0o100644) * 0x10000], [4, end.zip64 ? most32 : at]),
        name,
        wide,
        extra,
      ]),
    );
    locals.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const count = end.entries ?? parts.length;
  const start = end.offset ?? offset;
  const zip64 = Buffer.concat([
    numbers([4, 0x06064b50], [8, 44], [2, 45], [2, 45], [4, 0], [4, 0], [8, count], [8, count], [8, list.length]),
    numbers([8, start]),
    numbers([4, 0x07064b50], [4, 0], [8, end.zip64At ?? offset + list.length], [4, 1]),
  ]);
  return Buffer.concat([
    ...locals,
    list,
    ...(end.zip64 ? [zip64] : []),
    numbers([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, list.length]),
    numbers([4, end.zip64 ? most32 : start], [2, 0]),
  ]);
};
