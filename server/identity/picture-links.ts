import { pathOf } from '../../contract/route.ts';
import { pictureGet } from '../../contract/users.ts';
import { createSignedLinks } from '../resource/signed-links.ts';

export interface PictureLinks {
  linkTo(accountId: string, pictureId: string): string;
  /** Whether this archive signed the link for this very picture, and it has not expired. */
  isValid(
    accountId: string,
    pictureId: string,
    seal: { readonly expires: number; readonly signature: string },
  ): boolean;
}

/** Links to pictures of people that carry their own right, see `createSignedLinks`. Another picture is another link. */
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
