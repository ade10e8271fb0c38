import { describe, expect, it } from 'vitest';
import { cleanedFragments } from '../../dicom/deidentify/cleaned-fragments.ts';
import { deidentify } from '../../dicom/deidentify/deidentify.ts';
import { type DicomFile, readDicomFile } from '../../dicom/file.ts';
import { bytesOf, element, encapsulated, explicitLittle, part10 } from './build-dicom.ts';
import { chunked, found, image, latin1, options } from './deidentify-files.ts';

/** A marker segment of a JPEG or JPEG 2000 codestream. */
const segment = (marker: number, content: Uint8Array | readonly number[] | string): Uint8Array => {
  const body = bytesOf(content);
  return bytesOf([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 0xff], body);
};
const scan = bytesOf(segment(0xda, [1, 1, 0, 0, 63, 0]), [1, 2, 0xff, 0, 3, 0xff, 0xd0, 4]);

const jpeg = (hidden: string, end: Uint8Array | string = '') =>
  bytesOf(
    [0xff, 0xd8],
    segment(0xe0, bytesOf('JFIF\0', [1, 1, 0, 0, 1, 0, 1, 1, 1], hidden)),
    segment(0xe1, `Exif\0\0${hidden}`),
    segment(0xfe, hidden),
    segment(0xee, bytesOf('Adobe', [0, 100, 0, 0, 0, 0, 1], hidden)),
    segment(0xdb, [0, 1, 2]),
    scan,
    segment(0xfe, hidden),
    scan,
    [0xff, 0xd9],
    end,
  );

const jpeg2000 = (hidden: string, end: Uint8Array | string = '', tileBytes = true) => {
  const tileHeader = segment(0x64, bytesOf([0, 1], hidden));
  const data = bytesOf([0xff, 0x93], [1, 2, 3]);
  const length = tileBytes ? 12 + tileHeader.length + data.length : 0;
  return bytesOf(
    [0xff, 0x4f],
    segment(0x51, [0, 0]),
    segment(0x64, bytesOf([0, 1], hidden)),
    segment(0x90, [0, 0, 0, 0, 0, length, 0, 1]),
    tileHeader,
    data,
    [0xff, 0xd9],
    end,
  );
};

const cleaned = async (bytes: Uint8Array, size = 7): Promise<Uint8Array> => {
  const file: DicomFile = readDicomFile(bytes);
  const { start, pixels, description } = deidentify(file, options);
  const parts = [start];
  const source = chunked(bytes.subarray(pixels.offset), size);
  for await (const part of cleanedFragments(source, description)) parts.push(part);
  return bytesOf(...parts);
};

const compressed = (syntaxUid: string, table: readonly number[], fragments: readonly Uint8Array[], frames = 1) => {
  const pixelData = bytesOf(encapsulated(table, fragments), element(0xfffcfffc, 'OB', 'Hemlig'));
  const numberOfFrames = element(0x00280008, 'IS', String(frames));
  return part10(
    image(explicitLittle, [
      [0x00280008, numberOfFrames],
      [0x7fe00010, pixelData],
    ]),
    syntaxUid,
  );
};
const jpegUid = '1.2.840.10008.1.2.4.50';
const fragmentsOf = (bytes: Uint8Array) => {
  const { dataSet } = readDicomFile(bytes);
  return dataSet.elements
    .get(0x7fe00010)
    ?.fragments?.map(({ offset, length }) => dataSet.source.bytes.slice(offset, offset + length));
};

describe('compressed pixel data', () => {
  it('are passed on byte for byte when they hold nothing but the image', async () => {
    const plain = bytesOf([0xff, 0xd8], segment(0xdb, [0, 1, 2]), scan, [0xff, 0xd9]);
    const bytes = compressed(jpegUid, [0], [plain]);
    expect(fragmentsOf(await cleaned(bytes))).toEqual(fragmentsOf(bytes));
  });

  it('keep length, coding segments and colour transform, and lose comments, EXIF, thumbnails and what follows', async () => {
    const bytes = compressed(jpegUid, [0], [jpeg('Hemlig', 'Hemlig')]);
    const copy = await cleaned(bytes);
    expect(found(copy)).toEqual([]);
    const zeros = '\0'.repeat(6);
    const expected = bytesOf(
      [0xff, 0xd8],
      segment(0xe0, bytesOf('JFIF\0', [1, 1, 0, 0, 1, 0, 1, 0, 0], zeros)),
      segment(0xe1, '\0'.repeat(12)),
      segment(0xfe, zeros),
      segment(0xee, bytesOf('Adobe', [0, 100, 0, 0, 0, 0, 1], zeros)),
      segment(0xdb, [0, 1, 2]),
      scan,
      segment(0xfe, zeros),
      scan,
      [0xff, 0xd9],
      zeros,
    );
    expect(Buffer.from(fragmentsOf(copy)?.[1] ?? []).subarray(0, expected.length)).toEqual(Buffer.from(expected));
  });

  it('are cleaned when a segment goes over the end of a fragment, and in every frame', async () => {
    const frame = jpeg('Hemlig');
    for (let cut = 4; cut < frame.length; cut += 2) {
      const bytes = compressed(jpegUid, [], [frame.subarray(0, cut), frame.subarray(cut), frame], 2);
      const copy = await cleaned(bytes);
      expect(found(copy), `cut at ${cut}`).toEqual([]);
      expect(fragmentsOf(copy)?.map(({ length }) => length)).toEqual(fragmentsOf(bytes)?.map(({ length }) => length));
    }
  });

  it.each([
    ['with the length of its tile-part', true],
    ['without it', false],
  ])('of JPEG 2000 lose comments of all headers, %s', async (_, tileBytes) => {
    const bytes = compressed('1.2.840.10008.1.2.4.90', [0], [jpeg2000('Hemlig', 'Hemlig', tileBytes)]);
    const copy = await cleaned(bytes);
    expect(found(copy)).toEqual([]);
    const zeros = '\0'.repeat(6);
    const expected = jpeg2000(zeros, zeros, tileBytes);
    expect(Buffer.from(fragmentsOf(copy)?.[1] ?? []).subarray(0, expected.length)).toEqual(Buffer.from(expected));
  });

  it('of RLE keep their values and lose what is in unused bits, unused offsets and beside segments', async () => {
    const header = (hidden: string, ...offsets: readonly number[]) => {
      const start = new Uint8Array(64);
      new DataView(start.buffer).setUint32(0, 2, true);
      offsets.forEach((offset, index) => {
        new DataView(start.buffer).setUint32(4 + 4 * index, offset, true);
      });
      start.set(latin1(hidden), 12);
      return start;
    };
    // Six pixels of two bytes: a run of four and two literal values; then no operation and six, and one too many.
    const frame = (hidden: string, high: number, more: number) => {
      const upper = bytesOf([253, 0x05 | high, 1, 0x06 | high, 0x07 | high]);
      const lower = bytesOf([128, 6, 1, 2, 3, 4, 5, 6, more]);
      return bytesOf(header(hidden, 70, 81), hidden, upper, hidden, lower, hidden);
    };
    const rle = (bytes: Uint8Array) => compressed('1.2.840.10008.1.2.5', [0], [bytes]);
    const copy = await cleaned(rle(frame('Hemlig', 0x40, 0x48)));
    expect(fragmentsOf(copy)).toEqual(fragmentsOf(rle(frame('\0'.repeat(6), 0, 0))));
    await expect(cleaned(rle(bytesOf(header('', 64, 66), [253, 1, 1, 2, 3], [250, 1])))).rejects.toThrow('malformed');
    await expect(cleaned(rle(bytesOf(header('', 64, 66), [250, 1], [252, 1])))).rejects.toThrow('truncated');
    await expect(cleaned(rle(latin1('Hemlig')))).rejects.toThrow('malformed');
  });

  it('of JPEG 2000 end at the first end of the codestream', async () => {
    const bytes = compressed('1.2.840.10008.1.2.4.90', [0], [jpeg2000('', bytesOf('Hemlig', [0xff, 0xd9]), false)]);
    expect(found(await cleaned(bytes))).toEqual([]);
  });

  it.each<[string, string, readonly number[], readonly Uint8Array[]]>([
    ['a JPEG 2000 file with boxes', '1.2.840.10008.1.2.4.90', [], [latin1('\0\0\0\fjP  Hemlig')]],
    ['an unknown segment of JPEG 2000', '1.2.840.10008.1.2.4.90', [], [bytesOf([0xff, 0x4f], segment(0x30, 'Hemlig'))]],
    ['more frames than the image has', jpegUid, [], [jpeg(''), jpeg('')]],
    [
      'text in a scan header',
      jpegUid,
      [],
      [bytesOf([0xff, 0xd8], segment(0xda, bytesOf([1, 1, 0, 0, 63, 0], 'Hemlig')))],
    ],
    [
      'text in a frame header',
      jpegUid,
      [],
      [bytesOf([0xff, 0xd8], segment(0xc0, bytesOf([8, 0, 2, 0, 3, 0], 'Hemlig')))],
    ],
    ['text in a restart interval', jpegUid, [], [bytesOf([0xff, 0xd8], segment(0xdd, bytesOf([0, 0], 'Hemlig')))]],
    [
      'text in tables of JPEG-LS',
      '1.2.840.10008.1.2.4.80',
      [],
      [bytesOf([0xff, 0xd8], segment(0xf8, bytesOf([2, 1, 1], 'Hemlig')))],
    ],
    ['a segment that goes over the end', jpegUid, [], [bytesOf([0xff, 0xd8, 0xff, 0xfe, 9, 9], 'Hemlig')]],
    ['bytes between segments', jpegUid, [], [bytesOf([0xff, 0xd8], 'Hemlig')]],
    ['a table of text', jpegUid, [0x48656d6c, 0x69670000], [jpeg('')]],
    ['a table with text after its first entry', jpegUid, [0, 0x48656d6c], [jpeg('')]],
  ])('with %s are rejected', async (_, uid, table, fragments) => {
    await expect(cleaned(compressed(uid, table, fragments))).rejects.toThrow();
  });

  it('that end too early are rejected', async () => {
    const bytes = compressed(jpegUid, [0], [jpeg('')]);
    await expect(cleaned(bytes.subarray(0, bytes.length - 40))).rejects.toThrow('truncated');
  });
});
