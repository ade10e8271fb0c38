import { thumbnail } from '../../contract/images.ts';
import { createSignedLinks } from '../web/signed-links.ts';

export interface ThumbLinks {
  linkTo(imageUid: string): string;
  /** Returns whether this archive signed the link and it has not expired. */
  isValid(link: { readonly imageUID: string; readonly expires: number; readonly signature: string }): boolean;
}

/** Creates thumbnail links that carry their own authorization, see `createSignedLinks`. */
export const createThumbLinks = (key: string, nowMs: () => number = Date.now): ThumbLinks => {
  const links = createSignedLinks(key, 'thumbnail', nowMs);
  return {
    linkTo: (imageUid) => {
      const { expires, signature } = links.sealOf(imageUid);
      const query = new URLSearchParams({ imageUID: imageUid, expires: String(expires), signature });
      return `${thumbnail.path}?${query}`;
    },
    isValid: ({ imageUID, ...seal }) => links.isValid(imageUID, seal),
  };
};
