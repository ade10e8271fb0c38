import { expect, type Page } from '@playwright/test';

/** Waits until the page gets `path`, and gets the same itself: the browser may have dropped the body of its own reply. */
export const replyTo = async <Body>(page: Page, path: RegExp): Promise<Body> => {
  const request = await page.waitForRequest((one) => one.method() === 'GET' && path.test(new URL(one.url()).pathname));
  const { authorization = '' } = await request.allHeaders();
  const reply = await page.request.get(request.url(), { headers: { authorization } });
  expect(reply.ok(), request.url()).toBe(true);
  return (await reply.json()) as Body;
};
