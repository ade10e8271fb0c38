import type { Context } from 'oidc-provider';

const isSession = (cookie: string): boolean => /^\s*_session(\.sig)?=/.test(cookie);

/**
 * Workstations are shared, so every authorization request asks for a sign-in of its own, and nothing of it stays in the browser but the tokens:
 * the session cookie that oidc-provider would keep is neither read nor set.
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
