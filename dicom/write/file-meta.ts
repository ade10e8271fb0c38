import { type Chunks, elementHeader, lengthOf } from './elements.ts';
import type { Vr } from './tags.ts';
import { uidFrom } from './uid.ts';
import { valueBytes } from './value.ts';

/** (0002,0012) and (0002,0013) of every file that this program writes. */
export const IMPLEMENTATION_CLASS_UID = uidFrom('dentarium/implementation/1');
export const IMPLEMENTATION_VERSION_NAME = 'DENTARIUM_1';

const metaElement = (tag: number, vr: Vr, bytes: Uint8Array): Chunks => [
  elementHeader(tag, vr, bytes.length, { explicitVr: true, littleEndian: true }, 'File meta information'),
  bytes,
];

/** Preamble, DICM and group 0002, always explicit little endian (DICOM PS3.10 7.1). */
export const fileMeta = (sopClassUid: string, sopInstanceUid: string, transferSyntax: string): Chunks => {
  const uid = (tag: number, value: string) => metaElement(tag, 'UI', valueBytes('UI', 'File meta UID', value, true));
  const body = [
    ...metaElement(0x00020001, 'OB', Uint8Array.of(0, 1)),
    ...uid(0x00020002, sopClassUid),
    ...uid(0x00020003, sopInstanceUid),
    ...uid(0x00020010, transferSyntax),
    ...uid(0x00020012, IMPLEMENTATION_CLASS_UID),
    ...metaElement(0x00020013, 'SH', valueBytes('SH', 'Implementation version', IMPLEMENTATION_VERSION_NAME, true)),
  ];
  const groupLength = valueBytes('UL', 'Group length', lengthOf(body), true);
  const preamble = new Uint8Array(132);
  preamble.set(new TextEncoder().encode('DICM'), 128);
  return [preamble, ...metaElement(0x00020000, 'UL', groupLength), ...body];
};
