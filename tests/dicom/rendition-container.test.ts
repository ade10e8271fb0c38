import { describe, expect, it } from 'vitest';
import { spacingKinds } from '../../dicom/image-model.ts';
import { DicomProblem } from '../../dicom/problem.ts';
import { readRendition } from '../../dicom/rendition/read-rendition.ts';
import { type Rendition, storedAs } from '../../dicom/rendition/rendition.ts';
import { writeRendition } from '../../dicom/rendition/write-rendition.ts';
import { makeRendition } from '../../server/dicom/make-rendition.ts';
import { codecs, greyFile, opened } from './greyscale-files.ts';

describe('the container', () => {
  const rows = 3;
  const table = { firstInput: -5, values: Uint16Array.of(0, 65535, 258), bits: 16, explanation: 'ben' };
  const full = opened(greyFile({ rows, columns: 4, values: new Uint16Array(12), bitsStored: 16 })).description;
  const rendition: Rendition = {
    frame: 2,
    level: 'full',
    reduction: 1,
    kind: 'original',
    description: {
      ...full,
      numberOfFrames: 9,
      modality: { kind: 'rescale', slope: -0.125, intercept: Number.NaN },
      windows: [{ kind: 'window', centre: 1e-7, width: 3, function: 'SIGMOID', explanation: null }],
      voiLuts: [{ kind: 'lut', lut: table }],
      palette: { firstInput: 1, red: Uint8Array.of(1), green: Uint8Array.of(2), blue: Uint8Array.of(255) },
      padding: { low: -3, high: 4 },
      spacing: { rowMm: 0.02, columnMm: 0.03, kind: 'detector' },
      ultrasoundRegions: [
        { left: 1, top: 2, right: 3, bottom: 4, pixel: { columnMm: 0.1, rowMm: 0.2 } },
        { left: 0, top: 0, right: 1, bottom: 1, pixel: null },
      ],
      pixelAspectRatio: { vertical: 2, horizontal: 3 },
      presentationShape: 'INVERSE',
    },
    stored: storedAs(full),
    range: { low: -7.5, high: Number.POSITIVE_INFINITY },
    overlayPlanes: {
      planes: [{ kind: 'roi', x: 1, y: 0, width: 3, height: 3, bits: Uint8Array.of(0x55, 1) }],
      incomplete: 2,
    },
    coded: { rows: 2, columns: 3 },
    payload: Uint8Array.of(1, 2, 3),
  };
  const bytes = writeRendition(rendition);
  const problemOf = (broken: Uint8Array): string => {
    try {
      readRendition(broken);
    } catch (problem) {
      if (problem instanceof DicomProblem) return `${problem.code}: ${problem.detail}`;
      throw problem;
    }
    return 'no problem';
  };
  const changed = (at: number, value: number) => bytes.map((byte, index) => (index === at ? value : byte));
  const rewritten = (head: object) => writeRendition({ ...rendition, ...head } as Rendition);

  it('preserves all values, including tables and special numbers', () => {
    expect(readRendition(bytes)).toEqual(rendition);
    // At any offset in a buffer.
    const inside = new Uint8Array(bytes.length + 3);
    inside.set(bytes, 3);
    expect(readRendition(inside.subarray(3))).toEqual(rendition);
  });

  it.each(spacingKinds)('preserves the spacing of kind %s, and gives older readers one that they know', (kind) => {
    const description = { ...rendition.description, spacing: { rowMm: 0.02, columnMm: 0.03, kind } };
    const written = rewritten({ description });
    expect(readRendition(written).description.spacing).toEqual(description.spacing);
    const older = {
      stated: 'patient',
      estimated: 'patient',
      film: 'detector',
      patient: 'patient',
      detector: 'detector',
    };
    expect(new TextDecoder().decode(written)).toContain(`"kind":"${older[kind]}","basis":"${kind}"`);
  });

  it('reads the spacing of an older writer', () => {
    const text = new TextDecoder('latin1').decode(bytes);
    const basis = text.indexOf('"basis"');
    // The same length: the head keeps its size.
    const older = bytes.map((byte, at) => (at === basis + 1 ? 'x'.charCodeAt(0) : byte));
    expect(readRendition(older).description.spacing?.kind).toBe('detector');
  });

  it('reads a rendition of an older writer, which has no overlay planes', () => {
    const text = new TextDecoder('latin1').decode(bytes);
    const name = text.indexOf('"overlayPlanes"');
    const older = bytes.map((byte, at) => (at === name + 1 ? 'x'.charCodeAt(0) : byte));
    expect(readRendition(older).overlayPlanes).toEqual({ planes: [], incomplete: 0 });
  });

  it('rejects an overlay plane outside the image, and one with too few bits', () => {
    const plane = { kind: 'roi', x: 1, y: 0, width: 3, height: 3, bits: Uint8Array.of(0x55, 1) } as const;
    const withPlane = (change: object) =>
      rewritten({ overlayPlanes: { planes: [{ ...plane, ...change }], incomplete: 0 } });
    expect(problemOf(withPlane({ x: 2 }))).toMatch(/width is 3, not a whole number from 1 to 2/);
    expect(problemOf(withPlane({ bits: Uint8Array.of(1) }))).toMatch(/^truncated/);
    expect(problemOf(withPlane({ bits: new Uint8Array(3) }))).toMatch(/^too-large/);
  });

  it.each([
    ['other bytes', Uint8Array.of(1, 2, 3), 'malformed: the bytes are no rendition'],
    ['truncated start', bytes.subarray(0, 9), 'truncated: the rendition ends in its first 16 bytes'],
    [
      'truncated head',
      bytes.subarray(0, 60),
      `truncated: the rendition should have ${bytes.length} bytes, 60 are there`,
    ],
    ['a byte too many', Uint8Array.of(...bytes, 0), `malformed: the rendition should have ${bytes.length} bytes`],
    ['another version', changed(4, 9), 'malformed: the rendition is of version 9, 1 is known'],
    ['a head with an excessive length', changed(11, 255), 'truncated: the rendition should have 4'],
    ['a head that is no JSON', changed(16, 0), 'malformed: the head of the rendition is no JSON'],
    ['no frame', rewritten({ frame: 0 }), 'head.frame is 0, not a whole number'],
    ['an unknown kind', rewritten({ kind: 'jpeg' }), 'head.kind is none of original, htj2k, raw'],
    ['a list for an object', rewritten({ stored: [] }), 'head.stored is no object'],
    ['no rows', rewritten({ stored: { ...rendition.stored, rows: 0 } }), 'head.stored.rows is 0'],
    [
      'odd bits',
      rewritten({ stored: { ...rendition.stored, bitsAllocated: 12 } }),
      'head.stored.bitsAllocated is none',
    ],
    ['too small a payload picture', rewritten({ reduction: 2, level: 'reduced' }), 'is no 2th of 4 x 3'],
    ['a reduction that is none', rewritten({ level: 'reduced' }), 'a reduced rendition of 4 x 3'],
    [
      'a text for a flag',
      rewritten({ description: { ...rendition.description, lossy: 'no' } }),
      'head.description.lossy',
    ],
    [
      'a broken table',
      rewritten({
        description: { ...rendition.description, voiLuts: [{ kind: 'lut', lut: { ...table, values: { u16: '?' } } }] },
      }),
      'head.description.voiLuts[0].lut.values is no base64',
    ],
  ])('names the problem: %s', (_, broken, message) => {
    expect(problemOf(broken)).toContain(message);
  });

  it('is read or rejected with an error code after any single byte of its header changed', () => {
    for (let at = 0; at < bytes.length - 3; at++) problemOf(changed(at, 0x5a));
  });

  it('contains no patient data', async () => {
    const file = greyFile({ rows: 4, columns: 2000, values: new Uint16Array(8000), bitsStored: 16 });
    for (const level of ['full', 'reduced'] as const) {
      for (const skipConversion of [true, false]) {
        const { bytes: container } = await makeRendition(opened(file), { frame: 0, level, skipConversion }, codecs);
        const text = new TextDecoder('latin1').decode(container) + new TextDecoder().decode(container);
        expect(text).not.toMatch(/Fågelström|Görel|121212/);
      }
    }
  });
});
