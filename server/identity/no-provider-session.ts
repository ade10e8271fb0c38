import type { Context } from 'oidc-provider';

const isSession = (cookie: string): boolean => /^\s*(__Secure-)?_session(\.sig)?=/.test(cookie);

/**
 * Disables the provider's session cookie: workstations are shared, so every authorization request requires a new sign-in and the browser stores only
 * tokens.
 */
export const noProviderSession = async (ctx: Context, next: () => Promise<void>): Promise<void> => {
  const { headers } = ctx.req;
  if (headers.cookie)
    headers.cookie = headers.cookie
      .split(';')
      .filter((cookie) => !isSession(cookie))
      .join(';');
  await next();
  const set = ctx.res.getHeader('set-cookie');
  if (Array.isArray(set))
    ctx.res.setHeader(
      'set-cookie',
      set.filter((cookie) => !isSession(cookie)),
    );
};
