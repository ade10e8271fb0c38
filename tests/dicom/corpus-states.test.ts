import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Display, plainDisplay } from '../../contract/displays.ts';
import { decodeFrame } from '../../dicom/decode.ts';
import { directoryKeysOf } from '../../dicom/directory-keys.ts';
import { writeState } from '../../dicom/display-objects/write-state.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { encodedFrame } from '../../dicom/frames.ts';
import { renderGrey } from '../../dicom/grey.ts';
import { describeImage } from '../../dicom/image-description.ts';
import { pixelEncodingOf } from '../../dicom/transfer-syntax.ts';
import { stateContentOf } from '../../server/domain/display-objects/state-content.ts';
import { corpusBytes, corpusFiles, corpusFolder, corpusIsThere } from './corpus.ts';
import { codecs } from './greyscale-files.ts';

const run = promisify(execFile);
const hasTools = existsSync('/usr/bin/dcmp2pgm') && existsSync('/usr/bin/dciodvfy');
const turned: Display = { ...plainDisplay, rotation: 90, horizontalFlip: true, inverted: true };

/** Grey images with a window and values that DCMTK reads without a codec, with the state of how they are displayed. */
const stateOf = (name: string) => {
  try {
    const file = readDicomFile(corpusBytes(name));
    const description = describeImage(file);
    const keys = directoryKeysOf(file);
    if (description?.samplesPerPixel !== 1 || description.photometricInterpretation === 'PALETTE COLOR') return null;
    if (description.sampleKind !== 'integer' || description.windows.length === 0) return null;
    if (description.frames || description.numberOfFrames > 1 || description.modality.kind === 'lut') return null;
    if (pixelEncodingOf(file.transferSyntaxUid) !== 'native' || file.meta === null) return null;
    const shown = { description, marks: [], annotations: [], calibration: null };
    return { file, description, keys, content: stateContentOf({ ...shown, display: turned }).content };
  } catch {
    return null;
  }
};
type Found = NonNullable<ReturnType<typeof stateOf>>;

const written = ({ keys, description, content }: Found): Uint8Array => {
  const { image, series, study } = keys;
  const { columns, rows, numberOfFrames: frames, pixelAspectRatio: aspectRatio } = description;
  const { sopClassUid, sopInstanceUid } = image;
  return writeState({
    owner: keys,
    object: {
      sopInstanceUid: '2.25.1',
      seriesUid: '2.25.2',
      seriesNumber: 9001,
      seriesDescription: 'Dentarium',
      number: 1,
      createdAt: new Date(),
      description: '',
    },
    image: {
      sopClassUid,
      sopInstanceUid,
      seriesUid: series.uid,
      studyUid: study.uid,
      columns,
      rows,
      frames,
      aspectRatio,
      iccProfile: null,
    },
    content,
    own: null,
  });
};

/** The pixels as this program displays them: rotated by 270 degrees before the flip, which is a flip before a rotation by 90. */
const displayed = async ({ file, description, content }: Found): Promise<number[]> => {
  const { grey } = content;
  if (!grey?.voi) throw new Error('no window');
  const frame = await decodeFrame(description, encodedFrame(file, description, 0), codecs);
  const pixels = renderGrey(frame, { modality: grey.modality, voi: grey.voi, inverted: grey.inverted });
  const { columns, rows } = description;
  return Array.from({ length: columns * rows }, (_, index) => {
    const [x, y] = [index % rows, Math.floor(index / rows)];
    return pixels[(rows - 1 - x) * columns + (columns - 1 - y)] ?? -1;
  });
};

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-states-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const found = corpusIsThere
  ? corpusFiles().filter((name) => !name.startsWith('bad-input/') && stateOf(name) !== null)
  : [];

describe.skipIf(!hasTools || !corpusIsThere)('the state of a real image', () => {
  it('is there for several images', () => expect(found.length).toBeGreaterThan(5));

  it.each(found)('is valid, and DCMTK draws it as this program does: %s', async (name) => {
    const one = stateOf(name);
    if (!one) throw new Error('no state');
    const [state, output] = [path.join(folder, 'state.dcm'), path.join(folder, 'picture.pgm')];
    await writeFile(state, written(one));
    const verdict = await run('dciodvfy', ['-new', state]).catch((error) => error as { stderr: string });
    expect(verdict.stderr.split('\n').filter((line) => line.startsWith('Error'))).toEqual([]);
    await run('dcmp2pgm', ['-p', state, path.join(corpusFolder, name), output]);
    const bytes = await readFile(output);
    const [head = '', columns] = /^P5\s+(\d+)\s+\d+\s+\d+\s/.exec(bytes.subarray(0, 60).toString('latin1')) ?? [];
    expect(Number(columns)).toBe(one.description.rows);
    const [own, drawn] = [await displayed(one), bytes.subarray(head.length)];
    expect(drawn.length).toBe(own.length);
    const furthest = own.reduce((most, value, at) => Math.max(most, Math.abs(value - (drawn[at] ?? -99))), 0);
    expect(furthest).toBeLessThanOrEqual(2);
  });
});
