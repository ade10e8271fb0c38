import { openid } from '../../contract/sign-in.ts';

/** The address of the page, and where a person wanted to be before the browser left for another one. */
export interface PageAddress {
  current(): string;
  /** Puts a place of this program into the address, without a trace of what stood there. */
  replace(place: string): void;
  /** Of this tab, until somebody is signed in. */
  wanted(): string | null;
  want(place: string | null): void;
}

const wantedKey = 'dentarium.place';

export const browserAddress: PageAddress = {
  current: () => location.href,
  replace: (place) => history.replaceState(null, '', place),
  wanted: () => sessionStorage.getItem(wantedKey),
  want: (place) => {
    if (place === null) sessionStorage.removeItem(wantedKey);
    else sessionStorage.setItem(wantedKey, place);
  },
};

/** Did the provider send the browser to this address? */
export const isReturn = (address: string): boolean => {
  const { pathname, searchParams } = new URL(address);
  return pathname === openid.callbackPath && (searchParams.has('code') || searchParams.has('error'));
};
