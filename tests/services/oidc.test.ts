import { afterEach, expect, it, vi } from 'vitest';
import { openid } from '../../contract/sign-in.ts';
import { createCodeFlow } from '../../src/services/oidc.ts';
import { storage } from './archive-double.ts';

afterEach(() => vi.unstubAllGlobals());

/** A browser that records navigation. `show`: it returns to the page as it was. */
const browser = () => {
  const sent = Promise.withResolvers<URL>();
  let show = () => {};
  const location = { assign: (url: string) => sent.resolve(new URL(url)), href: 'http://archive/authorization' };
  const addEventListener = (_: string, onPageShow: () => void) => {
    show = onPageShow;
  };
  vi.stubGlobal('window', { self: { location }, location, addEventListener });
  return { sent: sent.promise, show: () => show() };
};

it('starts with PKCE, the method and the language; the requested path stays in this browser', async () => {
  const { sent, show } = browser();
  const states = storage();
  const started = createCodeFlow('http://archive', states).start({
    method: 'bankid',
    returnPath: '/patient/7',
    language: 'sv',
  });
  const url = await sent;
  expect(`${url.origin}${url.pathname}`).toBe(`http://archive${openid.authorizePath}`);
  const { state, code_challenge, ...parameters } = Object.fromEntries(url.searchParams);
  expect(parameters).toEqual({
    client_id: openid.clientId,
    response_type: 'code',
    scope: openid.scope,
    prompt: 'login',
    ui_locales: 'sv',
    redirect_uri: `http://archive${openid.callbackPath}`,
    code_challenge_method: 'S256',
    method: 'bankid',
  });
  expect(code_challenge).toMatch(/^[\w-]{43}$/);
  expect(url.href).not.toContain('patient');
  expect(JSON.parse(states.getItem(`oidc.${state}`) ?? '')).toMatchObject({ data: { place: '/patient/7' } });
  // After a step back in the browser the page is as it was: the wait is over.
  show();
  await started;
});
