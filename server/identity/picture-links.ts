import { pathOf } from '../../contract/route.ts';
import { pictureGet } from '../../contract/users.ts';
import { createSignedLinks } from '../web/signed-links.ts';

export interface PictureLinks {
  linkTo(accountId: string, pictureId: string): string;
  /** Returns whether the link was signed for this picture and has not expired. */
  isValid(
    accountId: string,
    pictureId: string,
    seal: { readonly expires: number; readonly signature: string },
  ): boolean;
}

/** Creates signed links to profile pictures, see `createSignedLinks`. A new picture gets a new link. */
export const createPictureLinks = (key: string, nowMs: () => number = Date.now): PictureLinks => {
  const links = createSignedLinks(key, 'account-picture', nowMs);
  return {
    linkTo: (accountId, pictureId) => {
      const { expires, signature } = links.sealOf(`${accountId} ${pictureId}`);
      const query = new URLSearchParams({ expires: String(expires), signature });
      return `${pathOf(pictureGet.path, { id: accountId })}?${query}`;
    },
    isValid: (accountId, pictureId, seal) => links.isValid(`${accountId} ${pictureId}`, seal),
  };
};
