import { expect } from 'vitest';
import { pathOf, type Route } from '../../../contract/route.ts';
import type { RequestInput } from './scene.ts';

const bodyOf = ({ body, form, bytes, dicom }: RequestInput): RequestInit => {
  if (dicom) return { body: Uint8Array.from(dicom), headers: { 'content-type': 'application/dicom' } };
  if (form) return { body: form };
  if (bytes) return { body: bytes, headers: { 'content-type': 'application/octet-stream' } };
  return body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
};

/** Calls a route of a server with the request of a scene. */
export const callRoute = async (
  url: string,
  route: Route,
  input: RequestInput,
  token: string | null,
): Promise<{ status: number; text: string; challenge: string | null }> => {
  const query = input.query ? `?${new URLSearchParams(input.query)}` : '';
  const { headers, ...rest } = bodyOf(input);
  const reply = await fetch(`${url}${pathOf(route.path, input.params)}${query}`, {
    method: route.method,
    ...rest,
    headers: { ...headers, ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
  });
  expect(reply.headers.get('cache-control'), 'stays out of the browser’s caches').toContain('no-store');
  // Every reply has an id of its own.
  const text = (await reply.text()).replace(/"requestId":"\w+"/, '');
  return { status: reply.status, text, challenge: reply.headers.get('www-authenticate') };
};
