import type { ProtocolToWrite } from '../../dicom/hanging-protocol/write-protocol.ts';
import { writeProtocol } from '../../dicom/hanging-protocol/write-protocol.ts';

export const plainProtocol: ProtocolToWrite = {
  sopInstanceUid: '2.25.91',
  createdAt: new Date('2026-03-14T10:15:00Z'),
  name: 'Helstatus vuxen 18 bilder',
  modality: 'IO',
  size: { width: 600, height: 400 },
  slots: [
    { place: { left: 0.25, top: 0, right: 0.5, bottom: 0.5 }, label: 'Molar', teeth: [18, 17] },
    { place: { left: 0.5, top: 0, right: 1, bottom: 0.5 }, label: null, teeth: [] },
    { place: { left: 0, top: 0.5, right: 0.25, bottom: 1 }, label: null, teeth: [55, 85] },
  ],
  own: {},
};

/** The bytes of a Hanging Protocol of three slots, without what only this program reads. */
export const protocolBytes = (changes: Partial<ProtocolToWrite> = {}): Uint8Array =>
  writeProtocol({ ...plainProtocol, ...changes });
