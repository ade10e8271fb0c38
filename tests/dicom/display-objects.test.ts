import { describe, expect, it } from 'vitest';
import type { StateContent } from '../../dicom/display-objects/model.ts';
import { readPrivateContent } from '../../dicom/display-objects/private-content.ts';
import { readDisplay } from '../../dicom/display-objects/read-display.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { readPresentationState } from '../../dicom/presentation-state/read-state.ts';
import { tags } from '../../dicom/tags.ts';
import { displayFile, image, plainContent, stateFileOf } from './written-objects.ts';

const size = { sopInstanceUid: image.sopInstanceUid, columns: 8, rows: 6 };
const read = (content: Partial<StateContent>) =>
  readPresentationState(readDicomFile(stateFileOf({ ...plainContent, ...content })).dataSet, size);

describe('a written presentation state', () => {
  it.each([
    [0, false, 0],
    [90, false, 90],
    [180, false, 180],
    [270, false, 270],
    [0, true, 0],
    // Displays flip before they rotate, states after.
    [90, true, 270],
    [180, true, 180],
    [270, true, 90],
  ] as const)('is read with a rotation of %i, flip %s, as a display of %i', (rotation, flip, shown) => {
    const state = read({ rotation, flip });
    expect([state?.rotation, state?.horizontalFlip, state?.areas, state?.notShown]).toEqual([shown, flip, [], []]);
  });

  it('has window, its function and inversion, and the modality values that they are for', () => {
    const voi = { kind: 'window', centre: 1234.5, width: 321.25, function: 'SIGMOID', explanation: null } as const;
    const modality = { kind: 'rescale', slope: 2, intercept: -1024 } as const;
    const { explanation, ...window } = voi;
    expect(read({ grey: { modality, voi, inverted: true } })?.grey).toEqual({
      modality,
      vois: [{ frames: null, voi: window }],
      presentationLut: null,
      inverted: true,
    });
  });

  it('has a lookup table in place of a window', () => {
    const lut = { firstInput: -2, values: Uint16Array.of(0, 100, 4095), bits: 12, explanation: null };
    const grey = { modality: { kind: 'rescale', slope: 1, intercept: -10 }, voi: { kind: 'lut', lut } } as const;
    const read_ = read({ grey: { ...grey, inverted: false } })?.grey?.vois[0]?.voi;
    expect(read_).toEqual({ kind: 'lut', lut: { firstInput: 0xfffe, values: [0, 1600, 65535], bits: 16 } });
  });

  it('has graphics and texts of each frame', () => {
    const line = {
      kind: 'polyline',
      points: [
        [1, 1.5],
        [3, 4],
      ],
    } as const;
    const marks = [
      { frame: 1, graphics: [{ ...line, points: line.points.map(([x, y]): [number, number] => [x, y]) }], texts: [] },
      { frame: 2, graphics: [], texts: [{ text: 'Karies\nD2', at: [2, 3] as [number, number] }] },
    ];
    const file = stateFileOf({ ...plainContent, marks }, { frames: 3 });
    const state = readPresentationState(readDicomFile(file).dataSet, size);
    expect(state?.annotations.map(({ frames, graphics, texts }) => ({ frames, graphics, texts }))).toEqual([
      { frames: [1], graphics: [{ ...line, filled: false }], texts: [] },
      {
        frames: [2],
        graphics: [],
        texts: [{ text: 'Karies\nD2', box: null, align: 'left', anchor: [2, 3], isAnchored: false }],
      },
    ]);
  });

  it('of a colour image has no grey values, and a profile', () => {
    const { dataSet } = readDicomFile(stateFileOf({ ...plainContent, grey: null }));
    expect(dataSet.code(tags.sopClassUid)).toBe('1.2.840.10008.5.1.4.1.1.11.2');
    expect(dataSet.bytes(tags.iccProfile)?.length).toBeGreaterThan(500);
    expect(readPresentationState(dataSet, size)?.grey).toBeNull();
  });

  it('names the patient and study of its image', () => {
    const { dataSet } = readDicomFile(stateFileOf(plainContent));
    expect(dataSet.text(tags.patientName)).toBe('Lindström^Åsa');
    expect([dataSet.code(tags.patientId), dataSet.code(tags.studyInstanceUid)]).toEqual(['19800101-1234', '2.25.1002']);
  });

  it('keeps its own content beside the standard one, also when another program has moved its block', () => {
    const file = stateFileOf(plainContent, {}, { text: 'ÅÄÖ \\ "'.repeat(20_000) });
    expect(readPrivateContent(readDicomFile(file).dataSet)).toEqual({ text: 'ÅÄÖ \\ "'.repeat(20_000) });
    const moved = Uint8Array.from(file);
    const at = (element: number) =>
      moved.findIndex(
        (_, index) =>
          moved[index] === 0x71 && moved[index + 2] === (element & 0xff) && moved[index + 3] === element >> 8,
      );
    moved[at(0x10) + 2] = 0x22;
    moved[at(0x1001) + 3] = 0x22;
    expect(readPrivateContent(readDicomFile(moved).dataSet)).toEqual({ text: 'ÅÄÖ \\ "'.repeat(20_000) });
  });
});

describe('a written structured display', () => {
  it('is read with every slot, empty ones too, from the top left corner', () => {
    const read = readDisplay(readDicomFile(displayFile()).dataSet);
    const place = { left: 0.25, top: 0, right: 0.5, bottom: 0.5 };
    expect(read.boxes).toEqual([
      { place, image: { sopClassUid: image.sopClassUid, sopInstanceUid: image.sopInstanceUid, stateUid: '2.25.79' } },
      { place: { ...place, left: 0.5, right: 1 }, image: null },
    ]);
    expect([read.size, read.description, read.texts, read.notTaken]).toEqual([
      { width: 600, height: 400 },
      'Full mouth',
      [{ place: { left: 0.25, top: 0.4375, right: 0.5, bottom: 0.5 }, text: '18 17' }],
      [],
    ]);
  });

  it('keeps the ratio of a size that no screen has', () => {
    const read = readDisplay(readDicomFile(displayFile({ width: 0.5, height: 1.5 })).dataSet);
    expect(read.size).toEqual({ width: 3333, height: 10_000 });
  });
});
