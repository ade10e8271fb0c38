import { type Chunks, elementHeader, lengthOf } from '../../../dicom/write/elements.ts';
import { IMPLEMENTATION_CLASS_UID, IMPLEMENTATION_VERSION_NAME } from '../../../dicom/write/file-meta.ts';
import type { IncomingObject } from './object-sink.ts';

const syntax = { explicitVr: true, littleEndian: true };

const element = (tag: number, vr: 'OB' | 'UI' | 'SH' | 'AE' | 'UL', bytes: Uint8Array): Chunks => [
  elementHeader(tag, vr, bytes.length, syntax, 'File meta information'),
  bytes,
];

/** As the peer wrote it: units in use make UIDs with leading zeros, which a file must name as its data set does. */
const text = (value: string, padding: string): Uint8Array =>
  Buffer.from(value.length % 2 === 0 ? value : value + padding, 'latin1');

/** Preamble, DICM and group 0002 of an object from the network, with the AE title of its sender (PS3.10 7.1). */
export const receivedFileMeta = (object: IncomingObject): Chunks => {
  const body = [
    ...element(0x00020001, 'OB', Uint8Array.of(0, 1)),
    ...element(0x00020002, 'UI', text(object.sopClassUid, '\0')),
    ...element(0x00020003, 'UI', text(object.sopInstanceUid, '\0')),
    ...element(0x00020010, 'UI', text(object.transferSyntaxUid, '\0')),
    ...element(0x00020012, 'UI', text(IMPLEMENTATION_CLASS_UID, '\0')),
    ...element(0x00020013, 'SH', text(IMPLEMENTATION_VERSION_NAME, ' ')),
    ...element(0x00020016, 'AE', text(object.callingAeTitle, ' ')),
  ];
  const groupLength = Buffer.alloc(4);
  groupLength.writeUInt32LE(lengthOf(body));
  const preamble = Buffer.alloc(132);
  preamble.write('DICM', 128, 'latin1');
  return [preamble, ...element(0x00020000, 'UL', groupLength), ...body];
};
