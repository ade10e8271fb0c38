import { JSDOM } from 'jsdom';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { xhrSend, xhrSendBytes } from '../../src/services/xhr-send.ts';
import { bodyOf, listening } from './archive-double.ts';

const closers: (() => Promise<void>)[] = [];
const cross = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'access-control-allow-methods': '*',
};
let browser: JSDOM;
beforeEach(() => {
  browser = new JSDOM('', { url: 'http://127.0.0.1/' });
  const { XMLHttpRequest, FormData, File, Blob } = browser.window;
  for (const [name, value] of Object.entries({ XMLHttpRequest, FormData, File, Blob })) vi.stubGlobal(name, value);
});
afterEach(async () => {
  vi.unstubAllGlobals();
  browser.window.close();
  for (const close of closers.splice(0)) await close();
});

interface Received {
  readonly method: string | undefined;
  readonly authorization: string | undefined;
  readonly type: string | undefined;
  readonly body: string;
}

/** A server that records requests and gives this reply. */
const serverThat = async (reply: 'yes' | 'hang up' | 'wait', onHeard: () => void = () => {}) => {
  const received: Received[] = [];
  const server = await listening(async (request, response) => {
    if (request.method === 'OPTIONS') return response.writeHead(204, cross).end();
    const body = await bodyOf(request);
    const { authorization, 'content-type': type } = request.headers;
    received.push({ method: request.method, authorization, type, body });
    onHeard();
    if (reply === 'hang up') return request.socket.destroy();
    if (reply === 'yes') response.writeHead(201, cross).end('{"ok":true}');
  });
  closers.push(server.close);
  return { received, url: `${server.origin}/there` };
};
const request = (url: string, signal = new AbortController().signal) => {
  const loaded: number[] = [];
  const onProgress = (bytes: number) => loaded.push(bytes);
  return { loaded, common: { url, bearer: 'token', signal, onProgress } };
};

it('posts a form with the access token, in the order of its fields, and reports the progress', async () => {
  const { received, url } = await serverThat('yes');
  const { loaded, common } = request(url);
  const form = new FormData();
  form.append('id', 'import');
  form.append('path', 'folder/a.dcm');
  form.append('files', new File(['bytes of a'], 'a.dcm'), 'a.dcm');
  expect(await xhrSend({ ...common, form })).toEqual({ status: 201, text: '{"ok":true}' });
  const [one] = received;
  expect(one).toMatchObject({ method: 'POST', authorization: 'Bearer token' });
  const body = one?.body ?? '';
  expect(body.indexOf('name="id"')).toBeLessThan(body.indexOf('name="path"'));
  expect(body.indexOf('name="path"')).toBeLessThan(body.indexOf('filename="a.dcm"'));
  expect(body).toContain('bytes of a');
  expect(loaded.at(-1)).toBeGreaterThan('bytes of a'.length);
});

it('puts bytes as they are', async () => {
  const { received, url } = await serverThat('yes');
  const { common } = request(url);
  await xhrSendBytes({ ...common, bytes: new Blob(['part'], { type: 'image/png' }) });
  expect(received[0]).toMatchObject({ method: 'PUT', type: 'application/octet-stream', body: 'part' });
});

it('reports a connection loss as offline', async () => {
  const { url } = await serverThat('hang up');
  const { common } = request(url);
  await expect(xhrSend({ ...common, form: new FormData() })).rejects.toMatchObject({ failure: { kind: 'offline' } });
});

it('aborts with the reason of its signal, before and during the request', async () => {
  const controller = new AbortController();
  const { received, url } = await serverThat('wait', () => controller.abort(new Error('paused')));
  const { common } = request(url, controller.signal);
  await expect(xhrSend({ ...common, form: new FormData() })).rejects.toThrow('paused');
  await expect(xhrSend({ ...common, form: new FormData() })).rejects.toThrow('paused');
  expect(received).toHaveLength(1);
});
