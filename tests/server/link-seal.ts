import type { LinkSeal } from '../../server/web/signed-links.ts';

/** Returns the seal in a signed link. */
export const sealIn = (link: string): LinkSeal => {
  const query = new URL(link, 'http://archive.example').searchParams;
  return {
    session: query.get('session') ?? '',
    expires: Number(query.get('expires')),
    signature: query.get('signature') ?? '',
  };
};
