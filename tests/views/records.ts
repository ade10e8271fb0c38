import type { ImageInfo } from '../../contract/images.ts';
import type { Viewset, ViewsetItem } from '../../contract/viewsets.ts';

export const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** An intraoral image without name, teeth and measurements. */
export const anImage = (uid: string, changes: Partial<ImageInfo> = {}): ImageInfo => ({
  uid,
  sopInstanceUid: `1.2.${uid}`,
  kind: 'image',
  documentType: null,
  isVideo: false,
  name: '',
  number: null,
  order: 1,
  width: 1200,
  height: 900,
  frames: 1,
  imageAcquiredDate: null,
  imageComment: null,
  imageCompression: 'none',
  imageFileName: `${uid}.dcm`,
  imageFileSize: 1,
  imageSensorType: null,
  imageTransferSyntax: '1.2.840.10008.1.2.1',
  source: 'dicom',
  seriesModalityValue: 'IO',
  seriesUid: '2.25.5',
  studyUid: '2.25.6',
  viewsetId: null,
  teeth: [],
  teethSource: 'file',
  laterality: null,
  activeImageThumbLink: null,
  storageFault: null,
  display: null,
  displayVersion: 0,
  marks: [],
  calibration: null,
  marksVersion: 0,
  note: null,
  grade: null,
  version: 1,
  ...changes,
});

/** An empty slot, 1000 by 800; slots stand side by side. */
export const aSlot = (itemIndex: number, changes: Partial<ViewsetItem> = {}): ViewsetItem => ({
  itemIndex,
  order: itemIndex + 1,
  xPos: itemIndex * 1000,
  yPos: 0,
  width: 1000,
  height: 800,
  rotation: 0,
  horizontalFlip: false,
  teeth: [],
  description: null,
  activeImage: null,
  display: null,
  displayVersion: 0,
  ...changes,
});

/** A viewset around its slots. */
export const aViewset = (items: readonly ViewsetItem[], changes: Partial<Viewset> = {}): Viewset => ({
  viewSetUuid: idOf(7),
  name: 'Full mouth',
  comments: null,
  templateUUID: null,
  width: Math.max(0, ...items.map((item) => item.xPos + item.width)),
  height: Math.max(0, ...items.map((item) => item.yPos + item.height)),
  arrival: null,
  patientId: idOf(1),
  studyUid: '2.25.6',
  note: null,
  version: 1,
  viewSetItems: [...items],
  detachedImages: [],
  ...changes,
});
