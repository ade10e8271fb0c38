import type { Page } from '@playwright/test';

/** Returns the grey values of a screenshot, 0 to 255, row by row; `page` decodes it. */
export const greyValuesOf = async (page: Page, png: Buffer): Promise<number[]> => {
  const greyValues = await page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d');
    if (!context) throw new Error('The canvas has no 2d context');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    const greyValues = Uint8Array.from({ length: data.length / 4 }, (_, index) => data[index * 4 + 1] ?? 0);
    // Returned as one string: a JSON array of a million numbers takes seconds.
    let text = '';
    for (let at = 0; at < greyValues.length; at += 8192)
      text += String.fromCharCode(...greyValues.subarray(at, at + 8192));
    return text;
  }, png.toString('base64'));
  return [...Buffer.from(greyValues, 'latin1')];
};

/** Returns mean and standard deviation of grey values. */
export const greyStatisticsOf = (greyValues: readonly number[]): { readonly mean: number; readonly spread: number } => {
  const mean = greyValues.reduce((sum, grey) => sum + grey, 0) / greyValues.length;
  return {
    mean,
    spread: Math.sqrt(greyValues.reduce((sum, grey) => sum + (grey - mean) ** 2, 0) / greyValues.length),
  };
};
