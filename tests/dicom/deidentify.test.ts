import { describe, expect, it } from 'vitest';
import { cleanedSamples } from '../../dicom/deidentify/clean-samples.ts';
import { cleanedFragments } from '../../dicom/deidentify/cleaned-fragments.ts';
import { deidentify, mayHaveBurnedInText } from '../../dicom/deidentify/deidentify.ts';
import { directoryKeysOf } from '../../dicom/directory-keys.ts';
import { type DicomFile, readDicomFile } from '../../dicom/file.ts';
import { summarise } from '../../dicom/identity.ts';
import { DicomProblem } from '../../dicom/problem.ts';
import { smallObject } from '../server/small-object.ts';
import {
  bytesOf,
  element,
  encapsulated,
  explicitBig,
  explicitLittle,
  implicitLittle,
  item,
  openItem,
  openSequence,
  part10,
  type Syntax,
  us,
  words,
} from './build-dicom.ts';

/** What must never be in a copy: a name, a personal number, a birth date, a comment, a clinic, an operator. */
const secrets = ['HEMLIG', 'Hemlig', '198001011234', '19800101', '19800101-1234', 'Kommentar', 'Kliniken', 'Operatör'];
const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

const textVrs = ['AE', 'AS', 'CS', 'DA', 'DS', 'DT', 'IS', 'LO', 'LT', 'PN', 'SH', 'ST', 'TM', 'UC', 'UI', 'UR', 'UT'];
const byteVrs = ['OB', 'OW', 'OF', 'OD', 'UN', 'US', 'UL', 'FL', 'AT'];
const syntaxes: Readonly<Record<string, readonly [Syntax, string]>> = {
  'explicit little endian': [explicitLittle, '1.2.840.10008.1.2.1'],
  'implicit little endian': [implicitLittle, '1.2.840.10008.1.2'],
  'explicit big endian': [explicitBig, '1.2.840.10008.1.2.2'],
};

const replaced = new Map<string, string>();
const replaceUid = (uid: string): string => {
  const known = replaced.get(uid) ?? `2.25.${replaced.size + 1}`;
  replaced.set(uid, known);
  return known;
};
const options = { pseudonym: 'ANON001', replaceUid };

const chunked = async function* (bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
};

/** The whole copy of a file with native pixels. */
const copyOf = async (bytes: Uint8Array): Promise<Uint8Array> => {
  const file = readDicomFile(bytes);
  const { start, pixels, description } = deidentify(file, options);
  const { offset, lengthBytes } = pixels;
  if (lengthBytes === null) throw new Error('the pixels are compressed');
  const parts = [start];
  const source = chunked(file.dataSet.source.bytes.subarray(offset, offset + lengthBytes), 3);
  for await (const part of cleanedSamples(source, description)) parts.push(part);
  return bytesOf(...parts, new Uint8Array(lengthBytes % 2));
};

const found = (bytes: Uint8Array): string[] => {
  const text = Buffer.from(bytes).toString('latin1');
  const utf8 = (secret: string) => Buffer.from(secret).toString('latin1');
  return secrets.filter((secret) => text.includes(secret) || text.includes(utf8(secret)));
};

const pixels = Uint8Array.from({ length: 12 }, (_, index) => index);

const image = (syntax: Syntax, more: readonly (readonly [number, Uint8Array])[] = []): Uint8Array => {
  const elements: (readonly [number, Uint8Array])[] = [
    [0x00080016, element(0x00080016, 'UI', '1.2.840.10008.5.1.4.1.1.1.3', syntax)],
    [0x00080018, element(0x00080018, 'UI', '1.2.3', syntax)],
    [0x0020000d, element(0x0020000d, 'UI', '1.2.4', syntax)],
    [0x0020000e, element(0x0020000e, 'UI', '1.2.5', syntax)],
    [0x00280002, us(0x00280002, 1, syntax)],
    [0x00280004, element(0x00280004, 'CS', 'MONOCHROME2', syntax)],
    [0x00280010, us(0x00280010, 2, syntax)],
    [0x00280011, us(0x00280011, 3, syntax)],
    [0x00280100, us(0x00280100, 16, syntax)],
    [0x00280101, us(0x00280101, 12, syntax)],
    [0x00280102, us(0x00280102, 11, syntax)],
    [0x00280103, us(0x00280103, 0, syntax)],
    [0x7fe00010, element(0x7fe00010, 'OW', pixels, syntax)],
  ];
  const byTag = new Map([...elements, ...more]);
  return bytesOf(
    ...Array.from(byTag)
      .sort(([one], [other]) => one - other)
      .map(([, bytes]) => bytes),
  );
};

/** Every element that can be kept, and others, with each secret in each VR; also in sequences, private and unknown elements. */
const abusedElements = (secret: string, vr: string, syntax: Syntax): (readonly [number, Uint8Array])[] => {
  const value = latin1(secret);
  const of = (tag: number) => element(tag, vr, value, syntax);
  const tags = [
    0x00080008, 0x00080020, 0x00080023, 0x00080050, 0x00080060, 0x00080070, 0x00080080, 0x00080090, 0x00081030,
    0x0008103e, 0x00081070, 0x00100010, 0x00100020, 0x00100030, 0x00100040, 0x00101000, 0x00104000, 0x00120010,
    0x00180015, 0x00180060, 0x00181000, 0x00181030, 0x00185101, 0x00187004, 0x00200010, 0x00200011, 0x00200013,
    0x00200020, 0x00200032, 0x00200052, 0x00204000, 0x00280009, 0x00280120, 0x00280301, 0x00281101, 0x00281050,
    0x00281054, 0x00281055, 0x00282000, 0x00321060, 0x00400244, 0x00402400, 0x20500020, 0x60004000, 0x50002500,
    0x00090010, 0x00091001, 0x7fdf1000, 0x00081111, 0x00091002, 0x00400275,
  ];
  const sequence = (tag: number, inside: Uint8Array): readonly [number, Uint8Array] => [
    tag,
    openSequence(tag, [openItem(inside, syntax), item(inside, syntax)], syntax),
  ];
  const nested = bytesOf(
    of(0x00080080),
    of(0x00080104),
    of(0x00091001),
    of(0x00209157),
    of(0x00283002),
    of(0x00283003),
    of(0x00283004),
  );
  const twice = bytesOf(of(0x00080100), openSequence(0x00081115, [openItem(nested, syntax)], syntax), nested);
  return [
    ...tags.map((tag) => [tag, of(tag)] as const),
    sequence(0x00081140, nested),
    sequence(0x00082218, twice),
    sequence(0x00082228, twice),
    sequence(0x00091010, nested),
    sequence(0x00283010, twice),
    sequence(0x00400555, nested),
    sequence(0x52009229, bytesOf(openSequence(0x00289110, [openItem(nested, syntax)], syntax))),
    [0xfffcfffc, element(0xfffcfffc, 'OB', value, syntax)],
  ];
};

describe.each(Object.entries(syntaxes))('a copy in %s', (_, [syntax, uid]) => {
  it.each([...textVrs, ...byteVrs])('has no identifying value that a file has in elements of VR %s', async (vr) => {
    for (const secret of secrets) {
      const bytes = part10(image(syntax, abusedElements(secret, vr, syntax)), uid);
      expect(found(bytes), 'the file has them').toContain(secret);
      expect(found(await copyOf(bytes)), secret).toEqual([]);
    }
  });

  it('has the same pixel bytes and image attributes', async () => {
    const bytes = part10(image(syntax), uid);
    const copy = readDicomFile(await copyOf(bytes));
    expect(copy.transferSyntaxUid).toBe(uid);
    expect(copy.dataSet.bytes(0x7fe00010)).toEqual(pixels);
    expect([copy.dataSet.number(0x00280010, 'US'), copy.dataSet.number(0x00280101, 'US')]).toEqual([2, 12]);
    expect(copy.dataSet.code(0x00280004)).toBe('MONOCHROME2');
  });
});

const rich = () =>
  smallObject({
    ImageType: ['ORIGINAL', 'PRIMARY', 'PANORAMIC', 'HEMLIG'],
    StudyTime: '101500',
    ContentDate: '20260312',
    SeriesDate: '20260312',
    AccessionNumber: 'A1',
    Manufacturer: 'Kliniken',
    PatientSex: 'F',
    PatientAge: '046Y',
    PatientOrientation: ['L', 'F'],
    FrameOfReferenceUID: '1.2.3.4',
    BodyPartExamined: 'JAW',
    KVP: 65,
    ImagerPixelSpacing: [0.0275, 0.0275],
    WindowCenter: 2047.5,
    RescaleType: 'HU',
    BurnedInAnnotation: 'NO',
    AnatomicRegionSequence: [{ CodeValue: 'T-D1213', CodingSchemeDesignator: 'SRT', CodeMeaning: 'Hemlig' }],
    PrimaryAnatomicStructureSequence: [
      { CodeValue: '866006002', CodingSchemeDesignator: 'SCT', CodeMeaning: 'Hemlig' },
      { CodeValue: '1234567', CodingSchemeDesignator: 'SCT', CodeMeaning: 'Hemlig' },
    ],
  });

describe('the basic profile', async () => {
  const { dataSet, meta } = readDicomFile(await copyOf(rich()));

  it('removes dates and texts, and empties those that an image must have', () => {
    expect(summarise({ dataSet, meta, transferSyntaxUid: '', transferSyntaxGuessed: false })).toMatchObject({
      patient: { id: 'ANON001', name: 'ANON001', birthDate: null, sex: null, comments: null },
      study: { id: null, date: null, time: null, description: null, accessionNumber: null },
      series: { number: 1, modality: 'IO', description: null },
      instance: { number: 1, comments: null, acquiredDate: null, acquiredTime: null },
      equipment: { manufacturer: null, model: null, institution: null },
    });
    for (const emptied of [0x00080020, 0x00080023, 0x00080050, 0x00080070, 0x00100030, 0x00100040])
      expect(dataSet.elements.get(emptied)?.length).toBe(0);
    for (const removed of [0x00080021, 0x00081030, 0x0008103e, 0x00101010])
      expect(dataSet.elements.has(removed)).toBe(false);
  });

  it('keeps what an image means', () => {
    expect(dataSet.codes(0x00080008)).toEqual(['ORIGINAL', 'PRIMARY', 'PANORAMIC']);
    expect(dataSet.codes(0x00200020)).toEqual(['L', 'F']);
    expect(dataSet.numbers(0x00181164, 'DS')).toEqual([0.0275, 0.0275]);
    expect(dataSet.number(0x00281050, 'DS')).toBe(2047.5);
    expect([dataSet.code(0x00180015), dataSet.code(0x00281054), dataSet.code(0x00280301)]).toEqual(['JAW', 'HU', 'NO']);
    expect(summarise({ dataSet, meta, transferSyntaxUid: '', transferSyntaxGuessed: false }).instance).toMatchObject({
      teeth: [36],
      anatomicRegion: 'Jaw region',
    });
    expect(dataSet.sequence(0x00082228)).toHaveLength(1);
  });

  it('replaces UIDs, also in the meta information, but not those of the standard', () => {
    expect(dataSet.code(0x00080016)).toBe('1.2.840.10008.5.1.4.1.1.1.1');
    expect(meta?.code(0x00020002)).toBe('1.2.840.10008.5.1.4.1.1.1.1');
    expect(dataSet.code(0x00080018)).toBe(options.replaceUid('2.25.1001'));
    expect(meta?.code(0x00020003)).toBe(options.replaceUid('2.25.1001'));
    expect(dataSet.code(0x0020000d)).toBe(options.replaceUid('2.25.1002'));
    expect(dataSet.code(0x0020000e)).toBe(options.replaceUid('2.25.1003'));
    expect(dataSet.code(0x00200052)).toBe(options.replaceUid('1.2.3.4'));
  });

  it('states that and how the identity was removed', () => {
    expect(dataSet.code(0x00120062)).toBe('YES');
    expect(dataSet.text(0x00120063)).toContain('Basic Application Confidentiality Profile');
    const [method] = dataSet.sequence(0x00120064);
    expect([method?.code(0x00080100), method?.code(0x00080102)]).toEqual(['113100', 'DCM']);
    expect(dataSet.code(0x00280303)).toBe('REMOVED');
    const file = { dataSet, meta, transferSyntaxUid: '1.2.840.10008.1.2.1', transferSyntaxGuessed: false };
    expect(() => directoryKeysOf(file)).not.toThrow();
  });

  it('gives dates to enhanced objects, which must have them', async () => {
    const functional = openSequence(0x52009229, [openItem(element(0x00189074, 'DT', '20260312101500'))]);
    const enhanced = image(explicitLittle, [
      [0x00080023, element(0x00080023, 'DA', '20260312')],
      [0x52009229, functional],
    ]);
    const copy = readDicomFile(await copyOf(part10(enhanced))).dataSet;
    expect(copy.code(0x00080023)).toBe('19000101');
    expect(copy.sequence(0x52009229)[0]?.code(0x00189074)).toBe('19000101000000');
  });

  it('drops pixel bytes behind those of the image', async () => {
    const long = [0x7fe00010, element(0x7fe00010, 'OW', bytesOf(pixels, 'Hemlig'))] as const;
    expect(readDicomFile(await copyOf(part10(image(explicitLittle, [long])))).dataSet.bytes(0x7fe00010)).toEqual(
      pixels,
    );
  });

  it.each([
    ['2 Hemlig', 2, 24],
    ['1.9', 1, 12],
  ])('states the frames that it has, where a file says %s', async (text, frames, length) => {
    const bytes = image(explicitLittle, [
      [0x00280008, element(0x00280008, 'IS', text)],
      [0x7fe00010, element(0x7fe00010, 'OW', bytesOf(pixels, pixels, pixels))],
    ]);
    const { dataSet } = readDicomFile(await copyOf(part10(bytes)));
    expect([dataSet.code(0x00280008), dataSet.bytes(0x7fe00010)?.length]).toEqual([String(frames), length]);
  });

  it.each(Object.entries(syntaxes))('empties the bits outside Bits Stored, in %s', async (_, [syntax, uid]) => {
    const hidden = words([0x4abc, 0x6def, 0xf123, 0x1234, 0, 0xffff], syntax);
    const copied = async (representation: number) => {
      const bytes = image(syntax, [
        [0x00280103, us(0x00280103, representation, syntax)],
        [0x7fe00010, element(0x7fe00010, 'OW', hidden, syntax)],
      ]);
      return readDicomFile(await copyOf(part10(bytes, uid))).dataSet.words(0x7fe00010);
    };
    expect([...(await copied(0))]).toEqual([0x0abc, 0x0def, 0x0123, 0x0234, 0, 0x0fff]);
    // The sign bit goes on above.
    expect([...(await copied(1))]).toEqual([0xfabc, 0xfdef, 0x0123, 0x0234, 0, 0xffff]);
  });

  const lutOf = (count: number, data: Uint8Array) =>
    bytesOf(us(0x00283002, [count, 0, 16]), element(0x00283003, 'LO', 'Hemlig'), element(0x00283006, 'OW', data));
  const paletteOf = (count: number, data: Uint8Array) =>
    [0, 1, 2].flatMap((colour) => [
      [0x00281101 + colour, us(0x00281101 + colour, [count, 0, 16])] as const,
      [0x00281201 + colour, element(0x00281201 + colour, 'OW', data)] as const,
    ]);
  const table = words([1, 2, 3]);

  it('cuts lookup tables to the entries that they state', async () => {
    const long = bytesOf(table, 'Hemlig');
    const bytes = image(explicitLittle, [
      [0x00280004, element(0x00280004, 'CS', 'PALETTE COLOR')],
      [0x00283010, openSequence(0x00283010, [openItem(lutOf(3, long)), openItem(element(0x00283006, 'OW', 'Hemlig'))])],
      ...paletteOf(3, long),
    ]);
    const copy = await copyOf(part10(bytes));
    expect(found(copy)).toEqual([]);
    const { dataSet } = readDicomFile(copy);
    expect(dataSet.sequence(0x00283010)[0]?.bytes(0x00283006)).toEqual(table);
    expect([0x00281201, 0x00281202, 0x00281203].map((tag) => dataSet.bytes(tag))).toEqual([table, table, table]);
  });

  it('keeps a palette only where the image uses it', async () => {
    const copy = await copyOf(part10(image(explicitLittle, paletteOf(3, latin1('Hemlig')))));
    expect(found(copy)).toEqual([]);
    expect(readDicomFile(copy).dataSet.elements.has(0x00281101)).toBe(false);
  });

  it('rounds decimal numbers to the length of their VR, and removes those that are none', async () => {
    const spacing = element(0x00280030, 'DS', '0.02750000000000198001011234\\0.0275');
    const endless = element(0x00181114, 'UN', `1.${'19800101'.repeat(9000)}`);
    const copy = await copyOf(
      part10(
        image(explicitLittle, [
          [0x00280030, spacing],
          [0x00181114, endless],
          [0x00180060, element(0x00180060, 'DS', '1.00000000000000e999')],
        ]),
      ),
    );
    const { dataSet } = readDicomFile(copy);
    expect(Buffer.from(copy).includes('198001011234')).toBe(false);
    expect(dataSet.numbers(0x00280030, 'DS')).toEqual([0.0275, 0.0275]);
    expect(dataSet.code(0x00181114)?.length).toBeLessThanOrEqual(16);
    expect(dataSet.has(0x00180060)).toBe(false);
  });

  it('removes endless lists of words', async () => {
    const many = (tag: number, text: string) => [tag, element(tag, 'UN', text.repeat(9000))] as const;
    const copy = await copyOf(
      part10(image(explicitLittle, [many(0x00080008, 'PRIMARY\\'), many(0x00280301, 'YES\\NO\\')])),
    );
    const { dataSet } = readDicomFile(copy);
    expect(dataSet.codes(0x00080008)).toEqual(Array(8).fill('PRIMARY'));
    expect(dataSet.has(0x00280301)).toBe(false);
  });

  it('reads whether text may be burnt in', () => {
    const file = (value: 'YES' | 'NO' | null) => readDicomFile(smallObject({ BurnedInAnnotation: value }));
    expect([file('YES'), file('NO'), file(null)].map(mayHaveBurnedInText)).toEqual([true, false, true]);
    const both = image(explicitLittle, [[0x00280301, element(0x00280301, 'CS', 'NO\\YES')]]);
    expect(mayHaveBurnedInText(readDicomFile(part10(both)))).toBe(true);
  });

  it.each<[string, Uint8Array]>([
    ['an overlay in the pixel values', part10(image(explicitLittle, [[0x60000010, us(0x60000010, 2)]]))],
    ['an unknown transfer syntax', part10(image(explicitLittle), '1.2.840.10008.1.2.4.102')],
    [
      'an SOP class that is no storage class',
      part10(image(explicitLittle, [[0x00080016, element(0x00080016, 'UI', '1.2.198001011234')]])),
    ],
    [
      'an SOP class with a personal number behind that of a standard class',
      part10(
        image(explicitLittle, [[0x00080016, element(0x00080016, 'UI', '1.2.840.10008.5.1.4.1.1.1980.0101.1234')]]),
      ),
    ],
    ['too few pixels', part10(image(explicitLittle, [[0x00280010, us(0x00280010, 9)]]))],
    ['no size', part10(image(explicitLittle, [[0x00280010, us(0x00280010, 0)]]))],
  ])('rejects %s', async (_, bytes) => {
    await expect(copyOf(bytes)).rejects.toThrow(DicomProblem);
  });
});

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
