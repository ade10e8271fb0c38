import type { ReportToWrite } from '../../dicom/structured-report/write-report.ts';
import { writeReport } from '../../dicom/structured-report/write-report.ts';
import { image, owner } from './written-objects.ts';

const observer = { name: 'Åsa Lind', at: new Date('2026-03-14T10:15:00Z') };
const place = { reference: image, frame: null };

export const plainReport: ReportToWrite = {
  owner,
  object: {
    sopInstanceUid: '2.25.95',
    seriesUid: '2.25.96',
    seriesNumber: 9002,
    seriesDescription: 'Dentarium',
    number: 1,
    createdAt: new Date('2026-03-14T10:15:00Z'),
    description: '',
  },
  images: [{ reference: image, modality: 'IO' }],
  measurements: [
    {
      ...place,
      trackingUid: '2.25.97',
      name: 'Length 1',
      quantity: 'length',
      value: 3.1112698372208087,
      unit: 'mm',
      lines: [
        [
          [1.1, 2.2],
          [3.3, 4.4],
        ],
      ],
      isRegion: false,
      scale: 'Pixel size at the detector',
      observer,
    },
    {
      ...place,
      trackingUid: '2.25.98',
      name: 'Area 2',
      quantity: 'area',
      value: 12,
      unit: 'px²',
      lines: [
        [
          [0, 0],
          [4, 0],
          [4, 3],
          [0, 0],
        ],
      ],
      isRegion: true,
      scale: null,
      observer: null,
    },
  ],
  comments: [
    { text: 'Karies\nD2', observer, images: [image], point: null },
    { text: 'Här', observer: null, images: [image], point: { ...place, at: [2, 3] } },
  ],
};

/** The bytes of a report of an image. */
export const reportBytes = (changes: Partial<ReportToWrite> = {}): Uint8Array =>
  writeReport({ ...plainReport, ...changes });
