import type { ImageInfo } from '../../../contract/images.ts';
import type { Viewset, ViewsetItem } from '../../../contract/viewsets.ts';

const uidOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** An intraoral image, 1200 by 900. */
export const imageInfo = (number: number, changes: Partial<ImageInfo> = {}): ImageInfo => ({
  uid: uidOf(number),
  sopInstanceUid: `1.2.3.${number}`,
  kind: 'image',
  name: `image ${number}`,
  number,
  order: number,
  width: 1200,
  height: 900,
  frames: 1,
  imageAcquiredDate: '2026-03-02T10:00:00',
  imageComment: null,
  imageCompression: 'none',
  imageFileName: `${number}.dcm`,
  imageFileSize: 2_160_000,
  imageSensorType: null,
  imageTransferSyntax: '1.2.840.10008.1.2.1',
  source: 'dicom',
  seriesModalityValue: 'IO',
  seriesUid: '1.2.3.100',
  studyUid: '1.2.3.200',
  viewsetId: null,
  teeth: [11],
  teethSource: 'file',
  laterality: null,
  activeImageThumbLink: null,
  display: null,
  displayVersion: 0,
  marks: [],
  calibration: null,
  marksVersion: 0,
  version: 1,
  ...changes,
});

export const viewsetItem = (itemIndex: number, changes: Partial<ViewsetItem> = {}): ViewsetItem => ({
  itemIndex,
  order: itemIndex + 1,
  xPos: itemIndex * 1000,
  yPos: 0,
  width: 1000,
  height: 800,
  rotation: 0,
  horizontalFlip: false,
  teeth: [21],
  description: null,
  activeImage: imageInfo(itemIndex + 1),
  display: null,
  displayVersion: 0,
  ...changes,
});

export const viewset = (items: readonly ViewsetItem[]): Viewset => ({
  viewSetUuid: '00000000-0000-4000-8000-0000000000aa',
  name: 'FMX',
  comments: null,
  templateUUID: null,
  width: items.length * 1000,
  height: 800,
  patientId: '00000000-0000-4000-8000-0000000000bb',
  studyUid: '1.2.3.200',
  version: 1,
  viewSetItems: [...items],
  detachedImages: [],
});
