/** Id and secret of a link. */
export interface SharedLinkAddress {
  readonly id: string;
  readonly secret: string;
}

/** Returns id and secret of a fragment `#ID.SECRET`; null when it is not complete. */
export const linkOf = (hash: string): SharedLinkAddress | null => {
  const [, id, secret] = /^#([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.([\w-]{43})$/i.exec(hash) ?? [];
  return id && secret ? { id, secret } : null;
};
