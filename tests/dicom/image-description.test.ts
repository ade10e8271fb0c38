import { describe, expect, it } from 'vitest';
import { readDicomFile } from '../../dicom/file.ts';
import { describeImage } from '../../dicom/image-description.ts';
import { DicomProblem } from '../../dicom/problem.ts';
import { bytesOf, element, item, type PictureHeader, part10, pictureHeader, us, words } from './build-dicom.ts';

const base = { rows: 2, columns: 2, bits: 16 } as const;

const describedBytes = (...parts: readonly Uint8Array[]) =>
  describeImage(readDicomFile(part10(bytesOf(...parts, element(0x7fe00010, 'OW', new Uint8Array(8))))));

const described = (header: Partial<PictureHeader> = {}, ...behind: readonly Uint8Array[]) => {
  const description = describedBytes(pictureHeader({ ...base, ...header }), ...behind);
  if (!description) throw new Error('no picture');
  return description;
};

const codeOf = (header: Partial<PictureHeader>): string => {
  try {
    described(header);
  } catch (problem) {
    if (problem instanceof DicomProblem) return problem.code;
  }
  return 'no problem';
};

const sequence = (tag: number, ...parts: readonly Uint8Array[]) => element(tag, 'SQ', item(bytesOf(...parts)));

describe('image description', () => {
  it('is null without pixel data', () => {
    expect(describeImage(readDicomFile(part10(pictureHeader(base))))).toBeNull();
  });

  it('reads windows with function and explanation', () => {
    const more = bytesOf(
      element(0x00281050, 'DS', '100\\50.5'),
      element(0x00281051, 'DS', '200\\60'),
      element(0x00281055, 'LO', 'soft\\bone'),
      element(0x00281056, 'CS', 'SIGMOID'),
    );
    expect(described({ more }).windows).toEqual([
      { kind: 'window', centre: 100, width: 200, function: 'SIGMOID', explanation: 'soft' },
      { kind: 'window', centre: 50.5, width: 60, function: 'SIGMOID', explanation: 'bone' },
    ]);
  });

  it('reads rescale values with fractions', () => {
    const more = bytesOf(element(0x00281052, 'DS', '-0.25'), element(0x00281053, 'DS', '0.5'));
    expect(described({ more }).modality).toEqual({ kind: 'rescale', slope: 0.5, intercept: -0.25 });
  });

  it('reads tables of words and of packed bytes, and a signed first input', () => {
    const wide = sequence(0x00283010, us(0x00283002, [3, 0xfffe, 12]), element(0x00283006, 'OW', words([1, 2, 4095])));
    const [voi] = described({ signed: true, more: wide }).voiLuts;
    expect(voi?.lut).toMatchObject({ firstInput: -2, bits: 12, values: Uint16Array.of(1, 2, 4095) });
    const packed = sequence(0x00283000, us(0x00283002, [4, 0xfffe, 8]), element(0x00283006, 'OW', [1, 2, 3, 255]));
    expect(described({ more: packed }).modality).toMatchObject({
      kind: 'lut',
      lut: { firstInput: 0xfffe, bits: 8, values: Uint16Array.of(1, 2, 3, 255) },
    });
  });

  it('reads 0 entries as 65536', () => {
    const data = element(0x00283006, 'OW', new Uint8Array(131072).fill(1));
    const table = described({ more: sequence(0x00283000, us(0x00283002, [0, 0, 16]), data) }).modality;
    expect(table.kind === 'lut' && table.lut.values.length).toBe(65536);
  });

  it('reads palettes, of 16 bits and segmented', () => {
    const palette = bytesOf(
      ...[1, 2, 3].map((colour) => us(0x00281100 + colour, [4, 0, 16])),
      element(0x00281201, 'OW', words([0, 0x1000, 0x8000, 0xffff])),
      // Discrete segment of two values, then a linear one of two steps.
      element(0x00281222, 'OW', words([0, 2, 0x0100, 0x0200, 1, 2, 0x0400])),
      element(0x00281223, 'OW', words([0, 1, 0xff00, 2, 1, 0, 0, 2, 1, 0, 0, 2, 1, 0, 0])),
    );
    const { palette: read } = described({ photometric: 'PALETTE COLOR', more: palette });
    expect(read).toEqual({
      firstInput: 0,
      red: Uint8Array.of(0, 0x10, 0x80, 0xff),
      green: Uint8Array.of(1, 2, 3, 4),
      blue: Uint8Array.of(0xff, 0xff, 0xff, 0xff),
    });
  });

  it('distinguishes patient spacing from detector spacing', () => {
    const imager = element(0x00181164, 'DS', '0.03\\0.04');
    const patient = (value: string) => element(0x00280030, 'DS', value);
    const header = pictureHeader(base);
    expect(describedBytes(imager, header)?.spacing).toEqual({ rowMm: 0.03, columnMm: 0.04, kind: 'detector' });
    expect(describedBytes(imager, header, patient('0.02\\0.02'))?.spacing).toMatchObject({
      rowMm: 0.02,
      kind: 'patient',
    });
    expect(describedBytes(imager, header, patient('0.03\\0.04'))?.spacing).toMatchObject({ kind: 'detector' });
    expect(describedBytes(header, patient('0\\0'))?.spacing).toBeNull();
    expect(describedBytes(header)?.spacing).toBeNull();
  });

  it.each(['IO', 'PX', 'DX', 'CR'])('takes Pixel Spacing alone of modality %s as stated, not as proven', (modality) => {
    const spacingWith = (...more: readonly Uint8Array[]) =>
      describedBytes(
        element(0x00080060, 'CS', modality),
        pictureHeader(base),
        element(0x00280030, 'DS', '0.02\\0.02'),
        ...more,
      )?.spacing;
    expect(spacingWith()).toEqual({ rowMm: 0.02, columnMm: 0.02, kind: 'stated' });
    expect(spacingWith(element(0x00280a02, 'CS', 'FIDUCIAL'))).toMatchObject({ kind: 'patient' });
  });

  it('takes Pixel Spacing alone of slices as that of the patient', () => {
    const header = bytesOf(element(0x00080060, 'CS', 'CT'), pictureHeader(base));
    expect(describedBytes(header, element(0x00280030, 'DS', '0.3\\0.3'))?.spacing).toMatchObject({ kind: 'patient' });
  });

  it('divides the spacing of the detector by a plausible magnification', () => {
    const spacingWith = (factor: string) =>
      describedBytes(element(0x00181114, 'DS', factor), element(0x00181164, 'DS', '0.1\\0.2'), pictureHeader(base))
        ?.spacing;
    expect(spacingWith('1.25')).toEqual({ rowMm: 0.08, columnMm: 0.16, kind: 'estimated' });
    for (const wrong of ['0', '0.5', '125'])
      expect(spacingWith(wrong)).toEqual({ rowMm: 0.1, columnMm: 0.2, kind: 'detector' });
  });

  describe('ultrasound regions', () => {
    const long = (tag: number, value: number) => element(tag, 'UL', words([value & 0xffff, value >>> 16]));
    const double = (tag: number, value: number) => element(tag, 'FD', new Uint8Array(new Float64Array([value]).buffer));
    const region = ({ format = 1, units = [3, 3], deltas = [0.01, 0.02], corner = [0, 0, 1, 1] } = {}) =>
      item(
        bytesOf(
          us(0x00186012, format),
          ...corner.map((place, at) => long(0x00186018 + 2 * at, place)),
          us(0x00186024, units[0] ?? 0),
          us(0x00186026, units[1] ?? 0),
          double(0x0018602c, deltas[0] ?? 0),
          double(0x0018602e, deltas[1] ?? 0),
        ),
      );
    const regionsOf = (...items: readonly Uint8Array[]) =>
      describedBytes(element(0x00186011, 'SQ', bytesOf(...items)), pictureHeader(base))?.ultrasoundRegions;

    it('have the size of a pixel in millimetres, and end behind their last pixel', () => {
      expect(regionsOf(region({ corner: [3, 4, 99, 199], deltas: [0.01, -0.02] }))).toEqual([
        { left: 3, top: 4, right: 100, bottom: 200, pixel: { columnMm: 0.1, rowMm: 0.2 } },
      ]);
    });

    it('of time, frequency or unknown scale have no size', () => {
      const bad = [
        region({ format: 2 }),
        region({ units: [4, 3] }),
        region({ units: [3, 0] }),
        region({ deltas: [0, 1] }),
      ];
      expect(regionsOf(region(), ...bad)?.map(({ pixel }) => pixel !== null)).toEqual([
        true,
        false,
        false,
        false,
        false,
      ]);
      // Without any of length, lengths come from elsewhere.
      expect(regionsOf(...bad)).toEqual([]);
    });

    it('without a place are left out', () => {
      expect(regionsOf(region({ corner: [5, 5, 4, 9] }), item(us(0x00186012, 1)))).toEqual([]);
      expect(describedBytes(pictureHeader(base))?.ultrasoundRegions).toEqual([]);
    });
  });

  it('takes the spacing of a scanned film as that of the film', () => {
    const film = element(0x00182010, 'DS', '0.05\\0.05');
    expect(describedBytes(film, pictureHeader(base))?.spacing).toEqual({ rowMm: 0.05, columnMm: 0.05, kind: 'film' });
  });

  it('reads functional groups, shared and of each frame', () => {
    const rescale = (intercept: string) =>
      sequence(0x00289145, element(0x00281052, 'DS', intercept), element(0x00281053, 'DS', '2'));
    const window = sequence(0x00289132, element(0x00281050, 'DS', '5'), element(0x00281051, 'DS', '6'));
    const measures = sequence(0x00289110, element(0x00280030, 'DS', '0.5\\0.25'));
    const { frames, spacing, modality } = described(
      { frames: 2 },
      sequence(0x52009229, measures, window),
      element(0x52009230, 'SQ', bytesOf(item(rescale('-1')), item(rescale('-2')))),
    );
    expect(spacing).toEqual({ rowMm: 0.5, columnMm: 0.25, kind: 'patient' });
    expect(modality).toEqual({ kind: 'rescale', slope: 1, intercept: 0 });
    expect(frames?.map((frame) => frame.modality)).toEqual([
      { kind: 'rescale', slope: 2, intercept: -1 },
      { kind: 'rescale', slope: 2, intercept: -2 },
    ]);
    expect(frames?.[1]?.windows).toMatchObject([{ centre: 5, width: 6 }]);
  });

  it('does not create frames beyond the actual ones', () => {
    expect(described({ frames: 2_000_000_000 }).frames).toBeNull();
  });

  it('reads padding, aspect ratio and loss', () => {
    const more = bytesOf(
      element(0x00280034, 'IS', '2\\1'),
      element(0x00280120, 'SS', [0x18, 0xfc]),
      element(0x00282110, 'CS', '01'),
    );
    const { padding, pixelAspectRatio, lossy } = described({ signed: true, more });
    expect(padding).toEqual({ low: -1000, high: -1000 });
    expect(pixelAspectRatio).toEqual({ vertical: 2, horizontal: 1 });
    expect(lossy).toBe(true);
  });

  it.each([
    ['no-image-size', { rows: 0 }],
    ['image-unsupported', { samples: 2 }],
    ['image-unsupported', { samples: 4, photometric: 'CMYK' }],
    ['image-unsupported', { photometric: 'HSV' }],
    ['malformed', { samples: 3 }],
    ['malformed', { photometric: 'RGB' }],
    ['malformed', { stored: 17 }],
    ['malformed', { stored: 12, highBit: 10 }],
    ['image-unsupported', { bits: 24 }],
    ['malformed', { photometric: 'PALETTE COLOR' }],
  ])('rejects with %s: %j', (code, header) => {
    expect(codeOf(header)).toBe(code);
  });
});
