import type { Page } from '@playwright/test';
import sharp from 'sharp';
import type { GalleryImage, GalleryPage } from '../contract/gallery.ts';
import { mostCounted } from '../contract/lists.ts';

const id = (kind: number, number: number) =>
  `${String(kind).padStart(8, '0')}-0000-4000-8000-${String(number).padStart(12, '0')}`;
const pictureOf = () =>
  sharp({
    create: {
      width: 256,
      height: 205,
      channels: 3,
      background: '#777',
      noise: { type: 'gaussian', mean: 120, sigma: 30 },
    },
  })
    .jpeg()
    .toBuffer();

const imageAt = (number: number): GalleryImage => ({
  ...{ uid: id(1, number), sopInstanceUid: `1.2.3.${number}`, name: `Bitewing ${number}`, number },
  activeImageThumbLink: `/resource/thumbnail?imageUID=${id(1, number)}&expires=1&signature=many`,
  ...{ patientId: id(2, Math.floor(number / 20)), patientName: `Astrid Berg ${Math.floor(number / 20)}` },
  ...{ personalNumber: '198001019804', studyId: id(3, number), studyUid: `1.2.4.${number}`, studyDate: '2026-03-12' },
  ...{ studyDescription: 'Recall', seriesUid: `1.2.5.${number}`, seriesModalityValue: 'IO', viewsetId: null },
  ...{ imageAcquiredDate: '2026-03-12T10:11:12', imageComment: null, imageCompression: 'none' },
  ...{ imageFileName: `image${number}.dcm`, imageFileSize: 1_000_000, imageSensorType: null },
  ...{ imageTransferSyntax: '1.2.840.10008.1.2.1', source: 'dicom', uploadedAt: '2026-03-12T12:00:00.000Z' },
  ...{ width: 1000, height: 800, frames: 1, teeth: [], laterality: null },
});

export interface ManyImages {
  /** Thumbnails that were asked for, and those of them that were given up on their way. */
  readonly thumbnails: { asked: number; abandoned: number };
}

/** Answers in place of the archive for a clinic of so many images, which pages and counts as the archive does. `isCounted`: to the end. */
export const withManyImages = async (
  page: Page,
  total: number,
  { isCounted = false, thumbnailMs = 0 }: { isCounted?: boolean; thumbnailMs?: number } = {},
): Promise<ManyImages> => {
  const seen: ManyImages = { thumbnails: { asked: 0, abandoned: 0 } };
  const picture = await pictureOf();
  await page.route('**/resource/image/search', async (route) => {
    const { page: number = 1, ppage = 10, after } = route.request().postDataJSON();
    const first = after === undefined ? (number - 1) * ppage : Number(after);
    const size = Math.max(0, Math.min(ppage, total - first));
    const reply: GalleryPage = {
      data: Array.from({ length: size }, (_, place) => imageAt(first + place)),
      totalCount: isCounted ? total : Math.min(total, mostCounted),
      isTotalExact: isCounted || total <= mostCounted,
      next: first + size < total ? String(first + size) : null,
      facets: { modalities: ['IO'] },
    };
    await route.fulfill({ json: reply });
  });
  page.on('requestfailed', (request) => {
    if (request.url().includes('signature=many')) seen.thumbnails.abandoned += 1;
  });
  await page.route('**/resource/thumbnail*signature=many', async (route) => {
    seen.thumbnails.asked += 1;
    if (thumbnailMs > 0) await new Promise((resolve) => setTimeout(resolve, thumbnailMs));
    await route.fulfill({ body: picture, contentType: 'image/jpeg' }).catch(() => {});
  });
  return seen;
};
