import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { galleryImage, galleryPageOf } from '../tests/gallery-images.ts';
import { idOf } from '../tests/views/records.ts';

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

const imageAt = (number: number) =>
  galleryImage(number, {
    activeImageThumbLink: `/resource/thumbnail?imageUID=${idOf(number)}&expires=1&signature=many`,
  });

export interface ManyImages {
  /** Thumbnails requested, and those cancelled before they loaded. */
  readonly thumbnails: { requested: number; abandoned: number };
}

/** Replaces the archive's image search for a clinic of this many images, with the same paging and counting. `isCounted`: the total is exact. */
export const withManyImages = async (
  page: Page,
  total: number,
  { isCounted = false, thumbnailMs = 0 }: { isCounted?: boolean; thumbnailMs?: number } = {},
): Promise<ManyImages> => {
  const seen: ManyImages = { thumbnails: { requested: 0, abandoned: 0 } };
  const picture = await pictureOf();
  await page.route('**/resource/image/search', async (route) => {
    const reply = galleryPageOf(total, route.request().postDataJSON(), imageAt);
    await route.fulfill({ json: isCounted ? { ...reply, totalCount: total, isTotalExact: true } : reply });
  });
  page.on('requestfailed', (request) => {
    if (request.url().includes('signature=many')) seen.thumbnails.abandoned += 1;
  });
  await page.route('**/resource/thumbnail*signature=many', async (route) => {
    seen.thumbnails.requested += 1;
    if (thumbnailMs > 0) await new Promise((resolve) => setTimeout(resolve, thumbnailMs));
    await route.fulfill({ body: picture, contentType: 'image/jpeg' }).catch(() => {});
  });
  return seen;
};
