import { describe, expect, it } from 'vitest';
import { mayHaveBurnedInText } from '../../dicom/deidentify/deidentify.ts';
import { directoryKeysOf } from '../../dicom/directory-keys.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { summarise } from '../../dicom/identity.ts';
import { DicomProblem } from '../../dicom/problem.ts';
import { smallObject } from '../server/small-object.ts';
import {
  bytesOf,
  element,
  explicitLittle,
  item,
  openItem,
  openSequence,
  part10,
  type Syntax,
  us,
  words,
} from './build-dicom.ts';
import { copyOf, found, image, latin1, options, pixels, secrets, syntaxes } from './deidentify-files.ts';

const textVrs = ['AE', 'AS', 'CS', 'DA', 'DS', 'DT', 'IS', 'LO', 'LT', 'PN', 'SH', 'ST', 'TM', 'UC', 'UI', 'UR', 'UT'];
const byteVrs = ['OB', 'OW', 'OF', 'OD', 'UN', 'US', 'UL', 'FL', 'AT'];
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
