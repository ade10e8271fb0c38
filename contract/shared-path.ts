/** Path of the page for recipients of links; id and secret are in the fragment, which no server sees. */
export const sharedPath = '/shared';

/** Returns the address of a link. */
export const sharedAddress = (
  origin: string,
  { id, secret }: { readonly id: string; readonly secret: string },
): string => `${origin}${sharedPath}#${id}.${secret}`;
