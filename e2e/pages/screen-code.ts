import { expect, type Page } from '@playwright/test';
import decodeQr from 'qr/decode.js';
import sharp from 'sharp';

/** Decodes the QR code of that name from a screenshot, retrying until it is readable. */
export const codeOnScreen = async (page: Page, name: string): Promise<string> => {
  const picture = page.getByRole('img', { name });
  let text = '';
  await expect(async () => {
    const { data, info } = await sharp(await picture.screenshot())
      .extend({ top: 24, bottom: 24, left: 24, right: 24, background: 'white' })
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    text = decodeQr({ data: new Uint8ClampedArray(data), width: info.width, height: info.height });
  }).toPass({ timeout: 45_000 });
  return text;
};
