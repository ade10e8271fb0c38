import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { directoryKeysOf } from '../../dicom/directory-keys.ts';
import { imageSeriesItems } from '../../dicom/display-objects/common-elements.ts';
import type { StateContent } from '../../dicom/display-objects/model.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { greyOf } from '../../dicom/grey.ts';
import type { LookupTable, Voi } from '../../dicom/image-model.ts';
import { writeDirectory } from '../../dicom/write/directory.ts';
import { smallObject } from '../server/small-object.ts';
import { displayFile, image, owner, plainContent, stateFileOf } from './written-objects.ts';

const run = promisify(execFile);
const hasValidator = existsSync('/usr/bin/dciodvfy');
const hasDcmtk = existsSync('/usr/bin/dcmpschk') && existsSync('/usr/bin/dcmp2pgm');

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-objects-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const saved = async (name: string, bytes: Uint8Array): Promise<string> => {
  const file = path.join(folder, name);
  await writeFile(file, bytes);
  return file;
};

/** Lines of errors of a program, whatever its exit code. */
const errorsOf = async (command: string, ...args: string[]): Promise<string[]> => {
  const { stdout, stderr } = await run(command, args).catch((error) => error as { stdout: string; stderr: string });
  return `${stdout}\n${stderr}`.split('\n').filter((line) => /^(E:|Error)/.test(line));
};

const window = { kind: 'window', centre: 1000, width: 2000, function: 'LINEAR', explanation: null } as const;
const modality = { kind: 'rescale', slope: 1, intercept: 0 } as const;
const marked: StateContent = {
  rotation: 90,
  flip: true,
  grey: { modality, voi: window, inverted: true },
  marks: [
    {
      frame: 1,
      graphics: [
        {
          kind: 'polyline',
          points: [
            [1, 1],
            [3, 4],
          ],
        },
        {
          kind: 'ellipse',
          points: [
            [1, 2],
            [5, 2],
            [3, 1],
            [3, 3],
          ],
        },
      ],
      texts: [{ text: 'Karies\nD2', at: [2, 3] }],
    },
  ],
};
const plainGrey = { modality, voi: null, inverted: false } as const;
const withVoi = (voi: Voi) => stateFileOf({ ...plainContent, grey: { ...plainGrey, voi } });
/** dciodvfy expects a modality table to use all of its bits. */
const fullTable: LookupTable = { firstInput: 0, values: Uint16Array.of(0, 900, 65_535), bits: 16, explanation: null };
const table: LookupTable = { firstInput: 0, values: Uint16Array.of(0, 100, 4095), bits: 12, explanation: null };

/** A medium of the image, its state and a display. */
const directoryWithPresentations = (): Uint8Array => {
  const keysOf = (bytes: Uint8Array) => directoryKeysOf(readDicomFile(bytes));
  const references = imageSeriesItems([image]);
  const created = { createdOn: '20260314', createdAt: '101500' };
  const presentation = { label: 'DENTARIUM', description: 'Full mouth', ...created, references };
  return writeDirectory(
    [
      { path: ['DICOM', 'IM000001'], keys: keysOf(smallObject({ StudyTime: '101500', StudyID: 'A1' })) },
      { path: ['DICOM', 'PS000001'], keys: keysOf(stateFileOf(marked)), presentation },
      { path: ['DICOM', 'PS000002'], keys: keysOf(displayFile()), presentation },
    ],
    '2.25.4711',
  );
};
/** It looks for references of images at the top of the data set only, not in the boxes. */
const isFalse = (line: string): boolean => line.includes('Instance does not reference Instances');
// dcmpschk does not know UTF-8.
const plainOwner = { ...owner, patient: { ...owner.patient, name: 'Lind^Asa' } };

describe.skipIf(!hasValidator)('dciodvfy finds no error', () => {
  it.each([
    ['a plain state', stateFileOf({ ...plainContent, grey: { modality, voi: window, inverted: false } })],
    ['a state with marks', stateFileOf(marked)],
    ['a state of a colour image', stateFileOf({ ...marked, grey: null })],
    ['a state with a sigmoid window', withVoi({ ...window, function: 'SIGMOID' })],
    ['a state with a lookup table', withVoi({ kind: 'lut', lut: table })],
    [
      'a state with a modality table',
      stateFileOf({ ...plainContent, grey: { ...plainGrey, modality: { kind: 'lut', lut: fullTable } } }),
    ],
    [
      'a state of one of several frames',
      stateFileOf(marked, { sopClassUid: '1.2.840.10008.5.1.4.1.1.7.3', frames: 4 }),
    ],
    ['a structured display', displayFile()],
    ['a DICOMDIR with presentations', directoryWithPresentations()],
  ])('in %s', async (name, bytes) => {
    const file = await saved(`${name.replaceAll(' ', '-')}.dcm`, bytes);
    expect((await errorsOf('dciodvfy', '-new', file)).filter((line) => !isFalse(line))).toEqual([]);
  });
});

describe.skipIf(!hasDcmtk)('DCMTK', () => {
  it('accepts a state', async () => {
    expect(await errorsOf('dcmpschk', await saved('checked.dcm', stateFileOf(marked, {}, {}, plainOwner)))).toEqual([]);
  });

  /** The pixels of the picture that DCMTK draws, row by row. */
  const drawn = async (content: StateContent, photometric: string) => {
    const object = smallObject({ PhotometricInterpretation: photometric });
    const [picture, state] = [await saved('image.dcm', object), await saved('state.dcm', stateFileOf(content))];
    const output = path.join(folder, 'picture.pgm');
    await run('dcmp2pgm', ['-p', state, picture, output]);
    const bytes = await readFile(output);
    const [head = '', columns = '0', rows = '0'] = /^P5\s+(\d+)\s+(\d+)\s+\d+\s/.exec(bytes.toString('latin1')) ?? [];
    return { columns: Number(columns), rows: Number(rows), pixels: [...bytes.subarray(head.length)] };
  };

  const transforms = ([0, 90, 180, 270] as const).flatMap((rotation) =>
    [false, true].map((flip) => ({ rotation, flip })),
  );
  const cases = transforms.flatMap((one) =>
    [false, true].flatMap((inverted) =>
      ['MONOCHROME1', 'MONOCHROME2'].map((photometric) => ({ ...one, inverted, photometric })),
    ),
  );

  it.each(cases)('draws %o as this program does', async ({ rotation, flip, inverted, photometric }) => {
    const content = { rotation, flip, grey: { modality, voi: window, inverted }, marks: [] };
    const { columns, rows, pixels } = await drawn(content, photometric);
    const isTurned = rotation % 180 !== 0;
    expect([columns, rows]).toEqual(isTurned ? [6, 8] : [8, 6]);
    const grey = (x: number, y: number) => 255 * greyOf({ modality, voi: window, inverted }, (y * 8 + x) * 80);
    const expected = Array.from({ length: 48 }, (_, index) => {
      const y = Math.floor(index / columns);
      const x = flip ? columns - 1 - (index % columns) : index % columns;
      const source = { 0: [x, y], 90: [y, 5 - x], 180: [7 - x, 5 - y], 270: [7 - y, x] }[rotation];
      return grey(source[0] ?? 0, source[1] ?? 0);
    });
    for (const [index, value] of expected.entries()) expect(Math.abs((pixels[index] ?? -99) - value)).toBeLessThan(2);
  });
});
