import { expect, type Page } from '@playwright/test';
import decodeQr from 'qr/decode.js';
import sharp from 'sharp';

/** The text of the QR code of that name, read from the pixels on the screen. */
export const codeOnScreen = async (page: Page, name: string): Promise<string> => {
  const picture = page.getByRole('img', { name });
  await expect(picture).toBeVisible();
  const { data, info } = await sharp(await picture.screenshot())
    .extend({ top: 24, bottom: 24, left: 24, right: 24, background: 'white' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return decodeQr({ data: new Uint8ClampedArray(data), width: info.width, height: info.height });
};
