import { expect } from '@playwright/test';

/** Returns the password reset links in the demo's outbox page, newest first. */
const linksIn = async (archiveUrl: string): Promise<string[]> => {
  const reply = await fetch(`${archiveUrl}/api/outbox`);
  if (!reply.ok) throw new Error(`The outbox replied ${reply.status}`);
  const links = [...(await reply.text()).matchAll(/href="([^"]*SecurityStamp[^"]*)"/g)];
  return links.map(([, href = '']) => href.replaceAll('&amp;', '&'));
};

/** Requests an e-mail and returns the link in it. */
export const passwordResetLink = async (archiveUrl: string, requestReset: () => Promise<unknown>): Promise<string> => {
  const before = new Set(await linksIn(archiveUrl));
  await requestReset();
  const fresh = async () => (await linksIn(archiveUrl)).find((link) => !before.has(link)) ?? '';
  await expect.poll(fresh).not.toBe('');
  return fresh();
};

const post = async (url: string, body: unknown): Promise<void> => {
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!reply.ok) throw new Error(`${url}: ${reply.status} ${await reply.text()}`);
};

/** Changes a password at another workstation, which ends the sessions of the account. */
export const changePasswordElsewhere = async (archiveUrl: string, email: string, password: string): Promise<void> => {
  const redirectUrl = `${archiveUrl}/authorization/newpassword`;
  const link = await passwordResetLink(archiveUrl, () =>
    post(`${archiveUrl}/api/Account/reset_password_request`, { email, redirectUrl }),
  );
  const { id, SecurityStamp } = Object.fromEntries(new URLSearchParams(new URL(link).hash.slice(1)));
  await post(`${archiveUrl}/api/Account/reset_password`, { id, SecurityStamp, password });
};
