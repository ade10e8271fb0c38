import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readDicomFile } from '../../dicom/file.ts';
import type { PictureIdentity } from '../../server/dicom/imaging.ts';
import { pdfToDicom } from '../../server/dicom/pdf-to-dicom.ts';
import { pictureToDicom } from '../../server/dicom/picture-to-dicom.ts';
import { videoToDicom } from '../../server/dicom/video-to-dicom.ts';
import { tiffOf } from './build-tiff.ts';
import { buildVideo } from './build-video.ts';
import { heicPicture } from './heic-picture.ts';
import { hasValidator, validatorErrors } from './validator.ts';

const dcmdjpeg = '/usr/bin/dcmdjpeg';
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-written-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const [width, height] = [6, 4];
const colours = () =>
  sharp(
    Uint8Array.from({ length: width * height * 3 }, (_, index) => (index * 37) % 256),
    { raw: { width, height, channels: 3 } },
  );
const greys = () =>
  sharp(
    Uint8Array.from({ length: width * height }, (_, index) => index * 9),
    { raw: { width, height, channels: 1 } },
  ).toColourspace('b-w');
const wideGreys = () => sharp(new Uint16Array(24).fill(4711), { raw: { width, height, channels: 1 } });
const strip = Buffer.alloc(width * height * 2, 17);

const sources: Readonly<Record<string, () => Promise<Uint8Array> | Uint8Array>> = {
  'a grey png': () => greys().png().toBuffer(),
  'a grey png of 16 bits': () => wideGreys().toColourspace('grey16').png().toBuffer(),
  'a grey jpeg': () => greys().jpeg().toBuffer(),
  'a grey TIFF': () => tiffOf({ width, height, bits: 16, strip }),
  'a colour png': () => colours().png().toBuffer(),
  'a colour jpeg': () => colours().jpeg({ chromaSubsampling: '4:2:0' }).toBuffer(),
  'a colour jpeg with all colours': () => colours().jpeg({ chromaSubsampling: '4:4:4' }).toBuffer(),
  'a colour jpeg of Display P3': () => colours().withIccProfile('p3').jpeg().toBuffer(),
  'a colour jpeg that lies on its side': () => colours().withMetadata({ orientation: 6 }).jpeg().toBuffer(),
  'a colour TIFF': () => colours().tiff().toBuffer(),
  'a HEIC': () => heicPicture,
  'a PDF': () => Buffer.from('%PDF-1.7\n%%EOF\n'),
  'a video': () => buildVideo(),
};

const identityOf = (modality: string, withTimes: boolean): PictureIdentity => ({
  patient: { id: '19800101-1234', name: 'Åström^Öyvind', birthDate: withTimes ? '1980-01-01' : null, sex: null },
  study: {
    instanceUid: '2.25.2',
    id: null,
    date: withTimes ? '2026-03-14' : null,
    time: null,
    description: withTimes ? 'Undersökning' : null,
    accessionNumber: null,
  },
  series: { instanceUid: '2.25.3', number: null, modality, description: null },
  instance: {
    sopInstanceUid: '2.25.4',
    number: null,
    acquiredDate: withTimes ? '2026-03-14' : null,
    acquiredTime: withTimes ? '10:15:00' : null,
  },
});

/** As imports make it: `makeObject` in server/imports. */
const written = async (name: string, withTimes: boolean): Promise<Uint8Array> => {
  const file = path.join(folder, `${name}-${withTimes}`);
  await writeFile(file, (await sources[name]?.()) ?? '');
  const modality = /PDF/.test(name) ? 'DOC' : /grey/.test(name) ? 'OT' : 'XC';
  const write = /PDF/.test(name) ? pdfToDicom : /video/.test(name) ? videoToDicom : pictureToDicom;
  return write({ path: file }, identityOf(modality, withTimes), 2 ** 20);
};

describe.skipIf(!hasValidator)('dciodvfy finds no error in an object that is made of', () => {
  it.each(Object.keys(sources))('%s with its time', async (name) => {
    expect(await validatorErrors(await written(name, true))).toEqual([]);
  });
  it.each(Object.keys(sources))('%s without a time', async (name) => {
    expect(await validatorErrors(await written(name, false))).toEqual([]);
  });
});

describe.skipIf(!existsSync(dcmdjpeg))('DCMTK decodes the colours of a JPEG', () => {
  // Smooth colours, which differ little however their sampling is undone.
  const smooth = Uint8Array.from(
    { length: 16 * 16 * 3 },
    (_, index) => 40 + Math.floor(index / 48) * 8 + (index % 3) * 30,
  );

  it.each(['4:2:0', '4:4:4'])('whose sampling is %s', async (chromaSubsampling) => {
    const picture = sharp(smooth, { raw: { width: 16, height: 16, channels: 3 } });
    const jpeg = await picture.jpeg({ quality: 100, chromaSubsampling }).toBuffer();
    const [source, object, plain] = ['smooth.jpg', 'smooth.dcm', 'plain.dcm'].map((name) => path.join(folder, name));
    await writeFile(source ?? '', jpeg);
    await writeFile(object ?? '', await pictureToDicom({ path: source ?? '' }, identityOf('XC', true), 2 ** 20));
    await promisify(execFile)(dcmdjpeg, [object ?? '', plain ?? '']);
    const { dataSet } = readDicomFile(new Uint8Array(await readFile(plain ?? '')));
    expect(dataSet.code(0x00280004)).toBe('RGB');
    const pixels = dataSet.bytes(0x7fe00010) ?? new Uint8Array();
    expect(pixels).toHaveLength(smooth.length);
    for (const [index, value] of smooth.entries()) expect(Math.abs((pixels[index] ?? -99) - value)).toBeLessThan(4);
  });
});
