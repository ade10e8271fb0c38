import { expect, it } from 'vitest';
import { kindOfHead } from '../../server/imports/read/file-kind.ts';

const boxes = (brand: string) => Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from(`ftyp${brand}`, 'latin1')]);
const starting = (hex: string) => Buffer.concat([Buffer.from(hex, 'hex'), Buffer.alloc(100)]);

it.each([
  ['MP4', boxes('isom')],
  ['MP4 of a phone', boxes('mp42')],
  ['QuickTime', boxes('qt  ')],
  ['3GP', boxes('3gp4')],
  ['AVI', Buffer.from('RIFF\x10\x20\x30\x40AVI LIST', 'latin1')],
  ['WebM', starting('1a45dfa3')],
  ['Windows Media', starting('3026b2758e66cf11')],
  ['MPEG', starting('000001ba')],
])('%s is a video', (_, head) => {
  expect(kindOfHead(head)).toBe('video');
});

it.each([
  ['HEIC', boxes('heic'), 'picture'],
  ['AVIF', boxes('avif'), 'dicom-or-unknown'],
  ['WAV', Buffer.from('RIFF\x10\x20\x30\x40WAVEfmt ', 'latin1'), 'dicom-or-unknown'],
  [
    'DICOM whose preamble begins as a video',
    Buffer.concat([starting('1a45dfa3').subarray(0, 100), Buffer.alloc(28), Buffer.from('DICM')]),
    'dicom-or-unknown',
  ],
])('%s is none', (_, head, kind) => {
  expect(kindOfHead(head)).toBe(kind);
});
