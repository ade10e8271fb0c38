import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import { type GalleryImage, type GalleryPage, imageSearchPrivate } from '../../../contract/gallery.ts';
import { mostCounted } from '../../../contract/lists.ts';
import type { BodyOf, Route } from '../../../contract/route.ts';
import type { Call } from '../../../src/services/call.ts';
import { createGallery } from '../../../src/services/gallery.ts';
import { type Ground, GroundProvider } from '../../../src/views/ground.tsx';

export const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
export const clinicId = id(900_000);

/** Three images to a patient. */
export const anImage = (number: number, more: Partial<GalleryImage> = {}): GalleryImage => ({
  uid: id(number),
  sopInstanceUid: `1.2.3.${number}`,
  name: `Bitewing ${number}`,
  number,
  activeImageThumbLink: `/resource/thumbnail?imageUID=${id(number)}`,
  patientId: id(500_000 + Math.floor(number / 3)),
  patientName: `Astrid Berg${Math.floor(number / 3)}`,
  personalNumber: '198001019804',
  studyId: id(600_000 + number),
  studyUid: `1.2.4.${number}`,
  studyDate: '2026-03-12',
  studyDescription: 'Recall',
  seriesUid: `1.2.5.${number}`,
  seriesModalityValue: 'IO',
  viewsetId: null,
  imageAcquiredDate: '2026-03-12T10:11:12',
  imageComment: null,
  imageCompression: 'none',
  imageFileName: `image${number}.dcm`,
  imageFileSize: 1_000_000,
  imageSensorType: null,
  imageTransferSyntax: '1.2.840.10008.1.2.1',
  source: 'dicom',
  uploadedAt: '2026-03-12T12:00:00.000Z',
  width: 1000,
  height: 800,
  frames: 1,
  teeth: [],
  laterality: null,
  ...more,
});

export type Asked = Omit<BodyOf<typeof imageSearchPrivate>, 'page' | 'ppage'> & {
  readonly page?: number;
  readonly ppage?: number;
};

/** An archive that holds `total` images, and pages and counts as the real one does. */
export const aGalleryOf = (total: number, answer: (asked: Asked) => unknown = () => undefined) => {
  const asked: Asked[] = [];
  const page = (request: Asked): GalleryPage => {
    const { page: number = 1, ppage = 10, after } = request;
    const first = after === undefined ? (number - 1) * ppage : Number(after.replace('after ', ''));
    const size = Math.max(0, Math.min(ppage, total - first));
    return {
      data: Array.from({ length: size }, (_, place) => anImage(first + place)),
      totalCount: Math.min(total, mostCounted),
      isTotalExact: total <= mostCounted,
      next: first + size < total ? `after ${first + size}` : null,
      facets: { modalities: ['IO', 'PX'] },
    };
  };
  const call = async (route: Route, options: { readonly body?: Asked } = {}) => {
    if (route !== imageSearchPrivate || !options.body) throw new Error(`Nobody answers ${route.path}`);
    asked.push(options.body);
    return (await answer(options.body)) ?? page(options.body);
  };
  return { asked, page, call: call as unknown as Call };
};

/** What lies inside sees the gallery of that archive. */
export const WithGallery = ({ call, children }: { readonly call: Call; readonly children: ReactNode }) => {
  const client = useQueryClient();
  const [ground] = useState(() => {
    const value = createGallery('http://archive.example', call, client, async (attempt) => attempt('token'));
    // Marked as React marks a promise that it has seen fulfilled, so that nothing suspends while it is first drawn.
    const gallery = Object.assign(Promise.resolve(value), { status: 'fulfilled', value });
    return { gallery: () => gallery } as unknown as Ground;
  });
  return (
    <GroundProvider value={ground}>
      <Suspense fallback={null}>{children}</Suspense>
    </GroundProvider>
  );
};
