import { ProblemError } from '../domain/problem-error.ts';
import { isLoopbackName } from '../loopback.ts';

const originOf = ({ protocol, port }: URL): string => `${protocol}//:${port}`;

/** `localhost` and `127.0.0.1` are the same archive on this machine. */
const sameOrigin = (page: URL, own: URL): boolean =>
  page.origin === own.origin ||
  (isLoopbackName(page.hostname) && isLoopbackName(own.hostname) && originOf(page) === originOf(own));

/** Returns the page at the public URL, so that reset links lead to this archive only. @throws ProblemError 'invalid-request' */
export const ownPage = (redirectUrl: string, issuer: string): string => {
  const [page, own] = [new URL(redirectUrl), new URL(issuer)];
  if (!sameOrigin(page, own) || page.username !== '' || page.password !== '')
    throw new ProblemError('invalid-request', [{ fieldKey: 'redirectUrl' }]);
  // Compared component by component: as one string, a path starting with // would name another host.
  own.pathname = page.pathname;
  own.search = page.search;
  return own.href;
};
