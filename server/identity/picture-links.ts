import type { Kysely } from 'kysely';
import { pathOf } from '../../contract/route.ts';
import { pictureGet } from '../../contract/users.ts';
import type { Schema } from '../db/schema.ts';
import { createSignedLinks, type LinkSeal, type LinkSession } from '../web/signed-links.ts';

export interface PictureLinks {
  linkTo(accountId: string, pictureId: string, session: LinkSession): string;
  /** Returns whether the link was signed for this picture, has not expired and its session has not ended. */
  isValid(accountId: string, pictureId: string, seal: LinkSeal): Promise<boolean>;
}

/** Creates signed links to profile pictures, see `createSignedLinks`. A new picture gets a new link. */
export const createPictureLinks = (db: Kysely<Schema>, key: string, nowMs?: () => number): PictureLinks => {
  const links = createSignedLinks({ db, key, subject: 'account-picture', nowMs });
  return {
    linkTo: (accountId, pictureId, session) => {
      const query = new URLSearchParams(links.queryFor(`${accountId} ${pictureId}`, session));
      return `${pathOf(pictureGet.path, { id: accountId })}?${query}`;
    },
    isValid: (accountId, pictureId, seal) => links.isValid(`${accountId} ${pictureId}`, seal),
  };
};
