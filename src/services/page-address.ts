import { openid } from '../../contract/sign-in.ts';

/** The address of the page, and the path to return to after a redirect. */
export interface PageAddress {
  current(): string;
  /** Replaces the address in the history. */
  replace(path: string): void;
  /** Stored for this tab until sign-in. */
  returnPath(): string | null;
  setReturnPath(path: string | null): void;
}

const returnPathKey = 'dentarium.place';

export const browserAddress: PageAddress = {
  current: () => location.href,
  replace: (path) => history.replaceState(null, '', path),
  returnPath: () => sessionStorage.getItem(returnPathKey),
  setReturnPath: (path) => {
    if (path === null) sessionStorage.removeItem(returnPathKey);
    else sessionStorage.setItem(returnPathKey, path);
  },
};

/** Returns whether the address is a redirect from the provider. */
export const isReturn = (address: string): boolean => {
  const { pathname, searchParams } = new URL(address);
  return pathname === openid.callbackPath && (searchParams.has('code') || searchParams.has('error'));
};
