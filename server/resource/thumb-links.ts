import type { Kysely } from 'kysely';
import { thumbnail } from '../../contract/images.ts';
import type { Schema } from '../db/schema.ts';
import { createSignedLinks, type LinkSeal, type LinkSession } from '../web/signed-links.ts';

/** Creates the thumbnail links of one session. */
export interface SessionThumbLinks {
  linkTo(imageUid: string): string;
}

export interface ThumbLinks {
  of(session: LinkSession): SessionThumbLinks;
  /** Returns whether this archive signed the link, it has not expired and its session has not ended. */
  isValid(link: LinkSeal & { readonly imageUID: string }): Promise<boolean>;
}

/** Creates thumbnail links, see `createSignedLinks`. */
export const createThumbLinks = (db: Kysely<Schema>, key: string, nowMs?: () => number): ThumbLinks => {
  const links = createSignedLinks({ db, key, subject: 'thumbnail', nowMs });
  return {
    of: (session) => ({
      linkTo: (imageUID) =>
        `${thumbnail.path}?${new URLSearchParams({ imageUID, ...links.queryFor(imageUID, session) })}`,
    }),
    isValid: ({ imageUID, ...seal }) => links.isValid(imageUID, seal),
  };
};
